//! Deadlines: kept whatever happens to clock, disk and machine.

use std::path::Path;
use std::process::{Command, Stdio};

use gpudesk_core::activity::Why;
use gpudesk_core::rental::{OnExpiry, UserDataKind};

use super::super::{BoxLease, Method, VERSION, script, state, user_data};
use super::machine::{Machine, after, lease, start};

fn until(minutes: i64) -> BoxLease {
    BoxLease { deadline: Some(after(minutes)), ..lease(Method::PowerOff, OnExpiry::Stop) }
}

#[test]
fn the_machine_ends_itself_at_its_deadline_and_warns_before() {
    let machine = Machine::new(0);
    let armed = state::armed(&machine.arm(&until(30))).unwrap();
    assert_eq!((armed.version, armed.offset_s, armed.on_disk), (VERSION, 0, true));
    assert!(armed.seen_at >= start() && armed.seen_at < after(1));
    machine.run(29);
    assert_eq!(machine.read("calls"), "", "not a minute early");
    let walls = machine.read("walls");
    assert!(
        walls.contains("is stopped in 10 minutes") && walls.contains("is stopped in 2 minutes"),
        "{walls}"
    );
    assert_eq!(walls.lines().count(), 2, "{walls}");
    machine.run(35);
    assert_eq!(machine.calls_at(), [30]);
    assert!(machine.log().contains("the lease ended"), "{}", machine.log());
}

#[test]
fn a_clock_that_is_wrong_moves_nothing() {
    for ahead in [86_400, -86_400, 3600] {
        let machine = Machine::new(ahead);
        let armed = state::armed(&machine.arm(&until(20))).unwrap();
        assert_eq!(armed.offset_s, ahead);
        // Somebody sets the clock, forward and then far back, while it runs.
        machine.at(8, "if [ ! -e jumped ]; then touch jumped; echo $((clock + 500000)) >clock; fi");
        machine.at(12, "if [ ! -e back ]; then touch back; echo 1000 >clock; fi");
        machine.run(19);
        assert_eq!(machine.read("calls"), "", "{ahead}");
        machine.run(22);
        assert!(
            machine.log().contains(&format!("{} the lease ended", after(20).timestamp())),
            "{}",
            machine.log()
        );
    }
}

#[test]
fn a_reboot_does_not_end_or_extend_a_lease() {
    let machine = Machine::new(7200);
    machine.arm(&until(60));
    machine.run(25);
    machine.reboot(5);
    // Minutes are counted by uptime: it starts anew.
    machine.run(24 - 83);
    assert_eq!(machine.read("calls"), "");
    let mut shell = machine.shell(200);
    shell.env("UP_AT_START", "0").env("MINUTES", "40");
    shell.arg(machine.path("var/lib/gpudesk/gpudesk-watchdog.sh")).output().unwrap();
    assert!(
        machine.log().contains(&format!("{} the lease ended", after(60).timestamp())),
        "{}",
        machine.log()
    );
    assert!(machine.read("calls").contains("poweroff"));
}

#[test]
fn a_machine_started_again_after_its_end_has_half_an_hour_to_be_renewed() {
    let machine = Machine::new(0);
    machine.arm(&until(10));
    machine.run(11);
    assert_eq!(machine.calls_at(), [10]);
    machine.reboot(600);
    let mut shell = machine.shell(0);
    shell.env("UP_AT_START", "0").env("MINUTES", "29");
    shell.arg(machine.path("var/lib/gpudesk/gpudesk-watchdog.sh")).output().unwrap();
    assert_eq!(machine.calls_at().len(), 1, "{}", machine.log());
    let mut shell = machine.shell(0);
    shell.env("UP_AT_START", "0").env("MINUTES", "70");
    shell.arg(machine.path("var/lib/gpudesk/gpudesk-watchdog.sh")).output().unwrap();
    assert!(machine.calls_at().len() > 1, "{}", machine.log());
}

