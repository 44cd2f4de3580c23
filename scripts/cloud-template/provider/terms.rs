//! What renting at __Title__ means.

use std::time::Duration;

use gpudesk_core::offer::{Form, PriceKind};
use gpudesk_core::rental::{
    BillsFrom, CallRate, Idempotency, Image, ImageKind, KeyTerms, PlaceTold, RentalTerms, SshAdmin, SshTerms,
    SshWay, StopTerms, TagRoom,
};

/// REPLACE: the published limits, each with its page.
const RATES: &[CallRate] = &[CallRate {
    what: "all calls",
    calls: 1,
    per: Duration::from_secs(1),
    page: "https://docs.__name__.example/limits",
}];

/// REPLACE: every line by what the vendor's pages say, each page named here.
#[must_use]
pub fn rental_terms() -> RentalTerms {
    let image = |id: &str, title: &str, kind| Image { id: id.to_owned(), title: title.to_owned(), kind };
    RentalTerms {
        forms: &[Form::Vm],
        prices: &[PriceKind::OnDemand],
        place: PlaceTold::Region,
        idempotency: Idempotency::None,
        rates: RATES,
        bills_from: BillsFrom::Running,
        stop: StopTerms {
            exists: true,
            ends_compute: true,
            keeps_disk: Some(true),
            disk_billed: Some(true),
            start_may_wait: true,
            guest_shutdown_ends_compute: None,
        },
        images: vec![image("ubuntu-24.04-cuda", "Ubuntu 24.04 with CUDA", ImageKind::Cuda)],
        any_image: true,
        mark: "name",
        tags: TagRoom::Tags,
        ssh: SshTerms { user: "root", admin: SshAdmin::Root, way: SshWay::Direct },
        key: KeyTerms {
            read_only: true,
            rights: "REPLACE: the least rights, in the provider's own words",
            page: "https://console.__name__.example/keys",
            ..KeyTerms::plain()
        },
        ..RentalTerms::plain()
    }
}
