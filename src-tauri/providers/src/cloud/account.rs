//! The calls of one account: every adapter sends its own through here, so that key, pace and limits are never
//! forgotten.

use std::time::Duration;

use chrono::{DateTime, Utc};
use reqwest::Method;
use serde_json::Value;

use super::{Access, CloudError, CloudErrorCode, Effect};
use crate::http::{Answer, Base, Call, Change, Failure, Http, KeyIn, Limits, Literal, Pace, Retry, Secret};
use crate::source::{SourceError, SourceErrorCode};

/// The limits of calls of an account. A launch may take long, and giving it up early only makes it unclear. A provider
/// that is asked too often wants some seconds of silence.
pub(crate) const CHANGE_LIMITS: Limits = Limits {
    idle: Duration::from_secs(60),
    total: Duration::from_secs(120),
    max_bytes: 32 * 1024 * 1024,
    retry: Retry {
        tries: 4,
        first_wait: Duration::from_secs(3),
        longest_wait: Duration::from_secs(20),
        longest_asked: Duration::from_secs(30),
    },
};

/// Reads are made again soon anyway.
pub(crate) const READ_LIMITS: Limits =
    Limits { idle: Duration::from_secs(30), total: Duration::from_secs(60), ..CHANGE_LIMITS };

/// One account at one service.
pub(crate) struct Account {
    title: &'static str,
    /// The HTTP kit.
    pub http: Http,
    /// Where the service answers.
    pub base: Base,
    key: Secret,
    key_in: KeyIn,
}

impl Account {
    /// `service` is the middle of `GPUDESK_<SERVICE>_URL` in lower case, `documented` the address of the provider's
    /// page.
    pub fn new(
        access: &Access,
        title: &'static str,
        service: &str,
        documented: &str,
    ) -> Result<Self, CloudError> {
        let base = Base::new(documented, access.addresses.get(service).map(String::as_str));
        let account = Self::at(title, access.http.clone(), base, access.key.clone());
        // What is wrong with the address or the key is said now, not at the first call.
        let probe = Call::get(account.what("account"), account.base.join("/")?);
        match probe.bearer(&account.key) {
            Ok(_) => Ok(account),
            Err(error) => Err(CloudError { code: CloudErrorCode::BadKey, ..error.into() }),
        }
    }

    /// The account at an address, unchecked: what is wrong with address or key is told by the first call.
    pub fn at(title: &'static str, http: Http, base: Base, key: Secret) -> Self {
        Self { title, http, base, key, key_in: KeyIn::Bearer }
    }

    /// The same account of a service that wants the key elsewhere than in `Authorization: Bearer`.
    pub fn key_in(self, place: KeyIn) -> Self {
        Self { key_in: place, ..self }
    }

    /// The name of a call in errors: `Vast.ai launch`.
    pub fn what(&self, doing: &str) -> String {
        format!("{} {doing}", self.title)
    }

    /// An error of ours about something this account was asked.
    pub fn error(&self, code: CloudErrorCode, doing: &str, detail: impl AsRef<str>) -> CloudError {
        CloudError::new(code, self.what(doing), detail)
    }

    /// A success that cannot be read: whatever was asked may have been done.
    pub fn unreadable(&self, doing: &str, detail: impl AsRef<str>) -> CloudError {
        self.error(CloudErrorCode::Http(SourceErrorCode::BadAnswer), doing, detail)
            .hint("look at the provider's own page before asking again")
            .with_effect(Effect::Unclear)
    }

    /// Reads `path` (which may carry a query).
    pub async fn get(&self, doing: &str, path: &str, pace: Pace) -> Result<Answer, Failure> {
        self.read(doing, path, pace, READ_LIMITS).await
    }

    /// Reads what can be done without: once, so that nobody waits for it.
    pub async fn glance(&self, doing: &str, path: &str, pace: Pace) -> Result<Answer, Failure> {
        let once = Retry { tries: 1, ..READ_LIMITS.retry };
        self.read(doing, path, pace, Limits { retry: once, ..READ_LIMITS }).await
    }

    async fn read(&self, doing: &str, path: &str, pace: Pace, limits: Limits) -> Result<Answer, Failure> {
        let call = self.base.join(path).and_then(|url| {
            Call::get(self.what(doing), url)
                .expecting("JSON")
                .limits(limits)
                .pace(pace)
                .keyed(self.key_in, &self.key)
        });
        self.http.hear(&call.map_err(Failure::unsent)?).await
    }

    /// Asks `path` with a JSON body; changes nothing.
    pub async fn ask(&self, doing: &str, path: &str, body: &Value, pace: Pace) -> Result<Answer, Failure> {
        let call = self.base.join(path).and_then(|url| {
            Call::ask(self.what(doing), url, body)
                .expecting("JSON")
                .limits(READ_LIMITS)
                .pace(pace)
                .keyed(self.key_in, &self.key)
        });
        self.http.hear(&call.map_err(Failure::unsent)?).await
    }

