//! Copying files into a machine and out of it: rsync where both sides have it, else scp.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tokio::process::Command;

use crate::config::Host;
use crate::say::shell_word;
use crate::{Ssh, SshError, last_words};

/// How long the machine may take to say where the files go.
const ASK: Duration = Duration::from_secs(40);

/// Which way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Transfer {
    /// Files and folders of this computer, into a folder of the machine.
    In {
        /// Here.
        from: Vec<PathBuf>,
        /// There; made where it does not exist.
        to: String,
    },
    /// A file or folder of the machine, into a folder of this computer.
    Out {
        /// There.
        from: String,
        /// Here.
        to: PathBuf,
    },
}

/// A program that copies, and how its progress is to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransferCommand {
    /// `rsync` or `scp`.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    progress: Progress,
}

/// Reads percentages from what the program prints.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Progress {
    /// rsync tells one figure for everything.
    Whole,
    /// scp tells one for each file, this many altogether; `None` = not known.
    Each { files: Option<u32>, done: u32, full: bool },
}

impl Transfer {
    /// Asks the machine where the files go or come from, and gives the program that copies them.
    ///
    /// # Errors
    /// [`SshError::Here`] for a path here that does not exist or cannot be named; [`SshError::Command`] when the
    /// machine has no such path or cannot make the folder; else as any connection.
    pub async fn prepare(&self, ssh: &Ssh, host: &Host) -> Result<TransferCommand, SshError> {
        let there = match self {
            Self::In { from, to } => {
                if from.is_empty() {
                    return Err(SshError::Here("there is nothing to copy".to_owned()));
                }
                from.iter().try_for_each(|path| check_local(path))?;
                check_remote(to)?;
                ask(ssh, host, to, MAKE).await?
            }
            Self::Out { from, to } => {
                check_remote(from)?;
                if !to.is_dir() {
                    return Err(SshError::Here(format!("`{}` is no folder of this computer", to.display())));
                }
                check_local(to)?;
                ask(ssh, host, from, FIND).await?
            }
        };
        let (path, has_rsync) = there;
        if has_rsync && local_rsync().await {
            return self.rsync(ssh, host, &path);
        }
        Ok(self.scp(ssh, host, &path))
    }

    fn rsync(&self, ssh: &Ssh, host: &Host, there: &str) -> Result<TransferCommand, SshError> {
        // rsync parts this string at spaces and understands quotes, as OpenSSH's configuration does.
        let config = ssh.config_of(host);
        let config = config.to_str().filter(|path| !path.contains(['"', '\''])).ok_or_else(|| {
            SshError::Here(format!("rsync cannot be told the path `{}`", ssh.config_of(host).display()))
        })?;
        let shell = format!(
            "\"{}\" -F \"{config}\" -T -o BatchMode=yes -o ControlMaster=no -o ControlPath=none",
            ssh.program().display()
        );
        // -s: names reach the other rsync untouched by the shell there.
        let mut arguments: Vec<OsString> =
            ["-a", "-s", "--partial", "--info=progress2", "--no-inc-recursive", "-e", &shell, "--"]
                .map(OsString::from)
                .into();
        self.name(&mut arguments, host, there);
        Ok(TransferCommand { program: "rsync".into(), arguments, progress: Progress::Whole })
    }

    fn scp(&self, ssh: &Ssh, host: &Host, there: &str) -> TransferCommand {
        let mut arguments: Vec<OsString> =
            vec!["-S".into(), ssh.program().into(), "-F".into(), ssh.config_of(host).into()];
        // -s: over SFTP, where no shell reads the name.
        let options = [
            "-s",
            "-r",
            "-p",
            "-o",
            "BatchMode=yes",
            "-o",
            "ControlMaster=no",
            "-o",
            "ControlPath=none",
            "--",
        ];
        arguments.extend(options.map(OsString::from));
        let files = match self {
            Self::In { from, .. } => {
                self.name(&mut arguments, host, there);
                Some(from.iter().map(|path| count(path)).sum::<u32>().max(1))
            }
            Self::Out { .. } => {
                // A name to fetch is a pattern for SFTP.
                self.name(&mut arguments, host, &literal(there));
                None
            }
        };
        TransferCommand {
            program: "scp".into(),
            arguments,
            progress: Progress::Each { files, done: 0, full: false },
        }
    }

