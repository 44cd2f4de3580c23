//! A job and what it costs: hours of a machine, disk held meanwhile, traffic out.

mod cost;
mod quote;
mod rule;

use std::fmt;
use std::str::FromStr;

use rust_decimal::Decimal;

pub use cost::{Amounts, Cost, Mark, PART_NAMES, Parts, cost};
pub use quote::{Extras, Frame, HighEnd, Tariff};
pub use rule::{Besides, Rule};

/// What somebody wants to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Job {
    hours: Decimal,
    disk_gb: Decimal,
    egress_gb: Decimal,
}

/// Why a text or some figures are not a job.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("job: {part} `{text}` {problem}; a job is hours, disk and traffic out, such as 48h,500GB,200GB")]
pub struct JobError {
    /// `hours`, `disk` or `traffic out`.
    pub part: &'static str,
    /// What was given.
    pub text: String,
    /// What is wrong with it.
    pub problem: &'static str,
}

/// More than a century, or more than an exabyte, is a slip of the hand.
const MOST_HOURS: i64 = 1_000_000;
const MOST_GB: i64 = 1_000_000_000;

const PARTS: [&str; 3] = ["hours", "disk", "traffic out"];

impl Job {
    /// A job of so many hours with so much disk and traffic out, both in GB (10⁹ bytes).
    ///
    /// # Errors
    /// [`JobError`] where the hours are not above 0, a size is negative, or any of them is out of all proportion.
    pub fn new(hours: Decimal, disk_gb: Decimal, egress_gb: Decimal) -> Result<Self, JobError> {
        let error = |index: usize, value: Decimal, problem| JobError {
            part: PARTS[index],
            text: value.normalize().to_string(),
            problem,
        };
        if hours <= Decimal::ZERO {
            return Err(error(0, hours, "must be more than 0"));
        }
        if hours > Decimal::from(MOST_HOURS) {
            return Err(error(0, hours, "is too long"));
        }
        for (index, size) in [(1, disk_gb), (2, egress_gb)] {
            if size < Decimal::ZERO {
                return Err(error(index, size, "must not be negative"));
            }
            if size > Decimal::from(MOST_GB) {
                return Err(error(index, size, "is too large"));
            }
        }
        Ok(Self { hours, disk_gb, egress_gb })
    }

    /// The same from floating-point figures, as they come from a window.
    ///
    /// # Errors
    /// As [`Self::new`], and where a figure is not finite.
    pub fn from_f64(hours: f64, disk_gb: f64, egress_gb: f64) -> Result<Self, JobError> {
        let decimal = |index: usize, value: f64| {
            Decimal::try_from(value).map_err(|_| JobError {
                part: PARTS[index],
                text: value.to_string(),
                problem: "is not a number",
            })
        };
        Self::new(decimal(0, hours)?, decimal(1, disk_gb)?, decimal(2, egress_gb)?)
    }

    /// Hours of machine time.
    #[must_use]
    pub fn hours(&self) -> Decimal {
        self.hours
    }

    /// Disk held for those hours, GB.
    #[must_use]
    pub fn disk_gb(&self) -> Decimal {
        self.disk_gb
    }

    /// Traffic out, GB.
    #[must_use]
    pub fn egress_gb(&self) -> Decimal {
        self.egress_gb
    }
}

impl FromStr for Job {
    type Err = JobError;

    /// Reads `48h,500GB,200GB`; disk and traffic may be left out and are then 0. Hours also as `2d`, `90min`, `1w`,
    /// sizes also in TB.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut values = [Decimal::ZERO; 3];
        for (index, part) in text.split(',').enumerate() {
            let (Some(name), Some(value)) = (PARTS.get(index), values.get_mut(index)) else {
                return Err(JobError {
                    part: "fourth part",
                    text: part.trim().to_owned(),
                    problem: "is too many",
                });
            };
            let error = |problem| JobError { part: name, text: part.trim().to_owned(), problem };
            *value = measure(part, if index == 0 { hours_in } else { gb_in }).map_err(error)?;
        }
        Self::new(values[0], values[1], values[2])
    }
}

fn measure(text: &str, unit: impl Fn(&str) -> Option<(i64, i64)>) -> Result<Decimal, &'static str> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | '-' | '+')).unwrap_or(text.len());
    let figure: Decimal = text[..end].parse().map_err(|_| "is not a number")?;
    let (times, over) =
        unit(&text[end..].trim().to_lowercase()).ok_or("has a unit that is not known here")?;
    let scaled = figure.checked_mul(Decimal::from(times)).ok_or("is too large")?;
    Ok((scaled / Decimal::from(over)).normalize())
}

/// A unit of time in hours, as a fraction.
fn hours_in(unit: &str) -> Option<(i64, i64)> {
    match unit {
        "" | "h" | "hr" | "hours" | "ч" => Some((1, 1)),
        "d" | "days" | "д" => Some((24, 1)),
        "w" | "weeks" => Some((168, 1)),
        "m" | "min" | "мин" => Some((1, 60)),
        _ => None,
    }
}

/// A unit of size in GB.
fn gb_in(unit: &str) -> Option<(i64, i64)> {
    match unit {
        "" | "g" | "gb" | "гб" => Some((1, 1)),
        "t" | "tb" | "тб" => Some((1000, 1)),
        "m" | "mb" | "мб" => Some((1, 1000)),
        _ => None,
    }
}

impl fmt::Display for Job {
    /// The form that is read back as the same job.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}h,{}GB,{}GB",
            self.hours.normalize(),
            self.disk_gb.normalize(),
            self.egress_gb.normalize()
        )
    }
}

#[cfg(test)]
mod tests;
