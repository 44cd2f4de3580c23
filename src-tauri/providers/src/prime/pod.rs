//! From a pod to a machine.

use gpudesk_core::money::Currency;
use gpudesk_core::offer::Place;
use gpudesk_core::rental::{Machine, MachineState, Notice};
use rust_decimal::Decimal;

use super::map::{PROVIDER, said};
use super::ssh::ways;
use super::wire::Pod;
use crate::cloud::{iso, mark};
use crate::http::Literal;
use crate::resold;

/// Reads one pod; what is wrong with it otherwise.
pub(super) fn machine(json: &str) -> Result<Machine, String> {
    let pod: Pod<'_> = serde_json::from_str(json).map_err(|error| format!("not a pod: {error}"))?;
    let Some(remote_id) = said(pod.id) else { return Err("a pod without an id".to_owned()) };
    let status = said(pod.status).unwrap_or_default();
    let installation = said(pod.installation_status);
    let progress = pod.installation_progress.number();
    let spot = pod.is_spot.flag() == Some(true);
    let state = state(&status, installation.as_deref(), progress, spot);
    // Both words say together where it stands.
    let word = match &installation {
        Some(installation) => format!("{status}/{installation}"),
        None => status.clone(),
    };
    let (per_hour, currency) = rate(&pod);
    let name = said(pod.name);
    let failure = said(pod.installation_failure);
    let percent =
        progress.filter(|percent| *percent < 100.0).map(|percent| format!("installation at {percent} %"));
    let detail = failure.or(percent.filter(|_| state == MachineState::Booting));
    let mut notices = Vec::new();
    if is_billed_all_the_same(&pod, &status, state) {
        notices.push(Notice::StillBilled { word: word.clone() });
    }
    let reachable = state == MachineState::Running;
    Ok(Machine {
        remote_id,
        token: name.as_deref().and_then(mark),
        name,
        state,
        word,
        asked: None,
        spot,
        detail,
        ssh: if reachable { ways(pod.ssh_connection) } else { Vec::new() },
        gpu_name: said(pod.gpu_name),
        gpu_count: pod.gpu_count.whole().and_then(|count| u32::try_from(count).ok()),
        place: place(pod.provider_type),
        per_hour,
        currency,
        disk_gb: pod.resources.and_then(|parts| parts.disk.decimal()).filter(|gb| *gb > Decimal::ZERO),
        created_at: iso(pod.created_at),
        running_since: None,
        ends_at: None,
        timer: None,
        notices,
    })
}

/// A pod does not tell where it is, only whose it is.
fn place(supplier: Literal<'_>) -> Place {
    match said(supplier) {
        Some(supplier) => resold::place(PROVIDER, &supplier, None, None),
        None => Place::default(),
    }
}

/// The rate in the supplier's currency where it is told, else in dollars, in which the wallet pays.
fn rate(pod: &Pod<'_>) -> (Option<Decimal>, Option<Currency>) {
    let positive = |price: Literal<'_>, currency: Currency| {
        price.amount(currency).filter(|price| *price > Decimal::ZERO).map(|price| price.normalize())
    };
    let base: Option<Currency> = pod.base_currency.text().and_then(|code| code.parse().ok());
    let own = base.and_then(|currency| Some((positive(pod.base_price_hr, currency)?, currency)));
    match own {
        Some((price, currency)) => (Some(price), Some(currency)),
        None => (positive(pod.price_hr, Currency::USD), Some(Currency::USD)),
    }
}

/// A failed installation is billed like any other, and so is a standing pod without a price of its own for that.
fn is_billed_all_the_same(pod: &Pod<'_>, status: &str, state: MachineState) -> bool {
    match state {
        MachineState::Failed => status == "ACTIVE",
        MachineState::Stopped | MachineState::Preempted => {
            pod.stopped_price_hr.amount(Currency::USD).is_none()
        }
        _ => false,
    }
}

