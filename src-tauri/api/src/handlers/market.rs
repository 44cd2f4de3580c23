//! The table, the market by card, and one offer in full.

use std::sync::Arc;
use std::time::Instant;

use chrono::{DateTime, Utc};
use gpudesk_core::board::{Kept, Sort, UnknownSort, View};
use gpudesk_core::gpu;
use gpudesk_core::job::Job;
use gpudesk_core::money::Currency;
use gpudesk_core::offer::Offer;
use gpudesk_core::place;
use gpudesk_core::policy::Policy;
use gpudesk_core::query::{Number, Query, Term};
use gpudesk_engine::{Desk, Snapshot};
use rust_decimal::Decimal;

use super::rows::{self, Shown};
use super::{policies, query, settings};
use crate::convert;
use crate::desk::ApiError;
use crate::market::{
    Facet, FacetValue, MarketPage, MarketPageRequest, MarketView, OfferDetails, OfferDetailsRequest,
    OfferList, OfferListRequest, OfferTable, PartsShown, PricePoint,
};
use crate::offer::{FxDto, OfferDto};
use crate::policy::PolicyKept;

/// Rows of one window.
const MOST_ROWS: u32 = 500;

/// Everything a view is answered from.
pub(super) struct Asked {
    pub snapshot: Arc<Snapshot>,
    pub query: Query,
    sort: Sort,
    descending: bool,
    job: Option<Job>,
    pub currency: Currency,
    include_unknown: bool,
    include_quarantine: bool,
    policies: Vec<Policy>,
    pub now: DateTime<Utc>,
}

impl Asked {
    pub fn view(&self) -> View<'_> {
        View {
            query: &self.query,
            sort: self.sort,
            descending: self.descending,
            job: self.job.as_ref(),
            currency: self.currency,
            include_unknown: self.include_unknown,
            include_quarantine: self.include_quarantine,
            policies: &self.policies,
            now: self.now,
        }
    }

    pub fn shown(&self) -> Shown<'_> {
        Shown { snapshot: &self.snapshot, now: self.now, currency: self.currency, job: self.job }
    }

    /// What each policy would keep and hide.
    pub fn kept(&self, kept: &[Kept]) -> Vec<PolicyKept> {
        policies::kept(kept, &self.policies)
    }

    fn fx(&self) -> Option<FxDto> {
        rows::fx(self.snapshot.board.rates(), self.currency)
    }
}

pub(super) async fn ask(desk: &Desk, view: &MarketView) -> Result<Asked, ApiError> {
    let sort = view.sort.parse().map_err(|error: UnknownSort| {
        ApiError::new("request-invalid", format!("sort key `{}`", view.sort), error.to_string())
    })?;
    ask_sorted(desk, view, sort).await
}

pub(super) async fn ask_sorted(desk: &Desk, view: &MarketView, sort: Sort) -> Result<Asked, ApiError> {
    let job = view.job.as_ref().map(convert::job).transpose()?;
    if sort == Sort::Total && job.is_none() {
        return Err(ApiError::new("request-invalid", "sort key `total`", "there is no job to total")
            .with_hint("Give one, such as `--job 48h,500GB,200GB`."));
    }
    let snapshot = desk.snapshot().await?;
    let policies = desk.policies().await?;
    let query = query::read(&view.line, &snapshot, &policies)?;
    let totals = |term: &Term| matches!(term, Term::Number { column: Number::Total, .. });
    if job.is_none() && query.terms().iter().any(totals) {
        return Err(ApiError::new("request-invalid", "`total` in the query", "there is no job to total")
            .with_hint("Set a job first: hours, disk and traffic out, such as `48h,500GB,200GB`."));
    }
    Ok(Asked {
        query,
        sort,
        descending: view.descending,
        job,
        currency: settings::shown_currency(&view.currency, snapshot.board.rates())?,
        include_unknown: view.include_unknown,
        include_quarantine: view.include_quarantine,
        policies,
        now: desk.now(),
        snapshot,
    })
}

pub(super) fn millis(began: Instant) -> f64 {
    (began.elapsed().as_secs_f64() * 100_000.0).round() / 100.0
}

/// A window of the table, with facets where asked.
///
/// # Errors
/// `query-invalid` for a line that does not parse, `request-invalid` for a sort key or job that makes no sense.
pub async fn market_page(desk: &Desk, request: MarketPageRequest) -> Result<MarketPage, ApiError> {
    let asked = ask(desk, &request.view).await?;
    let began = Instant::now();
    let board = &asked.snapshot.board;
    let limit = request.limit.min(MOST_ROWS) as usize;
    let page = board.page(&asked.view(), request.offset as usize, limit, request.facets);
    let took_ms = millis(began);
    let shown = asked.shown();
    Ok(MarketPage {
        board: asked.snapshot.number,
        as_of: rows::time(asked.now),
        currency: asked.currency.to_string(),
        fx: asked.fx(),
        total: page.total,
        all: page.all,
        clouds: page.clouds,
        quarantined: board.quarantined(),
        took_ms,
        rows: page.rows.iter().filter_map(|row| shown.row(*row)).collect(),
        policies: asked.kept(&page.policies),
        facets: page.facets.into_iter().map(facet).collect(),
        max_vram_total_gib: page.max_vram_total,
        max_bandwidth_gb_s: page.max_bandwidth,
    })
}

pub(super) fn facet(facet: gpudesk_core::board::Facet) -> Facet {
    let key = facet.key.to_owned();
    let values = facet
        .values
        .into_iter()
        .map(|value| FacetValue {
            title: match facet.key {
                "cloud" | "provider" => rows::provider_title(&value.value),
                _ => value.value.clone(),
            },
            value: value.value,
            count: value.count,
            chosen: value.chosen,
        })
        .collect();
    Facet { key, values }
}

