//! The desk's costs against the market's own bill.
//!
//! They are the same to the cent but for moments that no provider tells: when cards begin to run, and that a stop came
//! true. The desk takes for them the first answer that shows it; an answer that was lost is told by the next one. So
//! each edge of the bill may be off by the time until then, and by a begun step of the seller's clock.

use chrono::DateTime;
use gpudesk_core::rental::{self, Rental};
use gpudesk_tests::sim::Sim;
use gpudesk_tests::sim::clock::{Nanos, SECOND};
use gpudesk_tests::sim::machine::{Machine, Meter};
use gpudesk_tests::sim::seller::seller;
use rust_decimal::Decimal;

use crate::watched::Watched;

const CENT: i64 = 10_000_000;

/// The mark on a machine.
pub fn mark_of(machine: &Machine) -> String {
    machine.name.clone().unwrap_or_default()
}

/// What a comparison came to.
#[derive(Clone, Copy)]
pub struct Compared {
    /// Whether the recorded intervals come to the bill, to the cent.
    pub equal: bool,
    /// Whether the provider told its bill and the rental knows it.
    pub told: bool,
}

/// Compares; an error where the difference is not explained, or where what the provider told is not its bill.
/// `blind` = the provider does not tell, or not at once, what it bills.
pub fn compare(sim: &Sim, cloud: &Watched, rental: &Rental, blind: bool) -> Result<Compared, String> {
    compare_meter(sim, cloud, rental, blind, None)
}

/// The same for one meter alone.
pub fn compare_meter(
    sim: &Sim,
    cloud: &Watched,
    rental: &Rental,
    blind: bool,
    meter: Option<Meter>,
) -> Result<Compared, String> {
    let id = rental.remote_id.as_deref().unwrap_or_default();
    let world = sim.market.world();
    let ours = |machine: &&Machine| machine.id == id && mark_of(machine) == rental.record.token;
    let machine = world.machines.iter().find(ours).ok_or("no such machine")?;
    let now = sim.market.clock.now();
    let bill = machine.bill(meter, now);
    let costs = rental.costs(DateTime::from_timestamp_nanos(now));
    let ours = match meter {
        None => costs.total,
        Some(Meter::Compute) => costs.parts.get(&rental::Meter::Compute).copied().unwrap_or_default(),
        Some(Meter::Disk) => return Err("disks are compared with everything else".to_owned()),
    };
    let half = Decimal::new(CENT / 2, 9);
    if let Some((_, told)) = &rental.billed
        && meter.is_none()
        && (told.total - Decimal::new(bill, 9)).abs() > half
    {
        return Err(format!("bill {}, told {}", Decimal::new(bill, 9), told.total));
    }
    let off = (ours - Decimal::new(bill, 9)).abs();
    let mut explained = CENT / 2;
    for span in &machine.spans {
        let step = seller(machine.service).billing.increment_s.max(1);
        let late: Nanos =
            [Some(span.from), span.to].into_iter().flatten().map(|at| known_after(cloud, id, at)).sum();
        let per_second = i128::from(span.rate) * i128::from(late + 2 * step * SECOND);
        explained += i64::try_from(per_second / i128::from(3_600 * SECOND)).unwrap_or(i64::MAX);
    }
    if off > Decimal::new(explained, 9) && !blind {
        let most = Decimal::new(explained, 9);
        return Err(format!("bill {}, desk {}: {off} off, {most} explained", Decimal::new(bill, 9), ours));
    }
    Ok(Compared { equal: off <= half, told: rental.billed.is_some() })
}

/// How long after a moment the desk first heard how the machine stood later. An answer of the very moment may have
/// been given before what happened in it.
fn known_after(cloud: &Watched, id: &str, at: Nanos) -> Nanos {
    let sights = cloud.sights.lock().unwrap();
    let nanos = |at: chrono::DateTime<chrono::Utc>| at.timestamp_nanos_opt().unwrap_or(Nanos::MAX);
    let first = sights.iter().find(|sight| sight.id == id && nanos(sight.of) > at);
    first.map_or(Nanos::MAX / 4, |sight| nanos(sight.came) - at)
}
