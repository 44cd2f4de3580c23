//! One account: a signed statement of who it is, the token that is given for it, and calls under that token.

use chrono::{DateTime, TimeDelta, Utc};
use gpudesk_core::rental::KeyField;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use prost::Message;
use reqwest::header::{HeaderName, HeaderValue};
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;

use super::api::{Home, PACE, refused};
use crate::cloud::{Access, CloudError, CloudErrorCode, Effect, KeyParts};
use crate::http::{Answer, Base, Call, Change, Failure, Http, Literal, Secret};
use crate::source::SourceErrorCode;

pub(super) const TITLE: &str = "Nebius";

/// The parts of a key.
pub(super) const FIELDS: &[KeyField] = &[
    KeyField {
        name: "service_account_id",
        title: "Service account ID",
        secret: false,
        required: true,
        example: "serviceaccount-…",
    },
    KeyField {
        name: "public_key_id",
        title: "Authorized key ID",
        secret: false,
        required: true,
        example: "publickey-…",
    },
    KeyField {
        name: "private_key",
        title: "Private key (PEM)",
        secret: true,
        required: true,
        example: "-----BEGIN PRIVATE KEY----- …",
    },
    KeyField { name: "tenant_id", title: "Tenant ID", secret: false, required: true, example: "tenant-…" },
    KeyField {
        name: "project_id",
        title: "Project ID",
        secret: false,
        required: false,
        example: "empty: every project of the tenant",
    },
];

/// Services and where they answer (<https://github.com/nebius/api/blob/main/endpoints.md>).
#[derive(Debug, Clone, Copy)]
pub(super) enum Service {
    Compute,
    Iam,
    Vpc,
    Prices,
    Capacity,
}

impl Service {
    fn address(self) -> &'static str {
        match self {
            Self::Compute => "https://compute.api.nebius.cloud",
            Self::Iam => "https://cpl.iam.api.nebius.cloud",
            Self::Vpc => "https://vpc.api.nebius.cloud",
            Self::Prices => "https://api.calculator.billing-data-plane.api.nebius.cloud",
            Self::Capacity => "https://capacity-advisor.billing-cpl.api.nebius.cloud",
        }
    }
}

/// Where tokens are given out (<https://docs.nebius.com/iam/service-accounts/authorized-keys>).
const TOKENS: &str = "https://auth.eu.nebius.com";

/// How long a statement of ours holds.
const STATEMENT: TimeDelta = TimeDelta::minutes(5);

/// How long before its end a token is replaced.
const EARLY: TimeDelta = TimeDelta::minutes(2);

/// How long a token holds that does not say.
const USUAL_S: u64 = 600;

struct Token {
    text: Secret,
    until: DateTime<Utc>,
}

/// One account.
pub(super) struct Session {
    http: Http,
    parts: KeyParts,
    /// Instead of the documented addresses.
    address: Option<String>,
    tokens: Base,
    token: Mutex<Option<Token>>,
    /// The projects as last read: in which region one lies does not change.
    pub homes: Mutex<Vec<Home>>,
}

/// What the token stands for.
#[derive(Serialize)]
struct Claims<'a> {
    iss: &'a str,
    sub: &'a str,
    iat: i64,
    exp: i64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Given<'a> {
    #[serde(borrow)]
    access_token: Literal<'a>,
    #[serde(borrow)]
    expires_in: Literal<'a>,
}

impl Session {
    /// The session of a key in its parts. `GPUDESK_NEBIUS_URL` replaces the address of every service, that of tokens too
    /// unless it has one of its own (`GPUDESK_NEBIUS_AUTH_URL`): a key does not go to Nebius where somebody else is asked.
    pub fn new(access: Access) -> Result<Self, CloudError> {
        let parts = KeyParts::of(&access, TITLE, FIELDS)?;
        let address = access.addresses.get("nebius").filter(|text| !text.trim().is_empty()).cloned();
        let tokens =
            Base::new(TOKENS, access.addresses.get("nebius_auth").or(address.as_ref()).map(String::as_str));
        tokens.join("/")?;
        let session = Self {
            http: access.http,
            parts,
            address,
            tokens,
            token: Mutex::default(),
            homes: Mutex::default(),
        };
        session.base(Service::Compute).join("/")?;
        // What is wrong with the key is said now, not at the first call.
        session.signing_key()?;
        Ok(session)
    }

    /// A part of the key that is no secret; empty where it was not given.
    pub fn part(&self, name: &str) -> String {
        self.parts.need(name).expose().to_owned()
    }

    pub fn now(&self) -> DateTime<Utc> {
        self.http.now()
    }

    fn base(&self, service: Service) -> Base {
        Base::new(service.address(), self.address.as_deref())
    }

    pub fn what(doing: &str) -> String {
        format!("{TITLE} {doing}")
    }

    pub fn error(code: CloudErrorCode, doing: &str, detail: impl AsRef<str>) -> CloudError {
        CloudError::new(code, Self::what(doing), detail)
    }

