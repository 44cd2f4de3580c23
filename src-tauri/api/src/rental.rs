//! Requests and answers about rentals: what they are, cost and may do, and their story.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::connect::{CopyDto, ForwardDto};
use crate::desk::ApiError;
use crate::guard::ActivityDto;
use crate::offer::{OfferDto, PlaceDto};
use crate::policy::PolicyVerdict;
use crate::unmanaged::{BlindAccount, UnmanagedDto};

/// What a stop is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct StopTruth {
    /// Whether there is one.
    pub exists: bool,
    /// Whether the cards are no longer billed.
    pub ends_compute: bool,
    /// Whether the disk is kept; null = not said.
    pub keeps_disk: Option<bool>,
    /// What the stopped disk costs a month; null = not known, "0" = nothing.
    pub disk_per_month: Option<String>,
    /// Currency of that.
    pub currency: String,
    /// Whether a start may wait for ever.
    pub start_may_wait: bool,
}

/// One ring of the guard.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Ring {
    /// `provider`, `box`, `desk`.
    pub ring: String,
    /// On or off.
    pub on: bool,
    /// Why, in English.
    pub why: String,
    /// Fixed word of why, for the window's own texts.
    pub code: String,
}

/// A fixed word and its figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Remark {
    /// Fixed word.
    pub code: String,
    /// In English, for the terminal.
    pub text: String,
    /// `note`, `warn`, `block`.
    pub weight: String,
    /// Figures and names for the window's own sentence: amounts as decimal strings, times as RFC 3339.
    pub figures: BTreeMap<String, String>,
}

/// A rental, as JSON everywhere.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RentalDto {
    /// Our id.
    pub id: String,
    /// Name.
    pub name: String,
    /// `vast`.
    pub provider: String,
    /// Shown name of the provider.
    pub provider_title: String,
    /// `vast` or `vast/team`.
    pub account: String,
    /// The provider's id; null until it has one.
    pub remote_id: Option<String>,
    /// State.
    pub state: String,
    /// Since when, RFC 3339.
    pub state_since: String,
    /// Why it failed, what it waits for.
    pub reason: Option<String>,
    /// The provider's own word for it.
    pub provider_word: Option<String>,
    /// The mark.
    pub token: String,
    /// The offer it was made from; null for an adopted one.
    pub offer: Option<OfferDto>,
    /// What it is, shown: `8× H100 SXM · Verda FI`.
    pub title: String,
    /// Where it really is.
    pub place: Option<PlaceDto>,
    /// What the residency policy it was rented under says of it; null = it was rented under none.
    pub policy: Option<PolicyVerdict>,
    /// Owner.
    pub owner: Option<String>,
    /// Project.
    pub project: Option<String>,
    /// The way in.
    pub ssh: Option<SshDto>,
    /// RFC 3339.
    pub requested_at: String,
    /// RFC 3339.
    pub ready_at: Option<String>,
    /// RFC 3339, when its end was confirmed.
    pub ended_at: Option<String>,
    /// When the provider's contract ends it, RFC 3339.
    pub ends_at: Option<String>,
    /// What it costs an hour in its state now, compute and disk; null = not known.
    pub rate: RateDto,
    /// Costs so far.
    pub cost_so_far: CostSoFar,
    /// Comparison with the offer; null until made.
    pub verified: Option<VerifiedDto>,
    /// Limits.
    pub lease: LeaseDto,
    /// Rings.
    pub rings: Vec<Ring>,
    /// Whether it works; null = it was never measured.
    pub activity: Option<ActivityDto>,
    /// What may be done now, in this order of prominence: `connect start stop end extend retry-end`.
    pub actions: Vec<String>,
    /// What a stop means here.
    pub stop: StopTruth,
    /// Things to know: price rises, end dates, no GPU.
    pub notices: Vec<Remark>,
    /// Newest reading of the cards; null = none.
    pub usage: Option<UsageNow>,
    /// How long boots took here before, seconds low and high; null = not known.
    pub usual_boot_s: Option<(f64, f64)>,
    /// Whether it is over and shown only among the old ones.
    pub over: bool,
}

/// A way in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct SshDto {
    /// Address.
    pub host: String,
    /// Port.
    pub port: u16,
    /// User.
    pub user: String,
    /// `ssh ALIAS` works in any terminal.
    pub alias: String,
    /// Fingerprint of the host key; null until seen.
    pub fingerprint: Option<String>,
    /// Whether it is a proxy: a shell only.
    pub proxy: bool,
}

/// A rate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RateDto {
    /// All of it per hour, in the state it is in; null = not known.
    pub per_hour: Option<String>,
    /// Currency.
    pub currency: String,
}

/// Costs so far, calculated from recorded intervals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct CostSoFar {
    /// All of it.
    pub amount: String,
    /// Currency.
    pub currency: String,
    /// `compute`, `storage`, `storage-stopped`.
    pub parts: std::collections::BTreeMap<String, String>,
    /// Parts that are not known.
    pub unknown: Vec<String>,
}

