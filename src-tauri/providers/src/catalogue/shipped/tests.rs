use gpudesk_core::feed::FeedName;
use gpudesk_core::gpu;
use gpudesk_core::offer::{Form, Offer};

use super::*;

fn feed(name: &str) -> Fetched {
    let all = shipped();
    all.into_iter().find(|fetched| fetched.feed == FeedName(name.to_owned())).unwrap()
}

fn offer<'f>(fetched: &'f Fetched, id: &str) -> &'f Offer {
    fetched.offers.iter().find(|offer| offer.id == id).unwrap_or_else(|| panic!("no {id}"))
}

#[test]
fn every_row_of_the_snapshot_is_accounted_for() {
    let all = shipped();
    let sum = |count: fn(&Fetched) -> u64| all.iter().map(count).sum::<u64>();
    assert_eq!(
        sum(|f| f.rows_read),
        2904,
        "184 of AWS, 1,400 of Azure, 984 of Google, 310 of the survey, 8 each of Yandex and Crusoe, 10 by the second"
    );
    for fetched in &all {
        let quarantined = fetched.quarantined.len() as u64;
        assert_eq!(
            fetched.rows_read,
            fetched.rows_used + fetched.rows_not_gpu + quarantined,
            "{}",
            fetched.feed
        );
        assert!(fetched.feed.0.starts_with("catalogue/"));
    }
    // vt1 of AWS in three sizes (video cards), and nine regions of Azure's MA35D (the same).
    assert_eq!(sum(|f| f.rows_not_gpu), 12);
    let ids: std::collections::HashSet<_> = all.iter().flat_map(|f| &f.offers).map(|o| &o.id).collect();
    assert_eq!(ids.len() as u64, sum(|f| f.offers.len() as u64), "ids are unique over all feeds");
}

#[test]
fn each_feed_is_as_old_as_its_list() {
    let date = |name: &str| feed(name).as_of.date_naive().to_string();
    assert_eq!(date("catalogue/aws"), "2026-07-20");
    assert_eq!(date("catalogue/aws-cn"), "2024-11-06");
    assert_eq!(date("catalogue/azure"), "2026-06-18");
    assert_eq!(date("catalogue/gcp"), "2026-07-30");
    assert_eq!(date("catalogue/verda"), "2026-05-24");
    assert_eq!(feed("catalogue/azure").origin, "Azure price list, 2026-06-18");
}

#[test]
fn eight_linked_h100_in_the_eea_can_be_found_offline() {
    let all = shipped();
    let wanted = |offer: &&Offer| {
        let in_eea = offer
            .place
            .country
            .as_deref()
            .is_some_and(|country| place::zone_matches("EEA", country).unwrap());
        let card = offer.gpu.model.as_deref().and_then(gpu::card);
        let nvlink = card.and_then(gpu::Card::link).is_some_and(|link| link.nvlink);
        let h100 = offer.gpu.model.as_deref().is_some_and(|model| model.starts_with("H100"));
        h100 && offer.gpu.count == 8 && in_eea && nvlink && offer.price.kind == PriceKind::OnDemand
    };
    let found: Vec<&Offer> = all.iter().flat_map(|fetched| &fetched.offers).filter(wanted).collect();
    assert!(found.len() > 30, "{}", found.len());
    assert!(found.iter().any(|offer| offer.provider == "azure") && found.iter().any(|o| o.provider == "gcp"));
}

#[test]
fn a_machine_of_google_has_four_prices() {
    let gcp = feed("catalogue/gcp");
    let price = |kind: &str| {
        let id = format!("gcp:a3-highgpu-8g-x8-europe-west4-80g-{kind}");
        offer(&gcp, &id).price.per_hour.to_string()
    };
    assert_eq!(price("on-demand"), "112.540479175");
    assert_eq!(price("spot"), "44.118779397");
    // 56,991.96544192 and 36,078.20074112 dollars a month, by 730 hours.
    assert_eq!(price("reserved-12-months"), "78.071185537");
    assert_eq!(price("reserved-36-months"), "49.422192796");
    let year = offer(&gcp, "gcp:a3-highgpu-8g-x8-europe-west4-80g-reserved-12-months");
    assert_eq!(year.price.term.as_deref(), Some("12 months"));
    assert_eq!(year.gpu.model.as_deref(), Some("H100 SXM"));
    assert_eq!(year.place.country.as_deref(), Some("NL"));
    assert_eq!((year.vcpu, year.ram_gib, year.disk.included_gb), (Some(208.0), Some(1872.0), Some(6442.0)));
}

