//! System notifications: what a person wants to know while looking elsewhere.

use tauri::{AppHandle, Manager};
use tauri_plugin_notification::NotificationExt;

use crate::bridge::Bridge;
use crate::texts::{self, Language, texts};

/// Tells that a watch found an offer. Whether the desktop really showed it cannot be known, so the window shows the
/// same.
pub async fn watch_hit(app: &AppHandle, title: &str, usd_per_gpu_hour: &str) {
    let language = app.state::<Bridge>().settings().await.language;
    let words = texts(Language::of_setting(&language, texts::environment_locale().as_deref()));
    let body = format!("{title} · ${usd_per_gpu_hour} {}", words.per_gpu_hour);
    if let Err(error) = app.notification().builder().title(words.watch_hit).body(body).show() {
        tracing::warn!("no notification: {error}");
    }
}

/// Tells what happened to a rental. `text` is English; in other languages the title says what it is.
pub async fn told(app: &AppHandle, name: &str, what: &str, text: &str) {
    let language = app.state::<Bridge>().settings().await.language;
    let language = Language::of_setting(&language, texts::environment_locale().as_deref());
    let title = texts::told(language, what);
    let body = if language == Language::English { text } else { name };
    let title = if title.is_empty() { name.to_owned() } else { format!("{name}: {title}") };
    if let Err(error) = app.notification().builder().title(title).body(body).show() {
        tracing::warn!("no notification: {error}");
    }
}
