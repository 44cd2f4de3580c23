//! Who sells at the practice market: one entry each, from which ports, addresses, keys, refusals and bills follow.
//!
//! A new one is a folder `tests/sim/<cloud>/` whose `mod.rs` gives `pub fn seller() -> Seller`, a word of [`Service`]
//! and a line in [`sellers`].

use std::sync::OnceLock;

use axum::Router;
use axum::http::{HeaderMap, header};
use axum::response::Response;

use super::Shared;
use super::clock::Nanos;
use super::machine::{Phase, Service};
use super::refusal::Refusal;

/// Where the practice key stands in a request.
#[derive(Clone, Copy)]
pub enum Sent {
    /// `Authorization: Bearer KEY`.
    Bearer,
    /// The whole of this header.
    Header(&'static str),
    /// Somewhere else: a token that was given out for it, a signature. Gives the practice key.
    Own(fn(&HeaderMap) -> Option<String>),
}

impl Sent {
    /// The practice key of a request.
    #[must_use]
    pub fn key(self, headers: &HeaderMap) -> Option<String> {
        let text = |name: &str| headers.get(name)?.to_str().ok();
        match self {
            Self::Bearer => text(header::AUTHORIZATION.as_str())?.strip_prefix("Bearer ").map(str::to_owned),
            Self::Header(name) => text(name).map(str::to_owned),
            Self::Own(read) => read(headers),
        }
    }
}

/// By which rules a seller bills.
#[derive(Clone, Copy)]
pub struct Billing {
    /// Phases in which the cards are charged.
    pub cards: &'static [Phase],
    /// Phases in which the disk is charged at the rate of a running machine.
    pub disk: &'static [Phase],
    /// Phases in which it is charged at the rate of a standing one.
    pub disk_stopped: &'static [Phase],
    /// Seconds that count whole once begun.
    pub increment_s: i64,
    /// Whether credit is paid in before, and what runs is stopped when it is used up.
    pub prepaid: bool,
}

/// Phases of a machine that runs.
pub const RUNNING: &[Phase] = &[Phase::Running, Phase::Stopping];
/// Phases of a machine from its order to its stop.
pub const FROM_ORDER: &[Phase] = &[Phase::Made, Phase::Loading, Phase::Running, Phase::Stopping];
/// Phases of a machine that stands.
pub const STANDING: &[Phase] =
    &[Phase::Offline, Phase::Failed, Phase::Waiting, Phase::Paused, Phase::Stopped];

/// The calls that tests put their faults on.
#[derive(Clone, Copy)]
pub struct Paths {
    /// What the path of the list of machines begins with (a GET).
    pub list: &'static str,
    /// The method and the beginning of the path of the call that makes a machine.
    pub launch: (&'static str, &'static str),
}

/// Someone who sells.
pub struct Seller {
    /// Its word in machines, keys and volumes.
    pub service: Service,
    /// The provider's name in commands: `vast`.
    pub name: &'static str,
    /// The variables that hold its base addresses.
    pub addresses: &'static [&'static str],
    /// The variable that holds the key of an account.
    pub key_variable: &'static str,
    /// Where a request carries the key.
    pub sent: Sent,
    /// The key as a person gives it, made of the practice key: the same text, or a JSON object of several parts.
    pub given: fn(&str) -> String,
    /// Its routes.
    pub routes: fn() -> Router<Shared>,
    /// A refusal in its own form; the path tells its interfaces apart where it has several.
    pub refuse: fn(Refusal, &str, Nanos) -> Response,
    /// How it bills.
    pub billing: Billing,
    /// Who logs in to its machines.
    pub user: &'static str,
    /// The calls that tests put their faults on.
    pub paths: Paths,
    /// Whether it answers at the market's own port, told from others by its paths. Only the oldest do.
    pub shares_port: bool,
}

/// Everyone who sells, one line each.
#[must_use]
pub fn sellers() -> &'static [Seller] {
    static SELLERS: OnceLock<Vec<Seller>> = OnceLock::new();
    SELLERS.get_or_init(|| {
        vec![
            super::vast::seller(),
            super::runpod::seller(),
            super::lambda::seller(),
            super::verda::seller(),
            super::hyperstack::seller(),
            super::vultr::seller(),
            super::shadeform::seller(),
            super::prime::seller(),
            super::aws::seller(),
            super::digitalocean::seller(),
            super::scaleway::seller(),
            super::nebius::seller(),
            super::openstack::selectel(),
            super::openstack::vk(),
            super::openstack::immers(),
            super::openstack::ovh(),
            super::openstack::openstack(),
            // The line of a new seller goes above this one.
        ]
    })
}

/// The seller of a service.
///
/// # Panics
/// Where a service has no line in [`sellers`].
#[must_use]
#[expect(clippy::expect_used, reason = "a missing line is a mistake of whoever added the word")]
pub fn seller(service: Service) -> &'static Seller {
    sellers().iter().find(|seller| seller.service == service).expect("every service has a seller")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_and_variables_are_each_somebodys_own() {
        let all = sellers();
        let variables: Vec<&str> =
            all.iter().flat_map(|s| s.addresses.iter().copied().chain([s.key_variable])).collect();
        assert_eq!(variables.iter().collect::<BTreeSet<_>>().len(), variables.len(), "{variables:?}");
        assert_eq!(all.iter().map(|s| s.name).collect::<BTreeSet<_>>().len(), all.len());
        for variable in variables {
            assert!(
                variable.starts_with("GPUDESK_")
                    && (variable.ends_with("_URL") || variable.ends_with("_KEY")),
                "{variable}"
            );
        }
    }

    #[test]
    fn a_key_is_found_where_each_form_has_it() {
        let mut headers = HeaderMap::new();
        headers.insert("authorization", "Bearer one".parse().unwrap());
        headers.insert("x-auth-token", "two".parse().unwrap());
        assert_eq!(Sent::Bearer.key(&headers).as_deref(), Some("one"));
        assert_eq!(Sent::Header("x-auth-token").key(&headers).as_deref(), Some("two"));
        assert_eq!(Sent::Header("api_key").key(&headers), None);
        assert_eq!(Sent::Own(|_| Some("three".to_owned())).key(&headers).as_deref(), Some("three"));
    }
}