fn state(status: &str, installation: Option<&str>, progress: Option<f64>, spot: bool) -> MachineState {
    match status {
        "PROVISIONING" | "PENDING" => MachineState::Provisioning,
        "ACTIVE" => match installation {
            Some("ERROR") => MachineState::Failed,
            Some("PENDING" | "ACTIVE") => MachineState::Booting,
            Some("FINISHED") => MachineState::Running,
            _ if progress.is_some_and(|percent| percent < 100.0) => MachineState::Booting,
            _ => MachineState::Running,
        },
        "STOPPED" if spot => MachineState::Preempted,
        "STOPPED" => MachineState::Stopped,
        "ERROR" => MachineState::Failed,
        "DELETING" => MachineState::Ending,
        "TERMINATED" => MachineState::Ended,
        _ => MachineState::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ACTIVE: &str = r#"{"id": "7c1", "userId": "u", "teamId": null, "walletId": "w", "name": "gpudesk-7f3c",
        "type": "HOSTED", "providerType": "runpod", "status": "ACTIVE", "installationStatus": "FINISHED",
        "installationFailure": null, "installationProgress": 100, "createdAt": "2026-11-30T08:00:00Z",
        "gpuName": "A100_80GB", "gpuCount": 2, "socket": "PCIe", "priceHr": 3.2912, "stoppedPriceHr": null,
        "provisioningPriceHr": 0.0, "sshConnection": "root@203.0.113.7 -p 22014", "ip": "203.0.113.7",
        "resources": {"memory": 250, "disk": 80, "shared_disk": null, "vcpus": 16}, "isSpot": null,
        "jupyterPassword": "s3cret", "primePortMapping": []}"#;

    #[test]
    fn an_active_pod_is_read_whole() {
        let machine = machine(ACTIVE).unwrap();
        assert_eq!(machine.token.as_deref(), Some("gpudesk-7f3c"));
        assert_eq!((machine.ssh.len(), machine.ssh[0].port), (1, 22014));
        assert_eq!(
            (machine.per_hour, machine.currency),
            (Some("3.2912".parse().unwrap()), Some(Currency::USD))
        );
        assert_eq!((machine.gpu_count, machine.place.seller.as_deref()), (Some(2), Some("US")));
        assert_eq!((machine.word.as_str(), machine.notices.len()), ("ACTIVE/FINISHED", 0));
        assert!(!format!("{machine:?}").contains("s3cret"));
    }

    #[test]
    fn status_and_installation_say_together_where_it_stands() {
        use MachineState::{
            Booting, Ended, Ending, Failed, Preempted, Provisioning, Running, Stopped, Unknown,
        };
        for (status, installation, progress, spot, expected) in [
            ("PROVISIONING", "\"PENDING\"", "null", "null", Provisioning),
            ("PENDING", "null", "null", "null", Provisioning),
            ("ACTIVE", "\"PENDING\"", "null", "null", Booting),
            ("ACTIVE", "\"ACTIVE\"", "40", "null", Booting),
            ("ACTIVE", "null", "40", "null", Booting),
            ("ACTIVE", "\"FINISHED\"", "100", "null", Running),
            ("ACTIVE", "null", "null", "null", Running),
            ("ACTIVE", "\"ERROR\"", "40", "null", Failed),
            ("STOPPED", "null", "null", "false", Stopped),
            ("STOPPED", "null", "null", "true", Preempted),
            ("ERROR", "null", "null", "null", Failed),
            ("DELETING", "null", "null", "null", Ending),
            ("TERMINATED", "null", "null", "true", Ended),
            ("UNKNOWN", "null", "null", "null", Unknown),
            ("HIBERNATED", "null", "null", "null", Unknown),
        ] {
            let json = ACTIVE
                .replace("\"status\": \"ACTIVE\"", &format!("\"status\": \"{status}\""))
                .replace(
                    "\"installationStatus\": \"FINISHED\"",
                    &format!("\"installationStatus\": {installation}"),
                )
                .replace("\"installationProgress\": 100", &format!("\"installationProgress\": {progress}"))
                .replace("\"isSpot\": null", &format!("\"isSpot\": {spot}"));
            let machine = machine(&json).unwrap();
            assert_eq!(machine.state, expected, "{status} {installation}");
            assert_eq!(machine.ssh.is_empty(), expected != Running);
        }
    }

    #[test]
    fn a_failed_installation_is_billed_all_the_same() {
        let failed = ACTIVE
            .replace("\"installationStatus\": \"FINISHED\"", "\"installationStatus\": \"ERROR\"")
            .replace("\"installationFailure\": null", "\"installationFailure\": \"no driver\"");
        let failed = machine(&failed).unwrap();
        assert_eq!(failed.notices, [Notice::StillBilled { word: "ACTIVE/ERROR".to_owned() }]);
        assert_eq!(failed.detail.as_deref(), Some("no driver"));
    }

    #[test]
    fn standing_without_a_price_of_its_own_costs_the_full_price() {
        let stopped = ACTIVE.replace("\"status\": \"ACTIVE\"", "\"status\": \"STOPPED\"");
        assert_eq!(machine(&stopped).unwrap().notices.len(), 1);
        let cheap = stopped.replace("\"stoppedPriceHr\": null", "\"stoppedPriceHr\": 0.005");
        assert_eq!(machine(&cheap).unwrap().notices, []);
    }

    #[test]
    fn a_rate_in_another_currency_is_told_in_it() {
        let euros = ACTIVE.replace(
            "\"priceHr\": 3.2912",
            "\"priceHr\": 3.2912, \"basePriceHr\": 2.8, \"baseCurrency\": \"EUR\"",
        );
        let machine = machine(&euros).unwrap();
        assert_eq!((machine.per_hour, machine.currency), (Some("2.8".parse().unwrap()), "EUR".parse().ok()));
    }

    #[test]
    fn a_pod_may_be_almost_empty_but_never_without_an_id() {
        let bare = machine(r#"{"id": "7c1", "status": "ACTIVE", "sshConnection": [null]}"#).unwrap();
        assert_eq!((bare.state, bare.ssh.len(), bare.per_hour), (MachineState::Running, 0, None));
        assert_eq!(bare.place.seller, None);
        assert!(machine(r#"{"status": "ACTIVE"}"#).is_err());
        let hidden = machine(&ACTIVE.replace("\"runpod\"", "\"dc_kudu\"")).unwrap();
        assert_eq!((hidden.place.country, hidden.place.seller), (None, None));
    }
}
