//! Servers of the team's own, for people.

use gpudesk_api::own::OwnHostDto;

use super::{DASH, L, R, or_dash, plain, with_notes};

/// The servers, and what is wrong with each.
pub fn list(hosts: &[OwnHostDto]) -> String {
    if hosts.is_empty() {
        return "There is no server. `gpudesk hosts add ALIAS` takes one in by its name in your SSH configuration."
            .to_owned();
    }
    let mut table = plain(&[
        ("server", L),
        ("health", L),
        ("cards", L),
        ("links", L),
        ("driver", L),
        ("CUDA", L),
        ("free", R),
        ("used", R),
        ("an hour", R),
        ("place", L),
    ]);
    let mut notes = Vec::new();
    for host in hosts {
        table.add_row([
            host.alias.clone(),
            host.health.clone().unwrap_or_else(|| DASH.to_owned()),
            cards(host),
            or_dash(host.links.as_ref()),
            or_dash(host.driver.as_ref()),
            or_dash(host.cuda.as_ref()),
            free(host),
            host.utilisation.map_or_else(|| DASH.to_owned(), |share| format!("{:.0} %", share * 100.0)),
            match &host.cost.per_hour {
                Some(hour) => format!("{hour} {}", host.cost.currency),
                None => DASH.to_owned(),
            },
            place(host),
        ]);
        if let Some(why) = &host.off_market_why {
            notes.push(format!("{} is out of the market: {why}", host.alias));
        }
        notes.extend(host.bookings.iter().map(|booking| {
            let name = booking.rental.as_deref().unwrap_or(DASH);
            format!("{}: {} of it booked by {name} since {}", host.alias, booking.units.len(), booking.since)
        }));
    }
    with_notes(&table, &notes)
}

/// One server, with its slices.
pub fn one(host: &OwnHostDto) -> String {
    let mut text = list(std::slice::from_ref(host));
    for card in host.cards.iter().filter(|card| card.divided) {
        for slice in &card.slices {
            let percent =
                |share: Option<f64>| share.map_or_else(|| DASH.to_owned(), |s| format!("{:.0} %", s * 100.0));
            text.push_str(&format!(
                "\ncard {}: slice {}, {} of its compute, {} GiB, {} of its bandwidth",
                card.index,
                slice.profile,
                percent(slice.compute_share),
                slice.memory_gib.map_or_else(|| DASH.to_owned(), |gib| gib.to_string()),
                percent(slice.bandwidth_share),
            ));
        }
    }
    text
}

/// `8× H100 SXM`, and others after it.
fn cards(host: &OwnHostDto) -> String {
    let mut counted: Vec<(&str, usize)> = Vec::new();
    for card in &host.cards {
        let name = card.model.as_deref().unwrap_or(&card.name);
        match counted.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => counted.push((name, 1)),
        }
    }
    if counted.is_empty() {
        return DASH.to_owned();
    }
    counted.iter().map(|(name, count)| format!("{count}× {name}")).collect::<Vec<_>>().join(", ")
}

/// Cards and slices that nobody has, of all.
fn free(host: &OwnHostDto) -> String {
    let whole = host.cards.iter().filter(|card| !card.divided).map(|card| card.booked_by.is_none());
    let parts = host.cards.iter().filter(|card| card.divided).flat_map(|card| &card.slices);
    let units: Vec<bool> = whole.chain(parts.map(|slice| slice.booked_by.is_none())).collect();
    if units.is_empty() {
        return DASH.to_owned();
    }
    format!("{} of {}", units.iter().filter(|free| **free).count(), units.len())
}

fn place(host: &OwnHostDto) -> String {
    let parts: Vec<&str> = [&host.place, &host.country].into_iter().flatten().map(String::as_str).collect();
    if parts.is_empty() { DASH.to_owned() } else { parts.join(", ") }
}
