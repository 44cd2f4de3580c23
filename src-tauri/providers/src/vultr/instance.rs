//! From an instance to a machine.

use gpudesk_core::offer::Place;
use gpudesk_core::place::{locate, seller};
use gpudesk_core::rental::{Machine, MachineState, Notice, SshAddress};

use super::map::{Kind, PROVIDER};
use super::wire::Instance;
use crate::cloud::{iso, mark};
use crate::http::{Literal, redact};

/// The user of every image, unless a limited one was asked for.
pub(super) const USER: &str = "root";

/// The limited user.
const LIMITED_USER: &str = "linuxuser";

/// What an address is until there is one.
const NO_ADDRESS: &str = "0.0.0.0";

/// Reads one machine of a list; what is wrong with it otherwise.
pub(super) fn machine(kind: Kind, json: &str) -> Result<Machine, String> {
    let instance: Instance<'_> =
        serde_json::from_str(json).map_err(|error| format!("not an instance: {error}"))?;
    let Some(remote_id) = instance.id.text().map(|id| redact::words(&id)) else {
        return Err("an instance without an id".to_owned());
    };
    let said = |text: Literal<'_>| text.text().map(|text| redact::words(&text)).unwrap_or_default();
    let words = [said(instance.status), said(instance.power_status), said(instance.server_status)];
    let [status, power, server] = &words;
    let state = match kind {
        Kind::Vm => vm_state(status, power, server),
        Kind::Metal => metal_state(status),
    };
    let word = match kind {
        Kind::Vm => words.join("/"),
        Kind::Metal => status.clone(),
    };
    let mut notices = Vec::new();
    if state == MachineState::Stopped {
        notices.push(Notice::StillBilled { word: word.clone() });
    }
    let label = instance.label.text().map(|label| redact::words(&label));
    let tags: Vec<Literal<'_>> = instance.tags.object();
    let tagged = tags.iter().filter_map(|tag| tag.text()).find_map(|tag| mark(&tag));
    let limited = instance.user_scheme.text().is_some_and(|scheme| scheme == "limited");
    let user = if limited { LIMITED_USER } else { USER };
    let port = instance.practice_ssh_port.whole().and_then(|port| u16::try_from(port).ok()).unwrap_or(22);
    let address = instance.main_ip.text().filter(|ip| ip.trim() != NO_ADDRESS);
    let address = address.and_then(|ip| SshAddress::new(&ip, port, user, false));
    let region = instance.region.text().map(|region| redact::words(&region));
    let country = region.as_deref().and_then(|region| locate(PROVIDER, region).country);
    let detail = (state == MachineState::Failed)
        .then(|| "Vultr has suspended it, for its bill or for abuse".to_owned());
    Ok(Machine {
        remote_id,
        token: tagged.or_else(|| label.as_deref().and_then(mark)),
        name: label,
        state,
        word,
        asked: None,
        spot: false,
        detail,
        ssh: address.into_iter().filter(|_| state == MachineState::Running).collect(),
        // Only the plan is told.
        gpu_name: None,
        gpu_count: None,
        place: Place {
            region,
            country: country.map(str::to_owned),
            seller: seller(PROVIDER).map(str::to_owned),
        },
        per_hour: None,
        currency: None,
        disk_gb: None,
        created_at: iso(instance.date_created),
        running_since: None,
        ends_at: None,
        timer: None,
        notices,
    })
}

/// A virtual machine has three words. `active` alone does not say that its system is up.
fn vm_state(status: &str, power: &str, server: &str) -> MachineState {
    match (status, power, server) {
        ("pending", ..) => MachineState::Provisioning,
        ("suspended", ..) => MachineState::Failed,
        ("resizing", ..) | ("active", _, "installingbooting") => MachineState::Booting,
        ("active", "stopped", _) => MachineState::Stopped,
        ("active", "running", "none" | "locked") => MachineState::Booting,
        // Where the third word is not told, SSH finds out.
        ("active", "running", "ok" | "") => MachineState::Running,
        _ => MachineState::Unknown,
    }
}

