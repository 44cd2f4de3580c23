//! Keystone: tokens with their catalogue; and the versions of Nova, which are told to anybody.

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use chrono::TimeDelta;
use serde_json::{Value, json};

use super::super::account::{Account, holder};
use super::super::refusal::Refusal;
use super::super::{Answer, Refused, Shared, document};
use super::clouds::{Cloud, known};
use super::{TOKEN, refuse};

fn unauthorized(message: &str) -> Response {
    let body = json!({ "error": { "code": 401, "message": message, "title": "Unauthorized" } });
    (StatusCode::UNAUTHORIZED, Json(body)).into_response()
}

/// The practice key in a request for a token.
fn key_of(auth: &Value) -> Result<String, Refused> {
    let identity = &auth["identity"];
    let text = |value: &Value| value.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    let told = match identity["methods"][0].as_str() {
        Some("application_credential") => {
            // It has its project, and one beside it is refused.
            if auth.get("scope").is_some() {
                return Err(unauthorized("Application credentials cannot request a scope.").into());
            }
            let credential = &identity["application_credential"];
            text(&credential["id"]).and(text(&credential["secret"]))
        }
        Some("password") => {
            let user = &identity["password"]["user"];
            let domain = text(&user["domain"]["name"]).or_else(|| text(&user["domain"]["id"]));
            let project = &auth["scope"]["project"];
            let project =
                text(&project["id"]).or_else(|| text(&project["name"]).and(text(&project["domain"]["name"])));
            text(&user["name"]).and(domain).and(project).and(text(&user["password"]))
        }
        _ => None,
    };
    told.ok_or_else(|| refuse(Refusal::BadKey, "", 0).into())
}

/// Gives out a token.
pub async fn tokens(
    State(market): State<Shared>,
    Extension(cloud): Extension<&'static Cloud>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    let auth = document(&body)["auth"].take();
    let key = key_of(&auth)?;
    let world = market.world();
    let caller = holder(&key, &world).ok_or_else(|| refuse(Refusal::BadKey, "", 0))?;
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("127.0.0.1");
    let services = [
        ("compute", "nova", "/v2.1"),
        ("network", "neutron", ""),
        ("image", "glance", ""),
        ("volumev3", "cinder", "/v3/practice"),
    ];
    let catalog: Vec<Value> = services
        .iter()
        .map(|(kind, name, path)| {
            let endpoints = cloud.regions.iter().flat_map(|region| {
                ["internal", "public"].map(|interface| {
                    let host = if interface == "public" { host } else { "10.0.0.1" };
                    json!({ "id": "e", "interface": interface, "region": region, "region_id": region,
                            "url": format!("http://{host}/{name}/{region}{path}") })
                })
            });
            json!({ "type": kind, "name": name, "id": name, "endpoints": endpoints.collect::<Vec<_>>() })
        })
        .collect();
    let role = if caller.may_write { "member" } else { "reader" };
    let project = if caller.account == Account::Team { "team" } else { "practice" };
    let ends = market.clock.date() + TimeDelta::hours(1);
    let token = json!({ "token": {
        "methods": ["password"], "expires_at": ends.format("%Y-%m-%dT%H:%M:%S%.6fZ").to_string(),
        "user": { "id": "u1", "name": caller.account.mail(), "domain": { "name": "Default" } },
        "project": { "id": "practice", "name": project }, "roles": [{ "id": "r1", "name": role }],
        "catalog": catalog,
    } });
    let subject = [("x-subject-token", format!("{TOKEN}{key}"))];
    Ok((StatusCode::CREATED, subject, Json(token)).into_response())
}

/// The versions of Nova.
pub async fn versions(Extension(cloud): Extension<&'static Cloud>, Path(region): Path<String>) -> Answer {
    known(cloud, &region)?;
    Ok(Json(json!({ "versions": [
        { "id": "v2.0", "status": "SUPPORTED", "version": "", "min_version": "", "links": [] },
        { "id": "v2.1", "status": "CURRENT", "version": "2.93", "min_version": "2.1", "links": [] },
    ] }))
    .into_response())
}