#[test]
fn half_an_a3_is_not_for_sale_on_demand() {
    let gcp = feed("catalogue/gcp");
    let kinds: Vec<_> = gcp
        .offers
        .iter()
        .filter(|offer| {
            offer.name == "a3-highgpu-4g" && offer.place.region.as_deref() == Some("europe-west4")
        })
        .map(|offer| offer.price.kind)
        .collect();
    assert_eq!(kinds, [PriceKind::Spot, PriceKind::Reserved, PriceKind::Reserved]);
}

#[test]
fn a_part_of_a_card_is_a_fraction() {
    let azure = feed("catalogue/azure");
    let sixth = offer(&azure, "azure:standard_nv6ads_a10_v5-x0.167-westeurope-4g-on-demand");
    assert_eq!(sixth.form, Form::Fraction);
    assert_eq!((sixth.gpu.count, sixth.gpu.fraction, sixth.gpu.vram_gib), (1, Some(1.0 / 6.0), Some(4.0)));
    let aws = feed("catalogue/aws");
    let eighth = offer(&aws, "aws:g6f.large-x0.125-us-east-1-3g-on-demand");
    assert_eq!((eighth.gpu.fraction, eighth.gpu.vram_gib), (Some(0.125), Some(3.0)));
    assert_eq!(eighth.price.per_hour.to_string(), "0.202");
}

#[test]
fn aws_in_china_is_sold_in_yuan_by_a_chinese_company() {
    let china = feed("catalogue/aws-cn");
    let offer = offer(&china, "aws:g4dn.xlarge-x1-cn-north-1-16g-on-demand");
    assert_eq!((offer.price.currency, offer.price.per_hour.to_string()), (Currency::CNY, "5.223".to_owned()));
    assert_eq!((offer.place.country.as_deref(), offer.place.seller.as_deref()), (Some("CN"), Some("CN")));
    assert_eq!(offer.provider, "aws");
    let home = feed("catalogue/aws");
    assert!(home.offers.iter().all(|offer| offer.place.seller.as_deref() == Some("US")));
}

#[test]
fn accelerators_that_ec2_does_not_call_gpus_are_offers_too() {
    let aws = feed("catalogue/aws");
    let card = |machine: &str| {
        let found =
            aws.offers.iter().find(|o| o.name == machine && o.place.region.as_deref() == Some("us-east-1"));
        found.map(|offer| (offer.gpu.model.clone().unwrap_or_default(), offer.gpu.count)).unwrap()
    };
    assert_eq!(card("inf1.24xlarge"), ("Inferentia".to_owned(), 16));
    assert_eq!(card("inf2.48xlarge"), ("Inferentia 2".to_owned(), 12));
    assert_eq!(card("trn1.32xlarge"), ("Trainium".to_owned(), 16));
    assert_eq!(card("g7e.2xlarge"), ("RTX PRO 6000 Blackwell Server".to_owned(), 1));
    assert_eq!(card("p6-b300.48xlarge"), ("B300 SXM".to_owned(), 8));
}

#[test]
fn a_size_whose_cards_nobody_published_is_set_aside() {
    let azure = feed("catalogue/azure");
    let unknown: Vec<_> =
        azure.quarantined.iter().filter(|row| row.reason.detail.contains("is not published")).collect();
    // The preview sizes of the RTX PRO 6000 series (163) and NC32ads_A10_v4 (3).
    assert_eq!(unknown.len(), 166);
    assert!(unknown.iter().all(|row| row.reason.code == ReasonCode::CountImpossible));
    let quarter = offer(&azure, "azure:standard_nc36ds_xl_rtxpro6000bse_v6-x0.25-westus2-24g-on-demand");
    assert_eq!(quarter.gpu.vram_gib, Some(24.0));
}

