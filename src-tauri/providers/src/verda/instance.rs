//! From an instance to a machine.

use gpudesk_core::money::Currency;
use gpudesk_core::offer::Place;
use gpudesk_core::place::{locate, seller};
use gpudesk_core::rental::{Machine, MachineState, Notice, SshAddress};
use rust_decimal::Decimal;

use super::card::bare;
use super::map::PROVIDER;
use super::wire::{Instance, Part, Tag};
use crate::cloud::{MARK, iso, mark};
use crate::http::{Literal, redact};

/// The key of the tag that bears our mark. The service writes keys in lower case.
pub(super) const TAG: &str = "gpudesk";

/// The user of every image.
pub(super) const USER: &str = "root";

/// An instance with what its end needs.
#[derive(Debug)]
pub(super) struct Read {
    /// The machine.
    pub machine: Machine,
    /// The disk it was made with.
    pub os_volume: Option<String>,
}

/// Reads one instance; what is wrong with it otherwise.
pub(super) fn machine(json: &str) -> Result<Read, String> {
    let instance: Instance<'_> =
        serde_json::from_str(json).map_err(|error| format!("not an instance: {error}"))?;
    let Some(remote_id) = instance.id.text().map(|id| redact::words(&id)) else {
        return Err("an instance without an id".to_owned());
    };
    let word = instance.status.text().map(|word| redact::words(&word)).unwrap_or_default();
    let state = state(&word);
    let mut notices = Vec::new();
    if state == MachineState::Stopped && word == "offline" {
        notices.push(Notice::StillBilled { word: word.clone() });
    }
    let spot = instance.is_spot.flag().unwrap_or(false);
    let detail = match state {
        MachineState::Failed if word == "no_capacity" => Some("Verda has no capacity for it".to_owned()),
        MachineState::Ended if spot => Some("a spot machine may be taken back at any time".to_owned()),
        _ => None,
    };
    let name = instance.hostname.text().map(|name| redact::words(&name));
    let gpu: Part<'_> = instance.gpu.object();
    let port = instance.practice_ssh_port.whole().and_then(|port| u16::try_from(port).ok()).unwrap_or(22);
    let address = instance.ip.text().and_then(|ip| SshAddress::new(&ip, port, USER, false));
    let region = instance.location.text().map(|code| redact::words(&code));
    let country = region.as_deref().and_then(|code| locate(PROVIDER, code).country);
    let currency: Option<Currency> = instance.currency.text().and_then(|text| text.parse().ok());
    let price = instance.price_per_hour;
    let price = currency.map_or_else(|| price.decimal(), |own| price.amount(own));
    let machine = Machine {
        remote_id,
        token: token(&instance, name.as_deref()),
        name,
        state,
        word,
        asked: None,
        spot,
        detail,
        ssh: address.into_iter().filter(|_| state == MachineState::Running).collect(),
        gpu_name: gpu.description.text().map(|text| bare(&text)),
        gpu_count: gpu.number_of_gpus.whole().and_then(|count| u32::try_from(count).ok()),
        place: Place {
            region,
            country: country.map(str::to_owned),
            seller: seller(PROVIDER).map(str::to_owned),
        },
        per_hour: price.filter(|price| *price > Decimal::ZERO),
        currency,
        disk_gb: None,
        created_at: iso(instance.created_at),
        running_since: None,
        ends_at: None,
        timer: None,
        notices,
    };
    Ok(Read { machine, os_volume: instance.os_volume_id.text().map(|id| redact::words(&id)) })
}

/// The mark: the tag, or else the host name or a word of the description, for answers without tags.
fn token(instance: &Instance<'_>, name: Option<&str>) -> Option<String> {
    let tags: Vec<Tag<'_>> = instance.tags.object();
    let tag = tags.iter().find(|tag| tag.key.text().is_some_and(|key| key.eq_ignore_ascii_case(TAG)));
    let tagged = tag.and_then(|tag| tag.value.text()).and_then(|value| match value.starts_with(MARK) {
        true => mark(&value),
        false => mark(&format!("{MARK}{value}")),
    });
    tagged.or_else(|| name.and_then(mark)).or_else(|| described(instance.description))
}

fn described(description: Literal<'_>) -> Option<String> {
    let text = description.text()?;
    text.split_whitespace().find_map(mark)
}

