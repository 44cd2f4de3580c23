//! Every row weighed for a piece of work: one pass over profiles, which asks each card in each number once and each row
//! only for its price; exact sums are made of those that remain.

use std::cmp::Ordering;
use std::collections::HashMap;

use rust_decimal::Decimal;
use rust_decimal::prelude::FromPrimitive;

use super::Board;
use super::columns::widen;
use super::policies::Broken;
use super::symbols::Symbol;
use crate::gpu::{Card, Model};
use crate::job::{self, Besides, Job, Rule};
use crate::meter::Meter;
use crate::money::{Currency, NANOS};
use crate::offer::{Form, Offer, PriceKind, SupplyState};
use crate::plan::{self, Fit, Judge, Machine, Name, Run, Span, Standing, Task, Why};
use crate::policy::Policy;
use crate::query::Holds;
use crate::terms::USUAL_MONTH_HOURS;

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
    /// How it does it.
    pub run: Run,
    /// Of the total: USD, or the offer's own where no rate leads there.
    pub currency: Currency,
    /// Total of all machines, lower end.
    pub low: Decimal,
    /// Upper end, by which options are ranked; `None` where nothing bounds it.
    pub high: Option<Decimal>,
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

/// The best row of a likeness so far.
#[derive(Debug, Clone, Copy)]
struct Best {
    row: u32,
    run: Run,
    about: About,
}

