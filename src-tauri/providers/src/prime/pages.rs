//! Lists that come in pages.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::api::{get, words};
use super::wire::Page;
use crate::cloud::{Account, CloudError};
use crate::http::Literal;

/// Rows of a page.
const LIMIT: usize = 100;

/// The most pages read: nobody has more than that, and a list without an end is broken.
const MOST_PAGES: usize = 200;

/// A list as far as it could be read.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// The rows, each as its own JSON text, none twice.
    pub rows: Vec<String>,
    /// What keeps the list from being whole.
    pub missing: Option<String>,
}

/// Reads all pages of `path` (which ends in its slash). The list is whole once it holds as many rows as it says there
/// are. Where a later page fails, what the earlier ones told is kept.
pub(super) async fn all(account: &Account, doing: &str, path: &str) -> Result<Rows, CloudError> {
    let mut list = Rows::default();
    let mut seen = HashSet::new();
    let mut offset = 0;
    for number in 1..=MOST_PAGES {
        let (rows, total) = match page(account, doing, path, offset).await {
            Ok(page) => page,
            Err(error) if number == 1 => return Err(error),
            Err(error) => {
                list.missing = Some(format!("page {number}: {}", error.detail));
                return Ok(list);
            }
        };
        let (count, before) = (rows.len(), list.rows.len());
        // Rows that move while the list is read stand there twice, and others are missed for it.
        list.rows.extend(rows.into_iter().filter(|row| seen.insert(identity(row))));
        if list.rows.len() < before + count {
            list.missing.get_or_insert_with(|| "a row stands there twice".to_owned());
        }
        offset += count;
        let known = list.rows.len();
        if count > 0 && known == before {
            return Ok(list);
        }
        let total = total.filter(|total| *total > 0);
        if total.is_some_and(|total| known >= total) || (total.is_none() && count < LIMIT) {
            return Ok(list);
        }
        if let (0, Some(total)) = (count, total) {
            list.missing = Some(format!("the list holds {known} rows and says there are {total}"));
            return Ok(list);
        }
    }
    list.missing = Some(format!("the list has more than {MOST_PAGES} pages"));
    Ok(list)
}

/// What tells a row from the others: its id, or all of it where it has none.
fn identity(row: &str) -> String {
    let id = serde_json::from_str::<Identified<'_>>(row)
        .ok()
        .and_then(|row| row.id.text().map(|id| id.into_owned()));
    id.unwrap_or_else(|| row.to_owned())
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Identified<'a> {
    #[serde(borrow)]
    id: Literal<'a>,
}

async fn page(
    account: &Account,
    doing: &str,
    path: &str,
    offset: usize,
) -> Result<(Vec<String>, Option<usize>), CloudError> {
    let join = if path.contains('?') { '&' } else { '?' };
    let answer = get(account, doing, &format!("{path}{join}offset={offset}&limit={LIMIT}")).await?;
    let text = answer.json_text();
    let page: Page<'_> = answer.parse(&text)?;
    let Some(rows) = page.data else {
        let said = words(&answer.body);
        let detail = if said.is_empty() { "JSON without the list of `data`" } else { said.as_str() };
        return Err(answer.bad(detail).into());
    };
    let total = page.total_count.whole().and_then(|total| usize::try_from(total).ok());
    Ok((rows.into_iter().map(|row: &RawValue| row.get().to_owned()).collect(), total))
}
