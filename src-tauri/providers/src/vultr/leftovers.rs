//! What stays and costs without a machine: disks, reserved addresses, snapshots.

use gpudesk_core::money::Currency;
use rust_decimal::Decimal;

use super::pages::Pick;
use super::rent::all;
use super::wire::Thing;
use crate::cloud::{Account, CloudError, Leftover};
use crate::http::{Literal, redact};

const BYTES_IN_GB: Decimal = Decimal::from_parts(1_000_000_000, 0, 0, false, 0);

/// The lists: what their things are called, where they are, and where the rows stand.
const LISTS: [(&str, &str, Pick); 3] = [
    ("volume", "/blocks", |page| page.blocks.as_ref()),
    ("reserved address", "/reserved-ips", |page| page.reserved_ips.as_ref()),
    ("snapshot", "/snapshots", |page| page.snapshots.as_ref()),
];

/// Everything that belongs to no machine. Only a disk says what it costs.
pub(super) async fn leftovers(account: &Account) -> Result<Vec<Leftover>, CloudError> {
    let mut left = Vec::new();
    for (what, path, pick) in LISTS {
        for row in all(account, "leftovers", path, pick).await?.rows {
            let Ok(thing) = serde_json::from_str::<Thing<'_>>(&row) else { continue };
            let attached = [thing.attached_to_instance, thing.instance_id];
            let (true, Some(id)) = (attached.iter().all(|id| id.text().is_none()), thing.id.text()) else {
                continue;
            };
            let bytes = thing.size.decimal().and_then(|bytes| bytes.checked_div(BYTES_IN_GB));
            left.push(Leftover {
                what: what.to_owned(),
                remote_id: redact::words(&id),
                name: [thing.label, thing.description, thing.subnet]
                    .into_iter()
                    .find_map(Literal::text)
                    .map(|name| redact::words(&name)),
                size_gb: thing.size_gb.decimal().or(bytes).map(|gb| gb.normalize()),
                per_month: thing.cost.amount(Currency::USD),
                currency: Currency::USD,
            });
        }
    }
    Ok(left)
}
