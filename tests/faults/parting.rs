//! Before a rule stops a machine its programs have their time, and nothing of that keeps a machine alive.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use chrono::TimeDelta;
use gpudesk_core::activity::{Card, Input, Reading};
use gpudesk_core::rental::{EventKind, HookEnd, Lease, Limit, OnExpiry, Parting, Probe, Rental, State, Who};
use gpudesk_engine::{Answered, Desk, GuardAct, Order, Outcome, Parted, Reach, ReachError, Target};
use tokio::sync::Mutex;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

use crate::stage::{Open, Stage};

type Answer = Result<Parting, ReachError>;

/// Machines that tell when they are asked, and answer when a test lets them.
struct Gate {
    asked: UnboundedSender<Parted>,
    answers: Mutex<UnboundedReceiver<Answer>>,
}

#[async_trait]
impl Reach for Gate {
    async fn greet(&self, target: &Target) -> Result<Answered, ReachError> {
        Open.greet(target).await
    }

    async fn probe(&self, target: &Target) -> Result<Probe, ReachError> {
        Open.probe(target).await
    }

    async fn part(&self, _: &Target, parted: Parted) -> Answer {
        self.asked.send(parted).unwrap();
        self.answers.lock().await.recv().await.unwrap()
    }
}

/// A machine of a desk that reaches it through a gate.
struct Scene {
    stage: Stage,
    desk: Desk,
    id: String,
    asked: UnboundedReceiver<Parted>,
    answer: UnboundedSender<Answer>,
}

/// A machine that is ready, two hours before the end of this lease.
async fn scene(lease: Lease) -> Scene {
    let stage = Stage::at("vast").await;
    let (asks, asked) = unbounded_channel();
    let (answer, answers) = unbounded_channel();
    let desk = stage.desk_reaching(Arc::new(Gate { asked: asks, answers: Mutex::new(answers) })).await;
    let until = lease.until.map(|_| stage.time.truth() + TimeDelta::hours(2));
    let order = Order { lease: Lease { until, ..lease }, ..stage.order(stage.offer().await, "a") };
    let Outcome::Requested(rental) = desk.launch(order).await.unwrap() else { panic!("no order") };
    let id = rental.record.id;
    let ready = stage.tend_until(&desk, &id, |rental| rental.state == State::Ready).await;
    if let Some(until) = ready.lease.until {
        stage.time.pass((until - stage.time.truth()).to_std().unwrap());
    }
    Scene { stage, desk, id, asked, answer }
}

fn ends() -> Lease {
    let until = Some(chrono::DateTime::UNIX_EPOCH);
    Lease { until, max_spend: None, idle_minutes: None, on_expiry: OnExpiry::End }
}

fn whats(acts: &[GuardAct]) -> Vec<&'static str> {
    acts.iter().map(|act| act.what).collect()
}

impl Scene {
    /// A round that is under way, once the machine was asked.
    async fn round(&mut self) -> (JoinHandle<Vec<&'static str>>, Parted) {
        let desk = self.desk.clone();
        let round = tokio::spawn(async move { whats(&desk.guard_round().await.unwrap().acts) });
        (round, self.asked.recv().await.unwrap())
    }

    async fn rental(&self) -> Rental {
        self.desk.rental(&self.id).await.unwrap()
    }

    /// What happened of partings, stops and ends.
    async fn story(&self) -> Vec<EventKind> {
        let events = self.desk.rental_events(&self.id).await.unwrap();
        let told = events.into_iter().map(|event| event.kind).filter(|kind| {
            matches!(
                kind,
                EventKind::PartingBegun { .. }
                    | EventKind::PartingOver { .. }
                    | EventKind::StopAsked { .. }
                    | EventKind::EndAsked { .. }
            )
        });
        told.collect()
    }
}

#[tokio::test]
async fn programs_have_their_time_and_every_desk_waits_for_it() {
    let mut scene = scene(ends()).await;
    let began = scene.desk.now();
    let (round, parted) = scene.round().await;
    assert_eq!(parted, Parted { ends: true, limit: Limit::Time, seconds: 60, here: false });
    let other = scene.stage.desk().await;
    assert_eq!(other.guard_round().await.unwrap().acts, [], "another desk gives it no second time");
    assert_eq!(scene.rental().await.state, State::Ready);
    let parting = Parting { asked: 3, ended: 2, hook: Some(HookEnd::Done) };
    scene.answer.send(Ok(parting.clone())).unwrap();
    assert_eq!(round.await.unwrap(), ["ended"]);
    let story = scene.story().await;
    let [EventKind::PartingBegun { limit, why, until }, over, EventKind::EndAsked { by, why: ended }] =
        story.as_slice()
    else {
        panic!("{story:?}")
    };
    assert_eq!((*limit, *until, *by), (Limit::Time, began + TimeDelta::seconds(90), Who::Desk));
    assert!(why.starts_with("its lease ran out at 2026-11-30") && why == ended, "{why} {ended}");
    assert_eq!(*over, EventKind::PartingOver { parting: Some(parting), words: None });
}

