//! Countries and the zones of residency they belong to.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::embedded::rows;

const COUNTRIES: &str = include_str!("../../data/countries.csv");

/// A country or territory of ISO 3166-1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Country {
    /// Two letters.
    pub iso2: &'static str,
    /// English name.
    pub name_en: &'static str,
    /// Russian name.
    pub name_ru: &'static str,
    area: Area,
    zone: [Zone; 1],
}

/// Which common legal area a country belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Area {
    /// Member of the European Union (and so of the EEA), or a part of one with a code of its own.
    Eu,
    /// In the European Economic Area but not in the Union: Iceland, Liechtenstein, Norway.
    EeaOnly,
    /// The United Kingdom, whose zone is asked for as UK though its code is GB.
    Uk,
    /// An area of law of its own.
    Own,
}

/// A zone of residency, by its word: `EEA`, `UK`, or the ISO code of a country that is an area of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Zone(pub &'static str);

/// A word that names no zone.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a residency zone: EEA, EU, UK or the two letters of a country are expected")]
pub struct UnknownZone(pub String);

/// The zones offered for completion; any other country is a zone too, by its two letters.
const ZONE_WORDS: [&str; 16] =
    ["EEA", "EU", "UK", "CH", "US", "RU", "CA", "AU", "JP", "KR", "SG", "IN", "HK", "IL", "AE", "KZ"];

fn table() -> &'static [Country] {
    static TABLE: OnceLock<Vec<Country>> = OnceLock::new();
    TABLE.get_or_init(|| {
        rows::<4>(COUNTRIES)
            .into_iter()
            .map(|[iso2, name_en, name_ru, area]| {
                let area = match area {
                    "EU" => Area::Eu,
                    "EEA" => Area::EeaOnly,
                    "UK" => Area::Uk,
                    _ => Area::Own,
                };
                let zone = match area {
                    Area::Eu | Area::EeaOnly => "EEA",
                    Area::Uk => "UK",
                    Area::Own => iso2,
                };
                Country { iso2, name_en, name_ru, area, zone: [Zone(zone)] }
            })
            .collect()
    })
}

/// All countries, by code.
#[must_use]
pub fn countries() -> &'static [Country] {
    table()
}

fn find(iso2: &str) -> Option<&'static Country> {
    let code = match iso2.as_bytes() {
        [a, b] => [a.to_ascii_uppercase(), b.to_ascii_uppercase()],
        _ => return None,
    };
    let table = table();
    table
        .binary_search_by(|country| country.iso2.as_bytes().cmp(code.as_slice()))
        .ok()
        .and_then(|i| table.get(i))
}

/// A country by its two letters (any case).
#[must_use]
pub fn country(iso2: &str) -> Option<Country> {
    find(iso2).copied()
}

/// A country by its English name or a usual short form (`United States`, `USA`, `UK`), in any case, spaces and
/// hyphens ignored. Two letters are taken as a code only where they are the usual short form.
#[must_use]
pub fn country_named(name: &str) -> Option<Country> {
    static NAMES: OnceLock<HashMap<String, &'static str>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let mut names: HashMap<String, &'static str> =
            table().iter().map(|country| (letters(country.name_en), country.iso2)).collect();
        for (short, iso2) in [
            ("usa", "US"),
            ("us", "US"),
            ("unitedstatesofamerica", "US"),
            ("uk", "GB"),
            ("greatbritain", "GB"),
            ("england", "GB"),
            ("czechrepublic", "CZ"),
            ("korea", "KR"),
            ("republicofkorea", "KR"),
            ("uae", "AE"),
            ("turkey", "TR"),
            ("holland", "NL"),
            ("russianfederation", "RU"),
        ] {
            names.insert(short.to_owned(), iso2);
        }
        names
    });
    country(names.get(&letters(name))?)
}

fn letters(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The residency zones of a country, as the JSON lists them: the widest area of common law it belongs to. Members of
/// the Union, Iceland, Liechtenstein and Norway give `EEA`, the United Kingdom `UK`, every other country itself.
/// Empty for an unknown country.
#[must_use]
pub fn zones(iso2: &str) -> &'static [Zone] {
    find(iso2).map_or(&[], |country| &country.zone)
}

/// Words that `zone:` takes, for completion.
#[must_use]
pub fn zone_words() -> &'static [&'static str] {
    &ZONE_WORDS
}

