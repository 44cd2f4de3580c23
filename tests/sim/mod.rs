//! The practice market: the addresses the desk reads and rents at, on loopback, with faults that can be switched on.
//!
//! Paths and shapes are those of the real services; the offers are made up. Rented machines live by the simulator's
//! own clock, which is the real one until a test sets it, and keep a bill by the seller's rules.
//!
//! Everyone who sells is an entry of [`seller::sellers`] with a loopback port of its own (the oldest share one), whose
//! addresses are told as the variables a desk reads.
//!
//! Keys: [`account::GOOD_KEY`], [`account::READ_ONLY_KEY`], [`account::POOR_KEY`], [`account::TEAM_KEY`] at every
//! service, in that service's own form.
//!
//! Beside the services' own paths there are some of ours, at every port, all in `control`:
//! - `POST /_sim/faults` with a [`fault::Fault`] arms a fault; `DELETE /_sim/faults` clears all,
//! - `POST /_sim/prices` with `{"factor": 1.1}` moves every price of the live clouds,
//! - `GET /_sim/requests` lists what was asked so far,
//! - `GET /_sim/clock`, `POST /_sim/clock` with `{"set": "2026-11-30T09:00:00Z"}` or `{"advance": 60}` (seconds),
//! - `POST /_sim/pace` with any of [`world::Pace`]'s fields in milliseconds,
//! - `POST /_sim/timers` with `{"timers": "kept" | "lost" | "idle"}`: what sellers make of timers, see [`world::Timers`],
//! - `POST /_sim/stock` with `{"sold_out": [NAME…]}`: what cannot be had,
//! - `GET /_sim/machines` lists every machine with its bill in nano-dollars; `POST /_sim/machines/{id}` with
//!   `{"do": …}` lets something befall it, see [`world::World::befall`].

pub mod account;
pub mod aws;
pub mod boxes;
pub mod catalogue;
pub mod clock;
mod control;
pub mod digitalocean;
pub mod fault;
pub mod graphql;
pub mod hyperstack;
pub mod kind;
pub mod lambda;
pub mod machine;
pub mod month;
pub mod nebius;
pub mod openstack;
mod prices;
pub mod prime;
pub mod rates;
pub mod refusal;
pub mod runpod;
pub mod scaleway;
pub mod seller;
pub mod shadeform;
pub mod state;
pub mod twist;
pub mod vast;
pub mod verda;
pub mod vultr;
pub mod world;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Body;
use axum::extract::Request;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use axum::{Router, middleware};
use serde_json::Value;
use tokio::net::TcpListener;
use tower::ServiceExt;

use account::{Caller, holder};
use boxes::Yard;
use clock::{Nanos, SimClock};
use fault::{Door, Fault, Lost};
use machine::{Machine, Service};
use refusal::Refusal;
use seller::{Seller, seller, sellers};
use world::World;

/// What the market is told and what it remembers.
pub struct Market {
    /// Its time.
    pub clock: SimClock,
    faults: Mutex<Vec<Fault>>,
    factor: Mutex<f64>,
    requests: Mutex<Vec<Asked>>,
    world: Mutex<World>,
    /// The machines' SSH servers, where there are any.
    yard: Option<Yard>,
}

impl Market {
    fn new(world: World, machines: Option<PathBuf>) -> Self {
        Self {
            clock: SimClock::default(),
            faults: Mutex::default(),
            factor: Mutex::new(1.0),
            requests: Mutex::default(),
            world: Mutex::new(world),
            yard: machines.map(Yard::new),
        }
    }

    /// By what every price of the live clouds is multiplied.
    #[must_use]
    pub fn factor(&self) -> f64 {
        *lock(&self.factor)
    }

    /// Remembers a request.
    fn note(&self, service: Service, method: &str, path: &str) {
        lock(&self.requests).push(Asked {
            at: self.clock.now(),
            service,
            request: format!("{method} {path}"),
        });
    }

    /// Everything rented, moved on to now.
    pub fn world(&self) -> MutexGuard<'_, World> {
        let mut world = lock(&self.world);
        let now = self.clock.now();
        world.settle(now);
        if let Some(yard) = &self.yard {
            yard.sync(&mut world, now);
        }
        world
    }

    /// Where a machine's SSH server is: its own on loopback, or else an address that nobody has.
    fn address_of(&self, machine: &Machine) -> (String, u16) {
        match machine.port {
            Some(port) => ("127.0.0.1".to_owned(), port),
            // A restarted container has another port.
            None => {
                let port = 40_000 + (machine.number * 8 + machine.starts % 8) % 20_000;
                ("203.0.113.7".to_owned(), u16::try_from(port).unwrap_or(0))
            }
        }
    }
}

