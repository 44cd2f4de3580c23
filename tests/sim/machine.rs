//! A rented machine, the same at every service: its phases, its meters, its bill.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::account::Account;
use super::clock::{Nanos, SECOND};
use super::seller::seller;

/// Who sells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Service {
    /// Vast.ai.
    Vast,
    /// RunPod.
    Runpod,
    /// Lambda.
    Lambda,
    /// Verda.
    Verda,
    /// Hyperstack.
    Hyperstack,
    /// Vultr.
    Vultr,
    /// Shadeform.
    Shadeform,
    /// Prime Intellect.
    Prime,
    /// AWS.
    Aws,
    /// DigitalOcean.
    Digitalocean,
    /// Scaleway.
    Scaleway,
    /// Nebius.
    Nebius,
    /// Selectel.
    Selectel,
    /// VK Cloud.
    Vk,
    /// immers.cloud.
    Immers,
    /// OVHcloud.
    Ovh,
    /// A cloud that is OpenStack.
    Openstack,
}

/// What a machine does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Taken, nothing began.
    Made,
    /// The image comes, the machine boots.
    Loading,
    /// It runs.
    Running,
    /// A stop was asked.
    Stopping,
    /// It stands, the disk is kept.
    Stopped,
    /// A start was asked, somebody else has the cards.
    Waiting,
    /// Outbid.
    Paused,
    /// Its host does not answer.
    Offline,
    /// Its container ended by itself.
    Failed,
    /// The end was asked.
    Ending,
    /// It is gone.
    Gone,
}

/// What is paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Meter {
    /// The cards, with everything that comes with them.
    Compute,
    /// Disk.
    Disk,
}

/// A time during which something was paid for at one rate.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Span {
    /// What.
    pub meter: Meter,
    /// From when.
    pub from: Nanos,
    /// Until when; `None` = still.
    pub to: Option<Nanos>,
    /// Nano-dollars per hour.
    pub rate: i64,
}

/// What the meters charge, in nano-dollars per hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rates {
    /// Cards.
    pub compute: i64,
    /// Disk while running.
    pub disk: i64,
    /// Disk while it stands.
    pub disk_stopped: i64,
}

/// The cards as the machine itself reports them.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Cards {
    /// Name as the driver spells it.
    pub name: String,
    /// How many.
    pub count: u32,
    /// MiB of each.
    pub memory_mib: u32,
    /// Watts of each at full load.
    pub watts: u32,
}

/// A rented machine.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Machine {
    /// The seller's id.
    pub id: String,
    /// A small number of its own.
    pub number: u32,
    /// Who sells.
    pub service: Service,
    /// Who pays.
    pub account: Account,
    /// Name or label.
    pub name: Option<String>,
    /// What it does.
    pub phase: Phase,
    /// What it does next by itself, and when.
    pub next: Option<(Nanos, Phase)>,
    /// Whether its owner wants it to run.
    pub wanted: bool,
    /// Whether it was rented by a bid, and the bid.
    pub bid: Option<i64>,
    /// When it was made.
    pub created: Nanos,
    /// When it last began to run.
    pub started: Option<Nanos>,
    /// When it was gone.
    pub ended: Option<Nanos>,
    /// When the seller's own timer ends it, where one is set and kept.
    #[serde(default)]
    pub timer: Option<Nanos>,
    /// What it costs.
    pub rates: Rates,
    /// What was paid for.
    pub spans: Vec<Span>,
    /// Its cards.
    pub cards: Cards,
    /// Public keys that may log in.
    pub keys: Vec<String>,
    /// From when on they are let in.
    pub keys_from: Nanos,
    /// Disk in GB, and the part that outlives a stop where these are two.
    pub disk_gb: (f64, f64),
    /// A message for people.
    pub says: Option<String>,
    /// A price rise announced: nano-dollars per hour.
    pub rise: Option<i64>,
    /// How often it was started: container ports and host keys may depend on it.
    pub starts: u32,
    /// Word shown instead of its own state.
    pub word: Option<String>,
    /// The request that made it.
    pub request: Value,
    /// What the seller knows beside it: the offer's row or the type.
    pub facts: Value,
    /// Loopback port of its SSH server, where it has one.
    pub port: Option<u16>,
}

impl Machine {
    /// A machine just taken, with nothing said of it yet.
    #[must_use]
    pub fn made(service: Service, account: Account, number: u32, now: Nanos) -> Self {
        Self {
            id: String::new(),
            number,
            service,
            account,
            name: None,
            phase: Phase::Made,
            next: None,
            wanted: true,
            bid: None,
            created: now,
            started: None,
            ended: None,
            timer: None,
            rates: Rates { compute: 0, disk: 0, disk_stopped: 0 },
            spans: Vec::new(),
            cards: Cards { name: String::new(), count: 0, memory_mib: 0, watts: 0 },
            keys: Vec::new(),
            keys_from: now,
            disk_gb: (0.0, 0.0),
            says: None,
            rise: None,
            starts: 0,
            word: None,
            facts: Value::Null,
            request: Value::Null,
            port: None,
        }
    }

