//! The command line's promises: exit codes, and the shape of an offer.

use gpudesk_tests::sim::Sim;
use serde_json::{Value, json};

use crate::support::{Desk, shared_catalogue};

#[tokio::test]
async fn a_query_that_does_not_parse_names_the_word_and_the_nearest() {
    let ran = Desk::offline().run("offers h100 zone:eae").await;
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("eae") && ran.err.contains("EEA"), "{}", ran.err);
}

#[tokio::test]
async fn a_command_line_that_is_wrong_ends_with_2() {
    let desk = Desk::offline();
    for line in ["offres", "offers --sort beauty", "offers --job soon", "compare vast:1"] {
        assert_eq!(desk.run(line).await.code, 2, "{line}");
    }
}

#[tokio::test]
async fn an_offer_that_is_not_there_ends_with_3() {
    let desk = Desk::offline();
    for line in ["price vast:nothing", "compare vast:nothing vast:either"] {
        assert_eq!(desk.run(line).await.code, 3, "{line}");
    }
}

/// Every key the contract names, with an offer of Vast whose every figure is known.
#[tokio::test]
async fn an_offer_has_the_shape_of_the_contract() {
    let sim = Sim::start().await.unwrap();
    let desk = Desk::at(&sim);
    desk.json("refresh vast rates").await;
    let answer = desk.json("offers rtx 4090 x2 country:bg on-demand --job 48h,500GB,200GB").await;
    assert_eq!(answer["total"], 1);
    let offer = &answer["offers"][0];
    assert_eq!(offer["id"], "vast:20100x2-on-demand");
    assert_eq!(offer["provider"], "vast");
    assert_eq!(offer["cloud"], "vast");
    assert_eq!(offer["source"], "live");
    assert_eq!(offer["form"], "container");
    assert_eq!(offer["isolation"], "shared-host");
    let gpu = json!({
        "model": "RTX 4090", "vendor": "NVIDIA", "count": 2, "fraction": null, "vram_gib": 24.0,
        "vram_total_gib": 48.0, "bandwidth_gb_s": 1008.0, "link_gb_s": null, "raw_name": "RTX 4090",
        "link": "PCIe 4 x16", "bf16_tflops": offer["gpu"]["bf16_tflops"],
    });
    assert_eq!(offer["gpu"], gpu);
    assert_eq!(offer["vcpu"], 16.0);
    assert_eq!(offer["driver"], "570.86.10");
    assert_eq!(offer["cuda"], "12.8");
    assert_eq!(offer["verified"], true);
    assert_eq!(offer["place"]["country"], "BG");
    assert_eq!(offer["place"]["zones"], json!(["EEA"]));
    assert_eq!(offer["place"]["seller"], "US");
    let price = &offer["price"];
    // 0.3733 an hour and card, two cards, this host 5 % below.
    assert_eq!(price["per_hour"], "0.70927");
    assert_eq!(price["kind"], "on-demand");
    assert_eq!(price["currency"], "USD");
    assert_eq!(price["storage_gb_month"], "0.15");
    assert_eq!(price["egress_gb"], "0.003");
    assert_eq!(price["ingress_gb"], "0.002");
    assert_eq!(offer["total"]["hours"], 48.0);
    // 48 h × 0.70927; 500 GB × 0.15 a month of 720 h × 48 h; 200 GB × 0.003.
    assert_eq!(offer["total"]["parts"], json!({"compute": "34.04", "storage": "5.00", "egress": "0.60"}));
    assert_eq!(offer["total"]["unknown"], Value::Array(Vec::new()));
    assert_eq!(offer["supply"], json!({"state": "in-stock", "count": 1}));
}

/// The acceptance of the market as a whole, on real price lists.
#[tokio::test]
async fn real_price_lists_are_read_and_answer() {
    let Some(folder) = shared_catalogue() else { return };
    let desk = Desk::offline();
    let ran = desk.run_with(&["import", "skypilot", folder.to_str().unwrap(), "--json"]).await;
    assert_eq!(ran.code, 0, "{}", ran.err);
    let report = ran.json();
    let feeds = report["feeds"].as_array().unwrap();
    let sum = |key: &str| feeds.iter().map(|feed| feed[key].as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum("rows_read"), sum("rows_used") + sum("rows_not_gpu") + sum("quarantined"));
    // By the folder's own account: 26 files, 7,628 rows, Google's 517 host machines among them.
    assert_eq!(feeds.len(), 26);
    assert_eq!(sum("rows_read"), 7_628);

    let answer = desk.json("offers h100 x8 zone:eea --sort total --job 48h,500GB,200GB").await;
    let offers = answer["offers"].as_array().unwrap();
    assert!(offers.len() > 10, "{}", offers.len());
    for offer in offers {
        assert_eq!(offer["gpu"]["count"], 8);
        assert!(offer.get("total").is_some());
    }
}
