//! Offers side by side: one line a fact, whether the columns differ, and which is best where best has a meaning.

use gpudesk_engine::Desk;
use rust_decimal::Decimal;

use super::rows::{self, Shown};
use super::settings;
use crate::convert;
use crate::desk::ApiError;
use crate::market::{CompareLine, CompareRequest, Comparison, OfferRow};

/// Columns that can be read side by side.
const MOST: usize = 6;

/// Which end of a line is best.
#[derive(Clone, Copy, PartialEq)]
enum Best {
    Lowest,
    Highest,
    Neither,
}

type Value = fn(&OfferRow) -> Option<String>;

/// How many of which card; a model's name alone where tokens are sold.
pub(super) fn card(row: &OfferRow) -> String {
    match row.offer.gpu.count {
        0 => row.gpu_title.clone(),
        count => format!("{count}× {}", row.gpu_title),
    }
}

fn number(value: Option<f64>) -> Option<String> {
    value.map(|value| value.to_string())
}

/// The lines in the order they are read: what it costs, what it is, what it can, where it is.
const LINES: &[(&str, Best, Value)] = &[
    ("per_gpu_hour", Best::Lowest, |r| r.per_gpu_hour.clone()),
    ("per_hour", Best::Lowest, |r| r.per_hour.clone()),
    ("total_low", Best::Lowest, |r| r.total_low.clone()),
    ("total_high", Best::Lowest, |r| r.total_high.clone()),
    ("kind", Best::Neither, |r| Some(r.offer.price.kind.clone())),
    ("term", Best::Neither, |r| r.offer.price.term.clone()),
    ("per_second", Best::Lowest, |r| r.offer.price.meter.as_ref()?.per_second.clone()),
    ("per_million_in", Best::Lowest, |r| r.offer.price.meter.as_ref()?.per_million_in.clone()),
    ("per_million_out", Best::Lowest, |r| r.offer.price.meter.as_ref()?.per_million_out.clone()),
    ("rent_page", Best::Neither, |r| r.offer.rent_page.clone()),
    ("gpu", Best::Neither, |r| Some(card(r))),
    ("vram_gib", Best::Highest, |r| number(r.offer.gpu.vram_gib)),
    ("vram_total_gib", Best::Highest, |r| number(r.offer.gpu.vram_total_gib)),
    ("bandwidth_gb_s", Best::Highest, |r| number(r.offer.gpu.bandwidth_gb_s)),
    ("bf16_tflops", Best::Highest, |r| number(r.offer.gpu.bf16_tflops)),
    ("link", Best::Neither, |r| r.offer.gpu.link.clone()),
    ("link_gb_s", Best::Highest, |r| number(r.offer.gpu.link_gb_s)),
    ("fabric", Best::Neither, |r| r.offer.fabric.clone()),
    ("form", Best::Neither, |r| Some(r.offer.form.clone())),
    ("isolation", Best::Neither, |r| r.offer.isolation.clone()),
    ("vcpu", Best::Highest, |r| number(r.offer.vcpu)),
    ("ram_gib", Best::Highest, |r| number(r.offer.ram_gib)),
    ("disk_max_gb", Best::Highest, |r| number(r.offer.disk.max_gb)),
    ("disk_included_gb", Best::Highest, |r| number(r.offer.disk.included_gb)),
    ("net_down_mbit_s", Best::Highest, |r| number(r.offer.net.down_mbit_s)),
    ("net_up_mbit_s", Best::Highest, |r| number(r.offer.net.up_mbit_s)),
    ("cuda", Best::Neither, |r| r.offer.cuda.clone()),
    ("driver", Best::Neither, |r| r.offer.driver.clone()),
    ("reliability", Best::Highest, |r| number(r.offer.reliability)),
    ("datacenter", Best::Neither, |r| r.offer.datacenter.map(|is| if is { "yes" } else { "no" }.to_owned())),
    ("country", Best::Neither, |r| r.offer.place.country.clone()),
    ("region", Best::Neither, |r| r.offer.place.region.clone()),
    ("zones", Best::Neither, |r| Some(r.offer.place.zones.join(", ")).filter(|zones| !zones.is_empty())),
    ("seller", Best::Neither, |r| r.offer.place.seller.clone()),
    ("provider", Best::Neither, |r| Some(r.provider_title.clone())),
    ("cloud", Best::Neither, |r| r.cloud_title.clone()),
    ("increment_s", Best::Lowest, |r| r.offer.price.increment_s.map(|s| s.to_string())),
    ("minimum_s", Best::Lowest, |r| r.offer.price.minimum_s.map(|s| s.to_string())),
    ("storage_gb_month", Best::Neither, |r| r.offer.price.storage_gb_month.clone()),
    ("storage_stopped_gb_month", Best::Neither, |r| r.offer.price.storage_stopped_gb_month.clone()),
    ("egress_gb", Best::Neither, |r| r.offer.price.egress_gb.clone()),
    ("price_currency", Best::Neither, |r| Some(r.offer.price.currency.clone())),
    ("supply", Best::Neither, |r| Some(r.offer.supply.state.clone()).filter(|state| state != "unknown")),
    ("source", Best::Neither, |r| Some(r.offer.source.clone())),
    ("seen_at", Best::Neither, |r| Some(r.offer.seen_at.clone())),
];

