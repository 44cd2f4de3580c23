//! A machine that is a folder: its files of the system, its clock, and programs that only write down that they were
//! called. The clock stands still but for `sleep`, which moves it on and returns at once.

use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use chrono::{DateTime, TimeDelta, Utc};
use gpudesk_core::rental::OnExpiry;
use tempfile::TempDir;

use super::super::{BoxLease, Method, script};

/// When every test begins, by the desk's clock.
pub fn start() -> DateTime<Utc> {
    "2026-11-30T09:00:00Z".parse().unwrap()
}

pub fn after(minutes: i64) -> DateTime<Utc> {
    start() + TimeDelta::minutes(minutes)
}

pub fn lease(method: Method, action: OnExpiry) -> BoxLease {
    BoxLease {
        deadline: None,
        idle_minutes: None,
        idle_from: None,
        stops_parked: false,
        part_s: 60,
        action,
        method,
        base: None,
    }
}

/// With no minutes to live, ends the loop at once. Else it moves the clock, runs what a test wants to happen at that time, and ends the loop when its time is over.
const SLEEP: &str = r#"case $1 in *.*) if [ -e "$GPUDESK_ROOT/fast" ]; then exit; fi; exec /bin/sleep "$1" ;; esac
if [ "$MINUTES" -eq 0 ]; then kill -TERM $PPID; exit; fi
read -r clock <"$GPUDESK_ROOT/clock"
read -r up _ <"$GPUDESK_ROOT/proc/uptime"
echo $((clock + $1)) >"$GPUDESK_ROOT/clock"
up=$((${up%.*} + $1))
echo "$up.00 1.00" >"$GPUDESK_ROOT/proc/uptime"
minute=$(( (up - UP_AT_START) / 60 ))
if [ -r "$GPUDESK_ROOT/events" ]; then . "$GPUDESK_ROOT/events"; fi
if [ "$minute" -ge "$MINUTES" ]; then
  if [ -p "$GPUDESK_ROOT/ended" ]; then echo over >"$GPUDESK_ROOT/ended"; fi
  kill -TERM $PPID
fi"#;

/// Writes down arguments and what comes in, and answers with the next line of `answers`: exit code, status, body.
const CURL: &str = r#"{ printf 'at %s: ' "$(date +%s)"; printf '%s ' "$@"; echo; cat; } >>"$GPUDESK_ROOT/calls"
exit=0 status=200 body='{"success": true}'
if [ -s "$GPUDESK_ROOT/answers" ]; then
  { read -r exit status body; cat >"$GPUDESK_ROOT/answers.rest"; } <"$GPUDESK_ROOT/answers"
  mv "$GPUDESK_ROOT/answers.rest" "$GPUDESK_ROOT/answers"
fi
printf '%s\n%s' "$body" "$status"
exit "$exit""#;

pub struct Machine {
    pub folder: TempDir,
}

