//! Exchange rates.

use chrono::NaiveDate;
use gpudesk_core::money::{Currency, RateHistory, RateSheet, RateSource, Rates};

use crate::support::{at, dec, desk};

fn date(day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 11, day).unwrap()
}

fn ecb(day: u32, fetched: i64, usd: &str) -> RateSheet {
    RateSheet {
        source: RateSource::Ecb,
        base: Currency::EUR,
        date: date(day),
        fetched_at: at(fetched),
        per_unit: [(Currency::USD, dec(usd)), (Currency::CNY, dec("0.1234567890123456789"))].into(),
    }
}

fn cbr(day: u32) -> RateSheet {
    RateSheet {
        source: RateSource::Cbr,
        base: Currency::RUB,
        date: date(day),
        fetched_at: at(0),
        per_unit: [(Currency::USD, dec("80.5"))].into(),
    }
}

#[tokio::test]
async fn without_a_sheet_there_are_no_rates() {
    assert_eq!(desk().await.store.rates().await.unwrap(), Rates::default());
}

#[tokio::test]
async fn the_newest_sheet_of_each_bank_counts_digit_for_digit() {
    let desk = desk().await;
    for sheet in [ecb(27, 0, "0.86"), ecb(26, 5, "0.85"), cbr(28)] {
        desk.store.put_rates(&sheet).await.unwrap();
    }
    let rates = desk.store.rates().await.unwrap();
    assert_eq!(rates, Rates { ecb: Some(ecb(27, 0, "0.86")), cbr: Some(cbr(28)) });
}

#[tokio::test]
async fn a_past_day_is_told_by_the_sheet_that_held_then() {
    let desk = desk().await;
    for sheet in [ecb(26, 0, "0.85"), ecb(27, 0, "0.86"), cbr(28)] {
        desk.store.put_rates(&sheet).await.unwrap();
    }
    assert_eq!(desk.store.rates_on(date(25)).await.unwrap(), Rates::default());
    let rates = desk.store.rates_on(date(26)).await.unwrap();
    assert_eq!(rates, Rates { ecb: Some(ecb(26, 0, "0.85")), cbr: None });
    let weekend = desk.store.rates_on(date(29)).await.unwrap();
    assert_eq!(weekend, Rates { ecb: Some(ecb(27, 0, "0.86")), cbr: Some(cbr(28)) });
}

#[tokio::test]
async fn the_sheets_of_a_stretch_of_days_come_with_the_ones_that_held_before_or_came_after() {
    let desk = desk().await;
    let sheets =
        [ecb(20, 0, "0.84"), ecb(24, 0, "0.85"), ecb(26, 0, "0.86"), ecb(28, 0, "0.87"), cbr(27), cbr(28)];
    for sheet in &sheets {
        desk.store.put_rates(sheet).await.unwrap();
    }
    let history = async |first, last| desk.store.rate_history(date(first), date(last)).await.unwrap();
    let of = |wanted: &[RateSheet]| {
        let mut history = RateHistory::default();
        wanted.iter().for_each(|sheet| history.put(sheet.clone()));
        history
    };
    let [_, before, inside, after, first, _] = &sheets;
    // The newest before, those inside, and the oldest after.
    assert_eq!(history(25, 26).await, of(&[before.clone(), inside.clone(), after.clone(), first.clone()]));
    assert_eq!(history(29, 30).await.newest(), desk.store.rates().await.unwrap());
    assert_eq!(history(1, 2).await, of(&[sheets[0].clone(), first.clone()]), "nothing is so old");
}

#[tokio::test]
async fn a_correction_of_the_day_wins_and_an_older_answer_does_not() {
    let desk = desk().await;
    for sheet in [ecb(27, 5, "0.86"), ecb(27, 10, "0.87"), ecb(27, 7, "0.99")] {
        desk.store.put_rates(&sheet).await.unwrap();
    }
    assert_eq!(desk.store.rates().await.unwrap().ecb, Some(ecb(27, 10, "0.87")));
}

#[tokio::test]
async fn a_sheet_that_cannot_be_understood_is_named() {
    let desk = desk().await;
    desk.store.put_rates(&cbr(28)).await.unwrap();
    sqlx::query("UPDATE rates SET per_unit = '{\"USD\":\"many\"}'")
        .execute(&mut desk.raw().await)
        .await
        .unwrap();
    let error = desk.store.rates().await.unwrap_err();
    assert!(
        error.to_string().starts_with("row `CBR 2026-11-28` of table `rates` cannot be read: per_unit: "),
        "{error}"
    );
}
