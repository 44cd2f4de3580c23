//! Labelled traces: what machines look like from outside while they work, and while they do not.
//!
//! None that works is ever called idle. Of those that idle, these are missed; each costs rent until the lease ends:
//!
//! - `notebook_left_open`, `crashed_run_still_holds_memory`: memory of a card is held. Whether somebody comes back to
//!   it cannot be seen, so it is parked, and stopped only where the lease says so.
//! - `ranks_wait_for_each_other`: a collective call that hangs keeps its kernel on the card, which reads 100 %.
//! - `program_spins`: a loop that waits without sleeping is a processor at work.
//! - `divided_card_idle`, `driver_gone_nobody_there`, `no_tool_nobody_there`: the cards do not tell, and a card that
//!   does not tell may work.
//! - `container_without_disk_figures`: only the host's disks are counted there, which say nothing about this machine.
//! - `talkative_service`, `service_that_logs_a_lot`: traffic above the floor is work, whoever makes it.
//! - `watched_by_a_laptop_that_sleeps`: more than a tenth of the window was not seen. The watchdog on the machine sees
//!   it.
//!
//! Two things leave no trace at all. A person who only reads, in an editor without a terminal or in a notebook without
//! memory on a card, and neither presses a key in a terminal nor saves a file for the whole window; and a program that
//! only waits, for another machine, a queue or a clock. Warnings before the stop and the marker file are for them.

mod keep;
mod stop;

use chrono::{DateTime, TimeDelta, Utc};

use super::{Activity, Card, Input, Minute, Minutes, Reading, Verdict, Why, judge};

/// The window of all traces, minutes.
const WINDOW: u32 = 30;

/// What a machine does from now on: rates a second, and what a reading shows at once.
#[derive(Clone)]
pub(super) struct Doing {
    pub cards: Vec<Card>,
    pub trouble: Option<super::Trouble>,
    pub load: Option<f64>,
    /// Cores at work, where a container counts its own.
    pub own_cores_busy: Option<f64>,
    pub cores: Option<u32>,
    pub net: Option<f64>,
    pub disk: Option<f64>,
    pub input: Input,
    pub marker: bool,
    pub boot: &'static str,
    /// Seconds between two readings.
    pub every: i64,
}

/// A machine and the minutes that the desk made of it.
#[derive(Clone)]
pub(super) struct Trace {
    now: DateTime<Utc>,
    since: DateTime<Utc>,
    doing: Doing,
    minutes: Minutes,
    kept: Vec<Minute>,
    counters: (f64, f64, f64),
    /// Whether it was due at any moment.
    was_due: bool,
}

pub(super) fn card(util: f64, used: f64) -> Card {
    Card {
        util_percent: Some(util),
        memory_used_mib: Some(used),
        memory_total_mib: Some(81_559.0),
        divided: false,
    }
}

impl Trace {
    /// A machine that does nothing, long after it was ready: one card, 16 cores, nobody there.
    pub fn quiet() -> Self {
        let now = "2026-11-30T09:00:00Z".parse().unwrap();
        let doing = Doing {
            cards: vec![card(0.0, 4.0)],
            trouble: None,
            load: Some(0.05),
            own_cores_busy: None,
            cores: Some(16),
            net: Some(2_000.0),
            disk: Some(10_000.0),
            input: Input::NoSession,
            marker: false,
            boot: "a",
            every: 30,
        };
        Self {
            now,
            since: now,
            doing,
            minutes: Minutes::default(),
            kept: Vec::new(),
            counters: (1e9, 1e9, 1e3),
            was_due: false,
        }
    }

    /// It does something else from now on.
    pub fn then(mut self, change: impl FnOnce(&mut Doing)) -> Self {
        change(&mut self.doing);
        self
    }

    /// Its card computes.
    pub fn computes(self, util: f64) -> Self {
        self.then(|doing| doing.cards = vec![card(util, 40_000.0)])
    }

