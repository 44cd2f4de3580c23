//! From an instance to a machine.

use chrono::{DateTime, Utc};
use gpudesk_core::money::Currency;
use gpudesk_core::rental::{Machine, MachineState, Notice, SshAddress};
use rust_decimal::Decimal;

use super::map::{dollars, place, said};
use super::timer;
use super::wire::Instance;
use crate::cloud::{iso, mark};
use crate::http::Literal;

/// The usual user, where a machine names none.
pub(super) const USER: &str = "shadeform";

/// Reads one instance; what is wrong with it otherwise.
pub(super) fn machine(json: &str) -> Result<Machine, String> {
    let instance: Instance<'_> =
        serde_json::from_str(json).map_err(|error| format!("not an instance: {error}"))?;
    let Some(remote_id) = said(instance.id) else { return Err("an instance without an id".to_owned()) };
    let word = said(instance.status).unwrap_or_default();
    let detail = said(instance.status_details);
    let state = state(&word, detail.as_deref());
    let name = said(instance.name);
    let tagged = instance.tags.object::<Vec<Option<String>>>();
    let tagged = tagged.iter().flatten().find_map(|tag| mark(tag));
    let configuration = instance.configuration.unwrap_or_default();
    let linked = instance.shade_cloud.flag() == Some(false);
    let mut notices = Vec::new();
    if linked {
        notices.push(Notice::Says {
            words: "in an account linked to Shadeform: the cloud behind bills it, not Shadeform".to_owned(),
        });
    }
    let reachable = state == MachineState::Running;
    Ok(Machine {
        remote_id,
        token: tagged.or_else(|| name.as_deref().and_then(mark)),
        name,
        state,
        word,
        asked: None,
        spot: false,
        detail,
        ssh: address(instance.ip, instance.ssh_port, instance.ssh_user)
            .into_iter()
            .filter(|_| reachable)
            .collect(),
        gpu_name: said(configuration.gpu_type),
        gpu_count: configuration.num_gpus.whole().and_then(|count| u32::try_from(count).ok()),
        place: place(&said(instance.cloud).unwrap_or_default(), said(instance.region), None),
        per_hour: dollars(instance.hourly_price).filter(|price| *price > Decimal::ZERO),
        currency: Some(Currency::USD),
        disk_gb: configuration.storage_in_gb.decimal().filter(|gb| *gb > Decimal::ZERO),
        created_at: time(instance.created_at),
        running_since: time(instance.active_at),
        ends_at: None,
        timer: timer::of(instance.auto_delete),
        notices,
    })
}

/// Dollars as text: `103.4`, `.000097`, `$15.00`.
pub(super) fn money(literal: Literal<'_>) -> Option<Decimal> {
    literal.amount(Currency::USD).filter(|amount| *amount >= Decimal::ZERO).map(|amount| amount.normalize())
}

/// A time that is one: fields not yet filled hold the first day of the calendar.
pub(super) fn time(literal: Literal<'_>) -> Option<DateTime<Utc>> {
    iso(literal).filter(|time| *time > DateTime::UNIX_EPOCH)
}

fn address(ip: Literal<'_>, port: Literal<'_>, user: Literal<'_>) -> Option<SshAddress> {
    let host = ip.text()?;
    let port = match port.whole() {
        None | Some(0) => 22,
        Some(port) => u16::try_from(port).ok()?,
    };
    let user = user.text();
    SshAddress::new(&host, port, user.as_deref().unwrap_or(USER), false)
}

