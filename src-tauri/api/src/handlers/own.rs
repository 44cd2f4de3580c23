//! Servers of the team's own: the list, changes, checks.

use chrono::NaiveDate;
use gpudesk_core::buy::Curve;
use gpudesk_core::gpu;
use gpudesk_core::own::{CostUnknown, HostCard, OwnCost};
use gpudesk_engine::{Desk, NewOwnHost, OwnHostInfo};
use rust_decimal::Decimal;
use rust_decimal::prelude::FromPrimitive;

use super::rows::{cents, rounded, text, time};
use super::settings::currency;
use crate::desk::ApiError;
use crate::own::{
    OwnBookingDto, OwnCardDto, OwnCostDto, OwnHostAddRequest, OwnHostDto, OwnHostRequest, OwnHosts,
    OwnSliceDto,
};

/// The servers.
///
/// # Errors
/// `database`.
pub async fn hosts_list(desk: &Desk, (): ()) -> Result<OwnHosts, ApiError> {
    list(desk, &desk.own_hosts().await?)
}

/// Takes in a server, or describes one anew, and reads it.
///
/// # Errors
/// `request-invalid`; `database`. A server that is not well is part of the answer.
pub async fn host_add(desk: &Desk, request: OwnHostAddRequest) -> Result<OwnHosts, ApiError> {
    desk.add_own_host(new_host(&request)?).await?;
    hosts_list(desk, ()).await
}

/// The same, with the one server for an answer.
///
/// # Errors
/// As [`host_add`].
pub async fn host_add_one(desk: &Desk, request: OwnHostAddRequest) -> Result<OwnHostDto, ApiError> {
    Ok(host(desk, &desk.add_own_host(new_host(&request)?).await?))
}

/// Looks at a server, or at all of them.
///
/// # Errors
/// `not-found`; `database`. What is wrong with one is part of the answer.
pub async fn hosts_check(desk: &Desk, request: OwnHostRequest) -> Result<OwnHosts, ApiError> {
    let alias = request.alias.trim();
    let checked = desk.check_own_hosts((!alias.is_empty()).then_some(alias)).await?;
    list(desk, &checked)
}

/// Forgets a server.
///
/// # Errors
/// `not-found`; `refused` while somebody has a part of it; `database`.
pub async fn host_remove(desk: &Desk, request: OwnHostRequest) -> Result<OwnHosts, ApiError> {
    desk.remove_own_host(request.alias.trim()).await?;
    hosts_list(desk, ()).await
}

fn list(desk: &Desk, infos: &[OwnHostInfo]) -> Result<OwnHosts, ApiError> {
    let hosts: Vec<OwnHostDto> = infos.iter().map(|info| host(desk, info)).collect();
    let mut aliases = desk.ssh_names();
    aliases.retain(|alias| hosts.iter().all(|host| host.alias != *alias));
    Ok(OwnHosts { hosts, aliases })
}

fn new_host(request: &OwnHostAddRequest) -> Result<NewOwnHost, ApiError> {
    let wrong = |what: &str, detail: String, hint: &str| {
        ApiError::new("request-invalid", what, detail).with_hint(hint)
    };
    let filled = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let amount = |what: &str, text: &str| -> Result<Option<Decimal>, ApiError> {
        let Some(text) = filled(text) else { return Ok(None) };
        let read = text.parse::<Decimal>().map_err(|_| {
            wrong(what, format!("`{text}` is no amount"), "Write it with a point, such as 30000.")
        });
        read.map(Some)
    };
    let bought = match filled(&request.bought) {
        None => None,
        Some(text) => Some(text.parse::<NaiveDate>().map_err(|_| {
            wrong("the day it was bought", format!("`{text}` is no day"), "Write it like 2026-01-15.")
        })?),
    };
    let resale = match filled(&request.resale) {
        None => None,
        Some(text) => Some(text.parse::<Curve>().map_err(|error| {
            wrong("the resale value", error.to_string(), "30%@18m: 30 % are left after 18 months.")
        })?),
    };
    Ok(NewOwnHost {
        alias: request.alias.clone(),
        cost: OwnCost {
            currency: match filled(&request.currency) {
                None => gpudesk_core::money::Currency::USD,
                Some(code) => currency(&code)?,
            },
            price: amount("the price", &request.price)?,
            bought,
            resale,
            running: amount("the running cost", &request.running)?,
        },
        place: filled(&request.place),
        country: filled(&request.country),
        seller: filled(&request.seller),
        owner: filled(&request.owner),
    })
}

