//! What renting at Lambda means.

use std::time::Duration;

use gpudesk_core::offer::{Form, PriceKind};
use gpudesk_core::rental::{
    BillsFrom, CallRate, Idempotency, Image, ImageKind, KeyTerms, OwnTimer, PlaceTold, RentalTerms, SshAdmin,
    SshTerms, SshWay, StopTerms, TagRoom, UserData, UserDataKind,
};

/// <https://docs.lambda.ai/public-cloud/cloud-api/>
const RATES: &[CallRate] = &[rate("all calls", 1, 1), rate("launch", 1, 12), rate("launch", 5, 60)];

const fn rate(what: &'static str, calls: u32, seconds: u64) -> CallRate {
    CallRate {
        what,
        calls,
        per: Duration::from_secs(seconds),
        page: "https://docs.lambda.ai/public-cloud/cloud-api/",
    }
}

/// The terms, from the vendor's pages:
///
/// - no idempotency key, one launch in 12 seconds: <https://docs.lambda.ai/public-cloud/cloud-api/>;
/// - billed by the minute from the end of the boot to the termination, whatever runs on it, and there is no stop:
///   <https://docs.lambda.ai/public-cloud/billing/>, <https://docs.lambda.ai/public-cloud/on-demand/>;
/// - no call tells what was billed, by machine or at all: <https://docs.lambda.ai/public-cloud/cloud-api/>;
/// - the only kind of key is the whole account's: <https://docs.lambda.ai/public-cloud/access-security/>.
#[must_use]
pub fn rental_terms() -> RentalTerms {
    let image = |id: &str, title: &str, kind| Image { id: id.to_owned(), title: title.to_owned(), kind };
    RentalTerms {
        booking: false,
        forms: &[Form::Vm],
        prices: &[PriceKind::OnDemand],
        place: PlaceTold::Region,
        idempotency: Idempotency::None,
        list_lag: Duration::from_secs(15),
        fresh: Duration::from_secs(60),
        poll: Duration::from_secs(10),
        rates: RATES,
        between_launches: Duration::from_secs(12),
        bills_from: BillsFrom::Running,
        disk_billed_apart: false,
        offers_end: false,
        disk: None,
        stop: StopTerms {
            exists: false,
            ends_compute: false,
            keeps_disk: None,
            disk_billed: None,
            start_may_wait: false,
            guest_shutdown_ends_compute: Some(false),
        },
        box_stop: None,
        wiped_gb: 0,
        own_timer: OwnTimer::None,
        tells_balance: false,
        tells_usage: false,
        images: vec![
            image("lambda-stack-24-04", "Lambda Stack on Ubuntu 24.04, with PyTorch", ImageKind::PyTorch),
            image("lambda-stack-22-04", "Lambda Stack on Ubuntu 22.04, with PyTorch", ImageKind::PyTorch),
        ],
        any_image: true,
        user_data: UserData { kind: UserDataKind::CloudInit, max_bytes: None },
        mark: "tag",
        tags: TagRoom::Tags,
        retags: false,
        ssh: SshTerms { user: "ubuntu", admin: SshAdmin::Sudo, way: SshWay::Direct },
        key: KeyTerms {
            rights: "Lambda has one kind of key: it may do everything; make one for this desk alone",
            page: "https://cloud.lambda.ai/api-keys/cloud-api",
            ..KeyTerms::plain()
        },
    }
}
