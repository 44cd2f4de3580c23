//! Every region seen in the reference data against the rules and tables.

use std::collections::BTreeMap;

use super::*;
use crate::embedded::rows;
use crate::reference::shared;

fn at(provider: &str, region: &str) -> Option<&'static str> {
    locate(provider, region).country
}

#[test]
fn the_table_of_regions_reads_whole() {
    let text = include_str!("../../data/regions.csv");
    let rows = rows::<5>(text);
    assert_eq!(rows.len(), text.lines().count() - 1);
    for [provider, region, iso2, _, source] in rows {
        assert_eq!(at(provider, region), Some(iso2), "{provider} {region}");
        assert!(!source.is_empty(), "{provider} {region}");
    }
}

#[test]
fn every_reference_region_lies_where_the_reference_says() {
    let Some(path) = shared("data/regions.csv") else { return };
    let mut wrong = Vec::new();
    for row in csv::Reader::from_path(path).unwrap().deserialize::<BTreeMap<String, String>>() {
        let row = row.unwrap();
        let expected = Some(row["country_iso2"].as_str()).filter(|iso2| !iso2.is_empty());
        // Two countries of the reference are marked as not verified: unknown here.
        let unproved = matches!(
            (row["provider"].as_str(), row["region"].as_str()),
            ("lambda", "europe-south-1") | ("jarvislabs", "EU1")
        );
        let found = at(&row["provider"], &row["region"]);
        if found != expected.filter(|_| !unproved) {
            wrong.push(format!("{} {}: {found:?}, expected {expected:?}", row["provider"], row["region"]));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn vast_places_end_in_a_code_or_in_a_code_and_a_continent() {
    assert_eq!(locate("vast", "Sofia, BG"), Located { country: Some("BG"), city: Some("Sofia") });
    assert_eq!(locate("vast", "Bulgaria, BG, EU"), Located { country: Some("BG"), city: None });
    assert_eq!(locate("vast", "Utah, US, NA"), Located { country: Some("US"), city: Some("Utah") });
    assert_eq!(
        locate("vast", "St.-Petersburg, RU, EU"),
        Located { country: Some("RU"), city: Some("St.-Petersburg") }
    );
    assert_eq!(locate("vast", ", US"), Located { country: Some("US"), city: None });
    assert_eq!(at("vast", ", CN, AS"), Some("CN"));
    assert_eq!(at("vast", "Riyadh, SA"), Some("SA"), "Saudi Arabia, not South America");
    assert_eq!(at("vast", "São Paulo, BR, SA"), Some("BR"));
    assert_eq!(at("vast", "Some Park, Some Town, DE"), Some("DE"));
    assert_eq!(at("vast", "Sofia, Bulgaria"), None, "a name is no proof");
    assert_eq!(at("vast", "Hafnarfjarðarkaupstaður, IS, EU"), Some("IS"));
    assert_eq!(at("vast", ""), None);
    assert_eq!(at("vast", "EU"), None, "a continent is no country");
    assert_eq!(at("vast", "Somewhere, EU"), None);
}

#[test]
fn runpod_ids_go_by_their_prefix() {
    assert_eq!(locate("runpod", "US-DE-1"), Located { country: Some("US"), city: Some("Delaware") });
    assert_eq!(at("runpod", "US-CA-2"), Some("US"));
    assert_eq!(at("runpod", "CA-MTL-4"), Some("CA"));
    assert_eq!(at("runpod", "EU-SE-1"), Some("SE"));
    assert_eq!(at("runpod", "EUR-IS-3"), Some("IS"));
    assert_eq!(at("runpod", "SEA-SG-1"), Some("SG"));
    assert_eq!(at("runpod-v5", "RO"), Some("RO"));
    assert_eq!(at("runpod", "XX-DE-1"), None, "an unknown prefix proves nothing");
    assert_eq!(at("runpod", "EU"), None);
}

#[test]
fn resellers_name_places_their_own_way() {
    assert_eq!(
        locate("shadeform", "kansascity-usa-1"),
        Located { country: Some("US"), city: Some("kansascity") }
    );
    assert_eq!(at("shadeform", "london-uk-1"), Some("GB"));
    assert_eq!(at("shadeform", "singapore-singapore-1"), Some("SG"));
    assert_eq!(locate("shadeform", "CA, Montreal"), Located { country: Some("CA"), city: Some("Montreal") });
    assert_eq!(at("shadeform", "US, Kansas City, KS"), Some("US"));
    assert_eq!(at("shadeform", "Toronto, Canana"), None);
    assert_eq!(at("shadeform", "any"), None);
    assert_eq!(at("shadeform", "MON1"), None);
    assert_eq!(at("prime", "IS"), Some("IS"));
    assert_eq!(at("primeintellect", "me-west-1"), Some("IL"));
    assert_eq!(at("prime", "CANADA-1"), Some("CA"));
    assert_eq!(at("prime", "FIN-02"), Some("FI"));
    assert_eq!(at("prime", "EUR-IS-1"), Some("IS"));
    assert_eq!(at("prime", "eu_north"), None, "a continent");
    assert_eq!(at("prime", "united_states"), Some("US"));
    assert_eq!(at("prime", "a3111bd4-550a-47d0-838a-0a52bff2ae3f"), None);
    assert_eq!(at("tensordock", "United States"), Some("US"));
    assert_eq!(at("lium", "RU"), Some("RU"));
    assert_eq!(at("cudo", "in-hyderabad-1"), Some("IN"));
    for (region, country) in [("FIN-01", "FI"), ("FIN-02", "FI"), ("FIN-03", "FI"), ("ICE-01", "IS")] {
        assert_eq!(at("verda", region), Some(country), "{region}");
    }
    for (region, country) in [("CANADA-1", "CA"), ("NORWAY-1", "NO"), ("US-1", "US")] {
        assert_eq!(at("hyperstack", region), Some(country), "{region}");
    }
    let vultr = [
        ("ewr", "US"),
        ("ord", "US"),
        ("sea", "US"),
        ("fra", "DE"),
        ("ams", "NL"),
        ("waw", "PL"),
        ("sto", "SE"),
        ("blr", "IN"),
        ("icn", "KR"),
        ("nrt", "JP"),
        ("jnb", "ZA"),
        ("tlv", "IL"),
        ("lhr", "GB"),
    ];
    for (region, country) in vultr {
        assert_eq!(at("vultr", region), Some(country), "{region}");
    }
}

#[test]
fn a_zone_name_finds_its_region() {
    assert_eq!(at("aws", "eu-central-1a"), Some("DE"));
    assert_eq!(at("gcp", "europe-west2-c"), Some("GB"));
    assert_eq!(at("selectel", "ru-6a"), Some("RU"));
    assert_eq!(at("ibm", "eu-de-3"), Some("DE"));
    assert_eq!(at("ovh", "GRA7"), Some("FR"));
    assert_eq!(at("digitalocean", "nyc9"), Some("US"));
    assert_eq!(at("verda", "FIN-09"), Some("FI"));
    assert_eq!(at("oci", "EU-FRANKFURT-1"), Some("DE"));
}

#[test]
fn what_is_not_known_has_no_country() {
    for (provider, region) in [
        ("aws", "us-east-1-bue-1"), // a local zone may stand in another country (Buenos Aires)
        ("aws", "eu-nowhere-9"),
        ("gcp", "europe-west99"),
        ("hyperbolic", "default"),
        ("nobody", "de-1"),
        ("vultr", "xyz"),
        ("azure", "europe"),
        ("digitalocean", ""),
    ] {
        assert_eq!(at(provider, region), None, "{provider} {region}");
    }
}
