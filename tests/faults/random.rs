//! Random schedules: a seed says what is asked, what fails, when the program is cut off and when clocks leap.
//!
//! `GPUDESK_SEED` replays one; `GPUDESK_SCHEDULES` says how many run.

use std::collections::{BTreeMap, BTreeSet};
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;
use std::time::Duration;

use chrono::TimeDelta;
use futures::FutureExt as _;
use gpudesk_core::rental::{Rental, State, Who};
use gpudesk_engine::{Desk, Order};
use gpudesk_tests::sim::clock::{Nanos, SECOND};
use gpudesk_tests::sim::fault::{Fault, Kind};
use gpudesk_tests::sim::machine::Phase;
use gpudesk_tests::sim::refusal::Refusal;
use gpudesk_tests::sim::twist::Twist;

use crate::bill;
use crate::stage::{PROVIDERS, Stage, order_path};

/// Schedules that every run of the tests takes.
const USUAL: u64 = 60;
/// The first seed; each schedule has the next.
const FIRST: u64 = 1;
/// Seeds that found something once: a start that counted as done while a stop was coming true, a stop whose lost answer
/// only a list told of, an end that had to be asked twice, a stop that a program asked for which was cut off, an end that
/// a late repeat carried out.
const FOUND: [u64; 5] = [241, 1249, 3445, 3667, 4999];

/// Numbers of a seed (SplitMix64): the same everywhere and for ever.
pub struct Dice(pub u64);

impl Dice {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, most: u64) -> u64 {
        self.next() % most
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    pub fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[usize::try_from(self.below(all.len() as u64)).unwrap()].clone()
    }
}

/// Calls of a cloud: how each begins, and its method.
fn calls(provider: &str) -> [(&'static str, &'static str); 5] {
    match provider {
        "vast" => [
            ("/api/v0/asks/", "PUT"),
            ("/api/v0/instances/", "PUT"),
            ("/api/v0/instances/", "DELETE"),
            ("/api/v1/instances/", "GET"),
            ("/api/v0/instances/", "GET"),
        ],
        "runpod" => [
            ("/v2/pods", "POST"),
            ("/v2/pods/", "POST"),
            ("/v2/pods/", "DELETE"),
            ("/v2/pods", "GET"),
            ("/v2/pods/", "GET"),
        ],
        _ => [
            ("/api/v1/instance-operations/launch", "POST"),
            ("/api/v1/instance-operations/terminate", "POST"),
            ("/api/v1/instance-types", "GET"),
            ("/api/v1/instances", "GET"),
            ("/api/v1/instances/", "GET"),
        ],
    }
}

fn fault(dice: &mut Dice, provider: &str) -> Fault {
    let (path, method) = dice.of(&calls(provider));
    let plain = [
        Kind::LostBefore,
        Kind::LostAfter,
        Kind::DoneButFailed,
        Kind::Refuse { why: Refusal::TooMany },
        Kind::Refuse { why: Refusal::Internal },
        Kind::Refuse { why: Refusal::Gateway },
        Kind::Cut,
        Kind::Empty,
    ];
    let twist = |twist| Kind::Twist { twist, word: None };
    let bent = [
        Twist::Duplicate,
        Twist::Partial,
        Twist::EmptyList,
        Twist::NullList,
        Twist::NullStatus,
        Twist::UnknownStatus,
        Twist::NoPorts,
        Twist::Text,
    ];
    if method == "GET" && dice.chance(50) {
        // A list that lies and looks whole is believed the second time: it lies once.
        return Fault::new(path, twist(dice.of(&bent))).method(method).times(1);
    }
    let times = u32::try_from(1 + dice.below(6)).unwrap();
    Fault::new(path, dice.of(&plain)).method(method).times(times)
}

/// What one schedule came to.
#[derive(Default, Clone, Copy)]
struct Figures {
    cuts: u64,
    faults: u64,
    machines: u64,
    billed: u64,
    exact: u64,
    told: u64,
    known: u64,
}

/// One schedule under way.
struct Run {
    seed: u64,
    stage: Stage,
    desk: Desk,
    dice: Dice,
    figures: Figures,
    /// Machines that vanished without anybody's asking.
    vanished: BTreeSet<String>,
    /// Machines of which the provider did not tell for a time what they are billed.
    dark: BTreeSet<String>,
}

