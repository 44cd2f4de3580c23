//! One line of a price list, turned into offers the same way whatever list it came from.

use gpudesk_core::feed::{Quarantined, Reason, ReasonCode};
use gpudesk_core::gpu::{self, Card, Hints, Resolution, Vram};
use gpudesk_core::money::Currency;
use gpudesk_core::offer::{
    Disk, Form, Net, Offer, OfferGpu, Place, Price, PriceKind, Source, Supply, SupplyState,
};
use gpudesk_core::quarantine::Row;
use rust_decimal::Decimal;

use super::clouds;

/// What the database keeps of a price, in decimal places. Some lists carry the noise of binary fractions
/// (`5.8854999999999995`) or more digits than money has.
const PRICE_PLACES: u32 = 9;

/// A machine at a place, as a list says it.
#[derive(Debug, Clone)]
pub(crate) struct Listing<'a> {
    /// Whose account is billed.
    pub provider: &'a str,
    /// Whose iron it is.
    pub cloud: &'a str,
    /// The provider's name of the type.
    pub machine: &'a str,
    /// The list's name of the card.
    pub card: &'a str,
    /// Cards of the machine; below 1, a share of one card.
    pub cards: f64,
    /// Memory as the list gives it.
    pub memory: Memory,
    /// Virtual CPUs.
    pub vcpu: Option<f64>,
    /// RAM in GiB.
    pub ram_gib: Option<f64>,
    /// Disk inside the price in GB.
    pub disk_gb: Option<f64>,
    /// The place as shown; empty where the list names none.
    pub region: &'a str,
    /// Its country, where it can be proved.
    pub country: Option<&'static str>,
    /// What else tells two offers of this type and place apart; usually empty.
    pub variant: &'a str,
    /// What the list itself says about the link between the cards, where it does.
    pub says_nvlink: bool,
    /// Rented only as one of several machines tied together.
    pub is_cluster: bool,
    /// Currency of the prices.
    pub currency: Currency,
    /// The prices, one offer each.
    pub prices: Vec<Tariff>,
}

/// One price of a machine, per hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tariff {
    pub kind: PriceKind,
    pub per_hour: Decimal,
    /// For a reserved price.
    pub term: Option<&'static str>,
}

/// The memory a list gives for a machine's cards, in GiB.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Memory {
    pub gib: Option<f64>,
    /// The list is known to give the total of the machine. Otherwise it is taken as one card's, and as the total
    /// only where no such card exists (EC2 gave 91,553 MiB for each of four L4).
    pub is_total: bool,
}

/// What became of the name and memory of a card.
struct Identity {
    model: Option<Card>,
    vram_gib: Option<f64>,
}

impl Listing<'_> {
    /// The row of the list as offers, or why there are none.
    pub fn into_row(self, origin: impl FnOnce() -> String) -> Row {
        let (count, share) = match cards(self.cards) {
            Ok(cards) => cards,
            Err(reason) => return Row::Bad(Quarantined { reason, origin: origin(), offer: None }),
        };
        let Some(identity) = self.identify(count) else {
            return Row::NotGpu;
        };
        let vram_gib = identity.vram_gib.map(|gib| share.map_or(gib, |share| gib * share));
        let form = match share {
            Some(_) => Form::Fraction,
            None if self.is_cluster => Form::Cluster,
            None => clouds::form(self.cloud, self.machine),
        };
        let stem = self.id_stem(count, share, vram_gib);
        let seller = clouds::seller(self.provider, self.region);
        let offers = self.prices.iter().map(|tariff| Offer {
            id: id(&stem, tariff),
            provider: self.provider.to_owned(),
            cloud: self.cloud.to_owned(),
            source: Source::Catalogue,
            name: self.machine.to_owned(),
            form,
            isolation: clouds::isolation(form),
            gpu: OfferGpu {
                model: identity.model.map(|card| card.name().to_owned()),
                count,
                fraction: share,
                vram_gib,
                link: self.link(identity.model),
                raw_name: self.card.to_owned(),
            },
            fabric: clouds::fabric(self.cloud, self.machine).map(str::to_owned),
            vcpu: self.vcpu,
            ram_gib: self.ram_gib,
            disk: Disk { included_gb: self.disk_gb, max_gb: None },
            net: Net::default(),
            driver: None,
            cuda: None,
            reliability: None,
            verified: None,
            place: Place {
                region: (!self.region.is_empty()).then(|| self.region.to_owned()),
                country: self.country.map(str::to_owned),
                seller: seller.map(str::to_owned),
            },
            price: self.price(tariff),
            supply: Supply { state: SupplyState::Unknown, count: None },
            flags: Vec::new(),
        });
        Row::Offers { offers: offers.collect(), origin: origin() }
    }

    fn price(&self, tariff: &Tariff) -> Price {
        Price {
            kind: tariff.kind,
            currency: self.currency,
            per_hour: tariff.per_hour.round_dp(PRICE_PLACES).normalize(),
            term: tariff.term.map(str::to_owned),
            increment_s: None,
            minimum_s: None,
            storage_gb_month: None,
            storage_stopped_gb_month: None,
            egress_gb: None,
            ingress_gb: None,
            meter: None,
            page: None,
        }
    }

    /// `None` where the accelerator is no GPU.
    fn identify(&self, count: u32) -> Option<Identity> {
        let hints = |gib| Hints {
            vram_gib: gib,
            provider: Some(self.cloud),
            machine: Some(self.machine),
            count: Some(count),
        };
        let given = self.memory.gib;
        let divided = given.filter(|_| count > 1).map(|gib| gib / f64::from(count));
        let readings =
            if self.memory.is_total && divided.is_some() { [divided, given] } else { [given, divided] };
        for gib in readings.into_iter().flatten() {
            let Some(card) = gpu::resolve(self.card, &hints(Some(gib))).card() else { continue };
            if let Vram::Nominal(gib) | Vram::Listed(gib) = gpu::nominal_vram(card, gib) {
                return Some(Identity { model: Some(card), vram_gib: Some(gib) });
            }
        }
        // The name says more than a memory figure that fits no reading of it; the figure stays, to be judged.
        let said = readings[0];
        match gpu::resolve(self.card, &hints(None)) {
            Resolution::NotGpu => None,
            found => {
                let card = found.card();
                let nominal = card.and_then(Card::vram_gib);
                Some(Identity { model: card, vram_gib: said.or(nominal) })
            }
        }
    }

    /// Only what refines the table: a card whose NVLink is certain anyway needs no word from the list.
    fn link(&self, card: Option<Card>) -> Option<String> {
        let certain = card.and_then(Card::link).is_some_and(|link| link.nvlink);
        (self.says_nvlink && !certain).then(|| "NVLink".to_owned())
    }

    /// What the offers of all prices have in common: provider, type, cards, place, memory.
    fn id_stem(&self, count: u32, share: Option<f64>, vram_gib: Option<f64>) -> String {
        let mut stem = String::with_capacity(96);
        stem.push_str(self.provider);
        stem.push(':');
        push_slug(&mut stem, self.machine);
        stem.push_str("-x");
        push_number(&mut stem, share.map_or(f64::from(count), |share| (share * 1000.0).round() / 1000.0));
        for part in [self.region, self.variant] {
            if !part.is_empty() {
                stem.push('-');
                push_slug(&mut stem, part);
            }
        }
        if let Some(gib) = vram_gib {
            stem.push('-');
            push_number(&mut stem, (gib * 10.0).round() / 10.0);
            stem.push('g');
        }
        stem
    }
}