/// Comparison with the offer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct VerifiedDto {
    /// Nothing differs.
    pub ok: bool,
    /// What differs.
    pub differs: Vec<DifferenceDto>,
    /// What could not be compared.
    pub unknown: Vec<String>,
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct DifferenceDto {
    /// Of what.
    pub what: String,
    /// As offered.
    pub offered: String,
    /// As found.
    pub found: String,
}

/// Limits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct LeaseDto {
    /// RFC 3339.
    pub until: Option<String>,
    /// In the offer's currency.
    pub max_spend: Option<String>,
    /// Minutes.
    pub idle_minutes: Option<u32>,
    /// `notify`, `stop`, `end`.
    pub on_expiry: String,
}

/// The newest reading of a machine's cards.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct UsageNow {
    /// RFC 3339.
    pub at: String,
    /// Each card.
    pub gpus: Vec<GpuUsage>,
    /// Programs on the cards.
    pub processes: Vec<GpuProcess>,
    /// Why there is no figure.
    pub problem: Option<String>,
    /// Mean utilisation of the last hour, oldest first, one a minute; null = no sample.
    pub last_hour: Vec<Option<f64>>,
}

/// One card now. Null = it does not tell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct GpuUsage {
    /// Number.
    pub index: u32,
    /// Name.
    pub name: String,
    /// Percent.
    pub util_percent: Option<f64>,
    /// MiB.
    pub memory_used_mib: Option<f64>,
    /// MiB.
    pub memory_total_mib: Option<f64>,
    /// Watts.
    pub power_w: Option<f64>,
    /// °C.
    pub temperature_c: Option<f64>,
}

/// A program on a card.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct GpuProcess {
    /// Process number on the machine.
    pub pid: u32,
    /// Its name.
    pub name: String,
    /// MiB.
    pub memory_mib: Option<f64>,
}

/// The rentals view.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RentalsPage {
    /// Ours, the live ones first.
    pub rentals: Vec<RentalDto>,
    /// Machines in the accounts that are not ours.
    pub unmanaged: Vec<UnmanagedDto>,
    /// Machines that are billed now.
    pub burning_machines: u32,
    /// What they burn an hour, in USD, where all can be converted.
    pub burning_usd: Option<String>,
    /// Machines whose rate is not known.
    pub burning_unknown: u32,
    /// Accounts whose machines could not be listed, with the reason.
    pub blind: Vec<BlindAccount>,
    /// RFC 3339, when all accounts were last compared.
    pub reconciled_at: Option<String>,
}

/// Which rentals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RentalsRequest {
    /// Those that are over too.
    pub all: bool,
}

/// One rental, by id or name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RentalRequest {
    /// Id or name.
    pub rental: String,
}

/// A rental in full.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct RentalDetails {
    /// It.
    pub rental: RentalDto,
    /// Its story, oldest first.
    pub events: Vec<EventDto>,
    /// Billing intervals.
    pub intervals: Vec<IntervalDto>,
    /// Port forwards that are open.
    pub forwards: Vec<ForwardDto>,
    /// Copies under way or done lately.
    pub copies: Vec<CopyDto>,
    /// The receipt, Markdown, once it is over.
    pub receipt: Option<String>,
}

/// One event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct EventDto {
    /// RFC 3339.
    pub at: String,
    /// Fixed word.
    pub event: String,
    /// In English, one line.
    pub text: String,
    /// `good`, `note`, `warn`, `bad`.
    pub weight: String,
    /// Figures for the window's own texts.
    #[ts(type = "Record<string, unknown>")]
    pub figures: serde_json::Value,
}

/// One billing interval.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct IntervalDto {
    /// `compute`, `storage`, `storage-stopped`.
    pub kind: String,
    /// RFC 3339.
    pub from: String,
    /// RFC 3339; null = still.
    pub to: Option<String>,
    /// Per hour; null = not known.
    pub per_hour: Option<String>,
    /// So far; null = not known.
    pub amount: Option<String>,
}

/// What must be settled before an end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct EndChecklist {
    /// The rental.
    pub rental: RentalDto,
    /// Programs on its cards, people logged in, files changed lately; each with what it means.
    pub running: Vec<Remark>,
    /// What goes, what stays, and what staying costs.
    pub fate: Vec<Remark>,
    /// Things of the account that cost without a machine.
    pub leftovers: Vec<LeftoverDto>,
    /// Whether the machine could be asked at all, and why not.
    pub asked: Option<ApiError>,
}

/// Something that stays and costs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct LeftoverDto {
    /// What.
    pub what: String,
    /// Its id.
    pub remote_id: String,
    /// Name.
    pub name: Option<String>,
    /// GB.
    pub size_gb: Option<String>,
    /// A month.
    pub per_month: Option<String>,
    /// Currency.
    pub currency: String,
}

/// New limits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ExtendRequest {
    /// Id or name.
    pub rental: String,
    /// Hours more, from the later of now and the present end.
    pub hours: f64,
}
