//! Renting at RunPod: REST v2 for everything but the balance.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use gpudesk_core::offer::Offer;
use gpudesk_core::rental::RentalTerms;
use reqwest::Method;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::api::Site;
use super::terms::{LEAST_KEPT_GB, WIPED_GB, rental_terms};
use super::{accounting, catalog, pod};
use crate::cloud::{
    Access, Account, AccountFacts, Cloud, CloudError, CloudErrorCode, Launch, Launched, Leftover, Listing,
    Look, Quote, Usage, asked_for, variable,
};
use crate::http::{Answer, Failure, Literal, Pace, redact};

/// Sixty calls a minute is the example of the specification (`RateLimit-Policy`); what an account may really do is
/// told by 429 and `Retry-After`.
pub(super) const PACE: Pace = Pace::per_minute("runpod v2", 60);

/// Where the persistent part of the disk is found in the box, by the convention of the vendor's images.
const WORKSPACE: &str = "/workspace";

/// The most pages of pods that are followed.
const MOST_PAGES: usize = 50;

pub(super) struct RunPodCloud {
    pub(super) rest: Account,
    pub(super) graphql: Account,
    terms: RentalTerms,
}

/// Opens RunPod for one account (`GPUDESK_RUNPOD_URL`, `GPUDESK_RUNPOD_GRAPHQL_URL`).
///
/// # Errors
/// Where the key or an address cannot be what it should be.
pub fn open(access: Access) -> Result<Box<dyn Cloud>, CloudError> {
    let rest = Account::new(&access, "RunPod", "runpod", "https://api.runpod.io")?;
    let graphql = Account::new(&access, "RunPod", "runpod_graphql", "https://api.runpod.io")?;
    Ok(Box::new(RunPodCloud { rest, graphql, terms: rental_terms() }))
}

/// What to do where there are none.
const NONE_HERE: &str = "choose another place, another cloud or fewer cards";

/// Whether RunPod's words say that there is none of what was asked for. A lack of its own resources is another thing.
fn says_none(words: &str) -> bool {
    let words = words.to_ascii_lowercase();
    ["no instances", "no longer any instances", "not enough free gpu"].iter().any(|said| words.contains(said))
}

/// The error of a failed call.
pub(super) fn refused(failure: Failure) -> CloudError {
    let status = failure.status;
    let mut error = CloudError::from(failure);
    let words = error.detail.to_ascii_lowercase();
    let says = |list: &[&str]| list.iter().any(|word| words.contains(word));
    match status {
        // 400 stands for a broken rule and for a lack of cards; only the words tell them apart.
        Some(400) if says(&["balance", "funds", "credit"]) => error.code = CloudErrorCode::NoFunds,
        Some(400 | 403) if says(&["spend limit", "spending limit", "quota"]) => {
            error.code = CloudErrorCode::Quota;
            error = error.hint("end something, or ask RunPod for a higher limit");
        }
        Some(400)
            if says(&["no instances", "no longer any instances", "not enough", "resources", "capacity"]) =>
        {
            error.code = CloudErrorCode::NoCapacity;
            error = error.hint(NONE_HERE);
        }
        Some(410) => error = error.hint("this version of RunPod's service has ended; update GPU Desk"),
        _ => {}
    }
    if error.code == CloudErrorCode::NoFunds {
        error = error.hint("add credit on the billing page of RunPod");
    }
    error
}

#[derive(Debug, Deserialize)]
struct Pods<'a> {
    #[serde(borrow, default)]
    pods: Option<Vec<&'a RawValue>>,
    #[serde(borrow, default, rename = "nextCursor")]
    next_cursor: Literal<'a>,
}

impl RunPodCloud {
    async fn act(&self, doing: &str, remote_id: &str, action: &str) -> Result<(), CloudError> {
        let path = format!("/v2/pods/{}/action", self.rest.id(doing, remote_id)?);
        let body = json!({ "action": action });
        match self.rest.change(doing, (Method::POST, &path), Some(&body), &[PACE]).await {
            Ok(_) => Ok(()),
            Err(failure) => {
                let mut error = refused(failure);
                if error.code == CloudErrorCode::Conflict {
                    error = error.hint("not possible in its present state, or the pod is locked: look again, or unlock it on the page of RunPod");
                }
                Err(error)
            }
        }
    }

