//! What was spent: the page of the window, which is the JSON of the command line too, and the reports.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use gpudesk_core::money::Currency;
use gpudesk_core::spend::{By, Period, PeriodKind, Row, Table, Tally};
use gpudesk_engine::{DaySpending, Desk, Saving, Spending, Waste};
use rust_decimal::Decimal;

use super::ledger_file;
use super::rental_shape::amount;
use super::rows::{self, cents, provider_title, rounded, time};
use super::settings::shown_currency;
use crate::desk::ApiError;
use crate::spend::{
    DayAmount, MoneyDto, RangeDto, RateLater, SavingDto, SpendDay, SpendDifference, SpendPage, SpendReport,
    SpendReportRequest, SpendRequest, SpendRow, WasteDto,
};

/// The longest period: three years and the rest of a fourth.
const MOST_DAYS: i64 = 4 * 366;

/// What was spent, what is wasted, what it will come to.
///
/// # Errors
/// `request-invalid` for days that are none, `settings-invalid` for a currency without a rate, `database`.
pub async fn spend_page(desk: &Desk, request: SpendRequest) -> Result<SpendPage, ApiError> {
    let by: By = request.by.parse().map_err(|_| {
        wrong("what is summed", format!("`{}` is nothing to sum by", request.by))
            .with_hint("One of: provider, project, owner, gpu, rental.")
    })?;
    let period = period(&request, desk)?;
    let currency = shown_currency(&request.currency, &desk.rates().await?)?;
    let spending = desk.spending(period, by, currency).await?;
    Ok(page(&spending, period, by, currency, desk))
}

/// Writes a report to a file in the desk's folder, and opens it if asked to.
///
/// # Errors
/// As [`spend_page`]; `request-invalid` for a form that is none; `internal` where the file cannot be written.
pub async fn spend_report(desk: &Desk, request: SpendReportRequest) -> Result<SpendReport, ApiError> {
    let page = spend_page(desk, request.spend).await?;
    let text = match request.form.as_str() {
        "csv" => ledger_file::csv(&page)?,
        "html" => ledger_file::html(&page),
        other => {
            return Err(wrong("the report", format!("`{other}` is no form")).with_hint("One of: csv, html."));
        }
    };
    let name = format!("spend-{}-{}-by-{}.{}", page.from, page.to, page.by, request.form);
    let path = desk.write_report(&name, &text).await?;
    if request.open {
        // A desktop that opens nothing is told where the file is all the same.
        desk.open_report(&path).await;
    }
    Ok(SpendReport { path: path.display().to_string() })
}

/// The lines of a page as CSV.
///
/// # Errors
/// `internal` where they cannot be put together.
pub fn spend_csv(page: &SpendPage) -> Result<String, ApiError> {
    ledger_file::csv(page)
}

fn wrong(what: &str, detail: String) -> ApiError {
    ApiError::new("request-invalid", what, detail)
}

fn period(request: &SpendRequest, desk: &Desk) -> Result<Period, ApiError> {
    let day = |text: &Option<String>| {
        let read = |text: &String| {
            text.trim().parse::<NaiveDate>().map_err(|_| {
                wrong("the period", format!("`{text}` is no day")).with_hint("Write it as 2026-11-30.")
            })
        };
        text.as_ref().filter(|text| !text.trim().is_empty()).map(read).transpose()
    };
    let (from, to) = (day(&request.from)?, day(&request.to)?);
    let of_month =
        |day: NaiveDate| Period::around(PeriodKind::Month, day.and_time(chrono::NaiveTime::MIN).and_utc());
    let first =
        from.unwrap_or_else(|| of_month(to.unwrap_or_else(|| desk.now().date_naive())).from.date_naive());
    let last = to.unwrap_or_else(|| (of_month(first).to - chrono::TimeDelta::days(1)).date_naive());
    let period = Period::of_days(first, last)
        .ok_or_else(|| wrong("the period", format!("it would end on {last}, before it begins on {first}")))?;
    if (period.to - period.from).num_days() > MOST_DAYS {
        return Err(wrong("the period", "it is longer than four years".to_owned()));
    }
    Ok(period)
}

