//! From a virtual machine to a machine.

use gpudesk_core::money::Currency;
use gpudesk_core::offer::Place;
use gpudesk_core::place::{locate, seller};
use gpudesk_core::rental::{Machine, MachineState, Notice, SshAddress};
use rust_decimal::Decimal;
use serde::Deserialize;

use super::map::{PROVIDER, is_spot, time};
use super::wire::{Environment, Flavor, Instance};
use crate::cloud::mark;
use crate::http::{Literal, redact};

/// The user of Ubuntu's images, which all of ours are.
pub(super) const USER: &str = "ubuntu";

/// The label of everything of ours.
pub(super) const LABEL: &str = "gpudesk";

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ImageName<'a> {
    #[serde(borrow)]
    name: Literal<'a>,
}

/// Reads one virtual machine; what is wrong with it otherwise.
pub(super) fn machine(json: &str) -> Result<Machine, String> {
    let instance: Instance<'_> =
        serde_json::from_str(json).map_err(|error| format!("not a virtual machine: {error}"))?;
    let Some(remote_id) = instance.id.whole().filter(|id| *id > 0) else {
        return Err("a virtual machine without a readable id".to_owned());
    };
    let word = instance.status.text().map(|word| redact::words(&word)).unwrap_or_default();
    let state = state(&word);
    let name = instance.name.text().map(|name| redact::words(&name));
    let labels: Vec<Literal<'_>> = instance.labels.object();
    let labelled = labels.iter().filter_map(|label| label.text()).find_map(|label| mark(&label));
    let flavor: Flavor<'_> = instance.flavor.object();
    let flavor_name = flavor.name.text().map(|name| redact::words(&name)).unwrap_or_default();
    let gpu = flavor.gpu.text().map(|name| redact::words(&name));
    let environment: Environment<'_> = instance.environment.object();
    let region = environment.region.text().map(|region| redact::words(&region));
    let country = region.as_deref().and_then(|region| locate(PROVIDER, region).country);
    let way = address(&instance);
    let mut notices = Vec::new();
    if state == MachineState::Stopped && word != "HIBERNATED" {
        notices.push(Notice::StillBilled { word: word.clone() });
    }
    if instance.locked.flag() == Some(true) {
        notices.push(Notice::Locked);
    }
    let detail = match (state, &way) {
        (MachineState::Running, None) if instance.port_randomization.flag() == Some(true) => {
            Some("its ports were chosen at random, and SSH is at one that is not told".to_owned())
        }
        (MachineState::Running, None) => Some("waiting for its public address".to_owned()),
        _ => None,
    };
    Ok(Machine {
        remote_id: remote_id.to_string(),
        token: name.as_deref().and_then(mark).or(labelled),
        name,
        state,
        spot: is_spot(&flavor_name) || gpu.as_deref().is_some_and(is_spot),
        word,
        asked: None,
        detail,
        ssh: way.into_iter().filter(|_| state == MachineState::Running).collect(),
        gpu_name: gpu,
        gpu_count: flavor.gpu_count.whole().and_then(|count| u32::try_from(count).ok()),
        place: Place {
            region,
            country: country.map(str::to_owned),
            seller: seller(PROVIDER).map(str::to_owned),
        },
        // The price stands in the price book only.
        per_hour: None,
        currency: Some(Currency::USD),
        disk_gb: flavor.disk.decimal().filter(|gb| *gb > Decimal::ZERO),
        created_at: time(instance.created_at),
        running_since: None,
        ends_at: None,
        timer: None,
        notices,
    })
}

/// The way in. With ports chosen at random it is not at port 22, and where it is the answer does not say.
fn address(instance: &Instance<'_>) -> Option<SshAddress> {
    if instance.port_randomization.flag() == Some(true) {
        return None;
    }
    let image: ImageName<'_> = instance.image.object();
    let user = match image.name.text() {
        Some(name) if !name.to_ascii_lowercase().contains("ubuntu") => other_user(&name),
        _ => USER,
    };
    let port = instance.practice_ssh_port.whole().and_then(|port| u16::try_from(port).ok()).unwrap_or(22);
    SshAddress::new(&instance.floating_ip.text()?, port, user, false)
}

/// The usual users of other systems' cloud images.
fn other_user(image: &str) -> &'static str {
    let image = image.to_ascii_lowercase();
    if image.contains("debian") { "debian" } else { USER }
}

