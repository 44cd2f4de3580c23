//! What has been rented: machines, keys and volumes of all accounts, moved on whenever somebody looks.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::account::Account;
use super::clock::{Nanos, SECOND};
use super::machine::{Machine, Phase, Service};
use super::seller::sellers;

/// How long things take, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Pace {
    /// From the order to the first sign.
    pub made: i64,
    /// Image and boot.
    pub loading: i64,
    /// From asking for a stop to standing.
    pub stopping: i64,
    /// From asking for the end to being gone.
    pub ending: i64,
    /// How much later than the machine its SSH keys arrive.
    pub keys: i64,
}

impl Default for Pace {
    fn default() -> Self {
        Self { made: 500, loading: 2_500, stopping: 800, ending: 600, keys: 0 }
    }
}

/// Nanoseconds of so many milliseconds.
fn ms(milliseconds: i64) -> Nanos {
    milliseconds.saturating_mul(SECOND / 1_000)
}

/// A public key stored in an account.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StoredKey {
    /// Its id.
    pub id: String,
    /// Whose.
    pub account: Account,
    /// Where.
    pub service: Service,
    /// Its name.
    pub name: String,
    /// The key.
    pub key: String,
    /// Since when.
    pub created: Nanos,
}

/// A network volume or filesystem.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Volume {
    /// Its id.
    pub id: String,
    /// Whose.
    pub account: Account,
    /// Where.
    pub service: Service,
    /// Its name.
    pub name: String,
    /// GB.
    pub size: u32,
    /// Data centre or region.
    pub place: String,
    /// Since when.
    pub created: Nanos,
}

/// A group of AWS that lets addresses in by SSH.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Door {
    /// Its id.
    pub id: String,
    /// Whose.
    pub account: Account,
    /// Its name.
    pub name: String,
    /// The network it belongs to.
    pub place: String,
    /// Whom it lets in.
    pub open_to: Vec<String>,
}

/// A port, an address or a group of a cloud that is OpenStack.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Part {
    /// Its id.
    pub id: String,
    /// Whose.
    pub account: Account,
    /// Where.
    pub service: Service,
    /// `port`, `floatingip`, `group`.
    pub kind: String,
    /// The region.
    pub place: String,
    /// The rest of it, as it is shown.
    pub facts: Value,
}

/// Who did what, as Lambda's audit log tells.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Deed {
    /// When.
    pub at: Nanos,
    /// Whose account.
    pub account: Account,
    /// `launched`, `terminated`.
    pub action: String,
    /// Which machine.
    pub machine: String,
}

/// What a seller makes of a timer that it accepted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Timers {
    /// It is kept, reads back and ends the machine in time.
    #[default]
    Kept,
    /// It is accepted and not kept: it neither reads back nor ends anything.
    Lost,
    /// It is kept and reads back, and ends nothing.
    Idle,
}

/// Everything rented so far.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct World {
    /// Every machine, the gone ones too.
    pub machines: Vec<Machine>,
    /// Public keys of the accounts.
    pub keys: Vec<StoredKey>,
    /// Volumes.
    pub volumes: Vec<Volume>,
    /// Groups of AWS.
    pub doors: Vec<Door>,
    /// Ports, addresses and groups of OpenStack.
    pub parts: Vec<Part>,
    /// Lambda's audit log.
    pub deeds: Vec<Deed>,
    /// Vast's offers that were taken once.
    pub taken: BTreeSet<u64>,
    /// How often a Vast machine's offers were numbered anew.
    pub generations: BTreeMap<u64, u64>,
    /// What is sold out, by the seller's name of it: `gpu_1x_a10`, `gpu_1x_a10/us-east-1`, `NVIDIA L4`, a machine.
    pub sold_out: BTreeSet<String>,
    /// How long things take.
    pub pace: Pace,
    /// What becomes of timers.
    pub timers: Timers,
    /// The number of the next thing.
    pub next: u32,
}

