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
    /// The settings were changed.
    SettingsChanged,
}
