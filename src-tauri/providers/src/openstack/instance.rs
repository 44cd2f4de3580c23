//! From a server to a machine.

use std::collections::BTreeMap;
use std::net::IpAddr;

use chrono::{DateTime, NaiveDateTime, Utc};
use gpudesk_core::rental::{Machine, MachineState, Notice, SshAddress};
use rust_decimal::Decimal;

use super::card::{self, Cards};
use super::map::place;
use super::profile::Profile;
use super::wire::{Address, Fault, Flavor, Server, is_region};
use crate::cloud::{iso, mark};
use crate::entry;
use crate::http::{Literal, redact};

/// The user of Ubuntu's images, which the usual ones are.
pub(super) const USER: &str = "ubuntu";

/// The name of the mark in a server's metadata, and the beginning of the other names there.
pub(super) const META: &str = "gpudesk";

/// The name of the image's user in a server's metadata: the services do not tell it again.
pub(super) const META_USER: &str = "gpudesk-user";

/// A server's id beside its region: ids are a region's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct At<'a> {
    pub region: &'a str,
    pub id: &'a str,
}

impl<'a> At<'a> {
    /// Reads what [`At::whole`] wrote; `None` for anything else.
    pub fn read(remote_id: &'a str) -> Option<Self> {
        let (region, id) = remote_id.rsplit_once('_')?;
        let plain = (1..=64).contains(&id.len()) && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        (is_region(region) && plain).then_some(Self { region, id })
    }

    pub fn whole(self) -> String {
        format!("{}_{}", self.region, self.id)
    }
}

/// Reads one server of a region; what is wrong with it otherwise.
pub(super) fn machine(profile: &Profile, region: &str, json: &str) -> Result<Machine, String> {
    let server: Server<'_> = entry::read(json, "a server")?;
    let id = server.id.text().ok_or("a server without an id")?;
    let remote_id = At { region, id: &id }.whole();
    At::read(&remote_id).ok_or("a server whose id is none")?;
    let text = |literal: Literal<'_>| literal.text().map(|text| redact::words(&text));
    let (status, task) =
        (text(server.status).unwrap_or_default(), text(server.task_state).unwrap_or_default());
    let state = state(&status, &task);
    let metadata: BTreeMap<String, Literal<'_>> = server.metadata.object();
    let meta = |name: &str| metadata.get(name).copied().and_then(text);
    let name = text(server.name);
    let tags: Vec<Literal<'_>> = server.tags.object();
    let flavor: Flavor<'_> = server.flavor.object();
    let flavor_name = text(flavor.original_name).or_else(|| text(flavor.name)).unwrap_or_default();
    let cards = match card::of(profile, &flavor_name, &flavor) {
        Cards::Some(cards) => Some(cards),
        Cards::None | Cards::Unclear(_) => None,
    };
    let user = meta(META_USER).unwrap_or_else(|| USER.to_owned());
    let way = address(&server, &user);
    let zone = text(server.zone);
    Ok(Machine {
        remote_id,
        token: meta(META).as_deref().and_then(mark).or_else(|| name.as_deref().and_then(mark)),
        name,
        state,
        asked: None,
        spot: profile
            .spot_tag
            .is_some_and(|spot| tags.iter().any(|tag| tag.text().is_some_and(|tag| tag == spot))),
        detail: detail(state, &server, way.is_some()),
        ssh: way.into_iter().filter(|_| state == MachineState::Running).collect(),
        gpu_name: cards.as_ref().map(|cards| cards.card.clone()),
        gpu_count: cards.as_ref().map(|cards| cards.count),
        place: place(profile, region, zone.as_deref()),
        // The prices stand elsewhere.
        per_hour: None,
        currency: None,
        disk_gb: flavor.disk.decimal().filter(|gib| *gib > Decimal::ZERO),
        created_at: iso(server.created),
        running_since: launched(server.launched_at),
        ends_at: None,
        timer: None,
        notices: notices(profile, state, &status, &flavor_name, server.locked.flag() == Some(true)),
        word: if task.is_empty() { status } else { format!("{status}/{task}") },
    })
}

