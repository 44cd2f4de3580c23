//! One reading of a machine.

use chrono::{DateTime, Utc};

use crate::words::words;

words! {
    /// Why the cards of a machine do not tell what they do.
    Trouble {
        /// None of the tools that ask cards is there.
        NoGpuTool = "no-gpu-tool",
        /// A card is divided (MIG): it has no figure of its use.
        Mig = "mig",
        /// A card fell off the bus or vanished. That is a defect, not rest.
        CardLost = "card-lost",
        /// The driver is not loaded, does not fit, or does not answer.
        Driver = "driver",
        /// Something is not told for another reason.
        NotTold = "not-told",
    }
}

/// One card of a reading.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Card {
    /// Share of the last moment in which it computed, percent; `None` = not told.
    pub util_percent: Option<f64>,
    /// Memory in use, MiB; `None` = not told.
    pub memory_used_mib: Option<f64>,
    /// Memory, MiB; `None` = not told.
    pub memory_total_mib: Option<f64>,
    /// Whether it is divided (MIG).
    pub divided: bool,
}

/// When a person last did something at the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Input {
    /// It is not known.
    #[default]
    Unknown,
    /// Nobody has a terminal open there.
    NoSession,
    /// So many seconds before the reading. A terminal that is open and forgotten only grows older.
    Ago(u64),
}

/// What a machine did at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// When, by the desk's clock.
    pub at: DateTime<Utc>,
    /// Its cards; none where they could not be asked.
    pub cards: Vec<Card>,
    /// Why cards are missing or do not tell.
    pub trouble: Option<Trouble>,
    /// Load of the last minute. `None` = not known, or another machine's: inside a container it is the host's.
    pub load_1m: Option<f64>,
    /// Time that its processors worked, in seconds since some start. Where a machine is a container, this is its own
    /// and stands for the load; elsewhere the load, which also counts programs that wait for a disk, goes first.
    pub cpu_s: Option<f64>,
    /// Processor cores that it may use.
    pub cores: Option<u32>,
    /// Bytes received and sent since some start, without the loopback interface.
    pub net_bytes: Option<u64>,
    /// Bytes read from and written to its disks since some start.
    pub disk_bytes: Option<u64>,
    /// Which boot of it this is.
    pub boot_id: Option<String>,
    /// The last thing a person did there.
    pub input: Input,
    /// Whether a file of the user says that it is busy.
    pub busy_marker: bool,
}

impl Reading {
    /// A reading in which nothing is known.
    #[must_use]
    pub fn unknown(at: DateTime<Utc>) -> Self {
        Self {
            at,
            cards: Vec::new(),
            trouble: None,
            load_1m: None,
            cpu_s: None,
            cores: None,
            net_bytes: None,
            disk_bytes: None,
            boot_id: None,
            input: Input::Unknown,
            busy_marker: false,
        }
    }

    /// Mean use of its cards, percent; `None` as soon as one does not tell.
    #[must_use]
    pub fn mean_util(&self) -> Option<f64> {
        let known: Option<Vec<f64>> = self.cards.iter().map(|card| card.util_percent).collect();
        mean(&known?)
    }

    /// The fullest card's memory in use, percent; `None` where no card tells.
    #[must_use]
    pub fn fullest(&self) -> Option<f64> {
        self.cards.iter().filter_map(Card::memory_percent).reduce(f64::max)
    }
}

impl Card {
    fn memory_percent(&self) -> Option<f64> {
        let total = self.memory_total_mib.filter(|total| *total > 0.0)?;
        Some(self.memory_used_mib? / total * 100.0)
    }
}

/// The mean; `None` of nothing.
pub(super) fn mean(figures: &[f64]) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "a machine has few cards, and a window few minutes")]
    let count = figures.len() as f64;
    (!figures.is_empty()).then(|| figures.iter().sum::<f64>() / count)
}