#[test]
fn the_survey_has_no_places() {
    let verda = feed("catalogue/verda");
    assert!(verda.offers.iter().all(|offer| offer.place.country.is_none() && offer.place.region.is_none()));
    let spot = offer(&verda, "verda:nvidia-h100-sxm5-x1-sxm-80g-spot");
    assert_eq!((spot.price.per_hour.to_string(), spot.price.kind), ("0.8".to_owned(), PriceKind::Spot));
    assert_eq!(spot.gpu.model.as_deref(), Some("H100 SXM"));
    let runpod = feed("catalogue/runpod");
    assert!(runpod.offers.iter().all(|offer| offer.form == Form::Container));
}

#[test]
fn a_card_of_every_list_is_in_the_gpu_table() {
    let unknown: Vec<_> = shipped()
        .into_iter()
        .flat_map(|fetched| fetched.offers)
        // Yandex does not name its cards, and a class of several cards is none of them.
        .filter(|offer| !["yandex", "runpod-serverless"].contains(&offer.provider.as_str()))
        .filter(|offer| offer.gpu.model.is_none())
        .map(|offer| offer.gpu.raw_name)
        .collect();
    assert_eq!(unknown, Vec::<String>::new());
}

#[test]
fn the_version_of_the_snapshot_is_no_version_of_a_fetched_list() {
    let version = shipped_version();
    assert_eq!(version.len(), "shipped:".len() + 8 + 1 + 8, "{version}: two checksums of four bytes");
    assert!(is_shipped_version(&version));
    assert!(!is_shipped_version("dstack:20261130-1234") && !is_shipped_version("skypilot:\"abc\""));
}

#[test]
fn the_snapshot_is_small() {
    assert!(ROWS.len() < 300 * 1024, "{} bytes", ROWS.len());
}

#[test]
fn lists_kept_by_hand_add_up_from_their_parts() {
    let yandex = feed("catalogue/yandex");
    assert_eq!(yandex.origin, "Yandex Cloud price list, VAT included, 2026-01-23");
    let whole = offer(&yandex, "yandex:gpu-standard-v4.8-x8-ru-central1-141g-on-demand");
    // 8 × 1,016.90 for the cards, 180 × 0.90 for the cores, 1,800 × 0.28 for the memory.
    assert_eq!(
        (whole.price.per_hour.to_string(), whole.price.currency),
        ("8801.2".to_owned(), Currency::RUB)
    );
    assert_eq!((whole.place.country.as_deref(), whole.place.seller.as_deref()), (Some("RU"), Some("RU")));
    assert_eq!(whole.gpu.model, None, "its pages do not name the card");
    assert_eq!(
        whole.vram_total_gib(),
        Some(1128.0),
        "141 a card; the vendor's own total of 968 contradicts it"
    );
    let taken_back = offer(&yandex, "yandex:gpu-standard-v4.8-x8-ru-central1-141g-spot");
    assert_eq!(taken_back.price.per_hour, whole.price.per_hour, "not always cheaper");
    let crusoe = feed("catalogue/crusoe");
    let h100 = offer(&crusoe, "crusoe:h100-80gb-sxm-ib.8x-x8-80g-on-demand");
    assert_eq!(
        (h100.price.per_hour.to_string(), h100.gpu.model.as_deref()),
        ("31.2".to_owned(), Some("H100 SXM"))
    );
    assert_eq!(h100.place.country, None, "the list names no place");
    assert!(
        crusoe.offers.iter().all(|offer| offer.price.kind == PriceKind::OnDemand),
        "spot cannot be asked for"
    );
}

#[test]
fn a_second_is_priced_as_a_second() {
    let seconds = feed("catalogue/runpod-serverless");
    assert_eq!(seconds.as_of.date_naive().to_string(), "2026-06-08");
    let h100 = offer(&seconds, "runpod-serverless:h100-pro");
    let price = gpudesk_core::meter::Meter::Second { price: "0.00116".parse().unwrap() };
    assert_eq!(h100.price.meter, Some(price));
    assert_eq!((h100.price.per_hour.to_string(), h100.form), ("4.176".to_owned(), Form::Serverless));
    assert_eq!(
        (h100.gpu.model.as_deref(), h100.gpu.vram_gib),
        (Some("H100"), Some(80.0)),
        "which H100 is not said"
    );
    let class = offer(&seconds, "runpod-serverless:a4000-a4500-rtx-4000");
    assert_eq!(
        (class.gpu.model.as_deref(), class.gpu.vram_gib),
        (None, Some(16.0)),
        "the class is the offer"
    );
}
