//! What was billed for each machine: the lines of the invoices and those that wait for the next one
//! (<https://www.vultr.com/api/#tag/billing>). A line names no id. It names a machine by its label, which is the mark of
//! those that are ours, and still does so when the machine is gone.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use gpudesk_core::money::Currency;
use rust_decimal::Decimal;

use super::pages::Pick;
use super::rent::{all, machines};
use super::wire::{Invoice, Line};
use crate::cloud::{Account, CHANGED, CloudError, Usage, mark};
use crate::http::{Literal, redact};

const DOING: &str = "bills";

/// What tells a charge from others, whether it is billed yet or not.
type Charge = (Option<String>, Option<String>, Option<String>);

fn text(literal: Literal<'_>) -> Option<String> {
    literal.text().map(|text| redact::words(&text))
}

fn charge(line: &Line<'_>) -> Charge {
    (text(line.description), text(line.product), text(line.start_date))
}

/// A time as it stands in bills: with a blank in the middle, and in places without an offset, which is UTC then.
fn time(literal: Literal<'_>) -> Option<DateTime<Utc>> {
    let text = literal.text()?.replacen(' ', "T", 1);
    let parsed =
        DateTime::parse_from_rfc3339(&text).or_else(|_| DateTime::parse_from_rfc3339(&format!("{text}Z")));
    parsed.ok().map(|time| time.to_utc())
}

/// The label of the machine that a line is of.
fn label(line: &Line<'_>) -> Option<String> {
    let description = line.description.text()?;
    let (_, label) = description.trim_end().strip_suffix(']')?.split_once('[')?;
    Some(redact::words(label)).filter(|label| !label.is_empty())
}

/// Every row of a list. Part of a bill is no bill.
async fn whole(account: &Account, path: &str, pick: Pick) -> Result<Vec<String>, CloudError> {
    let rows = all(account, DOING, path, pick).await?;
    match rows.complete {
        true => Ok(rows.rows),
        false => Err(account.unreadable(DOING, "pages of the bill are missing")),
    }
}

fn line<'a>(account: &Account, row: &'a str) -> Result<Line<'a>, CloudError> {
    serde_json::from_str(row)
        .map_err(|error| account.unreadable(DOING, format!("not a line of a bill: {error}")))
}

/// The lines of everything billed from this time on, each once.
async fn lines(account: &Account, from: DateTime<Utc>) -> Result<BTreeSet<String>, CloudError> {
    let (mut lines, mut billed) = (BTreeSet::new(), BTreeSet::new());
    for row in whole(account, "/billing/invoices", |page| page.billing_invoices.as_ref()).await? {
        let invoice: Invoice<'_> = serde_json::from_str(&row).unwrap_or_default();
        // One of before bills nothing of after.
        if time(invoice.date).is_some_and(|date| date < from) {
            continue;
        }
        let id = invoice.id.whole().ok_or_else(|| account.unreadable(DOING, "an invoice without an id"))?;
        let path = format!("/billing/invoices/{id}/items");
        for row in whole(account, &path, |page| page.invoice_items.as_ref()).await? {
            billed.insert(charge(&line(account, &row)?));
            lines.insert(row);
        }
    }
    for row in whole(account, "/billing/pending-charges", |page| page.pending_charges.as_ref()).await? {
        // What an invoice has taken in may still stand here for a while.
        if !billed.contains(&charge(&line(account, &row)?)) {
            lines.insert(row);
        }
    }
    Ok(lines)
}

/// What was billed for each machine in lines that lie in this time at least in part.
pub(super) async fn usage(
    account: &Account,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
) -> Result<Vec<Usage>, CloudError> {
    let mut labels: BTreeMap<String, Usage> = BTreeMap::new();
    let mut charges = BTreeSet::new();
    for row in lines(account, from).await? {
        let line = line(account, &row)?;
        let Some(label) = label(&line) else { continue };
        let total = line.total.money(Currency::USD);
        let total =
            total.ok_or_else(|| account.unreadable(DOING, "a line of a machine without an amount"))?;
        // A credit stands beside its charge.
        if !charges.insert((total < Decimal::ZERO, charge(&line))) {
            return Err(account.unreadable(DOING, CHANGED));
        }
        let start = time(line.start_date).unwrap_or(from);
        let end = time(line.end_date).unwrap_or(to).max(start);
        if end < from || start > to {
            continue;
        }
        let known = labels.entry(label.clone()).or_insert_with(|| Usage {
            remote_id: String::new(),
            token: mark(&label),
            from: start,
            to: end,
            compute: None,
            storage: None,
            traffic: None,
            total: Decimal::ZERO,
            currency: Currency::USD,
        });
        known.from = known.from.min(start);
        known.to = known.to.max(end);
        known.total = known.total.saturating_add(total).normalize();
    }
    named(account, labels).await
}

/// The machines of these labels. Of one that is not marked only the list knows which it is, as long as it is there and
/// no other has its label.
async fn named(account: &Account, labels: BTreeMap<String, Usage>) -> Result<Vec<Usage>, CloudError> {
    let listed = match labels.values().all(|usage| usage.token.is_some()) {
        true => Vec::new(),
        false => machines(account).await?.machines,
    };
    let id = |label: &str| {
        let mut of = listed.iter().filter(|machine| machine.name.as_deref() == Some(label));
        of.next().filter(|_| of.next().is_none()).map(|machine| machine.remote_id.clone())
    };
    let rows = labels.into_iter().filter_map(|(label, mut usage)| {
        if usage.token.is_none() {
            usage.remote_id = id(&label)?;
        }
        Some(usage)
    });
    Ok(rows.collect())
}
