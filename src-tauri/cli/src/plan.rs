//! `gpudesk plan`: what a piece of work needs, and where it is best done.

use clap::Args;
use gpudesk_api::desk::ApiError;
use gpudesk_api::handlers;
use gpudesk_api::plan::{AssumptionSet, PlanRequest, PlanWhyNotRequest};
use gpudesk_engine::Desk;

use crate::output::{print_json, print_text, tell};
use crate::table::plan as table;

/// Options of a table for people, unless told.
const TABLE_OPTIONS: u32 = 12;

/// Options of a JSON document, unless told.
const JSON_OPTIONS: u32 = 50;

/// Ends a plan that found nothing.
const NOTHING: u8 = 3;

/// `gpudesk plan`.
#[derive(Debug, Args)]
pub struct PlanArgs {
    /// What is done: training, finetune, batch, realtime or notebook.
    #[arg(long, value_name = "TASK")]
    pub task: String,
    /// A known open model, loosely: 'Llama 3.1 70B', qwen2.5-7b, bge-m3.
    #[arg(long, value_name = "NAME")]
    pub model: Option<String>,
    /// Parameters of a model by hand: 70B, 300M.
    #[arg(long, value_name = "N")]
    pub params: Option<String>,
    /// Parameters that work on one token, in a mixture of experts.
    #[arg(long, value_name = "N")]
    pub active_params: Option<String>,
    /// Layers.
    #[arg(long, value_name = "N")]
    pub layers: Option<u32>,
    /// Heads whose keys and values are kept.
    #[arg(long, value_name = "N")]
    pub kv_heads: Option<u32>,
    /// Width of a head.
    #[arg(long, value_name = "N")]
    pub head_dim: Option<u32>,
    /// Width of the model.
    #[arg(long, value_name = "N")]
    pub hidden: Option<u32>,
    /// GPU memory in GiB, instead of a model.
    #[arg(long, value_name = "GIB")]
    pub vram: Option<f64>,
    /// How weights are kept: bf16, fp8 or int4.
    #[arg(long, value_name = "PRECISION")]
    pub precision: Option<String>,
    /// How weights are trained: full, lora or qlora.
    #[arg(long, value_name = "METHOD")]
    pub method: Option<String>,
    /// Tokens of one sequence.
    #[arg(long, value_name = "TOKENS")]
    pub context: Option<u32>,
    /// Sequences at a time.
    #[arg(long, value_name = "N")]
    pub concurrency: Option<u32>,
    /// Tokens to work through, all passes together: 2B, 300M.
    #[arg(long, value_name = "N")]
    pub tokens: Option<String>,
    /// Hours, where those are known instead.
    #[arg(long, value_name = "H")]
    pub hours: Option<f64>,
    /// When it must be done: 2026-12-04 (the end of that day, UTC) or 2026-12-04T18:00:00Z.
    #[arg(long, value_name = "DATE")]
    pub deadline: Option<String>,
    /// It may be interrupted and goes on from its last checkpoint.
    #[arg(long)]
    pub interruptible: bool,
    /// Minutes between checkpoints.
    #[arg(long, value_name = "MINUTES")]
    pub checkpoint: Option<f64>,
    /// Only offers that this residency policy allows.
    #[arg(long, value_name = "NAME")]
    pub policy: Option<String>,
    /// Size of the data in GB; where neither tokens nor hours are given it bounds the tokens.
    #[arg(long, value_name = "GB")]
    pub dataset: Option<f64>,
    /// Disk held meanwhile, GB.
    #[arg(long, value_name = "GB")]
    pub disk: Option<f64>,
    /// Traffic out, GB.
    #[arg(long, value_name = "GB")]
    pub egress: Option<f64>,
    /// Change an assumption: training_utilisation=0.4, or 0.35..0.45. May be given several times.
    #[arg(long, value_name = "NAME=VALUE")]
    pub assume: Vec<String>,
    /// Why this offer is not the best option, or none.
    #[arg(long, value_name = "OFFER")]
    pub why_not: Option<String>,
    /// Display currency.
    #[arg(long, value_name = "CURRENCY", default_value = "USD")]
    pub currency: String,
    /// Options to print.
    #[arg(long, value_name = "N")]
    pub limit: Option<u32>,
}

/// Plans.
pub async fn run(desk: &Desk, args: &PlanArgs, json: bool) -> Result<u8, ApiError> {
    let plan = request(args, json)?;
    if let Some(offer) = &args.why_not {
        let answer = handlers::plan_why_not(desk, PlanWhyNotRequest { plan, offer: offer.clone() }).await?;
        if json {
            print_json(&answer)?;
        } else {
            print_text(&table::why_not(&answer))?;
        }
        return Ok(0);
    }
    let answer = handlers::plan_options(desk, plan).await?;
    if json {
        print_json(&answer)?;
    } else {
        print_text(&table::plan(&answer))?;
    }
    match &answer.missing {
        Some(missing) => {
            tell(&format!("gpudesk: the plan: {}", missing.text));
            Ok(NOTHING)
        }
        None => Ok(0),
    }
}

fn request(args: &PlanArgs, json: bool) -> Result<PlanRequest, ApiError> {
    Ok(PlanRequest {
        task: args.task.clone(),
        model: args.model.clone(),
        params: args.params.clone(),
        active_params: args.active_params.clone(),
        layers: args.layers,
        kv_heads: args.kv_heads,
        head_dim: args.head_dim,
        hidden: args.hidden,
        vram_gib: args.vram,
        precision: args.precision.clone(),
        method: args.method.clone(),
        context: args.context,
        concurrency: args.concurrency,
        tokens: args.tokens.clone(),
        hours: args.hours,
        deadline: args.deadline.clone(),
        interruptible: args.interruptible,
        checkpoint_minutes: args.checkpoint,
        policy: args.policy.clone(),
        dataset_gb: args.dataset,
        disk_gb: args.disk,
        egress_gb: args.egress,
        currency: args.currency.clone(),
        assumptions: args.assume.iter().map(|text| assumption(text)).collect::<Result<_, _>>()?,
        limit: args.limit.unwrap_or(if json { JSON_OPTIONS } else { TABLE_OPTIONS }),
    })
}

/// `NAME=VALUE` or `NAME=LOW..HIGH`.
fn assumption(text: &str) -> Result<AssumptionSet, ApiError> {
    let read = || {
        let (name, value) = text.split_once('=')?;
        let (low, high) = value.split_once("..").unwrap_or((value, value));
        Some(AssumptionSet {
            name: name.trim().to_owned(),
            low: low.trim().parse().ok()?,
            high: high.trim().parse().ok()?,
        })
    };
    read().ok_or_else(|| ApiError::assumption(text))
}
