//! Answers in an odd shape, as each was seen or is allowed by the services' own descriptions.

use axum::body::Body;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// An odd shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Twist {
    /// Every row twice.
    Duplicate,
    /// Only the first half of the rows.
    Partial,
    /// Every field of every row null.
    NullRows,
    /// No rows.
    EmptyList,
    /// `null` where the rows belong.
    NullList,
    /// Every status null.
    NullStatus,
    /// A status nobody knows.
    UnknownStatus,
    /// No port map, no direct SSH, no address.
    NoPorts,
    /// A line break behind every address.
    NewlineIp,
    /// Plain text where JSON was promised.
    Text,
    /// A JSON text where an object was promised.
    JsonText,
}

/// The keys that hold rows or a single row. In any other answer without an `id` the first list of objects is the rows.
const ROWS: [&str; 11] = [
    "instances",
    "pods",
    "data",
    "offers",
    "gpus",
    "results",
    "dataCenters",
    "droplets",
    "droplet",
    "servers",
    "server",
];

/// Goes beside an answer that is no JSON: what it says as JSON, and how that is written.
#[derive(Clone)]
pub struct Rendered {
    /// What it says: one field, which holds the answer.
    pub document: Value,
    /// How it is written.
    pub render: fn(&Value) -> String,
}

/// Bends an answer that carries JSON, or goes with what it says as JSON; any other is left alone.
pub async fn twist(response: Response, twist: Twist, word: Option<&str>) -> Response {
    let (mut parts, body) = response.into_parts();
    let whole = axum::body::to_bytes(body, usize::MAX).await.unwrap_or_default();
    if let Some(Rendered { mut document, render }) = parts.extensions.remove::<Rendered>() {
        if matches!(twist, Twist::Text | Twist::JsonText) {
            return "OK".into_response();
        }
        document.as_object_mut().into_iter().flatten().for_each(|(_, answer)| bend(answer, twist, word));
        parts.headers.remove(header::CONTENT_LENGTH);
        return Response::from_parts(parts, Body::from(render(&document)));
    }
    if parts.headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/grpc") {
        return super::nebius::bend(&whole, twist);
    }
    let Ok(mut document) = serde_json::from_slice::<Value>(&whole) else {
        return Response::from_parts(parts, Body::from(whole));
    };
    match twist {
        Twist::Text => return "OK".into_response(),
        Twist::JsonText => document = json!("OK"),
        _ => {
            bend(&mut document, twist, word);
        }
    }
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(document.to_string()))
}

/// The first field that holds a list of objects, of an answer that is no row itself.
fn list_of(document: &Value) -> Option<String> {
    let fields = document.as_object().filter(|fields| !fields.contains_key("id"))?;
    let is_list = |value: &Value| value.as_array().is_some_and(|rows| rows.iter().all(Value::is_object));
    fields.iter().find(|(_, value)| is_list(value)).map(|(key, _)| key.clone())
}

fn bend(document: &mut Value, twist: Twist, word: Option<&str>) {
    let known = ROWS.into_iter().find(|key| document.get(*key).is_some()).map(str::to_owned);
    let rows = match known.or_else(|| list_of(document)) {
        Some(key) => &mut document[key],
        None => document,
    };
    match (twist, &mut *rows) {
        (Twist::Duplicate, Value::Array(list)) => {
            let again = list.clone();
            list.extend(again);
        }
        (Twist::Partial, Value::Array(list)) => list.truncate(list.len() / 2),
        (Twist::EmptyList, Value::Array(list)) => list.clear(),
        (Twist::EmptyList | Twist::NullList, rows) => *rows = Value::Null,
        (_, Value::Array(list)) => list.iter_mut().for_each(|row| bend_row(row, twist, word)),
        (_, row) => bend_row(row, twist, word),
    }
}

fn bend_row(row: &mut Value, twist: Twist, word: Option<&str>) {
    let Some(fields) = row.as_object_mut() else { return };
    match twist {
        Twist::NullRows => fields.values_mut().for_each(|value| *value = Value::Null),
        Twist::NullStatus | Twist::UnknownStatus => {
            let status =
                if twist == Twist::NullStatus { Value::Null } else { word.unwrap_or("hibernating").into() };
            for key in ["actual_status", "status", "state"] {
                if fields.contains_key(key) {
                    fields.insert(key.to_owned(), status.clone());
                }
            }
        }
        Twist::NoPorts => {
            fields.remove("ports");
            fields.remove("ip");
            fields.remove("networks");
            fields.remove("public_ips");
            if fields.contains_key("ssh") {
                fields["ssh"] = json!({ "direct": null, "proxy": null });
            }
        }
        Twist::NewlineIp => {
            let broken = |value: &Value| value.as_str().map(|text| Value::from(format!("{text}\n")));
            for key in ["public_ipaddr", "ip"] {
                if let Some(text) = fields.get(key).and_then(broken) {
                    fields.insert(key.to_owned(), text);
                }
            }
            if let Some(text) = row.pointer("/ssh/direct/host").and_then(broken) {
                row["ssh"]["direct"]["host"] = text;
            }
        }
        _ => {}
    }
}
