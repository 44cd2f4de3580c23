//! Reading the cards of a machine: what is asked there, and what the answers mean. A field that is no number is
//! unknown, never 0, and one sick card does not take the others with it.

mod amd;
mod host;
mod nvidia;
mod probe;
mod sample;
pub(crate) mod script;
pub(crate) mod vitals;

pub use host::{HOST_LIMIT, HostReading, host_script, read_host};
pub use probe::{PROBE_LIMIT, probe_script, read_probe};
pub use sample::{SampleReader, sample_script};
pub use vitals::Vitals;

use chrono::{DateTime, Utc};
use gpudesk_core::activity::{Card, Reading, Trouble};

/// One card now.
#[derive(Debug, Clone, PartialEq)]
pub struct GpuNow {
    /// Its number on the machine.
    pub index: u32,
    /// Its name; empty where it does not tell.
    pub name: String,
    /// Share of the last moment in which it computed, in percent. `None` for a card that is divided (MIG): it has no
    /// such figure.
    pub util_percent: Option<f64>,
    /// Memory in use, MiB.
    pub memory_used_mib: Option<f64>,
    /// Memory, MiB.
    pub memory_total_mib: Option<f64>,
    /// Power draw, watts.
    pub power_w: Option<f64>,
    /// Temperature, °C.
    pub temperature_c: Option<f64>,
    /// Whether it is divided (MIG).
    pub divided: bool,
}

/// A program on a card.
#[derive(Debug, Clone, PartialEq)]
pub struct GpuProgram {
    /// Process number on the machine.
    pub pid: u32,
    /// Its name.
    pub name: String,
    /// Memory of the card it holds, MiB.
    pub memory_mib: Option<f64>,
}

/// One reading of all cards.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sample {
    /// The cards that answered.
    pub gpus: Vec<GpuNow>,
    /// Programs on them. In a container none may be seen although some run: an empty list proves nothing.
    pub programs: Vec<GpuProgram>,
    /// Why a figure is missing: a lost card, no driver, a divided card.
    pub problem: Option<String>,
    /// The same as a word.
    pub trouble: Option<Trouble>,
    /// The machine apart from its cards.
    pub vitals: Vitals,
}

impl Sample {
    /// Mean utilisation in percent; `None` as soon as one card does not tell.
    #[must_use]
    pub fn mean_util(&self) -> Option<f64> {
        let known: Option<Vec<f64>> = self.gpus.iter().map(|gpu| gpu.util_percent).collect();
        let known = known.filter(|known| !known.is_empty())?;
        #[expect(clippy::cast_precision_loss, reason = "a machine has few cards")]
        let count = known.len() as f64;
        Some(known.iter().sum::<f64>() / count)
    }

    /// The sample as activity is judged by; `at` is when its last line arrived. Only what a machine printed is a
    /// reading of it: a session that broke off is a gap, not a machine that does not tell.
    #[must_use]
    pub fn reading(&self, at: DateTime<Utc>) -> Reading {
        let card = |gpu: &GpuNow| Card {
            util_percent: gpu.util_percent,
            memory_used_mib: gpu.memory_used_mib,
            memory_total_mib: gpu.memory_total_mib,
            divided: gpu.divided,
        };
        let vitals = self.vitals.clone();
        Reading {
            at,
            cards: self.gpus.iter().map(card).collect(),
            trouble: self.trouble,
            load_1m: vitals.load_1m,
            cpu_s: vitals.cpu_s,
            cores: vitals.cores,
            net_bytes: vitals.net_bytes,
            disk_bytes: vitals.disk_bytes,
            boot_id: vitals.boot_id,
            input: vitals.input,
            busy_marker: vitals.busy_marker,
        }
    }
}

/// A number as tools print it, with or without its unit; everything else (`[N/A]`, `ERR!`, `Unknown`) is unknown.
pub(crate) fn number(text: &str) -> Option<f64> {
    let word = text.split_ascii_whitespace().next()?.trim_end_matches('%');
    word.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0)
}

/// A name as a machine prints it: no control characters, not endless; `None` for brackets that stand for no name.
pub(crate) fn name(text: &str) -> Option<String> {
    let name: String = text.trim().chars().filter(|c| !c.is_control()).take(120).collect();
    let unknown = name.is_empty() || name.starts_with('[') || matches!(&*name, "N/A" | "ERR!" | "Unknown");
    (!unknown).then_some(name)
}
