//! The calls of one account, zone by zone, and what their errors mean.

use std::collections::BTreeMap;

use gpudesk_core::rental::KeyField;
use serde_json::Value;
use serde_json::value::RawValue;

use super::wire::{Stock, Types};
use crate::cloud::{Access, Account, CloudError, CloudErrorCode, Effect, KeyParts};
use crate::http::{Answer, Base, Failure, Http, KeyIn, Pace, Secret};
use crate::source::{SourceError, SourceErrorCode};

pub(super) const TITLE: &str = "Scaleway";

/// The address of the API; the paths have the service and its version.
pub(super) const ADDRESS: &str = "https://api.scaleway.com";

/// No limit is published; this is a courtesy.
pub(super) const PACE: Pace = Pace::per_minute("scaleway", 300);

/// Zones with Instances (<https://www.scaleway.com/en/developers/api/instances/>, and `it-mil-1` in recorded answers).
pub(super) const ZONES: [&str; 10] = [
    "fr-par-1", "fr-par-2", "fr-par-3", "nl-ams-1", "nl-ams-2", "nl-ams-3", "pl-waw-1", "pl-waw-2",
    "pl-waw-3", "it-mil-1",
];

/// The parts of a key. The access key is only an id and needed nowhere.
pub(super) const FIELDS: &[KeyField] = &[
    KeyField { name: "secret_key", title: "Secret key", secret: true, required: true, example: "a UUID" },
    KeyField { name: "project_id", title: "Project ID", secret: false, required: true, example: "a UUID" },
];

/// The most rows of a page.
const PAGE: usize = 100;

/// The most pages that are read: a list that never ends is broken.
pub(super) const MOST_PAGES: usize = 50;

/// The account of a key in its parts, at an address, unchecked.
pub(super) fn account(http: Http, base: Base, secret: Secret) -> Account {
    Account::at(TITLE, http, base, secret).key_in(KeyIn::Header("x-auth-token"))
}

/// The parts of a key that stands alone.
pub(super) fn parts(http: &Http, key: &Secret) -> Result<KeyParts, CloudError> {
    KeyParts::of(&Access { http: http.clone(), key: key.clone(), addresses: BTreeMap::new() }, TITLE, FIELDS)
}

/// A path of the Instance API.
pub(super) fn at(zone: &str, path: &str) -> String {
    format!("/instance/v1/zones/{zone}{path}")
}

pub(super) async fn get(account: &Account, doing: &str, path: &str) -> Result<Answer, CloudError> {
    account.get(doing, path, PACE).await.map_err(refused)
}

/// The types of a zone by name, all pages.
pub(super) async fn types(
    account: &Account,
    doing: &str,
    zone: &str,
) -> Result<BTreeMap<String, Box<RawValue>>, Failure> {
    let mut all = BTreeMap::new();
    let (mut total, mut rows) = (None, 0);
    for page in 1..=MOST_PAGES {
        let path = at(zone, &format!("/products/servers?per_page={PAGE}&page={page}"));
        let answer = match account.get(doing, &path, PACE).await {
            // A zone that is no longer offers nothing.
            Err(failure) if failure.status == Some(404) => return Ok(BTreeMap::new()),
            answer => answer?,
        };
        let text = answer.json_text();
        let told: Types<'_> = answer.parse(&text).map_err(bad)?;
        let here = told.servers.len();
        rows += here;
        total = answer.total.or(total);
        all.extend(told.servers.into_iter().map(|(name, json)| (name, json.to_owned())));
        if here < PAGE || total.is_some_and(|total| rows as u64 >= total) {
            break;
        }
    }
    match total {
        Some(total) if (all.len() as u64) < total => {
            let words = format!("the pages of {zone} hold {} of {total} types", all.len());
            Err(bad(SourceError::new(SourceErrorCode::BadAnswer, account.what(doing), words)
                .hint("the offers at hand stay in use; refresh again later")))
        }
        _ => Ok(all),
    }
}

fn bad(error: SourceError) -> Failure {
    Failure { status: Some(200), ..Failure::unsent(error) }
}

/// What is in stock in a zone, by type; nothing where it cannot be read.
pub(super) async fn stock(account: &Account, doing: &str, zone: &str) -> BTreeMap<String, String> {
    let path = at(zone, &format!("/products/servers/availability?per_page={PAGE}&page=1"));
    let Ok(answer) = account.get(doing, &path, PACE).await else { return BTreeMap::new() };
    let text = answer.json_text();
    let Ok(told) = answer.parse::<Types<'_>>(&text) else { return BTreeMap::new() };
    told.servers
        .into_iter()
        .filter_map(|(name, json)| {
            let stock: Stock<'_> = serde_json::from_str(json.get()).ok()?;
            Some((name, stock.availability.text()?.into_owned()))
        })
        .collect()
}

