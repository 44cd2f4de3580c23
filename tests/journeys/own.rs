//! Servers of the team's own: a real OpenSSH server on loopback whose tools print what real machines print.
#![cfg(unix)]

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::support::{Desk, amount};

const SSHD: &str = "/usr/sbin/sshd";

/// A server, and a desk whose person knows it as `rack4`.
struct Lab {
    desk: Desk,
    folder: tempfile::TempDir,
    port: u16,
    server: Option<Child>,
}

fn keygen(path: &Path) {
    let made = Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(path).status();
    assert!(made.unwrap().success());
}

impl Lab {
    /// `None` where this machine has no OpenSSH server.
    fn new() -> Option<Self> {
        if !Path::new(SSHD).exists() {
            println!("skipped, needs {SSHD}");
            return None;
        }
        // Some systems make this folder only when their own server starts; it refuses to run without.
        let _ = std::fs::create_dir_all("/run/sshd");
        let folder = tempfile::tempdir().unwrap();
        for key in ["key", "host"] {
            keygen(&folder.path().join(key));
        }
        std::fs::create_dir(folder.path().join("tools")).unwrap();
        let port = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
        let mut lab = Self { desk: Desk::offline(), folder, port, server: None };
        let ssh = lab.desk.home().join(".ssh");
        std::fs::create_dir(&ssh).unwrap();
        let user = Command::new("id").arg("-un").output().unwrap().stdout;
        let config = format!(
            "Host rack4\n  HostName 127.0.0.1\n  Port {port}\n  User {}\n  IdentityFile {}\n  IdentitiesOnly yes\n  UserKnownHostsFile {}\nHost gate *.example\n",
            String::from_utf8(user).unwrap().trim(),
            lab.path("key").display(),
            ssh.join("known_hosts").display(),
        );
        std::fs::write(ssh.join("config"), config).unwrap();
        lab.accept();
        lab.cards(8, "Disabled");
        lab.up();
        Some(lab)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The person accepted its host key.
    fn accept(&self) {
        let key = std::fs::read_to_string(self.path("host.pub")).unwrap();
        let line = format!("[127.0.0.1]:{} {key}", self.port);
        std::fs::write(self.desk.home().join(".ssh/known_hosts"), line).unwrap();
    }

    fn up(&mut self) {
        let at = self.folder.path().display();
        let config = format!(
            "ListenAddress 127.0.0.1\nPort {}\nHostKey {at}/host\nPidFile {at}/pid\nAuthorizedKeysFile {at}/key.pub\nStrictModes no\nUsePAM no\n\
             PasswordAuthentication no\nPermitRootLogin prohibit-password\nPrintMotd no\nPrintLastLog no\nMaxStartups 100\n\
             SetEnv PATH={at}/tools:/usr/bin:/bin\n",
            self.port
        );
        std::fs::write(self.path("sshd_config"), config).unwrap();
        let server = Command::new(SSHD)
            .args(["-D", "-e", "-f"])
            .arg(self.path("sshd_config"))
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        self.server = Some(server);
        let patience = std::time::Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(patience.elapsed() < Duration::from_secs(20), "sshd does not answer");
            std::thread::yield_now();
        }
    }

    fn down(&mut self) {
        if let Some(mut server) = self.server.take() {
            let _ = server.kill();
            let _ = server.wait();
        }
    }

    /// What `nvidia-smi` says: so many H100 on a switch, with this word about MIG.
    fn cards(&self, count: u32, mig: &str) {
        let rows: String = (0..count)
            .map(|n| format!("{n}, GPU-{n:08}, NVIDIA H100 80GB HBM3, 570.124.06, 81559, {mig}\n"))
            .collect();
        let head: String = (0..count).map(|n| format!("\tGPU{n}")).collect();
        let cell = |a, b| if a == b { "\t X " } else { "\tNV18" };
        let line = |a: u32| format!("GPU{a}{}\n", (0..count).map(|b| cell(a, b)).collect::<String>());
        let links: String = std::iter::once(format!("{head}\n")).chain((0..count).map(line)).collect();
        let slices = "  MIG 3g.40gb     Device  0: (UUID: MIG-0)\n  MIG 1g.10gb     Device  1: (UUID: MIG-1)\n  MIG 1g.10gb     Device  2: (UUID: MIG-2)\n";
        let slices = if mig == "Enabled" { slices } else { "" };
        let list = format!("GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-00000000)\n{slices}");
        let table = "| NVIDIA-SMI 570.124.06   Driver Version: 570.124.06   CUDA Version: 12.8     |\n";
        for (name, text) in [("rows", rows), ("links", links), ("list", list), ("table", table.to_owned())] {
            std::fs::write(self.path(name), text).unwrap();
        }
        let at = self.folder.path().display();
        self.tool(&format!(
            "case \"$1\" in --query-gpu=*) cat {at}/rows ;; topo) cat {at}/links ;; -L) cat {at}/list ;; --query-compute-apps=*) ;; *) cat {at}/table ;; esac"
        ));
    }

