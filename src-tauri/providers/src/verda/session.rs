//! An account that speaks with a token: fetched with client id and secret, kept in memory only, fetched anew shortly
//! before it ends and once where the service no longer takes it.

use chrono::{DateTime, TimeDelta, Utc};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::Mutex;

use super::api::{PACE, TITLE};
use super::terms::FIELDS;
use super::wire::TokenAnswer;
use crate::cloud::{Access, Account, CloudError, Effect, KeyParts};
use crate::http::{Answer, Base, Call, Failure, Http, Secret};
use crate::source::{SourceError, SourceErrorCode};

/// A token is not used in the last seconds before its end.
const MARGIN_S: i64 = 60;

/// How long a token is used whose end is not told.
const USUAL_S: i64 = 600;

pub(super) struct Session {
    http: Http,
    base: Base,
    id: Secret,
    secret: Secret,
    token: Mutex<Option<Token>>,
}

#[derive(Clone)]
struct Token {
    text: Secret,
    until: DateTime<Utc>,
}

impl Session {
    /// Reads the key and checks the address; asks nothing.
    pub fn open(access: &Access, base: Base) -> Result<Self, CloudError> {
        let parts = KeyParts::of(access, TITLE, FIELDS)?;
        base.join("/")?;
        Ok(Self {
            http: access.http.clone(),
            base,
            id: parts.need("client_id"),
            secret: parts.need("client_secret"),
            token: Mutex::new(None),
        })
    }

    /// Reads `path` below the version (it may carry a query).
    pub async fn get(&self, doing: &str, path: &str) -> Result<Answer, Failure> {
        let path = format!("/v1{path}");
        let token = self.token(None).await?;
        match self.with(token.clone()).get(doing, &path, PACE).await {
            Err(failure) if failure.status == Some(401) => {
                let token = self.token(Some(&token)).await?;
                self.with(token).get(doing, &path, PACE).await
            }
            done => done,
        }
    }

    /// Makes something, asked for once.
    pub async fn make(&self, doing: &str, path: &str, body: &Value) -> Result<Answer, Failure> {
        let token = self.token(None).await?;
        self.with(token).change(doing, (Method::POST, &format!("/v1{path}")), Some(body), &[PACE]).await
    }

    /// Changes something that is there. An answer of 401 did nothing, so it may go out once more with a new token.
    pub async fn change(&self, doing: &str, path: &str, body: &Value) -> Result<Answer, Failure> {
        let path = format!("/v1{path}");
        let token = self.token(None).await?;
        let send = async |token: Secret| {
            self.with(token).change(doing, (Method::PUT, &path), Some(body), &[PACE]).await
        };
        match send(token.clone()).await {
            Err(failure) if failure.status == Some(401) => send(self.token(Some(&token)).await?).await,
            done => done,
        }
    }

    /// An account whose key is a token; for its errors, any text will do.
    pub fn with(&self, token: Secret) -> Account {
        Account::at(TITLE, self.http.clone(), self.base.clone(), token)
    }

    /// The token at hand, or a new one where it ends soon or is the refused one.
    async fn token(&self, refused: Option<&Secret>) -> Result<Secret, Failure> {
        let mut kept = self.token.lock().await;
        let now = self.http.now();
        let good = |token: &&Token| token.until > now && Some(&token.text) != refused;
        if let Some(token) = kept.as_ref().filter(good) {
            return Ok(token.text.clone());
        }
        *kept = None;
        let token = self.log_in().await?;
        *kept = Some(token.clone());
        Ok(token.text)
    }

    async fn log_in(&self) -> Result<Token, Failure> {
        let what = format!("{TITLE} sign-in");
        let body = json!({
            "grant_type": "client_credentials",
            "client_id": self.id.expose(),
            "client_secret": self.secret.expose(),
        });
        let url = self.base.join("/v1/oauth2/token").map_err(Failure::unsent)?;
        // A token more changes nothing: the call may be repeated.
        let call = Call::ask(&what, url, &body).expecting("JSON").pace(PACE);
        let answer = self.http.hear(&call).await.map_err(|failure| self.not_let_in(failure))?;
        let asked = self.http.now();
        let text = answer.json_text();
        // The parser's own words could repeat the token.
        let told: Option<TokenAnswer<'_>> = answer.parse(&text).ok();
        let token = told.as_ref().and_then(|told| told.access_token.text());
        let Some(token) = token else {
            let error = SourceError::new(SourceErrorCode::BadAnswer, what, "the answer holds no token");
            return Err(Failure::unsent(error));
        };
        let seconds = told
            .and_then(|told| told.expires_in.whole())
            .and_then(|seconds| i64::try_from(seconds).ok())
            .and_then(TimeDelta::try_seconds)
            .and_then(|lasts| lasts.checked_sub(&TimeDelta::seconds(MARGIN_S)))
            .unwrap_or(TimeDelta::seconds(USUAL_S));
        let until = asked.checked_add_signed(seconds).unwrap_or(asked);
        Ok(Token { text: Secret::new(token), until })
    }

    /// A refused sign-in is a wrong key, whichever 4xx says so, and it did nothing of what was wanted. The service may
    /// repeat what it was sent.
    fn not_let_in(&self, mut failure: Failure) -> Failure {
        if matches!(failure.status, Some(400 | 401 | 403)) {
            failure.status = Some(401);
            failure.error.code = SourceErrorCode::ProviderRefused;
            failure.error.hint =
                Some("check client id and secret, or make new ones on the page Keys of Verda".to_owned());
        }
        failure.body = Vec::new();
        failure.effect = Effect::Nothing;
        failure.error.detail = failure.error.detail.replace(self.secret.expose(), "***");
        failure
    }
}
