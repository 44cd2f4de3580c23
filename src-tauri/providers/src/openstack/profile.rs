//! What is known of each cloud that is OpenStack underneath: data only. A further one is one more constant.

use gpudesk_core::rental::{BillsFrom, DiskRange, KeyField, StopTerms};

use super::names::{self, Named};
use super::parts;

/// Where prices are told. OpenStack itself knows none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PriceSource {
    /// A sheet that the team keeps, see `docs/openstack.md`.
    Sheet,
    /// The public catalogue of OVHcloud.
    OvhCatalogue,
}

/// One cloud.
pub struct Profile {
    /// Its name in commands and in the addresses that replace its own.
    pub(super) provider: &'static str,
    /// As in errors and lists.
    pub(super) title: &'static str,
    /// Where tokens are given out: scheme and host, and the path below them; `None` where only the key can say.
    pub(super) identity: Option<(&'static str, &'static str)>,
    /// What the hosts that give tokens out end in. A key for another host belongs to another cloud: place and seller
    /// would be wrong. Empty = any.
    pub(super) hosts: &'static [&'static str],
    /// The domain of users and projects where a key names none.
    pub(super) domain: Option<&'static str>,
    /// Where prices are told.
    pub(super) prices: PriceSource,
    /// What a flavor's name tells of its cards.
    pub(super) cards: fn(&str) -> Option<Named>,
    /// The tag that makes a server one that may be taken back.
    pub(super) spot_tag: Option<&'static str>,
    /// The network whose ports are public addresses themselves.
    pub(super) public_network: Option<&'static str>,
    /// Where every server boots from a volume: its sizes. Elsewhere only flavors without a disk do.
    pub(super) volume: Option<DiskRange>,
    /// Flavors, by the beginning of their names, whose local NVMe disks are empty after a shelve.
    pub(super) loses_nvme: &'static [&'static str],
    /// Whether a server that is shut down (not shelved) is billed for its cards, as the cloud says.
    pub(super) shut_off_is_billed: bool,
    /// From when on the cards are billed.
    pub(super) bills_from: BillsFrom,
    /// What a stop is, which is a shelve.
    pub(super) stop: StopTerms,
    /// The parts of a key.
    pub(super) fields: &'static [KeyField],
    /// Whether a key that can only look can be made.
    pub(super) read_only: bool,
    /// The least a key needs.
    pub(super) rights: &'static str,
    /// Where such a key is made.
    pub(super) key_page: &'static str,
}

/// A shelve whose billing nobody has described: what costs more is assumed.
const SHELVE: StopTerms = StopTerms {
    exists: true,
    ends_compute: false,
    keeps_disk: Some(true),
    disk_billed: Some(true),
    // The cards go to somebody else; an unshelve fails while none are free.
    start_may_wait: true,
    guest_shutdown_ends_compute: None,
};

const RIGHTS: &str = "an application credential with the role member in one project, better one that expires";

/// Any cloud; the key says where.
pub const OPENSTACK: Profile = Profile {
    provider: "openstack",
    title: "OpenStack",
    identity: None,
    hosts: &[],
    domain: Some("Default"),
    prices: PriceSource::Sheet,
    cards: names::none,
    spot_tag: None,
    public_network: None,
    volume: None,
    loses_nvme: &[],
    shut_off_is_billed: false,
    bills_from: BillsFrom::Order,
    stop: SHELVE,
    fields: parts::ANY,
    // The role reader of Keystone.
    read_only: true,
    rights: RIGHTS,
    key_page: "https://docs.openstack.org/keystone/latest/user/application_credentials.html",
};

/// Selectel (<https://docs.selectel.ru/en/cloud-servers/about/payment>,
/// <https://docs.selectel.ru/en/cloud-servers/about/preemptible-servers>).
pub const SELECTEL: Profile = Profile {
    provider: "selectel",
    title: "Selectel",
    identity: Some(("https://cloud.api.selcloud.ru", "/identity/v3")),
    hosts: &["selcloud.ru", "selvpc.ru"],
    // The number of the account.
    domain: None,
    cards: names::selectel,
    spot_tag: Some("preemptible"),
    volume: Some(DiskRange { least: 10, usual: 100 }),
    shut_off_is_billed: true,
    stop: StopTerms { ends_compute: true, guest_shutdown_ends_compute: Some(false), ..SHELVE },
    fields: parts::OF_SELECTEL,
    read_only: false,
    rights: "a service user with the role member in one project",
    key_page: "https://docs.selectel.ru/en/access-control/user-types/#service-users",
    ..OPENSTACK
};

