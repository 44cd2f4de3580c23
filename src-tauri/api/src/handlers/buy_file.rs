//! Rent or buy as a file: CSV for spreadsheets, a page to print for the person who signs.

use std::fmt::Write as _;

use super::ledger_file::{escaped, harmless};
use crate::buy::{BuyAnswer, BuyBand, BuyInput, BuyPoint};
use crate::desk::ApiError;

const COLUMNS: [&str; 12] = [
    "kind",
    "name",
    "value",
    "unit",
    "low",
    "high",
    "utilisation",
    "owned_per_hour",
    "on_demand_per_hour",
    "reserved_per_hour",
    "spot_per_hour",
    "source",
];

/// Everything of the comparison, one thing a line: the answer, what was put in, the parts of a month, what moves the
/// answer, and the curve. What is not known is an empty cell.
pub(super) fn csv(answer: &BuyAnswer) -> Result<String, ApiError> {
    let failed = |error: &dyn std::fmt::Display| ApiError::new("internal", "the report", error.to_string());
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut write = |cells: [&str; 12]| writer.write_record(cells.map(harmless)).map_err(|e| failed(&e));
    write(COLUMNS)?;
    let money = format!("{}/month", answer.currency);
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let band = answer.band.as_ref();
    let month = answer.monthly_cost_owned.as_deref().unwrap_or_default();
    let reason = answer.reason.as_deref().unwrap_or_default();
    write(plain("answer", "monthly_cost_owned", month, &money, "", "", ""))?;
    write(plain(
        "answer",
        "break_even_hours_per_month",
        &number(answer.break_even_hours_per_month),
        "h",
        &number(band.and_then(|band| band.low_hours)),
        &number(band.and_then(|band| band.high_hours)),
        reason,
    ))?;
    write(plain(
        "answer",
        "break_even_utilisation",
        &number(answer.break_even_utilisation),
        "share",
        &number(band.and_then(|band| band.low)),
        &number(band.and_then(|band| band.high)),
        reason,
    ))?;
    for input in &answer.inputs {
        let unit = input.unit.replace("money", &answer.currency);
        let cell = |text: &Option<String>| text.clone().unwrap_or_default();
        write(plain(
            "input",
            &input.name,
            &cell(&input.value),
            &unit,
            &cell(&input.low),
            &cell(&input.high),
            &input.source,
        ))?;
    }
    for part in &answer.parts {
        write(plain("month", &part.name, &part.amount, &money, "", "", ""))?;
    }
    for swing in &answer.sensitivity {
        let (low, high) = (number(swing.low_hours), number(swing.high_hours));
        let source = format!("from {} to {}", swing.low, swing.high);
        write(plain("sensitivity", &swing.name, "", "h", &low, &high, &source))?;
    }
    for point in &answer.curve {
        let cell = |text: &Option<String>| text.clone().unwrap_or_default();
        write([
            "curve",
            "",
            "",
            &format!("{}/h", answer.currency),
            "",
            "",
            &point.utilisation.to_string(),
            &cell(&point.owned_per_hour),
            &cell(&point.rent_per_hour),
            &cell(&point.reserved_per_hour),
            &cell(&point.spot_per_hour),
            "",
        ])?;
    }
    let bytes = writer.into_inner().map_err(|error| failed(&error))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A line of one thing.
fn plain<'a>(
    kind: &'a str,
    name: &'a str,
    value: &'a str,
    unit: &'a str,
    low: &'a str,
    high: &'a str,
    source: &'a str,
) -> [&'a str; 12] {
    [kind, name, value, unit, low, high, "", "", "", "", "", source]
}

/// A text in one of two languages.
type Say = fn(&'static str, &'static str) -> &'static str;

