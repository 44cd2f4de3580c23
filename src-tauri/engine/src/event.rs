//! What the engine tells whoever listens. Events are small: names and numbers, never tables.

use rust_decimal::Decimal;

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The board was swapped for a newer one.
    BoardChanged {
        /// Its number.
        board: u32,
    },
    /// A source began or ended a fetch.
    SourceChanged {
        /// Its name.
        source: String,
    },
    /// A rental changed, or, with an empty id, any of them or a machine that is not ours.
    RentalsChanged {
        /// Rental id.
        rental: String,
    },
    /// An account was added, removed or asked.
    AccountsChanged,
    /// A port forward or a copy changed.
    ForwardsChanged,
    /// The desk moved to the practice market or back.
    PracticeChanged {
        /// On or off.
        on: bool,
    },
    /// Something that a person should be told even when looking elsewhere.
    Told {
        /// Rental id.
        rental: String,
        /// Its name.
        name: String,
        /// Fixed word.
        what: String,
        /// One line.
        text: String,
        /// Whether notices of this kind go by the system's own way; a window shows it in any case.
        system: bool,
    },
    /// A watch found an offer.
    WatchHit {
        /// The watch's number.
        id: u32,
        /// Its query line.
        line: String,
        /// The offer's id.
        offer: String,
        /// What a person reads: `8× H100 SXM · Verda`.
        title: String,
        /// Price of a card-hour in USD.
        usd: Decimal,
    },
    /// A residency policy, or which holds for a project, was changed.
    PoliciesChanged,
    /// A server of the team's own was added, removed, looked at, booked or let go.
    OwnHostsChanged,
    /// A budget was changed, or a threshold of one was reached.
    BudgetsChanged,
    /// Where notices go was changed.
    NoticesChanged,
    /// The settings were changed.
    SettingsChanged,
}
