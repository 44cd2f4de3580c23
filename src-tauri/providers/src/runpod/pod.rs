//! From a pod as REST v2 describes it to a machine (<https://docs.runpod.io/api-reference-v2>, schema `Pod`).

use std::net::Ipv4Addr;

use gpudesk_core::money::Currency;
use gpudesk_core::offer::Place;
use gpudesk_core::place::{locate, seller};
use gpudesk_core::rental::{Machine, MachineState, Notice, SshAddress};
use rust_decimal::Decimal;
use serde::Deserialize;

use super::map::PROVIDER;
use crate::cloud::{iso, mark};
use crate::http::{List, Literal, redact};

/// A pod on the wire. The environment is read for our mark only; its other values may be secret.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Pod<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    name: Literal<'a>,
    #[serde(borrow)]
    status: Literal<'a>,
    /// [`Gpu`]; absent on a pod without cards by design.
    #[serde(borrow)]
    gpu: Literal<'a>,
    #[serde(borrow)]
    cpu: Literal<'a>,
    #[serde(borrow)]
    data_center_id: Literal<'a>,
    /// USD an hour for the whole pod; 0 when it does not run.
    #[serde(borrow)]
    cost: Literal<'a>,
    #[serde(borrow)]
    locked: Literal<'a>,
    #[serde(borrow)]
    ssh: Literal<'a>,
    #[serde(borrow)]
    runtime: Literal<'a>,
    #[serde(borrow)]
    env: Literal<'a>,
    /// GB, wiped by a stop.
    #[serde(borrow)]
    disk: Literal<'a>,
    #[serde(borrow)]
    mounts: Literal<'a>,
    #[serde(borrow)]
    cluster: Literal<'a>,
    #[serde(borrow)]
    created_at: Literal<'a>,
    #[serde(borrow)]
    started_at: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Gpu<'a> {
    #[serde(borrow)]
    id: Literal<'a>,
    #[serde(borrow)]
    count: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Environment<'a> {
    #[serde(borrow, rename = "GPUDESK_TOKEN")]
    token: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Mounts<'a> {
    #[serde(borrow)]
    persistent: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Persistent<'a> {
    #[serde(borrow)]
    size: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Ssh<'a> {
    #[serde(borrow)]
    direct: Literal<'a>,
    #[serde(borrow)]
    proxy: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Endpoint<'a> {
    #[serde(borrow)]
    host: Literal<'a>,
    #[serde(borrow)]
    port: Literal<'a>,
    #[serde(borrow)]
    username: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Runtime<'a> {
    #[serde(borrow)]
    ports: Option<List<Port<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Port<'a> {
    #[serde(borrow)]
    private: Literal<'a>,
    #[serde(borrow)]
    public: Literal<'a>,
    #[serde(borrow)]
    ip: Literal<'a>,
}

