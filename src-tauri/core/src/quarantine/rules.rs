//! What can be told from one offer alone.

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use super::card;
use crate::feed::{Reason, ReasonCode};
use crate::gpu::{self, Card, Vram};
use crate::meter::Meter;
use crate::money::{Currency, kept, to_nanos};
use crate::offer::{Form, Offer, PriceKind, Source};

/// Cards in one machine. The largest single systems rented today have 72 (GB200 NVL72) and 20 (mining frames on
/// marketplaces); beyond this it is a cluster, a pod slice, or a mistake.
const MOST_CARDS: u32 = 256;

/// The sane band of a card-hour in dollars per GiB of its VRAM. In the public SkyPilot catalogues and the price
/// lists of Azure, Google and AWS of summer 2026 (about 9,000 GPU prices) the extremes are 0.0025 (a community
/// P40 or RTX 4060 Ti, spot) and 0.42 (a T4 in the largest machine that has one, AWS GovCloud). The band leaves a
/// factor of five below and three and a half above, and still catches an H100 in cents (240) or by the month
/// (1,750), and a dollar price divided by 100 or 730.
const USD_PER_GIB: std::ops::RangeInclusive<f64> = 0.0005..=1.5;

/// The same for a card whose VRAM nobody knows, per card-hour: the extremes seen are 0.02 and 24.
const USD_PER_CARD: std::ops::RangeInclusive<f64> = 0.002..=150.0;

/// Currencies worth about a dollar, for which the bands hold as they are.
const DOLLAR_LIKE: [&str; 4] = ["USD", "EUR", "GBP", "CHF"];

/// Times by which a rate may be off what is roughly known of it: a dollar was worth some 68 to 114 roubles from 2023 to 2025
/// (Bank of Russia).
const RATE_SLACK: f64 = 1.5;

/// The sane band of a million tokens in dollars, read and written together. In the public lists of late 2026 the
/// extremes are 0.01 (small embedding models) and 750 (o1-pro: 150 read, 600 written); the band leaves a factor of ten
/// below and six above, and still catches a price of one token, of a thousand, or one multiplied twice.
const USD_PER_MILLION_TOKENS: std::ops::RangeInclusive<f64> = 0.001..=4_500.0;

/// Memory of a card of GDDR can be doubled by replacing its chips (RTX 4090 of 48 GiB, RTX 2080 Ti of 22 GiB), with
/// the same 7 % of tolerance as everywhere. HBM is part of the package and cannot.
const AFTER_MARKET: f64 = 2.0 * TOLERANCE;
const TOLERANCE: f64 = 1.07;

/// Reads a price per hour as sources write it.
///
/// # Errors
/// A [`Reason`] where it is missing, not a number, zero or negative.
pub fn price(text: &str) -> Result<Decimal, Reason> {
    let trimmed = text.trim();
    if ["", "-", "null", "none", "n/a"].iter().any(|word| trimmed.eq_ignore_ascii_case(word)) {
        return Err(reason(ReasonCode::PriceMissing, "the row gives no price".to_owned()));
    }
    let amount = trimmed.parse::<Decimal>().or_else(|_| Decimal::from_scientific(trimmed));
    match amount.map(kept) {
        Ok(amount) if amount > Decimal::ZERO => Ok(amount),
        Ok(amount) => Err(reason(ReasonCode::PriceImpossible, format!("price is {amount}"))),
        Err(_) => {
            Err(reason(ReasonCode::PriceImpossible, format!("price `{}` is not a number", shorten(trimmed))))
        }
    }
}

/// Why the offer cannot be true, judged alone; `None` where nothing speaks against it.
#[must_use]
pub fn judge(offer: &Offer) -> Option<Reason> {
    count(offer).or_else(|| positive(offer)).or_else(|| vram(offer)).or_else(|| band(offer))
}

/// Whether the VRAM is not the card's, although the offer can stand: a modified card, or a part of one that is not
/// called a slice.
pub(super) fn vram_is_odd(offer: &Offer) -> bool {
    let (Some(card), Some(gib), None) = (card(offer), offer.gpu.vram_gib, offer.gpu.fraction) else {
        return false;
    };
    matches!(gpu::nominal_vram(card, gib), Vram::Contradicts(_))
}

fn count(offer: &Offer) -> Option<Reason> {
    let cards = offer.gpu.count;
    if offer.sells_tokens() {
        return None;
    }
    if cards == 0 {
        return Some(reason(ReasonCode::CountImpossible, "no card at all".to_owned()));
    }
    if cards > MOST_CARDS && offer.form != Form::Cluster && !is_pod_slice(offer) {
        return Some(reason(ReasonCode::CountImpossible, format!("{cards} cards in one machine")));
    }
    let share = offer.gpu.fraction?;
    let possible = share > 0.0 && share <= 1.0;
    (!possible).then(|| reason(ReasonCode::CountImpossible, format!("a share of {share} of one card")))
}

