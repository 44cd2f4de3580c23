//! `gpudesk guard`: leases, idleness and budgets without a window.

use clap::Args;
use gpudesk_api::desk::ApiError;
use gpudesk_api::guard::GuardReport;
use gpudesk_api::handlers;
use gpudesk_engine::{Desk, Event};
use tokio::sync::broadcast::error::RecvError;

use crate::output::{print_json, print_text, tell};

/// `gpudesk guard`.
#[derive(Debug, Args)]
pub struct GuardArgs {
    /// One round, and what it did; without this it goes on until it is ended.
    #[arg(long)]
    pub once: bool,
}

/// Guards once, or until it is ended.
pub async fn run(desk: &Desk, args: &GuardArgs, json: bool) -> Result<u8, ApiError> {
    if args.once {
        let report = handlers::guard_once(desk, ()).await?;
        if json {
            print_json(&report)?;
        } else {
            print_text(&lines(&report))?;
        }
        return Ok(0);
    }
    let mut events = desk.events();
    desk.start();
    tell("The guard runs. It keeps leases, watches idle machines and budgets until it is ended.");
    let ended = ended();
    tokio::pin!(ended);
    loop {
        tokio::select! {
            () = &mut ended => return Ok(0),
            event = events.recv() => match event {
                Ok(Event::Told { name, what, text, .. }) => tell(&format!("{name}: {text} ({what})")),
                // Who listens too slowly misses lines, and nothing else.
                Ok(_) | Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return Ok(0),
            },
        }
    }
}

/// Waits until somebody ends it.
async fn ended() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminated) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminated.recv() => {}
            }
            return;
        }
    }
    // Where signals cannot be heard it is ended by force, which it outlives by design.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

fn lines(report: &GuardReport) -> String {
    let mut lines: Vec<String> =
        report.acts.iter().map(|act| format!("{}  {}: {}", act.what, act.name, act.why)).collect();
    let machines = |count: u32| if count == 1 { "machine" } else { "machines" };
    if lines.is_empty() {
        lines.push("Nothing is due.".to_owned());
    }
    lines.push(format!("{} {} looked at.", report.rentals, machines(report.rentals)));
    if report.unmanaged > 0 {
        lines.push(format!(
            "{} {} in your accounts are not ours: `gpudesk unmanaged`.",
            report.unmanaged,
            machines(report.unmanaged)
        ));
    }
    for account in &report.blind {
        lines.push(format!("Account {account} could not be looked into."));
    }
    lines.join("\n")
}
