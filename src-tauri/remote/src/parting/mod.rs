//! What is done on a machine before a rule stops it: programs on its cards are asked to end, and the person's own
//! `~/.gpudesk/before-stop` is run, both within a time that is theirs.

use std::time::Duration;

use gpudesk_core::guard::Limit;
use gpudesk_core::rental::Parting;

use crate::gpu::script::bare;
use crate::{Host, Ssh, SshError, last_words};

/// What is done, with comments; the watchdog on the machine does the same.
pub(crate) const SCRIPT: &str = include_str!("parting.sh");

/// What connecting, and looking for the programs, may take beside their time.
const BESIDE: Duration = Duration::from_secs(30);

/// A machine that is about to be stopped by a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parted {
    /// Whether it is ended, and not only stopped.
    pub ends: bool,
    /// Which limit is reached.
    pub limit: Limit,
    /// How long its programs have.
    pub seconds: u32,
    /// Whether it is at an address of this computer: then only a played machine is touched, and nothing but what was
    /// started in it.
    pub here: bool,
}

impl Parted {
    /// The variables that stand before the script: our own words and a number.
    fn variables(self) -> String {
        let action = if self.ends { "end" } else { "stop" };
        let (limit, seconds, played) = (self.limit, self.seconds, if self.here { "1" } else { "" });
        format!("p_action='{action}'\np_reason='{limit}'\np_seconds='{seconds}'\np_played='{played}'\n")
    }
}

/// Gives the programs of a machine their time, and waits for its end or theirs.
///
/// # Errors
/// Every kind. [`SshError::Command`] where the machine did not say what came of it.
pub async fn part(ssh: &Ssh, host: &Host, parted: Parted) -> Result<Parting, SshError> {
    let script = format!("{}{}", parted.variables(), bare(SCRIPT));
    let limit = Duration::from_secs(u64::from(parted.seconds)) + BESIDE;
    let printed = ssh.script(host, &script, limit).await?;
    read(&printed.out)
        .ok_or_else(|| SshError::Command(last_words(&format!("{}\n{}", printed.out, printed.err))))
}

/// The line `parted ASKED ENDED HOOK`; `None` in any other answer.
fn read(out: &str) -> Option<Parting> {
    let line = out.lines().find_map(|line| line.strip_prefix("@@gpudesk parted "))?;
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let [asked, ended, hook] = words.as_slice() else { return None };
    let hook = if *hook == "none" { None } else { Some(hook.parse().ok()?) };
    Some(Parting { asked: asked.parse().ok()?, ended: ended.parse().ok()?, hook })
}

#[cfg(test)]
mod tests {
    use gpudesk_core::rental::HookEnd;

    use super::*;

    #[test]
    fn the_answer_is_read_and_nothing_else_is_one() {
        let read = |line: &str| super::read(&format!("motd\n{line}\n"));
        assert_eq!(read("@@gpudesk parted 3 2 none"), Some(Parting { asked: 3, ended: 2, hook: None }));
        for (word, hook) in
            [("done", HookEnd::Done), ("failed", HookEnd::Failed), ("killed", HookEnd::Killed)]
        {
            let line = format!("@@gpudesk parted 0 0 {word}");
            assert_eq!(read(&line), Some(Parting { asked: 0, ended: 0, hook: Some(hook) }));
        }
        for bad in [
            "",
            "@@gpudesk here",
            "@@gpudesk parted 1 0",
            "@@gpudesk parted x 0 none",
            "@@gpudesk parted 1 0 ?",
        ] {
            assert_eq!(read(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn only_our_own_words_stand_before_the_script() {
        let parted = Parted { ends: true, limit: Limit::Money, seconds: 60, here: true };
        let variables = "p_action='end'\np_reason='money'\np_seconds='60'\np_played='1'\n";
        assert_eq!(parted.variables(), variables);
        let far = Parted { ends: false, limit: Limit::Idle, here: false, ..parted };
        assert_eq!(far.variables(), "p_action='stop'\np_reason='idle'\np_seconds='60'\np_played=''\n");
    }
}
