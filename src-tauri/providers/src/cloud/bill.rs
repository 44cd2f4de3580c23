//! What costs beside machines, and what a provider says it billed.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use gpudesk_core::money::Currency;
use rust_decimal::Decimal;

/// Something of ours at a provider that is not a machine and may cost: a volume, a filesystem, an address.
#[derive(Debug, Clone, PartialEq)]
pub struct Leftover {
    /// `network volume`, `filesystem`.
    pub what: String,
    /// The provider's id.
    pub remote_id: String,
    /// Its name.
    pub name: Option<String>,
    /// Size in GB, where told.
    pub size_gb: Option<Decimal>,
    /// What it costs a month, where known.
    pub per_month: Option<Decimal>,
    /// Currency of that.
    pub currency: Currency,
}

/// What the provider says it billed for one machine.
#[derive(Debug, Clone, PartialEq)]
pub struct Usage {
    /// The provider's id of the machine; without its zone or region where the bill does not tell that, empty where the
    /// bill names it by its mark alone.
    pub remote_id: String,
    /// The launch's mark, where the bill names the machine, or a disk of it, by that.
    pub token: Option<String>,
    /// From when.
    pub from: DateTime<Utc>,
    /// Until when.
    pub to: DateTime<Utc>,
    /// Cards.
    pub compute: Option<Decimal>,
    /// Disk.
    pub storage: Option<Decimal>,
    /// Traffic.
    pub traffic: Option<Decimal>,
    /// All of it; below zero where more was credited than charged.
    pub total: Decimal,
    /// Currency.
    pub currency: Currency,
}

impl Usage {
    /// Whether this was billed for the machine of this id and mark. Our ids of machines whose own are a zone's have the
    /// zone in front (`fr-par-1_4f0b…`).
    #[must_use]
    pub fn is_of(&self, remote_id: &str, token: &str) -> bool {
        let bare = remote_id.split_once('_').map_or(remote_id, |(_, bare)| bare);
        let named = [remote_id, bare].contains(&self.remote_id.as_str()) && !self.remote_id.is_empty();
        named || self.token.as_deref() == Some(token)
    }
}

/// A row of a bill without these figures of it: where two rows are the same but for them, the bill changed while it was
/// read, and which of the two holds nobody says.
pub(crate) fn without_figures(row: &str, figures: &[&str]) -> String {
    let mut fields: BTreeMap<String, serde_json::Value> = serde_json::from_str(row).unwrap_or_default();
    fields.retain(|name, _| !figures.contains(&name.as_str()));
    format!("{fields:?}")
}

/// What is said of such a bill.
pub(crate) const CHANGED: &str = "the same charge stands there twice with other figures";

/// A bill that comes in pages, each charge once. `I` is what tells a charge from others.
#[derive(Debug)]
pub(crate) struct Bill<I, C> {
    charges: BTreeMap<I, Vec<C>>,
    counted: u64,
    /// Whether a later page had other figures for what an earlier one had told.
    changed: bool,
}

impl<I: Ord, C: PartialEq> Bill<I, C> {
    /// None yet.
    pub fn new() -> Self {
        Self { charges: BTreeMap::new(), counted: 0, changed: false }
    }

    /// Takes in a page, and says whether anything of it is new. A charge of an earlier page was read already, whatever
    /// it comes to by now: a page is repeated, or rows moved on while the pages were read. Of one page, charges that are
    /// equal in everything are one.
    pub fn page(&mut self, rows: impl IntoIterator<Item = (I, C)>) -> bool {
        let mut here: BTreeMap<I, Vec<C>> = BTreeMap::new();
        for (id, charge) in rows {
            if let Some(known) = self.charges.get(&id) {
                self.changed |= !known.contains(&charge);
                continue;
            }
            self.counted += 1;
            let known = here.entry(id).or_default();
            if !known.contains(&charge) {
                known.push(charge);
            }
        }
        let news = !here.is_empty();
        self.charges.extend(here);
        news
    }

    /// Whether there are more rows by the service's own count than the pages held. What a later page repeats stands for
    /// no row; without a count, nobody knows whether a row with other figures does.
    pub fn lacks(&self, total: Option<u64>) -> bool {
        total.map_or(self.changed, |total| self.counted < total)
    }

    /// How many rows the pages held.
    pub fn counted(&self) -> u64 {
        self.counted
    }

    /// All of them.
    pub fn into_charges(self) -> impl Iterator<Item = C> {
        self.charges.into_values().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_charge_is_one_however_often_its_page_comes() {
        let mut bill = Bill::new();
        assert!(
            bill.page([("a", 1), ("a", 2), ("a", 2), ("b", 2)]),
            "of one page, other figures are other charges"
        );
        assert!(!bill.lacks(None) && !bill.lacks(Some(4)) && bill.lacks(Some(5)));
        assert!(!bill.page([("a", 1), ("a", 2), ("b", 2)]) && !bill.lacks(None), "the page again");
        assert!(!bill.page([("a", 1), ("a", 2), ("b", 3)]), "and a while later");
        assert!(bill.lacks(None) && !bill.lacks(Some(4)), "the same charge, or another: the count knows");
        assert!(bill.lacks(Some(5)), "a repeated page is not the one that is missing");
        assert!(bill.page([("b", 2), ("c", 2)]) && !bill.page([]));
        assert_eq!(bill.counted(), 5);
        assert_eq!(bill.into_charges().collect::<Vec<_>>(), [1, 2, 2, 2]);
    }

    #[test]
    fn what_was_billed_is_of_a_machine_by_its_id_or_by_its_mark() {
        let of = |id: &str, token: Option<&str>| Usage {
            remote_id: id.to_owned(),
            token: token.map(str::to_owned),
            from: DateTime::UNIX_EPOCH,
            to: DateTime::UNIX_EPOCH,
            compute: None,
            storage: None,
            traffic: None,
            total: Decimal::ONE,
            currency: Currency::EUR,
        };
        for (row, is) in [
            (of("fr-par-1_4f0b", None), true),
            (of("4f0b", None), true),
            (of("", Some("gpudesk-1")), true),
            (of("disk", Some("gpudesk-1")), true),
            (of("", None), false),
            (of("fr-par-1", None), false),
            (of("4f0b5", Some("gpudesk-12")), false),
        ] {
            assert_eq!(row.is_of("fr-par-1_4f0b", "gpudesk-1"), is, "{row:?}");
        }
        assert!(!of("", None).is_of("", "gpudesk-1"), "what is not told is of nobody");
    }
}
