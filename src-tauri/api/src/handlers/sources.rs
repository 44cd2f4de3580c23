//! Sources and their health, fetching, importing, and what was kept out.

use std::path::PathBuf;

use gpudesk_core::feed::FeedName;
use gpudesk_core::place;
use gpudesk_engine::{Desk, Done, FeedReport as Report, is_stale};
use rust_decimal::prelude::ToPrimitive;

use super::rows;
use crate::desk::{
    ApiError, FeedReport, FeedStatus, QuarantinePage, QuarantineRequest, QuarantinedRow, ReasonCount,
    RefreshReport, RefreshRequest, SourceStatus,
};
use crate::market::ImportRequest;

fn small(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The fixed word of a reason, as stored.
fn word<T: serde::Serialize>(code: &T) -> String {
    match serde_json::to_value(code) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

/// Shown name of a feed: that of its provider.
fn title(feed: &str) -> String {
    let (source, rest) = feed.split_once('/').unwrap_or((feed, feed));
    match (source, rest) {
        ("rates", "ecb") => "ECB".to_owned(),
        ("rates", "cbr") => "CBR".to_owned(),
        (_, stem) => {
            let provider = place::canonical_provider(stem);
            place::provider_title(provider).unwrap_or(provider).to_owned()
        }
    }
}

/// Every source with the health of its feeds. A catalogue feed whose provider is read live is still listed: its rows
/// stand behind the live ones.
///
/// # Errors
/// `database` when it cannot be read.
pub async fn sources_list(desk: &Desk, (): ()) -> Result<Vec<SourceStatus>, ApiError> {
    let feeds = desk.feeds().await?;
    let now = desk.now();
    let mut list = Vec::new();
    for source in desk.sources().await? {
        let tried = feeds.iter().filter(|feed| feed.name.source() == source.name).map(|feed| {
            let state = match (&feed.error, feed.as_of) {
                (Some(_), _) => "failed",
                (None, None) => "never",
                (None, Some(as_of)) if is_stale(&feed.name, as_of, now) => "stale",
                (None, Some(_)) => "ok",
            };
            FeedStatus {
                name: feed.name.0.clone(),
                title: title(&feed.name.0),
                state: state.to_owned(),
                source: if matches!(source.name, "catalogue" | "sheets") { "catalogue" } else { "live" }
                    .to_owned(),
                origin: feed.origin.clone(),
                as_of: feed.as_of.map(rows::time),
                age_s: feed.as_of.map(|at| (now - at).num_seconds().max(0) as f64),
                tried_at: Some(rows::time(feed.tried_at)),
                failing_since: feed.failing_since.map(rows::time),
                offers: small(feed.offers),
                rows_read: small(feed.rows_read),
                rows_not_gpu: small(feed.rows_not_gpu),
                quarantined: small(feed.quarantined),
                seconds: feed.seconds,
                price_changes: small(feed.price_changes),
                error: feed.error.as_ref().map(ApiError::of_failure),
            }
        });
        let mut statuses: Vec<FeedStatus> = tried.collect();
        for name in &source.feeds {
            if source.name != "catalogue" && !statuses.iter().any(|status| status.name == name.0) {
                statuses.push(never(&name.0));
            }
        }
        list.push(SourceStatus {
            name: source.name.to_owned(),
            title: source.title.to_owned(),
            feeds: statuses,
            busy: source.busy,
            needs_account: source.needs_account,
        });
    }
    Ok(list)
}

/// A feed that was never asked.
fn never(name: &str) -> FeedStatus {
    FeedStatus {
        name: name.to_owned(),
        title: title(name),
        state: "never".to_owned(),
        source: "live".to_owned(),
        origin: None,
        as_of: None,
        age_s: None,
        tried_at: None,
        failing_since: None,
        offers: 0,
        rows_read: 0,
        rows_not_gpu: 0,
        quarantined: 0,
        seconds: None,
        price_changes: 0,
        error: None,
    }
}

/// Fetches sources now.
///
/// # Errors
/// `not-found` for a source that does not exist; what goes wrong with one feed is in the report.
pub async fn sources_refresh(desk: &Desk, request: RefreshRequest) -> Result<RefreshReport, ApiError> {
    let feeds = desk.refresh(&request.sources).await?;
    Ok(RefreshReport { feeds: feeds.into_iter().map(report).collect() })
}

/// Reads price lists from files.
///
/// # Errors
/// `database` when the board cannot be rebuilt; what is wrong with one file is in the report.
pub async fn catalogue_import(desk: &Desk, request: ImportRequest) -> Result<RefreshReport, ApiError> {
    let feeds = desk.import_skypilot(request.paths.into_iter().map(PathBuf::from).collect()).await?;
    Ok(RefreshReport { feeds: feeds.into_iter().map(report).collect() })
}

/// Takes in price sheets of the team.
///
/// # Errors
/// `database` when the board cannot be rebuilt; what is wrong with one file is in the report.
pub async fn prices_import(desk: &Desk, request: ImportRequest) -> Result<RefreshReport, ApiError> {
    let feeds = desk.import_prices(request.paths.into_iter().map(PathBuf::from).collect()).await?;
    Ok(RefreshReport { feeds: feeds.into_iter().map(report).collect() })
}

fn report(report: Report) -> FeedReport {
    let mut shown = FeedReport {
        feed: report.feed.0,
        rows_read: 0,
        rows_used: 0,
        offers: 0,
        rows_not_gpu: 0,
        quarantined: 0,
        reasons: Vec::new(),
        added: 0,
        removed: 0,
        price_changes: 0,
        rows_written: 0,
        unchanged: false,
        seconds: (report.seconds * 1000.0).round() / 1000.0,
        notes: Vec::new(),
        error: None,
    };
    match report.result {
        Err(error) => shown.error = Some(ApiError::from(error)),
        Ok(Done::Unchanged) => shown.unchanged = true,
        Ok(Done::NoAccount) => {
            let feed = &shown.feed;
            shown.notes = vec![format!(
                "not asked: it tells nothing without an account (`gpudesk accounts add {feed}`)"
            )];
        }
        Ok(Done::Stored {
            rows_read,
            rows_used,
            offers,
            rows_not_gpu,
            quarantined,
            reasons,
            notes,
            replaced,
        }) => {
            shown.rows_read = small(rows_read);
            shown.rows_used = small(rows_used);
            shown.offers = small(offers);
            shown.rows_not_gpu = small(rows_not_gpu);
            shown.quarantined = small(quarantined);
            shown.reasons = reasons
                .into_iter()
                .map(|r| ReasonCount { code: word(&r.code), example: r.example, count: small(r.count) })
                .collect();
            shown.added = small(replaced.added);
            shown.removed = small(replaced.removed);
            shown.price_changes = small(replaced.price_changes);
            shown.rows_written = small(replaced.rows_written);
            shown.notes = notes;
        }
    }
    shown
}

/// Rows kept out of the table, each with its reason.
///
/// # Errors
/// `database` when they cannot be read.
pub async fn quarantine_list(desk: &Desk, request: QuarantineRequest) -> Result<QuarantinePage, ApiError> {
    let feed = request.feed.map(FeedName);
    let page = desk.quarantine(feed.as_ref(), request.offset, request.limit.min(500)).await?;
    let feeds = desk.feeds().await?;
    let rates = desk.rates().await?;
    let rows = page
        .rows
        .into_iter()
        .map(|(feed, row)| {
            let seen =
                feeds.iter().find(|f| f.name == feed).and_then(|f| f.as_of).unwrap_or_else(|| desk.now());
            QuarantinedRow {
                feed: feed.0,
                code: word(&row.reason.code),
                detail: row.reason.detail,
                origin: row.origin,
                offer: row.offer.map(|offer| rows::offer(&offer, seen, false, &rates)),
            }
        })
        .collect();
    Ok(QuarantinePage { total: page.total.to_u32().unwrap_or(u32::MAX), rows })
}
