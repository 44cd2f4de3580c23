//! Servers of the team's own: described once, checked over and over, offered on the board, booked like any other.
//!
//! A booking is a rental whose provider is the desk itself: what there is to be had stands in the database, and one
//! transaction takes a part of it. Nothing here makes, stops or shuts down a machine.

mod check;
mod cloud;
mod error;
mod idle;
mod source;

pub use check::OwnHostInfo;
pub use error::OwnError;

pub(crate) use cloud::OwnCloud;
pub(crate) use source::OwnSource;

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use gpudesk_core::feed::{FeedName, Fetched, ReasonCode};
use gpudesk_core::offer::{Form, Place, PriceKind};
use gpudesk_core::own::{Booking, CostUnknown, Health, OwnCost, OwnHost, PROVIDER, is_alias, offers};
use gpudesk_core::place::country;
use gpudesk_core::quarantine::{Row, settle};
use gpudesk_core::rental::{
    BillsFrom, Idempotency, Image, ImageKind, KeyTerms, PlaceTold, RentalTerms, SshAdmin, SshTerms, SshWay,
};
use gpudesk_store::{Bookings, OwnHostRow, Removal};
use rust_decimal::Decimal;

use crate::desk::Desk;
use crate::refresh::Trust;
use crate::{DeskError, Event};

/// What a person says of a server.
#[derive(Debug, Clone, PartialEq)]
pub struct NewOwnHost {
    /// Its name in the person's SSH configuration.
    pub alias: String,
    /// What it costs.
    pub cost: OwnCost,
    /// Where it stands, in the person's words: `Rack 4`.
    pub place: Option<String>,
    /// The country it stands in, two letters.
    pub country: Option<String>,
    /// The country of the team that owns it, two letters.
    pub seller: Option<String>,
    /// Whose it is.
    pub owner: Option<String>,
}

/// What booking a server of one's own means, in the terms of renting.
#[must_use]
pub fn terms() -> RentalTerms {
    RentalTerms {
        booking: true,
        forms: &[Form::Own, Form::Fraction],
        prices: &[PriceKind::OnDemand],
        place: PlaceTold::Some,
        idempotency: Idempotency::Key,
        list_lag: Duration::from_secs(1),
        fresh: Duration::from_secs(1),
        poll: Duration::from_secs(5),
        between_launches: Duration::ZERO,
        bills_from: BillsFrom::Order,
        images: vec![Image {
            id: "as-it-is".to_owned(),
            title: "As it is".to_owned(),
            kind: ImageKind::Custom,
        }],
        mark: "booking",
        ssh: SshTerms { user: "", admin: SshAdmin::Sudo, way: SshWay::Direct },
        key: KeyTerms { offers_need_it: false, ..KeyTerms::plain() },
        ..RentalTerms::plain()
    }
}

/// The one feed of servers of one's own.
fn feed() -> FeedName {
    FeedName(PROVIDER.to_owned())
}

impl Desk {
    /// Takes in a server, or describes one anew, and reads it. What it is now is what it is compared with from here on.
    ///
    /// # Errors
    /// [`OwnError::NotAnAlias`], [`OwnError::NotACountry`], [`OwnError::Cost`], or when the database cannot be written.
    /// A server that cannot be read is taken in all the same: how it fares is told.
    pub async fn add_own_host(&self, new: NewOwnHost) -> Result<OwnHostInfo, DeskError> {
        let alias = new.alias.trim().to_owned();
        if !is_alias(&alias) {
            return Err(OwnError::NotAnAlias(new.alias).into());
        }
        check_cost(&new.cost)?;
        let filled =
            |text: Option<String>| text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let in_table = |word: Option<String>| match filled(word) {
            None => Ok(None),
            Some(word) => match country(&word) {
                Some(country) => Ok(Some(country.iso2.to_owned())),
                None => Err(OwnError::NotACountry(word)),
            },
        };
        let known = self.store().own_host(&alias).await?;
        let host = OwnHost {
            cost: new.cost,
            place: Place {
                region: filled(new.place),
                country: in_table(new.country)?,
                seller: in_table(new.seller)?,
            },
            owner: filled(new.owner),
            added_at: known.map_or_else(|| self.now(), |row| row.host.added_at),
            alias,
        };
        self.store().set_own_host(&host).await?;
        self.check_own_host(&host, None).await?;
        self.publish_own().await?;
        self.settle_board().await?;
        self.own_host(&host.alias).await
    }

