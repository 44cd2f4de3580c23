//! gRPC over the market's HTTP: a message behind five bytes, and the outcome in the trailers.

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use http_body_util::StreamBody;
use prost::Message;

use super::super::Refused;
use super::super::twist::Twist;
use super::proto::{Any, ListInstancesResponse, RpcStatus, ServiceError};

const PREFIX: usize = 5;

/// The message of a request, all of whose fields must be known.
pub fn message<M: Message + Default>(body: &Bytes) -> Result<M, Refused> {
    let invalid = |words: &str| Refused::from(refuse(3, words, &ServiceError::default()));
    let bytes = body.get(PREFIX..).ok_or_else(|| invalid("no message"))?;
    let message = M::decode(bytes).map_err(|_| invalid("not the message expected"))?;
    // Whatever is not known is lost on the way.
    if message.encoded_len() == bytes.len() { Ok(message) } else { Err(invalid("unknown fields")) }
}

/// An answer.
pub fn answer(message: &impl Message) -> Response {
    framed(&message.encode_to_vec())
}

fn framed(message: &[u8]) -> Response {
    let mut bytes = vec![0];
    bytes.extend_from_slice(&u32::try_from(message.len()).unwrap_or(0).to_be_bytes());
    bytes.extend_from_slice(message);
    let mut trailers = HeaderMap::new();
    trailers.insert("grpc-status", HeaderValue::from_static("0"));
    let frames: [Result<http_body::Frame<Bytes>, std::convert::Infallible>; 2] =
        [Ok(http_body::Frame::data(bytes.into())), Ok(http_body::Frame::trailers(trailers))];
    let mut response = Response::new(Body::new(StreamBody::new(futures::stream::iter(frames))));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
    response
}

/// A refusal with its details: there is a head and nothing else.
pub fn refuse(code: i32, words: &str, details: &ServiceError) -> Response {
    let details = Any {
        type_url: "type.googleapis.com/nebius.common.v1.ServiceError".to_owned(),
        value: details.encode_to_vec(),
    };
    let status = RpcStatus { code, message: words.to_owned(), details: vec![details] };
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::OK;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
    headers.insert("grpc-status", HeaderValue::from(code));
    let words = words.replace(' ', "%20");
    headers.insert("grpc-message", HeaderValue::from_str(&words).unwrap_or(HeaderValue::from_static("")));
    let details = base64(&status.encode_to_vec());
    headers.insert(
        "grpc-status-details-bin",
        HeaderValue::from_str(&details).unwrap_or(HeaderValue::from_static("")),
    );
    response
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let byte = |n: usize| u32::from(three.get(n).copied().unwrap_or(0));
        let group = byte(0) << 16 | byte(1) << 8 | byte(2);
        for n in 0..=three.len() {
            let at = (group >> (18 - 6 * n) & 63) as usize;
            text.push(char::from(DIGITS.get(at).copied().unwrap_or(b'A')));
        }
    }
    text
}

/// Bends an answer with a list of machines. One that is not a message any more breaks off without an outcome.
pub fn bend(body: &[u8], twist: Twist) -> Response {
    let list = body.get(PREFIX..).and_then(|bytes| ListInstancesResponse::decode(bytes).ok());
    match (twist, list) {
        (Twist::Duplicate, Some(mut list)) => {
            let again = list.items.clone();
            list.items.extend(again);
            answer(&list)
        }
        _ => {
            let mut response = Response::new(Body::from(body.to_vec()));
            response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
            response
        }
    }
}
