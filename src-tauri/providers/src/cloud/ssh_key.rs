//! Public keys as accounts keep them.

use super::{CloudError, CloudErrorCode, Effect};
use crate::http::redact;

/// How many names are tried where somebody else has given one away.
const NAMES: u32 = 3;

/// Kind and body of a public key: what tells two keys apart, whatever comments stand behind. `None` where the text is
/// no public key.
pub(crate) fn material(key: &str) -> Option<(&str, &str)> {
    let mut parts = key.split_whitespace();
    Some((parts.next()?, parts.next().filter(|body| body.len() >= 16)?))
}

/// Kind and body of a key that is to be let in. `what` names the call in the error: `Lambda SSH key`.
pub(crate) fn wanted(what: String, key: &str) -> Result<(&str, &str), CloudError> {
    material(key).ok_or_else(|| {
        CloudError::new(CloudErrorCode::SshKeyRefused, what, "not a public key")
            .hint("give one line such as `ssh-ed25519 AAAA…`")
    })
}

/// The names to register a key under, one after the other where one is taken.
pub(crate) fn names(key: (&str, &str)) -> impl Iterator<Item = String> + use<> {
    numbered(name(key))
}

/// A name, and numbered ones for where it is taken.
pub(crate) fn numbered(name: String) -> impl Iterator<Item = String> + use<> {
    (1..=NAMES).map(move |attempt| if attempt == 1 { name.clone() } else { format!("{name}-{attempt}") })
}

/// The error of a key that was not registered. Whatever became of the key: no machine was made.
pub(crate) fn unregistered(error: CloudError) -> CloudError {
    let code = match error.code {
        CloudErrorCode::Refused => CloudErrorCode::SshKeyRefused,
        code => code,
    };
    CloudError { code, effect: Effect::Nothing, ..error }
}

/// A name that follows from the key, so that a key registered by a call whose answer was lost is not registered
/// again under another one: the end of its body, which differs from key to key.
pub(crate) fn name((_, body): (&str, &str)) -> String {
    let plain: Vec<char> = body.chars().filter(char::is_ascii_alphanumeric).collect();
    let tail: String = plain[plain.len().saturating_sub(12)..].iter().collect();
    format!("gpudesk-{}", redact::words(&tail))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_compared_by_their_material() {
        let key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBody anna@desk";
        assert_eq!(material(key), material("ssh-ed25519  AAAAC3NzaC1lZDI1NTE5AAAAIBody\n"));
        assert_ne!(material(key), material("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOther anna@desk"));
        assert_eq!(material("ssh-ed25519"), None);
        assert_eq!(material("ssh-ed25519 short"), None);
    }

    #[test]
    fn a_key_that_is_none_is_told_what_one_looks_like() {
        let error = wanted("Cloud SSH key".to_owned(), "/home/anna/.ssh/id.pub").unwrap_err();
        assert_eq!(error.code, CloudErrorCode::SshKeyRefused);
        assert_eq!(error.to_string(), "Cloud SSH key: not a public key");
        assert!(error.hint.is_some_and(|hint| hint.contains("ssh-ed25519 AAAA")));
    }

    #[test]
    fn a_taken_name_has_numbered_ones_behind_it() {
        assert_eq!(
            numbered("gpudesk-x".to_owned()).collect::<Vec<_>>(),
            ["gpudesk-x", "gpudesk-x-2", "gpudesk-x-3"]
        );
    }

    #[test]
    fn a_refused_key_is_told_as_one_and_made_nothing() {
        let refused = |code| {
            let error = CloudError::new(code, "x", "y").with_effect(Effect::Unclear);
            let error = unregistered(error);
            (error.code, error.effect)
        };
        assert_eq!(refused(CloudErrorCode::Refused), (CloudErrorCode::SshKeyRefused, Effect::Nothing));
        assert_eq!(refused(CloudErrorCode::BadKey), (CloudErrorCode::BadKey, Effect::Nothing));
    }

    #[test]
    fn the_name_follows_from_the_key() {
        assert_eq!(name(("ssh-ed25519", "AAAAC3NzaC1lZDI1NTE5AAAAIBody/+=")), "gpudesk-TE5AAAAIBody");
    }
}
