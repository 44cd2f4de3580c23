//! One account: a token with its catalogue, kept in memory only, and calls under it.

use std::collections::BTreeMap;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use reqwest::Method;
use reqwest::header::{HeaderName, HeaderValue};
use serde_json::Value;
use tokio::sync::Mutex;

use super::key::Login;
use super::profile::Profile;
use super::said::refused;
use super::wire::{Endpoint, TokenBox, Versions};
use crate::cloud::{Access, CHANGE_LIMITS, CloudError, CloudErrorCode, Effect, READ_LIMITS, iso};
use crate::http::{Answer, Base, Call, Change, Failure, Http, KeyIn, Literal, Pace, Secret, redact};
use crate::source::SourceErrorCode;

/// No limit is published; this is a courtesy.
const PACE: Pace = Pace::per_minute("openstack", 600);

/// Where the token goes.
const TOKEN: KeyIn = KeyIn::Header("x-auth-token");

/// How long before its end a token is replaced.
const EARLY: TimeDelta = TimeDelta::minutes(1);

/// The newest version of Nova's interface that is spoken here: what it tells in 2.79 is all that is needed.
const NEWEST: Version = Version(2, 79);

/// A version of Nova's interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Version(pub u32, pub u32);

impl Version {
    /// What is spoken where nothing is said of versions.
    const OLDEST: Self = Self(2, 1);

    fn read(text: &str) -> Option<Self> {
        let (major, minor) = text.split_once('.')?;
        Some(Self(major.parse().ok()?, minor.parse().ok()?))
    }
}

/// The services that are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Service {
    Compute,
    Network,
    Image,
    Volume,
}

impl Service {
    /// What the catalogue calls it.
    fn types(self) -> &'static [&'static str] {
        match self {
            Self::Compute => &["compute"],
            Self::Network => &["network"],
            Self::Image => &["image"],
            Self::Volume => &["volumev3", "block-storage", "block-store"],
        }
    }
}

/// Who a token is.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Who {
    pub user: Option<String>,
    pub project: Option<String>,
    pub roles: Vec<String>,
}

/// A token, its end and what it opens.
#[derive(Clone)]
struct Held {
    token: Secret,
    until: DateTime<Utc>,
    who: Arc<Who>,
    endpoints: Arc<Vec<Endpoint>>,
}

pub(super) struct Session {
    pub profile: &'static Profile,
    pub http: Http,
    pub login: Login,
    identity: Base,
    /// The whole key: calls of one account share their paces, whatever token they bear.
    account: Secret,
    held: Mutex<Option<Held>>,
    versions: Mutex<BTreeMap<String, Version>>,
}

impl Session {
    /// Reads the key and checks the address; asks nothing.
    pub fn open(profile: &'static Profile, access: &Access) -> Result<Self, CloudError> {
        let instead =
            access.addresses.get(profile.provider).map(|text| text.trim()).filter(|text| !text.is_empty());
        let variable = |name: &str| std::env::var(name).ok();
        let login = Login::read(profile, &access.key, instead.is_some(), &variable)?;
        let identity = Base::new(&login.host, instead);
        identity.join("/")?;
        Ok(Self {
            profile,
            http: access.http.clone(),
            login,
            identity,
            account: access.key.clone(),
            held: Mutex::default(),
            versions: Mutex::default(),
        })
    }

    /// The name of a call in errors: `Selectel launch`.
    pub fn what(&self, doing: &str) -> String {
        format!("{} {doing}", self.profile.title)
    }

    /// An error of ours about something this account was asked.
    pub fn error(&self, code: CloudErrorCode, doing: &str, detail: impl AsRef<str>) -> CloudError {
        CloudError::new(code, self.what(doing), detail)
    }

    /// A success that cannot be read: whatever was asked may have been done.
    pub fn unreadable(&self, doing: &str, detail: impl AsRef<str>) -> CloudError {
        self.error(CloudErrorCode::Http(SourceErrorCode::BadAnswer), doing, detail)
            .hint("look at the cloud's own page before asking again")
            .with_effect(Effect::Unclear)
    }

    /// Who the key is.
    pub async fn who(&self) -> Result<Arc<Who>, CloudError> {
        Ok(self.held(None).await?.who)
    }

