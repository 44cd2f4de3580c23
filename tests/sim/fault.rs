//! Faults that can be switched on for a path: what goes wrong between a desk and a cloud.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

use super::machine::Service;
use super::refusal::{self, Refusal};
use super::twist::{self, Twist};
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
    /// Only for requests of this method: `PUT`.
    #[serde(default)]
    pub method: Option<String>,
    /// Only at this seller; without it, wherever the path is.
    #[serde(default)]
    pub service: Option<Service>,
}

impl Fault {
    /// A fault of every request whose path begins so, until cleared.
    #[must_use]
    pub fn new(path: &str, kind: Kind) -> Self {
        Self { path: path.to_owned(), kind, times: None, method: None, service: None }
    }

    /// The same fault, so many times only.
    #[must_use]
    pub fn times(mut self, times: u32) -> Self {
        self.times = Some(times);
        self
    }

    /// The same fault, at one seller only.
    #[must_use]
    pub fn at(mut self, service: Service) -> Self {
        self.service = Some(service);
        self
    }

    /// The same fault, for one method only.
    #[must_use]
    pub fn method(mut self, method: &str) -> Self {
        self.method = Some(method.to_owned());
        self
    }
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
    /// The line is cut before the service did anything.
    LostBefore,
    /// The service did it; the line is cut before its answer.
    LostAfter,
    /// The service did it and answers 500.
    DoneButFailed,
    /// The service did it; what stands before it (a limiter, a gateway) answers with this status and a plain text.
    DoneBut {
        /// The status.
        status: u16,
    },
    /// There is none of what was asked for, in RunPod's words and with a status of the service's own trouble.
    SoldOut {
        /// The status.
        status: u16,
        /// Whether the service did it all the same.
        #[serde(default)]
        done: bool,
    },
    /// The service did it at once; its answer comes late.
    DoneLate {
        /// By how much.
        milliseconds: u64,
    },
    /// Refused in the service's own form.
    Refuse {
        /// Why.
        why: Refusal,
    },
    /// The answer is there, in an odd shape.
    Twist {
        /// Which.
        twist: Twist,
        /// The word of [`Twist::UnknownStatus`].
        #[serde(default)]
        word: Option<String>,
    },
}

/// Marks an answer that never arrives: the server breaks the connection instead of sending it.
#[derive(Debug, Clone, Copy)]
pub struct Lost;

fn lost() -> Response {
    let mut response = StatusCode::INTERNAL_SERVER_ERROR.into_response();
    response.extensions_mut().insert(Lost);
    response
}

/// Ends the connection of an answer that is [`Lost`]. Outermost of all layers, and only where there is a connection.
pub async fn cut_lost(request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    if response.extensions().get::<Lost>().is_some() {
        // Unwinding ends the task of this connection and with it the connection; no message, since nothing is broken.
        std::panic::resume_unwind(Box::new("a fault was armed: the line is cut"));
    }
    response
}

/// A door of the market: whose it is, or that of all who are told apart by their paths.
#[derive(Clone)]
pub struct Door {
    /// The market.
    pub market: Shared,
    /// Whose door.
    pub service: Option<Service>,
}

/// Notes the request and lets the first armed fault of its path have its way.
pub async fn inject(State(door): State<Door>, request: Request, next: Next) -> Response {
    let mut path = request.uri().path().to_owned();
    let mut method = request.method().to_string();
    let service = door.service.unwrap_or_else(|| refusal::service(&path));
    let market = door.market;
    let mut request = request;
    if service == Service::Aws {
        // One address for everything: what is asked stands in the body.
        let (same, told) = super::aws::told_apart(request).await;
        request = same;
        if let Some((asks, action)) = told {
            (method, path) = (asks.to_owned(), action);
        }
    }
    market.note(service, &method, &path);
    let Some(kind) = take(&market, service, &method, &path) else {
        return next.run(request).await;
    };
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
        Kind::LostBefore => lost(),
        Kind::LostAfter => {
            next.run(request).await;
            lost()
        }
        Kind::DoneButFailed => {
            next.run(request).await;
            refusal::of(service, Refusal::Internal, &path, market.clock.now())
        }
        Kind::DoneBut { status } => {
            next.run(request).await;
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            (status, [(header::LOCATION, "/elsewhere")], "the practice market was told to fail").into_response()
        }
        Kind::SoldOut { status, done } => {
            if done {
                next.run(request).await;
            }
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
            let words = "There are no longer any instances available with the requested specifications. Please \
                         refresh and try again.";
            refusal::problem(status, words, &[])
        }
        Kind::DoneLate { milliseconds } => {
            let response = next.run(request).await;
            tokio::time::sleep(Duration::from_millis(milliseconds)).await;
            response
        }
        Kind::Refuse { why } => refusal::of(service, why, &path, market.clock.now()),
        Kind::Twist { twist, word } => twist::twist(next.run(request).await, twist, word.as_deref()).await,
    }
}

/// The next fault of this path, counted down.
fn take(market: &Shared, service: Service, method: &str, path: &str) -> Option<Kind> {
    let mut faults = lock(&market.faults);
    let index = faults.iter().position(|fault| {
        path.starts_with(&fault.path)
            && fault.times != Some(0)
            && fault.service.is_none_or(|wanted| wanted == service)
            && fault.method.as_deref().is_none_or(|wanted| wanted == method)
    })?;
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
