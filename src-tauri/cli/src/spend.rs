//! `gpudesk spend`: the ledger.

use clap::Args;
use gpudesk_api::desk::ApiError;
use gpudesk_api::handlers;
use gpudesk_api::spend::{SpendReportRequest, SpendRequest};
use gpudesk_engine::Desk;

use crate::output::{print_json, print_text};
use crate::table::spend as table;

/// `gpudesk spend`.
#[derive(Debug, Args)]
pub struct SpendArgs {
    /// What lines sum.
    #[arg(long, value_name = "KEY", default_value = "provider", value_parser = ["provider", "project", "owner", "gpu", "rental"])]
    pub by: String,
    /// The first day, in UTC: 2026-11-01. The first of this month unless told.
    #[arg(long, value_name = "DAY")]
    pub from: Option<String>,
    /// The last day. The last of that month unless told.
    #[arg(long, value_name = "DAY")]
    pub to: Option<String>,
    /// Display currency.
    #[arg(long, value_name = "CURRENCY", default_value = "USD")]
    pub currency: String,
    /// The lines as CSV.
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// Also write a page to print into the desk's folder.
    #[arg(long)]
    pub page: bool,
}

/// Shows what was spent. The accounts are looked into first: what burns there and is not ours is known to no record.
pub async fn run(desk: &Desk, args: &SpendArgs, json: bool) -> Result<u8, ApiError> {
    let request = SpendRequest {
        by: args.by.clone(),
        from: args.from.clone(),
        to: args.to.clone(),
        currency: args.currency.clone(),
    };
    if !args.csv {
        handlers::reconcile(desk, ()).await?;
    }
    let page = handlers::spend_page(desk, request.clone()).await?;
    if args.page {
        let report = SpendReportRequest { spend: request, form: "html".to_owned(), open: false };
        let report = handlers::spend_report(desk, report).await?;
        crate::output::tell(&format!("A page to print is in {}.", report.path));
    }
    if json {
        print_json(&page)?;
    } else if args.csv {
        print_text(handlers::spend_csv(&page)?.trim_end())?;
    } else {
        print_text(&table::page(&page))?;
    }
    Ok(0)
}
