//! What the policies say of real places and companies, and what must hold of any offer.

use proptest::prelude::*;

use super::*;
use crate::offer::{Offer, Place};
use crate::place::{self, locate, seller};

fn policy(name: &str) -> Policy {
    Policy::built_in().into_iter().find(|policy| policy.name == name).unwrap()
}

/// A policy of one's own, changed from one that asks for nothing.
fn own(change: impl FnOnce(&mut Policy)) -> Policy {
    let mut policy = Policy { name: "own".to_owned(), title: "Own".to_owned(), ..policy("gdpr") };
    policy.place.clear();
    policy.seller.clear();
    change(&mut policy);
    policy
}

/// What an adapter of a cloud of its own says of one of its regions.
fn at<'a>(provider: &'a str, region: &'a str) -> Subject<'a> {
    Subject {
        provider,
        cloud: provider,
        country: locate(provider, region).country,
        region: Some(region),
        seller: seller(provider),
        isolation: Isolation::Vm,
    }
}

fn codes(judgement: &Judgement) -> Vec<&'static str> {
    judgement.reasons.iter().map(Reason::code).collect()
}

fn gdpr(subject: &Subject<'_>) -> (Verdict, Vec<&'static str>) {
    let judgement = policy("gdpr").judge(subject);
    (judgement.verdict, codes(&judgement))
}

#[test]
fn a_region_called_europe_may_be_london_or_zurich() {
    // Google's own names: west2 is London, west6 Zurich, west3 Frankfurt.
    let place = |region| policy("gdpr").of_place(at("gcp", region).country, Some(region));
    for (region, country) in [("europe-west2", "GB"), ("europe-west6", "CH")] {
        let wanted = vec![Area::Zone("EEA".to_owned())];
        assert_eq!(place(region), Some(Reason::PlaceElsewhere { country: country.to_owned(), wanted }));
    }
    assert_eq!(place("europe-west3"), None);
    assert_eq!(gdpr(&at("aws", "eu-west-2")).0, Verdict::Blocked, "London");
    assert_eq!(gdpr(&at("aws", "eu-central-2")).0, Verdict::Blocked, "Zurich");
    assert_eq!(gdpr(&at("nebius", "eu-north2")).0, Verdict::Allowed, "Iceland is in the area");
}

#[test]
fn a_continent_is_no_proof() {
    for (provider, region) in [("azure", "europe"), ("prime", "eu_north"), ("vast", "Somewhere, EU")] {
        let subject = at(provider, region);
        let place = policy("gdpr").of_place(subject.country, subject.region);
        assert_eq!(place, Some(Reason::PlaceUnknown { region: Some(region.to_owned()) }), "{region}");
    }
}

#[test]
fn delaware_is_no_germany() {
    let delaware = at("runpod", "US-DE-1");
    assert_eq!(delaware.country, Some("US"));
    let germany = own(|policy| policy.place = vec![Area::Zone("DE".to_owned())]);
    assert_eq!(codes(&germany.judge(&delaware)), ["place-elsewhere"]);
    let america = own(|policy| policy.place = vec![Area::Zone("US".to_owned())]);
    assert_eq!(america.judge(&delaware).verdict, Verdict::Allowed);
}

#[test]
fn place_and_seller_are_two_questions() {
    let moscow = Subject { country: Some("RU"), seller: Some("US"), ..at("vast", "Moscow, RU") };
    let russian = policy("152-fz");
    assert_eq!(codes(&russian.judge(&moscow)), ["seller-elsewhere"], "a Russian host of an American market");
    assert_eq!(russian.judge(&at("selectel", "ru-7")).verdict, Verdict::Allowed);
    assert_eq!(codes(&russian.judge(&at("yandex", "kz1"))), ["place-elsewhere"], "a Russian seller abroad");
    assert_eq!(codes(&russian.judge(&at("nebius", "eu-north1"))), ["place-elsewhere", "seller-elsewhere"]);
}

