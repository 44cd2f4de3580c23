//! The command line, as people type it.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::budget::BudgetAction;
use crate::buy::BuyArgs;
use crate::guard::GuardArgs;
use crate::hosts::HostsAction;
use crate::plan::PlanArgs;
use crate::policies::PoliciesAction;
use crate::rental_args::{EndArgs, ExtendArgs, LeaseArgs, RentArgs, RentalArg, UnmanagedAction};
use crate::spend::SpendArgs;

/// Every cloud's GPU offers side by side, from a terminal.
#[derive(Debug, Parser)]
#[command(name = "gpudesk", version, about, disable_help_subcommand = true, propagate_version = true)]
pub struct Args {
    /// Folder of the database and everything else the desk keeps.
    #[arg(long, value_name = "DIR", global = true, env = "GPUDESK_HOME")]
    pub home: Option<PathBuf>,
    /// At the practice market: the whole life of a rental, without money or account.
    #[arg(long, global = true)]
    pub practice: bool,
    /// One JSON document on standard output instead of a table.
    #[arg(long, global = true)]
    pub json: bool,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The command line with words of the query such as `-spot` and `-cloud:vast` spelled `!spot` and `!cloud:vast`, which
/// mean the same and are no options. No option of ours has one dash and more than one letter, and no word of a query is
/// a number: that is the value of an option.
pub fn readable(words: impl Iterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    let mut at = Reading::Program;
    words.map(move |word| {
        at = at.next(&word);
        let term = word.to_str().and_then(|text| text.strip_prefix('-'));
        match term.filter(|_| at == Reading::Query) {
            Some(term) if term.len() > 1 && !term.starts_with('-') && term.parse::<f64>().is_err() => {
                OsString::from(format!("!{term}"))
            }
            _ => word,
        }
    })
}

/// Where in the command line a word stands, as far as it matters to a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// The program's own name.
    Program,
    /// Before the command.
    Options,
    /// The folder that `--home` names.
    Home,
    /// The command, or what follows one with a query.
    Query,
    /// What follows another command, or two dashes and is for another program.
    Other,
}

