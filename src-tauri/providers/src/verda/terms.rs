//! What renting at Verda means.

use std::time::Duration;

use gpudesk_core::offer::{Form, PriceKind};
use gpudesk_core::rental::{
    BillsFrom, DiskRange, Image, ImageKind, KeyField, KeyTerms, PlaceTold, RentalTerms, SshAdmin, SshTerms,
    SshWay, StopTerms, TagRoom, UserData, UserDataKind,
};

use super::instance::USER;

/// The parts of a key.
pub(super) const FIELDS: &[KeyField] = &[
    KeyField { name: "client_id", title: "Client ID", secret: false, required: true, example: "" },
    KeyField { name: "client_secret", title: "Client secret", secret: true, required: true, example: "" },
];

/// The terms, from the vendor's pages and its own client programs:
///
/// - a machine that is shut down keeps its card and is billed in full, disks are billed apart, attached or not:
///   <https://docs.verda.com/welcome-to-verda/pricing-and-billing>;
/// - no idempotency key, tags since August 2026: <https://api.verda.com/v1/docs>.
#[must_use]
pub fn rental_terms() -> RentalTerms {
    let image = |id: &str, title: &str, kind| Image { id: id.to_owned(), title: title.to_owned(), kind };
    RentalTerms {
        forms: &[Form::Vm],
        prices: &[PriceKind::OnDemand, PriceKind::Spot],
        place: PlaceTold::Region,
        list_lag: Duration::from_secs(15),
        // From when on is not said.
        bills_from: BillsFrom::Order,
        disk_billed_apart: true,
        disk: Some(DiskRange { least: 50, usual: 100 }),
        stop: StopTerms {
            exists: true,
            ends_compute: false,
            keeps_disk: Some(true),
            disk_billed: Some(true),
            start_may_wait: false,
            guest_shutdown_ends_compute: Some(false),
        },
        tells_balance: true,
        images: vec![
            image("ubuntu-24.04-cuda-12.8-open", "Ubuntu 24.04 with CUDA 12.8", ImageKind::Cuda),
            image(
                "ubuntu-24.04-cuda-12.8-open-docker",
                "Ubuntu 24.04 with CUDA 12.8 and Docker",
                ImageKind::Cuda,
            ),
            image(
                "ubuntu-24.04-cuda-13.0-open-docker",
                "Ubuntu 24.04 with CUDA 13.0 and Docker",
                ImageKind::Cuda,
            ),
        ],
        any_image: true,
        user_data: UserData { kind: UserDataKind::Script, max_bytes: None },
        mark: "tag",
        tags: TagRoom::Tags,
        ssh: SshTerms { user: USER, admin: SshAdmin::Root, way: SshWay::Direct },
        key: KeyTerms {
            fields: FIELDS,
            rights: "Verda has one kind of client: it may do everything; make one for this desk alone",
            page: "https://console.verda.com/dashboard/keys",
            ..KeyTerms::plain()
        },
        // No limit of calls is published, and no timer exists.
        ..RentalTerms::plain()
    }
}