/// A server in the contract's shape.
fn host(desk: &Desk, info: &OwnHostInfo) -> OwnHostDto {
    let row = &info.row;
    let facts = row.facts.as_ref().map(|(facts, _)| facts);
    let address = facts.and_then(|facts| facts.address.as_ref());
    let cost = cost(desk, info);
    let off = off_market(info);
    OwnHostDto {
        alias: row.host.alias.clone(),
        health: row.health.as_ref().map(|(health, _)| health.to_string()),
        detail: row.health.as_ref().map(|(_, detail)| detail.clone()).filter(|detail| !detail.is_empty()),
        checked_at: row.checked_at.map(time),
        read_at: row.facts.as_ref().map(|(_, at)| time(*at)),
        host: address.map(|address| address.host.clone()),
        port: address.map(|address| address.port),
        user: address.map(|address| address.user.clone()),
        cards: facts.map(|facts| facts.cards.iter().map(|c| card(c, info)).collect()).unwrap_or_default(),
        links: facts.and_then(|facts| facts.links_in_words()).map(str::to_owned),
        driver: facts.and_then(|facts| facts.driver.clone()),
        cuda: facts.and_then(|facts| facts.cuda.clone()),
        cores: facts.and_then(|facts| facts.cores),
        ram_gib: facts.and_then(|facts| facts.ram_gib),
        place: row.host.place.region.clone(),
        country: row.host.place.country.clone(),
        seller: row.host.place.seller.clone(),
        owner: row.host.owner.clone(),
        cost,
        utilisation: info.utilisation,
        bookings: info
            .bookings
            .iter()
            .map(|(booking, rental)| OwnBookingDto {
                rental: rental.clone(),
                units: booking.units.clone(),
                since: time(booking.begun_at),
            })
            .collect(),
        on_market: off.is_none(),
        off_market_why: off,
        added_at: time(row.host.added_at),
    }
}

/// Why the offers of a server cannot be had; `None` = they can, as far as they are free.
fn off_market(info: &OwnHostInfo) -> Option<String> {
    let row = &info.row;
    match &row.health {
        None => return Some("it was never checked".to_owned()),
        Some((health, detail)) if !detail.is_empty() => return Some(format!("{health}: {detail}")),
        Some(_) => {}
    }
    let today = row.checked_at?.date_naive();
    row.host.cost.per_hour(today).err().map(|unknown| {
        match unknown {
            CostUnknown::Price => "what it was bought for is not known: say it with --price",
            CostUnknown::Running => "what running it takes a month is not known: say it with --running",
        }
        .to_owned()
    })
}

fn cost(desk: &Desk, info: &OwnHostInfo) -> OwnCostDto {
    let (cost, today) = (&info.row.host.cost, desk.now().date_naive());
    let per_hour = cost.per_hour(today).ok();
    let used = info.utilisation.filter(|share| *share > 0.0).and_then(Decimal::from_f64);
    OwnCostDto {
        currency: cost.currency.to_string(),
        price: cost.price.map(text),
        bought: cost.bought.map(|day| day.to_string()),
        resale: cost.resale().to_string(),
        resale_assumed: cost.resale.is_none(),
        running: cost.running.map(text),
        per_month: cost.per_month(today).ok().map(cents),
        per_hour: per_hour.map(rounded),
        per_used_hour: per_hour.zip(used).and_then(|(hour, used)| hour.checked_div(used)).map(rounded),
    }
}

fn card(card: &HostCard, info: &OwnHostInfo) -> OwnCardDto {
    let booked_by = |unit: &str| {
        let booking = info.bookings.iter().find(|(booking, _)| booking.units.iter().any(|id| id == unit));
        booking.map(|(booking, rental)| rental.clone().unwrap_or_else(|| booking.token.clone()))
    };
    let hints = gpu::Hints { vram_gib: card.memory_gib(), ..gpu::Hints::default() };
    OwnCardDto {
        index: card.index,
        id: card.id.clone(),
        name: card.name.clone(),
        model: gpu::resolve(&card.name, &hints).card().map(|known| known.name().to_owned()),
        vram_gib: card.memory_gib(),
        divided: card.divided,
        slices: card
            .slices
            .iter()
            .map(|slice| {
                let share = card.share(slice);
                OwnSliceDto {
                    id: slice.id.clone(),
                    profile: slice.profile.clone(),
                    compute_share: share.compute,
                    memory_gib: share.memory_gib,
                    bandwidth_share: share.bandwidth,
                    booked_by: booked_by(&slice.id),
                }
            })
            .collect(),
        booked_by: booked_by(&card.id),
    }
}
