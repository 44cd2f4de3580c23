//! The GPU memory that a piece of work needs, by its parts. The derivations with their units are in `docs/plan.md`.

use super::assume::{Assumptions, Name};
use super::models::{Kind, Shape};
use super::span::Span;
use super::workload::{Method, Need, Precision, Workload};

/// Bytes of a GiB.
pub const GIB: f64 = 1_073_741_824.0;

/// Linear layers of a block have about 19 · width · rank parameters in their adapters: four of attention and three of
/// a feed-forward 2.7 times as wide, as LLaMA's are.
const ADAPTER_WIDTHS: f64 = 19.0;

/// Share of all parameters in adapters where the build is not known: 0.2 % (arXiv:2305.14314) to what rank 64 comes to
/// in a model of 7 billion parameters.
const ADAPTER_SHARE: Span = Span::new(0.002, 0.025);

/// One part, in GiB, with its formula.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Fixed word: `weights`, `optimizer`, `gradients`, `activations`, `kv_cache`, `overhead`.
    pub name: &'static str,
    /// Both ends; 0 where it does not apply, `None` where it is not known.
    pub gib: Option<Span>,
    /// The formula with its figures; empty where it does not apply or is not known.
    pub formula: String,
}

/// What a piece of work keeps in memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Memory {
    /// What can be cut up between cards: weights, optimizer, gradients, keys and values.
    shared: Span,
    /// The keys and values of that, which machines can share out by requests.
    kv: Span,
    /// What every card has for itself.
    own: Span,
    /// What the driver takes of every card.
    fixed: Span,
    /// What is lost, of everything else.
    lost: Span,
    /// Sequences the keys and values are of.
    sequences: u32,
    /// Part by part, for one card.
    parts: Vec<Part>,
}

impl Memory {
    /// The memory of a piece of work.
    #[must_use]
    pub fn of(work: &Workload, assumed: &Assumptions) -> Self {
        match &work.need {
            Need::Model(shape) => Self::of_model(shape, work, assumed),
            Need::Gib(gib) => Self {
                shared: Span::exact(*gib),
                kv: Span::ZERO,
                own: Span::ZERO,
                fixed: Span::ZERO,
                lost: Span::ZERO,
                sequences: 1,
                parts: NAMES.map(|name| Part { name, gib: None, formula: String::new() }).into(),
            },
        }
    }

    fn of_model(shape: &Shape, work: &Workload, assumed: &Assumptions) -> Self {
        let weights = weights(shape, work, assumed);
        let trained = trained(shape, work, assumed);
        let optimizer = state(&trained, assumed, Name::OptimizerBytes);
        let gradients = state(&trained, assumed, Name::GradientBytes);
        let weights = match work.method {
            // The adapters' own weights, in 16 bits.
            Some(Method::Lora | Method::Qlora) => {
                let own = trained.parameters * 2.0 * (1.0 / GIB);
                Part { gib: weights.gib.map(|gib| gib + own), ..weights }
            }
            _ => weights,
        };
        let activations = activations(shape, work, assumed);
        let kv_cache = kv_cache(shape, work, assumed);
        let known = |part: &Part| part.gib.unwrap_or(Span::at_least(0.0));
        let kv = known(&kv_cache);
        let shared = known(&weights) + known(&optimizer) + known(&gradients) + kv;
        let own = known(&activations);
        let fixed = assumed.get(Name::GpuOverhead);
        let lost = assumed.get(Name::Fragmentation);
        let kept = [&weights, &optimizer, &gradients, &activations, &kv_cache];
        let overhead = kept.iter().all(|part| part.gib.is_some()).then(|| fixed + (shared + own) * lost);
        let overhead = Part {
            name: "overhead",
            gib: overhead,
            formula: format!("{} + {} % of the rest", gib(fixed), figure(lost * 100.0)),
        };
        let sequences = if work.task.trains() { 1 } else { work.concurrency };
        Self {
            shared,
            kv,
            own,
            fixed,
            lost,
            sequences,
            parts: vec![weights, optimizer, gradients, activations, kv_cache, overhead],
        }
    }

