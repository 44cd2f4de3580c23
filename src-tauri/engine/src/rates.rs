//! Exchange rates as a source like any other: two feeds, one a bank.

use std::time::Instant;

use gpudesk_core::feed::{FeedName, Fetched};
use gpudesk_core::money::{RateHistory, RateSheet};
use gpudesk_core::spend::Period;
use gpudesk_providers::rates::{cbr_base, ecb_base, fetch_cbr, fetch_ecb};
use gpudesk_providers::{SourceConfig, SourceError};

use crate::DeskError;
use crate::desk::Desk;
use crate::refresh::Trust;
use crate::report::FeedReport;

/// The name of the source.
pub(crate) const RATES: &str = "rates";

impl Desk {
    /// The rates of a period's days, and of now.
    ///
    /// # Errors
    /// When the database or a sheet cannot be read.
    pub(crate) async fn rate_history(&self, period: Period) -> Result<RateHistory, DeskError> {
        let (first, last) = (period.from.date_naive(), period.to.date_naive());
        let mut history = self.store().rate_history(first, last).await?;
        let newest = self.store().rates().await?;
        [newest.ecb, newest.cbr].into_iter().flatten().for_each(|sheet| history.put(sheet));
        Ok(history)
    }

    /// Asks both banks; a bank that fails keeps its last sheet.
    pub(crate) async fn refresh_rates(&self, config: &SourceConfig, trust: Trust) -> Vec<FeedReport> {
        let http = match self.http().await {
            Ok(http) => http,
            Err(error) => return vec![self.failed(FeedName("rates/ecb".to_owned()), 0.0, error).await],
        };
        let known = match self.store().rates().await {
            Ok(rates) => rates,
            Err(error) => {
                return vec![self.failed(FeedName("rates/ecb".to_owned()), 0.0, error.into()).await];
            }
        };
        let began = Instant::now();
        let now = self.now();
        let (ecb_base, cbr_base) = (ecb_base(config), cbr_base(config));
        let (ecb, cbr) = tokio::join!(
            fetch_ecb(&http, &ecb_base, now, known.ecb.as_ref()),
            fetch_cbr(&http, &cbr_base, now, known.cbr.as_ref()),
        );
        let seconds = began.elapsed().as_secs_f64();
        vec![
            self.keep_sheet("rates/ecb", "European Central Bank", ecb, seconds, trust).await,
            self.keep_sheet("rates/cbr", "Bank of Russia", cbr, seconds, trust).await,
        ]
    }

    async fn keep_sheet(
        &self,
        feed: &str,
        origin: &str,
        sheet: Result<RateSheet, SourceError>,
        seconds: f64,
        trust: Trust,
    ) -> FeedReport {
        let feed = FeedName(feed.to_owned());
        let sheet = match sheet {
            Ok(sheet) => sheet,
            Err(error) => return self.failed(feed, seconds, error.into()).await,
        };
        if let Err(error) = self.store().put_rates(&sheet).await {
            return self.failed(feed, seconds, error.into()).await;
        }
        // A sheet has no offers, but its health is kept like any feed's: a currency is a row.
        let currencies = sheet.per_unit.len() as u64;
        let fetched = Fetched {
            feed,
            origin: format!("{origin}, rates of {}", sheet.date),
            as_of: sheet.fetched_at,
            offers: Vec::new(),
            quarantined: Vec::new(),
            rows_read: currencies,
            rows_used: currencies,
            rows_not_gpu: 0,
            notes: Vec::new(),
        };
        self.keep(&fetched, None, sheet.fetched_at, seconds, trust).await
    }
}