/// VK Cloud (<https://github.com/vk-cs/docs-public>, `computing/iaas/tariffication`). Whether a shelve or a stop frees the
/// price of the card is not said.
pub const VK: Profile = Profile {
    provider: "vk",
    title: "VK Cloud",
    identity: Some(("https://infra.mail.ru:5000", "/v3")),
    hosts: &["infra.mail.ru"],
    domain: Some("users"),
    cards: names::vk,
    volume: Some(DiskRange { least: 10, usual: 100 }),
    fields: parts::OF_VK,
    read_only: false,
    rights: "a user with API access switched on and the role of a project administrator",
    key_page: "https://msk.cloud.vk.com/app/project/keys",
    ..OPENSTACK
};

/// immers.cloud (<https://en.immers.cloud/faq/view/?id=35>): a server that is shut down keeps its card, and pays for it.
pub const IMMERS: Profile = Profile {
    provider: "immers",
    title: "immers.cloud",
    identity: Some(("https://api.immers.cloud:5000", "/v3")),
    hosts: &["immers.cloud"],
    cards: names::immers,
    shut_off_is_billed: true,
    stop: StopTerms { ends_compute: true, guest_shutdown_ends_compute: Some(false), ..SHELVE },
    fields: parts::OF_IMMERS,
    read_only: false,
    key_page: "https://immers.cloud",
    ..OPENSTACK
};

/// OVHcloud (<https://github.com/ovh/docs>, `public_cloud/compute/suspend_or_pause_an_instance` and `analyze_billing`).
/// Customers of the company in the United States have another one: their key is one of `openstack`.
pub const OVH: Profile = Profile {
    provider: "ovh",
    title: "OVHcloud",
    identity: Some(("https://auth.cloud.ovh.net", "/v3")),
    hosts: &["cloud.ovh.net"],
    prices: PriceSource::OvhCatalogue,
    cards: names::ovh,
    public_network: Some("Ext-Net"),
    loses_nvme: &["t1-180", "t2-180", "i1-"],
    shut_off_is_billed: true,
    bills_from: BillsFrom::Running,
    stop: StopTerms { ends_compute: true, guest_shutdown_ends_compute: Some(false), ..SHELVE },
    fields: parts::OF_OVH,
    read_only: false,
    rights: "a user of the project with the role of a compute operator, made on its page Users & Roles",
    key_page: "https://www.ovh.com/manager/#/public-cloud/",
    ..OPENSTACK
};

/// Every one of them.
pub(super) const ALL: [&Profile; 5] = [&SELECTEL, &VK, &IMMERS, &OVH, &OPENSTACK];

impl Profile {
    /// Whether a host is one of this cloud's.
    pub(super) fn has_host(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        self.hosts.is_empty()
            || self.hosts.iter().any(|end| host == *end || host.ends_with(&format!(".{end}")))
    }

    /// The cloud a host belongs to; any cloud where it is nobody's of the known ones.
    pub(super) fn of_host(host: &str) -> &'static Self {
        ALL.into_iter().find(|profile| profile.has_host(host)).unwrap_or(&OPENSTACK)
    }
}

#[cfg(test)]
mod tests {
    use gpudesk_core::place::{canonical_provider, provider_title, seller};

    use super::*;

    #[test]
    fn every_profile_is_a_known_provider_with_its_seller() {
        let told: Vec<_> = ALL.iter().map(|one| (one.provider, seller(one.provider))).collect();
        assert_eq!(
            told,
            [
                ("selectel", Some("RU")),
                ("vk", Some("RU")),
                ("immers", Some("RU")),
                ("ovh", Some("FR")),
                ("openstack", None)
            ]
        );
        for profile in ALL {
            assert_eq!(canonical_provider(profile.provider), profile.provider);
            assert_eq!(provider_title(profile.provider), Some(profile.title));
        }
    }

    #[test]
    fn a_host_tells_the_cloud_and_a_look_alike_does_not() {
        let of = |host| Profile::of_host(host).provider;
        assert_eq!(of("cloud.api.selcloud.ru"), "selectel");
        assert_eq!(of("ru-3.cloud.api.selcloud.ru"), "selectel");
        assert_eq!(of("infra.mail.ru"), "vk");
        assert_eq!(of("API.immers.cloud"), "immers");
        assert_eq!(of("auth.cloud.ovh.net"), "ovh");
        assert_eq!(of("auth.cloud.ovh.us"), "openstack", "another seller");
        assert_eq!(of("evilselcloud.ru"), "openstack");
        assert_eq!(of("selcloud.ru.evil.example"), "openstack");
    }
}
