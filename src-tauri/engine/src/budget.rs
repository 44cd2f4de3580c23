//! Budgets: kept, reckoned, and asked before a launch.

use chrono::{DateTime, Utc};
use gpudesk_core::money::{Currency, RateHistory};
use gpudesk_core::rental::Rental;
use gpudesk_core::spend::{
    Budget, BudgetState, Exchange, Forecast, Hard, NoBudget, Period, converted, forecast, spent,
};
use gpudesk_store::Which;
use rust_decimal::Decimal;

use crate::desk::Desk;
use crate::{DeskError, Event};

/// Why a budget did not do what it was asked to, or what it forbids.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BudgetError {
    /// None of that name.
    #[error("there is none of that name")]
    Unknown(String),
    /// It cannot be kept as it is.
    #[error(transparent)]
    Invalid(#[from] NoBudget),
    /// It forbids a launch.
    #[error("the launch would bring it to {after} {currency} of {amount} {currency}")]
    Blocked {
        /// The budget.
        name: String,
        /// What it would come to.
        after: Decimal,
        /// What it may.
        amount: Decimal,
        /// Of both.
        currency: Currency,
    },
    /// It would hold a launch to an amount, and what is spent cannot be brought into its currency.
    #[error(
        "what is spent and what the launch costs cannot be told in {currency}: an exchange rate is missing"
    )]
    NoRate {
        /// The budget.
        name: String,
        /// Its currency.
        currency: Currency,
    },
}

impl BudgetError {
    /// The fixed word that windows and scripts act on.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unknown(_) => "not-found",
            Self::Invalid(_) => "request-invalid",
            Self::Blocked { .. } | Self::NoRate { .. } => "budget-blocked",
        }
    }

    /// To what it happened.
    #[must_use]
    pub fn what(&self) -> String {
        match self {
            Self::Unknown(name) | Self::Blocked { name, .. } | Self::NoRate { name, .. } => {
                format!("budget `{name}`")
            }
            Self::Invalid(_) => "the budget".to_owned(),
        }
    }

    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Unknown(_) => Some("`gpudesk budget` lists them.".to_owned()),
            Self::Invalid(_) => None,
            Self::Blocked { .. } => Some(
                "Rent for fewer hours, end something else, or raise the budget: `gpudesk budget set`."
                    .to_owned(),
            ),
            Self::NoRate { .. } => Some(
                "Fetch the rates: `gpudesk refresh rates`; or keep the budget in the currency of the machines."
                    .to_owned(),
            ),
        }
    }
}

/// A budget and how it stands in its period.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// It.
    pub budget: Budget,
    /// The period now.
    pub period: Period,
    /// How it stands; `None` where something cannot be brought into its currency.
    pub state: Option<BudgetState>,
    /// What is still to come in the period, in its currency.
    pub to_come: Forecast,
}

/// What a launch would do to a budget.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// The budget.
    pub budget: Budget,
    /// Spent and still to be spent by the leases of what runs, in its period; `None` = not known in its currency.
    pub before: Option<Decimal>,
    /// The same with the launch.
    pub after: Option<Decimal>,
}

impl Effect {
    /// Whether the launch would bring it over its amount.
    #[must_use]
    pub fn passes(&self) -> bool {
        self.after.is_some_and(|after| after > self.budget.amount)
    }

    /// Whether the launch is refused for it: it would pass it, or whether it would cannot be told.
    #[must_use]
    pub fn blocks(&self) -> bool {
        self.budget.hard != Hard::Tell && (self.after.is_none() || self.passes())
    }
}

/// A launch as budgets see it.
#[derive(Debug, Clone, Copy)]
pub struct Planned<'a> {
    /// For what.
    pub project: Option<&'a str>,
    /// By whom.
    pub owner: Option<&'a str>,
    /// Everything that is known of what it costs an hour.
    pub per_hour: Decimal,
    /// Of that.
    pub currency: Currency,
    /// When its lease ends; `None` = it has no end.
    pub until: Option<DateTime<Utc>>,
}

