//! What renting at Shadeform means.

use std::time::Duration;

use gpudesk_core::offer::{Form, PriceKind};
use gpudesk_core::rental::{
    BillsFrom, Image, ImageKind, KeyTerms, OwnTimer, PlaceTold, RentalTerms, SshAdmin, SshTerms, SshWay,
    TagRoom, UserData, UserDataKind,
};

/// The image that stands for the newest system with CUDA that the offer's own cloud has.
pub(super) const NEWEST_CUDA: &str = "newest-cuda";

/// The terms, from the vendor's pages:
///
/// - no idempotency key, the create call returns before the cloud has agreed, billed until the status is `deleting`:
///   <https://docs.shadeform.ai/api-reference/instances/instances-create>,
///   <https://docs.shadeform.ai/api-reference/instances/instances-delete>;
/// - `auto_delete` is set at the creation or later, deletes at its date (there is no such stop), and reads back from the
///   info of an instance, not from the list: same pages;
/// - scripts run once, after the machine is active: <https://docs.shadeform.ai/guides/startupscript>;
/// - keys are the whole workspace's: <https://docs.shadeform.ai/api-reference/authentication>.
///
/// That the billing starts with `active` and that there is no stop is not on these pages: SkyPilot and brevdev/cloud,
/// which rent here, treat it so.
#[must_use]
pub fn rental_terms() -> RentalTerms {
    RentalTerms {
        forms: &[Form::Vm, Form::Container, Form::BareMetal],
        prices: &[PriceKind::OnDemand],
        // The operator behind may be hidden, and a region may be called `any`.
        place: PlaceTold::Some,
        poll: Duration::from_secs(5),
        bills_from: BillsFrom::Running,
        own_timer: OwnTimer::ReadsBack,
        // An instance tells what it cost so far, as an estimate, and only as long as it is there; no call tells of those
        // that are gone, and there are no invoices.
        tells_usage: false,
        images: vec![Image {
            id: NEWEST_CUDA.to_owned(),
            title: "Ubuntu with the newest CUDA that the cloud has".to_owned(),
            kind: ImageKind::Cuda,
        }],
        any_image: true,
        user_data: UserData { kind: UserDataKind::Script, max_bytes: None },
        mark: "tag and name",
        tags: TagRoom::Tags,
        retags: true,
        ssh: SshTerms { user: super::instance::USER, admin: SshAdmin::Sudo, way: SshWay::Direct },
        key: KeyTerms {
            rights: "Shadeform has one kind of key: it may do everything; make one for this desk alone",
            page: "https://platform.shadeform.ai/settings/api",
            ..KeyTerms::plain()
        },
        ..RentalTerms::plain()
    }
}
