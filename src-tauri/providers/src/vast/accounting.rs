//! The money side of an account: balance, price rises, charges.

use std::borrow::Cow;
use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use gpudesk_core::money::{Currency, kept};
use gpudesk_core::rental::{Machine, Notice};
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use url::form_urlencoded::byte_serialize;

use super::rent::LIST;
use super::said::{Said, refused};
use crate::cloud::{Account, AccountFacts, Bill, CloudError, Usage, epoch};
use crate::http::{Literal, redact};

#[derive(Debug, Deserialize)]
struct User<'a> {
    #[serde(borrow, default)]
    email: Literal<'a>,
    /// What was paid in and is left.
    #[serde(borrow, default)]
    credit: Literal<'a>,
    #[serde(borrow, default)]
    balance: Literal<'a>,
}

/// Who the key is (<https://docs.vast.ai/api-reference/accounts/show-user>).
pub(super) async fn check(account: &Account) -> Result<AccountFacts, CloudError> {
    let doing = "account";
    let answer = account.get(doing, "/api/v0/users/current/", LIST).await.map_err(refused)?;
    let text = answer.json_text();
    let user: User<'_> = answer.parse(&text)?;
    if let Some(said) = Said::of(&answer.body).filter(|said| said.success == Some(false)) {
        return Err(said.refusal(account.what(doing)));
    }
    Ok(AccountFacts {
        who: user.email.text().map(|email| redact::words(&email)),
        balance: user.credit.money(Currency::USD).or_else(|| user.balance.money(Currency::USD)),
        ..AccountFacts::unknown(Currency::USD)
    })
}

#[derive(Debug, Deserialize)]
struct Rises<'a> {
    #[serde(borrow, default)]
    pending_price_increases: Option<Vec<Rise<'a>>>,
}

#[derive(Debug, Deserialize)]
struct Rise<'a> {
    #[serde(borrow, default)]
    contract_id: Literal<'a>,
    /// USD a second.
    #[serde(borrow, default)]
    new_gpu_costpersec: Literal<'a>,
    /// Epoch seconds: the new price holds from the end of the running contract on.
    #[serde(borrow, default)]
    contract_end_date: Literal<'a>,
}

/// Adds the price rises that hosts have proposed. That they cannot be read costs nothing but their notice.
pub(super) async fn price_rises(account: &Account, machines: &mut [Machine]) {
    let Ok(answer) = account.glance("price rises", "/api/v0/instances/pending-price-increases/", LIST).await
    else {
        return;
    };
    let text = answer.json_text();
    let Ok(Rises { pending_price_increases: Some(rises) }) = answer.parse::<Rises<'_>>(&text) else { return };
    for rise in rises {
        let (Some(contract), Some(a_second)) =
            (rise.contract_id.text(), rise.new_gpu_costpersec.amount(Currency::USD))
        else {
            continue;
        };
        let Some(per_hour) = a_second.checked_mul(Decimal::from(3600)).map(kept) else {
            continue;
        };
        if let Some(machine) = machines.iter_mut().find(|machine| machine.remote_id == contract) {
            machine.notices.push(Notice::PriceRise { per_hour, from: epoch(rise.contract_end_date) });
        }
    }
}

#[derive(Debug, Deserialize)]
struct Charges<'a> {
    #[serde(borrow, default)]
    success: Literal<'a>,
    #[serde(borrow, default)]
    results: Option<Vec<&'a RawValue>>,
    /// Contracts on all pages.
    #[serde(borrow, default)]
    total: Literal<'a>,
    #[serde(borrow, default)]
    next_token: Literal<'a>,
}

#[derive(Debug, Deserialize)]
struct Charge<'a> {
    #[serde(borrow, default)]
    start: Literal<'a>,
    #[serde(borrow, default)]
    end: Literal<'a>,
    /// `instance-12345678`.
    #[serde(borrow, default)]
    source: Literal<'a>,
    #[serde(borrow, default)]
    amount: Literal<'a>,
    #[serde(borrow, default)]
    items: Option<Vec<Item<'a>>>,
}