fn positive(offer: &Offer) -> Option<Reason> {
    let per_hour = offer.price.per_hour;
    if per_hour > Decimal::ZERO && to_nanos(per_hour).is_none() {
        let price = hourly(per_hour, offer.price.currency);
        return Some(reason(ReasonCode::PriceAbsurd, format!("{price} is more than any currency asks")));
    }
    (per_hour <= Decimal::ZERO)
        .then(|| reason(ReasonCode::PriceImpossible, format!("price is {}", per_hour.normalize())))
}

fn vram(offer: &Offer) -> Option<Reason> {
    let gib = offer.gpu.vram_gib?;
    if !gib.is_finite() || gib <= 0.0 {
        return Some(reason(ReasonCode::VramContradictsModel, format!("{gib} GiB of VRAM")));
    }
    let card = card(offer)?;
    if !matches!(gpu::nominal_vram(card, gib), Vram::Contradicts(_)) {
        return None;
    }
    let largest = card.members().map(|model| model.vram_gib).fold(0.0, f64::max);
    let on_package = card.members().all(|model| model.memory_type.starts_with("HBM"));
    let limit = if on_package { TOLERANCE } else { AFTER_MARKET };
    (largest > 0.0 && gib > largest * limit).then(|| {
        let detail = format!("{gib} GiB of VRAM on {} with {largest}", card.name());
        reason(ReasonCode::VramContradictsModel, detail)
    })
}

fn band(offer: &Offer) -> Option<Reason> {
    let currency = offer.price.currency;
    // What a server of one's own costs is no market's price: it may be written off, or run for months for nothing.
    if offer.source == Source::Own || is_pod_slice(offer) {
        return None;
    }
    let rate = currency.rough_to_a_dollar()?;
    if let Some(Meter::Tokens { input, output }) = offer.price.meter {
        return tokens(input, output, currency, rate);
    }
    let per_card = offer.per_gpu_hour().to_f64()?;
    let gib = offer.gpu.vram_gib.or_else(|| whole_card_gib(offer));
    let times = gib.unwrap_or(1.0);
    let band = in_currency(&gib.map_or(USD_PER_CARD, |_| USD_PER_GIB), times, currency, rate);
    // A bid floor is what others left, not a price: on a quiet machine it may be next to nothing.
    let too_low = per_card < *band.start() && offer.price.kind != PriceKind::Bid;
    (too_low || per_card > *band.end()).then(|| {
        let detail = format!(
            "{} for {}× {}, any market is within {:.4}–{:.0} a card",
            hourly(offer.price.per_hour, currency),
            offer.gpu.count,
            shown_card(offer),
            band.start(),
            band.end()
        );
        reason(ReasonCode::PriceAbsurd, detail)
    })
}

/// A band of dollars, so many `times`, in a currency of which a dollar is worth about `rate`. Where the currency is not
/// worth about a dollar itself, what its rate may have moved widens the band.
fn in_currency(
    usd: &std::ops::RangeInclusive<f64>,
    times: f64,
    currency: Currency,
    rate: f64,
) -> std::ops::RangeInclusive<f64> {
    let (rate, slack) = if DOLLAR_LIKE.contains(&currency.code()) { (1.0, 1.0) } else { (rate, RATE_SLACK) };
    usd.start() * times * rate / slack..=usd.end() * times * rate * slack
}

/// A price of tokens, in the currency's units a million.
fn tokens(input: Decimal, output: Decimal, currency: Currency, rate: f64) -> Option<Reason> {
    let both = input.checked_add(output)?.to_f64()?;
    let band = in_currency(&USD_PER_MILLION_TOKENS, 1.0, currency, rate);
    (!band.contains(&both)).then(|| {
        let detail = format!(
            "{} and {} {currency} a million tokens read and written, any list is within {:.3}–{:.0} for both",
            input.normalize(),
            output.normalize(),
            band.start(),
            band.end()
        );
        reason(ReasonCode::PriceAbsurd, detail)
    })
}

fn whole_card_gib(offer: &Offer) -> Option<f64> {
    let gib = card(offer)?.vram_gib()?;
    Some(offer.gpu.fraction.map_or(gib, |share| gib * share))
}

/// TPU offers are slices of a pod, from one chip to thousands; their price follows the slice, not the chip.
pub(super) fn is_pod_slice(offer: &Offer) -> bool {
    card(offer).and_then(Card::vendor) == Some("Google")
}

pub(super) fn shown_card(offer: &Offer) -> &str {
    offer.gpu.model.as_deref().unwrap_or(&offer.gpu.raw_name)
}

pub(super) fn hourly(amount: Decimal, currency: Currency) -> String {
    format!("{} {currency} an hour", amount.normalize())
}

pub(super) fn reason(code: ReasonCode, detail: String) -> Reason {
    Reason { code, detail }
}

/// A hostile cell must not fill the window.
fn shorten(text: &str) -> String {
    const MOST: usize = 40;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    text.chars().take(MOST).chain(['…']).collect()
}
