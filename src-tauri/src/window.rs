//! The one window.

use gpudesk_api::desk::Settings;
use tauri::webview::{Color, NewWindowResponse};
use tauri::{App, AppHandle, Manager, Theme, WebviewUrl, WebviewWindow, WebviewWindowBuilder};

use crate::{home, links};

const LABEL: &str = "main";

/// What is seen before the page is painted: the page's own ground, so that nothing flashes.
const DARK: Color = Color(0x0f, 0x13, 0x17, 0xff);
const LIGHT: Color = Color(0xf6, 0xf7, 0xf9, 0xff);

/// Opens the window described in `tauri.conf.json`. It is visible from the start: WebKitGTK neither lays out nor
/// paints a hidden page, so hiding it until its first rows are there would only make them later.
pub fn open(app: &App) -> tauri::Result<()> {
    let mut config = app
        .config()
        .app
        .windows
        .iter()
        .find(|window| window.label == LABEL)
        .cloned()
        .ok_or(tauri::Error::WindowNotFound)?;
    if let Some(link) = links::at_start(app.handle()) {
        // The page is not listening yet, so the first link travels in its address.
        config.url = WebviewUrl::App(format!("index.html#{link}").into());
    }
    let mut builder = WebviewWindowBuilder::from_config(app, &config)?
        .on_navigation(|url| is_ours(url.scheme(), url.host_str()))
        .on_new_window(|_, _| NewWindowResponse::Deny);
    if let Some(home) = home::chosen() {
        builder = builder.data_directory(home.join("webview"));
    }
    let window = builder.build()?;
    paint_ground(&window);
    Ok(())
}

/// Gives the window's frame and ground the theme that was chosen; the page follows by itself.
pub fn follow_settings(app: &AppHandle, settings: &Settings) {
    let Some(window) = app.get_webview_window(LABEL) else { return };
    let theme = match settings.theme.as_str() {
        "dark" => Some(Theme::Dark),
        "light" => Some(Theme::Light),
        _ => None,
    };
    // A desktop without themes leaves the frame as it is.
    let _ = window.set_theme(theme);
    paint_ground(&window);
}

fn paint_ground(window: &WebviewWindow) {
    let ground = if matches!(window.theme(), Ok(Theme::Light)) { LIGHT } else { DARK };
    let _ = window.set_background_color(Some(ground));
}

/// Shows the window and gives it the focus.
pub fn bring_to_front(app: &AppHandle) {
    if let Some(window) = app.get_webview_window(LABEL) {
        // A window manager may refuse any of these; there is nothing better to try then.
        let _ = window.unminimize();
        let _ = window.show();
        let _ = window.set_focus();
    }
}

/// Whether an address belongs to the app itself: the embedded pages, or the development server of a debug build.
fn is_ours(scheme: &str, host: Option<&str>) -> bool {
    match scheme {
        "tauri" => true,
        // Windows serves the embedded pages under this host name.
        "http" | "https" => {
            host == Some("tauri.localhost") || (cfg!(debug_assertions) && host == Some("localhost"))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_stays_with_its_own_pages() {
        assert!(is_ours("tauri", Some("localhost")));
        assert!(is_ours("http", Some("tauri.localhost")));
        assert!(!is_ours("https", Some("example.org")));
        assert!(!is_ours("file", None));
        assert!(!is_ours("data", None));
        assert!(!is_ours("javascript", None));
    }
}