/// A page to print: no script, no address of anything outside it.
pub(super) fn html(answer: &BuyAnswer, russian: bool) -> String {
    let say: Say = if russian { |_, ru| ru } else { |en, _| en };
    let mut out = format!(
        "<!doctype html>\n<html lang=\"{}\">\n<meta charset=\"utf-8\">\n<title>{}</title>\n<style>\n\
         body {{ font: 11pt/1.4 system-ui, sans-serif; margin: 16mm; color: #111; }}\n\
         table {{ border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; break-inside: avoid; }}\n\
         th, td {{ text-align: right; padding: 3pt 6pt; border-bottom: 0.5pt solid #bbb; vertical-align: top; }}\n\
         th:first-child, td:first-child, td:last-child, th:last-child {{ text-align: left; }}\n\
         h2 {{ font-size: 12pt; margin: 14pt 0 4pt; }}\n\
         p.answer {{ font-size: 15pt; }}\n p.note {{ color: #555; }}\n\
         .sign {{ display: flex; gap: 12mm; margin-top: 16mm; }} .sign span {{ flex: 1; border-top: 0.5pt solid #111; padding-top: 3pt; }}\n\
         </style>\n",
        say("en", "ru"),
        say("Rent or buy", "Арендовать или купить"),
    );
    let card = answer.gpu.as_deref().unwrap_or(say("card", "карта"));
    let _ = write!(
        out,
        "<h1>{}: {} × {}</h1>\n<p class=\"answer\">{}</p>\n",
        say("Rent or buy", "Арендовать или купить"),
        answer.count,
        escaped(card),
        headline(answer, say),
    );
    if let Some(month) = &answer.monthly_cost_owned {
        let _ = writeln!(
            out,
            "<p>{}: <b>{month} {}</b>. {}</p>",
            say("A month of owning costs", "Месяц владения стоит"),
            escaped(&answer.currency),
            band(answer, say),
        );
    }
    chart(&mut out, answer, say);
    month(&mut out, answer, say);
    inputs(&mut out, answer, say);
    swings(&mut out, answer, say);
    let _ = write!(
        out,
        "<p class=\"note\">{} {}.</p>\n<p class=\"sign\"><span>{}</span><span>{}</span><span>{}</span></p>\n</html>\n",
        say(
            "A month has 730 hours. What is left of the price falls by the same share each month through the stated \
             point. Ranges marked as usual are the desk's own assumptions. Reckoned",
            "В месяце 730 часов. Остаток цены падает каждый месяц на одну и ту же долю через указанную точку. \
             Диапазоны с пометкой «обычный» — собственные допущения программы. Рассчитано",
        ),
        escaped(&answer.as_of),
        say("Decision", "Решение"),
        say("Name and signature", "Имя и подпись"),
        say("Date", "Дата"),
    );
    out
}

fn headline(answer: &BuyAnswer, say: Say) -> String {
    match (answer.break_even_hours_per_month, answer.break_even_utilisation) {
        (Some(hours), Some(share)) => format!(
            "{} <b>{hours:.0} {}</b> ({} %).",
            say(
                "Owning is cheaper from this many hours of use a month:",
                "Владеть дешевле, начиная с такого числа часов в месяц:"
            ),
            say("h", "ч"),
            // Halves go up, as people round: 78.5 is 79.
            (share * 100.0).round(),
        ),
        _ => match answer.reason_code.as_deref() {
            Some("beyond-a-month") => {
                say("Renting is cheaper however much is used.", "Арендовать дешевле при любой загрузке.")
                    .to_owned()
            }
            Some("rent-is-nothing") => {
                say("The rent is nothing: there is no break-even.", "Аренда бесплатна: точки равенства нет.")
                    .to_owned()
            }
            _ => format!(
                "{}: {}.",
                say("Not known yet", "Пока неизвестно"),
                answer.missing.iter().map(|name| word(name, say)).collect::<Vec<_>>().join(", ")
            ),
        },
    }
}

fn band(answer: &BuyAnswer, say: Say) -> String {
    let Some(BuyBand { low_hours, high_hours, .. }) = &answer.band else { return String::new() };
    let end = |hours: &Option<f64>| match hours {
        Some(hours) => format!("{hours:.0} {}", say("h", "ч")),
        None => say("never", "никогда").to_owned(),
    };
    format!(
        "{}: {} – {}.",
        say("Over all assumptions the break-even lies between", "По всем допущениям точка равенства"),
        end(low_hours),
        end(high_hours)
    )
}

fn word(name: &str, say: Say) -> &'static str {
    match name {
        "price" => say("price of a card", "цена карты"),
        "running" => say("other running costs a card", "прочие расходы на карту"),
        "watts" => say("power of a card", "мощность карты"),
        "draw" => say("share of it that is drawn", "доля потребляемой мощности"),
        "pue" => say("overhead of the site (PUE)", "накладные площадки (PUE)"),
        "kwh" => say("price of a kWh", "цена кВт·ч"),
        "place" => say("place and hosting", "место и размещение"),
        "people" => say("people", "люди"),
        "capital" => say("cost of capital", "стоимость капитала"),
        "resale" => say("resale", "остаточная цена"),
        "term" => say("term", "срок"),
        "rent" => say("rent of a card-hour", "аренда карто-часа"),
        "reserved" => say("reserved", "резерв"),
        "spot" => say("spot", "спот"),
        "depreciation" => say("loss of value", "потеря стоимости"),
        "power" => say("electricity", "электричество"),
        _ => say("other", "прочее"),
    }
}

fn month(out: &mut String, answer: &BuyAnswer, say: Say) {
    if answer.parts.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "<h2>{}</h2>\n<table><tbody>",
        say("What a month is made of", "Из чего складывается месяц")
    );
    for part in &answer.parts {
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td>{} {}</td></tr>",
            word(&part.name, say),
            part.amount,
            escaped(&answer.currency)
        );
    }
    out.push_str("</tbody></table>\n");
}

