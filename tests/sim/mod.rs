//! The practice market: the addresses the desk reads and rents at, on loopback, with faults that can be switched on.
//!
//! Paths and shapes are those of the real services; the offers are made up. Rented machines live by the simulator's
//! own clock, which is the real one until a test sets it, and keep a bill by the seller's rules.
//!
//! Keys: [`account::GOOD_KEY`], [`account::READ_ONLY_KEY`], [`account::POOR_KEY`], [`account::TEAM_KEY`] at every
//! service.
//!
//! Beside the services' own paths there are some of ours, all in `control`:
//! - `POST /_sim/faults` with a [`fault::Fault`] arms a fault; `DELETE /_sim/faults` clears all,
//! - `POST /_sim/prices` with `{"factor": 1.1}` moves every price of the live clouds,
//! - `GET /_sim/requests` lists what was asked so far,
//! - `GET /_sim/clock`, `POST /_sim/clock` with `{"set": "2026-11-30T09:00:00Z"}` or `{"advance": 60}` (seconds),
//! - `POST /_sim/pace` with any of [`world::Pace`]'s fields in milliseconds,
//! - `POST /_sim/stock` with `{"sold_out": [NAME…]}`: what cannot be had,
//! - `GET /_sim/machines` lists every machine with its bill in nano-dollars; `POST /_sim/machines/{id}` with
//!   `{"do": …}` lets something befall it, see [`world::World::befall`].

pub mod account;
pub mod boxes;
pub mod catalogue;
pub mod clock;
mod control;
pub mod fault;
pub mod graphql;
pub mod lambda;
pub mod machine;
pub mod rates;
pub mod refusal;
pub mod runpod;
pub mod state;
pub mod twist;
pub mod vast;
pub mod world;

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

use account::{Caller, caller};
use boxes::Yard;
use clock::{Nanos, SimClock};
use fault::{Fault, Lost};
use machine::Machine;
use refusal::Refusal;
use world::World;

/// What the market is told and what it remembers.
pub struct Market {
    /// Its time.
    pub clock: SimClock,
    faults: Mutex<Vec<Fault>>,
    factor: Mutex<f64>,
    requests: Mutex<Vec<(Nanos, String)>>,
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
    fn note(&self, method: &str, path: &str) {
        lock(&self.requests).push((self.clock.now(), format!("{method} {path}")));
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

/// Lets someone in who has a key: the world as it is now, who it is, the time. `path` says in whose form a refusal is.
fn enter<'a>(
    market: &'a Market,
    headers: &HeaderMap,
    path: &str,
    write: bool,
) -> Result<(MutexGuard<'a, World>, Caller, Nanos), Refused> {
    let now = market.clock.now();
    let world = market.world();
    let refuse = |why| Refused::from(refusal::answer(why, path, now));
    let caller = caller(headers, &world).ok_or_else(|| refuse(Refusal::BadKey))?;
    if write && !caller.may_write {
        return Err(refuse(Refusal::Forbidden));
    }
    Ok((world, caller, now))
}

/// A running practice market. It ends with the runtime it was started on.
pub struct Sim {
    /// Where it listens.
    pub address: SocketAddr,
    /// What it is told; tests in the same process may reach in.
    pub market: Shared,
}

/// The variables that hold the base addresses of everything the desk asks.
pub const SERVICES: [&str; 7] = [
    "GPUDESK_VAST_URL",
    "GPUDESK_RUNPOD_URL",
    "GPUDESK_RUNPOD_GRAPHQL_URL",
    "GPUDESK_LAMBDA_URL",
    "GPUDESK_CATALOGUE_URL",
    "GPUDESK_ECB_URL",
    "GPUDESK_CBR_URL",
];

/// The variables that hold the keys of those who sell.
pub const KEYS: [&str; 3] = ["GPUDESK_VAST_KEY", "GPUDESK_RUNPOD_KEY", "GPUDESK_LAMBDA_KEY"];

impl Sim {
    /// Starts a market on a free loopback port.
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

    /// Starts a market at this address with what was rented before, and with real machines where a folder for them is
    /// named.
    ///
    /// # Errors
    /// When the address is taken.
    pub async fn start_with(
        address: SocketAddr,
        world: World,
        machines: Option<PathBuf>,
    ) -> std::io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let market = Arc::new(Market::new(world, machines));
        let router = router(market.clone()).layer(middleware::from_fn(fault::cut_lost));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(Self { address, market })
    }

    /// The variables that send the desk here.
    #[must_use]
    pub fn environment(&self) -> Vec<(&'static str, String)> {
        SERVICES.iter().map(|name| (*name, format!("http://{}", self.address))).collect()
    }

    /// The variables that give the desk an account at everyone who sells here.
    #[must_use]
    pub fn keys(&self) -> Vec<(&'static str, String)> {
        KEYS.iter().map(|name| (*name, account::GOOD_KEY.to_owned())).collect()
    }

    /// The same routes without a connection.
    pub fn router(&self) -> Router {
        router(self.market.clone())
    }

    /// Asks without a connection; `None` where a fault lost the request or its answer.
    pub async fn ask(&self, request: Request<Body>) -> Option<Response> {
        let response = match self.router().oneshot(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        };
        response.extensions().get::<Lost>().is_none().then_some(response)
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
        lock(&self.market.requests).iter().map(|(_, request)| request.clone()).collect()
    }

    /// The same with the simulator's time of each.
    #[must_use]
    pub fn requests_at(&self) -> Vec<(Nanos, String)> {
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

fn router(market: Shared) -> Router {
    let services = Router::new()
        .merge(vast::routes())
        .merge(runpod::routes())
        .merge(lambda::routes())
        .merge(rates::routes())
        .merge(catalogue::routes())
        .layer(middleware::from_fn_with_state(market.clone(), fault::inject));
    control::routes().merge(services).with_state(market)
}
