//! Asking all places, a few at a time, and what to do where one does not answer.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, OnceLock, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};
use futures::stream::{self, StreamExt};
use gpudesk_core::quarantine::Row;

use super::api::{self, Site, WHAT, data};
use super::map::{self, Cards};
use super::wire::{Directory, PlaceAnswer};
use crate::http::{Base, Each, Http, Literal, redact};
use crate::source::{SourceError, SourceErrorCode};

/// Places asked at the same time.
const AT_ONCE: usize = 4;

/// The rows of a place that does not answer are kept from its last answer, up to this age.
const KEEP: TimeDelta = TimeDelta::hours(2);

/// With more than one silent place in so many, the sweep is torn and counts as failed.
const TOLERATED: usize = 4;

/// The last answer of each place.
#[derive(Default)]
pub(super) struct Memory(Mutex<BTreeMap<Site, Kept>>);

#[derive(Clone)]
struct Kept {
    at: DateTime<Utc>,
    rows: Vec<Row>,
}

impl Memory {
    fn keep(&self, site: &Site, at: DateTime<Utc>, rows: &[Row]) {
        let kept = Kept { at, rows: rows.to_vec() };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(site.clone(), kept);
    }

    fn recall(&self, site: &Site, now: DateTime<Utc>) -> Option<Kept> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(site).filter(|kept| now - kept.at <= KEEP).cloned()
    }
}

/// One place's answer.
struct PlaceRows {
    site: Site,
    result: Result<Heard, SourceError>,
}

/// What a place said, and what the service complained of beside it.
struct Heard {
    rows: Vec<Row>,
    complaints: Vec<String>,
}

/// What a sweep brought.
pub(super) struct Swept {
    pub rows: Vec<Row>,
    pub notes: Vec<String>,
}

/// Which clouds are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Clouds {
    /// Both of them.
    All,
    /// Other people's machines only.
    Community,
}

/// Reads the list of cards and places, then every place of the clouds asked for.
pub(super) async fn market(
    http: &Http,
    base: &Base,
    memory: &Memory,
    clouds: Clouds,
) -> Result<Swept, SourceError> {
    let answer = api::directory(http, base).await?;
    let text = answer.json_text();
    let (directory, mut notes): (Directory<'_>, Vec<String>) = data(&answer, &text)?;
    let Some(types) = directory.gpu_types.as_ref().filter(|types| !types.is_empty()) else {
        return Err(match notes.is_empty() {
            true => answer.bad("JSON without the list of `gpuTypes`"),
            false => SourceError::new(SourceErrorCode::ProviderRefused, WHAT, notes.join("; ")),
        });
    };
    let Cards { by_id, mut rows, retired } = map::cards(types);
    // Half of the places is no market: what is at hand of the other half would count as sold.
    let without_places = directory.data_centers.is_none();
    let without_countries =
        directory.country_codes.is_none() && by_id.values().any(map::Listed::is_community);
    if without_places || without_countries {
        let list = if without_places { "dataCenters" } else { "countryCodes" };
        let detail = std::iter::once(format!("JSON without the list of `{list}`")).chain(notes);
        return Err(answer.bad(detail.collect::<Vec<_>>().join("; ")));
    }
    if !retired.is_empty() {
        notes.push(format!("cards that neither cloud offers any more: {}", retired.join(", ")));
    }
    let mut sites = sites(&directory, by_id.values().any(map::Listed::is_community));
    if sites.is_empty() {
        return Err(answer.bad("JSON without a single data centre or country"));
    }
    if clouds == Clouds::Community {
        sites.retain(|site| matches!(site, Site::Community(_)));
    }
    let hopeless = OnceLock::new();
    let answers: Vec<PlaceRows> = stream::iter(sites)
        .map(|site| one(http, base, site, &by_id, &hopeless))
        .buffered(AT_ONCE)
        .collect()
        .await;
    gather(answers, memory, http.now(), &mut rows, &mut notes)?;
    Ok(Swept { rows, notes })
}

fn sites(directory: &Directory<'_>, community: bool) -> BTreeSet<Site> {
    let centers = directory.data_centers.iter().flat_map(Each::good);
    let codes = directory.country_codes.as_deref().unwrap_or_default();
    let secure = centers.filter_map(|center| plain(center.id)).map(Site::Secure);
    let others = codes.iter().filter(|_| community).filter_map(|code| plain(*code)).map(Site::Community);
    secure.chain(others).collect()
}

/// A name that is what it looks like: it goes into ids as it is.
fn plain(name: Literal<'_>) -> Option<String> {
    name.text().filter(|name| redact::words(name) == *name).map(|name| name.into_owned())
}

/// Asks one place, unless another one was told that asking on is of no use: the quota is used up, or the service is
/// gone.
async fn one(
    http: &Http,
    base: &Base,
    site: Site,
    cards: &BTreeMap<String, map::Listed>,
    hopeless: &OnceLock<SourceError>,
) -> PlaceRows {
    if let Some(error) = hopeless.get() {
        return PlaceRows { site, result: Err(error.clone()) };
    }
    let result = hear(http, base, &site, cards).await;
    if let Err(error) = &result
        && matches!(error.code, SourceErrorCode::RateLimited | SourceErrorCode::Gone)
    {
        let _ = hopeless.set(error.clone());
    }
    PlaceRows { site, result }
}

async fn hear(
    http: &Http,
    base: &Base,
    site: &Site,
    cards: &BTreeMap<String, map::Listed>,
) -> Result<Heard, SourceError> {
    let answer = api::place(http, base, site).await?;
    let text = answer.json_text();
    let (here, complaints): (PlaceAnswer<'_>, Vec<String>) = data(&answer, &text)?;
    match here.gpu_types {
        Some(here) => Ok(Heard { rows: map::place(site, cards, &here), complaints }),
        None if complaints.is_empty() => Err(answer.bad("JSON without the list of `gpuTypes`")),
        None => Err(SourceError::new(SourceErrorCode::ProviderRefused, WHAT, complaints.join("; "))),
    }
}

/// Puts the places together. A place that failed is filled from its last answer; where too many have none, the whole
/// sweep has failed, with the first reason.
fn gather(
    answers: Vec<PlaceRows>,
    memory: &Memory,
    now: DateTime<Utc>,
    rows: &mut Vec<Row>,
    notes: &mut Vec<String>,
) -> Result<(), SourceError> {
    let places = answers.len();
    let mut missing = 0;
    let mut first_error = None;
    for PlaceRows { site, result } in answers {
        let named = format!("{} {}", site.cloud(), site.place());
        match result {
            Ok(Heard { rows: fresh, complaints }) => {
                memory.keep(&site, now, &fresh);
                rows.extend(fresh);
                notes.extend(complaints.iter().map(|complaint| format!("{named}: {complaint}")));
            }
            Err(error) => {
                match memory.recall(&site, now) {
                    Some(Kept { at, rows: kept }) => {
                        let at = at.format("%H:%M");
                        notes.push(format!(
                            "{named} did not answer ({}); its rows are of {at} UTC",
                            error.detail
                        ));
                        rows.extend(kept);
                    }
                    None => {
                        missing += 1;
                        notes.push(format!("{named} did not answer ({}); it is left out", error.detail));
                    }
                }
                first_error.get_or_insert(error);
            }
        }
    }
    match first_error {
        Some(error) if missing * TOLERATED > places => Err(error),
        _ => Ok(()),
    }
}