fn inputs(out: &mut String, answer: &BuyAnswer, say: Say) {
    let _ = writeln!(
        out,
        "<h2>{}</h2>\n<table><thead><tr><th></th><th>{}</th><th>{}</th><th>{}</th></tr></thead><tbody>",
        say("What was put in", "Что заложено"),
        say("value", "значение"),
        say("may be", "может быть"),
        say("source", "источник"),
    );
    for input in &answer.inputs {
        let usual = if input.usual_range { say(" (usual)", " (обычный)") } else { "" };
        let range = match (&input.low, &input.high) {
            (Some(low), Some(high)) => format!("{}–{}{usual}", shown(input, low), shown(input, high)),
            _ => "–".to_owned(),
        };
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{range}</td><td>{}</td></tr>",
            word(&input.name, say),
            input.value.as_deref().map_or_else(|| "–".to_owned(), |value| escaped(&shown(input, value))),
            escaped(&input.source),
        );
    }
    out.push_str("</tbody></table>\n");
}

/// A share in percent, everything else as it is; the resale is its own text.
fn shown(input: &BuyInput, value: &str) -> String {
    match value.parse::<f64>() {
        Ok(share) if input.unit.starts_with("share") => format!("{:.0} %", share * 100.0),
        _ => value.to_owned(),
    }
}

fn swings(out: &mut String, answer: &BuyAnswer, say: Say) {
    if answer.sensitivity.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "<h2>{}</h2>\n<table><thead><tr><th></th><th>{}</th><th>{}</th></tr></thead><tbody>",
        say("What moves the answer most", "Что сильнее всего меняет ответ"),
        say("at its least, h", "при меньшем, ч"),
        say("at its most, h", "при большем, ч"),
    );
    let hours = |hours: Option<f64>| hours.map_or_else(|| "–".to_owned(), |hours| format!("{hours:.0}"));
    for swing in &answer.sensitivity {
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{}</td></tr>",
            word(&swing.name, say),
            hours(swing.low_hours),
            hours(swing.high_hours)
        );
    }
    out.push_str("</tbody></table>\n");
}

type Cost = fn(&BuyPoint) -> &Option<String>;

/// The costs of an hour that is used, as lines that differ without colours too.
fn chart(out: &mut String, answer: &BuyAnswer, say: Say) {
    let lines: [(&str, &str, Cost); 4] = [
        (say("owning", "владение"), "", |point| &point.owned_per_hour),
        (say("on demand", "по запросу"), "6 3", |point| &point.rent_per_hour),
        (say("reserved", "резерв"), "2 2", |point| &point.reserved_per_hour),
        (say("spot", "спот"), "8 3 2 3", |point| &point.spot_per_hour),
    ];
    let cost = |point: &BuyPoint, of: Cost| of(point).as_deref().and_then(|text| text.parse::<f64>().ok());
    let full: Vec<f64> = lines
        .iter()
        .filter_map(|(_, _, of)| answer.curve.last().and_then(|point| cost(point, *of)))
        .collect();
    // Owning costs without end where little is used: the picture ends at three times the dearest hour of full use.
    let top = full.iter().copied().fold(0.0, f64::max) * 3.0;
    if top <= 0.0 {
        return;
    }
    let (wide, tall) = (640.0, 240.0);
    let _ = writeln!(
        out,
        "<h2>{} ({}/h)</h2>\n<svg viewBox=\"-50 -10 720 290\" width=\"100%\" role=\"img\">\n\
         <path d=\"M0 0V{tall}H{wide}\" fill=\"none\" stroke=\"#555\"/>",
        say("Cost of an hour that is used, by utilisation", "Стоимость используемого часа от загрузки"),
        escaped(&answer.currency),
    );
    for step in 0..=5 {
        let part = f64::from(step) / 5.0;
        let (x, y) = (part * wide, tall - part * tall);
        let _ = writeln!(
            out,
            "<text x=\"{x:.0}\" y=\"256\" font-size=\"11\" text-anchor=\"middle\">{:.0} %</text>\
             <text x=\"-6\" y=\"{:.0}\" font-size=\"11\" text-anchor=\"end\">{:.2}</text>",
            part * 100.0,
            y + 4.0,
            part * top,
        );
    }
    for (index, (name, dashes, of)) in lines.into_iter().enumerate() {
        let points: Vec<String> = answer
            .curve
            .iter()
            .filter_map(|point| Some((point.utilisation, cost(point, of).filter(|cost| *cost <= top)?)))
            .map(|(used, cost)| format!("{:.1},{:.1}", used * wide, tall - cost / top * tall))
            .collect();
        if points.is_empty() {
            continue;
        }
        let at = 150 * index;
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"#111\" stroke-width=\"1.5\" stroke-dasharray=\"{dashes}\"/>\
             <path d=\"M{at} 272h28\" stroke=\"#111\" stroke-width=\"1.5\" stroke-dasharray=\"{dashes}\"/>\
             <text x=\"{}\" y=\"276\" font-size=\"11\">{name}</text>",
            points.join(" "),
            at + 34,
        );
    }
    out.push_str("</svg>\n");
}
