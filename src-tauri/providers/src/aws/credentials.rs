//! Who signs: keys as given, or a profile of the vendor's own tools. A profile with keys in it is read from the two
//! files where those tools keep them; any other (single sign-on, a role, a program of its own) is asked of the
//! vendor's command line client, which knows all their kinds and keeps what it was given up to date.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, SystemTime};

use aws_credential_types::Credentials;
use chrono::{DateTime, Utc};
use serde::Deserialize;
use tokio::sync::Mutex;

use super::key::Signer;
use crate::cloud::{CloudError, CloudErrorCode};

/// Keys that run out within this time are got anew.
const EARLY: Duration = Duration::from_secs(5 * 60);

/// The longest the client may take: it may ask a server for a token.
const PATIENCE: Duration = Duration::from_secs(30);

/// The most of a file that is read.
const MAX_BYTES: u64 = 1024 * 1024;

/// What signs, and what it signed with last.
pub(super) struct Wallet {
    signer: Signer,
    kept: Mutex<Option<Credentials>>,
}

impl Wallet {
    pub fn new(signer: Signer) -> Self {
        Self { signer, kept: Mutex::new(None) }
    }

    /// Keys that hold now.
    pub async fn credentials(&self, now: DateTime<Utc>) -> Result<Credentials, CloudError> {
        let profile = match &self.signer {
            Signer::Given(credentials) => return Ok(credentials.clone()),
            Signer::Profile(profile) => profile,
        };
        let mut kept = self.kept.lock().await;
        let soon = SystemTime::from(now) + EARLY;
        if let Some(credentials) = kept.as_ref().filter(|kept| kept.expiry().is_none_or(|end| end > soon)) {
            return Ok(credentials.clone());
        }
        let found = match in_files(profile) {
            Some(found) => found,
            None => exported(profile).await?,
        };
        *kept = Some(found.clone());
        Ok(found)
    }
}

fn problem(detail: impl AsRef<str>) -> CloudError {
    CloudError::new(CloudErrorCode::BadKey, "AWS profile", detail)
}

/// The files of the vendor's tools: credentials first, then configuration
/// (<https://docs.aws.amazon.com/cli/latest/userguide/cli-configure-files.html>).
fn in_files(profile: &str) -> Option<Credentials> {
    let home = std::env::home_dir();
    let file = |variable: &str, name: &str| {
        std::env::var_os(variable)
            .map(PathBuf::from)
            .or_else(|| home.as_ref().map(|home| home.join(".aws").join(name)))
    };
    let credentials = file("AWS_SHARED_CREDENTIALS_FILE", "credentials");
    let config = file("AWS_CONFIG_FILE", "config");
    let read = |path: Option<PathBuf>| path.as_deref().and_then(read).unwrap_or_default();
    keys_of(profile, &read(credentials), &read(config))
}

fn read(path: &Path) -> Option<String> {
    let about = std::fs::metadata(path).ok()?;
    if !about.is_file() || about.len() > MAX_BYTES {
        return None;
    }
    std::fs::read_to_string(path).ok()
}

/// The keys of a profile in the texts of the two files. In the second its section is called `profile NAME`.
fn keys_of(profile: &str, credentials: &str, config: &str) -> Option<Credentials> {
    let titles = [profile.to_owned(), format!("profile {profile}")];
    [(credentials, &titles[..1]), (config, &titles[..])].into_iter().find_map(|(text, titles)| {
        let value = |name: &str| setting(text, titles, name);
        // A profile that takes on a role signs as that role, not with the keys that may stand beside it.
        if value("role_arn").is_some() {
            return None;
        }
        let (id, secret) = (value("aws_access_key_id")?, value("aws_secret_access_key")?);
        Some(Credentials::new(id, secret, value("aws_session_token").map(str::to_owned), None, "profile"))
    })
}

