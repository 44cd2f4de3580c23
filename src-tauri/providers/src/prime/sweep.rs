//! The offers, page by page.

use std::collections::HashSet;

use super::api::{get, words};
use super::wire::Availability;
use crate::cloud::{Account, CloudError};

/// Rows of a page; the service gives no more.
const PAGE: usize = 100;

/// The most pages read.
const MOST_PAGES: usize = 300;

/// Rows of the market, each as its own JSON text, and what is to be said of them.
#[derive(Debug, Default)]
pub(super) struct Swept {
    pub rows: Vec<String>,
    pub notes: Vec<String>,
}

/// Reads every page that `filter` (empty, or ending in `&`) leaves. A page that fails costs the whole: half a market
/// is none. An empty page is the end, whatever total was promised.
pub(super) async fn market(account: &Account, doing: &str, filter: &str) -> Result<Swept, CloudError> {
    let mut swept = Swept::default();
    let mut seen = HashSet::new();
    for number in 1..=MOST_PAGES {
        let path = format!("/availability/gpus?{filter}page={number}&page_size={PAGE}");
        let answer = get(account, doing, &path).await?;
        let text = answer.json_text();
        let page: Availability<'_> = answer.parse(&text)?;
        let Some(rows) = page.items else {
            let said = words(&answer.body);
            let detail = if said.is_empty() { "JSON without the list of `items`" } else { said.as_str() };
            return Err(answer.bad(detail).into());
        };
        let total = page.total_count.whole().and_then(|total| usize::try_from(total).ok());
        let (count, before) = (rows.len(), swept.rows.len());
        // The market moves while it is read: a row may come on two pages.
        let fresh = rows.iter().map(|row| row.get()).filter(|row| seen.insert((*row).to_owned()));
        swept.rows.extend(fresh.map(str::to_owned));
        let known = swept.rows.len();
        if count > 0 && known == before {
            return Err(answer.bad(format!("page {number} repeats the ones before it")).into());
        }
        if count == 0 || total.is_some_and(|total| known >= total) {
            if let Some(total) = total.filter(|total| *total > known) {
                swept.notes.push(format!("the list holds {known} rows and says there are {total}"));
            }
            return Ok(swept);
        }
    }
    Err(account.unreadable(doing, format!("the list has more than {MOST_PAGES} pages")))
}
