//! From flavors, stock and the price book to offers.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDateTime, Utc};
use gpudesk_core::feed::ReasonCode;
use gpudesk_core::money::Currency;
use gpudesk_core::offer::{
    Disk, Form, Isolation, Net, Offer, OfferGpu, Place, Price, PriceKind, Source, Supply, SupplyState,
};
use gpudesk_core::place::{country_named, locate, seller};
use gpudesk_core::quarantine::Row;
use gpudesk_core::terms::list_price;
use rust_decimal::Decimal;

use super::wire::{Flavor, Label, PriceLine, Region, Stock};
use crate::card;
use crate::entry;
use crate::http::{Literal, redact};

pub(super) const PROVIDER: &str = "hyperstack";

/// What is known beside the flavors.
#[derive(Debug, Default)]
pub(super) struct Market {
    /// USD for a card and hour, by the name in the price book.
    prices: BTreeMap<String, Decimal>,
    /// Machines in stock by region, card and size, as `("CANADA-1", "H100-80G-PCIe", "8x")`.
    stock: BTreeMap<(String, String, String), u32>,
    /// Countries the service names itself.
    countries: BTreeMap<String, &'static str>,
}

impl Market {
    /// The lines of the price book that hold now. Of several the cheapest is not taken on trust: the later one counts.
    pub fn prices(&mut self, lines: &[PriceLine<'_>], now: DateTime<Utc>) {
        let mut since: BTreeMap<String, Option<DateTime<Utc>>> = BTreeMap::new();
        for line in lines {
            let Some(name) = line.name.text().map(|name| redact::words(&name)) else { continue };
            let Some(value) = line.value.amount(Currency::USD).filter(|value| *value > Decimal::ZERO) else {
                continue;
            };
            let (start, end) = (time(line.start_time), time(line.end_time));
            let holds = start.is_none_or(|start| start <= now) && end.is_none_or(|end| now < end);
            if holds && since.get(&name).is_none_or(|known| *known <= start) {
                self.prices.insert(name.clone(), value.normalize());
                since.insert(name, start);
            }
        }
    }

    pub fn stock(&mut self, regions: &[Stock<'_>]) {
        for stock in regions {
            let Some(region) = stock.region.text() else { continue };
            for model in stock.models.iter().flatten() {
                let Some(name) = model.model.text() else { continue };
                let sizes: BTreeMap<String, Literal<'_>> = model.configurations.object();
                for (size, count) in sizes {
                    let count = count.whole().and_then(|count| u32::try_from(count).ok());
                    let key = (redact::words(&region), redact::words(&name), size);
                    self.stock.extend(count.map(|count| (key, count)));
                }
            }
        }
    }

    pub fn regions(&mut self, regions: &[Region<'_>]) {
        for region in regions {
            let country = region.country.text().and_then(|name| country_named(&name));
            if let (Some(name), Some(country)) = (region.name.text(), country) {
                self.countries.insert(redact::words(&name), country.iso2);
            }
        }
    }

    /// What a card costs: by its very name, else by the name without case and punctuation. A spot flavor has a price
    /// only where the book names it so: at the usual price it would be dear, and at a guess it would be wrong.
    fn price(&self, gpu: &str, spot: bool) -> Option<Decimal> {
        let wanted = if spot && !is_spot(gpu) { format!("{gpu}-spot") } else { gpu.to_owned() };
        let exact = self.prices.get(&wanted).copied();
        exact.or_else(|| {
            let bare = bare(&wanted);
            self.prices.iter().find(|(name, _)| self::bare(name) == bare).map(|(_, price)| *price)
        })
    }

    fn place(&self, region: &str) -> Place {
        let country = locate(PROVIDER, region).country.or_else(|| self.countries.get(region).copied());
        Place {
            region: Some(region.to_owned()),
            country: country.map(str::to_owned),
            seller: seller(PROVIDER).map(str::to_owned),
        }
    }

    /// The flavor itself says whether it can be launched; how many there are stands in the list of stock, which may say
    /// nothing of that size, or none although there is one.
    fn supply(&self, flavor: &Flavor<'_>, region: &str, gpu: &str, count: u32) -> Supply {
        let key = (region.to_owned(), gpu.to_owned(), format!("{count}x"));
        let listed = self.stock.get(&key).copied();
        match (flavor.stock_available.flag(), listed) {
            (Some(false), _) => Supply { state: SupplyState::OutOfStock, count: Some(0) },
            (Some(true), listed) => {
                Supply { state: SupplyState::InStock, count: listed.filter(|count| *count > 0) }
            }
            (None, Some(0)) => Supply { state: SupplyState::OutOfStock, count: Some(0) },
            (None, Some(count)) => Supply { state: SupplyState::InStock, count: Some(count) },
            (None, None) => Supply { state: SupplyState::Unknown, count: None },
        }
    }
}

/// A time as ISO 8601, also without its zone, which then is UTC.
pub(super) fn time(text: Literal<'_>) -> Option<DateTime<Utc>> {
    let text = text.text()?;
    let zoned = DateTime::parse_from_rfc3339(&text).map(|time| time.to_utc());
    zoned.or_else(|_| text.parse::<NaiveDateTime>().map(|time| time.and_utc())).ok()
}

fn bare(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// Whether a name calls itself spot. There is no field for it.
pub(super) fn is_spot(name: &str) -> bool {
    name.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| word.eq_ignore_ascii_case("spot"))
}

/// The row of one flavor; `index` names one that cannot be read.
pub(super) fn row(index: usize, json: &str, market: &Market) -> Row {
    let unnamed = format!("flavor number {}", index + 1);
    let flavor: Flavor<'_> = match entry::read(json, "a flavor") {
        Ok(flavor) => flavor,
        Err(words) => return Row::bad(unnamed, ReasonCode::Unreadable, words),
    };
    let Some(name) = flavor.name.text().map(|name| redact::words(&name)) else {
        return Row::bad(unnamed, ReasonCode::Unreadable, "the flavor has no name");
    };
    let Some(region) = flavor.region_name.text().map(|region| redact::words(&region)) else {
        return Row::bad(format!("flavor {name}"), ReasonCode::Unreadable, "the flavor has no region");
    };
    let origin = format!("flavor {name} in {region}");
    let Some(gpu) = flavor.gpu.text().map(|gpu| redact::words(&gpu)) else { return Row::NotGpu };
    let count = flavor.gpu_count.whole().and_then(|count| u32::try_from(count).ok());
    let Some(count) = count.filter(|count| *count > 0) else {
        return Row::bad(origin, ReasonCode::CountImpossible, "the flavor has no readable number of cards");
    };
    let labels: Vec<Label<'_>> = flavor.labels.object();
    let labelled = labels.iter().filter_map(|label| label.label.text()).any(|label| is_spot(&label));
    let spot = labelled || is_spot(&name) || is_spot(&gpu);
    let Some(price) = market.price(&gpu, spot).and_then(|card| card.checked_mul(Decimal::from(count))) else {
        let words = format!("no line of the price book is called {gpu}");
        return Row::bad(origin, ReasonCode::PriceMissing, words);
    };
    let kind = if spot { PriceKind::Spot } else { PriceKind::OnDemand };
    let root = flavor.disk.positive();
    let offer = Offer {
        id: format!("{PROVIDER}:{name}@{region}-{}", kind.word()),
        provider: PROVIDER.to_owned(),
        cloud: PROVIDER.to_owned(),
        source: Source::Live,
        form: Form::Vm,
        isolation: Isolation::Vm,
        gpu: card(&gpu, &name, count),
        fabric: None,
        vcpu: flavor.cpu.positive(),
        ram_gib: flavor.ram.positive(),
        // The scratch disk counts while it runs; only the root disk outlives a hibernation.
        disk: Disk {
            included_gb: root,
            max_gb: root.map(|root| root + flavor.ephemeral.positive().unwrap_or(0.0)),
        },
        net: Net::default(),
        driver: None,
        cuda: None,
        reliability: None,
        verified: None,
        supply: market.supply(&flavor, &region, &gpu, count),
        place: market.place(&region),
        price: Price { kind, ..list_price(PROVIDER, price.normalize(), Currency::USD) },
        flags: Vec::new(),
        name,
    };
    Row::Offers { origin, offers: vec![offer] }
}

/// The card. Its memory is no field: it stands before `G` in the name (`A100-80G-PCIe`), or only in the GPU table
/// (`RTX-A6000`). Bridges between cards in slots (`-NVLink`) are the link, not another card.
pub(super) fn card(gpu: &str, machine: &str, count: u32) -> OfferGpu {
    let words: Vec<&str> = gpu.split('-').filter(|word| !word.eq_ignore_ascii_case("spot")).collect();
    let reported = words.iter().find_map(|word| {
        let digits = word.strip_suffix(['G', 'g'])?;
        digits.parse::<f64>().ok().filter(|gib| *gib > 0.0)
    });
    let bridged = words.iter().any(|word| word.eq_ignore_ascii_case("nvlink"));
    let in_slots = words.iter().any(|word| word.eq_ignore_ascii_case("pcie"));
    OfferGpu {
        link: (bridged && in_slots && count > 1).then(|| "NVLink bridge".to_owned()),
        raw_name: gpu.to_owned(),
        ..card::whole(PROVIDER, words.join("-"), machine, count, reported)
    }
}
