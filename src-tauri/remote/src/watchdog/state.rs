//! What the watchdog answers.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use gpudesk_core::activity::{Activity, Why};
use gpudesk_core::rental::OnExpiry;

/// Seconds after which a loop that did not look again counts as gone; it looks at least once a minute, and a driver
/// that hangs may hold it up for twenty seconds more.
const FRESH_S: u64 = 180;

/// A watchdog that took a lease over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Armed {
    /// Version of the script there.
    pub version: u32,
    /// The machine's clock minus the desk's, seconds; half a second of it may be the way there.
    pub offset_s: i64,
    /// Whether something starts it again after a reboot of the machine.
    pub survives_reboot: bool,
    /// Whether it could be written to disk; else it lives in memory, and only until a reboot.
    pub on_disk: bool,
    /// When it was seen to have taken the lease over, by the desk's clock.
    pub seen_at: DateTime<Utc>,
    /// What is missing there to end the machine, in a fixed word: `no-CONTAINER_API_KEY`, `no-program` (that calls the
    /// provider), `no-poweroff`, `no-right` (to shut down), `unseen`. `None` = all is there: it counts as armed.
    pub unable: Option<String>,
}

/// What the watchdog does.
#[derive(Debug, Clone, PartialEq)]
pub struct WatchdogState {
    /// Whether it runs, looked lately, and has a lease. One that lives in memory alone, on a machine whose disk takes
    /// nothing, cannot be looked at and is not armed here.
    pub armed: bool,
    /// Version of the script; `None` = it never ran.
    pub version: Option<u32>,
    /// Until when, by the desk's clock; `None` = no limit of time.
    pub deadline: Option<DateTime<Utc>>,
    /// Minutes without work after which it acts; `None` = it does not judge that.
    pub idle_minutes: Option<u32>,
    /// What it does then; `None` = there is no lease.
    pub action: Option<OnExpiry>,
    /// Seconds since it last looked.
    pub tick_age_s: Option<u64>,
    /// What it last measured; `None` where it does not judge work.
    pub measured: Option<BoxMeasured>,
    /// When it last ended the machine, and the provider took it.
    pub fired_at: Option<DateTime<Utc>>,
    /// Why its last order was not taken, in a fixed word: `http-403`, `no-CONTAINER_API_KEY`, `curl-60`.
    pub failed: Option<String>,
    /// Orders that were not taken since the last one that was.
    pub tries: u32,
    /// What is missing there to end the machine, as in [`Armed::unable`].
    pub unable: Option<String>,
}

/// What the watchdog measured when it last looked.
#[derive(Debug, Clone, PartialEq)]
pub struct BoxMeasured {
    /// What the machine does.
    pub activity: Activity,
    /// Why.
    pub why: Why,
    /// Seconds without work so far.
    pub idle_s: u64,
    /// The busiest card, percent.
    pub util_percent: Option<f64>,
    /// The fullest card, MiB in use.
    pub memory_mib: Option<f64>,
}

/// The line `armed VERSION OFFSET SURVIVES STORED SEEN MISSING`; `None` in any other answer.
pub(super) fn armed(out: &str) -> Option<Armed> {
    let line = out.lines().find_map(|line| line.strip_prefix("@@gpudesk armed "))?;
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let [version, offset, survives, stored, seen, missing] = words.as_slice() else { return None };
    Some(Armed {
        version: version.parse().ok()?,
        offset_s: offset.parse().ok()?,
        survives_reboot: *survives == "yes",
        on_disk: *stored == "yes",
        seen_at: DateTime::from_timestamp(seen.parse().ok()?, 0)?,
        unable: (*missing != "-").then(|| word(missing)),
    })
}

/// A word of the script, as a machine may have changed it.
fn word(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(60).collect()
}

