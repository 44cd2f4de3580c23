//! Public keys as accounts keep them.

use crate::http::redact;

/// Kind and body of a public key: what tells two keys apart, whatever comments stand behind. `None` where the text is
/// no public key.
pub(crate) fn material(key: &str) -> Option<(&str, &str)> {
    let mut parts = key.split_whitespace();
    Some((parts.next()?, parts.next().filter(|body| body.len() >= 16)?))
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
    fn the_name_follows_from_the_key() {
        assert_eq!(name(("ssh-ed25519", "AAAAC3NzaC1lZDI1NTE5AAAAIBody/+=")), "gpudesk-TE5AAAAIBody");
    }
}