/// The upper end of a total, near enough to order by.
#[derive(Debug, Clone, Copy)]
struct About {
    amount: f64,
    /// Whether it is in USD; else there is no rate, and it is in the offer's own currency.
    is_usd: bool,
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

/// Cards in this number, boxes in this form: fits that were worked out.
type Known = Vec<(u32, bool, bool, Result<Fit, Why>)>;

/// How each billing bills; `None` where no total can be given.
type Rules = Vec<Option<(Rule, Besides)>>;

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
                let Some(about) = self.about(ask, &rules, row, &run) else {
                    left.add(Why::NoPrice, 1, row as u32);
                    continue;
                };
                let like = self.likeness(profile, count);
                let mine = Best { row: row as u32, run, about };
                best.entry(like)
                    .and_modify(|known| {
                        if self.compare(&mine, known).is_lt() {
                            *known = mine;
                        }
                    })
                    .or_insert(mine);
            }
        }
        ranking.total = best.len() as u32;
        let mut best: Vec<Best> = best.into_values().collect();
        best.sort_unstable_by(|a, b| self.compare(a, b));
        let firm = best.iter().find(|best| best.run.interruptions.is_none());
        ranking.firm = firm.and_then(|best| self.choice(ask, best.row, &best.run));
        best.truncate(ask.most);
        ranking.choices = best.iter().filter_map(|best| self.choice(ask, best.row, &best.run)).collect();
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
            Ok(run) if why.is_empty() => match self.choice(ask, row, &run) {
                Some(choice) => return Ok(choice),
                None => why.push(Why::NoPrice),
            },
            _ => {}
        }
        Err(why)
    }

    /// Whether two rows are the same thing of the same seller, on the same terms.
    #[must_use]
    pub fn are_alike(&self, a: u32, b: u32) -> bool {
        let like = |row: u32| self.likeness(self.profiles.of(row), self.rows.count[row as usize]);
        like(a) == like(b)
    }

    fn known_fit(&self, ask: &Ask<'_>, known: &mut Known, profile: usize, row: usize) -> Result<Fit, Why> {
        let setting = &self.settings[self.profiles.setting[profile] as usize];
        let count = self.rows.count[row];
        let (cluster, fabric) = (setting.form == Form::Cluster, setting.fabric != super::symbols::NONE);
        let found = known.iter().find(|(of, c, f, _)| (*of, *c, *f) == (count, cluster, fabric));
        if let Some((.., fit)) = found {
            return *fit;
        }
        let fit = self.fit(ask, profile, row);
        known.push((count, cluster, fabric, fit));
        fit
    }

    fn fit(&self, ask: &Ask<'_>, profile: usize, row: usize) -> Result<Fit, Why> {
        if self.rows.count[row] == 0 {
            return self.token_fit(ask, profile);
        }
        ask.judge.fit(&self.machine(profile, row))
    }

    /// Tokens of a model are bought: the same model, for work that is counted in tokens.
    fn token_fit(&self, ask: &Ask<'_>, profile: usize) -> Result<Fit, Why> {
        let work = ask.judge.work;
        let raw = self.texts.raws.get(self.variants[self.profiles.variant[profile] as usize].raw);
        let wanted = work.shape().filter(|shape| !shape.name.is_empty());
        let same = wanted.zip(plan::find(raw)).is_some_and(|(wanted, sold)| wanted.name == sold.name);
        if !same || !matches!(work.task, Task::Batch | Task::Realtime) {
            return Err(Why::OtherModel);
        }
        if work.token_span(ask.judge.assumed.get(Name::BytesPerToken)).is_none() {
            return Err(Why::TokensUnknown);
        }
        let nothing = Span::ZERO;
        Ok(Fit {
            machines: 1,
            per_card: nothing,
            hours: None,
            tokens_per_s: None,
            is_slow_link: false,
            is_slow: false,
            is_speed_unknown: false,
        })
    }

    fn machine(&self, profile: usize, row: usize) -> Machine {
        let variant = &self.variants[self.profiles.variant[profile] as usize];
        let facts = &self.facts[self.profiles.variant[profile] as usize];
        let setting = &self.settings[self.profiles.setting[profile] as usize];
        let vram_gib = widen(variant.vram());
        let share = widen(variant.fraction());
        let of = |fact: fn(&Model) -> Option<f64>| facts.card.and_then(|card| ends(card, fact));
        let compute = share.unwrap_or(1.0);
        // A slice has the share of the bandwidth that it has of the memory.
        let memory = |card: Card| {
            let whole = ends(card, |model| Some(model.vram_gib))?;
            Some(share.map_or(1.0, |_| vram_gib.map_or(1.0, |vram| (vram / whole.high).min(1.0))))
        };
        let link = self.texts.links.get(facts.link);
        Machine {
            cards: self.rows.count[row],
            vram_gib,
            tflops: of(|model| model.bf16_tflops.or(model.fp16_tflops)).map(|span| span * compute),
            fp8_tflops: of(|model| model.fp8_tflops).map(|span| span * compute),
            bandwidth_gb_s: of(|model| model.bandwidth_gb_s)
                .zip(facts.card.and_then(memory))
                .map(|(span, share)| span * share),
            is_linked: match facts.nvlink {
                Holds::Yes => Some(true),
                // Other makers have other names for the same.
                _ if !link.is_empty() && !link.to_lowercase().contains("pcie") => Some(true),
                Holds::No => Some(false),
                Holds::Unknown => None,
            },
            is_cluster: setting.form == Form::Cluster,
            has_fabric: setting.fabric != super::symbols::NONE,
        }
    }

    fn rules(&self) -> Rules {
        let periods: Vec<Option<Rule>> =
            self.periods.iter().map(|period| Rule::new(&period.tariff(&self.texts), &self.rates)).collect();
        let rule = |billing: &super::columns::Billing| {
            let (storage, egress, included_gb) = billing.plain_extras();
            Some((periods[billing.period as usize]?, Besides { storage, egress, included_gb }))
        };
        self.billings.iter().map(rule).collect()
    }

    /// The upper end of the total, near enough to order by; `None` where there is none.
    fn about(&self, ask: &Ask<'_>, rules: &Rules, row: usize, run: &Run) -> Option<About> {
        let billing = self.rows.billing[row] as usize;
        let work = ask.judge.work;
        let per_hour = self.rows.per_hour[row] as f64 / NANOS as f64;
        let machines = f64::from(run.fit.machines);
        let Some((rule, said)) = rules[billing].as_ref() else {
            let currency = self.seller_of(row as u32)?.currency;
            let is_unrated = self.rates.quote(currency, Currency::USD).is_none();
            let amount = per_hour * run.hours.filter(|_| is_unrated)?.high * machines;
            return Some(About { amount, is_usd: false });
        };
        let amount = match run.hours {
            Some(hours) => rule.high(hours.high, per_hour, work.disk_gb, work.egress_gb, said) * machines,
            None => {
                let tokens = work.token_span(ask.judge.assumed.get(Name::BytesPerToken))?;
                let (_, high) = token_prices(self.billings[billing].meter?, ask)?;
                rule.usd(tokens.high / 1e6 * high)
            }
        };
        Some(About { amount, is_usd: true }).filter(|about| about.amount.is_finite())
    }

    /// The exact total; `None` where there is none.
    fn choice(&self, ask: &Ask<'_>, row: u32, run: &Run) -> Option<Choice> {
        let offer = self.offer(row)?;
        let machines = Decimal::from(run.fit.machines);
        let own = offer.price.currency;
        let (currency, low, high) = match run.hours {
            Some(hours) if self.rates.quote(own, Currency::USD).is_none() => {
                let (low, high) = own_cost(ask, &offer, hours)?;
                (own, low, high)
            }
            Some(hours) => {
                let (low, high) = self.time_cost(ask, &offer, hours)?;
                (Currency::USD, low, Some(high))
            }
            None => {
                let (low, high) = self.token_cost(ask, &offer)?;
                (Currency::USD, low, Some(high))
            }
        };
        let high = match high {
            Some(high) => Some(high.checked_mul(machines)?),
            None => None,
        };
        Some(Choice { row, run: *run, currency, low: low.checked_mul(machines)?, high })
    }

    fn time_cost(&self, ask: &Ask<'_>, offer: &Offer, hours: Span) -> Option<(Decimal, Decimal)> {
        let work = ask.judge.work;
        let at = |hours: f64| {
            let job = Job::from_f64(hours, work.disk_gb, work.egress_gb).ok()?;
            job::cost(offer, &job, &self.rates)
        };
        Some((at(hours.low)?.usd.low, at(hours.high)?.usd.high))
    }

    fn token_cost(&self, ask: &Ask<'_>, offer: &Offer) -> Option<(Decimal, Decimal)> {
        let tokens = ask.judge.work.token_span(ask.judge.assumed.get(Name::BytesPerToken))?;
        let (low, high) = token_prices(offer.price.meter?, ask)?;
        let usd = |tokens: f64, price: f64| {
            let own = Decimal::from_f64(tokens / 1e6 * price)?;
            self.rates.convert(own, offer.price.currency, Currency::USD)
        };
        Some((usd(tokens.low, low)?, usd(tokens.high, high)?))
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
    }

    /// What a choice is ranked by: how it comes out, whether its price compares at all, its total (of what is not
    /// done, for what is), its id.
    fn order(&self, choice: &Choice) -> (Standing, bool, Decimal, Decimal, u32) {
        let high = choice.high.unwrap_or(choice.low);
        let share = Decimal::from_f64(choice.run.share.low).filter(|share| !share.is_zero());
        let whole = share.and_then(|share| high.checked_div(share)).unwrap_or(high);
        let is_foreign = choice.currency != Currency::USD;
        (choice.run.standing, is_foreign, whole, choice.low, self.id_ranks[choice.row as usize])
    }

    /// Sizes of whole cards that are not in quarantine.
    fn sizes(&self) -> Vec<(f64, Vec<String>)> {
        let mut sizes: Vec<(f64, Vec<String>)> = Vec::new();
        for variant in self.usable_variants() {
            let Some(vram) = widen(self.variants[variant].vram()) else { continue };
            let Some(card) = self.facts[variant].card else { continue };
            if !self.variants[variant].fraction().is_nan() {
                continue;
            }
            let name = card.name().to_owned();
            match sizes.iter_mut().find(|(size, _)| (size - vram).abs() < 0.01) {
                Some((_, names)) if !names.contains(&name) => names.push(name),
                Some(_) => {}
                None => sizes.push((vram, vec![name])),
            }
        }
        sizes.sort_by(|a, b| b.0.total_cmp(&a.0));
        sizes.iter_mut().for_each(|(_, names)| names.sort_unstable());
        sizes
    }

    fn usable_variants(&self) -> Vec<usize> {
        let mut used = vec![false; self.variants.len()];
        for profile in 0..self.profiles.len() {
            if !self.sellers[self.profiles.seller[profile] as usize].quarantined {
                used[self.profiles.variant[profile] as usize] = true;
            }
        }
        used.iter().enumerate().filter(|(_, used)| **used).map(|(variant, _)| variant).collect()
    }

    fn most_gib(&self) -> Option<f64> {
        let good = (0..self.profiles.len())
            .filter(|profile| !self.sellers[self.profiles.seller[*profile] as usize].quarantined);
        let gib = good.filter_map(|profile| {
            let vram = widen(self.variants[self.profiles.variant[profile] as usize].vram())?;
            Some(vram * f64::from(self.profiles.most_cards[profile]))
        });
        gib.max_by(f64::total_cmp)
    }
}

