//! The key of an account: a JSON object with the names of `clouds.yaml`, or the name of a cloud in that file.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use url::Url;

use super::files::{self, Parts};
use super::profile::{OPENSTACK, Profile};
use crate::cloud::{CloudError, CloudErrorCode};
use crate::http::Secret;

/// Who logs in, and how.
enum Method {
    Credential { id: Secret, secret: Secret },
    Password { user: Value, scope: Value },
}

/// A key that has what it needs.
pub(super) struct Login {
    method: Method,
    /// Scheme and host of the identity service.
    pub host: String,
    /// The path of its version.
    pub path: String,
    /// The only regions to look at; empty = all of the catalogue.
    pub regions: Vec<String>,
    /// Which of an endpoint's addresses is meant.
    pub interface: String,
    /// Name or id of the network to use.
    pub network: Option<String>,
    /// The kind of volume to boot from.
    pub volume_type: Option<String>,
    /// Where in the region to make servers.
    pub zone: Option<String>,
    /// Whose prices hold.
    pub subsidiary: Option<String>,
}

impl Login {
    /// Reads a key for a cloud. Nothing of it is repeated in the error. `overridden` = another address replaces that of
    /// the identity service.
    pub fn read(
        profile: &Profile,
        key: &Secret,
        overridden: bool,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, CloudError> {
        let bad = |words: &str| bad(profile, words);
        let told: BTreeMap<String, Value> = serde_json::from_str(key.expose().trim())
            .map_err(|_| bad("the key is not a JSON object of its parts"))?;
        let mut own = Parts::new();
        for (name, value) in &told {
            match value {
                Value::String(text) if !text.trim().is_empty() => {
                    own.insert(name.clone(), text.trim().to_owned())
                }
                Value::Null | Value::String(_) => None,
                _ => {
                    return Err(bad(&format!(
                        "the key's `{}` is not a text",
                        crate::http::redact::words(name)
                    )));
                }
            };
        }
        let mut parts = match own.get("cloud") {
            Some(cloud) => files::cloud(cloud, variable).map_err(|words| bad(&words))?,
            None => Parts::new(),
        };
        parts.extend(own);
        Self::of(profile, &parts, overridden)
    }

    fn of(profile: &Profile, parts: &Parts, overridden: bool) -> Result<Self, CloudError> {
        let bad = |words: &str| bad(profile, words);
        let part = |name: &str| parts.get(name).map(String::as_str).filter(|text| !text.is_empty());
        let (host, path) = match (part("auth_url"), profile.identity) {
            (Some(address), _) => identity(address).ok_or_else(|| bad("`auth_url` is not an address"))?,
            (None, Some((host, path))) => (host.to_owned(), path.to_owned()),
            (None, None) if overridden => (String::new(), "/v3".to_owned()),
            (None, None) => return Err(bad("the key lacks `auth_url` and names no `cloud` of clouds.yaml")),
        };
        let named = Url::parse(&host).ok().and_then(|url| url.host_str().map(str::to_owned));
        if !overridden && !named.is_some_and(|name| profile.has_host(&name)) {
            return Err(bad(&format!("`auth_url` is not one of {}", profile.title)));
        }
        let secret = |name: &str| {
            let text = part(name).ok_or_else(|| lacks(profile, &part, name))?;
            Ok::<_, CloudError>(Secret::new(text))
        };
        let method = if part("application_credential_id").is_some()
            || part("application_credential_secret").is_some()
        {
            Method::Credential {
                id: secret("application_credential_id")?,
                secret: secret("application_credential_secret")?,
            }
        } else if part("username").or(part("user_id")).is_some() || part("password").is_some() {
            Self::password(profile, &part)?
        } else {
            return Err(bad(
                "the key lacks `application_credential_id` and `application_credential_secret`, and has no `username`",
            ));
        };
        let list = part("region_name").or(part("regions")).unwrap_or_default();
        let regions = list.split([',', ' ']).filter(|name| !name.is_empty()).map(str::to_owned).collect();
        let interface = part("interface").or(part("endpoint_type")).unwrap_or("public");
        Ok(Self {
            method,
            host,
            path,
            regions,
            interface: interface.trim_end_matches("URL").to_owned(),
            network: part("network").map(str::to_owned),
            volume_type: part("volume_type").map(str::to_owned),
            zone: part("availability_zone").map(str::to_owned),
            subsidiary: part("subsidiary").map(str::to_owned),
        })
    }

    fn password<'a>(
        profile: &Profile,
        part: &impl Fn(&str) -> Option<&'a str>,
    ) -> Result<Method, CloudError> {
        let lacks = |name: &str| lacks(profile, part, name);
        let password = part("password").ok_or_else(|| lacks("password"))?;
        let domain = |id: &str, name: &str| {
            let by_id = part(id).or(part("domain_id")).map(|id| json!({ "id": id }));
            let given = part(name).or(part("domain_name")).or(profile.domain);
            by_id.or_else(|| given.map(|name| json!({ "name": name })))
        };
        let mut user = json!({ "password": password });
        match part("user_id") {
            Some(id) => user["id"] = id.into(),
            None => {
                user["name"] = part("username").ok_or_else(|| lacks("username"))?.into();
                user["domain"] =
                    domain("user_domain_id", "user_domain_name").ok_or_else(|| lacks("user_domain_name"))?;
            }
        }
        let project =
            match (part("project_id").or(part("tenant_id")), part("project_name").or(part("tenant_name"))) {
                (Some(id), _) => json!({ "id": id }),
                (None, Some(name)) => {
                    let of_user = part("user_domain_name").map(|name| json!({ "name": name }));
                    let domain = domain("project_domain_id", "project_domain_name").or(of_user);
                    json!({ "name": name, "domain": domain.ok_or_else(|| lacks("project_domain_name"))? })
                }
                // Servers belong to a project, and a token without one sees none.
                (None, None) => return Err(lacks("project_name` or `project_id")),
            };
        Ok(Method::Password { user, scope: json!({ "project": project }) })
    }