/// The list of `gpudesk offers`.
///
/// # Errors
/// As [`market_page`].
pub async fn offers_list(desk: &Desk, request: OfferListRequest) -> Result<OfferList, ApiError> {
    let asked = ask(desk, &request.view).await?;
    let began = Instant::now();
    let limit = request.limit.map_or(usize::MAX, |limit| limit as usize);
    let page = asked.snapshot.board.page(&asked.view(), 0, limit, false);
    let took_ms = millis(began);
    let shown = asked.shown();
    Ok(OfferList {
        as_of: rows::time(asked.now),
        currency: asked.currency.to_string(),
        fx: asked.fx(),
        total: page.total,
        took_ms,
        offers: page.rows.iter().filter_map(|row| shown.offer(*row)).map(|(_, offer)| offer).collect(),
    })
}

/// The list of `gpudesk offers` as people read it.
///
/// # Errors
/// As [`market_page`].
pub async fn offers_table(desk: &Desk, request: OfferListRequest) -> Result<OfferTable, ApiError> {
    let asked = ask(desk, &request.view).await?;
    let began = Instant::now();
    let limit = request.limit.map_or(usize::MAX, |limit| limit as usize);
    let page = asked.snapshot.board.page(&asked.view(), 0, limit, false);
    let took_ms = millis(began);
    let shown = asked.shown();
    Ok(OfferTable {
        currency: asked.currency.to_string(),
        fx: asked.fx(),
        total: page.total,
        took_ms,
        rows: page.rows.iter().filter_map(|row| shown.row(*row)).collect(),
    })
}

/// One offer in full, with its price history.
///
/// # Errors
/// `not-found` when it is not on the board.
pub async fn offer_details(desk: &Desk, request: OfferDetailsRequest) -> Result<OfferDetails, ApiError> {
    let snapshot = desk.snapshot().await?;
    let found = snapshot.board.find(&request.id).ok_or_else(|| ApiError::offer_not_found(&request.id))?;
    let currency = settings::shown_currency(&request.currency, snapshot.board.rates())?;
    let job = request.job.as_ref().map(convert::job).transpose()?;
    let shown = Shown { snapshot: &snapshot, now: desk.now(), currency, job };
    let row = shown.row(found).ok_or_else(|| ApiError::offer_not_found(&request.id))?;
    let offer = snapshot.board.offer(found).ok_or_else(|| ApiError::offer_not_found(&request.id))?;
    let feed = snapshot.board.feed_of(found);
    let (feed, origin) = feed.map(|feed| (feed.name.0.clone(), feed.origin.clone())).unwrap_or_default();
    let card = row.offer.gpu.model.as_deref().and_then(gpu::card);
    let fact = |fact: fn(&'static gpu::Model) -> &'static str| card?.shared(|model| Some(fact(model)));
    let region = row.offer.place.region.as_deref().unwrap_or_default();
    let history = desk
        .history(&request.id)
        .await?
        .into_iter()
        .filter(|point| point.feed.0 == feed)
        .filter_map(|point| {
            let (per_hour, currency) = point.point.price?;
            Some(PricePoint {
                at: rows::time(point.point.at),
                per_hour: rows::text(per_hour),
                currency: currency.to_string(),
            })
        })
        .collect();
    let total = row.offer.total.as_ref().and_then(Option::as_ref);
    let part = |usd: &Option<String>| {
        let usd: Decimal = usd.as_ref()?.parse().ok()?;
        snapshot
            .board
            .rates()
            .convert(usd, Currency::USD, currency)
            .map(|amount| amount.round_dp(2).to_string())
    };
    Ok(OfferDetails {
        origin,
        city: place::locate(&row.offer.provider, region).city.map(str::to_owned),
        memory_type: fact(|model| model.memory_type).map(str::to_owned),
        architecture: fact(|model| model.architecture).map(str::to_owned),
        tdp_w: card.and_then(|card| card.shared(|model| model.tdp_w)),
        history,
        quarantine: if snapshot.board.is_quarantined(found) {
            desk.quarantine_reason(&request.id).await?.map(|reason| reason.detail)
        } else {
            None
        },
        command: format!("gpudesk price '{}'", request.id),
        policies: policies::verdicts(&desk.policies().await?, &offer),
        parts: total.map(|total| PartsShown {
            compute: part(&total.parts.compute),
            storage: part(&total.parts.storage),
            egress: part(&total.parts.egress),
        }),
        row,
    })
}

/// An offer of the board, as the engine and as the api know it.
///
/// # Errors
/// `not-found` when it is not on the board.
pub(super) async fn offer_of(desk: &Desk, id: &str) -> Result<(Offer, OfferDto), ApiError> {
    let snapshot = desk.snapshot().await?;
    let row = snapshot.board.find(id).ok_or_else(|| ApiError::offer_not_found(id))?;
    let shown = Shown { snapshot: &snapshot, now: desk.now(), currency: Currency::USD, job: None };
    shown.offer(row).ok_or_else(|| ApiError::offer_not_found(id))
}

/// The offer to rent: the one of this id, or the live one that a row of a price list stands for. Where there is none
/// live, the row itself.
///
/// # Errors
/// `not-found` when it is not on the board and nothing live is like it.
pub(super) async fn offer_to_rent(desk: &Desk, id: &str) -> Result<(Offer, OfferDto), ApiError> {
    let live = desk.live_offer(id).await?;
    offer_of(desk, live.as_deref().unwrap_or(id)).await
}
