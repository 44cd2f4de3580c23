//! The watchdog put on a machine by SSH, and what a sample says of who is there.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use gpudesk_core::activity::Input;
use gpudesk_core::rental::OnExpiry;
use gpudesk_remote::gpu::{Sample, SampleReader, sample_script};
use gpudesk_remote::watchdog::{self, BoxLease, Method, VERSION};
use gpudesk_remote::{Host, Ssh, SshError, Terminal};

use crate::support::Machine;

#[expect(clippy::disallowed_methods, reason = "the machine's clock is the real one")]
fn now() -> DateTime<Utc> {
    DateTime::from_timestamp(Utc::now().timestamp(), 0).unwrap()
}

/// A machine whose system files are a folder of the test: nothing of the real ones is touched, and no way leads to the
/// real shutdown.
fn folder(machine: &mut Machine) {
    let root = machine.path("root");
    for name in ["run", "proc/1", "proc/net", "proc/sys/kernel/random", "dev/pts", "etc/cron.d"] {
        std::fs::create_dir_all(root.join(name)).unwrap();
    }
    for name in ["uptime", "loadavg", "net/dev", "1/stat", "sys/kernel/random/boot_id"] {
        std::os::unix::fs::symlink(format!("/proc/{name}"), root.join("proc").join(name)).unwrap();
    }
    machine.up("host", &format!("SetEnv GPUDESK_ROOT={}", root.display()));
}

fn lease(deadline: DateTime<Utc>) -> BoxLease {
    BoxLease {
        deadline: Some(deadline),
        idle_minutes: Some(30),
        idle_from: None,
        stops_parked: false,
        part_s: 60,
        action: OnExpiry::Stop,
        method: Method::PowerOff,
        base: None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watchdog_is_armed_renewed_looked_at_and_taken_away() {
    let Some(mut machine) = Machine::start() else { return };
    folder(&mut machine);
    let (ssh, host) = (machine.ssh(), machine.host("01A"));
    ssh.greet(&host).await.unwrap();
    let first = now() + TimeDelta::hours(8);
    let nothing = watchdog::look(&ssh, &host).await.unwrap();
    assert_eq!((nothing.armed, nothing.version, nothing.action), (false, None, None));
    let refused = watchdog::renew(&ssh, &host, &lease(first), now()).await.unwrap_err();
    assert!(matches!(&refused, SshError::Command(words) if words.contains("arm it")), "{refused:?}");

    let armed = watchdog::arm(&ssh, &host, &lease(first), now()).await.unwrap();
    assert_eq!((armed.version, armed.on_disk, armed.survives_reboot), (VERSION, true, false));
    assert_eq!(armed.unable.as_deref(), Some("no-poweroff"));
    assert!(armed.offset_s.abs() <= 30 && (armed.seen_at - now()).num_seconds().abs() <= 30, "{armed:?}");
    let state = watchdog::look(&ssh, &host).await.unwrap();
    assert!(state.armed && state.tick_age_s.unwrap() < 60, "{state:?}");
    assert_eq!(
        (state.deadline, state.idle_minutes, state.action),
        (Some(first), Some(30), Some(OnExpiry::Stop))
    );
    assert_eq!((state.fired_at, state.failed, state.tries), (None, None, 0));

    let second = first + TimeDelta::hours(2);
    watchdog::renew(&ssh, &host, &lease(second), now()).await.unwrap();
    let state = watchdog::look(&ssh, &host).await.unwrap();
    assert_eq!((state.armed, state.deadline), (true, Some(second)));

    // Somebody else's login may not be asked for a shell's address in a lease.
    let bad = BoxLease { base: Some("http://x; id".into()), ..lease(second) };
    assert!(matches!(watchdog::arm(&ssh, &host, &bad, now()).await, Err(SshError::Here(_))));

    let log = watchdog::disarm(&ssh, &host).await.unwrap();
    let watching = format!("watching: version {VERSION}, lease 1");
    assert!(log.contains(&watching) && log.contains("lease 2 until"), "{log}");
    let state = watchdog::look(&ssh, &host).await.unwrap();
    assert_eq!((state.armed, state.action), (false, None));
    assert_eq!(watchdog::disarm(&ssh, &host).await.unwrap(), "", "twice is once");
}

async fn sample(ssh: &Ssh, host: &Host) -> Sample {
    let once = sample_script(5).replace("  sleep 5\n", "  exit\n");
    let printed = ssh.script(host, &once, Duration::from_secs(60)).await.unwrap();
    let mut reader = SampleReader::default();
    printed.out.lines().find_map(|line| reader.push(line)).unwrap_or_else(|| panic!("{printed:?}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_at_a_terminal_is_seen_and_our_own_session_is_not() {
    let Some(machine) = Machine::start() else { return };
    let (ssh, host) = (machine.ssh(), machine.host("01A"));
    ssh.greet(&host).await.unwrap();
    let before = sample(&ssh, &host).await.vitals;
    assert!(before.net_bytes.is_some() && before.boot_id.is_some() && before.cores.is_some(), "{before:?}");
    let mut arguments = ssh.arguments(&host);
    arguments.extend(["--".into(), host.alias.clone().into()]);
    let terminal = Terminal::start(ssh.program(), &arguments, 80, 24).unwrap();
    terminal.write(b"echo here-$((40+2))\n".to_vec()).await.unwrap();
    let (mut text, mut offset) = (Vec::new(), 0);
    while !String::from_utf8_lossy(&text).contains("here-42") {
        let printed = terminal.read(offset, Duration::from_secs(30)).await;
        assert_eq!(printed.exit, None, "{}", String::from_utf8_lossy(&text));
        text.extend(printed.bytes);
        offset = printed.offset;
    }
    let there = sample(&ssh, &host).await.vitals;
    assert!(matches!(there.input, Input::Ago(seconds) if seconds < 60), "{there:?}");
}