#[derive(Debug, Deserialize)]
struct Item<'a> {
    /// `gpu`, `disk`, `bwd`, `bwu`.
    #[serde(borrow, default, rename = "type")]
    kind: Literal<'a>,
    #[serde(borrow, default)]
    amount: Literal<'a>,
}

/// The most pages of charges that are read.
const MOST_PAGES: u32 = 100;

/// What was charged for instances (<https://docs.vast.ai/api-reference/billing/show-charges>).
pub(super) async fn usage(
    account: &Account,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
) -> Result<Vec<Usage>, CloudError> {
    let doing = "charges";
    let filters = json!({
        "day": {"gte": from.timestamp(), "lte": to.timestamp()},
        "type": {"in": ["instance"]},
    });
    let filters: String = byte_serialize(filters.to_string().as_bytes()).collect();
    let mut bill = Bill::new();
    let mut after = String::new();
    for _ in 0..MOST_PAGES {
        let path = format!("/api/v0/charges/?select_filters={filters}&limit=500&format=table{after}");
        let answer = account.get(doing, &path, LIST).await.map_err(refused)?;
        let text = answer.json_text();
        let page: Charges<'_> = answer.parse(&text)?;
        if page.success.flag() == Some(false) {
            return Err(Said::of(&answer.body).unwrap_or_default().refusal(account.what(doing)));
        }
        let Some(rows) = page.results else {
            return Err(answer.bad("JSON without the list of `results`").into());
        };
        let (none, mut here) = (rows.is_empty(), Vec::new());
        for row in rows {
            let charge: Charge<'_> = answer.parse(row.get())?;
            let used =
                used(&charge, from, to).ok_or_else(|| answer.bad("a charge without source or amount"))?;
            // There is a row for each contract.
            here.push(((used.remote_id.clone(), charge.start.text().map(Cow::into_owned)), used));
        }
        let news = bill.page(here);
        let next = page.next_token.text().map(|token| byte_serialize(token.as_bytes()).collect::<String>());
        match next.map(|token| format!("&after_token={token}")) {
            Some(next) if next != after && (news || none) => after = next,
            _ if bill.lacks(page.total.whole()) => {
                let words = format!("the pages hold {} charges and there are more", bill.counted());
                return Err(account.unreadable(doing, words));
            }
            _ => return Ok(bill.into_charges().collect()),
        }
    }
    Err(account.unreadable(doing, format!("the list of charges has more than {MOST_PAGES} pages")))
}

fn used(charge: &Charge<'_>, from: DateTime<Utc>, to: DateTime<Utc>) -> Option<Usage> {
    let source = charge.source.text()?;
    let remote_id = source.strip_prefix("instance-")?.to_owned();
    // A part of which an amount cannot be read is not known.
    let mut parts: BTreeMap<String, Option<Decimal>> = BTreeMap::new();
    for item in charge.items.iter().flatten() {
        if let Some(kind) = item.kind.text() {
            let sum = parts.entry(kind.into_owned()).or_insert(Some(Decimal::ZERO));
            *sum = sum.zip(item.amount.money(Currency::USD)).map(|(sum, amount)| sum + amount);
        }
    }
    let part = |kind: &str| parts.get(kind).copied();
    let traffic = [part("bwd"), part("bwu")].into_iter().flatten().reduce(|a, b| Some(a? + b?)).flatten();
    Some(Usage {
        remote_id,
        token: None,
        // The row covers the contract's life, its amounts only the days asked for.
        from: epoch(charge.start).map_or(from, |start| start.max(from)),
        to: epoch(charge.end).map_or(to, |end| end.min(to)),
        compute: part("gpu").flatten(),
        storage: part("disk").flatten(),
        traffic,
        total: charge.amount.money(Currency::USD)?,
        currency: Currency::USD,
    })
}
