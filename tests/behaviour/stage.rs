//! A cloud, its market, and the time of both, which moves only when somebody waits.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use futures::FutureExt;
use futures::future::BoxFuture;
use gpudesk_core::feed::Fetched;
use gpudesk_core::money::Rates;
use gpudesk_core::offer::{Offer, PriceKind, SupplyState};
use gpudesk_core::rental::{Image, ImageKind, Machine, MachineState, Spec};
use gpudesk_providers::cloud::{Access, Cloud, CloudError, Launch, Look, Quote, cloud};
use gpudesk_providers::http::{Http, HttpConfig, Pacing, Secret};
use gpudesk_providers::source::{FeedAnswer, Fetch, OfferSource, SourceConfig, SourceError, registry};
use gpudesk_tests::sim::account::TEAM_KEY;
use gpudesk_tests::sim::fault::{Fault, Kind};
use gpudesk_tests::sim::seller::{Seller, sellers};
use gpudesk_tests::sim::{Shared, Sim};

/// A key as anybody has it.
const PUBLIC_KEY: &str =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICN+lJwsONkwrdsSnQsu1ydUkIuIg5oOC+Eslvmtt60T somebody";

/// The most looks until a machine is as wanted: 400 times 3 s of the market's time.
const LOOKS: u32 = 400;

/// The market's time for the HTTP kit: a wait moves it.
struct Paced(Shared);

impl Pacing for Paced {
    fn elapsed(&self) -> Duration {
        Duration::from_nanos(u64::try_from(self.0.clock.now()).unwrap_or(0))
    }

    fn jitter(&self) -> f64 {
        0.5
    }

    fn sleep(&self, time: Duration) -> BoxFuture<'static, ()> {
        self.0.clock.advance(time);
        Box::pin(tokio::task::yield_now())
    }
}

/// One cloud at a market of its own.
pub struct Stage {
    pub seller: &'static Seller,
    pub sim: Sim,
    http: Http,
}

impl Stage {
    async fn of(seller: &'static Seller) -> Self {
        let sim = Sim::start().await.unwrap();
        sim.market.clock.set("2026-11-30T09:00:00Z".parse().unwrap());
        let market = sim.market.clone();
        let mut config = HttpConfig::new(Arc::new(move || market.clock.date()));
        config.pacing = Arc::new(Paced(sim.market.clone()));
        Self { seller, http: Http::new(config).unwrap(), sim }
    }

