//! Unary gRPC on the kit: one message there, one message back, and the outcome in the trailers behind it
//! (<https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md>). The messages themselves are the callers'.

use http_body_util::BodyExt;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue, TE};
use reqwest::{Method, Response};

use super::answer::Answer;
use super::call::{Call, Limits};
use super::failure::{Try, Verdict};
use crate::cloud::Effect;
use crate::source::{SourceError, SourceErrorCode};

/// The bytes before a message: a flag and the length.
const PREFIX: usize = 5;

/// The outcome of a call that went well.
const OK: u32 = 0;

/// Makes a call of this message.
pub(super) fn dress(call: &mut Call, message: &[u8]) {
    call.method = Method::POST;
    call.headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
    call.headers.insert(TE, HeaderValue::from_static("trailers"));
    let mut body = Vec::with_capacity(PREFIX + message.len());
    body.push(0);
    body.extend_from_slice(&u32::try_from(message.len()).unwrap_or(u32::MAX).to_be_bytes());
    body.extend_from_slice(message);
    call.body = Some(body);
    call.rpc = true;
    call.expects = "a gRPC message";
}

/// Reads an answer with status 200 to its end: the message, or what its trailers say went wrong.
pub(super) async fn read(call: &Call, response: Response, limits: &Limits) -> Result<Answer, Try> {
    let what = &call.what;
    let head = response.headers().clone();
    let bad = |words: &str| {
        let error = SourceError::new(SourceErrorCode::BadAnswer, what, words).hint(
            "a proxy of the network that does not let gRPC (HTTP/2 with trailers) pass may stand in between",
        );
        Try::unreadable(Verdict::Fail(error), 200)
    };
    let is_rpc = head.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if !is_rpc.is_some_and(|kind| kind.starts_with("application/grpc")) {
        return Err(bad("the answer is no gRPC"));
    }
    // Where there is no message, the outcome stands in the head.
    if let Some(refused) = outcome(&head).filter(|outcome| outcome.code != OK) {
        return Err(refused.into_try(what));
    }
    let mut body = reqwest::Body::from(response);
    let (mut bytes, mut trailers) = (Vec::new(), HeaderMap::new());
    loop {
        match tokio::time::timeout(limits.idle, body.frame()).await {
            Err(_) => {
                return Err(Try::unreadable(
                    super::body::silence(what, limits.idle, bytes.len() as u64),
                    200,
                ));
            }
            Ok(None) => break,
            Ok(Some(Err(error))) => {
                let verdict = super::failure::broken_body(what, bytes.len() as u64, &error.without_url());
                return Err(Try::unreadable(verdict, 200));
            }
            Ok(Some(Ok(frame))) => match frame.into_data() {
                Ok(data) if (bytes.len() + data.len()) as u64 > limits.max_bytes => {
                    return Err(bad("the answer is larger than its limit"));
                }
                Ok(data) => bytes.extend_from_slice(&data),
                Err(frame) => trailers.extend(frame.into_trailers().unwrap_or_default()),
            },
        }
    }
    match outcome(&trailers).or_else(|| outcome(&head)) {
        None => return Err(bad("the answer breaks off: nothing says whether the call went well")),
        Some(outcome) if outcome.code != OK => return Err(outcome.into_try(what)),
        Some(_) => {}
    }
    match bytes.split_first_chunk::<PREFIX>() {
        Some(([0, a, b, c, d], message))
            if message.len() == u32::from_be_bytes([*a, *b, *c, *d]) as usize =>
        {
            Ok(Answer {
                what: what.clone(),
                body: message.to_vec(),
                etag: None,
                total: None,
                subject_token: None,
                content_type: None,
            })
        }
        _ => Err(bad("the answer is no single gRPC message")),
    }
}

/// How a call went.
struct Outcome {
    code: u32,
    message: String,
    /// A `google.rpc.Status` with its details.
    details: Vec<u8>,
}

