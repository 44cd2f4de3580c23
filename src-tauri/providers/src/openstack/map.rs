//! From a flavor and the prices to offers.

use gpudesk_core::feed::{Quarantined, Reason, ReasonCode};
use gpudesk_core::offer::{
    Disk, Form, Isolation, Net, Offer, Place, Price, PriceKind, Source, Supply, SupplyState,
};
use gpudesk_core::place::{locate, seller};
use gpudesk_core::quarantine::Row;
use gpudesk_core::terms::list_price;

use super::card::{self, Cards};
use super::names::Named;
use super::prices::{Missing, Priced, Prices};
use super::profile::Profile;
use super::sheet::Wanted;
use super::wire::Flavor;
use crate::entry;
use crate::http::redact;
use crate::resold::slug;

/// Bytes of a GiB in GB.
const GIB: f64 = 1.073_741_824;

/// What is known beside a flavor.
pub(super) struct Market<'a> {
    pub profile: &'static Profile,
    pub prices: &'a Prices,
    /// The kind of volume servers boot from.
    pub volume_type: Option<&'a str>,
}

/// The place of a region, or of a zone of it, which says more: one region of VK Cloud spans two countries.
pub(super) fn place(profile: &Profile, region: &str, zone: Option<&str>) -> Place {
    let of_zone = zone.and_then(|zone| locate(profile.provider, zone).country);
    let country = of_zone.or_else(|| locate(profile.provider, region).country);
    Place {
        region: Some(region.to_owned()),
        country: country.map(str::to_owned),
        seller: seller(profile.provider).map(str::to_owned),
    }
}

/// One flavor of a region.
pub(super) fn row(json: &str, region: &str, market: &Market<'_>) -> Row {
    let flavor: Flavor<'_> = match entry::read(json, "a flavor") {
        Ok(flavor) => flavor,
        Err(words) => return Row::bad(format!("a flavor in {region}"), ReasonCode::Unreadable, words),
    };
    let Some(name) = flavor.name.text().map(|name| redact::words(&name)) else {
        return Row::bad(format!("a flavor in {region}"), ReasonCode::Unreadable, "a flavor without a name");
    };
    let origin = format!("flavor {name} in {region}");
    let id = flavor.id.text().map(|id| redact::words(&id)).unwrap_or_default();
    let cards = match cards(&name, &id, &flavor, market) {
        Cards::None => return Row::NotGpu,
        Cards::Unclear(words) => return Row::bad(origin, ReasonCode::Unreadable, words),
        Cards::Some(cards) => cards,
    };
    let mut offers = Vec::new();
    let mut missing = None;
    for kind in kinds(market) {
        match price(&name, &id, &flavor, region, (kind, &cards), market) {
            Ok(price) => offers.push(offer((&name, region), &flavor, &cards, price, market.profile)),
            Err(why) if kind == PriceKind::OnDemand => missing = Some(why),
            Err(_) => {}
        }
    }
    match missing {
        // A flavor nobody prices is kept where it can be seen, and not offered for nothing.
        Some(why) if offers.is_empty() => {
            Row::Bad(Quarantined { reason: reason(why, market.profile), origin, offer: None })
        }
        _ => Row::Offers { origin, offers },
    }
}

fn reason(why: Missing, profile: &Profile) -> Reason {
    let title = profile.title;
    match why {
        Missing::All => Reason {
            code: ReasonCode::PriceMissing,
            detail: format!("{title} tells no price of it: put a line into its price sheet"),
        },
        Missing::Parts(parts) => Reason {
            code: ReasonCode::IncompletePrice,
            detail: format!("the price sheet of {title} lacks {parts}"),
        },
    }
}

/// The cards of a flavor, and what the prices say of them.
fn cards(name: &str, id: &str, flavor: &Flavor<'_>, market: &Market<'_>) -> Cards {
    let told = card::of(market.profile, name, flavor);
    match market.prices {
        Prices::Sheet(sheet) => match sheet.cards(name, id) {
            Some((card, count)) => Cards::Some(Named { card, count, slice_gib: None }),
            None => told,
        },
        Prices::Catalogue(catalogue) => match (catalogue.cards(name), told) {
            // The catalogue counts; the name tells which of several cards it is.
            (Some(listed), Cards::Some(named)) => Cards::Some(Named { count: listed.count, ..named }),
            (Some(listed), _) => Cards::Some(listed),
            (None, told) => told,
        },
    }
}

fn kinds(market: &Market<'_>) -> Vec<PriceKind> {
    let spot = market.profile.spot_tag.is_some()
        && matches!(market.prices, Prices::Sheet(sheet) if sheet.has(PriceKind::Spot));
    let mut kinds = vec![PriceKind::OnDemand];
    kinds.extend(spot.then_some(PriceKind::Spot));
    kinds
}

