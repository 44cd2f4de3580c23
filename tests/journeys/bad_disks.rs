//! A full disk, one that takes no writes, a database that somebody holds: each says so with the next step, what was
//! stored can still be read, and nothing is rented that could not be written down.
//!
//! The disk is a real one of a few megabytes in a mount namespace of its own, so that filling it hurts nobody.
#![cfg(target_os = "linux")]

use std::process::Stdio;

use gpudesk_tests::sim::Sim;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::renting::{machines, market, says};
use crate::support::{Desk, feed};

/// Room for a desk with one cloud's offers, and little more.
const BYTES: &str = "size=24m";

/// A desk whose home is a small disk.
struct Small {
    desk: Desk,
    /// Holds the namespace; its end takes the disk away.
    _holder: Child,
    inside: Vec<String>,
}

impl Small {
    /// The desk with one rental, and another offer; none, with a word, where this system gives no namespaces.
    async fn renting(sim: &Sim) -> Option<(Self, String)> {
        let mut desk = Desk::with(sim, sim.keys());
        let script = r#"mount -t tmpfs -o "$1" tmpfs "$2" && echo mounted && exec cat"#;
        let mut holder = Command::new("unshare")
            .args(["--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", BYTES])
            .arg(desk.home())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .ok()?;
        let mut lines = BufReader::new(holder.stdout.take().unwrap()).lines();
        if lines.next_line().await.unwrap().as_deref() != Some("mounted") {
            eprintln!("skipped, needs user namespaces (`unshare --user --mount`)");
            return None;
        }
        let target = holder.id().unwrap().to_string();
        let inside: Vec<String> =
            ["nsenter", "--target", &target, "--user", "--mount", "--preserve-credentials", "--"]
                .map(str::to_owned)
                .to_vec();
        desk.start_by(inside.clone());
        desk.json("refresh vast").await;
        let offers = desk.json("offers cloud:vast instock on-demand").await;
        let [offer, other] = [0, 1].map(|n| offers["offers"][n]["id"].as_str().unwrap().to_owned());
        assert_eq!(desk.run(&format!("rent {offer} --name first --yes")).await.code, 0);
        assert_eq!(machines(sim), 1);
        // It is seen once: of a machine that never was, nothing proves for a while that it is gone.
        assert_eq!(desk.run("reconcile").await.code, 0);
        Some((Self { desk, _holder: holder, inside }, other))
    }

    /// Runs a line of the shell where the disk is, in its folder.
    async fn there(&self, line: &str) {
        let (starter, before) = self.inside.split_first().unwrap();
        let mut command = Command::new(starter);
        command.args(before).args(["sh", "-c", &format!("cd \"$1\" && {line}"), "sh"]).arg(self.desk.home());
        assert!(command.status().await.unwrap().success(), "{line}");
    }

    /// What is stored can be read, and what would have to be written says what to do; nothing new is rented.
    async fn reads_and_refuses(&self, sim: &Sim, offer: &str, words: &str, hint: &str) {
        assert!(self.desk.count("cloud:vast").await > 0);
        assert_eq!(self.desk.json("rentals").await["rentals"][0]["name"], "first");
        for line in [format!("rent {offer} --name second --yes"), "end first --yes".to_owned()] {
            let ran = self.desk.run(&line).await;
            says(&ran, 1, words);
            says(&ran, 1, hint);
        }
        let ran = self.desk.run("refresh runpod --json").await;
        assert_eq!((ran.code, &feed(&ran.json(), "runpod")["error"]["code"]), (1, &Value::from("database")));
        assert_eq!(self.desk.count("cloud:runpod source:live").await, 0);
        assert_eq!(machines(sim), 1, "nothing is rented that could not be written down");
    }

    /// With the hindrance gone the rental is where it was, and can be ended.
    async fn goes_on(&self, sim: &Sim) {
        let ran = self.desk.run("end first --yes").await;
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert_eq!(self.desk.json("rentals --all").await["rentals"][0]["state"], "ended");
        assert!(sim.market.world().machines.iter().all(|machine| machine.ended.is_some()));
    }
}

#[tokio::test]
async fn a_full_disk_keeps_what_there_is_and_rents_nothing() {
    let sim = market().await;
    let Some((small, offer)) = Small::renting(&sim).await else { return };
    // It fails where it should: when there is no more room.
    small.there("! dd if=/dev/zero of=fill bs=512 status=none 2>/dev/null").await;
    small.reads_and_refuses(&sim, &offer, "disk is full", "Free some space").await;
    small.there("rm fill").await;
    small.goes_on(&sim).await;
}

#[tokio::test]
async fn a_disk_that_takes_no_writes_says_so() {
    let sim = market().await;
    let Some((small, offer)) = Small::renting(&sim).await else { return };
    small.there("mount -o remount,ro .").await;
    for line in ["offers", "rentals", "refresh vast", &format!("rent {offer} --name second --yes")] {
        let ran = small.desk.run(line).await;
        says(&ran, 1, "cannot be written");
        says(&ran, 1, "right to write");
    }
    assert_eq!(machines(&sim), 1);
    small.there("mount -o remount,rw .").await;
    small.goes_on(&sim).await;
}
