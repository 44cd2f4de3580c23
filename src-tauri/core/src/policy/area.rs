//! Where a policy lets data be, and under whose law.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::place::{country, country_named, zone_matches, zone_words};

/// Stands for every country with an adequacy decision of the European Commission.
const ADEQUACY: &str = "adequacy";

/// An area a policy names: a zone of residency, one country, or every country with an adequacy decision.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Area {
    /// `EEA`, `EU`, `UK` or the two letters of a country.
    Zone(String),
    /// Every country with an adequacy decision.
    Adequacy,
}

/// A word that names no area.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` names no area: EEA, EU, UK, a country or its two letters, or adequacy is expected")]
pub struct UnknownArea(pub String);

impl FromStr for Area {
    type Err = UnknownArea;

    fn from_str(text: &str) -> Result<Self, UnknownArea> {
        let text = text.trim();
        if text.eq_ignore_ascii_case(ADEQUACY) {
            return Ok(Self::Adequacy);
        }
        if let Some(zone) = zone_words().iter().find(|zone| zone.eq_ignore_ascii_case(text)) {
            return Ok(Self::Zone((*zone).to_owned()));
        }
        match country(text).or_else(|| country_named(text)).map(|country| country.iso2) {
            Some("GB") => Ok(Self::Zone("UK".to_owned())),
            Some(iso2) => Ok(Self::Zone(iso2.to_owned())),
            None => Err(UnknownArea(text.to_owned())),
        }
    }
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zone(word) => f.write_str(word),
            Self::Adequacy => f.write_str(ADEQUACY),
        }
    }
}

impl TryFrom<String> for Area {
    type Error = UnknownArea;

    fn try_from(text: String) -> Result<Self, UnknownArea> {
        text.parse()
    }
}

impl From<Area> for String {
    fn from(area: Area) -> Self {
        area.to_string()
    }
}

impl Area {
    /// Whether a country lies in the zone. Adequacy is no zone: it may hang on the company.
    pub(super) fn is_zone_of(&self, iso2: &str) -> bool {
        matches!(self, Self::Zone(word) if zone_matches(word, iso2) == Ok(true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_area_has_one_spelling() {
        for (typed, area) in [
            ("eea", "EEA"),
            ("EU", "EU"),
            ("gb", "UK"),
            ("United Kingdom", "UK"),
            ("de", "DE"),
            ("Germany", "DE"),
            (" ru ", "RU"),
            ("Adequacy", "adequacy"),
        ] {
            let parsed: Area = typed.parse().unwrap();
            assert_eq!(parsed.to_string(), area);
            assert_eq!(area.parse(), Ok(parsed));
        }
        for wrong in ["Europe", "", "XX", "europe-west"] {
            assert_eq!(wrong.parse::<Area>(), Err(UnknownArea(wrong.to_owned())));
        }
    }
}