    /// What is asked for a token with. An application credential has its project, and must not name one.
    pub fn body(&self) -> Value {
        match &self.method {
            Method::Credential { id, secret } => json!({ "auth": { "identity": {
                "methods": ["application_credential"],
                "application_credential": { "id": id.expose(), "secret": secret.expose() },
            } } }),
            Method::Password { user, scope } => json!({ "auth": {
                "identity": { "methods": ["password"], "password": { "user": user } },
                "scope": scope,
            } }),
        }
    }
}

/// Scheme and host of an address, and its path with the version, which tools take with and without.
fn identity(address: &str) -> Option<(String, String)> {
    let url = Url::parse(address).ok().filter(|url| url.has_host())?;
    let path = url.path().trim_end_matches('/');
    let path = path.strip_suffix("/v2.0").unwrap_or(path);
    let path = if path.ends_with("/v3") { path.to_owned() } else { format!("{path}/v3") };
    let mut host = url;
    host.set_path("");
    host.set_query(None);
    host.set_fragment(None);
    Some((host.as_str().trim_end_matches('/').to_owned(), path))
}

/// A part is missing: where it was looked for.
fn lacks<'a>(profile: &Profile, part: &impl Fn(&str) -> Option<&'a str>, name: &str) -> CloudError {
    match part("cloud") {
        Some(cloud) => bad(profile, &format!("cloud “{cloud}” of clouds.yaml lacks `{name}`")),
        None => bad(profile, &format!("the key lacks `{name}`")),
    }
}

fn bad(profile: &Profile, words: &str) -> CloudError {
    CloudError::new(CloudErrorCode::BadKey, format!("{} key", profile.title), words).hint(
        r#"give {"auth_url": "…", "application_credential_id": "…", "application_credential_secret": "…"}, or "username", "password" and "project_name", or {"cloud": "…"} for a cloud of clouds.yaml"#,
    )
}

