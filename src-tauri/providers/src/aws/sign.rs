//! Requests signed with the vendor's own signer (Signature Version 4).

use std::time::SystemTime;

use aws_credential_types::Credentials;
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4;
use chrono::{DateTime, Utc};
use reqwest::header::{HeaderName, HeaderValue};
use url::Url;

/// What a signature is for.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    /// `ec2`, `sts`.
    pub service: &'a str,
    pub region: &'a str,
    pub now: DateTime<Utc>,
}

/// The headers that sign a POST of `body`; `headers` are sent as well and signed with it.
pub(super) fn headers(
    scope: Scope<'_>,
    credentials: &Credentials,
    url: &Url,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Result<Vec<(HeaderName, HeaderValue)>, String> {
    let identity = credentials.clone().into();
    let params = v4::SigningParams::builder()
        .identity(&identity)
        .region(scope.region)
        .name(scope.service)
        .time(SystemTime::from(scope.now))
        .settings(SigningSettings::default())
        .build()
        .map_err(|error| error.to_string())?
        .into();
    let request =
        SignableRequest::new("POST", url.as_str(), headers.iter().copied(), SignableBody::Bytes(body))
            .map_err(|error| error.to_string())?;
    let (instructions, _) = sign(request, &params).map_err(|error| error.to_string())?.into_parts();
    let mut signed = Vec::new();
    for (name, value) in instructions.headers().chain(headers.iter().copied()) {
        let name = HeaderName::try_from(name).map_err(|error| error.to_string())?;
        let mut value = HeaderValue::from_str(value).map_err(|error| error.to_string())?;
        value.set_sensitive(name.as_str() != "content-type");
        signed.push((name, value));
    }
    Ok(signed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the vendor's documentation of Signature Version 4: AKIDEXAMPLE, `iam`, 2015-08-30
    /// (<https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html> has its like for S3). Only the
    /// scope is compared: the example is a GET.
    #[test]
    fn the_scope_names_day_region_and_service() {
        let now = "2015-08-30T12:36:00Z".parse().unwrap();
        let credentials = Credentials::new(
            "AKIDEXAMPLE",
            "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
            Some("T".to_owned()),
            None,
            "test",
        );
        let url: Url = "http://127.0.0.1:5000/".parse().unwrap();
        let scope = Scope { service: "ec2", region: "eu-west-1", now };
        let signed = headers(scope, &credentials, &url, &[("content-type", "text/x")], b"Action=X").unwrap();
        let value = |name: &str| {
            let found = signed.iter().find(|(known, _)| known.as_str() == name);
            found.and_then(|(_, value)| value.to_str().ok()).unwrap_or_default().to_owned()
        };
        let authorization = value("authorization");
        assert!(
            authorization
                .starts_with("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/eu-west-1/ec2/aws4_request, ")
        );
        assert!(
            authorization.contains("SignedHeaders=content-type;host;x-amz-date;x-amz-security-token, "),
            "{authorization}"
        );
        assert_eq!(
            (value("x-amz-date").as_str(), value("x-amz-security-token").as_str()),
            ("20150830T123600Z", "T")
        );
        let other = headers(scope, &credentials, &url, &[("content-type", "text/x")], b"Action=Y").unwrap();
        assert_ne!(other, signed, "the body is signed");
        assert!(!format!("{signed:?}").contains("AKIDEXAMPLE"), "no header prints itself");
    }
}