    fn launch_body(&self, launch: &Launch) -> Result<Value, CloudError> {
        let doing = "launch";
        let refuse = |words: String, hint: &str| {
            Err(self.rest.error(CloudErrorCode::Refused, doing, words).hint(hint))
        };
        let Some(site) = Site::of(&launch.offer) else {
            return refuse(
                format!("“{}” is no offer of RunPod's own list", launch.offer.id),
                "choose it anew",
            );
        };
        if !launch.user_data.is_empty() {
            return refuse(
                "a pod takes no first script".to_owned(),
                "put it into the image, or run it over SSH",
            );
        }
        let disk = launch.spec.disk_gb.unwrap_or(self.terms.disk.map_or(0, |disk| disk.usual));
        if disk < WIPED_GB + LEAST_KEPT_GB {
            let least = WIPED_GB + LEAST_KEPT_GB;
            return refuse(format!("{disk} GB of disk are too few"), &format!("ask for {least} GB or more"));
        }
        let env: Map<String, Value> = launch
            .tags
            .iter()
            .map(|(tag, value)| (variable(tag), json!(value)))
            .chain([
                // Set by us, so that the keys of the account are not put in its place.
                ("PUBLIC_KEY".to_owned(), json!(launch.spec.ssh_public_key.trim())),
                ("GPUDESK_TOKEN".to_owned(), json!(launch.token)),
            ])
            .collect();
        let mut body = json!({
            "name": launch.token,
            "image": launch.spec.image.id,
            // Without a number of cards the answer is that there are none.
            "gpu": { "id": launch.offer.gpu.raw_name, "count": launch.offer.gpu.count },
            "cloud": site.cloud().to_ascii_uppercase(),
            "disk": WIPED_GB,
            "mounts": { "persistent": { "size": disk - WIPED_GB, "path": WORKSPACE } },
            "ports": ["22/tcp"],
            "env": env,
            "startSsh": true,
        });
        // The list of places is one of wishes, and empty it means anywhere. Community machines have no data centre.
        if let (Site::Secure(center), Some(body)) = (&site, body.as_object_mut()) {
            body.insert("dataCenterIds".to_owned(), json!([center]));
        }
        Ok(body)
    }

    /// One page of pods; the cursor of the next one.
    async fn page(&self, cursor: Option<&str>, listing: &mut Listing) -> Result<Option<String>, CloudError> {
        let after = cursor.map(|cursor| {
            let cursor: String = url::form_urlencoded::byte_serialize(cursor.as_bytes()).collect();
            format!("&cursor={cursor}")
        });
        let path = format!("/v2/pods?includeClusterPods=true{}", after.unwrap_or_default());
        let answer = self.rest.get("pods", &path, PACE).await.map_err(refused)?;
        let text = answer.json_text();
        let (rows, next) = rows(&answer, &text)?;
        for row in rows {
            listing.take(pod::machine(row.get()));
        }
        Ok(next)
    }
}

/// The rows of a list: in an object, or bare.
fn rows<'a>(answer: &Answer, text: &'a str) -> Result<(Vec<&'a RawValue>, Option<String>), CloudError> {
    if text.trim_start().starts_with('[') {
        return Ok((answer.parse(text)?, None));
    }
    let page: Pods<'a> = answer.parse(text)?;
    let rows = page.pods.ok_or_else(|| answer.bad("JSON without the list of `pods`"))?;
    Ok((rows, page.next_cursor.text().map(|cursor| cursor.into_owned())))
}

#[async_trait]
impl Cloud for RunPodCloud {
    fn terms(&self) -> &RentalTerms {
        &self.terms
    }

    async fn check(&self) -> Result<AccountFacts, CloudError> {
        accounting::check(self).await
    }

    async fn quote(&self, offer: &Offer, _disk_gb: Option<u32>) -> Result<Quote, CloudError> {
        catalog::quote(&self.rest, offer).await
    }