/// Reads one pod; what is wrong with it otherwise.
pub(super) fn machine(json: &str) -> Result<Machine, String> {
    let pod: Pod<'_> = serde_json::from_str(json).map_err(|error| format!("not a pod: {error}"))?;
    let Some(remote_id) = pod.id.text().map(|id| redact::words(&id)) else {
        return Err("a pod without an id".to_owned());
    };
    let word = pod.status.text().map(|word| redact::words(&word)).unwrap_or_default();
    let state = state(&word);
    let running = state == MachineState::Running;
    let gpu = pod.gpu.object::<Gpu<'_>>();
    let count = gpu.count.whole().and_then(|count| u32::try_from(count).ok());
    // A pod of processors only has no cards by design.
    let by_design = pod.gpu.raw().is_none() && pod.cpu.raw().is_some();
    let count = if by_design { Some(0) } else { count };
    let mut notices = Vec::new();
    if count == Some(0) && !by_design {
        notices.push(Notice::NoGpu);
    }
    if pod.locked.flag() == Some(true) {
        notices.push(Notice::Locked);
    }
    if pod.cluster.raw().is_some() {
        notices.push(Notice::Says { words: "member of a cluster: it ends with its cluster only".to_owned() });
    }
    let name = pod.name.text().map(|name| redact::words(&name));
    let in_environment = pod.env.object::<Environment<'_>>().token.text();
    let token = name.as_deref().and_then(mark).or_else(|| in_environment.as_deref().and_then(mark));
    let center = pod.data_center_id.text().map(|center| redact::words(&center));
    Ok(Machine {
        remote_id,
        token,
        name,
        state,
        word,
        asked: None,
        spot: false,
        detail: None,
        ssh: if running { ways(&pod) } else { Vec::new() },
        gpu_name: gpu.id.text().map(|id| redact::words(&id)),
        gpu_count: count,
        place: Place {
            country: center.as_deref().and_then(|id| locate(PROVIDER, id).country).map(str::to_owned),
            region: center,
            seller: seller(PROVIDER).map(str::to_owned),
        },
        per_hour: pod.cost.money(Currency::USD).filter(|cost| *cost > Decimal::ZERO),
        currency: Some(Currency::USD),
        disk_gb: disk(&pod),
        created_at: iso(pod.created_at),
        running_since: iso(pod.started_at).filter(|_| running),
        ends_at: None,
        timer: None,
        notices,
    })
}

/// Who asked for `EXITED` is not told: a stop, or a container that ended.
fn state(word: &str) -> MachineState {
    match word {
        "PROVISIONING" => MachineState::Provisioning,
        "STARTING" => MachineState::Booting,
        "RUNNING" => MachineState::Running,
        "EXITED" => MachineState::Stopped,
        "ERROR" => MachineState::Failed,
        "TERMINATED" => MachineState::Ended,
        _ => MachineState::Unknown,
    }
}

fn disk(pod: &Pod<'_>) -> Option<Decimal> {
    let kept = pod.mounts.object::<Mounts<'_>>().persistent.object::<Persistent<'_>>().size.decimal();
    match (pod.disk.decimal(), kept) {
        (Some(disk), Some(kept)) => disk.checked_add(kept),
        (disk, kept) => disk.or(kept),
    }
}

/// The ready-made address first; else the published port among the live ones, where it is a public one; the proxy,
/// which carries a shell only, last. Ports change with every restart, so nothing here is kept.
fn ways(pod: &Pod<'_>) -> Vec<SshAddress> {
    let ssh = pod.ssh.object::<Ssh<'_>>();
    let direct = endpoint(&ssh.direct.object(), false).or_else(|| published(&pod.runtime.object()));
    direct.into_iter().chain(endpoint(&ssh.proxy.object(), true)).collect()
}

fn endpoint(endpoint: &Endpoint<'_>, proxy: bool) -> Option<SshAddress> {
    let port = u16::try_from(endpoint.port.whole()?).ok()?;
    SshAddress::new(&endpoint.host.text()?, port, &endpoint.username.text()?, proxy)
}

