//! The one line in the person's own SSH configuration that makes `ssh NAME` work in any terminal. The file is theirs:
//! it is read as OpenSSH reads it, and nothing but that line is added or taken away.

use std::fs;
use std::path::{Path, PathBuf};

use crate::SshError;
use crate::config::quoted;
use crate::files::{Files, private_folder, write_atomically};

/// How deep files include one another before it is given up.
const DEPTH: u32 = 8;

/// Where the line stands, or why it does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncludeState {
    /// The person's file.
    pub file: PathBuf,
    /// The line that is or would be its first.
    pub line: String,
    /// Whether it is there and comes early enough to work.
    pub there: bool,
    /// Why it cannot be added by us, or does not work although it is there.
    pub problem: Option<String>,
}

/// The person's SSH configuration.
#[derive(Debug, Clone)]
pub struct UserConfig {
    folder: PathBuf,
    ours: PathBuf,
}

impl UserConfig {
    /// The configuration in `folder` (`~/.ssh`) of a person whose desk has these files.
    #[must_use]
    pub fn new(folder: PathBuf, files: &Files) -> Self {
        Self { folder, ours: files.config() }
    }

    fn path(&self) -> PathBuf {
        self.folder.join("config")
    }

    /// The file itself, behind a link that a dotfile manager may have put in its place.
    fn target(&self) -> PathBuf {
        fs::canonicalize(self.path()).unwrap_or_else(|_| self.path())
    }

    fn line(&self) -> Result<String, SshError> {
        // `%` has no meaning for Include.
        Ok(format!("Include {}", quoted(&self.ours)?.replace("%%", "%")))
    }

    /// Looks, and changes nothing.
    ///
    /// # Errors
    /// [`SshError::Here`] when our own path cannot be written as a line.
    pub fn look(&self) -> Result<IncludeState, SshError> {
        let line = self.line()?;
        let state = |there, problem| IncludeState { file: self.path(), line: line.clone(), there, problem };
        let bytes = match self.read() {
            Ok(bytes) => bytes,
            Err(problem) => return Ok(state(false, Some(problem))),
        };
        Ok(match self.find(&bytes) {
            Found::Early { .. } => state(true, self.unreadable_for_ssh()),
            Found::Late { number, after } => {
                let why = format!("the line is there (line {number}) but comes after `{after}`, which wins");
                state(false, self.cannot_write(&bytes).or(Some(why)))
            }
            Found::Nowhere => state(false, self.cannot_write(&bytes)),
        })
    }

    /// Adds the line at the top of the file, unless it is there already. The folder and the file are made where they
    /// do not exist.
    ///
    /// # Errors
    /// [`SshError::Here`], with the line to add by hand, when the file cannot be changed; it is then as it was.
    pub fn add(&self) -> Result<IncludeState, SshError> {
        let line = self.line()?;
        let by_hand =
            |why: String| SshError::Here(format!("{why}. Add this line at its top by hand: {line}"));
        let bytes = self.read().map_err(by_hand)?;
        if !matches!(self.find(&bytes), Found::Early { .. }) {
            if let Some(problem) = self.cannot_write(&bytes) {
                return Err(by_hand(problem));
            }
            if !self.folder.exists() {
                private_folder(&self.folder).map_err(|error| SshError::file(&self.folder, &error))?;
            }
            let mut after = line.clone().into_bytes();
            after.extend_from_slice(if has_crlf(&bytes) { b"\r\n" } else { b"\n" });
            after.extend_from_slice(&bytes);
            self.write(&after).map_err(|error| by_hand(error.to_string()))?;
        }
        self.look()
    }

