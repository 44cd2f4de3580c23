//! What the tests share: time that only moves when somebody waits, a kit on it, and a server that says exactly the
//! bytes it is told.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures::future::BoxFuture;
use gpudesk_core::feed::{FeedName, Fetched};
use gpudesk_core::money::Rates;
use gpudesk_core::offer::Offer;
use gpudesk_providers::http::{Base, Http, HttpConfig, Limits, Pacing, Retry, Secret};
use gpudesk_providers::{FeedAnswer, FeedOutcome, Fetch, OfferSource, SourceError};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use url::Url;

/// The clock of all tests.
pub const NOW: &str = "2026-11-30T09:00:00Z";

pub fn now() -> DateTime<Utc> {
    NOW.parse().unwrap()
}

/// Time that stands still until somebody waits, and then jumps.
#[derive(Default)]
pub struct StillTime {
    passed: Mutex<Duration>,
    waits: Mutex<Vec<Duration>>,
}

impl StillTime {
    /// The waits so far, in milliseconds.
    pub fn waits(&self) -> Vec<u128> {
        self.waits.lock().unwrap().iter().map(Duration::as_millis).collect()
    }
}

impl Pacing for StillTime {
    fn elapsed(&self) -> Duration {
        *self.passed.lock().unwrap()
    }

    fn jitter(&self) -> f64 {
        0.0
    }

    fn sleep(&self, time: Duration) -> BoxFuture<'static, ()> {
        *self.passed.lock().unwrap() += time;
        self.waits.lock().unwrap().push(time);
        Box::pin(async {})
    }
}

/// Settings for loopback: no proxy of the machine in between, short limits, time that stands still.
pub fn config() -> (HttpConfig, Arc<StillTime>) {
    let time = Arc::new(StillTime::default());
    let mut config = HttpConfig::new(Arc::new(now));
    config.pacing = Arc::clone(&time) as Arc<dyn Pacing>;
    config.limits = Limits {
        idle: Duration::from_secs(10),
        total: Duration::from_secs(90),
        max_bytes: 1024 * 1024,
        retry: Retry::default(),
    };
    (config, time)
}

pub fn kit() -> (Http, Arc<StillTime>) {
    let (config, time) = config();
    (Http::new(config).unwrap(), time)
}

/// One answer of a raw server.
#[derive(Clone)]
pub enum Say {
    /// These bytes, then the connection is closed.
    Bytes(Vec<u8>),
    /// These bytes, then silence.
    Hang(Vec<u8>),
    /// The first bytes, then the second ones again and again.
    Endless(Vec<u8>, Vec<u8>),
}

impl Say {
    pub fn http(status: &str, headers: &[&str], body: impl AsRef<[u8]>) -> Self {
        let body = body.as_ref();
        let mut bytes =
            format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
        for header in headers {
            bytes.push_str(header);
            bytes.push_str("\r\n");
        }
        bytes.push_str("\r\n");
        let mut bytes = bytes.into_bytes();
        bytes.extend_from_slice(body);
        Self::Bytes(bytes)
    }
}

/// A server that gives each connection the next answer (the last one again and again) and keeps what it was asked.
pub struct RawServer {
    pub url: Url,
    requests: Arc<Mutex<Vec<String>>>,
}

impl RawServer {
    pub async fn start(script: Vec<Say>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = Url::parse(&format!("http://{}/", listener.local_addr().unwrap())).unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&requests);
        tokio::spawn(async move {
            let mut script = script.into_iter().peekable();
            let mut say = script.next().unwrap();
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, say.clone(), Arc::clone(&kept)));
                say = script.next().unwrap_or(say);
            }
        });
        Self { url, requests }
    }

    pub fn at(&self, path: &str) -> Url {
        self.url.join(path).unwrap()
    }

    /// The requests so far, head and body.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

async fn answer(mut stream: TcpStream, say: Say, kept: Arc<Mutex<Vec<String>>>) {
    let request = read_request(&mut stream).await;
    kept.lock().unwrap().push(request);
    match say {
        Say::Bytes(bytes) => {
            let _ = stream.write_all(&bytes).await;
            let _ = stream.shutdown().await;
        }
        Say::Hang(bytes) => {
            let _ = stream.write_all(&bytes).await;
            let _ = stream.flush().await;
            // Until the other side gives up.
            let _ = stream.read(&mut [0; 1]).await;
        }
        Say::Endless(head, chunk) => {
            let _ = stream.write_all(&head).await;
            while stream.write_all(&chunk).await.is_ok() {
                tokio::task::yield_now().await;
            }
        }
    }
}

/// Reads a request as far as its length says.
pub async fn read_request(stream: &mut (impl AsyncReadExt + Unpin)) -> String {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let read = stream.read(&mut buffer).await.unwrap_or(0);
        bytes.extend_from_slice(&buffer[..read]);
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .find_map(|line| {
                    line.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse().ok()
                })
                .unwrap_or(0);
            if body.len() >= length {
                return text.into_owned();
            }
        }
        if read == 0 {
            return text.into_owned();
        }
    }
}

/// Asks a source once; it must report exactly one feed.
pub async fn fetch(source: &dyn OfferSource, http: &Http) -> Result<Fetched, SourceError> {
    fetch_with(source, http, None).await
}

/// The same with the key of an account.
pub async fn fetch_with(
    source: &dyn OfferSource,
    http: &Http,
    key: Option<&Secret>,
) -> Result<Fetched, SourceError> {
    let versions: BTreeMap<FeedName, String> = BTreeMap::new();
    let rates = Rates::default();
    let cx = Fetch { http, now: &now, versions: &versions, rates: &rates, key };
    let mut outcomes: Vec<FeedOutcome> = Vec::new();
    source.fetch(&cx, &mut |outcome| outcomes.push(outcome)).await;
    assert_eq!(outcomes.len(), 1);
    let outcome = outcomes.remove(0);
    assert_eq!(source.feeds(), [outcome.feed]);
    match outcome.result? {
        FeedAnswer::Fetched { fetched, .. } => {
            assert_eq!(
                fetched.rows_read,
                fetched.rows_used + fetched.rows_not_gpu + fetched.quarantined.len() as u64
            );
            assert_eq!(fetched.as_of, now());
            Ok(fetched)
        }
        FeedAnswer::Unchanged { .. } => panic!("this source has no versions"),
    }
}

pub fn offer<'a>(fetched: &'a Fetched, id: &str) -> &'a Offer {
    fetched.offers.iter().find(|offer| offer.id == id).unwrap_or_else(|| {
        let ids: Vec<_> = fetched.offers.iter().map(|offer| &offer.id).collect();
        panic!("no offer {id} among {ids:#?}")
    })
}

pub fn base(url: &Url) -> Base {
    Base::new("https://documented.invalid", Some(url.as_str()))
}
