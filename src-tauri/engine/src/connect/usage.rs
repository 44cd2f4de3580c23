//! How much the cards of each machine are used: one SSH session a machine, which prints a reading every few seconds.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::process::Stdio;
use std::sync::Mutex;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use gpudesk_remote::gpu::{Sample, SampleReader, sample_script};
use gpudesk_remote::{SshError, last_words};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::Command;
use tokio::task::AbortHandle;

use super::{Place, lock};
use crate::{Desk, Event};

/// Seconds between two readings.
const EVERY_S: u32 = 5;
/// A reading older than this is no "now" any more.
const FRESH: TimeDelta = TimeDelta::seconds(60);
/// A machine that prints nothing for so long is asked anew.
const SILENCE: Duration = Duration::from_secs(60);
/// The longest wait before a machine is asked anew.
const LONGEST_WAIT: Duration = Duration::from_secs(120);
/// Minutes of the past that are kept.
const MINUTES: usize = 60;

/// The newest reading of a machine's cards, and its last hour.
#[derive(Debug, Clone, PartialEq)]
pub struct UsageNow {
    /// When it was read.
    pub at: DateTime<Utc>,
    /// The reading.
    pub sample: Sample,
    /// Mean utilisation in percent of each of the last 60 minutes, the oldest first; `None` = not known.
    pub last_hour: Vec<Option<f64>>,
}

/// The machines that are watched.
#[derive(Default)]
pub(super) struct Watched {
    machines: Mutex<BTreeMap<String, Machine>>,
    told: Mutex<Option<DateTime<Utc>>>,
}

#[derive(Default)]
struct Machine {
    place: Option<Place>,
    task: Option<AbortHandle>,
    history: History,
}

impl Drop for Machine {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

/// Readings of the last hour: the newest whole, the others as means of their minute.
#[derive(Debug, Default)]
struct History {
    newest: Option<(DateTime<Utc>, Sample)>,
    /// Minute since 1970, sum and count of its means.
    minutes: VecDeque<(i64, f64, u32)>,
}

impl History {
    fn add(&mut self, at: DateTime<Utc>, sample: Sample) {
        let minute = at.timestamp().div_euclid(60);
        if let Some(mean) = sample.mean_util() {
            match self.minutes.back_mut() {
                Some((last, sum, count)) if *last == minute => {
                    *sum += mean;
                    *count += 1;
                }
                _ => self.minutes.push_back((minute, mean, 1)),
            }
            while self.minutes.len() > MINUTES {
                self.minutes.pop_front();
            }
        }
        self.newest = Some((at, sample));
    }

    fn now(&self, now: DateTime<Utc>) -> Option<UsageNow> {
        let (at, sample) = self.newest.clone().filter(|(at, _)| now - at < FRESH)?;
        let this = now.timestamp().div_euclid(60);
        let minutes = i64::try_from(MINUTES).unwrap_or(i64::MAX);
        let mean = |minute: i64| {
            let (_, sum, count) = self.minutes.iter().find(|(of, ..)| *of == minute)?;
            Some(sum / f64::from(*count))
        };
        Some(UsageNow { at, sample, last_hour: (this - minutes + 1..=this).map(mean).collect() })
    }
}

impl Desk {
    /// The newest reading of a rental's cards; `None` while there is none of the last minute.
    #[must_use]
    pub fn usage_now(&self, rental: &str) -> Option<UsageNow> {
        lock(&self.ways().usage.machines).get(rental)?.history.now(self.now())
    }

    /// Watches exactly these machines: new ones are asked, gone ones no more, moved ones at their new address.
    pub(crate) fn watch_usage_of(&self, places: Vec<Place>) {
        let mut machines = lock(&self.ways().usage.machines);
        let there: BTreeSet<String> = places.iter().map(|place| place.host.rental.clone()).collect();
        machines.retain(|rental, _| there.contains(rental));
        for place in places {
            let machine = machines.entry(place.host.rental.clone()).or_default();
            if machine.place.as_ref() == Some(&place) {
                continue;
            }
            if let Some(old) = machine.task.take() {
                old.abort();
            }
            machine.place = Some(place.clone());
            let desk = self.clone();
            machine.task = Some(tokio::spawn(async move { desk.sample(place).await }).abort_handle());
        }
    }

    /// One machine, for as long as it is watched.
    async fn sample(&self, place: Place) {
        let mut wait = Duration::from_secs(2);
        loop {
            let (problem, brought) = self.sample_session(&place).await;
            if brought {
                wait = Duration::from_secs(2);
            }
            self.keep_sample(&place, Sample { problem: Some(problem.to_string()), ..Sample::default() });
            self.config().clock.sleep(wait).await;
            wait = (wait * 2).min(LONGEST_WAIT);
        }
    }