    /// Takes the line away.
    ///
    /// # Errors
    /// [`SshError::Here`] when the file cannot be changed, or the line includes other files too.
    pub fn remove(&self) -> Result<IncludeState, SshError> {
        let by_hand = |why: String| SshError::Here(format!("{why}. Take the line away by hand"));
        let bytes = self.read().map_err(by_hand)?;
        if let Found::Early { from, to, alone } = self.find(&bytes) {
            if !alone {
                return Err(by_hand(format!(
                    "the line in `{}` includes other files too",
                    self.path().display()
                )));
            }
            if let Some(problem) = self.cannot_write(&bytes) {
                return Err(by_hand(problem));
            }
            let mut after = bytes.get(..from).unwrap_or_default().to_vec();
            after.extend_from_slice(bytes.get(to..).unwrap_or_default());
            self.write(&after).map_err(|error| by_hand(error.to_string()))?;
        }
        self.look()
    }

    /// The names that the person's own `Host` lines give, in this file and those it includes, ours left out.
    #[must_use]
    pub fn hosts(&self) -> Vec<String> {
        let mut hosts = Vec::new();
        self.hosts_of(&self.path(), DEPTH, &mut hosts);
        hosts
    }

    fn hosts_of(&self, path: &Path, depth: u32, hosts: &mut Vec<String>) {
        let Ok(bytes) = fs::read(path) else { return };
        for directive in directives(&bytes) {
            if directive.keyword.eq_ignore_ascii_case("host") {
                hosts.extend(directive.arguments.iter().cloned());
            } else if directive.keyword.eq_ignore_ascii_case("include") && depth > 0 {
                for included in
                    directive.arguments.iter().flat_map(|pattern| matching(&self.resolve(pattern)))
                {
                    if included != self.ours {
                        self.hosts_of(&included, depth - 1, hosts);
                    }
                }
            }
        }
    }

    fn read(&self) -> Result<Vec<u8>, String> {
        match fs::read(self.path()) {
            Ok(bytes) => Ok(bytes),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(format!("`{}` cannot be read: {error}", self.path().display())),
        }
    }

    fn write(&self, bytes: &[u8]) -> std::io::Result<()> {
        write_atomically(&self.target(), bytes, None)
    }

    /// What keeps us from changing the file.
    fn cannot_write(&self, bytes: &[u8]) -> Option<String> {
        let path = self.path();
        let shown = path.display();
        if bytes.starts_with(b"\xef\xbb\xbf") {
            return Some(format!(
                "`{shown}` begins with a byte order mark, which OpenSSH takes for a word: save it without one"
            ));
        }
        if let Some(problem) = self.unreadable_for_ssh() {
            return Some(problem);
        }
        let target = self.target();
        match fs::metadata(&target) {
            Ok(found) if found.permissions().readonly() => Some(format!("`{shown}` is read-only")),
            Ok(found) if belongs_to_another(&found, &target) => {
                Some(format!("`{shown}` belongs to another user"))
            }
            _ => None,
        }
    }

    /// OpenSSH refuses a configuration that others may write.
    fn unreadable_for_ssh(&self) -> Option<String> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            for path in [&self.folder, &self.path()] {
                let mode = fs::metadata(path).ok()?.permissions().mode();
                if mode & 0o022 != 0 {
                    let (shown, mode) = (path.display(), mode & 0o777);
                    return Some(format!(
                        "others may write `{shown}` (mode {mode:o}), so OpenSSH does not trust it: chmod go-w it"
                    ));
                }
            }
        }
        None
    }

    fn find(&self, bytes: &[u8]) -> Found {
        let mut winner: Option<String> = None;
        for directive in directives(bytes) {
            let include = directive.keyword.eq_ignore_ascii_case("include");
            let ours =
                include && directive.arguments.iter().any(|argument| self.resolve(argument) == self.ours);
            match (ours, &winner) {
                (true, None) => {
                    let alone = directive.arguments.len() == 1;
                    return Found::Early { from: directive.from, to: directive.to, alone };
                }
                (true, Some(after)) => return Found::Late { number: directive.number, after: after.clone() },
                (false, None) if !include && !directive.keyword.eq_ignore_ascii_case("ignoreunknown") => {
                    winner = Some(format!("{} {}", directive.keyword, directive.arguments.join(" ")));
                }
                _ => {}
            }
        }
        Found::Nowhere
    }

    /// The path that an argument of `Include` names: `~` is the home, anything relative is in `~/.ssh`.
    fn resolve(&self, argument: &str) -> PathBuf {
        match argument.strip_prefix("~/") {
            Some(rest) => self.folder.parent().unwrap_or(&self.folder).join(rest),
            None => self.folder.join(argument),
        }
    }
}