    async fn launch(&self, launch: &Launch) -> Result<Launched, CloudError> {
        let doing = "launch";
        let body = self.launch_body(launch)?;
        let sent = self.rest.order(doing, (Method::POST, "/v2/pods"), &body, &[PACE]).await;
        let answer = sent.map_err(|failure| {
            let status = failure.status;
            let mut error = refused(failure);
            match status {
                Some(404) => error.code = CloudErrorCode::Refused,
                // A 5xx that says that there are none. Whether it made a pod all the same stays open: some did.
                Some(500..) if says_none(&error.detail) => {
                    error.code = CloudErrorCode::NoCapacity;
                    error = error.hint(NONE_HERE);
                }
                _ => {}
            }
            error
        })?;
        let text = answer.json_text();
        let made: Option<pod::Pod<'_>> = serde_json::from_str(&text).ok();
        match made.and_then(|pod| pod.id.text().map(|id| redact::words(&id))) {
            Some(remote_id) => Ok(Launched { remote_id }),
            None => Err(match answer.refusal() {
                Some(failure) => refused(failure),
                None => self.rest.unreadable(doing, "the answer names no new pod"),
            }),
        }
    }

    async fn list(&self) -> Result<Listing, CloudError> {
        let mut listing = Listing { complete: true, ..Listing::default() };
        let mut cursor = self.page(None, &mut listing).await?;
        // Paging is not in the specification; where a cursor is given all the same, it is followed, and a list whose
        // end is not reached proves nothing.
        let mut seen = Vec::new();
        while let Some(next) = cursor {
            if seen.contains(&next) || seen.len() >= MOST_PAGES {
                listing.complete = false;
                listing.unreadable.push("the list goes round in circles".to_owned());
                break;
            }
            cursor = match self.page(Some(&next), &mut listing).await {
                Ok(after) => after,
                Err(error) => {
                    listing.complete = false;
                    listing.unreadable.push(format!("a later page: {}", error.detail));
                    None
                }
            };
            seen.push(next);
        }
        Ok(listing)
    }

    async fn look(&self, remote_id: &str) -> Result<Look, CloudError> {
        let doing = "pod";
        let path = format!("/v2/pods/{}", self.rest.id(doing, remote_id)?);
        let answer = match self.rest.get(doing, &path, PACE).await {
            Ok(answer) => answer,
            Err(failure) if failure.status == Some(404) => return Ok(Look::Absent),
            Err(failure) => return Err(refused(failure)),
        };
        let machine = pod::machine(&answer.json_text()).map_err(|words| answer.bad(words))?;
        asked_for(remote_id, &machine).map_err(|words| answer.bad(words))?;
        Ok(Look::There(Box::new(machine)))
    }

    async fn stop(&self, remote_id: &str) -> Result<(), CloudError> {
        self.act("stop", remote_id, "stop").await
    }

    async fn start(&self, remote_id: &str) -> Result<(), CloudError> {
        self.act("start", remote_id, "start").await
    }

    async fn end(&self, remote_id: &str) -> Result<(), CloudError> {
        let doing = "end";
        let path = format!("/v2/pods/{}", self.rest.id(doing, remote_id)?);
        match self.rest.change(doing, (Method::DELETE, &path), None, &[PACE]).await {
            Ok(_) => Ok(()),
            Err(failure) if failure.status == Some(404) => Ok(()),
            Err(failure) => {
                let mut error = refused(failure);
                if error.code == CloudErrorCode::Conflict {
                    error = error.hint("a member of a cluster ends with its cluster, and a locked pod must be unlocked first: see the page of RunPod");
                }
                Err(error)
            }
        }
    }

    async fn leftovers(&self) -> Result<Vec<Leftover>, CloudError> {
        accounting::volumes(&self.rest).await
    }

    async fn usage(&self, from: DateTime<Utc>, to: DateTime<Utc>) -> Result<Option<Vec<Usage>>, CloudError> {
        accounting::usage(&self.rest, from, to).await.map(Some)
    }
}