impl Desk {
    /// The budgets and how they stand now.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn budgets(&self) -> Result<Vec<Standing>, DeskError> {
        let (budgets, now) = (self.store().budgets().await?, self.now());
        let Some(first) = budgets.iter().map(|budget| Period::around(budget.period, now).from).min() else {
            return Ok(Vec::new());
        };
        let rentals = self.rentals_since(first).await?;
        let history = self.rate_history(Period { from: first, to: now }).await?;
        Ok(budgets.into_iter().map(|budget| stand(budget, &rentals, &history, now)).collect())
    }

    /// Rentals of which something was left at a provider at a moment or later.
    pub(crate) async fn rentals_since(&self, moment: DateTime<Utc>) -> Result<Vec<Rental>, DeskError> {
        let rows = self.store().rentals(Which::Since(moment)).await?;
        Ok(rows.into_iter().map(|row| self.fold(row)).collect())
    }

    /// Keeps a budget, over the one of the same name.
    ///
    /// # Errors
    /// [`BudgetError::Invalid`], or the database cannot be written.
    pub async fn set_budget(&self, budget: Budget) -> Result<(), DeskError> {
        let budget = budget.checked().map_err(BudgetError::from)?;
        self.store().set_budget(&budget, self.now()).await?;
        self.tell(Event::BudgetsChanged);
        Ok(())
    }

    /// Forgets a budget.
    ///
    /// # Errors
    /// [`BudgetError::Unknown`], or the database cannot be written.
    pub async fn remove_budget(&self, name: &str) -> Result<(), DeskError> {
        if !self.store().remove_budget(name.trim()).await? {
            return Err(BudgetError::Unknown(name.trim().to_owned()).into());
        }
        self.tell(Event::BudgetsChanged);
        Ok(())
    }

    /// What a launch would do to the budgets it counts for.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn budget_effects(&self, planned: Planned<'_>) -> Result<Vec<Effect>, DeskError> {
        let (rates, now) = (self.rates().await?, self.now());
        let standing = self.budgets().await?.into_iter();
        let held = standing.filter(|s| s.budget.holds_names(planned.project, planned.owner));
        let effect = |Standing { budget, period, state, to_come }| {
            let before = state.map(|state| state.spent + to_come.low);
            let until = planned.until.unwrap_or(period.to).min(period.to);
            let hours = Decimal::from((until - now).num_seconds().max(0)) / Decimal::from(3600);
            let more = rates.convert(planned.per_hour * hours, planned.currency, budget.currency);
            let after = before.zip(more).map(|(before, more)| before + more);
            Effect { budget, before, after }
        };
        Ok(held.map(effect).collect())
    }

    /// Whether a launch may go on under the budgets.
    ///
    /// # Errors
    /// [`BudgetError::Blocked`], or [`BudgetError::NoRate`] where a hard one cannot be reckoned.
    pub(crate) async fn permit_spending(&self, planned: Planned<'_>) -> Result<(), DeskError> {
        let effects = self.budget_effects(planned).await?;
        match effects.into_iter().find(Effect::blocks) {
            Some(Effect { budget, after: Some(after), .. }) => Err(BudgetError::Blocked {
                name: budget.name,
                after: after.round_dp(2),
                amount: budget.amount,
                currency: budget.currency,
            }
            .into()),
            Some(Effect { budget, .. }) => {
                Err(BudgetError::NoRate { name: budget.name, currency: budget.currency }.into())
            }
            None => Ok(()),
        }
    }
}

fn stand(budget: Budget, rentals: &[Rental], history: &RateHistory, now: DateTime<Utc>) -> Standing {
    let period = Period::around(budget.period, now);
    let (rates, mut exchange) = (history.newest(), Exchange::new(budget.currency, history));
    let (mut sum, mut to_come) = (Some(Decimal::ZERO), Forecast::default());
    for rental in rentals.iter().filter(|rental| budget.holds(&rental.record)) {
        let own = rental.currency().unwrap_or(Currency::USD);
        let Some(quoted) = rates.quote(own, budget.currency) else {
            // What cannot be converted makes the sum a lie, unless there is nothing of it.
            if spent(rental, period, now).is_some_and(|spent| !spent.metered().is_zero()) {
                sum = None;
            }
            continue;
        };
        if let Some(Ok(own)) = converted(rental, period, now, &mut exchange) {
            sum = sum.map(|sum| sum + own.spent.metered() + own.spent.traffic.low);
        }
        let more = forecast(rental, period, now);
        to_come.low += more.low * quoted.rate;
        to_come.high += more.high * quoted.rate;
    }
    let state = sum.map(|sum| budget.state(sum));
    Standing { budget, period, state, to_come }
}
