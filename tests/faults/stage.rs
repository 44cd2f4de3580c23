//! A desk, its market and the time of both.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use axum::body::Body;
use axum::http::Request;
use gpudesk_core::offer::{Offer, PriceKind};
use gpudesk_core::rental::{
    Image, ImageKind, Lease, OnExpiry, Parting, Probe, ProbedGpu, Rental, Spec, State,
};
use gpudesk_engine::{
    Answered, Clock, Desk, DeskConfig, Order, Outcome, Parted, Reach, ReachError, Target, Vault,
};
use gpudesk_providers::catalogue;
use gpudesk_providers::cloud::{Access, Cloud, cloud};
use gpudesk_providers::http::{Http, HttpConfig, Secret};
use gpudesk_store::Store;
use gpudesk_tests::sim::Sim;
use gpudesk_tests::sim::account::TEAM_KEY;
use gpudesk_tests::sim::machine::Machine;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::bill::mark_of;
use crate::time::{Paced, Time};
use crate::watched::Watched;

pub const PROVIDERS: [&str; 3] = ["vast", "runpod", "lambda"];

/// How the path of a list of machines begins, and that of an order with its method.
pub fn list_path(provider: &str) -> &'static str {
    match provider {
        "vast" => "/api/v1/instances/",
        "runpod" => "/v2/pods",
        _ => "/api/v1/instances",
    }
}

pub fn order_path(provider: &str) -> (&'static str, &'static str) {
    match provider {
        "vast" => ("/api/v0/asks/", "PUT"),
        "runpod" => ("/v2/pods", "POST"),
        _ => ("/api/v1/instance-operations/launch", "POST"),
    }
}
pub const KEY: &str =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICN+lJwsONkwrdsSnQsu1ydUkIuIg5oOC+Eslvmtt60T somebody";

/// Machines that answer at once; what they report of their cards is nothing.
pub struct Open;

#[async_trait]
impl Reach for Open {
    async fn greet(&self, target: &Target) -> Result<Answered, ReachError> {
        Ok(Answered { fingerprint: format!("SHA256:{}", target.rental) })
    }

    async fn probe(&self, _: &Target) -> Result<Probe, ReachError> {
        Ok(Probe {
            gpus: None::<Vec<ProbedGpu>>,
            gpu_problem: Some("played".to_owned()),
            driver: None,
            cuda: None,
            clock_off_s: None,
        })
    }

    async fn part(&self, _: &Target, _: Parted) -> Result<Parting, ReachError> {
        Ok(Parting { asked: 0, ended: 0, hook: None })
    }
}

pub struct Stage {
    pub provider: &'static str,
    pub sim: Sim,
    pub time: Arc<Time>,
    pub cloud: Arc<Watched>,
    vault: Option<Arc<dyn Vault>>,
    pub home: TempDir,
}

impl Stage {
    pub async fn at(provider: &'static str) -> Self {
        Self::made(provider, None).await
    }

    /// With a keyring of its own.
    pub async fn with_vault(provider: &'static str, vault: Arc<dyn Vault>) -> Self {
        Self::made(provider, Some(vault)).await
    }

