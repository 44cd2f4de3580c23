//! gpuhunt, where Python has it: its own query over the same offers as an offline catalogue.

use std::fmt::Write as _;
use std::process::Command;

use anyhow::{Context, Result};

use gpudesk_core::offer::{Offer, PriceKind};

use crate::Answered;
use crate::measure::{Report, Times};

/// Loads the catalogue and asks for H100s; prints milliseconds.
const SCRIPT: &str = "
import time
from gpuhunt import Catalog
catalog = Catalog(balance_resources=False, auto_reload=False)
catalog.load()
for _ in range(11):
    start = time.perf_counter()
    catalog.query(provider=['aws'], gpu_name=['H100'])
    print((time.perf_counter() - start) * 1000)
";

pub fn compare(report: &mut Report, offers: &[Offer], board: &Answered) {
    report.heading("gpuhunt, catalogue in a file");
    let installed = Command::new("python3").args(["-c", "import gpuhunt"]).output();
    if !installed.is_ok_and(|output| output.status.success()) {
        report.figure("skipped", "needs gpuhunt for python3");
        return;
    }
    let asked = board.page.iter().find(|(name, _)| *name == "h100");
    match (run(offers), asked) {
        (Ok(times), Some((name, ours))) => report.ratio(name, &times, ours),
        (Err(error), _) => report.figure("skipped", &format!("{error:#}")),
        (Ok(_), None) => {}
    }
}

fn run(offers: &[Offer]) -> Result<Times> {
    // gpuhunt reads `<base>/<provider>/version` and then `<base>/<provider>/<version>/catalog.zip`.
    let base = tempfile::tempdir()?;
    let provider = base.path().join("aws");
    std::fs::create_dir_all(provider.join("bench"))?;
    std::fs::write(provider.join("version"), "bench")?;
    std::fs::write(provider.join("bench/catalog.zip"), zipped(offers)?)?;
    let output = Command::new("python3")
        .args(["-c", SCRIPT])
        .env("GPUHUNT_CATALOG_URL", format!("file://{}", base.path().display()))
        .output()?;
    anyhow::ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout)?;
    let times: Vec<f64> =
        text.lines().map(str::parse).collect::<Result<_, _>>().context("times of gpuhunt")?;
    let times = times.into_iter().map(|ms| std::time::Duration::from_secs_f64(ms / 1000.0));
    Ok(Times::of(&times.map(|time| (time, time)).collect::<Vec<_>>()))
}

fn zipped(offers: &[Offer]) -> Result<Vec<u8>> {
    use std::io::{Cursor, Write as _};
    let mut csv = String::from(
        "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,gpu_vendor,flags,\
         cpu_arch,provider_data\n",
    );
    for offer in offers {
        let name = offer.gpu.model.as_deref().unwrap_or(&offer.gpu.raw_name);
        writeln!(
            csv,
            "{},{},{},{},{},{},{},{},{},,nvidia,,x86,{{}}",
            offer.name.replace(',', " "),
            offer.place.region.as_deref().unwrap_or("default").replace(',', " "),
            offer.price.per_hour,
            offer.vcpu.unwrap_or(8.0) as u32,
            offer.ram_gib.unwrap_or(32.0),
            offer.gpu.count,
            name.split(' ').next().unwrap_or(name),
            offer.gpu.vram_gib.unwrap_or(16.0),
            if offer.price.kind == PriceKind::Spot { "True" } else { "False" },
        )?;
    }
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    archive.start_file("aws.csv", zip::write::SimpleFileOptions::default())?;
    archive.write_all(csv.as_bytes())?;
    Ok(archive.finish()?.into_inner())
}