/// The state a status word stands for
/// (<https://infrahub-doc.nexgencloud.com/docs/billing/states-and-billing>).
pub(super) fn state(word: &str) -> MachineState {
    match word {
        "CREATING" | "BUILD" | "BUILDING" => MachineState::Provisioning,
        "ACTIVE" => MachineState::Running,
        "SHUTOFF" | "STOPPED" | "HIBERNATED" => MachineState::Stopped,
        "HIBERNATING" => MachineState::Stopping,
        "RESTORING" | "STARTING" | "REBOOTING" => MachineState::Booting,
        "ERROR" => MachineState::Failed,
        "DELETING" => MachineState::Ending,
        "DELETED" => MachineState::Ended,
        _ => MachineState::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACTIVE: &str = r#"{"id": 4711, "name": "gpudesk-7f3c", "status": "ACTIVE", "power_state": "RUNNING",
        "floating_ip": "198.51.100.7", "requires_public_ip": true, "port_randomization": false,
        "flavor": {"id": 91, "name": "n3-H100x8", "gpu": "H100-80G-PCIe-NVLink", "gpu_count": 8, "disk": 100},
        "image": {"name": "Ubuntu Server 22.04 LTS R550 CUDA 12.4"}, "environment": {"name": "e", "region": "NORWAY-1"},
        "labels": ["gpudesk", "gpudesk-7f3c"], "locked": false, "created_at": "2026-11-30T08:00:00"}"#;

    #[test]
    fn an_active_machine_is_read_whole() {
        let machine = machine(ACTIVE).unwrap();
        assert_eq!((machine.remote_id.as_str(), machine.token.as_deref()), ("4711", Some("gpudesk-7f3c")));
        assert_eq!(machine.ssh, [SshAddress::new("198.51.100.7", 22, "ubuntu", false).unwrap()]);
        assert_eq!((machine.place.country.as_deref(), machine.gpu_count), (Some("NO"), Some(8)));
        assert_eq!(machine.created_at, Some("2026-11-30T08:00:00Z".parse().unwrap()), "UTC without its zone");
        assert_eq!((machine.detail, machine.notices), (None, Vec::new()));
    }

    #[test]
    fn it_runs_before_it_has_an_address() {
        let without = ACTIVE.replace("\"198.51.100.7\"", "null");
        let machine = machine(&without).unwrap();
        assert_eq!((machine.state, machine.ssh.len()), (MachineState::Running, 0), "it is billed already");
        assert!(machine.detail.unwrap().contains("address"));
    }

    #[test]
    fn with_ports_at_random_no_way_in_is_invented() {
        let machine =
            machine(&ACTIVE.replace("\"port_randomization\": false", "\"port_randomization\": true"))
                .unwrap();
        assert!(machine.ssh.is_empty() && machine.detail.unwrap().contains("random"));
    }

    #[test]
    fn every_status_has_a_state_and_fields_may_be_absent() {
        for (word, expected) in [
            ("CREATING", MachineState::Provisioning),
            ("BUILD", MachineState::Provisioning),
            ("BUILDING", MachineState::Provisioning),
            ("ACTIVE", MachineState::Running),
            ("SHUTOFF", MachineState::Stopped),
            ("STOPPED", MachineState::Stopped),
            ("HIBERNATING", MachineState::Stopping),
            ("HIBERNATED", MachineState::Stopped),
            ("RESTORING", MachineState::Booting),
            ("STARTING", MachineState::Booting),
            ("REBOOTING", MachineState::Booting),
            ("ERROR", MachineState::Failed),
            ("DELETING", MachineState::Ending),
            ("SHELVED", MachineState::Unknown),
        ] {
            let machine = machine(&format!(r#"{{"id": 1, "status": "{word}"}}"#)).unwrap();
            assert_eq!((machine.state, machine.word.as_str()), (expected, word));
            assert_eq!((machine.token, machine.per_hour, machine.ssh.len()), (None, None, 0));
            let billed = machine.notices.iter().any(|notice| matches!(notice, Notice::StillBilled { .. }));
            assert_eq!(billed, ["SHUTOFF", "STOPPED"].contains(&word), "{word}");
        }
        assert!(machine(r#"{"status": "ACTIVE"}"#).is_err());
    }

    #[test]
    fn a_label_is_the_mark_of_a_machine_that_was_renamed() {
        let renamed = ACTIVE.replace("\"name\": \"gpudesk-7f3c\"", "\"name\": \"train\"");
        assert_eq!(machine(&renamed).unwrap().token.as_deref(), Some("gpudesk-7f3c"));
        let locked = ACTIVE.replace("\"locked\": false", "\"locked\": true");
        assert_eq!(machine(&locked).unwrap().notices, [Notice::Locked]);
    }
}
