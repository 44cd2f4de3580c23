//! A plan's request read into a piece of work, and what stands in for what was left out.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use gpudesk_core::plan::{
    Amount, Assumptions, Evidence, Memory, Method, Name, Need, Precision, Shape, Span, Task, Workload, gb,
    model,
};

use super::plan_assumed::asked;
use super::plan_typed::{above, parameters, quantity, size, whole, word, wrong};
use crate::desk::ApiError;
use crate::plan::{AssumptionDto, PlanRequest};

/// Hours of a month: what a service is reckoned for unless told.
const MONTH_H: f64 = 730.0;

/// A working day: what a notebook is reckoned for unless told.
const NOTEBOOK_H: f64 = 8.0;

/// What anything else is reckoned for where nothing tells how long it takes.
const DAY_H: f64 = 24.0;

/// Tokens of a sequence unless told.
const CONTEXT: u32 = 4096;

/// Minutes between checkpoints unless told.
const CHECKPOINT_MIN: f64 = 30.0;

/// A request, read.
pub(super) struct Read {
    /// The work.
    pub work: Workload,
    /// What is assumed.
    pub assumed: Assumptions,
    /// What past rentals have shown.
    pub evidence: Evidence,
    /// When it must be done.
    pub deadline: Option<DateTime<Utc>>,
    /// What stands in for what was left out.
    pub filled: Vec<AssumptionDto>,
    /// What past rentals have shown, for the list.
    pub seen: Vec<AssumptionDto>,
}

impl Read {
    /// Tokens to work through.
    pub fn tokens(&self) -> Option<Span> {
        self.work.token_span(self.assumed.get(Name::BytesPerToken))
    }

    /// Whether the size of the data only bounds the work.
    pub fn is_bounded(&self) -> bool {
        matches!(self.work.amount, Amount::Data(_))
    }

    /// Whether it takes as long as it takes, however fast a machine is.
    pub fn is_by_the_hour(&self) -> bool {
        matches!(self.work.amount, Amount::Hours(_))
    }
}

/// Reads a request.
///
/// # Errors
/// `request-invalid` names what is wrong and the nearest right word.
pub(super) fn read(request: &PlanRequest, now: DateTime<Utc>) -> Result<Read, ApiError> {
    let task: Task = word("--task", &request.task)?;
    let method = request.method.as_deref().filter(|text| !text.is_empty());
    let method: Option<Method> = method.map(|text| word("--method", text)).transpose()?;
    let precision = request.precision.as_deref().filter(|text| !text.is_empty());
    let precision: Option<Precision> = precision.map(|text| word("--precision", text)).transpose()?;
    let (method, precision) = Workload::agree(task, method, precision)
        .map_err(|error| wrong("method and precision", error.to_string()))?;
    let need = need(request)?;
    let mut filled = Vec::new();
    let mut assumed = Assumptions::default();
    for edit in &request.assumptions {
        assumed
            .edit(&edit.name, Span::new(edit.low, edit.high))
            .map_err(|error| wrong("an assumption", error.to_string()))?;
    }
    let context = match whole("--context", request.context)? {
        Some(context) => context,
        None => {
            let most = match &need {
                Need::Model(shape) => shape.context.unwrap_or(CONTEXT),
                Need::Gib(_) => CONTEXT,
            };
            let context = CONTEXT.min(most);
            if matches!(need, Need::Model(_)) {
                let about = "tokens of one sequence, since none were named";
                filled.push(asked("context", f64::from(context), "tokens", about));
            }
            context
        }
    };
    let concurrency = match whole("--concurrency", request.concurrency)? {
        Some(concurrency) => concurrency,
        None => {
            let usual = match task {
                Task::Realtime => 16,
                Task::Batch => 32,
                Task::Training | Task::Finetune | Task::Notebook => 1,
            };
            if matches!(need, Need::Model(_)) {
                let about = "sequences at a time, since none were named";
                filled.push(asked("concurrency", f64::from(usual), "count", about));
            }
            usual
        }
    };
    let deadline = deadline(request, now)?;
    let deadline_h = deadline.map(|at| (at - now).num_seconds() as f64 / 3600.0);
    let (amount, tokens) = amount(request, task, &need, deadline_h, &mut filled)?;
    let checkpoint_min = match above("--checkpoint", request.checkpoint_minutes)? {
        Some(minutes) => minutes,
        None => {
            if request.interruptible {
                let about = "minutes between checkpoints, since none were named";
                filled.push(asked("checkpoint_minutes", CHECKPOINT_MIN, "minutes", about));
            }
            CHECKPOINT_MIN
        }
    };
    let egress_gb = size("--egress", request.egress_gb)?.unwrap_or_default();
    let dataset_gb = size("--dataset", request.dataset_gb)?.unwrap_or_default();
    let disk = size("--disk", request.disk_gb)?;
    let mut work = Workload {
        task,
        need,
        precision,
        method,
        context,
        concurrency,
        amount,
        tokens,
        deadline_h,
        interruptible: request.interruptible,
        checkpoint_h: checkpoint_min / 60.0,
        disk_gb: disk.unwrap_or_default(),
        egress_gb,
    };
    if disk.is_none() {
        work.disk_gb = disk_for(&work, &assumed, dataset_gb);
        let about = "disk for the data and the weights, since none was named";
        filled.push(asked("disk_gb", work.disk_gb, "gb", about));
    }
    Ok(Read { work, assumed, evidence: Evidence::default(), deadline, filled, seen: Vec::new() })
}

