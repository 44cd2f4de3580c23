//! From a Droplet to a machine.

use gpudesk_core::money::Currency;
use gpudesk_core::rental::{Machine, MachineState, Notice, SshAddress};
use rust_decimal::Decimal;

use super::api::number;
use super::map::{card_of, place};
use super::wire::{Droplet, Networks, Region, Size};
use crate::cloud::{iso, mark};
use crate::http::redact;

/// The user of every image.
const USER: &str = "root";

/// Reads one Droplet; what is wrong with it otherwise.
pub(super) fn machine(json: &str) -> Result<Machine, String> {
    let droplet: Droplet<'_> =
        serde_json::from_str(json).map_err(|error| format!("not a Droplet: {error}"))?;
    let Some(id) = number(droplet.id) else { return Err("a Droplet without an id".to_owned()) };
    let word = droplet.status.text().map(|word| redact::words(&word)).unwrap_or_default();
    let state = state(&word);
    let locked = droplet.locked.flag() == Some(true);
    let mut notices = Vec::new();
    if state == MachineState::Stopped {
        notices.push(Notice::StillBilled { word: word.clone() });
    }
    let name = droplet.name.text().map(|name| redact::words(&name));
    let tags = droplet.tags.iter().flatten().filter_map(|tag| tag.text());
    let token = tags.filter_map(|tag| mark(&tag)).next().or_else(|| name.as_deref().and_then(mark));
    let region: Region<'_> = droplet.region.object();
    let size: Size<'_> = droplet.size.object();
    let info = droplet.gpu_info.as_ref().or(size.gpu_info.as_ref());
    let count = info.and_then(|info| info.count.whole()).and_then(|count| u32::try_from(count).ok());
    let card = info.zip(count).map(|(info, count)| card_of(info, "", count));
    let port = droplet.practice_ssh_port.whole().and_then(|port| u16::try_from(port).ok()).unwrap_or(22);
    Ok(Machine {
        remote_id: id.to_string(),
        token,
        name,
        state,
        detail: locked.then(|| "an action is in progress".to_owned()),
        word: if locked { format!("{word}/locked") } else { word },
        asked: None,
        spot: false,
        ssh: public(droplet.networks.object())
            .and_then(|ip| SshAddress::new(&ip, port, USER, false))
            .into_iter()
            .filter(|_| state == MachineState::Running)
            .collect(),
        gpu_name: card.map(|card| card.raw_name).filter(|name| !name.is_empty()),
        gpu_count: count,
        place: place(region.slug.text().map(|slug| redact::words(&slug))),
        per_hour: size.price_hourly.amount(Currency::USD).filter(|price| *price > Decimal::ZERO),
        currency: Some(Currency::USD),
        disk_gb: droplet.disk.decimal().filter(|gb| *gb > Decimal::ZERO),
        created_at: iso(droplet.created_at),
        running_since: None,
        ends_at: None,
        timer: None,
        notices,
    })
}

/// The public address. The private one often comes first, and right after the making there is none at all.
fn public(networks: Networks<'_>) -> Option<String> {
    let all = networks.v4.unwrap_or_default();
    let entry = all.iter().find(|entry| entry.kind.text().is_some_and(|kind| kind == "public"))?;
    entry.ip_address.text().map(std::borrow::Cow::into_owned)
}

fn state(word: &str) -> MachineState {
    match word {
        "new" => MachineState::Provisioning,
        "active" => MachineState::Running,
        "off" => MachineState::Stopped,
        "archive" => MachineState::Ended,
        _ => MachineState::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACTIVE: &str = r#"{"id": 448543583, "name": "gpudesk-7f3c", "memory": 245760, "vcpus": 20, "disk": 720,
        "locked": false, "status": "active", "created_at": "2026-11-30T08:00:00Z", "tags": ["gpudesk", "gpudesk-9a1b"],
        "networks": {"v4": [
            {"ip_address": "10.128.192.124", "netmask": "255.255.0.0", "gateway": "nil", "type": "private"},
            {"ip_address": "192.241.165.154", "netmask": "255.255.255.0", "gateway": "192.241.165.1", "type": "public"}],
            "v6": []},
        "region": {"slug": "tor1", "name": "Toronto 1"}, "size_slug": "gpu-h100x8-640gb",
        "size": {"slug": "gpu-h100x8-640gb", "price_hourly": 23.92},
        "gpu_info": {"count": 8, "model": "nvidia_h100", "vram": {"amount": 640, "unit": "gib"}}}"#;

    #[test]
    fn the_public_address_is_taken_wherever_it_stands() {
        let machine = machine(ACTIVE).unwrap();
        assert_eq!(machine.ssh, [SshAddress::new("192.241.165.154", 22, "root", false).unwrap()]);
        assert_eq!(machine.remote_id, "448543583");
        assert_eq!(
            machine.token.as_deref(),
            Some("gpudesk-9a1b"),
            "the tag is the mark, the name may change"
        );
        assert_eq!((machine.gpu_count, machine.gpu_name.as_deref()), (Some(8), Some("nvidia_h100")));
        assert_eq!(machine.per_hour, Some("23.92".parse().unwrap()));
        assert_eq!(machine.place.country.as_deref(), Some("CA"));
        let private_only = ACTIVE.replace("\"type\": \"public\"", "\"type\": \"private\"");
        assert!(super::machine(&private_only).unwrap().ssh.is_empty());
    }

    #[test]
    fn every_status_has_a_state_and_fields_may_be_absent() {
        for (word, expected) in [
            ("new", MachineState::Provisioning),
            ("active", MachineState::Running),
            ("off", MachineState::Stopped),
            ("archive", MachineState::Ended),
            ("migrating", MachineState::Unknown),
        ] {
            let machine =
                machine(&format!(r#"{{"id": 7, "status": "{word}", "networks": {{"v4": []}}}}"#)).unwrap();
            assert_eq!((machine.state, machine.word.as_str()), (expected, word));
            assert_eq!((machine.token, machine.per_hour, machine.ssh.len()), (None, None, 0));
            let billed = machine.notices.contains(&Notice::StillBilled { word: "off".to_owned() });
            assert_eq!(billed, word == "off", "powered off is billed in full");
        }
        assert!(machine(r#"{"status": "active"}"#).is_err());
    }

    #[test]
    fn a_lock_is_told_beside_the_state() {
        let machine = machine(r#"{"id": 7, "status": "active", "locked": true}"#).unwrap();
        assert_eq!((machine.state, machine.word.as_str()), (MachineState::Running, "active/locked"));
        assert!(machine.detail.is_some());
    }
}
