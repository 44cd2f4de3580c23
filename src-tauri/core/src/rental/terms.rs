//! What renting at a provider means, as data: nothing outside the adapter asks for a provider by name.

use std::time::Duration;

use super::Image;

/// What keeps one click from making two machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Idempotency {
    /// The same key gives the same machine.
    Key,
    /// An offer can be taken once: a repeat fails, but the first may have succeeded.
    OfferOnce,
    /// Nothing: only the mark on the machine tells.
    None,
}

/// From when on the cards are billed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BillsFrom {
    /// From the order on.
    Order,
    /// Only while the machine runs.
    Running,
}

/// What a stop is at a provider. `None` = its pages do not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StopTerms {
    /// Whether there is a stop.
    pub exists: bool,
    /// Whether the cards are no longer billed once stopped.
    pub ends_compute: bool,
    /// Whether the disk is kept (the part that is chosen as persistent, where there are several).
    pub keeps_disk: Option<bool>,
    /// Whether the disk is billed while stopped.
    pub disk_billed: Option<bool>,
    /// Whether a start may wait for ever, because somebody else has the cards.
    pub start_may_wait: bool,
    /// Whether a shutdown from inside ends the billing of the cards.
    pub guest_shutdown_ends_compute: Option<bool>,
}

/// The provider's own timer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnTimer {
    /// There is none.
    None,
    /// There is one, and it reads back as set.
    ReadsBack,
    /// There is one that cannot be read back: it counts as not armed.
    Blind,
}

/// The disk that can be asked for, in GB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiskRange {
    /// The least.
    pub least: u32,
    /// What is asked for unless somebody says otherwise.
    pub usual: u32,
}

/// Everything the rest of the desk must know about renting at a provider.
#[derive(Debug, Clone, PartialEq)]
pub struct RentalTerms {
    /// What keeps one click from making two machines.
    pub idempotency: Idempotency,
    /// After a launch whose outcome is not known: how long to wait before each of two looks, since the list lags.
    pub list_lag: Duration,
    /// How long after its making a machine that is not found is not yet gone.
    pub fresh: Duration,
    /// Least time between two looks at the same machine.
    pub poll: Duration,
    /// Least time between two launches of one account.
    pub between_launches: Duration,
    /// From when on the cards are billed.
    pub bills_from: BillsFrom,
    /// Whether the disk is billed from the order on, apart from the cards.
    pub disk_billed_apart: bool,
    /// Disk that can be chosen; `None` = the offer's own.
    pub disk: Option<DiskRange>,
    /// What a stop is.
    pub stop: StopTerms,
    /// Its own timer.
    pub own_timer: OwnTimer,
    /// Whether a machine is given a credential that can end that machine only.
    pub box_credential: bool,
    /// Whether there is a balance that can be read.
    pub tells_balance: bool,
    /// Whether its usage figures can be read.
    pub tells_usage: bool,
    /// Images to choose from, the usual one first. Any other reference may be typed where `any_image`.
    pub images: Vec<Image>,
    /// Whether any image reference may be used.
    pub any_image: bool,
    /// The user to log in as.
    pub user: &'static str,
    /// How the mark is set: `label`, `name`, `tag`.
    pub mark: &'static str,
    /// The least rights a key of ours needs, in the provider's own words.
    pub key_rights: &'static str,
    /// Where such a key is made.
    pub key_page: &'static str,
}