fn published(runtime: &Runtime<'_>) -> Option<SshAddress> {
    runtime.ports.iter().flatten().filter(|port| port.private.whole() == Some(22)).find_map(|port| {
        let public = u16::try_from(port.public.whole()?).ok()?;
        let ip: Ipv4Addr = port.ip.text()?.trim().parse().ok()?;
        // 100.64/10 and the private networks are reached from within RunPod only.
        let shared = ip.octets()[0] == 100 && (64..128).contains(&ip.octets()[1]);
        let inner =
            shared || ip.is_private() || ip.is_loopback() || ip.is_link_local() || ip.is_unspecified();
        if inner { None } else { SshAddress::new(&ip.to_string(), public, "root", false) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUNNING: &str = r#"{"id": "abc", "name": "gpudesk-7f3c", "status": "RUNNING", "gpu": {"id": "NVIDIA L4", "count": 1},
        "dataCenterId": "EU-SE-1", "cost": 0.43, "locked": false, "env": {"SECRET": "s"}, "disk": 20,
        "mounts": {"persistent": {"size": 30, "path": "/workspace"}}, "createdAt": "2026-11-30T08:00:00Z",
        "startedAt": "2026-11-30T08:01:00.5Z", "runtime": {"ports": [
          {"private": 22, "public": null, "type": "tcp", "ip": null},
          {"private": 22, "public": 1022, "type": "tcp", "ip": "100.65.3.1"},
          {"private": 22, "public": 31022, "type": "tcp", "ip": "203.0.113.4"}]},
        "ssh": {"direct": null, "proxy": {"host": "ssh.runpod.io", "port": 22, "username": "abc-644117fe"}}}"#;

    #[test]
    fn a_running_pod_is_read_whole() {
        let pod = machine(RUNNING).unwrap();
        assert_eq!((pod.state, pod.token.as_deref()), (MachineState::Running, Some("gpudesk-7f3c")));
        assert_eq!(pod.place.country.as_deref(), Some("SE"));
        assert_eq!(pod.per_hour, Some("0.43".parse().unwrap()));
        assert_eq!(pod.disk_gb, Some(Decimal::from(50)));
        assert_eq!(pod.running_since, Some("2026-11-30T08:01:00.5Z".parse().unwrap()));
        let ways: Vec<_> =
            pod.ssh.iter().map(|way| (way.host.as_str(), way.port, way.user.as_str(), way.proxy)).collect();
        assert_eq!(
            ways,
            [("203.0.113.4", 31022, "root", false), ("ssh.runpod.io", 22, "abc-644117fe", true)],
            "ports without a public number or with an inner address are passed over"
        );
    }

    #[test]
    fn every_status_has_a_state_and_an_unknown_one_is_kept_as_a_word() {
        for (word, expected) in [
            ("PROVISIONING", MachineState::Provisioning),
            ("STARTING", MachineState::Booting),
            ("EXITED", MachineState::Stopped),
            ("ERROR", MachineState::Failed),
            ("TERMINATED", MachineState::Ended),
            ("HIBERNATING", MachineState::Unknown),
        ] {
            let pod = machine(&RUNNING.replace("\"RUNNING\"", &format!("\"{word}\""))).unwrap();
            assert_eq!((pod.state, pod.word.as_str()), (expected, word));
            assert_eq!((pod.ssh.len(), pod.running_since), (0, None), "{word}");
        }
    }

    #[test]
    fn what_a_person_should_know_is_noticed() {
        let notices = |from: &str, to: &str| machine(&RUNNING.replace(from, to)).unwrap().notices;
        assert_eq!(notices("\"count\": 1", "\"count\": 0"), [Notice::NoGpu]);
        assert_eq!(notices("\"locked\": false", "\"locked\": true"), [Notice::Locked]);
        let member = notices("\"locked\": false", "\"cluster\": {\"id\": \"c\", \"rank\": 0}");
        assert!(matches!(&member[..], [Notice::Says { .. }]));
        let cpu = machine(&RUNNING.replace("\"gpu\": {\"id\": \"NVIDIA L4\", \"count\": 1}", "\"cpu\": {}"))
            .unwrap();
        assert_eq!((cpu.gpu_count, cpu.notices.len()), (Some(0), 0));
    }

    #[test]
    fn the_mark_may_stand_in_the_environment_and_a_stopped_pod_has_no_price() {
        let pod = machine(
            r#"{"id": "x", "name": "renamed", "status": "EXITED", "cost": 0.0, "runtime": {},
                "env": {"GPUDESK_TOKEN": "gpudesk-1a"}, "dataCenterId": null}"#,
        )
        .unwrap();
        assert_eq!(pod.token.as_deref(), Some("gpudesk-1a"));
        assert_eq!((pod.per_hour, pod.place.country, pod.place.region), (None, None, None));
        assert!(machine(r#"{"name": "no id"}"#).is_err());
    }
}
