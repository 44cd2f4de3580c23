//! Refusals, each in the form of the service that is asked.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::clock::{Nanos, SECOND};
use super::machine::Service;
use super::seller::seller;

/// Why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refusal {
    /// The key is unknown.
    BadKey,
    /// The key may not do this.
    Forbidden,
    /// No money.
    NoFunds,
    /// A limit of the account.
    Quota,
    /// Nothing free.
    NoCapacity,
    /// Too many requests.
    TooMany,
    /// The day's searches are used up (Vast).
    DailyQuota,
    /// The account is not in order.
    AccountNotReady,
    /// The SSH key is not to its liking.
    SshKey,
    /// A failure of its own, nothing done.
    Internal,
    /// A failure of its own, as a page of the proxy before it.
    Gateway,
    /// The interface is switched off for good.
    Retired,
}

/// The service of a path at the market's own port.
#[must_use]
pub fn service(path: &str) -> Service {
    match path {
        path if path.starts_with("/v2") || path.starts_with("/graphql") => Service::Runpod,
        path if path.starts_with("/api/v0")
            || path == "/api/v1/instances/"
            || path.starts_with("/api/v1/invoices") =>
        {
            Service::Vast
        }
        _ => Service::Lambda,
    }
}

/// The refusal as a service says it at this path.
#[must_use]
pub fn of(service: Service, why: Refusal, path: &str, now: Nanos) -> Response {
    if why == Refusal::Gateway {
        let page =
            "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>";
        return (StatusCode::BAD_GATEWAY, [(header::CONTENT_TYPE, "text/html")], page).into_response();
    }
    (seller(service).refuse)(why, path, now)
}

/// The refusal as that service of the market's own port says it whose path this is.
#[must_use]
pub fn answer(why: Refusal, path: &str, now: Nanos) -> Response {
    of(service(path), why, path, now)
}

/// Vast's error: `{"success":false,"error":…,"msg":…}`.
#[must_use]
pub fn vast_error(status: StatusCode, error: &str, msg: &str) -> Response {
    (status, Json(json!({ "success": false, "error": error, "msg": msg }))).into_response()
}

/// Vast's refusals.
pub fn vast(why: Refusal, _path: &str, now: Nanos) -> Response {
    match why {
        Refusal::BadKey => vast_error(StatusCode::NOT_FOUND, "invalid_user_key", "Invalid user key"),
        Refusal::Forbidden | Refusal::AccountNotReady => {
            vast_error(StatusCode::FORBIDDEN, "not_authorized", "This key does not permit this operation")
        }
        Refusal::NoFunds => vast_error(
            StatusCode::BAD_REQUEST,
            "insufficient_credit",
            "Your account lacks credit; see the billing page.",
        ),
        Refusal::Quota => {
            vast_error(StatusCode::BAD_REQUEST, "invalid_args", "Instance limit reached for this account")
        }
        Refusal::NoCapacity | Refusal::Retired => {
            vast_error(StatusCode::GONE, "no_such_ask", "ask is no longer available")
        }
        Refusal::SshKey => vast_error(StatusCode::BAD_REQUEST, "invalid_args", "Invalid SSH key format"),
        Refusal::TooMany => (
            StatusCode::TOO_MANY_REQUESTS,
            Json(json!({ "detail": "API requests too frequent endpoint threshold=3.0" })),
        )
            .into_response(),
        Refusal::DailyQuota => {
            let day = 86_400 * SECOND;
            let reset = (now / day + 1) * 86_400;
            let body = json!({ "success": false, "error": "search_quota_exceeded", "msg": "Daily search quota used up" });
            let mut response = (StatusCode::TOO_MANY_REQUESTS, Json(body)).into_response();
            response.headers_mut().insert("X-RateLimit-Reset", HeaderValue::from(reset));
            response
        }
        Refusal::Internal | Refusal::Gateway => {
            (StatusCode::INTERNAL_SERVER_ERROR, "Internal Server Error").into_response()
        }
    }
}

/// RunPod's error: a problem document.
#[must_use]
pub fn problem(status: StatusCode, detail: &str, errors: &[String]) -> Response {
    let mut body = json!({
        "title": status.canonical_reason().unwrap_or("Error"), "status": status.as_u16(), "detail": detail,
    });
    if !errors.is_empty() {
        body["errors"] = json!(errors);
    }
    let mut response = (status, body.to_string()).into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
    response
}

