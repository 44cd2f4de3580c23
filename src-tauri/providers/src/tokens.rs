//! Tokens of models: what sellers of them have in common.

use gpudesk_core::feed::ReasonCode;
use gpudesk_core::meter::Meter;
use gpudesk_core::money::{Currency, kept};
use gpudesk_core::offer::{
    Disk, Form, Isolation, Net, Offer, OfferGpu, Place, Price, Source, Supply, SupplyState,
};
use gpudesk_core::place::seller;
use gpudesk_core::quarantine::Row;
use gpudesk_core::terms::list_price;
use rust_decimal::Decimal;

/// A model and its prices in dollars per million tokens.
pub(crate) struct Model<'a> {
    /// Our name of the seller.
    pub provider: &'static str,
    /// The seller's name of the model.
    pub id: &'a str,
    /// Tokens read.
    pub input: Decimal,
    /// Tokens written.
    pub output: Decimal,
    /// The page of the model.
    pub page: String,
}

impl Model<'_> {
    /// The row of the list as an offer. A model that costs nothing is given with limits, and its price compares with
    /// nothing; below nothing stands where the price follows from what a request is routed to.
    pub(crate) fn into_row(self) -> Row {
        let origin = format!("model {}", self.id);
        let (input, output) = (kept(self.input), kept(self.output));
        if input < Decimal::ZERO || output < Decimal::ZERO {
            let detail = "the price is that of whatever model a request is routed to";
            return Row::bad(origin, ReasonCode::PriceMissing, detail);
        }
        if input.is_zero() && output.is_zero() {
            let detail = "tokens are free of charge, within limits: not a price to compare";
            return Row::bad(origin, ReasonCode::PriceImpossible, detail);
        }
        let meter = Meter::Tokens { input, output };
        let Some(per_hour) = meter.per_hour() else {
            return Row::bad(origin, ReasonCode::PriceAbsurd, "more than any currency asks");
        };
        let is_page = self.page.bytes().all(|byte| byte.is_ascii_graphic());
        let offer = Offer {
            id: format!("{}:{}", self.provider, self.id),
            provider: self.provider.to_owned(),
            cloud: self.provider.to_owned(),
            source: Source::Live,
            name: self.id.to_owned(),
            form: Form::Serverless,
            isolation: Isolation::SharedHost,
            // No card is rented at all.
            gpu: OfferGpu {
                model: None,
                count: 0,
                fraction: None,
                vram_gib: None,
                link: None,
                raw_name: self.id.to_owned(),
            },
            fabric: None,
            vcpu: None,
            ram_gib: None,
            disk: Disk::default(),
            net: Net::default(),
            driver: None,
            cuda: None,
            reliability: None,
            verified: None,
            // Where a request runs is not told.
            place: Place { region: None, country: None, seller: seller(self.provider).map(str::to_owned) },
            price: Price {
                meter: Some(meter),
                page: is_page.then_some(self.page),
                ..list_price(self.provider, kept(per_hour), Currency::USD)
            },
            supply: Supply { state: SupplyState::Unknown, count: None },
            flags: Vec::new(),
        };
        Row::Offers { origin, offers: vec![offer] }
    }
}
