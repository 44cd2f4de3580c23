//! What somebody wants to see of the board.

use std::str::FromStr;

use chrono::{DateTime, Utc};

use crate::job::Job;
use crate::money::Currency;
use crate::offer::Form;
use crate::policy::Policy;
use crate::query::{Query, Set};

/// What rows are ordered by. Unknown values come last in both directions; ties go by id.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Sort {
    /// Price of a card-hour.
    #[default]
    GpuHour,
    /// Price of the whole offer for an hour.
    MachineHour,
    /// Price of a card-hour per GiB of its VRAM.
    PerVram,
    /// Price of a card-hour per dense BF16 TFLOPS.
    PerTflops,
    /// Price of a card-hour per TB/s of its memory bandwidth.
    PerBandwidth,
    /// Upper end of the job's total.
    Total,
    /// Time since the source said so, the newest first.
    Age,
    /// Cards.
    Count,
    /// VRAM of all cards.
    VramSize,
    /// Memory bandwidth of one card.
    BandwidthSize,
    /// Memory.
    Ram,
    /// Virtual CPUs.
    Vcpu,
    /// Country, then region.
    Place,
    /// Who bills.
    Provider,
    /// Name of the card.
    Model,
}

/// Every sort with its word, as `--sort` and the window take it.
const WORDS: [(&str, Sort); 15] = [
    ("gpu-hour", Sort::GpuHour),
    ("machine-hour", Sort::MachineHour),
    ("vram", Sort::PerVram),
    ("tflops", Sort::PerTflops),
    ("bandwidth", Sort::PerBandwidth),
    ("total", Sort::Total),
    ("age", Sort::Age),
    ("count", Sort::Count),
    ("vram-size", Sort::VramSize),
    ("bandwidth-size", Sort::BandwidthSize),
    ("ram", Sort::Ram),
    ("vcpu", Sort::Vcpu),
    ("place", Sort::Place),
    ("provider", Sort::Provider),
    ("model", Sort::Model),
];

/// A word that names no sort.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is nothing to sort by; known are {known}", known = Sort::words().collect::<Vec<_>>().join(" "))]
pub struct UnknownSort(pub String);

impl Sort {
    /// Every word that names one.
    pub fn words() -> impl Iterator<Item = &'static str> {
        WORDS.iter().map(|(word, _)| *word)
    }

    /// Its word.
    #[must_use]
    pub fn word(self) -> &'static str {
        WORDS.iter().find(|(_, sort)| *sort == self).map_or("", |(word, _)| word)
    }
}

impl FromStr for Sort {
    type Err = UnknownSort;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = WORDS.iter().find(|(word, _)| word.eq_ignore_ascii_case(text));
        found.map(|(_, sort)| *sort).ok_or_else(|| UnknownSort(text.to_owned()))
    }
}

/// A look at the board.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// Which rows.
    pub query: &'a Query,
    /// Ordered by what.
    pub sort: Sort,
    /// The largest first.
    pub descending: bool,
    /// Turns prices into totals.
    pub job: Option<&'a Job>,
    /// The currency prices of the query are meant in, unless they name another.
    pub currency: Currency,
    /// Rows that do not say what the query asks also match.
    pub include_unknown: bool,
    /// Quarantined rows are seen, too.
    pub include_quarantine: bool,
    /// The residency policies there are: those the query names, and those that are counted.
    pub policies: &'a [Policy],
    /// The time ages are reckoned to.
    pub now: DateTime<Utc>,
}

impl View<'_> {
    /// Whether serverless offers are to be seen. They are billed by seconds and tokens and stand among hourly prices
    /// by an assumption only, so they appear where they are asked for.
    pub(super) fn asks_for_serverless(&self) -> bool {
        self.query.wants(Set::Form, Form::Serverless.word())
    }
}