/// The answer to a look; `None` where it is not whole.
pub(super) fn looked(out: &str) -> Option<WatchdogState> {
    let mut parts: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
    let mut part = "";
    for line in out.lines() {
        if let Some(name) = line.strip_prefix("@@gpudesk ") {
            part = name.trim();
            parts.entry(part).or_default();
        } else if let Some((key, value)) = line.split_once('=') {
            parts.entry(part).or_default().insert(key, value.trim());
        }
    }
    parts.get("end")?;
    let said = |part: &str, key: &str| parts.get(part)?.get(key).copied().filter(|value| !value.is_empty());
    let number = |part: &str, key: &str| said(part, key)?.parse::<u64>().ok();
    let time = |part: &str, key: &str| {
        let second = i64::try_from(number(part, key)?).ok()?;
        DateTime::from_timestamp(second, 0)
    };
    let leased = number("lease", "serial").is_some_and(|serial| serial > 0);
    let whole = said("state", "end") == Some("state");
    let age = || {
        let same = said("state", "life").is_some() && said("state", "life") == said("now", "now_life");
        let (then, now) = match (number("state", "up"), number("now", "now_up")) {
            (Some(then), Some(now)) if same => (then, now),
            _ => (number("state", "tick")?, number("now", "now")?),
        };
        Some(now.saturating_sub(then))
    };
    let tick_age_s = if whole { age() } else { None };
    let alive = said("now", "alive") == Some("yes");
    let idle_minutes = number("lease", "idle").and_then(|minutes| u32::try_from(minutes).ok());
    let measured = || {
        Some(BoxMeasured {
            activity: said("state", "activity")?.parse().ok()?,
            why: said("state", "why")?.parse().ok()?,
            idle_s: number("state", "idle_s")?,
            util_percent: said("state", "util").and_then(crate::gpu::number),
            memory_mib: said("state", "held_mib").and_then(crate::gpu::number),
        })
    };
    Some(WatchdogState {
        armed: leased && alive && tick_age_s.is_some_and(|age| age < FRESH_S),
        version: number("state", "version").and_then(|version| u32::try_from(version).ok()),
        deadline: time("lease", "deadline"),
        idle_minutes,
        action: said("lease", "action").filter(|_| leased).and_then(|word| word.parse().ok()),
        tick_age_s,
        measured: idle_minutes.filter(|_| whole).and_then(|_| measured()),
        fired_at: time("state", "fired"),
        failed: said("state", "failed").map(word),
        unable: said("state", "unable").map(word),
        tries: number("state", "tries").and_then(|tries| u32::try_from(tries).ok()).unwrap_or(0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEASE: &str = "serial=3\narmed=1796029200\ndeadline=1796058000\nidle=30\naction=stop\nend=lease\n";

    fn look(lease: &str, state: &str, now: &str) -> Option<WatchdogState> {
        looked(&format!(
            "Welcome!\n@@gpudesk lease\n{lease}@@gpudesk state\n{state}\n@@gpudesk now\n{now}@@gpudesk end\n"
        ))
    }

    #[test]
    fn an_arming_is_read_and_nothing_else_is_one() {
        let read = armed("motd\n@@gpudesk armed 1 -86400 yes no 1796029201 -\n").unwrap();
        let seen_at = "2026-11-30T09:00:01Z".parse().unwrap();
        assert_eq!(
            read,
            Armed {
                version: 1,
                offset_s: -86_400,
                survives_reboot: true,
                on_disk: false,
                seen_at,
                unable: None
            }
        );
        for bad in
            ["", "@@gpudesk absent\n", "@@gpudesk armed 1 0 yes\n", "@@gpudesk armed x 0 yes yes 1 -\n"]
        {
            assert_eq!(armed(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn a_running_watchdog_tells_lease_age_and_measure() {
        let state = "version=1\nserial=3\ntick=1796030000\nup=800\nlife=b.1\nactivity=parked\nwhy=memory\nidle_s=0\n\
                     util=0\nheld_mib=17000\nfired=\nfailed=\ntries=0\nend=state\n";
        let now = "now=1796099999\nnow_up=820\nnow_life=b.1\nalive=yes\n";
        let read = look(LEASE, state, now).unwrap();
        assert_eq!((read.armed, read.version, read.tick_age_s), (true, Some(1), Some(20)), "by uptime");
        assert_eq!(read.deadline, Some("2026-11-30T17:00:00Z".parse().unwrap()));
        assert_eq!((read.idle_minutes, read.action), (Some(30), Some(OnExpiry::Stop)));
        let measured = read.measured.unwrap();
        assert_eq!((measured.activity, measured.why), (Activity::Parked, Why::Memory));
        assert_eq!((measured.util_percent, measured.memory_mib), (Some(0.0), Some(17_000.0)));
        // After a reboot its uptime says nothing; the clock does.
        let read = look(LEASE, state, "now=1796030600\nnow_up=50\nnow_life=c.1\nalive=yes\n").unwrap();
        assert_eq!((read.armed, read.tick_age_s), (false, Some(600)));
        let dead = look(LEASE, state, "now=1796030010\nnow_up=820\nnow_life=b.1\nalive=no\n").unwrap();
        assert!(!dead.armed);
    }

    #[test]
    fn a_machine_without_one_is_not_armed_and_half_an_answer_is_none() {
        let none =
            look("serial=0\narmed=\ndeadline=\naction=\nend=lease\n", "", "now=1\nnow_up=1\nalive=no\n");
        let none = none.unwrap();
        assert_eq!((none.armed, none.version, none.tick_age_s, none.action), (false, None, None, None));
        assert_eq!(looked("@@gpudesk lease\nserial=3\n"), None);
        let cut = look(LEASE, "version=1\ntick=5\nup=5\n", "now=9\nnow_up=9\nalive=yes\n").unwrap();
        assert_eq!((cut.armed, cut.tick_age_s), (false, None), "a state that is not whole is none");
    }
}
