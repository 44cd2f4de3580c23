//! Prime Intellect's list of offers.

use gpudesk_core::feed::{Fetched, ReasonCode};
use gpudesk_core::offer::{Form, Isolation, PriceKind, SupplyState};
use gpudesk_providers::http::Secret;
use gpudesk_providers::prime::Prime;
use gpudesk_providers::{SourceConfig, SourceError, SourceErrorCode};
use serde_json::{Value, json};

use crate::rent_support::{KEY, decimal, error, ok};
use crate::support::{RawServer, Say, fetch_with, kit, offer};

/// A row as the list has it; `more` replaces fields.
pub fn row(more: &Value) -> Value {
    let mut row = json!({
        "cloudId": "NVIDIA A100 80GB PCIe", "gpuType": "A100_80GB", "socket": "PCIe", "provider": "runpod",
        "region": null, "dataCenter": "EUR-IS-1", "country": "IS", "gpuCount": 2, "gpuMemory": 80,
        "disk": {"minCount": 80, "defaultCount": 80, "maxCount": 1000, "pricePerUnit": 0.00014, "step": 1,
                 "defaultIncludedInPrice": false, "additionalInfo": null},
        "sharedDisk": {}, "vcpu": {"defaultCount": 16}, "memory": {"defaultCount": 250}, "internetSpeed": null,
        "interconnect": null, "interconnectType": null, "provisioningTime": 2, "stockStatus": "High",
        "security": "secure_cloud",
        "prices": {"onDemand": 3.28, "communityPrice": null, "isVariable": null, "currency": "USD"},
        "images": ["ubuntu_22_cuda_12"], "isSpot": null, "prepaidTime": null,
    });
    for (name, value) in more.as_object().into_iter().flatten() {
        row[name] = value.clone();
    }
    row
}

pub fn page(rows: &[Value], total: usize) -> Say {
    ok(&json!({ "items": rows, "totalCount": total }))
}

async fn read_all(script: Vec<Say>) -> (Vec<String>, Result<Fetched, SourceError>) {
    let server = RawServer::start(script).await;
    let mut config = SourceConfig::default();
    config.set_address("prime", server.url.as_str());
    let fetched = fetch_with(&Prime::new(&config), &kit().0, Some(&Secret::new(KEY))).await;
    let requests = server.requests();
    assert!(requests.iter().all(|text| text.contains(&format!("authorization: Bearer {KEY}\r\n"))));
    (requests.iter().map(|text| text.lines().next().unwrap().to_owned()).collect(), fetched)
}

async fn offers(rows: &[Value]) -> Fetched {
    read_all(vec![page(rows, rows.len())]).await.1.unwrap()
}

#[tokio::test]
async fn a_row_is_read_whole_and_priced_with_what_is_not_inside() {
    let fetched = offers(&[row(&json!({}))]).await;
    let offer = &fetched.offers[0];
    assert_eq!(offer.id, "prime:runpod/NVIDIA-A100-80GB-PCIe/A100_80GB-PCIex2@EUR-IS-1-on-demand");
    assert_eq!((offer.provider.as_str(), offer.cloud.as_str()), ("prime", "runpod"));
    assert_eq!(offer.price.per_hour, decimal("3.2912"), "80 GB x 0.00014 on top, both cards together");
    assert_eq!(offer.price.storage_gb_month, Some(decimal("0.1022")), "for what is beyond the usual disk");
    assert_eq!((offer.disk.included_gb, offer.disk.max_gb), (Some(80.0), Some(1000.0)));
    assert_eq!((offer.gpu.model.as_deref(), offer.gpu.count), (Some("A100 80GB PCIe"), 2));
    assert_eq!((offer.vcpu, offer.ram_gib), (Some(16.0), Some(250.0)));
    assert_eq!((offer.place.country.as_deref(), offer.place.seller.as_deref()), (Some("IS"), Some("US")));
    assert_eq!((offer.form, offer.isolation), (Form::Container, Isolation::SharedHost));
    assert_eq!(
        (offer.supply.state, offer.supply.count),
        (SupplyState::InStock, None),
        "much stock, in a word"
    );
    assert_eq!((offer.price.egress_gb, offer.price.increment_s, &offer.fabric), (None, None, &None));
}

