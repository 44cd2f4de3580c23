//! A terminal inside the desk: the system's ssh in a pseudo-terminal, and what it printed, kept so that a window that
//! was away can read on from where it was.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use portable_pty::{ChildKiller, CommandBuilder, MasterPty, PtySize, native_pty_system};
use tokio::sync::watch;

use crate::SshError;

/// Output kept for a reader that is behind; what is older is gone.
const KEPT: usize = 4 << 20;
/// Most that one read gives.
const READ: usize = 256 << 10;

/// A program in a pseudo-terminal. It is ended when this goes away.
pub struct Terminal {
    shared: Arc<Shared>,
    changed: watch::Receiver<()>,
    writer: Arc<Mutex<Box<dyn Write + Send>>>,
    master: Mutex<Box<dyn MasterPty + Send>>,
    killer: Mutex<Box<dyn ChildKiller + Send + Sync>>,
}

#[derive(Default)]
struct Shared {
    output: Mutex<Output>,
}

#[derive(Default)]
struct Output {
    bytes: VecDeque<u8>,
    /// Bytes printed before the first one kept.
    gone: u64,
    exit: Option<i32>,
}

/// What a terminal printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printout {
    /// The bytes, as they came.
    pub bytes: Vec<u8>,
    /// Offset behind them.
    pub offset: u64,
    /// The exit code, once the program is over and everything was read.
    pub exit: Option<i32>,
}

impl Terminal {
    /// Starts a program in a pseudo-terminal of this size.
    ///
    /// # Errors
    /// [`SshError::Here`] when there is no such program or no pseudo-terminal.
    pub fn start(program: &Path, arguments: &[OsString], cols: u16, rows: u16) -> Result<Self, SshError> {
        let here = |what: &str, error: &dyn std::fmt::Display| SshError::Here(format!("{what}: {error}"));
        let pair = native_pty_system()
            .openpty(size(cols, rows))
            .map_err(|error| here("no pseudo-terminal", &error))?;
        let mut command = CommandBuilder::new(program);
        command.args(arguments);
        command.env("TERM", "xterm-256color");
        let mut child = pair
            .slave
            .spawn_command(command)
            .map_err(|error| here(&format!("`{}` cannot be started", program.display()), &error))?;
        // The program has its end; ours must not keep the terminal open after it.
        drop(pair.slave);
        let mut reader =
            pair.master.try_clone_reader().map_err(|error| here("the terminal cannot be read", &error))?;
        let writer =
            pair.master.take_writer().map_err(|error| here("the terminal cannot be written", &error))?;
        let (tell, changed) = watch::channel(());
        let shared = Arc::new(Shared::default());
        let killer = child.clone_killer();
        let filled = Arc::clone(&shared);
        std::thread::Builder::new()
            .name("terminal".to_owned())
            .spawn(move || {
                let mut chunk = [0; 8192];
                // A terminal whose program is over answers with an error on Linux.
                while let Ok(count @ 1..) = reader.read(&mut chunk) {
                    lock(&filled.output).push(chunk.get(..count).unwrap_or_default());
                    tell.send_replace(());
                }
                let code =
                    child.wait().map_or(255, |status| i32::try_from(status.exit_code()).unwrap_or(255));
                lock(&filled.output).exit = Some(code);
                tell.send_replace(());
            })
            .map_err(|error| here("no thread for the terminal", &error))?;
        Ok(Self {
            shared,
            changed,
            writer: Arc::new(Mutex::new(writer)),
            master: Mutex::new(pair.master),
            killer: Mutex::new(killer),
        })
    }

    /// Types these bytes.
    ///
    /// # Errors
    /// [`SshError::Here`] when the program is over.
    pub async fn write(&self, bytes: Vec<u8>) -> Result<(), SshError> {
        let writer = Arc::clone(&self.writer);
        crate::ssh::off_thread(move || {
            let mut writer = lock(&writer);
            let written = writer.write_all(&bytes).and_then(|()| writer.flush());
            written.map_err(|error| SshError::Here(format!("the terminal is closed: {error}")))
        })
        .await
    }

    /// Tells the program the terminal's new size.
    ///
    /// # Errors
    /// [`SshError::Here`] when the system refuses.
    pub fn resize(&self, cols: u16, rows: u16) -> Result<(), SshError> {
        let resized = lock(&self.master).resize(size(cols, rows));
        resized.map_err(|error| SshError::Here(format!("the terminal cannot be resized: {error}")))
    }

