//! The practice market as a program: prints the variables that send a desk to it and an empty line, then serves until
//! it is ended.
//!
//! `--until-stdin-closes` ends it with whoever started it; `--state FOLDER` keeps its machines for the next time (a
//! second market of the same folder sends to the first); `--no-ssh` rents machines that nobody can log in to.

use std::fmt::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use gpudesk_tests::sim::Sim;
use gpudesk_tests::sim::state::{Opened, State};

const USAGE: &str =
    "usage: gpudesk-practice [127.0.0.1:PORT] [--until-stdin-closes] [--state FOLDER] [--no-ssh]";

/// How often machines are moved on and kept.
const BEAT: Duration = Duration::from_millis(250);

struct Options {
    address: SocketAddr,
    until_stdin_closes: bool,
    state: Option<PathBuf>,
    ssh: bool,
}

fn options() -> Option<Options> {
    let nowhere = SocketAddr::from(([127, 0, 0, 1], 0));
    let mut options = Options { address: nowhere, until_stdin_closes: false, state: None, ssh: true };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--until-stdin-closes" => options.until_stdin_closes = true,
            "--no-ssh" => options.ssh = false,
            "--state" => options.state = Some(arguments.next()?.into()),
            address => options.address = address.parse().ok()?,
        }
    }
    Some(options)
}

#[tokio::main]
async fn main() -> ExitCode {
    let Some(options) = options() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match run(options).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("gpudesk-practice: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run(options: Options) -> std::io::Result<()> {
    // Without a folder of its own the machines live in one that goes with the program.
    let scratch = tempfile::tempdir()?;
    let state = match &options.state {
        None => None,
        Some(folder) => match State::open(folder)? {
            Opened::Ours(state) => Some(state),
            Opened::Taken(announced) => {
                say(&announced);
                wait(options.until_stdin_closes).await;
                return Ok(());
            }
        },
    };
    let machines = state.as_ref().map_or_else(|| scratch.path().to_owned(), State::machines);
    let world = state.as_ref().map(State::load).unwrap_or_default();
    let sim = Sim::start_with(options.address, world, options.ssh.then_some(machines)).await?;
    let mut lines = String::new();
    for (name, value) in sim.environment().into_iter().chain(sim.keys()) {
        let _ = writeln!(lines, "{name}={value}");
    }
    if let Some(state) = &state {
        state.announce(&lines)?;
    }
    say(&lines);
    let mut kept = String::new();
    let mut beat = tokio::time::interval(BEAT);
    let end = wait(options.until_stdin_closes);
    tokio::pin!(end);
    loop {
        tokio::select! {
            _ = beat.tick() => keep(&sim, state.as_ref(), &mut kept)?,
            () = &mut end => return keep(&sim, state.as_ref(), &mut kept),
        }
    }
}

/// Moves the machines on, and keeps them where they changed.
fn keep(sim: &Sim, state: Option<&State>, kept: &mut String) -> std::io::Result<()> {
    let world = sim.market.world();
    let Some(state) = state else { return Ok(()) };
    let now = serde_json::to_string(&*world)?;
    drop(world);
    if now != *kept {
        state.save(&now)?;
        *kept = now;
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "a program whose output is read by the one who starts it")]
fn say(lines: &str) {
    println!("{lines}");
}

/// Waits for the end: of standard input where that was asked for, or of the program.
async fn wait(until_stdin_closes: bool) {
    let interrupted = tokio::signal::ctrl_c();
    if !until_stdin_closes {
        let _ = interrupted.await;
        return;
    }
    let (close, closed) = tokio::sync::oneshot::channel();
    // A thread of its own: a read that never returns must not keep the runtime from ending.
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        let _ = close.send(());
    });
    tokio::select! { _ = closed => {}, _ = interrupted => {} }
}
