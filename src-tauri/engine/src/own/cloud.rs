//! Servers of one's own as a cloud: a launch is a booking, an end lets go of it.

use async_trait::async_trait;
use chrono::TimeDelta;
use gpudesk_core::money::Currency;
use gpudesk_core::offer::{Offer, SupplyState};
use gpudesk_core::own::{Booking, Health, HostFacts, Want, offers, pick};
use gpudesk_core::rental::{Machine, MachineState, Notice, RentalTerms, SshAddress};
use gpudesk_providers::SourceErrorCode;
use gpudesk_providers::cloud::{
    AccountFacts, Cloud, CloudError, CloudErrorCode, Effect, Launch, Launched, Listing, Look, Quote,
};
use gpudesk_store::{Bookings, OwnHostRow};

use super::{cost_unknown, out_of_market, terms};
use crate::DeskError;
use crate::desk::Desk;

/// What was read of a server within this time is taken to hold for a booking.
const JUST_READ: TimeDelta = TimeDelta::seconds(60);

/// The servers of the desk.
pub(crate) struct OwnCloud {
    desk: Desk,
    terms: RentalTerms,
}

impl OwnCloud {
    pub fn new(desk: &Desk) -> Self {
        Self { desk: desk.clone(), terms: terms() }
    }

    fn error(code: CloudErrorCode, doing: &str, detail: impl AsRef<str>) -> CloudError {
        CloudError::new(code, format!("own servers {doing}"), detail)
    }

    /// The desk's own database failed. Whether a write reached the disk is then not known.
    fn failed(doing: &'static str) -> impl FnOnce(DeskError) -> CloudError {
        move |error| {
            Self::error(CloudErrorCode::Http(SourceErrorCode::BadAnswer), doing, error.to_string())
                .with_effect(Effect::Unclear)
        }
    }

    /// The booking of a machine's id.
    async fn booking(&self, remote_id: &str) -> Result<Option<Booking>, CloudError> {
        let Ok(id) = remote_id.parse::<i64>() else { return Ok(None) };
        self.desk.store().own_booking(id).await.map_err(DeskError::from).map_err(Self::failed("look"))
    }

    async fn machine(&self, booking: &Booking) -> Result<Machine, CloudError> {
        let row = self.desk.store().own_host(&booking.host).await;
        let row = row.map_err(DeskError::from).map_err(Self::failed("look"))?;
        Ok(machine(booking, row.as_ref()))
    }
}

/// The server's name in an offer's id: `own:NAME:8x`.
fn alias_of(offer: &Offer) -> &str {
    offer.id.split(':').nth(1).unwrap_or_default()
}

/// A booking as a machine. A server that does not answer takes nobody's booking away.
fn machine(booking: &Booking, row: Option<&OwnHostRow>) -> Machine {
    let facts = row.and_then(|row| row.facts.as_ref()).map(|(facts, _)| facts);
    let health = row.and_then(|row| row.health.as_ref());
    let ill = health.filter(|(health, _)| *health != Health::Ok);
    let state = match (booking.ended_at, ill) {
        (Some(_), _) => MachineState::Ended,
        (None, Some((Health::Unreachable, _))) => MachineState::Offline,
        _ => MachineState::Running,
    };
    let address = facts.and_then(|facts| facts.address.as_ref());
    let ssh = SshAddress::of_alias(
        &booking.host,
        address.map_or(22, |address| address.port),
        address.map_or("", |address| address.user.as_str()),
    );
    Machine {
        remote_id: booking.id.to_string(),
        token: Some(booking.token.clone()),
        name: Some(booking.host.clone()),
        state,
        word: match state {
            MachineState::Ended => "let go".to_owned(),
            _ => ill.map_or_else(|| "booked".to_owned(), |(health, _)| format!("booked, {health}")),
        },
        asked: None,
        spot: false,
        detail: ill.map(|(_, detail)| detail.clone()),
        ssh: ssh.into_iter().collect(),
        gpu_name: facts.and_then(|facts| facts.cards.first()).map(|card| card.name.clone()),
        gpu_count: u32::try_from(booking.units.len()).ok(),
        place: row.map(|row| row.host.place.clone()).unwrap_or_default(),
        per_hour: None,
        currency: None,
        disk_gb: None,
        created_at: Some(booking.begun_at),
        running_since: Some(booking.begun_at),
        ends_at: None,
        timer: None,
        notices: facts.and_then(|facts| hint(facts, booking)).into_iter().collect(),
    }
}

/// Which cards are whose, where a booking is not the whole server: nothing keeps a program to its part but this.
fn hint(facts: &HostFacts, booking: &Booking) -> Option<Notice> {
    let whole = facts.cards.iter().all(|card| booking.units.contains(&card.id));
    if whole {
        return None;
    }
    let amd = facts.cards.iter().any(|card| card.name.contains("AMD"));
    let words = if amd {
        // AMD's runtime goes by numbers.
        let cards = facts.cards.iter().filter(|card| booking.units.contains(&card.id));
        let numbers: Vec<String> = cards.map(|card| card.index.to_string()).collect();
        format!("export ROCR_VISIBLE_DEVICES={}", numbers.join(","))
    } else {
        format!("export CUDA_VISIBLE_DEVICES={}", booking.units.join(","))
    };
    Some(Notice::Says { words })
}

