//! What is compared, gathered: what somebody gave, what tables and the board know, and what is still missing.

use gpudesk_core::buy::{self, Curve, Deal, Figure, Input, Resale, Unit};
use gpudesk_core::gpu::Model;
use gpudesk_core::money::{Currency, Rates};
use rust_decimal::Decimal;

use super::buy_market::Rents;
use super::buy_typed::{figure, resale, wrong};
use super::rows::text;
use crate::buy::{BuyInput, BuyRequest};
use crate::desk::ApiError;

/// Names that are no figure of the deal itself.
const RESERVED: &str = "reserved";
const SPOT: &str = "spot";
const UTILISATION: &str = "utilisation";

/// Cards that one comparison may be about.
const MOST_CARDS: u32 = 100_000;
/// The site's overhead where nobody said: what a survey of the industry found.
const PUE: (Decimal, &str) = (
    Decimal::from_parts(154, 0, 0, false, 2),
    "average of Uptime Institute's Global Data Center Survey 2025",
);

/// Everything that the answer is made of.
pub(super) struct Gathered {
    pub gpu: Option<&'static Model>,
    pub count: u32,
    pub deal: Deal,
    pub reserved: Option<Decimal>,
    pub spot: Option<Decimal>,
    pub utilisation: Option<Decimal>,
    pub inputs: Vec<BuyInput>,
    pub missing: Vec<String>,
}

impl Gathered {
    /// A figure of the deal, where it is known.
    pub fn has(&self, input: Input) -> bool {
        self.deal.figures.contains_key(&input)
    }
}

/// Where a figure is from.
struct Origin {
    word: &'static str,
    source: String,
}

impl Origin {
    fn given() -> Self {
        Self { word: "given", source: "given".to_owned() }
    }

    fn assumed(source: &str) -> Self {
        Self { word: "assumed", source: source.to_owned() }
    }

    fn table(dated: &str, covers: &str, source: &str) -> Self {
        Self { word: "table", source: format!("{covers}, {dated}: {source}") }
    }
}

struct Gather<'a> {
    request: &'a BuyRequest,
    currency: Currency,
    rates: &'a Rates,
    into: Gathered,
}

/// Gathers what is compared.
///
/// # Errors
/// `request-invalid`, naming the figure that cannot be.
pub(super) fn gather(
    request: &BuyRequest,
    gpu: Option<&'static Model>,
    currency: Currency,
    rates: &Rates,
    rents: &Rents,
) -> Result<Gathered, ApiError> {
    if !(1..=MOST_CARDS).contains(&request.count) {
        return Err(wrong(
            "count",
            format!("{} is no number of cards from 1 to {MOST_CARDS}", request.count),
        ));
    }
    let known = |name: &str| name.parse::<Input>().is_ok() || [RESERVED, SPOT, UTILISATION].contains(&name);
    if let Some(odd) = request.given.iter().find(|given| !known(&given.name)) {
        return Err(wrong(&odd.name, "there is no such figure"));
    }
    let stated = match given(request, Input::Resale.word()) {
        Some(text) => resale(text)?,
        None => Resale::beside_ours(Curve::hard()),
    };
    let into = Gathered {
        gpu,
        count: request.count,
        deal: Deal { count: request.count, figures: Default::default(), resale: stated },
        reserved: None,
        spot: None,
        utilisation: None,
        inputs: Vec::new(),
        missing: Vec::new(),
    };
    let mut gather = Gather { request, currency, rates, into };
    gather.price()?;
    gather.kept()?;
    gather.power()?;
    gather.running()?;
    gather.rents(rents)?;
    Ok(gather.into)
}

fn given<'a>(request: &'a BuyRequest, name: &str) -> Option<&'a str> {
    let found = request.given.iter().find(|given| given.name == name)?;
    Some(found.value.trim()).filter(|text| !text.is_empty())
}

