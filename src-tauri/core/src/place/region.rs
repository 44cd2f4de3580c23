//! From a provider's name of a place to a country.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::{canonical_provider, country, country_named};
use crate::embedded::rows;

const REGIONS: &str = include_str!("../../data/regions.csv");

/// Where a region lies. `country` is `None` unless it can be proved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Located<'a> {
    /// ISO 3166-1 alpha-2.
    pub country: Option<&'static str>,
    /// City or state, for display only.
    pub city: Option<&'a str>,
}

impl Located<'_> {
    const UNKNOWN: Self = Self { country: None, city: None };
}

/// Where a provider's region or zone lies, by the table of regions and the provider's own naming rule. Ask with the
/// narrower name first where a list has both: lists put one data centre under two countries (RunPod's EU-SE-1 under
/// Norway and Sweden) or under the wrong one (Lambda's me-west-1 under Iceland; it is in Israel).
#[must_use]
pub fn locate<'a>(provider: &str, region: &'a str) -> Located<'a> {
    let region = region.trim();
    let provider = canonical_provider(provider);
    match provider {
        "vast" => vast(region),
        "runpod" => runpod(region),
        "shadeform" => shadeform(region),
        "lium" => code(region),
        "prime" => prime(region),
        "tensordock" => named(region),
        _ => listed(provider, region).unwrap_or_else(|| by_name(provider, region)),
    }
}

/// Every region of a provider that the table knows.
pub fn regions(provider: &str) -> impl Iterator<Item = &'static str> {
    static NAMES: OnceLock<HashMap<&'static str, Vec<&'static str>>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let mut names: HashMap<_, Vec<_>> = HashMap::new();
        for [provider, region, ..] in rows::<5>(REGIONS) {
            names.entry(provider).or_default().push(region);
        }
        names
    });
    names.get(canonical_provider(provider)).into_iter().flatten().copied()
}

struct Row {
    country: &'static str,
    city: Option<&'static str>,
}

impl Row {
    fn located(&self) -> Located<'static> {
        Located { country: Some(self.country), city: self.city }
    }
}

type Regions = HashMap<&'static str, HashMap<String, Row>>;

fn table() -> &'static Regions {
    static TABLE: OnceLock<Regions> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Regions::new();
        for [provider, region, iso2, city, _source] in rows::<5>(REGIONS) {
            if let Some(country) = country(iso2) {
                let row = Row { country: country.iso2, city: (!city.is_empty()).then_some(city) };
                table.entry(provider).or_default().insert(region.to_ascii_lowercase(), row);
            }
        }
        table
    })
}

/// A region of the table, or a zone of one: `us-east-1a`, `us-central1-b`, `ru-6a`, `GRA11`, `au-syd-2`.
fn listed(provider: &str, region: &str) -> Option<Located<'static>> {
    let regions = table().get(provider)?;
    let name = region.to_ascii_lowercase();
    let exact = |name: &str| regions.get(name).map(Row::located);
    if let Some(found) = exact(&name) {
        return Some(found);
    }
    // One letter behind a number is a zone, with or without a hyphen.
    let letterless = name.strip_suffix(|c: char| c.is_ascii_lowercase()).unwrap_or(&name);
    if let Some(found) = exact(letterless.strip_suffix('-').unwrap_or(letterless))
        && letterless.ends_with(|c: char| c.is_ascii_digit() || c == '-')
    {
        return Some(found);
    }
    // A number at the end counts sites of one place only where that is the provider's scheme.
    let numberless = name.trim_end_matches(|c: char| c.is_ascii_digit());
    match provider {
        "ibm" | "ovh" if numberless.len() < name.len() => {
            exact(numberless.strip_suffix('-').unwrap_or(numberless))
        }
        "digitalocean" if numberless.len() == 3 && numberless.len() < name.len() => {
            regions.iter().find(|(slug, _)| slug.starts_with(numberless)).map(|(_, row)| row.located())
        }
        _ => None,
    }
}

/// Providers whose region names carry the country by a documented rule.
fn by_name(provider: &str, region: &str) -> Located<'static> {
    let first = region.split(['-', '_']).next().unwrap_or_default();
    let found = match provider {
        "verda" if first.eq_ignore_ascii_case("FIN") => country("FI"),
        "verda" if first.eq_ignore_ascii_case("ICE") => country("IS"),
        "cudo" => country(first),
        "hyperstack" | "fluidstack" | "scp" => country_named(first),
        _ => None,
    };
    Located { country: found.map(|c| c.iso2), city: None }
}

