//! The practice market: the public addresses the desk reads, on loopback, with faults that can be switched on.
//!
//! Paths and shapes are those of the real services; the offers are made up. What is not here: anything that needs an
//! account.
//!
//! Beside the services' own paths there are three of ours:
//! - `POST /_sim/faults` with a [`fault::Fault`] arms a fault; `DELETE /_sim/faults` clears all,
//! - `POST /_sim/prices` with `{"factor": 1.1}` moves every price of the live clouds,
//! - `GET /_sim/requests` lists what was asked so far.

pub mod catalogue;
pub mod fault;
pub mod graphql;
pub mod rates;
pub mod runpod;
pub mod vast;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::State;
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use fault::Fault;

/// What the market is told and what it remembers.
pub struct Market {
    faults: Mutex<Vec<Fault>>,
    factor: Mutex<f64>,
    requests: Mutex<Vec<String>>,
}

impl Market {
    fn new() -> Self {
        Self { faults: Mutex::default(), factor: Mutex::new(1.0), requests: Mutex::default() }
    }

    /// By what every price of the live clouds is multiplied.
    #[must_use]
    pub fn factor(&self) -> f64 {
        *lock(&self.factor)
    }
}

/// A shared market.
pub type Shared = Arc<Market>;

/// Locks, also after a panic elsewhere: the simulator must go on answering the tests that follow.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A running practice market. It ends with the runtime it was started on.
pub struct Sim {
    /// Where it listens.
    pub address: SocketAddr,
    /// What it is told; tests in the same process may reach in.
    pub market: Shared,
}

/// The variables that hold the base addresses of everything the desk asks.
pub const SERVICES: [&str; 5] = [
    "GPUDESK_VAST_URL",
    "GPUDESK_RUNPOD_GRAPHQL_URL",
    "GPUDESK_CATALOGUE_URL",
    "GPUDESK_ECB_URL",
    "GPUDESK_CBR_URL",
];

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
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let market = Arc::new(Market::new());
        let router = router(market.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(Self { address, market })
    }

    /// The variables that send the desk here.
    #[must_use]
    pub fn environment(&self) -> Vec<(&'static str, String)> {
        SERVICES.iter().map(|name| (*name, format!("http://{}", self.address))).collect()
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
        lock(&self.market.requests).clone()
    }
}

fn router(market: Shared) -> Router {
    let services = Router::new()
        .merge(vast::routes())
        .merge(runpod::routes())
        .merge(rates::routes())
        .merge(catalogue::routes())
        .layer(middleware::from_fn_with_state(market.clone(), fault::inject));
    Router::new()
        .route("/_sim/faults", post(arm).delete(disarm))
        .route("/_sim/prices", post(set_prices))
        .route("/_sim/requests", get(requests))
        .merge(services)
        .with_state(market)
}

async fn arm(State(market): State<Shared>, Json(fault): Json<Fault>) -> Json<Value> {
    lock(&market.faults).push(fault);
    Json(json!({ "armed": lock(&market.faults).len() }))
}

async fn disarm(State(market): State<Shared>) -> Json<Value> {
    lock(&market.faults).clear();
    Json(json!({ "armed": 0 }))
}

async fn set_prices(State(market): State<Shared>, Json(request): Json<Value>) -> Json<Value> {
    if let Some(factor) = request["factor"].as_f64() {
        *lock(&market.factor) = factor;
    }
    Json(json!({ "factor": market.factor() }))
}

async fn requests(State(market): State<Shared>) -> Json<Vec<String>> {
    Json(lock(&market.requests).clone())
}
