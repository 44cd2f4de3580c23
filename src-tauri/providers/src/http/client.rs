//! The client: sends a call, keeps its limits, tries again where that may help.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use chrono::{DateTime, Utc};
use reqwest::header::{CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue, IF_NONE_MATCH};
use reqwest::{Certificate, Client, Proxy, Response, StatusCode, redirect};

use super::answer::{Answer, is_html};
use super::body;
use super::call::{Call, Limits};
use super::change::Change;
use super::failure::{Failure, Refusal, Try, Verdict, transport};
use super::pace::{Allowance, Lane, Pacing, RealPacing};
use super::patience::Patience;
use super::redact::Secret;
use crate::cloud::Effect;
use crate::source::{SourceError, SourceErrorCode};

/// The most of an error body that is read.
const MAX_REFUSAL_BYTES: u64 = 64 * 1024;

/// Rows of a list over all its pages, where a service says it in a header.
const TOTAL: HeaderName = HeaderName::from_static("x-total-count");

/// Where Keystone puts the token it gives out.
const SUBJECT_TOKEN: HeaderName = HeaderName::from_static("x-subject-token");

/// How the kit is set up.
#[derive(Clone)]
pub struct HttpConfig {
    /// The longest a connection may take to be made.
    pub connect: Duration,
    /// The limits of calls that bring none of their own.
    pub limits: Limits,
    /// A proxy for everything, instead of the ones of the environment (`HTTPS_PROXY`, `NO_PROXY` …).
    pub proxy: Option<String>,
    /// A PEM file with certificate authorities to trust beside the system's.
    pub ca_file: Option<PathBuf>,
    /// Who we say we are.
    pub user_agent: String,
    /// The clock.
    pub clock: Arc<dyn Fn() -> DateTime<Utc> + Send + Sync>,
    /// Waiting and chance.
    pub pacing: Arc<dyn Pacing>,
}

impl HttpConfig {
    /// The usual settings.
    #[must_use]
    pub fn new(clock: Arc<dyn Fn() -> DateTime<Utc> + Send + Sync>) -> Self {
        Self {
            connect: Duration::from_secs(10),
            limits: Limits::default(),
            proxy: None,
            ca_file: None,
            user_agent: concat!("GPU-Desk/", env!("CARGO_PKG_VERSION")).to_owned(),
            clock,
            pacing: Arc::new(RealPacing::default()),
        }
    }
}

/// The HTTP kit. Clones share connections and allowances.
#[derive(Clone)]
pub struct Http {
    client: Client,
    /// The same without redirects, for calls that change something.
    direct: Client,
    /// HTTP/2 from the first byte, as gRPC has it; without redirects.
    rpc: Client,
    limits: Limits,
    clock: Arc<dyn Fn() -> DateTime<Utc> + Send + Sync>,
    pacing: Arc<dyn Pacing>,
    allowances: Arc<Mutex<Vec<Arc<Allowance>>>>,
    /// Where the calls are those of one reading.
    patience: Option<Arc<Patience>>,
}

enum Received {
    Whole(Answer),
    NotModified,
}

impl Http {
    /// Sets the kit up.
    ///
    /// # Errors
    /// [`SourceErrorCode::Config`] where the proxy or the CA file cannot be used.
    pub fn new(config: HttpConfig) -> Result<Self, SourceError> {
        let follow = redirect::Policy::custom(|attempt| {
            let left_tls = attempt.url().scheme() != "https"
                && attempt.previous().iter().any(|url| url.scheme() == "https");
            if left_tls {
                attempt.error("redirected from https to plain http")
            } else if attempt.previous().len() > 5 {
                attempt.error("redirected too often")
            } else {
                attempt.follow()
            }
        });
        Ok(Self {
            client: client(&config, follow, false)?,
            direct: client(&config, redirect::Policy::none(), false)?,
            rpc: client(&config, redirect::Policy::none(), true)?,
            limits: config.limits,
            clock: config.clock,
            pacing: config.pacing,
            allowances: Arc::default(),
            patience: None,
        })
    }

    /// The same kit for one reading of many calls: tries that fail may cost a minute in all at each provider, and then
    /// that one is asked no more.
    #[must_use]
    pub fn for_one_reading(&self) -> Self {
        Self { patience: Some(Arc::default()), ..self.clone() }
    }

    /// The limits of calls that bring none of their own.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Reads the answer of a call.
    ///
    /// # Errors
    /// What went wrong, after the tries the limits allow.
    pub async fn read(&self, call: &Call) -> Result<Answer, SourceError> {
        self.hear(call).await.map_err(|failure| failure.error)
    }

    /// As [`Http::read`], with the answer beside the error where there was one.
    ///
    /// # Errors
    /// As [`Http::read`].
    pub async fn hear(&self, call: &Call) -> Result<Answer, Failure> {
        match self.tried(&self.client, call, |_| true).await? {
            Received::Whole(answer) => Ok(answer),
            Received::NotModified => Err(Failure::unsent(SourceError::new(
                SourceErrorCode::BadAnswer,
                &call.what,
                "HTTP 304 although nothing was asked conditionally",
            ))),
        }
    }

