//! Idleness as the machine itself judges it: the same rule, and the same side to err on.

use gpudesk_core::rental::OnExpiry;

use super::super::{BoxLease, Method, script};
use super::machine::{Machine, after, lease};

/// A machine that stops after 4 idle minutes.
pub(super) fn idle() -> BoxLease {
    BoxLease { idle_minutes: Some(4), ..lease(Method::PowerOff, OnExpiry::Stop) }
}

/// One that has run two minutes longer than that.
pub(super) fn runs(prepare: impl FnOnce(&Machine)) -> Machine {
    let machine = Machine::new(0);
    prepare(&machine);
    machine.arm(&idle());
    machine.run(6);
    machine
}

/// Makes it a quiet container on a busy host.
pub(super) fn container(machine: &Machine) {
    machine.write(".dockerenv", "");
    std::fs::create_dir_all(machine.path("sys/fs/cgroup")).unwrap();
    machine.write("proc/loadavg", "96.00 0.04 0.00 1/200 4242\n");
    machine.write("sys/fs/cgroup/cpu.stat", "usage_usec 1000\nuser_usec 1\n");
    machine.write("sys/fs/cgroup/io.stat", "259:0 rbytes=100 wbytes=5 rios=1 wios=1\n");
}

#[test]
fn a_machine_that_does_nothing_is_stopped_after_its_idle_minutes() {
    let machine = Machine::new(0);
    machine.arm(&BoxLease { idle_minutes: Some(20), ..idle() });
    machine.run(22);
    let calls = machine.calls_at();
    assert!(!calls.is_empty() && (20..=21).contains(&calls[0]), "{calls:?} {}", machine.log());
    let log = machine.log();
    assert!(
        log.contains("idle for 20 minutes: this machine is stopped by poweroff (activity=idle why=quiet"),
        "{log}"
    );
    let walls = machine.read("walls");
    assert!(
        walls.contains("in 10 minutes: nothing works on it") && walls.contains("in 2 minutes"),
        "{walls}"
    );
}

