//! Rentals for people.

use gpudesk_api::launch::LaunchSheet;
use gpudesk_api::offer::OfferDto;
use gpudesk_api::rental::{EndChecklist, EventDto, RentalDetails, RentalDto, RentalsPage};
use gpudesk_api::unmanaged::{BlindAccount, ReconcileReport, UnmanagedDto};

use super::{DASH, L, R, money, or_dash, plain, policies, with_notes};

/// What there is to know before a rental.
pub fn sheet(sheet: &LaunchSheet, hours: f64) -> String {
    let cost = &sheet.cost;
    let offer = &sheet.offer;
    let card = offer.gpu.model.as_deref().unwrap_or(&offer.gpu.raw_name);
    let mut lines = vec![
        format!(
            "{}× {card}, {}, {} {} an hour",
            offer.gpu.count, offer.provider, offer.price.per_hour, offer.price.currency
        ),
        if cost.low == cost.high {
            format!("{hours} h cost {} {}", cost.low, cost.currency)
        } else {
            format!("{hours} h cost {} to {} {}", cost.low, cost.high, cost.currency)
        },
    ];
    if !cost.unknown.is_empty() {
        lines.push(format!("not known: {}", cost.unknown.join(", ")));
    }
    for ring in &sheet.rings {
        lines.push(format!("{} {}: {}", if ring.on { "on " } else { "off" }, ring.ring, ring.why));
    }
    if !sheet.survives_closed_laptop {
        lines.push("Nothing would end it with this computer asleep or off.".to_owned());
    }
    lines.extend(sheet.remarks.iter().map(|remark| format!("{}: {}", remark.weight, remark.text)));
    lines.extend(sheet.policy.iter().flat_map(policies::lines));
    lines.join("\n")
}

/// Offers like one that is gone.
pub fn nearest(offers: &[OfferDto]) -> String {
    let mut table = plain(&[("nearest", L), ("gpu", L), ("per hour", R), ("place", L)]);
    for offer in offers {
        table.add_row([
            offer.id.clone(),
            format!("{}× {}", offer.gpu.count, offer.gpu.model.as_deref().unwrap_or(&offer.gpu.raw_name)),
            format!("{} {}", money(&offer.price.per_hour), offer.price.currency),
            or_dash(offer.place.country.clone()),
        ]);
    }
    table.trim_fmt()
}

/// All that runs.
pub fn page(page: &RentalsPage) -> String {
    let mut notes = Vec::new();
    for rental in &page.rentals {
        notes.extend(rental.notices.iter().map(|notice| format!("{}: {}", rental.name, notice.text)));
    }
    if !page.unmanaged.is_empty() {
        notes.push(unmanaged(&page.unmanaged));
    }
    notes.extend(page.blind.iter().map(blind));
    if page.burning_machines > 0 {
        let sum = match &page.burning_usd {
            Some(usd) => format!("{} USD an hour", money(usd)),
            None => format!("{DASH} ({} of them at a rate that is not known)", page.burning_unknown),
        };
        notes.push(format!("Burning now: {sum}, machines: {}.", page.burning_machines));
    }
    if page.rentals.is_empty() {
        notes.insert(0, "No rentals.".to_owned());
        return notes.join("\n");
    }
    let mut table = plain(&[
        ("name", L),
        ("state", L),
        ("what", L),
        ("per hour", R),
        ("so far", R),
        ("lease until", L),
        ("ssh", L),
    ]);
    for rental in &page.rentals {
        table.add_row([
            rental.name.clone(),
            rental.state.clone(),
            rental.title.clone(),
            rate(rental),
            so_far(rental),
            or_dash(rental.lease.until.clone()),
            or_dash(rental.ssh.as_ref().map(|ssh| format!("ssh {}", ssh.alias))),
        ]);
    }
    with_notes(&table, &notes)
}

fn rate(rental: &RentalDto) -> String {
    let rate = rental.rate.per_hour.as_ref().map(|rate| format!("{} {}", money(rate), rental.rate.currency));
    or_dash(rate)
}

/// Costs so far; a part that is not known makes them a lower bound.
fn so_far(rental: &RentalDto) -> String {
    let cost = &rental.cost_so_far;
    let at_least = if cost.unknown.is_empty() { "" } else { "≥ " };
    format!("{at_least}{} {}", money(&cost.amount), cost.currency)
}

/// One rental.
pub fn one(rental: &RentalDto) -> String {
    let mut lines = vec![
        format!("{}  {}  {}", rental.name, rental.state, rental.title),
        format!("  {} an hour, {} so far", rate(rental), so_far(rental)),
    ];
    if let Some(ssh) = &rental.ssh {
        lines.push(format!("  gpudesk ssh {}  ({}@{}:{})", rental.name, ssh.user, ssh.host, ssh.port));
    }
    if let Some(reason) = &rental.reason {
        lines.push(format!("  {reason}"));
    }
    lines.extend(rental.notices.iter().map(|notice| format!("  {}", notice.text)));
    lines.join("\n")
}

