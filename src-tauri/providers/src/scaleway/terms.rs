//! What renting at Scaleway means.

use std::time::Duration;

use gpudesk_core::offer::{Form, PriceKind};
use gpudesk_core::rental::{
    BillsFrom, DiskRange, Idempotency, Image, ImageKind, KeyScope, KeyTerms, KeyUse, OwnTimer, PlaceTold,
    RentalTerms, SshAdmin, SshTerms, SshWay, StopTerms, TagRoom, UserData, UserDataKind,
};

use super::api::FIELDS;

/// The least disk of an image for cards, in GB
/// (<https://www.scaleway.com/en/docs/gpu/how-to/create-manage-gpu-instance/>).
pub(super) const LEAST_DISK_GB: u32 = 125;

/// Permission sets (<https://www.scaleway.com/en/docs/iam/reference-content/permission-sets/>).
const SCOPES: &[KeyScope] = &[
    scope("InstancesReadOnly", &[KeyUse::Offers, KeyUse::Watch], true),
    scope("InstancesFullAccess", &[KeyUse::Rent], true),
    scope("BlockStorageFullAccess", &[KeyUse::Rent, KeyUse::Leftovers], true),
    scope("BillingReadOnly", &[KeyUse::Usage], false),
];

const fn scope(name: &'static str, allows: &'static [KeyUse], needed: bool) -> KeyScope {
    KeyScope { name, allows, needed, page: "" }
}

/// The terms, from the vendor's pages:
///
/// - a machine is made standing and then powered on, no idempotency key, states and actions:
///   <https://www.scaleway.com/en/developers/api/instances/>;
/// - billed by the minute while powered on, start and standby included; a power-off by the API releases the card and
///   ends its bill, disk and address are billed on:
///   <https://github.com/scaleway/docs-content> (`pages/instances/faq.mdx`);
/// - what was billed, by resource: <https://www.scaleway.com/en/docs/billing/api-cli/retrieve-finops-data/>;
/// - a shutdown from inside leaves the machine in standby, which is billed: reported by users, and the cautious
///   reading.
#[must_use]
pub fn rental_terms() -> RentalTerms {
    let image = |id: &str, title: &str, kind| Image { id: id.to_owned(), title: title.to_owned(), kind };
    RentalTerms {
        forms: &[Form::Vm],
        prices: &[PriceKind::OnDemand],
        place: PlaceTold::Region,
        idempotency: Idempotency::None,
        list_lag: Duration::from_secs(10),
        fresh: Duration::from_secs(60),
        poll: Duration::from_secs(10),
        between_launches: Duration::from_secs(1),
        bills_from: BillsFrom::Order,
        disk_billed_apart: true,
        disk: Some(DiskRange { least: LEAST_DISK_GB, usual: 150 }),
        stop: StopTerms {
            exists: true,
            ends_compute: true,
            keeps_disk: Some(true),
            disk_billed: Some(true),
            start_may_wait: true,
            guest_shutdown_ends_compute: Some(false),
        },
        own_timer: OwnTimer::None,
        tells_usage: true,
        images: vec![
            image(
                "ubuntu_noble_gpu_os_13_nvidia",
                "Ubuntu 24.04 GPU OS 13, with NVIDIA's driver and Docker",
                ImageKind::Cuda,
            ),
            image("ubuntu_noble", "Ubuntu 24.04, without drivers", ImageKind::Custom),
        ],
        any_image: true,
        user_data: UserData { kind: UserDataKind::CloudInit, max_bytes: None },
        mark: "tag",
        tags: TagRoom::Tags,
        retags: true,
        ssh: SshTerms { user: super::instance::USER, admin: SshAdmin::Root, way: SshWay::Direct },
        key: KeyTerms {
            fields: FIELDS,
            scopes: SCOPES,
            read_only: true,
            rights: "a key of an IAM application with InstancesFullAccess and BlockStorageFullAccess in one project, \
                     and BillingReadOnly to see what was billed",
            page: "https://console.scaleway.com/iam/api-keys",
            ..KeyTerms::plain()
        },
        ..RentalTerms::plain()
    }
}
