//! Tags of a machine set anew where the whole list goes out: what is not ours stays as it was.

use crate::http::Literal;

/// The tags of an answer. `None` where they are no list of texts: nothing of what is not understood may be written back,
/// and a list that is left out is not an empty one.
pub(crate) fn plain_tags(told: Literal<'_>) -> Option<Vec<String>> {
    serde_json::from_str(told.raw()?).ok()
}

/// These tags with ours of the same beginnings set anew: each of `ours` is a beginning, which ends before the value, and
/// a whole tag.
pub(crate) fn renewed(present: Vec<String>, ours: &[(String, String)]) -> Vec<String> {
    let old = |tag: &String| ours.iter().any(|(begins, _)| tag.starts_with(begins.as_str()));
    let mut tags: Vec<String> = present.into_iter().filter(|tag| !old(tag)).collect();
    tags.extend(ours.iter().map(|(_, tag)| tag.clone()));
    tags
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    struct Told<'a> {
        #[serde(borrow, default)]
        tags: Literal<'a>,
    }

    #[test]
    fn what_is_not_ours_stays_and_what_is_not_understood_is_not_touched() {
        let read = |json: &str| plain_tags(serde_json::from_str::<Told<'_>>(json).unwrap().tags);
        assert_eq!(read(r#"{"tags": []}"#), Some(vec![]));
        for bad in [r#"{"tags": null}"#, "{}", r#"{"tags": "a"}"#, r#"{"tags": ["a", 1]}"#] {
            assert_eq!(read(bad), None, "{bad}");
        }
        let present =
            read(r#"{"tags": ["team ", "gpudesk-01", "gpudesk-until=1", "gpudesk-owner=a"]}"#).unwrap();
        let ours = [("gpudesk-until=".to_owned(), "gpudesk-until=2".to_owned())];
        let new = ["team ", "gpudesk-01", "gpudesk-owner=a", "gpudesk-until=2"];
        assert_eq!(renewed(present, &ours), new);
        assert_eq!(renewed(new.map(str::to_owned).to_vec(), &ours), new, "twice is once");
    }
}