    /// Sends a call that changes something. It goes out again only where the last try surely did nothing.
    ///
    /// # Errors
    /// What went wrong, and whether the other side may have acted.
    pub async fn change(&self, change: &Change) -> Result<Answer, Failure> {
        let harmless = |tried: &Try| {
            let repeatable = tried.status.is_none() || (tried.status == Some(429) && !change.is_order);
            tried.effect == Effect::Nothing && repeatable
        };
        match self.tried(&self.direct, &change.call, harmless).await? {
            Received::Whole(answer) => Ok(answer),
            Received::NotModified => Err(Try::unreadable(
                Verdict::Fail(SourceError::new(
                    SourceErrorCode::BadAnswer,
                    &change.call.what,
                    "HTTP 304 to a call that changes something",
                )),
                304,
            )
            .into_failure()),
        }
    }

    /// Reads the answer of a call unless its `ETag` is still the one given; `None` where it is.
    ///
    /// # Errors
    /// As [`Http::read`].
    pub async fn read_if_changed(
        &self,
        call: &Call,
        etag: Option<&str>,
    ) -> Result<Option<Answer>, SourceError> {
        let Some(value) = etag.and_then(|etag| HeaderValue::from_str(etag).ok()) else {
            return self.read(call).await.map(Some);
        };
        let conditional = call.clone().header(IF_NONE_MATCH, value);
        Ok(match self.tried(&self.client, &conditional, |_| true).await.map_err(|failure| failure.error)? {
            Received::Whole(answer) => Some(answer),
            Received::NotModified => None,
        })
    }

    async fn tried(
        &self,
        client: &Client,
        call: &Call,
        may_repeat: impl Fn(&Try) -> bool,
    ) -> Result<Received, Failure> {
        if let Some(over) = self.patience.as_ref().and_then(|patience| patience.is_over(call)) {
            return Err(Failure::unsent(over));
        }
        let limits = call.limits.unwrap_or(self.limits);
        let allowances: Vec<_> = call.paces.iter().map(|pace| self.allowance(*pace, call.lane)).collect();
        let mut spent = Duration::ZERO;
        let mut tried = 0;
        loop {
            for allowance in &allowances {
                allowance.take().await;
            }
            tried += 1;
            let begun = self.pacing.elapsed();
            let failed = match self.once(client, call, &limits, limits.total.saturating_sub(spent)).await {
                Ok(received) => return Ok(received),
                Err(failed) => failed,
            };
            let ended = self.pacing.elapsed();
            spent += ended.saturating_sub(begun);
            let (is_final, after, error) = match &failed.verdict {
                Verdict::Fail(error) => (true, None, error),
                Verdict::Retry { after, error } => (false, *after, error),
            };
            let code = error.code;
            let wait = after.unwrap_or_else(|| limits.retry.wait(tried + 1, self.pacing.jitter()));
            let too_long = after.is_some_and(|asked| asked > limits.retry.longest_asked);
            // Silence is long already: a second one is believed.
            let silent = code == SourceErrorCode::Timeout && tried >= 2;
            let used_up = tried >= limits.retry.tries || spent.saturating_add(wait) >= limits.total;
            let last = is_final || used_up || silent || too_long || !may_repeat(&failed);
            // A wait that is too long to be kept is the whole patience, or most of it.
            let end = if last && !too_long { ended } else { ended.saturating_add(wait) };
            let patience = self.patience.as_ref();
            let is_allowed = patience.is_none_or(|patience| patience.allows(call, begun, end, error));
            if last || !is_allowed {
                return Err(failed.into_failure());
            }
            tracing::debug!(
                what = call.what,
                tried,
                wait_ms = wait.as_millis(),
                reason = code.word(),
                "trying again"
            );
            self.pacing.sleep(wait).await;
            spent += wait;
        }
    }

    async fn once(
        &self,
        client: &Client,
        call: &Call,
        limits: &Limits,
        left: Duration,
    ) -> Result<Received, Try> {
        match tokio::time::timeout(left, self.exchange(client, call, limits)).await {
            Ok(result) => result,
            Err(_) => Err(Try::without_answer(
                Verdict::Fail(SourceError::new(
                    SourceErrorCode::Timeout,
                    &call.what,
                    format!("not done within {}", body::seconds(limits.total)),
                )),
                true,
            )),
        }
    }

