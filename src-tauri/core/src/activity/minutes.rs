//! Putting readings together into minutes.

use chrono::{DateTime, TimeDelta, Utc};

use super::limits::{
    CPU_SHARE, DISK_FLOOR, GPU_PERCENT, HUMAN_S, LOAD_MOST, MEMORY_HELD_MIB, NETWORK_FLOOR, SAMPLES_LEAST,
    SPAN_LEAST_S,
};
use super::minute::number;
use super::reading::mean;
use super::{Activity, Input, Minute, Reading, Trouble, Why};

/// Takes the readings of one machine in the order of time and gives each minute once it is over.
#[derive(Debug, Clone, Default)]
pub struct Minutes {
    last: Option<Reading>,
    /// The most cards seen since its boot: one less is one lost, for as long as it stays away.
    cards: usize,
    open: Option<Open>,
}

/// The minute that goes on.
#[derive(Debug, Clone)]
struct Open {
    minute: i64,
    first: DateTime<Utc>,
    last: DateTime<Utc>,
    cores: Option<u32>,
    samples: u32,
    /// The first sign of work; signs are looked for in the order of [`Why`].
    work: Option<Why>,
    /// The first figure that is not told.
    gap: Option<Why>,
    held: bool,
    network: Flow,
    disk: Flow,
    cpu: Flow,
    utils: Vec<f64>,
    vram: Option<f64>,
}

/// Seconds between two readings after which they are judged apart from the minute: a rate over a long gap would water
/// down what the minute itself shows.
const GAP_S: f64 = 90.0;

/// How much of something went by, in which time.
#[derive(Debug, Clone, Copy, Default)]
struct Flow {
    amount: f64,
    seconds: f64,
}

impl Flow {
    /// Between two readings of a counter. One that falls was set back, and a clock that stands still tells no rate:
    /// neither is counted.
    fn between(before: Option<f64>, after: Option<f64>, passed: TimeDelta) -> Option<Self> {
        let (amount, seconds) = (after? - before?, passed.as_seconds_f64());
        (amount >= 0.0 && seconds > 0.0).then_some(Self { amount, seconds })
    }

    fn add(&mut self, more: Self) {
        self.amount += more.amount;
        self.seconds += more.seconds;
    }

    fn rate(self) -> Option<f64> {
        (self.seconds > 0.0).then(|| self.amount / self.seconds)
    }
}

#[expect(clippy::cast_precision_loss, reason = "bytes of a boot, of which rates are made")]
fn float(counter: Option<u64>) -> Option<f64> {
    counter.map(|counter| counter as f64)
}

impl Minutes {
    /// Takes a reading; gives the minute before it, if that is over. A minute without readings is not given: it is
    /// missing, and missing is not idle. A reading from before the last one (a clock set back) throws the open minute
    /// away, since nobody can say how long it lasted.
    pub fn push(&mut self, reading: Reading) -> Option<Minute> {
        if self.last.as_ref().is_some_and(|last| reading.at < last.at) {
            *self = Self::default();
        }
        if self.last.as_ref().is_some_and(|last| rebooted(last, &reading)) {
            self.cards = 0;
        }
        self.cards = self.cards.max(reading.cards.len());
        let minute = number(reading.at);
        let done = match &self.open {
            Some(open) if open.minute != minute => self.open.take().map(Open::finish),
            _ => None,
        };
        let open = self.open.get_or_insert_with(|| Open::new(minute, reading.at));
        open.take(&reading, self.last.as_ref(), self.cards);
        self.last = Some(reading);
        done
    }
}

impl Open {
    fn new(minute: i64, at: DateTime<Utc>) -> Self {
        Self {
            minute,
            first: at,
            last: at,
            cores: None,
            samples: 0,
            work: None,
            gap: None,
            held: false,
            network: Flow::default(),
            disk: Flow::default(),
            cpu: Flow::default(),
            utils: Vec::new(),
            vram: None,
        }
    }

    fn take(&mut self, reading: &Reading, before: Option<&Reading>, cards: usize) {
        self.last = reading.at;
        self.samples += 1;
        self.utils.extend(reading.mean_util());
        self.vram = [self.vram, reading.fullest()].into_iter().flatten().reduce(f64::max);
        self.held |=
            reading.cards.iter().any(|card| card.memory_used_mib.is_some_and(|used| used > MEMORY_HELD_MIB));
        self.cores = reading.cores.or(self.cores);
        let rebooted = before.is_some_and(|before| rebooted(before, reading));
        if let Some(before) = before.filter(|_| !rebooted) {
            self.flow(before, reading);
        }
        self.note_work(signs(reading, rebooted));
        self.gap = self.gap.or_else(|| missing(reading, cards));
    }

