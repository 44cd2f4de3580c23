//! Running the system's OpenSSH client for the desk: one process a question, no terminal, no shared connection, and
//! what it says put into words.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::process::Command;

use crate::SshError;
use crate::config::Host;
use crate::files::Files;
use crate::host_keys::{self, HostKey};
use crate::say;

/// How long a connection may take: OpenSSH's own limit of 15 s, and what key exchange and login need after it.
const CONNECT: Duration = Duration::from_secs(25);

/// What a command on the machine printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printed {
    /// Its exit code.
    pub code: i32,
    /// Standard output. Bytes that are no text are replaced.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// The system's SSH client with the desk's own files.
#[derive(Debug, Clone)]
pub struct Ssh {
    files: Files,
    program: PathBuf,
    /// The person's `~/.ssh`.
    person: Option<PathBuf>,
}

impl Ssh {
    /// The client called `ssh` on the search path.
    #[must_use]
    pub fn new(files: Files) -> Self {
        Self { files, program: "ssh".into(), person: None }
    }

    /// The same client for a person whose SSH configuration is in `folder`: servers of their own are reached by it.
    #[must_use]
    pub fn with_person(mut self, folder: PathBuf) -> Self {
        self.person = Some(folder);
        self
    }

    /// Another client than the one on the search path.
    #[must_use]
    pub fn with_program(mut self, program: PathBuf) -> Self {
        self.program = program;
        self
    }

    /// The files it uses.
    #[must_use]
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// The client's path or name.
    #[must_use]
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// The file that says how a machine is reached: ours, or for a server of the person's own theirs.
    #[must_use]
    pub fn config_of(&self, host: &Host) -> PathBuf {
        if host.by_alias() { self.files.person_config() } else { self.files.config() }
    }

    /// The arguments that every connection of the desk begins with: the file that knows the machine, and a connection
    /// of its own, so that the end of one is not the end of another.
    #[must_use]
    pub fn arguments(&self, host: &Host) -> Vec<OsString> {
        let mut arguments: Vec<OsString> = vec!["-F".into(), self.config_of(host).into()];
        arguments.extend(["-o", "ControlMaster=no", "-o", "ControlPath=none"].map(OsString::from));
        arguments
    }

    /// The same for connections that nobody sits at: never asks for anything.
    #[must_use]
    pub fn quiet_arguments(&self, host: &Host) -> Vec<OsString> {
        let mut arguments = self.arguments(host);
        arguments.extend(["-T", "-o", "BatchMode=yes"].map(OsString::from));
        if host.by_alias() {
            // What a person wants of their own sessions is in the way of ours. Which host keys hold is their word.
            for option in [
                "ConnectTimeout=15",
                "ServerAliveInterval=15",
                "ServerAliveCountMax=4",
                "ForwardAgent=no",
                "ForwardX11=no",
                "PermitLocalCommand=no",
                "RemoteCommand=none",
            ] {
                arguments.extend(["-o".into(), option.into()]);
            }
        }
        arguments
    }

    /// The same for one command, without the person's port forwards: another session of theirs may hold the ports.
    fn command_arguments(&self, host: &Host) -> Vec<OsString> {
        let mut arguments = self.quiet_arguments(host);
        if host.by_alias() {
            arguments.extend(["-o".into(), "ClearAllForwardings=yes".into()]);
        }
        arguments
    }

    /// Writes the machine's block and connects once. The first time its host key is pinned; later another one is
    /// refused. Gives the fingerprint.
    ///
    /// # Errors
    /// Every kind but [`SshError::Command`].
    pub async fn greet(&self, host: &Host) -> Result<String, SshError> {
        self.put(host).await?;
        if host.by_alias() {
            return self.greet_own(host).await;
        }
        self.run(host, &["exit"], "", CONNECT).await?;
        // A machine that was let in for the first time is from now on asked for that very key.
        self.put(host).await?;
        self.known(&host.rental).await?.first().map(|key| key.fingerprint.clone()).ok_or_else(|| {
            SshError::Here(format!(
                "no host key of this machine is in `{}`",
                self.files.known_hosts().display()
            ))
        })
    }

    /// A server of the person's own: their list of host keys decides, and the client's own account names the key.
    async fn greet_own(&self, host: &Host) -> Result<String, SshError> {
        let mut arguments = self.command_arguments(host);
        arguments.push("-v".into());
        let printed = self.run_with(arguments, &host.alias, &["exit"], "", CONNECT).await?;
        if printed.code == 255 {
            return Err(self.explain(host, &printed.err).await);
        }
        // Jump hosts on the way are told of first.
        say::server_key(&printed.err)
            .ok_or_else(|| SshError::Here("ssh did not say which host key it accepted".to_owned()))
    }

