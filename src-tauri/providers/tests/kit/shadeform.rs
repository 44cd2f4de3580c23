//! Shadeform's list of offers.

use gpudesk_core::feed::{Fetched, ReasonCode};
use gpudesk_core::offer::{Flag, Form, Isolation, PriceKind, SupplyState};
use gpudesk_providers::http::Secret;
use gpudesk_providers::shadeform::Shadeform;
use gpudesk_providers::{SourceConfig, SourceError, SourceErrorCode};
use serde_json::{Value, json};

use crate::rent_support::{KEY, decimal, error, ok};
use crate::support::{RawServer, Say, fetch_with, kit, offer};

/// A type as the list has it; `more` replaces fields.
pub fn kind(cloud: &str, name: &str, more: &Value) -> Value {
    let mut row = json!({
        "cloud": cloud, "shade_instance_type": name, "cloud_instance_type": "gpu_2x_a6000", "deployment_type": "vm",
        "hourly_price": 114,
        "configuration": {"memory_in_gb": 96, "storage_in_gb": 512, "vcpus": 12, "num_gpus": 2, "gpu_type": "A6000",
            "interconnect": "pcie", "os_options": ["ubuntu22.04_cuda12.4_shade_os", "ubuntu20.04_cuda12.2_shade_os"],
            "vram_per_gpu_in_gb": 48, "gpu_manufacturer": "nvidia"},
        // Copies at this level are not to be read.
        "memory_in_gb": 1, "num_gpus": 7, "gpu_type": "H100",
        "availability": [{"region": "desmoines-usa-1", "available": true, "display_name": "US, Des Moines, IA"},
                         {"region": "wilmington-usa-1", "available": false, "display_name": "US, Wilmington, DE"}],
    });
    for (name, value) in more.as_object().into_iter().flatten() {
        match (row[name].as_object_mut(), value.as_object()) {
            (Some(fields), Some(more)) => fields.extend(more.clone()),
            _ => row[name] = value.clone(),
        }
    }
    row
}

async fn read(say: Say) -> Result<Fetched, SourceError> {
    let server = RawServer::start(vec![say]).await;
    let mut config = SourceConfig::default();
    config.set_address("shadeform", server.url.as_str());
    let fetched = fetch_with(&Shadeform::new(&config), &kit().0, Some(&Secret::new(KEY))).await;
    let request = &server.requests()[0];
    assert!(request.starts_with("GET /v1/instances/types HTTP/1.1\r\n"), "no filter: {request}");
    assert!(request.contains(&format!("x-api-key: {KEY}\r\n")), "{request}");
    assert!(!request.to_ascii_lowercase().contains("authorization"), "{request}");
    fetched
}

async fn types(rows: &[Value]) -> Fetched {
    read(ok(&json!({ "instance_types": rows }))).await.unwrap()
}

#[tokio::test]
async fn a_type_is_one_offer_for_each_region_sold_out_or_not() {
    let fetched = types(&[kind("massedcompute", "A6000x2", &json!({}))]).await;
    assert_eq!((fetched.offers.len(), fetched.rows_read, fetched.rows_used), (2, 1, 1));
    let here = offer(&fetched, "shadeform:massedcompute/A6000x2@desmoines-usa-1");
    assert_eq!((here.provider.as_str(), here.cloud.as_str()), ("shadeform", "massedcompute"));
    assert_eq!(here.price.per_hour, decimal("1.14"), "cents, for both cards together");
    assert_eq!(
        (here.price.kind, here.price.increment_s),
        (PriceKind::OnDemand, None),
        "a step is not documented"
    );
    assert_eq!(
        (here.gpu.model.as_deref(), here.gpu.count),
        (Some("RTX A6000"), 2),
        "the copies are not read"
    );
    assert_eq!((here.gpu.vram_gib, here.vcpu, here.ram_gib), (Some(48.0), Some(12.0), Some(96.0)));
    assert_eq!((here.disk.included_gb, here.cuda.as_deref()), (Some(512.0), Some("12.4")));
    assert_eq!((here.form, here.isolation), (Form::Vm, Isolation::Vm));
    assert_eq!((here.place.country.as_deref(), here.place.seller.as_deref()), (Some("US"), Some("US")));
    assert_eq!((here.supply.state, here.supply.count), (SupplyState::InStock, None), "a yes is no number");
    assert_eq!((&here.driver, here.reliability, here.price.egress_gb), (&None, None, None), "not told");
    let delaware = offer(&fetched, "shadeform:massedcompute/A6000x2@wilmington-usa-1");
    assert_eq!(
        (delaware.place.country.as_deref(), delaware.supply.state),
        (Some("US"), SupplyState::OutOfStock)
    );
}

