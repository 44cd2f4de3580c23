//! A cloud that notes when what was learned from it, and at which the program can be cut off.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use gpudesk_core::offer::Offer;
use gpudesk_core::rental::{Machine, MachineState, RentalTerms, Spec};
use gpudesk_providers::cloud::{
    AccountFacts, Cloud, CloudError, Launch, Launched, Leftover, Listing, Look, Quote, Usage,
};
use tokio::sync::Notify;

use crate::time::Time;

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

    /// No answer comes late any more.
    pub fn on_time(&self) {
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
        let answer = call.await;
        let of = self.time.truth();
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

    async fn launch(&self, launch: &Launch) -> Result<Launched, CloudError> {
        self.called(self.inner.launch(launch), |made| vec![made.remote_id.clone()]).await
    }

    async fn admit(&self, remote_id: &str, spec: &Spec) -> Result<(), CloudError> {
        self.called(self.inner.admit(remote_id, spec), |_| Vec::new()).await
    }

    async fn list(&self) -> Result<Listing, CloudError> {
        self.called(self.inner.list(), |list| list.machines.iter().filter_map(told).collect()).await
    }

    async fn look(&self, remote_id: &str) -> Result<Look, CloudError> {
        let tells = |look: &Look| match look {
            Look::There(machine) => told(machine).into_iter().collect(),
            Look::Absent => vec![remote_id.to_owned()],
        };
        self.called(self.inner.look(remote_id), tells).await
    }

    async fn stop(&self, remote_id: &str) -> Result<(), CloudError> {
        self.called(self.inner.stop(remote_id), |_| Vec::new()).await
    }

    async fn start(&self, remote_id: &str) -> Result<(), CloudError> {
        self.called(self.inner.start(remote_id), |_| Vec::new()).await
    }

    async fn end(&self, remote_id: &str) -> Result<(), CloudError> {
        self.called(self.inner.end(remote_id), |_| Vec::new()).await
    }

    async fn leftovers(&self) -> Result<Vec<Leftover>, CloudError> {
        self.inner.leftovers().await
    }

    async fn usage(&self, from: DateTime<Utc>, to: DateTime<Utc>) -> Result<Option<Vec<Usage>>, CloudError> {
        self.inner.usage(from, to).await
    }
}
