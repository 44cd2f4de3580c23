//! A slice of a whole card in a plan: which one would do, what it costs, and how that is said.

use gpudesk_core::board::Choice;
use gpudesk_core::gpu::{self, Layout};
use gpudesk_core::money::Currency;
use gpudesk_core::offer::{Form, Offer};
use rust_decimal::Decimal;
use rust_decimal::prelude::FromPrimitive;

use super::rows::rounded;
use crate::plan::SliceDto;
use crate::rental::Remark;

/// Digits of a price in a sentence.
const DIGITS: u32 = 3;

/// A slice that is enough.
pub(super) struct Cut {
    layout: Layout,
    /// Whether it is the option, and not the whole card.
    is_option: bool,
    /// An hour of the card that it is cut from, in the display currency.
    card_hour: Option<Decimal>,
}

impl Cut {
    /// The slice that an option is; or of a whole card the one that would do, where whoever has the card can cut it and
    /// the work takes as long on a part of it. `alone` is what it needs on one card, in GiB, where that is bounded; `hour`
    /// is what all cards of the offer cost for an hour.
    pub fn of(choice: &Choice, offer: &Offer, alone: Option<f64>, hour: Option<Decimal>) -> Option<Self> {
        let layout = choice.slice.or_else(|| enough(choice, offer, alone?))?;
        let card_hour = hour.and_then(|hour| hour.checked_div(Decimal::from(offer.gpu.count)));
        Some(Self { layout, is_option: choice.slice.is_some(), card_hour })
    }

    /// Its share of an hour of the card, where it is the option.
    pub fn hour(&self) -> Option<Decimal> {
        let share = Decimal::from_f64(self.layout.cost_share()).filter(|_| self.is_option)?;
        self.card_hour?.checked_mul(share)
    }

    /// An hour of each where as many as fit are used.
    fn each(&self) -> Option<Decimal> {
        self.card_hour?.checked_div(Decimal::from(self.layout.per_card))
    }

    /// In the contract's shape.
    pub fn dto(&self) -> SliceDto {
        let slice = &self.layout;
        SliceDto {
            profile: slice.profile.to_owned(),
            memory_gib: slice.vram_gib,
            compute_share: slice.compute_share,
            bandwidth_share: slice.memory_share,
            per_card: u32::from(slice.per_card),
            beside: slice.beside.map(str::to_owned),
            is_option: self.is_option,
            cost_share: slice.cost_share(),
            per_hour_each: self.each().map(rounded),
        }
    }

    /// Adds to the reason of an option what fits on its card.
    pub fn said(&self, reason: Remark, currency: Currency) -> Remark {
        let Layout { profile, per_card, beside, .. } = self.layout;
        let mut text = format!("{} {per_card} such jobs fit on one card as slices {profile}", reason.text);
        let mut reason = reason.with("slice", profile).with("per_card", per_card);
        if let Some(each) = self.each() {
            let short = each.round_sf(DIGITS).unwrap_or(each).normalize();
            text += &format!(", {short} {currency} an hour each if all are used");
            reason = reason.with("each", rounded(each)).with("currency", currency);
        }
        text.push('.');
        if let Some(beside) = beside {
            text += &format!(" Beside one of them a {beside} still fits.");
            reason = reason.with("beside", beside);
        }
        reason.text = text;
        reason
    }
}

/// The smallest slice of a whole card that is enough for all of the work: cards share it, slices of one do not.
fn enough(choice: &Choice, offer: &Offer, alone: f64) -> Option<Layout> {
    let is_whole = offer.gpu.fraction.is_none() && choice.run.fit.machines == 1 && can_be_cut(offer.form);
    let card = offer.gpu.model.as_deref().filter(|_| is_whole).and_then(gpu::card)?;
    gpu::smallest_slice(card, alone)
}

/// Whether whoever has the cards may divide them: that takes root over the driver, on the iron or in a guest that the
/// card is passed through to (`nvmlDeviceSetMigMode` of NVIDIA's management library). A container has neither.
fn can_be_cut(form: Form) -> bool {
    match form {
        Form::Vm | Form::BareMetal | Form::Cluster | Form::Own => true,
        Form::Container | Form::Fraction | Form::Serverless => false,
    }
}
