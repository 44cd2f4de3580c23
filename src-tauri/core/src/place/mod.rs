//! Places: countries, residency zones, where a provider's region lies, and whose law the seller is under.

/// A country of ISO 3166-1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Country {
    /// Two letters.
    pub iso2: &'static str,
    /// English name.
    pub name_en: &'static str,
    /// Russian name.
    pub name_ru: &'static str,
}

/// A zone of residency, by its word: `EEA`, `UK`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Zone(pub &'static str);

/// A word that names no zone.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a residency zone")]
pub struct UnknownZone(pub String);

/// Where a region lies. `country` is `None` unless it can be proved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Located<'a> {
    /// ISO 3166-1 alpha-2.
    pub country: Option<&'static str>,
    /// City or state, for display only.
    pub city: Option<&'a str>,
}

/// A country by its two letters (any case).
#[must_use]
pub fn country(iso2: &str) -> Option<Country> {
    let _ = iso2;
    None
}

/// All countries.
#[must_use]
pub fn countries() -> &'static [Country] {
    &[]
}

/// The residency zones a country belongs to, as the JSON lists them.
#[must_use]
pub fn zones(iso2: &str) -> &'static [Zone] {
    let _ = iso2;
    &[]
}

/// Words that `zone:` takes, for completion.
#[must_use]
pub fn zone_words() -> &'static [&'static str] {
    &[]
}

/// Whether a country belongs to the zone a query word names (`eu` is narrower than `eea`).
///
/// # Errors
/// [`UnknownZone`] where the word names no zone.
pub fn zone_matches(word: &str, iso2: &str) -> Result<bool, UnknownZone> {
    let _ = iso2;
    Err(UnknownZone(word.to_owned()))
}

/// Where a provider's region lies.
#[must_use]
pub fn locate<'a>(provider: &str, region: &'a str) -> Located<'a> {
    let _ = (provider, region);
    Located::default()
}

/// Country of the company that bills for a provider or cloud; `None` where not known.
#[must_use]
pub fn seller(provider: &str) -> Option<&'static str> {
    let _ = provider;
    None
}

/// The name of a provider or cloud as shown to people: `Vast.ai`.
#[must_use]
pub fn provider_title(provider: &str) -> Option<&'static str> {
    let _ = provider;
    None
}

/// Our name for a provider, from the spelling of any catalogue (`lambdalabs` → `lambda`, `runpod-v5` → `runpod`).
#[must_use]
pub fn canonical_provider(text: &str) -> &str {
    text
}
