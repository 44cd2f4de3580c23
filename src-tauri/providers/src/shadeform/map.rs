//! From the instance types of many clouds to offers.

use gpudesk_core::feed::ReasonCode;
use gpudesk_core::money::Currency;
use gpudesk_core::offer::{Disk, Form, Isolation, Net, Offer, Place, Source, Supply, SupplyState};
use gpudesk_core::place::{canonical_provider, locate};
use gpudesk_core::quarantine::{Row, price};
use gpudesk_core::terms::list_price;
use rust_decimal::Decimal;
use serde_json::value::RawValue;

use super::wire::{Availability, Configuration, InstanceType};
use crate::card;
use crate::entry;
use crate::http::{List, Literal, redact};
use crate::resold;

pub(super) const PROVIDER: &str = "shadeform";

/// Reads every type. What cannot be read is a bad row with the reason; it never costs the others.
pub(super) fn rows(types: &[&RawValue]) -> Vec<Row> {
    types.iter().enumerate().map(|(index, item)| row(index, item.get())).collect()
}

fn row(index: usize, json: &str) -> Row {
    let listed: InstanceType<'_> = match entry::read(json, "an instance type") {
        Ok(listed) => listed,
        Err(words) => return Row::bad(format!("instance type {}", index + 1), ReasonCode::Unreadable, words),
    };
    let (cloud, name) = (said(listed.cloud), said(listed.shade_instance_type));
    let origin = match (&cloud, &name) {
        (Some(cloud), Some(name)) => format!("instance type {cloud} {name}"),
        _ => format!("instance type {}", index + 1),
    };
    match offers(&listed) {
        Ok(None) => Row::NotGpu,
        Ok(Some(offers)) => Row::Offers { origin, offers },
        Err((code, detail)) => Row::bad(origin, code, detail),
    }
}

/// One offer for each region of a type, the sold out ones too; `None` for a machine without cards.
pub(super) fn offers(listed: &InstanceType<'_>) -> Result<Option<Vec<Offer>>, (ReasonCode, String)> {
    let unreadable = |what: &str| (ReasonCode::Unreadable, format!("the type has no {what}"));
    let cloud = said(listed.cloud).ok_or_else(|| unreadable("cloud"))?;
    let name = said(listed.shade_instance_type).ok_or_else(|| unreadable("shade_instance_type"))?;
    let configuration = listed.configuration.as_ref().ok_or_else(|| unreadable("configuration"))?;
    let count = configuration.num_gpus.whole().and_then(|count| u32::try_from(count).ok());
    let count = count.ok_or_else(|| unreadable("readable number of cards"))?;
    if count == 0 {
        return Ok(None);
    }
    let cents = listed.hourly_price.text();
    let Some(per_hour) = dollars(listed.hourly_price) else {
        return Err(match cents.as_deref().map(price) {
            None => (ReasonCode::PriceMissing, "the type has no price".to_owned()),
            Some(Err(reason)) => (reason.code, reason.detail),
            Some(Ok(_)) => (ReasonCode::PriceImpossible, "the price cannot be read".to_owned()),
        });
    };
    let raw_name = said(configuration.gpu_type).ok_or_else(|| unreadable("gpu_type"))?;
    let (form, isolation) = form(listed.deployment_type.text().as_deref());
    let common = Offer {
        id: String::new(),
        provider: PROVIDER.to_owned(),
        cloud: canonical_provider(&cloud).to_owned(),
        source: Source::Live,
        name,
        form,
        isolation,
        gpu: resold::linked(
            card::whole(
                PROVIDER,
                raw_name,
                &configuration.interconnect.text().unwrap_or_default(),
                count,
                configuration.vram_per_gpu_in_gb.positive(),
            ),
            configuration.nvlink.flag() == Some(true),
        ),
        fabric: None,
        vcpu: configuration.vcpus.positive(),
        ram_gib: configuration.memory_in_gb.positive(),
        disk: disk(configuration),
        net: Net::default(),
        driver: None,
        cuda: newest_cuda(&os_options(configuration)),
        reliability: None,
        verified: None,
        place: Place::default(),
        price: list_price(PROVIDER, per_hour, Currency::USD),
        supply: Supply { state: SupplyState::Unknown, count: None },
        flags: Vec::new(),
    };
    let at = |region: Option<&Availability<'_>>, supply: Supply| {
        let place =
            place(&cloud, region.and_then(|at| said(at.region)), region.and_then(|at| said(at.display_name)));
        let id = format!(
            "{PROVIDER}:{}/{}@{}",
            resold::slug(&cloud),
            resold::slug(&common.name),
            place.region.as_deref().map_or_else(|| "none".to_owned(), resold::slug)
        );
        Offer { id, place, supply, ..common.clone() }
    };
    let Some(regions) = availability(listed.availability) else {
        return Ok(Some(vec![at(None, Supply { state: SupplyState::Unknown, count: None })]));
    };
    if regions.is_empty() {
        // Nowhere: the price stays visible.
        return Ok(Some(vec![at(None, Supply { state: SupplyState::OutOfStock, count: Some(0) })]));
    }
    Ok(Some(regions.iter().map(|region| at(Some(region), supply(region))).collect()))
}

