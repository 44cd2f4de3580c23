//! Random markets and random lines.

use chrono::TimeDelta;
use proptest::prelude::*;
use rust_decimal::Decimal;

use super::naive::Row;
use super::*;
use crate::offer::{
    Disk, Flag, Form, Isolation, Net, Offer, OfferGpu, Place, Price, PriceKind, Source, Supply, SupplyState,
};

fn maybe<T: Clone + std::fmt::Debug + 'static>(values: Vec<T>) -> impl Strategy<Value = Option<T>> {
    proptest::option::weighted(0.8, proptest::sample::select(values))
}

fn an_offer() -> impl Strategy<Value = Offer> {
    let text = |values: &[&str]| maybe(values.iter().map(|v| (*v).to_owned()).collect::<Vec<String>>());
    let gpu = (
        text(&["H100 SXM", "H100 PCIe", "H100", "RTX 4090", "A100 80GB SXM", "MI300X", "T4", "H300 SXM"]),
        proptest::sample::select(vec![1u32, 2, 3, 4, 8]),
        proptest::option::weighted(0.1, proptest::sample::select(vec![0.125, 0.25, 0.5])),
        maybe(vec![16.0, 24.0, 80.0, 96.0, 192.0]),
        proptest::option::weighted(
            0.2,
            proptest::sample::select(vec!["NVLink 4", "PCIe 5 x16", "NVSwitch?"]),
        ),
        proptest::sample::select(vec!["frob one", "widget two"]),
    )
        .prop_map(|(model, count, fraction, vram_gib, link, raw)| OfferGpu {
            // The raw names of unknown cards are their own.
            raw_name: if model.as_ref().is_some_and(|m| crate::gpu::card(m).is_some()) {
                "its raw name"
            } else {
                raw
            }
            .to_owned(),
            model,
            count,
            fraction,
            vram_gib,
            link: link.map(|link| link.replace('?', "")),
        });
    let words = (
        proptest::sample::select(Form::ALL),
        proptest::sample::select(Isolation::ALL),
        proptest::sample::select(PriceKind::ALL),
        proptest::sample::select(Source::ALL),
        proptest::sample::select(SupplyState::ALL),
        proptest::option::of(any::<bool>()),
    );
    let names = (
        proptest::sample::select(vec!["vast", "aws", "runpod", "selectel"]),
        proptest::sample::select(vec!["vast", "aws", "lambda", "selectel", "dc_roan"]),
        text(&["US", "DE", "FI", "RU", "GB", "CH"]),
        text(&["US", "RU", "DE"]),
        text(&["us-east-1", "Sofia, BG", "eu-north1", "ru-1", "ru-6"]),
        text(&["InfiniBand 3200 Gb/s", "EFA", "RoCE"]),
        text(&["12.4", "12.8", "12.10", "odd"]),
        text(&["535.183.01", "570.86.10"]),
    );
    let figures = (
        maybe(vec![4.0, 16.0, 128.5]),
        maybe(vec![62.5, 1024.0]),
        maybe(vec![0.0, 100.0]),
        maybe(vec![500.0, 2000.0]),
        maybe(vec![812.0, 10_000.0]),
        maybe(vec![0.5, 0.875]),
        maybe(vec![3u32, 17]),
    );
    let price = (
        1u32..4000,
        proptest::sample::select(vec![Currency::USD, Currency::EUR, Currency::RUB, "KZT".parse().unwrap()]),
        proptest::option::of(Just("12 months".to_owned())),
        maybe(vec![1u32, 3600]),
        maybe(vec![0u32, 60]),
        maybe(vec!["0.2", "0.08"]),
        maybe(vec!["0.05", "0"]),
    );
    (gpu, words, names, figures, price, proptest::bool::weighted(0.3)).prop_map(
        |(gpu, words, names, figures, price, flagged)| Offer {
            id: String::new(),
            provider: names.0.to_owned(),
            cloud: names.1.to_owned(),
            source: words.3,
            name: "x".to_owned(),
            form: words.0,
            isolation: words.1,
            gpu,
            fabric: names.5,
            vcpu: figures.0,
            ram_gib: figures.1,
            disk: Disk { included_gb: figures.2, max_gb: figures.3 },
            net: Net { down_mbit_s: figures.4, up_mbit_s: figures.4 },
            driver: names.7,
            cuda: names.6,
            reliability: figures.5,
            verified: words.5,
            place: Place { region: names.4, country: names.2, seller: names.3 },
            price: Price {
                kind: words.2,
                currency: price.1,
                // Eighths: exact in binary, also for a third of them.
                per_hour: Decimal::from(price.0) / Decimal::from(8),
                term: price.2,
                increment_s: price.3,
                minimum_s: price.4,
                storage_gb_month: price.5.map(|text| text.parse().unwrap()),
                storage_stopped_gb_month: None,
                egress_gb: price.6.map(|text| text.parse().unwrap()),
                ingress_gb: None,
                meter: None,
                page: None,
            },
            supply: Supply { state: words.4, count: figures.6 },
            flags: if flagged {
                vec![Flag::PriceSuspect, Flag::DuplicateOf("other".to_owned())]
            } else {
                Vec::new()
            },
        },
    )
}

