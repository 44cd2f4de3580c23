//! System notifications: what a person wants to know while looking elsewhere, with the one thing to do as a button where
//! the desktop has buttons.

use gpudesk_api::rental::{ExtendRequest, RentalRequest};
use serde_json::json;
use tauri::{AppHandle, Manager};
use tauri_plugin_notification::{Action, ActionPerformed, ActionType, NotificationExt};

use crate::bridge::Bridge;
use crate::texts::{self, Language, texts};
use crate::{tray, window};

/// What a button carries along: the id of the rental that was told of.
const RENTAL: &str = "rental";
const EXTEND: &str = "extend";
const KEEP: &str = "keep";
const CONNECT: &str = "connect";
/// By how much the button extends a lease, in hours.
const HOURS: f64 = 1.0;

/// Lets buttons of notifications do what they say; a click beside them brings the window to the front.
pub fn listen(app: &AppHandle) {
    let handle = app.clone();
    let listening = app.notification().on_action(move |performed| act(&handle, performed));
    if let Err(error) = listening {
        tracing::warn!("notifications have no buttons: {error}");
    }
}

/// Tells that a watch found an offer. Whether the desktop really showed it cannot be known, so the window shows the
/// same.
pub async fn watch_hit(app: &AppHandle, title: &str, usd_per_gpu_hour: &str) {
    let words = texts(language(app).await);
    let body = format!("{title} · ${usd_per_gpu_hour} {}", words.per_gpu_hour);
    if let Err(error) = app.notification().builder().title(words.watch_hit).body(body).show() {
        tracing::warn!("no notification: {error}");
    }
}

/// Tells what happened to a rental. `text` is English; in other languages the title says what it is.
pub async fn told(app: &AppHandle, rental: &str, name: &str, what: &str, text: &str) {
    let language = language(app).await;
    let title = texts::told(language, what);
    let body = if language == Language::English { text } else { name };
    let title = if title.is_empty() { name.to_owned() } else { format!("{name}: {title}") };
    let mut notification = app.notification().builder().title(title).body(body);
    if let Some((action, label)) = button(language, what).filter(|_| !rental.is_empty()) {
        let button =
            ActionType::builder(action).actions(vec![Action::builder(action, label).build()]).build();
        match app.notification().register_action_types(vec![button]) {
            Ok(()) => notification = notification.action_type_id(action).extra(RENTAL, rental),
            Err(error) => tracing::warn!("a notification without its button: {error}"),
        }
    }
    if let Err(error) = notification.show() {
        tracing::warn!("no notification: {error}");
    }
}

async fn language(app: &AppHandle) -> Language {
    let language = app.state::<Bridge>().settings().await.language;
    Language::of_setting(&language, texts::environment_locale().as_deref())
}

/// The one thing to do about what is told.
fn button(language: Language, what: &str) -> Option<(&'static str, &'static str)> {
    let words = texts(language);
    match what {
        "lease-soon" | "lease-over" => Some((EXTEND, words.extend)),
        "idle-soon" => Some((KEEP, words.keep)),
        "ready" => Some((CONNECT, words.connect_now)),
        _ => None,
    }
}

fn act(app: &AppHandle, performed: &ActionPerformed) {
    let rental = performed.notification().and_then(|shown| shown.extra().get(RENTAL));
    let Some(rental) = rental.and_then(|id| id.as_str()).map(str::to_owned) else {
        return window::bring_to_front(app);
    };
    match performed.action_id() {
        EXTEND => ask(app, "rental_extend", json!(ExtendRequest { rental, hours: HOURS })),
        KEEP => ask(app, "rental_keep", json!(RentalRequest { rental })),
        CONNECT => tray::connect(app.clone(), rental),
        _ => window::bring_to_front(app),
    }
}

/// Asks the desk; where it refuses, the window comes to the front, where it can be seen why.
fn ask(app: &AppHandle, command: &'static str, request: serde_json::Value) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let answer = match app.state::<Bridge>().seat().await {
            Ok(seat) => seat.dispatch(command, request).await,
            Err(error) => Err(error),
        };
        if let Err(error) = answer {
            tracing::warn!(code = %error.code, "{}: {}", error.what, error.detail);
            window::bring_to_front(&app);
        }
    });
}