/// The regions of a type; `None` where they are not told. One that cannot be read says nothing, least of all that the
/// type is sold out.
pub(super) fn availability(literal: Literal<'_>) -> Option<Vec<Availability<'_>>> {
    let listed: Vec<&RawValue> = serde_json::from_str(literal.raw()?).ok()?;
    let told: List<Availability<'_>> = literal.object();
    (!told.is_empty() || listed.is_empty()).then(|| told.into_iter().collect())
}

/// A yes or no, never a number.
fn supply(region: &Availability<'_>) -> Supply {
    match region.available.flag() {
        Some(true) => Supply { state: SupplyState::InStock, count: None },
        Some(false) => Supply { state: SupplyState::OutOfStock, count: Some(0) },
        None => Supply { state: SupplyState::Unknown, count: None },
    }
}

/// A text as it may be shown.
pub(super) fn said(literal: Literal<'_>) -> Option<String> {
    literal.text().map(|text| redact::words(&text)).filter(|text| !text.is_empty())
}

/// Whole cents as dollars, for the whole machine.
pub(super) fn dollars(cents: Literal<'_>) -> Option<Decimal> {
    cents.decimal()?.checked_div(Decimal::ONE_HUNDRED).map(|price| price.normalize())
}

/// A word that nobody knows promises no hypervisor.
fn form(deployment: Option<&str>) -> (Form, Isolation) {
    match deployment {
        Some("vm") => (Form::Vm, Isolation::Vm),
        Some("baremetal") => (Form::BareMetal, Isolation::DedicatedHost),
        Some("container") => (Form::Container, Isolation::SharedHost),
        _ => (Form::Container, Isolation::Unknown),
    }
}

fn disk(configuration: &Configuration<'_>) -> Disk {
    let gb = configuration.storage_in_gb.positive();
    Disk { included_gb: gb, max_gb: gb }
}

/// Where a region lies: by what is shown of it and by its name, which must not contradict each other.
pub(super) fn place(cloud: &str, region: Option<String>, shown: Option<String>) -> Place {
    let by = |text: &Option<String>| text.as_deref().and_then(|text| locate(PROVIDER, text).country);
    let country = match (by(&shown), by(&region)) {
        (Some(shown), Some(named)) if shown != named => None,
        (shown, named) => shown.or(named),
    };
    resold::place(PROVIDER, cloud, region, country)
}

/// The names of the systems a machine can be launched with, as they are.
pub(super) fn os_options(configuration: &Configuration<'_>) -> Vec<String> {
    configuration.os_options.object::<Vec<String>>()
}

/// The CUDA version in the name of a system: 12.4 in `ubuntu22.04_cuda12.4_shade_os`.
pub(super) fn cuda_of(os: &str) -> Option<(u32, u32)> {
    let rest = &os[os.find("cuda")? + 4..];
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    let (major, minor) = rest[..end].split_once('.').unwrap_or((&rest[..end], "0"));
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// The images' CUDA is all that is told; the driver below supports at least that.
fn newest_cuda(options: &[String]) -> Option<String> {
    let newest = options.iter().filter_map(|os| cuda_of(os)).max()?;
    Some(format!("{}.{}", newest.0, newest.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cuda_version_stands_in_the_name_of_the_system() {
        assert_eq!(cuda_of("ubuntu22.04_cuda12.4_shade_os"), Some((12, 4)));
        assert_eq!(cuda_of("ubuntu24.04_cuda13_shade_os"), Some((13, 0)));
        assert_eq!(cuda_of("ubuntu22.04"), None);
        assert_eq!(cuda_of("cuda"), None);
        let options =
            ["ubuntu20.04_cuda12.10_shade_os".to_owned(), "ubuntu22.04_cuda12.4_shade_os".to_owned()];
        assert_eq!(newest_cuda(&options).as_deref(), Some("12.10"));
    }

    #[test]
    fn shown_place_and_name_must_not_contradict() {
        let at = |region: &str, shown: &str| {
            place("hyperstack", Some(region.to_owned()), Some(shown.to_owned()).filter(|s| !s.is_empty()))
                .country
        };
        assert_eq!(at("kansascity-usa-1", "US, Kansas City, KS").as_deref(), Some("US"));
        assert_eq!(at("MON1", "CA, Montreal").as_deref(), Some("CA"));
        assert_eq!(at("toronto-canada-1", "Toronto, Canana").as_deref(), Some("CA"));
        assert_eq!(at("london-uk-1", "UK, London").as_deref(), Some("GB"));
        assert_eq!(at("paris-france-1", "US, Kansas City, KS"), None);
        assert_eq!(at("canada-1", "").as_deref(), Some("CA"));
        for unknown in ["us-central-1", "any", "MON1", ""] {
            assert_eq!(at(unknown, ""), None, "{unknown}");
        }
    }
}