#[cfg(unix)]
fn belongs_to_another(found: &fs::Metadata, target: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    // A file made in its folder would be ours; the folder's owner tells who we are there.
    target
        .parent()
        .and_then(|folder| fs::metadata(folder).ok())
        .is_some_and(|folder| folder.uid() != found.uid())
}

#[cfg(not(unix))]
fn belongs_to_another(_found: &fs::Metadata, _target: &Path) -> bool {
    false
}

enum Found {
    /// Early enough; its bytes from here to there, its line end included, and whether it names nothing else.
    Early {
        from: usize,
        to: usize,
        alone: bool,
    },
    /// After something that wins over it.
    Late {
        number: usize,
        after: String,
    },
    Nowhere,
}

struct Directive {
    keyword: String,
    arguments: Vec<String>,
    number: usize,
    from: usize,
    to: usize,
}

/// The directives of a configuration, as OpenSSH parts them: a keyword, white space or one `=`, arguments that may be
/// quoted. Lines that begin with `#` are comments.
fn directives(bytes: &[u8]) -> Vec<Directive> {
    let mut at = 0;
    let mut directives = Vec::new();
    for (index, raw) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let (from, to) = (at, at + raw.len());
        at = to;
        let text = String::from_utf8_lossy(raw);
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let (keyword, rest) = text.split_at(text.find([' ', '\t', '=', '"']).unwrap_or(text.len()));
        let rest = rest.trim_start();
        let rest = rest.strip_prefix('=').unwrap_or(rest);
        directives.push(Directive {
            keyword: keyword.to_owned(),
            arguments: arguments(rest),
            number: index + 1,
            from,
            to,
        });
    }
    directives
}

fn arguments(mut rest: &str) -> Vec<String> {
    let mut arguments = Vec::new();
    loop {
        rest = rest.trim_start();
        if rest.is_empty() || rest.starts_with('#') {
            return arguments;
        }
        let (argument, after) = match rest.strip_prefix('"') {
            Some(inside) => inside.split_once('"').unwrap_or((inside, "")),
            None => rest.split_at(rest.find([' ', '\t']).unwrap_or(rest.len())),
        };
        arguments.push(argument.to_owned());
        rest = after;
    }
}

fn has_crlf(bytes: &[u8]) -> bool {
    let end = bytes.iter().position(|byte| *byte == b'\n');
    end.and_then(|end| bytes.get(end.checked_sub(1)?)) == Some(&b'\r')
}

/// The files that a path with `*` and `?` in its last part names.
fn matching(pattern: &Path) -> Vec<PathBuf> {
    let name = pattern.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if !name.contains(['*', '?']) {
        return vec![pattern.to_owned()];
    }
    let Some(Ok(entries)) = pattern.parent().map(fs::read_dir) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            wild(name.as_bytes(), path.file_name().unwrap_or_default().to_string_lossy().as_bytes())
        })
        .collect();
    paths.sort();
    paths
}

fn wild(pattern: &[u8], text: &[u8]) -> bool {
    match (pattern.split_first(), text.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), _) => {
            wild(rest, text) || text.split_first().is_some_and(|(_, after)| wild(pattern, after))
        }
        (Some((b'?', rest)), Some((_, after))) => wild(rest, after),
        (Some((a, rest)), Some((b, after))) => a == b && wild(rest, after),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