    fn signing_key(&self) -> Result<EncodingKey, CloudError> {
        // Of the reason nothing is repeated: it may hold parts of the key.
        EncodingKey::from_rsa_pem(self.parts.need("private_key").expose().as_bytes()).map_err(|_| {
            Self::error(
                CloudErrorCode::BadKey,
                "account",
                "the key's `private_key` is no RSA key in PEM form",
            )
            .hint("paste the whole file, from -----BEGIN to END-----, with its line breaks")
        })
    }

    fn statement(&self) -> Result<Secret, CloudError> {
        let (account, now) = (self.part("service_account_id"), self.http.now());
        let mut header = Header::new(Algorithm::RS256);
        header.kid = Some(self.part("public_key_id"));
        let claims =
            Claims { iss: &account, sub: &account, iat: now.timestamp(), exp: (now + STATEMENT).timestamp() };
        let signed = jsonwebtoken::encode(&header, &claims, &self.signing_key()?);
        signed.map(Secret::new).map_err(|_| {
            Self::error(
                CloudErrorCode::BadKey,
                "account",
                "nothing can be signed with the key's `private_key`",
            )
            .hint("make a new authorized key of the service account")
        })
    }

    /// A token that holds: the one at hand, unless it is about to end or `refused` was given for it.
    async fn token(&self, refused_one: Option<&Secret>) -> Result<Secret, CloudError> {
        let mut held = self.token.lock().await;
        if let Some(token) = held.as_ref()
            && Some(&token.text) != refused_one
            && token.until - EARLY > self.http.now()
        {
            return Ok(token.text.clone());
        }
        let doing = "token";
        let statement = self.statement()?;
        let form = [
            ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"),
            ("requested_token_type", "urn:ietf:params:oauth:token-type:access_token"),
            ("subject_token", statement.expose()),
            ("subject_token_type", "urn:ietf:params:oauth:token-type:jwt"),
        ];
        let url = self.tokens.join("/oauth2/token/exchange")?;
        let call = Call::form(Self::what(doing), url, &form).expecting("JSON").pace(PACE);
        let answer = self.http.hear(&call).await.map_err(|failure| {
            // The page for tokens refuses an unknown key or a wrong signature as a bad request.
            let is_key = matches!(failure.status, Some(400 | 401 | 403));
            let mut error = CloudError::from(failure);
            error.effect = Effect::Nothing;
            if is_key {
                error.code = CloudErrorCode::BadKey;
                error =
                    error.hint("check the service account, the id of its authorized key and the private key");
            }
            error
        })?;
        let text = answer.json_text();
        let given: Given<'_> = answer.parse(&text)?;
        let Some(token) = given.access_token.text() else {
            return Err(answer.bad("JSON without a token").into());
        };
        let lasts = given.expires_in.whole().filter(|seconds| *seconds > 0).unwrap_or(USUAL_S);
        let text = Secret::new(token.as_ref());
        let lasts = TimeDelta::seconds(i64::try_from(lasts).unwrap_or(i64::from(u16::MAX)).min(86_400));
        *held = Some(Token { text: text.clone(), until: self.http.now() + lasts });
        Ok(text)
    }

    /// Asks; changes nothing. A refused token is replaced once.
    pub async fn ask<A: Message + Default>(
        &self,
        doing: &str,
        (service, method): (Service, &str),
        message: &impl Message,
    ) -> Result<A, CloudError> {
        let mut refused_one = None;
        loop {
            let token = self.token(refused_one.as_ref()).await?;
            let url = self.base(service).join(&format!("/{method}"))?;
            let call =
                Call::rpc(Self::what(doing), url, &message.encode_to_vec()).pace(PACE).bearer(&token)?;
            match self.http.hear(&call).await {
                Err(failure) if failure.status == Some(401) && refused_one.is_none() => {
                    refused_one = Some(token)
                }
                answer => return read(answer),
            }
        }
    }

    /// Changes something. It is sent once: a refused token is forgotten, so that the next call brings another.
    pub async fn change<A: Message + Default>(
        &self,
        doing: &str,
        (service, method): (Service, &str),
        message: &impl Message,
        idempotency: &str,
    ) -> Result<A, CloudError> {
        let token = self.token(None).await?;
        let url = self.base(service).join(&format!("/{method}"))?;
        let mut change = Change::rpc(Self::what(doing), url, &message.encode_to_vec()).pace(PACE);
        if let Ok(value) = HeaderValue::from_str(idempotency) {
            change = change.header(HeaderName::from_static("x-idempotency-key"), value);
        }
        let answer = self.http.change(&change.bearer(&token)?).await;
        if answer.as_ref().is_err_and(|failure| failure.status == Some(401)) {
            *self.token.lock().await = None;
        }
        read(answer).map_err(|mut error| {
            // A success that cannot be read: whatever was asked may have been done.
            if error.code == CloudErrorCode::Http(SourceErrorCode::BadAnswer) {
                error.effect = Effect::Unclear;
            }
            error
        })
    }
}

fn read<A: Message + Default>(answer: Result<Answer, Failure>) -> Result<A, CloudError> {
    let answer = answer.map_err(refused)?;
    A::decode(answer.body.as_slice())
        .map_err(|error| answer.bad(format!("not the message expected: {error}")).into())
}
