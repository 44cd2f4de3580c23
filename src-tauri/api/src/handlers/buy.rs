//! Rent or buy: the comparison, which is the JSON of the command line too, and its reports.

use gpudesk_core::buy::{
    self, BreakEven, MONTH_HOURS, Monthly, NoBreakEven, break_even, break_even_with, months_to_break_even,
    owned_per_hour, reserved_per_hour,
};
use gpudesk_core::gpu;
use gpudesk_engine::Desk;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use super::buy_file;
use super::buy_given::{Gathered, gather};
use super::buy_market::rents;
use super::buy_typed::model;
use super::rows::{self, cents, rounded, text, time};
use super::settings::shown_currency;
use crate::buy::{
    BuyAgainst, BuyAnswer, BuyBand, BuyChoices, BuyModel, BuyPart, BuyPlace, BuyPoint, BuyReportRequest,
    BuyRequest, BuySwing,
};
use crate::desk::ApiError;
use crate::spend::SpendReport;

/// Steps of the curve from no use to full use.
const STEPS: u32 = 50;

/// Renting against owning.
///
/// # Errors
/// `request-invalid`, naming the figure that cannot be; `not-found` for an offer that is not on the board.
pub async fn buy_compare(desk: &Desk, request: BuyRequest) -> Result<BuyAnswer, ApiError> {
    let known = desk.rates().await?;
    let currency = shown_currency(&request.currency, &known)?;
    let gpu = named(&request.gpu).map(model).transpose()?;
    let rents = rents(desk, gpu, named(&request.offer), currency).await?;
    let gathered = gather(&request, gpu, currency, &known, &rents)?;
    let mut answer = answer(&gathered);
    answer.as_of = time(desk.now());
    answer.currency = currency.to_string();
    answer.fx = rows::fx(&known, currency);
    Ok(answer)
}

/// A name that was said.
fn named(text: &Option<String>) -> Option<&str> {
    text.as_deref().map(str::trim).filter(|text| !text.is_empty())
}

/// What there is to choose from.
///
/// # Errors
/// None.
pub async fn buy_choices(_: &Desk, (): ()) -> Result<BuyChoices, ApiError> {
    let mut models: Vec<BuyModel> = gpu::table()
        .iter()
        .map(|model| BuyModel {
            name: model.name.to_owned(),
            priced: buy::purchase_price(model.name).is_some(),
        })
        .collect();
    models.sort_by_key(|model| !model.priced);
    let place = |price: &buy::PowerPrice| BuyPlace {
        place: price.place.to_owned(),
        name_en: price.name_en.to_owned(),
        name_ru: price.name_ru.to_owned(),
        per_kwh: text(price.per_kwh),
        currency: price.currency.to_string(),
        dated: price.dated.to_owned(),
    };
    Ok(BuyChoices { models, places: buy::power_prices().iter().map(place).collect() })
}

/// Writes a report to a file in the desk's folder, and opens it if asked to.
///
/// # Errors
/// As [`buy_compare`]; `request-invalid` for a form that is none; `internal` where the file cannot be written.
pub async fn buy_report(desk: &Desk, request: BuyReportRequest) -> Result<SpendReport, ApiError> {
    let answer = buy_compare(desk, request.buy).await?;
    let text = match request.form.as_str() {
        "csv" => buy_file::csv(&answer)?,
        "html" => buy_file::html(&answer, request.language == "ru"),
        other => {
            return Err(ApiError::new("request-invalid", "the report", format!("`{other}` is no form"))
                .with_hint("One of: csv, html."));
        }
    };
    let card = answer.gpu.as_deref().unwrap_or("cards").replace([' ', '(', ')'], "-").to_lowercase();
    let day = desk.now().date_naive();
    let path = desk.write_report(&format!("rent-or-buy-{card}-{day}.{}", request.form), &text).await?;
    if request.open {
        // A desktop that opens nothing is told where the file is all the same.
        desk.open_report(&path).await;
    }
    Ok(SpendReport { path: path.display().to_string() })
}

/// The comparison as CSV.
///
/// # Errors
/// `internal` where it cannot be put together.
pub fn buy_csv(answer: &BuyAnswer) -> Result<String, ApiError> {
    buy_file::csv(answer)
}

fn hours(value: Decimal) -> Option<f64> {
    value.round_dp(1).to_f64()
}

fn share(value: Decimal) -> Option<f64> {
    value.round_dp(3).to_f64()
}

