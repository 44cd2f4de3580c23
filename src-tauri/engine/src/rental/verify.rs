//! Whether a machine is what was offered.

use gpudesk_core::gpu::{Hints, card, card_of_virtual, resolve};
use gpudesk_core::offer::{Offer, Place};
use gpudesk_core::rental::{Difference, Machine, Probe, ProbedGpu, Rental, Verification};

/// Two sizes of memory are the same within this share: drivers report a little less than is sold.
const SAME_MEMORY: f64 = 0.07;

/// The comparison with the offer, and what the policy it was rented under says of the place read back.
pub(super) fn verify(
    rental: &Rental,
    probe: Result<&Probe, &String>,
    machine: Option<&Machine>,
    is_booking: bool,
) -> Verification {
    let offer = rental.record.offer.as_ref();
    let mut found = compare(offer, probe, machine, is_booking);
    let is_told = |place: &&Place| place.country.is_some() || place.region.is_some();
    let place = machine.map(|machine| &machine.place).filter(is_told);
    found.policy = rental.policy.as_ref().zip(offer).map(|(policy, offer)| policy.judge_found(offer, place));
    found.place = place.cloned();
    found
}

/// Compares what was offered with what the machine and its provider say now. What cannot be compared is named. A booking
/// may be a part of the machine: its other cards, and the whole of a card with slices, are no difference.
fn compare(
    offer: Option<&Offer>,
    probe: Result<&Probe, &String>,
    machine: Option<&Machine>,
    is_booking: bool,
) -> Verification {
    let mut found =
        Verification { ok: true, differs: Vec::new(), unknown: Vec::new(), place: None, policy: None };
    match offer {
        None => {
            found.unknown.push("it was not rented from here: there is no offer to compare with".to_owned())
        }
        Some(offer) => {
            match probe {
                Ok(probe) => {
                    if is_booking {
                        part(offer, probe, &mut found);
                    } else {
                        cards(offer, probe, &mut found);
                    }
                    cuda(offer, probe, &mut found);
                }
                Err(error) => found.unknown.push(format!("cards: {error}")),
            }
            place(offer, machine, &mut found);
        }
    }
    found.ok = found.differs.is_empty();
    found
}

fn differs(found: &mut Verification, what: &str, offered: impl ToString, is: impl ToString) {
    found.differs.push(Difference {
        what: what.to_owned(),
        offered: offered.to_string(),
        found: is.to_string(),
    });
}

fn cards(offer: &Offer, probe: &Probe, found: &mut Verification) {
    let Some(gpus) = &probe.gpus else {
        let why = probe.gpu_problem.as_deref().unwrap_or("the machine does not tell");
        found.unknown.push(format!("cards: {why}"));
        return;
    };
    let count = u32::try_from(gpus.len()).unwrap_or(u32::MAX);
    if count != offer.gpu.count {
        differs(found, "count", offer.gpu.count, count);
    }
    let gib = |gpu: &ProbedGpu| {
        gpu.memory_mib.and_then(|mib| u32::try_from(mib).ok()).map(|mib| f64::from(mib) / 1024.0)
    };
    match offer.gpu.model.as_deref().and_then(card) {
        None => found.unknown.push("model: the offer's is not in the table".to_owned()),
        Some(offered) => {
            let other = gpus.iter().find(|gpu| {
                // The memory of a part says nothing about the card it is of.
                let (name, vram_gib) =
                    card_of_virtual(&gpu.name).map_or((gpu.name.as_str(), gib(gpu)), |card| (card, None));
                let hints = Hints { vram_gib, ..Hints::default() };
                // What the table does not know is not taken for the right one.
                resolve(name, &hints)
                    .card()
                    .is_none_or(|is| !is.ids().iter().any(|id| offered.ids().contains(id)))
            });
            if let Some(other) = other {
                differs(found, "model", offered.name(), &other.name);
            }
        }
    }
    match offer.gpu.vram_gib {
        None => found.unknown.push("vram: not said in the offer".to_owned()),
        Some(offered) => {
            if gpus.iter().any(|gpu| gpu.memory_mib.is_none()) {
                found.unknown.push("vram: a card does not tell".to_owned());
            }
            let other = gpus.iter().filter_map(gib).find(|is| (is - offered).abs() > offered * SAME_MEMORY);
            if let Some(other) = other {
                differs(found, "vram", format!("{offered} GiB"), format!("{other:.1} GiB"));
            }
        }
    }
}

/// A booked part of a machine: enough of its cards are what was offered.
fn part(offer: &Offer, probe: &Probe, found: &mut Verification) {
    let Some(gpus) = &probe.gpus else {
        let why = probe.gpu_problem.as_deref().unwrap_or("the machine does not tell");
        found.unknown.push(format!("cards: {why}"));
        return;
    };
    // A slice stands under its card's name.
    let name = offer.gpu.raw_name.split(" MIG ").next().unwrap_or(&offer.gpu.raw_name);
    let alike = gpus.iter().filter(|gpu| gpu.name == name).count();
    let alike = u32::try_from(alike).unwrap_or(u32::MAX);
    if alike < offer.gpu.count {
        differs(found, "count", offer.gpu.count, alike);
    }
}

