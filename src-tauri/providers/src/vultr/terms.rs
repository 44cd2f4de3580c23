//! What renting at Vultr means.

use std::time::Duration;

use gpudesk_core::offer::{Form, PriceKind};
use gpudesk_core::rental::{
    BillsFrom, CallRate, Image, ImageKind, KeyScope, KeyTerms, KeyUse, PlaceTold, RentalTerms, SshAdmin,
    SshTerms, SshWay, StopTerms, TagRoom, UserData, UserDataKind,
};

use super::instance::USER;

const RATES: &[CallRate] = &[CallRate {
    what: "all calls of one address",
    calls: 30,
    per: Duration::from_secs(1),
    page: "https://www.vultr.com/api/#section/Introduction/Rate-Limit",
}];

/// The rights of the key's user, as `GET /account` names them.
const SCOPES: &[KeyScope] = &[
    scope("subscriptions_view", &[KeyUse::Watch, KeyUse::Leftovers], true),
    scope("subscriptions", &[KeyUse::Rent, KeyUse::SshKeys], true),
    scope("provisioning", &[KeyUse::Rent], true),
    scope("billing", &[KeyUse::Balance, KeyUse::Usage], false),
];

const fn scope(name: &'static str, allows: &'static [KeyUse], needed: bool) -> KeyScope {
    KeyScope { name, allows, needed, page: "https://my.vultr.com/users/" }
}

/// The terms, from the vendor's pages:
///
/// - billed by the hour from the order to the end, running or halted alike:
///   <https://docs.vultr.com/support/platform/billing/how-am-i-billed-for-my-servers>,
///   <https://docs.vultr.com/products/compute/cloud-compute/management/stop-instance>;
/// - invoices and pending charges have a line for each machine, which names it by its label:
///   <https://www.vultr.com/api/#tag/billing>;
/// - no idempotency key, 30 calls a second, keys with the rights of their user: <https://www.vultr.com/api/>.
#[must_use]
pub fn rental_terms() -> RentalTerms {
    let image = |id: &str, title: &str, kind| Image { id: id.to_owned(), title: title.to_owned(), kind };
    RentalTerms {
        forms: &[Form::Vm, Form::Fraction, Form::BareMetal],
        // Preemptible machines have a price and no order in the API.
        prices: &[PriceKind::OnDemand],
        place: PlaceTold::Region,
        list_lag: Duration::from_secs(15),
        rates: RATES,
        bills_from: BillsFrom::Order,
        stop: StopTerms {
            exists: true,
            ends_compute: false,
            keeps_disk: Some(true),
            disk_billed: None,
            start_may_wait: false,
            guest_shutdown_ends_compute: Some(false),
        },
        // There is a balance, but whoever pays by card has none of it: it says nothing of what can be paid.
        tells_balance: false,
        tells_usage: true,
        images: vec![
            image("1743", "Ubuntu 22.04, with driver and Docker on machines with a card", ImageKind::Cuda),
            image("docker", "Ubuntu with Docker, for bare metal", ImageKind::Cuda),
        ],
        any_image: true,
        user_data: UserData { kind: UserDataKind::CloudInit, max_bytes: None },
        mark: "tag",
        tags: TagRoom::Tags,
        retags: true,
        ssh: SshTerms { user: USER, admin: SshAdmin::Root, way: SshWay::Direct },
        key: KeyTerms {
            scopes: SCOPES,
            read_only: true,
            offers_need_it: false,
            rights: "subscriptions_view, subscriptions and provisioning of its user; billing to see balance and bills",
            page: "https://my.vultr.com/settings/#settingsapi",
            ..KeyTerms::plain()
        },
        ..RentalTerms::plain()
    }
}