#[tokio::test]
async fn a_machine_that_cannot_be_reached_is_stopped_at_once() {
    let mut scene = scene(Lease { on_expiry: OnExpiry::Stop, ..ends() }).await;
    let silent = ReachError::Silent("nothing within 90 s".to_owned());
    scene.answer.send(Err(silent)).unwrap();
    let (round, parted) = scene.round().await;
    assert!(!parted.ends);
    assert_eq!(round.await.unwrap(), ["stopped"]);
    let words = Some("no answer from SSH: nothing within 90 s".to_owned());
    assert_eq!(scene.story().await[1], EventKind::PartingOver { parting: None, words });
}

#[tokio::test]
async fn a_desk_that_is_gone_meanwhile_keeps_no_machine_alive() {
    let mut scene = scene(ends()).await;
    let (round, _) = scene.round().await;
    round.abort();
    let other = scene.stage.desk().await;
    scene.stage.time.pass(Duration::from_secs(89));
    assert_eq!(other.guard_round().await.unwrap().acts, []);
    scene.stage.time.pass(Duration::from_secs(1));
    assert_eq!(whats(&other.guard_round().await.unwrap().acts), ["ended"]);
}

#[tokio::test]
async fn whoever_extends_it_meanwhile_has_extended_it() {
    let mut scene = scene(ends()).await;
    let (round, _) = scene.round().await;
    scene.desk.extend(&scene.id, 1.0).await.unwrap();
    scene.answer.send(Ok(Parting { asked: 1, ended: 1, hook: None })).unwrap();
    assert_eq!(round.await.unwrap(), [""; 0]);
    assert_eq!(scene.rental().await.state, State::Ready);
    scene.stage.time.pass(Duration::from_secs(3600));
    let (round, _) = scene.round().await;
    scene.answer.send(Ok(Parting { asked: 0, ended: 0, hook: None })).unwrap();
    assert_eq!(round.await.unwrap(), ["ended"], "its programs had their time anew");
}

/// A minute of a machine on which a card works, or nothing does.
async fn minute(scene: &Scene, util: f64, busy_marker: bool) {
    for _ in 0..12 {
        scene.stage.time.pass(Duration::from_secs(5));
        let card = Card {
            util_percent: Some(util),
            memory_used_mib: Some(4.0),
            memory_total_mib: Some(24_000.0),
            divided: false,
        };
        let reading = Reading {
            cards: vec![card],
            load_1m: Some(0.01),
            cores: Some(8),
            net_bytes: Some(0),
            disk_bytes: Some(0),
            boot_id: Some("1".to_owned()),
            input: Input::NoSession,
            busy_marker,
            ..Reading::unknown(scene.desk.now())
        };
        scene.desk.take_reading(&scene.id, reading).await.unwrap();
    }
}

/// A machine that is idle, in the time that its programs have been given.
async fn idle() -> (Scene, JoinHandle<Vec<&'static str>>) {
    let lease = Lease { until: None, idle_minutes: Some(20), on_expiry: OnExpiry::Stop, ..ends() };
    let mut scene = scene(lease).await;
    for _ in 0..40 {
        minute(&scene, 0.0, false).await;
    }
    let (round, parted) = scene.round().await;
    assert_eq!((parted.ends, parted.limit), (false, Limit::Idle));
    (scene, round)
}

#[tokio::test]
async fn what_programs_do_in_their_time_is_no_work() {
    let (scene, round) = idle().await;
    minute(&scene, 90.0, false).await;
    scene.answer.send(Ok(Parting { asked: 1, ended: 1, hook: None })).unwrap();
    assert_eq!(round.await.unwrap(), ["stopped"]);
    let story = scene.story().await;
    let Some(EventKind::StopAsked { why, .. }) = story.last() else { panic!("{story:?}") };
    assert!(why.starts_with("it did nothing for ") && !why.contains("for 0 min"), "{why}");
}

#[tokio::test]
async fn a_person_who_comes_back_meanwhile_keeps_it() {
    let (scene, round) = idle().await;
    minute(&scene, 0.0, true).await;
    minute(&scene, 0.0, true).await;
    scene.answer.send(Ok(Parting { asked: 1, ended: 1, hook: None })).unwrap();
    assert_eq!(round.await.unwrap(), [""; 0]);
    assert_eq!(scene.rental().await.state, State::Ready);
}
