//! How fast offers go into the database and come back: an answer into an empty file, the same answer again, a refresh
//! in which one price in ten differs, and the load. Prints rows a second and, where the `sqlite3` shell is
//! installed, its `.import` of plain rows on the same disk; exits with 1 where a budget is broken.
//!
//! `cargo bench -p gpudesk-store --bench load [-- OFFERS]`
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and ends where it cannot go on"
)]

use std::hint::black_box;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use gpudesk_core::feed::{FeedName, Fetched};
use gpudesk_core::money::Currency;
use gpudesk_core::offer::{
    Disk, Form, Isolation, Net, Offer, OfferGpu, Place, Price, PriceKind, Source, Supply, SupplyState,
};
use gpudesk_store::{Answer, Store};
use rust_decimal::Decimal;

/// A public catalogue of all clouds, ten times over.
const OFFERS: usize = 76_000;
/// Rows a second into an empty file, so that reading and normalising a catalogue may take twice as long again.
const REPLACE_BUDGET: f64 = 150_000.0;
/// Seconds in which 100,000 offers are read back, as a part of the start of the window.
const LOAD_BUDGET: f64 = 0.45;
const RUNS: usize = 7;

const GPUS: [(&str, f64); 6] = [
    ("H100 SXM", 80.0),
    ("A100 80GB", 80.0),
    ("L40S", 48.0),
    ("RTX 4090", 24.0),
    ("B200", 180.0),
    ("T4", 16.0),
];
const REGIONS: [(&str, &str); 5] = [
    ("us-east-1", "US"),
    ("eu-central-1", "DE"),
    ("ap-northeast-2", "KR"),
    ("Sofia, BG", "BG"),
    ("ru-7", "RU"),
];

fn offer(n: usize) -> Offer {
    let (gpu, vram) = GPUS[n % GPUS.len()];
    let (region, country) = REGIONS[n / 7 % REGIONS.len()];
    let count = 1 << (n % 4);
    let kind = if n.is_multiple_of(3) { PriceKind::Spot } else { PriceKind::OnDemand };
    Offer {
        id: format!("cloud-{}:gpu_{count}x_{n}/{region}/{kind}", n % 23),
        provider: format!("cloud-{}", n % 23),
        cloud: format!("cloud-{}", n % 23),
        source: Source::Catalogue,
        name: format!("gpu_{count}x_{n}"),
        form: Form::Vm,
        isolation: Isolation::Vm,
        gpu: OfferGpu {
            model: Some(gpu.to_owned()),
            count,
            fraction: None,
            vram_gib: Some(vram),
            link: None,
            raw_name: gpu.to_uppercase(),
        },
        fabric: None,
        vcpu: Some(f64::from(count) * 12.0),
        ram_gib: Some(f64::from(count) * 62.9),
        disk: Disk::default(),
        net: Net::default(),
        driver: None,
        cuda: None,
        reliability: None,
        verified: None,
        place: Place {
            region: Some(region.to_owned()),
            country: Some(country.to_owned()),
            seller: Some("US".to_owned()),
        },
        price: Price {
            kind,
            currency: Currency::USD,
            per_hour: Decimal::new(4_321 + (n as i64 * 37) % 90_000, 4),
            term: None,
            increment_s: Some(60),
            minimum_s: None,
            storage_gb_month: None,
            storage_stopped_gb_month: None,
            egress_gb: None,
            ingress_gb: None,
            meter: None,
            page: None,
        },
        supply: Supply { state: SupplyState::Unknown, count: None },
        flags: Vec::new(),
    }
}

fn fetched(offers: Vec<Offer>, as_of: DateTime<Utc>) -> Fetched {
    let rows = offers.len() as u64;
    Fetched {
        feed: FeedName("bench".to_owned()),
        origin: "generated".to_owned(),
        as_of,
        offers,
        quarantined: Vec::new(),
        rows_read: rows,
        rows_used: rows,
        rows_not_gpu: 0,
        notes: Vec::new(),
    }
}

async fn replace(store: &Store, fetched: &Fetched) -> (Duration, u64) {
    let start = Instant::now();
    let answer =
        Answer { fetched, version: None, tried_at: fetched.as_of, seconds: 0.0, allow_shrink: false };
    let done = store.replace(&answer).await.unwrap();
    (start.elapsed(), done.rows_written)
}