    /// What was printed behind `offset`. With nothing new it waits for something, up to `patience`.
    pub async fn read(&self, offset: u64, patience: Duration) -> Printout {
        let mut changed = self.changed.clone();
        let wait = async {
            loop {
                changed.borrow_and_update();
                let printed = lock(&self.shared.output).since(offset);
                if !printed.bytes.is_empty() || printed.exit.is_some() || changed.changed().await.is_err() {
                    return;
                }
            }
        };
        let _ = tokio::time::timeout(patience, wait).await;
        lock(&self.shared.output).since(offset)
    }

    /// The last text it printed, for its reason to end.
    #[must_use]
    pub fn tail(&self) -> String {
        let output = lock(&self.shared.output);
        let bytes: Vec<u8> =
            output.bytes.iter().skip(output.bytes.len().saturating_sub(4096)).copied().collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Ends the program.
    pub fn close(&self) {
        // One that is over already cannot be ended.
        let _ = lock(&self.killer).kill();
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.close();
    }
}

impl Output {
    fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
        let over = self.bytes.len().saturating_sub(KEPT);
        self.bytes.drain(..over);
        self.gone += over as u64;
    }

    fn since(&self, offset: u64) -> Printout {
        let end = self.gone + self.bytes.len() as u64;
        let skip = usize::try_from(offset.clamp(self.gone, end) - self.gone).unwrap_or(usize::MAX);
        let bytes: Vec<u8> = self.bytes.iter().skip(skip).take(READ).copied().collect();
        let offset = self.gone + (skip + bytes.len()) as u64;
        Printout { bytes, offset, exit: self.exit.filter(|_| offset == end) }
    }
}

fn size(cols: u16, rows: u16) -> PtySize {
    PtySize { rows: rows.clamp(1, 1000), cols: cols.clamp(1, 1000), pixel_width: 0, pixel_height: 0 }
}

fn lock<T: ?Sized>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(20);

    fn shell(script: &str) -> Terminal {
        Terminal::start(Path::new("sh"), &["-c".into(), script.into()], 80, 24).unwrap()
    }

    async fn read_until(terminal: &Terminal, wanted: &str) -> String {
        let (mut text, mut offset) = (Vec::new(), 0);
        loop {
            let printed = terminal.read(offset, PATIENCE).await;
            text.extend(printed.bytes);
            offset = printed.offset;
            let shown = String::from_utf8_lossy(&text).into_owned();
            if shown.contains(wanted) {
                return shown;
            }
            assert_eq!(printed.exit, None, "{shown}");
        }
    }

    #[tokio::test]
    async fn what_is_typed_arrives_and_what_is_printed_is_kept() {
        let terminal = shell("stty -echo; echo ready; read x; echo \"got $x\"; stty size; exit 7");
        read_until(&terminal, "ready").await;
        terminal.resize(132, 50).unwrap();
        terminal.write("ключ; $(id)\n".as_bytes().to_vec()).await.unwrap();
        let shown = read_until(&terminal, "50 132").await;
        assert!(shown.contains("got ключ; $(id)"), "{shown}");
        let mut last = terminal.read(0, PATIENCE).await;
        while last.exit.is_none() {
            last = terminal.read(last.offset, PATIENCE).await;
        }
        assert_eq!(last.exit, Some(7));
    }

    #[tokio::test]
    async fn a_read_with_nothing_new_waits_and_then_says_so() {
        let terminal = shell("cat");
        let printed = terminal.read(0, Duration::from_millis(10)).await;
        assert_eq!(printed, Printout { bytes: vec![], offset: 0, exit: None });
        terminal.close();
        assert!(terminal.read(0, PATIENCE).await.exit.is_some(), "a closed terminal is over");
    }

    #[test]
    fn a_reader_that_is_far_behind_goes_on_with_what_is_left() {
        let mut output = Output::default();
        output.push(&vec![b'a'; KEPT]);
        output.push(b"bcd");
        let printed = output.since(1);
        assert_eq!(printed.bytes.len(), READ);
        assert_eq!(printed.offset, 3 + READ as u64, "the first three bytes are gone");
        assert_eq!(output.since(KEPT as u64 + 1).bytes, b"cd");
        assert_eq!(output.since(u64::MAX).bytes, b"");
    }
}
