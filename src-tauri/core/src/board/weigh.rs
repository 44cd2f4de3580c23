//! Every row weighed for a piece of work: one pass over profiles, which asks each card in each number once and each row
//! only for its price; exact sums are made of those that remain.

use std::cmp::Ordering;
use std::collections::HashMap;

use rust_decimal::Decimal;
use rust_decimal::prelude::FromPrimitive;

use super::Board;
use super::costs::{About, Rules};
use super::machines::Known;
use super::policies::Broken;
use super::symbols::Symbol;
use crate::gpu::{self, Layout};
use crate::money::Currency;
use crate::offer::{Form, PriceKind, SupplyState};
use crate::plan::{Judge, Run, Standing, Why};
use crate::policy::Policy;

/// A piece of work, and under which policy.
#[derive(Debug, Clone, Copy)]
pub struct Ask<'a> {
    /// What a machine is judged by.
    pub judge: Judge<'a>,
    /// The residency policy, where there is one.
    pub policy: Option<&'a Policy>,
    /// Most options wanted.
    pub most: usize,
}

/// A way to do it.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The row: the cheapest of its seller with such cards, so many of them, on such terms.
    pub row: u32,
    /// One slice of its card instead of all of it, at its share of the cost: only of cards of the team's own.
    pub slice: Option<Layout>,
    /// How it does it.
    pub run: Run,
    /// Of the total: USD, or the offer's own where no rate leads there.
    pub currency: Currency,
    /// Total of all machines, lower end.
    pub low: Decimal,
    /// Upper end, by which options are ranked; `None` where nothing bounds it.
    pub high: Option<Decimal>,
}

impl Choice {
    /// Whether two are the same way: the same row, taken whole or as the same slice.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        (self.row, self.slice) == (other.row, other.slice)
    }
}

/// Rows that are no options, for one reason.
#[derive(Debug, Clone, PartialEq)]
pub struct LeftOut {
    /// The reason, with the figures of the nearest.
    pub why: Why,
    /// How many.
    pub rows: u32,
    /// The row that came nearest, where nearness means something.
    pub nearest: Option<u32>,
}

/// What is on the board for a piece of work.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ranking {
    /// The best first, as many as were wanted.
    pub choices: Vec<Choice>,
    /// The best that is not taken back.
    pub firm: Option<Choice>,
    /// How many there are.
    pub total: u32,
    /// Rows that were looked at.
    pub considered: u32,
    /// Why the others are none, the most rows first.
    pub left_out: Vec<LeftOut>,
    /// Sizes of whole cards on the board, GiB, the largest first, each with the names of its cards.
    pub sizes: Vec<(f64, Vec<String>)>,
    /// Most memory of one machine, GiB.
    pub most_gib: Option<f64>,
}

/// What makes two rows the same thing of the same seller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Likeness {
    group: u32,
    vram: u32,
    fraction: u32,
    count: u32,
    provider: Symbol,
    kind: PriceKind,
    form: Form,
}

/// The best row of a likeness so far, or a slice of its card.
#[derive(Debug, Clone, Copy)]
struct Best {
    row: u32,
    slice: Option<Layout>,
    run: Run,
    about: About,
}

/// What is known of one reason so far.
struct Tally {
    why: Why,
    rows: u32,
    nearest: Option<u32>,
}