/// A setting of the first section with one of the titles.
fn setting<'t>(text: &'t str, titles: &[String], name: &str) -> Option<&'t str> {
    let mut inside = false;
    for line in text.lines() {
        // An indented line belongs to the setting above it.
        if line.starts_with([' ', '\t', '#', ';']) {
            continue;
        }
        let line = line.trim_start_matches('\u{feff}').trim_end();
        if let Some(title) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            inside = titles.iter().any(|known| known == title.trim());
        } else if let Some((key, value)) = line.split_once('=').filter(|_| inside)
            && key.trim().eq_ignore_ascii_case(name)
        {
            return Some(value.trim()).filter(|value| !value.is_empty());
        }
    }
    None
}

/// What the client prints (<https://docs.aws.amazon.com/cli/latest/reference/configure/export-credentials.html>).
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Exported {
    access_key_id: String,
    secret_access_key: String,
    session_token: Option<String>,
    expiration: Option<DateTime<Utc>>,
}

async fn exported(profile: &str) -> Result<Credentials, CloudError> {
    let help = "sign in with the AWS command line client (`aws sso login`), or give a key of its own";
    let mut program = tokio::process::Command::new("aws");
    program
        .args(["configure", "export-credentials", "--format", "process", "--profile", profile])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true);
    let output = match tokio::time::timeout(PATIENCE, program.output()).await {
        Ok(Ok(output)) => output,
        Ok(Err(error)) if error.kind() == std::io::ErrorKind::NotFound => {
            let words = format!(
                "the profile “{profile}” has no keys in the files of the AWS tools, and their command line client is not installed"
            );
            return Err(problem(words).hint("install the AWS command line client, or give a key of its own"));
        }
        Ok(Err(error)) => return Err(problem(format!("`aws` cannot be started: {error}")).hint(help)),
        Err(_) => {
            return Err(problem("`aws configure export-credentials` does not come to an end").hint(help));
        }
    };
    let keys: Option<Exported> =
        serde_json::from_slice(&output.stdout).ok().filter(|_| output.status.success());
    let Some(keys) = keys else {
        return Err(problem(format!(
            "the AWS command line client gives no keys for the profile “{profile}”"
        ))
        .hint(help));
    };
    let expiry = keys.expiration.map(SystemTime::from);
    Ok(Credentials::new(keys.access_key_id, keys.secret_access_key, keys.session_token, expiry, "client"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CREDENTIALS: &str = "# mine\n[default]\naws_access_key_id = AKIADEFAULT\naws_secret_access_key=one=/+\n\n[work]\n\
        aws_access_key_id=AKIAWORK\n aws_secret_access_key = indented\naws_secret_access_key = two\naws_session_token = t\n";
    const CONFIG: &str = "[default]\nregion = eu-west-1\n[profile plain]\naws_access_key_id = AKIAPLAIN\naws_secret_access_key = three\n\
        [profile role]\nrole_arn = arn:aws:iam::1:role/x\naws_access_key_id = AKIAROLE\naws_secret_access_key = four\n[sso-session plain]\n";

    fn keys(profile: &str) -> Option<(String, String, bool)> {
        let found = keys_of(profile, CREDENTIALS, CONFIG)?;
        let texts = (found.access_key_id().to_owned(), found.secret_access_key().to_owned());
        Some((texts.0, texts.1, found.session_token().is_some()))
    }

    #[test]
    fn profiles_are_found_as_the_vendors_tools_write_them() {
        let three = |id: &str, secret: &str, token| Some((id.to_owned(), secret.to_owned(), token));
        assert_eq!(keys("default"), three("AKIADEFAULT", "one=/+", false));
        assert_eq!(keys("work"), three("AKIAWORK", "two", true));
        assert_eq!(keys("plain"), three("AKIAPLAIN", "three", false));
        assert_eq!(keys("role"), None, "the role signs, not the keys beside it");
        assert_eq!(keys("nobody"), None);
    }
}
