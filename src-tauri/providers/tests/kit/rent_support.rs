//! What the tests of the three clouds share: an account at a server that follows a script.

use std::sync::Arc;

use gpudesk_core::offer::Offer;
use gpudesk_core::rental::{Image, ImageKind, Spec};
use gpudesk_providers::cloud::{Access, Cloud, Launch, cloud};
use gpudesk_providers::http::Secret;
use rust_decimal::Decimal;
use serde_json::{Value, json};

use crate::support::{RawServer, Say, StillTime, kit};

/// The key of the account. It stands in no message.
pub const KEY: &str = "k3y-of-the-account";

/// A public key as a desk sends it.
pub const PUBLIC_KEY: &str = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGq0d1 anna@desk";

/// A cloud whose services all answer with the script, one connection after the other.
pub struct Stage {
    pub cloud: Box<dyn Cloud>,
    pub server: RawServer,
    pub time: Arc<StillTime>,
}

pub async fn stage(provider: &str, script: Vec<Say>) -> Stage {
    stage_with(provider, KEY, script).await
}

/// The same with a key of another form.
pub async fn stage_with(provider: &str, key: &str, script: Vec<Say>) -> Stage {
    let server = RawServer::start(script).await;
    let (http, time) = kit();
    let services = [provider, "runpod_graphql"];
    let addresses = services.map(|service| (service.to_owned(), server.url.to_string())).into();
    let access = Access { http, key: Secret::new(key), addresses };
    let cloud = (cloud(provider).unwrap().open)(access).unwrap();
    Stage { cloud, server, time }
}

impl Stage {
    /// The first lines of the requests so far.
    pub fn lines(&self) -> Vec<String> {
        let requests = self.server.requests();
        requests
            .iter()
            .map(|text| text.lines().next().unwrap().trim_end_matches(" HTTP/1.1").to_owned())
            .collect()
    }

    /// The JSON body of a request, counted from 0.
    pub fn body(&self, number: usize) -> Value {
        let requests = self.server.requests();
        let (head, body) = requests[number].split_once("\r\n\r\n").unwrap();
        assert!(head.to_ascii_lowercase().contains("content-type: application/json"), "{head}");
        serde_json::from_str(body).unwrap()
    }

    /// Every request bore the key in its header, and nowhere else.
    pub fn assert_key_sent(&self) {
        self.assert_key_sent_as("authorization: Bearer ");
    }

    /// The same for a service with a header of its own.
    pub fn assert_key_sent_as(&self, before: &str) {
        for request in self.server.requests() {
            let header = format!("{before}{KEY}\r\n");
            assert_eq!(request.matches(&header).count(), 1, "{request}");
            assert_eq!(request.matches(KEY).count(), 1, "{request}");
        }
    }
}

pub fn ok(body: &Value) -> Say {
    Say::http("200 OK", &["content-type: application/json"], body.to_string())
}

pub fn error(status: &str, body: &Value) -> Say {
    Say::http(status, &["content-type: application/json"], body.to_string())
}

pub fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

/// An offer as its source would give it; `more` replaces fields.
pub fn offer(id: &str, name: &str, raw_name: &str, count: u32, kind: &str, region: &str) -> Offer {
    let provider = id.split_once(':').unwrap().0;
    serde_json::from_value(json!({
        "id": id, "provider": provider, "cloud": provider, "source": "live", "name": name, "form": "container",
        "isolation": "shared-host", "gpu": {"count": count, "raw_name": raw_name}, "place": {"region": region},
        "price": {"kind": kind, "currency": "USD", "per_hour": "0.5"}, "supply": {"state": "in-stock"},
    }))
    .unwrap()
}

pub fn launch(offer: Offer, image: &str) -> Launch {
    Launch {
        offer,
        spec: Spec {
            image: Image { id: image.to_owned(), title: image.to_owned(), kind: ImageKind::Custom },
            disk_gb: Some(50),
            ssh_public_key: format!("{PUBLIC_KEY}\n"),
            ssh_identity: None,
        },
        token: "gpudesk-01jdx3".to_owned(),
        name: "anna-1".to_owned(),
        tags: vec![("until".to_owned(), "2026-11-30T12:00:00Z".to_owned())],
        user_data: String::new(),
        bid_per_hour: None,
        end_at: None,
    }
}