fn detail(state: MachineState, server: &Server<'_>, has_way: bool) -> Option<String> {
    let fault: Fault<'_> = server.fault.object();
    match state {
        MachineState::Failed => fault.message.text().map(|words| redact::words(&words)),
        MachineState::Running if !has_way => Some("waiting for its public address".to_owned()),
        _ => None,
    }
}

fn notices(profile: &Profile, state: MachineState, status: &str, flavor: &str, locked: bool) -> Vec<Notice> {
    let mut notices = Vec::new();
    if state == MachineState::Stopped && !status.starts_with("SHELVED") && profile.shut_off_is_billed {
        notices.push(Notice::StillBilled { word: status.to_owned() });
    }
    let loses = profile.loses_nvme.iter().any(|begin| flavor.starts_with(begin));
    if loses && state == MachineState::Running {
        notices.push(Notice::Says { words: "a stop empties its local NVMe disks".to_owned() });
    }
    if locked {
        notices.push(Notice::Locked);
    }
    notices
}

/// A time without its zone, which is UTC.
fn launched(text: Literal<'_>) -> Option<DateTime<Utc>> {
    let text = text.text()?;
    text.trim_end_matches('Z').parse::<NaiveDateTime>().ok().map(|time| time.and_utc())
}

/// The way in: a floating address, else one of the network's own that is public, each IPv4 first.
fn address(server: &Server<'_>, user: &str) -> Option<SshAddress> {
    let networks: BTreeMap<String, Vec<Address<'_>>> = server.addresses.object();
    let port = server.practice_ssh_port.whole().and_then(|port| u16::try_from(port).ok()).unwrap_or(22);
    let mut ways: Vec<(u8, SshAddress)> = networks
        .values()
        .flatten()
        .filter_map(|one| {
            let ip: IpAddr = one.addr.text()?.parse().ok()?;
            let floating = one.kind.text().is_some_and(|kind| kind == "floating");
            let rank = match ip {
                IpAddr::V4(_) if floating => 0,
                IpAddr::V4(ip) if !ip.is_private() && !ip.is_link_local() && !is_shared(ip) => 1,
                IpAddr::V6(ip) if (ip.segments()[0] & 0xe000) == 0x2000 => 2,
                _ => return None,
            };
            Some((rank, SshAddress::new(&ip.to_string(), port, user, false)?))
        })
        .collect();
    ways.sort_by_key(|(rank, _)| *rank);
    ways.into_iter().next().map(|(_, way)| way)
}

/// Addresses that carriers give their own customers (100.64.0.0/10).
fn is_shared(ip: std::net::Ipv4Addr) -> bool {
    let [first, second, ..] = ip.octets();
    first == 100 && (64..128).contains(&second)
}