    /// What the counters say of the time between two readings.
    fn flow(&mut self, before: &Reading, now: &Reading) {
        let passed = now.at - before.at;
        let flows = [
            (Why::Cpu, Flow::between(before.cpu_s, now.cpu_s, passed)),
            (Why::Network, Flow::between(float(before.net_bytes), float(now.net_bytes), passed)),
            (Why::Disk, Flow::between(float(before.disk_bytes), float(now.disk_bytes), passed)),
        ];
        for (why, flow) in flows {
            let Some(flow) = flow else { continue };
            if flow.seconds > GAP_S {
                self.weigh(why, flow);
                continue;
            }
            match why {
                Why::Cpu => self.cpu.add(flow),
                Why::Network => self.network.add(flow),
                _ => self.disk.add(flow),
            }
        }
    }

    /// Whether something went by faster than rest allows.
    fn weigh(&mut self, why: Why, flow: Flow) {
        let most = match why {
            Why::Cpu => load_most(self.cores),
            Why::Network => Some(NETWORK_FLOOR),
            _ => Some(DISK_FLOOR),
        };
        if let (Some(rate), Some(most)) = (flow.rate(), most)
            && rate >= most
        {
            self.note_work(Some(why));
        }
    }

    /// Keeps the sign that stands first in the order of [`Why`], whichever reading showed it.
    fn note_work(&mut self, sign: Option<Why>) {
        self.work = [self.work, sign].into_iter().flatten().min();
    }

    fn finish(mut self) -> Minute {
        let flows = [(Why::Cpu, self.cpu), (Why::Network, self.network), (Why::Disk, self.disk)];
        for (why, flow) in flows {
            self.weigh(why, flow);
        }
        let few = self.samples < SAMPLES_LEAST || (self.last - self.first).num_seconds() < SPAN_LEAST_S;
        // Counters that were told and yet make no rate: the minute has no two readings of one boot.
        let blind = self.network.rate().is_none() || self.disk.rate().is_none();
        let (activity, why) = match (self.work, self.gap) {
            // A sign of work is one even if little else is known.
            (Some(why), _) => (Activity::Working, why),
            (None, Some(why)) => (Activity::Unknown, why),
            (None, None) if few || blind => (Activity::Unknown, Why::TooFew),
            (None, None) if self.held => (Activity::Parked, Why::Memory),
            (None, None) => (Activity::Idle, Why::Quiet),
        };
        Minute {
            minute: self.minute,
            samples: self.samples,
            activity,
            why,
            util_percent: mean(&self.utils),
            vram_percent: self.vram,
        }
    }
}

/// Whether the machine was started anew between two readings; a reading that does not tell proves nothing.
fn rebooted(before: &Reading, now: &Reading) -> bool {
    matches!((&before.boot_id, &now.boot_id), (Some(before), Some(now)) if before != now)
}

/// The load that is work; `None` where the cores are not known.
fn load_most(cores: Option<u32>) -> Option<f64> {
    Some((f64::from(cores.filter(|cores| *cores > 0)?) * CPU_SHARE).min(LOAD_MOST))
}

/// The first sign of work in a reading, counters apart.
fn signs(reading: &Reading, rebooted: bool) -> Option<Why> {
    let computes = |util: f64| util >= GPU_PERCENT;
    let loaded = match (reading.load_1m, load_most(reading.cores)) {
        (Some(load), Some(most)) => load >= most,
        _ => false,
    };
    let signs = [
        (Why::Gpu, reading.cards.iter().any(|card| card.util_percent.is_some_and(computes))),
        (Why::Cpu, loaded),
        (Why::Human, matches!(reading.input, Input::Ago(seconds) if seconds <= HUMAN_S)),
        (Why::Marker, reading.busy_marker),
        (Why::Reboot, rebooted),
    ];
    signs.into_iter().find(|(_, there)| *there).map(|(why, _)| why)
}

/// The first figure of a reading that the rule needs and that is not told.
fn missing(reading: &Reading, cards: usize) -> Option<Why> {
    if let Some(trouble) = reading.trouble {
        return Some(trouble.into());
    }
    if !reading.cards.is_empty() && reading.cards.len() < cards {
        return Some(Trouble::CardLost.into());
    }
    if reading.cards.iter().any(|card| card.divided) {
        return Some(Why::Mig);
    }
    let told = !reading.cards.is_empty()
        && reading.cards.iter().all(|card| card.util_percent.is_some() && card.memory_used_mib.is_some())
        && (reading.load_1m.is_some() || reading.cpu_s.is_some())
        && load_most(reading.cores).is_some()
        && reading.net_bytes.is_some()
        && reading.disk_bytes.is_some()
        && reading.input != Input::Unknown;
    (!told).then_some(Why::NotTold)
}
