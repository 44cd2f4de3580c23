//! Whether a machine can do a piece of work, with how many of it, and how long that takes.

use std::collections::BTreeMap;

use super::assume::{Assumptions, Name};
use super::interrupt::{self, Terms};
use super::memory::Memory;
use super::span::Span;
use super::speed::{MOST_IN_A_BOX, Machine, tokens_per_s};
use super::workload::{Amount, Method, Task, Workload};

/// Machines that a piece of work is spread over at most.
pub const MOST_MACHINES: u32 = 64;

/// Below this a deadline is not kept: one time in ten it is missed.
const SURE: f64 = 0.9;

/// Why a machine is no option.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Why {
    /// It costs something impossible, or is something impossible.
    Quarantined,
    /// A residency policy forbids it, by the code of its first reason.
    Policy(&'static str),
    /// There is none to be had.
    OutOfStock,
    /// It may be taken back, and the work may not be interrupted.
    Interruptible,
    /// Its memory is not known.
    MemoryUnknown,
    /// It has too little memory on each card, GiB.
    Memory {
        /// What each card must have.
        needs: f64,
        /// What it has.
        has: f64,
    },
    /// Its cards do not talk fast enough, or it is not known that they do.
    NoLink,
    /// Its boxes have no network that is named.
    NoFabric,
    /// How fast it is is not known.
    SpeedUnknown,
    /// It takes longer than there is time, hours.
    Late {
        /// At least so long.
        hours: f64,
        /// So long there is.
        deadline: f64,
    },
    /// A person would wait for it, tokens a second.
    TooSlow {
        /// So many each person gets at most.
        tokens_per_s: f64,
        /// So many it must be.
        wanted: f64,
    },
    /// Its seller sells tokens of other models, or for other work.
    OtherModel,
    /// What it costs hangs on tokens, and how many there are is not known.
    TokensUnknown,
    /// What it costs cannot be told: no exchange rate, a term that is not told, or a sum beyond all bounds.
    NoPrice,
}

impl Why {
    /// The fixed word of it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Quarantined => "quarantined",
            Self::Policy(_) => "policy",
            Self::OutOfStock => "out-of-stock",
            Self::Interruptible => "interruptible",
            Self::MemoryUnknown => "memory-unknown",
            Self::Memory { .. } => "memory",
            Self::NoLink => "no-link",
            Self::NoFabric => "no-fabric",
            Self::SpeedUnknown => "speed-unknown",
            Self::Late { .. } => "late",
            Self::TooSlow { .. } => "too-slow",
            Self::OtherModel => "other-model",
            Self::TokensUnknown => "tokens-unknown",
            Self::NoPrice => "no-price",
        }
    }

    /// How far it is from being an option; the smaller the nearer. `None` where that means nothing.
    #[must_use]
    pub fn distance(&self) -> Option<f64> {
        match self {
            Self::Memory { needs, has } => Some(needs - has),
            Self::Late { hours, .. } => Some(*hours),
            Self::TooSlow { tokens_per_s, .. } => Some(-tokens_per_s),
            _ => None,
        }
    }
}

/// How a machine does a piece of work, before interruptions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// So many of it.
    pub machines: u32,
    /// Memory needed of each card, GiB; its upper end is infinite where a part is not known.
    pub per_card: Span,
    /// Hours of each; `None` where tokens are bought and nobody says how fast.
    pub hours: Option<Span>,
    /// Tokens a second of all of them; `None` where that is not known.
    pub tokens_per_s: Option<Span>,
    /// Whether its cards share the model over PCIe.
    pub is_slow_link: bool,
    /// Whether people may have to wait for it at times.
    pub is_slow: bool,
    /// Whether nobody knows how fast it is. Where only data bounds the work it is held until the deadline.
    pub is_speed_unknown: bool,
}

/// How it comes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// In time, or there is no time to keep.
    InTime,
    /// Perhaps not in time.
    MayBeLate,
    /// Not with all of the data that is assumed.
    Unfinished,
}

/// How a machine does a piece of work.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Run {
    /// How, before interruptions.
    pub fit: Fit,
    /// Hours of each machine, interruptions included.
    pub hours: Option<Span>,
    /// Of those, lost to interruptions; `None` where it has none.
    pub lost_h: Option<Span>,
    /// Interruptions of each machine.
    pub interruptions: Option<Span>,
    /// Probability that it is done in time; `None` without a deadline, or where nobody says how fast it is.
    pub completion: Option<Span>,
    /// Share of the tokens that it works through until the deadline; all of them unless it is unfinished.
    pub share: Span,
    /// How it comes out.
    pub standing: Standing,
}

