//! The command line of renting.

use clap::{Args, Subcommand};

/// `gpudesk rent`.
#[derive(Debug, Args)]
pub struct RentArgs {
    /// The offer's id, as `gpudesk offers` shows it.
    #[arg(value_name = "OFFER")]
    pub offer: String,
    /// Name of the rental; a free one unless told.
    #[arg(long, value_name = "NAME", default_value = "")]
    pub name: String,
    /// Account, where there are several of the provider: `vast/team`.
    #[arg(long, value_name = "PROVIDER/ALIAS", default_value = "")]
    pub account: String,
    /// Hours of the lease; those of the settings unless told, which are 8 at first.
    #[arg(long, value_name = "HOURS", allow_negative_numbers = true)]
    pub hours: Option<f64>,
    /// The most it may cost, in the offer's currency.
    #[arg(long, value_name = "AMOUNT", allow_negative_numbers = true)]
    pub max_spend: Option<String>,
    /// Idle for so long, it counts as forgotten: `30m`, `2h`; 0 = it may idle. That of the settings unless told.
    #[arg(long, value_name = "TIME", value_parser = minutes_or_none, allow_negative_numbers = true)]
    pub idle: Option<u32>,
    /// What happens when a limit is reached: notify, stop or end. Unless told: that of the settings; without one, stop
    /// where a stop ends the bill of the cards, else notify.
    #[arg(long, value_name = "WHAT", value_parser = ["stop", "end", "notify"])]
    pub on_expiry: Option<String>,
    /// Disk in GB; the usual one unless told.
    #[arg(long, value_name = "GB", allow_negative_numbers = true)]
    pub disk: Option<u32>,
    /// Image: a reference, or cuda, pytorch, inference.
    #[arg(long, value_name = "ID", default_value = "")]
    pub image: String,
    /// File of the public SSH key to let in; the best one there is unless told.
    #[arg(long, value_name = "FILE")]
    pub ssh_key: Option<std::path::PathBuf>,
    /// Who rents it.
    #[arg(long, value_name = "NAME")]
    pub owner: Option<String>,
    /// For what.
    #[arg(long, value_name = "NAME")]
    pub project: Option<String>,
    /// The most it may cost an hour, in the offer's currency; the offer's price unless told.
    #[arg(long, value_name = "PRICE", allow_negative_numbers = true)]
    pub max_price: Option<String>,
    /// Why it may be rented although the project's residency policy forbids it; stays in the record.
    #[arg(long, value_name = "REASON")]
    pub override_policy: Option<String>,
    /// Ask nothing: rent also at a price that rose, up to --max-price where that is given.
    #[arg(long)]
    pub yes: bool,
    /// Wait until it is ready.
    #[arg(long)]
    pub wait: bool,
}

/// `30m`, `2h`, `90` (minutes).
fn minutes(text: &str) -> Result<u32, String> {
    let (digits, times) = match text.trim() {
        text if text.ends_with('h') => (&text[..text.len() - 1], 60),
        text if text.ends_with('m') => (&text[..text.len() - 1], 1),
        text => (text, 1),
    };
    let number: u32 = digits.parse().map_err(|_| "write it as 30m or 2h".to_owned())?;
    number.checked_mul(times).filter(|minutes| *minutes > 0).ok_or_else(|| "write it as 30m or 2h".to_owned())
}

/// A rental by name or id.
#[derive(Debug, Args)]
pub struct RentalArg {
    /// Name or id.
    #[arg(value_name = "NAME")]
    pub rental: String,
}

/// `gpudesk extend`.
#[derive(Debug, Args)]
pub struct ExtendArgs {
    /// Name or id.
    #[arg(value_name = "NAME")]
    pub rental: String,
    /// Hours more.
    #[arg(long, value_name = "HOURS", default_value_t = 4.0, allow_negative_numbers = true)]
    pub hours: f64,
}

/// `gpudesk lease`. What is not named stays as it is.
#[derive(Debug, Args)]
pub struct LeaseArgs {
    /// Name or id.
    #[arg(value_name = "NAME")]
    pub rental: String,
    /// Hours from now; 0 = without an end.
    #[arg(long, value_name = "HOURS", allow_negative_numbers = true)]
    pub hours: Option<f64>,
    /// The most it may cost, in the offer's currency; 0 = no limit.
    #[arg(long, value_name = "AMOUNT", allow_negative_numbers = true)]
    pub max_spend: Option<String>,
    /// Idle for so long, it counts as forgotten: `30m`, `2h`; 0 = it may idle.
    #[arg(long, value_name = "TIME", value_parser = minutes_or_none, allow_negative_numbers = true)]
    pub idle: Option<u32>,
    /// What happens when a limit is reached: notify, stop or end.
    #[arg(long, value_name = "WHAT", value_parser = ["stop", "end", "notify"])]
    pub on_expiry: Option<String>,
}

fn minutes_or_none(text: &str) -> Result<u32, String> {
    if text.trim() == "0" { Ok(0) } else { minutes(text) }
}

/// `gpudesk end`.
#[derive(Debug, Args)]
pub struct EndArgs {
    /// Name or id.
    #[arg(value_name = "NAME")]
    pub rental: String,
    /// Ask nothing; what was found stays in the record all the same.
    #[arg(long)]
    pub yes: bool,
}

/// `gpudesk unmanaged`.
#[derive(Debug, Subcommand)]
pub enum UnmanagedAction {
    /// Take it over: from now on it is a rental like any other.
    Adopt {
        #[command(flatten)]
        machine: MachineArgs,
        /// Name of the rental; the machine's own unless told.
        #[arg(long, value_name = "NAME", default_value = "")]
        name: String,
    },
    /// Put it out of sight.
    Ignore(MachineArgs),
    /// Show it again.
    Show(MachineArgs),
    /// End it for good.
    End {
        #[command(flatten)]
        machine: MachineArgs,
        /// Ask nothing.
        #[arg(long)]
        yes: bool,
    },
}

/// A machine that is not ours, as `gpudesk reconcile` lists it.
#[derive(Debug, Args)]
pub struct MachineArgs {
    /// `vast`, or `vast/team` for one of several.
    #[arg(value_name = "ACCOUNT")]
    pub account: String,
    /// The provider's id.
    #[arg(value_name = "MACHINE")]
    pub machine: String,
}

#[cfg(test)]
mod tests {
    use super::minutes;

    #[test]
    fn idle_time_is_minutes_or_hours() {
        assert_eq!(minutes("30m"), Ok(30));
        assert_eq!(minutes("2h"), Ok(120));
        assert_eq!(minutes("90"), Ok(90));
        for wrong in ["", "0", "m", "-5m", "soon", "99999999h"] {
            assert!(minutes(wrong).is_err(), "{wrong}");
        }
    }
}
