//! How fast a machine works: operations against dense TFLOPS for training and reading, bytes against memory bandwidth
//! for writing. The derivations with their units are in `docs/plan.md`.

use super::assume::{Assumptions, Name};
use super::memory::GIB;
use super::models::{Kind, Shape};
use super::span::Span;
use super::workload::{Method, Precision, Workload};

/// What a machine is, as far as speed and memory go. What is not known of it is `None`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Machine {
    /// Cards, or 1 for a slice of one.
    pub cards: u32,
    /// Memory of each, GiB.
    pub vram_gib: Option<f64>,
    /// Dense BF16 TFLOPS of each (FP16 where it has no BF16); a range where the variant is not said.
    pub tflops: Option<Span>,
    /// Dense FP8 TFLOPS of each.
    pub fp8_tflops: Option<Span>,
    /// Memory bandwidth of each, GB/s.
    pub bandwidth_gb_s: Option<Span>,
    /// Whether its cards talk over NVLink or the like; `None` = not known.
    pub is_linked: Option<bool>,
    /// Whether it is several boxes.
    pub is_cluster: bool,
    /// Whether these have a named network between them.
    pub has_fabric: bool,
}

/// Cards that stand in one box.
pub const MOST_IN_A_BOX: u32 = 8;

impl Machine {
    /// Whether its cards are in more than one box.
    #[must_use]
    pub fn spans_boxes(&self) -> bool {
        self.cards > MOST_IN_A_BOX && self.is_cluster
    }

    /// Operations a second of all cards.
    fn flops(&self, precision: Precision) -> Option<Span> {
        let each = match precision {
            Precision::Fp8 => self.fp8_tflops.or(self.tflops)?,
            Precision::Bf16 | Precision::Int4 => self.tflops?,
        };
        Some(each * (1e12 * f64::from(self.cards)))
    }
}

/// Tokens a second of one machine for a piece of work, all sequences together; `None` where the card or the model is
/// not known well enough.
#[must_use]
pub fn tokens_per_s(
    work: &Workload,
    machine: &Machine,
    machines: u32,
    assumed: &Assumptions,
) -> Option<Span> {
    let shape = work.shape()?;
    if shape.kind == Kind::Diffusion || shape.kind == Kind::Speech {
        return None;
    }
    let linked = if machine.cards > 1 && machine.is_linked != Some(true) {
        assumed.get(Name::PcieEfficiency)
    } else {
        Span::exact(1.0)
    };
    let flops = machine.flops(work.precision)? * linked;
    if let Some(method) = work.method {
        return Some(training(shape, method, flops, assumed));
    }
    let reading = Span::exact(2.0 * shape.active) / (flops * assumed.get(Name::PrefillUtilisation));
    if shape.kind == Kind::Encoder {
        return Some(Span::exact(1.0) / reading);
    }
    let sequences = f64::from(work.concurrency.div_ceil(machines.max(1)));
    let bandwidth = machine.bandwidth_gb_s? * (1e9 * f64::from(machine.cards)) * linked;
    let step = (bytes_of_a_step(shape, work, sequences, assumed)?
        / (bandwidth * assumed.get(Name::DecodeUtilisation)))
    .max(reading * sequences);
    let writing = step / sequences;
    if !work.spreads() {
        return Some(Span::exact(1.0) / writing);
    }
    let written = assumed.get(Name::OutputShare);
    // Each token is either read or written; which of the two is slower does not hang on the share.
    let at = |share: f64| {
        Span::new(
            reading.low + (writing.low - reading.low) * share,
            reading.high + (writing.high - reading.high) * share,
        )
    };
    let (least, most) = (at(written.low), at(written.high));
    let seconds = Span::new(least.low.min(most.low), least.high.max(most.high));
    Some(Span::exact(1.0) / seconds)
}

fn training(shape: &Shape, method: Method, flops: Span, assumed: &Assumptions) -> Span {
    let each = match method {
        Method::Full => assumed.get(Name::FullFlops),
        Method::Lora => assumed.get(Name::LoraFlops),
        Method::Qlora => assumed.get(Name::LoraFlops) * assumed.get(Name::QloraSlowdown),
    };
    flops * assumed.get(Name::TrainingUtilisation) / (each * shape.active)
}

/// Bytes read for one token of every sequence: the weights that work, and what is kept of each sequence, which grows
/// from half of its length on average to all of it.
fn bytes_of_a_step(shape: &Shape, work: &Workload, sequences: f64, assumed: &Assumptions) -> Option<Span> {
    let bytes = match work.precision {
        Precision::Bf16 => Span::exact(2.0),
        Precision::Fp8 => Span::exact(1.0),
        Precision::Int4 => assumed.get(Name::Int4Bits) / 8.0,
    };
    // Every sequence may ask other experts of a mixture.
    let weights = bytes * (shape.active * sequences).min(shape.params);
    let kept = assumed.get(Name::KvBytes) * (shape.kept_values(work.context)? * sequences);
    Some(weights + Span::new(kept.low / 2.0, kept.high))
}

/// GiB as GB.
#[must_use]
pub fn gb(gib: f64) -> f64 {
    gib * GIB / 1e9
}
