//! Faults that can be switched on for a path: what goes wrong between a desk and a cloud.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

use super::{Shared, lock};

/// A fault of one service.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Fault {
    /// Paths that begin with this.
    pub path: String,
    /// What goes wrong.
    #[serde(flatten)]
    pub kind: Kind,
    /// How often; without it, until cleared.
    #[serde(default)]
    pub times: Option<u32>,
}

/// What goes wrong.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Kind {
    /// Another status, with a plain text body.
    Status {
        /// The status.
        status: u16,
        /// Seconds of a `Retry-After` header.
        #[serde(default)]
        retry_after: Option<u32>,
    },
    /// A page for people, with status 200.
    Html,
    /// The answer ends in the middle, its length still promises the whole.
    Cut,
    /// The answer ends in the middle and says so: well-formed HTTP around half a document.
    Truncated,
    /// The answer comes late.
    Slow {
        /// By how much.
        milliseconds: u64,
    },
    /// Status 200 and no bytes.
    Empty,
}

/// Notes the request and lets the first armed fault of its path have its way.
pub async fn inject(State(market): State<Shared>, request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    lock(&market.requests).push(format!("{} {path}", request.method()));
    let Some(kind) = take(&market, &path) else { return next.run(request).await };
    match kind {
        Kind::Status { status, retry_after } => {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            let mut response = (status, "the practice market was told to fail").into_response();
            if let Some(seconds) = retry_after {
                response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
            }
            response
        }
        Kind::Html => (
            [(header::CONTENT_TYPE, "text/html; charset=utf-8")],
            "<!doctype html><html><head><title>Sign in</title></head><body>Sign in to the network</body></html>",
        )
            .into_response(),
        Kind::Empty => StatusCode::OK.into_response(),
        Kind::Slow { milliseconds } => {
            tokio::time::sleep(Duration::from_millis(milliseconds)).await;
            next.run(request).await
        }
        Kind::Cut => halve(next.run(request).await, true).await,
        Kind::Truncated => halve(next.run(request).await, false).await,
    }
}

/// The next fault of this path, counted down.
fn take(market: &Shared, path: &str) -> Option<Kind> {
    let mut faults = lock(&market.faults);
    let index = faults.iter().position(|fault| path.starts_with(&fault.path) && fault.times != Some(0))?;
    let fault = faults.get_mut(index)?;
    fault.times = fault.times.map(|times| times - 1);
    Some(fault.kind.clone())
}

/// Half of an answer; `broken` breaks the connection after it.
async fn halve(response: Response, broken: bool) -> Response {
    let (mut parts, body) = response.into_parts();
    let whole = axum::body::to_bytes(body, usize::MAX).await.unwrap_or_default();
    let half = whole.slice(..whole.len() / 2);
    parts.headers.remove(header::CONTENT_LENGTH);
    if !broken {
        return Response::from_parts(parts, Body::from(half));
    }
    // A body stream that ends in an error makes the server drop the connection in the middle.
    let pieces: [Result<Bytes, std::io::Error>; 2] =
        [Ok(half), Err(std::io::Error::from(std::io::ErrorKind::ConnectionReset))];
    Response::from_parts(parts, Body::from_stream(futures::stream::iter(pieces)))
}
