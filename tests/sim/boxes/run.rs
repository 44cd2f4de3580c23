//! What runs inside a machine: commands on pipes, shells in a terminal.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use portable_pty::{CommandBuilder, MasterPty, PtySize, SlavePty, native_pty_system};
use russh::server::Msg;
use russh::{Channel, ChannelMsg};
use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use tokio::sync::{mpsc, watch};

use super::super::lock;
use super::{Inside, told};

/// How long a program's last words are waited for after its end.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Where systems keep the file transfer server of OpenSSH.
const SFTP: [&str; 4] = [
    "/usr/lib/openssh/sftp-server",
    "/usr/lib/ssh/sftp-server",
    "/usr/libexec/openssh/sftp-server",
    "/usr/libexec/sftp-server",
];

/// The system's file transfer server.
pub fn sftp_server() -> Option<&'static str> {
    SFTP.into_iter().find(|path| Path::new(path).is_file())
}

fn shell_program() -> &'static str {
    if Path::new("/bin/bash").exists() { "/bin/bash" } else { "/bin/sh" }
}

/// The shell, with a command for it or reading its input.
pub fn shell(command: Option<&[u8]>) -> Command {
    let mut shell = Command::new(shell_program());
    if let Some(command) = command {
        shell.arg("-c").arg(OsString::from_vec(command.to_vec()));
    }
    shell
}

/// Runs a program on pipes until it or the machine ends.
pub async fn plain(
    channel: Channel<Msg>,
    mut command: Command,
    inside: Arc<Inside>,
    mut stopped: watch::Receiver<bool>,
) {
    let (mut from, to) = channel.split();
    let spawned = command
        .env_clear()
        .envs(inside.environment.iter().cloned())
        .current_dir(&inside.home)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn();
    let Ok(mut child) = spawned else {
        let _ = to.exit_status(127).await;
        let _ = to.close().await;
        return;
    };
    let input = child.stdin.take();
    let feed = tokio::spawn(async move {
        let Some(mut input) = input else { return };
        while let Some(message) = from.wait().await {
            match message {
                ChannelMsg::Data { data } if input.write_all(&data).await.is_err() => return,
                ChannelMsg::Data { .. } => {}
                ChannelMsg::Eof | ChannelMsg::Close => return,
                _ => {}
            }
        }
    });
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let mut writer = to.make_writer();
    let mut error_writer = to.make_writer_ext(Some(1));
    let copied = async {
        let out = async {
            if let Some(mut out) = out {
                let _ = tokio::io::copy(&mut out, &mut writer).await;
            }
        };
        let err = async {
            if let Some(mut err) = err {
                let _ = tokio::io::copy(&mut err, &mut error_writer).await;
            }
        };
        tokio::join!(out, err);
        child.wait().await
    };
    let status = tokio::select! {
        status = copied => status.ok().and_then(|status| status.code()),
        () = told(&mut stopped) => None,
    };
    feed.abort();
    let _ = to.exit_status(status.and_then(|code| u32::try_from(code).ok()).unwrap_or(255)).await;
    let _ = to.eof().await;
    let _ = to.close().await;
}

/// A terminal that was asked for.
#[derive(Clone)]
pub struct Terminal {
    master: Arc<Mutex<Box<dyn MasterPty + Send>>>,
    /// The program's end, until it has it: a terminal ends once nobody holds that end any more.
    slave: Arc<Mutex<Option<Box<dyn SlavePty + Send>>>>,
    term: String,
}

fn size(columns: u32, rows: u32) -> PtySize {
    let within = |n: u32| u16::try_from(n.clamp(1, 1_000)).unwrap_or(80);
    PtySize { rows: within(rows), cols: within(columns), pixel_width: 0, pixel_height: 0 }
}

impl Terminal {
    /// A new one of this size; `None` where the system gives none.
    pub fn open(term: &str, columns: u32, rows: u32) -> Option<Self> {
        let pair = native_pty_system().openpty(size(columns, rows)).ok()?;
        let (master, slave) = (Arc::new(Mutex::new(pair.master)), Arc::new(Mutex::new(Some(pair.slave))));
        Some(Self { master, slave, term: term.to_owned() })
    }

    /// Another size.
    pub fn resize(&self, columns: u32, rows: u32) {
        let _ = lock(&self.master).resize(size(columns, rows));
    }
}

/// Runs a shell, or a command, in a terminal until it or the machine ends.
pub async fn in_terminal(
    channel: Channel<Msg>,
    terminal: Terminal,
    command: Option<Vec<u8>>,
    inside: Arc<Inside>,
    mut stopped: watch::Receiver<bool>,
) {
    let (mut from, to) = channel.split();
    let mut shell = CommandBuilder::new(shell_program());
    if let Some(command) = command {
        shell.arg("-c");
        shell.arg(OsString::from_vec(command));
    }
    shell.env_clear();
    for (name, value) in &inside.environment {
        shell.env(name, value);
    }
    shell.env("TERM", &terminal.term);
    shell.cwd(&inside.home);
    let slave = lock(&terminal.slave).take();
    let opened = slave.and_then(|slave| {
        let child = slave.spawn_command(shell).ok()?;
        let master = lock(&terminal.master);
        Some((child, master.try_clone_reader().ok()?, master.take_writer().ok()?))
    });
    let Some((mut child, mut reader, mut writer)) = opened else {
        let _ = to.exit_status(127).await;
        let _ = to.close().await;
        return;
    };
    let mut killer = child.clone_killer();
    // A terminal is read and written by blocking calls: a thread each.
    let (screen, mut shown) = mpsc::channel::<Vec<u8>>(16);
    tokio::task::spawn_blocking(move || {
        let mut piece = [0; 4_096];
        while let Ok(read) = reader.read(&mut piece) {
            if read == 0 || screen.blocking_send(piece[..read].to_vec()).is_err() {
                return;
            }
        }
    });
    let (keyboard, mut typed) = mpsc::channel::<Vec<u8>>(16);
    tokio::task::spawn_blocking(move || {
        while let Some(bytes) = typed.blocking_recv() {
            if writer.write_all(&bytes).and_then(|()| writer.flush()).is_err() {
                return;
            }
        }
    });
    let mut ended = tokio::task::spawn_blocking(move || child.wait());
    let mut out = to.make_writer();
    let mut code = None;
    let mut closed = false;
    loop {
        tokio::select! {
            bytes = shown.recv(), if !closed => match bytes {
                Some(bytes) if out.write_all(&bytes).await.is_ok() => {}
                Some(_) => break,
                // Nobody holds the terminal any more: the program is over, or about to be.
                None => closed = true,
            },
            message = from.wait() => match message {
                Some(ChannelMsg::Data { data }) => if keyboard.send(data.to_vec()).await.is_err() { break },
                Some(ChannelMsg::Close) | None => break,
                Some(_) => {}
            },
            status = &mut ended, if code.is_none() => {
                code = Some(status.ok().and_then(Result::ok).map_or(255, |status| status.exit_code()));
                // What it still wrote is shown before the line is closed.
                let rest = async {
                    while let Some(bytes) = shown.recv().await {
                        let _ = out.write_all(&bytes).await;
                    }
                };
                // A program that it left behind may hold the terminal for as long as it likes.
                let _ = tokio::time::timeout(LAST_WORDS, rest).await;
                break;
            },
            () = told(&mut stopped) => break,
        }
    }
    let _ = killer.kill();
    let _ = to.exit_status(code.unwrap_or(255)).await;
    let _ = to.eof().await;
    let _ = to.close().await;
}
