//! A cloud that is OpenStack at a server whose answers a test chooses, path by path.

use std::collections::BTreeMap;

use gpudesk_core::rental::{Image, ImageKind};
use gpudesk_providers::cloud::{Access, Cloud, Launch, cloud};
use gpudesk_providers::http::Secret;
use serde_json::{Value, json};
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, ResponseTemplate};

use crate::rent_support;
use crate::support::kit;

/// The secret of the key. It stands in no message.
pub const SECRET: &str = "s3cret-of-the-key";

/// The id of the server.
pub const ID: &str = "4f0b4b56-0000-4000-8000-000000000001";

/// The same beside its region.
pub const REMOTE: &str = "ru-7_4f0b4b56-0000-4000-8000-000000000001";

pub struct Stage {
    pub cloud: Box<dyn Cloud>,
    pub server: MockServer,
}

pub fn key(provider: &str) -> String {
    match provider {
        "selectel" => {
            json!({ "username": "robot", "password": SECRET, "user_domain_name": "123456", "project_name": "train" })
        }
        _ => json!({ "auth_url": "https://keystone.example:5000", "application_credential_id": "a1",
                     "application_credential_secret": SECRET }),
    }
    .to_string()
}

/// The answer to a sign-in, with these regions.
pub fn token(server: &MockServer, regions: &[&str], text: &str) -> ResponseTemplate {
    let entry = |kind: &str, path: &str| {
        let endpoints: Vec<Value> = regions
            .iter()
            .flat_map(|region| {
                ["admin", "public"].map(|interface| {
                    let host = if interface == "public" { server.uri() } else { "https://10.0.0.1".to_owned() };
                    json!({ "interface": interface, "region": region, "region_id": region, "url": format!("{host}/{kind}/{region}{path}") })
                })
            })
            .collect();
        json!({ "type": kind, "name": kind, "endpoints": endpoints })
    };
    let catalog = [
        entry("compute", "/v2.1"),
        entry("network", ""),
        entry("image", "/v2"),
        entry("volumev3", "/v3/p1"),
        json!({ "type": "identity", "endpoints": [] }),
    ];
    ResponseTemplate::new(201).insert_header("x-subject-token", text).set_body_json(json!({ "token": {
        "expires_at": "2026-11-30T23:00:00.000000Z", "user": { "name": "robot" }, "project": { "name": "train" },
        "roles": [{ "name": "member" }], "catalog": catalog,
    } }))
}

impl Stage {
    /// A cloud with one region, whose sign-in and versions answer.
    pub async fn of(provider: &str) -> Self {
        Self::with(provider, &["ru-7"], &[]).await
    }

    pub async fn with(provider: &str, regions: &[&str], more: &[(&str, &str)]) -> Self {
        let server = MockServer::start().await;
        let identity = if provider == "selectel" { "/identity/v3/auth/tokens" } else { "/v3/auth/tokens" };
        let stage = Self { cloud: opened(provider, &server, &key(provider), more), server };
        let answer = token(&stage.server, regions, "t0ken-1");
        Mock::given(method("POST"))
            .and(path(identity))
            .respond_with(answer)
            .with_priority(9)
            .mount(&stage.server)
            .await;
        for region in regions {
            let versions =
                json!({ "versions": [{ "version": "" }, { "version": "2.93", "min_version": "2.1" }] });
            stage.on("GET", &format!("/compute/{region}/"), 200, versions).await;
        }
        stage
    }

    /// An answer to every call of a path that no later one is for.
    pub async fn on(&self, verb: &str, at: &str, status: u16, body: Value) {
        let answer = ResponseTemplate::new(status).set_body_json(body);
        Mock::given(method(verb))
            .and(path(at))
            .respond_with(answer)
            .with_priority(9)
            .mount(&self.server)
            .await;
    }

    /// An answer to the next call of a path only.
    pub async fn once(&self, verb: &str, at: &str, answer: ResponseTemplate) {
        let mock = Mock::given(method(verb)).and(path(at)).respond_with(answer);
        mock.up_to_n_times(1).with_priority(1).mount(&self.server).await;
    }

    /// `METHOD /path` of the calls so far, without questions.
    pub async fn calls(&self) -> Vec<String> {
        let asked = self.server.received_requests().await.unwrap();
        asked.iter().map(|request| format!("{} {}", request.method, request.url.path())).collect()
    }

    /// Calls that change something, sign-ins left out.
    pub async fn changes(&self) -> Vec<String> {
        let mut calls = self.calls().await;
        calls.retain(|call| !call.starts_with("GET") && !call.ends_with("/auth/tokens"));
        calls
    }

    /// The body of the last call of this kind.
    pub async fn body(&self, call: &str) -> Value {
        let asked = self.server.received_requests().await.unwrap();
        let last =
            asked.iter().rev().find(|request| format!("{} {}", request.method, request.url.path()) == call);
        serde_json::from_slice(&last.unwrap_or_else(|| panic!("no {call}")).body).unwrap()
    }