fn code(text: &str) -> Located<'static> {
    Located { country: country(text).map(|c| c.iso2), city: None }
}

fn named(text: &str) -> Located<'static> {
    Located { country: country_named(text).map(|c| c.iso2), city: None }
}

/// Vast writes `Sofia, BG`; SkyPilot's copy of it `Bulgaria, BG, EU` with a continent behind. The country is the last
/// part that is a code, or the one before a continent. A name without a code proves nothing.
fn vast(text: &str) -> Located<'_> {
    let (rest, last) = text.rsplit_once(',').map_or(("", text), |(rest, last)| (rest, last.trim()));
    let with_continent = matches!(last, "AF" | "AN" | "AS" | "EU" | "NA" | "OC" | "SA");
    let (before, middle) =
        rest.rsplit_once(',').map_or(("", rest.trim()), |(before, middle)| (before, middle.trim()));
    // Without a comma the text is a name or a bare code; only the code proves anything.
    let upper = |text: &str| text.len() == 2 && text.bytes().all(|b| b.is_ascii_uppercase());
    let (found, place) = match (with_continent && upper(middle)).then(|| country(middle)).flatten() {
        Some(found) => (Some(found), before),
        None => (upper(last).then(|| country(last)).flatten(), rest),
    };
    let place = place.trim();
    let city = found.and_then(|found| (!place.is_empty() && place != found.name_en).then_some(place));
    Located { country: found.map(|c| c.iso2), city }
}

/// RunPod's data centres are named zone-country-number, those in the United States and Canada country-place-number
/// (`US-DE-1` is Delaware). Its price list has plain country codes too.
fn runpod(id: &str) -> Located<'static> {
    let mut parts = id.split('-');
    let (zone, second) = (parts.next().unwrap_or_default(), parts.next());
    let found = match (zone, second) {
        ("US", Some(_)) => country("US"),
        ("CA", Some("MTL")) => country("CA"),
        ("EU" | "EUR" | "AP" | "OC" | "SEA", Some(second)) => country(second),
        (_, None) => country(zone),
        _ => None,
    };
    let state = match (zone, second) {
        ("US", Some(state)) => us_state(state),
        ("CA", Some("MTL")) => Some("Montreal"),
        _ => None,
    };
    Located { country: found.map(|c| c.iso2), city: state }
}

/// The states RunPod has data centres in.
fn us_state(code: &str) -> Option<&'static str> {
    Some(match code {
        "CA" => "California",
        "DE" => "Delaware",
        "GA" => "Georgia",
        "IL" => "Illinois",
        "KS" => "Kansas",
        "MD" => "Maryland",
        "MO" => "Missouri",
        "NC" => "North Carolina",
        "NE" => "Nebraska",
        "OR" => "Oregon",
        "PA" => "Pennsylvania",
        "TX" => "Texas",
        "WA" => "Washington",
        _ => return None,
    })
}

/// Shadeform: `city-country-number`, or the display name `US, Kansas City, KS`.
fn shadeform(text: &str) -> Located<'_> {
    if let Some((first, rest)) = text.split_once(',') {
        let found = (first.len() == 2).then(|| country(first)).flatten();
        let city = rest.split(',').next().map(str::trim).filter(|city| !city.is_empty());
        return Located { country: found.map(|c| c.iso2), city: found.and(city) };
    }
    let mut parts = text.rsplit('-');
    let numbered = parts.next().is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    match (numbered, parts.next(), parts.next()) {
        (true, Some(country), city) => Located { city, ..named(country) },
        _ => Located::UNKNOWN,
    }
}

/// Prime Intellect: an ISO code, a wide region that is one country, or the data centre's name at the cloud behind.
/// That name counts only if every cloud that has it agrees on the country.
fn prime(text: &str) -> Located<'static> {
    let wide = match text {
        "canada" => country("CA"),
        "united_states" => country("US"),
        "australia" => country("AU"),
        _ => country(text),
    };
    if let Some(found) = wide {
        return Located { country: Some(found.iso2), city: None };
    }
    let dc = runpod(text);
    if dc.country.is_some() {
        return dc;
    }
    let name = text.to_ascii_lowercase();
    let mut clouds = table().values().filter_map(|regions| regions.get(&name));
    match clouds.next() {
        Some(first) if clouds.all(|other| other.country == first.country) => {
            Located { country: Some(first.country), city: None }
        }
        Some(_) => Located::UNKNOWN,
        None => by_name("verda", text),
    }
}
