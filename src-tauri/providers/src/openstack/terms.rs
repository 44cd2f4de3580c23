//! What renting at a cloud of OpenStack means.

use std::time::Duration;

use gpudesk_core::offer::{Form, PriceKind};
use gpudesk_core::rental::{
    Image, ImageKind, KeyTerms, PlaceTold, RentalTerms, SshAdmin, SshTerms, SshWay, TagRoom, UserData,
    UserDataKind,
};

use super::instance::USER;
use super::profile::Profile;

/// Stands for the newest public image of Ubuntu, with drivers where the cloud has such a one.
pub(super) const READY: &str = "ubuntu-gpu";

/// The most bytes of a first script: Nova takes 65,535 after its encoding.
pub(super) const MOST_USER_DATA: u32 = 49_149;

/// The terms. What the interface itself says (<https://docs.openstack.org/api-ref/compute/>) holds for all: no idempotency
/// key, metadata that lists show again, no limit of calls that is published, user data in base64. The rest is the
/// cloud's own, see `profile`.
///
/// What was billed is told of no machine. OpenStack knows hours and no money. Selectel and VK Cloud tell the balance of a
/// whole account or project alone (mxssl/selectel-billing-exporter; vk-cs/docs-public, `api-spec/api-billing`). OVHcloud
/// tells it of each instance by its own API, `/cloud/project/{id}/usage/current`, where the user of OpenStack is not known:
/// that would take a second key, of another kind.
#[must_use]
pub fn rental_terms(profile: &Profile) -> RentalTerms {
    RentalTerms {
        forms: &[Form::Vm, Form::Fraction],
        prices: match profile.spot_tag {
            Some(_) => &[PriceKind::OnDemand, PriceKind::Spot],
            None => &[PriceKind::OnDemand],
        },
        place: PlaceTold::Region,
        list_lag: Duration::from_secs(15),
        bills_from: profile.bills_from,
        disk_billed_apart: profile.volume.is_some(),
        disk: profile.volume,
        stop: profile.stop,
        images: vec![Image {
            id: READY.to_owned(),
            title: "newest public Ubuntu, with drivers where there is one".to_owned(),
            kind: ImageKind::Cuda,
        }],
        any_image: true,
        user_data: UserData { kind: UserDataKind::CloudInit, max_bytes: Some(MOST_USER_DATA) },
        mark: "metadata",
        tags: TagRoom::Tags,
        ssh: SshTerms { user: USER, admin: SshAdmin::Sudo, way: SshWay::Direct },
        key: KeyTerms {
            fields: profile.fields,
            scopes: &[],
            read_only: profile.read_only,
            offers_need_it: true,
            rights: profile.rights,
            page: profile.key_page,
        },
        ..RentalTerms::plain()
    }
}
