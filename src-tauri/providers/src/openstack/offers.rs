//! Reading the offers: the flavors of every region, and the prices.

use gpudesk_core::feed::{FeedName, Fetched};
use gpudesk_core::quarantine::{Row, settle};

use super::map::{self, Market};
use super::pages;
use super::prices::{PriceList, Prices};
use super::session::{Service, Session};
use crate::cloud::CloudError;
use crate::source::SourceError;

/// What errors call it.
const DOING: &str = "offers";

/// Reads everything once.
pub(super) async fn fetch(
    session: &Session,
    list: &PriceList,
    feed: FeedName,
) -> Result<Fetched, SourceError> {
    let prices = list.read(session).await?;
    let (mut rows, mut notes) = (Vec::new(), Vec::new());
    let regions = session.regions().await?;
    let mut last = None;
    for region in &regions {
        match self::rows(session, region, &prices).await {
            Ok((here, complete)) => {
                rows.extend(here);
                if !complete {
                    notes.push(format!("the flavors of {region} were not read to their end"));
                }
            }
            // One region out of order does not cost the others.
            Err(error) => {
                notes.push(format!("the flavors of {region} could not be read: {}", error.detail));
                last = Some(error);
            }
        }
    }
    if rows.is_empty() {
        return Err(match last {
            Some(error) => error.into(),
            None => SourceError::empty(session.what(DOING), "flavor"),
        });
    }
    let (origin, more) = told(&prices);
    notes.extend(more);
    let origin = format!("{}, GET /flavors/detail; {origin}", session.profile.title);
    let mut fetched = settle(rows).into_fetched(feed, origin, session.http.now());
    fetched.notes.extend(notes);
    Ok(fetched)
}

/// Every flavor of a region as a row, and whether none is missing.
pub(super) async fn rows(
    session: &Session,
    region: &str,
    prices: &Prices,
) -> Result<(Vec<Row>, bool), CloudError> {
    let all =
        pages::all(session, DOING, (region, Service::Compute), ("/flavors/detail", "flavors"), &[]).await?;
    let market =
        Market { profile: session.profile, prices, volume_type: session.login.volume_type.as_deref() };
    Ok((all.rows.iter().map(|json| map::row(json, region, &market)).collect(), all.complete))
}

/// What is said of the prices.
fn told(prices: &Prices) -> (String, Vec<String>) {
    const MOST: usize = 5;
    let Prices::Sheet(sheet) = prices else {
        return ("prices of the public catalogue, net of taxes".to_owned(), Vec::new());
    };
    let mut notes: Vec<String> =
        sheet.problems.iter().take(MOST).map(|words| format!("price sheet, {words}")).collect();
    if let Some(more) = sheet.problems.len().checked_sub(MOST).filter(|more| *more > 0) {
        notes.push(format!("price sheet: {more} more lines that cannot be used"));
    }
    let day = sheet.as_of.as_deref().map(|day| format!(" of {day}")).unwrap_or_default();
    (format!("prices of the team's sheet{day}"), notes)
}
