//! What residency policies say of the rows, and how many rows each would keep and hide.

use std::collections::BTreeMap;

use super::Board;
use super::plan::Dimension;
use super::scan::Scan;
use crate::policy::{Policy, Reason, Subject};

/// What one policy would do to the rows that match everything else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Its name.
    pub policy: String,
    /// Rows that break nothing of it.
    pub rows: u32,
    /// Rows that break it, by the code of the first reason: the most frequent first.
    pub hidden: Vec<(&'static str, u32)>,
}

/// What breaks a policy, by country, seller and setting. The first one of a row counts: a hidden operator, then place,
/// companies and certificates, isolation, as [`Policy::judge`] lists them.
pub(super) struct Broken {
    countries: Vec<Option<&'static str>>,
    sellers: Vec<Option<&'static str>>,
    settings: Vec<Option<&'static str>>,
}

const HIDDEN: &str = "operator-hidden";

impl Broken {
    pub(super) fn new(board: &Board, policy: &Policy) -> Self {
        let texts = &board.texts;
        let code = |reason: Option<Reason>| reason.filter(Reason::is_breach).map(|reason| reason.code());
        let of_country = |country: Option<&str>| code(policy.of_place(country, None));
        let sellers = board.sellers.iter().map(|seller| {
            let subject = Subject {
                provider: texts.providers.get(seller.provider),
                cloud: texts.providers.get(seller.cloud),
                country: None,
                region: texts.regions.some(seller.certified_in),
                seller: texts.countries.some(seller.country),
                isolation: crate::offer::Isolation::Unknown,
            };
            policy.of_companies(&subject).iter().find(|reason| reason.is_breach()).map(Reason::code)
        });
        let settings = board.settings.iter().map(|setting| code(policy.of_isolation(setting.isolation)));
        Self {
            countries: texts.countries.table(of_country(None), |country| of_country(Some(country))),
            sellers: sellers.collect(),
            settings: settings.collect(),
        }
    }

    /// Those of these names. One that is not there any more keeps nothing.
    pub(super) fn named(board: &Board, policies: &[Policy], names: &[String]) -> Vec<Self> {
        let named = policies.iter().filter(|policy| names.contains(&policy.name));
        named.map(|policy| Self::new(board, policy)).collect()
    }

    /// The first thing that breaks it in the rows of a profile.
    pub(super) fn by(&self, board: &Board, profile: usize) -> Option<&'static str> {
        let profiles = &board.profiles;
        let seller = self.sellers[profiles.seller[profile] as usize];
        if seller == Some(HIDDEN) {
            return seller;
        }
        self.countries[profiles.country[profile] as usize]
            .or(seller)
            .or(self.settings[profiles.setting[profile] as usize])
    }
}

/// Marks the profiles that break all of the policies of a term, or, where it is negated, not all of them.
pub(super) fn mark(board: &Board, terms: &[(Vec<Broken>, bool)], failed: &mut [u16]) {
    for (policies, negated) in terms {
        for (profile, failed) in failed.iter_mut().enumerate() {
            let kept = policies.iter().any(|policy| policy.by(board, profile).is_none());
            *failed |= if kept == *negated { Dimension::Policy.bit() } else { 0 };
        }
    }
}

/// Counts under all filters but the policies'.
pub(super) fn count(board: &Board, scan: &Scan, policies: &[Policy]) -> Vec<Kept> {
    let counted = |failed: &u16| failed & !Dimension::Policy.bit() == 0;
    let rows = || scan.failed.iter().zip(&scan.passed).enumerate().filter(|(_, (failed, _))| counted(failed));
    policies
        .iter()
        .map(|policy| {
            let broken = Broken::new(board, policy);
            let mut kept = 0;
            let mut hidden: BTreeMap<&'static str, u32> = BTreeMap::new();
            for (profile, (_, passed)) in rows().filter(|(_, (_, passed))| **passed > 0) {
                match broken.by(board, profile) {
                    None => kept += passed,
                    Some(code) => *hidden.entry(code).or_default() += passed,
                }
            }
            let mut hidden: Vec<(&'static str, u32)> = hidden.into_iter().collect();
            hidden.sort_by_key(|(_, rows)| std::cmp::Reverse(*rows));
            Kept { policy: policy.name.clone(), rows: kept, hidden }
        })
        .collect()
}
