//! Exchange rates of the European Central Bank and the Bank of Russia. Both are free and keyless, and both are kept
//! as published: a sheet that looks broken never replaces the one at hand.

mod cbr;
mod document;
mod ecb;
mod sheet;

use std::time::Duration;

use chrono::{DateTime, Utc};
use gpudesk_core::money::RateSheet;
use reqwest::header::{HeaderValue, USER_AGENT};

use crate::http::{Base, Call, Http, Limits};
use crate::source::{SourceConfig, SourceError};

/// How often to look. Both banks set one sheet a working day (ECB about 16:00 CET, see
/// <https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates/>; Bank of Russia in the
/// afternoon, Moscow time), so a look every six hours is never far behind.
pub const POLL_EVERY: Duration = Duration::from_secs(6 * 3600);

/// The daily documents have 10 KB; whatever has a megabyte is something else.
const MAX_BYTES: u64 = 1024 * 1024;

/// The address of the European Central Bank (`GPUDESK_ECB_URL` replaces it).
#[must_use]
pub fn ecb_base(config: &SourceConfig) -> Base {
    config.base("ecb", "https://www.ecb.europa.eu")
}

/// The address of the Bank of Russia (`GPUDESK_CBR_URL` replaces it).
#[must_use]
pub fn cbr_base(config: &SourceConfig) -> Base {
    config.base("cbr", "https://www.cbr.ru")
}

/// The euro reference rates of the last working day.
///
/// # Errors
/// What went wrong, or why the sheet is not believed (see [`fetch_cbr`]); `previous` then stays the newest.
pub async fn fetch_ecb(
    http: &Http,
    base: &Base,
    now: DateTime<Utc>,
    previous: Option<&RateSheet>,
) -> Result<RateSheet, SourceError> {
    let call = call("ECB exchange rates", base, "/stats/eurofxref/eurofxref-daily.xml")?;
    let answer = http.read(&call).await?;
    let text = document::decode(&answer.body, answer.content_type.as_deref());
    let sheet = ecb::parse(&text, now).map_err(|reason| answer.bad(reason))?;
    sheet::believe(&sheet, previous, now).map_err(|reason| answer.bad(reason).hint(KEPT))?;
    Ok(sheet)
}

/// The latest official rates of the Bank of Russia; in the afternoon they are already tomorrow's.
///
/// # Errors
/// What went wrong, or why the sheet is not believed: fewer than ten rates, no dollar, a rate that is not positive, a
/// main rate more than 30 % away from `previous`, a date before `previous` or far ahead. `previous` then stays the
/// newest.
pub async fn fetch_cbr(
    http: &Http,
    base: &Base,
    now: DateTime<Utc>,
    previous: Option<&RateSheet>,
) -> Result<RateSheet, SourceError> {
    // Without something that looks like a browser the site answers some clients with 403.
    let agent = HeaderValue::from_static(concat!(
        "Mozilla/5.0 (compatible; GPU-Desk/",
        env!("CARGO_PKG_VERSION"),
        ")"
    ));
    let call =
        call("Bank of Russia exchange rates", base, "/scripts/XML_daily.asp")?.header(USER_AGENT, agent);
    let answer = http.read(&call).await?;
    let text = document::decode(&answer.body, answer.content_type.as_deref());
    let sheet = cbr::parse(&text, now).map_err(|reason| answer.bad(reason))?;
    sheet::believe(&sheet, previous, now).map_err(|reason| answer.bad(reason).hint(KEPT))?;
    Ok(sheet)
}

const KEPT: &str = "the rates at hand stay in use, with their date; refresh again later";

fn call(what: &str, base: &Base, path: &str) -> Result<Call, SourceError> {
    let limits = Limits { max_bytes: MAX_BYTES, ..Limits::default() };
    Ok(Call::get(what, base.join(path)?).expecting("an XML document").limits(limits))
}
