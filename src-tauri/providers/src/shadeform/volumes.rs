//! Volumes that no machine has: they outlive their machines and go on being billed.

use gpudesk_core::money::Currency;
use gpudesk_core::terms::USUAL_MONTH_HOURS;
use rust_decimal::Decimal;

use super::api::get;
use super::instance::money;
use super::map::said;
use super::wire::{VolumeType, VolumeTypes, Volumes};
use crate::cloud::{Account, CloudError, Leftover};

pub(super) async fn leftovers(account: &Account) -> Result<Vec<Leftover>, CloudError> {
    let doing = "volumes";
    let answer = get(account, doing, "/volumes").await?;
    let text = answer.json_text();
    let all: Volumes<'_> = answer.parse(&text)?;
    let Some(all) = all.volumes else { return Err(answer.bad("JSON without the list of `volumes`").into()) };
    let loose: Vec<_> = all.iter().filter(|volume| volume.mounted_by.text().is_none()).collect();
    if loose.is_empty() {
        return Ok(Vec::new());
    }
    // That the prices cannot be read costs nothing but the prices.
    let listed = get(account, "volume types", "/volumes/types").await.ok();
    let text = listed.as_ref().map(crate::http::Answer::json_text).unwrap_or_default();
    let types: VolumeTypes<'_> = serde_json::from_str(&text).unwrap_or_default();
    let types = types.volume_types.unwrap_or_default();
    loose
        .into_iter()
        .map(|volume| {
            let id = said(volume.id).ok_or_else(|| answer.bad("a volume without an id"))?;
            let size_gb = volume.size_in_gb.decimal().filter(|gb| *gb >= Decimal::ZERO);
            let here = |kind: &&VolumeType<'_>| {
                said(kind.cloud) == said(volume.cloud) && said(kind.region) == said(volume.region)
            };
            let an_hour = types.iter().find(here).and_then(|kind| money(kind.price_per_gb_per_hour));
            let a_month = |(gb, price): (Decimal, Decimal)| {
                gb.checked_mul(price)?.checked_mul(Decimal::from(USUAL_MONTH_HOURS))
            };
            Ok(Leftover {
                what: "volume".to_owned(),
                remote_id: id,
                name: said(volume.name),
                size_gb,
                per_month: size_gb.zip(an_hour).and_then(a_month).map(|cost| cost.normalize()),
                currency: Currency::USD,
            })
        })
        .collect()
}