    /// The regions with machines, those of the key only where it names some.
    pub async fn regions(&self) -> Result<Vec<String>, CloudError> {
        let held = self.held(None).await?;
        let mut known: Vec<&str> = held
            .endpoints
            .iter()
            .filter(|one| self.is_ours(one, Service::Compute))
            .map(|one| one.region.as_str())
            .collect();
        known.sort_unstable();
        known.dedup();
        let wanted = &self.login.regions;
        if let Some(unknown) = wanted.iter().find(|name| !known.contains(&name.as_str())) {
            let words = format!("the catalogue has no region “{unknown}”, it has: {}", known.join(", "));
            return Err(self
                .error(CloudErrorCode::BadKey, "regions", words)
                .hint("correct the key's `region_name`"));
        }
        if known.is_empty() {
            return Err(self
                .error(
                    CloudErrorCode::AccountNotReady,
                    "regions",
                    "the token's catalogue has no service for machines",
                )
                .hint("give the key a project in which machines may be made"));
        }
        Ok(if wanted.is_empty() { known.into_iter().map(str::to_owned).collect() } else { wanted.clone() })
    }

    fn is_ours(&self, endpoint: &Endpoint, service: Service) -> bool {
        service.types().contains(&endpoint.service.as_str()) && endpoint.interface == self.login.interface
    }

    /// Whether a region has a service.
    pub async fn has(&self, region: &str, service: Service) -> Result<bool, CloudError> {
        let held = self.held(None).await?;
        Ok(held.endpoints.iter().any(|one| one.region == region && self.is_ours(one, service)))
    }

    fn base(&self, held: &Held, doing: &str, region: &str, service: Service) -> Result<Base, CloudError> {
        let mut found =
            held.endpoints.iter().filter(|one| one.region == region && self.is_ours(one, service));
        let endpoint = found.next().ok_or_else(|| {
            let words = format!("the catalogue has no {} service in “{region}”", service.types()[0]);
            self.error(CloudErrorCode::AccountNotReady, doing, words)
        })?;
        Ok(Base::new(&endpoint.url, None))
    }

    /// The version of Nova's interface to speak in a region. It is told without a token at the root of the service.
    pub async fn version(&self, region: &str) -> Result<Version, CloudError> {
        if let Some(known) = self.versions.lock().await.get(region) {
            return Ok(*known);
        }
        let doing = "versions";
        let held = self.held(None).await?;
        let endpoint = self.base(&held, doing, region, Service::Compute)?.join("")?;
        let before = endpoint.path().split("/v2").next().unwrap_or_default().trim_end_matches('/').to_owned();
        let mut root = endpoint;
        root.set_path(&format!("{before}/"));
        let call = Call::get(self.what(doing), root).expecting("JSON").pace(PACE).of_account(&self.account);
        let answer = match self.http.hear(&call).await {
            Ok(answer) => answer,
            // A cloud that hides its versions speaks the oldest one to everybody.
            Err(failure) if matches!(failure.status, Some(401 | 403 | 404)) => return Ok(Version::OLDEST),
            Err(failure) => return Err(refused(failure, self.profile.title)),
        };
        let text = answer.json_text();
        let told: Versions<'_> = answer.parse(&text)?;
        let newest =
            told.versions.iter().flatten().filter_map(|one| Version::read(&one.version.text()?)).max();
        let version = newest.map_or(Version::OLDEST, |newest| newest.min(NEWEST));
        self.versions.lock().await.insert(region.to_owned(), version);
        Ok(version)
    }

    async fn version_header(
        &self,
        region: &str,
        service: Service,
    ) -> Result<Option<HeaderValue>, CloudError> {
        if service != Service::Compute {
            return Ok(None);
        }
        let Version(major, minor) = self.version(region).await?;
        Ok(HeaderValue::from_str(&format!("compute {major}.{minor}")).ok())
    }

    /// Reads `path` below a service's endpoint. A refused token is replaced once.
    pub async fn get(
        &self,
        doing: &str,
        (region, service): (&str, Service),
        path: &str,
    ) -> Result<Answer, CloudError> {
        let version = self.version_header(region, service).await?;
        let mut refused_one = None;
        loop {
            let held = self.held(refused_one.as_ref()).await?;
            let url = self.base(&held, doing, region, service)?.join(path)?;
            let mut call = Call::get(self.what(doing), url).expecting("JSON").limits(READ_LIMITS).pace(PACE);
            if let Some(version) = &version {
                call = call.header(VERSION, version.clone());
            }
            let call = call.keyed(TOKEN, &held.token)?.of_account(&self.account);
            match self.http.hear(&call).await {
                Err(failure) if failure.status == Some(401) && refused_one.is_none() => {
                    refused_one = Some(held.token);
                }
                answer => return answer.map_err(|failure| refused(failure, self.profile.title)),
            }
        }
    }

