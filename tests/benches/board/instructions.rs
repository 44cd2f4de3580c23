//! Instructions of one page, counted by callgrind where it is installed: a figure that does not depend on what else
//! the machine does.

use std::process::Command;

use crate::measure::Report;

const TIMES: u64 = 100;

pub fn count(report: &mut Report) {
    report.heading("instructions at 100 000 offers (callgrind)");
    let Some(nothing) = instructions("none", 1) else {
        report.figure("skipped", "needs valgrind");
        return;
    };
    for (what, name) in [("page", "a typical page with every facet"), ("groups", "by card")] {
        if let Some(all) = instructions(what, TIMES) {
            // Building the board differs a little from run to run; over many pages that is lost.
            let each = all.saturating_sub(nothing) / TIMES;
            report.figure(name, &format!("{:.2} million", each as f64 / 1e6));
        }
    }
}

fn instructions(what: &str, times: u64) -> Option<u64> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe().ok()?)
        .args(["--once", what, &times.to_string()])
        .output()
        .ok()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = said.lines().find(|line| line.contains("Collected"))?;
    line.rsplit(' ').next()?.parse().ok()
}
