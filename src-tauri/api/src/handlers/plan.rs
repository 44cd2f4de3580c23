//! Plans: the request read, the board asked, the answer shaped. What is assumed for what a person left out is said
//! among the assumptions.

use std::time::Instant;

use gpudesk_core::board::{Ask, Choice, LeftOut, Ranking};
use gpudesk_core::money::Currency;
use gpudesk_core::offer::Offer;
use gpudesk_core::plan::{Judge, Memory, Run, Shape, Span, models};
use gpudesk_core::policy::{Policy, Subject};
use gpudesk_engine::Desk;
use rust_decimal::Decimal;

use super::market::millis;
use super::plan_read::{Read, read};
use super::plan_slice::Cut;
use super::plan_words as words;
use super::rows::{self, Shown, cents, rounded};
use super::{policies, settings};
use crate::desk::ApiError;
use crate::plan::{
    CardsNeededDto, LeftOutDto, MemoryFormulaDto, MemoryPartsDto, Plan, PlanMemoryDto, PlanModelDto,
    PlanOptionDto, PlanRequest, PlanWhyNot, PlanWhyNotRequest, SpanDto,
};
use crate::rental::Remark;
use crate::spend::RangeDto;

/// Options of one answer.
const MOST_OPTIONS: u32 = 200;

/// The models that are known by name.
///
/// # Errors
/// None: the list is built in.
pub async fn plan_models(_desk: &Desk, (): ()) -> Result<Vec<PlanModelDto>, ApiError> {
    Ok(models().iter().map(model).collect())
}

/// What a piece of work needs, and where it is best done.
///
/// # Errors
/// `request-invalid` names the word that is wrong and the nearest right one, `not-found` a policy that is none.
pub async fn plan_options(desk: &Desk, request: PlanRequest) -> Result<Plan, ApiError> {
    let asked = Asked::of(desk, &request).await?;
    let began = Instant::now();
    let most = request.limit.clamp(1, MOST_OPTIONS) as usize;
    let ranking = asked.snapshot.board.weigh(&asked.ask(most));
    let took_ms = millis(began);
    Ok(asked.plan(&ranking, took_ms))
}

/// Why an offer is not the best option, or none.
///
/// # Errors
/// As [`plan_options`], and `not-found` for an offer that is not on the board.
pub async fn plan_why_not(desk: &Desk, request: PlanWhyNotRequest) -> Result<PlanWhyNot, ApiError> {
    let asked = Asked::of(desk, &request.plan).await?;
    let board = &asked.snapshot.board;
    let row = board.find(&request.offer).ok_or_else(|| ApiError::offer_not_found(&request.offer))?;
    let offer = board.offer(row).ok_or_else(|| ApiError::offer_not_found(&request.offer))?;
    let ask = asked.ask(usize::MAX);
    let choice = match board.weigh_row(&ask, row) {
        Ok(choice) => choice,
        Err(why) => {
            let reasons = why.iter().flat_map(|why| asked.against(why, &offer)).collect();
            return Ok(PlanWhyNot { offer: request.offer, place: None, reasons, option: None });
        }
    };
    let ranking = board.weigh(&ask);
    // What is asked about is the offer as it is, not a slice of it.
    let place = ranking.choices.iter().position(|other| other.is_same(&choice));
    let best = ranking.choices.first();
    let is_alike =
        |other: &&Choice| other.slice.is_none() && other.row != row && board.are_alike(other.row, row);
    let alike = ranking.choices.iter().find(is_alike);
    let reasons = match (place, alike, best) {
        (None, Some(alike), _) => {
            vec![words::alike(&choice, alike, board.id(alike.row).unwrap_or_default())]
        }
        (_, _, Some(best)) => {
            vec![words::compared(&choice, best, place, board.id(best.row).unwrap_or_default())]
        }
        (_, _, None) => Vec::new(),
    };
    Ok(PlanWhyNot {
        offer: request.offer,
        place: place.and_then(|place| u32::try_from(place + 1).ok()),
        reasons,
        option: asked.option(&choice, best.unwrap_or(&choice), &ranking),
    })
}

/// Everything a plan is made from.
struct Asked {
    read: Read,
    memory: Memory,
    policy: Option<Policy>,
    snapshot: std::sync::Arc<gpudesk_engine::Snapshot>,
    currency: Currency,
    now: chrono::DateTime<chrono::Utc>,
}

