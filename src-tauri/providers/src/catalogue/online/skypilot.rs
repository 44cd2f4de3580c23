//! SkyPilot's catalogue repository: a CSV a cloud, on GitHub or, where GitHub has had enough of us, in a mirror.

use crate::catalogue::online::parsed;
use crate::catalogue::skypilot::read_csv;
use crate::http::{Base, Call, Refusal, Verdict};
use crate::source::{FeedAnswer, Fetch, SourceConfig, SourceError, SourceErrorCode};

const GITHUB: &str = "https://raw.githubusercontent.com";
const MIRROR: &str = "https://skypilot-catalog.s3.us-east-1.amazonaws.com";

/// The schema version SkyPilot 0.14 asks for; it has the most clouds.
const SCHEMA: &str = "v8";

pub(super) struct Repository {
    github: Base,
    mirror: Base,
}

/// One of the two places; each has ETags of its own, and the desk keeps them apart by the mark.
struct Place<'a> {
    base: &'a Base,
    path: String,
    mark: &'static str,
    explain: fn(&Refusal<'_>) -> Option<Verdict>,
}

impl Repository {
    pub fn new(config: &SourceConfig) -> Self {
        Self { github: config.base("catalogue", GITHUB), mirror: config.base("catalogue", MIRROR) }
    }

    /// The list of one cloud, unless the one at hand is still the newest.
    pub async fn fetch(
        &self,
        cx: &Fetch<'_>,
        folder: &'static str,
        what: &str,
        held: Option<&str>,
    ) -> Result<FeedAnswer, SourceError> {
        let file = format!("catalogs/{SCHEMA}/{folder}/vms.csv");
        let github = Place {
            base: &self.github,
            path: format!("/skypilot-org/skypilot-catalog/master/{file}"),
            mark: "skypilot:",
            explain: enough,
        };
        let mirror =
            Place { base: &self.mirror, path: format!("/{file}"), mark: "skypilot-mirror:", explain: absent };
        match ask(cx, &github, folder, what, held).await {
            Err(error) if error.code == SourceErrorCode::RateLimited => {
                ask(cx, &mirror, folder, what, held).await.map_err(|second| match second.code {
                    SourceErrorCode::Gone => error,
                    _ => second,
                })
            }
            answer => answer,
        }
    }
}

async fn ask(
    cx: &Fetch<'_>,
    place: &Place<'_>,
    folder: &'static str,
    what: &str,
    held: Option<&str>,
) -> Result<FeedAnswer, SourceError> {
    let etag = held.and_then(|held| held.strip_prefix(place.mark)).filter(|etag| !etag.is_empty());
    let call = Call::get(what, place.base.join(&place.path)?).expecting("a CSV file").explain(place.explain);
    let Some(answer) = cx.http.read_if_changed(&call, etag).await? else {
        return Ok(FeedAnswer::Unchanged { version: held.map(str::to_owned) });
    };
    let version = answer.etag.as_ref().map(|etag| format!("{}{etag}", place.mark));
    let (body, as_of) = (answer.body, (cx.now)());
    let origin = format!("SkyPilot catalogue {SCHEMA}");
    let fetched = parsed(what, move || read_csv(folder, body.as_slice(), as_of, &origin)).await?;
    Ok(FeedAnswer::Fetched { fetched, version })
}

/// GitHub's limit lasts longer than anybody waits for a list: at once to the mirror, as SkyPilot does.
fn enough(refusal: &Refusal<'_>) -> Option<Verdict> {
    (refusal.status == 429).then(|| Verdict::Fail(refusal.error(SourceErrorCode::RateLimited)))
}

/// A bucket that does not list its files answers 403 for one that is not there.
fn absent(refusal: &Refusal<'_>) -> Option<Verdict> {
    (refusal.status == 403).then(|| Verdict::Fail(refusal.error(SourceErrorCode::Gone)))
}
