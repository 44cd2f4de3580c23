//! The board's answers, worked out offer by offer without any of its shortcuts. Slow and plain on purpose.

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;

use crate::board::{Sort, View};
use crate::gpu::{self, Card};
use crate::job;
use crate::money::{Currency, Rates};
use crate::offer::{Form, Isolation, Offer, SupplyState};
use crate::place;
use crate::policy::Subject;
use crate::query::{Edit, Fact, Holds, Number, Set, Term, UNKNOWN, Version, Versioned};

/// An offer with what is known of it from elsewhere.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub offer: Offer,
    pub quarantined: bool,
    pub as_of: DateTime<Utc>,
}

pub(super) struct Naive<'a> {
    pub rows: &'a [Row],
    pub rates: &'a Rates,
}

impl Naive<'_> {
    /// Ids of the rows that match.
    pub(super) fn matching(&self, view: &View<'_>) -> Vec<&Row> {
        self.rows.iter().filter(|row| self.matches(row, view)).collect()
    }

    fn matches(&self, row: &Row, view: &View<'_>) -> bool {
        if row.quarantined && !view.include_quarantine {
            return false;
        }
        let is_asked = view.query.terms().iter().any(|term| {
            matches!(term, Term::Set { column: Set::Form, values, negated: false }
                if values.iter().any(|value| value == "serverless"))
        });
        if row.offer.form == Form::Serverless && !is_asked {
            return false;
        }
        let enough = |holds: Holds| holds == Holds::Yes || (holds == Holds::Unknown && view.include_unknown);
        let (cards, others): (Vec<&Term>, Vec<&Term>) = view.query.terms().iter().partition(|term| {
            matches!(term, Term::Gpu { negated: false, .. } | Term::Raw { negated: false, .. })
        });
        let any_card = cards.iter().map(|term| self.holds(term, row, view)).max().unwrap_or(Holds::Yes);
        enough(any_card) && others.iter().all(|term| enough(self.holds(term, row, view)))
    }

    fn holds(&self, term: &Term, row: &Row, view: &View<'_>) -> Holds {
        let offer = &row.offer;
        match term {
            Term::Gpu { cards, negated } => {
                let holds = offer.gpu.model.as_deref().map_or(Holds::Unknown, |model| cards.hold(model));
                holds.negate_if(*negated)
            }
            Term::Raw { text, negated } => {
                Holds::from(Some(offer.gpu.raw_name.to_lowercase().contains(text))).negate_if(*negated)
            }
            Term::Set { column, values, negated } => {
                let wanted = values.iter().any(|value| value == UNKNOWN);
                let mut holds = values
                    .iter()
                    .filter(|value| *value != UNKNOWN)
                    .map(|value| match column {
                        Set::Policy => Holds::from(Some(keeps(view, value, offer))),
                        _ => has(*column, offer, value),
                    })
                    .max()
                    .unwrap_or(Holds::No);
                if is_unknown(*column, offer) {
                    holds = if wanted { Holds::Yes } else { Holds::Unknown };
                }
                holds.negate_if(*negated)
            }
            Term::Fact { fact, negated } => Holds::from(fact_of(*fact, offer)).negate_if(*negated),
            Term::Number { column: Number::Age, bounds, .. } => {
                Holds::from(Some(bounds.contain(&Decimal::from((view.now - row.as_of).num_seconds()))))
            }
            Term::Number { column, bounds, currency } => {
                let value = self.number(*column, offer, currency.unwrap_or(view.currency), view);
                Holds::from(value.map(|value| bounds.contain(&value)))
            }
            Term::Version { column, bounds } => {
                let text = match column {
                    Versioned::Cuda => &offer.cuda,
                    Versioned::Driver => &offer.driver,
                };
                Holds::from(
                    text.as_deref().and_then(Version::parse).map(|version| bounds.contain_version(&version)),
                )
            }
        }
    }

    fn number(&self, column: Number, offer: &Offer, currency: Currency, view: &View<'_>) -> Option<Decimal> {
        let decimal = |value: f64| Decimal::try_from(value).unwrap();
        let card = offer.gpu.model.as_deref().and_then(gpu::card);
        let convert = |amount: Decimal| self.rates.convert(amount, offer.price.currency, currency);
        match column {
            Number::Vram => offer.gpu.vram_gib.map(decimal),
            Number::VramTotal => offer.vram_total_gib().map(decimal),
            Number::Count => Some(Decimal::from(offer.gpu.count)),
            Number::Price => convert(offer.per_gpu_hour()),
            Number::Hour => convert(offer.price.per_hour),
            Number::Total => {
                let usd = job::cost(offer, view.job?, self.rates)?.usd.high;
                self.rates.convert(usd, Currency::USD, currency)
            }
            Number::Bandwidth => card.and_then(Card::bandwidth_gb_s).map(decimal),
            Number::Tflops => tflops(offer),
            Number::Ram => offer.ram_gib.map(decimal),
            Number::Vcpu => offer.vcpu.map(decimal),
            Number::Disk => offer.disk.max_gb.or(offer.disk.included_gb).map(decimal),
            Number::Down => offer.net.down_mbit_s.map(decimal),
            Number::Up => offer.net.up_mbit_s.map(decimal),
            Number::Reliability => offer.reliability.map(decimal),
            Number::Age => None,
        }
    }

    /// What a row is ordered by, where it is a number.
    pub(super) fn sort_value(&self, row: &Row, view: &View<'_>) -> Option<Decimal> {
        let offer = &row.offer;
        let decimal = |value: f64| Decimal::try_from(value).unwrap();
        let card = offer.gpu.model.as_deref().and_then(gpu::card);
        let usd = |amount: Decimal| self.rates.convert(amount, offer.price.currency, Currency::USD);
        let per_card = || usd(offer.per_gpu_hour());
        match view.sort {
            Sort::GpuHour => per_card(),
            Sort::MachineHour => usd(offer.price.per_hour),
            Sort::PerVram => Some(per_card()? / decimal(offer.gpu.vram_gib?)),
            Sort::PerTflops => Some(per_card()? / tflops(offer)?),
            Sort::PerBandwidth if offer.gpu.fraction.is_some() => None,
            Sort::PerBandwidth => Some(per_card()? / decimal(card?.bandwidth_gb_s()?)),
            Sort::Total => Some(job::cost(offer, view.job?, self.rates)?.usd.high),
            Sort::Age => Some(Decimal::from((view.now - row.as_of).num_seconds())),
            Sort::Count => Some(Decimal::from(offer.gpu.count)),
            Sort::VramSize => offer.vram_total_gib().map(decimal),
            Sort::BandwidthSize => card?.bandwidth_gb_s().map(decimal),
            Sort::Ram => offer.ram_gib.map(decimal),
            Sort::Vcpu => offer.vcpu.map(decimal),
            Sort::Place | Sort::Provider | Sort::Model => None,
        }
    }

    /// Matching rows with this value of a facet, when the facet's own filter is lifted.
    pub(super) fn facet(&self, view: &View<'_>, key: &str, value: &str) -> u32 {
        let mut lifted = view.query.edit(&Edit::Clear { key: key.to_owned() }).unwrap();
        if key == "form" {
            // Serverless rows are seen only where their form is asked for.
            let asked = Edit::Toggle { key: key.to_owned(), value: value.to_owned() };
            lifted = lifted.edit(&asked).unwrap();
        }
        let view = View { query: &lifted, ..*view };
        let has_value = |row: &&&Row| {
            let offer = &row.offer;
            let own =
                offer.place.seller.as_deref() == Some("RU") && offer.place.country.as_deref() == Some("RU");
            match key {
                "gpu" => shown_card(offer) == value,
                "vram" => offer.gpu.vram_gib.is_some_and(|vram| vram >= value.parse().unwrap()),
                "form" => offer.form.word() == value,
                "zone" => match (value, offer.place.country.as_deref()) {
                    (UNKNOWN, country) => country.is_none(),
                    ("RU+seller", _) => own,
                    (zone, country) => country.is_some_and(|iso2| place::zone_matches(zone, iso2).unwrap()),
                },
                "link" => link(offer).as_deref().unwrap_or(UNKNOWN) == value,
                "fabric" => offer.fabric.as_deref().unwrap_or(UNKNOWN) == value,
                "cloud" => offer.cloud == value,
                "kind" => offer.price.kind.word() == value,
                "seller" => offer.place.seller.as_deref().unwrap_or(UNKNOWN) == value,
                "source" => offer.source.word() == value,
                "supply" => offer.supply.state.word() == value,
                "policy" => keeps(&view, value, offer),
                other => panic!("no facet {other}"),
            }
        };
        self.matching(&view).iter().filter(has_value).count() as u32
    }
}

