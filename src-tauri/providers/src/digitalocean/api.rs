//! The calls of one account, and what their errors mean.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use gpudesk_core::offer::Offer;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::wire::{Links, Meta};
use crate::cloud::{Account, CloudError, CloudErrorCode};
use crate::http::{Answer, Failure, Literal, Pace};
use crate::source::{SourceError, SourceErrorCode};

/// 5,000 calls an hour and 250 a minute, by token (<https://docs.digitalocean.com/reference/api/>): 80 a minute keep
/// to both.
pub(super) const PACE: Pace = Pace::per_minute("digitalocean", 80);
/// The list of SSH keys alone: ten a minute (same page).
pub(super) const KEYS: Pace = Pace::one_each("digitalocean keys", Duration::from_secs(6));

/// The address of the API; the paths have its version.
pub(super) const ADDRESS: &str = "https://api.digitalocean.com";

/// The most rows of a page.
const PAGE: u64 = 200;

/// The most pages that are read: a list that never ends is broken.
const MOST_PAGES: u64 = 50;

/// The rows of all pages of a list, each as it stands on the wire.
pub(super) struct Rows {
    pub rows: Vec<Box<RawValue>>,
    /// How many of them an earlier page did not have already: a page that comes again is not the one that is missing.
    pub counted: u64,
    /// How many there are by the service's own count.
    pub total: Option<u64>,
    /// Whether the list came to its end.
    pub ended: bool,
    /// The first page as it came, for what stands beside the list.
    pub first: String,
}

impl Rows {
    /// Whether so many different rows are all of them. Without the service's count nothing is proved.
    pub fn are_all(&self, different: usize) -> bool {
        self.total == u64::try_from(different).ok()
    }
}

/// Reads every page of the list at `path`, whose rows stand under `key`.
pub(super) async fn rows(
    account: &Account,
    doing: &str,
    (path, key): (&str, &str),
    pace: Pace,
) -> Result<Rows, Failure> {
    let mut all = Rows { rows: Vec::new(), counted: 0, total: None, ended: false, first: String::new() };
    let mut seen: HashSet<String> = HashSet::new();
    let mark = if path.contains('?') { '&' } else { '?' };
    for page in 1..=MOST_PAGES {
        let answer = account.get(doing, &format!("{path}{mark}per_page={PAGE}&page={page}"), pace).await?;
        let text = answer.json_text();
        let bad = |error: SourceError| Failure { status: Some(200), ..Failure::unsent(error) };
        let fields: BTreeMap<String, &RawValue> = answer.parse(&text).map_err(bad)?;
        let Some(list) = fields.get(key) else {
            return Err(bad(answer.bad(format!("JSON without `{key}`"))));
        };
        let list: Vec<&RawValue> = answer.parse(list.get()).map_err(bad)?;
        let links: Links<'_> = part(&fields, "links");
        let meta: Meta<'_> = part(&fields, "meta");
        let empty = list.is_empty();
        let new = list.iter().filter(|row| !seen.contains(row.get())).count() as u64;
        all.counted += new;
        seen.extend(list.iter().map(|row| row.get().to_owned()));
        all.rows.extend(list.into_iter().map(ToOwned::to_owned));
        all.total = meta.total.whole().or(all.total);
        if page == 1 {
            all.first.clone_from(&text);
        }
        let last = empty || links.pages.and_then(|pages| pages.next.text()).is_none();
        if last || new == 0 {
            // Where a page comes again instead of the next, only the count can say that nothing is missing.
            all.ended = last || all.total.is_some();
            return Ok(all);
        }
    }
    all.total = None;
    Ok(all)
}

fn part<'a, T: Deserialize<'a> + Default>(fields: &BTreeMap<String, &'a RawValue>, key: &str) -> T {
    fields.get(key).and_then(|value| serde_json::from_str(value.get()).ok()).unwrap_or_default()
}