/// The fastest of several runs: whatever else runs on the machine only ever adds to it.
fn fastest(times: &[Duration]) -> f64 {
    times.iter().min().map_or(f64::NAN, Duration::as_secs_f64)
}

fn say(what: &str, rows: usize, seconds: f64) {
    println!("{what:<44} {:>9.1} ms {:>12.0} rows/s", seconds * 1e3, rows as f64 / seconds);
}

/// `.import` of one plain row an offer into a table of its own.
fn sqlite_shell(folder: &Path, offers: &[Offer]) -> Option<f64> {
    let list = folder.join("plain.csv");
    let mut text = String::new();
    for o in offers {
        let place = o.place.region.as_deref().unwrap_or_default().replace(',', "");
        text += &format!(
            "{},{},{},{},{},{},{}\n",
            o.id.replace(',', ""),
            o.provider,
            o.gpu.raw_name,
            o.gpu.count,
            place,
            o.price.per_hour,
            o.price.kind
        );
    }
    std::fs::write(&list, text).unwrap();
    let mut times = Vec::new();
    for run in 0..RUNS {
        let start = Instant::now();
        let done = Command::new("sqlite3")
            .arg(folder.join(format!("plain-{run}.db")))
            .arg("CREATE TABLE plain (id, provider, gpu, count INTEGER, region, price REAL, kind)")
            .arg(format!(".import --csv {} plain", list.display()))
            .status();
        if !done.is_ok_and(|status| status.success()) {
            return None;
        }
        times.push(start.elapsed());
    }
    Some(fastest(&times))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let count = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(OFFERS);
    let folder = tempfile::tempdir().unwrap();
    let start: DateTime<Utc> = "2026-11-30T09:00:00Z".parse().unwrap();
    let first = fetched((0..count).map(offer).collect(), start);
    let body = serde_json::to_string(&first.offers[0]).unwrap();
    println!("{count} offers, {} bytes of JSON each, fastest of {RUNS} runs", body.len());

    let (mut filled, mut same, mut changed, mut load) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for run in 0..RUNS {
        let store = Store::open(&folder.path().join(format!("{run}.db"))).await.unwrap();
        filled.push(replace(&store, &first).await.0);

        let again = Fetched { as_of: start + TimeDelta::minutes(5), ..first.clone() };
        let (took, written) = replace(&store, &again).await;
        assert_eq!(written, 0, "a refresh in which nothing changed writes no offer rows");
        same.push(took);

        let mut dearer = Fetched { as_of: start + TimeDelta::minutes(10), ..first.clone() };
        for offer in dearer.offers.iter_mut().step_by(10) {
            offer.price.per_hour += Decimal::ONE;
        }
        changed.push(replace(&store, &dearer).await.0);

        let clock = Instant::now();
        let mut seen = 0;
        store.load(|_, offer, _| seen += usize::from(black_box(offer).gpu.count > 0)).await.unwrap();
        load.push(clock.elapsed());
        assert_eq!(seen, count);
        store.close().await;
    }
    let (filled, load) = (fastest(&filled), fastest(&load));
    say("replace into an empty file", count, filled);
    say("replace, nothing changed", count, fastest(&same));
    say("replace, one price in ten changed", count, fastest(&changed));
    say("load", count, load);
    match sqlite_shell(folder.path(), &first.offers) {
        Some(shell) => {
            say("sqlite3 shell, .import of seven plain columns", count, shell);
            println!("replace takes {:.1} times as long as the shell", filled / shell);
        }
        None => println!("sqlite3 shell: not installed"),
    }

    let mut kept = true;
    let mut judge = |what: &str, ok: bool| {
        println!("{} {what}", if ok { "PASS" } else { "FAIL" });
        kept &= ok;
    };
    judge(&format!("replace at {REPLACE_BUDGET:.0} rows/s or more"), count as f64 / filled >= REPLACE_BUDGET);
    let scaled = load * 100_000.0 / count as f64;
    judge(&format!("100,000 offers loaded in {LOAD_BUDGET} s or less: {scaled:.3} s"), scaled <= LOAD_BUDGET);
    if kept { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