    pub fn name(&self) -> &'static str {
        self.seller.name
    }

    pub fn now(&self) -> DateTime<Utc> {
        self.sim.market.clock.date()
    }

    pub fn pass(&self, time: Duration) {
        self.sim.market.clock.advance(time);
    }

    /// The cloud as this key sees it.
    pub fn opened(&self, key: &str) -> Result<Box<dyn Cloud>, CloudError> {
        let access =
            Access { http: self.http.clone(), key: Secret::new(key), addresses: self.sim.addresses() };
        (cloud(self.name()).expect("a seller is a cloud of the same name").open)(access)
    }

    /// The cloud as the holder of a practice key sees it.
    pub fn as_holder(&self, practice_key: &str) -> Box<dyn Cloud> {
        self.opened(&(self.seller.given)(practice_key)).unwrap_or_else(|e| panic!("{}: {e}", self.name()))
    }

    /// The cloud as an account in good order sees it.
    pub fn cloud(&self) -> Box<dyn Cloud> {
        self.as_holder(TEAM_KEY)
    }

    fn source(&self) -> Box<dyn OfferSource> {
        let mut config = SourceConfig::default();
        for (service, address) in self.sim.addresses() {
            config.set_address(&service, &address);
        }
        let found = registry(&config).into_iter().find(|source| source.name() == self.name());
        found.unwrap_or_else(|| panic!("no source of offers is called {}", self.name()))
    }

    pub fn needs_key(&self) -> bool {
        self.source().needs_key()
    }

    /// What its source brings with this key or none: each feed's rows or failure.
    pub async fn fetch(&self, key: Option<&str>) -> Vec<Result<Fetched, SourceError>> {
        let key = key.map(|key| Secret::new((self.seller.given)(key)));
        let now = || self.now();
        let cx = Fetch {
            http: &self.http,
            now: &now,
            versions: &BTreeMap::new(),
            rates: &Rates::default(),
            key: key.as_ref(),
        };
        let mut feeds = Vec::new();
        self.source()
            .fetch(&cx, &mut |outcome| {
                feeds.push(outcome.result.map(|answer| match answer {
                    FeedAnswer::Fetched { fetched, .. } => fetched,
                    FeedAnswer::Unchanged { .. } => panic!("{}: unchanged since never", outcome.feed),
                }));
            })
            .await;
        feeds
    }

    /// The offers an account in good order sees.
    pub async fn offers(&self) -> Vec<Offer> {
        let feeds = self.fetch(Some(TEAM_KEY)).await;
        feeds
            .into_iter()
            .flat_map(|feed| feed.unwrap_or_else(|e| panic!("{}: {e}", self.name())).offers)
            .collect()
    }

    /// Offers of this kind that can be rented from here, those that are said to be there first, then by price.
    pub async fn rentable(&self, kind: PriceKind) -> Vec<Offer> {
        let terms = (cloud(self.name()).unwrap().terms)();
        let mut offers = self.offers().await;
        offers.retain(|offer| {
            offer.price.kind == kind
                && offer.supply.state != SupplyState::OutOfStock
                && terms.forms.contains(&offer.form)
        });
        offers.sort_by_key(|offer| (offer.supply.state != SupplyState::InStock, offer.price.per_hour));
        offers
    }

    /// An offer that stands, as it was quoted just now.
    pub async fn offer(&self, kind: PriceKind) -> Offer {
        let cloud = self.cloud();
        let disk = disk(&*cloud);
        let mut words = String::new();
        for offer in self.rentable(kind).await.iter().take(8) {
            match cloud.quote(offer, disk).await {
                Ok(Quote::Stands(now)) => return *now,
                Ok(Quote::Gone { words: gone }) => words = gone,
                Err(error) => panic!("{}: quote of {}: {error}", self.name(), offer.id),
            }
        }
        panic!("{}: no offer of {kind} stands: {words}", self.name());
    }

    /// The order of a machine under this mark.
    pub fn order(&self, cloud: &dyn Cloud, offer: Offer, mark: &str) -> Launch {
        let terms = cloud.terms();
        let image = terms.images.first().cloned().unwrap_or_else(|| Image {
            id: String::new(),
            title: "the offer's own".to_owned(),
            kind: ImageKind::Cuda,
        });
        Launch {
            bid_per_hour: (offer.price.kind == PriceKind::Bid).then_some(offer.price.per_hour),
            offer,
            spec: Spec {
                image,
                disk_gb: disk(cloud),
                ssh_public_key: PUBLIC_KEY.to_owned(),
                ssh_identity: None,
            },
            token: mark.to_owned(),
            name: "behaviour".to_owned(),
            tags: vec![
                ("gpudesk-until".to_owned(), "2026-11-30T17:00:00Z".to_owned()),
                ("gpudesk-owner".to_owned(), "anna".to_owned()),
            ],
            user_data: String::new(),
            end_at: None,
        }
    }

    /// A machine of the usual kind, made under this mark; its id.
    pub async fn launched(&self, cloud: &dyn Cloud, mark: &str) -> String {
        let order = self.order(cloud, self.offer(PriceKind::OnDemand).await, mark);
        let made = cloud.launch(&order).await;
        let id = made.unwrap_or_else(|e| panic!("{}: {e} {:?}", self.name(), e.hint)).remote_id;
        let admitted = cloud.admit(&id, &order.spec).await;
        admitted.unwrap_or_else(|e| panic!("{}: {e}", self.name()));
        id
    }

    /// Looks until the machine is as wanted.
    pub async fn until(
        &self,
        cloud: &dyn Cloud,
        id: &str,
        wanted: impl Fn(Option<&Machine>) -> bool,
    ) -> Option<Machine> {
        let mut last = String::new();
        for _ in 0..LOOKS {
            let look = cloud.look(id).await.unwrap_or_else(|e| panic!("{}: look: {e}", self.name()));
            let machine = match look {
                Look::There(machine) => Some(*machine),
                Look::Absent => None,
            };
            if wanted(machine.as_ref()) {
                return machine;
            }
            last = format!("{machine:?}");
            self.pass(Duration::from_secs(3));
        }
        panic!("{}: in vain, last seen: {last}", self.name());
    }

    /// Looks until the machine runs and there is a way in.
    pub async fn until_up(&self, cloud: &dyn Cloud, id: &str) -> Machine {
        let up = |machine: Option<&Machine>| {
            machine.is_some_and(|machine| machine.state == MachineState::Running && !machine.ssh.is_empty())
        };
        self.until(cloud, id, up).await.unwrap()
    }

    /// Looks until the machine is gone, by word or by its absence.
    pub async fn until_gone(&self, cloud: &dyn Cloud, id: &str) {
        let gone =
            |machine: Option<&Machine>| machine.is_none_or(|machine| machine.state == MachineState::Ended);
        self.until(cloud, id, gone).await;
    }

    /// The machines under this mark, after the time the list may lag.
    pub async fn marked(&self, cloud: &dyn Cloud, mark: &str) -> Vec<Machine> {
        self.pass(cloud.terms().list_lag * 2);
        let listing = cloud.list().await.unwrap_or_else(|e| panic!("{}: list: {e}", self.name()));
        assert!(listing.complete, "{}: {:?}", self.name(), listing.unreadable);
        let ours = |machine: &Machine| {
            machine.token.as_deref() == Some(mark) && machine.state != MachineState::Ended
        };
        listing.machines.into_iter().filter(ours).collect()
    }

    /// How many machines the market has really made at this seller and not ended.
    pub fn really(&self) -> usize {
        use gpudesk_tests::sim::machine::Phase;
        let world = self.sim.market.world();
        let alive = |phase| !matches!(phase, Phase::Gone | Phase::Ending);
        world.machines.iter().filter(|m| m.service == self.seller.service && alive(m.phase)).count()
    }

    /// Arms a fault of the call that makes machines.
    pub fn fault_launch(&self, kind: Kind) {
        let (method, path) = self.seller.paths.launch;
        self.sim.arm(Fault::new(path, kind).method(method).at(self.seller.service).times(1));
    }

    /// Arms a fault of the list, until cleared.
    pub fn fault_list(&self, kind: Kind) {
        let paths = self.seller.paths;
        let fault = Fault::new(paths.list, kind).at(self.seller.service);
        // Where machines are made at the same path, the method tells the two apart.
        let shared = paths.launch.1.starts_with(paths.list);
        self.sim.arm(if shared { fault.method("GET") } else { fault });
    }
}

/// The disk to ask for.
pub fn disk(cloud: &dyn Cloud) -> Option<u32> {
    cloud.terms().disk.map(|range| range.usual)
}

/// Runs a test at every cloud, each at a market of its own, and fails with all clouds that did not pass.
pub async fn everywhere(test: impl AsyncFn(&Stage)) {
    let only = std::env::var("GPUDESK_CLOUD").ok();
    let mut failed = Vec::new();
    for seller in sellers().iter().filter(|seller| only.as_deref().is_none_or(|only| only == seller.name)) {
        let stage = Stage::of(seller).await;
        // What a test broke is dropped with its stage.
        if AssertUnwindSafe(test(&stage)).catch_unwind().await.is_err() {
            failed.push(seller.name);
        }
    }
    assert!(failed.is_empty(), "did not pass: {failed:?}; the reasons stand above");
}