    fn name(&self, arguments: &mut Vec<OsString>, host: &Host, there: &str) {
        let there = OsString::from(format!("{}:{there}", host.alias));
        match self {
            Self::In { from, .. } => {
                arguments.extend(from.iter().map(|path| without_slash(path).into_os_string()));
                let mut folder = there;
                folder.push("/");
                arguments.push(folder);
            }
            Self::Out { to, .. } => arguments.extend([there, to.clone().into_os_string()]),
        }
    }
}

impl TransferCommand {
    /// Percent of the whole, from a line the program printed; `None` where the line tells none.
    pub fn percent(&mut self, line: &str) -> Option<f64> {
        let shown = percent(line)?;
        let Progress::Each { files, done, full } = &mut self.progress else { return Some(shown) };
        // A file that is complete is told at least once with 100; the next line is of the next file.
        if *full && shown < 100.0 {
            *done += 1;
        }
        *full = shown >= 100.0;
        let files = (*files)?;
        Some(((f64::from(*done) * 100.0 + shown) / f64::from(files)).min(100.0))
    }
}

/// The last percentage of a line: ` 45%`.
fn percent(line: &str) -> Option<f64> {
    let (before, _) = line.rsplit_once('%')?;
    let digits = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    before.get(before.len() - digits..)?.parse().ok().filter(|percent| (0.0..=100.0).contains(percent))
}

/// Makes the folder `$path` and says where it is.
const MAKE: &str = "mkdir -p -- \"$path\" || exit 1\ncd -- \"$path\" || exit 1\npwd -P\n";
/// Says where `$path` is, if it exists.
const FIND: &str =
    "if [ ! -e \"$path\" ]; then echo \"there is no $path\" >&2; exit 1; fi\nprintf '%s\\n' \"$path\"\n";

/// Asks the machine for the full path, and whether it has rsync.
async fn ask(ssh: &Ssh, host: &Host, path: &str, script: &str) -> Result<(String, bool), SshError> {
    let word = shell_word(path);
    let script = format!(
        "path={word}\ncase $path in '~') path=$HOME ;; '~/'*) path=$HOME/${{path#??}} ;; '') path=$HOME ;; /*) ;; *) path=$HOME/$path ;; esac\n\
         if command -v rsync >/dev/null 2>&1; then echo '@@rsync yes'; else echo '@@rsync no'; fi\n{script}"
    );
    let printed = ssh.script(host, &script, ASK).await?;
    if printed.code != 0 {
        return Err(SshError::Command(last_words(&printed.err)));
    }
    // A login script may have printed something before.
    let mut lines = printed.out.lines().skip_while(|line| !line.starts_with("@@rsync "));
    let rsync = lines.next() == Some("@@rsync yes");
    match lines.next().filter(|line| line.starts_with('/')) {
        Some(full) => Ok((full.to_owned(), rsync)),
        None => Err(SshError::Command(format!("it did not say where `{path}` is"))),
    }
}

/// Whether the rsync here tells the progress of the whole (3.1 and later; macOS ships older ones and another one).
async fn local_rsync() -> bool {
    let asked = Command::new("rsync").arg("--version").stdin(Stdio::null()).kill_on_drop(true).output();
    let Ok(Ok(output)) = tokio::time::timeout(Duration::from_secs(3), asked).await else { return false };
    is_new_rsync(&String::from_utf8_lossy(&output.stdout))
}

fn is_new_rsync(said: &str) -> bool {
    let version =
        said.strip_prefix("rsync").and_then(|rest| rest.split_once("version ")).map(|(_, rest)| rest);
    let mut numbers =
        version.unwrap_or_default().trim_start_matches('v').split('.').map_while(|n| n.parse::<u32>().ok());
    (numbers.next(), numbers.next()) >= (Some(3), Some(1))
}

