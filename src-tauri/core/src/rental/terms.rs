//! What renting at a provider means, as data: nothing outside the adapter asks for a provider by name.

use std::time::Duration;

use super::{Image, KeyTerms, OnExpiry};
use crate::offer::{Form, PriceKind};

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

/// What may run at the first boot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserDataKind {
    /// Nothing can be given along.
    None,
    /// A script for the shell.
    Script,
    /// A cloud-init document, or a script as cloud-init takes one (it begins with `#!`).
    CloudInit,
}

/// The text for the first boot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UserData {
    /// What it may be.
    pub kind: UserDataKind,
    /// The most bytes before any encoding, where the provider says.
    pub max_bytes: Option<u32>,
}

/// How a machine stops itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoxStop {
    /// It shuts down, which ends the bill of its cards.
    PowerOff,
    /// By Vast's interface, with the key that acts on this instance only.
    Vast,
    /// By RunPod's interface, with the pod's own key.
    RunPod,
}

/// Where deadline and owner travel with the machine, so that another desk or a script can read them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TagRoom {
    /// There is no room.
    None,
    /// In tags, labels or metadata that the list shows again.
    Tags,
    /// In the environment inside the machine only: the list does not show them.
    Inside,
}

/// How a person is let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SshAdmin {
    /// As root.
    Root,
    /// As a user who may become root.
    Sudo,
}

/// Which way leads to the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SshWay {
    /// Its own address, or a port of its host.
    Direct,
    /// Only a proxy of the provider.
    Proxy,
    /// Either, as the machine or its host has it.
    Either,
}

/// Logging in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SshTerms {
    /// The usual user; a machine that names another one is right.
    pub user: &'static str,
    /// What that user may do.
    pub admin: SshAdmin,
    /// Which way leads there.
    pub way: SshWay,
}

/// How exactly the provider says where a machine stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlaceTold {
    /// Every offer and machine names its region or data centre.
    Region,
    /// The country at best.
    Country,
    /// Some say, some do not (an aggregator whose operator may be hidden, a host that gives no place).
    Some,
    /// Never.
    Never,
}

/// A limit of calls as a provider publishes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallRate {
    /// What is limited: `all calls`, `launch`.
    pub what: &'static str,
    /// So many calls.
    pub calls: u32,
    /// In this time.
    pub per: Duration,
    /// The page that says so.
    pub page: &'static str,
}

/// Everything the rest of the desk must know about renting at a provider. An adapter begins with
/// [`RentalTerms::plain`] and says what is known beyond it.
#[derive(Debug, Clone, PartialEq)]
pub struct RentalTerms {
    /// Whether a rental is no more than a booking of something that is there anyway, of all of a machine or of a part:
    /// there is no account and no key to let in, and its end leaves machine and disk as they are.
    pub booking: bool,
    /// Forms that can be rented from here.
    pub forms: &'static [Form],
    /// Kinds of price that can be rented from here.
    pub prices: &'static [PriceKind],
    /// How exactly the provider says where a machine stands.
    pub place: PlaceTold,
    /// What keeps one click from making two machines.
    pub idempotency: Idempotency,
    /// After a launch whose outcome is not known: how long to wait before each of two looks, since the list lags.
    pub list_lag: Duration,
    /// How long after its making a machine that is not found is not yet gone.
    pub fresh: Duration,
    /// Least time between two looks at the same machine.
    pub poll: Duration,
    /// The published limits of calls; empty = none is published.
    pub rates: &'static [CallRate],
    /// Least time between two launches of one account.
    pub between_launches: Duration,
    /// From when on the cards are billed.
    pub bills_from: BillsFrom,
    /// Whether the disk is billed from the order on, apart from the cards.
    pub disk_billed_apart: bool,
    /// Whether its offers end at a time that a quote tells: the host takes the machine back then.
    pub offers_end: bool,
    /// Disk that can be chosen; `None` = the offer's own.
    pub disk: Option<DiskRange>,
    /// GB of the disk asked for that a stop wipes: they are not billed while it stands.
    pub wiped_gb: u32,
    /// What a stop is.
    pub stop: StopTerms,
    /// Its own timer.
    pub own_timer: OwnTimer,
    /// How a machine can stop itself with nothing but what it was given; `None` = it cannot, beyond a shutdown that
    /// ends the bill ([`StopTerms::guest_shutdown_ends_compute`]).
    pub box_stop: Option<BoxStop>,
    /// Whether there is a balance that can be read.
    pub tells_balance: bool,
    /// Whether its usage figures can be read.
    pub tells_usage: bool,
    /// Images to choose from, the usual one first. Any other reference may be typed where `any_image`.
    pub images: Vec<Image>,
    /// Whether any image reference may be used.
    pub any_image: bool,
    /// The text for the first boot.
    pub user_data: UserData,
    /// How the mark is set: `label`, `name`, `tag`.
    pub mark: &'static str,
    /// Where deadline and owner travel with the machine.
    pub tags: TagRoom,
    /// Whether that can be changed once the machine is made.
    pub retags: bool,
    /// Logging in.
    pub ssh: SshTerms,
    /// The key: its parts, its rights, the pages that grant them.
    pub key: KeyTerms,
}

