//! Parts of an answer that never cost the whole: a block or a list of another shape than expected says nothing.

use std::ops::Deref;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// A block inside a row. `null`, anything that is no object, and an object that cannot be read are a block without any
/// field. For what the row can do without: where a block must be there, its fields are looked at.
#[derive(Debug, Clone, Copy, Default)]
pub struct Block<T>(T);

impl<'de, T: Deserialize<'de> + Default> Deserialize<'de> for Block<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&'de RawValue>::deserialize(deserializer)?;
        Ok(Self(part(raw.get()).unwrap_or_default()))
    }
}

impl<T> Deref for Block<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// A list inside a row, with the entries that could be read; `null` and anything that is no list has none. For what
/// the row can do without: entries that are offers are read by [`super::Each`], which tells of the others.
#[derive(Debug, Clone)]
pub struct List<T>(Vec<T>);

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&'de RawValue>::deserialize(deserializer)?;
        let entries: Vec<&'de RawValue> = serde_json::from_str(raw.get()).unwrap_or_default();
        let good = entries.into_iter().filter(|entry| entry.get() != "null");
        Ok(Self(good.filter_map(|entry| entry_of(entry.get())).collect()))
    }
}

impl<T> Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> IntoIterator for List<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'l, T> IntoIterator for &'l List<T> {
    type Item = &'l T;
    type IntoIter = std::slice::Iter<'l, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// A block from its text. A list would be taken for a block that has none of its fields, so the shape is looked at.
fn part<'de, T: Deserialize<'de>>(text: &'de str) -> Option<T> {
    text.starts_with('{').then(|| serde_json::from_str(text).ok()).flatten()
}

/// An entry of a list: a block, or a bare value.
fn entry_of<'de, T: Deserialize<'de>>(text: &'de str) -> Option<T> {
    if text.starts_with('[') { None } else { serde_json::from_str(text).ok() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::Literal;

    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    struct Row<'a> {
        #[serde(borrow)]
        id: Literal<'a>,
        #[serde(borrow)]
        place: Block<Place<'a>>,
        #[serde(borrow)]
        tags: Option<List<Tag<'a>>>,
        #[serde(borrow)]
        names: Option<List<Literal<'a>>>,
    }

    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    struct Place<'a> {
        #[serde(borrow)]
        name: Literal<'a>,
    }

    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    struct Tag<'a> {
        #[serde(borrow)]
        key: Literal<'a>,
    }

    #[test]
    fn an_odd_part_costs_only_itself() {
        for (odd, place, tags, names) in [
            (r#"{"id": 1, "place": null, "tags": null, "names": null}"#, None, 0, 0),
            (r#"{"id": 1}"#, None, 0, 0),
            (r#"{"id": 1, "place": [], "tags": {}, "names": "a"}"#, None, 0, 0),
            (r#"{"id": 1, "place": "x", "tags": 5, "names": {"a": 1}}"#, None, 0, 0),
            (
                r#"{"id": 1, "place": {"name": "a"}, "tags": [null, {"key": "k"}, 7, []], "names": [null, "b", 3]}"#,
                Some("a"),
                1,
                2,
            ),
        ] {
            let row: Row<'_> = serde_json::from_str(odd).unwrap();
            assert_eq!(row.id.text().as_deref(), Some("1"), "{odd}");
            assert_eq!(row.place.name.text().as_deref(), place, "{odd}");
            assert_eq!(
                row.tags.as_deref().unwrap_or_default().iter().filter(|tag| tag.key.text().is_some()).count(),
                tags,
                "{odd}"
            );
            assert_eq!(row.names.as_deref().unwrap_or_default().len(), names, "{odd}");
        }
    }
}
