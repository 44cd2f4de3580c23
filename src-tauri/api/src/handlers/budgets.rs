//! Budgets: the list, changes, and what a launch does to them.

use chrono::{Duration, TimeDelta};
use gpudesk_core::money::typed;
use gpudesk_core::rental::disk_rates;
use gpudesk_core::spend::{Budget, BudgetScope, Hard, PeriodKind};
use gpudesk_engine::{BudgetStanding, Desk, Planned};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use super::launch_sheet::not_rentable;
use super::market;
use super::rows::{cents, text};
use super::settings::currency;
use crate::desk::ApiError;
use crate::spend::{BudgetDto, BudgetEffect, BudgetEffectRequest, BudgetRequest, BudgetSetRequest, RangeDto};

/// Budgets and how they stand.
///
/// # Errors
/// `database`.
pub async fn budgets_list(desk: &Desk, (): ()) -> Result<Vec<BudgetDto>, ApiError> {
    Ok(desk.budgets().await?.iter().map(|standing| budget(standing, desk)).collect())
}

/// Keeps a budget, over the one of the same name.
///
/// # Errors
/// `request-invalid` where it is none; `database`.
pub async fn budget_set(desk: &Desk, request: BudgetSetRequest) -> Result<Vec<BudgetDto>, ApiError> {
    let wrong =
        |detail: String, hint: &str| ApiError::new("request-invalid", "the budget", detail).with_hint(hint);
    let amount: Decimal = typed(&request.amount).ok_or_else(|| {
        wrong(format!("`{}` is no amount", request.amount), "Write it with a point, such as 2000.")
    })?;
    let budget = Budget {
        name: request.name.trim().to_owned(),
        scope: request
            .scope
            .parse::<BudgetScope>()
            .map_err(|error| wrong(error.to_string(), "One of: team, project, owner."))?,
        of: request.of,
        period: request
            .period
            .parse::<PeriodKind>()
            .map_err(|error| wrong(error.to_string(), "One of: week, month."))?,
        amount,
        currency: currency(&request.currency)?,
        thresholds: request.thresholds,
        hard: request
            .hard
            .parse::<Hard>()
            .map_err(|error| wrong(error.to_string(), "One of: tell, block, end."))?,
    };
    desk.set_budget(budget).await?;
    budgets_list(desk, ()).await
}

/// Forgets a budget.
///
/// # Errors
/// `not-found`; `database`.
pub async fn budget_remove(desk: &Desk, request: BudgetRequest) -> Result<Vec<BudgetDto>, ApiError> {
    desk.remove_budget(&request.name).await?;
    budgets_list(desk, ()).await
}

/// What a launch would do to the budgets it counts for.
///
/// # Errors
/// `not-found` for an offer that is none; `database`.
pub async fn budget_effect(desk: &Desk, request: BudgetEffectRequest) -> Result<Vec<BudgetEffect>, ApiError> {
    let (offer, _) = market::offer_to_rent(desk, &request.offer).await?;
    let rules = gpudesk_engine::offer_terms(&offer).ok_or_else(|| not_rentable(&offer))?;
    let (disk, _) = disk_rates(&offer, request.disk_gb, &rules);
    let hours = request.hours.filter(|hours| hours.is_finite() && *hours > 0.0);
    #[expect(clippy::cast_possible_truncation, reason = "bounded to a year")]
    let until =
        hours.map(|hours| desk.now() + Duration::milliseconds((hours.min(8784.0) * 3_600_000.0) as i64));
    let project = request.project.filter(|project| !project.trim().is_empty());
    let planned = Planned {
        project: project.as_deref(),
        owner: None,
        per_hour: offer.price.per_hour + disk.unwrap_or_default(),
        currency: offer.price.currency,
        until,
    };
    let effects = desk.budget_effects(planned).await?;
    Ok(effects
        .iter()
        .map(|effect| BudgetEffect {
            name: effect.budget.name.clone(),
            amount: text(effect.budget.amount),
            currency: effect.budget.currency.to_string(),
            before: effect.before.map(cents),
            after: effect.after.map(cents),
            passes: effect.passes(),
            blocks: effect.blocks(),
        })
        .collect())
}

fn budget(standing: &BudgetStanding, desk: &Desk) -> BudgetDto {
    let BudgetStanding { budget, period, state, to_come } = standing;
    let spent = state.as_ref().map(|state| state.spent);
    let share = spent.and_then(|spent| spent.checked_div(budget.amount)).and_then(|share| share.to_f64());
    let left = spent.map(|spent| budget.amount - spent);
    // At the rate at which everything that runs now would run on.
    let rest = Decimal::from((period.to - desk.now()).num_seconds().max(1));
    let seconds = left
        .filter(|left| *left > Decimal::ZERO && to_come.high >= *left)
        .and_then(|left| (left * rest).checked_div(to_come.high))
        .and_then(|seconds| seconds.to_i64());
    let used_up = match left {
        Some(left) if left <= Decimal::ZERO => Some(desk.now()),
        _ => seconds.map(|seconds| desk.now() + TimeDelta::seconds(seconds)),
    };
    BudgetDto {
        name: budget.name.clone(),
        scope: budget.scope.to_string(),
        of: budget.of.clone(),
        period: budget.period.to_string(),
        amount: text(budget.amount),
        currency: budget.currency.to_string(),
        thresholds: budget.thresholds.clone(),
        hard: budget.hard.to_string(),
        from: period.from.date_naive().to_string(),
        to: (period.to - TimeDelta::days(1)).date_naive().to_string(),
        spent: spent.map(cents),
        share,
        forecast: spent.map(|spent| RangeDto {
            low: cents(spent + to_come.low),
            high: Some(cents(spent + to_come.high)),
        }),
        used_up: used_up.map(|day| day.date_naive().to_string()),
    }
}
