//! The watchdog on a machine of the market: its own key ends it, and nothing else of this computer is touched.

use std::path::Path;

use chrono::{DateTime, TimeDelta, Utc};
use gpudesk_core::rental::{OnExpiry, SshAddress};
use gpudesk_remote::watchdog::{self, BoxLease, Method};
use gpudesk_remote::{Files, Host, Ssh};
use gpudesk_tests::sim::machine::Service;
use serde_json::Value;

use crate::ssh::Machine;
use crate::support::ask;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_machine_past_its_deadline_stops_itself_with_its_own_key() {
    let machine = Machine::start().await;
    let ssh = Ssh::new(Files::new(&machine.folder.path().join("desk")));
    let host = Host {
        rental: "01A".to_owned(),
        alias: "gpudesk-01a".to_owned(),
        address: SshAddress::new("127.0.0.1", machine.port, "root", false).unwrap(),
        identity: Some(machine.folder.path().join("fits")),
    };
    ssh.greet(&host).await.unwrap();
    let now: DateTime<Utc> = "2026-11-30T09:00:00Z".parse().unwrap();
    let mut lease = BoxLease {
        deadline: Some(now + TimeDelta::hours(8)),
        idle_minutes: None,
        idle_from: None,
        stops_parked: false,
        part_s: 60,
        action: OnExpiry::Stop,
        method: Method::PowerOff,
        base: Some(format!("http://{}", machine.sim.address_of(Service::Vast))),
    };
    // No way leads from a practice machine to a shutdown of this computer.
    let armed = watchdog::arm(&ssh, &host, &lease, now).await.unwrap();
    assert_eq!(armed.unable.as_deref(), Some("no-poweroff"));
    assert!(!Path::new("/var/lib/gpudesk").exists() && !Path::new("/run/gpudesk").exists());

    lease.method = Method::Vast;
    lease.deadline = Some(now - TimeDelta::minutes(1));
    let armed = watchdog::arm(&ssh, &host, &lease, now).await.unwrap();
    assert_eq!(armed.unable, None);
    let path = format!("/api/v0/instances/{}/", machine.id);
    let mut asked = 0;
    loop {
        let (_, shown) = ask(&machine.sim, "GET", &path, Value::Null).await;
        if shown["instances"]["intended_status"] == "stopped" {
            break;
        }
        asked += 1;
        let state = watchdog::look(&ssh, &host).await;
        assert!(asked < 40, "{shown} {state:?}");
    }
}