/// The total in the offer's own currency, where no rate leads out of it: the upper end is open where the offer leaves
/// disk or traffic unsaid, since what they cost elsewhere cannot be brought into it.
fn own_cost(ask: &Ask<'_>, offer: &Offer, hours: Span) -> Option<(Decimal, Option<Decimal>)> {
    let work = ask.judge.work;
    let price = &offer.price;
    let least = Decimal::from(price.minimum_s.unwrap_or_default()) / Decimal::from(3600);
    let billed = |hours: f64| Some(Decimal::from_f64(hours)?.max(least));
    let disk_gb = (work.disk_gb - offer.disk.included_gb.unwrap_or_default()).max(0.0);
    let besides = |gb: f64, each: Option<Decimal>| match each {
        _ if gb == 0.0 => Some(Decimal::ZERO),
        Some(each) => Decimal::from_f64(gb)?.checked_mul(each),
        None => None,
    };
    let (low_h, high_h) = (billed(hours.low)?, billed(hours.high.ceil())?);
    let months = high_h / Decimal::from(USUAL_MONTH_HOURS);
    let disk = besides(disk_gb, price.storage_gb_month).and_then(|month| month.checked_mul(months));
    let traffic = besides(work.egress_gb, price.egress_gb);
    let low = price.per_hour.checked_mul(low_h)?;
    let high = price.per_hour.checked_mul(high_h)?;
    let all = disk.zip(traffic).and_then(|(disk, traffic)| high.checked_add(disk)?.checked_add(traffic));
    Some((low, all))
}

/// Both ends of a fact of the models a card may be; `None` where one lacks it.
fn ends(card: Card, fact: impl Fn(&Model) -> Option<f64>) -> Option<Span> {
    let mut span: Option<Span> = None;
    for model in card.members() {
        let value = fact(model)?;
        let known = span.unwrap_or(Span::exact(value));
        span = Some(Span::new(known.low.min(value), known.high.max(value)));
    }
    span
}

/// The price of a million tokens, read and written as is assumed.
fn token_prices(meter: Meter, ask: &Ask<'_>) -> Option<(f64, f64)> {
    use rust_decimal::prelude::ToPrimitive;
    let Meter::Tokens { input, output } = meter else { return None };
    let (read, written) = (input.to_f64()?, output.to_f64()?);
    let share = ask.judge.assumed.get(Name::OutputShare);
    let at = |share: f64| read + (written - read) * share;
    let (a, b) = (at(share.low), at(share.high));
    Some((a.min(b), a.max(b)))
}
