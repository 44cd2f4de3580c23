//! How soon the ledger answers a team of fifty people after three years: 40,000 rentals with 1,000,000 events. Two things
//! are measured: what sums all of them, and what the Spend view asks for when it opens, from the database on disk.
//!
//! `cargo bench -p gpudesk-tests --bench spend`

#![expect(clippy::print_stdout, reason = "a benchmark reports on its standard output")]

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use chrono::{DateTime, TimeDelta, Utc};
use gpudesk_api::handlers::spend_page;
use gpudesk_api::spend::SpendRequest;
use gpudesk_core::money::{Currency, RateHistory};
use gpudesk_core::offer::Offer;
use gpudesk_core::rental::{Event, Lease, OnExpiry, Record, Rental};
use gpudesk_core::spend::{By, Period, table};
use gpudesk_engine::{Clock, Desk, DeskConfig, SystemClock};
use gpudesk_store::{Standing, Store};
use serde_json::{Value, json};

const PEOPLE: usize = 50;
const RENTALS: usize = 40_000;
const EVENTS: usize = 25;
/// To sum all events, and to open the view.
const BUDGET: Duration = Duration::from_millis(300);
/// Whatever else runs on the machine only ever slows a run down: the fastest of these counts.
const RUNS: usize = 5;

#[tokio::main]
async fn main() -> Result<ExitCode> {
    let now = SystemClock.now();
    let lives: Vec<(Record, Vec<Event>)> = (0..RENTALS).map(|n| life(n, now)).collect::<Result<_>>()?;
    let events: usize = lives.iter().map(|(_, events)| events.len()).sum();
    ensure!(events == RENTALS * EVENTS, "{events} events");

    let folded = fastest(|| {
        let rentals: Vec<Rental> =
            lives.iter().map(|(record, events)| Rental::of(record.clone(), events, None)).collect();
        drop(rentals);
    });
    let rentals: Vec<Rental> =
        lives.iter().map(|(record, events)| Rental::of(record.clone(), events, None)).collect();
    let all = Period { from: now - TimeDelta::days(4 * 365), to: now };
    let rates = RateHistory::default();
    let mut rows = 0;
    let summed = fastest(|| rows = table(&rentals, all, By::Owner, (Currency::USD, &rates), now).rows.len());
    ensure!(rows == PEOPLE, "{rows} people");
    println!("     {RENTALS} rentals are folded from their events in {} ms", folded.as_millis());
    let mut is_kept = report("1,000,000 events summed by person", summed);

    let home = tempfile::tempdir()?;
    let config = DeskConfig::new(home.path().to_path_buf());
    let store = Store::open(&config.database()).await?;
    for ((record, events), rental) in lives.iter().zip(&rentals) {
        let (first, rest) = events.split_first().context("a rental without events")?;
        let standing = || Standing {
            remote_id: rental.remote_id.as_deref(),
            over: rental.is_over(),
            settled: rental.is_over(),
            finished: rental.ended_at,
        };
        store.add_rental(record, std::slice::from_ref(first), standing()).await?;
        store.add_rental_events(&record.id, 1, rest, standing()).await?;
    }
    drop(store);
    let desk = Desk::open(config).await?;
    desk.snapshot().await?;
    // The view opens on a month; a whole one is asked for, whatever the day is.
    let day = |ago| Some((now - TimeDelta::days(ago)).date_naive().to_string());
    let request =
        SpendRequest { by: "provider".to_owned(), from: day(30), to: day(0), currency: "USD".to_owned() };
    let mut opened = Duration::MAX;
    for _ in 0..RUNS {
        let start = Instant::now();
        let page = spend_page(&desk, request.clone()).await.map_err(|error| anyhow!("{error:?}"))?;
        let text = serde_json::to_string(&page)?;
        opened = opened.min(start.elapsed());
        ensure!(page.rows.len() == 3 && !text.is_empty(), "{} clouds", page.rows.len());
    }
    is_kept &= report("Spend view of this month, three years in the database", opened);
    Ok(if is_kept { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn report(what: &str, took: Duration) -> bool {
    let is_kept = took <= BUDGET;
    let word = if is_kept { "PASS" } else { "FAIL" };
    println!("{word} {what}: {} ms — budget ≤ {} ms", took.as_millis(), BUDGET.as_millis());
    is_kept
}

fn fastest(mut run: impl FnMut()) -> Duration {
    let times = (0..RUNS).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed()
    });
    times.min().unwrap_or_default()
}

/// One rental: asked for, up, stopped, started, ended, looked after, as one lives here. The newest ended lately.
fn life(number: usize, now: DateTime<Utc>) -> Result<(Record, Vec<Event>)> {
    let begun = now
        - TimeDelta::minutes(3 * 365 * 24 * 60) * i32::try_from(RENTALS - number)? / i32::try_from(RENTALS)?;
    let id = format!("01J{number:023}");
    let cards = ["H100 SXM", "RTX 4090", "A100 80GB SXM", "L40S"][number % 4];
    let provider = ["vast", "runpod", "lambda"][number % 3];
    let offer: Offer = serde_json::from_value(json!({
        "id": format!("{provider}:{number}"), "provider": provider, "cloud": provider, "source": "live",
        "name": "x", "form": "vm", "isolation": "vm",
        "gpu": {"model": cards, "count": 1 + number % 8, "vram_gib": 80.0, "raw_name": cards},
        "place": {"region": "x", "country": "US"}, "supply": {"state": "in-stock"},
        "price": {"kind": "on-demand", "currency": "USD", "per_hour": "2.5"},
    }))?;
    let record = Record {
        token: Record::token_of(&id),
        id,
        name: format!("machine-{number}"),
        provider: provider.to_owned(),
        account: String::new(),
        offer: Some(offer),
        spec: None,
        owner: Some(format!("person-{}", number % PEOPLE)),
        project: Some(format!("project-{}", number % 12)),
        lease: Lease { until: None, max_spend: None, idle_minutes: None, on_expiry: OnExpiry::Notify },
        created_at: begun,
    };
    let address = json!({"event": "address", "ssh": {"host": "203.0.113.7", "port": 22, "user": "root", "proxy": false}});
    let verified = json!({"event": "verified", "verification": {"ok": true, "differs": [], "unknown": []}});
    let seen =
        |state: &str| json!({"event": "seen", "state": state, "word": state, "detail": null, "since": null});
    let told = |what: &str| json!({"event": "told", "what": what});
    let kinds: [Value; EVENTS] = [
        json!({"event": "requested", "per_hour": "2.5", "disk_per_hour": "0.01", "disk_stopped_per_hour": "0.01"}),
        json!({"event": "launch-sent", "attempt": 1}),
        json!({"event": "placed", "remote_id": format!("m-{number}"), "found": false, "since": null}),
        seen("provisioning"),
        seen("booting"),
        seen("running"),
        address.clone(),
        json!({"event": "host-key", "fingerprint": "SHA256:x", "replaced": false}),
        json!({"event": "answered"}),
        verified.clone(),
        told("ready"),
        json!({"event": "stop-asked", "by": "person", "why": ""}),
        json!({"event": "accepted", "what": "stop"}),
        seen("stopped"),
        json!({"event": "start-asked", "by": "person"}),
        json!({"event": "accepted", "what": "start"}),
        seen("running"),
        address,
        json!({"event": "answered"}),
        verified,
        json!({"event": "end-asked", "by": "person", "why": ""}),
        json!({"event": "accepted", "what": "end"}),
        json!({"event": "gone", "since": null, "proof": "a list lacks it"}),
        json!({"event": "looked-again", "minutes": 2, "there": false}),
        json!({"event": "looked-again", "minutes": 30, "there": false}),
    ];
    let events = kinds.into_iter().zip(0..).map(|(mut kind, step)| {
        let at = begun + TimeDelta::minutes(15) * step;
        kind["at"] = at.to_rfc3339().into();
        Ok(serde_json::from_value(kind)?)
    });
    Ok((record, events.collect::<Result<_>>()?))
}
