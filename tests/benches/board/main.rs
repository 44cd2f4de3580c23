//! How fast the board answers, against its budgets and against its neighbours: a plain loop over columns, which is the
//! limit, SQLite with indices in a file, and gpuhunt where Python has it. All in one run on one thread over the same
//! offers: real price lists, repeated with other names and nearby prices.
//!
//! `--once page|strangers|groups|none [TIMES]` builds a board of 100,000 offers and asks it so many times, for callgrind.

#![expect(clippy::print_stdout, reason = "a benchmark reports on its standard output")]

mod gpuhunt;
mod instructions;
mod measure;
mod plain;
mod plans;
mod questions;
mod seed;
mod sqlite;

use std::hint::black_box;
use std::process::ExitCode;

use anyhow::{Context, Result};

use gpudesk_core::board::{Board, BoardBuilder, FeedMeta};
use gpudesk_core::feed::FeedName;
use gpudesk_core::money::Rates;
use gpudesk_core::offer::Offer;

use measure::{Report, Times, time};
use questions::Question;

/// Rows of the size the budgets are for.
const ROWS: usize = 100_000;

/// Rows a table shows of the answer.
const WINDOW: usize = 200;

fn main() -> Result<ExitCode> {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    if let [flag, what, rest @ ..] = args.as_slice()
        && flag == "--once"
    {
        once(what, rest.first().map_or(Ok(1), |times| times.parse()).context("how many times?")?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let seeds = seed::seeds();
    let mut report = Report::default();
    println!("{ROWS} offers repeated from {} of {}", seeds.offers.len(), seeds.origin);

    let offers = seeds.repeated(ROWS);
    let start = std::time::Instant::now();
    let board = build(&offers);
    report.figure(
        "building the board from offers",
        &format!("{:.0} ms", start.elapsed().as_secs_f64() * 1000.0),
    );
    let bytes = board.heap_bytes() / offers.len();
    report.budget("memory", &format!("{bytes} bytes an offer"), bytes <= 250, "≤ 250");

    let hundred = ask(&mut report, &board)?;
    plans::plan(&mut report, &board)?;
    neighbours(&mut report, &offers, &hundred)?;
    growth(&mut report, &seeds)?;
    strangers(&mut report, &seeds)?;
    instructions::count(&mut report);
    gpuhunt::compare(&mut report, &offers, &hundred);
    Ok(report.end())
}

fn build(offers: &[Offer]) -> Board {
    let mut builder = BoardBuilder::new(Rates::default());
    builder.feed(FeedMeta {
        name: FeedName("catalogue/bench".to_owned()),
        origin: "the benchmark".to_owned(),
        as_of: seed::now(),
    });
    offers.iter().for_each(|offer| builder.push(offer));
    builder.build()
}

/// What the board took for each question, to compare the neighbours with.
struct Answered {
    page: Vec<(&'static str, Times)>,
    facets: Vec<(&'static str, Times)>,
    groups: Times,
    /// Rows each question matches.
    totals: Vec<u32>,
}

fn ask(report: &mut Report, board: &Board) -> Result<Answered> {
    let mut answered =
        Answered { page: Vec::new(), facets: Vec::new(), groups: Times::default(), totals: Vec::new() };
    for question in questions::all()? {
        let rows = board.page(&question.view(), 0, WINDOW, false).total;
        let page = time(|| black_box(board.page(&question.view(), 0, WINDOW, false)));
        let what = format!("first {WINDOW} of {rows:>6} · {}", question.name);
        report.budget(&what, &page.to_string(), page.median_ms <= 0.7, "median ≤ 0.7 ms");
        let facets = time(|| black_box(board.page(&question.view(), 0, WINDOW, true)));
        let good = facets.median_ms <= 1.3 && facets.p99_own_ms <= 3.0;
        report.budget("  with every facet", &facets.to_string(), good, "median ≤ 1.3 ms, p99 ≤ 3 ms");
        answered.totals.push(rows);
        answered.page.push((question.name, page));
        answered.facets.push((question.name, facets));
    }
    let everything = Question::everything()?;
    answered.groups = time(|| black_box(board.groups(&everything.view())));
    let good = answered.groups.median_ms <= 2.0;
    report.budget("by card with lowest and median", &answered.groups.to_string(), good, "median ≤ 2 ms");
    let line = time(|| black_box(gpudesk_core::query::parse(questions::LONGEST)));
    report.figure("reading the longest of the lines", &line.to_string());
    Ok(answered)
}

fn neighbours(report: &mut Report, offers: &[Offer], board: &Answered) -> Result<()> {
    report.heading("a plain loop over columns: the limit");
    let columns = plain::Columns::new(offers);
    for (index, question) in questions::all()?.iter().enumerate() {
        let Some(wanted) = columns.wanted(question) else { continue };
        let found = columns.page(&wanted, WINDOW, false).0;
        anyhow::ensure!(found == board.totals[index], "the loop finds {found} rows of {}", question.name);
        let page = time(|| black_box(columns.page(&wanted, WINDOW, false)));
        report.ratio(question.name, &page, &board.page[index].1);
        let facets = time(|| black_box(columns.page(&wanted, WINDOW, true)));
        report.ratio("  with every facet", &facets, &board.facets[index].1);
    }
    let groups = time(|| black_box(columns.groups()));
    report.ratio("by card with lowest and median", &groups, &board.groups);

    report.heading("SQLite, indexed, in a file");
    let database = sqlite::Database::new(offers)?;
    for (index, question) in questions::all()?.iter().enumerate() {
        let Some(sql) = question.sql else { continue };
        let rows = database.time_page(sql, WINDOW)?;
        report.ratio(question.name, &rows, &board.page[index].1);
    }
    report.ratio("by card with lowest and median", &database.time_groups()?, &board.groups);
    Ok(())
}

fn growth(report: &mut Report, seeds: &seed::Seeds) -> Result<()> {
    report.heading("growth: every facet of every question, the slowest");
    let mut medians = Vec::new();
    for rows in [10_000, 100_000, 1_000_000] {
        let board = build(&seeds.repeated(rows));
        let mut slowest = Times::default();
        for question in questions::all()? {
            let times = time(|| black_box(board.page(&question.view(), 0, WINDOW, true)));
            if times.median_ms > slowest.median_ms {
                slowest = times;
            }
        }
        if rows == 1_000_000 {
            report.budget(
                "1 000 000 offers",
                &slowest.to_string(),
                slowest.median_ms <= 15.0,
                "median ≤ 15 ms",
            );
        } else {
            report.figure(&format!("{rows} offers"), &slowest.to_string());
        }
        medians.push(slowest.median_ms);
    }
    let times = medians[2] / medians[0];
    report.budget("10 000 → 1 000 000", &format!("×{times:.0}"), times <= 100.0, "≤ ×100");
    Ok(())
}

/// The board leans on rows having much in common: here no two have.
fn strangers(report: &mut Report, seeds: &seed::Seeds) -> Result<()> {
    report.heading("100 000 offers of which no two are alike");
    let board = build(&seeds.strangers(ROWS));
    let bytes = board.heap_bytes() / ROWS;
    report.figure("memory", &format!("{bytes} bytes an offer"));
    for question in questions::all()? {
        let page = time(|| black_box(board.page(&question.view(), 0, WINDOW, false)));
        report.figure(question.name, &page.to_string());
        let facets = time(|| black_box(board.page(&question.view(), 0, WINDOW, true)));
        report.figure("  with every facet", &facets.to_string());
    }
    Ok(())
}

fn once(what: &str, times: usize) -> Result<()> {
    let seeds = seed::seeds();
    let board = build(&if what == "strangers" { seeds.strangers(ROWS) } else { seeds.repeated(ROWS) });
    let question = Question::typical()?;
    for _ in 0..times {
        match what {
            "page" | "strangers" => drop(black_box(board.page(&question.view(), 0, WINDOW, true))),
            "groups" => drop(black_box(board.groups(&Question::everything()?.view()))),
            "none" => {}
            other => anyhow::bail!("nothing called `{other}`: page, strangers, groups or none"),
        }
    }
    Ok(())
}
