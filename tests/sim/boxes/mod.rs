//! Machines that are really there: an SSH server on loopback for each that runs, with a shell in a folder of its own.
//!
//! It is a shell of whoever started the market, on this computer and as that person; what is apart is the home folder
//! and the path. A machine's folder is kept while it stands and goes with its end.

mod door;
mod root;
mod run;
mod smi;
mod web;

use std::collections::HashMap;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use russh::keys::ssh_key::LineEnding;
use russh::keys::ssh_key::private::{Ed25519Keypair, KeypairData};
use russh::keys::{PrivateKey, PublicKey};
use tokio::runtime::Handle;
use tokio::sync::watch;

use super::account::box_key;
use super::clock::Nanos;
use super::lock;
use super::machine::{Machine, Phase, Service};
use super::seller::seller;
use super::world::World;

/// The folder in a machine's home that stands for the system's own.
const ROOT: &str = ".root";

/// What a server needs to know of its machine.
pub struct Inside {
    /// Its folder.
    pub home: PathBuf,
    /// Its variables.
    pub environment: Vec<(String, String)>,
    /// Who may log in.
    pub user: &'static str,
    /// With which keys, now.
    pub keys: Mutex<Vec<PublicKey>>,
}

struct Server {
    inside: Arc<Inside>,
    port: u16,
    starts: u32,
    stop: watch::Sender<bool>,
}

/// Waits until a machine is told to stop, or its yard is gone.
async fn told(stopped: &mut watch::Receiver<bool>) {
    let _ = stopped.wait_for(|stopped| *stopped).await;
}

/// The servers of all machines.
pub struct Yard {
    folder: PathBuf,
    runtime: Handle,
    servers: Mutex<HashMap<String, Server>>,
}

impl Yard {
    /// A yard whose machines live in this folder. Must be called where tasks can be started.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, runtime: Handle::current(), servers: Mutex::default() }
    }

    /// Starts and ends servers so that they are those of the machines that run.
    pub fn sync(&self, world: &mut World, now: Nanos) {
        let mut servers = lock(&self.servers);
        for machine in &mut world.machines {
            let running = servers.get(&machine.id);
            // A started machine begins anew; at RunPod it has another port then.
            if running.is_some_and(|server| !machine.is_up() || server.starts != machine.starts) {
                if let Some(server) = servers.remove(&machine.id) {
                    let _ = server.stop.send(true);
                    root::halt(&self.folder.join(&machine.id));
                }
                if machine.service == Service::Runpod {
                    machine.port = None;
                }
            }
            if machine.phase == Phase::Gone {
                if machine.port.take().is_some() {
                    let _ = std::fs::remove_dir_all(self.folder.join(&machine.id));
                }
                continue;
            }
            if machine.is_up() && !servers.contains_key(&machine.id) {
                match self.start(machine) {
                    Ok(server) => {
                        machine.port = Some(server.port);
                        servers.insert(machine.id.clone(), server);
                    }
                    Err(error) => {
                        machine.says = Some(format!("the SSH server could not be started: {error}"))
                    }
                }
            }
            if let Some(server) = servers.get(&machine.id) {
                let keys = machine.keys.iter().filter(|_| machine.keys_from <= now);
                *lock(&server.inside.keys) =
                    keys.filter_map(|key| PublicKey::from_openssh(key).ok()).collect();
            }
        }
    }

    fn start(&self, machine: &Machine) -> std::io::Result<Server> {
        let home = self.folder.join(&machine.id);
        let tools = home.join(".bin");
        std::fs::create_dir_all(&tools)?;
        smi::install(&tools, machine)?;
        root::install(&home.join(ROOT))?;
        let name = machine.name.as_deref().unwrap_or(&machine.id);
        let greeting = format!(
            "Practice machine {name}: a shell on your own computer, in {}.\nNothing here costs money.\n",
            home.display()
        );
        std::fs::write(home.join(".motd"), greeting)?;
        std::fs::write(home.join(".bashrc"), "PS1='practice:\\w\\$ '\n[ -f ~/.motd ] && cat ~/.motd\n")?;
        let key = host_key(&home.join(".host_key"))?;
        let listener = listen(machine.port)?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let inside = Arc::new(Inside {
            environment: environment(machine, &home, &tools),
            home,
            user: seller(machine.service).user,
            keys: Mutex::default(),
        });
        let (stop, stopped) = watch::channel(false);
        self.runtime.spawn(door::serve(listener, key, inside.clone(), stopped));
        Ok(Server { inside, port, starts: machine.starts, stop })
    }
}

/// Listens at the port a machine had, or at any where somebody else has it now.
fn listen(port: Option<u16>) -> std::io::Result<TcpListener> {
    let at = |port| TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], port)));
    port.map_or_else(|| at(0), |port| at(port).or_else(|_| at(0)))
}

/// The machine's host key: read back, or made at its first start.
fn host_key(path: &Path) -> std::io::Result<PrivateKey> {
    if let Ok(text) = std::fs::read_to_string(path)
        && let Ok(key) = PrivateKey::from_openssh(&text)
    {
        return Ok(key);
    }
    let seed: [u8; 32] = rand::random();
    let pair = KeypairData::from(Ed25519Keypair::from_seed(&seed));
    let key = PrivateKey::new(pair, "practice").map_err(std::io::Error::other)?;
    let text = key.to_openssh(LineEnding::LF).map_err(std::io::Error::other)?;
    std::fs::write(path, text.as_bytes())?;
    Ok(key)
}

/// The variables of a machine: what its seller sets, and of ours what a shell needs and the folder without which the
/// desk's watchdog would take this computer for the machine.
fn environment(machine: &Machine, home: &Path, tools: &Path) -> Vec<(String, String)> {
    let path = std::env::var("PATH").unwrap_or_else(|_| "/usr/bin:/bin".to_owned());
    let user = seller(machine.service).user;
    let mut variables = vec![
        ("HOME", home.display().to_string()),
        ("GPUDESK_ROOT", home.join(ROOT).display().to_string()),
        ("GPUDESK_PLAYER", std::process::id().to_string()),
        ("PATH", format!("{}:{path}", tools.display())),
        ("USER", user.to_owned()),
        ("LOGNAME", user.to_owned()),
        ("LANG", "C.UTF-8".to_owned()),
    ];
    match machine.service {
        Service::Vast => variables.extend([
            ("CONTAINER_ID", machine.id.clone()),
            ("CONTAINER_API_KEY", box_key(&machine.id)),
            ("VAST_CONTAINERLABEL", format!("C.{}", machine.id)),
        ]),
        Service::Runpod => variables
            .extend([("RUNPOD_POD_ID", machine.id.clone()), ("RUNPOD_API_KEY", box_key(&machine.id))]),
        _ => {}
    }
    variables.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