/// RunPod's refusals.
pub fn runpod(why: Refusal, path: &str, _now: Nanos) -> Response {
    if path.starts_with("/graphql") {
        return graphql(why);
    }
    let (status, detail) = match why {
        Refusal::BadKey => (StatusCode::UNAUTHORIZED, "missing or invalid API key"),
        Refusal::Forbidden | Refusal::AccountNotReady => {
            (StatusCode::FORBIDDEN, "API key lacks permission for this operation")
        }
        Refusal::NoFunds => (StatusCode::PAYMENT_REQUIRED, "account balance is too low to deploy"),
        Refusal::Quota => (StatusCode::BAD_REQUEST, "hourly spend limit of the account reached"),
        Refusal::NoCapacity => (
            StatusCode::BAD_REQUEST,
            "There are no longer any instances available with the requested specifications.",
        ),
        Refusal::SshKey => (StatusCode::UNPROCESSABLE_ENTITY, "keys[0]: does not match the expected pattern"),
        Refusal::TooMany | Refusal::DailyQuota => (StatusCode::TOO_MANY_REQUESTS, "rate limit exceeded"),
        Refusal::Internal | Refusal::Gateway => (StatusCode::INTERNAL_SERVER_ERROR, "internal error"),
        Refusal::Retired => (StatusCode::GONE, "this API version has been retired"),
    };
    let mut response = problem(status, detail, &[]);
    if status == StatusCode::TOO_MANY_REQUESTS {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(7));
        response.headers_mut().insert("RateLimit", HeaderValue::from_static("\"minute\";r=0;t=7"));
    }
    response
}

fn graphql(why: Refusal) -> Response {
    match why {
        Refusal::Retired => StatusCode::GONE.into_response(),
        Refusal::TooMany => (StatusCode::TOO_MANY_REQUESTS, "Too Many Requests").into_response(),
        Refusal::Internal => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Refusal::BadKey => {
            (StatusCode::UNAUTHORIZED, Json(json!({ "errors": [{ "message": "Unauthorized" }] })))
                .into_response()
        }
        other => Json(json!({ "errors": [{ "message": format!("{other:?}") }], "data": Value::Null }))
            .into_response(),
    }
}

/// Lambda's error: `{"error":{"code":…,"message":…,"suggestion":…}}`.
#[must_use]
pub fn lambda_error(status: StatusCode, code: &str, message: &str, suggestion: Option<&str>) -> Response {
    let mut error = json!({ "code": code, "message": message });
    if let Some(suggestion) = suggestion {
        error["suggestion"] = suggestion.into();
    }
    (status, Json(json!({ "error": error }))).into_response()
}

/// Lambda's refusals.
pub fn lambda(why: Refusal, _path: &str, _now: Nanos) -> Response {
    let (status, code, message, suggestion) = match why {
        Refusal::BadKey => (
            StatusCode::UNAUTHORIZED,
            "global/invalid-api-key",
            "API key was invalid, expired, or deleted.",
            Some("Check your API key or create a new one, then try again."),
        ),
        Refusal::Forbidden => (StatusCode::FORBIDDEN, "global/forbidden", "Not permitted.", None),
        Refusal::NoFunds | Refusal::AccountNotReady => (
            StatusCode::FORBIDDEN,
            "global/account-inactive",
            "Your account is inactive.",
            Some("Contact support."),
        ),
        Refusal::Quota => (
            StatusCode::BAD_REQUEST,
            "global/quota-exceeded",
            "Quota exceeded.",
            Some("Contact support to increase your quota."),
        ),
        Refusal::NoCapacity => (
            StatusCode::BAD_REQUEST,
            "instance-operations/launch/insufficient-capacity",
            "Not enough capacity to fulfill launch request.",
            Some("Choose an instance type with more availability, or try again later."),
        ),
        Refusal::SshKey => (
            StatusCode::BAD_REQUEST,
            "global/invalid-parameters",
            "Invalid request data.",
            Some("public_key: not a valid SSH public key"),
        ),
        Refusal::TooMany | Refusal::DailyQuota => {
            (StatusCode::TOO_MANY_REQUESTS, "global/unknown", "Too many requests.", None)
        }
        Refusal::Internal | Refusal::Gateway => {
            (StatusCode::INTERNAL_SERVER_ERROR, "global/internal-error", "An internal error occurred.", None)
        }
        Refusal::Retired => (StatusCode::NOT_FOUND, "global/not-found", "Not found.", None),
    };
    lambda_error(status, code, message, suggestion)
}
