//! A throw-away OpenSSH server in a folder of its own, on a free port of the loopback interface.

use std::io::Read;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use gpudesk_core::rental::SshAddress;
use gpudesk_remote::{Files, Host, Ssh};
use tempfile::TempDir;

pub const SSHD: &str = "/usr/sbin/sshd";

/// A server, its keys, and a desk's home beside it.
pub struct Machine {
    pub folder: TempDir,
    pub port: u16,
    pub user: String,
    server: Option<Child>,
}

pub fn free_port() -> u16 {
    TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port()
}

pub fn keygen(path: &Path, passphrase: &str) {
    let made = Command::new("ssh-keygen")
        .args(["-q", "-t", "ed25519", "-C", "test", "-N", passphrase, "-f"])
        .arg(path)
        .status();
    assert!(made.unwrap().success());
}

/// Whether the port shows the banner of SSH.
fn answers(port: u16) -> bool {
    let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) else { return false };
    let mut banner = [0; 4];
    stream.set_read_timeout(Some(std::time::Duration::from_secs(2))).unwrap();
    stream.read_exact(&mut banner).is_ok() && &banner == b"SSH-"
}

impl Machine {
    /// A server that lets the key `key` in; `None` where this machine has no OpenSSH server.
    pub fn start() -> Option<Self> {
        if !Path::new(SSHD).exists() {
            println!("skipped, needs {SSHD}");
            return None;
        }
        // Some systems make this folder only when their own server starts; it refuses to run without.
        let _ = std::fs::create_dir_all("/run/sshd");
        let folder = tempfile::tempdir().unwrap();
        keygen(&folder.path().join("key"), "");
        std::fs::copy(folder.path().join("key.pub"), folder.path().join("authorized_keys")).unwrap();
        let name = Command::new("id").arg("-un").output().unwrap();
        let user = String::from_utf8(name.stdout).unwrap().trim().to_owned();
        let mut server = Self { folder, port: free_port(), user, server: None };
        server.new_host_key("host");
        server.up("host", "");
        Some(server)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn new_host_key(&self, name: &str) {
        keygen(&self.path(name), "");
    }

    /// Starts the server with this host key and these further lines of configuration.
    pub fn up(&mut self, host_key: &str, more: &str) {
        self.down();
        let at = self.folder.path().display();
        let port = self.port;
        let config = format!(
            "ListenAddress 127.0.0.1\nPort {port}\nHostKey {at}/{host_key}\nPidFile {at}/pid\nAuthorizedKeysFile {at}/authorized_keys\n\
             StrictModes no\nUsePAM no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\nPermitRootLogin prohibit-password\n\
             PrintMotd no\nPrintLastLog no\nMaxStartups 100\nSubsystem sftp internal-sftp\n{more}\n"
        );
        std::fs::write(self.path("sshd_config"), config).unwrap();
        let log = std::fs::File::create(self.path("log")).unwrap();
        let child = Command::new(SSHD)
            .args(["-D", "-e", "-f"])
            .arg(self.path("sshd_config"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        self.server = Some(child);
        for _ in 0..10_000 {
            if answers(self.port) {
                return;
            }
            std::thread::yield_now();
            if let Some(status) = self.server.as_mut().unwrap().try_wait().unwrap() {
                panic!("sshd ended with {status}: {}", std::fs::read_to_string(self.path("log")).unwrap());
            }
        }
        panic!("sshd does not answer: {}", std::fs::read_to_string(self.path("log")).unwrap());
    }

    /// Ends the server and every session it has: the machine is gone.
    pub fn down(&mut self) {
        if let Some(mut server) = self.server.take() {
            let parent = server.id().to_string();
            // Sessions are processes of their own; they must not outlive the machine.
            let _ = Command::new("pkill").args(["-KILL", "-P", &parent]).status();
            let _ = server.kill();
            let _ = server.wait();
        }
    }

    /// A program that is a shell script.
    pub fn script(&self, name: &str, text: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        let path = self.path(name);
        std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// No name was read as a command: the file that it would have made is nowhere.
    pub fn no_canary(&self) {
        let home = std::env::home_dir().unwrap_or_default();
        for folder in [PathBuf::from("."), self.folder.path().to_owned(), self.path("home"), home] {
            assert!(!folder.join("CANARY").exists(), "{}", folder.display());
        }
    }

    /// The desk's client in a home of its own.
    pub fn ssh(&self) -> Ssh {
        Ssh::new(Files::new(&self.path("home")))
    }

    /// The machine as a rental.
    pub fn host(&self, rental: &str) -> Host {
        Host {
            rental: rental.to_owned(),
            alias: format!("gpudesk-{}", rental.to_ascii_lowercase()),
            address: SshAddress::new("127.0.0.1", self.port, &self.user, false).unwrap(),
            identity: Some(self.path("key")),
        }
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        self.down();
    }
}
