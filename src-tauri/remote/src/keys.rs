//! The keys that can be let into a machine: files of the person, keys of an agent, keys made by the desk. Only public
//! halves are read; of a private half only whether it is there and whether it is locked.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use tokio::process::Command;

use crate::SshError;
use crate::files::{Files, write_atomically};
use crate::host_keys::fingerprint;
use crate::say;

/// Where a key was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeySource {
    /// A file of the person.
    File,
    /// A file of the desk.
    Own,
    /// An agent.
    Agent,
}

/// A key that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundKey {
    /// What is said to choose it: `file:/home/me/.ssh/id_ed25519.pub`, `agent:SHA256:…`.
    pub id: String,
    /// Where it was found.
    pub source: KeySource,
    /// The file of the public half, or the agent's comment.
    pub title: String,
    /// `ssh-ed25519`.
    pub kind: String,
    /// `SHA256:…`.
    pub fingerprint: String,
    /// The public half on one line, without a line break.
    pub line: String,
    /// What `IdentityFile` is to name: the private half, or, for a key of an agent, its public half once that is
    /// written (see [`take`]).
    pub identity: Option<PathBuf>,
    /// Why it cannot be used.
    pub problem: Option<String>,
}

/// A key that was chosen, ready for a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenKey {
    /// The public half on one line, without a line break (providers refuse one).
    pub line: String,
    /// For `IdentityFile`.
    pub identity: PathBuf,
}

/// All keys, the best first: those that can be used, Ed25519 before others, the person's own files before agents.
pub async fn list(files: &Files, ssh_folder: &Path) -> Vec<FoundKey> {
    let (own_folder, folder) = (files.keys(), ssh_folder.to_owned());
    let in_agent = agent_lines().await;
    let listed = tokio::task::spawn_blocking(move || {
        let agent: Vec<FoundKey> = in_agent
            .iter()
            .filter_map(|line| {
                let mut key = parse(line)?;
                key.id = format!("agent:{}", key.fingerprint);
                key.source = KeySource::Agent;
                Some(key)
            })
            .collect();
        let mut keys = in_folder(&folder, KeySource::File, &agent);
        keys.extend(in_folder(&own_folder, KeySource::Own, &agent));
        for key in agent {
            if !keys.iter().any(|k| k.fingerprint == key.fingerprint && k.problem.is_none()) {
                keys.push(key);
            }
        }
        keys.sort_by_key(|key| (key.problem.is_some(), key.kind != "ssh-ed25519", key.source));
        keys
    });
    listed.await.unwrap_or_default()
}

/// Takes a key of the list by its id. The public half of an agent's key is written beside the desk's own keys, so that
/// ssh can be told which of the agent's keys to offer.
///
/// # Errors
/// [`SshError::Here`] when there is none of that id, when it cannot be used, or its file cannot be written.
pub async fn take(files: &Files, ssh_folder: &Path, id: &str) -> Result<ChosenKey, SshError> {
    let key = list(files, ssh_folder).await.into_iter().find(|key| key.id == id).ok_or_else(|| {
        let named = id.strip_prefix("file:").unwrap_or(id);
        SshError::Here(format!("there is no SSH key `{named}` here"))
    })?;
    if let Some(problem) = key.problem {
        return Err(SshError::Here(format!("the SSH key `{}` cannot be used: {problem}", key.title)));
    }
    if let Some(identity) = key.identity {
        return Ok(ChosenKey { line: key.line, identity });
    }
    files.prepare()?;
    let name: String = key.fingerprint.chars().filter(char::is_ascii_alphanumeric).collect();
    let path = files.keys().join(format!("agent-{name}.pub"));
    let text = format!("{}\n", key.line);
    write_atomically(&path, text.as_bytes(), Some(0o600)).map_err(|error| SshError::file(&path, &error))?;
    Ok(ChosenKey { line: key.line, identity: path })
}

/// The key of a file named by a person: the public half, or the private one beside it.
///
/// # Errors
/// [`SshError::Here`] when it is no public key or cannot be used.
pub async fn of_file(files: &Files, path: &Path) -> Result<ChosenKey, SshError> {
    let public = if path.extension().is_some_and(|e| e == "pub") { path.to_owned() } else { with_pub(path) };
    let folder = public.parent().unwrap_or(Path::new(".")).to_owned();
    take(files, &folder, &format!("file:{}", public.display())).await
}

/// The desk's own key, made if it does not exist yet: Ed25519, in the desk's home, without a passphrase, so that the
/// desk can look after machines while nobody is there.
///
/// # Errors
/// [`SshError::Here`] when `ssh-keygen` is missing or fails.
pub async fn own(files: &Files) -> Result<ChosenKey, SshError> {
    let lock_files = files.clone();
    let _lock = crate::ssh::off_thread(move || lock_files.lock()).await?;
    let identity = files.keys().join("id_ed25519");
    let public = with_pub(&identity);
    if !identity.exists() {
        let output = Command::new("ssh-keygen")
            .args(["-q", "-t", "ed25519", "-N", "", "-C", "gpudesk", "-f"])
            .arg(&identity)
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .output()
            .await
            .map_err(|error| SshError::Here(format!("`ssh-keygen` cannot be started: {error}")))?;
        if !output.status.success() {
            let words = say::last_words(&String::from_utf8_lossy(&output.stderr));
            return Err(SshError::Here(format!("`ssh-keygen` made no key: {words}")));
        }
    }
    let text = fs::read_to_string(&public).map_err(|error| SshError::file(&public, &error))?;
    let key = parse(text.trim())
        .ok_or_else(|| SshError::Here(format!("`{}` is no public key", public.display())))?;
    Ok(ChosenKey { line: key.line, identity })
}