    /// Changes something.
    pub async fn change(
        &self,
        doing: &str,
        (method, path): (Method, &str),
        body: Option<&Value>,
        paces: &[Pace],
    ) -> Result<Answer, Failure> {
        let change = self.base.join(path).map(|url| Change::new(self.what(doing), method, url));
        let change = change.map(|change| match body {
            Some(body) => change.json(body),
            None => change,
        });
        self.send(change, paces).await
    }

    /// Makes something that costs money: sent once, see [`Change::order`].
    pub async fn order(
        &self,
        doing: &str,
        (method, path): (Method, &str),
        body: &Value,
        paces: &[Pace],
    ) -> Result<Answer, Failure> {
        let order = self.base.join(path).map(|url| Change::new(self.what(doing), method, url));
        self.send(order.map(|order| order.json(body).order()), paces).await
    }

    /// Changes something with a plain text for a body.
    pub async fn change_text(
        &self,
        doing: &str,
        (method, path): (Method, &str),
        body: &str,
        paces: &[Pace],
    ) -> Result<Answer, Failure> {
        let change = self.base.join(path).map(|url| Change::new(self.what(doing), method, url).text(body));
        self.send(change, paces).await
    }

    async fn send(&self, change: Result<Change, SourceError>, paces: &[Pace]) -> Result<Answer, Failure> {
        let change = change.and_then(|change| {
            let paced = paces.iter().fold(change.limits(CHANGE_LIMITS), |change, pace| change.pace(*pace));
            paced.keyed(self.key_in, &self.key)
        });
        self.http.change(&change.map_err(Failure::unsent)?).await
    }

    /// A remote id as it may stand in a path.
    pub fn id<'a>(&self, doing: &str, id: &'a str) -> Result<&'a str, CloudError> {
        let plain = (1..=128).contains(&id.len())
            && id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        if plain {
            return Ok(id);
        }
        Err(self.error(CloudErrorCode::NoSuchMachine, doing, format!("“{id}” is no id of a machine")))
    }
}

impl From<Failure> for CloudError {
    /// The general reading of a failed call by its status; each adapter adds what its provider's codes say.
    fn from(failure: Failure) -> Self {
        let code = match failure.status {
            Some(401) => CloudErrorCode::BadKey,
            Some(402) => CloudErrorCode::NoFunds,
            Some(403) => CloudErrorCode::Forbidden,
            Some(404) => CloudErrorCode::NoSuchMachine,
            Some(409) => CloudErrorCode::Conflict,
            Some(400 | 422) => CloudErrorCode::Refused,
            _ => CloudErrorCode::Http(failure.error.code),
        };
        let hint = match code {
            CloudErrorCode::BadKey => Some("check the key, or make a new one on the provider's page"),
            CloudErrorCode::Forbidden => Some("give the key the rights that renting needs"),
            CloudErrorCode::NoFunds => Some("top up the account on the provider's page"),
            _ => None,
        };
        let mut error = Self { code, effect: failure.effect, ..failure.error.into() };
        if error.hint.is_none() {
            error.hint = hint.map(str::to_owned);
        }
        error
    }
}

/// Seconds since 1970, maybe with a fraction.
pub(crate) fn epoch(seconds: Literal<'_>) -> Option<DateTime<Utc>> {
    let seconds = seconds.positive()?;
    DateTime::from_timestamp_millis((seconds * 1000.0).round() as i64)
}

/// A time as ISO 8601 writes it.
pub(crate) fn iso(text: Literal<'_>) -> Option<DateTime<Utc>> {
    DateTime::parse_from_rfc3339(&text.text()?).ok().map(|time| time.to_utc())
}

/// Our mark, where a text is one.
pub(crate) fn mark(text: &str) -> Option<String> {
    let id = text.strip_prefix(MARK)?;
    let plain =
        !id.is_empty() && id.len() <= 64 && id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    plain.then(|| text.to_owned())
}

/// What every mark begins with.
pub(crate) const MARK: &str = "gpudesk-";

/// The name of a tag as an environment variable: `until` and `gpudesk:until` become `GPUDESK_UNTIL`.
pub(crate) fn variable(tag: &str) -> String {
    let bare = tag.strip_prefix("gpudesk").unwrap_or(tag).trim_start_matches([':', '-', '_']);
    let name: String =
        bare.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect();
    format!("GPUDESK_{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_ours_or_none() {
        assert_eq!(mark("gpudesk-01jdx3").as_deref(), Some("gpudesk-01jdx3"));
        for other in ["gpudesk-", "gpudesk", "my gpudesk-1", "gpudesk-A", "gpudesk-1 2", ""] {
            assert_eq!(mark(other), None, "{other}");
        }
    }

    #[test]
    fn tags_become_variables_of_one_form() {
        for tag in ["until", "gpudesk:until", "gpudesk-until", "GPUDESK_UNTIL".to_lowercase().as_str()] {
            assert_eq!(variable(tag), "GPUDESK_UNTIL", "{tag}");
        }
        assert_eq!(variable("max spend"), "GPUDESK_MAX_SPEND");
    }
}
