//! An offer of the board in the shape that leaves the engine.

use chrono::{DateTime, SecondsFormat, Utc};
use gpudesk_core::gpu;
use gpudesk_core::job::{self, Amounts, Cost, Job, Mark};
use gpudesk_core::meter::{Meter, TOKEN_HOUR};
use gpudesk_core::money::{Currency, Rates};
use gpudesk_core::offer::{Flag, Isolation, Offer};
use gpudesk_core::place;
use gpudesk_engine::{Snapshot, is_stale};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use crate::market::OfferRow;
use crate::offer::{
    DiskDto, FxDto, GpuDto, MarksDto, MeterDto, NetDto, OfferDto, PartsDto, PlaceDto, PriceDto, SupplyDto,
    TotalDto,
};

/// Decimals of a converted amount: enough for a hundredth of a cent of a card-hour.
const CONVERTED: u32 = 6;

/// RFC 3339 to the second, in UTC.
pub(super) fn time(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// A decimal as text, without trailing zeros.
pub(super) fn text(amount: Decimal) -> String {
    amount.normalize().to_string()
}

/// A converted or divided amount as text.
pub(super) fn rounded(amount: Decimal) -> String {
    text(amount.round_dp(CONVERTED))
}

/// A total as text, to the cent.
pub(super) fn cents(amount: Decimal) -> String {
    format!("{:.2}", amount.round_dp(2))
}

/// Everything that decides how an offer is shown.
pub(super) struct Shown<'a> {
    pub snapshot: &'a Snapshot,
    pub now: DateTime<Utc>,
    pub currency: Currency,
    pub job: Option<Job>,
}

/// The sheet that stands beside figures converted from dollars to the display currency; for dollars, the sheet that
/// converts the others to them.
pub(super) fn fx(rates: &Rates, currency: Currency) -> Option<FxDto> {
    let quote = match currency {
        Currency::USD => {
            rates.quote(Currency::EUR, Currency::USD).or_else(|| rates.quote(Currency::RUB, Currency::USD))
        }
        other => rates.quote(Currency::USD, other),
    };
    let (source, date) = quote?.origin?;
    Some(FxDto { source: source.name().to_owned(), date: date.to_string() })
}

/// The offer in the contract's shape, without a total.
pub(super) fn offer(offer: &Offer, seen_at: DateTime<Utc>, stale: bool, rates: &Rates) -> OfferDto {
    let card = offer.gpu.model.as_deref().and_then(gpu::card);
    let link = link(offer, card);
    // Where the host stands is a fact of its own there, not a doubt.
    let doubts = offer.flags.iter().filter(|flag| !matches!(flag, Flag::Datacenter | Flag::PrivateHost));
    let mut flags: Vec<String> = doubts.map(ToString::to_string).collect();
    if stale {
        flags.push(Flag::Stale.to_string());
    }
    let price = &offer.price;
    let per_gpu_hour = offer.per_gpu_hour();
    OfferDto {
        id: offer.id.clone(),
        provider: offer.provider.clone(),
        cloud: offer.cloud.clone(),
        source: offer.source.to_string(),
        name: offer.name.clone(),
        form: offer.form.to_string(),
        isolation: Some(offer.isolation).filter(|i| *i != Isolation::Unknown).map(|i| i.to_string()),
        gpu: GpuDto {
            model: offer.gpu.model.clone(),
            vendor: card.and_then(gpu::Card::vendor).map(str::to_owned),
            count: offer.gpu.count,
            fraction: offer.gpu.fraction,
            vram_gib: offer.gpu.vram_gib,
            vram_total_gib: offer.vram_total_gib(),
            bandwidth_gb_s: card.and_then(gpu::Card::bandwidth_gb_s),
            bf16_tflops: card.and_then(gpu::Card::bf16_tflops),
            link: link.0,
            link_gb_s: link.1,
            raw_name: offer.gpu.raw_name.clone(),
        },
        fabric: offer.fabric.clone(),
        vcpu: offer.vcpu,
        ram_gib: offer.ram_gib.map(tenth),
        disk: DiskDto { included_gb: offer.disk.included_gb, max_gb: offer.disk.max_gb.map(f64::trunc) },
        net: NetDto { down_mbit_s: offer.net.down_mbit_s, up_mbit_s: offer.net.up_mbit_s },
        driver: offer.driver.clone(),
        cuda: offer.cuda.clone(),
        reliability: offer.reliability,
        verified: offer.verified,
        datacenter: offer.datacenter(),
        place: PlaceDto {
            region: offer.place.region.clone(),
            country: offer.place.country.clone(),
            zones: offer.place.country.as_deref().map(zones).unwrap_or_default(),
            seller: offer.place.seller.clone(),
        },
        price: PriceDto {
            kind: price.kind.to_string(),
            currency: price.currency.to_string(),
            per_hour: text(price.per_hour),
            per_gpu_hour: rounded(per_gpu_hour),
            per_gpu_hour_usd: rates.convert(per_gpu_hour, price.currency, Currency::USD).map(rounded),
            term: price.term.clone(),
            increment_s: price.increment_s,
            minimum_s: price.minimum_s,
            storage_gb_month: price.storage_gb_month.map(text),
            storage_stopped_gb_month: price.storage_stopped_gb_month.map(text),
            egress_gb: price.egress_gb.map(text),
            ingress_gb: price.ingress_gb.map(text),
            meter: price.meter.map(meter),
        },
        total: None,
        supply: SupplyDto { state: offer.supply.state.to_string(), count: offer.supply.count },
        seen_at: time(seen_at),
        flags,
        rentable: gpudesk_engine::can_rent(offer),
        rent_page: rent_page(offer),
    }
}

