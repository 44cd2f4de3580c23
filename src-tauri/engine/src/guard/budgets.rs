//! Watching budgets: thresholds are told once a period, and a hard one that is used up ends leases early.

use chrono::TimeDelta;
use gpudesk_core::rental::{Lease, OnExpiry, Who};
use gpudesk_core::spend::{BudgetState, Hard};

use super::GuardAct;
use crate::budget::Standing;
use crate::desk::Desk;
use crate::{DeskError, Event};

/// What is left to the machines of a budget that ends them.
const LEFT: TimeDelta = TimeDelta::minutes(10);

impl Desk {
    /// Tells the thresholds that were reached, and shortens the leases of budgets that are used up.
    pub(super) async fn watch_budgets(&self) -> Result<Vec<GuardAct>, DeskError> {
        let mut acts = Vec::new();
        for standing in self.budgets().await? {
            let (budget, Some(state)) = (&standing.budget, &standing.state) else { continue };
            if let Some(threshold) = state.reached {
                acts.extend(self.tell_threshold(&standing, state, threshold).await?);
            }
            if budget.hard == Hard::End && state.spent >= budget.amount {
                acts.extend(self.end_early(&standing).await?);
            }
        }
        Ok(acts)
    }

    /// Tells the highest threshold that is reached, once a period; those below it are passed over for good.
    async fn tell_threshold(
        &self,
        standing: &Standing,
        state: &BudgetState,
        threshold: u16,
    ) -> Result<Option<GuardAct>, DeskError> {
        let (budget, period) = (&standing.budget, standing.period.from);
        let marked = self.store().budget_marks(&budget.name, period).await?;
        let passed: Vec<u16> = budget
            .thresholds
            .iter()
            .copied()
            .filter(|passed| *passed <= threshold && !marked.contains(passed))
            .collect();
        let mut act = None;
        if passed.contains(&threshold) {
            let why = format!(
                "{} {} of {} {} are spent ({threshold} %)",
                state.spent.round_dp(2),
                budget.currency,
                budget.amount,
                budget.currency
            );
            // Before the mark: cut off between the two, it is written down again under the same key, so once.
            let key = format!("{threshold} {}", period.timestamp());
            if self.notice("budget", &budget.name, &key, &budget.name, &why).await? {
                self.tell(Event::Told {
                    rental: String::new(),
                    name: budget.name.clone(),
                    what: "budget".to_owned(),
                    text: why.clone(),
                    system: self.goes_by_system("budget"),
                });
                self.tell(Event::BudgetsChanged);
                act =
                    Some(GuardAct { rental: String::new(), name: budget.name.clone(), what: "budget", why });
            }
        }
        for passed in passed {
            self.store().mark_budget(&budget.name, period, passed, self.now()).await?;
        }
        Ok(act)
    }

    /// Leases under a budget that is used up end in ten minutes.
    async fn end_early(&self, standing: &Standing) -> Result<Vec<GuardAct>, DeskError> {
        let mut acts = Vec::new();
        let budget = &standing.budget;
        for rental in self.rentals(false).await? {
            if !budget.holds(&rental.record)
                || rental.end_asked()
                || rental.burning().is_none_or(|rate| rate.is_zero())
            {
                continue;
            }
            let word = format!("budget {} {}", budget.name, standing.period.from.timestamp());
            if rental.told.contains(&word) {
                continue;
            }
            let saves = self
                .rental_terms(&rental.record.provider, &rental.record.account_name())
                .is_some_and(|terms| terms.stop.exists && terms.stop.ends_compute);
            let until = self.now() + LEFT;
            let id = rental.record.id.clone();
            let shortened = self
                .change_lease(&id, Who::Desk, |rental| {
                    let then = match rental.lease.on_expiry {
                        OnExpiry::End => OnExpiry::End,
                        // What stops nothing of the bill keeps no budget.
                        _ if saves => OnExpiry::Stop,
                        _ => OnExpiry::End,
                    };
                    let until = rental.lease.until.map_or(until, |own| own.min(until));
                    Some(Lease { until: Some(until), on_expiry: then, ..rental.lease.clone() })
                })
                .await?;
            let why = format!("the budget `{}` is used up: its lease ends in 10 min", budget.name);
            self.tell_rental_once(&id, "budget-used-up", &word, why.clone()).await?;
            acts.push(GuardAct { rental: id, name: shortened.record.name, what: "shortened", why });
        }
        Ok(acts)
    }
}