fn id(stem: &str, tariff: &Tariff) -> String {
    let mut id = String::with_capacity(stem.len() + 24);
    id.push_str(stem);
    id.push('-');
    id.push_str(tariff.kind.word());
    if let Some(term) = tariff.term {
        id.push('-');
        push_slug(&mut id, term);
    }
    id
}

/// Whole cards, or one and its share.
fn cards(number: f64) -> Result<(u32, Option<f64>), Reason> {
    let impossible = || Reason { code: ReasonCode::CountImpossible, detail: format!("{number} cards") };
    if !(number.is_finite() && number > 0.0 && number <= f64::from(u32::MAX)) {
        return Err(impossible());
    }
    if number < 1.0 {
        return Ok((1, Some(nearest_part(number))));
    }
    if number.fract() != 0.0 {
        return Err(impossible());
    }
    // Whole and within range, as just checked.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    Ok((number as u32, None))
}

/// Lists write a third as 0.333 and a sixth as 0.167.
fn nearest_part(share: f64) -> f64 {
    let part = 1.0 / (1.0 / share).round();
    if (part - share).abs() < 0.001 { part } else { share }
}

/// Nearly all are small whole numbers, which go faster as such.
fn push_number(id: &mut String, number: f64) {
    use std::fmt::Write as _;

    let whole = number.fract() == 0.0 && (0.0..=f64::from(u16::MAX)).contains(&number);
    // Writing to a string cannot fail.
    let _ = if whole { write!(id, "{}", number as u16) } else { write!(id, "{number}") };
}

/// Letters, digits and `._+` of any script stay; everything else becomes one `-`. In lower case, because lists
/// write the same zone in both.
fn push_slug(id: &mut String, text: &str) {
    let mut gap = false;
    let start = id.len();
    for letter in text.chars() {
        if !(letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | '+') || letter.is_alphanumeric())
        {
            gap = true;
            continue;
        }
        if gap && id.len() > start {
            id.push('-');
        }
        gap = false;
        match letter.is_ascii() {
            true => id.push(letter.to_ascii_lowercase()),
            false => id.extend(letter.to_lowercase()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slug_has_no_spaces_and_keeps_every_script() {
        let slug = |text: &str| {
            let mut id = String::from("vast:");
            push_slug(&mut id, text);
            id
        };
        assert_eq!(slug("Hafnarfjarðarkaupstaður, IS, EU"), "vast:hafnarfjarðarkaupstaður-is-eu");
        assert_eq!(slug(", US, NA"), "vast:us-na");
        assert_eq!(slug("EU-STOCKHOLM-1-AD-1"), "vast:eu-stockholm-1-ad-1");
        assert_eq!(slug("RTX_A6000_48GB::1"), "vast:rtx_a6000_48gb-1");
    }

    #[test]
    fn below_one_is_a_share_of_one_card() {
        assert_eq!(cards(8.0).unwrap(), (8, None));
        assert_eq!(cards(0.333).unwrap(), (1, Some(1.0 / 3.0)));
        assert_eq!(cards(0.125).unwrap(), (1, Some(0.125)));
        for impossible in [0.0, -1.0, 2.5, f64::NAN, f64::INFINITY] {
            assert_eq!(cards(impossible).unwrap_err().code, ReasonCode::CountImpossible, "{impossible}");
        }
    }
}
