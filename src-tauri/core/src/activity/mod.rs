//! Whether a machine works: from readings every few seconds to minutes, and from minutes to the word that it has been
//! idle for a whole window.
//!
//! The rule errs to one side. A machine that is stopped while it works costs a day of somebody's results; one that is
//! kept while it idles costs minutes of rent, and its lease ends it in any case. So every sign of work counts alone,
//! and what is not known is never taken for rest.
//!
//! Nothing here reads a machine or a clock: readings come with their time, and the caller passes `now`.

mod limits;
mod minute;
mod minutes;
mod reading;
#[cfg(test)]
mod traces;
mod verdict;

pub use limits::{
    CPU_SHARE, DISK_FLOOR, GPU_PERCENT, HUMAN_S, LOAD_MOST, MARKER_S, MEMORY_HELD_MIB, NETWORK_FLOOR,
    SAMPLES_LEAST, SPAN_LEAST_S, STALE_MINUTES,
};
pub use minute::{Activity, Minute, Why};
pub use minutes::Minutes;
pub use reading::{Card, Input, Reading, Trouble};
pub use verdict::{Measured, Verdict, judge};
