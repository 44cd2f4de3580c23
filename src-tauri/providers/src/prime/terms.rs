//! What renting at Prime Intellect means.

use std::time::Duration;

use gpudesk_core::offer::{Form, PriceKind};
use gpudesk_core::rental::{
    BillsFrom, Image, ImageKind, KeyScope, KeyTerms, KeyUse, PlaceTold, RentalTerms, SshAdmin, SshTerms,
    SshWay,
};

/// What the wallet needs.
pub(super) const BILLING: &str = "Billing: read";

/// The permissions of a key, by area (<https://docs.primeintellect.ai/api-reference/api-keys>).
const SCOPES: &[KeyScope] = &[
    scope("Availability: read", &[KeyUse::Offers], true),
    scope(
        "Instances: read and write",
        &[KeyUse::Watch, KeyUse::Rent, KeyUse::SshKeys, KeyUse::Usage, KeyUse::Leftovers],
        true,
    ),
    scope(BILLING, &[KeyUse::Balance], false),
];

const fn scope(name: &'static str, allows: &'static [KeyUse], needed: bool) -> KeyScope {
    KeyScope { name, allows, needed, page: "" }
}

/// The terms, from the vendor's pages and its own client:
///
/// - no idempotency key and no tags, the name is all that bears a mark; pods are free while they are provisioned
///   unless their record says otherwise: <https://docs.primeintellect.ai/api-reference/provision-gpu>;
/// - no stop, no start, no timer: <https://docs.primeintellect.ai/api-reference/managing-pods>, and none in `prime`;
/// - wallet and history tell what was billed: <https://docs.primeintellect.ai/api-reference/introduction>.
#[must_use]
pub fn rental_terms() -> RentalTerms {
    let image = |id: &str, title: &str, kind| Image { id: id.to_owned(), title: title.to_owned(), kind };
    RentalTerms {
        // Which of the two a pod is, its supplier decides.
        forms: &[Form::Vm, Form::Container],
        prices: &[PriceKind::OnDemand, PriceKind::Spot],
        place: PlaceTold::Some,
        list_lag: Duration::from_secs(15),
        poll: Duration::from_secs(5),
        bills_from: BillsFrom::Running,
        tells_balance: true,
        tells_usage: true,
        images: vec![
            image("ubuntu_22_cuda_12", "Ubuntu 22.04 with CUDA 12", ImageKind::Cuda),
            image("cuda_12_6_pytorch_2_7", "PyTorch 2.7 on CUDA 12.6", ImageKind::PyTorch),
            image("cuda_12_4_pytorch_2_6", "PyTorch 2.6 on CUDA 12.4", ImageKind::PyTorch),
        ],
        any_image: true,
        mark: "name",
        ssh: SshTerms { user: "root", admin: SshAdmin::Root, way: SshWay::Direct },
        key: KeyTerms {
            fields: super::key::FIELDS,
            scopes: SCOPES,
            read_only: true,
            rights: "Availability: read, Instances: read and write, Billing: read",
            page: "https://app.primeintellect.ai/dashboard/tokens",
            ..KeyTerms::plain()
        },
        ..RentalTerms::plain()
    }
}
