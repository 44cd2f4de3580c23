//! Rows as text for the clipboard.

use gpudesk_engine::Desk;

use super::market::{self, Asked};
use crate::desk::ApiError;
use crate::market::{CopyRequest, CopyText, MarketView, OfferRow};
use crate::offer::{MeterDto, OfferDto};

/// The most rows that go to a clipboard.
const MOST: usize = 5_000;

type Column = (&'static str, fn(&OfferRow) -> String);

/// The columns of the CSV, by the names of the JSON.
const COLUMNS: &[Column] = &[
    ("id", |r| r.offer.id.clone()),
    ("provider", |r| r.offer.provider.clone()),
    ("cloud", |r| r.offer.cloud.clone()),
    ("name", |r| r.offer.name.clone()),
    ("count", |r| r.offer.gpu.count.to_string()),
    ("gpu", |r| r.gpu_title.clone()),
    ("vram_gib", |r| say(r.offer.gpu.vram_gib)),
    ("vram_total_gib", |r| say(r.offer.gpu.vram_total_gib)),
    ("bandwidth_gb_s", |r| say(r.offer.gpu.bandwidth_gb_s)),
    ("link", |r| say(r.offer.gpu.link.as_ref())),
    ("form", |r| r.offer.form.clone()),
    ("kind", |r| r.offer.price.kind.clone()),
    ("per_hour", |r| r.offer.price.per_hour.clone()),
    ("per_gpu_hour", |r| r.offer.price.per_gpu_hour.clone()),
    ("per_second", |r| say(r.offer.price.meter.as_ref().and_then(|m| m.per_second.as_ref()))),
    ("per_million_in", |r| say(r.offer.price.meter.as_ref().and_then(|m| m.per_million_in.as_ref()))),
    ("per_million_out", |r| say(r.offer.price.meter.as_ref().and_then(|m| m.per_million_out.as_ref()))),
    ("currency", |r| r.offer.price.currency.clone()),
    ("per_gpu_hour_usd", |r| say(r.offer.price.per_gpu_hour_usd.as_ref())),
    ("total_low_usd", |r| total(r, |t| t.low.clone())),
    ("total_high_usd", |r| total(r, |t| t.high.clone())),
    ("country", |r| say(r.offer.place.country.as_ref())),
    ("region", |r| say(r.offer.place.region.as_ref())),
    ("seller", |r| say(r.offer.place.seller.as_ref())),
    ("vcpu", |r| say(r.offer.vcpu)),
    ("ram_gib", |r| say(r.offer.ram_gib)),
    ("seen_at", |r| r.offer.seen_at.clone()),
];

fn say<T: ToString>(value: Option<T>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn total(row: &OfferRow, amount: fn(&crate::offer::TotalDto) -> String) -> String {
    row.offer.total.as_ref().and_then(Option::as_ref).map(amount).unwrap_or_default()
}

/// The named rows, or all that match, as text, CSV, JSON, or the command that lists them.
///
/// # Errors
/// `query-invalid` or `request-invalid` for a view that makes no sense, `request-invalid` for an unknown format.
pub async fn offers_copy(desk: &Desk, request: CopyRequest) -> Result<CopyText, ApiError> {
    let asked = market::ask(desk, &request.view).await?;
    let rows = rows(&asked, &request.ids);
    let count = u32::try_from(rows.len()).unwrap_or(u32::MAX);
    let text = match request.format.as_str() {
        "text" => rows.iter().map(sentence).collect::<Vec<_>>().join("\n"),
        "csv" => csv(&rows)?,
        "json" => {
            let offers: Vec<&OfferDto> = rows.iter().map(|row| &row.offer).collect();
            serde_json::to_string_pretty(&offers).map_err(|e| ApiError::wrong_shape("offers_copy", &e))?
        }
        "command" => command(&asked, &request.view, &request.ids),
        other => {
            return Err(ApiError::new(
                "request-invalid",
                format!("format `{other}`"),
                "there is no such format",
            )
            .with_hint("Known formats: text, csv, json, command."));
        }
    };
    Ok(CopyText { text, rows: count })
}

fn rows(asked: &Asked, ids: &[String]) -> Vec<OfferRow> {
    let board = &asked.snapshot.board;
    let found = if ids.is_empty() {
        board.page(&asked.view(), 0, MOST, false).rows
    } else {
        ids.iter().take(MOST).filter_map(|id| board.find(id)).collect()
    };
    let shown = asked.shown();
    found.into_iter().filter_map(|row| shown.row(row)).collect()
}

/// One offer as a person would write it in a message.
fn sentence(row: &OfferRow) -> String {
    let offer = &row.offer;
    let price = &offer.price;
    let each = match price.meter.as_ref() {
        Some(MeterDto { per_second: Some(second), .. }) => format!("{second} {} per second", price.currency),
        Some(MeterDto { per_million_in: Some(read), per_million_out: Some(written), .. }) => {
            format!("{read} in and {written} out {} per 1M tokens", price.currency)
        }
        _ => format!("{} {} per GPU-hour, {}", price.per_gpu_hour, price.currency, price.kind),
    };
    let mut parts = vec![super::compare::card(row), row.provider_title.clone(), each];
    parts.extend(offer.gpu.vram_total_gib.map(|gib| format!("{gib} GiB VRAM")));
    parts.extend(offer.place.country.iter().cloned());
    parts.extend(row.total_high.iter().map(|high| format!("job total up to {high}")));
    parts.push(format!("seen {}", offer.seen_at));
    parts.push(offer.id.clone());
    parts.join(" · ")
}

fn csv(rows: &[OfferRow]) -> Result<String, ApiError> {
    let failed = |detail: String| ApiError::new("internal", "the CSV", detail);
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS.iter().map(|(name, _)| *name)).map_err(|e| failed(e.to_string()))?;
    for row in rows {
        writer
            .write_record(COLUMNS.iter().map(|(_, value)| inert(value(row))))
            .map_err(|e| failed(e.to_string()))?;
    }
    let bytes = writer.into_inner().map_err(|e| failed(e.to_string()))?;
    String::from_utf8(bytes).map_err(|e| failed(e.to_string()))
}

/// A cell that no spreadsheet takes for a formula: the text came from a provider.
fn inert(cell: String) -> String {
    if cell.starts_with(['=', '+', '@', '\t', '\r'])
        || (cell.starts_with('-') && cell.parse::<f64>().is_err())
    {
        format!("'{cell}")
    } else {
        cell
    }
}

/// The command that shows the same in a terminal.
fn command(asked: &Asked, view: &MarketView, ids: &[String]) -> String {
    let mut words = vec!["gpudesk".to_owned()];
    match ids {
        [one] => words.extend(["price".to_owned(), quote(one)]),
        [] => {
            words.push("offers".to_owned());
            words.extend(asked.query.terms().iter().map(|term| quote(&negation(&term.to_string()))));
            words.extend(["--sort".to_owned(), view.sort.clone()]);
            words.extend(view.descending.then(|| "--desc".to_owned()));
            words.extend(view.include_unknown.then(|| "--include-unknown".to_owned()));
            words.extend(view.include_quarantine.then(|| "--include-quarantine".to_owned()));
        }
        several => {
            words.push("compare".to_owned());
            words.extend(several.iter().map(|id| quote(id)));
        }
    }
    if ids.len() != 1 {
        if let Some(job) = &view.job {
            words.push(format!("--job {}h,{}GB,{}GB", job.hours, job.disk_gb, job.egress_gb));
        }
        if view.currency != "USD" {
            words.push(format!("--currency {}", view.currency));
        }
    }
    words.join(" ")
}

/// A leading `-` would be taken for an option; `!` says the same.
fn negation(word: &str) -> String {
    word.strip_prefix('-').map_or_else(|| word.to_owned(), |rest| format!("!{rest}"))
}

/// A word as a POSIX shell reads it back.
fn quote(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.:,/@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_from_a_provider_is_no_formula() {
        assert_eq!(inert("=HYPERLINK(1)".to_owned()), "'=HYPERLINK(1)");
        assert_eq!(inert("-cmd".to_owned()), "'-cmd");
        assert_eq!(inert("-1.5".to_owned()), "-1.5");
        assert_eq!(inert("H100 SXM".to_owned()), "H100 SXM");
    }

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(quote("vram>=80"), "'vram>=80'");
        assert_eq!(quote("it's"), r"'it'\''s'");
        assert_eq!(quote("country:de,fi"), "country:de,fi");
        assert_eq!(negation("-cloud:vast"), "!cloud:vast");
    }
}
