//! From an instance to a machine.

use gpudesk_core::money::Currency;
use gpudesk_core::rental::{Machine, MachineState, SshAddress};
use rust_decimal::Decimal;

use super::map::{count, place, words};
use super::wire::Instance;
use crate::cloud::mark;

/// REPLACE: the user of the images.
const USER: &str = "root";

/// Reads one instance; what is wrong with it otherwise.
pub(super) fn machine(json: &str) -> Result<Machine, String> {
    let instance: Instance<'_> =
        serde_json::from_str(json).map_err(|error| format!("not an instance: {error}"))?;
    let remote_id = words(instance.id).ok_or("an instance without an id")?;
    let word = words(instance.status).unwrap_or_default();
    let state = state(&word);
    let name = words(instance.name);
    let port = instance.practice_ssh_port.whole().and_then(|port| u16::try_from(port).ok()).unwrap_or(22);
    let address = instance.ip.text().and_then(|ip| SshAddress::new(&ip, port, USER, false));
    Ok(Machine {
        remote_id,
        token: name.as_deref().and_then(mark),
        name,
        state,
        word,
        asked: None,
        spot: false,
        detail: None,
        ssh: address.into_iter().filter(|_| state == MachineState::Running).collect(),
        gpu_name: words(instance.kind.gpu),
        gpu_count: count(&instance.kind),
        place: place(&instance.kind),
        per_hour: instance.kind.per_hour.money(Currency::USD).filter(|price| *price > Decimal::ZERO),
        currency: Some(Currency::USD),
        disk_gb: None,
        created_at: None,
        running_since: None,
        ends_at: None,
        timer: None,
        notices: Vec::new(),
    })
}

/// REPLACE: every status word of the vendor's description. A word nobody knows is kept and means nothing.
fn state(word: &str) -> MachineState {
    match word {
        "pending" => MachineState::Provisioning,
        "booting" => MachineState::Booting,
        "running" => MachineState::Running,
        "stopping" => MachineState::Stopping,
        "stopped" => MachineState::Stopped,
        "ending" => MachineState::Ending,
        "failed" => MachineState::Failed,
        _ => MachineState::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_has_a_state_and_fields_may_be_absent() {
        for (word, expected) in [
            ("pending", MachineState::Provisioning),
            ("running", MachineState::Running),
            ("hibernating", MachineState::Unknown),
        ] {
            let machine = machine(&format!(r#"{{"id": "a1", "status": "{word}"}}"#)).unwrap();
            assert_eq!((machine.state, machine.word.as_str()), (expected, word));
            assert_eq!((machine.token, machine.per_hour, machine.ssh.len()), (None, None, 0));
        }
        assert!(machine(r#"{"status": "running"}"#).is_err());
    }
}
