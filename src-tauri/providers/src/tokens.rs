//! Tokens of models: what sellers of them have in common.

use gpudesk_core::feed::{FeedName, Fetched, ReasonCode};
use gpudesk_core::meter::Meter;
use gpudesk_core::money::{Currency, kept};
use gpudesk_core::offer::{
    Disk, Form, Isolation, Net, Offer, OfferGpu, Place, Price, Source, Supply, SupplyState,
};
use gpudesk_core::place::seller;
use gpudesk_core::quarantine::{Row, settle};
use gpudesk_core::terms::list_price;
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::http::{Base, Call, Pace};
use crate::source::{Fetch, SourceError};

/// A seller's public list of models: `{"data": […]}`.
pub(crate) struct List {
    /// Our name of the seller.
    pub provider: &'static str,
    /// What errors call it.
    pub what: &'static str,
    /// Where it is, below the seller's base address.
    pub path: &'static str,
    /// Where its offers say that they come from.
    pub origin: &'static str,
    /// How often it may be asked.
    pub pace: Pace,
    /// What the address of a model's page begins with.
    pub pages: &'static str,
    /// What is said of a model without a price of tokens.
    pub unpriced: &'static str,
}

/// What one entry of a list tells.
pub(crate) struct Listed {
    /// The seller's name of the model.
    pub id: Option<String>,
    /// Tokens read and tokens written, in dollars per million.
    pub prices: Option<(Decimal, Decimal)>,
}

#[derive(Debug, Deserialize)]
struct Models<'a> {
    #[serde(borrow, default)]
    data: Option<Vec<&'a RawValue>>,
}

impl List {
    /// Reads the list once; `listed` reads one entry of it, or says what is wrong with it.
    pub(crate) async fn read(
        &self,
        cx: &Fetch<'_>,
        base: &Base,
        listed: impl Fn(&str) -> Result<Listed, String>,
    ) -> Result<Fetched, SourceError> {
        let call = Call::get(self.what, base.join(self.path)?).expecting("JSON").pace(self.pace);
        let answer = cx.http.read(&call).await?;
        let text = answer.json_text();
        let list: Models<'_> = answer.parse(&text)?;
        let models = list.data.ok_or_else(|| answer.lacks("data"))?;
        if models.is_empty() {
            return Err(SourceError::empty(self.what, "model"));
        }
        let rows = models.iter().enumerate().map(|(at, json)| self.row(at, listed(json.get())));
        let settled = settle(rows.collect::<Vec<_>>());
        Ok(settled.into_fetched(FeedName(self.provider.to_owned()), self.origin, (cx.now)()))
    }

    fn row(&self, at: usize, listed: Result<Listed, String>) -> Row {
        let bad = |words: String| Row::bad(format!("model {}", at + 1), ReasonCode::Unreadable, words);
        let Listed { id, prices } = match listed {
            Ok(listed) => listed,
            Err(words) => return bad(words),
        };
        let Some(id) = id else { return bad("a model without an id".to_owned()) };
        let Some((input, output)) = prices else {
            return Row::bad(format!("model {id}"), ReasonCode::PriceMissing, self.unpriced);
        };
        let page = format!("{}{id}", self.pages);
        Model { provider: self.provider, id: &id, input, output, page }.into_row()
    }
}

/// A model and its prices in dollars per million tokens.
struct Model<'a> {
    /// Our name of the seller.
    provider: &'static str,
    /// The seller's name of the model.
    id: &'a str,
    /// Tokens read.
    input: Decimal,
    /// Tokens written.
    output: Decimal,
    /// The page of the model.
    page: String,
}

impl Model<'_> {
    /// The row of the list as an offer. A model that costs nothing is given with limits, and its price compares with
    /// nothing; below nothing stands where the price follows from what a request is routed to.
    fn into_row(self) -> Row {
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
