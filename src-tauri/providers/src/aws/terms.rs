//! What renting at AWS means.

use std::time::Duration;

use gpudesk_core::offer::{Form, PriceKind};
use gpudesk_core::rental::{
    BillsFrom, CallRate, DiskRange, Idempotency, Image, ImageKind, KeyField, KeyScope, KeyTerms, KeyUse,
    OwnTimer, PlaceTold, RentalTerms, SshAdmin, SshTerms, SshWay, StopTerms, TagRoom, UserData, UserDataKind,
};

/// The most bytes of a first script, before it is encoded.
pub(super) const MOST_USER_DATA: u32 = 16 * 1024;

const PAGE: &str = "https://docs.aws.amazon.com/ec2/latest/devguide/ec2-api-throttling.html";

/// By account and region: a bucket of so many calls, which fills by a fifth (a tenth for changes) a second.
const RATES: &[CallRate] = &[
    CallRate { what: "reads", calls: 20, per: Duration::from_secs(1), page: PAGE },
    CallRate { what: "changes", calls: 5, per: Duration::from_secs(1), page: PAGE },
    CallRate { what: "launches", calls: 2, per: Duration::from_secs(1), page: PAGE },
];

const FIELDS: &[KeyField] = &[
    field("access_key_id", "Access key ID", false, "AKIA…"),
    field("secret_access_key", "Secret access key", true, ""),
    field("session_token", "Session token", true, "of a temporary key only"),
    field("region", "Home region", false, "us-east-1 where empty"),
    field("profile", "Profile of the AWS tools", false, "instead of the keys"),
];

const fn field(name: &'static str, title: &'static str, secret: bool, example: &'static str) -> KeyField {
    // A profile stands for the keys, so that no part is needed in each case.
    KeyField { name, title, secret, required: false, example }
}

/// Actions of a policy (<https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonec2.html>).
const SCOPES: &[KeyScope] = &[
    scope("ec2:Describe*", &[KeyUse::Offers, KeyUse::Watch, KeyUse::Leftovers], true),
    scope("pricing:GetProducts", &[KeyUse::Offers], false),
    scope("ec2:RunInstances", &[KeyUse::Rent], true),
    scope("ec2:StartInstances", &[KeyUse::Rent], true),
    scope("ec2:StopInstances", &[KeyUse::Rent], true),
    scope("ec2:TerminateInstances", &[KeyUse::Rent], true),
    scope("ec2:CreateTags", &[KeyUse::Rent], true),
    scope("ec2:CreateSecurityGroup", &[KeyUse::Rent], true),
    scope("ec2:AuthorizeSecurityGroupIngress", &[KeyUse::Rent], true),
    scope("ec2:CancelSpotInstanceRequests", &[KeyUse::Rent], false),
    scope("ec2:ImportKeyPair", &[KeyUse::SshKeys], true),
    scope("ssm:GetParameter", &[KeyUse::Rent], true),
    scope("servicequotas:GetServiceQuota", &[KeyUse::Rent], false),
];

const fn scope(name: &'static str, allows: &'static [KeyUse], needed: bool) -> KeyScope {
    KeyScope { name, allows, needed, page: "" }
}

/// The terms, from the vendor's pages:
///
/// - the same client token gives the same machine; a new machine may not be found for a while:
///   <https://docs.aws.amazon.com/ec2/latest/devguide/ec2-api-idempotency.html>,
///   <https://docs.aws.amazon.com/ec2/latest/devguide/eventual-consistency.html>;
/// - billed by the second while it runs, a minute at every start; disks go on while it is stopped:
///   <https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/Stop_Start.html>;
/// - two launches a second: <https://docs.aws.amazon.com/ec2/latest/devguide/ec2-api-throttling.html>;
/// - what was billed is told by Cost Explorer alone, and not read: each call costs 0.01 USD, it names a machine only where
///   its owner has turned resources on (for 14 days back) or activated our tag, and it lags a day behind:
///   <https://docs.aws.amazon.com/cost-management/latest/userguide/ce-api.html>;
/// - images with drivers: <https://docs.aws.amazon.com/dlami/latest/devguide/find-dlami-id.html>.
#[must_use]
pub fn rental_terms() -> RentalTerms {
    let image = |id: &str, title: &str, kind| Image { id: id.to_owned(), title: title.to_owned(), kind };
    RentalTerms {
        booking: false,
        forms: &[Form::Vm, Form::BareMetal, Form::Fraction],
        prices: &[PriceKind::OnDemand, PriceKind::Spot],
        place: PlaceTold::Region,
        idempotency: Idempotency::Key,
        list_lag: Duration::from_secs(15),
        fresh: Duration::from_secs(300),
        poll: Duration::from_secs(5),
        rates: RATES,
        between_launches: Duration::from_millis(500),
        bills_from: BillsFrom::Running,
        disk_billed_apart: true,
        offers_end: false,
        disk: Some(DiskRange { least: 8, usual: 100 }),
        stop: StopTerms {
            exists: true,
            ends_compute: true,
            keeps_disk: Some(true),
            disk_billed: Some(true),
            // A start is refused while the zone has none left.
            start_may_wait: true,
            guest_shutdown_ends_compute: Some(true),
        },
        box_stop: None,
        wiped_gb: 0,
        own_timer: OwnTimer::None,
        tells_balance: false,
        tells_usage: false,
        images: vec![
            image(
                "base-oss-nvidia-driver-ubuntu-22.04",
                "Ubuntu 22.04 with driver and CUDA",
                ImageKind::Cuda,
            ),
            image(
                "oss-nvidia-driver-gpu-pytorch-2.7-ubuntu-22.04",
                "PyTorch 2.7 on Ubuntu 22.04",
                ImageKind::PyTorch,
            ),
        ],
        any_image: true,
        user_data: UserData { kind: UserDataKind::CloudInit, max_bytes: Some(MOST_USER_DATA) },
        mark: "tag",
        tags: TagRoom::Tags,
        retags: true,
        ssh: SshTerms { user: "ubuntu", admin: SshAdmin::Sudo, way: SshWay::Direct },
        key: KeyTerms {
            fields: FIELDS,
            scopes: SCOPES,
            read_only: true,
            offers_need_it: true,
            rights: "an IAM user with a policy of the actions listed here, and with an access key",
            page: "https://console.aws.amazon.com/iam/home#/security_credentials",
        },
    }
}
