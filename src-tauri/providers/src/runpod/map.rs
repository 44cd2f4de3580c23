//! From a card in a place to offers.

use std::borrow::Cow;
use std::collections::BTreeMap;

use gpudesk_core::feed::ReasonCode;
use gpudesk_core::gpu::{self, Hints, Vram};
use gpudesk_core::money::{Currency, kept};
use gpudesk_core::offer::{
    Disk, Flag, Form, Isolation, Net, Offer, OfferGpu, Place, Source, Supply, SupplyState,
};
use gpudesk_core::place::{country, locate, seller};
use gpudesk_core::quarantine::{Row, price};
use gpudesk_core::terms::list_price;
use gpudesk_core::text::is_unprintable;
use rust_decimal::Decimal;

use super::api::{COUNTS, Site};
use super::wire::{GpuType, Here, LowestPrice};
use crate::http::{Each, Literal, redact};

pub(super) const PROVIDER: &str = "runpod";

/// What RunPod says of a card everywhere.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Listed {
    /// The id as it is sent, which a launch repeats.
    pub(super) raw_id: String,
    pub(super) memory_gb: Option<f64>,
    pub(super) secure: bool,
    pub(super) community: bool,
    pub(super) secure_price: Option<String>,
    pub(super) community_price: Option<String>,
    pub(super) most: Option<u64>,
}

impl Listed {
    /// The id as it is sent.
    pub(super) fn id(&self) -> &str {
        &self.raw_id
    }

    /// Whether a cloud has it and a pod may have so many.
    pub(super) fn is_offered(&self, count: u32) -> bool {
        (self.secure || self.community) && self.most.is_none_or(|most| u64::from(count) <= most)
    }

    /// Whether the Community cloud has it.
    pub(super) fn is_community(&self) -> bool {
        self.community
    }
}

/// The cards by their id as sent, the rows that are none, and how many entries are retired.
pub(super) struct Cards {
    pub by_id: BTreeMap<String, Listed>,
    pub rows: Vec<Row>,
    pub retired: Vec<String>,
}

/// Sorts the list of cards: `unknown` and entries without an id are no cards, and a card that neither cloud offers
/// is retired, whatever price stands beside it.
pub(super) fn cards(types: &Each<GpuType<'_>>) -> Cards {
    let mut cards = Cards { by_id: BTreeMap::new(), rows: Vec::new(), retired: Vec::new() };
    for (number, entry) in types.numbered() {
        let named = entry.and_then(|gpu| Ok((gpu, id_of(gpu.id)?)));
        let (gpu, raw_id) = match named {
            Ok(named) => named,
            Err(why) => {
                cards.rows.push(unreadable("gpuTypes", number, why));
                continue;
            }
        };
        if raw_id.eq_ignore_ascii_case("unknown") {
            cards.rows.push(Row::NotGpu);
            continue;
        }
        let listed = Listed {
            memory_gb: gpu.memory_in_gb.positive(),
            secure: gpu.secure_cloud.flag().unwrap_or(false),
            community: gpu.community_cloud.flag().unwrap_or(false),
            secure_price: gpu.secure_price.text().map(|text| text.into_owned()),
            community_price: gpu.community_price.text().map(|text| text.into_owned()),
            most: gpu.max_gpu_count.whole().filter(|most| *most > 0),
            raw_id: raw_id.clone().into_owned(),
        };
        if listed.secure || listed.community {
            cards.by_id.insert(raw_id.into_owned(), listed);
        } else {
            cards.retired.push(collapsed(&raw_id));
        }
    }
    cards
}

/// The id of an entry as it is sent, or why it can be none: a launch repeats it as it is, so it is not tidied up.
pub(super) fn id_of(id: Literal<'_>) -> Result<Cow<'_, str>, &'static str> {
    match id.text() {
        None => Err("the entry has no id"),
        Some(id) if id.chars().count() > redact::MAX_WORDS || id.contains(is_unprintable) => {
            Err("its id is none: too long, or with characters that are not printed")
        }
        Some(id) => Ok(id),
    }
}

/// The row of an entry that cannot be used.
pub(super) fn unreadable(list: &str, number: usize, why: &str) -> Row {
    Row::bad(format!("{list} entry {number}"), ReasonCode::Unreadable, why)
}

/// The rows of one place.
pub(super) fn place(site: &Site, cards: &BTreeMap<String, Listed>, here: &Each<Here<'_>>) -> Vec<Row> {
    let mut rows = Vec::new();
    for (number, entry) in here.numbered() {
        let card = match entry {
            Ok(card) => card,
            Err(why) => {
                rows.push(unreadable(&format!("{} {} gpuTypes", site.cloud(), site.place()), number, why));
                continue;
            }
        };
        let Some(listed) = card.id.text().and_then(|id| cards.get(id.as_ref())) else { continue };
        let offered = match site {
            Site::Secure(_) => listed.secure,
            Site::Community(_) => listed.community,
        };
        if !offered {
            continue;
        }
        for count in
            COUNTS.into_iter().filter(|count| listed.most.is_none_or(|most| u64::from(*count) <= most))
        {
            let lowest = card.lowest(count);
            // Null stands for a card that is not there at all: nothing is offered, not even as sold out.
            if let Some(stock) = lowest.stock_status.text() {
                rows.push(row(site, listed, count, &stock, &lowest));
            }
        }
    }
    rows
}

