//! The practice market: a program beside ours that plays the clouds on loopback, so that the whole life of a rental
//! can be tried without money or account.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};

use crate::DeskError;

/// The program's name, without the system's suffix.
const PROGRAM: &str = "gpudesk-practice";

/// The longest it may take to say where it listens.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running practice market. It ends when this is dropped, and also when this process is killed: it serves as long
/// as its standard input is open, and the system closes that with us.
pub struct PracticeMarket {
    variables: Vec<(String, String)>,
    _life: ChildStdin,
    _child: Child,
}

impl PracticeMarket {
    /// Starts the market, or finds its machines again: they are kept in `folder`.
    ///
    /// # Errors
    /// [`DeskError::Practice`] when the program is missing, or does not say within 20 seconds where it listens.
    pub async fn start(folder: &Path) -> Result<Self, DeskError> {
        let program = find().ok_or_else(|| {
            DeskError::Practice(format!("the program `{PROGRAM}` is not beside this one; install it again"))
        })?;
        let mut child = Command::new(&program)
            .arg("--until-stdin-closes")
            .arg("--state")
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| {
                DeskError::Practice(format!("{} could not be started: {error}", program.display()))
            })?;
        let (Some(life), Some(out), Some(err)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(DeskError::Practice("its pipes could not be opened".to_owned()));
        };
        let last_words = tokio::spawn(last_words(err));
        let announced = tokio::time::timeout(PATIENCE, announced(out))
            .await
            .map_err(|_| DeskError::Practice("it did not say where it listens".to_owned()))?
            .map_err(|error| DeskError::Practice(error.to_string()))?;
        let Some(variables) = announced else {
            let words = last_words.await.unwrap_or_default();
            return Err(DeskError::Practice(format!("it ended before it listened: {words}")));
        };
        Ok(Self { variables, _life: life, _child: child })
    }

    /// Names and values as in the environment: `GPUDESK_VAST_URL`, `GPUDESK_VAST_KEY` and so on.
    #[must_use]
    pub fn variables(&self) -> &[(String, String)] {
        &self.variables
    }
}

/// Reads `NAME=VALUE` lines up to an empty one; none where the program ends before it.
async fn announced(out: ChildStdout) -> io::Result<Option<Vec<(String, String)>>> {
    let mut lines = BufReader::new(out).lines();
    let mut variables = Vec::new();
    while let Some(line) = lines.next_line().await? {
        if line.is_empty() {
            return Ok(Some(variables));
        }
        if let Some((name, value)) = line.split_once('=') {
            variables.push((name.to_owned(), value.to_owned()));
        }
    }
    Ok(None)
}

/// Reads its complaints to the end, so that it never waits for a reader; gives the last one.
async fn last_words(err: ChildStderr) -> String {
    let (mut lines, mut last) = (BufReader::new(err).lines(), String::new());
    while let Ok(Some(line)) = lines.next_line().await {
        tracing::debug!("practice market: {line}");
        last = line;
    }
    last
}

/// The program beside this one, or one folder up (where programs of tests look from).
fn find() -> Option<PathBuf> {
    let this = std::env::current_exe().ok()?;
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    this.ancestors().skip(1).take(2).map(|folder| folder.join(&name)).find(|path| path.is_file())
}