impl Gather<'_> {
    fn price(&mut self) -> Result<(), ApiError> {
        let known = self.into.gpu.and_then(|model| buy::purchase_price(model.name)).and_then(|known| {
            let rate = self.rates.quote(known.currency, self.currency)?.rate;
            let ends = known.range.map(|(low, high)| (low * rate, high * rate));
            let value = known.price * rate;
            let figure =
                ends.map_or_else(|| Input::Price.usual(value), |(low, high)| Figure { value, low, high });
            Some((figure, ends.is_none(), Origin::table(known.dated, known.covers, known.source)))
        });
        self.figure(Input::Price, known, true)
    }

    /// For how long it is kept, what is left then, and what the money costs.
    fn kept(&mut self) -> Result<(), ApiError> {
        let stated = &self.into.deal.resale.stated;
        let months = Decimal::from(stated.stated_months());
        let as_typed = stated.to_string();
        let is_given = given(self.request, Input::Resale.word()).is_some();
        let usual = self.into.deal.resale == Resale::beside_ours(stated.clone());
        let as_stated = Origin::assumed("the age for which the resale is stated");
        self.figure(Input::Term, Some((Figure::sure(months), false, as_stated)), true)?;
        let end = self.into.deal.months();
        let (least, most) = (self.into.deal.resale.least(end), self.into.deal.resale.most(end));
        let origin = if is_given {
            Origin::given()
        } else {
            Origin::assumed("the desk's cautious curve: 30 % left after 18 months")
        };
        self.into.inputs.push(BuyInput {
            name: Input::Resale.word().to_owned(),
            value: Some(as_typed),
            unit: unit(Unit::Share),
            low: (least != most).then(|| text(least)),
            high: (least != most).then(|| text(most)),
            origin: origin.word.to_owned(),
            source: if usual {
                format!("{}; range: 30 % left after 18 months to 30 % after 36", origin.source)
            } else {
                origin.source
            },
            usual_range: usual,
        });
        let own = Origin::assumed("own money that would earn nothing elsewhere");
        self.figure(Input::Capital, Some((Figure::sure(Decimal::ZERO), false, own)), true)
    }

    /// Power is reckoned apart where anything of it is said; a card has its watts, but not where it stands.
    fn power(&mut self) -> Result<(), ApiError> {
        let said = |input: Input| given(self.request, input.word()).is_some();
        if self.request.country.is_none() && !said(Input::Kwh) && !said(Input::Watts) {
            return Ok(());
        }
        let watts = self.into.gpu.and_then(|model| Some((model, model.tdp_w?))).and_then(|(model, watts)| {
            let value = Decimal::try_from(watts).ok()?;
            let origin = Origin {
                word: "table",
                source: format!("TDP of {}: the card alone ({})", model.name, model.source),
            };
            Some((Figure::sure(value), false, origin))
        });
        self.figure(Input::Watts, watts, true)?;
        let full = Origin::assumed("all of it, all the time: the most it can be");
        self.figure(Input::Draw, Some((Input::Draw.usual(Decimal::ONE), true, full)), true)?;
        self.figure(Input::Pue, Some((Input::Pue.usual(PUE.0), true, Origin::assumed(PUE.1))), true)?;
        let kwh = match &self.request.country {
            None => None,
            Some(place) => {
                let found = buy::power_price(place).ok_or_else(|| {
                    let places: Vec<&str> = buy::power_prices().iter().map(|price| price.place).collect();
                    wrong("country", format!("no public price of power is at hand for `{place}`")).with_hint(
                        format!("Give the price of a kWh instead, or one of: {}.", places.join(", ")),
                    )
                })?;
                let rate = self.rates.quote(found.currency, self.currency).map(|quoted| quoted.rate);
                rate.map(|rate| {
                    let covers = format!("{}, {}", found.name_en, found.covers);
                    (
                        Input::Kwh.usual(found.per_kwh * rate),
                        true,
                        Origin::table(found.dated, &covers, found.source),
                    )
                })
            }
        };
        self.figure(Input::Kwh, kwh, true)
    }

    fn running(&mut self) -> Result<(), ApiError> {
        for input in [Input::Place, Input::People, Input::Running] {
            self.figure(input, None, false)?;
        }
        let costs = [Input::Kwh, Input::Place, Input::People, Input::Running];
        let power = self.into.missing.iter().any(|name| name == Input::Kwh.word());
        if !power && !costs.iter().any(|input| self.into.has(*input)) {
            self.into.missing.push(Input::Running.word().to_owned());
        }
        Ok(())
    }

    fn rents(&mut self, rents: &Rents) -> Result<(), ApiError> {
        let rent = rents.rent.as_ref().map(|rent| {
            (
                Input::Rent.usual(rent.per_hour),
                true,
                Origin { word: rent.origin, source: rent.source.clone() },
            )
        });
        self.figure(Input::Rent, rent, true)?;
        for (name, found) in [(RESERVED, &rents.reserved), (SPOT, &rents.spot)] {
            let typed = given(self.request, name).map(|text| figure(name, Input::Rent, text)).transpose()?;
            let (value, origin, source) = match (typed, found) {
                (Some((figure, _)), _) => (Some(figure.value), "given", "given".to_owned()),
                (None, Some(rent)) => (Some(rent.per_hour), rent.origin, rent.source.clone()),
                (None, None) => continue,
            };
            self.into.inputs.push(BuyInput {
                name: name.to_owned(),
                value: value.map(shown),
                unit: unit(Unit::MoneyPerCardHour),
                low: None,
                high: None,
                origin: origin.to_owned(),
                source,
                usual_range: false,
            });
            if name == RESERVED { self.into.reserved = value } else { self.into.spot = value }
        }
        if let Some(text) = given(self.request, UTILISATION) {
            let (share, _) = figure(UTILISATION, Input::Draw, text)?;
            self.into.utilisation = Some(share.value);
        }
        Ok(())
    }

    /// Takes a figure: as given, else as known; else it is missing, if it is needed.
    fn figure(
        &mut self,
        input: Input,
        known: Option<(Figure, bool, Origin)>,
        needed: bool,
    ) -> Result<(), ApiError> {
        let typed =
            given(self.request, input.word()).map(|text| figure(input.word(), input, text)).transpose()?;
        let taken = typed.map(|(figure, usual)| (figure, usual, Origin::given())).or(known);
        if taken.is_none() && !needed {
            return Ok(());
        }
        let (found, usual, origin) = match taken {
            Some((figure, usual, origin)) => (Some(figure), usual, origin),
            None => {
                self.into.missing.push(input.word().to_owned());
                (
                    None,
                    false,
                    Origin {
                        word: "missing",
                        source: "not said, and no public source at hand states it".to_owned(),
                    },
                )
            }
        };
        let open = found.filter(Figure::is_open);
        self.into.inputs.push(BuyInput {
            name: input.word().to_owned(),
            value: found.map(|figure| shown(figure.value)),
            unit: unit(input.unit()),
            low: open.map(|figure| shown(figure.low)),
            high: open.map(|figure| shown(figure.high)),
            origin: origin.word.to_owned(),
            source: origin.source,
            usual_range: usual && open.is_some(),
        });
        if let Some(figure) = found {
            self.into.deal.figures.insert(input, figure);
        }
        Ok(())
    }
}

fn shown(value: Decimal) -> String {
    text(value.round_dp(6))
}

fn unit(unit: Unit) -> String {
    match unit {
        Unit::MoneyPerCard => "money/card",
        Unit::MoneyPerCardMonth => "money/card/month",
        Unit::MoneyPerMonth => "money/month",
        Unit::MoneyPerCardHour => "money/card/hour",
        Unit::MoneyPerKwh => "money/kWh",
        Unit::Watts => "W",
        Unit::Share => "share",
        Unit::SharePerYear => "share/year",
        Unit::Factor => "factor",
        Unit::Months => "months",
    }
    .to_owned()
}