#[tokio::test]
async fn each_market_has_its_own_price_and_neither_is_zero() {
    let community = json!({"security": "community_cloud",
        "prices": {"onDemand": 9, "communityPrice": 1.5, "currency": "EUR"}, "disk": {}, "country": "DE", "dataCenter": null});
    let inside = json!({"provider": "hyperstack", "cloudId": "n3", "dataCenter": "CANADA-1", "country": "CA",
        "disk": {"defaultCount": 750, "pricePerUnit": 0.01, "defaultIncludedInPrice": true},
        "memory": {"defaultCount": 100, "pricePerUnit": 0.001}});
    let none =
        json!({"cloudId": "none", "prices": {"onDemand": null, "communityPrice": 1, "currency": "USD"}});
    let coinless = json!({"cloudId": "coinless", "prices": {"onDemand": 3, "currency": "DOGE?"}});
    let fetched = offers(&[row(&community), row(&inside), row(&none), row(&coinless)]).await;
    let private =
        offer(&fetched, "prime:runpod/NVIDIA-A100-80GB-PCIe/A100_80GB-PCIex2@DE-community-on-demand");
    assert_eq!((private.price.per_hour, private.price.currency.code()), (decimal("1.5"), "EUR"));
    assert_eq!(private.place.country, None, "a private host promises no place");
    assert_eq!((private.disk.included_gb, private.price.storage_gb_month), (None, None));
    let whole = offer(&fetched, "prime:hyperstack/n3/A100_80GB-PCIex2@CANADA-1-on-demand");
    assert_eq!(whole.price.per_hour, decimal("3.38"), "the disk is inside, the memory is not");
    assert_eq!((whole.form, whole.isolation), (Form::Vm, Isolation::Vm));
    let codes: Vec<_> = fetched.quarantined.iter().map(|row| row.reason.code).collect();
    assert_eq!(codes, [ReasonCode::PriceMissing, ReasonCode::IncompletePrice]);
}

#[tokio::test]
async fn spot_and_prepaid_rows_are_offers_of_their_own() {
    let fetched = offers(&[
        row(&json!({})),
        row(&json!({"isSpot": true, "prices": {"onDemand": 1.5, "currency": "USD"}})),
        row(&json!({"prepaidTime": 720, "prices": {"onDemand": 2.5, "currency": "USD"}})),
        row(&json!({"gpuCount": 1})),
        row(&json!({"dataCenter": "EUR-IS-2"})),
    ])
    .await;
    let kinds: Vec<_> =
        fetched.offers.iter().map(|offer| (offer.price.kind, offer.price.term.as_deref())).collect();
    assert_eq!(
        kinds,
        [
            (PriceKind::OnDemand, None),
            (PriceKind::Spot, None),
            (PriceKind::Reserved, Some("720 hours")),
            (PriceKind::OnDemand, None),
            (PriceKind::OnDemand, None),
        ],
        "one supplier's id means several offers"
    );
    assert_eq!(fetched.quarantined.len(), 0);
}

