//! Port forwards that open, say what the machine says, and end with it.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use gpudesk_remote::{Forward, SshError};

use crate::support::{Machine, free_port};

const PATIENCE: Duration = Duration::from_secs(20);

#[tokio::test(flavor = "multi_thread")]
async fn a_port_of_the_machine_is_here_until_the_machine_is_gone_and_can_be_had_again() {
    let Some(mut machine) = Machine::start() else { return };
    let (ssh, host) = (machine.ssh(), machine.host("01A"));
    let there = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let remote = there.local_addr().unwrap().port();
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = there.accept() {
            let _ = stream.write_all(b"hello from the machine");
        }
    });
    let local = free_port();
    let ask = || {
        let mut stream = TcpStream::connect(("127.0.0.1", local)).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    };
    let mut forward = Forward::open(&ssh, &host, local, remote).await.unwrap();
    assert_eq!(ask(), "hello from the machine");

    // A port that is taken is told at once.
    let taken = Forward::open(&ssh, &host, local, remote).await.err().unwrap();
    assert!(matches!(&taken, SshError::Here(words) if words.contains(&local.to_string())), "{taken:?}");

    machine.down();
    let ended = tokio::time::timeout(PATIENCE, forward.ended(&ssh, &host, local)).await.unwrap();
    assert!(matches!(ended, SshError::Silent(_)), "{ended:?}");
    drop(forward);
    assert!(matches!(Forward::open(&ssh, &host, local, remote).await.err(), Some(SshError::Silent(_))));

    machine.up("host", "");
    let _again = Forward::open(&ssh, &host, local, remote).await.unwrap();
    assert_eq!(ask(), "hello from the machine");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_machine_says_of_its_port_is_told() {
    let Some(mut machine) = Machine::start() else { return };
    let (ssh, host) = (machine.ssh(), machine.host("01A"));
    let (local, nobody) = (free_port(), free_port());
    let mut forward = Forward::open(&ssh, &host, local, nobody).await.unwrap();
    let _open = TcpStream::connect(("127.0.0.1", local)).unwrap();
    let said = tokio::time::timeout(PATIENCE, forward.next_refusal()).await.unwrap().unwrap();
    assert!(said.contains("nothing listens"), "{said}");
    drop(forward);

    machine.up("host", "AllowTcpForwarding no");
    let local = free_port();
    let mut forward = Forward::open(&ssh, &host, local, nobody).await.unwrap();
    let _open = TcpStream::connect(("127.0.0.1", local)).unwrap();
    let said = tokio::time::timeout(PATIENCE, forward.next_refusal()).await.unwrap().unwrap();
    assert!(said.contains("forbids"), "{said}");
}
