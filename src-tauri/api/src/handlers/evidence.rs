//! What machines rented here before have taught, as n of m.

use gpudesk_core::rental::{Rental, State};

use crate::rental::Remark;

/// The newest rentals that count: what happened long ago says little of now.
const NEWEST: usize = 20;

/// The rentals of a provider that were asked for from here, the newest first. An adopted machine was not booted here.
fn past<'a>(rentals: &'a [Rental], provider: &str) -> Vec<&'a Rental> {
    let mut past: Vec<&Rental> =
        rentals.iter().filter(|rental| rental.record.provider == provider && rental.attempts > 0).collect();
    past.sort_by_key(|rental| std::cmp::Reverse(rental.record.created_at));
    past.truncate(NEWEST);
    past
}

/// The shortest and the longest time in seconds from the order until a machine of this provider was ready; `None`
/// where none ever was.
pub(super) fn usual_boot(rentals: &[Rental], provider: &str) -> Option<(f64, f64)> {
    ends(&boots(rentals, provider))
}

/// Seconds from the order until a machine of this provider was ready, of each that was.
pub(super) fn boots(rentals: &[Rental], provider: &str) -> Vec<f64> {
    seconds(&past(rentals, provider))
}

fn seconds(past: &[&Rental]) -> Vec<f64> {
    let took = past.iter().filter_map(|rental| Some(rental.ready_at? - rental.record.created_at));
    took.filter_map(|took| u32::try_from(took.num_seconds()).ok().map(f64::from)).collect()
}

fn ends(seconds: &[f64]) -> Option<(f64, f64)> {
    Some((seconds.iter().copied().reduce(f64::min)?, seconds.iter().copied().reduce(f64::max)?))
}

/// What the launch sheet tells of them; nothing where nothing was rented here.
pub(super) fn evidence(rentals: &[Rental], provider: &str) -> Vec<Remark> {
    let past = past(rentals, provider);
    let all = past.len();
    let count = |of: fn(&Rental) -> bool| past.iter().filter(|rental| of(rental)).count();
    let mut evidence = Vec::new();
    let ready = count(|rental| rental.ready_at.is_some());
    if let Some((low, high)) = ends(&seconds(&past)) {
        let text = format!("{ready} of {all} were ready, {low:.0} to {high:.0} s after they were asked for.");
        let remark = Remark::new("were-ready", "note", text).with("n", ready).with("of", all);
        evidence.push(remark.with("low_s", low).with("high_s", high));
    }
    let told: [(&str, &str, usize); 3] = [
        (
            "were-not-as-offered",
            "were not what was offered",
            count(|rental| rental.verification.as_ref().is_some_and(|verification| !verification.ok)),
        ),
        (
            "failed",
            "failed or were lost",
            count(|rental| matches!(rental.state, State::Failed | State::Lost)),
        ),
        ("were-taken", "were taken back by the provider", count(|rental| rental.state == State::Preempted)),
    ];
    for (code, words, n) in told {
        if n > 0 {
            let remark = Remark::new(code, "warn", format!("{n} of {all} {words}."));
            evidence.push(remark.with("n", n).with("of", all));
        }
    }
    evidence
}
