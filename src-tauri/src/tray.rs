//! The tray icon: a way back to the window and a way out.

use tauri::menu::{MenuBuilder, MenuEvent};
use tauri::tray::{MouseButton, MouseButtonState, TrayIconBuilder, TrayIconEvent};
use tauri::{AppHandle, Manager};

use crate::bridge::Bridge;
use crate::texts::{self, Language, texts};
use crate::window;

const OPEN: &str = "open";
const QUIT: &str = "quit";

/// Shows the icon once the settings say in which language. A desktop without a tray is no reason to fail.
pub fn show(app: &AppHandle) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let language = app.state::<Bridge>().settings().await.language;
        let language = Language::of_setting(&language, texts::environment_locale().as_deref());
        let handle = app.clone();
        let shown = app.run_on_main_thread(move || {
            if let Err(error) = build(&handle, language) {
                tracing::warn!("no tray icon: {error}");
            }
        });
        if let Err(error) = shown {
            tracing::warn!("no tray icon: {error}");
        }
    });
}

fn build(app: &AppHandle, language: Language) -> tauri::Result<()> {
    let words = texts(language);
    let menu = MenuBuilder::new(app).text(OPEN, words.open).text(QUIT, words.quit).build()?;
    let mut tray = TrayIconBuilder::with_id("desk")
        .tooltip("GPU Desk")
        .menu(&menu)
        .show_menu_on_left_click(false)
        .on_menu_event(on_menu)
        .on_tray_icon_event(|tray, event| {
            if let TrayIconEvent::Click {
                button: MouseButton::Left,
                button_state: MouseButtonState::Up,
                ..
            } = event
            {
                window::bring_to_front(tray.app_handle());
            }
        });
    if let Some(icon) = app.default_window_icon() {
        tray = tray.icon(icon.clone());
    }
    tray.build(app)?;
    Ok(())
}

fn on_menu(app: &AppHandle, event: MenuEvent) {
    match event.id().as_ref() {
        OPEN => window::bring_to_front(app),
        QUIT => app.exit(0),
        _ => {}
    }
}
