//! A period's spending as a file: CSV for spreadsheets, a page to print for the person who signs.

use std::fmt::Write as _;

use crate::desk::ApiError;
use crate::spend::{RangeDto, SpendPage};

const COLUMNS: [&str; 15] = [
    "from",
    "to",
    "by",
    "key",
    "title",
    "currency",
    "compute",
    "disk",
    "disk_stopped",
    "traffic_low",
    "traffic_high",
    "total_low",
    "total_high",
    "idle_share",
    "billed",
];

/// The lines and their sum. What is not known is an empty cell. A text that a spreadsheet would take for a formula
/// begins with an apostrophe.
pub(super) fn csv(page: &SpendPage) -> Result<String, ApiError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let failed = |error: csv::Error| ApiError::new("internal", "the report", error.to_string());
    writer.write_record(COLUMNS).map_err(failed)?;
    for row in &page.rows {
        let record = [
            page.from.clone(),
            page.to.clone(),
            page.by.clone(),
            harmless(&row.key),
            harmless(&row.title),
            page.currency.clone(),
            row.compute.clone(),
            row.disk.clone(),
            row.disk_stopped.clone(),
            row.traffic.low.clone(),
            row.traffic.high.clone().unwrap_or_default(),
            row.total.low.clone(),
            row.total.high.clone().unwrap_or_default(),
            row.idle_share.map(|share| format!("{share:.4}")).unwrap_or_default(),
            row.billed.clone().unwrap_or_default(),
        ];
        writer.write_record(record).map_err(failed)?;
    }
    let RangeDto { low, high } = &page.total;
    let mut sum = vec![String::new(); COLUMNS.len()];
    sum[..6].clone_from_slice(&[
        page.from.clone(),
        page.to.clone(),
        page.by.clone(),
        "total".to_owned(),
        String::new(),
        page.currency.clone(),
    ]);
    sum[11].clone_from(low);
    sum[12] = high.clone().unwrap_or_default();
    writer.write_record(sum).map_err(failed)?;
    let bytes =
        writer.into_inner().map_err(|error| ApiError::new("internal", "the report", error.to_string()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Projects and owners are typed by people: a spreadsheet must not run them.
pub(super) fn harmless(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text.to_owned() }
}

/// A page to print: no script, no address of anything outside it.
pub(super) fn html(page: &SpendPage) -> String {
    let mut out = String::from(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>GPU spending</title>\n<style>\n\
         body { font: 11pt/1.4 system-ui, sans-serif; margin: 18mm; color: #111; }\n\
         table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }\n\
         th, td { text-align: right; padding: 3pt 6pt; border-bottom: 0.5pt solid #bbb; }\n\
         th:first-child, td:first-child { text-align: left; }\n\
         tfoot td { font-weight: 600; border-bottom: none; border-top: 1pt solid #111; }\n\
         p.note { color: #555; }\n</style>\n",
    );
    let _ = write!(
        out,
        "<h1>GPU spending, {} to {}</h1>\n<p>By {}, in {}{}. Reckoned {}.</p>\n",
        escaped(&page.from),
        escaped(&page.to),
        escaped(&page.by),
        escaped(&page.currency),
        page.fx
            .as_ref()
            .map(|fx| {
                let (source, date) = (escaped(&fx.source), escaped(&fx.date));
                format!(" at the rates of each day, the newest of {source} of {date}")
            })
            .unwrap_or_default(),
        escaped(&page.as_of),
    );
    out.push_str(
        "<table>\n<thead><tr><th></th><th>Compute</th><th>Disks</th><th>Stopped disks</th><th>Traffic</th>\
         <th>Total</th><th>Idle</th><th>Billed</th></tr></thead>\n<tbody>\n",
    );
    for row in &page.rows {
        let title = if row.title.is_empty() { "–" } else { &row.title };
        let idle = row.idle_share.map_or_else(|| "–".to_owned(), |share| format!("{:.0} %", share * 100.0));
        let least = if row.partial { "at least " } else { "" };
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{least}{}</td><td>{idle}</td><td>{}</td></tr>",
            escaped(title),
            row.compute,
            row.disk,
            row.disk_stopped,
            shown(&row.traffic),
            shown(&row.total),
            row.billed.as_deref().unwrap_or("–"),
        );
    }
    let _ = write!(
        out,
        "</tbody>\n<tfoot><tr><td>Total</td><td></td><td></td><td></td><td></td><td>{}</td><td></td><td></td></tr></tfoot>\n</table>\n",
        shown(&page.total),
    );
    for rate in &page.fx_later {
        let _ = writeln!(
            out,
            "<p class=\"note\">No rate of {currency} is known for days before {date}: that of {source} of {date} stands for \
             them.</p>",
            currency = escaped(&rate.currency),
            date = escaped(&rate.date),
            source = escaped(&rate.source),
        );
    }
    for money in &page.unconverted {
        let _ = writeln!(
            out,
            "<p class=\"note\">Not in the table, for want of an exchange rate: {} {}.</p>",
            money.amount,
            escaped(&money.currency)
        );
    }
    out.push_str(
        "<p class=\"note\">From the desk's own record of what ran when, at the prices agreed to. A dash is what no \
         provider told. Days are those of UTC.</p>\n</html>\n",
    );
    out
}

fn shown(range: &RangeDto) -> String {
    match &range.high {
        Some(high) if *high == range.low => range.low.clone(),
        Some(high) => format!("{}–{high}", range.low),
        None => format!("{} or more", range.low),
    }
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spend::SpendRow;

    fn page(key: &str) -> SpendPage {
        let range = |low: &str, high: Option<&str>| RangeDto { low: low.into(), high: high.map(Into::into) };
        SpendPage {
            as_of: "2026-11-30T09:00:00Z".into(),
            currency: "USD".into(),
            fx: None,
            fx_later: Vec::new(),
            from: "2026-11-01".into(),
            to: "2026-11-30".into(),
            by: "project".into(),
            rows: vec![SpendRow {
                key: key.into(),
                title: key.into(),
                compute: "1.00".into(),
                disk: "0.10".into(),
                disk_stopped: "0.00".into(),
                traffic: range("0.00", None),
                total: range("1.10", None),
                idle_share: Some(0.25),
                billed: None,
                difference: Vec::new(),
                rentals: 1,
                partial: false,
            }],
            total: range("1.10", None),
            burning_per_hour: None,
            burning: 0,
            burning_unmanaged: None,
            blind: Vec::new(),
            forecast: None,
            days: Vec::new(),
            waste: Vec::new(),
            waste_total: "0.00".into(),
            savings: Vec::new(),
            unconverted: Vec::new(),
        }
    }

    #[test]
    fn a_project_is_neither_a_formula_nor_markup() {
        let text = csv(&page("=HYPERLINK(\"http://x\")")).unwrap();
        assert!(text.contains("\"'=HYPERLINK(\"\"http://x\"\")\""), "{text}");
        let text = html(&page("<script>alert(1)</script>"));
        assert!(!text.contains("<script") && text.contains("&lt;script&gt;"), "{text}");
    }

    #[test]
    fn what_is_not_known_is_an_empty_cell() {
        let text = csv(&page("chat")).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[1],
            "2026-11-01,2026-11-30,project,chat,chat,USD,1.00,0.10,0.00,0.00,,1.10,,0.2500,"
        );
        assert_eq!(lines[2], "2026-11-01,2026-11-30,project,total,,USD,,,,,,1.10,,,");
        assert_eq!(lines.len(), 3);
    }
}
