//! What interruptions cost, and whether the work is done in time all the same. They come by chance, at a rate that does
//! not change (a Poisson process); what was done since the last checkpoint is done again. Derivation: `docs/plan.md`.

use super::span::Span;

/// The terms interruptions are reckoned by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Terms {
    /// Interruptions in an hour of all machines that must run at once.
    pub rate: Span,
    /// Hours from one until the work goes on.
    pub restart_h: Span,
    /// Hours between checkpoints; above 0.
    pub checkpoint_h: f64,
}

/// Work that was interrupted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interrupted {
    /// Hours from start to end, on average.
    pub hours: Span,
    /// Of those, lost: done again, or waited.
    pub lost_h: Span,
    /// How many interruptions.
    pub times: Span,
}

/// Work of so many hours under interruptions, on average: pieces of a checkpoint's length, each begun again until it
/// succeeds, take (1/λ + R)(e^(λτ) − 1) each (J. T. Daly, 2006).
#[must_use]
pub fn interrupted(work_h: Span, terms: &Terms) -> Interrupted {
    let end = |hours: f64, rate: f64, restart: f64| {
        let piece = terms.checkpoint_h.min(hours);
        if rate <= 0.0 || piece <= 0.0 {
            return (hours, 0.0);
        }
        let failures = (rate * piece).exp_m1() * hours / piece;
        ((1.0 / rate + restart) * failures, failures)
    };
    let (low, fewest) = end(work_h.low, terms.rate.low, terms.restart_h.low);
    let (high, most) = end(work_h.high, terms.rate.high, terms.restart_h.high);
    Interrupted {
        hours: Span::new(low, high),
        lost_h: Span::new((low - work_h.low).max(0.0), (high - work_h.high).max(0.0)),
        times: Span::new(fewest, most),
    }
}

/// Probability that work of so many hours is done within so many, between the worst that can be assumed (every
/// interruption comes just before a checkpoint) and the best (just after one).
#[must_use]
pub fn done_in_time(work_h: Span, deadline_h: f64, terms: &Terms) -> Span {
    let chance = |work_h: f64, rate: f64, each_h: f64, exposed_h: f64| {
        let spare = deadline_h - work_h;
        if spare.is_nan() || spare < 0.0 {
            return 0.0;
        }
        if rate <= 0.0 || each_h <= 0.0 {
            return 1.0;
        }
        at_most((spare / each_h).floor(), rate * exposed_h)
    };
    // At worst it runs until the deadline, at best for no longer than the work takes.
    let each = terms.restart_h.high + terms.checkpoint_h;
    let worst = chance(work_h.high, terms.rate.high, each, deadline_h);
    let best = chance(work_h.low, terms.rate.low, terms.restart_h.low, work_h.low);
    Span::new(worst.min(best), best.max(worst))
}

/// Probability that a Poisson variable of this mean is at most `count`.
fn at_most(count: f64, mean: f64) -> f64 {
    // So far above the mean nothing is left to add.
    if count > mean + 12.0 * mean.sqrt() + 50.0 {
        return 1.0;
    }
    let mut term = -mean;
    let mut sum = term.exp();
    let mut k = 1.0;
    while k <= count {
        term += mean.ln() - f64::ln(k);
        sum += term.exp();
        k += 1.0;
    }
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(rate: f64, restart_h: f64, checkpoint_h: f64) -> Terms {
        Terms { rate: Span::exact(rate), restart_h: Span::exact(restart_h), checkpoint_h }
    }

    #[test]
    fn without_interruptions_work_takes_as_long_as_it_is() {
        let ran = interrupted(Span::new(10.0, 20.0), &terms(0.0, 1.0, 0.5));
        assert_eq!((ran.hours, ran.lost_h, ran.times), (Span::new(10.0, 20.0), Span::ZERO, Span::ZERO));
        assert_eq!(done_in_time(Span::exact(10.0), 10.0, &terms(0.0, 1.0, 0.5)), Span::exact(1.0));
        assert_eq!(done_in_time(Span::exact(10.0), 9.0, &terms(0.0, 1.0, 0.5)), Span::exact(0.0));
    }

    /// By hand: 10 h in pieces of 1 h at λ = 0.1, R = 0.5: 10 × (10 + 0.5) × (e^0.1 − 1) = 105 × 0.105170918 = 11.0429 h.
    #[test]
    fn the_mean_is_that_of_pieces_begun_again() {
        let ran = interrupted(Span::exact(10.0), &terms(0.1, 0.5, 1.0));
        assert!((ran.hours.low - 11.042_946).abs() < 1e-5, "{ran:?}");
        assert!((ran.times.low - 1.051_709).abs() < 1e-5, "{ran:?}");
        assert!((ran.lost_h.low - 1.042_946).abs() < 1e-5, "{ran:?}");
    }

    /// A job of one piece is never done before it has run through once: a checkpoint longer than it changes nothing.
    #[test]
    fn a_checkpoint_longer_than_the_work_is_none() {
        let long = interrupted(Span::exact(2.0), &terms(0.1, 0.5, 50.0));
        assert_eq!(long, interrupted(Span::exact(2.0), &terms(0.1, 0.5, 2.0)));
    }

    /// By hand: 8 h of work, 10 h of time, each interruption 1 h at most: two may come in 10 h at 0.1 an hour, which is
    /// e^-1 (1 + 1 + 1/2) = 0.919699. At best each costs half an hour and four may come in 8 h: 0.998589.
    #[test]
    fn the_chance_is_that_of_so_many_interruptions_at_most() {
        let chance = done_in_time(Span::exact(8.0), 10.0, &terms(0.1, 0.5, 0.5));
        assert!((chance.low - 0.919_699).abs() < 1e-5, "{chance:?}");
        assert!((chance.high - 0.998_589).abs() < 1e-5, "{chance:?}");
    }
}
