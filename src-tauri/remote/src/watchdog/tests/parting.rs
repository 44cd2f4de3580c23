//! The time of the machine's programs before it is stopped.

use std::os::unix::fs::symlink;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};

use gpudesk_core::rental::OnExpiry;

use super::super::{BoxLease, Method, script};
use super::machine::{Machine, after, lease};

fn until(minutes: i64) -> BoxLease {
    BoxLease { deadline: Some(after(minutes)), ..lease(Method::PowerOff, OnExpiry::Stop) }
}

/// A program that holds a card of the machine, started in it or elsewhere on this computer.
fn program(machine: &Machine, inside: bool, text: &str) -> Child {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", text]).stdin(Stdio::null()).stdout(Stdio::null()).env_remove("GPUDESK_ROOT");
    if inside {
        command.env("GPUDESK_ROOT", machine.folder.path());
    }
    let child = command.spawn().unwrap();
    let fds = machine.path(&format!("proc/{}/fd", child.id()));
    std::fs::create_dir_all(&fds).unwrap();
    symlink("/dev/nvidia0", fds.join("3")).unwrap();
    child
}

fn end(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Goes on whatever it is asked: what is ignored stays so in the program that takes the shell's place.
const STUBBORN: &str = "trap '' TERM; exec /bin/sleep 600";

fn hook(machine: &Machine, text: &str) {
    std::fs::create_dir_all(machine.path("home/.gpudesk")).unwrap();
    machine.program("home/.gpudesk/before-stop", text);
}

#[test]
fn programs_are_asked_to_end_before_the_machine_is_stopped() {
    let machine = Machine::new(0);
    let mut job = program(&machine, true, "exec /bin/sleep 600");
    let foreign = program(&machine, false, "exec /bin/sleep 600");
    hook(&machine, "echo \"$*\" >>\"$GPUDESK_ROOT/hooked\"");
    machine.arm(&until(30));
    machine.run(29);
    assert_eq!(
        (job.try_wait().unwrap(), machine.read("hooked")),
        (None, String::new()),
        "not a minute early"
    );
    machine.run(31);
    assert_eq!(machine.calls_at(), [30], "{}", machine.log());
    assert_eq!(job.wait().unwrap().signal(), Some(15));
    assert_eq!(machine.read("hooked"), "stop time 60\n", "once, with what happens, why, and how long it has");
    assert!(machine.log().contains("its programs had their time: 1 1 done"), "{}", machine.log());
    end(foreign);
}

#[test]
fn what_does_not_end_holds_no_stop_up() {
    let machine = Machine::new(0);
    machine.write("fast", "");
    let job = program(&machine, true, STUBBORN);
    hook(&machine, "echo $$ >\"$GPUDESK_ROOT/hook-pid\"\nexec /bin/sleep 600");
    machine.arm(&until(30));
    machine.run(35);
    let calls = machine.calls_at();
    assert!(calls.len() == 1 && (30..=31).contains(&calls[0]), "{calls:?} {}", machine.log());
    assert!(machine.log().contains("its programs had their time: 1 0 killed"), "{}", machine.log());
    let pid = machine.read("hook-pid");
    let words = std::fs::read_to_string(format!("/proc/{}/cmdline", pid.trim())).unwrap_or_default();
    assert_eq!(words, "", "the hook is ended with its time");
    end(job);
}

#[test]
fn a_lease_that_is_renewed_meanwhile_is_kept() {
    let machine = Machine::new(0);
    machine.write("fast", "");
    let job = program(&machine, true, STUBBORN);
    machine.arm(&until(30));
    machine.write("renew", &script::renew(&until(90), after(30)).unwrap());
    let renew = "if [ ! -e asked ]; then touch asked; sh renew >renewed 2>&1; fi";
    machine.at(30, &format!("if [ $up -ge $((UP_AT_START + 1815)) ]; then {renew}; fi"));
    machine.run(80);
    assert_eq!(machine.read("calls"), "", "{}", machine.log());
    assert!(machine.log().contains("its programs have 60 s to end"), "{}", machine.log());
    end(job);
}

#[test]
fn what_programs_write_in_their_time_is_no_work() {
    let machine = Machine::new(0);
    machine.write("fast", "");
    let job = program(&machine, true, STUBBORN);
    // It writes down what it has once it is asked to end.
    let written = "echo \"254 0 vda 1 0 $((clock * 600)) 1 1 0 200 1 0 1 1\" >proc/diskstats";
    machine.at(4, &format!("if [ $up -gt $((UP_AT_START + 250)) ]; then {written}; fi"));
    machine.arm(&BoxLease { idle_minutes: Some(4), ..lease(Method::PowerOff, OnExpiry::Stop) });
    machine.run(8);
    assert_eq!(machine.calls_at().len(), 1, "{}", machine.log());
    end(job);
}

#[test]
fn programs_get_no_time_where_the_lease_gives_none() {
    let machine = Machine::new(0);
    let mut job = program(&machine, true, "exec /bin/sleep 600");
    machine.arm(&BoxLease { part_s: 0, ..until(10) });
    machine.run(11);
    assert_eq!((machine.calls_at(), job.try_wait().unwrap()), (vec![10], None));
    end(job);
}

#[test]
fn a_persons_hook_stays_when_the_watchdog_is_taken_away() {
    let machine = Machine::new(0);
    machine.arm(&until(20));
    machine.write("var/lib/gpudesk/before-stop", "#!/bin/sh\n");
    machine.script(&script::disarm(), 0);
    let left: Vec<_> = std::fs::read_dir(machine.path("var/lib/gpudesk")).unwrap().flatten().collect();
    assert_eq!(left.iter().map(std::fs::DirEntry::file_name).collect::<Vec<_>>(), ["before-stop"]);
}