impl Reading {
    fn next(self, word: &OsString) -> Self {
        let is_option = word.to_str().is_some_and(|text| text.starts_with('-'));
        match self {
            Self::Options if word == "--home" => Self::Home,
            Self::Options if is_option => Self::Options,
            Self::Options if word == "offers" || word == "gpus" => Self::Query,
            Self::Query if word == "--" => Self::Other,
            Self::Program | Self::Home => Self::Options,
            Self::Options => Self::Other,
            here @ (Self::Query | Self::Other) => here,
        }
    }
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Fetch offers and exchange rates.
    Refresh {
        /// Only these sources (`vast runpod catalogue rates`); all when none is named.
        #[arg(value_name = "PROVIDER")]
        providers: Vec<String>,
    },
    /// Read a price list from files.
    Import {
        #[command(subcommand)]
        format: ImportFormat,
    },
    /// The table of offers.
    Offers(OffersArgs),
    /// The market by card: from, median, offers, clouds.
    Gpus {
        #[command(flatten)]
        query: QueryArgs,
    },
    /// Offers side by side.
    Compare {
        /// Two to six offers.
        #[arg(value_name = "ID", required = true, num_args = 2..=6)]
        ids: Vec<String>,
        #[command(flatten)]
        shown: ShownArgs,
    },
    /// The price history of one offer.
    Price {
        /// The offer's id.
        #[arg(value_name = "OFFER")]
        id: String,
    },
    /// A shell in a rental, or one command there. The exit code is the command's.
    Ssh {
        /// Name or id of the rental.
        #[arg(value_name = "NAME")]
        rental: String,
        /// What to run there instead of a shell.
        #[arg(value_name = "COMMAND", last = true)]
        command: Vec<String>,
    },
    /// Bring a port of a rental here, until this is interrupted.
    Forward {
        /// Name or id of the rental.
        #[arg(value_name = "NAME")]
        rental: String,
        /// Port on the machine: 8888 Jupyter, 6006 TensorBoard, 8000 vLLM.
        #[arg(value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
        port: u16,
        /// Port here; a free one when it is not given.
        #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
        local: Option<u16>,
    },
    /// Accept the host key that a rental shows now, after it changed and you know why.
    AcceptKey {
        /// Name or id of the rental.
        #[arg(value_name = "NAME")]
        rental: String,
        /// The new key as it was shown: `SHA256:…`.
        #[arg(value_name = "FINGERPRINT")]
        fingerprint: String,
    },
    /// The line in your SSH configuration with which `ssh gpudesk-NAME` works everywhere.
    SshConfig {
        /// What to do with it.
        #[arg(value_name = "ACTION", default_value = "show", value_parser = ["show", "add", "remove"])]
        action: String,
    },
    /// Rent an offer: asked for anew, written down, called for.
    Rent(RentArgs),
    /// What runs.
    Rentals {
        /// Those that are over too.
        #[arg(long)]
        all: bool,
    },
    /// One rental.
    Show(RentalArg),
    /// The story of a rental.
    Events(RentalArg),
    /// Stop a rental, where its cloud can.
    Stop(RentalArg),
    /// Start a rental that was stopped.
    Start(RentalArg),
    /// Give a rental more time.
    Extend(ExtendArgs),
    /// Set the limits of a rental anew.
    Lease(LeaseArgs),
    /// Say that a rental is needed: its idle time begins anew.
    Keep(RentalArg),
    /// End a rental for good.
    End(EndArgs),
    /// Keep leases, watch idle machines and budgets, without a window.
    Guard(GuardArgs),
    /// What was spent.
    Spend(SpendArgs),
    /// Budgets; without a word after it, the list of them.
    Budget {
        #[command(subcommand)]
        action: Option<BudgetAction>,
    },
    /// Servers of the team's own; without a word after it, the list of them.
    Hosts {
        #[command(subcommand)]
        action: Option<HostsAction>,
    },
    /// What a piece of work needs, part by part, and where it is best done.
    Plan(Box<PlanArgs>),
    /// Rent or buy: from how many hours a month on owning cards is cheaper.
    Buy(Box<BuyArgs>),
    /// Compare the accounts with the records: what is not ours, what is gone.
    Reconcile,
    /// What to do with a machine that is not ours; without a word after it, the comparison that lists them.
    Unmanaged {
        #[command(subcommand)]
        action: Option<UnmanagedAction>,
    },
    /// Residency policies; without a word after it, the list of them.
    Policies {
        #[command(subcommand)]
        action: Option<PoliciesAction>,
    },
    /// Accounts at providers; without a word after it, the list of them.
    Accounts {
        #[command(subcommand)]
        action: Option<AccountsAction>,
    },
}

/// What to do with an account.
#[derive(Debug, Subcommand)]
pub enum AccountsAction {
    /// Add one, or give one a new key. The key is asked for without echo, or read from standard input.
    Add(AccountAddArgs),
    /// Ask the provider again who an account is; all of them when none is named.
    Check {
        /// `vast`, or `vast/team` for one of several.
        #[arg(value_name = "PROVIDER[/ALIAS]")]
        name: Option<String>,
    },
    /// Forget an account and its key.
    Remove {
        /// `vast`, or `vast/team` for one of several.
        #[arg(value_name = "PROVIDER[/ALIAS]")]
        name: String,
    },
}

/// `gpudesk accounts add`.
#[derive(Debug, clap::Args)]
pub struct AccountAddArgs {
    /// `vast`, or `vast/team` for one of several.
    #[arg(value_name = "PROVIDER[/ALIAS]")]
    pub name: String,
    /// Where to keep the key: keyring, or file (keys.json in the desk's folder or GPUDESK_KEYS_FILE, readable by you
    /// alone).
    #[arg(long, value_name = "PLACE", default_value = "keyring", value_parser = ["keyring", "file"])]
    pub keep: String,
    /// Base address other than the documented one.
    #[arg(long, value_name = "URL", default_value = "")]
    pub address: String,
    /// Proxy of this account alone.
    #[arg(long, value_name = "URL", default_value = "")]
    pub proxy: String,
    /// PEM file of a certificate authority for this account alone.
    #[arg(long, value_name = "FILE", default_value = "")]
    pub ca_file: String,
    /// Keep the key although the provider cannot be asked about it now.
    #[arg(long)]
    pub unchecked: bool,
}

