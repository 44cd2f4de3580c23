//! Requests and answers about accounts, rentals and the ways into them.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::desk::ApiError;
use crate::offer::{OfferDto, PlaceDto};

/// An account at a provider. Never holds a key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Account {
    /// `vast`, or `vast/team` for one of several.
    pub name: String,
    /// `vast`.
    pub provider: String,
    /// Shown name of the provider.
    pub title: String,
    /// What tells several accounts of one provider apart; empty for the only one.
    pub alias: String,
    /// Where its key is kept: `keyring`, `environment`, `file`, `missing`.
    pub key_in: String,
    /// `ok`, `checking`, `failed`, `never`.
    pub state: String,
    /// Who it is, where told.
    pub who: Option<String>,
    /// Money left, where told.
    pub balance: Option<String>,
    /// Currency of the balance.
    pub currency: Option<String>,
    /// The account's own limit per hour.
    pub spend_limit_per_hour: Option<String>,
    /// What its key may do: `read-only`, `read-write`, `unknown`.
    pub rights: String,
    /// What the key needs at least, in the provider's own words.
    pub needs: String,
    /// Where a key is made.
    pub key_page: String,
    /// What else should be known.
    pub remarks: Vec<String>,
    /// RFC 3339, when it was last asked.
    pub checked_at: Option<String>,
    /// Why the last check failed.
    pub error: Option<ApiError>,
    /// Base address other than the documented one; empty = none.
    pub address: String,
    /// Proxy of this account; empty = the desk's.
    pub proxy: String,
    /// CA file of this account; empty = the desk's.
    pub ca_file: String,
}

/// Accounts, and what can be added.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Accounts {
    /// Those there are.
    pub accounts: Vec<Account>,
    /// Providers that can be rented from here.
    pub providers: Vec<AccountProvider>,
    /// Whether keys can be kept in the system's keyring, and why not.
    pub keyring: KeyringState,
}

/// A provider an account can be added for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct AccountProvider {
    /// `vast`.
    pub provider: String,
    /// Shown name.
    pub title: String,
    /// What the key needs at least, in the provider's own words.
    pub needs: String,
    /// Where a key is made.
    pub key_page: String,
}

/// Whether the keyring works.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct KeyringState {
    /// Whether keys can be kept there.
    pub works: bool,
    /// Shown name: `Secret Service`.
    pub name: String,
    /// Why not.
    pub problem: Option<String>,
    /// Where keys are kept instead.
    pub instead: Option<String>,
}

/// A new account, or a new key for one.
#[derive(Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct AccountAddRequest {
    /// `vast`.
    pub provider: String,
    /// Empty for the only one.
    pub alias: String,
    /// The key. It is put into the keyring and never comes back.
    pub key: String,
    /// Where to keep it when the keyring does not work: `keyring` (fail then), `file`, `session`.
    pub keep: String,
    /// Base address other than the documented one; empty = none.
    pub address: String,
    /// Proxy; empty = the desk's.
    pub proxy: String,
    /// CA file; empty = the desk's.
    pub ca_file: String,
    /// Keep the key although the provider cannot be asked about it now.
    #[serde(default)]
    #[ts(optional, as = "Option<bool>")]
    pub unchecked: bool,
}

impl std::fmt::Debug for AccountAddRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AccountAddRequest")
            .field("provider", &self.provider)
            .field("alias", &self.alias)
            .finish_non_exhaustive()
    }
}

/// One account.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct AccountRequest {
    /// `vast` or `vast/team`.
    pub name: String,
}

/// What the launch sheet for an offer needs to know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct LaunchSheetRequest {
    /// The offer.
    pub offer: String,
    /// Disk in GB; null = the usual.
    pub disk_gb: Option<u32>,
    /// Hours of the lease.
    pub hours: f64,
}

/// The launch sheet, filled with what is usual.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct LaunchSheet {
    /// The offer.
    pub offer: OfferDto,
    /// Accounts it can be rented through; empty = an account must be added first.
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
    /// What a stop means here.
    pub stop: StopTruth,
    /// Which rings would guard it.
    pub rings: Vec<Ring>,
    /// Whether anything would end it with the laptop closed.
    pub survives_closed_laptop: bool,
    /// Things to know before the money is spent, each a fixed word with figures: see the window's texts.
    pub remarks: Vec<Remark>,
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

/// An account that could not be looked into.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct BlindAccount {
    /// Which.
    pub account: String,
    /// RFC 3339, since when.
    pub since: String,
    /// Why.
    pub error: ApiError,
}

/// A machine that is not ours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct UnmanagedDto {
    /// Account.
    pub account: String,
    /// Shown name of the provider.
    pub provider_title: String,
    /// The provider's id.
    pub remote_id: String,
    /// Name.
    pub name: Option<String>,
    /// What it is.
    pub title: String,
    /// State in our words.
    pub state: String,
    /// Since when, RFC 3339.
    pub created_at: Option<String>,
    /// Per hour.
    pub per_hour: Option<String>,
    /// Currency.
    pub currency: Option<String>,
    /// Cost since its creation, if it ran all the time.
    pub at_most: Option<String>,
    /// Whether a person said to leave it out of sight.
    pub ignored: bool,
    /// Whether it bears a mark of GPU Desk (of another desk, or of a record that was lost).
    pub marked: bool,
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