impl Run {
    /// Does something to its end or to the program's; whether it came to its end.
    async fn step<T>(&mut self, cut: Option<u64>, doing: impl AsyncFnOnce(Desk) -> T) -> Option<T> {
        let seen = self.stage.cloud.sights.lock().unwrap().len();
        let mut polls = u64::MAX;
        match cut {
            // By a point at which something happens outside, or by the mere count of polls.
            Some(n) if n % 2 == 0 => self.stage.cloud.cut_after(n / 2 % 24),
            Some(n) => polls = 1 + n / 2 % 60,
            None => {}
        }
        // A cut that came when nothing was being done any more is none.
        let _ = self.stage.cloud.cut.notified().now_or_never();
        let done = {
            let mut work = pin!(doing(self.desk.clone()));
            let mut end = pin!(self.stage.cloud.cut.notified());
            std::future::poll_fn(|context| {
                if polls == 0 || end.as_mut().poll(context).is_ready() {
                    return Poll::Ready(None);
                }
                polls -= 1;
                work.as_mut().poll(context).map(Some)
            })
            .await
        };
        self.stage.cloud.never_cut();
        if done.is_none() {
            self.figures.cuts += 1;
            // What had come was not written down.
            self.stage.cloud.sights.lock().unwrap().truncate(seen);
            self.desk = self.stage.desk().await;
        }
        done
    }

    fn cut(&mut self) -> Option<u64> {
        self.dice.chance(40).then(|| self.dice.next())
    }

    /// One thing that somebody asks, or time that passes.
    async fn act(&mut self) {
        let rentals = self.desk.rentals(false).await.unwrap();
        let some = (!rentals.is_empty()).then(|| self.dice.of(&rentals).record.id);
        let cut = self.cut();
        let what = self.dice.below(12);
        match (what, some) {
            (0, Some(id)) => {
                self.step(cut, async |desk| desk.stop(&id, Who::Person, "dice").await.is_ok()).await;
            }
            (1, Some(id)) => {
                self.step(cut, async |desk| desk.start_rental(&id, Who::Person).await.is_ok()).await;
            }
            (2, Some(id)) if self.dice.chance(50) => {
                self.step(cut, async |desk| desk.end(&id, Who::Person, "dice").await.is_ok()).await;
            }
            (3, _) if rentals.len() < 3 => {
                let order = self.order().await;
                self.step(cut, async |desk| desk.launch(order).await.is_ok()).await;
            }
            (4 | 5, _) => {
                self.step(cut, async |desk| desk.reconcile().await.unwrap()).await;
            }
            (6, _) => {
                let seconds = self.dice.of(&[1, 20, 120, 3_600]);
                self.stage.time.pass(Duration::from_secs(seconds));
            }
            _ => {
                for _ in 0..self.dice.below(20) {
                    let pause = self.dice.of(&[500, 500, 2_000, 5_000]);
                    self.stage.time.pass(Duration::from_millis(pause));
                    if self.step(cut, async |desk| desk.tend().await.unwrap()).await.is_none() {
                        break;
                    }
                }
            }
        }
    }

    /// Something to rent; a bid now and then, and sometimes one that is too low when it arrives.
    async fn order(&mut self) -> Order {
        let offer = self.stage.offer().await;
        if self.dice.chance(40)
            && let Some((offer, bid)) = self.stage.bid().await
        {
            if self.dice.chance(20) {
                self.stage.cloud.bid_lower();
            }
            let mut order = self.stage.order(offer, "");
            order.max_price = Some(bid);
            return order;
        }
        self.stage.order(offer, "")
    }

    /// Something befalls one of the machines.
    fn befall(&mut self) {
        let now = self.stage.sim.market.clock.now();
        let all: Vec<(String, Phase, bool, Nanos)> = {
            let world = self.stage.sim.market.world();
            world.machines.iter().map(|m| (m.id.clone(), m.phase, m.bid.is_some(), now - m.created)).collect()
        };
        if all.is_empty() {
            return;
        }
        let (id, phase, bid, age) = self.dice.of(&all);
        let vast = self.stage.provider == "vast";
        let what = match (phase, self.dice.below(10)) {
            (Phase::Paused, _) => "outbid_over",
            (Phase::Offline, _) => "online",
            (Phase::Running, 0..6) if bid => "outbid",
            (Phase::Running, 6..8) if self.stage.provider != "runpod" => "offline",
            (Phase::Running, 8) if vast => "fail",
            (Phase::Running | Phase::Stopped, 9) => "gone",
            _ => return,
        };
        if what == "gone" {
            self.vanished.insert(id.clone());
        }
        // That a machine just made is missed is not written down yet: a program that is cut off forgets it.
        let young = what == "gone" && age < 90 * SECOND;
        if what == "offline" || young {
            self.dark.insert(id.clone());
        }
        self.stage.befall(&id, what);
    }

