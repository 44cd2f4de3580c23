use proptest::prelude::*;

use super::*;
use crate::gpu;

fn line(text: &str) -> String {
    parse(text).unwrap_or_else(|error| panic!("{text}: {error}")).to_string()
}

fn error(text: &str) -> (String, usize, Option<String>) {
    let error = parse(text).expect_err(text);
    assert!(error.message.contains(&error.word), "{}", error.message);
    (error.word, error.at, error.nearest)
}

fn wrong(word: &str, at: usize, nearest: Option<&str>) -> (String, usize, Option<String>) {
    (word.to_owned(), at, nearest.map(ToOwned::to_owned))
}

#[test]
fn the_line_of_the_contract_is_read_and_written_back() {
    let typed = "h100 x8 vram>=80 country:de,fi zone:eea seller:ru form:vm,bare-metal price<3 spot nvlink cuda>=12.8 \
                 cloud:vast,runpod instock";
    assert_eq!(
        line(typed),
        "h100 x8 vram>=80 country:DE,FI zone:EEA seller:RU form:vm,bare-metal price<3 spot nvlink cuda>=12.8 \
         cloud:vast,runpod instock"
    );
}

#[test]
fn what_people_type_is_brought_into_one_spelling() {
    for (typed, canonical) in [
        ("", ""),
        ("  H100   X8 ", "h100 x8"),
        ("8x h100", "x8 h100"),
        ("8xH100", "h100 x8"),
        ("h100x8", "h100 x8"),
        ("H100, H200", "h100 h200"),
        ("rtx 4090", "rtx-4090"),
        ("4090", "rtx-4090"),
        ("\"RTX 4090\" x2", "rtx-4090 x2"),
        ("gpu:\"RTX 4090\"", "rtx-4090"),
        ("a100 80gb x4", "a100-80gb x4"),
        ("rtx pro 6000 spot", "rtx-pro-6000 spot"),
        ("-h100", "-h100"),
        ("!cloud:vast -spot", "-cloud:vast -spot"),
        ("vram >= 80 GB", "vram>=80"),
        ("vram≥80gib", "vram>=80"),
        ("vram:24..80", "vram:24..80"),
        ("vram:24..", "vram>=24"),
        ("vram:>=24", "vram>=24"),
        ("count:4..8", "count:4..8"),
        ("count=8", "x8"),
        ("count>=8", "count>=8"),
        ("price<$3", "price<3usd"),
        ("price<=2.50", "price<=2.5"),
        ("цена<300₽", "price<300rub"),
        ("price<3 bid", "price<3 bid"),
        ("price<3 eur bid", "price<3eur bid"),
        ("hour<20", "hour<20"),
        ("machine-hour<20", "hour<20"),
        ("bandwidth>=2tb/s", "bandwidth>=2000"),
        ("bw>=1008 gb/s", "bandwidth>=1008"),
        ("ram>=1tb", "ram>=1024"),
        ("disk>=2tb", "disk>=2000"),
        ("down>=10gbps up>=500mbit/s", "down>=10000 up>=500"),
        ("reliability>=98%", "reliability>=0.98"),
        ("reliability>=98", "reliability>=0.98"),
        ("reliability>0.98", "reliability>0.98"),
        ("age<2h", "age<2h"),
        ("age<90", "age<90h"),
        ("age<48h", "age<2d"),
        ("age<10min", "age<10m"),
        ("cuda>=12.10", "cuda>=12.10"),
        ("driver:570", "driver:570"),
        ("ib", "infiniband"),
        ("-infiniband fabric", "-infiniband fabric"),
        ("kind:spot,bid", "kind:spot,bid"),
        ("spot bid", "kind:spot,bid"),
        ("kind:ON_DEMAND", "on-demand"),
        ("bare-metal", "form:bare-metal"),
        ("form:baremetal", "form:bare-metal"),
        ("country:uk country:Germany", "country:GB,DE"),
        ("страна:германия", "country:DE"),
        ("зона:ru", "zone:RU"),
        ("zone:ru+seller", "zone:RU+seller"),
        ("country:unknown", "country:unknown"),
        ("region: \"Sofia, BG\"", "region:\"sofia, bg\""),
        ("link:\"NVLink 4\"", "link:\"nvlink 4\""),
        ("vendor:amd", "vendor:AMD"),
        ("source:live,catalogue", "source:live,catalogue"),
        ("policy:GDPR", "policy:gdpr"),
        ("политика:152-ФЗ,gdpr", "policy:152-fz,gdpr"),
        ("-policy:152fz", "-policy:152-fz"),
        ("h100 h100 spot spot", "h100 spot"),
        ("raw:\"say \"\"hi\"\"\"", "raw:\"say \"\"hi\"\"\""),
    ] {
        let query = parse(typed).unwrap_or_else(|error| panic!("{typed}: {error}"));
        assert_eq!(query.to_string(), canonical, "{typed}");
        assert_eq!(parse(canonical).unwrap(), query, "{canonical} is read back as {typed}");
    }
}