/// The rows of all pages of a list of the Instance API, and how many there are by its own count. Its links are
/// relative without the prefix of the API, so pages are counted.
pub(super) async fn rows(
    account: &Account,
    doing: &str,
    (path, key): (&str, &str),
) -> Result<(Vec<Box<RawValue>>, Option<u64>), CloudError> {
    let mut all: Vec<Box<RawValue>> = Vec::new();
    let mark = if path.contains('?') { '&' } else { '?' };
    for page in 1..=MOST_PAGES {
        let answer = match get(account, doing, &format!("{path}{mark}per_page={PAGE}&page={page}")).await {
            // A zone that is no longer has nothing.
            Err(error) if error.code == CloudErrorCode::NoSuchMachine => return Ok((all, Some(0))),
            answer => answer?,
        };
        let text = answer.json_text();
        let fields: BTreeMap<String, &RawValue> = answer.parse(&text)?;
        let Some(list) = fields.get(key) else {
            return Err(answer.bad(format!("JSON without `{key}`")).into());
        };
        let list: Vec<&RawValue> = answer.parse(list.get())?;
        let here = list.len();
        all.extend(list.into_iter().map(ToOwned::to_owned));
        let total = answer.total;
        if here == 0 || total.map_or(here < PAGE, |total| all.len() as u64 >= total) {
            return Ok((all, total));
        }
    }
    Ok((all, None))
}

/// The error of a failed call: its `type` decides, then the words.
pub(super) fn refused(failure: Failure) -> CloudError {
    use CloudErrorCode::{
        AccountNotReady, BadKey, Conflict, Forbidden, Http, NoCapacity, NoFunds, NoSuchMachine, Quota,
        Refused,
    };
    let told: Value = serde_json::from_slice(&failure.body).unwrap_or_default();
    let kind = told["type"].as_str().unwrap_or_default();
    let words = told["message"].as_str().unwrap_or_default().to_ascii_lowercase();
    let fields = told["fields"].to_string().to_ascii_lowercase();
    let says = |any: &[&str]| any.iter().any(|part| words.contains(part) || fields.contains(part));
    let mut error = CloudError::from(failure);
    error.code = match kind {
        "denied_authentication" => BadKey,
        "permissions_denied" => Forbidden,
        "out_of_stock" => NoCapacity,
        "quotas_exceeded" => Quota,
        "transient_state" => Conflict,
        "locked" => AccountNotReady,
        "not_found" | "unknown_resource" => NoSuchMachine,
        "resource_expired" => CloudErrorCode::OfferGone,
        "precondition_failed" if says(&["billing", "payment", "fund"]) => NoFunds,
        "precondition_failed" => Conflict,
        "invalid_arguments" | "invalid_request_error" if says(&["quota exceeded", "quota"]) => Quota,
        "invalid_arguments" | "invalid_request_error" if says(&["out of stock", "capacity", "shortage"]) => {
            NoCapacity
        }
        "invalid_arguments" | "invalid_request_error" => Refused,
        _ if matches!(error.code, Http(_))
            && says(&["out of stock", "no capacity", "not enough capacity"]) =>
        {
            NoCapacity
        }
        _ => error.code,
    };
    let hint = match error.code {
        BadKey => "check the secret key of the account (the access key is not enough)",
        Forbidden => {
            "give the key the permission sets InstancesFullAccess and BlockStorageFullAccess in its project"
        }
        NoCapacity => "choose another zone of the same type, or try again later",
        Quota => "ask Scaleway for a higher quota; for GPU Instances it is 0 until an account is verified",
        NoFunds => "put the payment in order on the billing page of Scaleway",
        AccountNotReady => "ask the support of Scaleway why it is locked",
        Conflict => "wait until the action in progress is done",
        _ => "",
    };
    if !hint.is_empty() {
        error.hint = Some(hint.to_owned());
    }
    if !kind.is_empty() {
        error.detail = crate::http::redact::words(&format!("{} ({kind})", error.detail));
    }
    if error.code == NoCapacity && kind == "out_of_stock" {
        error.effect = Effect::Nothing;
    }
    error
}
