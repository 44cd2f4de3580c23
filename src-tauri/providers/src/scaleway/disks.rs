//! The disk of a machine: a block volume that outlives its server, and what is done about it when the server ends.

use reqwest::Method;
use serde_json::json;

use super::api::{PACE, get, refused};
use super::wire::{Server, Volumes};
use crate::cloud::{Account, CloudError, CloudErrorCode};
use crate::http::redact;

/// The key of the disk a machine boots from among its volumes.
pub(super) const BOOT: &str = "0";

/// The kind of a block volume.
pub(super) const BLOCK: &str = "sbs_volume";

/// The disk a server boots from: its id, and whether it is a block volume.
pub(super) fn boot_disk(server: &Server<'_>) -> Option<(String, bool)> {
    let disk = server.volumes.as_ref()?.get(BOOT)?;
    let id = disk.id.text().map(|id| redact::words(&id)).filter(|id| !id.is_empty())?;
    Some((id, disk.volume_type.text().is_some_and(|kind| kind == BLOCK)))
}

fn block(zone: &str, path: &str) -> String {
    format!("/block/v1/zones/{zone}/volumes{path}")
}

/// The tag of a volume whose machine has been asked to end.
fn tag(server: &str) -> String {
    format!("gpudesk-end-{server}")
}

/// Notes on a block volume that it goes with its machine.
pub(super) async fn doom(
    account: &Account,
    zone: &str,
    volume: &str,
    server: &str,
) -> Result<(), CloudError> {
    let path = block(zone, &format!("/{}", account.id("end", volume)?));
    let body = json!({ "tags": ["gpudesk", tag(server)] });
    account.change("end", (Method::PATCH, &path), Some(&body), &[PACE]).await.map_err(refused)?;
    Ok(())
}

/// The volumes that go with a machine.
pub(super) async fn doomed(account: &Account, zone: &str, server: &str) -> Result<Vec<String>, CloudError> {
    let path = block(zone, &format!("?tags={}&page=1&page_size=100", tag(server)));
    let answer = get(account, "disk", &path).await?;
    let text = answer.json_text();
    let told: Volumes<'_> = answer.parse(&text)?;
    let ids = told.volumes.unwrap_or_default().into_iter().filter_map(|volume| volume.id.text());
    Ok(ids.map(|id| redact::words(&id)).collect())
}

/// Deletes the volumes that were to go with a machine that is gone. Gives how many are still there.
pub(super) async fn sweep(account: &Account, zone: &str, server: &str) -> Result<usize, CloudError> {
    let mut left = 0;
    for id in doomed(account, zone, server).await? {
        if delete(account, zone, &id, true).await.is_err() {
            left += 1;
        }
    }
    Ok(left)
}

/// Deletes a disk; one that is gone is no error.
pub(super) async fn delete(
    account: &Account,
    zone: &str,
    id: &str,
    is_block: bool,
) -> Result<(), CloudError> {
    let doing = "disk";
    let id = account.id(doing, id)?;
    let path = if is_block {
        block(zone, &format!("/{id}"))
    } else {
        super::api::at(zone, &format!("/volumes/{id}"))
    };
    match account.change(doing, (Method::DELETE, &path), None, &[PACE]).await.map_err(refused) {
        Err(error) if error.code == CloudErrorCode::NoSuchMachine => Ok(()),
        done => done.map(|_| ()),
    }
}
