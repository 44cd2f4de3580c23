//! What renting at Vast.ai means.

use std::time::Duration;

use gpudesk_core::offer::{Form, PriceKind};
use gpudesk_core::rental::{
    BillsFrom, BoxStop, CallRate, DiskRange, Idempotency, Image, ImageKind, KeyScope, KeyTerms, KeyUse,
    OwnTimer, PlaceTold, RentalTerms, SshAdmin, SshTerms, SshWay, StopTerms, TagRoom, UserData, UserDataKind,
};

/// Least times between two calls of a kind (<https://docs.vast.ai/api-reference/rate-limits-and-errors>).
const RATES: &[CallRate] = &[
    rate("create", 4500),
    rate("read an instance", 2000),
    rate("stop and start", 1000),
    rate("destroy", 3000),
    rate("list", 1000),
    CallRate { calls: 10, ..rate("search", 60_000) },
];

const fn rate(what: &'static str, milliseconds: u64) -> CallRate {
    CallRate {
        what,
        calls: 1,
        per: Duration::from_millis(milliseconds),
        page: "https://docs.vast.ai/api-reference/rate-limits-and-errors",
    }
}

/// Permissions of a key (<https://docs.vast.ai/api-reference/permissions>).
const SCOPES: &[KeyScope] = &[
    scope("misc", &[KeyUse::Offers], true),
    scope("instance_read", &[KeyUse::Watch], true),
    scope("instance_write", &[KeyUse::Rent, KeyUse::SshKeys], true),
    scope("user_read", &[KeyUse::Balance], false),
    scope("billing_read", &[KeyUse::Usage], false),
];

const fn scope(name: &'static str, allows: &'static [KeyUse], needed: bool) -> KeyScope {
    KeyScope { name, allows, needed, page: "" }
}

/// The terms, from the vendor's pages:
///
/// - an ask is taken once, a repeat fails: <https://docs.vast.ai/api-reference/instances/create-instance>;
/// - cards are billed while active, the disk from creation to destruction, stopped or not, and a start may wait for
///   ever: <https://docs.vast.ai/documentation/reference/billing>,
///   <https://docs.vast.ai/documentation/instances/managing-instances>;
/// - 4.5 s between creations, 2 s between reads: <https://docs.vast.ai/api-reference/rate-limits-and-errors>;
/// - `CONTAINER_API_KEY` acts on its own instance only: <https://docs.vast.ai/documentation/instances/docker-environment>.
#[must_use]
pub fn rental_terms() -> RentalTerms {
    let image = |id: &str, title: &str, kind| Image { id: id.to_owned(), title: title.to_owned(), kind };
    RentalTerms {
        booking: false,
        forms: &[Form::Container],
        prices: &[PriceKind::OnDemand, PriceKind::Bid],
        // A host writes its place as it likes, or not at all.
        place: PlaceTold::Country,
        idempotency: Idempotency::OfferOnce,
        list_lag: Duration::from_secs(5),
        fresh: Duration::from_secs(30),
        poll: Duration::from_secs(5),
        rates: RATES,
        between_launches: Duration::from_millis(4500),
        bills_from: BillsFrom::Running,
        disk_billed_apart: true,
        offers_end: true,
        disk: Some(DiskRange { least: 8, usual: 50 }),
        stop: StopTerms {
            exists: true,
            ends_compute: true,
            keeps_disk: Some(true),
            disk_billed: Some(true),
            start_may_wait: true,
            guest_shutdown_ends_compute: None,
        },
        own_timer: OwnTimer::None,
        wiped_gb: 0,
        box_stop: Some(BoxStop::Vast),
        tells_balance: true,
        tells_usage: true,
        images: vec![
            image("vastai/base-image:@vastai-automatic-tag", "CUDA base image", ImageKind::Cuda),
            image("vastai/pytorch:@vastai-automatic-tag", "PyTorch on CUDA", ImageKind::PyTorch),
            image("vastai/vllm:@vastai-automatic-tag", "vLLM", ImageKind::Inference),
        ],
        any_image: true,
        user_data: UserData { kind: UserDataKind::Script, max_bytes: Some(4048) },
        mark: "label",
        tags: TagRoom::Inside,
        retags: false,
        ssh: SshTerms { user: "root", admin: SshAdmin::Root, way: SshWay::Either },
        key: KeyTerms {
            fields: &[],
            scopes: SCOPES,
            read_only: true,
            offers_need_it: false,
            rights: "misc, instance_read, instance_write, user_read, billing_read",
            page: "https://cloud.vast.ai/manage-keys/",
        },
    }
}
