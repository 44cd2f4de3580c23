//! The one window.

use std::time::Duration;

use tauri::webview::NewWindowResponse;
use tauri::{App, AppHandle, Manager, WebviewUrl, WebviewWindowBuilder};

use crate::{home, links};

const LABEL: &str = "main";

/// The web view shows its window when its first rows are painted. If it never comes to that, an empty window is
/// still better than none.
const LATEST_SHOW: Duration = Duration::from_secs(3);

/// Opens the window described in `tauri.conf.json`, unseen until its first rows are painted.
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
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(LATEST_SHOW).await;
        if let Ok(false) = window.is_visible() {
            tracing::warn!("the window had painted no rows after {LATEST_SHOW:?}");
            let _ = window.show();
        }
    });
    Ok(())
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
        "http" | "https" => host == Some("tauri.localhost") || (cfg!(debug_assertions) && host == Some("localhost")),
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
