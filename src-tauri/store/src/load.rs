//! Reading all offers back, at start and after a refresh.

use std::collections::VecDeque;

use chrono::{DateTime, Utc};
use futures::future::join;
use gpudesk_core::feed::FeedName;
use gpudesk_core::offer::Offer;
use tokio::task::JoinError;

use crate::feeds::StoredFeed;
use crate::page::{self, Key, Page};
use crate::time::from_ms;
use crate::{FeedRow, Store, StoreError};

/// Pages that are read at the same time.
const AT_ONCE: usize = 2;

/// A stored offer that this version cannot read. It is left out, and rewritten by the feed's next answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// Its feed.
    pub feed: FeedName,
    /// Its id.
    pub id: String,
    /// What is wrong.
    pub detail: String,
}

/// What [`Store::load`] read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Loaded {
    /// Offers handed over.
    pub offers: u64,
    /// Offers left out.
    pub unreadable: Vec<Unreadable>,
}

impl Store {
    /// Hands over every stored offer with its feed and the moment since which it has its price, feed by feed in order
    /// of their names, and by id inside a feed: one consistent state, whatever is written meanwhile. Offers are read
    /// in small pages, never all at once.
    ///
    /// # Errors
    /// When the database cannot be read; [`StoreError::Damaged`] where a page of it is broken.
    pub async fn load(
        &self,
        mut on_offer: impl FnMut(&FeedRow, Offer, DateTime<Utc>),
    ) -> Result<Loaded, StoreError> {
        let fail = || self.during("load the offers");
        let mut snapshot = self.readers().begin().await.map_err(fail())?;
        let feeds = sqlx::query_as::<_, StoredFeed>("SELECT * FROM feeds WHERE offers > 0 ORDER BY name")
            .fetch_all(&mut *snapshot)
            .await
            .map_err(fail())?;
        let mut loaded = Loaded::default();
        for stored in feeds {
            let key = stored.id;
            let feed = FeedRow::try_from(stored)?;
            let mut next = page::next(&mut snapshot, key, "").await.map_err(fail())?;
            let mut reading = VecDeque::new();
            while let Some(page) = next {
                let Some(last) = page.keys.last().map(|key| key.id.clone()) else { break };
                reading.push_back(tokio::task::spawn_blocking(move || read(page)));
                // While the database gets the next page ready and this one is read, an earlier one is handed over.
                let following = page::next(&mut snapshot, key, &last);
                let handing = async {
                    let earlier = if reading.len() > AT_ONCE { reading.pop_front() } else { None };
                    match earlier {
                        Some(page) => hand_over(&feed, page.await, &mut loaded, &mut on_offer),
                        None => Ok(()),
                    }
                };
                let (following, handed) = join(following, handing).await;
                handed?;
                next = following.map_err(fail())?;
            }
            for page in reading {
                hand_over(&feed, page.await, &mut loaded, &mut on_offer)?;
            }
        }
        Ok(loaded)
    }

    /// A stored offer, also one that the board leaves out because a live list has its provider's offers; `None` where
    /// there is none of that id, or none that this version can read.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn offer(&self, id: &str) -> Result<Option<Offer>, StoreError> {
        let body: Option<String> = sqlx::query_scalar("SELECT body FROM offers WHERE id = ?1 LIMIT 1")
            .bind(id)
            .fetch_optional(self.readers())
            .await
            .map_err(self.during("read an offer"))?;
        Ok(body.and_then(|body| serde_json::from_str(&body).ok()))
    }
}

/// An offer as its row says it, or why it cannot be read.
type Read = (Key, Result<Offer, serde_json::Error>);

fn read(page: Page) -> Vec<Read> {
    let offers: Vec<_> = page.bodies().map(serde_json::from_str).collect();
    page.keys.into_iter().zip(offers).collect()
}

fn hand_over(
    feed: &FeedRow,
    page: Result<Vec<Read>, JoinError>,
    loaded: &mut Loaded,
    on_offer: &mut impl FnMut(&FeedRow, Offer, DateTime<Utc>),
) -> Result<(), StoreError> {
    for (key, offer) in page.map_err(StoreError::Task)? {
        match offer {
            Ok(offer) => {
                on_offer(feed, offer, from_ms(key.priced_at, "offers", &key.id, "priced_at")?);
                loaded.offers += 1;
            }
            Err(error) => loaded.unreadable.push(Unreadable {
                feed: feed.name.clone(),
                id: key.id,
                detail: error.to_string(),
            }),
        }
    }
    Ok(())
}