/// The row of a card in a place by the catalogue of REST v2; `None` where that cloud does not offer it.
pub(super) fn keyed(site: &Site, listed: &Listed, count: u32, stock: &str) -> Option<Row> {
    let offered = match site {
        Site::Secure(_) => listed.secure,
        Site::Community(_) => listed.community,
    };
    offered.then(|| row(site, listed, count, stock, &LowestPrice::default()))
}

fn row(site: &Site, listed: &Listed, count: u32, stock: &str, lowest: &LowestPrice<'_>) -> Row {
    let id = collapsed(&listed.raw_id);
    let origin = format!("{id} x{count}, {} {}", site.cloud(), site.place());
    let listed_price = match site {
        Site::Secure(_) => listed.secure_price.clone(),
        Site::Community(_) => listed.community_price.clone(),
    };
    let Some(stated) = lowest.uninterruptable_price.text().map(|text| text.into_owned()).or(listed_price)
    else {
        return Row::Offers { origin, offers: Vec::new() };
    };
    // Per card, so it is multiplied by the number of cards once. Zero and negative prices go on, for the quarantine
    // to judge with the whole offer before it.
    let parsed = stated.parse::<Decimal>().ok().or_else(|| Decimal::from_scientific(&stated).ok());
    let per_hour = match parsed.and_then(|per_card| per_card.checked_mul(Decimal::from(count))) {
        Some(per_hour) => kept(per_hour),
        None => {
            return match price(&stated) {
                Err(reason) => Row::bad(origin, reason.code, reason.detail),
                Ok(_) => Row::bad(
                    origin,
                    ReasonCode::PriceImpossible,
                    format!("price {stated} for one of {count} cards"),
                ),
            };
        }
    };
    let gpu = card(listed, &id, count);
    // Disk and traffic cost the same in every place.
    let offer = Offer {
        id: format!("{PROVIDER}:{id}x{count}-{}-{}", site.cloud(), site.place()),
        provider: PROVIDER.to_owned(),
        cloud: PROVIDER.to_owned(),
        source: Source::Live,
        name: id,
        form: if gpu.fraction.is_some() || gpu::slice(&gpu.raw_name).is_some() {
            Form::Fraction
        } else {
            Form::Container
        },
        isolation: Isolation::SharedHost,
        gpu,
        fabric: None,
        // Of the whole pod; they drift from hour to hour and are no part of the id.
        vcpu: lowest.min_vcpu.positive(),
        ram_gib: lowest.min_memory.positive(),
        disk: Disk { included_gb: Some(0.0), max_gb: None },
        net: Net::default(),
        driver: None,
        cuda: None,
        reliability: None,
        verified: None,
        place: place_of(site),
        price: list_price(PROVIDER, per_hour, Currency::USD),
        supply: Supply { state: supply(stock), count: None },
        // Secure is data centres, Community other people's machines.
        flags: vec![Flag::host(matches!(site, Site::Secure(_)))],
    };
    Row::Offers { origin, offers: vec![offer] }
}

/// Stock is a level, not a number.
pub(super) fn supply(stock: &str) -> SupplyState {
    match stock.to_ascii_lowercase().as_str() {
        "high" | "medium" | "low" => SupplyState::InStock,
        "none" => SupplyState::OutOfStock,
        _ => SupplyState::Unknown,
    }
}

fn card(listed: &Listed, id: &str, count: u32) -> OfferGpu {
    let slice = gpu::slice(id);
    // The memory of a slice says nothing about the card it is cut from.
    let reported = listed.memory_gb.filter(|_| slice.is_none());
    let hints = Hints { vram_gib: reported, provider: Some(PROVIDER), machine: None, count: Some(count) };
    let card = gpu::resolve(id, &hints).card();
    let vram_gib = match (&slice, card, reported) {
        (Some(slice), ..) => slice.vram_gib.or(listed.memory_gb),
        (None, Some(card), Some(gib)) => Some(match gpu::nominal_vram(card, gib) {
            Vram::Nominal(gib) | Vram::Listed(gib) | Vram::Contradicts(gib) => gib,
        }),
        (None, Some(card), None) => card.vram_gib(),
        (None, None, reported) => reported,
    };
    OfferGpu {
        model: card.map(|card| card.name().to_owned()),
        count,
        fraction: slice.and_then(|slice| slice.share),
        vram_gib,
        link: None,
        raw_name: listed.raw_id.clone(),
    }
}

fn place_of(site: &Site) -> Place {
    let country = match site {
        Site::Secure(id) => locate(PROVIDER, id).country,
        Site::Community(code) => country(code).map(|country| country.iso2),
    };
    Place {
        region: Some(site).filter(|site| !site.is_anywhere()).map(|site| redact::words(site.place())),
        country: country.map(str::to_owned),
        seller: seller(PROVIDER).map(str::to_owned),
    }
}

/// An id with runs of spaces made one: `NVIDIA  RTX A4500` is the same card as `NVIDIA RTX A4500`.
pub(super) fn collapsed(id: &str) -> String {
    redact::words(id)
}
