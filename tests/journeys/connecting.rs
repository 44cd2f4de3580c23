//! Into a machine from a terminal: commands, a shell, forwards, any other `ssh`, and a host key that changed.

use std::io::{Read, Write};
use std::net::SocketAddr;
use std::path::PathBuf;

use gpudesk_tests::sim::Sim;
use gpudesk_tests::sim::world::{Pace, World};
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use serde_json::Value;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::Command;

use crate::support::{Desk, program};

/// Thirty-two bytes that are nobody's host key.
const ANOTHER_KEY: &str = "AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g";

/// A market with real machines, and a desk with one of them that is ready and called `train-a`.
async fn rented() -> (TempDir, Sim, Desk) {
    let machines = tempfile::tempdir().unwrap();
    let pace = Pace { made: 0, loading: 10, stopping: 10, ending: 10, keys: 0 };
    let world = World { pace, ..World::default() };
    let nowhere = SocketAddr::from(([127, 0, 0, 1], 0));
    let sim = Sim::start_with(nowhere, world, Some(machines.path().to_owned())).await.unwrap();
    let desk = Desk::with(&sim, sim.keys());
    desk.json("refresh runpod").await;
    let offers = desk.json("offers cloud:runpod instock !spot --limit 1").await;
    let id = offers["offers"][0]["id"].as_str().unwrap();
    let ran = desk.run_with(&["rent", id, "--name", "train-a", "--yes", "--wait", "--json"]).await;
    assert_eq!((ran.code, &ran.json()["state"]), (0, &"ready".into()), "{}", ran.err);
    (machines, sim, desk)
}

fn find(folder: &std::path::Path, name: &str) -> Option<PathBuf> {
    std::fs::read_dir(folder)
        .ok()?
        .flatten()
        .map(|entry| entry.path())
        .find_map(|path| if path.is_dir() { find(&path, name) } else { path.ends_with(name).then_some(path) })
}

#[tokio::test]
async fn commands_a_shell_and_any_other_ssh() {
    let (_machines, _sim, desk) = rented().await;
    let said = desk.run_with(&["ssh", "train-a", "--", "echo", "there; exit 7"]).await;
    assert_eq!((said.code, said.out.trim()), (7, "there"), "{}", said.err);
    let piped = desk.run_typing(&["ssh", "train-a", "--", "cat"], "through\n").await;
    assert_eq!((piped.code, piped.out.as_str()), (0, "through\n"), "{}", piped.err);

    let (code, screen) =
        typed_into_a_shell(&desk, "echo the-$((40+2)); test -t 0 && echo a-terminal\nexit 5\n").await;
    assert!(screen.contains("the-42") && screen.contains("a-terminal"), "{screen}");
    assert_eq!(code, 5, "{screen}");

    let before = desk.json("ssh-config").await;
    assert_eq!(before["there"], false);
    let after = desk.json("ssh-config add").await;
    assert_eq!(after["there"], true, "{after:#}");
    let plain = Command::new("ssh")
        .args(["-F", after["file"].as_str().unwrap(), "-o", "BatchMode=yes", "gpudesk-train-a", "echo plain"])
        .output()
        .await
        .unwrap();
    assert_eq!(
        String::from_utf8_lossy(&plain.stdout),
        "plain\n",
        "{}",
        String::from_utf8_lossy(&plain.stderr)
    );
    assert_eq!(desk.json("ssh-config remove").await["there"], false);
    assert_eq!(desk.run("ssh-config repair").await.code, 2);
}

