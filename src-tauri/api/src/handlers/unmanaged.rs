//! Machines in the accounts that are not ours, and the comparison that finds them.

use chrono::{DateTime, Utc};
use gpudesk_core::rental::Machine;
use gpudesk_engine::{Blind, Desk, Unmanaged};
use rust_decimal::Decimal;

use super::end_checklist;
use super::life::rentals_list;
use super::rental_shape::amount;
use super::rows::{provider_title, text, time};
use crate::desk::ApiError;
use crate::rental::{RentalsPage, RentalsRequest};
use crate::unmanaged::{AccountLeftover, BlindAccount, ReconcileReport, UnmanagedDto, UnmanagedRequest};

/// Adopts, ignores, shows again or ends a machine that is not ours.
///
/// # Errors
/// `not-found` where there is no such machine, `request-invalid` for another action; whatever the provider says.
pub async fn unmanaged_act(desk: &Desk, request: UnmanagedRequest) -> Result<RentalsPage, ApiError> {
    let UnmanagedRequest { account, remote_id, action, name } = &request;
    match action.as_str() {
        "adopt" => desk.adopt(account, remote_id, name).await.map(drop)?,
        "ignore" => desk.ignore(account, remote_id).await?,
        "show" => desk.unignore(account, remote_id).await?,
        "end" => desk.end_unmanaged(account, remote_id).await?,
        other => {
            return Err(ApiError::new(
                "request-invalid",
                "the machine",
                format!("`{other}` cannot be done to it"),
            )
            .with_hint("One of: adopt, ignore, show, end."));
        }
    }
    rentals_list(desk, RentalsRequest { all: false }).await
}

/// Compares the accounts with the records now.
///
/// # Errors
/// `database`. An account that cannot be listed is part of the answer.
pub async fn reconcile(desk: &Desk, _request: ()) -> Result<ReconcileReport, ApiError> {
    let report = desk.reconcile().await?;
    desk.ask_leftovers().await?;
    let leftovers = desk.left_behind().into_iter();
    let now = desk.now();
    Ok(ReconcileReport {
        complete: report.complete,
        blind: report.blind.iter().map(blind).collect(),
        found: report.found,
        lost: report.lost,
        unmanaged: report.unmanaged.iter().map(|machine| unmanaged(machine, now)).collect(),
        leftovers: leftovers
            .map(|(account, left)| AccountLeftover { account, leftover: end_checklist::leftover(left) })
            .collect(),
    })
}

pub(super) fn blind(account: &Blind) -> BlindAccount {
    BlindAccount {
        account: account.account.clone(),
        since: time(account.since),
        error: ApiError::of_failure(&account.failure),
    }
}

pub(super) fn unmanaged(found: &Unmanaged, now: DateTime<Utc>) -> UnmanagedDto {
    let Unmanaged { account, machine, ignored } = found;
    let provider = account.split_once('/').map_or(account.as_str(), |(provider, _)| provider);
    UnmanagedDto {
        account: account.clone(),
        provider_title: provider_title(provider),
        remote_id: machine.remote_id.clone(),
        name: machine.name.clone(),
        title: title(machine),
        state: machine.state.to_string(),
        created_at: machine.created_at.map(time),
        per_hour: machine.per_hour.map(text),
        currency: machine.currency.map(|currency| currency.to_string()),
        at_most: at_most(machine, now).map(amount),
        ignored: *ignored,
        marked: machine.token.is_some(),
    }
}

/// `2× RTX 4090`, under the provider's name of the card.
fn title(machine: &Machine) -> String {
    match (&machine.gpu_name, machine.gpu_count) {
        (Some(card), Some(count)) => format!("{count}× {card}"),
        (Some(card), None) => card.clone(),
        (None, _) => machine.name.clone().unwrap_or_else(|| machine.remote_id.clone()),
    }
}

/// What it has cost if it ran since it was made.
fn at_most(machine: &Machine, now: DateTime<Utc>) -> Option<Decimal> {
    let ms = (now - machine.created_at?).num_milliseconds().max(0);
    machine.per_hour?.checked_mul(Decimal::from(ms))?.checked_div(Decimal::from(3_600_000))
}