/// The card's canonical name, or the raw one where the table does not know it.
pub(super) fn shown_card(offer: &Offer) -> &str {
    offer.gpu.model.as_deref().filter(|model| gpu::card(model).is_some()).unwrap_or(&offer.gpu.raw_name)
}

/// Whether nothing of an offer breaks a policy of the view.
pub(super) fn keeps(view: &View<'_>, policy: &str, offer: &Offer) -> bool {
    let policy = view.policies.iter().find(|known| known.name == policy);
    policy.is_some_and(|policy| policy.judge(&Subject::of(offer)).breaches().next().is_none())
}

fn tflops(offer: &Offer) -> Option<Decimal> {
    let whole = Decimal::try_from(gpu::card(offer.gpu.model.as_deref()?)?.bf16_tflops()?).ok()?;
    Some(offer.gpu.fraction.map_or(whole, |share| whole * Decimal::try_from(share).unwrap()))
}

fn link(offer: &Offer) -> Option<String> {
    let table = || gpu::card(offer.gpu.model.as_deref()?)?.link().map(|link| link.text.to_owned());
    offer.gpu.link.clone().or_else(table)
}

fn fact_of(fact: Fact, offer: &Offer) -> Option<bool> {
    match fact {
        Fact::Verified => offer.verified,
        Fact::Fabric => offer.fabric.as_ref().map(|_| true),
        Fact::Nvlink => {
            let own = offer.gpu.link.as_deref().unwrap_or_default().to_lowercase();
            if own.contains("nvlink") || own.contains("nvswitch") {
                return Some(true);
            }
            if own.contains("pcie") {
                return Some(false);
            }
            let card = gpu::card(offer.gpu.model.as_deref()?)?;
            let links: Vec<Option<bool>> = card.members().map(|m| m.link.map(|link| link.nvlink)).collect();
            links.iter().all(|link| *link == links[0]).then_some(links[0]).flatten()
        }
    }
}

