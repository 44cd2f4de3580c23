//! Plans for people.

use gpudesk_api::plan::{Plan, PlanOptionDto, PlanWhyNot, SpanDto};

use super::{DASH, L, R, money, place, plain, rates_line};

/// Cards of that many sizes are listed.
const SIZES: usize = 8;

fn span(span: &SpanDto) -> String {
    let short = |value: f64| {
        if value >= 100.0 {
            format!("{value:.0}")
        } else if value >= 10.0 {
            format!("{value:.1}").trim_end_matches(".0").to_owned()
        } else {
            let text = format!("{value:.2}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    };
    match (span.low, span.high) {
        (Some(low), Some(high)) if short(low) == short(high) => short(high),
        (Some(low), Some(high)) => format!("{}–{}", short(low), short(high)),
        (Some(low), None) => format!("≥ {}", short(low)),
        (None, _) => DASH.to_owned(),
    }
}

/// What a piece of work needs, what was assumed, and where it is best done.
pub fn plan(plan: &Plan) -> String {
    let mut text = vec![memory(plan)];
    text.push(cards(plan));
    if !plan.options.is_empty() {
        text.push(options(plan));
        text.push(reasons(plan));
    }
    text.push(assumptions(plan));
    let left_out = left_out(plan);
    if !left_out.is_empty() {
        text.push(left_out);
    }
    text.retain(|part| !part.is_empty());
    text.join("\n\n")
}

fn memory(plan: &Plan) -> String {
    let title =
        plan.model.as_ref().filter(|model| !model.name.is_empty()).map_or_else(String::new, |model| {
            format!("{}: {:.2} billion parameters ({})\n", model.name, model.params / 1e9, model.source)
        });
    let mut table = plain(&[("memory", L), ("GiB", R), ("formula", L)]);
    for part in plan.memory.formulas.iter().filter(|part| part.gib.high != Some(0.0)) {
        table.add_row([part.part.replace('_', " "), span(&part.gib), part.formula.clone()]);
    }
    table.add_row(["all of it".to_owned(), span(&plan.memory.total_gib), String::new()]);
    format!("{title}{}", table.trim_fmt())
}

fn cards(plan: &Plan) -> String {
    let mut lines = Vec::new();
    for size in plan.cards.iter().take(SIZES) {
        let Some(cards) = size.cards else { continue };
        let mut names: Vec<&str> = size.gpus.iter().take(3).map(String::as_str).collect();
        if size.gpus.len() > names.len() {
            names.push("…");
        }
        let link = match size.link.as_str() {
            "nvlink" => ", with NVLink between them",
            "infiniband" => ", in boxes with InfiniBand or the like between them",
            "pcie" => ", PCIe between them is enough",
            _ => "",
        };
        lines.push(format!("{cards:>4} × {} GiB ({}){link}", size.vram_gib, names.join(", ")));
    }
    if lines.is_empty() {
        return String::new();
    }
    format!("Cards it takes:\n{}", lines.join("\n"))
}

fn card(option: &PlanOptionDto) -> String {
    let offer = &option.offer;
    let card = match (offer.gpu.fraction, offer.gpu.count) {
        (Some(share), _) => format!("{share:.3} of {}", option.gpu_title),
        (None, 0) => option.gpu_title.clone(),
        (None, count) => format!("{count}x {}", option.gpu_title),
    };
    if option.count > 1 { format!("{} × {card}", option.count) } else { card }
}

fn options(plan: &Plan) -> String {
    let total = format!("total {}", plan.currency);
    let mut table = plain(&[
        ("", R),
        ("offer", L),
        ("provider", L),
        ("kind", L),
        (total.as_str(), R),
        ("hours", R),
        ("in time", R),
        ("place", L),
        ("id", L),
    ]);
    for (place_of, option) in (1..).zip(&plan.options) {
        let high = option.total.high.as_deref().map_or_else(|| DASH.to_owned(), money);
        let low = money(&option.total.low);
        let in_time = option.completion.as_ref().map_or_else(
            || DASH.to_owned(),
            |chance| {
                let percent = |share: Option<f64>| share.map_or(0.0, |share| share * 100.0);
                let (low, high) = (percent(chance.low), percent(chance.high));
                if high - low < 0.5 { format!("{high:.0} %") } else { format!("{low:.0}–{high:.0} %") }
            },
        );
        table.add_row([
            place_of.to_string(),
            card(option),
            option.provider_title.clone(),
            option.offer.price.kind.clone(),
            if low == high { high } else { format!("{low}–{high}") },
            span(&option.hours),
            in_time,
            place(&option.offer),
            option.offer.id.clone(),
        ]);
    }
    let more = if (plan.options.len() as u32) < plan.total {
        format!(" (the first {}; --limit N shows more)", plan.options.len())
    } else {
        String::new()
    };
    format!(
        "{}\n{} ways{more} · {} offers looked at · {:.1} ms · {}",
        table.trim_fmt(),
        plan.total,
        plan.considered,
        plan.took_ms,
        rates_line(&plan.fx)
    )
}

fn reasons(plan: &Plan) -> String {
    let lines = (1..)
        .zip(&plan.options)
        .map(|(place, option)| format!("{place:>3}. {} {}", option.reason, option.risk));
    lines.collect::<Vec<_>>().join("\n")
}

fn assumptions(plan: &Plan) -> String {
    if plan.assumptions.is_empty() {
        return String::new();
    }
    let mut table = plain(&[("assumed", L), ("value", R), ("unit", L), ("what it is, and who says so", L)]);
    for assumption in &plan.assumptions {
        let value = span(&SpanDto { low: Some(assumption.low), high: Some(assumption.high) });
        table.add_row([
            assumption.name.clone(),
            value,
            assumption.unit.replace('_', " "),
            format!("{}. {}", assumption.about, assumption.source),
        ]);
    }
    format!("{}\n--assume NAME=VALUE changes one; --why-not OFFER asks about an offer.", table.trim_fmt())
}

fn left_out(plan: &Plan) -> String {
    let lines: Vec<String> = plan
        .left_out
        .iter()
        .map(|left| {
            let nearest = left.nearest.as_ref().map_or_else(String::new, |id| format!(" The nearest: {id}."));
            format!("{:>7} × {}{nearest}", left.rows, left.reason.text)
        })
        .collect();
    if lines.is_empty() { String::new() } else { format!("Left out:\n{}", lines.join("\n")) }
}

/// Why an offer is not the best option, or none.
pub fn why_not(answer: &PlanWhyNot) -> String {
    let mut lines = vec![match answer.place {
        Some(place) => format!("{} is option {place}.", answer.offer),
        None => format!("{} is none of the options.", answer.offer),
    }];
    lines.extend(answer.reasons.iter().map(|reason| reason.text.clone()));
    if let Some(option) = &answer.option {
        let high = option.total.high.as_deref().unwrap_or(DASH);
        lines.push(format!("It would cost {}–{high} and take {} h.", option.total.low, span(&option.hours)));
        lines.push(option.risk.clone());
    }
    lines.join("\n")
}
