//! The making of a machine: key, image, network, port, address, server, in this order. No service knows idempotency keys;
//! everything bears the mark, and what costs nothing comes first.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gpudesk_core::offer::PriceKind;
use serde_json::{Value, json};

use super::image::{self, Found};
use super::instance::{self, At, META, META_USER};
use super::pages;
use super::session::{Service, Session, Version};
use super::terms::MOST_USER_DATA;
use super::wire::{Flavor, Made};
use super::{keys, network};
use crate::cloud::{CloudError, CloudErrorCode, Effect, Launch, Launched};
use crate::http::redact;

const DOING: &str = "launch";

/// The size in GB of a volume nobody chose.
const USUAL_VOLUME: u64 = 50;

/// The most characters of a value in a server's metadata.
const MOST_VALUE: usize = 255;

/// Makes a machine.
pub(super) async fn launch(session: &Session, launch: &Launch) -> Result<Launched, CloudError> {
    let nothing = |error: CloudError| CloudError { effect: Effect::Nothing, ..error };
    let region = launch.offer.place.region.as_deref().ok_or_else(|| {
        let error = session.error(CloudErrorCode::Refused, DOING, "the offer names no region");
        error.hint("choose an offer with a region")
    })?;
    if launch.user_data.len() > usize::try_from(MOST_USER_DATA).unwrap_or(usize::MAX) {
        let words = format!("the text for the first boot has more than {MOST_USER_DATA} bytes");
        return Err(session.error(CloudErrorCode::Refused, DOING, words));
    }
    // Whoever asks a second time under the same mark gets the machine that is there.
    if let Some(there) = marked(session, region, &launch.token).await.map_err(nothing)? {
        return Ok(Launched { remote_id: there });
    }
    let flavor = flavor(session, region, &launch.offer.name).await.map_err(nothing)?;
    let image = image::find(session, region, &launch.spec.image.id).await.map_err(nothing)?;
    let version = session.version(region).await.map_err(nothing)?;
    let mut body = server(session, launch, (&flavor, &image, version))?;
    let key = keys::name_of(session, region, &launch.spec.ssh_public_key).await?;
    let way = network::way(session, region).await.map_err(nothing)?;
    let group = network::group(session, region).await.map_err(nothing)?;
    let port = network::port(session, region, (&way, &group, &launch.token)).await.map_err(nothing)?;
    body["key_name"] = key.into();
    body["networks"] = json!([{ "port": port.id }]);
    let at = (region, Service::Compute);
    let answer = match session.make(DOING, at, "/servers", &json!({ "server": body })).await {
        Ok(answer) => answer,
        Err(error) => {
            if error.effect == Effect::Nothing {
                network::undo(session, region, &port).await;
            }
            return Err(error.of_order());
        }
    };
    let text = answer.json_text();
    // Of the answer only the id is read: beside it stands the password of an administrator.
    let made: Made<'_> = serde_json::from_str(&text).unwrap_or_default();
    let id = made.server.id.text().map(|id| At { region, id: &id }.whole());
    match id.filter(|id| At::read(id).is_some()) {
        Some(remote_id) => Ok(Launched { remote_id }),
        None => Err(session.unreadable(DOING, "the answer names no new server")),
    }
}

/// A server of this mark that is not on its way out.
async fn marked(session: &Session, region: &str, mark: &str) -> Result<Option<String>, CloudError> {
    let at = (region, Service::Compute);
    let all = pages::all(session, DOING, at, ("/servers/detail", "servers"), &[("name", mark)]).await?;
    let machines = all.rows.iter().filter_map(|json| instance::machine(session.profile, region, json).ok());
    let ours = machines
        .into_iter()
        .find(|machine| machine.token.as_deref() == Some(mark) && !machine.state.is_ending());
    Ok(ours.map(|machine| machine.remote_id))
}

/// What is needed of a flavor.
struct Size {
    id: String,
    /// GiB; 0 = from a volume only.
    disk: u64,
}

/// The flavor of this name: its id differs from region to region.
async fn flavor(session: &Session, region: &str, name: &str) -> Result<Size, CloudError> {
    let at = (region, Service::Compute);
    let all = pages::all(session, DOING, at, ("/flavors/detail", "flavors"), &[]).await?;
    let found = all.rows.iter().find_map(|json| {
        let flavor: Flavor<'_> = serde_json::from_str(json).ok()?;
        let called = flavor.name.text().is_some_and(|known| redact::words(&known) == name);
        let id = flavor.id.text().filter(|_| called)?.into_owned();
        Some(Size { id, disk: flavor.disk.whole().unwrap_or(0) })
    });
    found.ok_or_else(|| {
        let words = format!("{region} has no flavor “{name}” now");
        session.error(CloudErrorCode::OfferGone, DOING, words).hint("refresh the offers")
    })
}

/// The order, without key and port.
fn server(
    session: &Session,
    launch: &Launch,
    (flavor, image, version): (&Size, &Found, Version),
) -> Result<Value, CloudError> {
    let refused = |words: String| session.error(CloudErrorCode::Refused, DOING, words);
    let profile = session.profile;
    let mut metadata = json!({ META: launch.token, META_USER: image.user });
    for (name, value) in &launch.tags {
        let value: String = value.chars().take(MOST_VALUE).collect();
        metadata[name.replace(|c: char| !c.is_ascii_alphanumeric() && c != '_', "-")] = value.into();
    }
    let mut body = json!({ "name": launch.token, "flavorRef": flavor.id, "metadata": metadata });
    if profile.volume.is_some() || flavor.disk == 0 {
        let chosen = launch.spec.disk_gb.map_or(USUAL_VOLUME, u64::from);
        let mut volume = json!({
            "uuid": image.id, "source_type": "image", "destination_type": "volume", "boot_index": 0,
            "volume_size": chosen.max(image.min_disk),
            // Left out, the disk would stay, and cost.
            "delete_on_termination": true,
        });
        if let Some(kind) = &session.login.volume_type {
            if version < Version(2, 67) {
                return Err(refused("this cloud takes no kind of volume with an order".to_owned())
                    .hint("take `volume_type` out of the key"));
            }
            volume["volume_type"] = kind.as_str().into();
        }
        body["block_device_mapping_v2"] = json!([volume]);
    } else if image.min_disk > flavor.disk {
        let words = format!("the image needs {} GiB of disk, the flavor has {}", image.min_disk, flavor.disk);
        return Err(refused(words).hint("choose a larger flavor or a smaller image"));
    } else {
        body["imageRef"] = image.id.as_str().into();
    }
    if launch.offer.price.kind == PriceKind::Spot {
        let tag = profile.spot_tag.filter(|_| version >= Version(2, 52));
        let tag =
            tag.ok_or_else(|| refused("this cloud makes no server that may be taken back".to_owned()))?;
        body["tags"] = json!([tag]);
    }
    if let Some(zone) = &session.login.zone {
        body["availability_zone"] = zone.as_str().into();
    }
    if !launch.user_data.is_empty() {
        body["user_data"] = STANDARD.encode(&launch.user_data).into();
    }
    Ok(body)
}
