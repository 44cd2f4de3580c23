//! From a server to a machine.

use gpudesk_core::rental::{Machine, MachineState, Notice, SshAddress};

use super::map::place;
use super::wire::Server;
use crate::cloud::{iso, mark};
use crate::http::redact;

/// The user of every image.
pub(super) const USER: &str = "root";

/// A machine's id here: its zone and its id in that zone, without which no call can be made.
pub(super) fn remote_id(zone: &str, id: &str) -> String {
    format!("{zone}_{id}")
}

/// Zone and id of a machine's id here.
pub(super) fn split(remote_id: &str) -> Option<(&str, &str)> {
    remote_id.split_once('_').filter(|(zone, id)| !zone.is_empty() && !id.is_empty())
}

/// Reads one server of a zone; what is wrong with it otherwise.
pub(super) fn machine(zone: &str, json: &str) -> Result<Machine, String> {
    let server: Server<'_> = serde_json::from_str(json).map_err(|error| format!("not a server: {error}"))?;
    let Some(id) = server.id.text().map(|id| redact::words(&id)) else {
        return Err("a server without an id".to_owned());
    };
    let word = server.state.text().map(|word| redact::words(&word)).unwrap_or_default();
    let state = state(&word);
    let name = server.name.text().map(|name| redact::words(&name));
    let tags = server.tags.iter().flatten().filter_map(|tag| tag.text());
    let token = tags.filter_map(|tag| mark(&tag)).next().or_else(|| name.as_deref().and_then(mark));
    let mut notices = Vec::new();
    if is_in_place(&word) {
        notices.push(Notice::StillBilled { word: word.clone() });
    }
    if server.protected.flag() == Some(true) {
        notices.push(Notice::Locked);
    }
    if server.maintenances.iter().flatten().next().is_some() {
        notices.push(Notice::Says { words: "Scaleway plans a maintenance that stops it".to_owned() });
    }
    let port = server.practice_ssh_port.whole().and_then(|port| u16::try_from(port).ok()).unwrap_or(22);
    let addresses =
        server.public_ips.iter().flatten().filter(|ip| ip.family.text().is_some_and(|f| f == "inet"));
    let ssh = addresses
        .filter(|_| state == MachineState::Running)
        .filter_map(|ip| SshAddress::new(&ip.address.text()?, port, USER, false))
        .collect();
    Ok(Machine {
        remote_id: remote_id(zone, &id),
        token,
        name,
        state,
        word,
        asked: None,
        spot: false,
        detail: server.state_detail.text().map(|detail| redact::words(&detail)),
        ssh,
        // A server tells its type, not its cards.
        gpu_name: server.commercial_type.text().map(|kind| redact::words(&kind)),
        gpu_count: None,
        place: place(zone),
        per_hour: None,
        currency: None,
        disk_gb: None,
        created_at: iso(server.creation_date),
        running_since: None,
        ends_at: None,
        timer: None,
        notices,
    })
}

/// The official clients know this word with spaces and with underscores.
fn is_in_place(word: &str) -> bool {
    matches!(word, "stopped in place" | "stopped_in_place")
}

fn state(word: &str) -> MachineState {
    match word {
        "starting" => MachineState::Booting,
        "running" => MachineState::Running,
        "stopping" => MachineState::Stopping,
        "stopped" => MachineState::Stopped,
        word if is_in_place(word) => MachineState::Stopped,
        "locked" => MachineState::Failed,
        _ => MachineState::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_running_server_is_read_whole() {
        let json = r#"{"id": "11111111-2222-4333-8444-555555555555", "name": "gpudesk-7f3c", "state": "running",
            "commercial_type": "L4-1-24G", "tags": ["gpudesk", "gpudesk-9a1b"], "creation_date": "2026-11-30T08:00:00+00:00",
            "public_ip": {"address": "203.0.113.9"}, "state_detail": "booted",
            "public_ips": [{"address": "2001:db8::9", "family": "inet6"}, {"address": "203.0.113.7", "family": "inet"}],
            "maintenances": [{"reason": "x"}], "protected": true}"#;
        let machine = machine("pl-waw-2", json).unwrap();
        assert_eq!(machine.remote_id, "pl-waw-2_11111111-2222-4333-8444-555555555555");
        assert_eq!(split(&machine.remote_id).unwrap().0, "pl-waw-2");
        assert_eq!(machine.token.as_deref(), Some("gpudesk-9a1b"));
        assert_eq!(machine.ssh, [SshAddress::new("203.0.113.7", 22, "root", false).unwrap()]);
        assert_eq!(machine.place.country.as_deref(), Some("PL"));
        assert!(machine.notices.contains(&Notice::Locked) && machine.notices.len() == 2);
    }

    #[test]
    fn every_state_has_a_meaning_and_standing_by_is_billed() {
        for (word, expected, billed) in [
            ("starting", MachineState::Booting, false),
            ("running", MachineState::Running, false),
            ("stopping", MachineState::Stopping, false),
            ("stopped", MachineState::Stopped, false),
            ("stopped in place", MachineState::Stopped, true),
            ("stopped_in_place", MachineState::Stopped, true),
            ("locked", MachineState::Failed, false),
            ("rebalancing", MachineState::Unknown, false),
        ] {
            let machine = machine("fr-par-2", &format!(r#"{{"id": "a", "state": "{word}"}}"#)).unwrap();
            assert_eq!((machine.state, machine.word.as_str()), (expected, word));
            let notice = Notice::StillBilled { word: word.to_owned() };
            assert_eq!(machine.notices.contains(&notice), billed, "{word}");
        }
        assert!(machine("fr-par-2", r#"{"state": "running"}"#).is_err());
    }
}