#[test]
fn whatever_works_or_is_not_known_keeps_it() {
    type Case = (&'static str, fn(&Machine));
    let cases: [Case; 17] = [
        ("why=gpu", |m| m.write("cards", "97, 40000, [N/A]\n")),
        ("why=gpu", |m| m.write("cards", "0, 4, [N/A]\n5, 4, [N/A]\n0, 4, [N/A]\n")),
        ("why=cpu", |m| m.write("proc/loadavg", "0.50 0.04 0.00 1/200 4242\n")),
        ("why=cpu", |m| m.write("proc/loadavg", "12.09 0.04 0.00 1/200 4242\n")),
        ("why=network", |m| {
            m.at(0, "echo \"  eth0: $((clock * 40000)) 1 0 0 0 0 0 0 2000 1 0\" >proc/net/dev")
        }),
        ("why=disk", |m| {
            m.at(0, "echo \"254 0 vda 1 0 $((clock * 600)) 1 1 0 200 1 0 1 1\" >proc/diskstats")
        }),
        ("why=marker", |m| m.at(0, "touch -d @$clock tmp/gpudesk-busy")),
        ("why=memory", |m| m.write("cards", "0, 17000, [N/A]\n")),
        ("why=mig", |m| m.write("cards", "[N/A], 12, Enabled\n")),
        ("why=not-told", |m| m.write("cards", "[N/A], 4, [N/A]\n")),
        ("why=not-told", |m| m.write("cards", "0, [Unknown Error], [N/A]\n0, 4, [N/A]\n")),
        ("why=card-lost", |m| {
            m.write("cards", "Unable to determine the device handle for GPU 0000:BA:00.0: Unknown Error\n")
        }),
        ("why=driver", |m| m.write("cards-exit", "9\n")),
        ("why=no-gpu-tool", |m| std::fs::remove_file(m.path("bin/nvidia-smi")).unwrap()),
        ("why=not-told", |m| std::fs::remove_dir(m.path("dev/pts")).unwrap()),
        ("why=not-told", |m| m.write("proc/diskstats", "nothing that anybody expects\n")),
        ("why=not-told", |m| m.write("proc/net/dev", "  eth0: lots 1 0 0 0 0 0 0 of 1 0\n")),
    ];
    for (why, prepare) in cases {
        let machine = runs(prepare);
        assert_eq!(machine.read("calls"), "", "{why}");
        // The state of the last look, and of all but the first one.
        let state = machine.read("run/gpudesk/state");
        assert!(state.contains(why) && state.contains("idle_s=0"), "{why}: {state}");
    }
}

#[test]
fn a_key_pressed_counts_and_a_forgotten_terminal_does_not() {
    let typing = runs(|machine| {
        machine.write("dev/pts/0", "");
        machine.at(0, "if [ $((minute % 4)) -eq 2 ]; then touch -a -d @$clock dev/pts/0; fi");
    });
    assert_eq!(typing.read("calls"), "", "{}", typing.log());
    let forgotten = runs(|machine| {
        machine.write("dev/pts/0", "");
        let touched = machine.shell(0).arg("-c").arg("touch -a -d @1000000000 dev/pts/0").status();
        assert!(touched.unwrap().success());
    });
    assert!(!forgotten.calls_at().is_empty(), "{}", forgotten.log());
    let saving = runs(|machine| {
        std::fs::create_dir_all(machine.path("home/.vscode-server/data/User/History/1a2b")).unwrap();
        machine.at(0, "touch -d @$clock home/.vscode-server/data/User/History/1a2b");
    });
    assert_eq!(saving.read("calls"), "", "{}", saving.log());
    let notebook = runs(|machine| {
        std::fs::create_dir_all(machine.path("home/.ipython/profile_default")).unwrap();
        machine.at(0, "touch -d @$clock home/.ipython/profile_default/history.sqlite");
    });
    assert_eq!(notebook.read("calls"), "", "{}", notebook.log());
}

#[test]
fn without_the_tool_of_its_cards_only_the_deadline_counts() {
    let machine = Machine::new(0);
    std::fs::remove_file(machine.path("bin/nvidia-smi")).unwrap();
    machine.arm(&BoxLease { deadline: Some(after(15)), ..idle() });
    machine.run(17);
    assert_eq!(machine.calls_at(), [15]);
}

#[test]
fn held_memory_is_idle_only_where_the_lease_says_so() {
    let machine = Machine::new(0);
    machine.write("cards", "0, 17000, [N/A]\n");
    machine.arm(&BoxLease { stops_parked: true, ..idle() });
    machine.run(8);
    assert!(!machine.calls_at().is_empty(), "{}", machine.log());
}

#[test]
fn idle_time_begins_anew_with_work_and_with_a_start() {
    let machine = Machine::new(0);
    machine.at(2, "echo '60, 4, [N/A]' >cards");
    machine.at(3, "echo '0, 4, [N/A]' >cards");
    machine.arm(&idle());
    machine.run(6);
    assert_eq!(machine.read("calls"), "", "{}", machine.log());
    machine.run(9);
    assert_eq!(machine.read("calls"), "", "the loop was started anew: {}", machine.log());
}

#[test]
fn a_container_is_judged_by_its_own_figures() {
    let quiet = runs(container);
    assert!(!quiet.calls_at().is_empty(), "its host is busy, it is not: {}", quiet.log());
    let busy = runs(|machine| {
        container(machine);
        machine.at(0, "echo \"usage_usec $((clock * 900000))\" >sys/fs/cgroup/cpu.stat");
    });
    assert!(
        busy.read("calls").is_empty() && busy.read("run/gpudesk/state").contains("why=cpu"),
        "{}",
        busy.log()
    );
    let blind = runs(|machine| {
        container(machine);
        std::fs::remove_file(machine.path("sys/fs/cgroup/io.stat")).unwrap();
    });
    assert!(
        blind.read("calls").is_empty() && blind.read("run/gpudesk/state").contains("why=not-told"),
        "{}",
        blind.log()
    );
}

#[test]
fn a_renewal_takes_no_idle_time_away_unless_it_says_so() {
    for (kept_at, stops_at) in [(None, 6), (Some(after(3)), 9)] {
        let machine = Machine::new(0);
        let lease = BoxLease { idle_minutes: Some(6), ..idle() };
        machine.arm(&lease);
        let renewed = BoxLease { deadline: Some(after(600)), idle_from: kept_at, ..lease };
        machine.write("renew", &script::renew(&renewed, after(3)).unwrap());
        machine.at(3, "if [ ! -e asked ]; then touch asked; sh renew >renewed 2>&1; fi");
        machine.run(11);
        assert_eq!(machine.calls_at().first(), Some(&stops_at), "{}", machine.log());
        assert!(machine.log().contains("lease 2 until"), "{}", machine.log());
    }
}
