//! From an instance to a machine.

use gpudesk_core::money::Currency;
use gpudesk_core::rental::{Machine, MachineState, Notice, SshAddress};
use rust_decimal::Decimal;

use super::map::{per_hour, place};
use super::wire::Instance;
use crate::cloud::{MARK, mark};
use crate::http::redact;

/// The key of the tag that bears our mark.
pub(super) const TAG: &str = "gpudesk";

/// The user of every image.
const USER: &str = "ubuntu";

/// Reads one instance; what is wrong with it otherwise.
pub(super) fn machine(json: &str) -> Result<Machine, String> {
    let instance: Instance<'_> =
        serde_json::from_str(json).map_err(|error| format!("not an instance: {error}"))?;
    let Some(remote_id) = instance.id.text().map(|id| redact::words(&id)) else {
        return Err("an instance without an id".to_owned());
    };
    let word = instance.status.text().map(|word| redact::words(&word)).unwrap_or_default();
    let state = state(&word);
    let mut notices = Vec::new();
    if word == "unhealthy" {
        notices.push(Notice::Says {
            words: "Lambda calls it unhealthy; whether it is billed so is not said".to_owned(),
        });
    }
    let name = instance.name.text().map(|name| redact::words(&name));
    let tagged = instance.tags.iter().flatten().find(|tag| tag.key.text().is_some_and(|key| key == TAG));
    let tagged = tagged.and_then(|tag| tag.value.text()).and_then(|value| match value.starts_with(MARK) {
        true => mark(&value),
        false => mark(&format!("{MARK}{value}")),
    });
    let listed = &instance.instance_type;
    let reachable = state == MachineState::Running;
    let port = instance.practice_ssh_port.whole().and_then(|port| u16::try_from(port).ok()).unwrap_or(22);
    let address = instance.ip.text().and_then(|ip| SshAddress::new(&ip, port, USER, false));
    Ok(Machine {
        remote_id,
        token: tagged.or_else(|| name.as_deref().and_then(mark)),
        name,
        state,
        word,
        asked: None,
        spot: false,
        detail: None,
        ssh: address.into_iter().filter(|_| reachable).collect(),
        gpu_name: listed.gpu_description.text().map(|name| redact::words(&name)),
        gpu_count: listed.specs.gpus.whole().and_then(|count| u32::try_from(count).ok()),
        place: place(Some(&instance.region)),
        per_hour: per_hour(listed).filter(|price| *price > Decimal::ZERO),
        currency: Some(Currency::USD),
        disk_gb: None,
        created_at: None,
        running_since: None,
        ends_at: None,
        timer: None,
        notices,
    })
}

/// Whether an unhealthy machine still answers is found out by SSH; it counts as running, and as billed.
fn state(word: &str) -> MachineState {
    match word {
        "booting" => MachineState::Booting,
        "active" | "unhealthy" => MachineState::Running,
        "terminating" => MachineState::Ending,
        "terminated" => MachineState::Ended,
        "preempted" => MachineState::Preempted,
        _ => MachineState::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACTIVE: &str = r#"{"id": "0920582c7ff041399e34823a0be62549", "status": "active", "ip": "198.51.100.2",
        "name": "gpudesk-7f3c", "ssh_key_names": ["k"], "file_system_names": [],
        "region": {"name": "us-east-1", "description": "Virginia, USA"}, "jupyter_token": "s3cret",
        "instance_type": {"name": "gpu_1x_a10", "gpu_description": "A10 (24 GB PCIe)", "price_cents_per_hour": 129,
                          "specs": {"gpus": 1, "vcpus": 30, "memory_gib": 200, "storage_gib": 1400}},
        "tags": [{"key": "team", "value": "x"}, {"key": "gpudesk", "value": "9a1b"}]}"#;

    #[test]
    fn an_active_instance_is_read_whole() {
        let machine = machine(ACTIVE).unwrap();
        assert_eq!(
            machine.token.as_deref(),
            Some("gpudesk-9a1b"),
            "the tag is the mark, the name may be changed"
        );
        assert_eq!(machine.ssh, [SshAddress::new("198.51.100.2", 22, "ubuntu", false).unwrap()]);
        assert_eq!(machine.per_hour, Some("1.29".parse().unwrap()));
        assert_eq!((machine.gpu_count, machine.place.country.as_deref()), (Some(1), Some("US")));
        assert!(!format!("{machine:?}").contains("s3cret"));
    }

    #[test]
    fn every_status_has_a_state_and_fields_may_be_absent() {
        for (word, expected) in [
            ("booting", MachineState::Booting),
            ("unhealthy", MachineState::Running),
            ("terminating", MachineState::Ending),
            ("terminated", MachineState::Ended),
            ("preempted", MachineState::Preempted),
            ("rebuilding", MachineState::Unknown),
        ] {
            let machine = machine(&format!(r#"{{"id": "a1", "status": "{word}"}}"#)).unwrap();
            assert_eq!((machine.state, machine.word.as_str()), (expected, word));
            assert_eq!((machine.token, machine.per_hour, machine.ssh.len()), (None, None, 0));
            assert_eq!(machine.notices.len(), usize::from(word == "unhealthy"));
        }
        assert!(machine(r#"{"status": "active"}"#).is_err());
    }

    #[test]
    fn the_name_is_the_mark_where_there_is_no_tag() {
        let untagged = ACTIVE.replace("\"key\": \"gpudesk\"", "\"key\": \"other\"");
        assert_eq!(machine(&untagged).unwrap().token.as_deref(), Some("gpudesk-7f3c"));
    }
}