/// What an offer takes of a server now, and the offer as it stands; why not where it cannot be had.
fn standing(row: &OwnHostRow, live: &[Booking], desk: &Desk, id: &str) -> Result<(Offer, Want), String> {
    let alias = &row.host.alias;
    let (Some((facts, _)), Some((health, detail))) = (&row.facts, &row.health) else {
        return Err(format!("`{alias}` was never read"));
    };
    if *health != Health::Ok {
        return Err(out_of_market(alias, *health, detail));
    }
    let mine: Vec<Booking> = live.iter().filter(|booking| booking.host == *alias).cloned().collect();
    let offers = offers(&row.host, facts, *health, &mine, desk.now().date_naive());
    let offers = offers.map_err(|unknown| cost_unknown(unknown).to_owned())?;
    let found = offers.into_iter().find(|(offer, _)| offer.id == id);
    let (offer, want) = found.ok_or_else(|| format!("`{alias}` has no such part any more"))?;
    if offer.supply.state == SupplyState::OutOfStock {
        return Err(format!("`{alias}` is booked: there is not that much of it left"));
    }
    Ok((offer, want))
}

#[async_trait]
impl Cloud for OwnCloud {
    fn terms(&self) -> &RentalTerms {
        &self.terms
    }

    async fn check(&self) -> Result<AccountFacts, CloudError> {
        Ok(AccountFacts::unknown(Currency::USD))
    }

    async fn quote(&self, offer: &Offer, _disk_gb: Option<u32>) -> Result<Quote, CloudError> {
        let read = async {
            let alias = alias_of(offer);
            let row = self.desk.store().own_host(alias).await?;
            let stale =
                row.as_ref().filter(|row| row.checked_at.is_none_or(|at| self.desk.now() - at > JUST_READ));
            let row = match stale {
                // Before somebody counts on it, it is looked at.
                Some(row) => {
                    self.desk.check_rows(std::slice::from_ref(row)).await?;
                    self.desk.publish_own().await?;
                    self.desk.store().own_host(alias).await?
                }
                None => row,
            };
            Ok::<_, DeskError>((row, self.desk.own_bookings().await?))
        };
        let (row, live) = read.await.map_err(Self::failed("quote"))?;
        let Some(row) = row else {
            return Ok(Quote::Gone { words: format!("there is no server `{}`", alias_of(offer)) });
        };
        let names = |host: &str| {
            let mine = live.iter().filter(|(booking, _)| booking.host == host);
            mine.filter_map(|(_, name)| name.clone()).collect::<Vec<_>>().join(", ")
        };
        let bookings: Vec<Booking> = live.iter().map(|(booking, _)| booking.clone()).collect();
        Ok(match standing(&row, &bookings, &self.desk, &offer.id) {
            Ok((offer, _)) => Quote::Stands(Box::new(offer)),
            Err(words) => match names(&row.host.alias) {
                names if names.is_empty() => Quote::Gone { words },
                names => Quote::Gone { words: format!("{words} (booked by {names})") },
            },
        })
    }

    async fn launch(&self, launch: &Launch) -> Result<Launched, CloudError> {
        let alias = alias_of(&launch.offer);
        let mut why = format!("there is no server `{alias}`");
        // What is free is seen and taken in one transaction: of two that want the same cards one comes second.
        let booked = self
            .desk
            .store()
            .book_own_host((alias, &launch.token), self.desk.now(), |row, live| {
                let chosen = standing(row, live, &self.desk, &launch.offer.id).and_then(|(_, want)| {
                    let facts = row.facts.as_ref().map(|(facts, _)| facts);
                    facts.and_then(|facts| pick(facts, live, &want)).ok_or_else(|| "it is booked".to_owned())
                });
                chosen.map_err(|words| why = words).ok()
            })
            .await
            .map_err(DeskError::from)
            .map_err(Self::failed("launch"))?;
        let Some(booking) = booked else {
            return Err(Self::error(CloudErrorCode::NoCapacity, "launch", why));
        };
        if let Err(error) = self.desk.publish_own().await {
            tracing::warn!("the board does not show a booking yet: {error}");
        }
        self.desk.tell(crate::Event::OwnHostsChanged);
        Ok(Launched { remote_id: booking.id.to_string() })
    }

    async fn list(&self) -> Result<Listing, CloudError> {
        let live = self.desk.store().own_bookings(Bookings::Live).await;
        let live = live.map_err(DeskError::from).map_err(Self::failed("list"))?;
        let rows = self.desk.store().own_hosts().await;
        let rows = rows.map_err(DeskError::from).map_err(Self::failed("list"))?;
        let mut listing = Listing { complete: true, ..Listing::default() };
        for booking in live {
            let row = rows.iter().find(|row| row.host.alias == booking.host);
            listing.take(Ok(machine(&booking, row)));
        }
        Ok(listing)
    }

    async fn look(&self, remote_id: &str) -> Result<Look, CloudError> {
        match self.booking(remote_id).await? {
            Some(booking) => Ok(Look::There(Box::new(self.machine(&booking).await?))),
            None => Ok(Look::Absent),
        }
    }

    async fn stop(&self, _remote_id: &str) -> Result<(), CloudError> {
        Err(Self::error(CloudErrorCode::Unsupported, "stop", "a booking is held or let go, it has no stop"))
    }

    async fn start(&self, _remote_id: &str) -> Result<(), CloudError> {
        Err(Self::error(CloudErrorCode::Unsupported, "start", "a booking has no start"))
    }

    async fn end(&self, remote_id: &str) -> Result<(), CloudError> {
        if let Some(booking) = self.booking(remote_id).await? {
            let ended = self.desk.store().end_own_booking(booking.id, self.desk.now()).await;
            ended.map_err(DeskError::from).map_err(Self::failed("end"))?;
            if let Err(error) = self.desk.publish_own().await {
                tracing::warn!("the board does not show the end of a booking yet: {error}");
            }
            self.desk.tell(crate::Event::OwnHostsChanged);
        }
        Ok(())
    }
}