/// The state a status word stands for (<https://api.verda.com/v1/docs>).
pub(super) fn state(word: &str) -> MachineState {
    match word {
        "new" | "ordered" | "pending" | "provisioning" | "validating" => MachineState::Provisioning,
        "restoring" => MachineState::Booting,
        "running" => MachineState::Running,
        "starting_hibernation" => MachineState::Stopping,
        "offline" | "hibernating" => MachineState::Stopped,
        // There is nothing to wait for.
        "no_capacity" | "error" | "installation_failed" => MachineState::Failed,
        "deleting" => MachineState::Ending,
        "discontinued" | "deleted" | "notfound" => MachineState::Ended,
        _ => MachineState::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUNNING: &str = r#"{"id": "b1f5", "hostname": "gpudesk-7f3c", "description": "x", "status": "running",
        "ip": "198.51.100.2\n", "location": "FIN-03", "instance_type": "2H200.141S.88V", "price_per_hour": "6.78",
        "gpu": {"description": "2x H200 SXM5 141GB", "number_of_gpus": 2}, "is_spot": false, "os_volume_id": "v1",
        "volume_ids": ["v1", "v2"], "jupyter_token": "s3cret", "created_at": "2026-11-30T08:00:00.000Z",
        "tags": [{"id": "t", "key": "team", "value": "x"}, {"id": "u", "key": "gpudesk", "value": "9a1b"}]}"#;

    #[test]
    fn a_running_instance_is_read_whole() {
        let Read { machine, os_volume } = machine(RUNNING).unwrap();
        assert_eq!(machine.token.as_deref(), Some("gpudesk-9a1b"), "the tag is the mark");
        assert_eq!(machine.ssh, [SshAddress::new("198.51.100.2", 22, "root", false).unwrap()]);
        assert_eq!(machine.per_hour, Some("6.78".parse().unwrap()), "of both cards together");
        assert_eq!((machine.gpu_name.as_deref(), machine.gpu_count), (Some("H200 SXM5 141GB"), Some(2)));
        assert_eq!((machine.place.country.as_deref(), os_volume.as_deref()), (Some("FI"), Some("v1")));
        assert_eq!(machine.created_at, Some("2026-11-30T08:00:00Z".parse().unwrap()));
        assert!(!format!("{machine:?}").contains("s3cret"));
    }

    #[test]
    fn every_status_has_a_state_and_fields_may_be_absent() {
        for (word, expected) in [
            ("new", MachineState::Provisioning),
            ("ordered", MachineState::Provisioning),
            ("pending", MachineState::Provisioning),
            ("provisioning", MachineState::Provisioning),
            ("validating", MachineState::Provisioning),
            ("running", MachineState::Running),
            ("offline", MachineState::Stopped),
            ("starting_hibernation", MachineState::Stopping),
            ("hibernating", MachineState::Stopped),
            ("restoring", MachineState::Booting),
            ("no_capacity", MachineState::Failed),
            ("error", MachineState::Failed),
            ("installation_failed", MachineState::Failed),
            ("deleting", MachineState::Ending),
            ("discontinued", MachineState::Ended),
            ("deleted", MachineState::Ended),
            ("notfound", MachineState::Ended),
            ("unknown", MachineState::Unknown),
            ("migrating", MachineState::Unknown),
        ] {
            let Read { machine, os_volume } =
                machine(&format!(r#"{{"id": "a1", "status": "{word}", "ip": null}}"#)).unwrap();
            assert_eq!((machine.state, machine.word.as_str()), (expected, word));
            assert_eq!(
                (machine.token, machine.per_hour, machine.ssh.len(), os_volume),
                (None, None, 0, None)
            );
            let billed = machine.notices.contains(&Notice::StillBilled { word: "offline".to_owned() });
            assert_eq!(billed, word == "offline", "the card stays reserved, and billed");
        }
        let null = machine(r#"{"id": "a1", "status": null}"#).unwrap().machine;
        assert_eq!((null.state, null.word.as_str()), (MachineState::Unknown, ""));
        assert!(machine(r#"{"status": "running"}"#).is_err());
    }

    #[test]
    fn host_name_and_description_are_the_mark_where_there_are_no_tags() {
        let token = |rest: &str| machine(&format!(r#"{{"id": "a", {rest}}}"#)).unwrap().machine.token;
        assert_eq!(token(r#""hostname": "gpudesk-7f3c""#).as_deref(), Some("gpudesk-7f3c"));
        assert_eq!(
            token(r#""hostname": "renamed", "tags": null, "description": "train-a gpudesk-7f3c""#).as_deref(),
            Some("gpudesk-7f3c")
        );
        assert_eq!(token(r#""hostname": "db-1", "description": "a gpudesk machine""#), None);
    }
}
