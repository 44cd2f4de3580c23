//! The first connection, the next ones, and everybody who is not who they were.

use std::io::Write;
use std::net::TcpListener;
use std::time::Duration;

use gpudesk_remote::gpu::{PROBE_LIMIT, probe_script, read_probe};
use gpudesk_remote::{SshError, known};

use crate::support::{Machine, free_port, keygen};

#[tokio::test]
async fn the_first_key_is_pinned_and_another_one_is_refused_until_a_person_accepts_it() {
    let Some(mut machine) = Machine::start() else { return };
    let (ssh, host) = (machine.ssh(), machine.host("01A"));
    let first = ssh.greet(&host).await.unwrap();
    assert_eq!(ssh.greet(&host).await.unwrap(), first, "the same machine again");
    assert_eq!(known(ssh.files(), "01A").unwrap()[0].fingerprint, first);

    // Another rental at the same address is another machine.
    machine.new_host_key("host2");
    machine.up("host2", "");
    let second = ssh.greet(&machine.host("01B")).await.unwrap();
    assert_ne!(second, first);

    // The first rental is not.
    let refused = ssh.greet(&host).await.unwrap_err();
    assert_eq!(refused, SshError::HostKeyChanged { known: first.clone(), found: second.clone() });
    let wrong = ssh.accept_key(&host, &first).await.unwrap_err();
    assert_eq!(wrong, SshError::HostKeyChanged { known: first.clone(), found: second.clone() });
    assert_eq!(ssh.greet(&host).await.unwrap_err(), refused, "still refused");

    let other = known(ssh.files(), "01B").unwrap();
    ssh.accept_key(&host, &second).await.unwrap();
    assert_eq!(ssh.greet(&host).await.unwrap(), second);
    assert_eq!(known(ssh.files(), "01B").unwrap(), other, "the other rental's line is left alone");
}

#[tokio::test]
async fn a_key_of_another_type_does_not_slip_in_as_a_first_one() {
    let Some(mut machine) = Machine::start() else { return };
    let (ssh, host) = (machine.ssh(), machine.host("01A"));
    let first = ssh.greet(&host).await.unwrap();
    let made = std::process::Command::new("ssh-keygen")
        .args(["-q", "-t", "ecdsa", "-N", "", "-f"])
        .arg(machine.path("host-ecdsa"))
        .status();
    assert!(made.unwrap().success());
    machine.up("host-ecdsa", "");
    match ssh.greet(&host).await.unwrap_err() {
        SshError::HostKeyChanged { known, found } => {
            assert_eq!(known, first);
            assert!(found.starts_with("SHA256:") && found != first, "{found}");
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_key_that_is_not_let_in_is_told_from_nobody_there() {
    let Some(mut machine) = Machine::start() else { return };
    let ssh = machine.ssh();
    let mut host = machine.host("01A");
    host.identity = Some(machine.path("stranger"));
    keygen(&machine.path("stranger"), "");
    assert!(
        matches!(ssh.greet(&host).await, Err(SshError::Denied(words)) if words.contains("Permission denied"))
    );

    let mut nobody = machine.host("01B");
    nobody.address.user = "nobody-of-that-name".into();
    assert!(matches!(ssh.greet(&nobody).await, Err(SshError::Denied(_))));

    // A key with a passphrase is of no use without an agent, and the message says so.
    keygen(&machine.path("locked"), "secret");
    host.identity = Some(machine.path("locked"));
    assert!(matches!(ssh.greet(&host).await, Err(SshError::Denied(words)) if words.contains("passphrase")));

    // The key arrives late: the same question is answered once it is there.
    let late = machine.path("authorized_keys");
    let stranger = std::fs::read_to_string(machine.path("stranger.pub")).unwrap();
    std::fs::OpenOptions::new().append(true).open(late).unwrap().write_all(stranger.as_bytes()).unwrap();
    host.identity = Some(machine.path("stranger"));
    ssh.greet(&host).await.unwrap();

    machine.down();
    assert!(matches!(ssh.greet(&host).await, Err(SshError::Silent(words)) if words.contains("refused")));
}

#[tokio::test]
async fn a_port_that_says_nothing_is_given_up() {
    let home = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let Some(machine) = Machine::start() else { return };
    let mut host = machine.host("01A");
    host.address.port = listener.local_addr().unwrap().port();
    let ssh = gpudesk_remote::Ssh::new(gpudesk_remote::Files::new(home.path()));
    let answer = ssh.script(&host, "exit 0\n", Duration::from_millis(1500)).await;
    assert!(matches!(answer, Err(SshError::Silent(_))), "{answer:?}");

    // Somebody who is no SSH server at all.
    let web = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    host.address.port = web.local_addr().unwrap().port();
    std::thread::spawn(move || {
        let (mut stream, _) = web.accept().unwrap();
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
    });
    let answer = ssh.greet(&host).await;
    assert!(matches!(answer, Err(SshError::Silent(_))), "{answer:?}");
    host.address.port = free_port();
    assert!(matches!(ssh.greet(&host).await, Err(SshError::Silent(_))));
}

#[tokio::test]
async fn a_machine_is_probed_by_one_connection() {
    let Some(machine) = Machine::start() else { return };
    let (ssh, host) = (machine.ssh(), machine.host("01A"));
    ssh.greet(&host).await.unwrap();
    let printed = ssh.script(&host, &probe_script(), PROBE_LIMIT).await.unwrap();
    #[expect(clippy::disallowed_methods, reason = "the machine's clock is the real one")]
    let probe = read_probe(&printed.out, chrono::Utc::now());
    assert!(probe.clock_off_s.unwrap().abs() < 30.0, "{probe:?}");
    assert_eq!(probe.gpus.is_none(), probe.gpu_problem.is_some(), "{probe:?}");
}

#[tokio::test]
async fn a_key_that_an_agent_holds_is_used_by_its_public_half() {
    let Some(machine) = Machine::start() else { return };
    keygen(&machine.path("in-agent"), "");
    std::fs::copy(machine.path("in-agent.pub"), machine.path("authorized_keys")).unwrap();
    let mut host = machine.host("01A");
    host.identity = Some(machine.path("in-agent.pub"));
    let ssh = machine.ssh();
    std::fs::rename(machine.path("in-agent"), machine.path("moved")).unwrap();
    assert!(matches!(ssh.greet(&host).await, Err(SshError::Denied(words)) if words.contains("agent")));
}
