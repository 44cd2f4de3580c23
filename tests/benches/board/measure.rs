//! Times, ratios and budgets.

use std::fmt;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Long enough for a steady median, short enough for patience.
const PATIENCE: Duration = Duration::from_millis(1500);
const FEWEST: usize = 30;
const MOST: usize = 2000;

/// Median and 99th percentile of many runs.
#[derive(Debug, Clone, Copy, Default)]
pub struct Times {
    pub median_ms: f64,
    pub p99_ms: f64,
    pub runs: usize,
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "median {:.3} ms, p99 {:.3} ms ({} runs)", self.median_ms, self.p99_ms, self.runs)
    }
}

/// Runs it until the median is steady.
pub fn time<T>(mut run: impl FnMut() -> T) -> Times {
    drop(run());
    let mut taken = Vec::with_capacity(MOST);
    let begin = Instant::now();
    while taken.len() < FEWEST || (begin.elapsed() < PATIENCE && taken.len() < MOST) {
        let start = Instant::now();
        let answer = run();
        taken.push(start.elapsed().as_secs_f64() * 1000.0);
        drop(answer);
    }
    Times::of(taken)
}

impl Times {
    /// Of single times in milliseconds.
    pub fn of(mut taken: Vec<f64>) -> Self {
        taken.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| taken.get((taken.len() as f64 * share) as usize).or(taken.last()).copied();
        Self {
            median_ms: at(0.5).unwrap_or_default(),
            p99_ms: at(0.99).unwrap_or_default(),
            runs: taken.len(),
        }
    }
}

/// What is printed, and whether every budget is kept.
#[derive(Debug, Default)]
pub struct Report {
    broken: Vec<String>,
}

impl Report {
    pub fn heading(&self, text: &str) {
        println!("\n{text}");
    }

    pub fn figure(&self, what: &str, figure: &str) {
        println!("     {what:<62} {figure}");
    }

    pub fn budget(&mut self, what: &str, figure: &str, kept: bool, budget: &str) {
        let word = if kept { "PASS" } else { "FAIL" };
        println!("{word} {what:<62} {figure} — budget {budget}");
        if !kept {
            self.broken.push(what.trim().to_owned());
        }
    }

    /// A neighbour's times, and how the board compares.
    pub fn ratio(&self, what: &str, neighbour: &Times, board: &Times) {
        let times = neighbour.median_ms / board.median_ms;
        let said = if times >= 1.0 {
            format!("{times:.1}× slower")
        } else {
            format!("{:.1}× faster", 1.0 / times)
        };
        println!("     {what:<62} median {:.3} ms: {said} than the board", neighbour.median_ms);
    }

    pub fn end(&self) -> ExitCode {
        if self.broken.is_empty() {
            println!("\nevery budget of the board is kept");
            return ExitCode::SUCCESS;
        }
        println!("\nbroken budgets: {}", self.broken.join(", "));
        ExitCode::FAILURE
    }
}