    /// Part by part, on one card.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// All of it, on one card.
    #[must_use]
    pub fn total(&self) -> Span {
        self.per_card(1, 1)
    }

    /// What each of so many cards of a machine keeps, where so many machines share the requests out.
    #[must_use]
    pub fn per_card(&self, cards: u32, machines: u32) -> Span {
        let cards = f64::from(cards.max(1));
        // The busiest machine has a whole number of them.
        let sequences = f64::from(self.sequences.max(1));
        let most = (sequences / f64::from(machines.max(1))).ceil() / sequences;
        let rest = Span::new(self.shared.low - self.kv.low, without(self.shared.high, self.kv.high));
        let kept = (rest + self.kv * most) / cards + self.own;
        kept + kept * self.lost + self.fixed
    }

    /// The largest card is of no use below this: what none of the cutting makes smaller.
    #[must_use]
    pub fn least_per_card(&self) -> f64 {
        self.own.high * (1.0 + self.lost.high) + self.fixed.high
    }
}

const NAMES: [&str; 6] = ["weights", "optimizer", "gradients", "activations", "kv_cache", "overhead"];

fn without(all: f64, part: f64) -> f64 {
    if part.is_finite() { all - part } else { 0.0 }
}

/// Parameters that are trained, and how they are counted.
struct Trained {
    parameters: Span,
    words: String,
}

fn trained(shape: &Shape, work: &Workload, assumed: &Assumptions) -> Trained {
    match work.method {
        None => Trained { parameters: Span::ZERO, words: String::new() },
        Some(Method::Full) => Trained { parameters: Span::exact(shape.params), words: count(shape.params) },
        Some(Method::Lora | Method::Qlora) => match (shape.layers, shape.width()) {
            (Some(layers), Some(width)) => {
                let rank = assumed.get(Name::LoraRank);
                let parameters = rank * (ADAPTER_WIDTHS * width * f64::from(layers));
                let words = format!(
                    "{} = 19 × {} × {layers} × rank {}",
                    counts(parameters),
                    width.round(),
                    figure(rank)
                );
                Trained { parameters, words }
            }
            _ => {
                let parameters = ADAPTER_SHARE * shape.params;
                let share = figure(ADAPTER_SHARE * 100.0);
                Trained { parameters, words: format!("{} = {share} %", counts(parameters)) }
            }
        },
    }
}

fn weights(shape: &Shape, work: &Workload, assumed: &Assumptions) -> Part {
    let bytes = match (work.precision, work.method) {
        (Precision::Bf16, _) => Span::exact(2.0),
        // Training in 8 bits keeps the 16-bit weights and, at most, 8-bit copies beside them.
        (Precision::Fp8, Some(Method::Full)) => Span::new(2.0, 3.0),
        (Precision::Fp8, _) => Span::exact(1.0),
        (Precision::Int4, _) => assumed.get(Name::Int4Bits) / 8.0,
    };
    let gib = bytes * (shape.params / GIB);
    Part {
        name: "weights",
        gib: Some(gib),
        formula: format!("{} × {} B", count(shape.params), figure(bytes)),
    }
}

fn state(trained: &Trained, assumed: &Assumptions, name: Name) -> Part {
    let part = if name == Name::OptimizerBytes { "optimizer" } else { "gradients" };
    if trained.parameters == Span::ZERO {
        return nothing(part);
    }
    let bytes = assumed.get(name);
    let gib = trained.parameters * bytes * (1.0 / GIB);
    Part { name: part, gib: Some(gib), formula: format!("{} × {} B", trained.words, figure(bytes)) }
}

fn nothing(name: &'static str) -> Part {
    Part { name, gib: Some(Span::ZERO), formula: String::new() }
}

