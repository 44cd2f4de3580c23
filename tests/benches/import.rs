//! How fast a price list gets from its CSV files into the database: read, normalised, checked and written, the way
//! `gpudesk import skypilot` does it, and the board made anew at the end. The lists are those of the public SkyPilot
//! catalogue, each repeated ten times under other names.
//!
//! `cargo bench -p gpudesk-tests --bench import [-- FOLDER]`

#![expect(clippy::print_stdout, reason = "a benchmark reports on its standard output")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use gpudesk_engine::{Desk, DeskConfig, Done};

/// How often each list is repeated.
const TIMES: usize = 10;
/// Rows a second.
const BUDGET: f64 = 50_000.0;
/// Whatever else runs on the machine only ever slows a run down: the fastest of these counts.
const RUNS: usize = 5;

#[tokio::main]
async fn main() -> Result<ExitCode> {
    let given = std::env::args().skip(1).find(|arg| arg != "--bench").map(PathBuf::from);
    let Some(catalogue) = given.or_else(shared_catalogue) else {
        println!("there is no folder of SkyPilot catalogues to import; give one");
        return Ok(ExitCode::SUCCESS);
    };
    let folder = tempfile::tempdir()?;
    let lists = folder.path().join("lists");
    fs::create_dir(&lists)?;
    let rows = repeat(&catalogue, &lists)?;
    println!("{rows} rows in the lists of {}", catalogue.display());

    let mut fastest = f64::INFINITY;
    for run in 0..RUNS {
        let desk = Desk::open(DeskConfig::new(folder.path().join(format!("desk-{run}")))).await?;
        desk.snapshot().await?;
        let start = Instant::now();
        let reports = desk.import_skypilot(vec![lists.clone()]).await?;
        let seconds = start.elapsed().as_secs_f64();
        let (mut read, mut kept) = (0, 0);
        for report in reports {
            let feed = report.feed;
            let done = report.result.with_context(|| feed.to_string())?;
            let Done::Stored { rows_read, offers, .. } = done else { bail!("{feed}: nothing was stored") };
            read += rows_read;
            kept += offers;
        }
        ensure!(read == rows as u64, "{read} of {rows} rows were read");
        println!("     run {run}: {seconds:.2} s, {kept} offers of {read} rows");
        fastest = fastest.min(seconds);
    }
    let speed = rows as f64 / fastest;
    let is_kept = speed >= BUDGET;
    let word = if is_kept { "PASS" } else { "FAIL" };
    println!("{word} CSV → normalised → database: {speed:.0} rows/s — budget ≥ {BUDGET:.0} rows/s");
    Ok(if is_kept { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn shared_catalogue() -> Option<PathBuf> {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    let shared = std::env::var_os("GPUDESK_SHARED").map_or_else(|| checkout.join("../shared"), PathBuf::from);
    Some(shared.join("data/skypilot-catalog")).filter(|folder| folder.is_dir())
}

/// Writes every list of a folder into another, its rows repeated under other names. Gives the number of rows.
fn repeat(from: &Path, to: &Path) -> Result<usize> {
    let mut rows = 0;
    for entry in from.read_dir()? {
        let path = entry?.path();
        if path.extension().is_none_or(|ending| ending != "csv") {
            continue;
        }
        let text = fs::read_to_string(&path)?;
        let mut lines = text.lines();
        let header = lines.next().context("a list without a header")?;
        // Cards of Google stand without a machine: there the zone gets another name.
        let changed = if path.ends_with("gcp.csv") { "AvailabilityZone" } else { "InstanceType" };
        let column = header.split(',').position(|name| name == changed).context("a list of another form")?;
        let mut repeated = format!("{header}\n");
        for turn in 0..TIMES {
            for line in lines.clone() {
                // What stands before this column is never quoted.
                let end = line.match_indices(',').nth(column).map_or(line.len(), |(at, _)| at);
                let (before, after) = line.split_at(end);
                match turn {
                    0 => repeated += line,
                    _ => repeated += &format!("{before}-{turn}{after}"),
                }
                repeated.push('\n');
                rows += 1;
            }
        }
        fs::write(to.join(path.file_name().context("a file without a name")?), repeated)?;
    }
    Ok(rows)
}
