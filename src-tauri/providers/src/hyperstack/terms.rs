//! What renting at Hyperstack means.

use std::time::Duration;

use gpudesk_core::offer::{Form, PriceKind};
use gpudesk_core::rental::{
    BillsFrom, CallRate, Idempotency, Image, ImageKind, KeyTerms, PlaceTold, RentalTerms, SshAdmin, SshTerms,
    SshWay, StopTerms, TagRoom, UserData, UserDataKind,
};

use super::instance::USER;

const RATES: &[CallRate] = &[CallRate {
    what: "all calls of one address",
    calls: 500,
    per: Duration::from_secs(60),
    page: "https://docs.hyperstack.cloud/docs/api-reference/",
}];

/// The terms, from the vendor's pages:
///
/// - what is billed in which state (a shutdown in full, a hibernation the root disk and the address only, the making
///   nothing): <https://infrahub-doc.nexgencloud.com/docs/billing/states-and-billing>;
/// - the name of a machine is unique, 500 calls a minute, keys have the roles of their user:
///   <https://docs.hyperstack.cloud/docs/api-reference/>.
#[must_use]
pub fn rental_terms() -> RentalTerms {
    let image = |id: &str, kind| Image { id: id.to_owned(), title: id.to_owned(), kind };
    RentalTerms {
        forms: &[Form::Vm],
        prices: &[PriceKind::OnDemand, PriceKind::Spot],
        place: PlaceTold::Region,
        // A name is given once: a repeat is refused and finds the machine that bears it.
        idempotency: Idempotency::Key,
        list_lag: Duration::from_secs(15),
        rates: RATES,
        bills_from: BillsFrom::Running,
        // What is called a stop here is a hibernation.
        stop: StopTerms {
            exists: true,
            ends_compute: true,
            keeps_disk: Some(true),
            disk_billed: Some(true),
            start_may_wait: true,
            guest_shutdown_ends_compute: Some(false),
        },
        tells_balance: true,
        tells_usage: true,
        images: vec![
            image("Ubuntu Server 22.04 LTS R550 CUDA 12.4", ImageKind::Cuda),
            image("Ubuntu Server 22.04 LTS R550 CUDA 12.4 with Docker", ImageKind::Cuda),
        ],
        any_image: true,
        user_data: UserData { kind: UserDataKind::CloudInit, max_bytes: None },
        mark: "name",
        tags: TagRoom::Tags,
        ssh: SshTerms { user: USER, admin: SshAdmin::Sudo, way: SshWay::Direct },
        key: KeyTerms {
            rights: "a key does what the roles of its user allow: machines, environments, key pairs and billing",
            page: "https://console.hyperstack.cloud/api-keys",
            read_only: true,
            ..KeyTerms::plain()
        },
        ..RentalTerms::plain()
    }
}
