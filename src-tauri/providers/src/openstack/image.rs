//! The image a server boots from: by id, by name, or the usual one.

use chrono::{DateTime, Utc};

use super::instance::USER;
use super::pages;
use super::session::{Service, Session};
use super::terms::READY;
use super::wire::Image;
use crate::cloud::{CloudError, CloudErrorCode, iso};
use crate::http::{Literal, redact};

/// What an image with drivers has in its name.
const WITH_DRIVERS: [&str; 4] = ["cuda", "nvidia", "gpu", "machine learning"];

/// An image that was found.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Found {
    pub id: String,
    /// The least disk it needs, in GiB.
    pub min_disk: u64,
    /// Who logs in.
    pub user: String,
}

/// Finds an image in a region.
pub(super) async fn find(session: &Session, region: &str, wanted: &str) -> Result<Found, CloudError> {
    let doing = "image";
    let usual = wanted.is_empty() || wanted == READY;
    let mut query = vec![("status", "active")];
    if usual {
        query.push(("visibility", "public"));
    }
    let at = (region, Service::Image);
    let all = pages::all(session, doing, at, ("/v2/images", "images"), &query).await?;
    let images = all.rows.iter().filter_map(|json| serde_json::from_str::<Image<'_>>(json).ok());
    let found = if usual {
        images.filter_map(|image| Some((rank(&image)?, found(&image)?))).max_by_key(|(rank, _)| *rank)
    } else {
        let named = |image: &Image<'_>| {
            let is = |literal: Literal<'_>| literal.text().is_some_and(|text| text == wanted);
            is(image.id) || is(image.name)
        };
        let made = |image: &Image<'_>| Rank { made: iso(image.created_at), ..Rank::default() };
        // Of several of one name the newest.
        images
            .filter(named)
            .filter_map(|image| Some((made(&image), found(&image)?)))
            .max_by_key(|(rank, _)| *rank)
    };
    found.map(|(_, found)| found).ok_or_else(|| {
        let words = if usual {
            format!("{region} has no public image of Ubuntu")
        } else {
            format!("{region} has no image “{wanted}”")
        };
        let error = session.error(CloudErrorCode::Refused, doing, words);
        error.hint("choose an image by its name or id, as the cloud's own page lists them")
    })
}

/// How good an image is as the usual one, the best last.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    drivers: bool,
    /// `24.04` → 2404.
    version: u32,
    made: Option<DateTime<Utc>>,
}

/// `None` for what cannot be the usual one.
fn rank(image: &Image<'_>) -> Option<Rank> {
    let name = image.name.text()?.to_lowercase();
    let foreign = image.architecture.text().is_some_and(|arch| arch != "x86_64") || name.contains("arm64");
    if !name.contains("ubuntu") || foreign || image.os_hidden.flag() == Some(true) {
        return None;
    }
    let version = name.split(|c: char| !c.is_ascii_digit() && c != '.').find_map(|word| {
        let (year, month) = word.split_once('.')?;
        let month = month.get(..2)?;
        Some(year.parse::<u32>().ok()?.checked_mul(100)? + month.parse::<u32>().ok()?)
    });
    Some(Rank {
        drivers: WITH_DRIVERS.iter().any(|word| name.contains(word)),
        version: version.unwrap_or(0),
        made: iso(image.created_at),
    })
}

fn found(image: &Image<'_>) -> Option<Found> {
    let text = |literal: Literal<'_>| literal.text().map(|text| redact::words(&text));
    let name = text(image.name).unwrap_or_default();
    let user = text(image.os_admin_user).filter(|user| is_user(user));
    let user = user.unwrap_or_else(|| usual_user(&text(image.os_distro).unwrap_or_default(), &name));
    Some(Found { id: text(image.id)?, min_disk: image.min_disk.whole().unwrap_or(0), user })
}

fn is_user(text: &str) -> bool {
    text.len() <= 32 && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
}

/// The user of a system's own cloud images.
fn usual_user(distro: &str, name: &str) -> String {
    let said = format!("{distro} {name}").to_lowercase();
    const USERS: [(&str, &str); 7] = [
        ("ubuntu", "ubuntu"),
        ("debian", "debian"),
        ("rocky", "rocky"),
        ("alma", "almalinux"),
        ("fedora", "fedora"),
        ("centos", "centos"),
        ("arch", "arch"),
    ];
    USERS.iter().find(|(word, _)| said.contains(word)).map_or(USER, |(_, user)| user).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(json: &str) -> Option<Rank> {
        rank(&serde_json::from_str(json).unwrap())
    }

    #[test]
    fn the_newest_ubuntu_with_drivers_is_the_usual_one() {
        let best = [
            r#"{"name": "Ubuntu 24.04 LTS 64-bit"}"#,
            r#"{"name": "Ubuntu 22.04 LTS Machine Learning 64-bit", "created_at": "2026-01-01T00:00:00Z"}"#,
            r#"{"name": "Ubuntu 22.04 LTS Machine Learning 64-bit", "created_at": "2026-06-01T00:00:00Z"}"#,
        ];
        let ranks: Vec<Option<Rank>> = best.iter().map(|json| of(json)).collect();
        assert!(ranks.is_sorted() && ranks.iter().all(Option::is_some), "{ranks:?}");
        for none in [
            r#"{"name": "Debian 12"}"#,
            r#"{"name": "ubuntu-24.04-arm64"}"#,
            r#"{"name": "ubuntu-24.04", "os_hidden": true}"#,
            r#"{"name": "ubuntu-24.04", "architecture": "aarch64"}"#,
            r#"{"id": "nameless"}"#,
        ] {
            assert_eq!(of(none), None, "{none}");
        }
    }

    #[test]
    fn the_user_is_the_systems_own() {
        let user = |json: &str| found(&serde_json::from_str(json).unwrap()).unwrap().user;
        assert_eq!(user(r#"{"id": "a", "name": "x", "os_distro": "debian"}"#), "debian");
        assert_eq!(user(r#"{"id": "a", "name": "Rocky-9"}"#), "rocky");
        assert_eq!(user(r#"{"id": "a", "name": "ubuntu", "os_admin_user": "root"}"#), "root");
        assert_eq!(user(r#"{"id": "a", "name": "ubuntu", "os_admin_user": "a b"}"#), "ubuntu");
        assert_eq!(user(r#"{"id": "a", "name": "my own"}"#), "ubuntu");
    }
}