/// Two to six offers side by side. Lines that no column says anything of are left out; ids that are gone are named.
///
/// # Errors
/// `request-invalid` for no id or too many.
pub async fn offers_compare(desk: &Desk, request: CompareRequest) -> Result<Comparison, ApiError> {
    if request.ids.is_empty() || request.ids.len() > MOST {
        return Err(ApiError::new(
            "request-invalid",
            "the comparison",
            format!("{} offers were named, 1 to {MOST} can be compared", request.ids.len()),
        ));
    }
    let snapshot = desk.snapshot().await?;
    let currency = settings::shown_currency(&request.currency, snapshot.board.rates())?;
    let job = request.job.as_ref().map(convert::job).transpose()?;
    let shown = Shown { snapshot: &snapshot, now: desk.now(), currency, job };
    let mut columns = Vec::new();
    let mut gone = Vec::new();
    for id in request.ids {
        match snapshot.board.find(&id).and_then(|row| shown.row(row)) {
            Some(row) => columns.push(row),
            None => gone.push(id),
        }
    }
    let lines = LINES.iter().filter_map(|(key, best, value)| line(key, *best, *value, &columns)).collect();
    Ok(Comparison {
        as_of: rows::time(shown.now),
        currency: currency.to_string(),
        fx: rows::fx(snapshot.board.rates(), currency),
        columns,
        gone,
        lines,
    })
}

fn line(key: &str, best: Best, value: Value, columns: &[OfferRow]) -> Option<CompareLine> {
    let values: Vec<Option<String>> = columns.iter().map(value).collect();
    if values.iter().all(Option::is_none) {
        return None;
    }
    let differs = values.windows(2).any(|pair| pair.first() != pair.last());
    let best = if differs { best_of(best, &values) } else { Vec::new() };
    Some(CompareLine { key: key.to_owned(), values, differs, best })
}

/// The best columns; none where best has no meaning. A column that does not say cannot be best.
fn best_of(best: Best, values: &[Option<String>]) -> Vec<u32> {
    let numbers: Vec<(u32, Decimal)> =
        (0..).zip(values).filter_map(|(column, v)| Some((column, v.as_ref()?.parse().ok()?))).collect();
    let mark = match best {
        Best::Lowest => numbers.iter().map(|(_, n)| *n).min(),
        Best::Highest => numbers.iter().map(|(_, n)| *n).max(),
        Best::Neither => None,
    };
    numbers.iter().filter(|(_, n)| Some(*n) == mark).map(|(column, _)| *column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some(values: &[&str]) -> Vec<Option<String>> {
        values.iter().map(|v| (!v.is_empty()).then(|| (*v).to_owned())).collect()
    }

    #[test]
    fn the_best_is_by_value_not_by_text_and_a_dash_is_never_best() {
        assert_eq!(best_of(Best::Lowest, &some(&["10.5", "9", ""])), [1]);
        assert_eq!(best_of(Best::Highest, &some(&["80", "141", "141"])), [1, 2]);
        assert_eq!(best_of(Best::Neither, &some(&["1", "2"])), [] as [u32; 0]);
    }
}
