//! Lists whose entries are read one by one: one of another shape than expected costs only itself.

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::redact;

/// The entries of a list of objects, in its order. What could not be read is kept as the reason.
#[derive(Debug)]
pub struct Each<T>(Vec<Result<T, String>>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Each<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let entries = Vec::<&'de RawValue>::deserialize(deserializer)?;
        Ok(Self(entries.into_iter().map(|entry| read(entry.get())).collect()))
    }
}

/// A list would be taken for an object that has none of its fields, so the shape is looked at first.
fn read<'a, T: Deserialize<'a>>(entry: &'a str) -> Result<T, String> {
    if !entry.starts_with('{') {
        let start: String = entry.chars().take(40).collect();
        return Err(format!("no object: {}", redact::words(&start)));
    }
    serde_json::from_str(entry).map_err(|error| redact::words(&error.to_string()))
}

impl<T> Each<T> {
    /// Whether the list has no entry at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What could be read.
    pub fn good(&self) -> impl Iterator<Item = &T> {
        self.0.iter().flatten()
    }

    /// Every entry with its number, counted from one, or why it could not be read.
    pub fn numbered(&self) -> impl Iterator<Item = (usize, Result<&T, &str>)> {
        self.0.iter().enumerate().map(|(index, entry)| (index + 1, entry.as_ref().map_err(String::as_str)))
    }
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
    }

    #[test]
    fn one_odd_entry_costs_only_itself() {
        let text =
            r#"[{"id": "a"}, "x", 5, null, [], {"id": 7, "id": 8}, {"more": {"deep": []}}, {"id": "b"}]"#;
        let list: Each<Row<'_>> = serde_json::from_str(text).unwrap();
        let ids: Vec<_> = list.good().filter_map(|row| row.id.text()).collect();
        assert_eq!(ids, ["a", "b"]);
        let bad: Vec<_> = list.numbered().filter_map(|(number, row)| Some((number, row.err()?))).collect();
        assert_eq!(bad.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [2, 3, 4, 5, 6]);
        assert_eq!(bad[0].1, "no object: \"x\"");
        assert!(bad[4].1.contains("duplicate field `id`"), "{bad:?}");
        assert!(serde_json::from_str::<Each<Row<'_>>>("{}").is_err());
    }
}