/// Whether a country belongs to the zone a query word names, in any case. `eu` is narrower than `eea`; the two letters
/// of a country name that country alone. An unknown country belongs to no zone.
///
/// # Errors
/// [`UnknownZone`] where the word names no zone.
pub fn zone_matches(word: &str, iso2: &str) -> Result<bool, UnknownZone> {
    let place = find(iso2);
    let area = place.map(|country| country.area);
    if word.eq_ignore_ascii_case("eea") {
        return Ok(matches!(area, Some(Area::Eu | Area::EeaOnly)));
    }
    if word.eq_ignore_ascii_case("eu") {
        return Ok(area == Some(Area::Eu));
    }
    if word.eq_ignore_ascii_case("uk") {
        return Ok(area == Some(Area::Uk));
    }
    let named = find(word).ok_or_else(|| UnknownZone(word.to_owned()))?;
    Ok(place == Some(named))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(iso2: &str) -> Vec<&'static str> {
        zones(iso2).iter().map(|zone| zone.0).collect()
    }

    #[test]
    fn every_country_of_the_standard_is_there_in_both_languages() {
        assert_eq!(countries().len(), 249);
        assert!(countries().is_sorted_by_key(|country| country.iso2));
        assert!(countries().iter().all(|c| !c.name_en.is_empty() && !c.name_ru.is_empty()));
        let bulgaria = country("bg").unwrap();
        assert_eq!((bulgaria.iso2, bulgaria.name_en, bulgaria.name_ru), ("BG", "Bulgaria", "Болгария"));
        assert_eq!(country("XX"), None);
        assert_eq!(country("BGR"), None);
        assert_eq!(country(""), None);
    }

    #[test]
    fn a_country_has_one_zone_the_widest_it_belongs_to() {
        assert_eq!(words("BG"), ["EEA"]);
        assert_eq!(words("no"), ["EEA"]);
        assert_eq!(words("IS"), ["EEA"]);
        assert_eq!(words("GB"), ["UK"]);
        assert_eq!(words("CH"), ["CH"]);
        assert_eq!(words("US"), ["US"]);
        assert_eq!(words("RU"), ["RU"]);
        assert_eq!(words("ZZ"), [""; 0]);
    }

    #[test]
    fn the_union_has_27_members_and_the_area_30() {
        let members = |word: &str| {
            countries()
                .iter()
                .filter(|c| zone_matches(word, c.iso2).unwrap())
                .filter(|c| !matches!(c.iso2, "GF" | "GP" | "MQ" | "MF" | "RE" | "YT" | "AX"))
                .count()
        };
        assert_eq!((members("eu"), members("eea")), (27, 30));
        assert!(zone_matches("eu", "RE").unwrap(), "Réunion is a part of France and of the Union");
    }

    #[test]
    fn a_zone_word_matches_its_countries_only() {
        assert_eq!(zone_matches("EEA", "NO"), Ok(true));
        assert_eq!(zone_matches("eu", "NO"), Ok(false));
        assert_eq!(zone_matches("eu", "DE"), Ok(true));
        assert_eq!(zone_matches("eea", "GB"), Ok(false));
        assert_eq!(zone_matches("eea", "CH"), Ok(false));
        assert_eq!(zone_matches("uk", "GB"), Ok(true));
        assert_eq!(zone_matches("gb", "GB"), Ok(true));
        assert_eq!(zone_matches("de", "DE"), Ok(true));
        assert_eq!(zone_matches("de", "FR"), Ok(false));
        assert_eq!(zone_matches("eea", ""), Ok(false), "an unknown place is in no zone");
        assert_eq!(zone_matches("europe", "DE"), Err(UnknownZone("europe".to_owned())));
        for word in zone_words() {
            assert!(zone_matches(word, "DE").is_ok(), "{word}");
        }
    }

    #[test]
    fn names_and_short_forms_name_a_country() {
        for (name, iso2) in [
            ("United States", "US"),
            ("usa", "US"),
            ("UK", "GB"),
            ("united-kingdom", "GB"),
            ("CANADA", "CA"),
            ("southafrica", "ZA"),
            ("Netherlands", "NL"),
            ("South Korea", "KR"),
        ] {
            assert_eq!(country_named(name).map(|c| c.iso2), Some(iso2), "{name}");
        }
        assert_eq!(country_named("Canana"), None);
        assert_eq!(country_named("de"), None, "a code is not a name");
        assert_eq!(country_named(""), None);
    }
}
