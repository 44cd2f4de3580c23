//! What renting at Nebius means.

use std::time::Duration;

use gpudesk_core::offer::{Form, PriceKind};
use gpudesk_core::rental::{
    BillsFrom, DiskRange, Idempotency, Image, ImageKind, KeyScope, KeyTerms, KeyUse, OwnTimer, PlaceTold,
    RentalTerms, SshAdmin, SshTerms, SshWay, StopTerms, TagRoom, UserData, UserDataKind,
};

use super::session::FIELDS;

/// The most bytes of the text for the first boot.
pub(super) const MOST_USER_DATA: u32 = 32 * 1024;

/// Roles of the group that the service account is in (<https://docs.nebius.com/iam/authorization/roles>).
const SCOPES: &[KeyScope] = &[
    KeyScope {
        name: "viewer",
        allows: &[KeyUse::Offers, KeyUse::Watch, KeyUse::Leftovers],
        needed: true,
        page: "",
    },
    KeyScope { name: "editor", allows: &[KeyUse::Rent], needed: true, page: "" },
];

/// The terms, from the vendor's pages:
///
/// - the idempotency key of every call that changes something: <https://github.com/nebius/api#idempotency>;
/// - billed from the start to the complete stop, disks from their making to their deletion:
///   <https://docs.nebius.com/legal/specific-terms/compute>;
/// - a shutdown from inside is a failure, after which a machine with the recovery policy FAIL, which ours have, stands:
///   <https://docs.nebius.com/compute/virtual-machines/stopped-with-linux-commands>;
/// - what was billed is told only as an export of a contract's whole months: an archive that is made on request and by the
///   id of the contract, which no key has; it is not read: <https://github.com/nebius/api> (`nebius/billing/v1alpha1`);
/// - what a preemptible machine is: <https://docs.nebius.com/compute/virtual-machines/preemptible>.
#[must_use]
pub fn rental_terms() -> RentalTerms {
    let image = |id: &str, title: &str, kind| Image { id: id.to_owned(), title: title.to_owned(), kind };
    RentalTerms {
        forms: &[Form::Vm],
        prices: &[PriceKind::OnDemand, PriceKind::Spot],
        place: PlaceTold::Region,
        idempotency: Idempotency::Key,
        list_lag: Duration::from_secs(10),
        fresh: Duration::from_secs(60),
        poll: Duration::from_secs(10),
        between_launches: Duration::from_secs(1),
        bills_from: BillsFrom::Running,
        disk_billed_apart: true,
        disk: Some(DiskRange { least: 50, usual: 100 }),
        stop: StopTerms {
            exists: true,
            ends_compute: true,
            keeps_disk: Some(true),
            disk_billed: Some(true),
            start_may_wait: true,
            guest_shutdown_ends_compute: Some(true),
        },
        own_timer: OwnTimer::None,
        images: vec![
            image("ubuntu24.04-cuda13.0", "Ubuntu 24.04 with NVIDIA's driver and CUDA 13.0", ImageKind::Cuda),
            image("ubuntu24.04-driverless", "Ubuntu 24.04, without drivers", ImageKind::Custom),
        ],
        any_image: true,
        user_data: UserData { kind: UserDataKind::CloudInit, max_bytes: Some(MOST_USER_DATA) },
        mark: "label",
        tags: TagRoom::Tags,
        ssh: SshTerms { user: super::instance::USER, admin: SshAdmin::Sudo, way: SshWay::Direct },
        key: KeyTerms {
            fields: FIELDS,
            scopes: SCOPES,
            read_only: true,
            rights: "an authorized key of a service account whose group has the role editor in its projects",
            page: "https://console.nebius.com/iam/service-accounts",
            ..KeyTerms::plain()
        },
        ..RentalTerms::plain()
    }
}