/// Where a person rents an offer by hand that cannot be rented from here.
pub(super) fn rent_page(offer: &Offer) -> Option<String> {
    if gpudesk_engine::can_rent(offer) {
        return None;
    }
    offer.price.page.clone().or_else(|| place::rent_page(&offer.provider).map(str::to_owned))
}

fn meter(meter: Meter) -> MeterDto {
    let dto = |unit: &str, assumed: String| MeterDto {
        unit: unit.to_owned(),
        per_second: None,
        per_million_in: None,
        per_million_out: None,
        assumed,
    };
    match meter {
        Meter::Second { price } => MeterDto {
            per_second: Some(text(price)),
            ..dto("second", "a worker that runs the whole hour".to_owned())
        },
        Meter::Tokens { input, output } => {
            let hour = TOKEN_HOUR;
            let assumed = format!(
                "{} tokens in and {} out an hour, as much as one H100 works through: {}",
                hour.input, hour.output, hour.source
            );
            MeterDto {
                per_million_in: Some(text(input)),
                per_million_out: Some(text(output)),
                ..dto("tokens", assumed)
            }
        }
    }
}

fn zones(country: &str) -> Vec<String> {
    place::zones(country).iter().map(|zone| zone.0.to_owned()).collect()
}

/// Memory to a tenth of a GiB: a share of a machine is not known more exactly.
fn tenth(gib: f64) -> f64 {
    (gib * 10.0).round() / 10.0
}

/// What the provider says of the link, or else what the card has; the speed only where it is that of the same link.
fn link(offer: &Offer, card: Option<gpu::Card>) -> (Option<String>, Option<f64>) {
    let table = card.and_then(gpu::Card::link);
    match (&offer.gpu.link, table) {
        (Some(said), Some(table)) if said == table.text => (Some(said.clone()), table.gb_s),
        (Some(said), _) => (Some(said.clone()), None),
        (None, Some(table)) => (Some(table.text.to_owned()), table.gb_s),
        (None, None) => (None, None),
    }
}

/// The job's total in the contract's shape.
pub(super) fn total(cost: &Cost) -> TotalDto {
    let mark = |mark: Mark| mark.word().to_owned();
    let Amounts { low, high, parts } = cost.usd;
    // Where nothing is open, the total is the sum of the parts as they are shown, to the cent.
    let exact = (low == high).then(|| parts.list().into_iter().flatten().map(|part| part.round_dp(2)).sum());
    let (low, high) = exact.map_or((low, high), |sum| (sum, sum));
    TotalDto {
        usd: cents(high),
        low: cents(low),
        high: cents(high),
        hours: cost.hours.to_f64().unwrap_or_default(),
        parts: PartsDto {
            compute: parts.compute.map(cents),
            storage: parts.storage.map(cents),
            egress: parts.egress.map(cents),
        },
        marks: MarksDto {
            compute: mark(cost.marks.compute),
            storage: mark(cost.marks.storage),
            egress: mark(cost.marks.egress),
        },
        unknown: cost.unknown().into_iter().map(str::to_owned).collect(),
    }
}

impl Shown<'_> {
    /// The offer with its total, where a job is given.
    pub fn offer(&self, row: u32) -> Option<(Offer, OfferDto)> {
        let found = self.snapshot.board.offer(row)?;
        let feed = self.snapshot.board.feed_of(row)?;
        let rates = self.snapshot.board.rates();
        let mut shown = offer(&found, feed.as_of, is_stale(&feed.name, feed.as_of, self.now), rates);
        shown.total = self.job.map(|job| job::cost(&found, &job, rates).map(|cost| total(&cost)));
        Some((found, shown))
    }

    /// The row with what only a screen needs.
    pub fn row(&self, row: u32) -> Option<OfferRow> {
        let (found, shown) = self.offer(row)?;
        let rates = self.snapshot.board.rates();
        let in_display =
            |amount: Decimal| rates.convert(amount, found.price.currency, self.currency).map(rounded);
        let from_usd = |amount: &String| {
            let amount = amount.parse().ok()?;
            rates.convert(amount, Currency::USD, self.currency).map(cents)
        };
        let total = shown.total.as_ref().and_then(Option::as_ref);
        let age = self.snapshot.board.feed_of(row).map_or(0, |feed| (self.now - feed.as_of).num_seconds());
        Some(OfferRow {
            gpu_title: found.gpu.model.clone().unwrap_or_else(|| found.gpu.raw_name.clone()),
            variant_unknown: found.gpu.model.as_deref().is_some_and(|name| gpu::family(name).is_some()),
            provider_title: provider_title(&found.provider),
            cloud_title: (found.cloud != found.provider).then(|| provider_title(&found.cloud)),
            per_gpu_hour: in_display(found.per_gpu_hour()),
            per_hour: in_display(found.price.per_hour),
            total_low: total.and_then(|t| from_usd(&t.low)),
            total_high: total.and_then(|t| from_usd(&t.high)),
            age_s: age.max(0) as f64,
            change_30d: self.snapshot.change_30d(&found.id),
            offer: shown,
        })
    }
}

/// Shown name of a provider or cloud.
pub(super) fn provider_title(name: &str) -> String {
    place::provider_title(name).unwrap_or(name).to_owned()
}