/// Bare metal tells no more than this; whether its system is up is found out by SSH.
fn metal_state(status: &str) -> MachineState {
    match status {
        "pending" => MachineState::Provisioning,
        "active" => MachineState::Running,
        "suspended" => MachineState::Failed,
        _ => MachineState::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACTIVE: &str = r#"{"id": "cb676a46-66fd-4dfb-b839-443f2e6c0b60", "label": "gpudesk-7f3c", "main_ip": "198.51.100.9",
        "status": "active", "power_status": "running", "server_status": "ok", "region": "fra", "plan": "vcg-l40s-16c-180g-48vram",
        "default_password": "s3cret", "kvm": "https://console.example/?token=s3cret", "user_scheme": "root",
        "date_created": "2026-11-30T08:00:00+00:00", "tags": ["gpudesk", "gpudesk-9a1b"], "internal_ip": ""}"#;

    #[test]
    fn an_active_machine_is_read_whole() {
        let machine = machine(Kind::Vm, ACTIVE).unwrap();
        assert_eq!(
            machine.token.as_deref(),
            Some("gpudesk-9a1b"),
            "the tag is the mark, the label may be changed"
        );
        assert_eq!(machine.ssh, [SshAddress::new("198.51.100.9", 22, "root", false).unwrap()]);
        assert_eq!(
            (machine.word.as_str(), machine.place.country.as_deref()),
            ("active/running/ok", Some("DE"))
        );
        assert_eq!(machine.created_at, Some("2026-11-30T08:00:00Z".parse().unwrap()));
        assert!(!format!("{machine:?}").contains("s3cret"));
        let limited = ACTIVE.replace("\"root\"", "\"limited\"");
        assert_eq!(super::machine(Kind::Vm, &limited).unwrap().ssh[0].user, "linuxuser");
    }

    #[test]
    fn an_address_of_zeros_is_none() {
        let without = ACTIVE.replace("198.51.100.9", "0.0.0.0");
        assert!(machine(Kind::Vm, &without).unwrap().ssh.is_empty());
    }

    #[test]
    fn three_words_make_one_state() {
        for (status, power, server, expected) in [
            ("pending", "running", "none", MachineState::Provisioning),
            ("active", "running", "none", MachineState::Booting),
            ("active", "running", "installingbooting", MachineState::Booting),
            ("active", "running", "locked", MachineState::Booting),
            ("active", "running", "ok", MachineState::Running),
            ("active", "stopped", "ok", MachineState::Stopped),
            ("active", "stopped", "installingbooting", MachineState::Booting),
            ("resizing", "running", "ok", MachineState::Booting),
            ("suspended", "stopped", "ok", MachineState::Failed),
            ("active", "sleeping", "ok", MachineState::Unknown),
            ("active", "running", "odd", MachineState::Unknown),
            ("archived", "running", "ok", MachineState::Unknown),
        ] {
            let json = format!(
                r#"{{"id": "a", "status": "{status}", "power_status": "{power}", "server_status": "{server}"}}"#
            );
            let machine = machine(Kind::Vm, &json).unwrap();
            assert_eq!(machine.state, expected, "{}", machine.word);
            assert_eq!(machine.word, format!("{status}/{power}/{server}"));
            assert_eq!(
                !machine.notices.is_empty(),
                expected == MachineState::Stopped,
                "halted is billed in full"
            );
        }
        let unsaid =
            machine(Kind::Vm, r#"{"id": "a", "status": "active", "power_status": "running"}"#).unwrap();
        assert_eq!(unsaid.state, MachineState::Running);
        assert!(machine(Kind::Vm, r#"{"status": "active"}"#).is_err());
    }

    #[test]
    fn bare_metal_has_one_word() {
        for (status, expected) in [
            ("pending", MachineState::Provisioning),
            ("active", MachineState::Running),
            ("suspended", MachineState::Failed),
            ("reinstalling", MachineState::Unknown),
        ] {
            let machine = machine(Kind::Metal, &format!(r#"{{"id": "a", "status": "{status}"}}"#)).unwrap();
            assert_eq!((machine.state, machine.word.as_str()), (expected, status));
        }
    }
}