#[test]
fn a_mistake_is_named_with_its_place_and_the_nearest_word() {
    assert_eq!(error("h10"), wrong("h10", 0, Some("h100")));
    assert_eq!(error("x8 h10"), wrong("h10", 3, Some("h100")));
    assert_eq!(error("contry:de"), wrong("contry", 0, Some("country")));
    assert_eq!(error("h100 zone:eae"), wrong("eae", 10, Some("EEA")));
    assert_eq!(error("form:vmm"), wrong("vmm", 5, Some("vm")));
    assert_eq!(error("country:XX").0, "XX");
    assert_eq!(error("country:de,XX"), wrong("XX", 11, error("country:XX").2.as_deref()));
    assert_eq!(error("vram>=8o"), wrong("8o", 6, None));
    assert_eq!(error("ю price<cheap"), wrong("ю", 0, None), "the first mistake is named");
    assert_eq!(error("spott"), wrong("spott", 0, Some("spot")));
    assert_eq!(error("-spott"), wrong("spott", 1, Some("spot")));
    assert_eq!(error("kind:sport"), wrong("sport", 5, Some("spot")));
    assert_eq!(error("instok"), wrong("instok", 0, Some("instock")));
    assert_eq!(error("vram>=").0, "vram");
    assert_eq!(error("count:8..4"), wrong("8..4", 6, None));
    assert_eq!(error("count:4,8"), wrong("8", 8, None));
    assert_eq!(error("-vram>=80"), wrong("vram", 1, None));
    assert_eq!(error("country>=de").0, "country");
    assert_eq!(error("price>>3").0, "price");
    assert_eq!(error("cuda>=12.x"), wrong("12.x", 6, None));
    assert_eq!(error("\"h100"), wrong("h100", 0, None));
    assert_eq!(error("gpu:h10"), wrong("h10", 4, Some("h100")));
    assert_eq!(error("price<3zzzz").0, "3zzzz");
    assert_eq!(error("price<3bid").0, "3bid");
    assert_eq!(error("policy:gdrp"), wrong("gdrp", 7, Some("gdpr")));
    assert_eq!(error("polciy:gdpr"), wrong("polciy", 0, Some("policy")));
}

#[test]
fn the_place_of_a_mistake_counts_characters_not_bytes() {
    assert_eq!(error("страна:de вонючка").1, 10);
}

#[test]
fn names_only_the_rows_know_are_accepted_when_they_are_given_or_quoted() {
    assert_eq!(error("cloud:ironforge"), wrong("ironforge", 6, None));
    let ours = Vocabulary { clouds: vec!["ironforge".to_owned()], policies: vec!["eu-only".to_owned()] };
    let query = parse_with("cloud:IronForge", &ours).unwrap();
    assert_eq!(query.to_string(), "cloud:\"ironforge\"");
    assert_eq!(parse("cloud:\"ironforge\"").unwrap(), query);
    assert_eq!(error("policy:eu-only"), wrong("eu-only", 7, None));
    let query = parse_with("policy:EU_only", &ours).unwrap();
    assert_eq!(query.to_string(), "policy:\"eu-only\"");
    assert_eq!(parse("policy:\"eu-only\"").unwrap(), query);
    assert_eq!(parse_with("cloud:ironforg", &ours).unwrap_err().nearest.as_deref(), Some("ironforge"));
}