/// Every size, as offers.
pub(super) async fn sizes(account: &Account, doing: &str) -> Result<Vec<Box<RawValue>>, Failure> {
    let all = rows(account, doing, ("/v2/sizes", "sizes"), PACE).await?;
    let slugs = all.rows.iter().filter_map(|row| {
        let size: super::wire::Size<'_> = serde_json::from_str(row.get()).ok()?;
        size.slug.text().map(std::borrow::Cow::into_owned)
    });
    let different: std::collections::BTreeSet<String> = slugs.collect();
    let total = all.total.unwrap_or(0);
    if (different.len() as u64) < total {
        let words = format!("the pages hold {} of {total} sizes", different.len());
        let error = SourceError::new(SourceErrorCode::BadAnswer, account.what(doing), words)
            .hint("the offers at hand stay in use; refresh again later");
        return Err(Failure { status: Some(200), ..Failure::unsent(error) });
    }
    let mut seen = std::collections::BTreeSet::new();
    Ok(all.rows.into_iter().filter(|row| seen.insert(row.get().to_owned())).collect())
}

/// The offer of a size in a region, where the size is still listed.
pub(super) fn find(rows: &[Box<RawValue>], wanted: &Offer) -> Option<Offer> {
    let offers = rows.iter().flat_map(|row| super::map::offers_of(row.get()));
    offers.into_iter().find(|offer| offer.id == wanted.id)
}

/// Reads one object.
pub(super) async fn get(account: &Account, doing: &str, path: &str) -> Result<Answer, CloudError> {
    account.get(doing, path, PACE).await.map_err(refused)
}

/// The error of a failed call: the status, and for 422 the words, for which there is no code.
pub(super) fn refused(failure: Failure) -> CloudError {
    use CloudErrorCode::{
        AccountNotReady, Conflict, Forbidden, NoCapacity, NoFunds, Quota, Refused, SshKeyRefused,
    };
    let told: Value = serde_json::from_slice(&failure.body).unwrap_or_default();
    let words = told["message"].as_str().unwrap_or_default().to_ascii_lowercase();
    let status = failure.status;
    let mut error = CloudError::from(failure);
    let says = |any: &[&str]| any.iter().any(|part| words.contains(part));
    // A scope may be named after what it opens: `billing:read`.
    let right = says(&["permission", "not authorized", "scope"]);
    error.code = match status {
        Some(412 | 423) => Conflict,
        Some(403) if right => Forbidden,
        Some(400 | 403 | 409 | 422 | 503)
            if says(&["payment", "billing", "past due", "insufficient fund"]) =>
        {
            NoFunds
        }
        Some(400 | 422) if says(&["droplet limit", "exceed", "limit reached", "quota"]) => Quota,
        Some(400 | 403 | 422)
            if says(&["not enabled", "not available for your account", "request access", "verif"]) =>
        {
            AccountNotReady
        }
        Some(400 | 422 | 503)
            if says(&[
                "not available in",
                "unavailable",
                "capacity",
                "sold out",
                "not currently available",
            ]) =>
        {
            NoCapacity
        }
        Some(400 | 422) if says(&["ssh key", "ssh_key", "public key", "fingerprint"]) => SshKeyRefused,
        Some(422) if says(&["pending event", "in progress", "locked"]) => Conflict,
        Some(422) => Refused,
        _ => error.code,
    };
    let hint = match error.code {
        Forbidden => "give the token the scopes droplet, sizes, regions, ssh_key, tag, image and billing",
        NoCapacity => "choose another region of the same size, or try again later",
        Quota => "ask DigitalOcean for a higher Droplet or GPU limit, or end a machine",
        NoFunds => "put the payment in order on the billing page of DigitalOcean",
        AccountNotReady => "ask DigitalOcean to open GPU Droplets for this account",
        SshKeyRefused => "check the public key under Settings, Security of DigitalOcean",
        Conflict => "wait until the action in progress is done",
        _ => return error,
    };
    error.hint = Some(hint.to_owned());
    error
}

/// A whole number as an id stands in answers.
pub(super) fn number(id: Literal<'_>) -> Option<u64> {
    id.whole().filter(|id| *id > 0)
}
