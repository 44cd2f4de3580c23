//! What a month of owning costs, and where it meets the rent.

use rust_decimal::Decimal;

use super::MONTH_HOURS;
use super::figures::{Case, Input};

/// Months of a year.
const YEAR: u32 = 12;
/// Watts of a kilowatt.
const KILO: u32 = 1000;

/// What hardware loses of its price a month, where this share of it is left after so many months: the same each month,
/// so that the whole term has one price and its first month costs no more than its last.
#[must_use]
pub fn lost_per_month(price: Decimal, left: Decimal, months: u32) -> Decimal {
    (price - price * left) / Decimal::from(months.max(1))
}

/// What a month of owning all cards costs, part by part, in money.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Monthly {
    /// What the hardware loses of its price, spread evenly over the term.
    pub depreciation: Decimal,
    /// What the money in it would have earned elsewhere.
    pub capital: Decimal,
    /// Power, of the cards alone unless more watts were put in.
    pub power: Decimal,
    /// Place, rack or hosting.
    pub place: Decimal,
    /// People.
    pub people: Decimal,
    /// Everything else that running them costs.
    pub running: Decimal,
}

impl Monthly {
    /// A month of owning the hardware of this case and selling it at this age.
    #[must_use]
    pub fn sold_after(case: &Case<'_>, months: u32) -> Self {
        let count = Decimal::from(case.count);
        let months = months.max(1);
        let price = case.figure(Input::Price) * count;
        let share = case.share(months);
        let depreciation = lost_per_month(price, share, months);
        let payment = even_payment(price, price * share, case.figure(Input::Capital), months);
        let watts = case.figure(Input::Watts) * case.figure(Input::Draw) * case.figure(Input::Pue) * count;
        Self {
            depreciation,
            capital: payment.map_or(Decimal::ZERO, |payment| payment - depreciation),
            power: watts * Decimal::from(MONTH_HOURS) / Decimal::from(KILO) * case.figure(Input::Kwh),
            place: case.figure(Input::Place),
            people: case.figure(Input::People),
            running: case.figure(Input::Running) * count,
        }
    }

    /// All of it.
    #[must_use]
    pub fn total(&self) -> Decimal {
        self.depreciation + self.capital + self.power + self.place + self.people + self.running
    }
}

/// The even monthly payment that pays back `price`, with interest, over `months`, where `left` comes back at the end:
/// `(price − left · v) · i / (1 − v)` with `i` the rate of a month and `v = (1 + i)^−months`; `None` without interest,
/// and at a rate so small that it is lost in the digits: then it is the loss alone.
fn even_payment(price: Decimal, left: Decimal, per_year: Decimal, months: u32) -> Option<Decimal> {
    let rate = per_year / Decimal::from(YEAR);
    if rate.is_zero() {
        return None;
    }
    let grown = (0..months).fold(Decimal::ONE, |grown, _| grown * (Decimal::ONE + rate));
    ((price * grown - left) * rate).checked_div(grown - Decimal::ONE)
}

/// Why there is no break-even.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoBreakEven {
    /// Owning costs more than renting all hours of a month.
    BeyondAMonth,
    /// The rent is nothing: no number of hours makes up for owning.
    RentIsNothing,
}

/// Where a month of owning costs as much as renting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BreakEven {
    /// Hours of rent that a month of owning one card pays for, also where a month has not so many; `None` where the
    /// rent is nothing.
    pub needed: Option<Decimal>,
}

impl BreakEven {
    /// Hours a month from which on owning is cheaper.
    ///
    /// # Errors
    /// Why there are none.
    pub fn hours(self) -> Result<Decimal, NoBreakEven> {
        let needed = self.needed.ok_or(NoBreakEven::RentIsNothing)?;
        if needed > Decimal::from(MONTH_HOURS) { Err(NoBreakEven::BeyondAMonth) } else { Ok(needed) }
    }

    /// The same as a share of the month.
    ///
    /// # Errors
    /// Why there is none.
    pub fn utilisation(self) -> Result<Decimal, NoBreakEven> {
        Ok(self.hours()? / Decimal::from(MONTH_HOURS))
    }
}

/// Where owning to the end of the term meets a rent of `per_hour` for one card.
#[must_use]
pub fn break_even_with(case: &Case<'_>, per_hour: Decimal) -> BreakEven {
    let month = Monthly::sold_after(case, case.months()).total() / Decimal::from(case.count);
    BreakEven { needed: month.checked_div(per_hour) }
}

/// Where owning to the end of the term meets the rent of the case.
#[must_use]
pub fn break_even(case: &Case<'_>) -> BreakEven {
    break_even_with(case, case.figure(Input::Rent))
}

/// After how many months of use at this share of all hours owning, with a sale then, has cost no more than renting the
/// same hours, and stays so to the end of the term; `None` where that is never within the term.
#[must_use]
pub fn months_to_break_even(case: &Case<'_>, utilisation: Decimal) -> Option<u32> {
    let rent =
        case.figure(Input::Rent) * Decimal::from(MONTH_HOURS) * utilisation * Decimal::from(case.count);
    let pays = |months: &u32| Monthly::sold_after(case, *months).total() <= rent;
    (1..=case.months()).rev().take_while(pays).last()
}

/// What an hour that is used costs an owner at this share of all hours, for one card; `None` where none is used.
#[must_use]
pub fn owned_per_hour(case: &Case<'_>, utilisation: Decimal) -> Option<Decimal> {
    let month = Monthly::sold_after(case, case.months()).total() / Decimal::from(case.count);
    spread(month, utilisation)
}

/// What is paid for every hour of a month, for each hour that is used.
fn spread(month: Decimal, utilisation: Decimal) -> Option<Decimal> {
    month.checked_div(Decimal::from(MONTH_HOURS) * utilisation)
}

/// What an hour that is used costs where all hours are paid for at `per_hour`; `None` where none is used.
#[must_use]
pub fn reserved_per_hour(per_hour: Decimal, utilisation: Decimal) -> Option<Decimal> {
    spread(per_hour * Decimal::from(MONTH_HOURS), utilisation)
}