    /// Its card does nothing and holds nothing.
    pub fn rests(self) -> Self {
        self.then(|doing| doing.cards = vec![card(0.0, 4.0)])
    }

    /// Nothing before now counts.
    pub fn counts_from_now(mut self) -> Self {
        self.since = self.now;
        self
    }

    /// So many minutes go by under the desk's eyes.
    pub fn run(mut self, minutes: i64) -> Self {
        let end = self.now + TimeDelta::minutes(minutes);
        while self.now < end {
            self.read();
            self.pass(self.doing.every);
        }
        self
    }

    /// So many minutes go by unseen.
    pub fn unseen(mut self, minutes: i64) -> Self {
        self.pass(minutes * 60);
        self
    }

    /// The desk's clock is put forward or back; no time goes by.
    pub fn clock(mut self, minutes: i64) -> Self {
        self.now += TimeDelta::minutes(minutes);
        self
    }

    /// A person presses a key now and then not again: every `minutes`, for `times` times.
    pub fn keys(mut self, minutes: i64, times: i64) -> Self {
        for _ in 0..times {
            for age in 0..minutes {
                let seconds = u64::try_from(age * 60 + 5).unwrap();
                self = self.then(|doing| doing.input = Input::Ago(seconds)).run(1);
            }
        }
        self
    }