    /// What the meters charge in a phase by the seller's rules: cards, disk.
    fn charged(&self, phase: Phase) -> (i64, i64) {
        let rules = seller(self.service).billing;
        let rate = |phases: &[Phase], rate| if phases.contains(&phase) { rate } else { 0 };
        let Rates { compute, disk, disk_stopped } = self.rates;
        (rate(rules.cards, compute), rate(rules.disk, disk) + rate(rules.disk_stopped, disk_stopped))
    }

    /// Begins a phase at a time: the meters that no longer run are stopped, the others go on.
    pub fn enter(&mut self, phase: Phase, at: Nanos) {
        self.phase = phase;
        self.next = None;
        match phase {
            Phase::Running => {
                self.started = Some(at);
                self.starts += 1;
            }
            Phase::Gone => self.ended = Some(at),
            _ => {}
        }
        self.meter(at);
    }

    /// Sets the meters to what is charged now.
    pub fn meter(&mut self, at: Nanos) {
        let (compute, disk) = self.charged(self.phase);
        for (meter, rate) in [(Meter::Compute, compute), (Meter::Disk, disk)] {
            let open = self.spans.iter_mut().find(|span| span.meter == meter && span.to.is_none());
            match open {
                Some(span) if span.rate == rate => continue,
                Some(span) => span.to = Some(at),
                None => {}
            }
            if rate > 0 {
                self.spans.push(Span { meter, from: at, to: None, rate });
            }
        }
    }

    /// The increment of the seller, in seconds.
    fn increment(&self) -> i64 {
        seller(self.service).billing.increment_s
    }

    /// What one span costs until `now`, in nano-dollars: begun increments count whole, a started nano-dollar too.
    #[must_use]
    pub fn cost(&self, span: &Span, now: Nanos) -> i64 {
        let lasted = (span.to.unwrap_or(now).max(span.from) - span.from).max(0);
        let unit = self.increment() * SECOND;
        let units = (lasted + unit - 1) / unit;
        let amount = i128::from(units) * i128::from(self.increment()) * i128::from(span.rate);
        i64::try_from((amount + 3_599) / 3_600).unwrap_or(i64::MAX)
    }

    /// The bill until `now` in nano-dollars: all of it, or one meter's part.
    #[must_use]
    pub fn bill(&self, meter: Option<Meter>, now: Nanos) -> i64 {
        let wanted = self.spans.iter().filter(|span| meter.is_none_or(|m| m == span.meter));
        wanted.map(|span| self.cost(span, now)).sum()
    }

    /// What one meter's spans cost inside a window, in nano-dollars.
    #[must_use]
    pub fn within(&self, meter: Meter, from: Nanos, to: Nanos) -> i64 {
        let spans = self.spans.iter().filter(|span| span.meter == meter);
        spans
            .filter_map(|span| {
                let mut cut = span.clone();
                cut.from = cut.from.max(from);
                let end = cut.to.unwrap_or(to).min(to);
                cut.to = Some(end);
                (end > cut.from).then(|| self.cost(&cut, to))
            })
            .sum()
    }

    /// What it costs per hour now, in nano-dollars.
    #[must_use]
    pub fn burning(&self) -> i64 {
        self.spans.iter().filter(|span| span.to.is_none()).map(|span| span.rate).sum()
    }

    /// Whether it holds its cards.
    #[must_use]
    pub fn holds_cards(&self) -> bool {
        matches!(self.phase, Phase::Made | Phase::Loading | Phase::Running | Phase::Stopping | Phase::Offline)
    }

    /// Whether there is something to log in to.
    #[must_use]
    pub fn is_up(&self) -> bool {
        matches!(self.phase, Phase::Running | Phase::Stopping)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(service: Service) -> Machine {
        Machine {
            rates: Rates { compute: 3_600_000_000, disk: 36_000_000, disk_stopped: 72_000_000 },
            disk_gb: (10.0, 0.0),
            ..Machine::made(service, Account::Main, 1, 0)
        }
    }

    /// Ten seconds in each of: made, loading, running, stopping, stopped, ending.
    fn life(service: Service) -> Machine {
        let mut machine = machine(service);
        let phases =
            [Phase::Made, Phase::Loading, Phase::Running, Phase::Stopping, Phase::Stopped, Phase::Ending];
        for (n, phase) in phases.into_iter().enumerate() {
            machine.enter(phase, n as i64 * 10 * SECOND);
        }
        machine.enter(Phase::Gone, 60 * SECOND);
        machine
    }

    #[test]
    fn each_seller_bills_by_its_own_rule() {
        let now = 1_000 * SECOND;
        let parts = |service| {
            let machine = life(service);
            (machine.bill(Some(Meter::Compute), now), machine.bill(Some(Meter::Disk), now))
        };
        // A dollar a second of work in milli-units: 20 s running; 40 s of disk, then 10 s at the double rate.
        assert_eq!(parts(Service::Vast), (20_000_000, 400_000 + 200_000));
        assert_eq!(parts(Service::Runpod), (40_000_000, 400_000 + 200_000));
        // Begun minutes count whole.
        assert_eq!(parts(Service::Lambda), (60_000_000, 600_000 + 1_200_000));
    }
}