#[derive(Default)]
struct Tallies(HashMap<&'static str, Tally>);

impl Tallies {
    fn add(&mut self, why: Why, rows: u32, row: u32) {
        let tally = self.0.entry(why.code()).or_insert(Tally { why, rows: 0, nearest: None });
        tally.rows += rows;
        let Some(distance) = why.distance() else { return };
        if tally.nearest.is_none() || tally.why.distance().is_none_or(|known| distance < known) {
            (tally.why, tally.nearest) = (why, Some(row));
        }
    }

    fn in_order(self) -> Vec<LeftOut> {
        let mut all: Vec<LeftOut> = self
            .0
            .into_values()
            .map(|tally| LeftOut { why: tally.why, rows: tally.rows, nearest: tally.nearest })
            .collect();
        all.sort_by(|a, b| b.rows.cmp(&a.rows).then_with(|| a.why.code().cmp(b.why.code())));
        all
    }
}

impl Board {
    /// Ways to do a piece of work, the best first: those that keep the deadline before those that may not, then by
    /// the upper end of the total. Of the same thing of the same seller only the cheapest is named.
    #[must_use]
    pub fn weigh(&self, ask: &Ask<'_>) -> Ranking {
        let broken = ask.policy.map(|policy| Broken::new(self, policy));
        let rules = self.rules();
        let mut known: Vec<Known> = vec![Vec::new(); self.variants.len()];
        let mut best: HashMap<Likeness, Best> = HashMap::new();
        let mut left = Tallies::default();
        let mut ranking = Ranking { sizes: self.sizes(), most_gib: self.most_gib(), ..Ranking::default() };
        for profile in 0..self.profiles.len() {
            let rows = self.profiles.range(profile);
            let number = rows.len() as u32;
            let first = rows.start as u32;
            ranking.considered += number;
            let seller = &self.sellers[self.profiles.seller[profile] as usize];
            let setting = &self.settings[self.profiles.setting[profile] as usize];
            if seller.quarantined {
                left.add(Why::Quarantined, number, first);
                continue;
            }
            if let Some(code) = broken.as_ref().and_then(|broken| broken.by(self, profile)) {
                left.add(Why::Policy(code), number, first);
                continue;
            }
            if setting.supply == SupplyState::OutOfStock {
                left.add(Why::OutOfStock, number, first);
                continue;
            }
            let may_be_taken = matches!(seller.kind, PriceKind::Spot | PriceKind::Bid);
            let provider = self.texts.providers.get(seller.provider);
            let variant = self.profiles.variant[profile] as usize;
            // By number of cards: most profiles have one or a few.
            let mut runs: Vec<(u32, Option<Run>)> = Vec::new();
            for row in rows {
                let count = self.rows.count[row];
                let run = match runs.iter().find(|(of, _)| *of == count) {
                    Some((_, Some(run))) => *run,
                    Some((_, None)) => continue,
                    None => {
                        let fit = self.known_fit(ask, &mut known[variant], profile, row);
                        let run = fit.and_then(|fit| ask.judge.run(&fit, may_be_taken, provider));
                        if let Err(why) = run {
                            let same = self.profiles.range(profile).filter(|r| self.rows.count[*r] == count);
                            left.add(why, same.count() as u32, row as u32);
                        }
                        runs.push((count, run.ok()));
                        match run {
                            Ok(run) => run,
                            Err(_) => continue,
                        }
                    }
                };
                let Some(about) = self.about(ask, &rules, row, &run, 1.0) else {
                    left.add(Why::NoPrice, 1, row as u32);
                    continue;
                };
                let like = self.likeness(profile, count);
                let mine = Best { row: row as u32, slice: None, run, about };
                best.entry(like)
                    .and_modify(|known| {
                        if self.compare(&mine, known).is_lt() {
                            *known = mine;
                        }
                    })
                    .or_insert(mine);
            }
        }
        let mut best: Vec<Best> = best.into_values().collect();
        let slices: Vec<Best> =
            best.iter().filter_map(|whole| self.slice_of_own(ask, &rules, whole)).collect();
        best.extend(slices);
        ranking.total = best.len() as u32;
        best.sort_unstable_by(|a, b| self.compare(a, b));
        let firm = best.iter().find(|best| best.run.interruptions.is_none());
        let choice = |best: &Best| self.choice(ask, best.row, best.slice, &best.run);
        ranking.firm = firm.and_then(choice);
        best.truncate(ask.most);
        ranking.choices = best.iter().filter_map(choice).collect();
        ranking.choices.sort_by_key(|choice| self.order(choice));
        ranking.left_out = left.in_order();
        ranking
    }

    /// What speaks against one row, everything that does; or how it would do the work.
    ///
    /// # Errors
    /// Every [`Why`], the hardest first.
    pub fn weigh_row(&self, ask: &Ask<'_>, row: u32) -> Result<Choice, Vec<Why>> {
        let profile = self.profiles.of(row);
        let seller = &self.sellers[self.profiles.seller[profile] as usize];
        let setting = &self.settings[self.profiles.setting[profile] as usize];
        let mut why = Vec::new();
        if seller.quarantined {
            why.push(Why::Quarantined);
        }
        let broken = ask.policy.map(|policy| Broken::new(self, policy));
        why.extend(broken.and_then(|broken| broken.by(self, profile)).map(Why::Policy));
        if setting.supply == SupplyState::OutOfStock {
            why.push(Why::OutOfStock);
        }
        let may_be_taken = matches!(seller.kind, PriceKind::Spot | PriceKind::Bid);
        if may_be_taken && !ask.judge.work.interruptible {
            why.push(Why::Interruptible);
        }
        let provider = self.texts.providers.get(seller.provider);
        let fit = self.fit(ask, profile, row as usize);
        match fit.and_then(|fit| ask.judge.run(&fit, may_be_taken, provider)) {
            Err(reason) if !why.contains(&reason) => why.push(reason),
            Ok(run) if why.is_empty() => match self.choice(ask, row, None, &run) {
                Some(choice) => return Ok(choice),
                None => why.push(Why::NoPrice),
            },
            _ => {}
        }
        Err(why)
    }

    /// One slice of an undivided card of the team's own, where that is enough: how such a card is cut, and who gets
    /// the rest of it, is for the team to say. A rented card is paid for whole, whatever of it is used.
    fn slice_of_own(&self, ask: &Ask<'_>, rules: &Rules, whole: &Best) -> Option<Best> {
        let (profile, row) = (self.profiles.of(whole.row), whole.row as usize);
        let setting = &self.settings[self.profiles.setting[profile] as usize];
        if setting.form != Form::Own || self.rows.count[row] != 1 {
            return None;
        }
        let card = self.facts[self.profiles.variant[profile] as usize].card?;
        let slice = gpu::smallest_slice(card, whole.run.fit.per_card.bounded_high()?)?;
        let provider =
            self.texts.providers.get(self.sellers[self.profiles.seller[profile] as usize].provider);
        let fit = ask.judge.fit(&self.slice_machine(profile, row, &slice)).ok()?;
        if fit.machines != 1 {
            return None;
        }
        let run = ask.judge.run(&fit, false, provider).ok()?;
        let about = self.about(ask, rules, row, &run, slice.cost_share())?;
        Some(Best { row: whole.row, slice: Some(slice), run, about })
    }

    /// Whether two rows are the same thing of the same seller, on the same terms.
    #[must_use]
    pub fn are_alike(&self, a: u32, b: u32) -> bool {
        let like = |row: u32| self.likeness(self.profiles.of(row), self.rows.count[row as usize]);
        like(a) == like(b)
    }

    fn likeness(&self, profile: usize, count: u32) -> Likeness {
        let variant = self.profiles.variant[profile] as usize;
        let seller = &self.sellers[self.profiles.seller[profile] as usize];
        Likeness {
            group: self.facts[variant].group,
            vram: self.variants[variant].vram().to_bits(),
            fraction: self.variants[variant].fraction().to_bits(),
            count,
            provider: seller.provider,
            kind: seller.kind,
            form: self.settings[self.profiles.setting[profile] as usize].form,
        }
    }

    /// The order of [`Self::order`], near enough.
    fn compare(&self, a: &Best, b: &Best) -> Ordering {
        let rank = |best: &Best| self.id_ranks[best.row as usize];
        let whole = |best: &Best| match best.run.share.low {
            share if share > 0.0 => best.about.amount / share,
            _ => best.about.amount,
        };
        a.run
            .standing
            .cmp(&b.run.standing)
            .then(b.about.is_usd.cmp(&a.about.is_usd))
            .then(whole(a).total_cmp(&whole(b)))
            .then(rank(a).cmp(&rank(b)))
            .then(a.slice.is_none().cmp(&b.slice.is_none()))
    }

    /// What a choice is ranked by: how it comes out, whether its price compares at all, its total (of what is not
    /// done, for what is), its id, a slice before the whole card.
    fn order(&self, choice: &Choice) -> (Standing, bool, Decimal, Decimal, u32, bool) {
        let high = choice.high.unwrap_or(choice.low);
        let share = Decimal::from_f64(choice.run.share.low).filter(|share| !share.is_zero());
        let whole = share.and_then(|share| high.checked_div(share)).unwrap_or(high);
        let is_foreign = choice.currency != Currency::USD;
        let id = self.id_ranks[choice.row as usize];
        (choice.run.standing, is_foreign, whole, choice.low, id, choice.slice.is_none())
    }
}
