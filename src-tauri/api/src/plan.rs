//! Requests and answers about plans: what a piece of work needs, and where on the board it is best done.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::offer::{FxDto, OfferDto};
use crate::rental::Remark;
use crate::spend::RangeDto;

/// A figure that is not known exactly.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
pub struct SpanDto {
    /// At least; null = not known.
    pub low: Option<f64>,
    /// At most; null = not bounded.
    pub high: Option<f64>,
}

/// Which work. Whatever is null or empty is assumed, and then stands among the assumptions of the answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct PlanRequest {
    /// `training`, `finetune`, `batch`, `realtime`, `notebook`.
    pub task: String,
    /// Name of a known model, loosely: `llama 3.1 70b`.
    pub model: Option<String>,
    /// Parameters of a model by hand: `70B`, `300M`, `7e9`. Over those of `model` where both are given.
    pub params: Option<String>,
    /// Parameters that work on one token, for a mixture of experts by hand; null = all of them.
    pub active_params: Option<String>,
    /// Layers.
    pub layers: Option<u32>,
    /// Heads whose keys and values are kept.
    pub kv_heads: Option<u32>,
    /// Width of a head.
    pub head_dim: Option<u32>,
    /// Width of the model.
    pub hidden: Option<u32>,
    /// GPU memory in GiB by hand, instead of a model.
    pub vram_gib: Option<f64>,
    /// `bf16`, `fp8`, `int4`; null = `bf16`, and `int4` for QLoRA.
    pub precision: Option<String>,
    /// `full`, `lora`, `qlora`: how weights are trained; null = `full` for training, `lora` for fine-tuning.
    pub method: Option<String>,
    /// Tokens of one sequence.
    pub context: Option<u32>,
    /// Sequences at a time: requests, or the micro-batch of one card in training.
    pub concurrency: Option<u32>,
    /// Tokens to work through, all passes together: `2B`, `300M`.
    pub tokens: Option<String>,
    /// Hours of machine time, where those are known instead.
    pub hours: Option<f64>,
    /// When it must be done: `2026-12-04` (the end of that day in UTC) or RFC 3339.
    pub deadline: Option<String>,
    /// Whether it may be interrupted and goes on from its last checkpoint.
    pub interruptible: bool,
    /// Minutes between checkpoints; null = 30.
    pub checkpoint_minutes: Option<f64>,
    /// Name of a residency policy; null = none.
    pub policy: Option<String>,
    /// Size of the data, GB. Where neither tokens nor hours are given it bounds the tokens.
    pub dataset_gb: Option<f64>,
    /// Disk held meanwhile, GB; null = the data and the weights.
    pub disk_gb: Option<f64>,
    /// Traffic out, GB.
    pub egress_gb: Option<f64>,
    /// Display currency.
    pub currency: String,
    /// Assumptions that a person has changed.
    pub assumptions: Vec<AssumptionSet>,
    /// Most options wanted, at most 200.
    pub limit: u32,
}

impl Default for PlanRequest {
    fn default() -> Self {
        Self {
            task: "finetune".to_owned(),
            model: None,
            params: None,
            active_params: None,
            layers: None,
            kv_heads: None,
            head_dim: None,
            hidden: None,
            vram_gib: None,
            precision: None,
            method: None,
            context: None,
            concurrency: None,
            tokens: None,
            hours: None,
            deadline: None,
            interruptible: false,
            checkpoint_minutes: None,
            policy: None,
            dataset_gb: None,
            disk_gb: None,
            egress_gb: None,
            currency: "USD".to_owned(),
            assumptions: Vec::new(),
            limit: 20,
        }
    }
}

/// An assumption that a person has changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct AssumptionSet {
    /// Its name.
    pub name: String,
    /// At least.
    pub low: f64,
    /// At most; the same as `low` for a single value.
    pub high: f64,
}

