//! Machines that really idle: each costs money for nothing, and is stopped where that can be known.

use super::super::{Card, Input, Trouble};
use super::{Doing, Named, Trace, card};

pub(super) const ALL: &[Named] = &[
    ("nobody_ever_came", || quiet(|_| {})),
    ("training_ended", || Trace::quiet().computes(98.0).run(60).rests().run(32)),
    ("download_ended", || {
        Trace::quiet()
            .then(|doing| doing.net = Some(9e7))
            .run(20)
            .then(|doing| doing.net = Some(900.0))
            .run(32)
    }),
    ("compiler_ended", || {
        Trace::quiet()
            .then(|doing| doing.load = Some(30.0))
            .run(10)
            .then(|doing| doing.load = Some(0.02))
            .run(32)
    }),
    ("forgotten_terminal", || Trace::quiet().keys(5, 1).run(40)),
    ("forgotten_for_days", || quiet(|doing| doing.input = Input::Ago(300_000))),
    ("forgotten_watch_in_a_terminal", || {
        quiet(|doing| {
            doing.input = Input::Ago(90_000);
            doing.load = Some(0.3);
            doing.net = Some(6_000.0);
        })
    }),
    ("editor_open_and_nobody_there", || quiet(|doing| doing.net = Some(4_000.0))),
    ("eight_cards_idle", || {
        quiet(|doing| {
            doing.cards = vec![card(0.0, 4.0); 8];
            doing.load = Some(0.3);
            doing.cores = Some(192);
        })
    }),
    ("a_card_that_twitches", || quiet(|doing| doing.cards = vec![card(2.0, 4.0)])),
    ("amd_card_with_nothing_on_it", || {
        quiet(|doing| {
            doing.cards = vec![Card { memory_total_mib: Some(196_592.0), ..card(0.0, 283.0) }];
        })
    }),
    ("marker_of_yesterday", || {
        Trace::quiet().then(|doing| doing.marker = true).run(30).then(|doing| doing.marker = false).run(32)
    }),
    ("container_on_a_busy_host", || {
        quiet(|doing| {
            doing.load = None;
            doing.own_cores_busy = Some(0.03);
            doing.cores = Some(128);
        })
    }),
    ("line_was_cut_for_two_minutes", || Trace::quiet().run(16).unseen(2).run(16)),
    ("reboot_long_ago", || Trace::quiet().run(10).counters_reset().then(|doing| doing.boot = "b").run(40)),
    ("network_card_was_made_anew", || Trace::quiet().run(12).counters_reset().run(24)),
    ("readings_every_five_seconds", || quiet(|doing| doing.every = 5)),
    ("readings_that_drift", || quiet(|doing| doing.every = 31)),
    ("agents_of_the_cloud_chatter", || {
        quiet(|doing| {
            doing.net = Some(20_000.0);
            doing.disk = Some(90_000.0);
        })
    }),
    ("since_the_first_quarter_of_an_hour", || Trace::quiet().run(15).counts_from_now().run(32)),
    ("notebook_left_open", notebook_left_open),
    ("crashed_run_still_holds_memory", || quiet(|doing| doing.cards = vec![card(0.0, 70_000.0); 8])),
    ("ranks_wait_for_each_other", || quiet(|doing| doing.cards = vec![card(100.0, 70_000.0); 8])),
    ("program_spins", || quiet(|doing| doing.load = Some(1.0))),
    ("divided_card_idle", || {
        quiet(|doing| {
            doing.cards = vec![Card { util_percent: None, divided: true, ..card(0.0, 12.0) }];
            doing.trouble = Some(Trouble::Mig);
        })
    }),
    ("driver_gone_nobody_there", || {
        quiet(|doing| {
            doing.cards.clear();
            doing.trouble = Some(Trouble::Driver);
        })
    }),
    ("no_tool_nobody_there", || {
        quiet(|doing| {
            doing.cards.clear();
            doing.trouble = Some(Trouble::NoGpuTool);
        })
    }),
    ("container_without_disk_figures", || {
        quiet(|doing| {
            doing.own_cores_busy = Some(0.01);
            doing.load = None;
            doing.disk = None;
        })
    }),
    ("talkative_service", || quiet(|doing| doing.net = Some(60_000.0))),
    ("service_that_logs_a_lot", || quiet(|doing| doing.disk = Some(1e6))),
    ("watched_by_a_laptop_that_sleeps", || (0..6).fold(Trace::quiet(), |trace, _| trace.run(15).unseen(15))),
];

pub(super) fn notebook_left_open() -> Trace {
    Trace::quiet().computes(50.0).run(20).then(|doing| doing.cards = vec![card(0.0, 17_000.0)]).run(90)
}

fn quiet(change: impl FnOnce(&mut Doing)) -> Trace {
    Trace::quiet().then(change).run(45)
}