impl World {
    /// A number nobody has.
    pub fn number(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    /// Lets happen what was due until `now`, each at its own time.
    pub fn settle(&mut self, now: Nanos) {
        let (pace, kept) = (self.pace, self.timers == Timers::Kept);
        let (mut freed, mut rung) = (Vec::new(), Vec::new());
        for machine in &mut self.machines {
            if let Some(at) = machine.timer.filter(|at| kept && *at <= now) {
                move_on(machine, at, pace, &mut freed);
                machine.timer = None;
                if end(machine, at, pace) {
                    rung.push((at, machine.account, machine.id.clone()));
                }
            }
            move_on(machine, now, pace, &mut freed);
        }
        for (at, account, id) in rung {
            self.deed(at, account, "terminated", &id);
        }
        for id in freed {
            self.renumber(&id);
        }
        self.stop_the_penniless(now);
    }

    /// A Vast machine whose cards came back offers them under new numbers.
    fn renumber(&mut self, id: &str) {
        let found = self.machines.iter().find(|m| m.id == id && m.service == Service::Vast);
        if let Some(host) = found.and_then(|m| m.facts["machine_id"].as_u64()) {
            *self.generations.entry(host).or_default() += 1;
        }
    }

    /// Credit at zero stops what runs.
    fn stop_the_penniless(&mut self, now: Nanos) {
        for account in [Account::Main, Account::Poor, Account::Team] {
            for service in sellers().iter().filter(|s| s.billing.prepaid).map(|s| s.service) {
                if self.balance(account, service, now) > 0 {
                    continue;
                }
                let theirs = |m: &&mut Machine| m.account == account && m.service == service && m.is_up();
                for machine in self.machines.iter_mut().filter(theirs) {
                    machine.wanted = false;
                    machine.says = Some("stopped: the account has no credit".to_owned());
                    machine.enter(Phase::Stopped, now);
                }
            }
        }
    }

    /// What is left of an account's credit at a seller, in nano-dollars.
    #[must_use]
    pub fn balance(&self, account: Account, service: Service, now: Nanos) -> i64 {
        let spent: i64 = self
            .machines
            .iter()
            .filter(|m| m.account == account && m.service == service)
            .map(|m| m.bill(None, now))
            .sum();
        account.paid_in() - spent
    }

    /// Puts a new machine on its way: made now, loading and running later, or standing if it shall not run.
    pub fn launch(&mut self, mut machine: Machine, now: Nanos) -> String {
        machine.created = now;
        machine.keys_from = now;
        if machine.wanted {
            machine.enter(Phase::Made, now);
            machine.next = Some((now + ms(self.pace.made), Phase::Loading));
        } else {
            machine.enter(Phase::Stopped, now);
        }
        let id = machine.id.clone();
        self.deed(now, machine.account, "launched", &id);
        self.machines.push(machine);
        self.settle(now);
        id
    }

    fn deed(&mut self, at: Nanos, account: Account, action: &str, machine: &str) {
        self.deeds.push(Deed { at, account, action: action.to_owned(), machine: machine.to_owned() });
    }

    /// A machine of an account that is not gone.
    pub fn find(&mut self, service: Service, account: Account, id: &str) -> Option<&mut Machine> {
        let mut all = self.machines.iter_mut();
        all.find(|m| m.service == service && m.account == account && m.id == id && m.phase != Phase::Gone)
    }

    /// The machines of an account that are not gone.
    pub fn of(&self, service: Service, account: Account) -> impl Iterator<Item = &Machine> {
        self.machines
            .iter()
            .filter(move |m| m.service == service && m.account == account && m.phase != Phase::Gone)
    }

    /// Asks for a stop.
    pub fn stop(&mut self, id: &str, now: Nanos) {
        let after = now + ms(self.pace.stopping);
        if let Some(machine) = self.machines.iter_mut().find(|m| m.id == id) {
            machine.wanted = false;
            match machine.phase {
                Phase::Running => {
                    machine.enter(Phase::Stopping, now);
                    machine.next = Some((after, Phase::Stopped));
                }
                Phase::Made | Phase::Loading | Phase::Waiting | Phase::Paused => {
                    machine.enter(Phase::Stopped, now);
                }
                _ => {}
            }
        }
        self.settle(now);
    }

    /// Asks for a start; it waits where somebody else has the cards.
    pub fn start(&mut self, id: &str, now: Nanos) {
        let pace = self.pace;
        let busy = self.sold_out.contains(id);
        if let Some(machine) = self.machines.iter_mut().find(|m| m.id == id) {
            machine.wanted = true;
            machine.says = None;
            if matches!(machine.phase, Phase::Stopped | Phase::Waiting | Phase::Failed | Phase::Stopping) {
                if busy {
                    machine.enter(Phase::Waiting, now);
                } else {
                    machine.enter(Phase::Loading, now);
                    machine.next = Some((now + ms(pace.loading), Phase::Running));
                }
            }
        }
        self.settle(now);
    }

    /// Restarts a running machine; what it holds and costs stays.
    pub fn restart(&mut self, id: &str, now: Nanos) {
        if let Some(machine) = self.machines.iter_mut().find(|m| m.id == id && m.phase == Phase::Running) {
            machine.starts += 1;
        }
        self.settle(now);
    }

    /// Asks for the end.
    pub fn end(&mut self, id: &str, now: Nanos) {
        let pace = self.pace;
        let mut whose = None;
        if let Some(machine) = self.machines.iter_mut().find(|m| m.id == id)
            && end(machine, now, pace)
        {
            whose = Some(machine.account);
        }
        if let Some(account) = whose {
            self.deed(now, account, "terminated", id);
        }
        self.settle(now);
    }

    /// Lets something befall a machine: `outbid`, `outbid_over`, `offline`, `online`, `fail`, `freeze_boot`, `rate`, `rise`
    /// (with `per_hour`), `word` (with `word`), `keys_at` (with `seconds` from now), `gone`.
    ///
    /// # Errors
    /// When there is no such machine or event.
    pub fn befall(&mut self, id: &str, what: &Value, now: Nanos) -> Result<(), String> {
        self.settle(now);
        let machine =
            self.machines.iter_mut().find(|m| m.id == id).ok_or_else(|| format!("no machine {id}"))?;
        match what["do"].as_str().unwrap_or_default() {
            "outbid" => machine.enter(Phase::Paused, now),
            "outbid_over" | "online" => machine.enter(Phase::Running, now),
            "offline" => machine.enter(Phase::Offline, now),
            "fail" => {
                machine.says = Some("container exited with code 1".to_owned());
                machine.enter(Phase::Failed, now);
            }
            "freeze_boot" => machine.next = None,
            "gone" => machine.enter(Phase::Gone, now),
            "rate" => {
                machine.rates.compute = what["per_hour"].as_f64().map_or(machine.rates.compute, nano);
                machine.meter(now);
            }
            "rise" => machine.rise = what["per_hour"].as_f64().map(nano),
            "word" => machine.word = what["word"].as_str().map(str::to_owned),
            "keys_at" => machine.keys_from = now + ms(what["seconds"].as_i64().unwrap_or(20) * 1_000),
            other => return Err(format!("nothing is called {other:?}")),
        }
        Ok(())
    }
}

/// Lets happen to one machine what was due until then, each at its own time.
fn move_on(machine: &mut Machine, until: Nanos, pace: Pace, freed: &mut Vec<String>) {
    while let Some((due, phase)) = machine.next.filter(|(due, _)| *due <= until) {
        machine.enter(phase, due);
        match phase {
            Phase::Loading => machine.next = Some((due + ms(pace.loading), Phase::Running)),
            Phase::Running if machine.starts == 1 => machine.keys_from = due + ms(pace.keys),
            Phase::Stopped | Phase::Gone => freed.push(machine.id.clone()),
            _ => {}
        }
    }
}

/// Puts a machine on its way out; whether it was not yet.
fn end(machine: &mut Machine, at: Nanos, pace: Pace) -> bool {
    machine.wanted = false;
    if matches!(machine.phase, Phase::Ending | Phase::Gone) {
        return false;
    }
    machine.enter(Phase::Ending, at);
    machine.next = Some((at + ms(pace.ending), Phase::Gone));
    true
}

/// Dollars as nano-dollars.
#[must_use]
pub fn nano(dollars: f64) -> i64 {
    (dollars * 1e9).round() as i64
}

/// Nano-dollars as dollars.
#[must_use]
pub fn dollars(nano: i64) -> f64 {
    nano as f64 / 1e9
}