/// A machine that is not ours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct UnmanagedRequest {
    /// Account.
    pub account: String,
    /// The provider's id.
    pub remote_id: String,
    /// `adopt`, `ignore`, `show`, `end`.
    pub action: String,
    /// For an adoption: the name; empty = its own.
    pub name: String,
}

/// What a comparison of accounts and records found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ReconcileReport {
    /// Accounts that were listed in full.
    pub complete: Vec<String>,
    /// Accounts that could not be.
    pub blind: Vec<BlindAccount>,
    /// Rentals found by their mark just now.
    pub found: Vec<String>,
    /// Rentals that are gone at the provider.
    pub lost: Vec<String>,
    /// Machines that are not ours.
    pub unmanaged: Vec<UnmanagedDto>,
}

/// A terminal to open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct TerminalOpenRequest {
    /// Id or name of the rental.
    pub rental: String,
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
}

/// A terminal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Terminal {
    /// Number.
    pub id: u32,
    /// Rental.
    pub rental: String,
    /// Shown title.
    pub title: String,
}

/// Bytes typed into a terminal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct TerminalWriteRequest {
    /// Number.
    pub id: u32,
    /// Base64.
    pub data: String,
}

/// A new size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct TerminalResizeRequest {
    /// Number.
    pub id: u32,
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
}

/// What the terminal printed from `offset` on. The answer waits up to half a minute for something to print.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct TerminalReadRequest {
    /// Number.
    pub id: u32,
    /// Bytes read so far.
    #[ts(type = "number")]
    pub offset: u64,
}

/// Bytes of a terminal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct TerminalBytes {
    /// Base64.
    pub data: String,
    /// Offset behind them.
    #[ts(type = "number")]
    pub offset: u64,
    /// The exit code, once the program is over and everything was read.
    pub exit: Option<i32>,
    /// Why it ended, where that is known: host key changed, refused, unreachable.
    pub problem: Option<ApiError>,
}

/// A terminal by number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct TerminalRequest {
    /// Number.
    pub id: u32,
}

/// Opens a rental in another program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct OpenInRequest {
    /// Id or name.
    pub rental: String,
    /// `terminal`, `vscode`, `cursor`.
    pub program: String,
}

/// What was opened, or the command to type where nothing could be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Opened {
    /// What was started; null = nothing was found.
    pub program: Option<String>,
    /// The command that does the same.
    pub command: String,
}

/// A forward to open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ForwardOpenRequest {
    /// Id or name.
    pub rental: String,
    /// Port on the machine.
    pub remote_port: u16,
    /// Port here; null = a free one.
    pub local_port: Option<u16>,
    /// `jupyter`, `tensorboard`, `vllm`, or empty.
    pub preset: String,
}

/// A forward.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ForwardDto {
    /// Number.
    pub id: u32,
    /// Rental id.
    pub rental: String,
    /// Port on the machine.
    pub remote_port: u16,
    /// Port here.
    pub local_port: u16,
    /// `jupyter`, `tensorboard`, `vllm`, or empty.
    pub preset: String,
    /// `open`, `opening`, `retrying`, `failed`.
    pub state: String,
    /// What to open in a browser.
    pub url: String,
    /// Why it is not open.
    pub problem: Option<String>,
}

/// A forward by number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ForwardRequest {
    /// Number.
    pub id: u32,
}

/// A copy to start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct CopyStartRequest {
    /// Id or name.
    pub rental: String,
    /// `to` or `from` the machine.
    pub direction: String,
    /// Files and folders here (one folder for `from`).
    pub local: Vec<String>,
    /// Folder (or, for `from`, path) there.
    pub remote: String,
}

/// A copy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct CopyDto {
    /// Number.
    pub id: u32,
    /// Rental id.
    pub rental: String,
    /// `to` or `from`.
    pub direction: String,
    /// What.
    pub title: String,
    /// `running`, `done`, `failed`, `cancelled`.
    pub state: String,
    /// Percent; null = not known.
    pub percent: Option<f64>,
    /// Newest line of the program.
    pub line: String,
    /// Why it failed.
    pub problem: Option<String>,
}

/// A copy by number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct CopyRequestById {
    /// Number.
    pub id: u32,
}

/// The line in the user's own SSH configuration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct SshInclude {
    /// The file.
    pub file: String,
    /// The line that is or would be added at its top.
    pub line: String,
    /// Whether it is there and comes early enough to work.
    pub there: bool,
    /// Why it cannot be added by us.
    pub problem: Option<String>,
}

/// Adds or removes that line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct SshIncludeRequest {
    /// `show`, `add`, `remove`.
    pub action: String,
}

/// Accepts the changed host key of a rental, by a person's explicit word.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct HostKeyAcceptRequest {
    /// Id or name.
    pub rental: String,
    /// The new fingerprint as it was shown.
    pub fingerprint: String,
}

/// Whether the practice market is on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Practice {
    /// Whether this desk is at the practice market.
    pub on: bool,
    /// Why it could not be started.
    pub problem: Option<ApiError>,
}

/// Goes to the practice market, or back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct PracticeRequest {
    /// On or off.
    pub on: bool,
}