    /// Where a name of the person's own configuration leads: host, port and user, without connecting.
    ///
    /// # Errors
    /// [`SshError::Here`] where there is no client, or their configuration is none.
    pub async fn resolve(&self, host: &Host) -> Result<(String, u16, String), SshError> {
        self.put(host).await?;
        let mut arguments = self.arguments(host);
        arguments.push("-G".into());
        let printed = self.run_with(arguments, &host.alias, &[], "", CONNECT).await?;
        let of = |key: &str| {
            let lines = printed.out.lines();
            lines
                .filter_map(|line| line.split_once(' '))
                .find(|(name, _)| *name == key)
                .map(|(_, v)| v.to_owned())
        };
        match (printed.code, of("hostname"), of("port").and_then(|port| port.parse().ok()), of("user")) {
            (0, Some(name), Some(port), Some(user)) => Ok((name, port, user)),
            _ => Err(SshError::Here(say::last_words(&printed.err))),
        }
    }

    /// Runs a POSIX shell script on the machine, handed over on standard input, so that the login shell there reads
    /// nothing but `sh -s`. `limit` holds for connection and script together.
    ///
    /// # Errors
    /// Every kind. A script that ends with another code than 0 is no error; a client that could not connect is.
    pub async fn script(&self, host: &Host, script: &str, limit: Duration) -> Result<Printed, SshError> {
        self.put(host).await?;
        self.run(host, &["sh", "-s"], script, limit).await
    }

    /// The host key that the machine shows now, without logging in and without pinning anything.
    ///
    /// # Errors
    /// [`SshError::Silent`] when nobody answers; [`SshError::Here`] when it cannot be asked from here.
    pub async fn look_at_key(&self, host: &Host) -> Result<HostKey, SshError> {
        self.put(host).await?;
        let seen = self.files.folder().join(format!("seen-{}", host.rental));
        let _ = tokio::fs::remove_file(&seen).await;
        let mut options = self.quiet_arguments(host);
        let file = crate::config::quoted(&seen)?;
        for option in [
            &*format!("UserKnownHostsFile={file}"),
            "StrictHostKeyChecking=accept-new",
            "PubkeyAuthentication=no",
            "GSSAPIAuthentication=no",
            "HostbasedAuthentication=no",
        ] {
            options.extend(["-o".into(), option.into()]);
        }
        // It cannot log in like this, so its failure is expected; what it saw is in the file.
        let outcome = self.run_with(options, &host.alias, &["exit"], "", CONNECT).await;
        let text = Files::read(&seen);
        let _ = tokio::fs::remove_file(&seen).await;
        let alias = host_keys::host_key_alias(&host.rental);
        if let Some(key) = text?.lines().find_map(|line| host_keys::parse(line, &alias)) {
            return Ok(key);
        }
        match outcome {
            Ok(printed) => Err(SshError::Silent(say::last_words(&printed.err))),
            Err(error) => Err(error),
        }
    }

    /// Pins the host key that the machine shows now, if it is the one a person read and accepted; the lines of other
    /// machines are left alone.
    ///
    /// # Errors
    /// [`SshError::HostKeyChanged`] when it shows yet another one; else as [`Ssh::look_at_key`].
    pub async fn accept_key(&self, host: &Host, fingerprint: &str) -> Result<(), SshError> {
        if host.by_alias() {
            let how = "its host key stands in your own known_hosts: take the old one out with `ssh-keygen -R`, then connect once by hand";
            return Err(SshError::Here(how.to_owned()));
        }
        let key = self.look_at_key(host).await?;
        if key.fingerprint != fingerprint {
            return Err(SshError::HostKeyChanged { known: fingerprint.to_owned(), found: key.fingerprint });
        }
        let (files, rental) = (self.files.clone(), host.rental.clone());
        off_thread(move || host_keys::replace(&files, &rental, &key)).await?;
        self.put(host).await
    }

    /// Whether the machine shows the host key on record, for a client that failed without telling us why. A machine
    /// that has none on record yet is not asked.
    ///
    /// # Errors
    /// [`SshError::HostKeyChanged`] when it shows another one; else as [`Ssh::look_at_key`].
    pub async fn check_key(&self, host: &Host) -> Result<(), SshError> {
        let known: Vec<String> =
            self.known(&host.rental).await?.into_iter().map(|key| key.fingerprint).collect();
        if known.is_empty() {
            return Ok(());
        }
        let found = self.look_at_key(host).await?.fingerprint;
        if known.contains(&found) {
            return Ok(());
        }
        Err(SshError::HostKeyChanged { known: known.join(", "), found })
    }