impl Asked {
    async fn of(desk: &Desk, request: &PlanRequest) -> Result<Self, ApiError> {
        let now = desk.now();
        let policy = match request.policy.as_deref().filter(|name| !name.trim().is_empty()) {
            Some(name) => Some(desk.policy(name).await?),
            None => None,
        };
        let mut read = read(request, now)?;
        let past = desk.rentals(true).await?;
        read.learn(&desk.taken_back(&past), &past);
        let snapshot = desk.snapshot().await?;
        let currency = settings::shown_currency(&request.currency, snapshot.board.rates())?;
        let memory = Memory::of(&read.work, &read.assumed);
        Ok(Self { read, memory, policy, snapshot, currency, now })
    }

    fn judge(&self) -> Judge<'_> {
        Judge {
            work: &self.read.work,
            memory: &self.memory,
            assumed: &self.read.assumed,
            evidence: &self.read.evidence,
        }
    }

    fn ask(&self, most: usize) -> Ask<'_> {
        Ask { judge: self.judge(), policy: self.policy.as_ref(), most }
    }

    fn plan(&self, ranking: &Ranking, took_ms: f64) -> Plan {
        let rates = self.snapshot.board.rates();
        let best = ranking.choices.first();
        let option = |choice| best.and_then(|best| self.option(choice, best, ranking));
        let options: Vec<PlanOptionDto> = ranking.choices.iter().filter_map(option).collect();
        let missing = options.is_empty().then(|| words::missing(ranking));
        let tokens = self.read.tokens();
        Plan {
            as_of: rows::time(self.now),
            board: self.snapshot.number,
            currency: self.currency.to_string(),
            fx: rows::fx(rates, self.currency),
            memory: memory(&self.memory),
            assumptions: self.read.assumptions(),
            firm: self.firm(ranking),
            options,
            model: self.read.work.shape().map(model),
            cards: self.cards(ranking),
            deadline: self.read.deadline.map(rows::time),
            tokens: tokens.map(span),
            total: ranking.total,
            considered: ranking.considered,
            left_out: ranking.left_out.iter().map(|left| self.left_out(left)).collect(),
            missing,
            took_ms,
        }
    }

    fn left_out(&self, left: &LeftOut) -> LeftOutDto {
        let nearest = left.nearest.and_then(|row| self.snapshot.board.id(row)).map(str::to_owned);
        LeftOutDto { reason: words::why(&left.why), rows: left.rows, nearest }
    }

    /// A reason against an offer; what a policy says of it is said in full.
    fn against(&self, why: &gpudesk_core::plan::Why, offer: &Offer) -> Vec<Remark> {
        match (why, &self.policy) {
            (gpudesk_core::plan::Why::Policy(_), Some(policy)) => {
                let judgement = policy.judge(&Subject::of(offer));
                judgement.breaches().map(|reason| policies::reason(reason, judgement.verdict)).collect()
            }
            _ => vec![words::why(why)],
        }
    }

    fn cards(&self, ranking: &Ranking) -> Vec<CardsNeededDto> {
        let judge = self.judge();
        let sizes = ranking.sizes.iter();
        sizes
            .map(|(vram_gib, gpus)| {
                let needed = judge.cards_needed(*vram_gib);
                CardsNeededDto {
                    vram_gib: *vram_gib,
                    gpus: gpus.clone(),
                    cards: needed.map(|(cards, _)| cards),
                    per_card_gib: span(needed.map_or(self.memory.total(), |(_, gib)| gib)),
                    link: judge.link_needed(needed.map_or(1, |(cards, _)| cards)).to_owned(),
                }
            })
            .collect()
    }

    /// The best that is not taken back, where the best may be.
    fn firm(&self, ranking: &Ranking) -> Option<PlanOptionDto> {
        let best = ranking.choices.first().filter(|best| best.run.interruptions.is_some())?;
        self.option(ranking.firm.as_ref()?, best, ranking)
    }

    /// The total of a choice in the display currency, where a rate leads there, else in its own.
    fn total(&self, choice: &Choice) -> (Currency, Decimal, Option<Decimal>) {
        let rates = self.snapshot.board.rates();
        let convert = |amount: Decimal| rates.convert(amount, choice.currency, self.currency);
        match (convert(choice.low), choice.high.map(convert)) {
            (Some(low), None) => (self.currency, low, None),
            (Some(low), Some(Some(high))) => (self.currency, low, Some(high)),
            _ => (choice.currency, choice.low, choice.high),
        }
    }

    fn option(&self, choice: &Choice, best: &Choice, ranking: &Ranking) -> Option<PlanOptionDto> {
        let shown = Shown { snapshot: &self.snapshot, now: self.now, currency: self.currency, job: None };
        let (offer, _) = shown.offer(choice.row)?;
        let row = shown.row(choice.row)?;
        let (currency, low, high) = self.total(choice);
        let Run { fit, .. } = &choice.run;
        let risks = words::risks(choice, &offer, &self.memory, self.read.work.deadline_h);
        let rates = self.snapshot.board.rates();
        let hour = rates.convert(offer.price.per_hour, offer.price.currency, self.currency);
        let alone = self.memory.total().bounded_high().filter(|_| self.read.is_by_the_hour());
        let cut = Cut::of(choice, &offer, alone, hour);
        let why = words::reason(choice, best, ranking, &offer);
        let why = cut.iter().fold(why, |why, cut| cut.said(why, self.currency));
        let said: Vec<&str> = risks.iter().map(|risk| risk.text.as_str()).collect();
        let risk = if said.is_empty() { words::NO_RISK.to_owned() } else { said.join(" ") };
        let million = self.read.tokens().filter(|tokens| tokens.high > 0.0);
        Some(PlanOptionDto {
            count: fit.machines,
            total: RangeDto { low: cents(low), high: high.map(cents) },
            currency: currency.to_string(),
            hours: choice.run.hours.map_or(SpanDto { low: None, high: None }, span),
            risk,
            reason: why.text.clone(),
            risks,
            why,
            gpu_title: row.gpu_title,
            provider_title: row.provider_title,
            per_hour: cut.as_ref().and_then(Cut::hour).map(rounded).or(row.per_hour),
            offer: row.offer,
            per_card_gib: span(fit.per_card),
            completion: choice.run.completion.map(span),
            interruptions: choice.run.interruptions.map(span),
            lost_hours: choice.run.lost_h.map(span),
            tokens_per_s: fit.tokens_per_s.map(span),
            per_million_tokens: million.and_then(|tokens| per_million(low, high, tokens, choice)),
            share_done: self.read.is_bounded().then(|| span(choice.run.share)),
            slice: cut.as_ref().map(Cut::dto),
        })
    }
}

