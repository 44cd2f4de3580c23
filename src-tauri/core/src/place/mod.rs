//! Places: countries, residency zones, where a provider's region lies, and whose law the seller is under.
//!
//! A country is given only where a provider's own page or rule proves it. A continent proves nothing: a region called
//! Europe may stand in London or Zurich.

mod country;
mod provider;
mod region;
#[cfg(test)]
mod tests;

pub use country::{
    Country, UnknownZone, Zone, countries, country, country_named, zone_matches, zone_words, zones,
};
pub use provider::{canonical_provider, hides_operator, provider_title, providers, rent_page, seller};
pub use region::{Located, locate, regions};
