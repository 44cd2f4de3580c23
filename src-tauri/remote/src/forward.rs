//! A port of a machine, brought to a port here.

use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::config::Host;
use crate::{Ssh, SshError, last_words};

/// How long it may take until the port here is open.
const OPENING: Duration = Duration::from_secs(25);
/// Lines of ssh kept to say why it ended.
const LINES: usize = 20;

/// A port forward that is open. It ends when this goes away.
pub struct Forward {
    child: Child,
    /// What the machine says of the connections made through it.
    refused: watch::Receiver<Option<String>>,
    said: JoinHandle<String>,
}

impl Forward {
    /// Opens `local` here, on the loopback interface only, onto `remote` of the machine; returns once the port is open.
    ///
    /// # Errors
    /// Every kind; [`SshError::Here`] when the port here is taken.
    pub async fn open(ssh: &Ssh, host: &Host, local: u16, remote: u16) -> Result<Self, SshError> {
        ssh.put(host).await?;
        let mut child = Command::new(ssh.program())
            .args(ssh.quiet_arguments(host))
            // Its own messages are the only sign that the port is open.
            .args(["-v", "-N", "-o", "ExitOnForwardFailure=yes", "-L"])
            .arg(format!("127.0.0.1:{local}:127.0.0.1:{remote}"))
            .args(["--", &host.alias])
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| ssh.no_client(&error))?;
        let (open, mut opened) = watch::channel(false);
        let (refuse, refused) = watch::channel(None);
        let stderr = child.stderr.take();
        let said = tokio::spawn(async move {
            let mut kept: Vec<String> = Vec::new();
            let Some(stderr) = stderr else { return String::new() };
            let mut lines = BufReader::new(stderr).split(b'\n');
            while let Ok(Some(line)) = lines.next_segment().await {
                let line = String::from_utf8_lossy(&line).trim_end().to_owned();
                // Entering the session comes after login and after every port is bound.
                if line.starts_with("debug1: Entering interactive session") {
                    open.send_replace(true);
                }
                if let Some((_, why)) = line.split_once(": open failed: ") {
                    refuse.send_replace(Some(in_words(why)));
                }
                if !line.starts_with("debug1:") {
                    kept.push(line);
                    if kept.len() > LINES {
                        kept.remove(0);
                    }
                }
            }
            kept.join("\n")
        });
        let mut forward = Self { child, refused, said };
        let bound =
            tokio::time::timeout(OPENING, opened.wait_for(|open| *open)).await.map(|seen| seen.is_ok());
        match bound {
            Ok(true) => Ok(forward),
            Ok(false) => Err(forward.why(ssh, host, local).await),
            Err(_) => Err(SshError::Silent(format!("nothing within {} s", OPENING.as_secs()))),
        }
    }

    /// Waits until it ends and says why.
    pub async fn ended(&mut self, ssh: &Ssh, host: &Host, local: u16) -> SshError {
        // The end of ssh is what matters, however it is told.
        let _ = self.child.wait().await;
        self.why(ssh, host, local).await
    }

    /// What the machine said last of a connection through the forward; waits for the next word.
    pub async fn next_refusal(&mut self) -> Option<String> {
        self.refused.changed().await.ok()?;
        self.refused.borrow_and_update().clone()
    }

    async fn why(&mut self, ssh: &Ssh, host: &Host, local: u16) -> SshError {
        let said = (&mut self.said).await.unwrap_or_default();
        if said.contains("Address already in use") || said.contains("cannot listen to port") {
            return SshError::Here(format!("port {local} of this computer is taken: {}", last_words(&said)));
        }
        ssh.explain(host, &said).await
    }
}

/// Why the machine did not connect the forward, in words.
fn in_words(why: &str) -> String {
    if why.contains("administratively prohibited") {
        return "the machine's SSH server forbids port forwards (AllowTcpForwarding)".to_owned();
    }
    if why.contains("Connection refused") {
        return "nothing listens on that port of the machine yet".to_owned();
    }
    last_words(why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_connection_is_put_into_words() {
        assert!(in_words("administratively prohibited: open failed").contains("forbids"));
        assert!(in_words("connect failed: Connection refused").contains("nothing listens"));
        assert_eq!(in_words("connect failed: No route to host"), "connect failed: No route to host");
    }
}