fn outcome(headers: &HeaderMap) -> Option<Outcome> {
    let text = |name: &str| headers.get(name)?.to_str().ok();
    let message = text("grpc-message").unwrap_or_default();
    let details = text("grpc-status-details-bin").unwrap_or_default();
    Some(Outcome {
        code: text("grpc-status")?.trim().parse().ok()?,
        message: percent_decoded(message),
        details: base64(details).unwrap_or_default(),
    })
}

impl Outcome {
    /// The same as a failed try, under the HTTP status that means most nearly the same
    /// (<https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto>).
    fn into_try(self, what: &str) -> Try {
        let (status, code) = match self.code {
            3 | 11 => (400, SourceErrorCode::ProviderRefused),
            5 => (404, SourceErrorCode::ProviderRefused),
            6 | 10 => (409, SourceErrorCode::ProviderRefused),
            7 => (403, SourceErrorCode::ProviderRefused),
            8 => (429, SourceErrorCode::RateLimited),
            9 => (412, SourceErrorCode::ProviderRefused),
            12 => (501, SourceErrorCode::Gone),
            16 => (401, SourceErrorCode::ProviderRefused),
            4 => (504, SourceErrorCode::Timeout),
            14 => (503, SourceErrorCode::ProviderDown),
            _ => (500, SourceErrorCode::ProviderDown),
        };
        let error = SourceError::new(code, what, format!("gRPC {}: {}", self.code, self.message));
        // Whether a lack of something is one of calls, of quota or of machines stands in the details; trouble of the
        // service may pass.
        let verdict = match self.code {
            14 => Verdict::Retry { after: None, error },
            _ => Verdict::Fail(error),
        };
        let effect = if (400..500).contains(&status) { Effect::Nothing } else { Effect::Unclear };
        Try { verdict, status: Some(status), body: self.details, effect }
    }
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let hex = |digit: u8| char::from(digit).to_digit(16);
        let mut ahead = rest.clone();
        match (byte, ahead.next().and_then(hex), ahead.next().and_then(hex)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push(u8::try_from(high * 16 + low).unwrap_or(b'?'));
                rest = ahead;
            }
            _ => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Standard base64, padded or not, as headers named `-bin` carry it.
fn base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let (mut held, mut bits) = (0_u32, 0);
    for c in text.trim().trim_end_matches('=').bytes() {
        let value = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        held = (held << 6) | u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from((held >> bits) & 0xff).unwrap_or(0));
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_decoded() {
        assert_eq!(base64("aGVsbG8").as_deref(), Some(b"hello".as_slice()));
        assert_eq!(base64("aGVsbG8=").as_deref(), Some(b"hello".as_slice()));
        assert_eq!(base64("a*"), None);
        assert_eq!(percent_decoded("Quota%20limit 100%"), "Quota limit 100%");
        assert_eq!(percent_decoded("%C3%A4%zz%"), "ä%zz%");
    }

    #[test]
    fn an_outcome_becomes_the_nearest_status() {
        let headers = |code: &str| {
            let mut headers = HeaderMap::new();
            headers.insert("grpc-status", code.parse().unwrap());
            headers.insert("grpc-message", "no%20such%20thing".parse().unwrap());
            headers
        };
        let failed = |code| outcome(&headers(code)).unwrap().into_try("A call").into_failure();
        let absent = failed("5");
        assert_eq!((absent.status, absent.effect), (Some(404), Effect::Nothing));
        assert_eq!(absent.error.detail, "gRPC 5: no such thing");
        assert_eq!(
            (failed("16").status, failed("7").status, failed("8").status),
            (Some(401), Some(403), Some(429))
        );
        assert_eq!((failed("13").status, failed("13").effect), (Some(500), Effect::Unclear));
        assert_eq!(failed("99").status, Some(500), "a code nobody knows");
        assert!(outcome(&HeaderMap::new()).is_none());
    }
}