#[test]
fn an_aggregator_and_the_cloud_behind_it_are_both_asked() {
    let own_iron = at("verda", "FIN-03");
    assert_eq!(gdpr(&own_iron), (Verdict::Allowed, vec![]));
    // The same machine, billed by an American company.
    let resold = Subject { provider: "shadeform", seller: Some("US"), ..own_iron };
    assert_eq!(gdpr(&resold), (Verdict::Blocked, vec!["seller-not-covered"]));
    let american = own(|policy| policy.seller = vec![Area::Zone("US".to_owned())]);
    let judgement = american.judge(&resold);
    let wanted = vec![Area::Zone("US".to_owned())];
    let (company, country) = ("verda".to_owned(), "FI".to_owned());
    assert_eq!(judgement.reasons, [Reason::SellerElsewhere { company, country, wanted }]);
    // The old name of a cloud is no second company.
    let renamed = Subject { cloud: "datacrunch", ..own_iron };
    assert_eq!(gdpr(&renamed), (Verdict::Allowed, vec![]));
}

#[test]
fn an_operator_nobody_established_is_unknown_and_who_bills_is_not() {
    let subject = Subject { provider: "shadeform", cloud: "imwt", seller: None, ..at("aws", "eu-central-1") };
    let european = own(|policy| policy.seller = vec![Area::Zone("US".to_owned())]);
    let judgement = european.judge(&subject);
    assert_eq!(judgement.reasons, [Reason::SellerUnknown { company: "imwt".to_owned() }]);
}

#[test]
fn a_hidden_operator_is_unprovable() {
    for cloud in ["excesssupply", "dc_roan", "DC_Newest"] {
        let subject = Subject { provider: "prime", cloud, ..at("verda", "FIN-01") };
        for policy in Policy::built_in() {
            let judgement = policy.judge(&subject);
            assert_eq!(judgement.verdict, Verdict::Blocked, "{cloud}");
            assert_eq!(codes(&judgement), ["operator-hidden"], "{cloud}: one reason says it all");
        }
    }
}

#[test]
fn adequacy_covers_countries_and_in_america_only_companies_that_are_in_the_framework() {
    let seller = |country, cloud: &'static str| {
        gdpr(&Subject { seller: Some(country), provider: cloud, cloud, ..at("verda", "FIN-01") })
    };
    assert_eq!(seller("CH", "verda").0, Verdict::Allowed);
    assert_eq!(seller("GB", "hyperstack").0, Verdict::Allowed);
    assert_eq!(seller("IN", "jarvislabs"), (Verdict::Blocked, vec!["seller-elsewhere"]));
    assert_eq!(seller("US", "runpod"), (Verdict::Blocked, vec!["seller-not-covered"]));
    // Recalled, not read: said, and not in the way.
    assert_eq!(seller("US", "aws"), (Verdict::Warned, vec!["certificate-recalled"]));
    let place = own(|policy| policy.place = vec![Area::Adequacy]);
    assert_eq!(place.judge(&at("aws", "eu-central-2")).verdict, Verdict::Allowed, "Zurich");
    assert_eq!(place.judge(&at("aws", "us-east-1")).verdict, Verdict::Blocked, "a place joins no framework");
}

#[test]
fn certificates_are_those_of_the_cloud_behind_and_of_the_place() {
    let attested = own(|policy| policy.certificates = vec![Certificate::Fz152]);
    assert_eq!(attested.judge(&at("selectel", "ru-7a")).verdict, Verdict::Allowed);
    assert_eq!(codes(&attested.judge(&at("selectel", "ru-6a"))), ["not-certified"]);
    assert_eq!(codes(&attested.judge(&at("yandex", "ru-central1"))), ["certificate-recalled"]);
    assert_eq!(codes(&attested.judge(&at("immers", "RegionOne"))), ["not-certified"]);
    let audited = own(|policy| policy.certificates = vec![Certificate::Soc2]);
    let resold = Subject { provider: "shadeform", ..at("crusoe", "eu-iceland1-a") };
    assert_eq!(audited.judge(&resold).verdict, Verdict::Allowed, "of the cloud, not of the aggregator");
}

#[test]
fn isolation_that_is_not_told_is_not_far_enough() {
    let alone = own(|policy| policy.isolation = vec![Isolation::DedicatedHost, Isolation::Vm]);
    let isolated = |isolation| codes(&alone.judge(&Subject { isolation, ..at("aws", "eu-central-1") }));
    assert_eq!(isolated(Isolation::Vm), [""; 0]);
    assert_eq!(isolated(Isolation::SharedHost), ["isolation-other"]);
    assert_eq!(isolated(Isolation::Unknown), ["isolation-unknown"]);
}