/// What a plan leans on. Those with `edit` can be sent back changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct AssumptionDto {
    /// Fixed word: `training_utilisation`, …
    pub name: String,
    /// The value, or the middle of its range.
    pub value: f64,
    /// At least.
    pub low: f64,
    /// At most.
    pub high: f64,
    /// `share`, `bytes`, `bits`, `gib`, `gb`, `tokens`, `tokens_per_s`, `hours`, `minutes`, `per_hour`, `factor`,
    /// `flops`, `count`.
    pub unit: String,
    /// Who says so.
    pub source: String,
    /// What it is, in English.
    pub about: String,
    /// `default`, `edited` by a person, `measured` here, or `asked` where it only fills what was not said.
    pub origin: String,
    /// Whether it can be sent back changed in [`PlanRequest::assumptions`].
    pub edit: bool,
    /// What it is unless changed.
    pub default_low: f64,
    /// See above.
    pub default_high: f64,
}

/// A known model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct PlanModelDto {
    /// Its name.
    pub name: String,
    /// `decoder`, `encoder`, `speech`, `diffusion`.
    pub kind: String,
    /// Parameters.
    pub params: f64,
    /// Parameters that work on one token.
    pub active_params: f64,
    /// Layers; null = not known, or no transformer of one width.
    pub layers: Option<u32>,
    /// Heads whose keys and values are kept.
    pub kv_heads: Option<u32>,
    /// Width of a head.
    pub head_dim: Option<u32>,
    /// Width of the model.
    pub hidden: Option<u32>,
    /// Longest sequence it is made for, tokens.
    pub context: Option<u32>,
    /// The page of these figures; empty where they are given by hand.
    pub source: String,
}

/// GPU memory by its parts, GiB: the upper end of each. 0 = does not apply, null = not known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct MemoryPartsDto {
    /// Weights.
    pub weights_gib: Option<f64>,
    /// State of the optimizer.
    pub optimizer_gib: Option<f64>,
    /// Gradients.
    pub gradients_gib: Option<f64>,
    /// Activations.
    pub activations_gib: Option<f64>,
    /// Keys and values of all sequences.
    pub kv_cache_gib: Option<f64>,
    /// CUDA context, buffers, fragmentation.
    pub overhead_gib: Option<f64>,
}

/// How one part comes about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct MemoryFormulaDto {
    /// `weights`, `optimizer`, `gradients`, `activations`, `kv_cache`, `overhead`.
    pub part: String,
    /// Both ends, GiB.
    pub gib: SpanDto,
    /// The formula with its figures: `70.6e9 parameters × 2 bytes`. Empty where it does not apply.
    pub formula: String,
}

/// GPU memory that the work needs, on one card if it were large enough.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct PlanMemoryDto {
    /// All of it; `high` is null where a part is not known.
    pub total_gib: SpanDto,
    /// Part by part.
    pub parts: MemoryPartsDto,
    /// The same with both ends and the formula.
    pub formulas: Vec<MemoryFormulaDto>,
}

/// How many cards of one size it takes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct CardsNeededDto {
    /// Memory of one card, GiB.
    pub vram_gib: f64,
    /// Cards of that size: canonical names on the board.
    pub gpus: Vec<String>,
    /// Least number of cards; null = no number of them is enough.
    pub cards: Option<u32>,
    /// Memory needed of each, GiB.
    pub per_card_gib: SpanDto,
    /// What must be between them: `none`, `pcie`, `nvlink`, `infiniband`.
    pub link: String,
}

/// The slice of a card that would do, and what fits beside it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct SliceDto {
    /// `1g.10gb`.
    pub profile: String,
    /// Memory of it, GiB.
    pub memory_gib: f64,
    /// Share of the card's compute.
    pub compute_share: f64,
    /// Share of the card's memory bandwidth: that of its memory.
    pub bandwidth_share: f64,
    /// How many of it fit on one card.
    pub per_card: u32,
    /// The largest profile that still fits on the card beside one of it; null = none.
    pub beside: Option<String>,
    /// Whether the option is one such slice of a card of the team's own; else it is the whole card.
    pub is_option: bool,
    /// Share of the card's cost that one slice costs: the larger of its two shares.
    pub cost_share: f64,
    /// Price of an hour of each in the display currency where as many as fit are used; null without a rate.
    pub per_hour_each: Option<String>,
}

