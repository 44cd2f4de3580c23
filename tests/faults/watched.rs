//! A cloud that notes when what was learned from it, and at which the program can be cut off.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use gpudesk_core::offer::Offer;
use gpudesk_core::rental::{Machine, MachineState, RentalTerms, Spec};
use gpudesk_providers::cloud::{
    AccountFacts, Cloud, CloudError, CloudErrorCode, Effect, Launch, Launched, Leftover, Listing, Look,
    Quote, Usage,
};
use gpudesk_providers::source::SourceErrorCode;
use rust_decimal::Decimal;
use tokio::sync::Notify;

use crate::time::Time;

/// What was asked and is on its way, for longer than anybody waits for it.
enum Deed {
    Launch(Box<Launch>),
    Stop(String),
    Start(String),
    End(String),
}

/// An answer that arrived: of which time it tells, and when it came.
#[derive(Debug, Clone)]
pub struct Sight {
    /// Of which machine.
    pub id: String,
    pub of: DateTime<Utc>,
    pub came: DateTime<Utc>,
}

pub struct Watched {
    inner: Box<dyn Cloud>,
    time: Arc<Time>,
    points: AtomicU64,
    /// The point at which the program ends.
    cut_at: AtomicU64,
    /// By how many seconds the next answers come late, one each.
    late: Mutex<Vec<u64>>,
    /// By how many seconds the next calls arrive late, one each, and the calls that are on their way.
    slow: Mutex<Vec<u64>>,
    under_way: Mutex<Vec<(DateTime<Utc>, Deed)>>,
    /// Whether the market moves past the next bid before it arrives.
    moved: AtomicBool,
    /// Whether lists are empty and look whole.
    lies: AtomicBool,
    pub cut: Notify,
    pub sights: Mutex<Vec<Sight>>,
}

impl Watched {
    pub fn new(inner: Box<dyn Cloud>, time: Arc<Time>) -> Arc<Self> {
        Arc::new(Self {
            inner,
            time,
            points: AtomicU64::new(0),
            cut_at: AtomicU64::new(u64::MAX),
            late: Mutex::default(),
            slow: Mutex::default(),
            under_way: Mutex::default(),
            moved: AtomicBool::new(false),
            lies: AtomicBool::new(false),
            cut: Notify::new(),
            sights: Mutex::default(),
        })
    }

    /// Ends the program at the n-th point from now: before a call leaves, or when its answer came.
    pub fn cut_after(&self, points: u64) {
        self.cut_at.store(self.points.load(Ordering::Relaxed) + points, Ordering::Relaxed);
    }

    pub fn never_cut(&self) {
        self.cut_at.store(u64::MAX, Ordering::Relaxed);
    }

    /// Lets the next answers come late.
    pub fn delay(&self, seconds: u64) {
        self.late.lock().unwrap().push(seconds);
    }

    /// Makes the next bid one that is under the market by the time it arrives.
    pub fn bid_lower(&self) {
        self.moved.store(true, Ordering::Relaxed);
    }

    /// Lets every list be empty and look whole, until it is told otherwise.
    pub fn lie(&self, lies: bool) {
        self.lies.store(lies, Ordering::Relaxed);
    }

    /// Lets the next call that changes something arrive so late that nobody waits for its answer.
    pub fn arrive_late(&self, seconds: u64) {
        self.slow.lock().unwrap().push(seconds);
    }

    /// Sends a call on its long way, where the next one shall be late.
    fn put_off(&self, deed: impl FnOnce() -> Deed) -> Result<(), CloudError> {
        let Some(seconds) = self.slow.lock().unwrap().pop() else { return Ok(()) };
        let due = self.time.truth() + TimeDelta::seconds(i64::try_from(seconds).unwrap());
        self.under_way.lock().unwrap().push((due, deed()));
        let code = CloudErrorCode::Http(SourceErrorCode::Network);
        Err(CloudError::new(code, "the call", "no answer came in time").with_effect(Effect::Unclear))
    }

    /// Lets arrive what was on its way until now.
    async fn arrive(&self) {
        let now = self.time.truth();
        let due: Vec<Deed> = self
            .under_way
            .lock()
            .unwrap()
            .extract_if(.., |(due, _)| *due <= now)
            .map(|(_, deed)| deed)
            .collect();
        for deed in due {
            // Nobody hears what comes of it.
            match deed {
                Deed::Launch(launch) => drop(self.inner.launch(&launch).await),
                Deed::Stop(id) => drop(self.inner.stop(&id).await),
                Deed::Start(id) => drop(self.inner.start(&id).await),
                Deed::End(id) => drop(self.inner.end(&id).await),
            }
        }
    }

    /// No answer and no call comes late any more; what is on its way arrives in its own time.
    pub fn on_time(&self) {
        self.slow.lock().unwrap().clear();
        self.late.lock().unwrap().clear();
    }

