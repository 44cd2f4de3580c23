//! Reading all offers back, at start and after a refresh.

use chrono::{DateTime, Utc};
use futures::future::join;
use gpudesk_core::feed::FeedName;
use gpudesk_core::offer::Offer;

use crate::feeds::StoredFeed;
use crate::page::{self, Page};
use crate::time::from_ms;
use crate::{FeedRow, Store, StoreError};

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
            while let Some(page) = next {
                let Some(last) = page.keys.last() else { break };
                // In this order: the next page is on its way from the database before this one is read.
                let following = page::next(&mut snapshot, key, &last.id);
                let handing = async { hand_over(&feed, &page, &mut loaded, &mut on_offer) };
                let (following, handed) = join(following, handing).await;
                handed?;
                next = following.map_err(fail())?;
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

fn hand_over(
    feed: &FeedRow,
    page: &Page,
    loaded: &mut Loaded,
    on_offer: &mut impl FnMut(&FeedRow, Offer, DateTime<Utc>),
) -> Result<(), StoreError> {
    for (key, body) in page.keys.iter().zip(page.bodies()) {
        match serde_json::from_str(body) {
            Ok(offer) => {
                on_offer(feed, offer, from_ms(key.priced_at, "offers", &key.id, "priced_at")?);
                loaded.offers += 1;
            }
            Err(error) => loaded.unreadable.push(Unreadable {
                feed: feed.name.clone(),
                id: key.id.clone(),
                detail: error.to_string(),
            }),
        }
    }
    Ok(())
}