fn cuda(offer: &Offer, probe: &Probe, found: &mut Verification) {
    match (offer.cuda.as_deref(), probe.cuda.as_deref()) {
        (Some(offered), Some(is)) if parts(is) < parts(offered) => differs(found, "cuda", offered, is),
        (Some(_), None) => found.unknown.push("cuda: the machine does not tell".to_owned()),
        _ => {}
    }
}

/// `12.8` in numbers, so that 12.10 is more than 12.8.
fn parts(version: &str) -> Vec<u32> {
    version.split('.').map_while(|part| part.trim().parse().ok()).collect()
}

fn place(offer: &Offer, machine: Option<&Machine>, found: &mut Verification) {
    let Some(is) = machine.map(|machine| &machine.place) else {
        found.unknown.push("place: the provider does not tell".to_owned());
        return;
    };
    match (&offer.place.country, &is.country) {
        (Some(offered), Some(is)) if offered != is => differs(found, "country", offered, is),
        (Some(_), None) => found.unknown.push("country: the provider does not tell".to_owned()),
        _ => {}
    }
    if let (Some(offered), Some(is)) = (&offer.place.region, &is.region)
        && !offered.eq_ignore_ascii_case(is)
    {
        differs(found, "region", offered, is);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer() -> Offer {
        serde_json::from_value(serde_json::json!({
            "id": "x:1", "provider": "x", "cloud": "x", "source": "live", "name": "1", "form": "vm",
            "isolation": "vm", "gpu": {"count": 2, "model": "RTX 4090", "vram_gib": 24.0, "raw_name": "RTX 4090"},
            "cuda": "12.8", "place": {"country": "DE", "region": "eu-1"},
            "price": {"kind": "on-demand", "currency": "USD", "per_hour": "1"}, "supply": {"state": "in-stock"},
        }))
        .unwrap()
    }

    fn probe(name: &str, mib: &[u64], cuda: &str) -> Probe {
        let gpu = |mib: &u64| ProbedGpu { name: name.to_owned(), memory_mib: Some(*mib) };
        Probe {
            gpus: Some(mib.iter().map(gpu).collect()),
            gpu_problem: None,
            driver: None,
            cuda: Some(cuda.to_owned()),
            clock_off_s: None,
        }
    }

    fn what(probe: &Probe) -> Vec<String> {
        compare(Some(&offer()), Ok(probe), None, false).differs.into_iter().map(|d| d.what).collect()
    }

    #[test]
    fn the_offered_machine_passes_with_what_the_driver_really_reports() {
        assert_eq!(what(&probe("NVIDIA GeForce RTX 4090", &[24_564, 24_564], "12.10")), [""; 0]);
    }

    #[test]
    fn each_way_of_being_another_machine_is_named() {
        assert_eq!(what(&probe("NVIDIA GeForce RTX 4090", &[24_564], "12.8")), ["count"]);
        assert_eq!(what(&probe("NVIDIA GeForce RTX 3090", &[24_576, 24_576], "12.8")), ["model"]);
        assert_eq!(what(&probe("NVIDIA GeForce RTX 4090", &[24_564, 49_140], "12.8")), ["model", "vram"]);
        assert_eq!(what(&probe("NVIDIA GeForce RTX 4090", &[24_564, 24_564], "12.4")), ["cuda"]);
        assert_eq!(what(&probe("Something else", &[24_564, 24_564], "12.8")), ["model"]);
    }

    #[test]
    fn a_part_of_the_offered_card_passes_and_of_another_does_not() {
        let part = |name: &str, mib: u64| {
            let mut offer = offer();
            offer.gpu.count = 1;
            offer.gpu.model = Some("A100 80GB".to_owned());
            offer.gpu.vram_gib = Some(4.0);
            compare(Some(&offer), Ok(&probe(name, &[mib], "12.8")), None, false)
                .differs
                .into_iter()
                .map(|d| d.what)
                .collect::<Vec<_>>()
        };
        assert_eq!(part("GRID A100D-4C", 4_096), [""; 0]);
        assert_eq!(part("NVIDIA L4-4C", 4_096), ["model"]);
        assert_eq!(part("GRID A100D-8C", 8_192), ["vram"]);
    }

    #[test]
    fn what_cannot_be_asked_is_unknown_and_no_difference() {
        let silent =
            Probe { gpus: None, gpu_problem: Some("no nvidia-smi".to_owned()), ..probe("", &[], "13.0") };
        let verification = compare(Some(&offer()), Ok(&silent), None, false);
        assert!(verification.ok);
        assert!(verification.unknown.iter().any(|why| why.contains("no nvidia-smi")));
        assert!(compare(None, Ok(&silent), None, false).ok);
    }
}
