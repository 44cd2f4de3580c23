//! Times, ratios and budgets.

use std::fmt;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// Long enough for a steady median, short enough for patience.
const PATIENCE: Duration = Duration::from_millis(1500);
const FEWEST: usize = 30;
const MOST: usize = 2000;

/// Median and 99th percentile of many runs. The percentile is also given without the time the thread had to wait for
/// a processor: on a busy machine a run in a hundred is interrupted, which says nothing of the program.
#[derive(Debug, Clone, Copy, Default)]
pub struct Times {
    pub median_ms: f64,
    pub p99_ms: f64,
    pub p99_own_ms: f64,
    pub runs: usize,
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { median_ms, p99_ms, p99_own_ms, runs } = self;
        write!(f, "median {median_ms:.3} ms, p99 {p99_own_ms:.3} ms (on the clock {p99_ms:.3}; {runs} runs)")
    }
}

/// Runs it until the median is steady.
pub fn time<T>(mut run: impl FnMut() -> T) -> Times {
    drop(run());
    let mut taken = Vec::with_capacity(MOST);
    let begin = Instant::now();
    while taken.len() < FEWEST || (begin.elapsed() < PATIENCE && taken.len() < MOST) {
        let (clock, own) = (Instant::now(), own_time());
        let answer = run();
        taken.push((clock.elapsed(), own_time().saturating_sub(own)));
        drop(answer);
    }
    Times::of(&taken)
}

/// Time this thread has been on a processor.
fn own_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

impl Times {
    /// Of single runs: time on the clock and on a processor.
    pub fn of(taken: &[(Duration, Duration)]) -> Self {
        let sorted = |time: fn(&(Duration, Duration)) -> Duration| {
            let mut times: Vec<f64> = taken.iter().map(|run| time(run).as_secs_f64() * 1000.0).collect();
            times.sort_unstable_by(f64::total_cmp);
            times
        };
        let (clock, own) = (sorted(|run| run.0), sorted(|run| run.1));
        let at = |times: &[f64], share: f64| {
            times.get((times.len() as f64 * share) as usize).or(times.last()).copied().unwrap_or_default()
        };
        Self {
            median_ms: at(&clock, 0.5),
            p99_ms: at(&clock, 0.99),
            p99_own_ms: at(&own, 0.99),
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
