//! What is known before a rental, and the order itself.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::account::Account;
use crate::offer::OfferDto;
use crate::policy::PolicyVerdict;
use crate::rental::{Remark, RentalDto, Ring, StopTruth};

/// What the launch sheet for an offer needs to know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct LaunchSheetRequest {
    /// The offer.
    pub offer: String,
    /// Disk in GB; null = the usual.
    pub disk_gb: Option<u32>,
    /// Hours of the lease.
    pub hours: f64,
    /// The project it would be rented for.
    #[serde(default)]
    #[ts(optional = nullable)]
    pub project: Option<String>,
}

/// The launch sheet, filled with what is usual.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct LaunchSheet {
    /// The offer.
    pub offer: OfferDto,
    /// Whether it is a booking of a server of the team's own: no account, key, image or disk is chosen.
    pub booking: bool,
    /// Accounts it can be rented through; empty = an account must be added first, unless it is a booking.
    pub accounts: Vec<Account>,
    /// A free name.
    pub name: String,
    /// SSH keys to choose from, the best first.
    pub ssh_keys: Vec<SshKey>,
    /// Images, the usual one first.
    pub images: Vec<ImageChoice>,
    /// Whether any image reference may be typed.
    pub any_image: bool,
    /// Disk range; null = the offer's own.
    pub disk: Option<DiskChoice>,
    /// Names used before for owner and project.
    pub owners: Vec<String>,
    /// The same for projects.
    pub projects: Vec<String>,
    /// What the lease's hours will cost: low and high end, in the offer's currency.
    pub cost: CostRange,
    /// What happens at the end of its lease unless another thing is chosen: `notify`, `stop`, `end`.
    pub on_expiry: String,
    /// What a stop means here.
    pub stop: StopTruth,
    /// Which rings would guard it.
    pub rings: Vec<Ring>,
    /// Whether anything would end it with the laptop closed.
    pub survives_closed_laptop: bool,
    /// Things to know before the money is spent, each a fixed word with figures: see the window's texts.
    pub remarks: Vec<Remark>,
    /// What the project's residency policy says of it; null = the project is under none.
    pub policy: Option<PolicyVerdict>,
    /// What is known of machines rented here before.
    pub evidence: Vec<Remark>,
}

/// An SSH key that can be let in. Never holds a private half.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct SshKey {
    /// What is sent back to choose it.
    pub id: String,
    /// `file`, `agent`, `new`.
    pub source: String,
    /// File of the public half, or the agent's comment.
    pub title: String,
    /// `ssh-ed25519`, …; empty for a new one.
    pub kind: String,
    /// `SHA256:…`; empty for a new one.
    pub fingerprint: String,
    /// Why it cannot be used.
    pub problem: Option<String>,
}

/// An image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ImageChoice {
    /// The provider's reference.
    pub id: String,
    /// Shown name.
    pub title: String,
    /// `cuda`, `pytorch`, `inference`, `custom`.
    pub kind: String,
}

/// Disk in GB.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct DiskChoice {
    /// The least.
    pub least: u32,
    /// The usual.
    pub usual: u32,
    /// The most, where known.
    pub most: Option<u32>,
}

/// A cost with its ends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct CostRange {
    /// Low end.
    pub low: String,
    /// High end.
    pub high: String,
    /// Currency.
    pub currency: String,
    /// Names of parts that are not known.
    pub unknown: Vec<String>,
}

/// A launch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct LaunchRequest {
    /// The offer.
    pub offer: String,
    /// Account; empty = the only one.
    pub account: String,
    /// Name; empty = a free one.
    pub name: String,
    /// Key id of the sheet; empty = the best one.
    pub ssh_key: String,
    /// Image reference; empty = the usual one.
    pub image: String,
    /// Disk in GB; null = the usual.
    pub disk_gb: Option<u32>,
    /// Lease in hours; null = no limit of time.
    pub hours: Option<f64>,
    /// The most it may cost, in the offer's currency.
    pub max_spend: Option<String>,
    /// Minutes of idleness.
    pub idle_minutes: Option<u32>,
    /// `notify`, `stop`, `end`.
    pub on_expiry: String,
    /// Owner.
    pub owner: Option<String>,
    /// Project.
    pub project: Option<String>,
    /// The price per hour the person saw or allows; a higher one is asked about, never taken.
    pub max_price: Option<String>,
    /// Why it may be rented although the project's residency policy forbids it; stays in the record.
    #[serde(default)]
    #[ts(optional = nullable)]
    pub override_policy: Option<String>,
}

/// What came of a launch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "outcome", rename_all = "kebab-case")]
pub enum LaunchOutcome {
    /// Written down and asked for; it goes on by itself.
    Requested {
        /// The rental.
        rental: Box<RentalDto>,
    },
    /// The price rose: ask the person, and launch again with a higher limit.
    PriceRose {
        /// The price that was allowed, per hour.
        allowed: String,
        /// The price now.
        now: String,
        /// Currency.
        currency: String,
    },
    /// The offer is gone: the nearest ones.
    Gone {
        /// In whose words.
        words: String,
        /// Like it, the nearest first.
        nearest: Vec<OfferDto>,
    },
}

/// Which offer may end by itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct OfferEndRequest {
    /// The offer.
    pub offer: String,
    /// Account it would be rented through; empty = the only one.
    pub account: String,
}

/// The end of an offer, which no lease may go beyond.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct OfferEnd {
    /// When the host takes the machine back, RFC 3339; null = no end is told.
    pub ends_at: Option<String>,
}

/// Opens the page where an offer is rented by hand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct OfferPageRequest {
    /// The offer.
    pub offer: String,
}

/// The page of an offer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct OfferPage {
    /// Its address.
    pub page: String,
    /// Whether a browser was started; where none was, the address is to be copied.
    pub opened: bool,
}
