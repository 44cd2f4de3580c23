//! The two queries: what there is, and what one place has of it.

use std::time::Duration;

use gpudesk_core::offer::Offer;
use serde::Deserialize;
use serde_json::json;

use super::map::collapsed;
use super::wire::Envelope;
use crate::http::{Answer, Base, Call, Http, Limits, Pace, Refusal, Verdict};
use crate::source::{SourceError, SourceErrorCode};

/// What errors call it.
pub(super) const WHAT: &str = "RunPod prices";

/// Sizes of pods that are asked for. Stock of one card says nothing about eight.
pub(super) const COUNTS: [u32; 4] = [1, 2, 4, 8];

/// No limit is stated for GraphQL; one a second on the average is gentle, and sixty at once are one sweep.
const PACE: Pace = Pace::per_minute("runpod", 60);

/// Stands in ids for a place that is not told.
const ANYWHERE: &str = "any";

/// Where the asking is done. The clouds have different prices for the same card and are asked apart.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Site {
    /// A data centre of RunPod's own, by its id.
    Secure(String),
    /// Other people's machines in a country.
    Community(String),
}

impl Site {
    /// RunPod's own name of the place.
    pub(super) fn place(&self) -> &str {
        match self {
            Self::Secure(place) | Self::Community(place) => place,
        }
    }

    /// Community machines of no country in particular.
    pub(super) fn anywhere() -> Self {
        Self::Community(ANYWHERE.to_owned())
    }

    /// Whether it names no place.
    pub(super) fn is_anywhere(&self) -> bool {
        self.place() == ANYWHERE
    }

    /// The site of an offer of this list: `runpod:NVIDIA L4x1-secure-EU-SE-1`.
    pub(super) fn of(offer: &Offer) -> Option<Self> {
        let card = format!("runpod:{}x{}-", collapsed(&offer.gpu.raw_name), offer.gpu.count);
        match offer.id.strip_prefix(&card)?.split_once('-')? {
            ("secure", place) if !place.is_empty() => Some(Self::Secure(place.to_owned())),
            ("community", place) if !place.is_empty() => Some(Self::Community(place.to_owned())),
            _ => None,
        }
    }

    /// The word for the cloud in ids.
    pub(super) fn cloud(&self) -> &'static str {
        match self {
            Self::Secure(_) => "secure",
            Self::Community(_) => "community",
        }
    }
}

/// The cards, data centres and countries.
pub(super) async fn directory(http: &Http, base: &Base) -> Result<Answer, SourceError> {
    let query = "query Directory { \
        gpuTypes { id displayName memoryInGb secureCloud communityCloud securePrice communityPrice maxGpuCount } \
        dataCenters { id } countryCodes }";
    ask(http, base, query).await
}

/// What a place has, for every size of pod in one query.
pub(super) async fn place(http: &Http, base: &Base, site: &Site) -> Result<Answer, SourceError> {
    ask(http, base, &place_query(site)).await
}

fn place_query(site: &Site) -> String {
    let filter = match site {
        Site::Secure(id) => format!("secureCloud: true, dataCenterId: {}", json!(id)),
        Site::Community(code) => format!("secureCloud: false, countryCode: {}", json!(code)),
    };
    let sizes: String = COUNTS
        .iter()
        .map(|count| {
            format!(
                " x{count}: lowestPrice(input: {{ gpuCount: {count}, {filter} }}) \
                 {{ stockStatus uninterruptablePrice minVcpu minMemory }}"
            )
        })
        .collect();
    format!("query Place {{ gpuTypes {{ id{sizes} }} }}")
}

async fn ask(http: &Http, base: &Base, query: &str) -> Result<Answer, SourceError> {
    let limits = Limits {
        max_bytes: 16 * 1024 * 1024,
        idle: Duration::from_secs(30),
        total: Duration::from_secs(90),
        ..Limits::default()
    };
    let call = Call::ask(WHAT, base.join("/graphql")?, &json!({ "query": query }))
        .expecting("JSON")
        .limits(limits)
        .pace(PACE)
        .explain(explain);
    http.read(&call).await
}

/// The data of an answer and, beside it, what the service complains of. Errors without data are the failure of the
/// call.
pub(super) fn data<'a, T>(answer: &Answer, text: &'a str) -> Result<(T, Vec<String>), SourceError>
where
    T: Deserialize<'a>,
{
    let envelope: Envelope<'a> = answer.parse(text)?;
    let complaints: Vec<String> = envelope
        .errors
        .unwrap_or_default()
        .iter()
        .map(|error| {
            error
                .message
                .text()
                .map_or_else(|| "an error without a message".to_owned(), |text| text.into_owned())
        })
        .collect();
    match envelope.data {
        Some(data) => Ok((answer.parse(data.get())?, complaints)),
        None if complaints.is_empty() => Err(answer.bad("JSON without `data`")),
        None => Err(SourceError::new(SourceErrorCode::ProviderRefused, WHAT, complaints.join("; "))),
    }
}

/// The keyless list is announced to end early in 2027 with 410, as its REST predecessor did.
fn explain(refusal: &Refusal<'_>) -> Option<Verdict> {
    let ended = "RunPod ended its keyless price list; add a key to see RunPod";
    match refusal.status {
        404 | 410 => Some(Verdict::Fail(refusal.error(SourceErrorCode::Gone).hint(ended))),
        401 | 403 => Some(Verdict::Fail(
            refusal
                .error(SourceErrorCode::ProviderRefused)
                .hint("RunPod may have ended its keyless price list, or keeps this address out; add a key to see RunPod"),
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_asked_for_all_sizes_at_once_and_for_one_cloud_only() {
        let secure = place_query(&Site::Secure("EU-SE-1".to_owned()));
        assert!(secure.contains(
            "x8: lowestPrice(input: { gpuCount: 8, secureCloud: true, dataCenterId: \"EU-SE-1\" })"
        ));
        assert_eq!(secure.matches("lowestPrice").count(), 4);
        let community = place_query(&Site::Community("SE".to_owned()));
        assert!(
            community
                .contains("x1: lowestPrice(input: { gpuCount: 1, secureCloud: false, countryCode: \"SE\" })")
        );
        assert!(!community.contains("dataCenterId"));
    }

    #[test]
    fn a_place_with_a_quote_in_its_name_stays_a_string() {
        let query = place_query(&Site::Secure("x\" }) { id } #".to_owned()));
        assert!(query.contains(r#"dataCenterId: "x\" }) { id } #" })"#), "{query}");
    }
}