/// The total for each million of the tokens that are done.
fn per_million(low: Decimal, high: Option<Decimal>, tokens: Span, choice: &Choice) -> Option<RangeDto> {
    let each = |amount: Decimal, tokens: f64| {
        let millions = Decimal::try_from(tokens / 1e6).ok().filter(|millions| !millions.is_zero())?;
        Some(rounded(amount.checked_div(millions)?))
    };
    let share = choice.run.share;
    Some(RangeDto {
        low: each(low, tokens.high * share.high)?,
        high: high.and_then(|high| each(high, tokens.low * share.low)),
    })
}

/// Both ends; an infinite one is not bounded.
pub(super) fn span(span: Span) -> SpanDto {
    SpanDto { low: Some(figure(span.low)), high: span.bounded_high().map(figure) }
}

/// A figure with six digits: more than any of these is known to.
fn figure(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let scale = 10f64.powi(5 - value.abs().log10().floor() as i32);
    (value * scale).round() / scale
}

fn memory(memory: &Memory) -> PlanMemoryDto {
    let part = |name: &str| {
        let found = memory.parts().iter().find(|part| part.name == name);
        found.and_then(|part| part.gib).map(|gib| figure(gib.high))
    };
    PlanMemoryDto {
        total_gib: span(memory.total()),
        parts: MemoryPartsDto {
            weights_gib: part("weights"),
            optimizer_gib: part("optimizer"),
            gradients_gib: part("gradients"),
            activations_gib: part("activations"),
            kv_cache_gib: part("kv_cache"),
            overhead_gib: part("overhead"),
        },
        formulas: memory
            .parts()
            .iter()
            .map(|part| MemoryFormulaDto {
                part: part.name.to_owned(),
                gib: part.gib.map_or(SpanDto { low: None, high: None }, span),
                formula: part.formula.clone(),
            })
            .collect(),
    }
}

fn model(shape: &Shape) -> PlanModelDto {
    PlanModelDto {
        name: shape.name.clone(),
        kind: shape.kind.to_string(),
        params: shape.params,
        active_params: shape.active,
        layers: shape.layers,
        kv_heads: shape.kv_heads,
        head_dim: shape.head_dim,
        hidden: shape.hidden,
        context: shape.context,
        source: shape.source.clone(),
    }
}
