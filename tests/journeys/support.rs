//! A desk of its own for each test, and the program that works at it.

use std::path::{Path, PathBuf};

use std::process::Stdio;

use gpudesk_tests::sim::Sim;
use serde_json::Value;
use tempfile::TempDir;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

/// A home, and the addresses its desk asks.
pub struct Desk {
    home: TempDir,
    environment: Vec<(&'static str, String)>,
    /// What its programs are started by, where not directly.
    starter: Vec<String>,
}

/// What a run of the program left.
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// Standard output as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e} in {}\n{}", self.out, self.err))
    }
}

impl Desk {
    /// A desk whose sources are the practice market.
    pub fn at(sim: &Sim) -> Self {
        Self { home: tempfile::tempdir().unwrap(), environment: sim.environment(), starter: Vec::new() }
    }

    /// A desk at the practice market with these variables too, such as keys.
    pub fn with(sim: &Sim, more: Vec<(&'static str, String)>) -> Self {
        let mut desk = Self::at(sim);
        desk.environment.extend(more);
        desk
    }

    /// A desk without a network: its sources are addresses nobody listens at.
    pub fn offline() -> Self {
        let nobody = "http://127.0.0.1:9".to_owned();
        let names = gpudesk_tests::sim::variables();
        Self {
            home: tempfile::tempdir().unwrap(),
            environment: names.into_iter().map(|name| (name, nobody.clone())).collect(),
            starter: Vec::new(),
        }
    }

    /// Lets its programs be started by this one, which gets theirs as its last arguments.
    pub fn start_by(&mut self, starter: Vec<String>) {
        self.starter = starter;
    }

    /// The folder of its state.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// Runs `gpudesk` with these words.
    pub async fn run(&self, line: &str) -> Ran {
        let arguments: Vec<&str> = line.split_whitespace().collect();
        self.run_with(&arguments).await
    }

    /// Runs `gpudesk` with these arguments.
    pub async fn run_with(&self, arguments: &[&str]) -> Ran {
        self.run_typing(arguments, "").await
    }

    /// Runs `gpudesk` with these arguments and this on its standard input.
    pub async fn run_typing(&self, arguments: &[&str], typed: &str) -> Ran {
        let mut child = self.start(arguments);
        let mut stdin = child.stdin.take().unwrap();
        // A command that reads nothing may be gone already.
        let _ = stdin.write_all(typed.as_bytes()).await;
        drop(stdin);
        let output = child.wait_with_output().await.unwrap();
        Ran {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Starts `gpudesk` with these arguments and pipes to it; it is ended when this goes away.
    pub fn start(&self, arguments: &[&str]) -> tokio::process::Child {
        let program = program();
        let mut command = match self.starter.split_first() {
            None => Command::new(&program),
            Some((starter, before)) => {
                let mut command = Command::new(starter);
                command.args(before).arg(&program);
                command
            }
        };
        command
            .args(arguments)
            .env_remove("SSH_AUTH_SOCK")
            .envs(self.variables())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap_or_else(|e| panic!("{}: {e}; build the whole workspace first", program.display()))
    }

    /// The variables of its runs: neither the keys nor the keyring of whoever runs the tests.
    pub fn variables(&self) -> Vec<(&'static str, String)> {
        let home = self.home().display().to_string();
        let mut variables = vec![
            ("GPUDESK_HOME", home.clone()),
            ("HOME", home),
            ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nobody/listens/here".to_owned()),
        ];
        variables.extend(self.environment.iter().cloned());
        variables
    }

    /// Runs `gpudesk` with `--json`, expecting success.
    pub async fn json(&self, line: &str) -> Value {
        let ran = self.run(&format!("{line} --json")).await;
        assert_eq!(ran.code, 0, "{line}\n{}", ran.err);
        ran.json()
    }

    /// How many offers match.
    pub async fn count(&self, query: &str) -> u64 {
        self.json(&format!("offers {query} --limit 1")).await["total"].as_u64().unwrap()
    }
}

/// The program beside this test's own: both lie in the same target folder.
pub fn program() -> PathBuf {
    let this = std::env::current_exe().unwrap();
    this.parent().and_then(Path::parent).unwrap().join(format!("gpudesk{}", std::env::consts::EXE_SUFFIX))
}

/// One feed of a report.
pub fn feed<'a>(report: &'a Value, name: &str) -> &'a Value {
    let feeds = report["feeds"].as_array().unwrap();
    feeds.iter().find(|feed| feed["feed"] == name).unwrap_or_else(|| panic!("no feed {name} in {report:#}"))
}

/// A money text of the contract as a number, for comparisons in tests.
pub fn amount(value: &Value) -> f64 {
    value.as_str().unwrap_or_else(|| panic!("{value} is no money")).parse().unwrap()
}

/// The folder of public price lists beside the checkout, or `None` with a word about it.
pub fn shared_catalogue() -> Option<PathBuf> {
    let base = std::env::var_os("GPUDESK_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"), PathBuf::from);
    let folder = base.join("data/skypilot-catalog");
    if !folder.is_dir() {
        eprintln!("skipped, needs ../shared/data/skypilot-catalog");
        return None;
    }
    Some(folder)
}
