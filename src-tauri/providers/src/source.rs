//! The one interface every source of offers has, and the list of sources.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use gpudesk_core::feed::{FeedName, Fetched};
use gpudesk_core::money::Rates;

use crate::http::{Base, Http, Secret};
use crate::openstack::{self, OpenStack};

/// How long the offers of a source are taken to hold that is asked every few minutes.
pub const FRESH_FOR: Duration = Duration::from_secs(60 * 60);

/// A cloud, or a public list of clouds, that offers can be read from without an account.
#[async_trait]
pub trait OfferSource: Send + Sync {
    /// The short name in commands and ids: `vast`.
    fn name(&self) -> &'static str;

    /// The name shown to people: `Vast.ai`.
    fn title(&self) -> &'static str;

    /// Feeds a fetch may bring.
    fn feeds(&self) -> Vec<FeedName>;

    /// How often the source may be asked; each source names the page that says so.
    fn poll_every(&self) -> Duration;

    /// Whether what it reads is the person's own: then less than before is meant so, and no sign of a broken answer.
    fn is_own(&self) -> bool {
        false
    }

    /// How long what it said is taken to hold; past that it is shown as old.
    fn fresh_for(&self) -> Duration {
        FRESH_FOR
    }

    /// Whether it tells nothing without the key of an account. Without one such a source is not asked, which is no
    /// failure.
    fn needs_key(&self) -> bool {
        false
    }

    /// Asks the source once. Each feed is reported as soon as it is there; the failure of one feed is only that
    /// feed's, and a feed that is not reported was not asked.
    async fn fetch(&self, cx: &Fetch<'_>, out: &mut (dyn FnMut(FeedOutcome) + Send));
}

/// What a fetch needs from outside.
pub struct Fetch<'a> {
    /// The HTTP kit.
    pub http: &'a Http,
    /// The clock of the engine.
    pub now: &'a (dyn Fn() -> DateTime<Utc> + Sync),
    /// The ETag or version name of the rows at hand, by feed. A feed without rows at hand is not in here.
    pub versions: &'a BTreeMap<FeedName, String>,
    /// The rates at hand.
    pub rates: &'a Rates,
    /// The key of an account of this source's provider, where there is one: some tell more, or anything, only then.
    pub key: Option<&'a Secret>,
}

/// One feed of one fetch.
#[derive(Debug)]
pub struct FeedOutcome {
    /// Which feed.
    pub feed: FeedName,
    /// How long it took.
    pub seconds: f64,
    /// What came of it.
    pub result: Result<FeedAnswer, SourceError>,
}

/// What a feed said.
#[derive(Debug)]
pub enum FeedAnswer {
    /// The rows at hand are still the newest.
    Unchanged {
        /// ETag or version name, as it is now.
        version: Option<String>,
    },
    /// New rows for the whole feed.
    Fetched {
        /// The rows and their counts.
        fetched: Fetched,
        /// ETag or version name to ask with next time.
        version: Option<String>,
    },
}

/// What a caller does about a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SourceErrorCode {
    /// No connection, or it was cut: the network, a proxy, a firewall.
    Network,
    /// The other side took too long.
    Timeout,
    /// The provider answered that it will not (4xx, or an error inside a 200).
    ProviderRefused,
    /// The provider has trouble of its own (5xx), also after retries.
    ProviderDown,
    /// Too many requests; [`SourceError::retry_at`] says from when on it may be tried again, if that is known.
    RateLimited,
    /// The answer is not what it should be: an HTML page, broken JSON, a broken archive.
    BadAnswer,
    /// The answer is larger than its limit.
    TooLarge,
    /// The address or service no longer exists.
    Gone,
    /// A setting of ours is wrong: a base address, a proxy, a CA file.
    Config,
}

impl SourceErrorCode {
    /// The fixed word of the code, as stored and shown in JSON.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::Timeout => "timeout",
            Self::ProviderRefused => "provider-refused",
            Self::ProviderDown => "provider-down",
            Self::RateLimited => "rate-limited",
            Self::BadAnswer => "bad-answer",
            Self::TooLarge => "too-large",
            Self::Gone => "gone",
            Self::Config => "config",
        }
    }
}

/// Why a feed could not be read: what happened, to what, and what to do next.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {detail}")]
pub struct SourceError {
    /// What to do about it.
    pub code: SourceErrorCode,
    /// What was being done, to what: `Vast.ai offers`.
    pub what: String,
    /// What happened, with the provider's own words, at most 300 characters, without secrets or control characters.
    pub detail: String,
    /// What to do next, where there is something to do.
    pub hint: Option<String>,
    /// From when on it may be tried again, where the provider said so.
    pub retry_at: Option<DateTime<Utc>>,
}

impl SourceError {
    /// An error without hint or time; `detail` is cleaned and shortened.
    #[must_use]
    pub fn new(code: SourceErrorCode, what: impl Into<String>, detail: impl AsRef<str>) -> Self {
        Self {
            code,
            what: what.into(),
            detail: crate::http::redact::words(detail.as_ref()),
            hint: None,
            retry_at: None,
        }
    }