/// What past rentals have shown.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Evidence {
    /// Interruptions in an hour, by provider.
    pub interruptions: BTreeMap<String, Span>,
    /// Hours from an interruption until the work goes on, by provider.
    pub restart_h: BTreeMap<String, Span>,
}

/// Everything a machine is judged by.
#[derive(Debug, Clone, Copy)]
pub struct Judge<'a> {
    /// The work.
    pub work: &'a Workload,
    /// Its memory.
    pub memory: &'a Memory,
    /// What is assumed.
    pub assumed: &'a Assumptions,
    /// What past rentals have shown.
    pub evidence: &'a Evidence,
}

impl Judge<'_> {
    /// How a machine does it, before interruptions and whatever it costs.
    ///
    /// # Errors
    /// [`Why`] it cannot.
    pub fn fit(&self, machine: &Machine) -> Result<Fit, Why> {
        let vram = machine.vram_gib.ok_or(Why::MemoryUnknown)?;
        let alone = enough(self.memory.per_card(1, 1)) <= vram;
        let most = if self.work.task == Task::Realtime { MOST_MACHINES } else { 1 };
        let mut failed = None;
        // Each step of twice as many: the fewest that do are looked for among those.
        let mut machines = 1;
        while machines <= most {
            match self.fit_of(machine, vram, alone, machines) {
                Ok(fit) => return Ok(self.spread(fit)),
                // The reason that stands is that of the last one that fails for want of speed, or of one machine.
                Err(why) => {
                    let stays =
                        matches!(failed, Some(Why::Memory { .. })) && matches!(why, Why::Memory { .. });
                    if !stays {
                        failed = Some(why);
                    }
                    if !matches!(why, Why::Memory { .. } | Why::TooSlow { .. }) {
                        break;
                    }
                }
            }
            machines *= 2;
        }
        Err(failed.unwrap_or(Why::MemoryUnknown))
    }

    fn fit_of(&self, machine: &Machine, vram: f64, alone: bool, machines: u32) -> Result<Fit, Why> {
        let per_card = self.memory.per_card(machine.cards, machines);
        if enough(per_card) > vram {
            return Err(Why::Memory { needs: enough(per_card), has: vram });
        }
        if machine.cards > 1 {
            self.links(machine, alone)?;
        }
        let speed = tokens_per_s(self.work, machine, machines, self.assumed);
        let mut fit = Fit {
            machines,
            per_card,
            hours: None,
            tokens_per_s: speed.map(|speed| speed * f64::from(machines)),
            is_slow_link: machine.cards > 1 && machine.is_linked != Some(true),
            is_slow: false,
            is_speed_unknown: false,
        };
        if self.work.task == Task::Realtime && self.work.writes() {
            match fit.tokens_per_s {
                Some(all) => {
                    let each = all / f64::from(self.work.concurrency.max(1));
                    let wanted = self.assumed.get(Name::ReadingSpeed).low;
                    if each.high < wanted {
                        return Err(Why::TooSlow { tokens_per_s: each.high, wanted });
                    }
                    fit.is_slow = each.low < wanted;
                }
                // Of a model that is not known it is known of no machine.
                None if self.work.shape().is_some_and(|shape| shape.kept_values(1).is_none()) => {
                    fit.is_speed_unknown = true;
                }
                None => return Err(Why::SpeedUnknown),
            }
        }
        fit.hours = Some(match (self.work.amount, self.work.deadline_h) {
            (Amount::Hours(hours), _) => Span::exact(hours),
            (Amount::Data(_), Some(deadline)) if fit.tokens_per_s.is_none() => {
                fit.is_speed_unknown = true;
                Span::exact(deadline)
            }
            (Amount::Tokens(_) | Amount::Data(_), _) => {
                let speed = fit.tokens_per_s.ok_or(Why::SpeedUnknown)?;
                let tokens = self.work.token_span(self.assumed.get(Name::BytesPerToken));
                tokens.ok_or(Why::SpeedUnknown)? / (speed * 3600.0)
            }
        });
        if let (Some(hours), Some(deadline)) = (fit.hours, self.work.deadline_h)
            && hours.low > deadline * f64::from(if self.work.spreads() { MOST_MACHINES } else { 1 })
            && !matches!(self.work.amount, Amount::Data(_))
        {
            return Err(Why::Late { hours: hours.low, deadline });
        }
        Ok(fit)
    }

    /// Whether several cards talk well enough: weights or gradients of all parameters go between them all the time.
    fn links(&self, machine: &Machine, alone: bool) -> Result<(), Why> {
        if machine.spans_boxes() {
            return if machine.has_fabric { Ok(()) } else { Err(Why::NoFabric) };
        }
        let trains = self.work.task.trains();
        let all_gradients = self.work.method == Some(Method::Full);
        if trains && (!alone || all_gradients) && machine.is_linked != Some(true) {
            return Err(Why::NoLink);
        }
        Ok(())
    }

    /// A pile of requests is spread over as many machines as the deadline needs.
    fn spread(&self, mut fit: Fit) -> Fit {
        if let (Some(hours), Some(deadline), true) = (fit.hours, self.work.deadline_h, self.work.spreads())
            && !matches!(self.work.amount, Amount::Hours(_))
            && hours.high > deadline
        {
            let wanted = (hours.high / deadline).ceil().min(f64::from(MOST_MACHINES)) as u32;
            fit.hours = Some(hours / f64::from(wanted));
            fit.tokens_per_s = fit.tokens_per_s.map(|speed| speed * f64::from(wanted));
            fit.machines = wanted;
        }
        fit
    }

    /// How it comes out, with interruptions where the machine may be taken back.
    ///
    /// # Errors
    /// [`Why`] it is no option.
    pub fn run(&self, fit: &Fit, may_be_taken: bool, provider: &str) -> Result<Run, Why> {
        if may_be_taken && !self.work.interruptible {
            return Err(Why::Interruptible);
        }
        let terms = self.terms(provider);
        let interrupted =
            fit.hours.filter(|_| may_be_taken).map(|hours| interrupt::interrupted(hours, &terms));
        let hours = interrupted.map_or(fit.hours, |ran| Some(ran.hours));
        let mut run = Run {
            fit: *fit,
            hours,
            lost_h: interrupted.map(|ran| ran.lost_h),
            interruptions: interrupted.map(|ran| ran.times),
            completion: None,
            share: Span::exact(1.0),
            standing: Standing::InTime,
        };
        let Some(deadline) = self.work.deadline_h else { return Ok(run) };
        if fit.is_speed_unknown && matches!(self.work.amount, Amount::Data(_)) {
            // It runs until the deadline, whatever it works through.
            run.hours = fit.hours;
            run.share = Span::new(0.0, 1.0);
            run.standing = Standing::Unfinished;
            return Ok(run);
        }
        let (Some(work_h), Some(hours)) = (fit.hours, hours) else {
            // Tokens are bought: nobody says how fast.
            run.standing = Standing::MayBeLate;
            return Ok(run);
        };
        let completion = if may_be_taken {
            interrupt::done_in_time(work_h, deadline, &terms)
        } else {
            Span::new(
                f64::from(u8::from(work_h.high <= deadline)),
                f64::from(u8::from(work_h.low <= deadline)),
            )
        };
        run.completion = Some(completion);
        if hours.low > deadline {
            if !matches!(self.work.amount, Amount::Data(_)) {
                return Err(Why::Late { hours: hours.low, deadline });
            }
            run.standing = Standing::Unfinished;
        } else if completion.low < SURE || hours.high > deadline {
            run.standing = Standing::MayBeLate;
        }
        if matches!(self.work.amount, Amount::Data(_)) && hours.high > deadline {
            // The data only bounds the work: it ends with the time.
            run.share = Span::new((deadline / hours.high).min(1.0), (deadline / hours.low).min(1.0));
            run.hours = Some(Span::new(hours.low.min(deadline), deadline));
        }
        Ok(run)
    }

    /// The terms of interruptions at a provider: what was seen there first.
    #[must_use]
    pub fn terms(&self, provider: &str) -> Terms {
        let rate = self.evidence.interruptions.get(provider).copied();
        let restart_h = self.evidence.restart_h.get(provider).copied();
        Terms {
            rate: rate.unwrap_or_else(|| self.assumed.get(Name::Interruptions)),
            restart_h: restart_h.unwrap_or_else(|| self.assumed.get(Name::RestartMinutes) / 60.0),
            checkpoint_h: self.work.checkpoint_h,
        }
    }

    /// The least number of cards of so much memory that it takes, and what each then keeps; `None` where no number of
    /// them is enough.
    #[must_use]
    pub fn cards_needed(&self, vram_gib: f64) -> Option<(u32, Span)> {
        if self.memory.least_per_card() > vram_gib {
            return None;
        }
        (1..=1024)
            .map(|cards| (cards, self.memory.per_card(cards, 1)))
            .find(|(_, gib)| enough(*gib) <= vram_gib)
    }

    /// What must be between so many cards: `none`, `pcie`, `nvlink`, `infiniband`.
    #[must_use]
    pub fn link_needed(&self, cards: u32) -> &'static str {
        match cards {
            0 | 1 => "none",
            _ if cards > MOST_IN_A_BOX => "infiniband",
            _ if self.work.task.trains() => "nvlink",
            _ => "pcie",
        }
    }
}

/// What a card must have: the upper end, or what is known where something is not.
fn enough(per_card: Span) -> f64 {
    per_card.bounded_high().unwrap_or(per_card.low)
}
