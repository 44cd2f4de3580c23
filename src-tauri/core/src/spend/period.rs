//! Stretches of the calendar. Days, weeks and months are those of UTC: a bill has no summer time.

use chrono::{DateTime, Datelike, Days, Months, NaiveDate, NaiveTime, Utc};
use serde::{Deserialize, Serialize};

use crate::words::words;

words! {
    /// A stretch that comes again.
    PeriodKind {
        /// From Monday on.
        Week = "week",
        /// From the first on.
        Month = "month",
    }
}

/// A stretch of time: from a moment on, until just before another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Period {
    /// Its first moment.
    pub from: DateTime<Utc>,
    /// The first moment after it.
    pub to: DateTime<Utc>,
}

impl Period {
    /// The week or month that a moment lies in.
    #[must_use]
    pub fn around(kind: PeriodKind, moment: DateTime<Utc>) -> Self {
        let day = moment.date_naive();
        let (first, next) = match kind {
            PeriodKind::Week => {
                let first = day - Days::new(u64::from(day.weekday().num_days_from_monday()));
                (first, first + Days::new(7))
            }
            PeriodKind::Month => {
                let first = day.with_day(1).unwrap_or(day);
                (first, first + Months::new(1))
            }
        };
        Self { from: midnight(first), to: midnight(next) }
    }

    /// From the first day to the last, both in it; `None` where the last is before the first.
    #[must_use]
    pub fn of_days(first: NaiveDate, last: NaiveDate) -> Option<Self> {
        let next = last.checked_add_days(Days::new(1))?;
        (first <= last).then(|| Self { from: midnight(first), to: midnight(next) })
    }

    /// Its days, the first of which may have begun before it.
    pub fn days(&self) -> impl Iterator<Item = Self> + use<> {
        let to = self.to;
        let mut day = self.from.date_naive();
        std::iter::from_fn(move || {
            let next = day.checked_add_days(Days::new(1))?;
            let whole = Self { from: midnight(day), to: midnight(next) };
            day = next;
            (whole.from < to).then_some(whole)
        })
    }

    /// Whether a moment lies in it.
    #[must_use]
    pub fn holds(&self, moment: DateTime<Utc>) -> bool {
        self.from <= moment && moment < self.to
    }
}

fn midnight(day: NaiveDate) -> DateTime<Utc> {
    day.and_time(NaiveTime::MIN).and_utc()
}
