//! What the services say when they refuse: a code and words, in XML or JSON. The code decides; the status does not
//! (no capacity is a 500, too many requests a 503, a permitted dry run a 412).

use serde::Deserialize;

use super::xml::Node;
use crate::cloud::{CloudError, CloudErrorCode, Effect};
use crate::http::{Failure, Refusal, Verdict, redact};
use crate::source::SourceErrorCode;

/// Code and words of an error.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Said {
    pub code: String,
    pub words: String,
}

#[derive(Deserialize)]
struct Json {
    #[serde(rename = "__type", default)]
    kind: Option<String>,
    #[serde(default)]
    message: Option<String>,
    #[serde(rename = "Message", default)]
    message_too: Option<String>,
}

/// Reads an error's body: EC2's and the other Query services' XML, the JSON services' JSON.
pub(super) fn said(body: &[u8]) -> Option<Said> {
    let text = String::from_utf8_lossy(body);
    let words = |text: Option<&str>| redact::words(text.unwrap_or_default());
    if let Ok(root) = Node::read(&text) {
        let error = ["Errors/Error", "Error"].into_iter().find_map(|path| root.at(path))?;
        return Some(Said { code: words(Some(error.text("Code")?)), words: words(error.text("Message")) });
    }
    let told: Json = serde_json::from_str(&text).ok()?;
    let kind = told.kind?;
    // `com.amazonaws.pricing.v20171015#AccessDeniedException`
    let code = kind.rsplit('#').next().unwrap_or_default();
    Some(Said { code: words(Some(code)), words: words(told.message.or(told.message_too).as_deref()) })
}

/// The error of a failed call.
pub(super) fn refused(failure: Failure) -> CloudError {
    let Some(Said { code, words }) = said(&failure.body) else { return failure.into() };
    let by_status = failure.effect.clone();
    let mut error = CloudError::from(failure);
    if let Some(known) = meaning(&code) {
        error.code = known;
        error.hint = hint(known, &code).map(str::to_owned);
    }
    // A code that says no says that nothing was done, whatever the status. Trouble of its own says nothing.
    error.effect = match error.code {
        CloudErrorCode::Http(SourceErrorCode::RateLimited) => Effect::Nothing,
        CloudErrorCode::Http(_) => by_status,
        // There is a machine of this token already, asked for in another way.
        CloudErrorCode::Conflict if code == "IdempotentParameterMismatch" => Effect::Unclear,
        _ => Effect::Nothing,
    };
    error.detail = if words.is_empty() { code } else { redact::words(&format!("{words} ({code})")) };
    error
}

/// What a code means for the caller; `None` = the status decides.
fn meaning(code: &str) -> Option<CloudErrorCode> {
    use CloudErrorCode::{
        AccountNotReady, BadKey, Conflict, Forbidden, Http, NoCapacity, NoSuchMachine, Quota, Refused,
        SshKeyRefused, Unsupported,
    };
    Some(match code {
        "AuthFailure"
        | "InvalidClientTokenId"
        | "UnrecognizedClientException"
        | "SignatureDoesNotMatch"
        | "InvalidSignatureException"
        | "IncompleteSignature"
        | "MissingAuthenticationToken"
        | "RequestExpired"
        | "ExpiredToken"
        | "ExpiredTokenException" => BadKey,
        "UnauthorizedOperation" | "AccessDenied" | "AccessDeniedException" | "NotAuthorized" => Forbidden,
        "PendingVerification" | "OptInRequired" | "Blocked" | "SubscriptionRequiredException" => {
            AccountNotReady
        }
        // `Unsupported` is this type in that zone.
        "InsufficientInstanceCapacity"
        | "InsufficientHostCapacity"
        | "InsufficientCapacity"
        | "SpotMaxPriceTooLow"
        | "Unsupported" => NoCapacity,
        "VcpuLimitExceeded" | "InstanceLimitExceeded" | "MaxSpotInstanceCountExceeded" => Quota,
        code if code.ends_with("LimitExceeded") && code != "RequestLimitExceeded" => Quota,
        "InvalidInstanceID.NotFound" | "InvalidInstanceID.Malformed" | "InvalidInstanceID" => NoSuchMachine,
        "IncorrectInstanceState"
        | "IncorrectState"
        | "OperationNotPermitted"
        | "IdempotentParameterMismatch" => Conflict,
        "UnsupportedOperation" => Unsupported,
        "InvalidKey.Format" | "InvalidKeyPair.Format" => SshKeyRefused,
        code if is_too_many(code) => Http(SourceErrorCode::RateLimited),
        "InternalError" | "InternalFailure" | "Unavailable" | "ServiceUnavailable" => {
            Http(SourceErrorCode::ProviderDown)
        }
        code if code.starts_with("Invalid") || code.starts_with("Missing") || code.ends_with("NotFound") => {
            Refused
        }
        _ => return None,
    })
}

fn is_too_many(code: &str) -> bool {
    matches!(
        code,
        "RequestLimitExceeded"
            | "Throttling"
            | "ThrottlingException"
            | "ThrottledException"
            | "TooManyRequestsException"
            | "EC2ThrottledException"
    )
}