    /// A header of the last call of this kind.
    pub async fn header(&self, call: &str, name: &str) -> Option<String> {
        let asked = self.server.received_requests().await.unwrap();
        let last =
            asked.iter().rev().find(|request| format!("{} {}", request.method, request.url.path()) == call);
        Some(last?.headers.get(name)?.to_str().unwrap().to_owned())
    }

    /// Everything a launch asks for, with a flavor of this disk.
    pub async fn market(&self, flavor: &str, disk: u32) {
        let flavors = json!([{ "id": "3021", "name": flavor, "vcpus": 4, "ram": 32768, "disk": disk, "extra_specs": {} }]);
        self.on("GET", "/compute/ru-7/v2.1/flavors/detail", 200, json!({ "flavors": flavors })).await;
        self.on("GET", "/compute/ru-7/v2.1/servers/detail", 200, json!({ "servers": [] })).await;
        self.on("GET", "/compute/ru-7/v2.1/os-keypairs", 200, json!({ "keypairs": [] })).await;
        self.on("POST", "/compute/ru-7/v2.1/os-keypairs", 201, json!({ "keypair": {} })).await;
        let images = json!([{ "id": "im1", "name": "Debian 12", "min_disk": 5, "status": "active" },
                            { "id": "im2", "name": "Ubuntu 22.04 Machine Learning", "min_disk": 60, "os_distro": "ubuntu" }]);
        self.on("GET", "/image/ru-7/v2/images", 200, json!({ "images": images, "next": null })).await;
        let networks = json!([{ "id": "n1", "name": "team", "router:external": false },
                              { "id": "x1", "name": "external", "router:external": true }]);
        self.on("GET", "/network/ru-7/v2.0/networks", 200, json!({ "networks": networks })).await;
        let routers = json!([{ "id": "r1", "external_gateway_info": { "network_id": "x1" } }]);
        self.on("GET", "/network/ru-7/v2.0/routers", 200, json!({ "routers": routers })).await;
        let inside = json!([{ "id": "p0", "network_id": "n1", "device_id": "r1", "device_owner": "network:router_interface" }]);
        self.on("GET", "/network/ru-7/v2.0/ports", 200, json!({ "ports": inside })).await;
        self.on("POST", "/network/ru-7/v2.0/ports", 201, json!({ "port": { "id": "p1" } })).await;
        self.on("GET", "/network/ru-7/v2.0/floatingips", 200, json!({ "floatingips": [] })).await;
        self.on("POST", "/network/ru-7/v2.0/floatingips", 201, json!({ "floatingip": { "id": "f1" } })).await;
        self.on("GET", "/network/ru-7/v2.0/security-groups", 200, json!({ "security_groups": [] })).await;
        self.on(
            "POST",
            "/network/ru-7/v2.0/security-groups",
            201,
            json!({ "security_group": { "id": "g1" } }),
        )
        .await;
        self.on("POST", "/network/ru-7/v2.0/security-group-rules", 201, json!({})).await;
        for gone in ["/network/ru-7/v2.0/ports/p1", "/network/ru-7/v2.0/floatingips/f1"] {
            self.on("DELETE", gone, 204, json!({})).await;
        }
        let made = json!({ "server": { "id": ID, "adminPass": "hush" } });
        self.on("POST", "/compute/ru-7/v2.1/servers", 202, made).await;
    }
}

fn opened(provider: &str, server: &MockServer, key: &str, more: &[(&str, &str)]) -> Box<dyn Cloud> {
    let (http, _) = kit();
    let mut addresses: BTreeMap<String, String> =
        more.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    addresses.insert(provider.to_owned(), server.uri());
    (cloud(provider).unwrap().open)(Access { http, key: Secret::new(key), addresses }).unwrap()
}

/// An order of the usual image.
pub fn order(provider: &str, flavor: &str, kind: &str) -> Launch {
    let id = format!("{provider}:{flavor}-ru-7");
    let mut order = rent_support::launch(rent_support::offer(&id, flavor, "T4", 1, kind, "ru-7"), "");
    order.spec.image = Image { id: "ubuntu-gpu".to_owned(), title: String::new(), kind: ImageKind::Cuda };
    order
}

pub fn server(status: &str, task: Value) -> Value {
    json!({ "server": { "id": ID, "name": "gpudesk-01jdx3", "status": status, "OS-EXT-STS:task_state": task,
                        "metadata": { "gpudesk": "gpudesk-01jdx3" } } })
}

pub fn nova(status: u16, class: &str, message: &str) -> ResponseTemplate {
    ResponseTemplate::new(status).set_body_json(json!({ class: { "code": status, "message": message } }))
}