#[test]
fn versions_are_compared_part_by_part() {
    let bounds = |text: &str| match parse(text).unwrap().terms() {
        [Term::Version { bounds, .. }] => bounds.clone(),
        other => panic!("{other:?}"),
    };
    let meets = |text: &str, version: &str| bounds(text).contain_version(&Version::parse(version).unwrap());
    assert!(meets("cuda>=12.8", "12.10"));
    assert!(!meets("cuda>=12.10", "12.8"));
    assert!(meets("cuda>=12", "12.0") && meets("cuda<=12.0", "12"));
    assert!(meets("driver:570", "570.86.10") && !meets("driver:570", "571.0"));
    assert!(meets("driver>=535.100", "535.183.01"));
    assert!(meets("cuda:12.4..12.8", "12.6") && !meets("cuda:12.4..12.8", "12.9"));
}

fn edited(text: &str, edit: Edit) -> String {
    parse(text).unwrap().edit(&edit).unwrap().to_string()
}

fn toggle(key: &str, value: &str) -> Edit {
    Edit::Toggle { key: key.to_owned(), value: value.to_owned() }
}

#[test]
fn a_facet_adds_and_takes_away_a_value() {
    assert_eq!(edited("x8", toggle("country", "DE")), "x8 country:DE");
    assert_eq!(edited("country:DE", toggle("country", "FI")), "country:DE,FI");
    assert_eq!(edited("country:DE,FI", toggle("country", "DE")), "country:FI");
    assert_eq!(edited("country:FI x8", toggle("country", "FI")), "x8");
    assert_eq!(edited("-cloud:vast", toggle("cloud", "vast")), "cloud:vast", "an exclusion gives way");
    assert_eq!(edited("", toggle("supply", "in-stock")), "instock");
    assert_eq!(edited("", toggle("link", "NVLink 4")), "link:\"nvlink 4\"");
    assert_eq!(edited("", toggle("zone", "unknown")), "zone:unknown");
    assert_eq!(edited("", toggle("zone", "RU+seller")), "zone:RU+seller");
    assert_eq!(edited("x2", toggle("policy", "gdpr")), "x2 policy:gdpr");
    assert_eq!(edited("policy:gdpr", toggle("policy", "gdpr")), "");
    assert_eq!(edited("x2", toggle("nvlink", "")), "x2 nvlink");
    assert_eq!(edited("nvlink x2", toggle("nvlink", "")), "x2");
    assert_eq!(edited("", toggle("cloud", "ironforge")), "cloud:\"ironforge\"");
}

#[test]
fn a_card_is_taken_out_of_the_family_that_selects_it() {
    assert_eq!(edited("", toggle("gpu", "H100 SXM")), "h100-sxm");
    assert_eq!(edited("h100-sxm", toggle("gpu", "H100 SXM")), "");
    let rest = edited("h100 x8", toggle("gpu", "H100 PCIe"));
    let rest = parse(&rest).unwrap();
    assert!(rest.wants_card("H100 SXM") && rest.wants_card("H100 NVL"), "{rest}");
    assert!(!rest.wants_card("H100 PCIe") && !rest.wants_card("H100"), "{rest}");
    assert_eq!(edited("h100", toggle("gpu", "H100")), "");
    assert_eq!(edited("x8", toggle("gpu", "Frobnicator 3000")), "x8 raw:\"frobnicator 3000\"");
}

