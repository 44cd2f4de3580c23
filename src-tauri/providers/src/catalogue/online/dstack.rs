//! dstack's bucket: a version file a cloud, and an archive a version.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};

use crate::catalogue::dstack::read_zip;
use crate::catalogue::online::parsed;
use crate::http::{Base, Call, Refusal, Verdict};
use crate::source::{FeedAnswer, Fetch, SourceConfig, SourceError, SourceErrorCode};

const ADDRESS: &str = "https://dstack-gpu-pricing.s3.eu-west-1.amazonaws.com";

/// What the desk keeps as the version of rows from here begins with this.
const MARK: &str = "dstack:";

/// A version is a date and a run number (`20261130-1234`); anything much longer is something else.
const LONGEST_VERSION: usize = 64;

pub(super) struct Bucket {
    base: Base,
}

impl Bucket {
    pub fn new(config: &SourceConfig) -> Self {
        Self { base: config.base("catalogue", ADDRESS) }
    }

    /// The list of one cloud, unless the version at hand is still the newest.
    pub async fn fetch(
        &self,
        cx: &Fetch<'_>,
        cloud: &'static str,
        what: &str,
        held: Option<&str>,
    ) -> Result<FeedAnswer, SourceError> {
        let url = self.base.join(&format!("/v3/{cloud}/version"))?;
        let answer = cx.http.read(&Call::get(what, url).expecting("a version").explain(absent)).await?;
        let text = answer.text();
        let version = text.trim();
        if !is_version(version) {
            return Err(answer.bad(format!("`{version}` is not a version such as 20261130-1234")));
        }
        let mark = Some(format!("{MARK}{version}"));
        if held == mark.as_deref() {
            return Ok(FeedAnswer::Unchanged { version: mark });
        }
        let url = self.base.join(&format!("/v3/{cloud}/{version}/catalog.zip"))?;
        let archive =
            cx.http.read(&Call::get(what, url).expecting("a zip archive").explain(absent)).await?.body;
        let origin = format!("dstack catalogue {version}");
        let as_of = collected(version, (cx.now)());
        let fetched = parsed(what, move || read_zip(cloud, &archive, as_of, &origin)).await?;
        Ok(FeedAnswer::Fetched { fetched, version: mark })
    }
}

/// It becomes a part of an address.
fn is_version(text: &str) -> bool {
    (1..=LONGEST_VERSION).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_'))
        && !text.starts_with('.')
}

/// A version tells the day on which it was collected, one of many times that day; the last of them counts.
fn collected(version: &str, now: DateTime<Utc>) -> DateTime<Utc> {
    let day = version.get(..8).and_then(|day| NaiveDate::parse_from_str(day, "%Y%m%d").ok());
    let end = day.and_then(|day| day.succ_opt()).map(|next| next.and_time(NaiveTime::MIN).and_utc());
    end.map_or(now, |end| end.min(now))
}

/// A bucket that does not list its files answers 403 for one that is not there.
fn absent(refusal: &Refusal<'_>) -> Option<Verdict> {
    (refusal.status == 403).then(|| Verdict::Fail(refusal.error(SourceErrorCode::Gone)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_cannot_lead_elsewhere() {
        assert!(is_version("20261130-1234"));
        for odd in ["", "../x", "a/b", "<html>", "20261130 1234", ".hidden"] {
            assert!(!is_version(odd), "{odd}");
        }
        assert!(!is_version(&"1".repeat(65)));
    }

    #[test]
    fn a_list_is_as_old_as_its_version_says() {
        let now: DateTime<Utc> = "2026-11-30T09:00:00Z".parse().unwrap();
        assert_eq!(collected("20261130-1234", now), now, "today, some time until now");
        assert_eq!(collected("20261127-99", now).to_rfc3339(), "2026-11-28T00:00:00+00:00");
        assert_eq!(collected("latest", now), now);
    }
}