fn price(
    name: &str,
    id: &str,
    flavor: &Flavor<'_>,
    region: &str,
    (kind, cards): (PriceKind, &Named),
    market: &Market<'_>,
) -> Result<Price, Missing> {
    let Priced { per_hour, currency } = match market.prices {
        Prices::Catalogue(catalogue) => catalogue.price(name, region).ok_or(Missing::All)?,
        Prices::Sheet(sheet) => sheet.price(&Wanted {
            flavor: name,
            id,
            region,
            kind,
            card: &cards.card,
            cards: cards.count,
            vcpus: flavor.vcpus.whole(),
            ram_mib: flavor.ram.whole(),
        })?,
    };
    let mut price = Price { kind, ..list_price(market.profile.provider, per_hour, currency) };
    if let Prices::Sheet(sheet) = market.prices
        && let Some((disk, of)) = sheet.disk(region, market.volume_type)
        && of == currency
    {
        // A disk costs the same whether its server runs or stands.
        price.storage_gb_month = Some(disk);
        price.storage_stopped_gb_month = Some(disk);
    }
    Ok(price)
}

fn offer(
    (name, region): (&str, &str),
    flavor: &Flavor<'_>,
    cards: &Named,
    price: Price,
    profile: &'static Profile,
) -> Offer {
    let provider = profile.provider;
    let suffix = if price.kind == PriceKind::Spot { "-spot" } else { "" };
    let disabled = flavor.disabled.flag() == Some(true);
    let gib = flavor.disk.positive().unwrap_or(0.0) + flavor.ephemeral.positive().unwrap_or(0.0);
    Offer {
        id: format!("{provider}:{}-{}{suffix}", slug(name), slug(region)),
        provider: provider.to_owned(),
        cloud: provider.to_owned(),
        source: Source::Live,
        name: name.to_owned(),
        form: if cards.slice_gib.is_some() { Form::Fraction } else { Form::Vm },
        isolation: Isolation::Vm,
        gpu: card::offered(provider, name, cards),
        fabric: None,
        vcpu: flavor.vcpus.positive(),
        ram_gib: flavor.ram.positive().map(|mib| mib / 1024.0),
        disk: Disk { included_gb: (gib > 0.0).then(|| (gib * GIB * 10.0).round() / 10.0), max_gb: None },
        net: Net::default(),
        driver: None,
        cuda: None,
        reliability: None,
        verified: None,
        place: place(profile, region, None),
        price,
        // Nova tells no stock.
        supply: Supply {
            state: if disabled { SupplyState::OutOfStock } else { SupplyState::Unknown },
            count: None,
        },
        flags: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use gpudesk_core::money::Currency;
    use gpudesk_core::quarantine::settle;
    use rust_decimal::Decimal;

    use super::super::profile::{OPENSTACK, OVH, SELECTEL, VK};
    use super::super::sheet::Sheet;
    use super::*;

    fn rows(profile: &'static Profile, region: &str, sheet: &str, flavors: &[&str]) -> Vec<Row> {
        let prices = Prices::Sheet(Sheet::read(sheet));
        let market = Market { profile, prices: &prices, volume_type: None };
        flavors.iter().map(|flavor| row(flavor, region, &market)).collect()
    }

    const T4: &str = r#"{"id": "3021", "name": "GL3.4-32768-0-1GPU", "vcpus": 4, "ram": 32768, "disk": 0,
        "OS-FLV-EXT-DATA:ephemeral": 0, "swap": "", "os-flavor-access:is_public": false, "extra_specs": {}}"#;

    #[test]
    fn a_flavor_with_a_price_is_an_offer_and_one_taken_back_another() {
        let sheet =
            "item,name,kind,price,currency\nflavor,3021,,90,RUB\nflavor,3021,spot,30,RUB\ndisk,,,11.5,RUB\n";
        let settled = settle(rows(&SELECTEL, "ru-7", sheet, &[T4]));
        let [on_demand, spot] = settled.offers.as_slice() else { panic!("{settled:?}") };
        assert_eq!(on_demand.id, "selectel:GL3.4-32768-0-1GPU-ru-7");
        assert_eq!(spot.id, "selectel:GL3.4-32768-0-1GPU-ru-7-spot");
        assert_eq!((on_demand.price.per_hour, on_demand.price.currency), (Decimal::from(90), Currency::RUB));
        assert_eq!((spot.price.kind, spot.price.per_hour), (PriceKind::Spot, Decimal::from(30)));
        assert_eq!(on_demand.price.increment_s, Some(3600), "the past clock hour");
        assert_eq!(on_demand.price.storage_stopped_gb_month.unwrap().to_string(), "11.5");
        assert_eq!((on_demand.ram_gib, on_demand.disk.included_gb), (Some(32.0), None), "MiB; no local disk");
        let place = &on_demand.place;
        assert_eq!((place.country.as_deref(), place.seller.as_deref()), (Some("RU"), Some("RU")));
        assert_eq!(on_demand.supply, Supply { state: SupplyState::Unknown, count: None });
    }

    #[test]
    fn without_a_price_nothing_is_offered_and_the_flavor_is_kept_with_the_reason() {
        let settled = settle(rows(&SELECTEL, "ru-7", "", &[T4]));
        assert_eq!((settled.offers.len(), settled.rows_read, settled.rows_used), (0, 1, 0));
        let kept = &settled.quarantined[0];
        assert_eq!(kept.reason.code, ReasonCode::PriceMissing);
        assert_eq!(kept.origin, "flavor GL3.4-32768-0-1GPU in ru-7");
        let parts = "item,name,price,currency\ncard,T4,25,RUB\nvcpu,,1,RUB\n";
        let settled = settle(rows(&SELECTEL, "ru-7", parts, &[T4]));
        assert_eq!(settled.quarantined[0].reason.code, ReasonCode::IncompletePrice);
    }

    #[test]
    fn odd_flavors_cost_only_themselves() {
        let sheet = "item,name,price,currency,gpu,gpus\nflavor,zero,1,EUR,L4,1\n";
        let settled = settle(rows(
            &OPENSTACK,
            "one",
            sheet,
            &[
                "[]",
                r#"{"id": "x"}"#,
                r#"{"name": "m1.small"}"#,
                r#"{"name": "gpu-h100-2"}"#,
                r#"{"name": "zero", "disk": 40, "ram": "2048", "vcpus": null, "OS-FLV-DISABLED:disabled": true}"#,
            ],
        ));
        assert_eq!((settled.rows_read, settled.rows_not_gpu, settled.quarantined.len()), (5, 1, 3));
        let [offer] = settled.offers.as_slice() else { panic!("{settled:?}") };
        assert_eq!((offer.ram_gib, offer.vcpu, offer.disk.included_gb), (Some(2.0), None, Some(42.9)));
        assert_eq!(offer.supply.state, SupplyState::OutOfStock);
        assert_eq!(
            (offer.place.country.as_deref(), offer.place.seller.as_deref()),
            (None, None),
            "whose it is nobody knows"
        );
    }

    #[test]
    fn a_slice_is_no_whole_card() {
        let sheet = "item,name,price,currency\nflavor,vGPU-2-8-L4-1Q,20,RUB\n";
        let settled = settle(rows(&VK, "RegionOne", sheet, &[r#"{"name": "vGPU-2-8-L4-1Q", "ram": 8192}"#]));
        assert_eq!(settled.offers[0].form, Form::Fraction);
        assert_eq!(settled.offers[0].gpu.vram_gib, Some(1.0));
    }

    #[test]
    fn regions_lie_where_their_cloud_says() {
        for (profile, region, zone, country) in [
            (&SELECTEL, "ru-1", None, Some("RU")),
            (&SELECTEL, "ru-9", Some("ru-9a"), Some("RU")),
            (&SELECTEL, "ru-6", Some("ru-6b"), Some("RU")),
            (&SELECTEL, "uz-1", None, Some("UZ")),
            (&SELECTEL, "kz-1", None, Some("KZ")),
            (&SELECTEL, "ke-1", None, Some("KE")),
            (&VK, "RegionOne", None, Some("RU")),
            (&VK, "RegionOne", Some("GZ1"), Some("RU")),
            (&VK, "RegionOne", Some("QAZ"), Some("KZ")),
            (&VK, "kz", Some("KTP"), Some("KZ")),
            (&OVH, "GRA11", Some("nova"), Some("FR")),
            (&OVH, "GRA7", None, Some("FR")),
            (&OVH, "BHS5", None, Some("CA")),
            (&OVH, "DE1", None, Some("DE")),
            (&OVH, "UK1", None, Some("GB")),
            (&OVH, "WAW1", None, Some("PL")),
            (&OPENSTACK, "GRA11", None, None),
        ] {
            let found = place(profile, region, zone);
            assert_eq!(found.country.as_deref(), country, "{} {region}", profile.title);
        }
        assert_eq!(place(&OVH, "UK1", None).seller.as_deref(), Some("FR"), "London, sold from France");
    }
}