fn state(word: &str, detail: Option<&str>) -> MachineState {
    let downloads = detail.is_some_and(|detail| detail.to_ascii_lowercase().contains("download"));
    match word {
        "creating" | "pending_provider" => MachineState::Provisioning,
        "pending" if downloads => MachineState::Booting,
        "pending" => MachineState::Provisioning,
        "active" => MachineState::Running,
        "error" => MachineState::Failed,
        "deleting" => MachineState::Ending,
        "deleted" => MachineState::Ended,
        _ => MachineState::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACTIVE: &str = r#"{"id": "d290f1ee-6c54-4b01-90e6-d701748f0851", "cloud": "lambdalabs", "region": "kansascity-usa-1",
        "shade_instance_type": "A6000x2", "cloud_instance_type": "gpu_2x_a6000", "cloud_assigned_id": "x", "shade_cloud": true,
        "name": "renamed", "configuration": {"memory_in_gb": 96, "storage_in_gb": 512, "vcpus": 12, "num_gpus": 2,
        "gpu_type": "A6000", "interconnect": "pcie", "os": "ubuntu22.04_cuda12.4_shade_os", "vram_per_gpu_in_gb": 48,
        "gpu_manufacturer": "nvidia"}, "ip": "198.51.100.2", "ssh_user": "shadeform", "ssh_port": null, "status": "active",
        "cost_estimate": "103.4", "hourly_price": 114, "tags": ["team", "gpudesk-7f3c"],
        "envs": [{"name": "HF_TOKEN", "value": "s3cret"}],
        "active_at": "2026-11-30T08:00:00.001Z", "created_at": "2026-11-30T07:55:00Z", "deleted_at": "0001-01-01T00:00:00Z",
        "auto_delete": {"date_threshold": "2026-12-01T02:00:00-07:00", "spend_threshold": "3.14"}}"#;

    #[test]
    fn an_active_instance_is_read_whole() {
        let machine = machine(ACTIVE).unwrap();
        assert_eq!(
            machine.token.as_deref(),
            Some("gpudesk-7f3c"),
            "the tag is the mark, the name may be changed"
        );
        assert_eq!(machine.ssh, [SshAddress::new("198.51.100.2", 22, "shadeform", false).unwrap()]);
        assert_eq!(machine.per_hour, Some("1.14".parse().unwrap()), "cents");
        assert_eq!((machine.gpu_count, machine.place.country.as_deref()), (Some(2), Some("US")));
        assert_eq!(machine.place.seller.as_deref(), Some("US"));
        assert_eq!(machine.running_since, Some("2026-11-30T08:00:00.001Z".parse().unwrap()));
        assert_eq!(machine.timer, Some("2026-12-01T09:00:00Z".parse().unwrap()), "read back with its offset");
        assert_eq!((machine.state, machine.notices.len()), (MachineState::Running, 0));
        assert!(!format!("{machine:?}").contains("s3cret"));
    }

    #[test]
    fn the_way_in_is_what_the_machine_says() {
        let ssh = |json: &str| machine(json).unwrap().ssh;
        let own = ACTIVE.replace(
            "\"ssh_user\": \"shadeform\", \"ssh_port\": null",
            "\"ssh_user\": \"ubuntu\", \"ssh_port\": 2222",
        );
        assert_eq!(ssh(&own), [SshAddress::new("198.51.100.2", 2222, "ubuntu", false).unwrap()]);
        let named = ACTIVE.replace("198.51.100.2", "gpu-7.cloud.example");
        assert_eq!(ssh(&named)[0].host, "gpu-7.cloud.example");
        for early in ["null", "\"\"", "\"-oProxyCommand=x\""] {
            assert_eq!(ssh(&ACTIVE.replace("\"198.51.100.2\"", early)), [], "{early}");
        }
        assert_eq!(ssh(&ACTIVE.replace("\"active\"", "\"pending\"")), [], "not active yet");
        let nobody = ACTIVE.replace("\"ssh_user\": \"shadeform\"", "\"ssh_user\": null");
        assert_eq!(ssh(&nobody)[0].user, USER);
    }

    #[test]
    fn every_status_has_a_state() {
        use MachineState::{Booting, Ended, Ending, Failed, Provisioning, Running, Unknown};
        for (word, detail, expected) in [
            ("creating", "null", Provisioning),
            ("pending_provider", "null", Provisioning),
            ("pending", "\"\"", Provisioning),
            ("pending", "\"Downloading image\"", Booting),
            ("active", "null", Running),
            ("error", "\"no such flavor\"", Failed),
            ("deleting", "null", Ending),
            ("deleted", "null", Ended),
            ("hibernating", "null", Unknown),
        ] {
            let json = format!(r#"{{"id": "a1", "status": "{word}", "status_details": {detail}}}"#);
            let machine = machine(&json).unwrap();
            assert_eq!((machine.state, machine.word.as_str()), (expected, word));
            assert_eq!((machine.token, machine.per_hour, machine.ssh.len()), (None, None, 0));
        }
        let failed =
            machine(r#"{"id": "a1", "status": "error", "status_details": "no such flavor"}"#).unwrap();
        assert_eq!(failed.detail.as_deref(), Some("no such flavor"));
        assert!(machine(r#"{"status": "active"}"#).is_err());
    }

    #[test]
    fn a_linked_account_is_billed_by_its_cloud() {
        let linked = ACTIVE.replace("\"shade_cloud\": true", "\"shade_cloud\": false");
        assert_eq!(machine(&linked).unwrap().notices.len(), 1);
    }

    #[test]
    fn money_comes_as_text_with_and_without_a_dollar_sign() {
        let read = |json: &str| {
            let volume: super::super::wire::VolumeType<'_> = serde_json::from_str(json).unwrap();
            money(volume.price_per_gb_per_hour).map(|amount| amount.to_string())
        };
        for (text, amount) in [
            ("\"103.4\"", Some("103.4")),
            ("\"$15.00\"", Some("15")),
            ("\".000097\"", Some("0.000097")),
            ("\"$1,234.50\"", Some("1234.5")),
            ("12.5", Some("12.5")),
            ("\"\"", None),
            ("null", None),
            ("\"free\"", None),
            ("\"-1\"", None),
        ] {
            assert_eq!(read(&format!("{{\"price_per_gb_per_hour\": {text}}}")).as_deref(), amount, "{text}");
        }
    }

    #[test]
    fn a_hidden_operator_stays_hidden_in_the_machine() {
        let hidden = machine(&ACTIVE.replace("lambdalabs", "excesssupply")).unwrap();
        assert_eq!((hidden.place.country, hidden.place.seller), (None, None));
    }
}