/// Disk for the data and the weights, GB, rounded up.
fn disk_for(work: &Workload, assumed: &Assumptions, dataset_gb: f64) -> f64 {
    let weights = match &work.need {
        Need::Model(_) => {
            let memory = Memory::of(work, assumed);
            let found = memory.parts().iter().find(|part| part.name == "weights");
            found.and_then(|part| part.gib).map_or(0.0, |gib| gb(gib.high))
        }
        Need::Gib(_) => 0.0,
    };
    (dataset_gb + weights).ceil()
}

/// What must be in memory: a known model, one by hand, or so many GiB.
fn need(request: &PlanRequest) -> Result<Need, ApiError> {
    let named = request.model.as_deref().map(str::trim).filter(|name| !name.is_empty());
    let params = request.params.as_deref().map(|text| parameters("--params", text)).transpose()?;
    if let Some(gib) = above("--vram", request.vram_gib)? {
        if named.is_some() || params.is_some() {
            let both = "both a model and GPU memory are named: the memory follows from the model";
            return Err(wrong("what must be in memory", both.to_owned()));
        }
        return Ok(Need::Gib(gib));
    }
    let mut shape = match (named, params) {
        (Some(name), _) => model(name)
            .map_err(|error| {
                wrong("the model", error.to_string())
                    .with_hint("Name another, or give its figures: --params 70B --layers 80 --kv-heads 8 --head-dim 128.")
            })?
            .clone(),
        (None, Some(params)) => Shape::of_params(params),
        (None, None) => {
            return Err(wrong("what must be in memory", "no model is named".to_owned()).with_hint(
                "Name one (--model 'Llama 3.1 70B'), give its parameters (--params 70B), or the GPU memory it takes \
                 (--vram 8).",
            ));
        }
    };
    if let Some(params) = params.filter(|_| named.is_some()) {
        shape.active *= params / shape.params;
        shape.params = params;
    }
    if let Some(text) = request.active_params.as_deref() {
        shape.active = parameters("--active-params", text)?;
        if shape.active > shape.params {
            return Err(wrong("--active-params", "more than all parameters".to_owned()));
        }
    }
    let figures = [
        (&mut shape.layers, request.layers, "--layers"),
        (&mut shape.kv_heads, request.kv_heads, "--kv-heads"),
        (&mut shape.head_dim, request.head_dim, "--head-dim"),
        (&mut shape.hidden, request.hidden, "--hidden"),
    ];
    for (known, given, what) in figures {
        if let Some(value) = whole(what, given)? {
            *known = Some(value);
        }
    }
    // What is said of layers and heads by hand is meant of all of them.
    if request.layers.is_some() || request.kv_heads.is_some() || request.head_dim.is_some() {
        (shape.full_layers, shape.window, shape.latent) = (None, None, None);
    }
    Ok(Need::Model(shape))
}

/// How much there is to do, and how many tokens that is where hours are given beside.
fn amount(
    request: &PlanRequest,
    task: Task,
    need: &Need,
    deadline_h: Option<f64>,
    filled: &mut Vec<AssumptionDto>,
) -> Result<(Amount, Option<f64>), ApiError> {
    let tokens = request.tokens.as_deref().map(|text| quantity("--tokens", text)).transpose()?;
    let hours = above("--hours", request.hours)?;
    let data = above("--dataset", request.dataset_gb)?;
    let service = matches!(task, Task::Realtime | Task::Notebook);
    match (hours, tokens) {
        (Some(_), Some(_)) if !service => {
            let both = "both tokens and hours are given: one follows from the other";
            Err(wrong("how much there is to do", both.to_owned()))
        }
        (Some(hours), tokens) => Ok((Amount::Hours(hours), tokens)),
        (None, Some(tokens)) if !service => Ok((Amount::Tokens(tokens), None)),
        (None, None) if !service && data.is_some() && matches!(need, Need::Model(_)) => {
            Ok((Amount::Data(data.unwrap_or_default()), None))
        }
        (None, tokens) => {
            let (hours, about) = match (task, deadline_h) {
                (Task::Realtime, _) => (MONTH_H, "a month of service, since no hours were named"),
                (Task::Notebook, _) => (NOTEBOOK_H, "a working day, since no hours were named"),
                (_, Some(left)) => (left, "until the deadline, since neither hours nor tokens were named"),
                (_, None) => (DAY_H, "a day to compare prices by, since neither hours nor tokens were named"),
            };
            filled.push(asked("hours", hours, "hours", about));
            Ok((Amount::Hours(hours), tokens))
        }
    }
}

fn deadline(request: &PlanRequest, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>, ApiError> {
    let Some(text) = request.deadline.as_deref().map(str::trim).filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    let day = |day: NaiveDate| day.succ_opt().unwrap_or(day).and_time(NaiveTime::MIN).and_utc();
    let at = text
        .parse::<NaiveDate>()
        .map(day)
        .or_else(|_| DateTime::parse_from_rfc3339(text).map(|at| at.with_timezone(&Utc)))
        .map_err(|_| {
            wrong("--deadline", format!("`{text}` is no day and no time"))
                .with_hint("Write it as 2026-12-04 (the end of that day, UTC) or 2026-12-04T18:00:00Z.")
        })?;
    if at <= now {
        return Err(wrong("--deadline", format!("`{text}` has passed")));
    }
    Ok(Some(at))
}