    /// One session, until it ends; why, and whether it brought readings.
    async fn sample_session(&self, place: &Place) -> (SshError, bool) {
        let ssh = &self.ways().ssh;
        if let Err(error) = ssh.put(&place.host).await {
            return (error, false);
        }
        let spawned = Command::new(ssh.program())
            .args(ssh.quiet_arguments(&place.host))
            .args(["--", &place.host.alias, "sh", "-s"])
            .env("LC_ALL", "C")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn();
        let mut child = match spawned {
            Ok(child) => child,
            Err(error) => return (SshError::Here(format!("ssh cannot be started: {error}")), false),
        };
        if let Some(mut stdin) = child.stdin.take() {
            // A session that ends at once says why on standard error.
            let _ = stdin.write_all(sample_script(EVERY_S).as_bytes()).await;
        }
        let (Some(out), Some(err)) = (child.stdout.take(), child.stderr.take()) else {
            return (SshError::Here("ssh has no output".to_owned()), false);
        };
        let said = tokio::spawn(async move {
            let mut said = Vec::new();
            // Both ends are ours; what cannot be read is not there.
            let _ = err.take(64 * 1024).read_to_end(&mut said).await;
            String::from_utf8_lossy(&said).into_owned()
        });
        let mut lines = BufReader::new(out).split(b'\n');
        let mut reader = SampleReader::default();
        let mut brought = false;
        loop {
            match tokio::time::timeout(SILENCE, lines.next_segment()).await {
                Ok(Ok(Some(line))) => {
                    if let Some(sample) = reader.push(String::from_utf8_lossy(&line).trim_end_matches('\r')) {
                        brought = true;
                        self.judge_sample(place, &sample).await;
                        self.keep_sample(place, sample);
                    }
                }
                Ok(_) => break,
                Err(_) => return (SshError::Silent("the machine stopped answering".to_owned()), brought),
            }
        }
        let said = said.await.unwrap_or_default();
        match child.wait().await.ok().and_then(|status| status.code()) {
            Some(255) => (ssh.explain(&place.host, &said).await, brought),
            code => {
                let code = code.map_or_else(|| "a signal".to_owned(), |code| code.to_string());
                (SshError::Command(format!("the session ended with {code}: {}", last_words(&said))), brought)
            }
        }
    }

    /// Hands a reading to the guard. One that cannot be kept is a minute that cannot be judged, and that is not idle.
    async fn judge_sample(&self, place: &Place, sample: &Sample) {
        let rental = &place.host.rental;
        if let Err(error) = self.take_reading(rental, sample.reading(self.now())).await {
            tracing::warn!(rental, "how it is used could not be written down: {error}");
        }
    }

    fn keep_sample(&self, place: &Place, sample: Sample) {
        let (now, usage) = (self.now(), &self.ways().usage);
        {
            let mut machines = lock(&usage.machines);
            let Some(machine) = machines.get_mut(&place.host.rental) else { return };
            machine.history.add(now, sample);
        }
        // One word for all machines: readings come every few seconds from each of them.
        let mut told = lock(&usage.told);
        if told.is_none_or(|told| now - told >= TimeDelta::seconds(EVERY_S.into())) {
            *told = Some(now);
            self.tell(Event::RentalsChanged { rental: String::new() });
        }
    }
}

#[cfg(test)]
mod tests {
    use gpudesk_remote::gpu::GpuNow;

    use super::*;

    fn sample(util: Option<f64>) -> Sample {
        let gpu = GpuNow {
            index: 0,
            name: "NVIDIA L4".into(),
            util_percent: util,
            memory_used_mib: None,
            memory_total_mib: None,
            power_w: None,
            temperature_c: None,
            divided: false,
        };
        Sample { gpus: vec![gpu], ..Sample::default() }
    }

    #[test]
    fn an_hour_is_kept_by_the_minute_and_gaps_stay_gaps() {
        let start: DateTime<Utc> = "2026-11-30T09:00:00Z".parse().unwrap();
        let mut history = History::default();
        for (second, util) in [(0, Some(10.0)), (5, Some(30.0)), (60, None), (120, Some(90.0))] {
            history.add(start + TimeDelta::seconds(second), sample(util));
        }
        let usage = history.now(start + TimeDelta::seconds(125)).unwrap();
        assert_eq!(usage.last_hour.len(), 60);
        assert_eq!(usage.last_hour[57..], [Some(20.0), None, Some(90.0)]);
        assert!(usage.last_hour[..57].iter().all(Option::is_none));
        assert_eq!(usage.at, start + TimeDelta::seconds(120));
        assert_eq!(history.now(start + TimeDelta::seconds(181)), None, "an old reading is not now");
        for minute in 3..200 {
            history.add(start + TimeDelta::minutes(minute), sample(Some(1.0)));
        }
        assert_eq!(history.minutes.len(), MINUTES);
    }
}
