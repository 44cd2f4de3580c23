//! The one call: a search for asks of one kind within one band.

use std::time::Duration;

use chrono::{DateTime, Utc};
use gpudesk_core::offer::PriceKind;
use rust_decimal::Decimal;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::wire::Envelope;
use crate::http::{Answer, Base, Call, Http, Limits, Pace, Refusal, Retry, Verdict, redact};
use crate::source::{SourceError, SourceErrorCode};

/// What errors call it.
pub(super) const WHAT: &str = "Vast.ai offers";

/// Rows asked for at once. Without a limit the server gives 64 and does not say that there are more.
pub(super) const LIMIT: usize = 5000;

/// Disk in GB that the server counts into `dph_total`, by which it sorts and filters. Our price is `dph_base`.
const ALLOCATED_GB: u32 = 10;

/// The search allows ten calls a minute and address.
const PACE: Pace = Pace::per_minute("vast", 10);

/// A part of the market.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Band {
    pub kind: PriceKind,
    /// The server searches verified hosts only unless told otherwise, and takes one value a search.
    pub verified: bool,
    /// `dph_total` from here on.
    pub from: Option<Decimal>,
    /// `dph_total` below this.
    pub below: Option<Decimal>,
    /// Cards, both included.
    pub cards: Option<(u32, u32)>,
}

impl Band {
    fn body(&self) -> Value {
        let mut filters = Map::new();
        let mut add = |name: &str, filter: Value| filters.insert(name.to_owned(), filter);
        add("verified", json!({ "eq": self.verified }));
        add("rentable", json!({ "eq": true }));
        add("rented", json!({ "eq": false }));
        add("external", json!({ "eq": false }));
        add("type", json!(self.kind.word()));
        add("order", json!([["dph_total", "asc"]]));
        add("limit", json!(LIMIT));
        add("allocated_storage", json!(ALLOCATED_GB));
        let mut price = Map::new();
        for (operator, bound) in [("gte", self.from), ("lt", self.below)] {
            if let Some(number) = bound.and_then(as_json) {
                price.insert(operator.to_owned(), number);
            }
        }
        if !price.is_empty() {
            add("dph_total", Value::Object(price));
        }
        if let Some((least, most)) = self.cards {
            add("num_gpus", json!({ "gte": least, "lte": most }));
        }
        Value::Object(filters)
    }
}

/// A decimal as the nearest JSON number.
pub(super) fn as_json(bound: Decimal) -> Option<Value> {
    serde_json::from_str(&bound.normalize().to_string()).ok()
}

/// Searches a band.
pub(super) async fn search(http: &Http, base: &Base, band: &Band) -> Result<Answer, SourceError> {
    find(http, base, &band.body()).await
}

/// Searches by a whole body.
pub(super) async fn find(http: &Http, base: &Base, body: &Value) -> Result<Answer, SourceError> {
    let limits = Limits {
        // A row has some 3 KB.
        max_bytes: 128 * 1024 * 1024,
        total: Duration::from_secs(150),
        idle: Duration::from_secs(30),
        // The server names no wait when it is asked too often; ten a minute make one each six seconds.
        retry: Retry { first_wait: Duration::from_secs(3), ..Retry::default() },
    };
    let call = Call::ask(WHAT, base.join("/api/v0/bundles/")?, body)
        .expecting("JSON")
        .limits(limits)
        .pace(PACE)
        .explain(explain);
    http.read(&call).await
}

/// The rows of an answer, each still as its own JSON text.
pub(super) fn rows<'a>(
    answer: &Answer,
    text: &'a str,
    now: DateTime<Utc>,
) -> Result<Vec<&'a RawValue>, SourceError> {
    let envelope: Envelope<'a> = answer.parse(text)?;
    if envelope.success.flag() == Some(false) || envelope.offers.is_none() {
        let words: Vec<_> =
            [envelope.error, envelope.msg, envelope.detail].iter().filter_map(|part| part.text()).collect();
        if envelope.error.text().is_some_and(|code| code == QUOTA) {
            return Err(quota(WHAT, &words.join(": "), next_midnight(now)));
        }
        if !words.is_empty() {
            return Err(SourceError::new(SourceErrorCode::ProviderRefused, WHAT, words.join(": ")));
        }
    }
    match envelope.offers {
        Some(offers) => answer.parse(offers.get()),
        None => Err(answer.bad("JSON without the list of `offers`")),
    }
}

/// The error code of the daily search quota.
const QUOTA: &str = "search_quota_exceeded";

/// Two things answer 429: calls that come too close together, and the daily quota, for which a retry in seconds is
/// useless.
fn explain(refusal: &Refusal<'_>) -> Option<Verdict> {
    if refusal.status != 429 {
        return None;
    }
    let said: Value = serde_json::from_slice(refusal.body).ok()?;
    if said["error"] != QUOTA {
        return None;
    }
    let reset = refusal
        .headers
        .get("x-ratelimit-reset")
        .and_then(|value| value.to_str().ok()?.trim().parse::<f64>().ok())
        .and_then(|seconds| DateTime::from_timestamp(seconds as i64, 0))
        .filter(|reset| *reset > refusal.now);
    let words = said["msg"].as_str().unwrap_or(QUOTA);
    Some(Verdict::Fail(quota(refusal.what, words, reset.or_else(|| next_midnight(refusal.now)))))
}

fn quota(what: &str, words: &str, reset: Option<DateTime<Utc>>) -> SourceError {
    let words = redact::words(words);
    let mut error = SourceError::new(
        SourceErrorCode::RateLimited,
        what,
        format!("the daily quota of searches is used up: {words}"),
    )
    .hint("the quota starts anew at midnight UTC; until then the offers at hand stay in use");
    error.retry_at = reset;
    error
}

/// The quota starts anew at midnight UTC.
fn next_midnight(now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    Some(now.date_naive().succ_opt()?.and_hms_opt(0, 0, 0)?.and_utc())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_names_its_limit_and_overrides_what_the_server_would_assume() {
        let band = Band { kind: PriceKind::Bid, verified: false, from: None, below: None, cards: None };
        assert_eq!(
            band.body(),
            json!({"verified": {"eq": false}, "rentable": {"eq": true}, "rented": {"eq": false},
                   "external": {"eq": false}, "type": "bid", "order": [["dph_total", "asc"]], "limit": 5000,
                   "allocated_storage": 10})
        );
    }

    #[test]
    fn bounds_are_numbers() {
        let band = Band {
            kind: PriceKind::OnDemand,
            verified: true,
            from: Some("0.250".parse().unwrap()),
            below: Some("2".parse().unwrap()),
            cards: Some((3, 4)),
        };
        let body = band.body();
        assert_eq!(body["dph_total"], json!({"gte": 0.25, "lt": 2}));
        assert_eq!(body["num_gpus"], json!({"gte": 3, "lte": 4}));
        assert_eq!(body["type"], "on-demand");
    }
}
