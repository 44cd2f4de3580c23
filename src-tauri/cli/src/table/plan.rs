//! Plans for people.

use gpudesk_api::plan::{Plan, PlanOptionDto, PlanWhyNot, SpanDto};

use super::{DASH, L, R, money, place, plain, rates_line};

/// So many numbers of cards are listed.
const SIZES: usize = 6;

fn span(span: &SpanDto) -> String {
    let short = |value: f64| {
        if value >= 100.0 {
            format!("{value:.0}")
        } else if value >= 10.0 {
            format!("{value:.1}").trim_end_matches(".0").to_owned()
        } else {
            let text = if value < 0.01 { format!("{value:.5}") } else { format!("{value:.2}") };
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
    // Memory by hand has no parts.
    let parts = plan.memory.formulas.iter().filter(|part| plan.model.is_some() && part.gib.high != Some(0.0));
    for part in parts {
        table.add_row([part.part.replace('_', " "), span(&part.gib), part.formula.clone()]);
    }
    table.add_row(["all of it".to_owned(), span(&plan.memory.total_gib), String::new()]);
    format!("{title}{}", table.trim_fmt())
}

/// The smallest cards of which each number is enough.
fn cards(plan: &Plan) -> String {
    let mut fewest: Vec<(u32, String)> = Vec::new();
    let mut sizes: Vec<_> = plan.cards.iter().filter_map(|size| Some((size.cards?, size))).collect();
    sizes.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.vram_gib.total_cmp(&b.1.vram_gib)));
    for (cards, size) in sizes {
        if fewest.len() == SIZES || fewest.iter().any(|(known, _)| *known == cards) {
            continue;
        }
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
        let text = format!("{cards:>4} × {} GiB or more ({}){link}", size.vram_gib, names.join(", "));
        fewest.push((cards, text));
    }
    if fewest.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = fewest.into_iter().map(|(_, text)| text).collect();
    format!("Cards it takes:\n{}", lines.join("\n"))
}

fn card(option: &PlanOptionDto) -> String {
    let offer = &option.offer;
    if let Some(slice) = option.slice.as_ref().filter(|slice| slice.is_option) {
        return format!("{} of {}", slice.profile, option.gpu_title);
    }
    let card = match (offer.gpu.fraction, offer.gpu.count) {
        (Some(share), _) => format!("{share:.3} of {}", option.gpu_title),
        (None, 0) => option.gpu_title.clone(),
        (None, count) => format!("{count}x {}", option.gpu_title),
    };
    if option.count > 1 { format!("{} × {card}", option.count) } else { card }
}

/// The total; in its own currency where no rate leads to that of the table.
fn cost(plan: &Plan, option: &PlanOptionDto) -> String {
    let low = money(&option.total.low);
    let amount = match option.total.high.as_deref().map(money) {
        Some(high) if high == low => high,
        Some(high) => format!("{low}–{high}"),
        None => format!("≥ {low}"),
    };
    if option.currency == plan.currency { amount } else { format!("{amount} {}", option.currency) }
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
            cost(plan, option),
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

/// The reason of each option, and what speaks against it; what only deserves a note is left to `--json`.
fn reasons(plan: &Plan) -> String {
    let said = |option: &PlanOptionDto| {
        let warnings =
            option.risks.iter().filter(|risk| risk.weight == "warn").map(|risk| risk.text.as_str());
        std::iter::once(option.reason.as_str()).chain(warnings).collect::<Vec<_>>().join(" ")
    };
    let mut lines: Vec<String> =
        (1..).zip(&plan.options).map(|(place, option)| format!("{place:>3}. {}", said(option))).collect();
    let is_shown = |firm: &PlanOptionDto| plan.options.iter().any(|option| option.offer.id == firm.offer.id);
    if let Some(firm) = plan.firm.as_ref().filter(|firm| !is_shown(firm)) {
        let hours = span(&firm.hours);
        let (id, total) = (&firm.offer.id, cost(plan, firm));
        lines.push(format!("Without interruptions: {} for {total} in {hours} h, {id}.", card(firm)));
    }
    let unsure =
        plan.options.iter().filter(|option| option.risks.iter().any(|risk| risk.code == "stock-unknown"));
    let unsure = unsure.count();
    if unsure > 0 {
        lines.push(format!("Whether {unsure} of these are in stock is not told."));
    }
    lines.join("\n")
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
        let (low, currency) = (&option.total.low, &option.currency);
        lines.push(format!("It would cost {low}–{high} {currency} and take {} h.", span(&option.hours)));
        lines.push(option.risk.clone());
    }
    lines.join("\n")
}
