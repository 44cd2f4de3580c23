//! Residency policies: where data may be, under whose law, and what must be shown of whoever holds it. Place and seller
//! are two questions: a region in Russia of an American company is not a Russian company, and a machine in Frankfurt
//! is billed from wherever its seller is.
//!
//! What cannot be proved is not allowed: an unknown place or seller breaks every policy that asks for one.

mod adequacy;
mod area;
mod certificate;
mod judge;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

pub use adequacy::{ADEQUACY_LIST, ADEQUACY_READ, Adequacy, adequacy};
pub use area::{Area, UnknownArea};
pub use certificate::{Certificate, Evidence, Held, certificates, is_certified_by_region};
pub use judge::{Judgement, Reason, Subject, Verdict};

use crate::offer::Isolation;
use crate::words::words;

words! {
    /// What a policy does about a launch that breaks it.
    OnBreach {
        /// Says so, and lets it go on.
        Warn = "warn",
        /// Stops it, unless a person overrides it in writing.
        Block = "block",
    }
}

/// A residency policy. An empty list asks for nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// The word it is asked for by: `gdpr`.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// Where the machine may stand: any of these.
    pub place: Vec<Area>,
    /// Where the companies may be that sell it and that run it: any of these, each of them.
    pub seller: Vec<Area>,
    /// What the cloud whose iron it is must hold: all of these.
    pub certificates: Vec<Certificate>,
    /// How far other tenants must be away: any of these.
    pub isolation: Vec<Isolation>,
    /// What happens to a launch that breaks it.
    pub on_breach: OnBreach,
}

/// Why a policy is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoPolicy {
    /// Not a name.
    #[error(
        "`{0}` cannot be the name of a policy: small Latin letters, digits and `-`, at most 30, beginning with a letter \
         or digit"
    )]
    Name(String),
    /// The name of one that comes with the desk.
    #[error("`{0}` comes with the desk and cannot be changed")]
    BuiltIn(String),
    /// It asks for nothing.
    #[error("it asks for nothing: name a place, a seller, a certificate or an isolation")]
    Empty,
    /// Its title is empty or too long.
    #[error("its title must have 1 to 80 characters")]
    Title,
    /// "Not known" is nothing that can be asked for.
    #[error("`unknown` is no isolation that can be asked for")]
    Isolation,
}

impl Policy {
    /// The policies that come with the desk.
    #[must_use]
    pub fn built_in() -> Vec<Self> {
        let zone = |word: &str| Area::Zone(word.to_owned());
        let plain = |name: &str, title: &str, place: Vec<Area>, seller: Vec<Area>| Self {
            name: name.to_owned(),
            title: title.to_owned(),
            place,
            seller,
            certificates: Vec::new(),
            isolation: Vec::new(),
            on_breach: OnBreach::Block,
        };
        vec![
            plain("152-fz", "Personal data of Russian citizens (152-FZ)", vec![zone("RU")], vec![zone("RU")]),
            plain(
                "gdpr",
                "Personal data under the GDPR",
                vec![zone("EEA")],
                vec![zone("EEA"), Area::Adequacy],
            ),
        ]
    }

    /// The name of a policy that comes with the desk, as people type it.
    #[must_use]
    pub fn built_in_name(typed: &str) -> Option<&'static str> {
        let letters: String = typed.chars().filter(|c| c.is_alphanumeric()).collect();
        match letters.to_lowercase().as_str() {
            "152fz" | "fz152" | "152фз" | "фз152" => Some("152-fz"),
            "gdpr" => Some("gdpr"),
            _ => None,
        }
    }

    /// The same policy if it can be kept: a name, a title, something it asks for, nothing twice.
    ///
    /// # Errors
    /// [`NoPolicy`] says what is wrong with it.
    pub fn checked(mut self) -> Result<Self, NoPolicy> {
        if Self::built_in_name(&self.name).is_some() {
            return Err(NoPolicy::BuiltIn(self.name));
        }
        let is_name = self.name.len() <= 30
            && self.name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
            && self.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        if !is_name {
            return Err(NoPolicy::Name(self.name));
        }
        let title = self.title.trim();
        if title.is_empty() || title.chars().count() > 80 || title.contains(char::is_control) {
            return Err(NoPolicy::Title);
        }
        self.title = title.to_owned();
        if self.isolation.contains(&Isolation::Unknown) {
            return Err(NoPolicy::Isolation);
        }
        only_once(&mut self.place);
        only_once(&mut self.seller);
        only_once(&mut self.certificates);
        only_once(&mut self.isolation);
        let asks = !self.place.is_empty()
            || !self.seller.is_empty()
            || !self.certificates.is_empty()
            || !self.isolation.is_empty();
        if asks { Ok(self) } else { Err(NoPolicy::Empty) }
    }
}

fn only_once<T: PartialEq + Clone>(list: &mut Vec<T>) {
    let mut seen: Vec<T> = Vec::with_capacity(list.len());
    list.retain(|one| {
        let is_new = !seen.contains(one);
        if is_new {
            seen.push(one.clone());
        }
        is_new
    });
}
