//! What was billed for each resource: the charges of the FinOps API
//! (<https://www.scaleway.com/en/docs/billing/api-cli/retrieve-finops-data/>). They are reckoned apart from the invoices and
//! may differ from them by cents. A charge names its resource by the bare id, without a zone, and where the product tells
//! it by name too, which is the mark of a machine of ours and of its disk.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, SecondsFormat, Utc};
use gpudesk_core::money::Currency;
use rust_decimal::Decimal;
use url::form_urlencoded::byte_serialize;

use super::api::{MOST_PAGES, get};
use super::wire::{Charge, Charges, Money};
use crate::cloud::{Account, CHANGED, CloudError, Usage, iso, mark, without_figures};
use crate::http::{Literal, redact};

const DOING: &str = "charges";

const NANOS_IN_UNIT: Decimal = Decimal::from_parts(1_000_000_000, 0, 0, false, 0);

/// What was billed for each resource of the project in this time, of which the service cuts the charges to the part that
/// lies in it. That a resource is no machine is not told: those rows are of ids that no machine has.
pub(super) async fn usage(
    account: &Account,
    project: &str,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
) -> Result<Vec<Usage>, CloudError> {
    let mut resources: BTreeMap<(String, Option<String>, Currency), Usage> = BTreeMap::new();
    let mut told = BTreeSet::new();
    for row in charges(account, project, from, to).await? {
        let charge: Charge<'_> = serde_json::from_str(&row)
            .map_err(|error| account.unreadable(DOING, format!("not a charge: {error}")))?;
        let id = charge.resource_id.text().map(|id| redact::words(&id)).unwrap_or_default();
        let token = charge.resource_name.text().and_then(|name| mark(&name));
        if id.is_empty() && token.is_none() {
            continue;
        }
        let (total, currency) = money(charge.price)
            .ok_or_else(|| account.unreadable(DOING, "a charge without an amount in a known currency"))?;
        // A credit stands beside its charge.
        let is_credit = total < Decimal::ZERO;
        if !told.insert((currency, is_credit, without_figures(&row, &["price", "end_date"]))) {
            return Err(account.unreadable(DOING, CHANGED));
        }
        let start = iso(charge.start_date).unwrap_or(from);
        let end = iso(charge.end_date).unwrap_or(to).max(start);
        let known = resources.entry((id.clone(), token.clone(), currency)).or_insert_with(|| Usage {
            remote_id: id,
            token,
            from: start,
            to: end,
            compute: None,
            storage: None,
            traffic: None,
            total: Decimal::ZERO,
            currency,
        });
        known.from = known.from.min(start);
        known.to = known.to.max(end);
        known.total = known.total.saturating_add(total).normalize();
    }
    Ok(resources.into_values().collect())
}

/// The charges as they stand on the wire, each once. Part of a bill is no bill.
async fn charges(
    account: &Account,
    project: &str,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
) -> Result<BTreeSet<String>, CloudError> {
    let escaped = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
    let date = |time: DateTime<Utc>| escaped(&time.to_rfc3339_opts(SecondsFormat::Secs, true));
    let path = format!(
        "/billing/v2beta1/charges?project_ids={}&start_date_after={}&end_date_before={}&clamp_to_time_range=true&page_size=100",
        escaped(project),
        date(from),
        date(to),
    );
    let (mut all, mut seen) = (BTreeSet::new(), BTreeSet::new());
    let mut after = String::new();
    for _ in 0..MOST_PAGES {
        let answer = get(account, DOING, &format!("{path}{after}")).await?;
        let text = answer.json_text();
        let page: Charges<'_> = answer.parse(&text)?;
        let rows = page.charges.ok_or_else(|| answer.bad("JSON without `charges`"))?;
        all.extend(rows.iter().map(|row| row.get().to_owned()));
        let total = page.total_count.whole().unwrap_or(0);
        match page.next_page_token.text() {
            None if (all.len() as u64) < total => {
                let words = format!("the pages hold {} of {total} charges", all.len());
                return Err(account.unreadable(DOING, words));
            }
            None => return Ok(all),
            // A token that comes again leads round in a circle.
            Some(token) if !seen.insert(token.to_string()) => break,
            Some(token) => after = format!("&page_token={}", escaped(&token)),
        }
    }
    Err(account.unreadable(DOING, "the list of charges does not end"))
}

/// Whole units and billionths of one, which are below zero together.
fn money(price: Literal<'_>) -> Option<(Decimal, Currency)> {
    let price: Money<'_> = price.object();
    let currency = price.currency_code.text()?.parse().ok()?;
    let part = |literal: Literal<'_>| match literal.raw() {
        None => Some(Decimal::ZERO),
        Some(_) => literal.decimal(),
    };
    if price.units.raw().is_none() && price.nanos.raw().is_none() {
        return None;
    }
    let nanos = part(price.nanos)?.checked_div(NANOS_IN_UNIT)?;
    Some((part(price.units)?.checked_add(nanos)?.normalize(), currency))
}
