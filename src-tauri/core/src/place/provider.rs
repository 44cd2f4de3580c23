//! Providers and the companies behind them: the name people know, every other spelling, and whose law the seller is
//! under.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::country;
use crate::embedded::rows;

const PROVIDERS: &str = include_str!("../../data/providers.csv");

const RENT_PAGES: &str = include_str!("../../data/rent-pages.csv");

struct Provider {
    name: &'static str,
    title: &'static str,
    seller: Option<&'static str>,
}

struct Table {
    providers: Vec<Provider>,
    /// Every spelling in lower case, to an index.
    spellings: HashMap<&'static str, usize>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Table { providers: Vec::new(), spellings: HashMap::new() };
        for [name, title, seller, _entity, other_names, _source] in rows::<6>(PROVIDERS) {
            let index = table.providers.len();
            table
                .spellings
                .extend(std::iter::once(name).chain(other_names.split_whitespace()).map(|s| (s, index)));
            let seller = country(seller).map(|country| country.iso2);
            table.providers.push(Provider { name, title, seller });
        }
        table
    })
}

fn find(name: &str) -> Option<&'static Provider> {
    let table = table();
    let name = without_version(name.trim());
    let index =
        table.spellings.get(name).or_else(|| table.spellings.get(name.to_ascii_lowercase().as_str()))?;
    table.providers.get(*index)
}

/// `runpod-v5` → `runpod`: catalogues keep older layouts beside the new ones.
fn without_version(name: &str) -> &str {
    match name.rsplit_once("-v") {
        Some((name, version)) if !version.is_empty() && version.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => name,
    }
}

/// Our names of all known providers and clouds.
pub fn providers() -> impl Iterator<Item = &'static str> {
    table().providers.iter().map(|provider| provider.name)
}

/// Country of the company that bills for a provider or cloud (ISO 3166-1 alpha-2); `None` where not known. Large
/// groups bill some countries through a local company: this is the one whose terms a customer signs by default.
#[must_use]
pub fn seller(provider: &str) -> Option<&'static str> {
    find(provider)?.seller
}

/// Whether a name stands for iron whose operator an aggregator does not tell: Shadeform's `excesssupply` (spare capacity
/// of partners without a name) and Prime Intellect's `dc_…`. Nothing is provable there.
#[must_use]
pub fn hides_operator(cloud: &str) -> bool {
    let name = cloud.trim().to_ascii_lowercase();
    name == "excesssupply" || name.starts_with("dc_")
}

/// The name of a provider or cloud as shown to people: `Vast.ai`.
#[must_use]
pub fn provider_title(provider: &str) -> Option<&'static str> {
    Some(find(provider)?.title)
}

/// The page of a provider where a person rents by hand; `None` where none is known.
#[must_use]
pub fn rent_page(provider: &str) -> Option<&'static str> {
    static PAGES: OnceLock<HashMap<&'static str, &'static str>> = OnceLock::new();
    let pages =
        PAGES.get_or_init(|| rows::<3>(RENT_PAGES).into_iter().map(|[name, page, _]| (name, page)).collect());
    pages.get(canonical_provider(provider)).copied()
}

/// Our name for a provider, from the spelling of any catalogue (`lambdalabs` → `lambda`, `do` → `digitalocean`,
/// `runpod-v5` → `runpod`). An unknown name passes as it is, less its version.
#[must_use]
pub fn canonical_provider(text: &str) -> &str {
    find(text).map_or_else(|| without_version(text.trim()), |provider| provider.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_the_catalogues_name_one_provider() {
        for (text, name) in [
            ("do", "digitalocean"),
            ("primeintellect", "prime"),
            ("ovhcloud", "ovh"),
            ("lambdalabs", "lambda"),
            ("vast-ai", "vast"),
            ("vastai", "vast"),
            ("runpod-v5", "runpod"),
            ("RunPod", "runpod"),
            ("datacrunch", "verda"),
            ("crusoecloud", "crusoe"),
            ("cudocompute", "cudo"),
            ("jarvis-labs", "jarvislabs"),
            ("aws", "aws"),
            ("dc_impala", "dc_impala"),
            ("newcloud-v2", "newcloud"),
            ("", ""),
        ] {
            assert_eq!(canonical_provider(text), name, "{text}");
        }
    }

    #[test]
    fn the_names_of_the_contract_are_all_known() {
        for name in [
            "vast",
            "runpod",
            "lambda",
            "shadeform",
            "prime",
            "verda",
            "hyperstack",
            "vultr",
            "digitalocean",
            "scaleway",
            "nebius",
            "aws",
            "azure",
            "gcp",
            "openstack",
        ] {
            assert_eq!(canonical_provider(name), name);
            assert!(provider_title(name).is_some(), "{name}");
        }
        assert_eq!(provider_title("vast"), Some("Vast.ai"));
        assert_eq!(provider_title("datacrunch"), Some("Verda"));
        assert_eq!(provider_title("nobody"), None);
    }

    #[test]
    fn the_seller_is_a_company_not_a_region() {
        for (name, seller_country) in [
            ("vast", Some("US")),
            ("verda", Some("FI")),
            ("hyperstack", Some("GB")),
            ("nebius", Some("NL")),
            ("scaleway", Some("FR")),
            ("yandex", Some("RU")),
            ("selectel", Some("RU")),
            ("lium", None),
            ("excesssupply", None),
            ("openstack", None),
            ("nobody", None),
        ] {
            assert_eq!(seller(name), seller_country, "{name}");
        }
    }

    #[test]
    fn an_operator_may_be_hidden() {
        for hidden in ["excesssupply", "dc_roan", "DC_Gnu", "dc_named_tomorrow"] {
            assert!(hides_operator(hidden), "{hidden}");
        }
        for known in ["verda", "datacrunch", "hyperstack", "nobody", ""] {
            assert!(!hides_operator(known), "{known}");
        }
    }

    #[test]
    fn no_spelling_names_two_providers_and_every_row_has_a_source() {
        let all: usize = rows::<6>(PROVIDERS)
            .iter()
            .map(|[name, title, seller, _, others, source]| {
                assert!(!title.is_empty() && !source.is_empty(), "{name}");
                assert!(seller.is_empty() || country(seller).is_some(), "{name}");
                1 + others.split_whitespace().count()
            })
            .sum();
        assert_eq!(table().spellings.len(), all);
        assert_eq!(table().providers.len(), PROVIDERS.lines().count() - 1);
    }

    #[test]
    fn renting_by_hand_has_a_page_of_its_own_provider() {
        assert_eq!(rent_page("azure"), Some("https://portal.azure.com"));
        assert_eq!(rent_page("sbercloud"), Some("https://console.cloud.ru"), "under any spelling");
        assert_eq!(rent_page("nobody"), None);
        let pages = rows::<3>(RENT_PAGES);
        assert_eq!(pages.len(), RENT_PAGES.lines().count() - 1);
        for [name, page, source] in pages {
            assert!(provider_title(name).is_some() && canonical_provider(name) == name, "{name}");
            assert!(page.starts_with("https://") && !page.contains(char::is_whitespace), "{page}");
            assert!(!source.is_empty(), "{name}");
        }
    }
}
