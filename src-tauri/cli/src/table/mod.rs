//! Answers as tables for people.

pub mod accounts;
pub mod buy;
pub mod hosts;
pub mod plan;
pub mod policies;
pub mod rentals;
pub mod spend;

use comfy_table::presets::NOTHING;
use comfy_table::{Cell, CellAlignment, Table};
use gpudesk_api::desk::RefreshReport;
use gpudesk_api::market::{Comparison, GroupsPage, OfferDetails, OfferTable};
use gpudesk_api::offer::{FxDto, OfferDto};

/// Shown where the provider does not say.
const DASH: &str = "–";

fn plain(header: &[(&str, CellAlignment)]) -> Table {
    let mut table = Table::new();
    table.load_preset(NOTHING);
    table.set_header(header.iter().map(|(text, side)| Cell::new(text).set_alignment(*side)));
    for (index, (_, side)) in header.iter().enumerate() {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(*side);
            column.set_padding((0, 2));
        }
    }
    table
}

const L: CellAlignment = CellAlignment::Left;
const R: CellAlignment = CellAlignment::Right;

/// A table with lines under it.
fn with_notes(table: &Table, notes: &[String]) -> String {
    let table = table.trim_fmt();
    if notes.is_empty() { table } else { format!("{table}\n\n{}", notes.join("\n")) }
}

fn or_dash<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(|| DASH.to_owned(), |v| v.to_string())
}

/// An amount with as many decimals as its size needs.
fn money(text: &str) -> String {
    match text.parse::<f64>() {
        Ok(v) if v.abs() >= 100.0 => format!("{v:.0}"),
        Ok(v) if v.abs() >= 1.0 => format!("{v:.2}"),
        Ok(v) => format!("{v:.4}"),
        Err(_) => text.to_owned(),
    }
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(
        || DASH.to_owned(),
        |v| if v.fract().abs() < 0.05 { format!("{v:.0}") } else { format!("{v:.1}") },
    )
}

fn card(offer: &OfferDto) -> String {
    let name = offer.gpu.model.as_deref().unwrap_or(&offer.gpu.raw_name);
    match (offer.gpu.fraction, offer.gpu.count) {
        (Some(share), _) => format!("{share:.3} of {name}"),
        // Tokens of a model: no card is rented.
        (None, 0) => name.to_owned(),
        (None, count) => format!("{count}x {name}"),
    }
}

/// The price as its seller bills it, where that is not by the hour.
fn metered(offer: &OfferDto) -> Option<String> {
    let meter = offer.price.meter.as_ref()?;
    let currency = &offer.price.currency;
    match (&meter.per_second, &meter.per_million_in, &meter.per_million_out) {
        (Some(second), ..) => Some(format!("{second} {currency}/s")),
        (_, Some(read), Some(written)) => Some(format!("{read}/{written} {currency}/1M tokens in/out")),
        _ => None,
    }
}

fn place(offer: &OfferDto) -> String {
    let country = offer.place.country.as_deref().unwrap_or(DASH);
    let zones = offer.place.zones.join(",");
    if zones.is_empty() || zones == country { country.to_owned() } else { format!("{country} {zones}") }
}

fn rates_line(fx: &Option<FxDto>) -> String {
    fx.as_ref().map_or_else(
        || "no exchange rates yet: prices in other currencies are not converted".to_owned(),
        |fx| format!("rates: {} of {}", fx.source, fx.date),
    )
}

/// The offers table with a line under it that says how many there are. An amount that no rate converts stays in its
/// own currency and says which.
pub fn offers(list: &OfferTable) -> String {
    let with_total = list.rows.iter().any(|row| row.offer.total.is_some());
    let price = format!("{}/GPU·h", list.currency);
    let total = format!("job {}", list.currency);
    let mut header = vec![("offer", L), ("provider", L), ("form", L), ("kind", L), (price.as_str(), R)];
    if with_total {
        header.push((total.as_str(), R));
    }
    header.extend([("place", L), ("VRAM GiB", R), ("GB/s", R), ("link", L), ("vCPU", R), ("RAM GiB", R)]);
    header.extend([("seen", L), ("id", L)]);
    let mut table = plain(&header);
    for row in &list.rows {
        let offer = &row.offer;
        let mut cells = vec![
            card(offer),
            if offer.cloud == offer.provider {
                offer.provider.clone()
            } else {
                format!("{}/{}", offer.provider, offer.cloud)
            },
            offer.form.clone(),
            offer.price.kind.clone(),
            metered(offer).unwrap_or_else(|| {
                row.per_gpu_hour.as_deref().map_or_else(
                    || format!("{} {}", money(&offer.price.per_gpu_hour), offer.price.currency),
                    money,
                )
            }),
        ];
        if with_total {
            cells.push(match (&row.total_low, &row.total_high) {
                (Some(low), Some(high)) if low == high => money(high),
                (Some(low), Some(high)) => format!("{}–{}", money(low), money(high)),
                _ => DASH.to_owned(),
            });
        }
        cells.extend([
            place(offer),
            number(offer.gpu.vram_total_gib),
            number(offer.gpu.bandwidth_gb_s),
            or_dash(offer.gpu.link.as_deref()),
            number(offer.vcpu),
            number(offer.ram_gib),
            offer.seen_at.get(..10).unwrap_or(&offer.seen_at).to_owned(),
            offer.id.clone(),
        ]);
        table.add_row(cells);
    }
    let shown = list.rows.len();
    let more = if shown < list.total as usize {
        format!(" (the first {shown}; --limit N shows more)")
    } else {
        String::new()
    };
    let mut text =
        format!("{table}\n{} offers{more} · {:.1} ms · {}", list.total, list.took_ms, rates_line(&list.fx));
    let by_hand = list.rows.iter().filter(|row| !row.offer.rentable).count();
    if by_hand > 0 {
        text.push_str(&format!(
            "\n{by_hand} of these are rented by hand, at the cloud itself: `gpudesk rent ID` says where"
        ));
    }
    if let Some(meter) = list.rows.iter().find_map(|row| row.offer.price.meter.as_ref()) {
        text.push_str(&format!(
            "\nserverless prices are ordered by the hour as if it were {}",
            meter.assumed
        ));
    }
    text
}