#[test]
fn terminals_are_told_where_nobody_keeps_a_list_of_logins() {
    let machine = Machine::new(0);
    std::fs::remove_file(machine.path("run/utmp")).unwrap();
    machine.write("dev/pts/0", "");
    machine.arm(&until(5));
    assert!(machine.read("dev/pts/0").contains("is stopped in 5 minutes"), "{}", machine.log());
    assert_eq!(machine.read("walls"), "");
}

#[test]
fn a_lease_that_only_notifies_stops_nothing() {
    let machine = Machine::new(0);
    machine.arm(&BoxLease { action: OnExpiry::Notify, ..until(5) });
    machine.run(90);
    assert_eq!(machine.read("calls"), "");
    assert!(machine.log().contains("only told"));
}

#[test]
fn nobody_extends_a_lease_but_a_newer_one() {
    let machine = Machine::new(0);
    machine.arm(&until(20));
    // Half a lease, a stranger's words, an older lease: none of them is one.
    for text in ["serial=9\ndeadline=9999999999\n", "$(touch canary)\n", "serial=9\narmed=x\nend=lease\n"] {
        machine.write("run/gpudesk/lease", text);
        machine.run(10);
    }
    assert!(!machine.path("canary").exists());
    machine.run(21);
    assert_eq!(machine.calls_at(), [20], "{}", machine.log());
}

#[test]
fn a_running_loop_takes_a_renewal_over() {
    let machine = Machine::new(0);
    machine.arm(&until(20));
    machine.write("renew", &script::renew(&until(50), after(10)).unwrap());
    machine.at(10, "if [ ! -e asked ]; then touch asked; sh renew >renewed 2>&1; fi");
    machine.run(49);
    assert_eq!(machine.read("calls"), "", "{}", machine.log());
    let told = "timeout 20 sh -c 'until grep -q gpudesk renewed; do sleep 0.1; done'";
    machine.shell(0).arg("-c").arg(told).status().unwrap();
    let renewed = state::armed(&machine.read("renewed"));
    assert_eq!(renewed.map(|armed| armed.on_disk), Some(true), "{}", machine.read("renewed"));
    machine.run(52);
    assert_eq!(machine.calls_at().len(), 1, "{}", machine.log());
    assert!(machine.calls_at()[0] >= 50);
}

#[test]
fn nothing_is_renewed_where_nothing_runs() {
    let machine = Machine::new(0);
    assert!(machine.script(&script::renew(&until(5), start()).unwrap(), 0).contains("@@gpudesk absent"));
    machine.arm(&until(5));
    assert!(machine.script(&script::renew(&until(50), start()).unwrap(), 0).contains("@@gpudesk absent"));
}

/// Arms a machine that can write nothing, and waits for the end of the loop that lives in memory.
fn without_disk(machine: &Machine, script: &str) {
    let made = Command::new("mkfifo").arg(machine.path("ended")).status().unwrap();
    assert!(made.success());
    let said = machine.script(script, 12);
    let armed = state::armed(&said).unwrap_or_else(|| panic!("{said}"));
    assert_eq!((armed.on_disk, armed.survives_reboot), (false, false));
    assert_eq!(armed.unable.as_deref(), Some("unseen"));
    let ended = machine.shell(0).arg("-c").arg("timeout 60 cat ended").output().unwrap();
    assert_eq!(String::from_utf8_lossy(&ended.stdout).trim(), "over");
    assert_eq!(machine.calls_at(), [10]);
}

#[test]
fn the_deadline_is_kept_where_nothing_can_be_written() {
    let machine = Machine::new(0);
    std::fs::remove_dir_all(machine.path("run")).unwrap();
    std::fs::create_dir(machine.path("var")).unwrap();
    machine.write("var/lib", "a file where a folder should be\n");
    without_disk(&machine, &script::arm(&until(10), start()).unwrap());
}

