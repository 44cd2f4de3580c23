//! Lists that come in pages. The next page is named by a token, which is no address.

use std::collections::HashSet;

use serde_json::value::RawValue;

use super::wire::{Links, Meta, Page};
use crate::http::Answer;
use crate::source::SourceError;

/// The most pages that are followed.
const MOST_PAGES: usize = 50;

/// Where the rows of a list stand.
pub(super) type Pick = for<'a, 'b> fn(&'b Page<'a>) -> Option<&'b Vec<&'a RawValue>>;

/// A list read so far.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// Each row as it stands on the wire.
    pub rows: Vec<String>,
    /// Whether no page is missing: the end was reached, and as many rows came as there are.
    pub complete: bool,
    /// How many of them an earlier page did not have already: a page that comes again is not the one that is missing.
    counted: usize,
    read: HashSet<String>,
    seen: Vec<String>,
}

impl Rows {
    /// Takes in one page and gives the token of the next, if there is one.
    pub fn take(&mut self, answer: &Answer, pick: Pick) -> Result<Option<String>, SourceError> {
        let text = answer.json_text();
        let page: Page<'_> = answer.parse(&text)?;
        let meta: Meta<'_> = page.meta.object();
        let links: Links<'_> = meta.links.object();
        let total = meta.total.whole().and_then(|total| usize::try_from(total).ok());
        match pick(&page) {
            Some(here) => {
                self.counted += here.iter().filter(|row| !self.read.contains(row.get())).count();
                self.read.extend(here.iter().map(|row| row.get().to_owned()));
                self.rows.extend(here.iter().map(|row| row.get().to_owned()));
            }
            // An empty list may be written as null; that it is empty the answer has to say itself.
            None if total == Some(0) => {}
            None => return Err(answer.bad("JSON without its list")),
        }
        match links.next.text().map(std::borrow::Cow::into_owned) {
            // A token that comes again leads round in a circle.
            Some(next) if self.seen.contains(&next) || self.seen.len() >= MOST_PAGES => Ok(None),
            Some(next) => {
                self.seen.push(next.clone());
                Ok(Some(next))
            }
            None => {
                self.complete = total.is_none_or(|total| self.counted >= total);
                Ok(None)
            }
        }
    }
}

/// The path of a page: all rows that fit into one answer, from `cursor` on.
pub(super) fn path(path: &str, cursor: Option<&str>) -> String {
    let joint = if path.contains('?') { '&' } else { '?' };
    let cursor = cursor.map(escaped).map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
    format!("{path}{joint}per_page=500{cursor}")
}

/// A token as it may stand in a query.
fn escaped(token: &str) -> String {
    url::form_urlencoded::byte_serialize(token.as_bytes()).collect()
}
