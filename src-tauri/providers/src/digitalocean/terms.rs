//! What renting at DigitalOcean means.

use std::time::Duration;

use gpudesk_core::offer::{Form, PriceKind};
use gpudesk_core::rental::{
    BillsFrom, CallRate, Idempotency, Image, ImageKind, KeyScope, KeyTerms, KeyUse, OwnTimer, PlaceTold,
    RentalTerms, SshAdmin, SshTerms, SshWay, StopTerms, TagRoom, UserData, UserDataKind,
};

/// Stands for DigitalOcean's own AI/ML-ready image of the card that was rented.
pub(super) const READY: &str = "gpu-base";

/// The most bytes of a first script.
pub(super) const MOST_USER_DATA: u32 = 64 * 1024;

const PAGE: &str = "https://docs.digitalocean.com/reference/api/";

/// By token.
const RATES: &[CallRate] = &[
    CallRate { what: "all calls", calls: 5000, per: Duration::from_secs(3600), page: PAGE },
    CallRate { what: "all calls", calls: 250, per: Duration::from_secs(60), page: PAGE },
    CallRate { what: "list of SSH keys", calls: 10, per: Duration::from_secs(60), page: PAGE },
];

/// Custom scopes of a token (<https://docs.digitalocean.com/reference/api/scopes/>).
const SCOPES: &[KeyScope] = &[
    scope("sizes:read", &[KeyUse::Offers], true),
    scope("regions:read", &[KeyUse::Offers], true),
    scope("image:read", &[KeyUse::Rent], true),
    scope("droplet:read", &[KeyUse::Watch], true),
    scope("droplet:create", &[KeyUse::Rent], true),
    scope("droplet:update", &[KeyUse::Rent], true),
    scope("droplet:delete", &[KeyUse::Rent], true),
    scope("ssh_key:read", &[KeyUse::SshKeys], true),
    scope("ssh_key:create", &[KeyUse::SshKeys], true),
    scope("tag:read", &[KeyUse::Watch], true),
    scope("tag:create", &[KeyUse::Rent], true),
    scope(ACCOUNT, &[KeyUse::Balance], false),
    scope(BILLING, &[KeyUse::Balance, KeyUse::Usage], false),
    scope("block_storage:read", &[KeyUse::Leftovers], false),
    scope("snapshot:read", &[KeyUse::Leftovers], false),
    scope("reserved_ip:read", &[KeyUse::Leftovers], false),
];

pub(super) const ACCOUNT: &str = "account:read";
pub(super) const BILLING: &str = "billing:read";

const fn scope(name: &'static str, allows: &'static [KeyUse], needed: bool) -> KeyScope {
    KeyScope { name, allows, needed, page: "" }
}

/// The terms, from the vendor's pages:
///
/// - no idempotency key, states and actions: <https://docs.digitalocean.com/reference/api/>;
/// - billed by the second from the order on, at least a minute, and in full while powered off, whether from inside or
///   by the API, since disk, processor, memory and address stay reserved:
///   <https://docs.digitalocean.com/products/droplets/details/pricing/>;
/// - the images with drivers: <https://docs.digitalocean.com/products/droplets/getting-started/recommended-gpu-setup/>;
/// - invoices, the running month's included, have lines with the number of the Droplet: first page;
/// - scopes of a token: <https://docs.digitalocean.com/reference/api/scopes/>.
#[must_use]
pub fn rental_terms() -> RentalTerms {
    let image = |id: &str, title: &str, kind| Image { id: id.to_owned(), title: title.to_owned(), kind };
    RentalTerms {
        booking: false,
        forms: &[Form::Vm],
        prices: &[PriceKind::OnDemand, PriceKind::Reserved],
        place: PlaceTold::Region,
        idempotency: Idempotency::None,
        list_lag: Duration::from_secs(15),
        fresh: Duration::from_secs(60),
        poll: Duration::from_secs(10),
        rates: RATES,
        between_launches: Duration::from_secs(1),
        bills_from: BillsFrom::Order,
        disk_billed_apart: false,
        offers_end: false,
        disk: None,
        stop: StopTerms {
            exists: true,
            ends_compute: false,
            keeps_disk: Some(true),
            disk_billed: Some(false),
            start_may_wait: false,
            guest_shutdown_ends_compute: Some(false),
        },
        box_stop: None,
        wiped_gb: 0,
        own_timer: OwnTimer::None,
        tells_balance: false,
        tells_usage: true,
        images: vec![
            image(READY, "AI/ML-ready image for the card, with drivers", ImageKind::Cuda),
            image("ubuntu-24-04-x64", "Ubuntu 24.04, without drivers", ImageKind::Custom),
        ],
        any_image: true,
        user_data: UserData { kind: UserDataKind::CloudInit, max_bytes: Some(MOST_USER_DATA) },
        mark: "tag",
        tags: TagRoom::Tags,
        retags: false,
        ssh: SshTerms { user: "root", admin: SshAdmin::Root, way: SshWay::Direct },
        key: KeyTerms {
            scopes: SCOPES,
            read_only: true,
            rights: "a token with full access, or one with the custom scopes listed here",
            page: "https://cloud.digitalocean.com/account/api/tokens",
            ..KeyTerms::plain()
        },
    }
}
