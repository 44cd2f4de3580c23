//! The money side of an account: wallet, charges, disks that no pod has.

use chrono::{DateTime, Utc};
use gpudesk_core::money::Currency;
use gpudesk_core::terms::USUAL_MONTH_HOURS;
use rust_decimal::Decimal;

use super::api::get;
use super::map::said;
use super::pages;
use super::terms::BILLING;
use super::wire::{Billed, Disk, Wallet};
use crate::cloud::{Account, AccountFacts, CloudError, CloudErrorCode, Leftover, Usage, iso};
use crate::http::Literal;

/// What the key may see: pods, and with the right for it the wallet. Whether it may also order is not told.
pub(super) async fn check(account: &Account, team: Option<&str>) -> Result<AccountFacts, CloudError> {
    get(account, "account", "/pods/?offset=0&limit=1").await?;
    let (mut remarks, mut missing) = (Vec::new(), Vec::new());
    let balance = match balance(account, team).await {
        Ok(balance) => balance,
        Err(error) if matches!(error.code, CloudErrorCode::Forbidden | CloudErrorCode::NoSuchMachine) => {
            missing.push(BILLING.to_owned());
            None
        }
        Err(error) => return Err(error),
    };
    if team.is_none() {
        remarks.push("pods are paid from the wallet of the person, since the key names no team".to_owned());
    }
    Ok(AccountFacts {
        who: team.map(|team| format!("team {team}")),
        balance,
        may_read: Some(true),
        missing,
        remarks,
        ..AccountFacts::unknown(Currency::USD)
    })
}

async fn balance(account: &Account, team: Option<&str>) -> Result<Option<Decimal>, CloudError> {
    let team: String = team
        .map(|team| url::form_urlencoded::byte_serialize(team.as_bytes()).collect())
        .map(|team: String| format!("&teamId={team}"))
        .unwrap_or_default();
    let answer = get(account, "wallet", &format!("/billing/wallet?limit=1&offset=0{team}")).await?;
    let text = answer.json_text();
    let wallet: Wallet<'_> = answer.parse(&text)?;
    if wallet.wallet_id.text().is_none() && wallet.balance_usd.text().is_none() {
        return Err(answer.bad("JSON that is no wallet").into());
    }
    Ok(wallet.balance_usd.amount(Currency::USD))
}

/// What was billed for each pod that lived in this time: the whole of its life.
pub(super) async fn usage(
    account: &Account,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
) -> Result<Vec<Usage>, CloudError> {
    let doing = "history";
    let listed = pages::all(account, doing, "/pods/history?sort_by=createdAt&sort_order=desc").await?;
    if let Some(missing) = listed.missing {
        return Err(account.unreadable(doing, missing));
    }
    let mut usage = Vec::new();
    for row in &listed.rows {
        let billed: Billed<'_> = serde_json::from_str(row)
            .map_err(|error| account.unreadable(doing, format!("not a row of the history: {error}")))?;
        if !billed.kind.text().is_none_or(|kind| matches!(kind.as_ref(), "Instance" | "Cluster")) {
            continue;
        }
        let used =
            used(&billed, to).ok_or_else(|| account.unreadable(doing, "a row without id, time or amount"))?;
        if used.from <= to && used.to >= from {
            usage.push(used);
        }
    }
    Ok(usage)
}

fn used(billed: &Billed<'_>, to: DateTime<Utc>) -> Option<Usage> {
    let from = iso(billed.created_at)?;
    Some(Usage {
        remote_id: said(billed.id)?,
        token: None,
        from,
        to: iso(billed.terminated_at).unwrap_or(to).max(from),
        compute: None,
        storage: None,
        traffic: None,
        total: billed.total_billed_price.money(Currency::USD)?,
        currency: Currency::USD,
    })
}

/// Network disks that no pod and no cluster has.
pub(super) async fn disks(account: &Account) -> Result<Vec<Leftover>, CloudError> {
    let doing = "disks";
    let listed = pages::all(account, doing, "/disks/").await?;
    if let Some(missing) = listed.missing {
        return Err(account.unreadable(doing, missing));
    }
    let mut loose = Vec::new();
    for row in &listed.rows {
        let disk: Disk<'_> = serde_json::from_str(row)
            .map_err(|error| account.unreadable(doing, format!("not a disk: {error}")))?;
        let gone = disk.status.text().is_some_and(|status| status == "TERMINATED");
        if gone || holds(disk.pods) || holds(disk.clusters) {
            continue;
        }
        let hours = Decimal::from(USUAL_MONTH_HOURS);
        loose.push(Leftover {
            what: "network disk".to_owned(),
            remote_id: said(disk.id).ok_or_else(|| account.unreadable(doing, "a disk without an id"))?,
            name: said(disk.name),
            size_gb: disk.size.decimal().filter(|gb| *gb > Decimal::ZERO),
            per_month: disk
                .price_hr
                .amount(Currency::USD)
                .and_then(|price| price.checked_mul(hours))
                .map(|cost| cost.normalize()),
            currency: Currency::USD,
        });
    }
    Ok(loose)
}

/// Whether a list names anything.
fn holds(list: Literal<'_>) -> bool {
    !list.object::<Vec<serde_json::Value>>().is_empty()
}
