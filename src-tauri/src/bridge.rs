//! The way between the web view and the desk: one command in, one event out.

use std::sync::Arc;

use futures::future::{BoxFuture, FutureExt, Shared};
use gpudesk_api::Seat;
use gpudesk_api::desk::{ApiError, Event, Settings};
use serde_json::Value;
use tauri::{AppHandle, Emitter, Manager, State};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use crate::opener::AppOpener;
use crate::{notices, tray, window};

/// The name of the one event the web view hears; its payload is an [`Event`].
pub const EVENT: &str = "gpudesk";

/// The desk, or why there is none. A database that cannot be opened must not keep the window shut: every call then
/// answers with that error, and the window shows it.
pub struct Bridge {
    opening: Shared<BoxFuture<'static, Result<Seat, ApiError>>>,
}

impl Bridge {
    /// Waits until the desk is open.
    pub async fn seat(&self) -> Result<Seat, ApiError> {
        self.opening.clone().await
    }

    /// What the person chose, or the defaults where that cannot be read.
    pub async fn settings(&self) -> Settings {
        let Ok(seat) = self.seat().await else { return Settings::default() };
        seat.dispatch("settings_get", Value::Null)
            .await
            .ok()
            .and_then(|settings| serde_json::from_value(settings).ok())
            .unwrap_or_default()
    }
}

/// Starts opening the desk in the background, and what follows once it is open.
pub fn open(app: &AppHandle) {
    let task = tauri::async_runtime::spawn(Seat::open_with(None, Some(Arc::new(AppOpener(app.clone())))));
    let opening =
        async move { task.await.unwrap_or_else(|error| Err(fault("open the desk", &error.to_string()))) }
            .boxed()
            .shared();
    app.manage(Bridge { opening });

    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let bridge = app.state::<Bridge>();
        match bridge.seat().await {
            Ok(seat) => {
                // Listen before anything can happen, so that nothing is missed.
                let events = seat.events();
                seat.start();
                window::follow_settings(&app, &bridge.settings().await);
                tray::refresh(&app);
                forward(&app, events).await;
            }
            Err(error) => tracing::error!(code = %error.code, "{}: {}", error.what, error.detail),
        }
    });
}

/// Passes every event of the desk on to the web view.
async fn forward(app: &AppHandle, mut events: Receiver<gpudesk_engine::Event>) {
    loop {
        match events.recv().await {
            Ok(event) => {
                let event = gpudesk_api::event(event);
                send(app, &event);
                match event {
                    Event::SettingsChanged => {
                        window::follow_settings(app, &app.state::<Bridge>().settings().await);
                    }
                    Event::WatchHit { title, usd, .. } => notices::watch_hit(app, &title, &usd).await,
                    Event::Told { rental, name, what, text, system: true } => {
                        notices::told(app, &rental, &name, &what, &text).await
                    }
                    Event::RentalsChanged { rental } if !rental.is_empty() => tray::refresh(app),
                    Event::PracticeChanged { .. } => tray::refresh(app),
                    _ => {}
                }
            }
            Err(RecvError::Lagged(missed)) => tracing::warn!("{missed} events did not reach the window"),
            Err(RecvError::Closed) => return,
        }
    }
}

/// Sends one event to the web view.
pub fn send(app: &AppHandle, event: &Event) {
    if let Err(error) = app.emit(EVENT, event) {
        tracing::warn!("an event did not reach the window: {error}");
    }
}

/// The web view's one door to the desk: a command of the api's list and its request, as JSON.
#[tauri::command]
pub async fn call(bridge: State<'_, Bridge>, command: String, request: Value) -> Result<Value, ApiError> {
    let seat = bridge.seat().await?;
    // On a task of its own: should it panic, the web view gets an error instead of silence, and the app lives on.
    let name = command.clone();
    tauri::async_runtime::spawn(async move { seat.dispatch(&command, request).await })
        .await
        .unwrap_or_else(|error| Err(fault(&name, &error.to_string())))
}

/// A fault of ours, in words.
fn fault(what: &str, detail: &str) -> ApiError {
    ApiError {
        code: "internal".into(),
        what: what.into(),
        detail: detail.into(),
        hint: Some(
            "This is a fault of GPU Desk. Start it again; if it comes back, report it with the log.".into(),
        ),
        line: None,
    }
}