#[test]
fn the_deadline_is_kept_on_a_full_disk() {
    let machine = Machine::new(0);
    std::fs::remove_dir_all(machine.path("run")).unwrap();
    std::fs::create_dir_all(machine.path("var/lib/gpudesk")).unwrap();
    let can =
        machine.shell(0).arg("-c").arg("unshare -m mount -t tmpfs -o size=8k none var/lib/gpudesk").output();
    if !can.unwrap().status.success() {
        println!("skipped, needs the right to mount");
        return;
    }
    machine.write("arm", &script::arm(&until(10), start()).unwrap());
    let full = "mount -t tmpfs -o size=8k none var/lib/gpudesk && { cat /dev/zero >var/lib/gpudesk/full 2>/dev/null; sh arm; }";
    without_disk(&machine, &format!("exec unshare -m sh -c '{full}'\n"));
}

#[test]
fn the_text_for_the_first_boot_arms_and_yields_to_a_desk() {
    let machine = Machine::new(0);
    let text = user_data(&until(40), UserDataKind::CloudInit, None).unwrap();
    assert!(text.starts_with("#!/bin/sh\n"));
    machine.script(&text, 0);
    machine.arm(&until(20));
    // It runs at every start of a container; the desk's lease stands.
    machine.script(&text, 0);
    machine.run(21);
    assert_eq!(machine.calls_at(), [20], "{}", machine.log());

    let packed = user_data(&until(15), UserDataKind::Script, Some(16_000)).unwrap();
    assert!(packed.len() <= 16_000 && packed.starts_with("#!/bin/sh\nbase64"), "{}", packed.len());
    let machine = Machine::new(0);
    machine.script(&packed, 0);
    machine.run(16);
    assert_eq!(machine.calls_at(), [15], "{}", machine.log());
}

#[test]
fn a_text_that_does_not_fit_is_none_or_keeps_the_deadline_alone() {
    let vast = BoxLease { method: Method::Vast, ..until(30) };
    let short = user_data(&vast, UserDataKind::Script, Some(4048)).unwrap();
    assert!(short.len() <= 4048 && short.contains(&after(30).timestamp().to_string()), "{short}");
    assert!(short.contains("-X PUT") && short.contains("https://console.vast.ai/api/v0/instances/$id/"));
    let end = BoxLease { action: OnExpiry::End, ..vast.clone() };
    assert!(user_data(&end, UserDataKind::Script, Some(4048)).unwrap().contains("call -X DELETE https"));
    assert_eq!(user_data(&until(30), UserDataKind::CloudInit, Some(4048)), None);
    assert_eq!(
        user_data(&BoxLease { deadline: None, ..vast.clone() }, UserDataKind::Script, Some(4048)),
        None
    );
    assert_eq!(user_data(&vast, UserDataKind::None, None), None);
    assert_eq!(user_data(&BoxLease { base: Some("x y".into()), ..vast }, UserDataKind::Script, None), None);
}

#[test]
fn the_watchdog_is_taken_away_with_everything_it_left() {
    let machine = Machine::new(0);
    machine.write("proc/1/comm", "systemd\n");
    std::fs::create_dir_all(machine.path("root")).unwrap();
    machine.write("root/onstart.sh", "echo theirs\n");
    let armed = state::armed(&machine.arm(&until(20))).unwrap();
    assert!(armed.survives_reboot);
    assert!(machine.read("root/onstart.sh").contains("gpudesk-watchdog"));
    let looked = state::looked(&machine.script(&script::look(), 0)).unwrap();
    assert_eq!((looked.deadline, looked.version), (Some(after(20)), Some(VERSION)));
    let log = machine.script(&script::disarm(), 0);
    assert!(log.contains(&format!("watching: version {VERSION}")), "{log}");
    assert_eq!(machine.read("root/onstart.sh"), "echo theirs\n");
    assert!(!machine.path("var/lib/gpudesk").exists() && !machine.path("run/gpudesk").exists());
}

