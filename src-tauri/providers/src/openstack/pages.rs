//! Lists that come in pages. Nova, Neutron and Cinder link to the next one by their own idea of their host, Glance by a
//! path: of a link only the query is followed, at the address that was asked.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::RawValue;

use super::session::{Service, Session};
use crate::cloud::CloudError;
use crate::http::Literal;

/// Rows asked for at once.
const SIZE: usize = 100;

/// The most pages that are followed.
const MOST_PAGES: usize = 100;

/// The rows of a list, and whether its end was surely reached.
#[derive(Debug)]
pub(super) struct Rows {
    /// Each as it stands on the wire.
    pub rows: Vec<String>,
    /// Whether no page is missing.
    pub complete: bool,
}

#[derive(Debug, Default, serde::Deserialize)]
#[serde(default)]
struct Id<'a> {
    #[serde(borrow)]
    id: Literal<'a>,
}

/// Reads every page of `path`, whose rows stand under `name`. `query` is what is asked for beside the page.
pub(super) async fn all(
    session: &Session,
    doing: &str,
    (region, service): (&str, Service),
    (path, name): (&str, &str),
    query: &[(&str, &str)],
) -> Result<Rows, CloudError> {
    let filters = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish();
    let first = if filters.is_empty() { format!("limit={SIZE}") } else { format!("{filters}&limit={SIZE}") };
    let mut asked: Vec<String> = Vec::new();
    let mut rows: Vec<String> = Vec::new();
    let mut next = Some(first.clone());
    while let Some(query) = next {
        if asked.contains(&query) || asked.len() >= MOST_PAGES {
            return Ok(Rows { rows, complete: false });
        }
        let answer = session.get(doing, (region, service), &format!("{path}?{query}")).await?;
        asked.push(query);
        let text = answer.json_text();
        let page: Page<'_> = answer.parse(&text)?;
        let list = page.get(name).ok_or_else(|| answer.bad(format!("JSON without `{name}`")))?;
        let here: Vec<&RawValue> = answer.parse(list.get())?;
        rows.extend(here.iter().map(|row| row.get().to_owned()));
        next = match here.last() {
            None => None,
            Some(last) => linked(&page, name).or_else(|| {
                // A full page without a link: the end is proved by asking for what is behind it.
                let id = serde_json::from_str::<Id<'_>>(last.get()).unwrap_or_default().id.text()?;
                let marker = url::form_urlencoded::byte_serialize(id.as_bytes()).collect::<String>();
                (here.len() >= SIZE).then(|| format!("{first}&marker={marker}"))
            }),
        };
    }
    Ok(Rows { rows, complete: true })
}

/// The fields of a page.
type Page<'a> = BTreeMap<String, &'a RawValue>;

/// The query of the link to the next page.
fn linked(page: &Page<'_>, name: &str) -> Option<String> {
    let field = |wanted: &str| serde_json::from_str::<Value>(page.get(wanted)?.get()).ok();
    let links = field(&format!("{name}_links")).unwrap_or_default();
    let next = links.as_array().into_iter().flatten().find(|link| link["rel"] == "next");
    let href = next.and_then(|link| link["href"].as_str().map(str::to_owned));
    let href = href.or_else(|| field("next")?.as_str().map(str::to_owned))?;
    href.split_once('?').map(|(_, query)| query.split('#').next().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_followed_by_its_query_alone() {
        let read = |text: &str, name: &str| linked(&serde_json::from_str(text).unwrap(), name);
        let nova = r#"{"servers": [], "servers_links": [{"rel": "self", "href": "x?a=1"},
            {"rel": "next", "href": "http://10.0.0.1:8774/v2.1/servers/detail?limit=2&marker=b"}]}"#;
        assert_eq!(read(nova, "servers").as_deref(), Some("limit=2&marker=b"));
        let glance = r#"{"images": [], "next": "/v2/images?limit=2&marker=c"}"#;
        assert_eq!(read(glance, "images").as_deref(), Some("limit=2&marker=c"));
        assert_eq!(read(r#"{"ports": [], "ports_links": null, "next": null}"#, "ports"), None);
    }
}
