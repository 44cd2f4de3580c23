//! Keys that come from outside the keyring: the environment, a file that only its owner can read, this session's
//! memory.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use gpudesk_providers::http::Secret;
use serde_json::{Map, Value};

use super::{AccountError, AccountName};

/// The most a file of keys may hold.
const MAX_FILE_BYTES: u64 = 256 * 1024;

/// Keys the desk is opened with.
#[derive(Debug, Clone, Default)]
pub struct OutsideKeys {
    /// By the middle of `GPUDESK_<…>_KEY` in lower case: `vast`, `vast_team`.
    pub environment: BTreeMap<String, Secret>,
    /// The file of keys of `GPUDESK_KEYS_FILE`; `None` = `keys.json` in the desk's folder, if there is one.
    pub file: Option<PathBuf>,
}

/// The variable that carries an account's key.
pub(super) fn variable_name(account: &str) -> String {
    format!("GPUDESK_{}_KEY", account.replace(['/', '-'], "_").to_ascii_uppercase())
}

/// A key as it was typed or pasted, fit to be used: white space round it is taken away (a line break behind a pasted
/// key was seen to be refused by a provider).
///
/// # Errors
/// [`AccountError::BadKey`] for an empty one and for one with control characters inside; a JSON object may have lines.
pub(super) fn tidy(account: &AccountName, key: &str) -> Result<Secret, AccountError> {
    let key = key.trim().trim_matches('\u{feff}').trim();
    let bad = |problem| AccountError::BadKey { account: account.to_string(), problem };
    if key.is_empty() {
        return Err(bad("is empty"));
    }
    if key.starts_with('{') {
        return match serde_json::from_str::<Map<String, Value>>(key) {
            Ok(_) => Ok(Secret::new(key)),
            Err(_) => Err(bad("begins like a JSON object and is none")),
        };
    }
    if key.chars().any(|c| c.is_control() || c.is_whitespace()) {
        return Err(bad("has white space or a line break inside"));
    }
    if !key.is_ascii() {
        return Err(bad("has letters that no provider's key has"));
    }
    Ok(Secret::new(key))
}

/// The keys of a file, by account name as written there. A file that is not there has none.
///
/// # Errors
/// [`AccountError::KeysFile`] where others may read it, it belongs to somebody else or is no JSON object of keys.
pub(super) fn read_file(path: &Path) -> Result<BTreeMap<String, Secret>, AccountError> {
    let bad = |problem: String| AccountError::KeysFile { path: path.to_owned(), problem };
    let file = match std::fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        Err(error) => return Err(bad(error.to_string())),
    };
    // The open file is asked, not the path: what is looked at is what is read.
    let about = file.metadata().map_err(|error| bad(error.to_string()))?;
    if !about.is_file() {
        return Err(bad("it is no file".to_owned()));
    }
    refuse_readable_by_others(&about).map_err(bad)?;
    let mut text = String::new();
    file.take(MAX_FILE_BYTES + 1).read_to_string(&mut text).map_err(|error| bad(error.to_string()))?;
    if text.len() as u64 > MAX_FILE_BYTES {
        return Err(bad("it is too large".to_owned()));
    }
    // The parser's own words could repeat a key; line and column do not.
    let object: Map<String, Value> =
        serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| {
            bad(format!("it is no JSON object: line {}, column {}", error.line(), error.column()))
        })?;
    let key = |(name, value): (String, Value)| match value {
        Value::String(key) => Ok((name, Secret::new(key))),
        Value::Object(parts) => Ok((name, Secret::new(Value::Object(parts).to_string()))),
        _ => Err(bad(format!("the key of `{name}` is neither text nor an object"))),
    };
    object.into_iter().map(key).collect()
}

/// Changes one account's key in the file; `None` takes it out. The file is replaced whole.
pub(super) fn write_file(path: &Path, account: &str, key: Option<&Secret>) -> Result<(), AccountError> {
    let bad = |error: std::io::Error| AccountError::KeysFile {
        path: path.to_owned(),
        problem: format!("it cannot be written: {error}"),
    };
    let mut keys = read_file(path)?;
    match key {
        Some(key) => keys.insert(account.to_owned(), key.clone()),
        None => keys.remove(account),
    };
    let object: Map<String, Value> = keys
        .into_iter()
        .map(|(name, key)| {
            let value = match serde_json::from_str(key.expose()) {
                Ok(Value::Object(parts)) => Value::Object(parts),
                _ => Value::String(key.expose().to_owned()),
            };
            (name, value)
        })
        .collect();
    let text = format!("{:#}\n", Value::Object(object));
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}", std::process::id()));
    let beside = PathBuf::from(beside);
    let written = write_private(&beside, text.as_bytes()).and_then(|()| std::fs::rename(&beside, path));
    written.map_err(|error| {
        // Half a file of keys is of no use to anybody; that it cannot be removed changes nothing about the error.
        let _ = std::fs::remove_file(&beside);
        bad(error)
    })
}

fn write_private(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

#[cfg(unix)]
fn refuse_readable_by_others(about: &std::fs::Metadata) -> Result<(), String> {
    use std::os::unix::fs::MetadataExt;
    let open = about.mode() & 0o077;
    if open != 0 {
        return Err(format!("others may read or change it (mode {:o})", about.mode() & 0o777));
    }
    if about.uid() != rustix::process::geteuid().as_raw() {
        return Err("it belongs to somebody else".to_owned());
    }
    Ok(())
}

/// Elsewhere a file in the person's own folder inherits that folder's access list.
#[cfg(not(unix))]
fn refuse_readable_by_others(_about: &std::fs::Metadata) -> Result<(), String> {
    Ok(())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn write(text: &str, mode: u32) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys.json");
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        (folder, path)
    }

    #[test]
    fn a_file_that_others_can_read_is_refused() {
        for mode in [0o644, 0o640, 0o604, 0o620, 0o601] {
            let (_folder, path) = write(r#"{"vast":"k"}"#, mode);
            let error = read_file(&path).unwrap_err();
            assert!(error.to_string().contains("others may read"), "{mode:o}: {error}");
            assert!(error.hint().unwrap().contains("chmod 600"));
        }
        for mode in [0o600, 0o400] {
            let (_folder, path) = write(r#"{"vast":"k"}"#, mode);
            assert_eq!(read_file(&path).unwrap()["vast"].expose(), "k");
        }
    }

    #[test]
    fn a_broken_file_is_refused_without_repeating_it() {
        for text in [r#"{"vast":"SECRET"#, r#"["SECRET"]"#, r#"{"vast":["SECRET"]}"#, "SECRET"] {
            let (_folder, path) = write(text, 0o600);
            let error = read_file(&path).unwrap_err();
            assert!(!format!("{error} {error:?} {:?}", error.hint()).contains("SECRET"), "{error:?}");
        }
    }

    #[test]
    fn a_key_is_added_and_taken_out_beside_others() {
        let (_folder, path) = write(r#"{"aws":{"access_key_id":"a"}}"#, 0o600);
        write_file(&path, "vast/team", Some(&Secret::new("k"))).unwrap();
        let keys = read_file(&path).unwrap();
        assert_eq!(keys["vast/team"].expose(), "k");
        assert_eq!(keys["aws"].expose(), r#"{"access_key_id":"a"}"#);
        write_file(&path, "vast/team", None).unwrap();
        assert_eq!(read_file(&path).unwrap().len(), 1);
        let missing = path.with_file_name("new.json");
        write_file(&missing, "vast", Some(&Secret::new("k"))).unwrap();
        assert_eq!(std::fs::metadata(&missing).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