    fn tool(&self, script: &str) {
        use std::os::unix::fs::PermissionsExt;
        let path = self.path("tools/nvidia-smi");
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Takes the server in, at 11,461.33 a month: 240,000 less 30 % after 18 months, and 2,128 of running costs.
    async fn add(&self) -> Value {
        let words = [
            "hosts",
            "add",
            "rack4",
            "--price",
            "240000",
            "--running",
            "2128",
            "--country",
            "de",
            "--seller",
            "DE",
            "--place",
            "Rack 4",
            "--owner",
            "ada",
            "--json",
        ];
        let ran = self.desk.run_with(&words).await;
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
        ran.json()
    }

    /// A check of all servers: its exit code, and the health of the first with what is wrong.
    async fn checked(&self) -> (i32, Value, String) {
        let ran = self.desk.run("hosts check --json").await;
        let host = ran.json()["hosts"][0].clone();
        (ran.code, host["health"].clone(), host["detail"].as_str().unwrap_or_default().to_owned())
    }

    async fn host(&self) -> Value {
        self.desk.json("hosts list").await["hosts"][0].clone()
    }

    /// Cards of each offer, and how many of it can be had.
    async fn supply(&self) -> Vec<(u64, u64)> {
        let list = self.desk.json("offers cloud:own").await;
        let mut found: Vec<(u64, u64)> = list["offers"]
            .as_array()
            .unwrap()
            .iter()
            .map(|offer| {
                (offer["gpu"]["count"].as_u64().unwrap(), offer["supply"]["count"].as_u64().unwrap())
            })
            .collect();
        found.sort_unstable();
        found
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        self.down();
    }
}

#[tokio::test]
async fn a_server_is_added_booked_entered_and_let_go() {
    let Some(lab) = Lab::new() else { return };
    let desk = &lab.desk;
    let list = desk.json("hosts").await;
    assert_eq!(
        (&list["hosts"], &list["aliases"]),
        (&serde_json::json!([]), &serde_json::json!(["gate", "rack4"]))
    );
    let host = lab.add().await;
    assert_eq!(
        (&host["health"], &host["detail"], &host["links"]),
        (&"ok".into(), &Value::Null, &"NVLink".into())
    );
    assert_eq!((&host["driver"], &host["cuda"]), (&"570.124.06".into(), &"12.8".into()));
    assert_eq!((&host["host"], &host["port"]), (&"127.0.0.1".into(), &lab.port.into()));
    assert_eq!(host["cards"].as_array().unwrap().len(), 8);
    assert_eq!(host["cards"][7]["model"], "H100 SXM");
    assert_eq!(
        (&host["cost"]["per_month"], &host["cost"]["per_hour"]),
        (&"11461.33".into(), &"15.700457".into())
    );
    assert_eq!((&host["utilisation"], &host["cost"]["per_used_hour"]), (&Value::Null, &Value::Null));

    let offers = desk.json("offers cloud:own form:own h100 x8 country:de nvlink").await;
    let offer = &offers["offers"][0];
    assert_eq!(
        (&offer["id"], &offer["source"], &offer["provider"]),
        (&"own:rack4:8x".into(), &"own".into(), &"own".into())
    );
    assert_eq!((&offer["place"]["seller"], &offer["place"]["region"]), (&"DE".into(), &"Rack 4".into()));
    assert!((amount(&offer["price"]["per_hour"]) - 15.700_457).abs() < 1e-6, "{offer:#}");
    assert_eq!(lab.supply().await, [(1, 8), (2, 4), (4, 2), (8, 1)]);

    let rent = ["rent", "own:rack4:4x", "--name", "train-a", "--owner", "bob", "--yes", "--wait", "--json"];
    let ran = desk.run_with(&rent).await;
    assert_eq!(ran.code, 0, "{}", ran.err);
    let rental = ran.json();
    assert_eq!((&rental["state"], &rental["ssh"]["alias"]), (&"ready".into(), &"rack4".into()), "{rental:#}");
    assert_eq!((&rental["verified"]["ok"], &rental["lease"]["on_expiry"]), (&true.into(), &"end".into()));
    assert!(rental.to_string().contains("CUDA_VISIBLE_DEVICES=GPU-"), "{rental:#}");
    let inside = desk.run_with(&["ssh", "train-a", "--", "echo", "in-$((40+2))"]).await;
    assert_eq!((inside.code, inside.out.trim()), (0, "in-42"), "{}", inside.err);

    assert_eq!(lab.supply().await, [(1, 4), (2, 2), (4, 1), (8, 0)]);
    assert_eq!(lab.host().await["bookings"][0]["rental"], "train-a");
    // Beside it there is room for four cards, and not for eight.
    let refused = desk.run_with(&["rent", "own:rack4:8x", "--name", "train-b", "--yes", "--json"]).await;
    assert_eq!(refused.code, 3, "{}", refused.err);
    assert!(refused.err.contains("booked by train-a"), "{}", refused.err);
    let beside =
        desk.run_with(&["rent", "own:rack4:4x", "--name", "train-b", "--yes", "--wait", "--json"]).await;
    assert_eq!(beside.code, 0, "{}", beside.err);
    assert_eq!(lab.supply().await, [(1, 0), (2, 0), (4, 0), (8, 0)]);

    let spent = desk.json("spend --by provider").await;
    assert_eq!(spent["rows"][0]["key"], "own", "{spent:#}");
    // Until it was booked it cost all the same.
    let idle = spent["waste"].as_array().unwrap().iter().find(|waste| waste["kind"] == "idle-capacity");
    assert_eq!(idle.unwrap()["name"], "rack4", "{spent:#}");
    let kept = desk.run("hosts remove rack4").await;
    assert_eq!(kept.code, 5, "{}", kept.err);
    assert!(kept.err.contains("train-a") && kept.err.contains("train-b"), "{}", kept.err);
    assert_eq!(desk.run("stop train-a").await.code, 4, "a booking has no stop");

    for name in ["train-a", "train-b"] {
        let ended = desk.run_with(&["end", name, "--yes", "--json"]).await;
        assert_eq!((ended.code, &ended.json()["state"]), (0, &"ended".into()), "{}", ended.err);
    }
    assert_eq!(lab.supply().await, [(1, 8), (2, 4), (4, 2), (8, 1)]);
    assert_eq!(desk.json("hosts remove rack4").await["hosts"], serde_json::json!([]));
    assert_eq!(desk.json("offers cloud:own").await["total"], 0);
}

#[tokio::test]
async fn the_end_of_a_lease_ends_the_booking_and_nothing_else() {
    let Some(lab) = Lab::new() else { return };
    lab.add().await;
    // About a third of a second.
    let rent = ["rent", "own:rack4:8x", "--name", "short", "--hours", "0.0001", "--yes", "--json"];
    let ran = lab.desk.run_with(&rent).await;
    assert_eq!((ran.code, &ran.json()["lease"]["on_expiry"]), (0, &"end".into()), "{}", ran.err);
    let mut rounds = 0;
    while !lab.host().await["bookings"].as_array().unwrap().is_empty() {
        rounds += 1;
        assert!(rounds < 20, "it is still booked");
        lab.desk.run("guard --once").await;
    }
    assert_eq!(lab.supply().await, [(1, 8), (2, 4), (4, 2), (8, 1)]);
    assert_eq!(lab.desk.run("hosts check").await.code, 0, "the server goes on as it was");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_programs_at_once_one_gets_the_server() {
    let Some(lab) = Lab::new() else { return };
    lab.add().await;
    let rent = |name: &'static str| {
        let desk = &lab.desk;
        async move { desk.run_with(&["rent", "own:rack4:8x", "--name", name, "--yes", "--json"]).await }
    };
    let (a, b, c) = tokio::join!(rent("a"), rent("b"), rent("c"));
    let mut codes = [a.code, b.code, c.code];
    codes.sort_unstable();
    assert_eq!(codes, [0, 3, 3], "{}{}{}", a.err, b.err, c.err);
    assert_eq!(lab.host().await["bookings"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_booking_survives_the_program_that_made_it_and_a_server_that_is_away() {
    let Some(mut lab) = Lab::new() else { return };
    lab.add().await;
    let mut child = lab.desk.start(&["rent", "own:rack4:2x", "--name", "held", "--yes", "--wait"]);
    while lab.host().await["bookings"].as_array().unwrap().is_empty() {
        assert!(child.try_wait().unwrap().is_none(), "it ended without a booking");
    }
    child.kill().await.unwrap();
    lab.down();
    let checked = lab.desk.run("hosts check --json").await;
    assert_eq!(checked.code, 4, "{}", checked.err);
    assert_eq!(checked.json()["hosts"][0]["health"], "unreachable");
    // Nothing proves that the booking is gone: nobody else has let go of it.
    for _ in 0..2 {
        let report = lab.desk.json("reconcile").await;
        assert_eq!(report["lost"], serde_json::json!([]), "{report:#}");
    }
    assert_eq!(lab.host().await["bookings"][0]["rental"], "held");
    assert!(lab.supply().await.iter().all(|(_, free)| *free == 0), "out of the market");
    let refused = lab.desk.run_with(&["rent", "own:rack4:1x", "--yes"]).await;
    assert_eq!(refused.code, 3);
    assert!(refused.err.contains("unreachable"), "{}", refused.err);
    let ended = lab.desk.run_with(&["end", "held", "--yes", "--json"]).await;
    assert_eq!(ended.code, 0, "{}", ended.err);
    lab.up();
    assert_eq!(lab.desk.run("hosts check rack4").await.code, 0);
    assert_eq!(lab.supply().await, [(1, 8), (2, 4), (4, 2), (8, 1)]);
}

#[tokio::test]
async fn what_is_wrong_takes_a_server_off_the_market_and_says_why() {
    let Some(lab) = Lab::new() else { return };
    lab.add().await;
    lab.cards(7, "Disabled");
    let (code, health, why) = lab.checked().await;
    assert_eq!((code, health, why.as_str()), (4, "card-lost".into(), "7 of 8 cards answer"));
    assert_eq!(lab.host().await["cards"].as_array().unwrap().len(), 8, "what is known of it stays");
    assert!(lab.supply().await.iter().all(|(_, free)| *free == 0));
    lab.tool("echo 'Failed to initialize NVML: Driver/library version mismatch'; exit 18");
    assert_eq!(lab.checked().await.1, "driver-mismatch");
    std::fs::remove_file(lab.desk.home().join(".ssh/known_hosts")).unwrap();
    let (_, health, why) = lab.checked().await;
    assert_eq!(health, "host-key-unknown");
    assert!(why.contains("ssh rack4"), "{why}");
    lab.accept();
    lab.cards(8, "Disabled");
    // A refresh of the source is a check as well.
    let report = lab.desk.json("refresh own").await;
    assert_eq!(report["feeds"][0]["error"], Value::Null, "{report:#}");
    assert_eq!(lab.host().await["health"], "ok");
    assert_eq!(lab.supply().await, [(1, 8), (2, 4), (4, 2), (8, 1)]);
}

#[tokio::test]
async fn slices_of_a_divided_card_are_offers_of_their_own() {
    let Some(lab) = Lab::new() else { return };
    lab.cards(1, "Enabled");
    let host = lab.add().await;
    let slice = &host["cards"][0]["slices"][1];
    assert_eq!(
        (&slice["profile"], &slice["memory_gib"], &slice["bandwidth_share"]),
        (&"1g.10gb".into(), &10.0.into(), &0.125.into())
    );
    let offers = lab.desk.json("offers cloud:own form:fraction").await;
    let ids: Vec<&str> =
        offers["offers"].as_array().unwrap().iter().map(|o| o["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), 2, "{ids:?}");
    assert!(ids.contains(&"own:rack4:mig-1g.10gb") && ids.contains(&"own:rack4:mig-3g.40gb"));
    let rent = ["rent", "own:rack4:mig-1g.10gb", "--name", "small", "--yes", "--wait", "--json"];
    let ran = lab.desk.run_with(&rent).await;
    assert_eq!((ran.code, &ran.json()["verified"]["ok"]), (0, &true.into()), "{}", ran.err);
    assert!(ran.json().to_string().contains("CUDA_VISIBLE_DEVICES=MIG-1"), "{}", ran.out);
    let left = lab.desk.json("offers cloud:own form:fraction").await;
    let free = |id: &str| {
        let offers = left["offers"].as_array().unwrap();
        offers.iter().find(|offer| offer["id"] == id).unwrap()["supply"]["count"].clone()
    };
    assert_eq!((free("own:rack4:mig-1g.10gb"), free("own:rack4:mig-3g.40gb")), (1.into(), 1.into()));
}

/// By NVIDIA's table (`mig-profiles.csv`) `1g.10gb` is a seventh of an H100's compute and an eighth of its memory, and
/// seven of it fit on the card. The card is an eighth of the server's 15.700457 an hour.
#[tokio::test]
async fn for_8_gb_a_plan_proposes_a_slice_of_an_own_card_before_the_whole_of_it() {
    let Some(lab) = Lab::new() else { return };
    lab.add().await;
    let words = ["plan", "--json", "--task", "notebook", "--vram", "8", "--hours", "10", "--limit", "200"];
    let ran = lab.desk.run_with(&words).await;
    assert_eq!(ran.code, 0, "{}", ran.err);
    let plan = ran.json();
    let options = plan["options"].as_array().unwrap();
    let slice = options.iter().find(|option| option["offer"]["id"] == "own:rack4:1x").unwrap();
    let part = &slice["slice"];
    assert_eq!((&part["profile"], &part["per_card"]), (&"1g.10gb".into(), &7.into()), "{slice:#}");
    assert_eq!((&part["is_option"], &part["beside"]), (&true.into(), &"4g.40gb".into()), "{slice:#}");
    // Ten hours of a seventh of 1.962557.
    assert_eq!((&slice["total"]["high"], &slice["per_hour"]), (&"2.80".into(), &"0.280365".into()));
    let reason = slice["reason"].as_str().unwrap();
    assert!(reason.contains("a slice 1g.10gb of this card is enough, at 14.3 % of its cost"), "{reason}");
    assert!(slice["risk"].as_str().unwrap().contains("MIG is off"), "{slice:#}");
    let asked = [words.as_slice(), &["--why-not", "own:rack4:1x"]].concat();
    let whole = lab.desk.run_with(&asked).await.json()["option"].clone();
    assert_eq!((&whole["total"]["high"], &whole["slice"]["is_option"]), (&"19.63".into(), &false.into()));
    let reason = whole["reason"].as_str().unwrap();
    let fits = "7 such jobs fit on one card as slices 1g.10gb, 0.28 USD an hour each if all are used.";
    assert!(reason.contains(fits), "{reason}");
    let table = lab.desk.run_with(&[&words[..1], &words[2..]].concat()).await;
    assert!(table.out.contains("1g.10gb of H100 SXM"), "{}", table.out);
}

#[tokio::test]
async fn what_nobody_said_is_unknown_and_what_cannot_be_is_refused() {
    let Some(lab) = Lab::new() else { return };
    let desk = &lab.desk;
    for words in [
        &["hosts", "add", "--json", "--", "-oProxyCommand=touch CANARY"][..],
        &["hosts", "add", "a b"],
        &["hosts", "add", "$(touch CANARY)"],
        &["hosts", "add", "rack4", "--price", "much"],
        &["hosts", "add", "rack4", "--price", "-1", "--running", "1"],
        &["hosts", "add", "rack4", "--resale", "30"],
        &["hosts", "add", "rack4", "--resale", "60%@12m,70%@24m"],
        &["hosts", "add", "rack4", "--bought", "15.01.2026"],
        &["hosts", "add", "rack4", "--country", "Europe"],
    ] {
        let ran = desk.run_with(words).await;
        assert_eq!(ran.code, 2, "{words:?}: {}{}", ran.out, ran.err);
    }
    assert!(!desk.home().join("CANARY").exists() && !Path::new("CANARY").exists());
    assert_eq!(desk.run("hosts check rack9").await.code, 3);
    assert_eq!(desk.run("hosts remove rack9").await.code, 3);
    let host = desk.json("hosts add rack4").await;
    assert_eq!(
        (&host["health"], &host["cost"]["per_hour"], &host["on_market"]),
        (&"ok".into(), &Value::Null, &false.into())
    );
    assert!(host["off_market_why"].as_str().unwrap().contains("--price"), "{host:#}");
    assert_eq!((&host["country"], &host["seller"]), (&Value::Null, &Value::Null));
    assert_eq!(desk.json("offers cloud:own").await["total"], 0, "an offer without a price is none");
    let known = desk.json("hosts add rack4 --price 240000 --running 2128").await;
    assert_eq!(known["on_market"], true);
    let offer = &desk.json("offers cloud:own x8").await["offers"][0];
    assert_eq!((&offer["place"]["country"], &offer["place"]["seller"]), (&Value::Null, &Value::Null));
    let gdpr = desk.json("offers cloud:own policy:gdpr").await;
    assert_eq!(gdpr["total"], 0, "what cannot be proved is not allowed");
}