/// The key that the variables of the ecosystem's tools give, and whose it is: `OS_CLOUD`, or `OS_AUTH_URL` with an
/// application credential or a password.
#[must_use]
pub fn key_of_environment(variable: &dyn Fn(&str) -> Option<String>) -> Option<(&'static str, Secret)> {
    let filled =
        |name: &str| variable(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
    let whose = |address: Option<&str>| {
        let host = address.and_then(|text| Url::parse(text).ok()?.host_str().map(str::to_owned));
        host.map_or(&OPENSTACK, |host| Profile::of_host(&host)).provider
    };
    if let Some(cloud) = filled("OS_CLOUD") {
        // A file that cannot be read is told about when the key is used.
        let address = files::cloud(&cloud, variable).ok().and_then(|parts| parts.get("auth_url").cloned());
        let key = json!({ "cloud": cloud, "region_name": filled("OS_REGION_NAME") });
        return Some((whose(address.as_deref()), Secret::new(key.to_string())));
    }
    let address = filled("OS_AUTH_URL")?;
    let credential = filled("OS_APPLICATION_CREDENTIAL_ID").zip(filled("OS_APPLICATION_CREDENTIAL_SECRET"));
    let mut key = serde_json::Map::new();
    key.insert("auth_url".to_owned(), address.clone().into());
    let names: &[&str] = match credential {
        Some(_) => {
            &["application_credential_id", "application_credential_secret", "region_name", "interface"]
        }
        None => {
            filled("OS_PASSWORD")?;
            &[
                "username",
                "user_id",
                "password",
                "user_domain_name",
                "user_domain_id",
                "project_name",
                "project_id",
                "project_domain_name",
                "project_domain_id",
                "tenant_name",
                "tenant_id",
                "region_name",
                "interface",
            ]
        }
    };
    for name in names {
        if let Some(value) = filled(&format!("OS_{}", name.to_ascii_uppercase())) {
            key.insert((*name).to_owned(), value.into());
        }
    }
    Some((whose(Some(&address)), Secret::new(Value::Object(key).to_string())))
}

#[cfg(test)]
mod tests {
    use super::super::profile::{IMMERS, OVH, SELECTEL, VK};
    use super::*;

    fn read(profile: &Profile, key: &str) -> Result<Login, CloudError> {
        Login::read(profile, &Secret::new(key), false, &|_| None)
    }

    const CREDENTIAL: &str = r#"{"auth_url": "https://k.example:5000", "application_credential_id": "a1",
        "application_credential_secret": "hush"}"#;

    #[test]
    fn an_application_credential_names_no_project() {
        let login = read(&OPENSTACK, CREDENTIAL).unwrap();
        assert_eq!((login.host.as_str(), login.path.as_str()), ("https://k.example:5000", "/v3"));
        assert_eq!(login.interface, "public");
        let body = login.body();
        assert_eq!(body["auth"]["identity"]["application_credential"]["secret"], "hush");
        assert!(body["auth"].get("scope").is_none(), "Keystone refuses one");
    }

    #[test]
    fn a_password_needs_its_domain_and_a_project() {
        let key = r#"{"username": "robot", "password": "hush", "user_domain_name": "123456",
            "project_name": "train", "region_name": "ru-7, ru-9"}"#;
        let login = read(&SELECTEL, key).unwrap();
        assert_eq!(
            (login.host.as_str(), login.path.as_str()),
            ("https://cloud.api.selcloud.ru", "/identity/v3")
        );
        let auth = &login.body()["auth"];
        assert_eq!(auth["identity"]["password"]["user"]["domain"]["name"], "123456");
        assert_eq!(auth["scope"]["project"], json!({ "name": "train", "domain": { "name": "123456" } }));
        assert_eq!(login.regions, ["ru-7", "ru-9"]);
        let at_vk =
            read(&VK, r#"{"username": "a@b.c", "password": "x", "project_id": "p1"}"#).unwrap().body();
        assert_eq!(at_vk["auth"]["identity"]["password"]["user"]["domain"]["name"], "users");
        assert_eq!(at_vk["auth"]["scope"]["project"], json!({ "id": "p1" }));
    }

    #[test]
    fn the_address_is_taken_with_and_without_its_version() {
        for (given, host, path) in [
            ("https://k.example:5000", "https://k.example:5000", "/v3"),
            ("https://k.example/identity/", "https://k.example", "/identity/v3"),
            ("https://k.example/identity/v3/", "https://k.example", "/identity/v3"),
            ("https://k.example/v2.0", "https://k.example", "/v3"),
        ] {
            assert_eq!(identity(given), Some((host.to_owned(), path.to_owned())), "{given}");
        }
    }

    #[test]
    fn a_key_in_another_form_is_refused_by_the_part_it_lacks() {
        for (profile, key, words) in [
            (&OPENSTACK, "hush-hush", "not a JSON object"),
            (&OPENSTACK, r#"{"application_credential_id": "hush"}"#, "lacks `auth_url`"),
            (&IMMERS, r#"{"application_credential_id": "hush"}"#, "lacks `application_credential_secret`"),
            (&IMMERS, r#"{"region_name": "hush"}"#, "has no `username`"),
            (&IMMERS, r#"{"username": "hush", "project_name": "p"}"#, "lacks `password`"),
            (&IMMERS, r#"{"username": "a", "password": "hush"}"#, "lacks `project_name` or `project_id`"),
            (
                &SELECTEL,
                r#"{"username": "a", "password": "hush", "project_id": "p"}"#,
                "lacks `user_domain_name`",
            ),
            (&SELECTEL, r#"{"username": ["hush"]}"#, "`username` is not a text"),
            (
                &OVH,
                r#"{"auth_url": "https://hush.example/v3", "application_credential_id": "a", "application_credential_secret": "b"}"#,
                "not one of OVHcloud",
            ),
        ] {
            let error = read(profile, key).err().unwrap();
            assert_eq!(error.code, CloudErrorCode::BadKey, "{key}");
            assert!(error.detail.contains(words), "{}", error.detail);
            assert!(!format!("{error:?}").contains("hush"), "{error:?}");
            assert!(error.hint.is_some());
        }
    }

    #[test]
    fn what_a_cloud_of_the_file_lacks_is_said_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("clouds.yaml");
        let text =
            "clouds: {work: {auth: {auth_url: 'https://k.example/v3', username: anna, project_name: p}}}";
        std::fs::write(&file, text).unwrap();
        let path = file.to_str().unwrap().to_owned();
        let variable = move |name: &str| (name == "OS_CLIENT_CONFIG_FILE").then(|| path.clone());
        let key = Secret::new(r#"{"cloud": "work"}"#);
        let error = Login::read(&OPENSTACK, &key, false, &variable).err().unwrap();
        assert_eq!(error.detail, "cloud “work” of clouds.yaml lacks `password`");
    }

    #[test]
    fn the_variables_of_the_tools_are_a_key_of_the_cloud_they_name() {
        let of = |set: &'static [(&str, &str)]| {
            key_of_environment(&|name| {
                set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
            })
        };
        let (whose, key) = of(&[
            ("OS_AUTH_URL", "https://api.immers.cloud:5000/v3"),
            ("OS_APPLICATION_CREDENTIAL_ID", "a"),
            ("OS_APPLICATION_CREDENTIAL_SECRET", "b"),
            ("OS_USERNAME", "not asked"),
        ])
        .unwrap();
        assert_eq!(whose, "immers");
        assert!(read(&IMMERS, key.expose()).is_ok() && !key.expose().contains("not asked"));
        let (whose, key) = of(&[
            ("OS_AUTH_URL", "https://k.example/v3"),
            ("OS_USERNAME", "anna"),
            ("OS_PASSWORD", "x"),
            ("OS_PROJECT_NAME", "p"),
            ("OS_REGION_NAME", "r1"),
        ])
        .unwrap();
        assert_eq!(whose, "openstack");
        assert_eq!(read(&OPENSTACK, key.expose()).unwrap().regions, ["r1"]);
        let named = of(&[("OS_CLOUD", "work"), ("OS_CLIENT_CONFIG_FILE", "/no/such/file")]).unwrap();
        assert_eq!((named.0, named.1.expose()), ("openstack", r#"{"cloud":"work","region_name":null}"#));
        for none in [&[][..], &[("OS_AUTH_URL", "https://k.example")], &[("OS_PASSWORD", "x")]] {
            assert!(of(none).is_none());
        }
    }
}