    async fn made(provider: &'static str, vault: Option<Arc<dyn Vault>>) -> Self {
        let sim = Sim::start().await.unwrap();
        sim.market.clock.set("2026-11-30T09:00:00Z".parse().unwrap());
        let time = Time::of(sim.market.clone());
        let clock = Arc::clone(&time);
        let mut config = HttpConfig::new(Arc::new(move || clock.now()));
        config.pacing = Arc::new(Paced(Arc::clone(&time)));
        let access = Access {
            http: Http::new(config).unwrap(),
            key: Secret::new(TEAM_KEY),
            addresses: sim.addresses(),
        };
        let cloud = Watched::new((cloud(provider).unwrap().open)(access).unwrap(), Arc::clone(&time));
        // In memory where the system has such a folder: the point is what is written, not the disk under it.
        let memory = PathBuf::from("/dev/shm");
        let home = if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() }.unwrap();
        let stage = Self { provider, sim, time, cloud, vault, home };
        // The price lists that ship are of no use here and take their time.
        let store = Store::open(&stage.config().database()).await.unwrap();
        let version = Value::String(catalogue::shipped_version()).to_string();
        store.set_setting("shipped-lists", &version).await.unwrap();
        stage
    }

    fn config(&self) -> DeskConfig {
        let mut config = DeskConfig::new(self.home.path().to_path_buf());
        config.clock = Arc::clone(&self.time) as Arc<dyn Clock>;
        let cloud: Arc<dyn Cloud> = Arc::clone(&self.cloud) as Arc<dyn Cloud>;
        config.clouds.insert(self.provider.to_owned(), cloud);
        config.reach = Some(Arc::new(Open));
        config.ssh_folder = None;
        if let Some(vault) = &self.vault {
            config.vault = Arc::clone(vault);
        }
        config
    }

    /// The desk as a start of the program finds it.
    pub async fn desk(&self) -> Desk {
        Desk::open(self.config()).await.unwrap()
    }

    /// A desk that reaches machines in another way.
    pub async fn desk_reaching(&self, reach: Arc<dyn Reach>) -> Desk {
        let mut config = self.config();
        config.reach = Some(reach);
        Desk::open(config).await.unwrap()
    }

    /// A bid for a machine, where there are bids, and what is bid: a fifth above the least.
    pub async fn bid(&self) -> Option<(Offer, Decimal)> {
        if self.provider != "vast" {
            return None;
        }
        let row = self.a_vast_row("bid").await;
        let least = Decimal::from_f64_retain(row["min_bid"].as_f64().unwrap()).unwrap();
        let bid = (least * Decimal::new(12, 1)).round_dp(4);
        let mut offer = self.offer().await;
        let (machine, count) = (&row["machine_id"], row["num_gpus"].as_u64().unwrap());
        offer.id = format!("vast:{machine}x{count}-bid");
        offer.price.kind = PriceKind::Bid;
        Some((offer, bid))
    }

    /// Two times the same machine: something of every cloud that is there.
    pub async fn offer(&self) -> Offer {
        let offer = |id: &str, name: &str, raw: &str, count: u64, region: &str| {
            serde_json::from_value(json!({
                "id": id, "provider": self.provider, "cloud": self.provider, "source": "live", "name": name,
                "form": "container", "isolation": "shared-host", "gpu": {"count": count, "raw_name": raw},
                "place": {"region": region}, "supply": {"state": "in-stock"},
                "price": {"kind": "on-demand", "currency": "USD", "per_hour": "0.5"},
            }))
            .unwrap()
        };
        match self.provider {
            "vast" => {
                let row = self.a_vast_row("on-demand").await;
                let (machine, count) = (&row["machine_id"], row["num_gpus"].as_u64().unwrap());
                offer(&format!("vast:{machine}x{count}-on-demand"), "0", "RTX 4090", count, "")
            }
            "runpod" => {
                let card = "NVIDIA GeForce RTX 4090";
                offer(&format!("runpod:{card}x8-secure-EU-SE-1"), card, card, 8, "EU-SE-1")
            }
            "vultr" => {
                let plan = "vcg-l40s-16c-180g-48vram";
                offer(&format!("vultr:{plan}@fra-on-demand"), plan, "NVIDIA_L40S", 1, "fra")
            }
            _ => offer("lambda:gpu_1x_a10-us-east-1", "gpu_1x_a10", "A10", 1, "us-east-1"),
        }
    }

    async fn a_vast_row(&self, kind: &str) -> Value {
        let body = json!({"type": kind, "num_gpus": {"eq": 2}, "verified": {"eq": true}});
        let request = Request::post("/api/v0/bundles/").body(Body::from(body.to_string())).unwrap();
        let response = self.sim.ask(request).await.unwrap();
        let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
        serde_json::from_slice::<Value>(&bytes).unwrap()["offers"][0].clone()
    }

    pub fn order(&self, offer: Offer, name: &str) -> Order {
        let image = match self.provider {
            "vast" => "vastai/base-image",
            "runpod" => "runpod/base",
            "vultr" => "1743",
            _ => "lambda-stack-24-04",
        };
        Order {
            offer,
            account: self.provider.to_owned(),
            name: name.to_owned(),
            spec: Spec {
                image: Image { id: image.to_owned(), title: image.to_owned(), kind: ImageKind::Custom },
                disk_gb: (self.provider != "lambda").then_some(50),
                ssh_public_key: KEY.to_owned(),
                ssh_identity: None,
            },
            lease: Lease { until: None, max_spend: None, idle_minutes: None, on_expiry: OnExpiry::Notify },
            owner: None,
            project: None,
            max_price: Some(Decimal::from(1000)),
            override_policy: None,
        }
    }

    /// A rental that can be used.
    pub async fn ready(&self, desk: &Desk, name: &str) -> Rental {
        let order = self.order(self.offer().await, name);
        let Outcome::Requested(rental) = desk.launch(order).await.unwrap() else { panic!("no order") };
        self.tend_until(desk, &rental.record.id, |rental| rental.state == State::Ready).await
    }

    /// Lets so much pass, tending each half second.
    pub async fn tend_for(&self, desk: &Desk, seconds: u64) {
        for _ in 0..seconds * 2 {
            self.time.pass(Duration::from_millis(500));
            desk.tend().await.unwrap();
        }
    }

    /// The machines bearing the mark of a rental.
    pub fn machines_of(&self, rental: &Rental) -> Vec<Machine> {
        let world = self.sim.market.world();
        world.machines.iter().filter(|m| mark_of(m) == rental.record.token).cloned().collect()
    }

    /// Lets something befall a machine.
    pub fn befall(&self, id: &str, what: &str) {
        let now = self.sim.market.clock.now();
        self.sim.market.world().befall(id, &json!({ "do": what }), now).unwrap();
    }

    /// Tends until a rental is as wanted; how it stands then, or in vain.
    pub async fn tend_until(&self, desk: &Desk, id: &str, wanted: impl Fn(&Rental) -> bool) -> Rental {
        for _ in 0..2_000 {
            let rental = desk.rental(id).await.unwrap();
            if wanted(&rental) {
                return rental;
            }
            desk.tend().await.unwrap();
            self.time.pass(Duration::from_millis(500));
        }
        let events = desk.rental_events(id).await.unwrap();
        panic!("in vain at {}: {events:#?}", self.provider);
    }
}