fn answer(gathered: &Gathered) -> BuyAnswer {
    let Gathered { deal, utilisation, .. } = gathered;
    let mut answer = BuyAnswer {
        as_of: String::new(),
        currency: String::new(),
        fx: None,
        gpu: gathered.gpu.map(|model| model.name.to_owned()),
        count: gathered.count,
        monthly_cost_owned: None,
        break_even_hours_per_month: None,
        break_even_utilisation: None,
        needed_hours: None,
        reason: None,
        reason_code: None,
        month_hours: MONTH_HOURS,
        band: None,
        utilisation: utilisation.and_then(|share| share.to_f64()),
        break_even_months: None,
        resale_share: None,
        parts: Vec::new(),
        inputs: gathered.inputs.clone(),
        missing: gathered.missing.clone(),
        curve: curve(gathered),
        sensitivity: Vec::new(),
        against: Vec::new(),
    };
    if !gathered.missing.is_empty() {
        answer.reason = Some(format!("not known: {}", gathered.missing.join(", ")));
        answer.reason_code = Some("missing".to_owned());
        return answer;
    }
    let case = deal.stated();
    let found = break_even(&case);
    let month = Monthly::sold_after(&case, case.months());
    answer.monthly_cost_owned = Some(cents(month.total()));
    answer.break_even_hours_per_month = found.hours().ok().and_then(hours);
    answer.break_even_utilisation = found.utilisation().ok().and_then(share);
    answer.needed_hours = found.needed.and_then(hours);
    if let Err(why) = found.hours() {
        let (code, text) = no_break_even(why, found);
        (answer.reason_code, answer.reason) = (Some(code.to_owned()), Some(text));
    }
    answer.break_even_months = utilisation.and_then(|share| months_to_break_even(&case, share));
    answer.resale_share = case.share(case.months()).round_dp(4).to_f64();
    answer.parts = parts(&month);
    answer.band = Some(band(gathered));
    answer.sensitivity = buy::sensitivity(deal)
        .into_iter()
        .map(|swing| BuySwing {
            name: swing.input.word().to_owned(),
            low: rounded(swing.values.0),
            high: rounded(swing.values.1),
            low_hours: swing.break_even.0.needed.and_then(hours),
            high_hours: swing.break_even.1.needed.and_then(hours),
        })
        .collect();
    answer.against = against(gathered);
    answer
}

fn no_break_even(why: NoBreakEven, found: BreakEven) -> (&'static str, String) {
    match why {
        NoBreakEven::BeyondAMonth => {
            let needed = found.needed.unwrap_or_default().round_dp(1);
            let text = format!(
                "a month of owning costs as much as {needed} hours of rent, and a month has {MONTH_HOURS}: \
                 renting is cheaper however much is used"
            );
            ("beyond-a-month", text)
        }
        NoBreakEven::RentIsNothing => {
            ("rent-is-nothing", "the rent is nothing: no use makes up for owning".to_owned())
        }
    }
}

fn parts(month: &Monthly) -> Vec<BuyPart> {
    let Monthly { depreciation, capital, power, place, people, running } = *month;
    [
        ("depreciation", depreciation),
        ("capital", capital),
        ("power", power),
        ("place", place),
        ("people", people),
        ("running", running),
    ]
    .into_iter()
    .filter(|(_, amount)| !amount.is_zero())
    .map(|(name, amount)| BuyPart { name: name.to_owned(), amount: cents(amount) })
    .collect()
}

fn band(gathered: &Gathered) -> BuyBand {
    let band = buy::band(&gathered.deal, gathered.utilisation);
    BuyBand {
        low: band.low.utilisation().ok().and_then(share),
        high: band.high.utilisation().ok().and_then(share),
        low_hours: band.low.hours().ok().and_then(hours),
        high_hours: band.high.hours().ok().and_then(hours),
        low_months: band.months_low,
        high_months: band.months_high,
    }
}

/// What an hour that is used costs, from no use to full use.
fn curve(gathered: &Gathered) -> Vec<BuyPoint> {
    let Gathered { deal, .. } = gathered;
    let case = deal.stated();
    let rent = deal.figures.get(&buy::Input::Rent).map(|rent| rent.value);
    let owned = gathered.missing.iter().all(|name| name == buy::Input::Rent.word());
    (0..=STEPS)
        .map(|step| {
            let used = Decimal::from(step) / Decimal::from(STEPS);
            BuyPoint {
                utilisation: used.to_f64().unwrap_or_default(),
                owned_per_hour: owned_per_hour(&case, used).filter(|_| owned).map(rounded),
                rent_per_hour: rent.map(rounded),
                reserved_per_hour: gathered
                    .reserved
                    .and_then(|rent| reserved_per_hour(rent, used))
                    .map(rounded),
                spot_per_hour: gathered.spot.map(rounded),
            }
        })
        .collect()
}

/// Where owning meets each way to rent.
fn against(gathered: &Gathered) -> Vec<BuyAgainst> {
    let case = gathered.deal.stated();
    let on_demand = gathered.deal.figures.get(&buy::Input::Rent).map(|rent| rent.value);
    let of = |kind: &str, per_hour: Decimal| {
        let found = break_even_with(&case, per_hour).hours();
        BuyAgainst {
            kind: kind.to_owned(),
            per_hour: rounded(per_hour),
            hours: match (kind, found) {
                // All hours of a month are paid for: owning is cheaper always, or never.
                ("reserved", Ok(_)) => Some(0.0),
                (_, found) => found.ok().and_then(hours),
            },
        }
    };
    [("on-demand", on_demand), ("reserved", gathered.reserved), ("spot", gathered.spot)]
        .into_iter()
        .filter_map(|(kind, per_hour)| per_hour.map(|per_hour| of(kind, per_hour)))
        .collect()
}