/// One way to do it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct PlanOptionDto {
    /// The offer.
    pub offer: OfferDto,
    /// How many of it.
    pub count: u32,
    /// Total cost; not bounded where something of it is not known at all.
    pub total: RangeDto,
    /// Of the total: the display currency, or the offer's own where no rate leads to it.
    pub currency: String,
    /// Hours of each machine from start to end; null ends are not known.
    pub hours: SpanDto,
    /// What can go wrong, in English; empty = nothing in particular.
    pub risk: String,
    /// Why it stands here, in one English sentence.
    pub reason: String,
    /// The same for the window's own sentences, the worst first.
    pub risks: Vec<Remark>,
    /// See `reason`.
    pub why: Remark,
    /// Shown name of the card.
    pub gpu_title: String,
    /// Shown name of the provider.
    pub provider_title: String,
    /// Price of an hour of it in the display currency; null without a rate.
    pub per_hour: Option<String>,
    /// Memory needed of each card, GiB.
    pub per_card_gib: SpanDto,
    /// Probability that it is done by the deadline, 0 to 1; null without a deadline.
    pub completion: Option<SpanDto>,
    /// Interruptions to expect; null where it is not interrupted.
    pub interruptions: Option<SpanDto>,
    /// Hours lost to them, of those in `hours`.
    pub lost_hours: Option<SpanDto>,
    /// Tokens a second, all sequences together; null = not known or not asked.
    pub tokens_per_s: Option<SpanDto>,
    /// Cost of a million tokens in the total's currency; null where the tokens are not known.
    pub per_million_tokens: Option<RangeDto>,
    /// Share of the tokens that it works through until the deadline, where those were assumed from the size of the data.
    pub share_done: Option<SpanDto>,
    /// The slice that it is; or, for a whole card that can be cut up, the one that would do.
    pub slice: Option<SliceDto>,
}

/// Why rows of the board are no options, and how many.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct LeftOutDto {
    /// The reason, with the figures of the nearest row.
    pub reason: Remark,
    /// Rows.
    pub rows: u32,
    /// The row that came nearest; null where nearness means nothing.
    pub nearest: Option<String>,
}

/// The answer to [`PlanRequest`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Plan {
    /// RFC 3339, when it was made.
    pub as_of: String,
    /// Number of the board it was made on.
    pub board: u32,
    /// Display currency.
    pub currency: String,
    /// Rates used.
    pub fx: Option<FxDto>,
    /// What it needs.
    pub memory: PlanMemoryDto,
    /// Everything that was assumed.
    pub assumptions: Vec<AssumptionDto>,
    /// Ways to do it, the best first.
    pub options: Vec<PlanOptionDto>,
    /// Where the best may be taken back: the best that is not, wherever it stands.
    pub firm: Option<PlanOptionDto>,
    /// The model; null where the memory was given by hand.
    pub model: Option<PlanModelDto>,
    /// Cards of each size on the board that it takes.
    pub cards: Vec<CardsNeededDto>,
    /// RFC 3339, when it must be done.
    pub deadline: Option<String>,
    /// Tokens to work through; null = not known.
    pub tokens: Option<SpanDto>,
    /// Options there are; `options` are the first of them.
    pub total: u32,
    /// Rows that were looked at.
    pub considered: u32,
    /// Why the others are no options, the most rows first.
    pub left_out: Vec<LeftOutDto>,
    /// What is missing where there is no option.
    pub missing: Option<Remark>,
    /// Time taken.
    pub took_ms: f64,
}

/// Why an offer is not among the first options.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct PlanWhyNotRequest {
    /// The work.
    pub plan: PlanRequest,
    /// The offer.
    pub offer: String,
}

/// The answer to [`PlanWhyNotRequest`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct PlanWhyNot {
    /// The offer.
    pub offer: String,
    /// Its place among the options, from 1; null = it is none of them.
    pub place: Option<u32>,
    /// All that speaks against it, or for it where it is the best.
    pub reasons: Vec<Remark>,
    /// The option it would be, where the work can be done on it at all.
    pub option: Option<PlanOptionDto>,
}
