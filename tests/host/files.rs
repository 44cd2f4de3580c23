//! The built UI as files.

use std::path::{Component, Path};
use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use crate::Host;

/// Answers with a file of the built UI.
pub async fn serve(State(host): State<Arc<Host>>, uri: Uri) -> Response {
    let path = Path::new(uri.path().trim_start_matches('/'));
    let path = if path.as_os_str().is_empty() { Path::new("index.html") } else { path };
    // Nothing above the folder is anybody's business.
    if !path.components().all(|part| matches!(part, Component::Normal(_))) {
        return StatusCode::NOT_FOUND.into_response();
    }
    match tokio::fs::read(host.dist.join(path)).await {
        Ok(bytes) => ([(header::CONTENT_TYPE, content_type(path))], bytes).into_response(),
        Err(_) => StatusCode::NOT_FOUND.into_response(),
    }
}

fn content_type(path: &Path) -> &'static str {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}
