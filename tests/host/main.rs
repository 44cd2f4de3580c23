//! The api over loopback HTTP, so that the whole UI runs in an ordinary browser. For tests and development only: it
//! has no password and is never shipped.
//!
//! `POST /rpc/{command}` answers a command, `GET /events` streams events, everything else is the built UI.
//! The desk's folder and addresses come from the environment, as everywhere.

mod files;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures::Stream;
use gpudesk_api::Seat;
use gpudesk_api::desk::ApiError;
use serde_json::Value;
use tokio::net::TcpListener;

/// What the routes share. A desk that could not be opened answers every command with the reason.
pub struct Host {
    seat: Result<Seat, ApiError>,
    dist: PathBuf,
}

#[tokio::main]
async fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let dist = arguments.next().map_or_else(|| PathBuf::from("ui/dist"), PathBuf::from);
    let port = arguments.next().and_then(|port| port.parse().ok()).unwrap_or(0);
    let seat = Seat::open(None).await;
    if let Ok(seat) = &seat {
        seat.start();
    }
    let router = Router::new()
        .route("/rpc/{command}", post(rpc))
        .route("/events", get(events))
        .fallback(files::serve)
        .with_state(Arc::new(Host { seat, dist }));
    match serve(router, port).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("gpudesk-test-host: {error}");
            ExitCode::FAILURE
        }
    }
}

#[expect(clippy::print_stdout, reason = "the address is read by the one who starts it")]
async fn serve(router: Router, port: u16) -> std::io::Result<()> {
    let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], port))).await?;
    println!("http://{}", listener.local_addr()?);
    axum::serve(listener, router).await
}

async fn rpc(
    State(host): State<Arc<Host>>,
    Path(command): Path<String>,
    Json(request): Json<Value>,
) -> Result<Json<Value>, Response> {
    let refuse = |error: ApiError| (StatusCode::UNPROCESSABLE_ENTITY, Json(error)).into_response();
    let seat = host.seat.as_ref().map_err(|error| refuse(error.clone()))?;
    seat.dispatch(&command, request).await.map(Json).map_err(refuse)
}

async fn events(State(host): State<Arc<Host>>) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let receiver = host.seat.as_ref().ok().map(Seat::events);
    let stream = futures::stream::unfold(receiver, |receiver| async move {
        let mut receiver = receiver?;
        loop {
            match receiver.recv().await {
                Ok(event) => {
                    let event = Event::default().json_data(gpudesk_api::event(event)).unwrap_or_default();
                    return Some((Ok(event), Some(receiver)));
                }
                Err(tokio::sync::broadcast::error::RecvError::Lagged(_)) => {}
                Err(tokio::sync::broadcast::error::RecvError::Closed) => return None,
            }
        }
    });
    Sse::new(stream).keep_alive(KeepAlive::default())
}
