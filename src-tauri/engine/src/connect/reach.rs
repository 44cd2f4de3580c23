//! Reaching a machine for real.

use std::sync::Arc;

use async_trait::async_trait;
use gpudesk_core::rental::{Parting, Probe};
use gpudesk_remote::gpu::{PROBE_LIMIT, probe_script, read_probe};
use gpudesk_remote::{Ssh, SshError};

use super::host;
use crate::clock::Clock;
use crate::reach::{Answered, Parted, Reach, ReachError, Target};

/// Machines by the system's OpenSSH.
pub(super) struct RealReach {
    ssh: Ssh,
    clock: Arc<dyn Clock>,
}

impl RealReach {
    pub fn new(ssh: Ssh, clock: Arc<dyn Clock>) -> Self {
        Self { ssh, clock }
    }
}

#[async_trait]
impl Reach for RealReach {
    async fn greet(&self, target: &Target) -> Result<Answered, ReachError> {
        Ok(Answered { fingerprint: self.ssh.greet(&host(target)).await? })
    }

    async fn probe(&self, target: &Target) -> Result<Probe, ReachError> {
        let printed = self.ssh.script(&host(target), &probe_script(), PROBE_LIMIT).await?;
        // The machine's clock is the last thing it prints.
        let probe = read_probe(&printed.out, self.clock.now());
        if probe.clock_off_s.is_none() && probe.gpus.is_none() {
            let said = format!("{}\n{}", printed.out, printed.err);
            return Err(ReachError::Command(gpudesk_remote::last_words(&said)));
        }
        Ok(probe)
    }

    async fn part(&self, target: &Target, parted: Parted) -> Result<Parting, ReachError> {
        Ok(gpudesk_remote::parting::part(&self.ssh, &host(target), parted).await?)
    }
}

impl From<SshError> for ReachError {
    fn from(error: SshError) -> Self {
        match error {
            SshError::Silent(words) => Self::Silent(words),
            SshError::Denied(words) => Self::Denied(words),
            SshError::HostKeyChanged { known, found } => Self::HostKeyChanged { known, found },
            SshError::HostKeyUnknown(words) => Self::HostKeyUnknown(words),
            SshError::Command(words) => Self::Command(words),
            SshError::Here(words) => Self::Here(words),
        }
    }
}
