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