#[test]
fn a_policy_that_warns_blocks_nothing_and_hides_nothing() {
    let mut lenient = policy("152-fz");
    lenient.on_breach = OnBreach::Warn;
    let judgement = lenient.judge(&at("aws", "us-east-1"));
    assert_eq!(judgement.verdict, Verdict::Warned);
    assert_eq!(judgement.breaches().count(), 2);
}

fn offered(region: &str, country: Option<&str>) -> Offer {
    serde_json::from_value(serde_json::json!({
        "id": "nebius:1", "provider": "nebius", "cloud": "nebius", "source": "live", "name": "1", "form": "vm",
        "isolation": "vm", "gpu": {"count": 1, "raw_name": "H100"},
        "place": {"country": country, "region": region, "seller": "NL"},
        "price": {"kind": "on-demand", "currency": "USD", "per_hour": "1"}, "supply": {"state": "in-stock"},
    }))
    .unwrap()
}

#[test]
fn the_place_read_back_decides_after_a_launch() {
    let (offer, gdpr) = (offered("eu-north1", Some("FI")), policy("gdpr"));
    let found = |region: Option<&str>, country: Option<&str>| {
        let place =
            Place { region: region.map(str::to_owned), country: country.map(str::to_owned), seller: None };
        let judgement = gdpr.judge_found(&offer, Some(&place));
        (judgement.verdict, codes(&judgement))
    };
    assert_eq!(found(Some("eu-north1"), Some("FI")), (Verdict::Allowed, vec![]));
    assert_eq!(found(Some("uk-south1"), Some("GB")), (Verdict::Blocked, vec!["place-elsewhere"]));
    assert_eq!(
        found(Some("eu-new9"), None),
        (Verdict::Blocked, vec!["place-unknown"]),
        "elsewhere, unproved"
    );
    assert_eq!(found(Some("EU-NORTH1"), None), (Verdict::Warned, vec!["not-read-back"]));
    assert_eq!(found(None, None), (Verdict::Warned, vec!["not-read-back"]));
    assert_eq!(gdpr.judge_found(&offer, None).verdict, Verdict::Warned);
    let of_seller = own(|policy| policy.seller = vec![Area::Zone("EEA".to_owned())]);
    assert_eq!(of_seller.judge_found(&offer, None).verdict, Verdict::Allowed, "it asks for no place");
}

#[test]
fn only_what_can_be_kept_is_a_policy() {
    let named = |name: &str| {
        let place = vec![Area::Zone("DE".to_owned()), Area::Zone("DE".to_owned())];
        own(|policy| policy.place = place).named(name).checked()
    };
    assert_eq!(named("german-only").map(|policy| policy.place.len()), Ok(1), "nothing stands twice");
    for bad in ["", "-x", "German", "a b", "a:b", "имя", &"x".repeat(31)] {
        assert_eq!(named(bad), Err(NoPolicy::Name(bad.to_owned())));
    }
    for taken in ["gdpr", "152-fz", "152fz", "fz-152"] {
        assert_eq!(named(taken), Err(NoPolicy::BuiltIn(taken.to_owned())));
    }
    assert_eq!(own(|_| {}).checked(), Err(NoPolicy::Empty));
    assert_eq!(own(|policy| policy.title = " ".to_owned()).checked(), Err(NoPolicy::Title));
    let unknown = own(|policy| policy.isolation = vec![Isolation::Unknown]);
    assert_eq!(unknown.checked(), Err(NoPolicy::Isolation));
}

#[test]
fn a_policy_is_stored_under_its_words() {
    let text = serde_json::to_string(&policy("gdpr")).unwrap();
    assert_eq!(
        text,
        r#"{"name":"gdpr","title":"Personal data under the GDPR","place":["EEA"],"seller":["EEA","adequacy"],"certificates":[],"isolation":[],"on_breach":"block"}"#
    );
    assert_eq!(serde_json::from_str::<Policy>(&text).unwrap(), policy("gdpr"));
    let judgement = policy("gdpr").judge(&at("gcp", "europe-west6"));
    let text = serde_json::to_string(&judgement).unwrap();
    assert_eq!(serde_json::from_str::<Judgement>(&text).unwrap(), judgement);
}