#[tokio::test]
async fn the_cloud_behind_keeps_its_name_and_proves_what_it_can() {
    let fetched = types(&[
        kind("lambdalabs", "A6000x2", &json!({})),
        kind("datacrunch", "A6000x2", &json!({"availability": [{"region": "helsinki-finland-1", "available": true, "display_name": "FI, Helsinki"}]})),
        kind("excesssupply", "A6000x2", &json!({})),
        kind("nebulous", "A6000x2", &json!({})),
    ])
    .await;
    let at = |id: &str| {
        let offer = offer(&fetched, id);
        (offer.cloud.clone(), offer.place.country.clone(), offer.place.seller.clone())
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(
        at("shadeform:lambdalabs/A6000x2@desmoines-usa-1"),
        ("lambda".to_owned(), some("US"), some("US"))
    );
    assert_eq!(
        at("shadeform:datacrunch/A6000x2@helsinki-finland-1"),
        ("verda".to_owned(), some("FI"), some("US"))
    );
    assert_eq!(
        at("shadeform:excesssupply/A6000x2@desmoines-usa-1"),
        ("excesssupply".to_owned(), None, None),
        "nobody knows whose it is, so nothing of it is proved"
    );
    assert!(
        offer(&fetched, "shadeform:excesssupply/A6000x2@desmoines-usa-1")
            .flags
            .contains(&Flag::CountryUnknown)
    );
    assert_eq!(at("shadeform:nebulous/A6000x2@desmoines-usa-1"), ("nebulous".to_owned(), some("US"), None));
}

#[tokio::test]
async fn what_a_type_does_not_say_stays_unknown() {
    let fetched = types(&[
        kind("verda", "H100_sxm5", &json!({"configuration": {"gpu_type": "H100", "num_gpus": 1, "interconnect": "sxm5",
            "vram_per_gpu_in_gb": 0, "os_options": ["ubuntu22.04"], "storage_in_gb": 0}, "hourly_price": 240,
            "availability": [{"region": "any", "available": true, "display_name": "any"}]})),
        kind("crusoe", "A100", &json!({"configuration": {"gpu_type": "A100", "interconnect": "sxm4", "vram_per_gpu_in_gb": 40, "nvlink": true},
            "deployment_type": "hologram", "availability": []})),
        kind("crusoe", "A100_80G", &json!({"configuration": {"gpu_type": "A100_80G", "vram_per_gpu_in_gb": 80, "nvlink": true},
            "deployment_type": "baremetal", "availability": null})),
        kind("tcm", "L40S", &json!({"configuration": {"gpu_type": "L40S", "nvlink": null}, "deployment_type": "container",
            "hourly_price": "114", "availability": [{"region": "MON1", "available": null, "display_name": "Toronto, Canana"}]})),
    ])
    .await;
    let any = offer(&fetched, "shadeform:verda/H100_sxm5@any");
    assert_eq!((any.place.country.as_deref(), any.place.region.as_deref()), (None, Some("any")));
    assert_eq!(
        (any.gpu.model.as_deref(), any.gpu.vram_gib),
        (Some("H100 SXM"), Some(80.0)),
        "0 GB is not filled in"
    );
    assert_eq!((any.cuda.as_deref(), any.disk.included_gb), (None, None));
    let nowhere = offer(&fetched, "shadeform:crusoe/A100@none");
    assert_eq!(
        (nowhere.gpu.model.as_deref(), nowhere.supply.state),
        (Some("A100 40GB SXM"), SupplyState::OutOfStock)
    );
    assert_eq!(
        (nowhere.form, nowhere.isolation),
        (Form::Container, Isolation::Unknown),
        "a word nobody knows"
    );
    let metal = offer(&fetched, "shadeform:crusoe/A100_80G@none");
    assert_eq!((metal.form, metal.isolation), (Form::BareMetal, Isolation::DedicatedHost));
    assert_eq!((metal.supply.state, metal.gpu.link.as_deref()), (SupplyState::Unknown, Some("NVLink")));
    let odd = offer(&fetched, "shadeform:tcm/L40S@MON1");
    assert_eq!((odd.place.country.as_deref(), odd.supply.state), (None, SupplyState::Unknown));
    assert_eq!((odd.price.per_hour, odd.gpu.link.as_deref()), (decimal("1.14"), None), "a number as text");
}

#[tokio::test]
async fn one_bad_row_costs_no_other() {
    let good = kind("massedcompute", "A6000x2", &json!({}));
    let rows = [
        good.clone(),
        kind("a", "cpu", &json!({"configuration": {"num_gpus": 0}})),
        kind("a", "free", &json!({"hourly_price": 0})),
        kind("a", "unpriced", &json!({"hourly_price": null})),
        kind("a", "worded", &json!({"hourly_price": "much"})),
        kind("a", "bare", &json!({"configuration": null})),
        kind("a", "countless", &json!({"configuration": {"num_gpus": "some"}})),
        json!({"cloud": "a"}),
        json!("row"),
        good,
    ];
    let fetched = types(&rows).await;
    assert_eq!((fetched.offers.len(), fetched.rows_used, fetched.rows_not_gpu), (2, 1, 1));
    let codes: Vec<ReasonCode> = fetched.quarantined.iter().map(|row| row.reason.code).collect();
    use ReasonCode::{Duplicate, PriceImpossible, PriceMissing, Unreadable};
    for code in [Duplicate, PriceImpossible, PriceMissing, Unreadable] {
        assert!(codes.contains(&code), "{code:?} in {codes:?}");
    }
    assert_eq!(codes.len(), 8);
}

#[tokio::test]
async fn hostile_names_are_kept_in_one_harmless_line() {
    let rows = [kind("evil\u{1b}[31m", "A6000\u{202e}x2\n", &json!({}))];
    let fetched = types(&rows).await;
    let shown = format!("{:?}", fetched.offers);
    assert!(!shown.contains('\u{1b}') && !shown.contains("\\u{1b}") && !shown.contains("202e"), "{shown}");
}

#[tokio::test]
async fn an_answer_without_a_list_replaces_nothing() {
    for (say, code) in [
        (ok(&json!({"instance_types": []})), SourceErrorCode::BadAnswer),
        (ok(&json!({"instance_types": null})), SourceErrorCode::BadAnswer),
        (ok(&json!({"message": "down for maintenance"})), SourceErrorCode::ProviderRefused),
        (error("401 Unauthorized", &json!({"message": "Invalid API key"})), SourceErrorCode::ProviderRefused),
        (Say::http("200 OK", &[], "<html><title>Sign in</title></html>"), SourceErrorCode::BadAnswer),
    ] {
        assert_eq!(read(say).await.unwrap_err().code, code);
    }
}

#[tokio::test]
async fn a_region_that_cannot_be_read_does_not_sell_out_the_others() {
    let good = json!({"region": "desmoines-usa-1", "available": true, "display_name": "US, Des Moines, IA"});
    for odd in [Value::Null, json!("x"), json!([]), json!(7)] {
        let fetched =
            types(&[kind("massedcompute", "A6000x2", &json!({ "availability": [odd, good] }))]).await;
        let here = offer(&fetched, "shadeform:massedcompute/A6000x2@desmoines-usa-1");
        assert_eq!((fetched.offers.len(), here.supply.state), (1, SupplyState::InStock), "{odd}");
        let fetched = types(&[kind("massedcompute", "A6000x2", &json!({ "availability": [odd] }))]).await;
        let nowhere = offer(&fetched, "shadeform:massedcompute/A6000x2@none");
        assert_eq!(nowhere.supply.state, SupplyState::Unknown, "{odd}: not told is not sold out");
    }
}
