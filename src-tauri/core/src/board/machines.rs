//! A row of the board as a machine, and how that does a piece of work.

use super::Board;
use super::columns::widen;
use super::symbols::NONE;
use super::weigh::Ask;
use crate::gpu::{Card, Layout, Model};
use crate::offer::Form;
use crate::plan::{self, Fit, Machine, Name, Span, Task, Why};
use crate::query::Holds;

/// Cards in this number, boxes in this form: fits that were worked out.
pub(super) type Known = Vec<(u32, bool, bool, Result<Fit, Why>)>;

impl Board {
    /// How a row does the work, worked out once for all rows of the same cards in the same number and kind of box.
    pub(super) fn known_fit(
        &self,
        ask: &Ask<'_>,
        known: &mut Known,
        profile: usize,
        row: usize,
    ) -> Result<Fit, Why> {
        let setting = &self.settings[self.profiles.setting[profile] as usize];
        let count = self.rows.count[row];
        let (cluster, fabric) = (setting.form == Form::Cluster, setting.fabric != NONE);
        let found = known.iter().find(|(of, c, f, _)| (*of, *c, *f) == (count, cluster, fabric));
        if let Some((.., fit)) = found {
            return *fit;
        }
        let fit = self.fit(ask, profile, row);
        known.push((count, cluster, fabric, fit));
        fit
    }

    /// How a row does the work.
    ///
    /// # Errors
    /// [`Why`] it cannot.
    pub(super) fn fit(&self, ask: &Ask<'_>, profile: usize, row: usize) -> Result<Fit, Why> {
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

    /// One slice of a row's card as a machine.
    pub(super) fn slice_machine(&self, profile: usize, row: usize, slice: &Layout) -> Machine {
        let whole = self.machine(profile, row);
        Machine {
            vram_gib: Some(slice.vram_gib),
            tflops: whole.tflops.map(|span| span * slice.compute_share),
            fp8_tflops: whole.fp8_tflops.map(|span| span * slice.compute_share),
            bandwidth_gb_s: whole.bandwidth_gb_s.map(|span| span * slice.memory_share),
            ..whole
        }
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
            has_fabric: setting.fabric != NONE,
        }
    }
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