fn page(spending: &Spending, period: Period, by: By, currency: Currency, desk: &Desk) -> SpendPage {
    let total = &spending.table.total;
    let waste: Vec<WasteDto> = spending.waste.iter().map(waste).collect();
    let wasted: Decimal = spending.waste.iter().filter_map(|waste| waste.amount).sum();
    let forecast = spending.to_come.map(|more| RangeDto {
        low: cents(total.low() + more.low),
        high: total.high().map(|high| cents(high + more.high)),
    });
    SpendPage {
        as_of: time(desk.now()),
        currency: currency.to_string(),
        fx: rows::fx(&spending.rates, currency),
        fx_later: later(&spending.table),
        from: period.from.date_naive().to_string(),
        to: (period.to - chrono::TimeDelta::days(1)).date_naive().to_string(),
        by: by.to_string(),
        rows: spending.table.rows.iter().map(|row| line(row, by, &spending.idle)).collect(),
        total: range(total),
        burning_per_hour: spending.burning.per_hour.map(rounded),
        burning: count(spending.burning.machines),
        burning_unmanaged: spending.burning.unmanaged.map(count),
        blind: desk.blind_accounts().into_iter().map(|blind| blind.account).collect(),
        forecast,
        days: spending.days.iter().map(day).collect(),
        waste,
        waste_total: cents(wasted),
        savings: spending.savings.iter().map(saving).collect(),
        unconverted: spending
            .table
            .unconverted
            .iter()
            .map(|(currency, sum)| MoneyDto { currency: currency.to_string(), amount: cents(*sum) })
            .collect(),
    }
}

/// The rates that stand for days before their own.
fn later(table: &Table) -> Vec<RateLater> {
    let later = table.later.iter().filter_map(|(currency, quote)| {
        let (source, date) = quote.quoted.origin?;
        let (currency, source) = (currency.to_string(), source.name().to_owned());
        Some(RateLater { currency, source, date: date.to_string() })
    });
    later.collect()
}

fn count(number: usize) -> u32 {
    number.try_into().unwrap_or(u32::MAX)
}

fn range(tally: &Tally) -> RangeDto {
    RangeDto { low: cents(tally.low()), high: tally.high().map(cents) }
}

fn line(row: &Row, by: By, idle: &BTreeMap<String, f64>) -> SpendRow {
    let tally = &row.tally;
    SpendRow {
        key: row.key.clone(),
        title: if by == By::Provider { provider_title(&row.key) } else { row.key.clone() },
        compute: cents(tally.compute),
        disk: cents(tally.disk),
        disk_stopped: cents(tally.disk_stopped),
        traffic: RangeDto { low: cents(tally.traffic_low), high: tally.traffic_high.map(cents) },
        total: range(tally),
        idle_share: idle.get(&row.key).copied(),
        billed: row.billed.map(cents),
        difference: row
            .differences
            .iter()
            .map(|d| SpendDifference { kind: d.kind.to_string(), amount: cents(d.amount) })
            .collect(),
        rentals: count(row.rentals),
        partial: tally.is_partial,
    }
}

fn day(day: &DaySpending) -> SpendDay {
    let amounts = |of: &BTreeMap<String, Decimal>| {
        of.iter().map(|(key, sum)| DayAmount { key: key.clone(), amount: amount(*sum) }).collect()
    };
    SpendDay {
        date: day.day.from.date_naive().to_string(),
        spent: amounts(&day.spent),
        to_come: amounts(&day.to_come),
    }
}

fn waste(waste: &Waste) -> WasteDto {
    WasteDto {
        kind: waste.kind.to_owned(),
        name: waste.name.clone(),
        rental: waste.rental.clone(),
        account: waste.stranger.as_ref().map(|(account, _)| account.clone()),
        remote_id: waste.stranger.as_ref().map(|(_, id)| id.clone()),
        amount: waste.amount.map(cents),
        per_month: waste.per_month.map(cents),
        hours: waste.hours,
        since: waste.since.map(time),
        remedy: waste.remedy.to_owned(),
    }
}

fn saving(saving: &Saving) -> SavingDto {
    let offer = &saving.offer;
    let card = offer.gpu.model.as_deref().unwrap_or(&offer.gpu.raw_name);
    let place = offer.place.country.as_ref().map(|country| format!(" {country}")).unwrap_or_default();
    SavingDto {
        kind: saving.kind.to_owned(),
        name: saving.name.clone(),
        rental: saving.rental.clone(),
        offer: offer.id.clone(),
        title: format!("{}× {card} · {}{place}", offer.gpu.count, provider_title(&offer.provider)),
        amount: cents(saving.amount),
        hours: saving.hours,
        risks: saving.risks.iter().map(|risk| (*risk).to_owned()).collect(),
    }
}
