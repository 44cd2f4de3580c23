//! What hardware is still worth: the share of its price that a sale brings, by its age.

use std::fmt;
use std::str::FromStr;

use rust_decimal::Decimal;
use rust_decimal::prelude::{FromPrimitive, ToPrimitive};
use serde::{Deserialize, Serialize};

use crate::money::kept;

/// The oldest age that anything is reckoned for, months.
pub const MOST_MONTHS: u32 = 240;

/// The share of the price that is left, by age in months. New is the whole price. Between two stated points, and beyond
/// the last, the same share of what is left goes each month (a machine loses most while it is young, and never less
/// than nothing); down to a stated nothing it goes in a straight line. Stored and shown as it is typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "String")]
pub struct Curve {
    /// Age in months and the share left, in order of age; the first is new.
    points: Vec<(u32, Decimal)>,
}

/// Why a text is no resale curve. Each names the word.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CurveError {
    /// Not of the form.
    #[error("`{0}` is not a share and an age such as `30%@18m`")]
    Form(String),
    /// Less than nothing or more than the price.
    #[error("`{0}` is no share from 0 % to 100 % of the price")]
    Share(String),
    /// No age in months.
    #[error("`{0}` is no age from 1 to {most} months", most = MOST_MONTHS)]
    Age(String),
    /// Worth more as it grows older.
    #[error("`{0}` is worth more than when it was younger, or not older than the point before it")]
    Order(String),
}

impl Curve {
    /// The desk's cautious curve: 30 % left after 18 months.
    #[must_use]
    pub fn hard() -> Self {
        Self::through(18, Decimal::new(30, 2))
    }

    /// The desk's mild curve: 30 % left after 36 months.
    #[must_use]
    pub fn mild() -> Self {
        Self::through(36, Decimal::new(30, 2))
    }

    /// The curve through one point.
    #[must_use]
    pub fn through(months: u32, share: Decimal) -> Self {
        Self { points: vec![(0, Decimal::ONE), (months, share)] }
    }

    /// Age of the last stated point, months.
    #[must_use]
    pub fn stated_months(&self) -> u32 {
        self.points.last().map_or(0, |(months, _)| *months)
    }

    /// The stated points without the first, which is new: months and share.
    #[must_use]
    pub fn points(&self) -> &[(u32, Decimal)] {
        self.points.get(1..).unwrap_or_default()
    }

    /// The share of the price left at this age: exactly what was stated at a stated one, to nine digits elsewhere.
    #[must_use]
    pub fn share(&self, months: u32) -> Decimal {
        if let Some((_, share)) = self.points.iter().find(|(at, _)| *at == months) {
            return *share;
        }
        let after = self.points.iter().position(|(at, _)| *at > months).unwrap_or(self.points.len() - 1);
        let (Some((from, early)), Some((to, late))) =
            (after.checked_sub(1).and_then(|before| self.points.get(before)), self.points.get(after))
        else {
            return Decimal::ONE;
        };
        let (passed, span) = (f64::from(months - from), f64::from((*to - *from).max(1)));
        let (early, late) = (early.to_f64().unwrap_or_default(), late.to_f64().unwrap_or_default());
        let share = if early <= 0.0 {
            0.0
        } else if late <= 0.0 {
            early * (1.0 - passed / span).max(0.0)
        } else {
            early * (late / early).powf(passed / span)
        };
        kept(Decimal::from_f64(share.clamp(0.0, 1.0)).unwrap_or_default())
    }
}

impl FromStr for Curve {
    type Err = CurveError;

    /// `30%@18m`, or several points: `60%@12m,30%@24m`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut points = vec![(0, Decimal::ONE)];
        for word in text.split(',').map(str::trim) {
            let form = || CurveError::Form(word.to_owned());
            let (share, age) = word.split_once('@').ok_or_else(form)?;
            let share: Decimal =
                share.trim().strip_suffix('%').ok_or_else(form)?.trim().parse().map_err(|_| form())?;
            if share.is_sign_negative() && !share.is_zero() || share > Decimal::ONE_HUNDRED {
                return Err(CurveError::Share(word.to_owned()));
            }
            let age = age.trim();
            let months: u32 =
                age.strip_suffix(['m', 'M']).unwrap_or(age).trim().parse().map_err(|_| form())?;
            if !(1..=MOST_MONTHS).contains(&months) {
                return Err(CurveError::Age(word.to_owned()));
            }
            let share = share / Decimal::ONE_HUNDRED;
            if points.last().is_some_and(|(before, left)| months <= *before || share > *left) {
                return Err(CurveError::Order(word.to_owned()));
            }
            points.push((months, share));
        }
        Ok(Self { points })
    }
}

impl fmt::Display for Curve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let point = |(months, share): &(u32, Decimal)| {
            format!("{}%@{months}m", (*share * Decimal::ONE_HUNDRED).normalize())
        };
        f.write_str(&self.points().iter().map(point).collect::<Vec<_>>().join(","))
    }
}

impl From<Curve> for String {
    fn from(curve: Curve) -> Self {
        curve.to_string()
    }
}

/// A curve as it is stored.
#[derive(Deserialize)]
#[serde(untagged)]
enum Stored {
    /// As it is typed.
    Text(String),
    /// One point of an own server, as earlier versions stored it.
    Point {
        /// Percent of the price, 0 to 100.
        percent: Decimal,
        /// After so many months, 1 to 600.
        months: u32,
    },
}

impl TryFrom<Stored> for Curve {
    type Error = CurveError;

    fn try_from(stored: Stored) -> Result<Self, Self::Error> {
        match stored {
            Stored::Text(text) => text.parse(),
            Stored::Point { percent, months } => Ok(Self::through(months, percent / Decimal::ONE_HUNDRED)),
        }
    }
}

/// What is assumed of the resale: the stated curve, and others that it may turn out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resale {
    /// As stated.
    pub stated: Curve,
    /// What else may come; the band reaches from the lowest of all to the highest.
    pub others: Vec<Curve>,
}

impl Resale {
    /// A curve beside the desk's two: the cautious and the mild one.
    #[must_use]
    pub fn beside_ours(stated: Curve) -> Self {
        Self { stated, others: vec![Curve::hard(), Curve::mild()] }
    }

    /// The least that may be left at this age.
    #[must_use]
    pub fn least(&self, months: u32) -> Decimal {
        self.others.iter().map(|curve| curve.share(months)).fold(self.stated.share(months), Decimal::min)
    }

    /// The most that may be left at this age.
    #[must_use]
    pub fn most(&self, months: u32) -> Decimal {
        self.others.iter().map(|curve| curve.share(months)).fold(self.stated.share(months), Decimal::max)
    }
}