/// Which kind of price list.
#[derive(Debug, Subcommand)]
pub enum ImportFormat {
    /// The team's own price sheet, for sellers that no program can ask. It is copied into the folder `price-sheets` of
    /// the desk's home and read again whenever it changes there. Columns: docs/price-sheet.md.
    Prices {
        /// CSV files.
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
    },
    /// The public SkyPilot CSV form; the cloud is the file's name.
    Skypilot {
        /// CSV files, or folders of them.
        #[arg(value_name = "PATH", required = true)]
        paths: Vec<PathBuf>,
    },
}

/// `gpudesk offers`.
#[derive(Debug, clap::Args)]
pub struct OffersArgs {
    #[command(flatten)]
    pub query: QueryArgs,
    /// gpu-hour, machine-hour, vram, tflops, bandwidth, total or age.
    #[arg(long, value_name = "KEY", default_value = "gpu-hour")]
    pub sort: String,
    /// Largest first.
    #[arg(long)]
    pub desc: bool,
    /// Rows to print (a table shows 50 unless told, JSON all).
    #[arg(long, value_name = "N")]
    pub limit: Option<u32>,
}

/// The words of the query line and how its gaps are treated.
#[derive(Debug, clap::Args)]
pub struct QueryArgs {
    /// The words of the query line: `h100 x8 vram>=80 country:de,fi price<3 spot nvlink`.
    #[arg(value_name = "QUERY", allow_hyphen_values = false)]
    pub words: Vec<String>,
    #[command(flatten)]
    pub shown: ShownArgs,
    /// Also rows that do not say what the query asks.
    #[arg(long)]
    pub include_unknown: bool,
    /// Also rows in quarantine, flagged.
    #[arg(long)]
    pub include_quarantine: bool,
}

/// How prices are shown.
#[derive(Debug, clap::Args)]
pub struct ShownArgs {
    /// Turn prices into the total of a job: `48h,500GB,200GB` (hours, disk, traffic out).
    #[arg(long, value_name = "JOB")]
    pub job: Option<String>,
    /// Display currency.
    #[arg(long, value_name = "CURRENCY", default_value = "USD")]
    pub currency: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Args {
        Args::try_parse_from(readable(words.iter().map(OsString::from))).unwrap()
    }

    #[test]
    fn a_negated_word_is_no_option() {
        let args = read(&["gpudesk", "offers", "h100", "-spot", "-cloud:vast", "--json", "--limit", "3"]);
        let Command::Offers(offers) = &args.command else { panic!("{args:?}") };
        assert_eq!(offers.query.words, ["h100", "!spot", "!cloud:vast"]);
        assert_eq!(offers.limit, Some(3));
        assert!(args.json);
    }

    #[test]
    fn what_follows_two_dashes_is_left_as_it_is() {
        let args = read(&["gpudesk", "ssh", "train-a", "--", "ls", "-la", "--json"]);
        let Command::Ssh { rental, command } = &args.command else { panic!("{args:?}") };
        assert_eq!(
            (rental.as_str(), command.as_slice()),
            ("train-a", ["ls", "-la", "--json"].map(String::from).as_slice())
        );
        assert!(!args.json);
    }

    #[test]
    fn a_number_below_zero_is_a_value_where_there_is_no_query() {
        let args = read(&["gpudesk", "extend", "train-a", "--hours", "-10"]);
        let Command::Extend(extend) = &args.command else { panic!("{args:?}") };
        assert!((extend.hours + 10.0).abs() < f64::EPSILON);
    }

    #[test]
    fn a_rental_or_a_folder_named_like_a_command_with_a_query_begins_none() {
        for name in ["offers", "gpus"] {
            let args = read(&["gpudesk", "--home", name, "extend", name, "--hours", "-10"]);
            let Command::Extend(extend) = &args.command else { panic!("{args:?}") };
            assert!((extend.hours + 10.0).abs() < f64::EPSILON);
            let args = read(&["gpudesk", "--json", "--home", name, "gpus", "-spot"]);
            let Command::Gpus { query } = &args.command else { panic!("{args:?}") };
            assert_eq!(query.words, ["!spot"]);
        }
    }

    #[test]
    fn global_options_stand_anywhere() {
        let args = read(&["gpudesk", "--json", "refresh", "vast", "--home", "/x"]);
        assert!(args.json && args.home.as_deref() == Some(std::path::Path::new("/x")));
        let Command::Refresh { providers } = &args.command else { panic!("{args:?}") };
        assert_eq!(providers, &["vast"]);
    }
}