fn is_unknown(column: Set, offer: &Offer) -> bool {
    match column {
        Set::Country | Set::Zone => offer.place.country.is_none(),
        Set::Seller => offer.place.seller.is_none(),
        Set::Vendor => offer.gpu.model.as_deref().and_then(gpu::card).and_then(Card::vendor).is_none(),
        Set::Region => offer.place.region.is_none(),
        Set::Link => link(offer).is_none(),
        Set::Fabric => offer.fabric.is_none(),
        Set::Isolation => offer.isolation == Isolation::Unknown,
        Set::Supply => offer.supply.state == SupplyState::Unknown,
        Set::Form | Set::Cloud | Set::Provider | Set::Kind | Set::Source | Set::Policy => false,
    }
}

fn has(column: Set, offer: &Offer, value: &str) -> Holds {
    let plain = |text: &str| text.to_lowercase().replace([' ', '-', '_'], "");
    let begins = |text: Option<String>| text.is_some_and(|text| plain(&text).starts_with(&plain(value)));
    let place = &offer.place;
    let yes = match column {
        Set::Country => place.country.as_deref() == Some(value),
        Set::Zone => {
            let (zone, plus) = value.strip_suffix("+seller").map_or((value, false), |zone| (zone, true));
            let inside =
                |iso2: &Option<String>| iso2.as_deref().map(|iso2| place::zone_matches(zone, iso2).unwrap());
            return match (inside(&place.country), plus, inside(&place.seller)) {
                (Some(true), true, None) => Holds::Unknown,
                (Some(true), true, Some(seller)) => Holds::from(Some(seller)),
                (country, _, _) => Holds::from(country),
            };
        }
        Set::Seller => place.seller.as_deref() == Some(value),
        Set::Form => offer.form.word() == value,
        Set::Cloud => offer.cloud == value,
        Set::Provider => offer.provider == value,
        Set::Kind => offer.price.kind.word() == value,
        Set::Vendor => offer
            .gpu
            .model
            .as_deref()
            .and_then(gpu::card)
            .and_then(Card::vendor)
            .is_some_and(|vendor| vendor == value),
        Set::Region => place.region.as_deref().is_some_and(|region| region.to_lowercase().contains(value)),
        Set::Link => begins(link(offer)),
        Set::Fabric => begins(offer.fabric.clone()),
        Set::Source => offer.source.word() == value,
        Set::Isolation => offer.isolation.word() == value,
        Set::Supply => offer.supply.state.word() == value,
        Set::Policy => unreachable!("the view knows it"),
    };
    Holds::from(Some(yes))
}
