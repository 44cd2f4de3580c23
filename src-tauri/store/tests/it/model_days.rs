//! The market of each day by GPU.

use chrono::NaiveDate;
use gpudesk_store::ModelDay;

use crate::support::desk;

fn day(gpu: &str, day: u32, lowest: i64) -> ModelDay {
    let day = NaiveDate::from_ymd_opt(2026, 11, day).unwrap();
    ModelDay { gpu: gpu.to_owned(), day, lowest, median: lowest * 2, offers: 7 }
}

#[tokio::test]
async fn the_last_look_of_a_day_stands() {
    let desk = desk().await;
    desk.store
        .put_model_days(&[day("H100 SXM", 29, 1_900_000_000), day("T4", 29, 90_000_000)])
        .await
        .unwrap();
    desk.store.put_model_days(&[day("H100 SXM", 30, 1_800_000_000)]).await.unwrap();
    desk.store.put_model_days(&[day("H100 SXM", 30, 1_700_000_000)]).await.unwrap();
    desk.store.put_model_days(&[]).await.unwrap();
    let all = desk.store.model_days(NaiveDate::from_ymd_opt(2026, 11, 1).unwrap()).await.unwrap();
    assert_eq!(
        all,
        [day("H100 SXM", 29, 1_900_000_000), day("H100 SXM", 30, 1_700_000_000), day("T4", 29, 90_000_000)]
    );
}

#[tokio::test]
async fn days_are_told_from_the_asked_one_on() {
    let desk = desk().await;
    let days: Vec<_> =
        (1..=30).flat_map(|n| (0..20).map(move |gpu| day(&format!("GPU {gpu:02}"), n, 5))).collect();
    desk.store.put_model_days(&days).await.unwrap();
    let since = NaiveDate::from_ymd_opt(2026, 11, 29).unwrap();
    let found = desk.store.model_days(since).await.unwrap();
    assert_eq!(found.len(), 40);
    assert!(found.iter().all(|row| row.day >= since));
}