fn activations(shape: &Shape, work: &Workload, assumed: &Assumptions) -> Part {
    let name = "activations";
    let Some(width) = shape.width().filter(|_| shape.kind != Kind::Diffusion) else {
        return Part { name, gib: None, formula: String::new() };
    };
    let layer = assumed.get(Name::LayerActivationBytes);
    if !work.task.trains() {
        let most = f64::from(work.context) * f64::from(work.concurrency);
        let tokens = assumed.get(Name::PrefillTokens);
        let tokens = Span::new(tokens.low.min(most), tokens.high.min(most));
        let gib = tokens * layer * (width / GIB);
        let formula = format!("{} tokens × {} × {} B", figure(tokens), width.round(), figure(layer));
        return Part { name, gib: Some(gib), formula };
    }
    let Some(layers) = shape.layers else { return Part { name, gib: None, formula: String::new() } };
    let tokens = f64::from(work.context) * f64::from(work.concurrency);
    let kept = assumed.get(Name::KeptActivationBytes) * f64::from(layers);
    let logits = assumed.get(Name::LogitBytes) * shape.vocab.map_or(0.0, f64::from);
    let gib = (kept * width + layer * width + logits) * (tokens / GIB);
    let formula = format!(
        "{tokens} tokens × ({layers} × {w} × {} B + {w} × {} B + {} × {} B)",
        figure(assumed.get(Name::KeptActivationBytes)),
        figure(layer),
        shape.vocab.unwrap_or(0),
        figure(assumed.get(Name::LogitBytes)),
        w = width.round(),
    );
    Part { name, gib: Some(gib), formula }
}

fn kv_cache(shape: &Shape, work: &Workload, assumed: &Assumptions) -> Part {
    let name = "kv_cache";
    if work.task.trains() {
        return nothing(name);
    }
    let Some(values) = shape.kept_values(work.context) else {
        return Part { name, gib: None, formula: String::new() };
    };
    if values == 0.0 {
        return nothing(name);
    }
    let bytes = assumed.get(Name::KvBytes);
    let gib = bytes * (values * f64::from(work.concurrency) / GIB);
    let each = match (shape.latent, shape.layers) {
        (Some(latent), Some(layers)) => format!("{layers} × {latent} × {}", work.context),
        _ => kept_formula(shape, work.context),
    };
    Part { name, gib: Some(gib), formula: format!("{each} × {} × {} B", work.concurrency, figure(bytes)) }
}

fn kept_formula(shape: &Shape, context: u32) -> String {
    let context = if shape.kind == Kind::Speech { shape.context.unwrap_or(context) } else { context };
    let layers = shape.layers.unwrap_or(0);
    let heads = format!("{} × {}", shape.kv_heads.unwrap_or(0), shape.head_dim.unwrap_or(0));
    match (shape.full_layers, shape.window) {
        (Some(full), Some(window)) if window < context => {
            format!("2 × {heads} × ({full} × {context} + {} × {window})", layers.saturating_sub(full))
        }
        _ => format!("2 × {layers} × {heads} × {context}"),
    }
}

/// A number of parameters: `70.55e9`.
fn count(parameters: f64) -> String {
    if parameters >= 1e9 {
        format!("{}e9", figure(Span::exact(parameters / 1e9)))
    } else {
        format!("{}e6", figure(Span::exact(parameters / 1e6)))
    }
}

fn counts(parameters: Span) -> String {
    if parameters.low == parameters.high {
        return count(parameters.low);
    }
    format!("{}–{}", count(parameters.low), count(parameters.high))
}

fn gib(span: Span) -> String {
    format!("{} GiB", figure(span))
}

/// Both ends with three decimals at most, or the one there is.
fn figure(span: Span) -> String {
    let short = |value: f64| {
        let text = format!("{value:.3}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    if (span.low - span.high).abs() < f64::EPSILON {
        short(span.low)
    } else {
        format!("{}–{}", short(span.low), short(span.high))
    }
}