#[test]
fn every_card_of_the_table_can_be_asked_for_alone() {
    let names = gpu::table().iter().map(|m| m.name).chain(gpu::families().iter().map(|f| f.name));
    let names: Vec<&str> = names.collect();
    for name in &names {
        let query = Query::default().edit(&toggle("gpu", name)).unwrap();
        let read = parse(&query.to_string()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let wanted: Vec<&&str> = names.iter().filter(|other| read.wants_card(other)).collect();
        assert_eq!(wanted, [name], "{query}");
    }
}

#[test]
fn a_lower_bound_is_set_moved_and_cleared_in_place() {
    let at_least =
        |value: Option<i64>| Edit::AtLeast { key: "vram".to_owned(), value: value.map(Decimal::from) };
    assert_eq!(edited("h100 x8", at_least(Some(80))), "h100 x8 vram>=80");
    assert_eq!(edited("vram>=24 x8", at_least(Some(80))), "vram>=80 x8");
    assert_eq!(edited("vram>=24 x8", at_least(None)), "x8");
    assert_eq!(edited("vram:24..80", at_least(Some(40))), "vram<=80 vram>=40");
    assert_eq!(edited("vram>=24 vram<=80", at_least(None)), "vram<=80");
    assert_eq!(edited("", toggle("vram", "80")), "vram>=80");
    assert_eq!(edited("vram>=80", toggle("vram", "80")), "");
}

#[test]
fn chips_say_what_the_line_says_and_go_one_by_one() {
    let query = parse("h100 x8 vram>=80 zone:eea -cloud:vast nvlink price:1..3").unwrap();
    let chips: Vec<(&str, &str, String, bool)> =
        query.chips().into_iter().map(|c| (c.key, c.op, c.value, c.negated)).collect();
    assert_eq!(
        chips,
        [
            ("gpu", "", "H100".to_owned(), false),
            ("count", "=", "8".to_owned(), false),
            ("vram", "≥", "80".to_owned(), false),
            ("zone", ":", "EEA".to_owned(), false),
            ("cloud", ":", "vast".to_owned(), true),
            ("link", "", "nvlink".to_owned(), false),
            ("price", ":", "1–3".to_owned(), false),
        ]
    );
    assert_eq!(edited("h100 x8 nvlink", Edit::Remove(1)), "h100 nvlink");
    assert_eq!(query.edit(&Edit::Remove(7)), Err(EditError::Term(7)));
    assert_eq!(edited("vram>=24 x8 vram<=80", Edit::Clear { key: "vram".to_owned() }), "x8");
    assert_eq!(edited("h100 a100 raw:foo x8", Edit::Clear { key: "gpu".to_owned() }), "x8");
    let joined: Vec<String> = query.chips().into_iter().map(|chip| chip.text).collect();
    assert_eq!(joined.join(" "), query.to_string());
}

#[test]
fn a_family_of_which_only_some_cards_are_wanted_is_unknown() {
    let sxm = Cards::word("h100-sxm").unwrap();
    assert_eq!(sxm.hold("H100 SXM"), Holds::Yes);
    assert_eq!(sxm.hold("H100"), Holds::Unknown);
    assert_eq!(sxm.hold("H100 PCIe"), Holds::No);
    let all = Cards::word("h100").unwrap();
    assert_eq!(all.hold("H100"), Holds::Yes);
    assert_eq!(Cards::exactly("h100").unwrap().hold("H100 SXM"), Holds::No);
}

fn a_card() -> impl Strategy<Value = Term> {
    let names: Vec<&'static str> =
        gpu::table().iter().map(|m| m.name).chain(gpu::families().iter().map(|f| f.name)).collect();
    (proptest::sample::select(names), 0..3, any::<bool>()).prop_map(|(name, way, negated)| {
        let cards = match way {
            0 => Cards::exactly(name),
            1 => Cards::only(name),
            _ => Cards::word(name),
        };
        Term::Gpu { cards: cards.or_else(|| Cards::exactly(name)).unwrap(), negated }
    })
}

fn a_text() -> impl Strategy<Value = String> {
    "[a-z0-9а-я \",.:<>=x\\-!+]{1,12}"
        .prop_map(|text| text.trim().to_lowercase())
        .prop_filter("text", |t| !t.is_empty())
}

fn a_set() -> impl Strategy<Value = Term> {
    let value = prop_oneof![
        proptest::sample::select(vec!["DE", "FI", "RU", UNKNOWN]).prop_map(|v| (Set::Country, v.to_owned())),
        proptest::sample::select(vec!["US", "GB", UNKNOWN]).prop_map(|v| (Set::Seller, v.to_owned())),
        proptest::sample::select(vec!["EEA", "EU", "RU", "RU+seller", UNKNOWN])
            .prop_map(|v| (Set::Zone, v.to_owned())),
        proptest::sample::select(vec!["vm", "bare-metal", "fraction"])
            .prop_map(|v| (Set::Form, v.to_owned())),
        proptest::sample::select(vec!["spot", "on-demand", "bid"]).prop_map(|v| (Set::Kind, v.to_owned())),
        proptest::sample::select(vec!["in-stock", "none", UNKNOWN]).prop_map(|v| (Set::Supply, v.to_owned())),
        proptest::sample::select(vec!["live", "own"]).prop_map(|v| (Set::Source, v.to_owned())),
        proptest::sample::select(vec!["gdpr", "152-fz", "own-rules"])
            .prop_map(|v| (Set::Policy, v.to_owned())),
        a_text().prop_map(|v| (Set::Region, v)),
        a_text().prop_map(|v| (Set::Link, v)),
        a_text().prop_filter("an alias", |t| t != "ib").prop_map(|v| (Set::Fabric, v)),
        "[a-z]{3,9}".prop_map(|v| (Set::Cloud, crate::place::canonical_provider(&v).to_owned())),
    ];
    (proptest::collection::vec(value, 1..3), any::<bool>()).prop_map(|(values, negated)| {
        let column = values[0].0;
        let values = values.into_iter().filter(|(c, _)| *c == column).map(|(_, v)| v).collect();
        Term::Set { column, values, negated }
    })
}

fn a_number() -> impl Strategy<Value = Term> {
    let columns = vec![
        Number::Vram,
        Number::VramTotal,
        Number::Count,
        Number::Price,
        Number::Hour,
        Number::Total,
        Number::Bandwidth,
        Number::Tflops,
        Number::Ram,
        Number::Vcpu,
        Number::Disk,
        Number::Down,
        Number::Up,
        Number::Age,
    ];
    let currency = proptest::option::of(proptest::sample::select(vec![Currency::USD, Currency::RUB]));
    (proptest::sample::select(columns), 0i64..10_000_000, 0u32..4, 0..6, 0i64..1000, currency).prop_map(
        |(column, digits, scale, way, more, currency)| {
            let low = Decimal::new(digits, scale).normalize();
            let money = matches!(column, Number::Price | Number::Hour | Number::Total);
            let bounds = match way {
                0 => Bounds::AtLeast(low),
                1 => Bounds::Above(low),
                2 => Bounds::AtMost(low),
                3 => Bounds::Below(low),
                4 => Bounds::Exactly(low),
                _ => Bounds::Between(low, low + Decimal::from(more)),
            };
            Term::Number { column, bounds, currency: currency.filter(|_| money) }
        },
    )
}

fn a_term() -> impl Strategy<Value = Term> {
    prop_oneof![
        3 => a_card(),
        3 => a_set(),
        3 => a_number(),
        1 => (a_text(), any::<bool>()).prop_map(|(text, negated)| Term::Raw { text, negated }),
        1 => (proptest::sample::select(vec![Fact::Nvlink, Fact::Fabric, Fact::Verified]), any::<bool>())
            .prop_map(|(fact, negated)| Term::Fact { fact, negated }),
        1 => (1u16..600, 0u16..100, any::<bool>()).prop_map(|(a, b, cuda)| Term::Version {
            column: if cuda { Versioned::Cuda } else { Versioned::Driver },
            bounds: Bounds::AtLeast(Version::parse(&format!("{a}.{b}")).unwrap()),
        }),
    ]
}

proptest! {
    #[test]
    fn the_canonical_line_gives_the_same_query(terms in proptest::collection::vec(a_term(), 0..7)) {
        let mut query = Query::default();
        for term in terms {
            query.add(term);
        }
        let line = query.to_string();
        prop_assert_eq!(parse(&line).map_err(|e| TestCaseError::fail(format!("{line}: {e}")))?, query);
    }

    #[test]
    fn no_line_breaks_the_parser(text in "[ -~а-я≥≤₽\"]{0,40}") {
        if let Ok(query) = parse(&text) {
            prop_assert_eq!(parse(&query.to_string()).unwrap(), query);
        }
    }

    #[test]
    fn toggling_twice_changes_nothing_to_a_value_not_asked_for(
        terms in proptest::collection::vec(a_number(), 0..4),
        value in proptest::sample::select(vec!["DE", "FI", "US"]),
    ) {
        let mut query = Query::default();
        for term in terms {
            query.add(term);
        }
        let once = query.edit(&toggle("country", value)).unwrap();
        prop_assert!(once.wants(Set::Country, value));
        prop_assert_eq!(once.edit(&toggle("country", value)).unwrap(), query);
    }
}