impl Machine {
    /// A quiet virtual machine with one card, whose clock is so many seconds ahead of the desk's.
    pub fn new(clock_ahead: i64) -> Self {
        let machine = Self { folder: tempfile::tempdir().unwrap() };
        for folder in [
            "bin",
            "sbin",
            "run",
            "tmp",
            "home",
            "proc/1",
            "proc/net",
            "proc/sys/kernel/random",
            "sys/block/vda",
            "dev/pts",
            "etc/cron.d",
        ] {
            std::fs::create_dir_all(machine.path(folder)).unwrap();
        }
        machine.write("clock", &format!("{}\n", start().timestamp() + clock_ahead));
        machine.write("proc/uptime", "5000.00 1.00\n");
        machine.write("proc/loadavg", "0.05 0.04 0.00 1/200 4242\n");
        machine.write("proc/1/comm", "systemd\n");
        machine.write("proc/1/stat", "1 (init (x) y) S 0 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 17 1 1\n");
        machine.write("proc/1/environ", "PATH=/bin\0CONTAINER_ID=C.4242\0CONTAINER_API_KEY=box-key-vast\0RUNPOD_POD_ID=abc123\0RUNPOD_API_KEY=rpa_box-key\0");
        machine.write("proc/sys/kernel/random/boot_id", "6f1c0c5e-8a3b-4c53-9a0b-0b8a2d5e7c11\n");
        machine.write("proc/net/dev", "Inter-|   Receive\n face |bytes\n    lo: 999 0 0 0 0 0 0 0 999 0\n  eth0: 1000 1 0 0 0 0 0 0 2000 1 0\n");
        machine.write(
            "proc/diskstats",
            " 254 0 vda 10 0 100 1 10 0 200 1 0 1 1\n 254 1 vda1 10 0 100 1 10 0 200 1 0 1 1\n",
        );
        machine.program("bin/sleep", SLEEP);
        machine.program("bin/date", "read -r clock <\"$GPUDESK_ROOT/clock\"; echo \"$clock\"");
        machine.program("bin/curl", CURL);
        // Without them the real ones would be next on the search path.
        machine.program("bin/wget", "exit 4");
        machine.program("bin/python3", "exit 1");
        machine.program("bin/wall", "cat >>\"$GPUDESK_ROOT/walls\"");
        machine.program("bin/nproc", "echo 16");
        machine.program(
            "bin/nvidia-smi",
            "cat \"$GPUDESK_ROOT/cards\"; exit $(cat \"$GPUDESK_ROOT/cards-exit\" 2>/dev/null || echo 0)",
        );
        machine.program("sbin/poweroff", "echo \"at $(date +%s): poweroff $*\" >>\"$GPUDESK_ROOT/calls\"");
        machine.write("cards", "0, 4, [N/A]\n");
        machine.write("run/utmp", "");
        machine
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    /// What a file holds; empty where there is none.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    pub fn program(&self, name: &str, text: &str) {
        self.write(name, &format!("#!/bin/sh\n{text}\n"));
        std::fs::set_permissions(self.path(name), std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    pub fn log(&self) -> String {
        self.read("var/lib/gpudesk/log")
    }

    /// A shell on it, whose loop lives for so many minutes after the start of the test.
    pub fn shell(&self, minutes: i64) -> Command {
        let own = self.path("bin/sh");
        let mut shell = Command::new(if own.exists() { own } else { "sh".into() });
        shell
            .env_clear()
            .env("GPUDESK_ROOT", self.folder.path())
            .env("HOME", self.path("home"))
            .env("PATH", format!("{}:/usr/bin:/bin", self.path("bin").display()))
            .env("MINUTES", minutes.to_string())
            .env("UP_AT_START", "5000")
            .stdin(Stdio::null())
            .current_dir(self.folder.path());
        shell
    }

    /// Runs one of our scripts to its end and gives what it printed.
    pub fn script(&self, text: &str, minutes: i64) -> String {
        self.write("script", text);
        let output = self.shell(minutes).arg(self.path("script")).output().unwrap();
        // A loop with no minutes to live may still be about to end.
        let ends = "[ -r run/gpudesk/pid ] && read -r pid <run/gpudesk/pid && while grep -q watchdog /proc/$pid/cmdline; do \
                    /bin/sleep 0.02; done";
        if minutes == 0 {
            self.shell(0).args(["-c", ends]).output().unwrap();
        }
        String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
    }

    /// Arms it; the loop that is started looks once and ends.
    pub fn arm(&self, lease: &BoxLease) -> String {
        self.script(&script::arm(lease, start()).unwrap(), 0)
    }

    /// Runs the loop until so many minutes after the start of the test.
    pub fn run(&self, minutes: i64) {
        let watchdog = self.path("var/lib/gpudesk/gpudesk-watchdog.sh");
        let output = self.shell(minutes).arg(watchdog).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.trim().is_empty() || said.trim() == "Terminated", "{said}");
    }

    /// Something that happens when so many minutes are over.
    pub fn at(&self, minute: i64, event: &str) {
        let mut events = self.read("events");
        writeln!(events, "if [ $minute -ge {minute} ]; then {event}; fi").unwrap();
        self.write("events", &events);
    }

    /// The machine starts anew: another boot, another uptime; its clock goes on.
    pub fn reboot(&self, minutes_down: i64) {
        self.write("proc/sys/kernel/random/boot_id", "11111111-2222-3333-4444-555555555555\n");
        let clock: i64 = self.read("clock").trim().parse().unwrap();
        self.write("clock", &format!("{}\n", clock + minutes_down * 60));
        self.write("proc/uptime", "10.00 1.00\n");
    }

    /// The minutes after the start at which a provider or the machine's own shutdown was called.
    pub fn calls_at(&self) -> Vec<i64> {
        let calls = self.read("calls");
        let times =
            calls.lines().filter_map(|line| line.strip_prefix("at ")?.split_once(':')?.0.parse::<i64>().ok());
        times.map(|time| (time - start().timestamp()).div_euclid(60)).collect()
    }
}
