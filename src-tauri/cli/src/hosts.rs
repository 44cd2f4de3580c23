//! `gpudesk hosts`: servers of the team's own.

use clap::{Args, Subcommand};
use gpudesk_api::desk::ApiError;
use gpudesk_api::handlers;
use gpudesk_api::own::{OwnHostAddRequest, OwnHostDto, OwnHostRequest};
use gpudesk_engine::Desk;

use crate::output::{print_json, print_text};
use crate::table::hosts as table;

/// A server that is not well: the network or the machine said no.
const NOT_WELL: u8 = 4;

/// What to do with servers of the team's own.
#[derive(Debug, Subcommand)]
pub enum HostsAction {
    /// Take in a server of your SSH configuration and read its cards, or describe one anew.
    Add(Box<HostAddArgs>),
    /// The servers and how they fare.
    List,
    /// Look at one, or at all of them, now.
    Check {
        /// Its name in your SSH configuration.
        #[arg(value_name = "ALIAS")]
        alias: Option<String>,
    },
    /// Forget a server that nobody has booked.
    Remove {
        /// Its name in your SSH configuration.
        #[arg(value_name = "ALIAS")]
        alias: String,
    },
}

/// `gpudesk hosts add`.
#[derive(Debug, Args)]
pub struct HostAddArgs {
    /// Its name in your SSH configuration.
    #[arg(value_name = "ALIAS")]
    pub alias: String,
    /// What it was bought for.
    #[arg(long, value_name = "AMOUNT", default_value = "", allow_negative_numbers = true)]
    pub price: String,
    /// Currency of the amounts.
    #[arg(long, value_name = "CURRENCY", default_value = "USD")]
    pub currency: String,
    /// When it was bought.
    #[arg(long, value_name = "DATE", default_value = "")]
    pub bought: String,
    /// What is left of the price and when: `30%@18m`, or several points `60%@12m,30%@24m`. Unless told, 30 % after 18
    /// months.
    #[arg(long, value_name = "CURVE", default_value = "")]
    pub resale: String,
    /// Power, place and people by the month.
    #[arg(long, value_name = "AMOUNT", default_value = "", allow_negative_numbers = true)]
    pub running: String,
    /// Country it stands in, two letters.
    #[arg(long, value_name = "COUNTRY", default_value = "")]
    pub country: String,
    /// Where it stands, in your words: `Rack 4`.
    #[arg(long, value_name = "PLACE", default_value = "")]
    pub place: String,
    /// Country of the team that owns it, two letters: residency policies ask for it.
    #[arg(long, value_name = "COUNTRY", default_value = "")]
    pub seller: String,
    /// Whose it is.
    #[arg(long, value_name = "NAME", default_value = "")]
    pub owner: String,
}

/// Lists, adds, checks, removes.
pub async fn run(desk: &Desk, action: Option<&HostsAction>, json: bool) -> Result<u8, ApiError> {
    match action {
        None | Some(HostsAction::List) => {
            let list = handlers::hosts_list(desk, ()).await?;
            if json {
                print_json(&list)?
            } else {
                print_text(&table::list(&list.hosts))?
            }
            Ok(0)
        }
        Some(HostsAction::Add(args)) => {
            let request = OwnHostAddRequest {
                alias: args.alias.clone(),
                price: args.price.clone(),
                currency: args.currency.clone(),
                bought: args.bought.clone(),
                resale: args.resale.clone(),
                running: args.running.clone(),
                country: args.country.clone(),
                place: args.place.clone(),
                seller: args.seller.clone(),
                owner: args.owner.clone(),
            };
            let host = handlers::host_add_one(desk, request).await?;
            if json {
                print_json(&host)?
            } else {
                print_text(&table::one(&host))?
            }
            Ok(code(std::slice::from_ref(&host)))
        }
        Some(HostsAction::Check { alias }) => {
            let request = OwnHostRequest { alias: alias.clone().unwrap_or_default() };
            let list = handlers::hosts_check(desk, request).await?;
            if json {
                print_json(&list)?
            } else {
                print_text(&table::list(&list.hosts))?
            }
            Ok(code(&list.hosts))
        }
        Some(HostsAction::Remove { alias }) => {
            let list = handlers::host_remove(desk, OwnHostRequest { alias: alias.clone() }).await?;
            if json {
                print_json(&list)?
            } else {
                print_text(&table::list(&list.hosts))?
            }
            Ok(0)
        }
    }
}

/// What is wrong with one makes the command fail although the others were read.
fn code(hosts: &[OwnHostDto]) -> u8 {
    if hosts.iter().all(|host| host.detail.is_none()) { 0 } else { NOT_WELL }
}
