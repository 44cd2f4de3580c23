//! The tray icon: a way back to the window, into each machine, and out.

use gpudesk_api::connect::{OpenInRequest, Opened};
use gpudesk_api::rental::{RentalDto, RentalsPage, RentalsRequest};
use serde_json::json;
use tauri::menu::{Menu, MenuBuilder, MenuEvent, MenuItemBuilder};
use tauri::tray::{MouseButton, MouseButtonState, TrayIconBuilder, TrayIconEvent};
use tauri::{AppHandle, Manager, Wry};

use crate::bridge::Bridge;
use crate::texts::{self, Language, Texts, texts};
use crate::window;

const ICON: &str = "desk";
const OPEN: &str = "open";
const QUIT: &str = "quit";
/// What stands before a rental's id in a menu entry's.
const CONNECT: &str = "connect:";

/// Shows the icon once the settings say in which language. A desktop without a tray is no reason to fail.
pub fn show(app: &AppHandle) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let words = words(&app).await;
        let handle = app.clone();
        let shown = app.run_on_main_thread(move || {
            if let Err(error) = build(&handle, words) {
                tracing::warn!("no tray icon: {error}");
            }
        });
        if let Err(error) = shown {
            tracing::warn!("no tray icon: {error}");
        }
    });
}

/// Puts the machines there are now into the menu.
pub fn refresh(app: &AppHandle) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let words = words(&app).await;
        let Ok(seat) = app.state::<Bridge>().seat().await else { return };
        let Ok(request) = serde_json::to_value(RentalsRequest { all: false }) else { return };
        let answer = seat.dispatch("rentals_list", request).await;
        // A list that cannot be read leaves the menu without machines rather than with old ones.
        let page = answer.ok().and_then(|page| serde_json::from_value::<RentalsPage>(page).ok());
        let practice = seat.is_practice();
        let handle = app.clone();
        let shown = app.run_on_main_thread(move || {
            let Some(tray) = handle.tray_by_id(ICON) else { return };
            let state = page.as_ref().map(|page| state(words, page, practice));
            let set = menu(&handle, words, page.as_ref(), practice)
                .and_then(|menu| tray.set_menu(Some(menu)))
                .and_then(|()| tray.set_tooltip(state.as_deref().or(Some("GPU Desk"))));
            if let Err(error) = set {
                tracing::warn!("the tray's menu could not be changed: {error}");
            }
        });
        if let Err(error) = shown {
            tracing::warn!("the tray's menu could not be changed: {error}");
        }
    });
}

async fn words(app: &AppHandle) -> &'static Texts {
    let language = app.state::<Bridge>().settings().await.language;
    texts(Language::of_setting(&language, texts::environment_locale().as_deref()))
}

fn build(app: &AppHandle, words: &'static Texts) -> tauri::Result<()> {
    let menu = menu(app, words, None, false)?;
    let mut tray = TrayIconBuilder::with_id(ICON)
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

fn menu(
    app: &AppHandle,
    words: &Texts,
    page: Option<&RentalsPage>,
    practice: bool,
) -> tauri::Result<Menu<Wry>> {
    let mut menu = MenuBuilder::new(app);
    if let Some(page) = page {
        let burning = MenuItemBuilder::new(burning(words, page, practice)).enabled(false).build(app)?;
        menu = menu.item(&burning);
        for rental in
            page.rentals.iter().filter(|rental| rental.actions.iter().any(|action| action == "connect"))
        {
            let mut entry = format!("{} {}", words.connect, rental.name);
            if is_idle(rental) {
                entry.push_str(&format!(" ({})", words.idle));
            }
            menu = menu.text(format!("{CONNECT}{}", rental.id), entry);
        }
        menu = menu.separator();
    }
    menu.text(OPEN, words.open).text(QUIT, words.quit).build()
}

/// Whether it was measured to do nothing.
fn is_idle(rental: &RentalDto) -> bool {
    rental.activity.as_ref().is_some_and(|activity| matches!(activity.state.as_str(), "idle" | "parked"))
}

/// What is said beside the icon: what runs, and the machines that do nothing.
fn state(words: &Texts, page: &RentalsPage, practice: bool) -> String {
    let idle: Vec<&str> =
        page.rentals.iter().filter(|rental| is_idle(rental)).map(|rental| rental.name.as_str()).collect();
    let running = burning(words, page, practice);
    match idle.is_empty() {
        true => format!("GPU Desk\n{running}"),
        false => format!("GPU Desk\n{running}\n{} {}", idle.join(", "), words.idle),
    }
}

/// What runs and what it costs: `Running now: 2 · $3.98/h`. A rate that is not known makes the sum a lower bound.
fn burning(words: &Texts, page: &RentalsPage, practice: bool) -> String {
    let mut text = match (page.burning_machines, &page.burning_usd) {
        (0, _) => words.burning_nothing.to_owned(),
        (machines, Some(usd)) if page.burning_unknown == 0 => {
            format!("{}: {machines} · ${usd}/h", words.burning)
        }
        (machines, Some(usd)) => format!("{}: {machines} · ≥ ${usd}/h", words.burning),
        (machines, None) => format!("{}: {machines} · –", words.burning),
    };
    if practice {
        text.push_str(&format!(" ({})", words.practice));
    }
    text
}

fn on_menu(app: &AppHandle, event: MenuEvent) {
    match event.id().as_ref() {
        OPEN => window::bring_to_front(app),
        QUIT => app.exit(0),
        other => {
            if let Some(rental) = other.strip_prefix(CONNECT) {
                connect(app.clone(), rental.to_owned());
            }
        }
    }
}

/// Opens the system's terminal in a rental; where that does not work the window comes to the front, where it can be
/// seen why.
pub fn connect(app: AppHandle, rental: String) {
    tauri::async_runtime::spawn(async move {
        let request = OpenInRequest { rental, program: "terminal".to_owned() };
        let opened = match app.state::<Bridge>().seat().await {
            Ok(seat) => seat.dispatch("open_in", json!(request)).await,
            Err(error) => Err(error),
        };
        let started = match opened {
            Ok(opened) => {
                serde_json::from_value::<Opened>(opened).is_ok_and(|opened| opened.program.is_some())
            }
            Err(error) => {
                tracing::warn!(code = %error.code, "{}: {}", error.what, error.detail);
                false
            }
        };
        if !started {
            window::bring_to_front(&app);
        }
    });
}