fn check_remote(path: &str) -> Result<(), SshError> {
    if path.chars().any(char::is_control) {
        return Err(SshError::Here("a path with control characters cannot be copied".to_owned()));
    }
    Ok(())
}

fn check_local(path: &Path) -> Result<(), SshError> {
    let shown = path.display();
    if !path.is_absolute() {
        return Err(SshError::Here(format!("`{shown}` is no full path")));
    }
    if path.to_string_lossy().chars().any(char::is_control) {
        return Err(SshError::Here(format!(
            "`{}` has control characters in its name",
            path.to_string_lossy().escape_debug()
        )));
    }
    std::fs::symlink_metadata(path).map(|_| ()).map_err(|error| SshError::file(path, &error))
}

/// With a slash at its end rsync would copy what is in a folder instead of the folder.
fn without_slash(path: &Path) -> PathBuf {
    path.components().collect()
}

/// Files in a folder and below, or 1.
fn count(path: &Path) -> u32 {
    match std::fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => {
            std::fs::read_dir(path).into_iter().flatten().flatten().map(|entry| count(&entry.path())).sum()
        }
        _ => 1,
    }
}

/// A name with the characters of patterns taken as they are.
fn literal(path: &str) -> String {
    let mut out = String::new();
    for c in path.chars() {
        if matches!(c, '*' | '?' | '[' | ']' | '\\' | '{' | '}') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_are_read_from_both_programs() {
        let mut rsync =
            TransferCommand { program: "rsync".into(), arguments: vec![], progress: Progress::Whole };
        assert_eq!(rsync.percent("    32,768  17%   31.2MB/s    0:00:01"), Some(17.0));
        assert_eq!(rsync.percent("sending incremental file list"), None);
        let progress = Progress::Each { files: Some(2), done: 0, full: false };
        let mut scp = TransferCommand { program: "scp".into(), arguments: vec![], progress };
        assert_eq!(scp.percent("a 100%.txt        50%   12KB   1.0MB/s   00:01"), Some(25.0));
        assert_eq!(scp.percent("a 100%.txt       100%   24KB   1.0MB/s   00:00"), Some(50.0));
        assert_eq!(scp.percent("a 100%.txt       100%   24KB   1.0MB/s   00:00"), Some(50.0));
        assert_eq!(scp.percent("b                 10%    1KB   1.0MB/s   00:00"), Some(55.0));
        assert_eq!(percent("120%"), None);
    }

    #[test]
    fn old_and_other_rsyncs_are_not_used() {
        assert!(is_new_rsync("rsync  version 3.2.7  protocol version 31\n"));
        assert!(is_new_rsync("rsync  version v3.4.1  protocol version 32\n"));
        assert!(!is_new_rsync("rsync  version 2.6.9  protocol version 29\n"));
        assert!(!is_new_rsync("openrsync: protocol version 29\nrsync version 2.6.9 compatible\n"));
        assert!(!is_new_rsync(""));
    }

    #[test]
    fn names_are_arguments_of_their_own_behind_two_dashes() {
        let home = tempfile::tempdir().unwrap();
        let ssh = Ssh::new(crate::Files::new(home.path()));
        let address = gpudesk_core::rental::SshAddress::new("203.0.113.7", 22, "root", false).unwrap();
        let host = Host { rental: "01A".into(), alias: "gpudesk-a".into(), address, identity: None };
        let copy = Transfer::In { from: vec!["/x/-a b/".into()], to: String::new() };
        let command = copy.rsync(&ssh, &host, "/root/$(x)").unwrap();
        assert!(
            command.arguments.ends_with(&["--".into(), "/x/-a b".into(), "gpudesk-a:/root/$(x)/".into()]),
            "{command:?}"
        );
        let copy = Transfer::Out { from: String::new(), to: "/here".into() };
        let command = copy.scp(&ssh, &host, "/root/a[1]*");
        assert!(
            command.arguments.ends_with(&["--".into(), "gpudesk-a:/root/a\\[1\\]\\*".into(), "/here".into()]),
            "{command:?}"
        );
    }
}
