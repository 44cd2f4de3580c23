//! The strictness of v2: a body with a field it does not know, or of another type, is refused whole.

use axum::http::StatusCode;
use serde_json::Value;

use super::super::Refused;
use super::super::refusal::problem;

/// What a field must be.
#[derive(Clone, Copy)]
pub enum Is {
    /// Text.
    Text,
    /// A whole number of at least so much.
    Whole(i64),
    /// True or false.
    Bool,
    /// A list of texts.
    Texts,
    /// An object of texts.
    Env,
    /// An object or list looked into elsewhere.
    Other,
}

/// Checks an object: every field known and of its type, the required ones there.
///
/// # Errors
/// 422 with one sentence for each fault.
pub fn check(at: &str, body: &Value, fields: &[(&str, Is)], required: &[&str]) -> Result<(), Refused> {
    let Some(object) = body.as_object() else {
        return Err(unprocessable(vec![format!("{at}: must be an object")]));
    };
    let mut faults: Vec<String> = required
        .iter()
        .filter(|name| !object.contains_key(**name))
        .map(|name| format!("{at}{name}: is required"))
        .collect();
    for (name, value) in object {
        match fields.iter().find(|(known, _)| known == name) {
            None => faults.push(format!("{at}{name}: unknown field")),
            Some((_, is)) if !fits(value, *is) => {
                faults.push(format!("{at}{name}: has the wrong type or value"))
            }
            Some(_) => {}
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(unprocessable(faults)) }
}

/// 422 with these faults.
pub fn unprocessable(faults: Vec<String>) -> Refused {
    problem(StatusCode::UNPROCESSABLE_ENTITY, "request body does not match the schema", &faults).into()
}

fn fits(value: &Value, is: Is) -> bool {
    match is {
        Is::Text => value.as_str().is_some_and(|text| !text.is_empty()),
        Is::Whole(least) => value.as_i64().is_some_and(|n| n >= least),
        Is::Bool => value.is_boolean(),
        Is::Texts => value.as_array().is_some_and(|list| list.iter().all(Value::is_string)),
        Is::Env => value.as_object().is_some_and(|env| env.values().all(Value::is_string)),
        Is::Other => true,
    }
}
