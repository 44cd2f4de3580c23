//! Host keys: each rental's own, pinned to its id and not to an address that another machine may have tomorrow.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use sha2::{Digest, Sha256};

use crate::SshError;
use crate::files::Files;

/// A host key on record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostKey {
    /// `ssh-ed25519`.
    pub kind: String,
    /// The key itself, Base64.
    pub key: String,
    /// `SHA256:…`.
    pub fingerprint: String,
}

/// The name under which a rental's host key is kept. OpenSSH compares names in lower case.
#[must_use]
pub fn host_key_alias(rental: &str) -> String {
    rental.to_ascii_lowercase()
}

/// `SHA256:…` of a key in Base64; `None` where it is none.
#[must_use]
pub fn fingerprint(key: &str) -> Option<String> {
    let key = STANDARD.decode(key).ok()?;
    Some(format!("SHA256:{}", STANDARD_NO_PAD.encode(Sha256::digest(key))))
}

/// The keys on record for a rental; none before the first connection.
///
/// # Errors
/// [`SshError::Here`] when the record cannot be read: it is then not taken for empty.
pub fn known(files: &Files, rental: &str) -> Result<Vec<HostKey>, SshError> {
    let alias = host_key_alias(rental);
    Ok(Files::read(&files.known_hosts())?.lines().filter_map(|line| parse(line, &alias)).collect())
}

/// Forgets the keys of a rental that is over.
///
/// # Errors
/// [`SshError::Here`] when the record cannot be read or written.
pub fn forget(files: &Files, rental: &str) -> Result<(), SshError> {
    rewrite(files, rental, None)
}

/// Puts `key` in the place of whatever is on record for the rental; the lines of other rentals stay as they are.
pub(crate) fn replace(files: &Files, rental: &str, key: &HostKey) -> Result<(), SshError> {
    rewrite(files, rental, Some(key))
}

fn rewrite(files: &Files, rental: &str, key: Option<&HostKey>) -> Result<(), SshError> {
    let _lock = files.lock()?;
    let path = files.known_hosts();
    let alias = host_key_alias(rental);
    let before = Files::read(&path)?;
    let mut after: String =
        before.split_inclusive('\n').filter(|line| parse(line.trim_end(), &alias).is_none()).collect();
    if let Some(HostKey { kind, key, .. }) = key {
        if !after.is_empty() && !after.ends_with('\n') {
            after.push('\n');
        }
        after.push_str(&format!("{alias} {kind} {key}\n"));
    }
    if before == after { Ok(()) } else { Files::write(&path, &before, &after) }
}

/// A line of the record, where it is of this name.
pub(crate) fn parse(line: &str, alias: &str) -> Option<HostKey> {
    let mut words = line.split_ascii_whitespace();
    if words.next()? != alias {
        return None;
    }
    let (kind, key) = (words.next()?.to_owned(), words.next()?.to_owned());
    let fingerprint = fingerprint(&key)?;
    Some(HostKey { kind, key, fingerprint })
}

#[cfg(test)]
mod tests {
    use super::*;

    // The host key that GitHub publishes, and the fingerprint it publishes for it.
    const KEY: &str = "AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl";
    const FINGERPRINT: &str = "SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU";

    #[test]
    fn a_fingerprint_is_the_one_openssh_prints() {
        assert_eq!(fingerprint(KEY).as_deref(), Some(FINGERPRINT));
        assert_eq!(fingerprint("not base64!"), None);
    }

    #[test]
    fn replacing_one_rentals_key_leaves_the_others() {
        let home = tempfile::tempdir().unwrap();
        let files = Files::new(home.path());
        files.prepare().unwrap();
        let other = format!("01b ssh-ed25519 {KEY}\n");
        std::fs::write(files.known_hosts(), format!("01a ssh-rsa AAAA\n{other}01a ssh-ed25519 AAAB"))
            .unwrap();
        assert_eq!(known(&files, "01A").unwrap().len(), 2);
        let key = HostKey { kind: "ssh-ed25519".into(), key: KEY.into(), fingerprint: FINGERPRINT.into() };
        replace(&files, "01A", &key).unwrap();
        let text = std::fs::read_to_string(files.known_hosts()).unwrap();
        assert_eq!(text, format!("{other}01a ssh-ed25519 {KEY}\n"));
        assert_eq!(known(&files, "01A").unwrap(), [key]);
        forget(&files, "01A").unwrap();
        assert_eq!(std::fs::read_to_string(files.known_hosts()).unwrap(), other);
    }
}
