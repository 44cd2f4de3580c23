//! What a way to do a piece of work costs: near enough to order all rows by, and exact for those that are named.

use rust_decimal::Decimal;
use rust_decimal::prelude::{FromPrimitive, ToPrimitive};

use super::Board;
use super::columns::Billing;
use super::weigh::{Ask, Choice};
use crate::gpu::Layout;
use crate::job::{self, Besides, Job, Rule};
use crate::meter::Meter;
use crate::money::{Currency, NANOS, kept};
use crate::offer::Offer;
use crate::plan::{Name, Run, Span};
use crate::terms::USUAL_MONTH_HOURS;

/// The upper end of a total, near enough to order by.
#[derive(Debug, Clone, Copy)]
pub(super) struct About {
    pub amount: f64,
    /// Whether it is in USD; else there is no rate, and it is in the offer's own currency.
    pub is_usd: bool,
}

/// How each billing bills; `None` where no total can be given.
pub(super) type Rules = Vec<Option<(Rule, Besides)>>;

impl Board {
    /// How each billing of the board bills.
    pub(super) fn rules(&self) -> Rules {
        let periods: Vec<Option<Rule>> =
            self.periods.iter().map(|period| Rule::new(&period.tariff(&self.texts), &self.rates)).collect();
        let rule = |billing: &Billing| {
            let (storage, egress, included_gb) = billing.plain_extras();
            Some((periods[billing.period as usize]?, Besides { storage, egress, included_gb }))
        };
        self.billings.iter().map(rule).collect()
    }

    /// The upper end of the total where so large a share of the row's price is paid, near enough to order by; `None`
    /// where there is none.
    pub(super) fn about(
        &self,
        ask: &Ask<'_>,
        rules: &Rules,
        row: usize,
        run: &Run,
        paid: f64,
    ) -> Option<About> {
        let billing = self.rows.billing[row] as usize;
        let work = ask.judge.work;
        let per_hour = self.rows.per_hour[row] as f64 / NANOS as f64 * paid;
        let machines = f64::from(run.fit.machines);
        let Some((rule, said)) = rules[billing].as_ref() else {
            let currency = self.seller_of(row as u32)?.currency;
            let is_unrated = self.rates.quote(currency, Currency::USD).is_none();
            let amount = per_hour * run.hours.filter(|_| is_unrated)?.high * machines;
            return Some(About { amount, is_usd: false });
        };
        let amount = match run.hours {
            Some(hours) => rule.high(hours.high, per_hour, work.disk_gb, work.egress_gb, said) * machines,
            None => {
                let tokens = work.token_span(ask.judge.assumed.get(Name::BytesPerToken))?;
                let (_, high) = token_prices(self.billings[billing].meter?, ask)?;
                rule.usd(tokens.high / 1e6 * high)
            }
        };
        Some(About { amount, is_usd: true }).filter(|about| about.amount.is_finite())
    }

    /// The exact total, of a row or of one slice of its card; `None` where there is none.
    pub(super) fn choice(&self, ask: &Ask<'_>, row: u32, slice: Option<Layout>, run: &Run) -> Option<Choice> {
        let mut offer = self.offer(row)?;
        if let Some(slice) = &slice {
            let paid = Decimal::from_f64(slice.cost_share())?;
            offer.price.per_hour = kept(offer.price.per_hour.checked_mul(paid)?);
        }
        let machines = Decimal::from(run.fit.machines);
        let own = offer.price.currency;
        let (currency, low, high) = match run.hours {
            Some(hours) if self.rates.quote(own, Currency::USD).is_none() => {
                let (low, high) = own_cost(ask, &offer, hours)?;
                (own, low, high)
            }
            Some(hours) => {
                let (low, high) = self.time_cost(ask, &offer, hours)?;
                (Currency::USD, low, Some(high))
            }
            None => {
                let (low, high) = self.token_cost(ask, &offer)?;
                (Currency::USD, low, Some(high))
            }
        };
        let high = match high {
            Some(high) => Some(high.checked_mul(machines)?),
            None => None,
        };
        Some(Choice { row, slice, run: *run, currency, low: low.checked_mul(machines)?, high })
    }

    fn time_cost(&self, ask: &Ask<'_>, offer: &Offer, hours: Span) -> Option<(Decimal, Decimal)> {
        let work = ask.judge.work;
        let at = |hours: f64| {
            let job = Job::from_f64(hours, work.disk_gb, work.egress_gb).ok()?;
            job::cost(offer, &job, &self.rates)
        };
        Some((at(hours.low)?.usd.low, at(hours.high)?.usd.high))
    }

    fn token_cost(&self, ask: &Ask<'_>, offer: &Offer) -> Option<(Decimal, Decimal)> {
        let tokens = ask.judge.work.token_span(ask.judge.assumed.get(Name::BytesPerToken))?;
        let (low, high) = token_prices(offer.price.meter?, ask)?;
        let usd = |tokens: f64, price: f64| {
            let own = Decimal::from_f64(tokens / 1e6 * price)?;
            self.rates.convert(own, offer.price.currency, Currency::USD)
        };
        Some((usd(tokens.low, low)?, usd(tokens.high, high)?))
    }
}

/// The total in the offer's own currency, where no rate leads out of it: the upper end is open where the offer leaves
/// disk or traffic unsaid, since what they cost elsewhere cannot be brought into it.
fn own_cost(ask: &Ask<'_>, offer: &Offer, hours: Span) -> Option<(Decimal, Option<Decimal>)> {
    let work = ask.judge.work;
    let price = &offer.price;
    let least = Decimal::from(price.minimum_s.unwrap_or_default()) / Decimal::from(3600);
    let billed = |hours: f64| Some(Decimal::from_f64(hours)?.max(least));
    let disk_gb = (work.disk_gb - offer.disk.included_gb.unwrap_or_default()).max(0.0);
    let besides = |gb: f64, each: Option<Decimal>| match each {
        _ if gb == 0.0 => Some(Decimal::ZERO),
        Some(each) => Decimal::from_f64(gb)?.checked_mul(each),
        None => None,
    };
    let (low_h, high_h) = (billed(hours.low)?, billed(hours.high.ceil())?);
    let months = high_h / Decimal::from(USUAL_MONTH_HOURS);
    let disk = besides(disk_gb, price.storage_gb_month).and_then(|month| month.checked_mul(months));
    let traffic = besides(work.egress_gb, price.egress_gb);
    let low = price.per_hour.checked_mul(low_h)?;
    let high = price.per_hour.checked_mul(high_h)?;
    let all = disk.zip(traffic).and_then(|(disk, traffic)| high.checked_add(disk)?.checked_add(traffic));
    Some((low, all))
}

/// The price of a million tokens, read and written as is assumed.
fn token_prices(meter: Meter, ask: &Ask<'_>) -> Option<(f64, f64)> {
    let Meter::Tokens { input, output } = meter else { return None };
    let (read, written) = (input.to_f64()?, output.to_f64()?);
    let share = ask.judge.assumed.get(Name::OutputShare);
    let at = |share: f64| read + (written - read) * share;
    let (a, b) = (at(share.low), at(share.high));
    Some((a.min(b), a.max(b)))
}
