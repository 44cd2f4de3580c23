//! Tokens for signed statements, as RFC 8693 has the exchange.

use std::collections::HashMap;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use serde::Deserialize;
use serde_json::json;

use super::super::account::holder as holder_of;
use super::super::refusal::Refusal;
use super::super::{Answer, Shared};

/// The public half of the practice keys.
const PUBLIC_KEY: &str = include_str!("key.pub.pem");

/// What a token begins with; the practice key stands behind it.
const TOKEN: &str = "practice-token.";

/// How long one holds, in seconds.
const HOLDS: u32 = 43_200;

#[derive(Clone, Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    exp: i64,
}

/// The practice key that a token was given out for.
pub fn holder(headers: &HeaderMap) -> Option<String> {
    let sent = headers.get("authorization")?.to_str().ok()?;
    sent.strip_prefix("Bearer ")?.strip_prefix(TOKEN).map(str::to_owned)
}

/// Gives out a token for a statement that the named key has signed.
pub async fn exchange(State(market): State<Shared>, body: Bytes) -> Answer {
    let text = String::from_utf8_lossy(&body).into_owned();
    let uri = format!("/?{text}").parse().unwrap_or_default();
    let form = axum::extract::Query::<HashMap<String, String>>::try_from_uri(&uri);
    let form = form.map(|form| form.0).unwrap_or_default();
    let is = |name: &str, value: &str| form.get(name).is_some_and(|text| text == value);
    let now = market.clock.now();
    let refused = || super::refuse(Refusal::BadKey, "/oauth2", now);
    if !is("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange")
        || !is("subject_token_type", "urn:ietf:params:oauth:token-type:jwt")
    {
        return Ok((StatusCode::BAD_REQUEST, Json(json!({ "error": "invalid_request" }))).into_response());
    }
    let statement = form.get("subject_token").map(String::as_str).unwrap_or_default();
    let (Ok(head), Ok(key)) =
        (jsonwebtoken::decode_header(statement), DecodingKey::from_rsa_pem(PUBLIC_KEY.as_bytes()))
    else {
        return Ok(refused());
    };
    // The market has a time of its own, by which a statement ends.
    let mut rules = Validation::new(Algorithm::RS256);
    rules.validate_exp = false;
    let claims = jsonwebtoken::decode::<Claims>(statement, &key, &rules).map(|data| data.claims);
    let seconds = now / super::super::clock::SECOND;
    let holds = claims.is_ok_and(|claims| {
        claims.iss == claims.sub
            && claims.iss == "serviceaccount-practice"
            && claims.exp > seconds
            && claims.exp <= seconds + 3_600
    });
    let practice_key = head.kid.unwrap_or_default();
    if !holds || holder_of(&practice_key, &market.world()).is_none() {
        return Ok(refused());
    }
    Ok(Json(json!({
        "access_token": format!("{TOKEN}{practice_key}"), "expires_in": HOLDS, "token_type": "Bearer",
        "issued_token_type": "urn:ietf:params:oauth:token-type:access_token",
    }))
    .into_response())
}
