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
pub use provider::{canonical_provider, provider_title, providers, seller};
pub use region::{Located, locate, locate_zone};

/// The rows of a built-in file as fixed-size arrays of fields, header left out. A row that does not read is left out;
/// the tests see to it that none is.
pub(crate) fn rows<const N: usize>(text: &'static str) -> Vec<[&'static str; N]> {
    csv::Reader::from_reader(text.as_bytes())
        .records()
        .filter_map(|record| {
            let record = record.ok()?;
            // The tables live as long as the program: what is leaked here is never freed anyway.
            let fields: Vec<&'static str> = record.iter().map(|field| &*field.to_owned().leak()).collect();
            fields.try_into().ok()
        })
        .collect()
}
