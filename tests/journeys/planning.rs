//! Plans from a terminal, on the price lists that ship with the desk.

use chrono::{DateTime, TimeDelta, Utc};
use gpudesk_tests::sim::Sim;
use serde_json::Value;

use crate::support::{Desk, amount};

/// A desk with the shipped lists and the practice market's exchange rates.
async fn stocked() -> (Sim, Desk) {
    let sim = Sim::start().await.unwrap();
    let desk = Desk::at(&sim);
    desk.json("refresh rates").await;
    (sim, desk)
}

async fn plan(desk: &Desk, words: &[&str]) -> Value {
    let mut line = vec!["plan", "--json"];
    line.extend(words);
    let ran = desk.run_with(&line).await;
    assert_eq!(ran.code, 0, "{words:?}\n{}", ran.err);
    ran.json()
}

fn options(plan: &Value) -> &Vec<Value> {
    plan["options"].as_array().unwrap()
}

/// What every answer holds to, whatever was asked.
fn is_sound(plan: &Value) {
    assert!(!options(plan).is_empty(), "{plan:#}");
    for option in options(plan) {
        assert!(amount(&option["total"]["low"]) <= amount(&option["total"]["high"]), "{option:#}");
        assert!(!option["reason"].as_str().unwrap().is_empty(), "{option:#}");
        assert!(!option["risk"].as_str().unwrap().is_empty(), "{option:#}");
        assert!(option["count"].as_u64().unwrap() >= 1);
        assert!(option["offer"]["id"].is_string());
    }
    for assumption in plan["assumptions"].as_array().unwrap() {
        assert!(!assumption["source"].as_str().unwrap().is_empty(), "{assumption:#}");
        assert!(assumption["value"].is_number() && assumption["name"].is_string(), "{assumption:#}");
    }
}

/// The end of the fourth day from now, as a date.
async fn in_four_days(desk: &Desk) -> String {
    let now = plan(desk, &["--task", "notebook", "--vram", "8"]).await;
    let now: DateTime<Utc> = now["as_of"].as_str().unwrap().parse().unwrap();
    (now + TimeDelta::days(4)).date_naive().to_string()
}

