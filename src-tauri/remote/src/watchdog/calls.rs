//! Arming, renewing, looking at and taking away a watchdog, each by one connection.

use std::time::Duration;

use chrono::{DateTime, Utc};

use super::{Armed, BoxLease, WatchdogState, script, state};
use crate::{Host, Ssh, SshError, last_words};

/// How long one of them may take: the connection, and the fifteen seconds in which the loop must show itself.
const LIMIT: Duration = Duration::from_secs(60);

/// Puts the watchdog on a machine and starts it with this lease; one that runs there already takes the lease over
/// without forgetting how long it has seen no work. It returns once the loop has been seen with the lease. `now` is the
/// desk's time: the difference to the machine's clock is measured and kept, so that a wrong clock there moves nothing.
///
/// # Errors
/// Every kind. [`SshError::Command`] when it was reached and no loop shows itself.
pub async fn arm(ssh: &Ssh, host: &Host, lease: &BoxLease, now: DateTime<Utc>) -> Result<Armed, SshError> {
    ask(ssh, host, script::arm(lease, now)).await
}

/// Gives a running watchdog another lease. Nothing is installed: where none runs it fails, and [`arm`] is what helps.
///
/// # Errors
/// As [`arm`].
pub async fn renew(ssh: &Ssh, host: &Host, lease: &BoxLease, now: DateTime<Utc>) -> Result<Armed, SshError> {
    ask(ssh, host, script::renew(lease, now)).await
}

async fn ask(ssh: &Ssh, host: &Host, script: Option<String>) -> Result<Armed, SshError> {
    let script = script.ok_or_else(|| {
        SshError::Here("the address of the provider in the lease is none: `http(s)://host[:port]`".to_owned())
    })?;
    let printed = ssh.script(host, &script, LIMIT).await?;
    state::armed(&printed.out).ok_or_else(|| {
        let out = printed.out.as_str();
        SshError::Command(if out.contains("@@gpudesk absent") {
            "no watchdog runs there to be renewed: arm it".to_owned()
        } else if out.contains("@@gpudesk silent") {
            "the watchdog was started and does not show itself".to_owned()
        } else {
            format!("the watchdog was not armed: {}", last_words(&format!("{out}\n{}", printed.err)))
        })
    })
}

/// What the watchdog of a machine does.
///
/// # Errors
/// Every kind. [`SshError::Command`] when the answer is not whole.
pub async fn look(ssh: &Ssh, host: &Host) -> Result<WatchdogState, SshError> {
    let printed = ssh.script(host, &script::look(), LIMIT).await?;
    state::looked(&printed.out).ok_or_else(|| unclear(&printed))
}

/// Takes the watchdog away with everything it left, and gives its log back: times of the desk in seconds since 1970,
/// and what it measured and did.
///
/// # Errors
/// Every kind. [`SshError::Command`] when the answer is not whole: it may still run.
pub async fn disarm(ssh: &Ssh, host: &Host) -> Result<String, SshError> {
    let printed = ssh.script(host, &script::disarm(), LIMIT).await?;
    let log =
        printed.out.split_once("@@gpudesk log\n").and_then(|(_, rest)| rest.rsplit_once("\n@@gpudesk end"));
    log.map(|(log, _)| log.trim_end().to_owned()).ok_or_else(|| unclear(&printed))
}

fn unclear(printed: &crate::Printed) -> SshError {
    let words = last_words(&format!("{}\n{}", printed.out, printed.err));
    SshError::Command(format!("the machine did not say what its watchdog does: {words}"))
}
