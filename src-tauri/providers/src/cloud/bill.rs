//! What costs beside machines, and what a provider says it billed.

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

#[cfg(test)]
mod tests {
    use super::*;

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
