//! Budgets: how much may be spent in a week or a month, by all, for a project, or by an owner.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::PeriodKind;
use crate::money::Currency;
use crate::rental::Record;
use crate::words::words;

words! {
    /// Whose spending a budget holds.
    BudgetScope {
        /// Everything.
        Team = "team",
        /// One project's.
        Project = "project",
        /// One owner's.
        Owner = "owner",
    }
}

words! {
    /// What happens when a budget is used up.
    Hard {
        /// It is told; nothing else.
        Tell = "tell",
        /// Launches that would pass it are refused.
        Block = "block",
        /// Launches are refused, and leases that are under it end early, after a warning.
        End = "end",
    }
}

/// A budget.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// Its name: small letters, digits and `-`.
    pub name: String,
    /// Whose spending.
    pub scope: BudgetScope,
    /// The project or owner; empty for the team's.
    pub of: String,
    /// Per what.
    pub period: PeriodKind,
    /// How much.
    pub amount: Decimal,
    /// Of `amount`.
    pub currency: Currency,
    /// Percentages at which it is told, each once a period; ascending.
    pub thresholds: Vec<u16>,
    /// What happens at 100 %.
    pub hard: Hard,
}

/// Why something is no budget.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoBudget {
    /// A name it cannot have.
    #[error("`{0}` is no name of a budget: small letters, digits and `-`, at most 40")]
    Name(String),
    /// An amount that is none.
    #[error("a budget's amount is more than 0")]
    Amount,
    /// Thresholds that are none.
    #[error("thresholds are percentages from 1 to 1000, at most 10 of them")]
    Thresholds,
    /// Whose it is was not said, or was for the team's.
    #[error("a budget of a project or an owner names it, and the team's names none")]
    Of,
}

/// How a budget stands in its period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BudgetState {
    /// Spent so far, in its currency.
    pub spent: Decimal,
    /// The highest threshold that is reached; `None` = none.
    pub reached: Option<u16>,
}

/// The percentages of a budget that names none.
const USUAL: [u16; 3] = [50, 80, 100];

impl Budget {
    /// A budget as it may be kept: tidied, or why it is none.
    ///
    /// # Errors
    /// [`NoBudget`].
    pub fn checked(mut self) -> Result<Self, NoBudget> {
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if self.name.is_empty()
            || self.name.len() > 40
            || !self.name.chars().all(fits)
            || self.name.starts_with('-')
        {
            return Err(NoBudget::Name(self.name));
        }
        if self.amount <= Decimal::ZERO {
            return Err(NoBudget::Amount);
        }
        self.of = self.of.trim().to_owned();
        if (self.scope == BudgetScope::Team) != self.of.is_empty() || self.of.chars().any(char::is_control) {
            return Err(NoBudget::Of);
        }
        if self.thresholds.is_empty() {
            self.thresholds = USUAL.to_vec();
        }
        self.thresholds.sort_unstable();
        self.thresholds.dedup();
        let fit = self.thresholds.len() <= 10 && self.thresholds.iter().all(|t| (1..=1000).contains(t));
        if fit { Ok(self) } else { Err(NoBudget::Thresholds) }
    }

    /// Whether a rental's spending counts for it. Names are the same whatever their letters' case: a slip of the hand
    /// evades no budget.
    #[must_use]
    pub fn holds(&self, record: &Record) -> bool {
        self.holds_names(record.project.as_deref(), record.owner.as_deref())
    }

    /// Whether spending for a project by an owner counts for it.
    #[must_use]
    pub fn holds_names(&self, project: Option<&str>, owner: Option<&str>) -> bool {
        let is = |name: Option<&str>| {
            name.is_some_and(|name| name.trim().to_lowercase() == self.of.to_lowercase())
        };
        match self.scope {
            BudgetScope::Team => true,
            BudgetScope::Project => is(project),
            BudgetScope::Owner => is(owner),
        }
    }

    /// How it stands after so much.
    #[must_use]
    pub fn state(&self, spent: Decimal) -> BudgetState {
        let reached =
            |threshold: &&u16| spent * Decimal::ONE_HUNDRED >= self.amount * Decimal::from(**threshold);
        BudgetState { spent, reached: self.thresholds.iter().rev().find(reached).copied() }
    }
}