/// One rental with what is known of it.
pub fn details(details: &RentalDetails) -> String {
    let rental = &details.rental;
    let mut lines = vec![one(rental)];
    let mut say = |what: &str, value: Option<String>| lines.push(format!("  {what:<15}{}", or_dash(value)));
    say("id", Some(rental.id.clone()));
    say("account", Some(rental.account.clone()));
    say("machine", rental.remote_id.clone());
    say("says", rental.provider_word.clone());
    say("owner", rental.owner.clone());
    say("project", rental.project.clone());
    say("requested", Some(rental.requested_at.clone()));
    say("ready", rental.ready_at.clone());
    say("ended", rental.ended_at.clone());
    say("lease until", rental.lease.until.clone());
    say("then", Some(rental.lease.on_expiry.clone()));
    say("host key", rental.ssh.as_ref().and_then(|ssh| ssh.fingerprint.clone()));
    for ring in &rental.rings {
        say(
            &format!("ring {}", ring.ring),
            Some(format!("{}: {}", if ring.on { "on" } else { "off" }, ring.why)),
        );
    }
    lines.extend(rental.policy.iter().flat_map(policies::lines).map(|line| format!("  {line}")));
    if let Some(receipt) = &details.receipt {
        lines.push(String::new());
        lines.push(receipt.clone());
    }
    lines.join("\n")
}

/// The story of a rental.
pub fn events(events: &[EventDto]) -> String {
    let lines: Vec<String> = events.iter().map(|event| format!("{}  {}", event.at, event.text)).collect();
    lines.join("\n")
}

/// What to settle before an end.
pub fn checklist(list: &EndChecklist) -> String {
    let mut lines = vec![format!("{}  {}  {}", list.rental.name, list.rental.state, list.rental.title)];
    match &list.asked {
        Some(error) => lines.push(format!("  What runs on it is not known: {}", error.detail)),
        None if list.running.is_empty() => {}
        None => lines.extend(list.running.iter().map(|remark| format!("  {}", remark.text))),
    }
    lines.extend(list.fate.iter().map(|remark| format!("  {}", remark.text)));
    for left in &list.leftovers {
        let cost = left.per_month.as_ref().map(|cost| format!("{} {} a month", money(cost), left.currency));
        let name = left.name.as_deref().unwrap_or(&left.remote_id);
        lines.push(format!("  Stays: {} {name}, {}", left.what, or_dash(cost)));
    }
    lines.join("\n")
}

fn unmanaged(machines: &[UnmanagedDto]) -> String {
    let mut table = plain(&[("not ours", L), ("account", L), ("what", L), ("state", L), ("per hour", R)]);
    for machine in machines.iter().filter(|machine| !machine.ignored) {
        let rate = machine.per_hour.as_ref().map(|rate| {
            format!("{} {}", money(rate), machine.currency.as_deref().unwrap_or_default()).trim().to_owned()
        });
        table.add_row([
            machine.remote_id.clone(),
            machine.account.clone(),
            machine.title.clone(),
            machine.state.clone(),
            or_dash(rate),
        ]);
    }
    table.trim_fmt()
}

fn blind(account: &BlindAccount) -> String {
    format!("{} could not be looked into since {}: {}", account.account, account.since, account.error.detail)
}

/// What a comparison found.
pub fn reconciled(report: &ReconcileReport) -> String {
    let mut lines = Vec::new();
    if !report.complete.is_empty() {
        lines.push(format!("Listed in full: {}.", report.complete.join(", ")));
    }
    lines.extend(report.blind.iter().map(blind));
    lines.extend(report.found.iter().map(|name| format!("Found by its mark: {name}.")));
    lines.extend(report.lost.iter().map(|name| format!("Gone at the provider: {name}.")));
    if report.unmanaged.iter().any(|machine| !machine.ignored) {
        lines.push(unmanaged(&report.unmanaged));
    }
    lines.extend(report.leftovers.iter().map(|one| {
        let left = &one.leftover;
        let name = left.name.as_deref().unwrap_or(&left.remote_id);
        let month = left.per_month.as_ref().map_or_else(
            || "what it costs is not told".to_owned(),
            |month| format!("{month} {} a month", left.currency),
        );
        format!("Stays without a machine at {}: {} {name}, {month}.", one.account, left.what)
    }));
    if lines.is_empty() {
        lines.push("There is no account to compare.".to_owned());
    }
    lines.join("\n")
}