    /// Changes something, asked for once. An answer of 401 did nothing: the token is forgotten, and unless `make` it is
    /// sent again with another one.
    async fn sent(
        &self,
        doing: &str,
        (region, service): (&str, Service),
        (method, path): (Method, &str),
        body: Option<&Value>,
        make: bool,
    ) -> Result<Answer, CloudError> {
        let nothing = |error: CloudError| CloudError { effect: Effect::Nothing, ..error };
        let version = self.version_header(region, service).await.map_err(nothing)?;
        let mut refused_one = None;
        loop {
            let held = self.held(refused_one.as_ref()).await.map_err(nothing)?;
            let url = self.base(&held, doing, region, service)?.join(path)?;
            let mut change = Change::new(self.what(doing), method.clone(), url)
                .pace(PACE)
                .limits(CHANGE_LIMITS)
                .keyed(TOKEN, &held.token)?
                .of_account(&self.account);
            if let Some(version) = &version {
                change = change.header(VERSION, version.clone());
            }
            if let Some(body) = body {
                change = change.json(body);
            }
            if make {
                change = change.order();
            }
            match self.http.change(&change).await {
                Err(failure) if failure.status == Some(401) && refused_one.is_none() && !make => {
                    refused_one = Some(held.token);
                }
                Err(failure) => {
                    if failure.status == Some(401) {
                        *self.held.lock().await = None;
                    }
                    return Err(refused(failure, self.profile.title));
                }
                Ok(answer) => return Ok(answer),
            }
        }
    }

    /// Changes something that is there, or makes what costs nothing.
    pub async fn change(
        &self,
        doing: &str,
        at: (&str, Service),
        call: (Method, &str),
        body: Option<&Value>,
    ) -> Result<Answer, CloudError> {
        self.sent(doing, at, call, body, false).await
    }

    /// Makes a machine.
    pub async fn make(
        &self,
        doing: &str,
        at: (&str, Service),
        path: &str,
        body: &Value,
    ) -> Result<Answer, CloudError> {
        self.sent(doing, at, (Method::POST, path), Some(body), true).await
    }

    /// The token at hand, or a new one where it ends soon or is the refused one.
    async fn held(&self, refused_one: Option<&Secret>) -> Result<Held, CloudError> {
        let mut kept = self.held.lock().await;
        let soon = self.http.now() + EARLY;
        let good = |held: &&Held| held.until > soon && Some(&held.token) != refused_one;
        if let Some(held) = kept.as_ref().filter(good) {
            return Ok(held.clone());
        }
        *kept = None;
        let held = self.log_in().await?;
        *kept = Some(held.clone());
        Ok(held)
    }

    async fn log_in(&self) -> Result<Held, CloudError> {
        let what = self.what("sign-in");
        let url = self.identity.join(&format!("{}/auth/tokens", self.login.path))?;
        // A token more changes nothing: the call may be repeated.
        let call =
            Call::ask(&what, url, &self.login.body()).expecting("JSON").pace(PACE).of_account(&self.account);
        let answer = self.http.hear(&call).await.map_err(|failure| self.not_let_in(failure))?;
        let text = answer.json_text();
        let bad = |words: &str| answer.bad(words);
        let token = answer.subject_token.clone().ok_or_else(|| bad("the answer holds no token"))?;
        let told: TokenBox<'_> = answer.parse(&text)?;
        let told = told.token;
        // Where the end cannot be read the token is good for this once.
        let until = iso(told.expires_at).unwrap_or_else(|| self.http.now());
        let name = |name: Literal<'_>| name.text().map(|text| redact::words(&text));
        let who = Who {
            user: name(told.user.name),
            project: name(told.project.name),
            roles: told.roles.iter().flatten().filter_map(|role| name(role.name)).collect(),
        };
        let endpoints = Endpoint::all(told.catalog.as_deref().unwrap_or_default());
        Ok(Held { token, until, who: Arc::new(who), endpoints: Arc::new(endpoints) })
    }

    /// A refused sign-in is a wrong key, and it did nothing of what was wanted. The service may repeat what it was sent.
    fn not_let_in(&self, failure: Failure) -> CloudError {
        let is_key = matches!(failure.status, Some(400 | 401 | 403));
        let status = failure.status;
        let mut error = refused(failure, self.profile.title);
        error.effect = Effect::Nothing;
        if is_key {
            error.code = CloudErrorCode::BadKey;
            error.detail = format!("HTTP {}: the key was not let in", status.unwrap_or_default());
            error.hint = Some(
                "check the credential or the password, the domain and the project; an application credential dies with its user's role"
                    .to_owned(),
            );
        }
        error
    }
}

/// Which version of Nova's interface is spoken.
const VERSION: HeaderName = HeaderName::from_static("openstack-api-version");
