//! What renting at RunPod means.

use std::time::Duration;

use gpudesk_core::offer::{Form, PriceKind};
use gpudesk_core::rental::{
    BillsFrom, BoxStop, DiskRange, Idempotency, Image, ImageKind, KeyScope, KeyTerms, KeyUse, OwnTimer,
    PlaceTold, RentalTerms, SshAdmin, SshTerms, SshWay, StopTerms, TagRoom,
};

/// Kinds of key (<https://docs.runpod.io/get-started/api-keys>): “All” and “Restricted” with write access to pods
/// have both of these rights, “Read only” the first.
const SCOPES: &[KeyScope] = &[
    KeyScope {
        name: "pods: read",
        allows: &[KeyUse::Watch, KeyUse::Usage, KeyUse::Leftovers],
        needed: true,
        page: "",
    },
    KeyScope { name: "pods: write", allows: &[KeyUse::Rent], needed: true, page: "" },
];

/// The part of the disk that a stop wipes, in GB; the rest of what is asked for is the persistent part.
pub(super) const WIPED_GB: u32 = 20;

/// The least of the persistent part, in GB (<https://docs.runpod.io/api-reference-v2>, `PersistentMount`).
pub(super) const LEAST_KEPT_GB: u32 = 10;

/// The terms, from the vendor's pages:
///
/// - no idempotency key; official clients do not repeat a POST: <https://docs.runpod.io/api-reference-v2>;
/// - a stop releases the card, wipes the container disk, keeps the volume at a higher rate, and a start may come back
///   without cards: <https://docs.runpod.io/pods/manage-pods>, <https://docs.runpod.io/pods/pricing>;
/// - every pod has `RUNPOD_API_KEY` for itself alone: <https://docs.runpod.io/pods/templates/environment-variables>;
/// - the list lags behind, and a fresh pod may not be found for a moment: seen by users of the API.
#[must_use]
pub fn rental_terms() -> RentalTerms {
    let image = |id: &str, title: &str, kind| Image { id: id.to_owned(), title: title.to_owned(), kind };
    RentalTerms {
        forms: &[Form::Container, Form::Fraction],
        prices: &[PriceKind::OnDemand],
        place: PlaceTold::Region,
        idempotency: Idempotency::None,
        list_lag: Duration::from_secs(10),
        fresh: Duration::from_secs(60),
        poll: Duration::from_secs(5),
        between_launches: Duration::from_secs(1),
        // The pages do not say whether placing a pod is billed; the longer time is reckoned.
        bills_from: BillsFrom::Order,
        disk_billed_apart: true,
        disk: Some(DiskRange { least: WIPED_GB + LEAST_KEPT_GB, usual: 50 }),
        stop: StopTerms {
            exists: true,
            ends_compute: true,
            keeps_disk: Some(true),
            disk_billed: Some(true),
            start_may_wait: true,
            guest_shutdown_ends_compute: None,
        },
        // `terminateAfter` can be given to the order of GraphQL only, which is being retired and tells no more of it;
        // REST v2, by which pods are made here, has no timer. It is never armed.
        own_timer: OwnTimer::Blind,
        wiped_gb: WIPED_GB,
        box_stop: Some(BoxStop::RunPod),
        tells_balance: true,
        tells_usage: true,
        images: vec![
            image(
                "runpod/pytorch:1.0.2-cu1281-torch280-ubuntu2404",
                "PyTorch 2.8 on CUDA 12.8",
                ImageKind::PyTorch,
            ),
            image("runpod/base:1.0.2-cuda1281-ubuntu2404", "CUDA 12.8 base image", ImageKind::Cuda),
        ],
        any_image: true,
        mark: "name",
        tags: TagRoom::Inside,
        ssh: SshTerms { user: "root", admin: SshAdmin::Root, way: SshWay::Either },
        key: KeyTerms {
            fields: &[],
            scopes: SCOPES,
            read_only: true,
            offers_need_it: false,
            rights: "All, or Restricted with write access to pods; Read only is enough to watch",
            page: "https://console.runpod.io/user/settings",
        },
        // No limit of calls is published as a number; each answer carries its own, and no first script is taken.
        ..RentalTerms::plain()
    }
}