/// What a person sees who types this into `gpudesk ssh train-a` at a terminal, and its exit code.
async fn typed_into_a_shell(desk: &Desk, keys: &'static str) -> (u32, String) {
    let pair = native_pty_system().openpty(PtySize { rows: 24, cols: 80, ..PtySize::default() }).unwrap();
    let mut command = CommandBuilder::new(program());
    command.args(["ssh", "train-a"]);
    command.env_remove("SSH_AUTH_SOCK");
    desk.variables().iter().for_each(|(name, value)| command.env(name, value));
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut writer = pair.master.take_writer().unwrap();
    let mut reader = pair.master.try_clone_reader().unwrap();
    tokio::task::spawn_blocking(move || {
        let (mut screen, mut piece, mut typed) = (Vec::new(), [0; 4096], false);
        // A terminal whose program is over ends in an error on Linux.
        while let Ok(read @ 1..) = reader.read(&mut piece) {
            screen.extend_from_slice(&piece[..read]);
            // Nobody types before the machine has said its greeting.
            if !typed && String::from_utf8_lossy(&screen).contains("Nothing here costs money.") {
                writer.write_all(keys.as_bytes()).unwrap();
                typed = true;
            }
        }
        (child.wait().unwrap().exit_code(), String::from_utf8_lossy(&screen).into_owned())
    })
    .await
    .unwrap()
}

#[tokio::test]
async fn a_forward_is_open_until_it_is_interrupted() {
    let (_machines, _sim, desk) = rented().await;
    let mut child = desk.start(&["forward", "train-a", "8888", "--json"]);
    let mut out = child.stdout.take().unwrap();
    let open = open_forward(&mut out).await;
    let mut stream = TcpStream::connect(("127.0.0.1", open)).await.unwrap();
    stream.write_all(b"GET / HTTP/1.0\r\n\r\n").await.unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).await.unwrap();
    assert!(page.contains("The port forward works."), "{page}");

    let id = child.id().unwrap().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().await.unwrap().success());
    assert_eq!(child.wait().await.unwrap().code(), Some(0));
    assert!(TcpStream::connect(("127.0.0.1", open)).await.is_err(), "nothing listens after it");

    for (line, code) in [("forward train-a 0", 2), ("forward train-a 70000", 2), ("forward nobody 8888", 3)] {
        assert_eq!(desk.run(line).await.code, code, "{line}");
    }
}

/// Reads what a forward tells until it is open, and gives its port here.
async fn open_forward(out: &mut tokio::process::ChildStdout) -> u16 {
    let mut lines = BufReader::new(out).lines();
    let mut told = String::new();
    while let Some(line) = lines.next_line().await.unwrap() {
        told.push_str(&line);
        if let Ok(forward) = serde_json::from_str::<Value>(&told) {
            if forward["state"] == "open" {
                return u16::try_from(forward["local_port"].as_u64().unwrap()).unwrap();
            }
            told.clear();
        }
    }
    panic!("it ended: {told}");
}

#[tokio::test]
async fn a_host_key_that_changed_is_refused_until_a_person_accepts_it() {
    let (_machines, _sim, desk) = rented().await;
    let pinned = desk.json("show train-a").await["ssh"]["fingerprint"].as_str().unwrap().to_owned();
    let file = find(desk.home(), "known_hosts").unwrap();
    let known = std::fs::read_to_string(&file).unwrap();
    let other: Vec<String> = known
        .lines()
        .map(|line| {
            let (before, _) = line.rsplit_once(' ').unwrap();
            format!("{before} {ANOTHER_KEY}\n")
        })
        .collect();
    std::fs::write(&file, other.concat()).unwrap();

    let refused = desk.run_with(&["ssh", "train-a", "--", "echo", "there"]).await;
    assert_eq!((refused.code, refused.out.as_str()), (4, ""), "{}", refused.err);
    for words in [pinned.as_str(), "accept-key", "REMOTE HOST IDENTIFICATION HAS CHANGED"] {
        assert!(refused.err.contains(words), "`{words}` is not in: {}", refused.err);
    }
    let wrong = desk.run("accept-key train-a SHA256:AAAA").await;
    assert_eq!(wrong.code, 4, "{}", wrong.err);
    assert_eq!(desk.run(&format!("accept-key train-a {pinned}")).await.code, 0);
    let said = desk.run_with(&["ssh", "train-a", "--", "echo", "there"]).await;
    assert_eq!((said.code, said.out.trim()), (0, "there"), "{}", said.err);
}
