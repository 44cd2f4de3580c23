//! Rent or buy for people.

use gpudesk_api::buy::{BuyAnswer, BuyInput};

use super::{DASH, L, R, or_dash, plain, with_notes};

/// Lines of the curve that are shown: every tenth of the month.
const EVERY: usize = 5;

fn percent(share: Option<f64>) -> String {
    // Halves go up, as people round: 78.5 is 79.
    share.map_or_else(|| DASH.to_owned(), |share| format!("{} %", (share * 100.0).round()))
}

fn hours(value: Option<f64>) -> String {
    value.map_or_else(|| DASH.to_owned(), |hours| format!("{hours:.0} h"))
}

/// A share in percent; everything else as it is.
fn shown(input: &BuyInput, value: &str) -> String {
    match value.parse::<f64>() {
        Ok(share) if input.unit.starts_with("share") => format!("{:.0} %", share * 100.0),
        _ => value.to_owned(),
    }
}

/// The answer, what was put in, what moves it, and the curve.
pub fn comparison(answer: &BuyAnswer) -> String {
    let mut out = vec![headline(answer)];
    if let Some(band) = &answer.band {
        out.push(format!(
            "Over all assumptions: {} ({}) to {} ({}); a dash is never within a month.",
            percent(band.low),
            hours(band.low_hours),
            percent(band.high),
            hours(band.high_hours)
        ));
    }
    if let Some(used) = answer.utilisation {
        let months = answer
            .break_even_months
            .map_or_else(|| "not within the term".to_owned(), |months| format!("after {months} months"));
        out.push(format!("Used {:.0} % of the time, owning has paid {months}.", used * 100.0));
    }
    for part in &answer.parts {
        out.push(format!("  {}: {} {} a month", part.name, part.amount, answer.currency));
    }
    let mut inputs = plain(&[("put in", L), ("value", R), ("may be", R), ("unit", L), ("source", L)]);
    for input in &answer.inputs {
        let range = match (&input.low, &input.high) {
            (Some(low), Some(high)) => format!("{}–{}", shown(input, low), shown(input, high)),
            _ => DASH.to_owned(),
        };
        inputs.add_row([
            input.name.clone(),
            input.value.as_deref().map_or_else(|| DASH.to_owned(), |value| shown(input, value)),
            range,
            input.unit.replace("money", &answer.currency),
            input.source.clone(),
        ]);
    }
    out.push(String::new());
    out.push(with_notes(&inputs, &[]));
    if !answer.sensitivity.is_empty() {
        let mut swings = plain(&[("moves it most", L), ("at its least", R), ("at its most", R)]);
        for swing in &answer.sensitivity {
            swings.add_row([swing.name.clone(), hours(swing.low_hours), hours(swing.high_hours)]);
        }
        out.push(String::new());
        out.push(with_notes(&swings, &[]));
    }
    let mut curve =
        plain(&[("used", R), ("owned/h", R), ("on-demand/h", R), ("reserved/h", R), ("spot/h", R)]);
    for point in answer.curve.iter().step_by(EVERY) {
        let cost = |text: &Option<String>| or_dash(text.as_deref().map(super::money));
        curve.add_row([
            percent(Some(point.utilisation)),
            cost(&point.owned_per_hour),
            cost(&point.rent_per_hour),
            cost(&point.reserved_per_hour),
            cost(&point.spot_per_hour),
        ]);
    }
    out.push(String::new());
    out.push(with_notes(&curve, &[]));
    out.join("\n")
}

fn headline(answer: &BuyAnswer) -> String {
    let month = or_dash(answer.monthly_cost_owned.as_ref());
    let cost = format!("A month of owning costs {month} {}", answer.currency);
    match (answer.break_even_hours_per_month, answer.break_even_utilisation) {
        (Some(hours), Some(_)) => format!(
            "{cost}: owning is cheaper from {hours:.1} of {} hours a month on, {}.",
            answer.month_hours,
            percent(answer.break_even_utilisation)
        ),
        _ => format!("{cost}: {}.", answer.reason.as_deref().unwrap_or(DASH)),
    }
}
