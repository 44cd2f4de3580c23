//! A kind of machine as several sellers list it, and a machine made of it.

use serde_json::{Value, json};

use super::account::Account;
use super::clock::Nanos;
use super::machine::{Cards, Machine, Rates, Service};
use super::world::World;

/// A kind of machine.
pub struct Kind {
    /// The seller's name of it.
    pub name: &'static str,
    /// The card as the seller spells it.
    pub gpu: &'static str,
    /// The card as its driver spells it.
    pub driver: &'static str,
    /// MiB of one card.
    pub mib: u32,
    /// GiB of one card as the seller says it.
    pub gib: u32,
    /// Cards; 0 = a plain machine.
    pub cards: u32,
    /// Ten-thousandths of the seller's currency an hour.
    pub price: i64,
    /// Processors.
    pub vcpus: u32,
    /// GiB of memory.
    pub memory: u32,
    /// GB of disk.
    pub disk: u32,
    /// Where it can be had, and how many at a time.
    pub places: &'static [(&'static str, usize)],
}

impl Kind {
    /// The price in ten-thousandths, moved by the market's factor.
    #[must_use]
    pub fn cost(&self, factor: f64) -> i64 {
        (self.price as f64 * factor).round() as i64
    }

    /// The price as a number of the seller's currency.
    #[must_use]
    pub fn number(&self, factor: f64) -> f64 {
        self.cost(factor) as f64 / 10_000.0
    }

    /// Whether a place has this kind now.
    #[must_use]
    pub fn has(&self, service: Service, place: &str, world: &World) -> bool {
        if world.sold_out.contains(self.name) || world.sold_out.contains(&format!("{}/{place}", self.name)) {
            return false;
        }
        let taken = |m: &&Machine| {
            m.service == service
                && m.holds_cards()
                && m.facts["kind"] == self.name
                && m.facts["place"] == place
        };
        let most = self.places.iter().find(|(name, _)| *name == place).map_or(0, |(_, most)| *most);
        world.machines.iter().filter(taken).count() < most
    }

    /// A machine of this kind, as it was asked for. Its disk is in the price.
    #[must_use]
    pub fn machine(
        &self,
        (service, account): (Service, Account),
        (id, number): (String, u32),
        (now, factor): (Nanos, f64),
        (place, request): (&str, Value),
    ) -> Machine {
        Machine {
            id,
            name: request["name"].as_str().map(str::to_owned),
            rates: Rates { compute: self.cost(factor) * 100_000, disk: 0, disk_stopped: 0 },
            cards: Cards {
                name: self.driver.to_owned(),
                count: self.cards,
                memory_mib: self.mib,
                watts: 700,
            },
            disk_gb: (f64::from(self.disk), 0.0),
            facts: json!({ "kind": self.name, "place": place, "price": self.number(factor) }),
            request,
            ..Machine::made(service, account, number, now)
        }
    }
}

/// The kind of this name.
#[must_use]
pub fn named<'a>(kinds: &'a [Kind], name: &str) -> Option<&'a Kind> {
    kinds.iter().find(|kind| kind.name == name)
}