/// The market by card.
pub fn groups(page: &GroupsPage) -> String {
    let mut table = plain(&[
        ("card", L),
        ("VRAM GiB", R),
        ("GB/s", R),
        ("from", R),
        ("median", R),
        ("spot from", R),
        ("offers", R),
        ("clouds", L),
    ]);
    for group in &page.groups {
        let amount = |text: &Option<String>| text.as_deref().map_or_else(|| DASH.to_owned(), money);
        table.add_row(vec![
            group.gpu.clone(),
            number(group.vram_gib),
            number(group.bandwidth_gb_s),
            amount(&group.from),
            amount(&group.median),
            amount(&group.spot_from),
            group.offers.to_string(),
            clouds(&group.clouds),
        ]);
    }
    format!(
        "{table}\n{} cards, {} offers · {} per GPU-hour · {}",
        page.groups.len(),
        page.total,
        page.currency,
        rates_line(&page.fx)
    )
}

/// The first few clouds and how many more there are.
fn clouds(names: &[String]) -> String {
    const SHOWN: usize = 4;
    let first = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    match names.len().checked_sub(SHOWN) {
        Some(more) if more > 0 => format!("{first} +{more}"),
        _ => first,
    }
}

/// Offers side by side; the best of a line is marked with `*`, lines that differ with `≠`.
pub fn comparison(comparison: &Comparison) -> String {
    let mut header = vec![("", L), ("", L)];
    let titles: Vec<String> =
        comparison.columns.iter().map(|c| format!("{} {}", card(&c.offer), c.provider_title)).collect();
    header.extend(titles.iter().map(|t| (t.as_str(), R)));
    let mut table = plain(&header);
    for line in &comparison.lines {
        let mut row = vec![line.key.clone(), if line.differs { "≠".to_owned() } else { String::new() }];
        row.extend(line.values.iter().enumerate().map(|(column, value)| {
            let best = line.best.iter().any(|b| *b as usize == column);
            format!("{}{}", or_dash(value.as_deref()), if best { " *" } else { "" })
        }));
        table.add_row(row);
    }
    format!("{table}\n* best of its line · {}", rates_line(&comparison.fx))
}

/// The price history of one offer, oldest first.
pub fn history(details: &OfferDetails) -> String {
    let offer = &details.row.offer;
    let mut table = plain(&[("since", L), ("per hour", R), ("", L)]);
    for point in &details.history {
        table.add_row(vec![point.at.clone(), point.per_hour.clone(), point.currency.clone()]);
    }
    let now = metered(offer)
        .unwrap_or_else(|| format!("{} {} per hour", offer.price.per_hour, offer.price.currency));
    let page = match (&offer.rent_page, offer.rentable) {
        (Some(page), _) => format!("rented by hand at {page}\n"),
        (None, false) => "rented by hand, at the cloud itself\n".to_owned(),
        (None, true) => String::new(),
    };
    format!(
        "{} · {} · {}\nnow {now}, seen {}\n{page}{table}",
        offer.id,
        card(offer),
        details.origin,
        offer.seen_at
    )
}

/// What a refresh or an import did, feed by feed, with every reason rows were left out.
pub fn report(report: &RefreshReport) -> String {
    let mut table = plain(&[
        ("feed", L),
        ("rows", R),
        ("offers", R),
        ("not GPU", R),
        ("quarantined", R),
        ("price changes", R),
        ("written", R),
        ("seconds", R),
        ("", L),
    ]);
    let mut remarks = Vec::new();
    for feed in &report.feeds {
        let state = match &feed.error {
            Some(error) => format!("failed: {}", error.code),
            None if feed.unchanged => "unchanged".to_owned(),
            None => String::new(),
        };
        table.add_row(vec![
            feed.feed.clone(),
            feed.rows_read.to_string(),
            feed.offers.to_string(),
            feed.rows_not_gpu.to_string(),
            feed.quarantined.to_string(),
            feed.price_changes.to_string(),
            feed.rows_written.to_string(),
            format!("{:.2}", feed.seconds),
            state,
        ]);
        if let Some(error) = &feed.error {
            remarks.push(format!("{}: {}: {}", feed.feed, error.what, error.detail));
            remarks.extend(error.hint.iter().map(|hint| format!("  {hint}")));
        }
        for reason in &feed.reasons {
            remarks.push(format!(
                "{}: {} rows out, {}: {}",
                feed.feed, reason.count, reason.code, reason.example
            ));
        }
        remarks.extend(feed.notes.iter().map(|note| format!("{}: {note}", feed.feed)));
    }
    if remarks.is_empty() { table.to_string() } else { format!("{table}\n{}", remarks.join("\n")) }
}
