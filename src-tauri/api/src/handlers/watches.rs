//! Standing questions.

use gpudesk_core::money::from_nanos;
use gpudesk_engine::Desk;

use super::{query, rows};
use crate::desk::{ApiError, Watch, WatchAddRequest, WatchRemoveRequest};

/// All watches with what each sees now.
///
/// # Errors
/// `database` when they cannot be read.
pub async fn watches_list(desk: &Desk, (): ()) -> Result<Vec<Watch>, ApiError> {
    let watches = desk.watches().await?;
    Ok(watches
        .into_iter()
        .map(|(watch, sight)| Watch {
            id: watch.id,
            line: watch.line,
            created_at: rows::time(watch.created_at),
            best_usd: watch.best_usd.map(|nanos| from_nanos(nanos).to_string()),
            matches: sight.map_or(0, |sight| sight.matches),
            told_at: watch.told_at.map(rows::time),
        })
        .collect())
}

/// Sets a watch.
///
/// # Errors
/// `query-invalid` when its line does not parse or asks for nothing.
pub async fn watch_add(desk: &Desk, request: WatchAddRequest) -> Result<Vec<Watch>, ApiError> {
    let query = query::read(&request.line, &*desk.snapshot().await?, &desk.policies().await?)?;
    if query.is_empty() {
        return Err(ApiError::new("request-invalid", "the watch", "its line asks for nothing")
            .with_hint("Type what to look for first, such as `h100 x8 price<2 instock`."));
    }
    desk.add_watch(&query.to_string()).await?;
    watches_list(desk, ()).await
}

/// Ends a watch.
///
/// # Errors
/// `not-found` when there is none of that number.
pub async fn watch_remove(desk: &Desk, request: WatchRemoveRequest) -> Result<Vec<Watch>, ApiError> {
    desk.remove_watch(request.id).await?;
    watches_list(desk, ()).await
}
