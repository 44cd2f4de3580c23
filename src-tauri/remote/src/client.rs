//! Which SSH client this machine has.

use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;

/// The SSH client found on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SshClient {
    /// What it says of itself: `OpenSSH_9.2p1 Debian-2+deb12u7, OpenSSL 3.0.17`.
    pub version: String,
}

/// Asks `program` (normally `ssh`) for its version. `None` where it is not installed, does not answer within three
/// seconds, or is not an OpenSSH client: the desk then says that connecting needs one.
pub async fn find_client(program: &str) -> Option<SshClient> {
    let run = Command::new(program)
        .arg("-V")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(Duration::from_secs(3), run).await.ok()?.ok()?;
    // OpenSSH prints its version on standard error; some builds for Windows on standard output.
    let said = [output.stderr, output.stdout].concat();
    let version = String::from_utf8_lossy(&said).lines().next()?.trim().to_owned();
    version.starts_with("OpenSSH").then_some(SshClient { version })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_program_that_is_not_there_is_no_client() {
        assert_eq!(find_client("/nonexistent/ssh").await, None);
    }

    #[tokio::test]
    async fn a_program_that_is_something_else_is_no_client() {
        assert_eq!(find_client("true").await, None);
    }

    #[tokio::test]
    async fn the_systems_client_tells_its_version() {
        match find_client("ssh").await {
            Some(client) => assert!(client.version.starts_with("OpenSSH_"), "{}", client.version),
            None => println!("skipped, needs an OpenSSH client"),
        }
    }
}
