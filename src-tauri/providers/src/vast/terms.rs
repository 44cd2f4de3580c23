//! What renting at Vast.ai means.

use std::time::Duration;

use gpudesk_core::rental::{
    BillsFrom, DiskRange, Idempotency, Image, ImageKind, OwnTimer, RentalTerms, StopTerms,
};

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
        idempotency: Idempotency::OfferOnce,
        list_lag: Duration::from_secs(5),
        fresh: Duration::from_secs(30),
        poll: Duration::from_secs(5),
        between_launches: Duration::from_millis(4500),
        bills_from: BillsFrom::Running,
        disk_billed_apart: true,
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
        box_credential: true,
        tells_balance: true,
        tells_usage: true,
        images: vec![
            image("vastai/base-image:@vastai-automatic-tag", "CUDA base image", ImageKind::Cuda),
            image("vastai/pytorch:@vastai-automatic-tag", "PyTorch on CUDA", ImageKind::PyTorch),
            image("vastai/vllm:@vastai-automatic-tag", "vLLM", ImageKind::Inference),
        ],
        any_image: true,
        user: "root",
        mark: "label",
        key_rights: "misc, instance_read, instance_write, user_read, billing_read",
        key_page: "https://cloud.vast.ai/manage-keys/",
    }
}
