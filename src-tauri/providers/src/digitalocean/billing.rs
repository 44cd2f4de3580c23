//! What was billed for each Droplet: the lines of the invoices, the one of the running month included
//! (<https://docs.digitalocean.com/reference/api/digitalocean/#tag/Billing>). The running month's is a preview, which is
//! changed until the month is over and lags behind.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Datelike, Utc};
use gpudesk_core::money::Currency;
use rust_decimal::Decimal;

use super::api::{self, PACE, number, refused, rows};
use super::wire::{Invoice, InvoiceItem, Invoices};
use crate::cloud::{Account, CHANGED, CloudError, Usage, iso, without_figures};
use crate::http::{Literal, redact};

const DOING: &str = "invoices";

/// The invoices whose month the time from `from` to `to` touches, each once: their ids.
async fn invoices(
    account: &Account,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
) -> Result<BTreeSet<String>, CloudError> {
    let path = "/v2/customers/my/invoices";
    let month = |time: DateTime<Utc>| format!("{:04}-{:02}", time.year(), time.month());
    let (first, last) = (month(from), month(to));
    let wanted = |period: &str| first.as_str() <= period && period <= last.as_str();
    let text = |literal: Literal<'_>| literal.text().map(|text| redact::words(&text));
    let told = |invoice: Invoice<'_>| Some((text(invoice.invoice_uuid)?, text(invoice.invoice_period)?));
    let all = rows(account, DOING, (path, "invoices"), PACE).await.map_err(refused)?;
    whole(account, &all)?;
    let (mut ids, mut closed) = (BTreeSet::new(), BTreeSet::new());
    for row in &all.rows {
        let invoice: Invoice<'_> = serde_json::from_str(row.get()).unwrap_or_default();
        let (id, period) =
            told(invoice).ok_or_else(|| account.unreadable(DOING, "an invoice without id or month"))?;
        if wanted(&period) {
            ids.insert(id);
        }
        closed.insert(period);
    }
    // The preview of a month which has its invoice already would count it twice.
    let list: Invoices<'_> = serde_json::from_str(&all.first).unwrap_or_default();
    let preview = list.invoice_preview.and_then(told);
    ids.extend(preview.filter(|(_, period)| wanted(period) && !closed.contains(period)).map(|(id, _)| id));
    Ok(ids)
}

/// Part of a bill is no bill.
fn whole(account: &Account, all: &api::Rows) -> Result<(), CloudError> {
    match all.total {
        _ if !all.ended => Err(account.unreadable(DOING, "the list has no end")),
        Some(total) if all.counted < total => {
            let words = format!("the pages hold {} of {total} rows", all.counted);
            Err(account.unreadable(DOING, words))
        }
        _ => Ok(()),
    }
}

/// What was billed for each Droplet in the months that this time touches, of the lines that lie in it at least in part.
pub(super) async fn usage(
    account: &Account,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
) -> Result<Vec<Usage>, CloudError> {
    let mut droplets: BTreeMap<u64, Usage> = BTreeMap::new();
    for id in invoices(account, from, to).await? {
        let path = format!("/v2/customers/my/invoices/{}", account.id(DOING, &id)?);
        let all = rows(account, DOING, (&path, "invoice_items"), PACE).await.map_err(refused)?;
        whole(account, &all)?;
        // A line that stands there twice, as where pages moved under the reader, is one charge.
        let lines: BTreeSet<&str> = all.rows.iter().map(|row| row.get()).collect();
        let mut charges = BTreeSet::new();
        for line in lines {
            let item: InvoiceItem<'_> = serde_json::from_str(line)
                .map_err(|error| account.unreadable(DOING, format!("not a line of an invoice: {error}")))?;
            let Some(droplet) = droplet(&item) else { continue };
            let billed = billed(&item, droplet, (from, to))
                .ok_or_else(|| account.unreadable(DOING, "a line of a Droplet without an amount"))?;
            // A credit stands beside its charge.
            let is_credit = billed.total < Decimal::ZERO;
            if !charges.insert((is_credit, without_figures(line, &["amount", "duration", "end_time"]))) {
                return Err(account.unreadable(DOING, CHANGED));
            }
            if billed.to < from || billed.from > to {
                continue;
            }
            match droplets.get_mut(&droplet) {
                Some(known) => add(known, &billed),
                None => {
                    droplets.insert(droplet, billed);
                }
            }
        }
    }
    Ok(droplets.into_values().collect())
}

/// The Droplet that a line is of. Images and snapshots have numbers too, so the product must say that it is one.
fn droplet(item: &InvoiceItem<'_>) -> Option<u64> {
    let product = item.product.text()?.to_ascii_lowercase();
    number(item.resource_id).filter(|_| product.contains("droplet"))
}

fn billed(item: &InvoiceItem<'_>, droplet: u64, (from, to): (DateTime<Utc>, DateTime<Utc>)) -> Option<Usage> {
    let total = item.amount.money(Currency::USD)?;
    let product = item.product.text().unwrap_or_default().to_ascii_lowercase();
    let backup = product.contains("backup") || product.contains("snapshot");
    let start = iso(item.start_time).unwrap_or(from);
    Some(Usage {
        remote_id: droplet.to_string(),
        token: None,
        from: start,
        to: iso(item.end_time).unwrap_or(to).max(start),
        // The disk is in the price of the machine.
        compute: Some(if backup { Decimal::ZERO } else { total }),
        storage: Some(if backup { total } else { Decimal::ZERO }),
        // Above the allowance it is billed to the team, not to a machine.
        traffic: None,
        total,
        currency: Currency::USD,
    })
}

fn add(droplet: &mut Usage, line: &Usage) {
    let sum = |a: Option<Decimal>, b: Option<Decimal>| a.zip(b).map(|(a, b)| a.saturating_add(b));
    droplet.from = droplet.from.min(line.from);
    droplet.to = droplet.to.max(line.to);
    droplet.compute = sum(droplet.compute, line.compute);
    droplet.storage = sum(droplet.storage, line.storage);
    droplet.total = droplet.total.saturating_add(line.total);
}
