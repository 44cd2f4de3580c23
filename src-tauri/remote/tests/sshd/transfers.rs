//! Files with odd names, into the machine and back.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gpudesk_remote::{SshError, Terminal, Transfer, TransferCommand};

use crate::support::Machine;

const NAMES: [&str; 6] =
    ["plain.txt", "a b.txt", "it's \"quoted\".txt", "$(touch CANARY);`id`.txt", "-rf.txt", "ключ [1]*.txt"];

async fn run(mut command: TransferCommand) -> (i32, Option<f64>, String) {
    let terminal = Terminal::start(&command.program, &command.arguments, 120, 24).unwrap();
    let (mut offset, mut text, mut percent) = (0, String::new(), None);
    loop {
        let printed = terminal.read(offset, Duration::from_secs(30)).await;
        offset = printed.offset;
        text.push_str(&String::from_utf8_lossy(&printed.bytes));
        if let Some(code) = printed.exit {
            for line in text.split(['\r', '\n']) {
                percent = command.percent(line).or(percent);
            }
            return (code, percent, text);
        }
    }
}

fn fill(folder: &Path) -> Vec<PathBuf> {
    fs::create_dir_all(folder).unwrap();
    for name in NAMES {
        fs::write(folder.join(name), name).unwrap();
    }
    NAMES.iter().map(|name| folder.join(name)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn odd_names_go_both_ways_and_no_shell_reads_them() {
    let Some(machine) = Machine::start() else { return };
    let (ssh, host) = (machine.ssh(), machine.host("01A"));
    let files = fill(&machine.path("here"));
    let there = machine.path("there $(touch CANARY) 'x' ;y");
    let remote = there.to_str().unwrap().to_owned();

    let copy = Transfer::In { from: files, to: remote.clone() };
    let (code, percent, said) = run(copy.prepare(&ssh, &host).await.unwrap()).await;
    assert_eq!(code, 0, "{said}");
    assert_eq!(percent, Some(100.0), "{said}");
    for name in NAMES {
        assert_eq!(fs::read_to_string(there.join(name)).unwrap(), name);
    }

    for name in NAMES {
        let back = machine.path("back");
        let _ = fs::remove_dir_all(&back);
        fs::create_dir(&back).unwrap();
        let copy = Transfer::Out { from: format!("{remote}/{name}"), to: back.clone() };
        let (code, _, said) = run(copy.prepare(&ssh, &host).await.unwrap()).await;
        assert_eq!(code, 0, "{name}: {said}");
        assert_eq!(fs::read_to_string(back.join(name)).unwrap(), name);
    }

    // A whole folder, into the folder.
    let copy = Transfer::In { from: vec![machine.path("here")], to: remote.clone() };
    let (code, _, said) = run(copy.prepare(&ssh, &host).await.unwrap()).await;
    assert_eq!(code, 0, "{said}");
    assert_eq!(fs::read_dir(there.join("here")).unwrap().count(), NAMES.len());
    machine.no_canary();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_is_said_before_anything_is_copied() {
    let Some(machine) = Machine::start() else { return };
    let (ssh, host) = (machine.ssh(), machine.host("01A"));
    let nowhere = Transfer::In { from: vec![machine.path("nowhere")], to: String::new() };
    assert!(
        matches!(nowhere.prepare(&ssh, &host).await, Err(SshError::Here(words)) if words.contains("nowhere"))
    );
    let missing = Transfer::Out { from: "/no/such/file".into(), to: machine.folder.path().to_owned() };
    assert!(
        matches!(missing.prepare(&ssh, &host).await, Err(SshError::Command(words)) if words.contains("/no/such/file"))
    );
    let broken = Transfer::In { from: fill(&machine.path("x")), to: "a\nb".into() };
    assert!(matches!(broken.prepare(&ssh, &host).await, Err(SshError::Here(_))));
    let file = machine.path("file");
    fs::write(&file, "").unwrap();
    let into_file = Transfer::In { from: fill(&machine.path("x")), to: file.to_str().unwrap().into() };
    assert!(matches!(into_file.prepare(&ssh, &host).await, Err(SshError::Command(_))));
}
