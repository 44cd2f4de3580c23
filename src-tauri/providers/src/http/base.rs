//! Base addresses: the documented one, or one that replaces it for a test, a mirror or a gateway.

use std::net::IpAddr;

use url::{Host, Url};

use crate::source::{SourceError, SourceErrorCode};

/// Where a service answers. A replacement changes scheme, host and port; the documented paths stay, after whatever
/// path the replacement itself has. Plain http is taken for loopback only.
#[derive(Debug, Clone)]
pub struct Base {
    address: String,
}

impl Base {
    /// `documented` is scheme and host as the provider's page says; `replacement` comes from the user.
    #[must_use]
    pub fn new(documented: &str, replacement: Option<&str>) -> Self {
        let given = replacement.map(str::trim).filter(|text| !text.is_empty());
        Self { address: given.unwrap_or(documented).to_owned() }
    }

    /// The address of `path` (which starts with `/` and may carry a query).
    ///
    /// # Errors
    /// [`SourceErrorCode::Config`] where the address is no URL, or is plain http to another machine.
    pub fn join(&self, path: &str) -> Result<Url, SourceError> {
        let mut url = Url::parse(&self.address).map_err(|error| {
            self.error(&format!("is not an address: {error}"), "write it as https://host")
        })?;
        match url.scheme() {
            "https" => {}
            "http" if is_loopback(&url) => {}
            "http" => {
                return Err(self.error(
                    "is plain http to another machine, where anybody on the way can read and change the answer",
                    "use https; plain http is accepted for 127.0.0.1, ::1 and localhost only",
                ));
            }
            other => return Err(self.error(&format!("has the scheme `{other}`"), "use https")),
        }
        if url.host_str().is_none_or(str::is_empty) {
            return Err(self.error("names no host", "write it as https://host"));
        }
        let (path, query) = match path.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (path, None),
        };
        let prefix = url.path().trim_end_matches('/').to_owned();
        url.set_path(&joined(&prefix, path));
        url.set_query(query);
        url.set_fragment(None);
        Ok(url)
    }

    fn error(&self, what_is_wrong: &str, hint: &str) -> SourceError {
        let shown = super::redact::address(&self.address);
        SourceError::new(
            SourceErrorCode::Config,
            format!("base address {shown}"),
            format!("the base address {shown} {what_is_wrong}"),
        )
        .hint(hint)
    }
}

/// Prefix and path as one path. A prefix that already ends in the path's first segments (somebody gave
/// `https://host/api/v0` for a service whose paths begin with `/api/v0`) does not get them twice.
fn joined(prefix: &str, path: &str) -> String {
    let starts = path.match_indices('/').map(|(at, _)| at).filter(|at| *at > 0);
    let overlap = starts.filter(|at| prefix.ends_with(&path[..*at])).max().unwrap_or(0);
    format!("{prefix}{}", &path[overlap..])
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(ip)) => IpAddr::V4(ip).is_loopback(),
        Some(Host::Ipv6(ip)) => IpAddr::V6(ip).is_loopback(),
        Some(Host::Domain(name)) => name.eq_ignore_ascii_case("localhost"),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn join(replacement: &str, path: &str) -> String {
        Base::new("https://console.vast.ai", Some(replacement)).join(path).unwrap().to_string()
    }

    #[test]
    fn the_documented_address_is_used_unless_another_is_given() {
        let documented = Base::new("https://console.vast.ai", None);
        assert_eq!(
            documented.join("/api/v0/bundles/").unwrap().as_str(),
            "https://console.vast.ai/api/v0/bundles/"
        );
        let empty = Base::new("https://a.example", Some("  "));
        assert_eq!(
            empty.join("/x").unwrap().as_str(),
            "https://a.example/x",
            "an empty variable is no address"
        );
    }

    #[test]
    fn a_replacement_keeps_the_documented_path() {
        for given in ["http://127.0.0.1:8080", "http://127.0.0.1:8080/", " http://127.0.0.1:8080 "] {
            assert_eq!(join(given, "/api/v0/bundles/"), "http://127.0.0.1:8080/api/v0/bundles/");
        }
        assert_eq!(join("https://gw.example/x/", "/api/v0/bundles/"), "https://gw.example/x/api/v0/bundles/");
        assert_eq!(
            join("https://gw.example/api/v0", "/api/v0/bundles/"),
            "https://gw.example/api/v0/bundles/"
        );
        assert_eq!(join("https://gw.example/x/api/v0/", "/api/v0/b/"), "https://gw.example/x/api/v0/b/");
        assert_eq!(join("https://gw.example?a=1#f", "/s.asp?date=1"), "https://gw.example/s.asp?date=1");
    }

    #[test]
    fn plain_http_is_for_loopback_only() {
        for given in ["http://127.0.0.1", "http://127.9.9.9:1", "http://[::1]:80", "http://localhost:9"] {
            assert!(Base::new("https://a.example", Some(given)).join("/x").is_ok(), "{given}");
        }
        for given in
            ["http://10.0.0.1", "http://localhost.evil.example", "ftp://127.0.0.1", "vast", "http://"]
        {
            let error = Base::new("https://a.example", Some(given)).join("/x").unwrap_err();
            assert_eq!(error.code, SourceErrorCode::Config, "{given}");
            assert!(error.hint.is_some());
        }
        let error = Base::new("https://a.example", Some("http://10.0.0.1")).join("/x").unwrap_err();
        assert!(error.detail.contains("plain http"), "{}", error.detail);
    }

    #[test]
    fn a_password_in_the_address_is_not_repeated() {
        let error = Base::new("https://a.example", Some("http://me:pa55@10.0.0.1")).join("/x").unwrap_err();
        assert!(!error.detail.contains("pa55"), "{}", error.detail);
        assert!(error.detail.contains("10.0.0.1"));
    }
}
