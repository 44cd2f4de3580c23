//! The account: its credit, what was billed, and what lies about without a machine.

use std::borrow::Cow;
use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use gpudesk_core::money::Currency;
use gpudesk_core::terms::terms;
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::api::get;
use super::map::PROVIDER;
use super::pages;
use super::wire::{Credit, History, HistoryRow, Volume};
use crate::cloud::{Account, AccountFacts, Bill, CloudError, Leftover, Usage};
use crate::http::{Literal, redact};

/// Rows of a page of bills.
const PAGE: usize = 100;

/// The most pages of bills that are followed.
const MOST_PAGES: u64 = 50;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Me<'a> {
    #[serde(borrow)]
    user: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct User<'a> {
    #[serde(borrow)]
    email: Literal<'a>,
}

/// Credit and owner. A key does what the roles of its user allow, which is not told here.
pub(super) async fn check(account: &Account) -> Result<AccountFacts, CloudError> {
    let answer = get(account, "account", "/billing/user-credit/credit").await?;
    let text = answer.json_text();
    let told: Credit<'_> = answer.parse(&text)?;
    // That the name is not told costs nothing.
    let who = match get(account, "account", "/auth/me").await {
        Ok(answer) => {
            let text = answer.json_text();
            let me: Me<'_> = answer.parse(&text).unwrap_or_default();
            me.user.object::<User<'_>>().email.text().map(|mail| redact::words(&mail))
        }
        Err(_) => None,
    };
    let mut remarks = vec![
        "a public address costs 0.00672043 USD an hour beside the machine, also while it is hibernated"
            .to_owned(),
    ];
    if told.data.can_create_instance.flag() == Some(false) {
        remarks.push("Hyperstack says that this account can make no machine now".to_owned());
    }
    Ok(AccountFacts {
        who,
        balance: told.data.credit.amount(Currency::USD),
        may_read: Some(true),
        remarks,
        ..AccountFacts::unknown(Currency::USD)
    })
}

/// Disks that belong to no machine. They are billed like any other.
pub(super) async fn leftovers(account: &Account) -> Result<Vec<Leftover>, CloudError> {
    let all = pages::all(account, "volumes", "/core/volumes", |page| page.volumes.as_ref()).await?;
    let price = terms(PROVIDER).and_then(|terms| terms.storage_gb_month);
    let mut left = Vec::new();
    for row in &all.rows {
        let Ok(volume) = serde_json::from_str::<Volume<'_>>(row) else { continue };
        let attached: Vec<&RawValue> = volume.attachments.object();
        let (true, Some(id)) = (attached.is_empty(), volume.id.text()) else { continue };
        let gb = volume.size.decimal();
        let cost = gb.zip(price).and_then(|(gb, price)| gb.checked_mul(price));
        left.push(Leftover {
            what: "volume".to_owned(),
            remote_id: redact::words(&id),
            name: volume.name.text().map(|name| redact::words(&name)),
            size_gb: gb,
            per_month: cost.map(|cost| cost.normalize()),
            currency: Currency::USD,
        });
    }
    Ok(left)
}

/// What was billed for each machine in this time.
pub(super) async fn usage(
    account: &Account,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
) -> Result<Vec<Usage>, CloudError> {
    let doing = "usage";
    let stamp = |time: DateTime<Utc>| time.format("%Y-%m-%dT%H:%M:%S").to_string();
    let query = format!("start_date={}&end_date={}&per_page={PAGE}", stamp(from), stamp(to));
    let mut bill = Bill::new();
    for number in 1..=MOST_PAGES {
        let path = format!("/billing/billing/history/virtual-machine?{query}&page={number}");
        let answer = get(account, doing, &path).await?;
        let text = answer.json_text();
        let told: History<'_> = answer.parse(&text)?;
        let page = told.billing_history_vm.ok_or_else(|| answer.bad("JSON without `billing_history_vm`"))?;
        let rows = page.billing_history.unwrap_or_default();
        let charges: Option<Vec<_>> =
            rows.iter().map(|row| Some((identity(row), charge(row, from, to)?))).collect();
        let charges = charges.ok_or_else(|| answer.bad("a row of the bill without machine or amount"))?;
        let news = bill.page(charges);
        let total = page.total_count.whole();
        let last = page.pagination.pages.whole().is_none_or(|pages| pages <= number);
        if news && (!last || bill.lacks(total)) {
            continue;
        }
        // Where a full page comes again and nobody says how many rows there are, the next one may be missing.
        let unclear = !news && rows.len() >= PAGE && total.is_none();
        if unclear || bill.lacks(total) {
            let of = total.map_or_else(|| "more".to_owned(), |total| total.to_string());
            let words = format!("the pages of the bill hold {} of {of} rows", bill.counted());
            return Err(account.unreadable(doing, words));
        }
        return Ok(without_credits(bill.into_charges().collect()));
    }
    Err(account.unreadable(doing, format!("the bill has more than {MOST_PAGES} pages")))
}

/// The service has shown negative figures, and does not say what they are: of a machine with one, what was billed is not
/// known.
fn without_credits(used: Vec<Usage>) -> Vec<Usage> {
    let is_odd = |used: &&Usage| used.total < Decimal::ZERO;
    let odd: BTreeSet<String> = used.iter().filter(is_odd).map(|used| used.remote_id.clone()).collect();
    used.into_iter().filter(|used| !odd.contains(&used.remote_id)).collect()
}

/// What tells a row from others: a machine has one for each price it was billed at.
fn identity(row: &HistoryRow<'_>) -> [Option<String>; 4] {
    let of = &row.attributes;
    [of.id, of.infrahub_id, of.contract_id, row.metrics.price_per_hour]
        .map(|literal| literal.text().map(Cow::into_owned))
}

fn charge(row: &HistoryRow<'_>, from: DateTime<Utc>, to: DateTime<Utc>) -> Option<Usage> {
    Some(Usage {
        remote_id: row.attributes.infrahub_id.whole()?.to_string(),
        token: None,
        from,
        to,
        compute: None,
        storage: None,
        traffic: None,
        total: row.metrics.incurred_bill.money(Currency::USD)?,
        currency: Currency::USD,
    })
}
