//! A finished minute: the unit in which activity is stored, drawn and judged.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::Trouble;
use crate::words::words;

words! {
    /// What a machine does.
    Activity {
        /// It works, or somebody works at it.
        Working = "working",
        /// It does nothing, and nothing of it is held.
        Idle = "idle",
        /// It computes nothing while a program holds memory of its cards: a notebook's kernel, a server without
        /// requests. A stop would lose what is held.
        Parked = "parked",
        /// It cannot be told.
        Unknown = "unknown",
    }
}

words! {
    /// Why a minute is what it is.
    Why {
        /// A card computed.
        Gpu = "gpu",
        /// Processors computed.
        Cpu = "cpu",
        /// Data came or went.
        Network = "network",
        /// Disks were read or written.
        Disk = "disk",
        /// A person pressed a key or saved a file.
        Human = "human",
        /// A marker file says that it is busy.
        Marker = "marker",
        /// It was restarted: somebody does something with it.
        Reboot = "reboot",
        /// Nothing of all that.
        Quiet = "quiet",
        /// Nothing, but memory of a card is held.
        Memory = "memory",
        /// There is no tool that asks its cards.
        NoGpuTool = "no-gpu-tool",
        /// A card is divided and tells no use.
        Mig = "mig",
        /// A card is lost.
        CardLost = "card-lost",
        /// The driver does not work.
        Driver = "driver",
        /// A figure that the rule needs is not told.
        NotTold = "not-told",
        /// There were too few readings.
        TooFew = "too-few",
    }
}

impl From<Trouble> for Why {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::NoGpuTool => Self::NoGpuTool,
            Trouble::Mig => Self::Mig,
            Trouble::CardLost => Self::CardLost,
            Trouble::Driver => Self::Driver,
            Trouble::NotTold => Self::NotTold,
        }
    }
}

/// One minute of a machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Minute {
    /// Minutes since 1970.
    pub minute: i64,
    /// Readings in it.
    pub samples: u32,
    /// What it did.
    pub activity: Activity,
    /// Why.
    pub why: Why,
    /// Mean use of its cards over the readings that tell, percent; `None` = none does.
    pub util_percent: Option<f64>,
    /// The most that the fullest card had in use, percent; `None` = not told.
    pub vram_percent: Option<f64>,
}

impl Minute {
    /// When it begins; `None` beyond what a date holds.
    #[must_use]
    pub fn begins(&self) -> Option<DateTime<Utc>> {
        DateTime::from_timestamp(self.minute.checked_mul(60)?, 0)
    }

    /// Whether nothing worked in it and everything is known.
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        matches!(self.activity, Activity::Idle | Activity::Parked)
    }
}

/// The number of the minute of a time.
pub(super) fn number(at: DateTime<Utc>) -> i64 {
    at.timestamp().div_euclid(60)
}

/// The first minute that lies wholly after a time.
pub(super) fn first_after(at: DateTime<Utc>) -> i64 {
    number(at + TimeDelta::milliseconds(59_999))
}
