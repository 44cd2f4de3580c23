//! Signatures: whose they are, for what, and whether they hold.

use aws_credential_types::Credentials;
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4;
use axum::http::{HeaderMap, header};
use chrono::NaiveDateTime;

/// The secret that belongs to a practice key.
pub fn secret(key: &str) -> String {
    format!("secret-of-{key}")
}

/// What a signature is for.
#[derive(Default)]
pub struct Scope {
    pub key: String,
    pub region: String,
    pub service: String,
}

/// The scope of a request: `AWS4-HMAC-SHA256 Credential=KEY/20261130/us-east-1/ec2/aws4_request, …`.
pub fn scope(headers: &HeaderMap) -> Option<Scope> {
    let sent = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let credential = sent.strip_prefix("AWS4-HMAC-SHA256 Credential=")?.split(',').next()?;
    let mut parts = credential.split('/');
    let (key, _day, region, service) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    Some(Scope { key: key.to_owned(), region: region.to_owned(), service: service.to_owned() })
}

/// The practice key of a request.
pub fn key(headers: &HeaderMap) -> Option<String> {
    scope(headers).map(|scope| scope.key)
}

/// Whether the signature is the one that the key's secret gives for what was received.
pub fn holds(headers: &HeaderMap, body: &[u8]) -> bool {
    expected(headers, body).is_some_and(|expected| {
        headers.get(header::AUTHORIZATION).is_some_and(|sent| sent.as_bytes() == expected.as_bytes())
    })
}

fn expected(headers: &HeaderMap, body: &[u8]) -> Option<String> {
    let scope = scope(headers)?;
    let text = |name: &str| headers.get(name)?.to_str().ok();
    let date = NaiveDateTime::parse_from_str(text("x-amz-date")?, "%Y%m%dT%H%M%SZ").ok()?.and_utc();
    let identity = Credentials::new(&scope.key, secret(&scope.key), None, None, "practice").into();
    let params = v4::SigningParams::builder()
        .identity(&identity)
        .region(&scope.region)
        .name(&scope.service)
        .time(date.into())
        .settings(SigningSettings::default())
        .build()
        .ok()?
        .into();
    let address = format!("http://{}/", text("host")?);
    let signed = ["content-type", "x-amz-target"].into_iter().filter_map(|name| Some((name, text(name)?)));
    let request = SignableRequest::new("POST", address, signed, SignableBody::Bytes(body)).ok()?;
    let (instructions, _) = sign(request, &params).ok()?.into_parts();
    let found = instructions.headers().find(|(name, _)| *name == "authorization")?;
    Some(found.1.to_owned())
}
