//! The address of the price list, and its pages
//! (<https://learn.microsoft.com/en-us/rest/api/cost-management/retail-prices/azure-retail-prices>).

use std::collections::BTreeSet;

use url::Url;
use url::form_urlencoded::Serializer;

use super::wire::Page;
use crate::http::{Base, Call, Http, Pace};
use crate::source::{SourceError, SourceErrorCode};

pub(super) const TITLE: &str = "Azure";

pub(super) const ADDRESS: &str = "https://prices.azure.com";

/// What errors call it.
pub(super) const WHAT: &str = "Azure prices";

const PATH: &str = "/api/retail/prices";

/// No limit is published; clients that asked faster were told to wait (dstackai/gpuhunt).
const PACE: Pace = Pace::per_minute("azure", 120);

/// A page has up to 1,000 rows, and no region has that many machines with cards by far.
const MOST_PAGES: usize = 50;

/// What the walk of a region brought.
#[derive(Default)]
pub(super) struct Walked {
    /// Each row as it was sent.
    pub rows: Vec<String>,
    /// Rows that stood on an earlier page already: the list moved while it was read, and as many may be missing.
    pub repeated: usize,
}

/// All rows of a region that speak of machines with cards, page by page.
pub(super) async fn region(http: &Http, base: &Base, region: &str) -> Result<Walked, SourceError> {
    let what = format!("{WHAT} of {region}");
    let mut query = first(region);
    let mut asked = BTreeSet::new();
    let (mut walked, mut earlier) = (Walked::default(), BTreeSet::new());
    for _ in 0..MOST_PAGES {
        if !asked.insert(query.clone()) {
            return Err(broken(&what, "a page names itself as the next one"));
        }
        let call = Call::get(&what, base.join(&format!("{PATH}?{query}"))?).expecting("JSON").pace(PACE);
        let answer = http.read(&call).await?;
        let text = answer.json_text();
        let page: Page<'_> = answer.parse(&text)?;
        let items = page.items.ok_or_else(|| answer.lacks("Items"))?;
        walked.repeated += items.iter().filter(|item| earlier.contains(item.get())).count();
        walked.rows.extend(items.iter().map(|item| item.get().to_owned()));
        let Some(next) = page.next_page_link.text() else { return Ok(walked) };
        earlier.extend(items.iter().map(|item| item.get().to_owned()));
        // Only where to go on is taken from the link: the list is read where it was begun.
        let next = Url::parse(&next).ok().and_then(|url| url.query().map(str::to_owned));
        query = next.ok_or_else(|| broken(&what, "the link to the next page is no address"))?;
    }
    Err(broken(&what, &format!("more than {MOST_PAGES} pages")))
}

/// The query of a region's first page. Every size with cards begins with `Standard_N`.
fn first(region: &str) -> String {
    let filter = format!(
        "serviceName eq 'Virtual Machines' and armRegionName eq '{region}' \
         and contains(armSkuName,'Standard_N') eq true \
         and contains(productName,'Windows') eq false and contains(meterName,'Low Priority') eq false"
    );
    Serializer::new(String::new()).append_pair("currencyCode", "USD").append_pair("$filter", &filter).finish()
}

fn broken(what: &str, detail: &str) -> SourceError {
    SourceError::new(SourceErrorCode::BadAnswer, what, detail)
        .hint("the offers at hand stay in use; refresh again later")
}
