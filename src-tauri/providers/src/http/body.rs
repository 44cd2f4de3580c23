//! Reading bodies within their limits.

use std::time::Duration;

use reqwest::Response;

use super::call::Limits;
use super::failure::{Verdict, broken_body};
use crate::source::{SourceError, SourceErrorCode};

/// Reads a body up to its limit, chunk by chunk, so that neither a huge answer nor a small one that unpacks to a huge
/// one fills the memory.
pub(super) async fn whole(what: &str, mut response: Response, limits: &Limits) -> Result<Vec<u8>, Verdict> {
    let too_large = || {
        let limit = limits.max_bytes as f64 / (1024.0 * 1024.0);
        Verdict::Fail(SourceError::new(
            SourceErrorCode::TooLarge,
            what,
            format!("the answer is larger than the limit of {limit:.1} MiB; it was not read to its end"),
        ))
    };
    if response.content_length().is_some_and(|length| length > limits.max_bytes) {
        return Err(too_large());
    }
    let mut body = Vec::new();
    loop {
        match tokio::time::timeout(limits.idle, response.chunk()).await {
            Err(_) => return Err(silence(what, limits.idle, body.len() as u64)),
            Ok(Err(error)) => return Err(broken_body(what, body.len() as u64, &error.without_url())),
            Ok(Ok(None)) => return Ok(body),
            Ok(Ok(Some(chunk))) => {
                if (body.len() + chunk.len()) as u64 > limits.max_bytes {
                    return Err(too_large());
                }
                body.extend_from_slice(&chunk);
            }
        }
    }
}

/// The beginning of a body, whatever happens to the rest.
pub(super) async fn beginning(mut response: Response, limits: &Limits) -> Vec<u8> {
    let mut body = Vec::new();
    while let Ok(Ok(Some(chunk))) = tokio::time::timeout(limits.idle, response.chunk()).await {
        let room = (limits.max_bytes as usize).saturating_sub(body.len());
        body.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if body.len() as u64 >= limits.max_bytes {
            break;
        }
    }
    body
}

pub(super) fn silence(what: &str, idle: Duration, bytes: u64) -> Verdict {
    let detail = match bytes {
        0 => format!("no answer within {}", seconds(idle)),
        _ => format!("silence for {} after {bytes} bytes", seconds(idle)),
    };
    Verdict::Retry { after: None, error: SourceError::new(SourceErrorCode::Timeout, what, detail) }
}

pub(super) fn seconds(time: Duration) -> String {
    format!("{} s", time.as_secs_f64())
}