    async fn known(&self, rental: &str) -> Result<Vec<HostKey>, SshError> {
        let (files, rental) = (self.files.clone(), rental.to_owned());
        off_thread(move || host_keys::known(&files, &rental)).await
    }

    /// Writes the machine's block, or makes the person's own configuration known where that has it.
    ///
    /// # Errors
    /// [`SshError::Here`].
    pub async fn put(&self, host: &Host) -> Result<(), SshError> {
        let (files, host, person) = (self.files.clone(), host.clone(), self.person.clone());
        off_thread(move || match (host.by_alias(), person) {
            (false, _) => files.put_host(&host),
            (true, Some(folder)) => files.put_person(&folder),
            (true, None) => {
                Err(SshError::Here("where your SSH configuration is is not known here".to_owned()))
            }
        })
        .await
    }

    async fn run(
        &self,
        host: &Host,
        command: &[&str],
        input: &str,
        limit: Duration,
    ) -> Result<Printed, SshError> {
        let printed = self.run_with(self.command_arguments(host), &host.alias, command, input, limit).await?;
        if printed.code != 255 {
            return Ok(printed);
        }
        Err(self.explain(host, &printed.err).await)
    }

    /// Why the client ended with 255, which it keeps for its own failures.
    ///
    /// # Errors
    /// None; the answer is the error.
    pub async fn explain(&self, host: &Host, err: &str) -> SshError {
        let error = say::failure(err);
        if host.by_alias() {
            return match error {
                // Their list of host keys is theirs: what stands there is not read.
                SshError::HostKeyChanged { found, .. } if err.contains("HAS CHANGED") => {
                    let found = if found.is_empty() { "another one".to_owned() } else { found };
                    SshError::HostKeyChanged { known: "the one in your known_hosts".to_owned(), found }
                }
                SshError::HostKeyChanged { .. } => SshError::HostKeyUnknown(say::last_words(err)),
                other => other,
            };
        }
        match error {
            SshError::HostKeyChanged { found, .. } => {
                let known = match self.known(&host.rental).await {
                    Ok(keys) => keys.iter().map(|key| key.fingerprint.clone()).collect::<Vec<_>>().join(", "),
                    Err(error) => return error,
                };
                // A key of another type is refused without being named.
                let found = if found.is_empty() {
                    match self.look_at_key(host).await {
                        Ok(key) => key.fingerprint,
                        Err(_) => "a key it did not show again".to_owned(),
                    }
                } else {
                    found
                };
                SshError::HostKeyChanged { known, found }
            }
            SshError::Denied(words) => match host.identity.as_deref().and_then(crate::keys::why_unusable) {
                Some(why) => SshError::Denied(format!("{words} ({why})")),
                None => SshError::Denied(words),
            },
            other => other,
        }
    }

    async fn run_with(
        &self,
        arguments: Vec<OsString>,
        alias: &str,
        command: &[&str],
        input: &str,
        limit: Duration,
    ) -> Result<Printed, SshError> {
        let mut child = Command::new(&self.program)
            .args(arguments)
            .args(["--", alias])
            .args(command)
            .env("LC_ALL", "C")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| self.no_client(&error))?;
        let stdin = child.stdin.take();
        let talk = async {
            let write = async {
                if let Some(mut stdin) = stdin {
                    // A machine that hangs up early says why on standard error.
                    let _ = stdin.write_all(input.as_bytes()).await;
                }
            };
            let (output, ()) = tokio::join!(child.wait_with_output(), write);
            output
        };
        let Ok(output) = tokio::time::timeout(limit, talk).await else {
            return Err(SshError::Silent(format!("nothing within {} s", limit.as_secs())));
        };
        let output =
            output.map_err(|error| SshError::Here(format!("`{}`: {error}", self.program.display())))?;
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        let Some(code) = output.status.code() else {
            return Err(SshError::Here(format!("`{}` was killed", self.program.display())));
        };
        Ok(Printed { code, out: String::from_utf8_lossy(&output.stdout).into_owned(), err })
    }

    pub(crate) fn no_client(&self, error: &std::io::Error) -> SshError {
        let program = self.program.display();
        if error.kind() == std::io::ErrorKind::NotFound {
            return SshError::Here(format!(
                "there is no `{program}` on this computer: install the OpenSSH client"
            ));
        }
        SshError::Here(format!("`{program}` cannot be started: {error}"))
    }
}

/// Runs what reads and writes files away from the threads that wait for machines.
pub(crate) async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, SshError> + Send + 'static,
) -> Result<T, SshError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => Err(SshError::Here(format!("a task of the desk ended: {error}"))),
    }
}
