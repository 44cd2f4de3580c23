//! Lists that come in pages.

use serde_json::value::RawValue;

use super::api::get;
use super::wire::Page;
use crate::cloud::{Account, CloudError};

/// Rows asked for at once.
const SIZE: usize = 100;

/// The most pages that are followed.
const MOST_PAGES: usize = 50;

/// The rows of a list, and whether its end was surely reached.
pub(super) struct Rows {
    /// Each as it stands on the wire.
    pub rows: Vec<String>,
    /// Whether no page is missing.
    pub complete: bool,
}

type Pick = for<'a, 'b> fn(&'b Page<'a>) -> Option<&'b Vec<&'a RawValue>>;

/// Reads `path` page by page. `count` is all rows or those of the page, the description does not say which: what was
/// read must never be less.
pub(super) async fn all(account: &Account, doing: &str, path: &str, pick: Pick) -> Result<Rows, CloudError> {
    let joint = if path.contains('?') { '&' } else { '?' };
    let mut rows: Vec<String> = Vec::new();
    let mut counted: usize = 0;
    let mut in_order = true;
    for number in 1..=MOST_PAGES {
        let path = format!("{path}{joint}page={number}&pageSize={SIZE}");
        let answer = get(account, doing, &path).await?;
        let text = answer.json_text();
        let page: Page<'_> = answer.parse(&text)?;
        let Some(here) = pick(&page) else { return Err(answer.bad("JSON without its list").into()) };
        let whole = |told: Option<u64>| told.and_then(|told| usize::try_from(told).ok());
        counted = counted.max(whole(page.count.whole()).unwrap_or(0));
        in_order &= whole(page.page.whole()).is_none_or(|told| told == number);
        let size = whole(page.page_size.whole()).filter(|size| *size > 0).unwrap_or(SIZE);
        rows.extend(here.iter().map(|row| row.get().to_owned()));
        if here.len() < size || here.is_empty() {
            let complete = in_order && rows.len() >= counted;
            return Ok(Rows { rows, complete });
        }
    }
    Ok(Rows { rows, complete: false })
}