/// The state that a status and the task under way stand for (<https://docs.openstack.org/api-guide/compute/server_concepts.html>).
/// Between the answer to a call and the change the status is still the old one.
pub(super) fn state(status: &str, task: &str) -> MachineState {
    match (status, task) {
        (_, "deleting" | "soft-deleting") => MachineState::Ending,
        ("BUILD", _) => MachineState::Provisioning,
        ("ACTIVE", "powering-off" | "suspending" | "pausing") => MachineState::Stopping,
        ("ACTIVE" | "SHUTOFF" | "PAUSED" | "SUSPENDED" | "SHELVED", task) if task.starts_with("shelving") => {
            MachineState::Stopping
        }
        ("SHUTOFF", "powering-on") | ("PAUSED", "unpausing") | ("SUSPENDED", "resuming") => {
            MachineState::Booting
        }
        ("SHELVED" | "SHELVED_OFFLOADED", task) if !task.is_empty() => MachineState::Booting,
        ("SHUTOFF" | "PAUSED" | "SUSPENDED" | "SHELVED" | "SHELVED_OFFLOADED", _) => MachineState::Stopped,
        (
            "ACTIVE" | "REBOOT" | "HARD_REBOOT" | "RESIZE" | "VERIFY_RESIZE" | "REVERT_RESIZE" | "MIGRATING"
            | "REBUILD" | "PASSWORD" | "RESCUE",
            _,
        ) => MachineState::Running,
        ("ERROR", _) => MachineState::Failed,
        ("SOFT_DELETED" | "DELETED", _) => MachineState::Ended,
        // Selectel's word for one that was taken back.
        ("EXPIRED", _) => MachineState::Preempted,
        _ => MachineState::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::super::profile::{IMMERS, OPENSTACK, OVH, SELECTEL, VK};
    use super::*;

    const ACTIVE: &str = r#"{"id": "4f0b4b56-0000-4000-8000-000000000001", "name": "gpudesk-7f3c", "status": "ACTIVE",
        "OS-EXT-STS:task_state": null, "OS-EXT-AZ:availability_zone": "ru-7a", "created": "2026-11-30T08:00:00Z",
        "OS-SRV-USG:launched_at": "2026-11-30T08:01:00.000000", "locked": false, "tags": ["preemptible"],
        "metadata": {"gpudesk": "gpudesk-7f3c", "gpudesk-user": "debian", "gpudesk-until": "2026-11-30T17:00:00Z"},
        "flavor": {"original_name": "GL3.4-32768-0-1GPU", "vcpus": 4, "ram": 32768, "disk": 0, "extra_specs": {}},
        "addresses": {"net": [
            {"addr": "2001:db8::5", "version": 6, "OS-EXT-IPS:type": "fixed"},
            {"addr": "10.20.0.5", "version": 4, "OS-EXT-IPS:type": "fixed"},
            {"addr": "203.0.113.9", "version": 4, "OS-EXT-IPS:type": "floating"}]},
        "accessIPv4": ""}"#;

    fn read(json: &str) -> Machine {
        machine(&SELECTEL, "ru-7", json).unwrap()
    }

    #[test]
    fn a_server_is_read_whole() {
        let machine = read(ACTIVE);
        assert_eq!(machine.remote_id, "ru-7_4f0b4b56-0000-4000-8000-000000000001");
        assert_eq!((machine.state, machine.word.as_str()), (MachineState::Running, "ACTIVE"));
        assert_eq!(machine.token.as_deref(), Some("gpudesk-7f3c"));
        assert_eq!(machine.ssh, [SshAddress::new("203.0.113.9", 22, "debian", false).unwrap()]);
        assert!(machine.spot, "its tag says so");
        assert_eq!((machine.gpu_name.as_deref(), machine.gpu_count), (Some("Tesla T4"), Some(1)));
        assert_eq!(
            (machine.place.country.as_deref(), machine.place.seller.as_deref()),
            (Some("RU"), Some("RU"))
        );
        assert_eq!(
            machine.running_since,
            Some("2026-11-30T08:01:00Z".parse().unwrap()),
            "UTC without its zone"
        );
        assert_eq!((machine.per_hour, machine.notices), (None, Vec::new()));
    }

    #[test]
    fn the_best_address_is_taken_and_a_private_one_is_none() {
        let with = |list: &str| {
            let json = format!(r#"{{"id": "a", "status": "ACTIVE", "addresses": {list}}}"#);
            let machine = machine(&OVH, "GRA11", &json).unwrap();
            (machine.ssh.first().map(|way| way.host.clone()), machine.detail)
        };
        let fixed = |ip: &str| format!(r#"{{"addr": "{ip}", "OS-EXT-IPS:type": "fixed"}}"#);
        let public = format!(r#"{{"n": [{}], "Ext-Net": [{}]}}"#, fixed("10.0.0.1"), fixed("198.51.100.4"));
        assert_eq!(with(&public).0.as_deref(), Some("198.51.100.4"));
        let only_v6 = format!(r#"{{"n": [{}, {}]}}"#, fixed("fe80::1"), fixed("2001:db8::7"));
        assert_eq!(with(&only_v6).0.as_deref(), Some("2001:db8::7"));
        for none in
            ["10.0.0.1", "192.168.3.4", "172.16.0.9", "100.64.0.1", "169.254.1.1", "fd00::1", "no address"]
        {
            let (way, detail) = with(&format!(r#"{{"n": [{}]}}"#, fixed(none)));
            assert_eq!(way, None, "{none}");
            assert!(detail.unwrap().contains("address"));
        }
        assert_eq!(with("{}").0, None, "empty while it is built");
        assert_eq!(with("null").0, None);
    }

    #[test]
    fn every_status_and_task_has_a_state() {
        use MachineState::*;
        for (status, task, expected) in [
            ("BUILD", "scheduling", Provisioning),
            ("BUILD", "", Provisioning),
            ("BUILD", "spawning", Provisioning),
            ("ACTIVE", "", Running),
            ("ACTIVE", "powering-off", Stopping),
            ("ACTIVE", "shelving", Stopping),
            ("ACTIVE", "shelving_image_uploading", Stopping),
            ("ACTIVE", "suspending", Stopping),
            ("ACTIVE", "deleting", Ending),
            ("ACTIVE", "rebooting", Running),
            ("SHUTOFF", "", Stopped),
            ("SHUTOFF", "powering-on", Booting),
            ("SHUTOFF", "shelving", Stopping),
            ("SHELVED", "", Stopped),
            ("SHELVED", "shelving_offloading", Stopping),
            ("SHELVED_OFFLOADED", "", Stopped),
            ("SHELVED_OFFLOADED", "unshelving", Booting),
            ("SHELVED_OFFLOADED", "spawning", Booting),
            ("PAUSED", "", Stopped),
            ("SUSPENDED", "", Stopped),
            ("SUSPENDED", "resuming", Booting),
            ("REBOOT", "", Running),
            ("HARD_REBOOT", "", Running),
            ("RESIZE", "", Running),
            ("VERIFY_RESIZE", "", Running),
            ("MIGRATING", "", Running),
            ("REBUILD", "", Running),
            ("PASSWORD", "", Running),
            ("RESCUE", "", Running),
            ("ERROR", "", Failed),
            ("ERROR", "deleting", Ending),
            ("SOFT_DELETED", "", Ended),
            ("DELETED", "", Ended),
            ("EXPIRED", "", Preempted),
            ("UNKNOWN", "", Unknown),
            ("LEVITATING", "", Unknown),
            ("", "", Unknown),
        ] {
            assert_eq!(state(status, task), expected, "{status}/{task}");
        }
    }

    #[test]
    fn a_broken_server_says_why_and_a_stopped_one_whether_it_costs() {
        let broken = r#"{"id": "a", "status": "ERROR", "fault": {"code": 500, "message": "No valid host was found. "}}"#;
        assert_eq!(read(broken).detail.as_deref(), Some("No valid host was found."));
        let notices = |profile: &Profile, status: &str| {
            machine(profile, "r", &format!(r#"{{"id": "a", "status": "{status}"}}"#)).unwrap().notices
        };
        let billed = [Notice::StillBilled { word: "SHUTOFF".to_owned() }];
        for profile in [&SELECTEL, &IMMERS, &OVH] {
            assert_eq!(notices(profile, "SHUTOFF"), billed, "{}", profile.title);
            assert_eq!(notices(profile, "SHELVED_OFFLOADED"), []);
        }
        assert_eq!(notices(&VK, "SHUTOFF"), [], "its pages do not say");
        assert_eq!(notices(&OPENSTACK, "SHUTOFF"), []);
        let nvme =
            r#"{"id": "a", "status": "ACTIVE", "flavor": {"original_name": "t2-180"}, "locked": true}"#;
        let notices = machine(&OVH, "GRA9", nvme).unwrap().notices;
        assert!(matches!(&notices[..], [Notice::Says { words }, Notice::Locked] if words.contains("NVMe")));
    }

    #[test]
    fn an_id_has_its_region_and_nothing_that_climbs() {
        assert_eq!(At::read("ru_7.x_4f0b"), Some(At { region: "ru_7.x", id: "4f0b" }));
        for none in ["4f0b", "_4f0b", "ru-7_", "ru-7_a/b", "../.._x", "ru-7_%2e", "", "ru/7_a"] {
            assert_eq!(At::read(none), None, "{none}");
        }
        assert!(machine(&VK, "r", r#"{"id": "a/b", "status": "ACTIVE"}"#).is_err());
        assert!(machine(&VK, "r", r#"{"status": "ACTIVE"}"#).is_err());
    }
}
