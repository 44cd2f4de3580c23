//! What cannot be rented from here: clouds that only show prices, the team's own sheets, seconds and tokens.

use gpudesk_tests::sim::Sim;
use serde_json::Value;

use crate::support::{Desk, amount, feed};

#[tokio::test]
async fn a_cloud_that_only_shows_prices_says_where_to_rent() {
    let sim = Sim::start().await.unwrap();
    let desk = Desk::at(&sim);
    let report = desk.json("refresh azure cudo tensordock").await;
    for name in ["azure", "cudo", "tensordock"] {
        assert!(feed(&report, name)["rows_used"].as_u64().unwrap() > 0, "{report:#}");
    }
    assert_eq!(
        desk.count("cloud:azure source:catalogue").await,
        0,
        "live prices stand before the shipped ones"
    );
    let offers = desk.json("offers h100 x8 cloud:azure country:gb on-demand").await;
    let offer = &offers["offers"][0];
    assert_eq!((&offer["rentable"], &offer["source"]), (&Value::Bool(false), &Value::from("live")));
    assert_eq!(offer["rent_page"], "https://portal.azure.com");
    // 98.32 in the first region, a quarter more in London.
    assert_eq!(offer["price"]["per_hour"], "122.9");
    let id = offer["id"].as_str().unwrap();
    let refused = desk.run_with(&["rent", id, "--name", "a", "--yes"]).await;
    assert_eq!(refused.code, 4, "{}", refused.err);
    assert!(
        refused.err.contains("cannot be rented from here")
            && refused.err.contains("https://portal.azure.com")
    );
    let table = desk.run("offers cloud:azure").await;
    assert!(table.out.contains("rented by hand"), "{}", table.out);
    let price = desk.run_with(&["price", id]).await;
    assert!(price.out.contains("rented by hand at https://portal.azure.com"), "{}", price.out);
}

#[tokio::test]
async fn shipped_lists_of_clouds_without_a_public_price_are_there_offline() {
    let desk = Desk::offline();
    let yandex = desk.json("offers cloud:yandex on-demand --sort machine-hour").await;
    assert_eq!(
        (&yandex["total"], &yandex["offers"][0]["price"]["currency"]),
        (&Value::from(8), &Value::from("RUB"))
    );
    assert_eq!(yandex["offers"][0]["rent_page"], "https://console.yandex.cloud");
    assert!(yandex["offers"][0]["seen_at"].as_str().unwrap().starts_with("2026-01-23"));
    assert!(desk.count("cloud:crusoe").await > 0);
}

#[tokio::test]
async fn a_price_sheet_is_kept_in_the_home_and_read_again() {
    let desk = Desk::offline();
    let sheet = desk.home().join("moscow.csv");
    let write = |text: &str| std::fs::write(&sheet, text).unwrap();
    write(
        "seller;card;count;price;currency;per;country;seller_country;link;valid_until\n\
         Nordic DC;H100 SXM;8;1 460 000,00;RUB;month;RU;RU;https://nordic.example/gpu;\n\
         Nordic DC;L40S;1;95;RUB;hour;RU;RU;;2020-01-01\n\
         Nordic DC;A100 80GB;1;cheap;RUB;hour;RU;RU;;\n",
    );
    let report = desk.run_with(&["import", "prices", sheet.to_str().unwrap(), "--json"]).await;
    assert_eq!(report.code, 0, "{}", report.err);
    let report = report.json();
    let read = feed(&report, "sheets/moscow");
    assert_eq!(
        (&read["rows_read"], &read["offers"], &read["quarantined"]),
        (&3.into(), &1.into(), &2.into())
    );
    let table = desk.run_with(&["import", "prices", sheet.to_str().unwrap()]).await;
    assert!(table.out.contains("price `cheap`: a number above 0"), "{}", table.out);
    let offer = &desk.json("offers zone:ru+seller seller:ru cloud:nordic-dc").await["offers"][0];
    // 1,460,000 a month of 730 hours.
    assert_eq!(
        (&offer["price"]["per_hour"], &offer["source"]),
        (&Value::from("2000"), &Value::from("catalogue"))
    );
    assert_eq!(
        (&offer["rentable"], offer["rent_page"].as_str()),
        (&Value::Bool(false), Some("https://nordic.example/gpu"))
    );

    let kept = desk.home().join("price-sheets/moscow.csv");
    std::fs::write(&kept, "seller,card,price,currency\nNordic DC,H200 SXM,3.5,USD\n").unwrap();
    desk.json("refresh sheets").await;
    assert_eq!(desk.count("cloud:nordic-dc h200").await, 1);
    assert_eq!(desk.count("cloud:nordic-dc h100").await, 0, "what was taken out is gone");

    std::fs::write(&sheet, "not a sheet").unwrap();
    let refused = desk.run_with(&["import", "prices", sheet.to_str().unwrap()]).await;
    assert_eq!(refused.code, 2, "{}{}", refused.out, refused.err);
    assert_eq!(desk.count("cloud:nordic-dc").await, 1, "the good one stays");

    std::fs::remove_file(&kept).unwrap();
    desk.json("refresh sheets").await;
    assert_eq!(
        desk.json("offers --limit 500 raw:h200 source:catalogue").await["offers"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|offer| offer["provider"] == "nordic-dc")
            .count(),
        0,
        "a sheet taken away takes its rows along"
    );
}

#[tokio::test]
async fn seconds_and_tokens_are_seen_only_where_they_are_asked_for() {
    let sim = Sim::start().await.unwrap();
    let desk = Desk::at(&sim);
    desk.json("refresh openrouter deepinfra").await;
    let all = desk.json("offers --limit 100000").await;
    assert!(all["offers"].as_array().unwrap().iter().all(|offer| offer["form"] != "serverless"));
    let tokens = desk.json("offers form:serverless provider:openrouter").await;
    let first = &tokens["offers"][0];
    assert_eq!(tokens["total"], 4, "neither the free one nor the router");
    assert_eq!(first["price"]["meter"]["unit"], "tokens");
    assert_eq!(first["price"]["meter"]["per_million_in"], "0.13");
    assert_eq!(first["price"]["meter"]["per_million_out"], "0.4");
    assert!(first["price"]["meter"]["assumed"].as_str().unwrap().contains("docs.nvidia.com"));
    assert!(
        (amount(&first["price"]["per_hour"]) - 2.817_954).abs() < 1e-6,
        "on the axis by the stated assumption"
    );
    assert_eq!(first["gpu"]["count"], 0, "no card is rented");
    assert_eq!(first["rent_page"], "https://openrouter.ai/meta-llama/llama-3.3-70b-instruct");
    let table = desk.run("offers form:serverless provider:openrouter").await.out;
    assert!(table.contains("0.13/0.4 USD/1M tokens in/out"), "{table}");
    let seconds = desk.run("offers form:serverless provider:runpod-serverless").await.out;
    assert!(seconds.contains("0.00116 USD/s"), "{seconds}");
    let cards = desk.json("gpus").await;
    assert!(
        cards["gpus"].as_array().unwrap().iter().all(|card| !card["gpu"].as_str().unwrap().contains('/'))
    );
}
