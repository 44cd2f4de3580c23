//! Names that would be commands, were they ever read by a shell, and the terminal of a machine that bears them.

use std::process::Command;
use std::time::Duration;

use gpudesk_remote::programs::{editors, mac_script, shown, terminals};
use gpudesk_remote::{SshError, Terminal, alias_of, keys};

use crate::support::{Machine, keygen};

const NAMES: [&str; 7] = [
    "a b",
    "\"quoted\" 'name'",
    "x; touch CANARY",
    "$(touch CANARY)",
    "`touch CANARY`",
    "-oProxyCommand=touch CANARY",
    "машина\nHost *\n  ProxyCommand touch CANARY",
];

async fn everything(terminal: &Terminal) -> (i32, String) {
    let (mut text, mut offset) = (Vec::new(), 0);
    loop {
        let printed = terminal.read(offset, Duration::from_secs(30)).await;
        text.extend(printed.bytes);
        offset = printed.offset;
        if let Some(code) = printed.exit {
            return (code, String::from_utf8_lossy(&text).into_owned());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_terminal_opens_whatever_the_machine_is_called_and_nothing_reaches_a_shell() {
    let Some(machine) = Machine::start() else { return };
    let ssh = machine.ssh();
    for (number, name) in NAMES.into_iter().enumerate() {
        let mut host = machine.host(&format!("01A{number}"));
        host.alias = alias_of(name, &host.rental, |_| false);
        ssh.greet(&host).await.unwrap();
        let mut arguments = ssh.arguments(&host);
        arguments.extend(["--".into(), host.alias.clone().into()]);
        let terminal = Terminal::start(ssh.program(), &arguments, 80, 24).unwrap();
        terminal.write(b"echo in-$((40+2)); exit 7\n".to_vec()).await.unwrap();
        let (code, said) = everything(&terminal).await;
        assert_eq!(code, 7, "{name:?}: {said}");
        assert!(said.contains("in-42"), "{said}");

        let vector = ["true".to_owned(), host.alias.clone()];
        for text in [mac_script(&vector), shown("true", &vector[1..])] {
            let status = Command::new("sh")
                .arg("-c")
                .arg(&text)
                .current_dir(machine.folder.path())
                .stdin(std::process::Stdio::null())
                .status();
            assert!(status.unwrap().success(), "{text}");
        }
        let argument =
            |start: &gpudesk_remote::programs::Start| start.arguments.last().cloned().unwrap_or_default();
        assert!(
            terminals("linux", &vector, std::path::Path::new("/x"))
                .iter()
                .all(|start| argument(start) == host.alias)
        );
        assert!(
            editors("linux", "vscode", &host.alias)
                .iter()
                .all(|start| argument(start).ends_with(&host.alias))
        );
    }
    machine.no_canary();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_terminal_that_cannot_connect_says_why() {
    let Some(mut machine) = Machine::start() else { return };
    let (ssh, host) = (machine.ssh(), machine.host("01A"));
    ssh.greet(&host).await.unwrap();
    machine.new_host_key("host2");
    machine.up("host2", "");
    let mut arguments = ssh.arguments(&host);
    arguments.extend(["--".into(), host.alias.clone().into()]);
    let terminal = Terminal::start(ssh.program(), &arguments, 80, 24).unwrap();
    let (code, _) = everything(&terminal).await;
    assert_eq!(code, 255);
    let why = ssh.explain(&host, &terminal.tail()).await;
    assert!(
        matches!(&why, SshError::HostKeyChanged { known, found } if known != found && found.starts_with("SHA256:")),
        "{why:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_key_works_through_an_agent() {
    let Some(machine) = Machine::start() else { return };
    let locked = machine.path("locked");
    keygen(&locked, "a passphrase");
    std::fs::copy(machine.path("locked.pub"), machine.path("authorized_keys")).unwrap();
    let (ssh, mut host) = (machine.ssh(), machine.host("01A"));
    host.identity = Some(locked.clone());
    assert!(matches!(ssh.greet(&host).await, Err(SshError::Denied(words)) if words.contains("passphrase")));

    // An agent for this test alone; the client finds it by the environment it is started with.
    let socket = machine.path("agent");
    let Ok(mut agent) =
        Command::new("ssh-agent").args(["-D", "-a"]).arg(&socket).stdout(std::process::Stdio::null()).spawn()
    else {
        println!("skipped, needs ssh-agent");
        return;
    };
    while !socket.exists() && agent.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    let ask = machine.script("ask", "echo 'a passphrase'");
    let added = Command::new("ssh-add")
        .arg(&locked)
        .env("SSH_AUTH_SOCK", &socket)
        .env("SSH_ASKPASS", &ask)
        .env("SSH_ASKPASS_REQUIRE", "force")
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let client = machine.script("client", &format!("SSH_AUTH_SOCK='{}' exec ssh \"$@\"", socket.display()));
    let greeted = machine.ssh().with_program(client).greet(&host).await;
    agent.kill().unwrap();
    agent.wait().unwrap();
    assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));
    assert!(greeted.unwrap().starts_with("SHA256:"));
    assert!(keys::of_file(ssh.files(), &locked).await.is_err(), "without the agent it stays locked");
}