    async fn point(&self) {
        if self.points.fetch_add(1, Ordering::Relaxed) >= self.cut_at.load(Ordering::Relaxed) {
            self.cut.notify_one();
            std::future::pending::<()>().await;
        }
    }

    async fn called<T>(
        &self,
        call: impl Future<Output = Result<T, CloudError>> + Send,
        tells: impl Fn(&T) -> Vec<String> + Send,
    ) -> Result<T, CloudError> {
        self.point().await;
        self.arrive().await;
        // It tells at least of the time at which it was asked for: a call may ask several times.
        let of = self.time.truth();
        let answer = call.await;
        let late = self.late.lock().unwrap().pop();
        if let Some(seconds) = late {
            self.time.pass(Duration::from_secs(seconds));
        }
        self.point().await;
        let came = self.time.truth();
        let told = answer.as_ref().map(tells).unwrap_or_default();
        self.sights.lock().unwrap().extend(told.into_iter().map(|id| Sight { id, of, came }));
        answer
    }
}

/// The id of a machine whose state is told.
fn told(machine: &Machine) -> Option<String> {
    let untold = matches!(machine.state, MachineState::Unknown | MachineState::Offline);
    (!untold).then(|| machine.remote_id.clone())
}

// The cloud behind it does all of it in a way of its own.
#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl Cloud for Watched {
    fn terms(&self) -> &RentalTerms {
        self.inner.terms()
    }

    async fn check(&self) -> Result<AccountFacts, CloudError> {
        self.called(self.inner.check(), |_| Vec::new()).await
    }

    async fn quote(&self, offer: &Offer, disk_gb: Option<u32>) -> Result<Quote, CloudError> {
        self.called(self.inner.quote(offer, disk_gb), |_| Vec::new()).await
    }

    fn ends_at(&self, offer: &Offer) -> Option<DateTime<Utc>> {
        self.inner.ends_at(offer)
    }

    async fn launch(&self, launch: &Launch) -> Result<Launched, CloudError> {
        let mut launch = launch.clone();
        if let Some(bid) = launch.bid_per_hour.as_mut().filter(|_| self.moved.swap(false, Ordering::Relaxed))
        {
            *bid = (*bid / Decimal::from(3)).round_dp(4);
        }
        let call = async {
            self.put_off(|| Deed::Launch(Box::new(launch.clone())))?;
            self.inner.launch(&launch).await
        };
        self.called(call, |made| vec![made.remote_id.clone()]).await
    }

    async fn admit(&self, remote_id: &str, spec: &Spec) -> Result<(), CloudError> {
        self.called(self.inner.admit(remote_id, spec), |_| Vec::new()).await
    }

    async fn list(&self) -> Result<Listing, CloudError> {
        let call = async {
            let listing = self.inner.list().await?;
            let lies = self.lies.load(Ordering::Relaxed);
            Ok(if lies { Listing { complete: true, ..Listing::default() } } else { listing })
        };
        self.called(call, |list| list.machines.iter().filter_map(told).collect()).await
    }

    async fn look(&self, remote_id: &str) -> Result<Look, CloudError> {
        let tells = |look: &Look| match look {
            Look::There(machine) => told(machine).into_iter().collect(),
            Look::Absent => vec![remote_id.to_owned()],
        };
        self.called(self.inner.look(remote_id), tells).await
    }

    async fn stop(&self, remote_id: &str) -> Result<(), CloudError> {
        let call = async {
            self.put_off(|| Deed::Stop(remote_id.to_owned()))?;
            self.inner.stop(remote_id).await
        };
        self.called(call, |_| Vec::new()).await
    }

    async fn start(&self, remote_id: &str) -> Result<(), CloudError> {
        let call = async {
            self.put_off(|| Deed::Start(remote_id.to_owned()))?;
            self.inner.start(remote_id).await
        };
        self.called(call, |_| Vec::new()).await
    }

    async fn end(&self, remote_id: &str) -> Result<(), CloudError> {
        let call = async {
            self.put_off(|| Deed::End(remote_id.to_owned()))?;
            self.inner.end(remote_id).await
        };
        self.called(call, |_| Vec::new()).await
    }

    async fn set_timer(&self, remote_id: &str, end_at: Option<DateTime<Utc>>) -> Result<(), CloudError> {
        self.called(self.inner.set_timer(remote_id, end_at), |_| Vec::new()).await
    }

    async fn retag(&self, remote_id: &str, tags: &[(String, String)]) -> Result<(), CloudError> {
        self.called(self.inner.retag(remote_id, tags), |_| Vec::new()).await
    }

    async fn leftovers(&self) -> Result<Vec<Leftover>, CloudError> {
        self.inner.leftovers().await
    }

    async fn usage(&self, from: DateTime<Utc>, to: DateTime<Utc>) -> Result<Option<Vec<Usage>>, CloudError> {
        self.inner.usage(from, to).await
    }
}