    async fn exchange(&self, client: &Client, call: &Call, limits: &Limits) -> Result<Received, Try> {
        let begun = Instant::now();
        let client = if call.rpc { &self.rpc } else { client };
        let mut request = client.request(call.method.clone(), call.url.clone()).headers(call.headers.clone());
        if let Some(body) = &call.body {
            request = request.body(body.clone());
        }
        let response = match tokio::time::timeout(limits.idle, request.send()).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => {
                log(call, begun, None, 0);
                // Without a connection, or without a request that could be built, nothing left this machine.
                let sent = !error.is_connect() && !error.is_builder();
                return Err(Try::without_answer(transport(&call.what, &error.without_url()), sent));
            }
            Err(_) => {
                log(call, begun, None, 0);
                return Err(Try::without_answer(body::silence(&call.what, limits.idle, 0), true));
            }
        };
        let status = response.status();
        if status == StatusCode::NOT_MODIFIED && call.headers.contains_key(IF_NONE_MATCH) {
            log(call, begun, Some(status), 0);
            return Ok(Received::NotModified);
        }
        let headers = response.headers().clone();
        if !status.is_success() {
            return Err(self.refused(call, begun, status, &headers, response, limits).await);
        }
        if call.rpc {
            let answer = super::rpc::read(call, response, limits).await;
            log(call, begun, Some(status), answer.as_ref().map_or(0, |answer| answer.body.len()));
            return answer.map(Received::Whole);
        }
        let body = body::whole(&call.what, response, limits).await;
        log(call, begun, Some(status), body.as_ref().map_or(0, Vec::len));
        let body = body.map_err(|verdict| Try::unreadable(verdict, status.as_u16()))?;
        if is_html(&body) {
            let error = SourceError::new(
                SourceErrorCode::BadAnswer,
                &call.what,
                format!("{} instead of {}", super::failure::said(&body), call.expects),
            )
            .hint("a sign-in page of the network or a bot check may stand in between; open the address in a browser");
            return Err(Try::unreadable(Verdict::Fail(error), status.as_u16()));
        }
        Ok(Received::Whole(Answer {
            what: call.what.clone(),
            body,
            etag: text_header(&headers, ETAG),
            total: text_header(&headers, TOTAL).and_then(|count| count.trim().parse().ok()),
            subject_token: text_header(&headers, SUBJECT_TOKEN).map(Secret::new),
            content_type: text_header(&headers, CONTENT_TYPE),
        }))
    }

    async fn refused(
        &self,
        call: &Call,
        begun: Instant,
        status: StatusCode,
        headers: &HeaderMap,
        response: Response,
        limits: &Limits,
    ) -> Try {
        // Whatever of the words arrives is enough; that they are cut or too many changes nothing.
        let limits = Limits { max_bytes: MAX_REFUSAL_BYTES, ..*limits };
        let body = body::beginning(response, &limits).await;
        log(call, begun, Some(status), body.len());
        let refusal =
            Refusal { what: &call.what, status: status.as_u16(), headers, body: &body, now: (self.clock)() };
        let verdict = call.explain.and_then(|explain| explain(&refusal)).unwrap_or_else(|| refusal.judge());
        Try::refused(verdict, status.as_u16(), body)
    }

    fn allowance(&self, pace: super::Pace, lane: Lane) -> Arc<Allowance> {
        let mut all = self.allowances.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = all.iter().find(|allowance| allowance.pace == pace && allowance.lane == lane) {
            return Arc::clone(found);
        }
        let new = Arc::new(Allowance::new(pace, lane, Arc::clone(&self.pacing)));
        all.push(Arc::clone(&new));
        new
    }

    /// The time by the clock of the kit.
    #[must_use]
    pub fn now(&self) -> DateTime<Utc> {
        (self.clock)()
    }
}

fn client(config: &HttpConfig, redirects: redirect::Policy, rpc: bool) -> Result<Client, SourceError> {
    #[expect(clippy::disallowed_methods, reason = "this is the HTTP kit that everybody else must use")]
    let mut builder =
        Client::builder().connect_timeout(config.connect).user_agent(&config.user_agent).redirect(redirects);
    if rpc {
        builder = builder.http2_prior_knowledge();
    }
    if let Some(address) = &config.proxy {
        let shown = super::redact::address(address);
        let proxy = Proxy::all(address).map_err(|_| {
            config_error("proxy", format!("{shown} is not a proxy address"))
                .hint("write it as http://host:port")
        })?;
        builder = builder.proxy(proxy);
    }
    if let Some(path) = &config.ca_file {
        let shown = path.display();
        let pem = std::fs::read(path)
            .map_err(|error| config_error("CA file", format!("cannot read {shown}: {error}")))?;
        let certificates = Certificate::from_pem_bundle(&pem)
            .map_err(|error| config_error("CA file", format!("{shown} is not a PEM file: {error}")))?;
        if certificates.is_empty() {
            return Err(config_error("CA file", format!("{shown} holds no certificate"))
                .hint("give a PEM file that begins with -----BEGIN CERTIFICATE-----"));
        }
        builder = builder.tls_certs_merge(certificates);
    }
    builder.build().map_err(|error| config_error("HTTP", format!("cannot set up TLS: {error}")))
}

fn text_header(headers: &HeaderMap, name: HeaderName) -> Option<String> {
    headers.get(name)?.to_str().ok().map(str::to_owned)
}

fn config_error(what: &str, detail: impl AsRef<str>) -> SourceError {
    SourceError::new(SourceErrorCode::Config, what, detail)
}

/// One line a try: never headers, never bodies, never the query.
fn log(call: &Call, begun: Instant, status: Option<StatusCode>, bytes: usize) {
    tracing::debug!(
        method = call.method.as_str(),
        host = call.url.host_str().unwrap_or(""),
        path = super::redact::log_path(&call.url),
        status = status.map(|status| status.as_u16()),
        ms = begun.elapsed().as_millis(),
        bytes,
        "http"
    );
}
