//! A rented machine is one to log in to, with the system's own client.

use std::path::Path;
use std::process::{Output, Stdio};

use gpudesk_tests::sim::Sim;
use gpudesk_tests::sim::world::World;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

use crate::support::{ask, pass};
use crate::vast::{offer, rent};

/// A running machine, and a key that fits and one that does not.
pub struct Machine {
    pub sim: Sim,
    pub folder: TempDir,
    pub id: String,
    pub port: u16,
}

async fn key(folder: &Path, name: &str) -> String {
    let path = folder.join(name);
    let made =
        Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(&path).status().await;
    assert!(made.unwrap().success());
    std::fs::read_to_string(path.with_extension("pub")).unwrap().trim().to_owned()
}

impl Machine {
    pub async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let address = "127.0.0.1:0".parse().unwrap();
        let boxes = folder.path().join("machines");
        let sim = Sim::start_with(address, World::default(), Some(boxes)).await.unwrap();
        sim.market.clock.set("2026-11-30T09:00:00Z".parse().unwrap());
        let (fits, _) = (key(folder.path(), "fits").await, key(folder.path(), "other").await);
        let (_, made) = rent(&sim, &offer(&sim, "on-demand").await, json!({})).await;
        let id = made["new_contract"].to_string();
        let attached =
            ask(&sim, "POST", &format!("/api/v0/instances/{id}/ssh/"), json!({ "ssh_key": fits })).await;
        assert_eq!(attached.0, 200);
        pass(&sim, 5);
        let (_, shown) = ask(&sim, "GET", &format!("/api/v0/instances/{id}/"), Value::Null).await;
        assert_eq!(shown["instances"]["public_ipaddr"], "127.0.0.1");
        let port = shown["instances"]["ports"]["22/tcp"][0]["HostPort"].as_str().unwrap().parse().unwrap();
        Self { sim, folder, id, port }
    }

    fn client(&self, program: &str, key: &str) -> Command {
        let mut client = Command::new(program);
        client.args(["-F", "/dev/null", "-o", "BatchMode=yes", "-o", "IdentitiesOnly=yes", "-o"]);
        client.arg(format!("UserKnownHostsFile={}", self.folder.path().join("known").display()));
        client.args(["-o", "GlobalKnownHostsFile=/dev/null", "-o", "StrictHostKeyChecking=accept-new"]);
        client
            .args(["-o", "ConnectTimeout=5", "-o", "LogLevel=ERROR", "-i"])
            .arg(self.folder.path().join(key));
        client.args([if program == "ssh" { "-p" } else { "-P" }, &self.port.to_string()]);
        client.stdin(Stdio::null());
        client
    }

    async fn ssh(&self, arguments: &[&str]) -> Output {
        self.client("ssh", "fits").arg("root@127.0.0.1").args(arguments).output().await.unwrap()
    }

    async fn says(&self, command: &str) -> String {
        let output = self.ssh(&[command]).await;
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_machine_can_be_logged_in_to() {
    let machine = Machine::start().await;
    let cards =
        "nvidia-smi --query-gpu=index,name,memory.total,mig.mode.current --format=csv,noheader,nounits";
    assert_eq!(machine.says(cards).await, "0, NVIDIA GeForce RTX 4090, 24564, [N/A]");
    assert!(machine.says("nvidia-smi -L").await.starts_with("GPU 0: NVIDIA GeForce RTX 4090 (UUID: GPU-"));
    assert!(machine.says("nvidia-smi").await.contains("CUDA Version: 12.8"));
    assert_eq!(machine.says("nvidia-smi --query-compute-apps=pid --format=csv,noheader").await, "");
    assert_eq!(machine.ssh(&["nvidia-smi --query-gpu=nonsense --format=csv"]).await.status.code(), Some(2));
    assert_eq!(machine.says("pwd; printf 'привет %s' \"$CONTAINER_ID\"").await, {
        let home = machine.folder.path().join("machines").join(&machine.id);
        format!("{}\nпривет {}", home.display(), machine.id)
    });
    assert_eq!(machine.ssh(&["exit 7"]).await.status.code(), Some(7));
    let terminal =
        machine.client("ssh", "fits").args(["-tt", "root@127.0.0.1", "test -t 1 && echo yes"]).output();
    assert_eq!(String::from_utf8_lossy(&terminal.await.unwrap().stdout), "yes\r\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_its_key_and_its_user_get_in() {
    let machine = Machine::start().await;
    let refused = async |key: &str, user: &str| {
        let output = machine.client("ssh", key).args([user, "true"]).output().await.unwrap();
        assert_eq!(output.status.code(), Some(255));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused("other", "root@127.0.0.1").await.contains("Permission denied (publickey)"));
    assert!(refused("fits", "ubuntu@127.0.0.1").await.contains("Permission denied (publickey)"));
    let late = json!({ "do": "keys_at", "seconds": 20 });
    assert_eq!(ask(&machine.sim, "POST", &format!("/_sim/machines/{}", machine.id), late).await.0, 200);
    drop(machine.sim.market.world());
    assert!(refused("fits", "root@127.0.0.1").await.contains("Permission denied"));
    pass(&machine.sim, 20);
    drop(machine.sim.market.world());
    assert_eq!(machine.says("echo in").await, "in");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_and_ports_go_through() {
    let machine = Machine::start().await;
    let file = machine.folder.path().join("data set.bin");
    std::fs::write(&file, vec![7_u8; 300_000]).unwrap();
    let mut copy = machine.client("scp", "fits");
    let copied = copy.arg("-O").arg(&file).arg("root@127.0.0.1:in.bin").output().await.unwrap();
    assert!(copied.status.success(), "{}", String::from_utf8_lossy(&copied.stderr));
    assert_eq!(machine.says("wc -c < in.bin").await.trim(), "300000");
    if Path::new("/usr/lib/openssh/sftp-server").exists() {
        let mut copy = machine.client("scp", "fits");
        let back = machine.folder.path().join("back.bin");
        let copied = copy.args(["-s", "root@127.0.0.1:in.bin"]).arg(&back).output().await.unwrap();
        assert!(copied.status.success(), "{}", String::from_utf8_lossy(&copied.stderr));
        assert_eq!(std::fs::read(back).unwrap(), std::fs::read(&file).unwrap());
    }
    let mut forward = machine.client("ssh", "fits");
    forward.args(["-W", "127.0.0.1:8888", "root@127.0.0.1"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut forward = forward.spawn().unwrap();
    let mut input = forward.stdin.take().unwrap();
    input.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
    let answer = forward.wait_with_output().await.unwrap().stdout;
    drop(input);
    assert!(String::from_utf8_lossy(&answer).contains("The port forward works."));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopped_machine_keeps_its_files_and_an_ended_one_nothing() {
    let machine = Machine::start().await;
    let path = format!("/api/v0/instances/{}/", machine.id);
    let host_key = || std::fs::read_to_string(machine.folder.path().join("known")).unwrap();
    assert_eq!(machine.says("echo work > file; cat file").await, "work");
    let known = host_key();
    ask(&machine.sim, "PUT", &path, json!({ "state": "stopped" })).await;
    pass(&machine.sim, 2);
    drop(machine.sim.market.world());
    assert_eq!(machine.ssh(&["true"]).await.status.code(), Some(255));
    ask(&machine.sim, "PUT", &path, json!({ "state": "running" })).await;
    pass(&machine.sim, 5);
    drop(machine.sim.market.world());
    assert_eq!(machine.says("cat file").await, "work", "at the same port");
    assert_eq!(host_key(), known);
    ask(&machine.sim, "DELETE", &path, Value::Null).await;
    pass(&machine.sim, 2);
    drop(machine.sim.market.world());
    assert_eq!(machine.ssh(&["true"]).await.status.code(), Some(255));
    assert!(!machine.folder.path().join("machines").join(&machine.id).exists());
}
