//! Ways into machines, as far as no machine is needed for them.

use std::path::Path;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use gpudesk_core::rental::SshAddress;
use gpudesk_remote::Host;
use tempfile::TempDir;

use super::*;
use crate::{Desk, DeskError, Opener};

/// Has one program, and remembers what it was started with.
#[derive(Default)]
struct OneProgram(Mutex<Vec<(String, Vec<String>)>>);

#[async_trait]
impl Opener for OneProgram {
    async fn start(&self, program: &str, arguments: &[String]) -> Result<(), String> {
        if !matches!(program, "konsole" | "code") {
            return Err("there is no such program".to_owned());
        }
        lock(&self.0).push((program.to_owned(), arguments.to_vec()));
        Ok(())
    }
}

async fn desk(home: &TempDir, opener: Option<Arc<dyn Opener>>) -> Desk {
    let mut config = DeskConfig::new(home.path().join("desk"));
    config.ssh_folder = Some(home.path().join(".ssh"));
    config.opener = opener;
    Desk::open(config).await.unwrap()
}

fn place(port: u16) -> Place {
    let address = SshAddress::new("127.0.0.1", port, "root", false).unwrap();
    let host = Host { rental: "01A".into(), alias: "gpudesk-a".into(), address, identity: None };
    Place { name: "a".into(), host }
}

#[tokio::test]
async fn the_first_terminal_that_is_there_is_started_and_the_command_is_told() {
    let home = tempfile::tempdir().unwrap();
    let opener = Arc::new(OneProgram::default());
    let desk = desk(&home, Some(Arc::clone(&opener) as Arc<dyn Opener>)).await;
    let opened = desk.open_at(&place(22), "terminal", "linux").await.unwrap();
    assert_eq!(opened.program.as_deref(), Some("konsole"));
    let config = desk.ways().ssh.files().config();
    assert_eq!(opened.command, format!("ssh -F {} -- gpudesk-a", config.display()));
    let started = lock(&opener.0).pop().unwrap();
    let vector = ["ssh", "-F", config.to_str().unwrap(), "--", "gpudesk-a"].map(str::to_owned);
    assert!(started.1.ends_with(&vector), "{started:?}");

    // An editor reads the person's own configuration.
    let refused = desk.open_at(&place(22), "vscode", "linux").await.unwrap_err();
    assert_eq!(refused.code(), "ssh-include-missing");
    assert!(desk.ssh_include_add().await.unwrap().there);
    let opened = desk.open_at(&place(22), "vscode", "linux").await.unwrap();
    assert_eq!(opened.program.as_deref(), Some("code"));
    assert_eq!(lock(&opener.0).pop().unwrap().1, ["--remote", "ssh-remote+gpudesk-a"]);
    let opened = desk.open_at(&place(22), "cursor", "linux").await.unwrap();
    assert_eq!((opened.program, opened.command.as_str()), (None, "cursor --remote ssh-remote+gpudesk-a"));
    assert_eq!(desk.open_at(&place(22), "terminal", "linux").await.unwrap().command, "ssh gpudesk-a");
    assert_eq!(desk.open_at(&place(22), "rm", "linux").await.unwrap_err().code(), "request-invalid");
}

#[tokio::test]
async fn an_alias_is_nobody_elses_and_stays() {
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir(home.path().join(".ssh")).unwrap();
    std::fs::write(home.path().join(".ssh/config"), "Host gpudesk-a\n    User me\n").unwrap();
    let desk = desk(&home, None).await;
    let alias = |rental: &str, name: &str| desk.ways().alias(rental, name);
    assert_eq!(alias("01A", "a"), "gpudesk-a-2");
    assert_eq!(alias("01B", "a"), "gpudesk-a-3");
    assert_eq!(alias("01A", "a"), "gpudesk-a-2");
}

#[tokio::test]
async fn a_forward_to_a_machine_that_is_not_there_is_tried_again_until_it_is_closed() {
    let home = tempfile::tempdir().unwrap();
    let desk = desk(&home, None).await;
    assert_eq!(desk.forward_at(place(22), 0, None, Preset::Plain).unwrap_err().code(), "request-invalid");
    let nobody = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
    let mut events = desk.events();
    let opened = desk.forward_at(place(nobody), 8888, None, Preset::Jupyter).unwrap();
    assert_eq!(opened.state, ForwardState::Opening);
    assert_eq!(opened.url, format!("http://127.0.0.1:{}/", opened.local_port));
    while desk.forwards()[0].state == ForwardState::Opening {
        events.recv().await.unwrap();
    }
    let now = &desk.forwards()[0];
    // Without a client it is a matter of this computer, and is not tried again.
    assert!(matches!(now.state, ForwardState::Retrying | ForwardState::Failed), "{now:?}");
    assert!(now.problem.is_some());
    desk.forward_close(opened.id);
    assert_eq!(desk.forwards(), []);
}

#[tokio::test]
async fn a_copy_that_cannot_begin_says_so_and_numbers_that_are_not_there_are_named() {
    let home = tempfile::tempdir().unwrap();
    let desk = desk(&home, None).await;
    assert_eq!(
        desk.copy_at(place(1), Direction::To, vec![], String::new()).unwrap_err().code(),
        "request-invalid"
    );
    let mut events = desk.events();
    let missing = Path::new("/no/such/file").to_owned();
    let copy = desk.copy_at(place(1), Direction::To, vec![missing], "~".into()).unwrap();
    assert_eq!((copy.title.as_str(), copy.state), ("file", CopyState::Running));
    while desk.copies()[0].state == CopyState::Running {
        events.recv().await.unwrap();
    }
    assert!(desk.copies()[0].problem.as_ref().unwrap().contains("/no/such/file"));
    assert!(matches!(
        desk.copy_cancel(99),
        Err(DeskError::Connect(ConnectError::Unknown { number: 99, .. }))
    ));
    assert_eq!(desk.terminal_read(99, 0).await.unwrap_err().code(), "not-found");
}