    async fn trouble(&mut self, leaps: bool) {
        if self.dice.chance(10) {
            self.befall();
        }
        if self.dice.chance(8) {
            self.stage.cloud.arrive_late(self.dice.of(&[5, 40, 85]));
        }
        if self.dice.chance(35) {
            let fault = fault(&mut self.dice, self.stage.provider);
            self.stage.sim.arm(fault);
            self.figures.faults += 1;
        }
        if self.dice.chance(10) {
            self.stage.cloud.delay(self.dice.of(&[3, 30, 100]));
        }
        if leaps && self.dice.chance(15) {
            let hours = self.dice.of(&[-30, -1, 0, 1, 30]);
            self.stage.time.leap(TimeDelta::hours(hours));
        }
    }

    /// Nothing may be lost, or be thought ended, that lives; no order may have two machines.
    async fn check(&self) {
        let lives: BTreeMap<String, bool> = {
            let world = self.stage.sim.market.world();
            let alive = |phase| !matches!(phase, Phase::Ending | Phase::Gone);
            world.machines.iter().map(|m| (m.id.clone(), alive(m.phase))).collect()
        };
        for rental in self.desk.rentals(true).await.unwrap() {
            let alive = rental.remote_id.as_ref().is_some_and(|id| lives.get(id) == Some(&true));
            let vanished = rental.remote_id.as_ref().is_some_and(|id| self.vanished.contains(id));
            if (rental.state == State::Lost && !vanished) || (rental.state.is_over() && alive) {
                self.fail(&format!("{} is {} and lives: {alive}", rental.record.name, rental.state)).await;
            }
        }
        self.check_single().await;
    }

    async fn check_single(&self) {
        let mut of: BTreeMap<String, Vec<String>> = BTreeMap::new();
        {
            for machine in &self.stage.sim.market.world().machines {
                of.entry(bill::mark_of(machine)).or_default().push(machine.id.clone());
            }
        }
        if let Some((mark, machines)) = of.iter().find(|(_, machines)| machines.len() > 1) {
            self.fail(&format!("{mark} was made {} times: {machines:?}", machines.len())).await;
        }
    }

    async fn fail(&self, why: &str) -> ! {
        let mut story = String::new();
        for rental in self.desk.rentals(true).await.unwrap() {
            story += &format!("\n{} ({}):", rental.record.name, rental.record.token);
            for event in self.desk.rental_events(&rental.record.id).await.unwrap() {
                story += &format!("\n  {} {:?}", event.at, event.kind);
            }
            story += &format!("\n  {:?}", rental.intervals);
        }
        for machine in &self.stage.sim.market.world().machines {
            story += &format!("\n{} {:?} {:?} {:?}", machine.id, machine.name, machine.phase, machine.spans);
        }
        for asked in self.stage.sim.asked().iter().rev().take(200).rev() {
            story += &format!("\n  {} {}", chrono::DateTime::from_timestamp_nanos(asked.at), asked.request);
        }
        panic!("GPUDESK_SEED={} at {}: {why}{story}", self.seed, self.stage.provider);
    }

    /// Tends without any more trouble for so long, and compares each minute, as the desk does by itself.
    async fn calm(&mut self, seconds: u64) {
        for n in 1..=seconds.div_ceil(5) {
            self.stage.time.pass(Duration::from_secs(5));
            self.step(None, async |desk| desk.tend().await.unwrap()).await;
            if n.is_multiple_of(12) {
                self.step(None, async |desk| desk.reconcile().await.unwrap()).await;
            }
        }
    }

    async fn rentals(&self) -> Vec<Rental> {
        self.desk.rentals(true).await.unwrap()
    }
}