/// Rows of two feeds, some quarantined. No provider is both live and in the catalogue: that has its own test.
pub(super) fn a_market() -> impl Strategy<Value = Vec<Row>> {
    let row = (an_offer(), proptest::bool::weighted(0.1), any::<bool>());
    proptest::collection::vec(row, 0..60).prop_map(|rows| {
        let with_id = |(index, (mut offer, quarantined, early)): (usize, (Offer, bool, bool))| {
            offer.id = format!("{}:{}", offer.provider, (index * 7919) % 1000);
            if offer.source == Source::Catalogue {
                offer.source = Source::Own;
            }
            let as_of = now() - TimeDelta::minutes(if early { 300 } else { 5 });
            Row { offer, quarantined, as_of }
        };
        rows.into_iter().enumerate().map(with_id).collect()
    })
}

pub(super) fn build(rows: &[Row]) -> Board {
    let mut builder = BoardBuilder::new(rates());
    for minutes in [5, 300] {
        let meta = feed(&format!("feed {minutes}"), minutes);
        let as_of = meta.as_of;
        builder.feed(meta);
        for row in rows.iter().filter(|row| row.as_of == as_of) {
            if row.quarantined { builder.push_quarantined(&row.offer) } else { builder.push(&row.offer) }
        }
    }
    builder.build()
}

pub(super) fn a_line() -> impl Strategy<Value = String> {
    let words = vec![
        "h100",
        "h100-sxm",
        "gpu=H100",
        "4090",
        "-t4",
        "raw:frob",
        "-raw:widget",
        "x8",
        "x1",
        "count>=3",
        "count:2..4",
        "vram>=80",
        "vram<96",
        "vram-total>=160",
        "bandwidth>=2tb/s",
        "tflops>500",
        "price<10",
        "price>=5",
        "price<100rub",
        "hour<50eur",
        "total<500",
        "ram>62.5",
        "vcpu>=16",
        "disk>=500",
        "down>=1gbps",
        "reliability>=50%",
        "age<2h",
        "cuda>=12.8",
        "driver:570",
        "country:de,fi",
        "-country:ru",
        "country:unknown",
        "zone:eea",
        "zone:eu,uk",
        "zone:ru+seller",
        "-zone:us",
        "seller:ru",
        "-seller:us",
        "form:vm,bare-metal",
        "form:serverless",
        "-form:serverless",
        "cloud:vast",
        "-cloud:aws",
        "provider:runpod",
        "spot",
        "-spot",
        "kind:bid,reserved",
        "vendor:amd",
        "region:sofia",
        "-region:us",
        "nvlink",
        "-nvlink",
        "link:nvlink",
        "-link:pcie",
        "fabric",
        "ib",
        "-ib",
        "source:live",
        "isolation:vm",
        "-isolation:vm",
        "instock",
        "-supply:none",
        "supply:unknown",
        "verified",
        "-verified",
        "policy:gdpr",
        "-policy:gdpr",
        "policy:152-fz,gdpr",
        "-policy:152-fz",
        "policy:\"attested\"",
        "policy:\"removed\"",
    ];
    proptest::collection::vec(proptest::sample::select(words), 0..4).prop_map(|words| words.join(" "))
}

pub(super) fn a_sort() -> impl Strategy<Value = Sort> {
    proptest::sample::select(Sort::words().collect::<Vec<_>>()).prop_map(|word| word.parse().unwrap())
}