fn hint(known: CloudErrorCode, code: &str) -> Option<&'static str> {
    Some(match (known, code) {
        (_, "RequestExpired" | "SignatureDoesNotMatch" | "InvalidSignatureException") => {
            "check the secret of the key, and set this computer's clock: AWS takes five minutes of difference at most"
        }
        (_, "ExpiredToken" | "ExpiredTokenException") => "the temporary key has run out: get a new one",
        (CloudErrorCode::BadKey, _) => {
            "check the key, or make a new one on the security credentials page of AWS"
        }
        (CloudErrorCode::Forbidden, _) => {
            "add the action to the policy of the key; the account page lists what renting needs"
        }
        (CloudErrorCode::AccountNotReady, _) => {
            "put the account in order on AWS's own pages: verification, billing, accepted terms"
        }
        (CloudErrorCode::NoCapacity, "SpotMaxPriceTooLow") => "the spot price rose: look at the offer again",
        (CloudErrorCode::NoCapacity, _) => "choose another zone or region, or try later",
        (CloudErrorCode::Quota, _) => {
            "ask for more on the Service Quotas page of that region; new accounts have 0 vCPUs for GPU machines"
        }
        (CloudErrorCode::Conflict, "OperationNotPermitted") => {
            "switch its termination or stop protection off at AWS first"
        }
        (CloudErrorCode::SshKeyRefused, _) => "AWS takes keys of the kinds ssh-ed25519 and ssh-rsa",
        _ => return None,
    })
}

/// The reading of a refused read by its code: the JSON services say 400 where they mean too many requests.
pub(super) fn explain(refusal: &Refusal<'_>) -> Option<Verdict> {
    let code = said(refusal.body)?.code;
    if is_too_many(&code) {
        let error = refusal.error(SourceErrorCode::RateLimited);
        return Some(Verdict::Retry { after: refusal.asked(), error });
    }
    // Whatever has a meaning of its own is not mended by asking again.
    match meaning(&code)? {
        CloudErrorCode::Http(_) => None,
        _ => Some(Verdict::Fail(refusal.error(SourceErrorCode::ProviderRefused))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceError;

    fn failure(status: u16, effect: Effect, body: &str) -> Failure {
        let error =
            SourceError::new(SourceErrorCode::ProviderRefused, "AWS launch", format!("HTTP {status}"));
        Failure { error, status: Some(status), body: body.as_bytes().to_vec(), effect }
    }

    fn ec2(code: &str) -> String {
        format!(
            "<?xml version=\"1.0\"?><Response><Errors><Error><Code>{code}</Code><Message>Said &amp; done.</Message></Error></Errors><RequestID>r</RequestID></Response>"
        )
    }

    #[test]
    fn every_form_of_an_error_is_read() {
        let read = |text: &str| said(text.as_bytes()).map(|said| (said.code, said.words));
        let both = |code: &str, words: &str| Some((code.to_owned(), words.to_owned()));
        assert_eq!(read(&ec2("AuthFailure")), both("AuthFailure", "Said & done."));
        let sts = "<ErrorResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><Error><Type>Sender</Type><Code>InvalidClientTokenId</Code><Message>No.</Message></Error></ErrorResponse>";
        assert_eq!(read(sts), both("InvalidClientTokenId", "No."));
        let json = r#"{"__type":"com.amazonaws.pricing#AccessDeniedException","Message":"not you"}"#;
        assert_eq!(read(json), both("AccessDeniedException", "not you"));
        assert_eq!(read(r#"{"__type":"ParameterNotFound"}"#), both("ParameterNotFound", ""));
        for other in ["", "<html></html>", "{}", "Bad Gateway"] {
            assert_eq!(read(other), None, "{other}");
        }
    }

    #[test]
    fn the_code_decides_and_not_the_status() {
        use CloudErrorCode as C;
        for (status, code, expected, effect) in [
            (500, "InsufficientInstanceCapacity", C::NoCapacity, Effect::Nothing),
            (400, "Unsupported", C::NoCapacity, Effect::Nothing),
            (400, "SpotMaxPriceTooLow", C::NoCapacity, Effect::Nothing),
            (400, "VcpuLimitExceeded", C::Quota, Effect::Nothing),
            (400, "SecurityGroupLimitExceeded", C::Quota, Effect::Nothing),
            (503, "RequestLimitExceeded", C::Http(SourceErrorCode::RateLimited), Effect::Nothing),
            (401, "AuthFailure", C::BadKey, Effect::Nothing),
            (403, "UnauthorizedOperation", C::Forbidden, Effect::Nothing),
            (403, "SignatureDoesNotMatch", C::BadKey, Effect::Nothing),
            (401, "OptInRequired", C::AccountNotReady, Effect::Nothing),
            (400, "PendingVerification", C::AccountNotReady, Effect::Nothing),
            (400, "InvalidInstanceID.NotFound", C::NoSuchMachine, Effect::Nothing),
            (400, "OperationNotPermitted", C::Conflict, Effect::Nothing),
            (400, "IdempotentParameterMismatch", C::Conflict, Effect::Unclear),
            (400, "InvalidAMIID.NotFound", C::Refused, Effect::Nothing),
            (400, "InvalidKey.Format", C::SshKeyRefused, Effect::Nothing),
            (500, "InternalError", C::Http(SourceErrorCode::ProviderDown), Effect::Unclear),
            (503, "Unavailable", C::Http(SourceErrorCode::ProviderDown), Effect::Unclear),
        ] {
            let was = if status >= 500 { Effect::Unclear } else { Effect::Nothing };
            let error = refused(failure(status, was, &ec2(code)));
            assert_eq!((error.code, error.effect), (expected, effect), "{code}");
            assert_eq!(error.detail, format!("Said & done. ({code})"));
        }
    }

    #[test]
    fn a_page_of_a_gateway_stays_what_it_is() {
        let error = refused(failure(502, Effect::Unclear, "<html><title>502</title></html>"));
        assert_eq!((error.effect, error.detail.as_str()), (Effect::Unclear, "HTTP 502"));
    }
}