impl Policy {
    fn named(mut self, name: &str) -> Self {
        name.clone_into(&mut self.name);
        self
    }
}

fn maybe(words: &'static [&'static str]) -> impl Strategy<Value = Option<&'static str>> {
    proptest::option::of(proptest::sample::select(words))
}

const COUNTRIES: &[&str] = &["DE", "IS", "GB", "CH", "US", "RU", "IN", "JP"];
const CLOUDS: &[&str] = &["aws", "verda", "selectel", "shadeform", "imwt", "dc_roan", "nobody", "crusoe"];

fn a_subject() -> impl Strategy<Value = Subject<'static>> {
    let names = (proptest::sample::select(CLOUDS), proptest::sample::select(CLOUDS));
    let places = (maybe(COUNTRIES), maybe(&["ru-1", "ru-6", "eu-west1"]), maybe(COUNTRIES));
    (names, places, proptest::sample::select(Isolation::ALL)).prop_map(
        |((provider, cloud), (country, region, seller), isolation)| Subject {
            provider,
            cloud,
            country,
            region,
            seller,
            isolation,
        },
    )
}

pub(crate) fn a_policy() -> impl Strategy<Value = Policy> {
    let areas = || {
        let words = proptest::sample::select(vec!["EEA", "EU", "UK", "CH", "US", "RU", "adequacy"]);
        proptest::collection::vec(words.prop_map(|word| word.parse::<Area>().unwrap()), 0..3)
    };
    let certificates = proptest::collection::vec(proptest::sample::select(Certificate::ALL), 0..2);
    let isolation = vec![Isolation::Vm, Isolation::DedicatedHost, Isolation::SharedHost];
    let isolation = proptest::collection::vec(proptest::sample::select(isolation), 0..2);
    (areas(), areas(), certificates, isolation, proptest::sample::select(OnBreach::ALL)).prop_map(
        |(place, seller, certificates, isolation, on_breach)| Policy {
            place,
            seller,
            certificates,
            isolation,
            on_breach,
            ..own(|_| {})
        },
    )
}

proptest! {
    #[test]
    fn what_is_not_proved_is_never_allowed(policy in a_policy(), subject in a_subject()) {
        let judgement = policy.judge(&subject);
        let codes = codes(&judgement);
        if place::hides_operator(subject.cloud) {
            let asks = !policy.place.is_empty() || !policy.seller.is_empty() || !policy.certificates.is_empty();
            prop_assert_eq!(codes.contains(&"operator-hidden"), asks);
        } else {
            let unknown = !policy.place.is_empty() && subject.country.is_none();
            prop_assert_eq!(codes.contains(&"place-unknown"), unknown);
        }
        if !policy.isolation.is_empty() && subject.isolation == Isolation::Unknown {
            prop_assert!(codes.contains(&"isolation-unknown"));
        }
        let broken = judgement.breaches().next().is_some();
        prop_assert_eq!(judgement.verdict == Verdict::Blocked, broken && policy.on_breach == OnBreach::Block);
        prop_assert_eq!(judgement.verdict == Verdict::Allowed, judgement.reasons.is_empty());
        for reason in &judgement.reasons {
            prop_assert!(!reason.to_string().is_empty());
        }
    }

    #[test]
    fn asking_for_more_never_allows_more(
        policy in a_policy(), subject in a_subject(), certificate in proptest::sample::select(Certificate::ALL),
    ) {
        let mut more = policy.clone();
        more.certificates.push(certificate);
        let broken = |policy: &Policy| policy.judge(&subject).breaches().next().is_some();
        prop_assert!(broken(&more) || !broken(&policy));
    }

    #[test]
    fn a_wider_area_never_forbids_more(
        policy in a_policy(), subject in a_subject(), area in proptest::sample::select(vec!["EEA", "US", "adequacy"]),
    ) {
        let mut wider = policy.clone();
        // An empty list is the widest there is.
        if !wider.place.is_empty() {
            wider.place.push(area.parse().unwrap());
        }
        if !wider.seller.is_empty() {
            wider.seller.push(area.parse().unwrap());
        }
        let broken = |policy: &Policy| policy.judge(&subject).breaches().count();
        prop_assert!(broken(&wider) <= broken(&policy));
    }
}