impl RentalTerms {
    /// The terms of a cloud of which nothing is known: what costs more or can do less is assumed. An adapter writes
    /// `RentalTerms { …, ..RentalTerms::plain() }`, so that a new field breaks none.
    #[must_use]
    pub fn plain() -> Self {
        Self {
            booking: false,
            forms: &[Form::Vm],
            prices: &[PriceKind::OnDemand],
            place: PlaceTold::Some,
            idempotency: Idempotency::None,
            list_lag: Duration::from_secs(10),
            fresh: Duration::from_secs(60),
            poll: Duration::from_secs(10),
            rates: &[],
            between_launches: Duration::from_secs(1),
            bills_from: BillsFrom::Order,
            disk_billed_apart: false,
            offers_end: false,
            disk: None,
            wiped_gb: 0,
            stop: StopTerms {
                exists: false,
                ends_compute: false,
                keeps_disk: None,
                disk_billed: None,
                start_may_wait: false,
                guest_shutdown_ends_compute: None,
            },
            own_timer: OwnTimer::None,
            box_stop: None,
            tells_balance: false,
            tells_usage: false,
            images: Vec::new(),
            any_image: false,
            user_data: UserData { kind: UserDataKind::None, max_bytes: None },
            mark: "name",
            tags: TagRoom::None,
            retags: false,
            ssh: SshTerms { user: "root", admin: SshAdmin::Root, way: SshWay::Direct },
            key: KeyTerms::plain(),
        }
    }

    /// Whether the disk of a machine that stands is billed, be it apart all along or inside the price while it runs.
    #[must_use]
    pub fn bills_standing_disk(&self) -> bool {
        self.disk_billed_apart || (self.stop.ends_compute && self.stop.disk_billed == Some(true))
    }

    /// How a machine stops itself when no desk is there.
    #[must_use]
    pub fn own_stop(&self) -> Option<BoxStop> {
        let shuts_down = self.stop.guest_shutdown_ends_compute == Some(true);
        self.box_stop.or(shuts_down.then_some(BoxStop::PowerOff))
    }

    /// What happens at the end of a lease of which nobody said it: a stop where that ends the bill of the cards, else its
    /// owner is told. Nobody's data is ended unasked; the end of a booking ends none, since the server stays as it is.
    #[must_use]
    pub fn usual_expiry(&self) -> OnExpiry {
        if self.booking {
            OnExpiry::End
        } else if self.stop.exists && self.stop.ends_compute {
            OnExpiry::Stop
        } else {
            OnExpiry::Notify
        }
    }

    /// What happens at the end of a lease where a person usually wants this: a stop only where there is one.
    #[must_use]
    pub fn expiry(&self, wanted: Option<OnExpiry>) -> OnExpiry {
        let can = |wanted: &OnExpiry| *wanted != OnExpiry::Stop || (self.stop.exists && !self.booking);
        wanted.filter(can).unwrap_or_else(|| self.usual_expiry())
    }

    /// Whether machines of this kind of price can be rented from here.
    #[must_use]
    pub fn rents(&self, kind: PriceKind) -> bool {
        self.prices.contains(&kind)
    }
}
