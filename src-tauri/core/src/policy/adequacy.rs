//! Countries whose protection of personal data the European Commission has found adequate (Article 45 of the GDPR).

use std::sync::OnceLock;

use super::Certificate;
use crate::embedded::rows;

const ADEQUACY: &str = include_str!("../../data/adequacy.csv");

/// Where the decisions are listed.
pub const ADEQUACY_LIST: &str = "commission.europa.eu/law/law-topic/data-protection/international-dimension-data-protection/adequacy-decisions_en";

/// The month this table was last compared with what is known of the list, `YYYY-MM`.
pub const ADEQUACY_READ: &str = "2026-11";

/// One decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Adequacy {
    /// ISO 3166-1 alpha-2.
    pub country: &'static str,
    /// The decision's number.
    pub decision: &'static str,
    /// The day it was adopted.
    pub decided: &'static str,
    /// Whom it covers, where not everybody there; else empty.
    pub scope: &'static str,
    /// What a company there must hold to be covered; `None` = every company of the kind that rents out machines is.
    pub needs: Option<Certificate>,
    /// The day it ends; empty = no day is set.
    pub until: &'static str,
    /// Where the fact is from.
    pub source: &'static str,
}

/// Every decision in force, by country.
#[must_use]
pub fn adequacy() -> &'static [Adequacy] {
    static TABLE: OnceLock<Vec<Adequacy>> = OnceLock::new();
    TABLE.get_or_init(|| {
        rows::<7>(ADEQUACY)
            .into_iter()
            .map(|[country, decision, decided, scope, needs, until, source]| Adequacy {
                country,
                decision,
                decided,
                scope,
                needs: needs.parse().ok(),
                until,
                source,
            })
            .collect()
    })
}

/// The decision for a country.
pub(super) fn adequate(iso2: &str) -> Option<&'static Adequacy> {
    adequacy().iter().find(|one| one.country.eq_ignore_ascii_case(iso2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place;

    #[test]
    fn the_table_reads_whole_and_names_countries_outside_the_area() {
        let read = rows::<7>(ADEQUACY);
        assert_eq!(read.len(), ADEQUACY.lines().count() - 1);
        assert!(adequacy().is_sorted_by_key(|one| one.country));
        for (one, [.., needs, _, _]) in adequacy().iter().zip(&read) {
            assert!(place::country(one.country).is_some(), "{}", one.country);
            assert_eq!(place::zone_matches("EEA", one.country), Ok(false), "{} needs none", one.country);
            assert_eq!(one.needs.is_some(), !needs.is_empty(), "{}", one.country);
            assert!(one.decided.len() == 10 && !one.source.is_empty(), "{}", one.country);
        }
    }

    #[test]
    fn the_countries_are_those_of_the_commissions_list() {
        let countries: Vec<&str> = adequacy().iter().map(|one| one.country).collect();
        assert_eq!(
            countries,
            ["AD", "AR", "BR", "CA", "CH", "FO", "GB", "GG", "IL", "IM", "JE", "JP", "KR", "NZ", "US", "UY"]
        );
        // Only companies of the framework are covered in the United States.
        assert_eq!(adequate("us").and_then(|one| one.needs), Some(Certificate::Dpf));
        assert_eq!(adequate("CH").and_then(|one| one.needs), None);
        assert_eq!(adequate("RU"), None);
        assert_eq!(adequate("IN"), None);
    }
}
