//! Requests and answers about servers of the team's own.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A server of the team's own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct OwnHostDto {
    /// Its name in the person's SSH configuration.
    pub alias: String,
    /// `ok`, `unreachable`, `denied`, `host-key-unknown`, `host-key-changed`, `no-driver`, `driver-mismatch`,
    /// `card-lost`, `no-cards`, `not-told`; null = never checked.
    pub health: Option<String>,
    /// What is wrong; null where nothing is.
    pub detail: Option<String>,
    /// RFC 3339, when it was last looked at.
    pub checked_at: Option<String>,
    /// RFC 3339, when all was well for the last time: what stands here of its cards is from then.
    pub read_at: Option<String>,
    /// Address or DNS name its name leads to.
    pub host: Option<String>,
    /// TCP port.
    pub port: Option<u16>,
    /// User.
    pub user: Option<String>,
    /// Its cards; empty = never read.
    pub cards: Vec<OwnCardDto>,
    /// `NVLink`, `NVLink between some`, `PCIe`, …; null = not told, or one card.
    pub links: Option<String>,
    /// Driver version.
    pub driver: Option<String>,
    /// Highest CUDA version the driver supports.
    pub cuda: Option<String>,
    /// Processors.
    pub cores: Option<u32>,
    /// Memory of the machine, GiB.
    pub ram_gib: Option<f64>,
    /// Where it stands, in the person's words.
    pub place: Option<String>,
    /// Country it stands in.
    pub country: Option<String>,
    /// Country of the team.
    pub seller: Option<String>,
    /// Whose it is.
    pub owner: Option<String>,
    /// What it costs.
    pub cost: OwnCostDto,
    /// Share of its card-hours that were booked, 0 to 1; null in its first day here, and of one never read.
    pub utilisation: Option<f64>,
    /// Who has a part of it.
    pub bookings: Vec<OwnBookingDto>,
    /// Whether its offers can be had.
    pub on_market: bool,
    /// Why not.
    pub off_market_why: Option<String>,
    /// RFC 3339, since when it is known here.
    pub added_at: String,
}

/// A card of a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct OwnCardDto {
    /// Its number on the machine.
    pub index: u32,
    /// UUID, or address on the bus.
    pub id: String,
    /// As its driver names it.
    pub name: String,
    /// Canonical name; null = the table does not know it.
    pub model: Option<String>,
    /// Memory, GiB.
    pub vram_gib: Option<f64>,
    /// Whether it is divided into slices (MIG).
    pub divided: bool,
    /// The slices there are.
    pub slices: Vec<OwnSliceDto>,
    /// Name of the rental that has it whole; null = nobody.
    pub booked_by: Option<String>,
}

/// A slice of a card.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct OwnSliceDto {
    /// UUID.
    pub id: String,
    /// `1g.10gb`.
    pub profile: String,
    /// Share of the card's compute; null = the table of profiles does not say.
    pub compute_share: Option<f64>,
    /// Memory, GiB.
    pub memory_gib: Option<f64>,
    /// Share of the card's memory and its bandwidth.
    pub bandwidth_share: Option<f64>,
    /// Name of the rental that has it; null = nobody.
    pub booked_by: Option<String>,
}

/// What a server costs. Amounts are decimal strings in its currency.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct OwnCostDto {
    /// Of every amount here.
    pub currency: String,
    /// What it was bought for.
    pub price: Option<String>,
    /// When, `YYYY-MM-DD`.
    pub bought: Option<String>,
    /// What is left of the price, by its age: `30%@18m`, `60%@12m,30%@24m`.
    pub resale: String,
    /// Whether nobody said so and the usual is assumed.
    pub resale_assumed: bool,
    /// Power, place and people by the month.
    pub running: Option<String>,
    /// All of it by the month; null = a part is not known.
    pub per_month: Option<String>,
    /// By the hour, used or not: the price its offers follow from; null = a part is not known.
    pub per_hour: Option<String>,
    /// By the hour in which it was used; null = its use is not known yet, or it was not used.
    pub per_used_hour: Option<String>,
}

/// Who has a part of a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct OwnBookingDto {
    /// Name of the rental; null = it is not known here.
    pub rental: Option<String>,
    /// Ids of the cards or slices.
    pub units: Vec<String>,
    /// RFC 3339.
    pub since: String,
}

/// The servers, and names that could be added.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct OwnHosts {
    /// Those there are, by name.
    pub hosts: Vec<OwnHostDto>,
    /// Names in the person's SSH configuration that are none of them.
    pub aliases: Vec<String>,
}

/// A new server, or a new description of one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct OwnHostAddRequest {
    /// Its name in the person's SSH configuration.
    pub alias: String,
    /// What it was bought for, a decimal; empty = not said.
    pub price: String,
    /// Currency of the amounts; empty = USD.
    pub currency: String,
    /// When it was bought, `YYYY-MM-DD`; empty = not said.
    pub bought: String,
    /// What is left of the price, by its age: `30%@18m`, `60%@12m,30%@24m`; empty = the usual.
    pub resale: String,
    /// Power, place and people by the month; empty = not said.
    pub running: String,
    /// Country it stands in, two letters; empty = not said.
    pub country: String,
    /// Where it stands, in the person's words; empty = not said.
    pub place: String,
    /// Country of the team, two letters; empty = not said.
    pub seller: String,
    /// Whose it is; empty = not said.
    pub owner: String,
}

/// Which server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct OwnHostRequest {
    /// Its name; empty = all of them, where that makes sense.
    pub alias: String,
}
