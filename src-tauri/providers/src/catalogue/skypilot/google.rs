//! Google sells accelerators and machines apart: the list has a row for `8 × H100` with an empty type, and a row for
//! `a3-highgpu-8g` without cards. Only both together can be rented, so a price is given only where both are listed
//! in the same zone. TPU slices come with their hosts.

use std::collections::HashMap;

use gpudesk_core::offer::PriceKind;
use rust_decimal::Decimal;

use super::row::Cells;
use crate::catalogue::listing::Tariff;

/// Types whose cards are built in, by the name the list gives the cards. Type = prefix + number + `g`.
/// Source: cloud.google.com/compute/docs/gpus, machine series A2, A3, A4.
const BUILT_IN: [(&str, &str); 7] = [
    ("A100", "a2-highgpu-"),
    ("A100", "a2-megagpu-"),
    ("A100-80GB", "a2-ultragpu-"),
    ("B200", "a4-highgpu-"),
    ("H100", "a3-highgpu-"),
    ("H100-MEGA", "a3-megagpu-"),
    ("H200", "a3-ultragpu-"),
];

/// G2 types and their number of L4. Source: cloud.google.com/compute/docs/gpus, machine series G2.
const G2: [(u32, &str); 8] = [
    (1, "g2-standard-4"),
    (1, "g2-standard-8"),
    (1, "g2-standard-12"),
    (1, "g2-standard-16"),
    (1, "g2-standard-32"),
    (2, "g2-standard-24"),
    (4, "g2-standard-48"),
    (8, "g2-standard-96"),
];

/// A machine without its cards.
#[derive(Debug, Clone)]
pub(super) struct Host {
    /// Name of the type.
    pub machine: String,
    /// Virtual CPUs.
    pub vcpu: Option<f64>,
    /// RAM in GiB.
    pub ram_gib: Option<f64>,
    holds: (&'static str, u32),
    on_demand: Option<Decimal>,
    spot: Option<Decimal>,
}

/// The machines of the list, by zone.
#[derive(Debug, Default)]
pub(super) struct Hosts {
    by_zone: HashMap<String, Vec<Host>>,
}

impl Hosts {
    /// Takes note of a row without cards, if it is a machine that holds some. The first price of a machine in a zone
    /// counts.
    pub fn add(&mut self, cells: &Cells<'_>) {
        let Some(holds) = holds(cells.machine) else { return };
        let hosts = self.by_zone.entry(cells.zone.to_owned()).or_default();
        if hosts.iter().any(|host| host.machine == cells.machine) {
            return;
        }
        let price = |text| gpudesk_core::quarantine::price(text).ok();
        hosts.push(Host {
            machine: cells.machine.to_owned(),
            vcpu: cells.vcpu,
            ram_gib: cells.ram_gib,
            holds,
            on_demand: price(cells.price),
            spot: price(cells.spot),
        });
    }

    /// The machines of a zone that hold so many of these cards.
    pub fn matching(&self, zone: &str, card: &str, count: u32) -> impl Iterator<Item = &Host> {
        let hosts = self.by_zone.get(zone).map(Vec::as_slice).unwrap_or_default();
        hosts.iter().filter(move |host| host.holds == (card, count))
    }
}

impl Host {
    /// The prices of the machine with its cards: only kinds for which both have one.
    pub fn with_cards(&self, cards: &[Tariff]) -> Vec<Tariff> {
        let own = |kind| match kind {
            PriceKind::OnDemand => self.on_demand,
            PriceKind::Spot => self.spot,
            PriceKind::Reserved | PriceKind::Bid => None,
        };
        cards
            .iter()
            .filter_map(|tariff| {
                let per_hour = tariff.per_hour.checked_add(own(tariff.kind)?)?;
                Some(Tariff { per_hour, ..*tariff })
            })
            .collect()
    }
}

/// The cards of a machine type, by the name the list gives them, and how many.
fn holds(machine: &str) -> Option<(&'static str, u32)> {
    if let Some((cards, _)) = G2.iter().find(|(_, name)| *name == machine) {
        return Some(("L4", *cards));
    }
    BUILT_IN.iter().find_map(|(card, prefix)| {
        let number = machine.strip_prefix(prefix)?.strip_suffix('g')?;
        Some((*card, number.parse().ok()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_holds_the_cards_its_name_says() {
        assert_eq!(holds("a3-highgpu-8g"), Some(("H100", 8)));
        assert_eq!(holds("a3-megagpu-8g"), Some(("H100-MEGA", 8)));
        assert_eq!(holds("a2-megagpu-16g"), Some(("A100", 16)));
        assert_eq!(holds("a2-ultragpu-2g"), Some(("A100-80GB", 2)));
        assert_eq!(holds("g2-standard-32"), Some(("L4", 1)));
        assert_eq!(holds("g2-standard-24"), Some(("L4", 2)));
        assert_eq!(holds("n1-standard-8"), None, "N1 machines are priced elsewhere");
        assert_eq!(holds("a3-highgpu-xg"), None);
    }
}