#[test]
fn what_the_system_starts_again_is_used() {
    let machine = Machine::new(0);
    std::fs::create_dir_all(machine.path("run/systemd/system")).unwrap();
    let systemctl =
        "echo \"$*\" >>systemctl\nif [ \"$1\" = restart ]; then sh var/lib/gpudesk/gpudesk-watchdog.sh & fi";
    machine.program("bin/systemctl", systemctl);
    assert!(state::armed(&machine.arm(&until(20))).unwrap().survives_reboot);
    assert!(machine.read("etc/systemd/system/gpudesk-watchdog.service").contains("gpudesk-watchdog.sh"));
    let asked = machine.read("systemctl");
    assert_eq!(asked, "daemon-reload\nenable gpudesk-watchdog.service\nrestart gpudesk-watchdog.service\n");

    let cron = Machine::new(0);
    std::fs::create_dir_all(cron.path("proc/77")).unwrap();
    cron.write("proc/77/comm", "cron\n");
    assert!(state::armed(&cron.arm(&until(20))).unwrap().survives_reboot);
    assert!(cron.read("etc/cron.d/gpudesk-watchdog").starts_with("@reboot root /bin/sh "));

    let pod = Machine::new(0);
    pod.write("start.sh", "execute_script \"/post_start.sh\"\n");
    assert!(state::armed(&pod.arm(&until(20))).unwrap().survives_reboot);
    assert!(pod.read("post_start.sh").contains("gpudesk-watchdog"));

    let bare = Machine::new(0);
    assert!(!state::armed(&bare.arm(&until(20))).unwrap().survives_reboot, "nothing there starts it again");
}

#[test]
fn a_driver_that_hangs_holds_no_deadline_up() {
    let machine = Machine::new(0);
    machine.write("fast", "");
    machine.program("bin/nvidia-smi", "exec /bin/sleep 20");
    machine.arm(&BoxLease { idle_minutes: Some(3), ..until(10) });
    machine.run(11);
    assert_eq!(machine.calls_at(), [10], "{}", machine.log());
    let state = machine.read("run/gpudesk/state");
    assert!(state.contains("why=driver") && state.contains("idle_s=0"), "{state}");
}

#[test]
fn a_loop_that_is_one_too_many_ends() {
    let machine = Machine::new(0);
    machine.arm(&until(20));
    let other = ["-c", "read line", "gpudesk-watchdog"];
    let mut other = Command::new("sh").args(other).stdin(Stdio::piped()).spawn().unwrap();
    machine.at(3, &format!("echo {} >run/gpudesk/pid", other.id()));
    machine.run(30);
    assert_eq!(machine.read("calls"), "");
    assert!(machine.log().ends_with("another one watches\n"), "{}", machine.log());
    other.kill().unwrap();
    other.wait().unwrap();

    let away = Machine::new(0);
    away.arm(&until(20));
    away.at(3, "rm -rf run/gpudesk var/lib/gpudesk");
    away.run(30);
    assert_eq!(away.read("calls"), "");

    // A pid file alone that vanished takes no lease with it.
    let swept = Machine::new(0);
    swept.arm(&until(20));
    swept.at(3, "rm -rf run/gpudesk");
    swept.run(21);
    assert_eq!(swept.calls_at(), [20]);
}

#[test]
fn every_shell_that_a_machine_may_have_runs_it() {
    for shell in ["bash", "dash", "busybox"] {
        let Some(path) =
            ["/bin", "/usr/bin"].iter().map(|at| Path::new(at).join(shell)).find(|at| at.exists())
        else {
            println!("skipped, needs {shell}");
            continue;
        };
        let machine = Machine::new(-3600);
        std::os::unix::fs::symlink(path, machine.path("bin/sh")).unwrap();
        machine.write("dev/pts/0", "");
        machine.at(0, "touch -a -d @$clock dev/pts/0");
        let lease = BoxLease { idle_minutes: Some(3), ..until(5) };
        let armed = state::armed(&machine.arm(&lease)).unwrap();
        assert_eq!((armed.offset_s, armed.on_disk), (-3600, true), "{shell}");
        machine.run(6);
        let log = machine.log();
        assert!(log.contains(&format!("{} the lease ended", after(5).timestamp())), "{shell}: {log}");
        assert!(!log.contains("idle for"), "{shell}: {log}");
        let looked = state::looked(&machine.script(&script::look(), 0)).unwrap();
        assert!(looked.fired_at.is_some(), "{shell}: {looked:?}");
        assert_eq!(looked.measured.map(|measured| measured.why), Some(Why::Human), "{shell}");
    }
}
