//! Programs of a machine asked to end, by SSH.

use std::os::unix::fs::symlink;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};

use gpudesk_core::guard::Limit;
use gpudesk_core::rental::{HookEnd, Parting};
use gpudesk_remote::SshError;
use gpudesk_remote::parting::{Parted, part};

use crate::support::Machine;

const PARTED: Parted = Parted { ends: true, limit: Limit::Idle, seconds: 20, here: true };

/// A machine whose home and system files are folders of the test: nothing of this computer is touched.
fn folder(machine: &mut Machine) {
    let (root, home) = (machine.path("root"), machine.path("person"));
    std::fs::create_dir_all(root.join("proc")).unwrap();
    std::fs::create_dir_all(home.join(".gpudesk")).unwrap();
    machine.up("host", &format!("SetEnv GPUDESK_ROOT={} HOME={}", root.display(), home.display()));
}

/// A program that holds a card of the machine; one that was started in it, or elsewhere on this computer.
fn program(machine: &Machine, inside: bool) -> Child {
    let mut command = Command::new("sleep");
    command.arg("600").stdin(Stdio::null()).env_remove("GPUDESK_ROOT");
    if inside {
        command.env("GPUDESK_ROOT", machine.path("root"));
    }
    let child = command.spawn().unwrap();
    let fds = machine.path(&format!("root/proc/{}/fd", child.id()));
    std::fs::create_dir_all(&fds).unwrap();
    symlink("/dev/nvidia1", fds.join("5")).unwrap();
    child
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_end_and_the_persons_hook_is_run_with_the_reason() {
    let Some(mut machine) = Machine::start() else { return };
    folder(&mut machine);
    let (ssh, host) = (machine.ssh(), machine.host("01A"));
    ssh.greet(&host).await.unwrap();
    let nothing = part(&ssh, &host, PARTED).await.unwrap();
    assert_eq!(nothing, Parting { asked: 0, ended: 0, hook: None });
    std::fs::remove_dir_all(machine.path("person/.gpudesk/parting")).unwrap();

    let (mut job, mut foreign) = (program(&machine, true), program(&machine, false));
    machine.script("person/.gpudesk/before-stop", "echo \"$#: $*\" >>~/hooked; pwd >>~/hooked");
    let parting = part(&ssh, &host, PARTED).await.unwrap();
    assert_eq!(parting, Parting { asked: 1, ended: 1, hook: Some(HookEnd::Done) });
    assert_eq!(job.wait().unwrap().signal(), Some(15));
    let hooked = format!("3: end idle 20\n{}\n", machine.path("person").display());
    assert_eq!(std::fs::read_to_string(machine.path("person/hooked")).unwrap(), hooked);
    // Whoever comes second, the desk or the watchdog, tells what the first one did.
    assert_eq!(part(&ssh, &host, PARTED).await.unwrap(), parting);
    assert_eq!(std::fs::read_to_string(machine.path("person/hooked")).unwrap(), hooked);
    assert_eq!(foreign.try_wait().unwrap(), None, "it is not of this machine");
    foreign.kill().unwrap();
    foreign.wait().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn this_computer_is_not_taken_for_a_machine() {
    let Some(mut machine) = Machine::start() else { return };
    let (ssh, host) = (machine.ssh(), machine.host("01A"));
    let home = machine.path("person");
    std::fs::create_dir_all(home.join(".gpudesk")).unwrap();
    machine.up("host", &format!("SetEnv HOME={}", home.display()));
    ssh.greet(&host).await.unwrap();
    machine.script("person/.gpudesk/before-stop", "touch ~/hooked");
    let refused = part(&ssh, &host, PARTED).await.unwrap_err();
    assert!(matches!(&refused, SshError::Command(words) if words.contains("gpudesk here")), "{refused:?}");
    assert!(!home.join("hooked").exists());
    machine.down();
    let silent = part(&ssh, &host, PARTED).await.unwrap_err();
    assert!(matches!(silent, SshError::Silent(_)), "{silent:?}");
}
