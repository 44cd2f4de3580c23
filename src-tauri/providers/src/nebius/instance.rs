//! From an instance to a machine.

use chrono::DateTime;
use gpudesk_core::rental::{Machine, MachineState, SshAddress};
use prost::Message;

use super::map::place;
use super::wire_instance::Instance;
use crate::cloud::mark;
use crate::http::redact;

/// The user that the first boot makes.
pub(super) const USER: &str = "ubuntu";

/// The label of every machine of ours, its value being the mark.
pub(super) const LABEL: &str = "gpudesk";

/// Only the practice market sets this label: its machines cannot have port 22.
const PRACTICE_PORT: &str = "practice-ssh-port";

/// Reads one instance of a region; what is wrong with it otherwise.
pub(super) fn machine(region: &str, row: &[u8]) -> Result<Machine, String> {
    let instance =
        Instance::decode(row).map_err(|error| redact::words(&format!("not an instance: {error}")))?;
    let metadata = instance.metadata.unwrap_or_default();
    if metadata.id.is_empty() {
        return Err("an instance without an id".to_owned());
    }
    let (spec, status) = (instance.spec.unwrap_or_default(), instance.status.unwrap_or_default());
    let (word, mut state) = state(status.state);
    let spot = spec.preemptible.is_some();
    // Taken back: it stands although nobody asked for it.
    if state == MachineState::Stopped && spot && !spec.stopped && !status.reconciling {
        state = MachineState::Preempted;
    }
    let port = metadata.labels.get(PRACTICE_PORT).and_then(|port| port.parse().ok()).unwrap_or(22);
    let name = redact::words(&metadata.name);
    let resources = spec.resources.unwrap_or_default();
    let ssh = status.network_interfaces.first().and_then(|interface| {
        let address = &interface.public_ip_address.as_ref()?.address;
        // An address comes with its mask.
        SshAddress::new(address.split('/').next()?, port, USER, false)
    });
    let gpu_count = resources.preset.split("gpu").next().and_then(|count| count.parse().ok());
    let created = metadata.created_at.and_then(|time| DateTime::from_timestamp(time.seconds, 0));
    Ok(Machine {
        remote_id: redact::words(&metadata.id),
        token: metadata.labels.get(LABEL).and_then(|label| mark(label)).or_else(|| mark(&name)),
        name: Some(name).filter(|name| !name.is_empty()),
        state,
        word,
        asked: matches!(state, MachineState::Stopped | MachineState::Stopping | MachineState::Preempted)
            .then_some(spec.stopped),
        spot,
        detail: status.reconciling.then(|| "a change is in progress".to_owned()),
        ssh: ssh.into_iter().filter(|_| state == MachineState::Running).collect(),
        gpu_name: Some(redact::words(&resources.platform)).filter(|name| !name.is_empty()),
        gpu_count,
        place: place(region),
        per_hour: None,
        currency: None,
        disk_gb: None,
        created_at: created,
        running_since: None,
        ends_at: None,
        timer: None,
        notices: Vec::new(),
    })
}

/// The name of a state and what it means. One nobody knows is told by its number.
fn state(number: i32) -> (String, MachineState) {
    let (word, state) = match number {
        1 => ("CREATING", MachineState::Provisioning),
        2 => ("UPDATING", MachineState::Provisioning),
        3 => ("STARTING", MachineState::Booting),
        4 => ("RUNNING", MachineState::Running),
        5 => ("STOPPING", MachineState::Stopping),
        6 => ("STOPPED", MachineState::Stopped),
        7 => ("DELETING", MachineState::Ending),
        8 => ("ERROR", MachineState::Failed),
        0 => ("UNSPECIFIED", MachineState::Unknown),
        other => return (format!("state {other}"), MachineState::Unknown),
    };
    (word.to_owned(), state)
}

#[cfg(test)]
mod tests {
    use super::super::wire::{Metadata, Time};
    use super::super::wire_instance::{
        Address, InstanceSpec, InstanceStatus, InterfaceStatus, Preemptible, Resources,
    };
    use super::*;

    fn instance(state: i32) -> Instance {
        Instance {
            metadata: Some(Metadata {
                id: "computeinstance-e00a".to_owned(),
                name: "gpudesk-7f3c".to_owned(),
                created_at: Some(Time { seconds: 1_796_029_200 }),
                labels: [(LABEL.to_owned(), "gpudesk-9a1b".to_owned())].into(),
                ..Metadata::default()
            }),
            spec: Some(InstanceSpec {
                resources: Some(Resources {
                    platform: "gpu-h200-sxm".to_owned(),
                    preset: "8gpu-128vcpu-1600gb".to_owned(),
                }),
                ..InstanceSpec::default()
            }),
            status: Some(InstanceStatus {
                state,
                network_interfaces: vec![InterfaceStatus {
                    public_ip_address: Some(Address { address: "203.0.113.7/32".to_owned() }),
                }],
                reconciling: false,
            }),
        }
    }

    fn read(instance: &Instance) -> Machine {
        machine("eu-north1", &instance.encode_to_vec()).unwrap()
    }

    #[test]
    fn a_running_instance_is_read_whole() {
        let machine = read(&instance(4));
        assert_eq!(machine.ssh, [SshAddress::new("203.0.113.7", 22, "ubuntu", false).unwrap()]);
        assert_eq!(
            machine.token.as_deref(),
            Some("gpudesk-9a1b"),
            "the label is the mark, the name may change"
        );
        assert_eq!((machine.gpu_name.as_deref(), machine.gpu_count), (Some("gpu-h200-sxm"), Some(8)));
        assert_eq!(machine.place.country.as_deref(), Some("FI"));
        assert_eq!(machine.created_at.unwrap().to_rfc3339(), "2026-11-30T09:00:00+00:00");
    }

    #[test]
    fn every_state_has_a_meaning() {
        for (number, expected, word) in [
            (0, MachineState::Unknown, "UNSPECIFIED"),
            (1, MachineState::Provisioning, "CREATING"),
            (2, MachineState::Provisioning, "UPDATING"),
            (3, MachineState::Booting, "STARTING"),
            (4, MachineState::Running, "RUNNING"),
            (5, MachineState::Stopping, "STOPPING"),
            (6, MachineState::Stopped, "STOPPED"),
            (7, MachineState::Ending, "DELETING"),
            (8, MachineState::Failed, "ERROR"),
            (77, MachineState::Unknown, "state 77"),
        ] {
            let machine = read(&instance(number));
            assert_eq!((machine.state, machine.word.as_str()), (expected, word));
            assert_eq!(machine.ssh.len(), usize::from(number == 4));
        }
        assert!(machine("eu-north1", &Instance::default().encode_to_vec()).is_err());
        assert!(machine("eu-north1", b"\xff\xff").is_err());
    }

    #[test]
    fn a_preemptible_machine_that_nobody_stopped_was_taken_back() {
        let mut taken = instance(6);
        taken.spec.as_mut().unwrap().preemptible = Some(Preemptible { on_preemption: 1 });
        assert_eq!((read(&taken).state, read(&taken).asked), (MachineState::Preempted, Some(false)));
        taken.spec.as_mut().unwrap().stopped = true;
        assert_eq!((read(&taken).state, read(&taken).asked), (MachineState::Stopped, Some(true)));
        // A fresh one shows this state for a moment.
        taken.spec.as_mut().unwrap().stopped = false;
        taken.status.as_mut().unwrap().reconciling = true;
        assert_eq!(read(&taken).state, MachineState::Stopped);
    }
}