    fn pass(&mut self, seconds: i64) {
        let passed = TimeDelta::seconds(seconds);
        self.now += passed;
        let passed = passed.as_seconds_f64();
        self.counters.0 += self.doing.net.unwrap_or_default() * passed;
        self.counters.1 += self.doing.disk.unwrap_or_default() * passed;
        self.counters.2 += self.doing.own_cores_busy.unwrap_or_default() * passed;
        if let Input::Ago(age) = &mut self.doing.input {
            *age += u64::try_from(seconds).unwrap();
        }
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counters of a test")]
    fn read(&mut self) {
        let doing = &self.doing;
        let reading = Reading {
            at: self.now,
            cards: doing.cards.clone(),
            trouble: doing.trouble,
            load_1m: doing.load,
            cpu_s: doing.own_cores_busy.map(|_| self.counters.2),
            cores: doing.cores,
            net_bytes: doing.net.map(|_| self.counters.0 as u64),
            disk_bytes: doing.disk.map(|_| self.counters.1 as u64),
            boot_id: Some(doing.boot.to_owned()),
            input: doing.input,
            busy_marker: doing.marker,
        };
        self.kept.extend(self.minutes.push(reading));
        self.was_due |= self.verdict().is_due(false);
    }

    /// Its counters begin anew.
    pub fn counters_reset(mut self) -> Self {
        self.counters = (0.0, 0.0, 0.0);
        self
    }

    pub fn verdict(&self) -> Verdict {
        judge(&self.kept, WINDOW, self.now, self.since)
    }
}

type Named = (&'static str, fn() -> Trace);

/// Idle machines that are not stopped; see the head of this module for the reasons.
const MISSED: [&str; 11] = [
    "notebook_left_open",
    "crashed_run_still_holds_memory",
    "ranks_wait_for_each_other",
    "program_spins",
    "divided_card_idle",
    "driver_gone_nobody_there",
    "no_tool_nobody_there",
    "container_without_disk_figures",
    "talkative_service",
    "service_that_logs_a_lot",
    "watched_by_a_laptop_that_sleeps",
];

#[test]
fn no_machine_that_works_is_ever_called_idle() {
    assert!(keep::ALL.len() >= 45, "{}", keep::ALL.len());
    let stopped: Vec<&str> =
        keep::ALL.iter().filter(|(_, trace)| trace().was_due).map(|(name, _)| *name).collect();
    assert_eq!(stopped, Vec::<&str>::new());
}

#[test]
fn an_idle_machine_is_stopped_unless_it_is_a_named_miss() {
    assert!(stop::ALL.len() >= 25, "{}", stop::ALL.len());
    let missed: Vec<&str> = stop::ALL
        .iter()
        .filter(|(_, trace)| !trace().verdict().is_due(false))
        .map(|(name, _)| *name)
        .collect();
    assert_eq!(missed, MISSED);
}

#[test]
fn a_lease_that_stops_parked_machines_stops_them_too() {
    let verdict = stop::notebook_left_open().verdict();
    assert_eq!((verdict.state, verdict.why), (Activity::Parked, Why::Memory));
    assert_eq!((verdict.idle_minutes, verdict.is_due(true), verdict.is_due(false)), (0, true, false));
    assert_eq!(verdict.measured.util_percent, Some(0.0));
}

#[test]
fn idle_time_grows_by_the_minute_until_it_is_due() {
    let trace = Trace::quiet().computes(97.0).run(10).rests();
    let after = |minutes| trace.clone().run(minutes).verdict();
    let early = after(20);
    assert_eq!((early.state, early.why, early.before), (Activity::Idle, Why::Quiet, Some(Why::Gpu)));
    // The minute that goes on is not counted yet.
    assert_eq!((early.idle_minutes, early.minutes_left(false)), (19, Some(11)));
    let due = after(31);
    assert_eq!((due.idle_minutes, due.minutes_left(false), due.is_due(false)), (30, Some(0), true));
    assert_eq!((due.before, due.measured.minutes), (None, 30));
    assert_eq!(due.measured.util_percent, Some(0.0));
    assert!(due.measured.vram_percent.unwrap() < 0.01);
    let works = trace.clone().computes(80.0).run(2).verdict();
    assert_eq!((works.state, works.idle_minutes, works.minutes_left(false)), (Activity::Working, 0, None));
}

#[test]
fn what_cannot_be_judged_says_why() {
    let cannot = |change: fn(&mut Doing)| Trace::quiet().then(change).run(40).verdict().cannot();
    assert_eq!(cannot(|doing| doing.trouble = Some(super::Trouble::NoGpuTool)), Some(Why::NoGpuTool));
    assert_eq!(cannot(|doing| doing.trouble = Some(super::Trouble::Driver)), Some(Why::Driver));
    assert_eq!(cannot(|doing| doing.cards[0].util_percent = None), Some(Why::NotTold));
    assert_eq!(cannot(|doing| doing.cards[0].divided = true), Some(Why::Mig));
    assert_eq!(cannot(|doing| doing.disk = None), Some(Why::NotTold));
    assert_eq!(Trace::quiet().run(40).unseen(10).verdict().cannot(), Some(Why::TooFew));
    assert_eq!(Trace::quiet().run(40).verdict().cannot(), None);
}

#[test]
fn a_broken_counter_is_no_rate() {
    let trace = Trace::quiet().run(10).counters_reset().run(10);
    assert!(trace.kept.iter().all(|minute| minute.why == Why::Quiet), "{:?}", trace.kept);
    let reboot = Trace::quiet().run(10).counters_reset().then(|doing| doing.boot = "b").run(10);
    let reboots: Vec<Why> =
        reboot.kept.iter().map(|minute| minute.why).filter(|why| *why != Why::Quiet).collect();
    assert_eq!(reboots, [Why::Reboot]);
}

#[test]
fn a_minute_keeps_its_shape_in_json() {
    let minute = Minute {
        minute: 29_933_820,
        samples: 2,
        activity: Activity::Unknown,
        why: Why::NoGpuTool,
        util_percent: None,
        vram_percent: Some(12.5),
    };
    let text = serde_json::to_string(&minute).unwrap();
    assert_eq!(
        text,
        r#"{"minute":29933820,"samples":2,"activity":"unknown","why":"no-gpu-tool","util_percent":null,"vram_percent":12.5}"#
    );
    assert_eq!(serde_json::from_str::<Minute>(&text).unwrap(), minute);
    assert_eq!(minute.begins(), Some("2026-11-30T09:00:00Z".parse().unwrap()));
}
