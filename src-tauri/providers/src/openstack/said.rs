//! What the services' errors mean. Their codes are the HTTP status again: the words decide.

use serde_json::Value;

use crate::cloud::{CloudError, CloudErrorCode};
use crate::http::{Failure, redact};
use crate::source::SourceErrorCode;

/// The words of an error: `{"forbidden": {"code": 403, "message": …}}` of Nova and Cinder, `{"error": {…}}` of Keystone,
/// `{"NeutronError": {"type": …, "message": …}}`; Neutron may send a text there, and Glance an HTML page.
fn words(body: &[u8]) -> Option<String> {
    let told: Value = serde_json::from_slice(body).ok()?;
    let fields = told.as_object()?;
    let inner = fields.values().find(|value| value["message"].is_string());
    let told = inner.map(|value| (value["type"].as_str(), value["message"].as_str().unwrap_or_default()));
    let (kind, message) = told.or_else(|| Some((None, fields.get("NeutronError")?.as_str()?)))?;
    Some(redact::words(&match kind {
        Some(kind) => format!("{kind}: {message}"),
        None => message.to_owned(),
    }))
}

/// The error of a failed call at this cloud.
pub(super) fn refused(failure: Failure, title: &str) -> CloudError {
    let (status, told) = (failure.status, words(&failure.body));
    let mut error = CloudError::from(failure);
    if let (Some(told), Some(status)) = (&told, status) {
        error.detail = redact::words(&format!("HTTP {status}: {told}"));
    }
    use CloudErrorCode::{
        BadKey, Conflict, Forbidden, Http, NoCapacity, NoFunds, OfferGone, Quota, Refused, SshKeyRefused,
        Unsupported,
    };
    let lower = error.detail.to_ascii_lowercase();
    let says = |list: &[&str]| list.iter().any(|word| lower.contains(word));
    let refusal = matches!(status, Some(400..=428));
    error.code = match status {
        Some(401) => BadKey,
        Some(_) if says(&["no valid host", "not enough hosts", "insufficient capacity"]) => NoCapacity,
        Some(_) if refusal && says(&["quota", "overquota", "limit exceeded", "maximum number of ports"]) => {
            Quota
        }
        Some(413) => Http(SourceErrorCode::RateLimited),
        Some(_)
            if refusal
                && says(&[
                    "no more ip addresses",
                    "externalipaddressexhausted",
                    "ipaddressgenerationfailure",
                ]) =>
        {
            NoCapacity
        }
        Some(402) => NoFunds,
        Some(_)
            if refusal
                && says(&["balance", "blocked", "payment", "not enough funds", "insufficient funds"]) =>
        {
            NoFunds
        }
        Some(403) => Forbidden,
        Some(400) if says(&["key_name", "keypair", "public key", "public_key"]) => SshKeyRefused,
        Some(400 | 404) if says(&["flavor"]) && says(&["not be found", "not found"]) => OfferGone,
        Some(406) => Unsupported,
        Some(409) => Conflict,
        Some(400 | 422) => Refused,
        _ => error.code,
    };
    let hint = match error.code {
        BadKey => {
            "check the credential, its project and its end; make a new one where it was revoked".to_owned()
        }
        Forbidden => "give the key's user the role member in the project".to_owned(),
        Quota => {
            format!("ask {title} for a higher quota, or end machines: stopped and broken ones count too")
        }
        NoCapacity => "choose another region or another flavor, or try again later".to_owned(),
        NoFunds => format!("top up the account on the page of {title}"),
        OfferGone => "refresh the offers".to_owned(),
        Conflict if says(&["is locked"]) => "unlock the server on the cloud's own page first".to_owned(),
        Http(SourceErrorCode::RateLimited) => "wait; the cloud counts calls".to_owned(),
        _ => return error,
    };
    error.hint = Some(hint);
    error
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cloud::Effect;
    use crate::source::SourceError;

    fn read(status: u16, body: &str) -> CloudError {
        let failure = Failure {
            error: SourceError::new(SourceErrorCode::ProviderRefused, "OpenStack launch", "HTTP"),
            status: Some(status),
            body: body.as_bytes().to_vec(),
            effect: Effect::Nothing,
        };
        refused(failure, "OpenStack")
    }

    #[test]
    fn the_same_status_means_many_things() {
        use CloudErrorCode::*;
        for (status, body, code) in [
            (
                403,
                r#"{"forbidden": {"code": 403, "message": "Quota exceeded for instances: Requested 1, but already used 6 of 6 instances"}}"#,
                Quota,
            ),
            (
                403,
                r#"{"forbidden": {"code": 403, "message": "Policy doesn't allow os_compute_api:servers:create to be performed."}}"#,
                Forbidden,
            ),
            (
                403,
                r#"{"forbidden": {"code": 403, "message": "Project is blocked: the balance is negative"}}"#,
                NoFunds,
            ),
            (402, "", NoFunds),
            (
                409,
                r#"{"NeutronError": {"type": "OverQuota", "message": "Quota exceeded for resources: ['floatingip'].", "detail": ""}}"#,
                Quota,
            ),
            (
                409,
                r#"{"conflictingRequest": {"code": 409, "message": "Cannot 'stop' instance x while it is in vm_state stopped"}}"#,
                Conflict,
            ),
            (
                413,
                r#"{"overLimit": {"code": 413, "message": "VolumeSizeExceedsAvailableQuota: Requested volume or snapshot exceeds allowed gigabytes quota."}}"#,
                Quota,
            ),
            (
                413,
                r#"{"overLimit": {"code": 413, "message": "This request was rate-limited."}}"#,
                Http(SourceErrorCode::RateLimited),
            ),
            (400, r#"{"badRequest": {"code": 400, "message": "Invalid key_name provided."}}"#, SshKeyRefused),
            (
                400,
                r#"{"badRequest": {"code": 400, "message": "Flavor nope could not be found."}}"#,
                OfferGone,
            ),
            (400, r#"{"badRequest": {"code": 400, "message": "Can not find requested image"}}"#, Refused),
            (400, r#"{"badRequest": {"code": 400, "message": "No valid host was found. "}}"#, NoCapacity),
            (
                401,
                r#"{"error": {"code": 401, "message": "The request you have made requires authentication.", "title": "Unauthorized"}}"#,
                BadKey,
            ),
            (
                404,
                r#"{"itemNotFound": {"code": 404, "message": "Instance x could not be found."}}"#,
                NoSuchMachine,
            ),
            (
                406,
                r#"{"computeFault": {"code": 406, "message": "Version 2.99 is not supported by the API. Minimum is 2.1 and maximum is 2.93."}}"#,
                Unsupported,
            ),
            (
                409,
                r#"{"NeutronError": {"type": "IpAddressGenerationFailure", "message": "No more IP addresses available on network n.", "detail": ""}}"#,
                NoCapacity,
            ),
        ] {
            let error = read(status, body);
            assert_eq!(error.code, code, "{status} {body}");
            assert!(
                error.hint.is_some()
                    || matches!(code, Refused | SshKeyRefused | Conflict | NoSuchMachine | Unsupported)
            );
        }
    }

    #[test]
    fn the_words_are_kept_and_a_lock_is_told_how_to_open() {
        let locked = read(409, r#"{"conflictingRequest": {"code": 409, "message": "Instance x is locked"}}"#);
        assert_eq!(locked.detail, "HTTP 409: Instance x is locked");
        assert!(locked.hint.unwrap().contains("unlock"));
        assert_eq!(read(400, r#"{"NeutronError": "odd"}"#).detail, "HTTP 400: odd");
    }
}
