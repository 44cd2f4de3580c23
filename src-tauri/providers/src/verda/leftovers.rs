//! Disks that lie about without a machine.

use gpudesk_core::money::Currency;

use super::api::refused;
use super::session::Session;
use super::wire::Volume;
use crate::cloud::{CloudError, Leftover};
use crate::http::redact;

/// Disks that belong to no machine are billed like any other. Deleted ones lie in the trash for 96 hours, where they
/// can be recovered; whether they are billed meanwhile is not said
/// (<https://docs.verda.com/welcome-to-verda/pricing-and-billing>).
pub(super) async fn leftovers(session: &Session) -> Result<Vec<Leftover>, CloudError> {
    let mut all = volumes(session, "/volumes", "volume").await?;
    all.extend(volumes(session, "/volumes/trash", "volume in the trash").await?);
    Ok(all)
}

async fn volumes(session: &Session, path: &str, what: &str) -> Result<Vec<Leftover>, CloudError> {
    let answer = session.get("volumes", path).await.map_err(refused)?;
    let text = answer.json_text();
    let all: Vec<Volume<'_>> = answer.parse(&text)?;
    let in_trash = path.ends_with("trash");
    let gone = |status: &str| ["deleted", "canceled"].contains(&status);
    all.iter()
        .filter(|volume| volume.instance_id.text().is_none())
        .filter(|volume| in_trash || !volume.status.text().is_some_and(|status| gone(&status)))
        .map(|volume| {
            let id = volume.id.text().ok_or_else(|| answer.bad("a volume without an id"))?;
            let currency: Option<Currency> = volume.currency.text().and_then(|text| text.parse().ok());
            Ok(Leftover {
                what: what.to_owned(),
                remote_id: redact::words(&id),
                name: volume.name.text().map(|name| redact::words(&name)),
                size_gb: volume.size.decimal(),
                per_month: currency.filter(|_| !in_trash).and_then(|own| volume.monthly_price.amount(own)),
                currency: currency.unwrap_or(Currency::USD),
            })
        })
        .collect()
}