    /// The same error with what to do next.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// An answer in which there is nothing of what was asked for, `instance type`: it must replace nothing.
    #[must_use]
    pub fn empty(what: impl Into<String>, of: &str) -> Self {
        Self::new(SourceErrorCode::BadAnswer, what, format!("not a single {of}"))
            .hint("the offers at hand stay in use; refresh again later")
    }
}

/// Settings of the sources, read from the environment or the user's settings by whoever owns them.
#[derive(Debug, Clone, Default)]
pub struct SourceConfig {
    addresses: BTreeMap<String, String>,
    price_sheets: Option<PathBuf>,
}

impl SourceConfig {
    /// Sets the base address of a service. `service` is the middle of the variable `GPUDESK_<SERVICE>_URL` in lower
    /// case: `vast`, `runpod_graphql`, `catalogue`, `ecb`, `cbr`.
    pub fn set_address(&mut self, service: &str, address: &str) {
        self.addresses.insert(service.to_ascii_lowercase(), address.to_owned());
    }

    /// Sets the folder of the team's own price sheets.
    pub fn set_price_sheets(&mut self, folder: PathBuf) {
        self.price_sheets = Some(folder);
    }

    /// The folder of the team's own price sheets, where there is one.
    #[must_use]
    pub fn price_sheets(&self) -> Option<&Path> {
        self.price_sheets.as_deref()
    }

    /// The address set for a service, where one is.
    #[must_use]
    pub fn address(&self, service: &str) -> Option<&str> {
        self.addresses.get(service).map(String::as_str)
    }

    /// The base address of a service: the one set, or else the documented one.
    #[must_use]
    pub fn base(&self, service: &str, documented: &str) -> Base {
        Base::new(documented, self.addresses.get(service).map(String::as_str))
    }
}

/// How long what a source said is taken to hold, by its name.
#[must_use]
pub fn fresh_for(source: &str) -> Duration {
    static TIMES: OnceLock<BTreeMap<&'static str, Duration>> = OnceLock::new();
    let times = TIMES.get_or_init(|| {
        registry(&SourceConfig::default()).iter().map(|source| (source.name(), source.fresh_for())).collect()
    });
    times.get(source).copied().unwrap_or(FRESH_FOR)
}

/// Every source, one line each.
#[must_use]
pub fn registry(config: &SourceConfig) -> Vec<Box<dyn OfferSource>> {
    vec![
        Box::new(crate::catalogue::Catalogue::new(config)),
        Box::new(crate::vast::Vast::new(config)),
        Box::new(crate::runpod::RunPod::new(config)),
        Box::new(crate::lambda::Lambda::new(config)),
        Box::new(crate::aws::Ec2::new(config)),
        Box::new(crate::digitalocean::DigitalOcean::new(config)),
        Box::new(crate::shadeform::Shadeform::new(config)),
        Box::new(crate::prime::Prime::new(config)),
        Box::new(crate::verda::Verda::new(config)),
        Box::new(crate::hyperstack::Hyperstack::new(config)),
        Box::new(crate::vultr::Vultr::new(config)),
        Box::new(crate::scaleway::Scaleway::new(config)),
        Box::new(crate::nebius::Nebius::new(config)),
        Box::new(OpenStack::new(&openstack::SELECTEL, config)),
        Box::new(OpenStack::new(&openstack::VK, config)),
        Box::new(OpenStack::new(&openstack::IMMERS, config)),
        Box::new(OpenStack::new(&openstack::OVH, config)),
        Box::new(OpenStack::new(&openstack::OPENSTACK, config)),
        Box::new(crate::azure::Azure::new(config)),
        Box::new(crate::cudo::Cudo::new(config)),
        Box::new(crate::tensordock::TensorDock::new(config)),
        Box::new(crate::openrouter::OpenRouter::new(config)),
        Box::new(crate::deepinfra::DeepInfra::new(config)),
        Box::new(crate::sheets::Sheets::new(config)),
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn sources_have_names_and_feeds_of_their_own() {
        let sources = registry(&SourceConfig::default());
        let names: BTreeSet<&str> = sources.iter().map(|source| source.name()).collect();
        assert_eq!(names.len(), sources.len());
        let mut feeds = BTreeSet::new();
        for source in &sources {
            assert!(!source.title().is_empty());
            for feed in source.feeds() {
                assert_eq!(feed.source(), source.name(), "a feed names its source");
                assert!(feeds.insert(feed));
            }
        }
    }

    #[test]
    fn an_address_is_set_for_one_service_only() {
        let mut config = SourceConfig::default();
        config.set_address("VAST", "http://127.0.0.1:8080");
        let at = |service| {
            config.base(service, "https://documented.example").join("/x").map(|url| url.to_string())
        };
        assert_eq!(at("vast").as_deref(), Ok("http://127.0.0.1:8080/x"));
        assert_eq!(at("runpod_graphql").as_deref(), Ok("https://documented.example/x"));
    }

    #[test]
    fn an_error_says_what_and_why_in_one_line() {
        let error = SourceError::new(SourceErrorCode::BadAnswer, "Vast.ai offers", "cut\n off").hint("again");
        assert_eq!(error.to_string(), "Vast.ai offers: cut off");
        assert_eq!((error.code.word(), error.hint.as_deref()), ("bad-answer", Some("again")));
    }
}