/// Why a private key cannot be used by itself; `None` where nothing is known against it.
pub(crate) fn why_unusable(identity: &Path) -> Option<String> {
    if identity.extension().is_some_and(|e| e == "pub") {
        return Some("its private half is in an agent: is the agent running?".to_owned());
    }
    match fs::read_to_string(identity) {
        Err(error) => Some(format!("`{}`: {error}", identity.display())),
        Ok(text) if is_locked(&text) => Some(format!(
            "`{}` has a passphrase: unlock it with `ssh-add`, so that the desk can use it unattended",
            identity.display()
        )),
        Ok(_) => None,
    }
}

/// Whether a private key has a passphrase.
fn is_locked(text: &str) -> bool {
    if text.contains("ENCRYPTED") {
        return true;
    }
    // openssh-key-v1: magic, then the cipher's name with its length before it; `none` = open.
    let body: String = text.lines().filter(|line| !line.starts_with("-----")).map(str::trim).collect();
    let Ok(bytes) = STANDARD.decode(body) else { return false };
    bytes.strip_prefix(b"openssh-key-v1\0").is_some_and(|rest| !rest.starts_with(b"\0\0\0\x04none"))
}

fn with_pub(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".pub");
    name.into()
}

/// The agent's keys as public lines; none where there is no agent, or it does not answer within three seconds.
async fn agent_lines() -> Vec<String> {
    let run = Command::new("ssh-add").arg("-L").stdin(Stdio::null()).kill_on_drop(true).output();
    match tokio::time::timeout(Duration::from_secs(3), run).await {
        Ok(Ok(output)) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
        }
        _ => Vec::new(),
    }
}

fn in_folder(folder: &Path, source: KeySource, agent: &[FoundKey]) -> Vec<FoundKey> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "pub"))
        .collect();
    paths.sort();
    let keys = paths.into_iter().filter_map(|path| {
        // A public key is one short line; a file of megabytes is none.
        if fs::metadata(&path).ok()?.len() > 64 * 1024 {
            return None;
        }
        let mut key = parse(fs::read_to_string(&path).ok()?.trim())?;
        // The desk's note of an agent's key stands for that key, and is listed as the agent's.
        if source == KeySource::Own && path.file_name()?.to_string_lossy().starts_with("agent-") {
            return None;
        }
        key.id = format!("file:{}", path.display());
        key.source = source;
        key.title = path.display().to_string();
        let private = path.with_extension("");
        let held = agent.iter().any(|k| k.fingerprint == key.fingerprint);
        if private.exists() {
            if !held && fs::read_to_string(&private).is_ok_and(|text| is_locked(&text)) {
                key.problem.get_or_insert_with(|| {
                    "it has a passphrase and no agent holds it: unlock it with `ssh-add`".to_owned()
                });
            }
            key.identity = Some(private);
        } else if held {
            key.identity = Some(path);
        } else {
            key.problem
                .get_or_insert_with(|| "its private half is not beside it, nor in an agent".to_owned());
        }
        Some(key)
    });
    keys.collect()
}

/// Reads one line of a public key; `None` where it is none. White space round it is taken away.
fn parse(line: &str) -> Option<FoundKey> {
    let line = line.trim();
    if line.lines().count() != 1 {
        return None;
    }
    let mut words = line.splitn(3, ' ');
    let (kind, body) = (words.next()?, words.next()?);
    let comment = words.next().unwrap_or_default();
    let fingerprint = fingerprint(body)?;
    let problem = match kind {
        "ssh-ed25519" | "ecdsa-sha2-nistp256" | "ecdsa-sha2-nistp384" | "ecdsa-sha2-nistp521" => None,
        "ssh-rsa" => {
            let bits = STANDARD.decode(body).ok().and_then(|bytes| rsa_bits(&bytes));
            bits.is_some_and(|bits| bits < 2048).then(|| "an RSA key of less than 2048 bits is refused by servers".to_owned())
        }
        kind if kind.ends_with("-cert-v01@openssh.com") => Some("it is a certificate, not a key".to_owned()),
        kind if kind.starts_with("sk-") => {
            Some("a hardware key asks for a touch at each connection; the desk also connects while nobody is there".to_owned())
        }
        "ssh-dss" => Some("DSA keys are refused by servers".to_owned()),
        kind => Some(format!("`{kind}` is a kind that is not known here")),
    };
    Some(FoundKey {
        id: String::new(),
        source: KeySource::File,
        title: comment.to_owned(),
        kind: kind.to_owned(),
        fingerprint,
        line: line.to_owned(),
        identity: None,
        problem,
    })
}

/// Bits of an RSA modulus in the wire form: three strings, each with its length in four bytes; the third is the
/// modulus, with a zero byte before it where its first bit is set.
fn rsa_bits(mut bytes: &[u8]) -> Option<usize> {
    let mut modulus: &[u8] = &[];
    for _ in 0..3 {
        let (length, rest) = bytes.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        modulus = rest.get(..length)?;
        bytes = rest.get(length..)?;
    }
    let first = modulus.iter().position(|byte| *byte != 0)?;
    Some((modulus.len() - first) * 8 - modulus.get(first)?.leading_zeros() as usize)
}

#[cfg(test)]
mod tests;
