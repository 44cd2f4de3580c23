//! How sure the answer is: the band over all that is assumed, and what moves it most.

use rust_decimal::Decimal;

use super::cost::{BreakEven, break_even, months_to_break_even};
use super::figures::{Case, Deal, Input, Side};

/// The break-even over every assignment of what is assumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Band {
    /// Where everything speaks for owning.
    pub low: BreakEven,
    /// Where everything speaks against it.
    pub high: BreakEven,
    /// Months of use until owning has paid, where everything speaks for it; `None` = not within the term.
    pub months_low: Option<u32>,
    /// The same where everything speaks against it.
    pub months_high: Option<u32>,
}

/// How the answer moves with one figure alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swing {
    /// Which.
    pub input: Input,
    /// Its least and most; of the resale the share left at the end of the term.
    pub values: (Decimal, Decimal),
    /// Where that puts the break-even.
    pub break_even: (BreakEven, BreakEven),
}

/// Months of every length of the term that may be.
fn terms(deal: &Deal) -> impl Iterator<Item = Decimal> {
    let months = |value: Decimal| u32::try_from(value).unwrap_or(1);
    let (low, high) =
        deal.figures.get(&Input::Term).map_or((1, 1), |term| (months(term.low), months(term.high)));
    (low..=high).map(Decimal::from)
}

/// Everything but the term at the end that speaks for owning, or against it. Each figure moves the break-even one way
/// only, whatever the others are.
fn corner(deal: &Deal, for_owning: bool) -> Case<'_> {
    let side = if for_owning { Side::Most } else { Side::Least };
    deal.figures.iter().filter(|(input, _)| **input != Input::Term).fold(
        deal.stated().on(side),
        |case, (input, figure)| {
            // A dearer rent speaks for owning, all other costs against it.
            let high = (*input == Input::Rent) == for_owning;
            case.with(*input, if high { figure.high } else { figure.low })
        },
    )
}

/// Hours that are never reached are more than any.
fn hours(case: &BreakEven) -> Decimal {
    case.needed.unwrap_or(Decimal::MAX)
}

/// The band; months are for use at this share of all hours.
#[must_use]
pub fn band(deal: &Deal, utilisation: Option<Decimal>) -> Band {
    let ends = |for_owning: bool| -> Vec<Case<'_>> {
        let case = corner(deal, for_owning);
        terms(deal).map(|months| case.clone().with(Input::Term, months)).collect()
    };
    let (best, worst) = (ends(true), ends(false));
    let stated = break_even(&deal.stated());
    let months = |case: &Case<'_>| utilisation.and_then(|share| months_to_break_even(case, share));
    Band {
        low: best.iter().map(break_even).min_by_key(hours).unwrap_or(stated),
        high: worst.iter().map(break_even).max_by_key(hours).unwrap_or(stated),
        months_low: best.iter().filter_map(months).min(),
        // One that never pays is worse than any that does.
        months_high: worst
            .iter()
            .map(months)
            .collect::<Option<Vec<u32>>>()
            .and_then(|all| all.into_iter().max()),
    }
}

/// What each figure alone does to the break-even, the one that moves it most first.
#[must_use]
pub fn sensitivity(deal: &Deal) -> Vec<Swing> {
    let stated = deal.stated();
    let mut swings: Vec<Swing> = deal
        .figures
        .iter()
        .filter(|(input, figure)| **input != Input::Resale && figure.is_open())
        .map(|(input, figure)| Swing {
            input: *input,
            values: (figure.low, figure.high),
            break_even: (
                break_even(&stated.clone().with(*input, figure.low)),
                break_even(&stated.clone().with(*input, figure.high)),
            ),
        })
        .collect();
    let (least, most) = (stated.clone().on(Side::Least), stated.clone().on(Side::Most));
    let end = stated.months();
    if least.share(end) != most.share(end) {
        swings.push(Swing {
            input: Input::Resale,
            values: (least.share(end), most.share(end)),
            break_even: (break_even(&least), break_even(&most)),
        });
    }
    swings.sort_by_key(|swing| {
        let (a, b) = (hours(&swing.break_even.0), hours(&swing.break_even.1));
        (std::cmp::Reverse((a - b).abs()), swing.input)
    });
    swings.retain(|swing| swing.break_even.0 != swing.break_even.1);
    swings
}
