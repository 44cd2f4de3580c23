//! A cloud whose errors and remarks cannot repeat its key, whatever the provider echoes.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use gpudesk_core::offer::Offer;
use gpudesk_core::rental::{KeyField, RentalTerms, Spec};
use gpudesk_providers::cloud::{
    AccountFacts, Cloud, CloudError, Launch, Launched, Leftover, Listing, Look, Quote, Usage,
};
use gpudesk_providers::http::Secret;

/// Texts shorter than this are no keys, and hiding them would hide words.
const LEAST: usize = 6;

pub(super) struct Scrubbed {
    cloud: Box<dyn Cloud>,
    secrets: Vec<String>,
}

impl Scrubbed {
    pub(super) fn new(cloud: Box<dyn Cloud>, key: &Secret) -> Self {
        let secrets = secrets(key, cloud.terms().key.fields);
        Self { cloud, secrets }
    }

    fn clean(&self, error: CloudError) -> CloudError {
        scrub_error(error, &self.secrets)
    }
}

/// The key, or the texts of its parts but for those that anybody may see: an error that hides its region says nothing.
fn secrets(key: &Secret, fields: &[KeyField]) -> Vec<String> {
    let mut found = vec![key.expose().to_owned()];
    if let Ok(parts) = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(key.expose()) {
        let shown = |name: &str| fields.iter().any(|field| field.name == name && !field.secret);
        let hidden = parts.iter().filter(|(name, _)| !shown(name));
        found.extend(hidden.filter_map(|(_, part)| part.as_str().map(str::to_owned)));
    }
    found.retain(|text| text.len() >= LEAST);
    found
}

/// An error of a cloud that could not even be opened, without the key.
pub(super) fn scrubbed_error(error: CloudError, key: &Secret, fields: &[KeyField]) -> CloudError {
    scrub_error(error, &secrets(key, fields))
}

fn scrub_error(mut error: CloudError, secrets: &[String]) -> CloudError {
    scrub(&mut error.what, secrets);
    scrub(&mut error.detail, secrets);
    if let Some(hint) = &mut error.hint {
        scrub(hint, secrets);
    }
    error
}

fn scrub(text: &mut String, secrets: &[String]) {
    for secret in secrets.iter().filter(|secret| text.contains(secret.as_str())).collect::<Vec<_>>() {
        *text = text.replace(secret.as_str(), "***");
    }
}

// What a cloud does in a way of its own would be lost here without a word: the interface's usual way would stand in.
#[deny(clippy::missing_trait_methods)]
#[async_trait]
impl Cloud for Scrubbed {
    fn terms(&self) -> &RentalTerms {
        self.cloud.terms()
    }

    async fn check(&self) -> Result<AccountFacts, CloudError> {
        let mut facts = self.cloud.check().await.map_err(|error| self.clean(error))?;
        for text in facts.remarks.iter_mut().chain(&mut facts.who) {
            scrub(text, &self.secrets);
        }
        Ok(facts)
    }

    async fn quote(&self, offer: &Offer, disk_gb: Option<u32>) -> Result<Quote, CloudError> {
        self.cloud.quote(offer, disk_gb).await.map_err(|error| self.clean(error))
    }

    fn ends_at(&self, offer: &Offer) -> Option<DateTime<Utc>> {
        self.cloud.ends_at(offer)
    }

    async fn launch(&self, launch: &Launch) -> Result<Launched, CloudError> {
        self.cloud.launch(launch).await.map_err(|error| self.clean(error))
    }

    async fn admit(&self, remote_id: &str, spec: &Spec) -> Result<(), CloudError> {
        self.cloud.admit(remote_id, spec).await.map_err(|error| self.clean(error))
    }

    async fn list(&self) -> Result<Listing, CloudError> {
        let mut listing = self.cloud.list().await.map_err(|error| self.clean(error))?;
        listing.unreadable.iter_mut().for_each(|row| scrub(row, &self.secrets));
        Ok(listing)
    }

    async fn look(&self, remote_id: &str) -> Result<Look, CloudError> {
        self.cloud.look(remote_id).await.map_err(|error| self.clean(error))
    }

    async fn stop(&self, remote_id: &str) -> Result<(), CloudError> {
        self.cloud.stop(remote_id).await.map_err(|error| self.clean(error))
    }

    async fn start(&self, remote_id: &str) -> Result<(), CloudError> {
        self.cloud.start(remote_id).await.map_err(|error| self.clean(error))
    }

    async fn end(&self, remote_id: &str) -> Result<(), CloudError> {
        self.cloud.end(remote_id).await.map_err(|error| self.clean(error))
    }

    async fn set_timer(&self, remote_id: &str, end_at: Option<DateTime<Utc>>) -> Result<(), CloudError> {
        self.cloud.set_timer(remote_id, end_at).await.map_err(|error| self.clean(error))
    }

    async fn retag(&self, remote_id: &str, tags: &[(String, String)]) -> Result<(), CloudError> {
        self.cloud.retag(remote_id, tags).await.map_err(|error| self.clean(error))
    }

    async fn leftovers(&self) -> Result<Vec<Leftover>, CloudError> {
        self.cloud.leftovers().await.map_err(|error| self.clean(error))
    }

    async fn usage(&self, from: DateTime<Utc>, to: DateTime<Utc>) -> Result<Option<Vec<Usage>>, CloudError> {
        self.cloud.usage(from, to).await.map_err(|error| self.clean(error))
    }
}

#[cfg(test)]
mod tests {
    use gpudesk_providers::cloud::CloudErrorCode;

    use super::*;

    #[test]
    fn neither_a_key_nor_a_part_of_one_is_repeated() {
        let error = || {
            CloudError::new(CloudErrorCode::BadKey, "RunPod account", "no such key rpa_SECRETSECRET here")
                .hint("rpa_SECRETSECRET is wrong")
        };
        for key in ["rpa_SECRETSECRET", r#"{"id":"x","secret":"rpa_SECRETSECRET"}"#] {
            let clean = scrubbed_error(error(), &Secret::new(key), &[]);
            assert_eq!(clean.detail, "no such key *** here");
            assert_eq!(clean.hint.as_deref(), Some("*** is wrong"));
        }
        let short = scrubbed_error(error(), &Secret::new("key"), &[]);
        assert!(short.detail.contains("no such key "), "a short text is left alone: {}", short.detail);
    }

    #[test]
    fn a_part_that_anybody_may_see_is_no_secret() {
        let field = |name, secret| KeyField { name, title: "", secret, required: true, example: "" };
        let fields = [field("region", false), field("token", true)];
        let key = Secret::new(r#"{"region":"us-east-1","token":"SECRETSECRET","more":"UNKNOWNPART"}"#);
        let error =
            CloudError::new(CloudErrorCode::Refused, "AWS launch", "us-east-1 SECRETSECRET UNKNOWNPART");
        assert_eq!(scrubbed_error(error, &key, &fields).detail, "us-east-1 *** ***");
    }
}