async fn schedule(seed: u64) -> Figures {
    let provider = PROVIDERS[usize::try_from(seed % 3).unwrap()];
    let stage = Stage::at(provider).await;
    let desk = stage.desk().await;
    let (vanished, dark) = (BTreeSet::new(), BTreeSet::new());
    let mut run = Run { seed, stage, desk, dice: Dice(seed), figures: Figures::default(), vanished, dark };
    // With clocks that leap there is no bill to compare: its times are the wall clock's.
    let leaps = seed.is_multiple_of(4);
    let order = run.order().await;
    if run.dice.chance(10) {
        // The order is taken and nobody is told, and every list that follows looks whole and lacks it.
        let (path, method) = order_path(provider);
        run.stage.sim.arm(Fault::new(path, Kind::LostAfter).method(method).times(1));
        run.stage.cloud.lie(true);
    }
    run.trouble(leaps).await;
    let cut = run.cut();
    run.step(cut, async |desk| desk.launch(order).await.is_ok()).await;
    for _ in 0..6 + run.dice.below(14) {
        run.trouble(leaps).await;
        run.act().await;
        run.check().await;
    }
    // The trouble is over.
    run.stage.sim.disarm();
    run.stage.cloud.on_time();
    run.stage.cloud.lie(false);
    run.stage.time.leap(TimeDelta::zero());
    run.stage.time.pass(Duration::from_secs(60));
    let report = run.step(None, async |desk| desk.reconcile().await.unwrap()).await.unwrap();
    if report.complete != [provider] || !report.unmanaged.is_empty() {
        run.fail(&format!("after a comparison: {report:?}")).await;
    }
    run.calm(200).await;
    run.check().await;
    for rental in run.rentals().await.iter().filter(|rental| !rental.is_over()) {
        if run.desk.end(&rental.record.id, Who::Person, "the end").await.is_err() {
            run.fail("it cannot be ended").await;
        }
    }
    run.calm(200).await;
    run.check().await;
    let rentals = run.rentals().await;
    let left: Vec<&str> =
        rentals.iter().filter(|r| !r.is_over()).map(|rental| rental.record.name.as_str()).collect();
    if !left.is_empty() {
        run.fail(&format!("not over: {left:?}")).await;
    }
    run.figures.machines = run.stage.sim.market.world().machines.len() as u64;
    if run.stage.sim.market.world().machines.iter().any(|machine| machine.phase != Phase::Gone) {
        run.fail("a machine is left").await;
    }
    // The last looks, at which the provider's own figures are read.
    run.stage.time.pass(Duration::from_secs(1_900));
    run.calm(60).await;
    run.check().await;
    let rentals = run.rentals().await;
    for rental in rentals.iter().filter(|rental| !leaps && rental.remote_id.is_some()) {
        let blind = rental.remote_id.as_ref().is_some_and(|id| run.dark.contains(id));
        match bill::compare(&run.stage.sim, &run.stage.cloud, rental, blind) {
            Ok(compared) => {
                run.figures.billed += 1;
                run.figures.exact += u64::from(compared.equal);
                run.figures.told += u64::from(compared.told);
                run.figures.known += u64::from(compared.told || compared.equal);
            }
            Err(why) => run.fail(&why).await,
        }
    }
    run.figures
}

/// One schedule on a runtime of its own, so that nothing of it outlives it.
fn alone(seed: u64) -> Figures {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(schedule(seed))
}

#[test]
fn random_schedules_double_nothing_and_lose_nothing() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    if let Some(seed) = number("GPUDESK_SEED") {
        alone(seed);
        return;
    }
    let schedules = number("GPUDESK_SCHEDULES").unwrap_or(USUAL);
    let first = number("GPUDESK_FIRST").unwrap_or(FIRST);
    let seeds: Vec<u64> = (first..first + schedules)
        .chain(FOUND.into_iter().filter(|found| !(first..first + schedules).contains(found)))
        .collect();
    let next = AtomicUsize::new(0);
    let all = std::sync::Mutex::new((Figures::default(), Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(&seed) = seeds.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let one = std::panic::catch_unwind(|| alone(seed));
                    let mut all = all.lock().unwrap();
                    match one {
                        Ok(one) => {
                            all.0.cuts += one.cuts;
                            all.0.faults += one.faults;
                            all.0.machines += one.machines;
                            all.0.billed += one.billed;
                            all.0.exact += one.exact;
                            all.0.told += one.told;
                            all.0.known += one.known;
                        }
                        Err(_) => all.1.push(seed),
                    }
                }
            });
        }
    });
    let (figures, failed) = all.into_inner().unwrap();
    let Figures { cuts, faults, machines, billed, exact, told, known } = figures;
    println!(
        "seeds {first} to {} and {FOUND:?}: {} schedules, {faults} faults armed, {cuts} programs cut off, {machines} machines, \
         {billed} bills compared: {exact} equal to the cent by the recorded intervals, {told} told by the provider and \
         equal, {known} by one or the other; {} schedules failed",
        first + schedules - 1,
        seeds.len(),
        failed.len()
    );
    assert_eq!(failed, [0; 0], "each replays with GPUDESK_SEED");
}