/// A request that came in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// When.
    pub at: Nanos,
    /// Whom.
    pub service: Service,
    /// `METHOD /path`.
    pub request: String,
}

/// A shared market.
pub type Shared = Arc<Market>;

/// An answer that refuses.
pub struct Refused(Box<Response>);

impl From<Response> for Refused {
    fn from(response: Response) -> Self {
        Self(Box::new(response))
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        *self.0
    }
}

/// What a route answers.
pub type Answer = Result<Response, Refused>;

/// Locks, also after a panic elsewhere: the simulator must go on answering the tests that follow.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The JSON of a body; null where it is none.
fn document(body: &[u8]) -> Value {
    serde_json::from_slice(body).unwrap_or(Value::Null)
}

/// Lets someone in who has a key at a service of the market's own port, which `path` tells.
fn enter<'a>(
    market: &'a Market,
    headers: &HeaderMap,
    path: &str,
    write: bool,
) -> Result<(MutexGuard<'a, World>, Caller, Nanos), Refused> {
    enter_at(market, (refusal::service(path), path), headers, write)
}

/// Lets someone in who has a key at this service: the world as it is now, who it is, the time. A refusal is in the form
/// the service has at this path.
fn enter_at<'a>(
    market: &'a Market,
    (service, path): (Service, &str),
    headers: &HeaderMap,
    write: bool,
) -> Result<(MutexGuard<'a, World>, Caller, Nanos), Refused> {
    let now = market.clock.now();
    let world = market.world();
    let refuse = |why| Refused::from(refusal::of(service, why, path, now));
    let key = seller(service).sent.key(headers);
    let caller = key.and_then(|key| holder(&key, &world)).ok_or_else(|| refuse(Refusal::BadKey))?;
    if write && !caller.may_write {
        return Err(refuse(Refusal::Forbidden));
    }
    Ok((world, caller, now))
}

/// A running practice market. It ends with the runtime it was started on.
pub struct Sim {
    /// Where the market itself listens, with the price lists and the oldest sellers.
    pub address: SocketAddr,
    /// Where each other seller listens.
    doors: Vec<(Service, SocketAddr)>,
    /// What it is told; tests in the same process may reach in.
    pub market: Shared,
}

/// The variables that hold the base addresses of what the market answers beside its sellers.
const OWN: [&str; 3] = ["GPUDESK_CATALOGUE_URL", "GPUDESK_ECB_URL", "GPUDESK_CBR_URL"];

/// The same with the price lists that are asked for at the market's own port.
fn price_lists() -> impl Iterator<Item = &'static str> {
    OWN.into_iter().chain(prices::ADDRESSES)
}

/// The variables that hold the base addresses of everything the desk asks.
#[must_use]
pub fn variables() -> Vec<&'static str> {
    sellers().iter().flat_map(|seller| seller.addresses).copied().chain(price_lists()).collect()
}

impl Sim {
    /// Starts a market on free loopback ports.
    ///
    /// # Errors
    /// When no port can be had.
    pub async fn start() -> std::io::Result<Self> {
        Self::start_at(SocketAddr::from(([127, 0, 0, 1], 0))).await
    }

    /// Starts a market at this address.
    ///
    /// # Errors
    /// When the address is taken.
    pub async fn start_at(address: SocketAddr) -> std::io::Result<Self> {
        Self::start_with(address, World::default(), None).await
    }

    /// Starts a market at this address, its further sellers at free ports of the same host, with what was rented before,
    /// and with real machines where a folder for them is named.
    ///
    /// # Errors
    /// When the address is taken.
    pub async fn start_with(
        address: SocketAddr,
        world: World,
        machines: Option<PathBuf>,
    ) -> std::io::Result<Self> {
        let market = Arc::new(Market::new(world, machines));
        let own = serve(address, router(&market)).await?;
        let mut doors = Vec::new();
        for seller in sellers().iter().filter(|seller| !seller.shares_port) {
            let at = serve(SocketAddr::new(address.ip(), 0), router_of(seller, &market)).await?;
            doors.push((seller.service, at));
        }
        Ok(Self { address: own, doors, market })
    }

