//! What clouds hold, each with its evidence and date. Of the cloud whose iron it is, never of the aggregator before it.

use std::sync::OnceLock;

use crate::embedded::rows;
use crate::place::canonical_provider;
use crate::words::words;

const CERTIFICATES: &str = include_str!("../../data/certificates.csv");

words! {
    /// A certificate, attestation or membership that a policy can ask for.
    Certificate {
        /// Information security management.
        Iso27001 = "iso-27001",
        /// Management of artificial intelligence.
        Iso42001 = "iso-42001",
        /// An auditor's report on the controls of a service.
        Soc2 = "soc-2",
        /// Hosting of health data (France).
        Hds = "hds",
        /// Attested for personal data by the Russian law 152-FZ.
        Fz152 = "152-fz",
        /// The EU-US Data Privacy Framework.
        Dpf = "dpf",
    }
}

words! {
    /// How a fact about a certificate is known.
    Evidence {
        /// Its source was read.
        Read = "read",
        /// Recalled from the vendor's material and not read again.
        Recalled = "recalled",
    }
}

/// One thing that one cloud holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Held {
    /// Our name of the cloud.
    pub cloud: &'static str,
    /// What.
    pub certificate: Certificate,
    /// The regions it covers, space between them; empty = all of the cloud.
    regions: &'static str,
    /// How that is known.
    pub evidence: Evidence,
    /// The month it was read or dates from, `YYYY-MM`.
    pub dated: &'static str,
    /// Where that stands.
    pub source: &'static str,
}

impl Held {
    /// Whether it covers a region, or a zone of one (`ru-7a`). One that covers some regions proves nothing for a place
    /// that is not named.
    fn covers(&self, region: Option<&str>) -> bool {
        if self.regions.is_empty() {
            return true;
        }
        let Some(region) = region.map(|region| region.trim().to_ascii_lowercase()) else { return false };
        let pool = region.strip_suffix(|c: char| c.is_ascii_lowercase()).unwrap_or(&region);
        self.regions.split(' ').any(|covered| covered == region || covered == pool)
    }
}

fn table() -> &'static [Held] {
    static TABLE: OnceLock<Vec<Held>> = OnceLock::new();
    TABLE.get_or_init(|| {
        rows::<6>(CERTIFICATES)
            .into_iter()
            .filter_map(|[cloud, certificate, regions, evidence, dated, source]| {
                let (certificate, evidence) = (certificate.parse().ok()?, evidence.parse().ok()?);
                Some(Held { cloud, certificate, regions, evidence, dated, source })
            })
            .collect()
    })
}

/// Everything a cloud is known to hold, by any of its spellings.
pub fn certificates(cloud: &str) -> impl Iterator<Item = &'static Held> {
    let cloud = canonical_provider(cloud).to_owned();
    table().iter().filter(move |held| held.cloud == cloud)
}

/// What shows that a cloud holds a certificate in a region, the best evidence first.
pub(super) fn held(cloud: &str, certificate: Certificate, region: Option<&str>) -> Option<&'static Held> {
    certificates(cloud)
        .filter(|held| held.certificate == certificate && held.covers(region))
        .min_by_key(|held| held.evidence)
}

/// Whether what a cloud holds depends on the region.
#[must_use]
pub fn is_certified_by_region(cloud: &str) -> bool {
    certificates(cloud).any(|held| !held.regions.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::provider_title;

    #[test]
    fn the_table_reads_whole_with_evidence_and_date() {
        assert_eq!(table().len(), CERTIFICATES.lines().count() - 1);
        for held in table() {
            assert_eq!(canonical_provider(held.cloud), held.cloud);
            assert!(provider_title(held.cloud).is_some(), "{}", held.cloud);
            assert!(held.dated.len() == 7 && !held.source.is_empty(), "{held:?}");
            let recalled = held.source.contains("(recalled)");
            assert_eq!(recalled, held.evidence == Evidence::Recalled, "{held:?}");
        }
    }

    #[test]
    fn a_certificate_holds_where_it_covers() {
        let fz = |region| held("selectel", Certificate::Fz152, region).is_some();
        assert!(fz(Some("ru-7")) && fz(Some("ru-7a")) && fz(Some("RU-1")));
        assert!(!fz(Some("ru-6a")), "its page does not name this pool");
        assert!(!fz(None) && !fz(Some("")));
        assert!(held("vkcs", Certificate::Fz152, None).is_some(), "all of the cloud, under another spelling");
        assert_eq!(held("shadeform", Certificate::Soc2, None), None);
        assert!(is_certified_by_region("selectel") && !is_certified_by_region("vk"));
    }
}