#[tokio::test]
async fn a_place_is_what_can_be_proved() {
    let at = |supplier: &str, center: Value, country: Value, region: Value| {
        row(&json!({"provider": supplier, "dataCenter": center, "country": country, "region": region}))
    };
    let uuid = json!("a3111bd4-550a-47d0-838a-0a52bff2ae3f");
    let rows = [
        at("lambdalabs", json!("me-west-1"), json!("IS"), json!("middle_east")),
        at("datacrunch", json!("FIN-02"), json!(null), json!("eu_north")),
        at("hyperstack", json!(null), json!(null), json!("canada")),
        at("nebius", json!(null), json!(null), json!("eu_west")),
        at("massedcompute", uuid.clone(), json!("US"), json!("united_states")),
        at("dc_roan", json!("FIN-01"), json!("FI"), json!("eu_north")),
        at("primecompute", uuid, json!("US"), json!(null)),
        at("cloudofmystery", json!(null), json!("FR"), json!("eu_west")),
    ];
    let fetched = offers(&rows).await;
    let found: Vec<_> = fetched
        .offers
        .iter()
        .map(|o| {
            (
                o.cloud.as_str(),
                o.place.region.as_deref(),
                o.place.country.as_deref(),
                o.place.seller.as_deref(),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            ("lambda", Some("me-west-1"), Some("IL"), Some("US")),
            ("verda", Some("FIN-02"), Some("FI"), Some("US")),
            ("hyperstack", Some("canada"), Some("CA"), Some("US")),
            ("nebius", Some("eu_west"), None, Some("US")),
            ("massedcompute", Some("US"), Some("US"), Some("US")),
            ("dc_roan", Some("FIN-01"), None, None),
            ("prime", Some("US"), Some("US"), Some("US")),
            ("cloudofmystery", Some("FR"), Some("FR"), None),
        ]
    );
}

#[tokio::test]
async fn stock_and_fabric_are_words() {
    let words = [json!("Available"), json!("Low"), json!("Unavailable"), json!(null), json!("Plenty")];
    let rows: Vec<Value> = words
        .iter()
        .enumerate()
        .map(|(n, word)| {
            row(&json!({"stockStatus": word, "dataCenter": format!("EUR-IS-{n}"), "interconnect": 3200,
                                     "interconnectType": "Infiniband", "internetSpeed": 10000}))
        })
        .collect();
    let fetched = offers(&rows).await;
    use SupplyState::{InStock, OutOfStock, Unknown};
    let states: Vec<_> = fetched.offers.iter().map(|offer| offer.supply.state).collect();
    assert_eq!(states, [InStock, InStock, OutOfStock, InStock, Unknown]);
    assert_eq!(fetched.offers[0].fabric.as_deref(), Some("InfiniBand 3200 Gb/s"));
    assert_eq!(fetched.offers[0].net.down_mbit_s, Some(10_000.0));
}

#[tokio::test]
async fn every_card_of_the_list_of_types_is_known_or_kept() {
    let fits = [
        ("A10_24GB", "A10", 24),
        ("A30_24GB", "A30", 24),
        ("A40_48GB", "A40", 48),
        ("B200_180GB", "B200 SXM", 180),
        ("B300_262GB", "B300 SXM", 262),
        ("GB200", "GB200", 186),
        ("H100_80GB", "H100 SXM", 80),
        ("H200_141GB", "H200 SXM", 141),
        ("GH200_96GB", "GH200 96GB", 96),
        ("L4_24GB", "L4", 24),
        ("L40S_48GB", "L40S", 48),
        ("RTX4090_24GB", "RTX 4090", 24),
        ("RTX5090_32GB", "RTX 5090", 32),
        ("RTX6000Ada_48GB", "RTX 6000 Ada", 48),
        ("RTX_PRO_6000B_96GB", "RTX PRO 6000", 96),
        ("A4000_16GB", "RTX A4000", 16),
        ("A6000_48GB", "RTX A6000", 48),
        ("V100_32GB", "V100 32GB SXM", 32),
        ("P100_16GB", "P100 SXM", 16),
        ("T4_16GB", "T4", 16),
        ("RTX2000Ada_16GB", "RTX 2000 Ada", 16),
        ("RTX8000_48GB", "Quadro RTX 8000", 48),
        ("RTX3090Ti_24GB", "RTX 3090 Ti", 24),
        ("P40_24GB", "P40", 24),
    ];
    let rows: Vec<Value> = fits
        .iter()
        .map(|(name, _, gb)| row(&json!({"gpuType": name, "gpuMemory": gb, "socket": "SXM5", "disk": {}})))
        .chain([
            row(&json!({"gpuType": "CPU_NODE", "gpuCount": 0})),
            row(&json!({"gpuType": "X9000_512GB", "gpuMemory": 512, "disk": {}})),
        ])
        .collect();
    let fetched = offers(&rows).await;
    let wrong: Vec<_> = fits
        .iter()
        .filter_map(|(name, model, _)| {
            let found = fetched.offers.iter().find(|offer| offer.gpu.raw_name == *name);
            let found = found.map(|offer| offer.gpu.model.clone().unwrap_or_default());
            (found.as_deref() != Some(*model)).then_some((*name, *model, found))
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:?} {:?}", fetched.quarantined);
    let unknown = fetched.offers.iter().find(|offer| offer.gpu.raw_name == "X9000_512GB").unwrap();
    assert_eq!((&unknown.gpu.model, unknown.gpu.vram_gib), (&None, Some(512.0)));
    assert_eq!(fetched.rows_not_gpu, 1);
}

fn many(from: usize, count: usize) -> Vec<Value> {
    (from..from + count).map(|n| row(&json!({"dataCenter": format!("EUR-IS-{n}")}))).collect()
}

#[tokio::test]
async fn all_pages_are_read_and_an_empty_one_is_the_end() {
    let (lines, fetched) = read_all(vec![page(&many(0, 100), 150), page(&many(99, 51), 150)]).await;
    assert_eq!(fetched.unwrap().offers.len(), 150, "a row that moved comes twice and counts once");
    assert_eq!(lines[0], "GET /api/v1/availability/gpus?page=1&page_size=100 HTTP/1.1");
    assert_eq!(lines[1], "GET /api/v1/availability/gpus?page=2&page_size=100 HTTP/1.1");
    let (lines, fetched) = read_all(vec![page(&many(0, 100), 500), page(&[], 500)]).await;
    let fetched = fetched.unwrap();
    assert_eq!((fetched.offers.len(), lines.len()), (100, 2), "whatever total was promised");
    assert!(fetched.notes.iter().any(|note| note.contains("500")), "{:?}", fetched.notes);
}

#[tokio::test]
async fn half_a_market_replaces_nothing() {
    let refused =
        error("422 Unprocessable Entity", &json!({"errors": [{"param": "page", "details": "too far"}]}));
    for (script, code) in [
        (vec![page(&many(0, 100), 150), refused], SourceErrorCode::ProviderRefused),
        (vec![page(&many(0, 100), 150), page(&many(0, 100), 150)], SourceErrorCode::BadAnswer),
        (vec![page(&[], 0)], SourceErrorCode::BadAnswer),
        (vec![ok(&json!({"items": null}))], SourceErrorCode::BadAnswer),
        (vec![ok(&json!({"detail": "try later"}))], SourceErrorCode::BadAnswer),
        (
            vec![error("401 Unauthorized", &json!({"detail": "Invalid token"}))],
            SourceErrorCode::ProviderRefused,
        ),
    ] {
        assert_eq!(read_all(script).await.1.unwrap_err().code, code);
    }
}

#[tokio::test]
async fn one_bad_row_costs_no_other() {
    let rows = [
        row(&json!({})),
        row(&json!({"prices": {"onDemand": "Infinity", "currency": "USD"}, "cloudId": "infinite"})),
        row(&json!({"prices": {"onDemand": 0, "currency": "USD"}, "cloudId": "free"})),
        row(&json!({"gpuCount": "two", "cloudId": "wordy"})),
        row(&json!({"gpuType": null})),
        json!([]),
        row(
            &json!({"gpuCount": "2", "gpuMemory": "80", "cloudId": "texts", "prices": {"onDemand": "3.28", "currency": "USD"}}),
        ),
    ];
    let fetched = offers(&rows).await;
    assert_eq!((fetched.offers.len(), fetched.quarantined.len()), (2, 5));
    assert_eq!(fetched.offers[1].price.per_hour, decimal("3.2912"), "numbers as text");
}