    /// Forgets a server.
    ///
    /// # Errors
    /// [`OwnError::Booked`] while somebody has a part of it, [`OwnError::Unknown`], or when the database cannot be
    /// written.
    pub async fn remove_own_host(&self, alias: &str) -> Result<(), DeskError> {
        match self.store().remove_own_host(alias).await? {
            Removal::Done => {}
            Removal::Absent => return Err(OwnError::Unknown(alias.to_owned()).into()),
            Removal::Booked(_) => {
                let mine = self.own_bookings().await?.into_iter().filter(|(b, _)| b.host == alias);
                let rentals = mine.map(|(booking, name)| name.unwrap_or(booking.token)).collect();
                return Err(OwnError::Booked { alias: alias.to_owned(), rentals }.into());
            }
        }
        self.publish_own().await?;
        self.settle_board().await?;
        self.tell(Event::OwnHostsChanged);
        Ok(())
    }

    /// Bookings that run, each with the name of its rental.
    pub(crate) async fn own_bookings(&self) -> Result<Vec<(Booking, Option<String>)>, DeskError> {
        let live = self.store().own_bookings(Bookings::Live).await?;
        if live.is_empty() {
            return Ok(Vec::new());
        }
        let rentals = self.rentals(true).await?;
        let name = |token: &str| {
            rentals.iter().find(|rental| rental.record.token == token).map(|r| r.record.name.clone())
        };
        Ok(live.into_iter().map(|booking| (booking.clone(), name(&booking.token))).collect())
    }

    /// Puts what is known of the servers and their bookings on the board.
    pub(crate) async fn publish_own(&self) -> Result<(), DeskError> {
        let rows = self.store().own_hosts().await?;
        let known = self.feeds().await?.iter().any(|known| known.name == feed());
        if rows.is_empty() && !known {
            return Ok(());
        }
        let live = self.store().own_bookings(Bookings::Live).await?;
        let now = self.now();
        self.keep(&fetched(&rows, &live, now), None, now, 0.0, Trust::Own).await.result.map(|_| ())
    }
}

/// Refuses amounts that cannot be.
fn check_cost(cost: &OwnCost) -> Result<(), OwnError> {
    let below = |amount: Option<Decimal>| amount.is_some_and(|amount| amount.is_sign_negative());
    if below(cost.price) || below(cost.running) {
        return Err(OwnError::Cost("an amount is below 0"));
    }
    Ok(())
}

/// The offers of all servers, as a feed. A server without offers stands among the rows that cannot be used, with why.
fn fetched(rows: &[OwnHostRow], live: &[Booking], now: DateTime<Utc>) -> Fetched {
    let today = now.date_naive();
    let row = |row: &OwnHostRow| {
        let alias = row.host.alias.clone();
        let Some(((facts, _), (health, detail))) = row.facts.as_ref().zip(row.health.as_ref()) else {
            let why = row.health.as_ref().map_or("it was never checked", |(_, detail)| detail.as_str());
            return Row::bad(alias, ReasonCode::Unreadable, format!("it was never read: {why}"));
        };
        let mine: Vec<Booking> = live.iter().filter(|booking| booking.host == alias).cloned().collect();
        match offers(&row.host, facts, *health, &mine, today) {
            Ok(offers) if offers.is_empty() => {
                let why = if detail.is_empty() { "its cards are divided and have no slices" } else { detail };
                Row::bad(alias, ReasonCode::CountImpossible, why)
            }
            Ok(offers) => Row::Offers { origin: alias, offers: offers.into_iter().map(|(o, _)| o).collect() },
            Err(unknown) => Row::bad(alias, ReasonCode::PriceMissing, cost_unknown(unknown)),
        }
    };
    let as_of = rows.iter().filter_map(|row| row.checked_at).min().unwrap_or(now);
    settle(rows.iter().map(row)).into_fetched(feed(), "servers of your own", as_of)
}

/// Why an hour of a server has no price, with the next step.
pub(crate) fn cost_unknown(unknown: CostUnknown) -> &'static str {
    match unknown {
        CostUnknown::Price => "what it was bought for is not known: add it with --price",
        CostUnknown::Running => "what running it takes a month is not known: add it with --running",
    }
}

/// What is wrong with a server, in a sentence.
pub(crate) fn out_of_market(alias: &str, health: Health, detail: &str) -> String {
    format!("`{alias}` is out of the market ({health}): {detail}")
}

/// Since when a server's use is looked at: at most a quarter of a year back.
fn used_since(host: &OwnHost, now: DateTime<Utc>) -> DateTime<Utc> {
    host.added_at.max(now - TimeDelta::days(90))
}