    /// Where a seller listens.
    #[must_use]
    pub fn address_of(&self, service: Service) -> SocketAddr {
        self.doors.iter().find(|(whose, _)| *whose == service).map_or(self.address, |(_, at)| *at)
    }

    /// The variables that send the desk here.
    #[must_use]
    pub fn environment(&self) -> Vec<(&'static str, String)> {
        let lists = price_lists().map(|name| (name, format!("http://{}", self.address)));
        sellers()
            .iter()
            .flat_map(|seller| {
                let address = format!("http://{}", self.address_of(seller.service));
                seller.addresses.iter().map(move |name| (*name, address.clone()))
            })
            .chain(lists)
            .collect()
    }

    /// The same by service name as an adapter wants it: the middle of the variable in lower case.
    #[must_use]
    pub fn addresses(&self) -> BTreeMap<String, String> {
        let bare = |name: &str| name.trim_start_matches("GPUDESK_").trim_end_matches("_URL").to_lowercase();
        self.environment().into_iter().map(|(name, address)| (bare(name), address)).collect()
    }

    /// The variables that give the desk an account at everyone who sells here.
    #[must_use]
    pub fn keys(&self) -> Vec<(&'static str, String)> {
        sellers().iter().map(|seller| (seller.key_variable, (seller.given)(account::GOOD_KEY))).collect()
    }

    /// The routes of the market's own port without a connection.
    pub fn router(&self) -> Router {
        router(&self.market)
    }

    /// Asks at the market's own port without a connection; `None` where a fault lost the request or its answer.
    pub async fn ask(&self, request: Request<Body>) -> Option<Response> {
        asked(self.router(), request).await
    }

    /// Asks a seller of another port without a connection.
    pub async fn ask_of(&self, service: Service, request: Request<Body>) -> Option<Response> {
        asked(router_of(seller(service), &self.market), request).await
    }

    /// Arms a fault.
    pub fn arm(&self, fault: Fault) {
        lock(&self.market.faults).push(fault);
    }

    /// Disarms all faults.
    pub fn disarm(&self) {
        lock(&self.market.faults).clear();
    }

    /// Moves every price of the live clouds.
    pub fn set_factor(&self, factor: f64) {
        *lock(&self.market.factor) = factor;
    }

    /// `METHOD /path` of every request so far.
    #[must_use]
    pub fn requests(&self) -> Vec<String> {
        lock(&self.market.requests).iter().map(|asked| asked.request.clone()).collect()
    }

    /// The same with whom and when.
    #[must_use]
    pub fn asked(&self) -> Vec<Asked> {
        lock(&self.market.requests).clone()
    }

    /// The bill of a machine until now, in nano-dollars; `None` = no such machine was ever made.
    #[must_use]
    pub fn bill(&self, id: &str) -> Option<i64> {
        let world = self.market.world();
        let machine = world.machines.iter().find(|m| m.id == id)?;
        Some(machine.bill(None, self.market.clock.now()))
    }
}

async fn serve(address: SocketAddr, router: Router) -> std::io::Result<SocketAddr> {
    let listener = TcpListener::bind(address).await?;
    let address = listener.local_addr()?;
    let router = router.layer(middleware::from_fn(fault::cut_lost));
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(address)
}

async fn asked(router: Router, request: Request<Body>) -> Option<Response> {
    let response = match router.oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    };
    response.extensions().get::<Lost>().is_none().then_some(response)
}

/// The market's own port: the price lists, and the sellers that share it.
fn router(market: &Shared) -> Router {
    let lists = Router::new().merge(rates::routes()).merge(catalogue::routes()).merge(prices::routes());
    let shared = sellers().iter().filter(|seller| seller.shares_port);
    let services = shared.fold(lists, |router, seller| router.merge((seller.routes)()));
    door(services, market, None)
}

/// The port of one seller.
fn router_of(seller: &Seller, market: &Shared) -> Router {
    door((seller.routes)(), market, Some(seller.service))
}

fn door(services: Router<Shared>, market: &Shared, service: Option<Service>) -> Router {
    let door = Door { market: market.clone(), service };
    let services = services.layer(middleware::from_fn_with_state(door, fault::inject));
    control::routes().merge(services).with_state(market.clone())
}