#[tokio::test]
async fn a_70b_model_is_tuned_on_russian_personal_data_by_friday() {
    let (_sim, desk) = stocked().await;
    let friday = in_four_days(&desk).await;
    let words = [
        "--task",
        "finetune",
        "--model",
        "Llama 3.1 70B",
        "--method",
        "qlora",
        "--dataset",
        "50",
        "--deadline",
        &friday,
        "--interruptible",
        "--policy",
        "152-FZ",
    ];
    let plan = plan(&desk, &words).await;
    is_sound(&plan);
    for option in options(&plan) {
        let place = &option["offer"]["place"];
        assert_eq!((&place["country"], &place["seller"]), (&"RU".into(), &"RU".into()), "{option:#}");
    }
    let left = plan["left_out"].as_array().unwrap();
    assert!(left.iter().any(|left| left["reason"]["code"] == "policy" && left["rows"].as_u64() > Some(1000)));
    assert_eq!(plan["memory"]["parts"]["kv_cache_gib"], 0.0);
    let names: Vec<&str> =
        plan["assumptions"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    for name in [
        "training_utilisation",
        "bytes_per_token",
        "interruptions_per_hour",
        "checkpoint_minutes",
        "int4_bits",
    ] {
        assert!(names.contains(&name), "{name} is not among {names:?}");
    }
    let table = desk.run_with(&[&["plan"], words.as_slice()].concat()).await;
    assert_eq!(table.code, 0, "{}", table.err);
    assert!(table.out.contains("Left out:") && table.out.contains("residency policy"), "{}", table.out);
}

#[tokio::test]
async fn a_chat_bot_for_200_people_keeps_a_cache_for_each() {
    let (_sim, desk) = stocked().await;
    let words =
        ["--task", "realtime", "--model", "llama-3.1-8b", "--concurrency", "200", "--context", "4096"];
    let plan = plan(&desk, &words).await;
    is_sound(&plan);
    // 2 · 32 layers · 8 heads · 128 · 4,096 tokens · 200 people · 2 bytes.
    assert_eq!(plan["memory"]["parts"]["kv_cache_gib"], 100.0);
    let highs: Vec<f64> = options(&plan).iter().map(|option| amount(&option["total"]["high"])).collect();
    assert!(highs.is_sorted(), "{highs:?}");
    for option in options(&plan) {
        let each = option["tokens_per_s"]["high"].as_f64().unwrap() / 200.0;
        assert!(each >= 5.3, "{option:#}");
        assert_ne!(option["offer"]["price"]["kind"], "spot", "it may not be interrupted");
    }
}

#[tokio::test]
async fn embeddings_at_night_get_something_small_before_a_whole_h100() {
    let (_sim, desk) = stocked().await;
    for words in [
        ["--task", "batch", "--model", "bge-m3", "--dataset", "8"].as_slice(),
        ["--task", "batch", "--vram", "8", "--hours", "8"].as_slice(),
    ] {
        let plan = plan(&desk, &[words, &["--interruptible", "--limit", "200"]].concat()).await;
        is_sound(&plan);
        let place = |is: &dyn Fn(&Value) -> bool| {
            options(&plan).iter().position(|option| is(&option["offer"]["gpu"]))
        };
        let small =
            place(&|gpu| gpu["fraction"].is_number() || gpu["vram_gib"].as_f64() <= Some(24.0)).unwrap();
        let whole = place(&|gpu| {
            gpu["fraction"].is_null() && gpu["model"].as_str().is_some_and(|model| model.starts_with("H100"))
        });
        assert!(whole.is_none_or(|whole| small < whole), "{words:?}: {small} {whole:?}");
    }
}

/// By NVIDIA's table (`mig-profiles.csv`) 30 GiB go into `3g.40gb` of an A100 or H100 of 80 GB: two on a card, 4g.40gb
/// beside one. A container's tenant cannot cut the card.
#[tokio::test]
async fn a_rented_card_says_what_fits_on_it_and_a_container_does_not() {
    let desk = Desk::offline();
    let plan = plan(&desk, &["--task", "notebook", "--vram", "30", "--hours", "10", "--limit", "200"]).await;
    let of_80 = |option: &&Value| {
        let gpu = &option["offer"]["gpu"];
        gpu["fraction"].is_null()
            && gpu["model"].as_str().is_some_and(|model| model == "A100 80GB SXM" || model == "H100 SXM")
    };
    let (mut cut, mut whole) = (0, 0);
    for option in options(&plan).iter().filter(of_80) {
        let (slice, reason) = (&option["slice"], option["reason"].as_str().unwrap());
        if option["offer"]["form"] == "container" {
            whole += 1;
            assert!(slice.is_null() && !reason.contains("such jobs"), "{option:#}");
            continue;
        }
        cut += 1;
        assert_eq!((&slice["profile"], &slice["per_card"]), (&"3g.40gb".into(), &2.into()), "{option:#}");
        assert_eq!((&slice["beside"], &slice["is_option"]), (&"4g.40gb".into(), &false.into()));
        let cards = option["offer"]["gpu"]["count"].as_f64().unwrap();
        let each = amount(&option["per_hour"]) / cards / 2.0;
        assert!((amount(&slice["per_hour_each"]) - each).abs() < 1e-6, "{option:#}");
        assert!(reason.contains("2 such jobs fit on one card as slices 3g.40gb"), "{option:#}");
        assert!(reason.contains("Beside one of them a 4g.40gb still fits."), "{option:#}");
    }
    assert!(cut > 0 && whole > 0, "{cut} {whole}");
}

#[tokio::test]
async fn the_contracts_figures_come_out_by_hand() {
    let desk = Desk::offline();
    let words = ["--task", "realtime", "--params", "70B", "--context", "8192", "--concurrency", "16"];
    let shape = ["--layers", "80", "--kv-heads", "8", "--head-dim", "128"];
    let known = plan(&desk, &[words.as_slice(), &shape].concat()).await;
    let parts = &known["memory"]["parts"];
    assert_eq!(parts["weights_gib"].as_f64().map(|gib| (gib * 10.0).round() / 10.0), Some(130.4));
    assert_eq!(
        (&parts["kv_cache_gib"], &parts["optimizer_gib"], &parts["gradients_gib"]),
        (&40.0.into(), &0.0.into(), &0.0.into())
    );
    let open = plan(&desk, &words).await;
    assert!(open["memory"]["parts"]["kv_cache_gib"].is_null());
    assert!(open["memory"]["total_gib"]["high"].is_null() && open["memory"]["total_gib"]["low"].is_number());
}

#[tokio::test]
async fn a_wrong_word_is_named_with_the_nearest_and_nothing_that_fits_ends_with_3() {
    let desk = Desk::offline();
    for (words, said) in [
        (["--task", "finetuning", "--vram", "8"].as_slice(), "did you mean `finetune`?"),
        (["--task", "batch", "--model", "lama 3.1 70b"].as_slice(), "did you mean `Llama 3.1 70B`?"),
        (["--task", "batch"].as_slice(), "no model is named"),
        (["--task", "batch", "--params", "many"].as_slice(), "`many`"),
        (["--task", "batch", "--vram", "8", "--deadline", "2020-01-01"].as_slice(), "has passed"),
        (["--task", "batch", "--vram", "8", "--deadline", "friday"].as_slice(), "2026-12-04"),
        (
            ["--task", "finetune", "--params", "7B", "--method", "qlora", "--precision", "bf16"].as_slice(),
            "4 bits",
        ),
        (
            ["--task", "batch", "--vram", "8", "--assume", "training_utilization=0.4"].as_slice(),
            "`training_utilisation`",
        ),
        (["--task", "batch", "--vram", "8", "--assume", "lora_rank"].as_slice(), "NAME=VALUE"),
        (
            ["--task", "batch", "--params", "7B", "--tokens", "1B", "--hours", "3"].as_slice(),
            "both tokens and hours",
        ),
    ] {
        let ran = desk.run_with(&[&["plan"], words].concat()).await;
        assert_eq!(ran.code, 2, "{words:?}: {}", ran.err);
        assert!(ran.err.contains(said), "{words:?}: {}", ran.err);
    }
    let unknown = desk.run_with(&["plan", "--task", "batch", "--vram", "8", "--policy", "gdrp"]).await;
    assert_eq!(unknown.code, 3, "{}", unknown.err);
    let large = desk.run_with(&["plan", "--task", "notebook", "--vram", "900000", "--json"]).await;
    assert_eq!(large.code, 3, "{}", large.err);
    assert!(large.err.contains("the largest machine of the board has"), "{}", large.err);
    assert_eq!(large.json()["missing"]["code"], "memory");
}

#[tokio::test]
async fn any_other_offer_can_be_asked_about() {
    let (_sim, desk) = stocked().await;
    let words = ["--task", "notebook", "--vram", "30", "--hours", "10"];
    let answer = plan(&desk, &words).await;
    let best = options(&answer)[0]["offer"]["id"].as_str().unwrap().to_owned();
    let second = options(&answer)[1]["offer"]["id"].as_str().unwrap().to_owned();
    let small =
        desk.json("offers vram<24 on-demand --limit 1").await["offers"][0]["id"].as_str().unwrap().to_owned();
    let spot =
        desk.json("offers vram>=80 spot --limit 1").await["offers"][0]["id"].as_str().unwrap().to_owned();
    for (offer, place, code) in [
        (&best, Some(1), "best"),
        (&second, Some(2), "dearer"),
        (&small, None, "memory"),
        (&spot, None, "interruptible"),
    ] {
        let why = plan(&desk, &[words.as_slice(), &["--why-not", offer]].concat()).await;
        assert_eq!(why["place"].as_u64(), place, "{offer}: {why:#}");
        assert!(
            why["reasons"].as_array().unwrap().iter().any(|reason| reason["code"] == code),
            "{offer}: {why:#}"
        );
    }
    let gone = desk.run_with(&[&["plan"], words.as_slice(), &["--why-not", "vast:nothing"]].concat()).await;
    assert_eq!(gone.code, 3, "{}", gone.err);
}
