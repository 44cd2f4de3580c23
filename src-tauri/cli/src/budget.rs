//! `gpudesk budget`: how much may be spent, and how that stands.

use clap::{Args, Subcommand};
use gpudesk_api::desk::ApiError;
use gpudesk_api::handlers;
use gpudesk_api::spend::{BudgetRequest, BudgetSetRequest};
use gpudesk_engine::Desk;

use crate::output::{print_json, print_text};
use crate::table::spend as table;

/// What to do with budgets.
#[derive(Debug, Subcommand)]
pub enum BudgetAction {
    /// Make a budget, or change one.
    Set(BudgetSetArgs),
    /// Forget a budget.
    Remove {
        /// Its name.
        #[arg(value_name = "BUDGET")]
        name: String,
    },
}

/// `gpudesk budget set`.
#[derive(Debug, Args)]
pub struct BudgetSetArgs {
    /// Small letters, digits and `-`.
    #[arg(value_name = "BUDGET")]
    pub name: String,
    /// How much.
    #[arg(long, value_name = "AMOUNT", allow_negative_numbers = true)]
    pub amount: String,
    /// Of the amount.
    #[arg(long, value_name = "CURRENCY", default_value = "USD")]
    pub currency: String,
    /// Per what.
    #[arg(long, value_name = "PERIOD", default_value = "month", value_parser = ["week", "month"])]
    pub period: String,
    /// Only this project's spending.
    #[arg(long, value_name = "NAME", conflicts_with = "owner")]
    pub project: Option<String>,
    /// Only this owner's spending.
    #[arg(long, value_name = "NAME")]
    pub owner: Option<String>,
    /// Percentages at which it is told, each once a period; 50, 80 and 100 unless told.
    #[arg(long, value_name = "PERCENT", value_delimiter = ',')]
    pub at: Vec<u16>,
    /// What happens at 100 %: tell, block (launches are refused), end (leases end early, too).
    #[arg(long, value_name = "WHAT", default_value = "tell", value_parser = ["tell", "block", "end"])]
    pub hard: String,
}

/// Lists, sets, removes.
pub async fn run(desk: &Desk, action: Option<&BudgetAction>, json: bool) -> Result<u8, ApiError> {
    let budgets = match action {
        None => handlers::budgets_list(desk, ()).await?,
        Some(BudgetAction::Set(args)) => {
            let (scope, of) = match (&args.project, &args.owner) {
                (Some(project), _) => ("project", project.clone()),
                (None, Some(owner)) => ("owner", owner.clone()),
                (None, None) => ("team", String::new()),
            };
            let request = BudgetSetRequest {
                name: args.name.clone(),
                scope: scope.to_owned(),
                of,
                period: args.period.clone(),
                amount: args.amount.clone(),
                currency: args.currency.clone(),
                thresholds: args.at.clone(),
                hard: args.hard.clone(),
            };
            handlers::budget_set(desk, request).await?
        }
        Some(BudgetAction::Remove { name }) => {
            handlers::budget_remove(desk, BudgetRequest { name: name.clone() }).await?
        }
    };
    if json {
        print_json(&budgets)?;
    } else {
        print_text(&table::budgets(&budgets))?;
    }
    Ok(0)
}
