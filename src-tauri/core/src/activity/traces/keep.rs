//! Machines that work, or at which somebody works, or of which it is not known: none may be stopped.

use super::super::{Input, Trouble};
use super::{Doing, Named, Trace, card};

pub(super) const ALL: &[Named] = &[
    ("training", || Trace::quiet().computes(97.0).run(120)),
    ("training_at_six_percent", || Trace::quiet().computes(6.0).run(60)),
    ("tiny_kernels", || quiet(|doing| doing.cards = vec![card(5.0, 4.0)])),
    ("training_in_tmux_without_a_session", || Trace::quiet().computes(60.0).run(90)),
    ("training_with_pauses_for_evaluation", || {
        cycles(4, |trace| trace.computes(95.0).run(25).rests().run(20))
    }),
    ("work_of_one_minute_every_half_hour", || cycles(4, |trace| trace.computes(30.0).run(1).rests().run(29))),
    ("one_of_eight_cards_used", || {
        quiet(|doing| {
            doing.cards = vec![card(0.0, 4.0); 8];
            doing.cards[5] = card(71.0, 9_000.0);
        })
    }),
    ("checkpoint_without_the_card", || {
        Trace::quiet().computes(90.0).run(5).rests().then(|doing| doing.disk = Some(2e8)).run(45)
    }),
    ("data_loading", || quiet(|doing| doing.load = Some(12.0))),
    ("data_loading_from_the_network", || quiet(|doing| doing.net = Some(3e8))),
    ("data_loading_from_disk_in_a_container", || container(|doing| doing.disk = Some(4e7))),
    ("compiling", || quiet(|doing| doing.load = Some(16.4))),
    ("linking_alone_on_96_cores", || {
        quiet(|doing| {
            doing.cores = Some(96);
            doing.load = Some(0.98);
        })
    }),
    ("one_thread_tokenises_on_256_cores", || {
        quiet(|doing| {
            doing.cores = Some(256);
            doing.load = Some(1.02);
        })
    }),
    ("a_script_that_computes_half_of_the_time", || {
        quiet(|doing| {
            doing.cores = Some(64);
            doing.load = Some(0.55);
        })
    }),
    ("preprocessing_in_nohup", || quiet(|doing| doing.load = Some(4.0))),
    ("preprocessing_in_a_container", || container(|doing| doing.own_cores_busy = Some(1.0))),
    ("a_tenth_of_a_small_machine", || {
        quiet(|doing| {
            doing.cores = Some(4);
            doing.load = Some(0.45);
        })
    }),
    ("download_of_a_data_set", || quiet(|doing| doing.net = Some(5e6))),
    ("throttled_download", || quiet(|doing| doing.net = Some(1e5))),
    ("download_between_cuts_of_the_line", || {
        cycles(6, |trace| {
            trace.then(|doing| doing.net = Some(2e6)).unseen(3).then(|doing| doing.net = Some(2e3)).run(10)
        })
    }),
    ("short_download_after_a_cut_of_the_line", || {
        cycles(4, |trace| {
            let loads = trace.unseen(2).then(|doing| doing.net = Some(4e4)).run(1);
            loads.then(|doing| doing.net = Some(2e3)).run(26)
        })
    }),
    ("results_are_copied_away", || quiet(|doing| doing.net = Some(9e5))),
    ("archive_is_unpacked", || {
        quiet(|doing| {
            doing.disk = Some(5e7);
            doing.load = Some(0.6);
        })
    }),
    ("slow_copy_on_disk", || quiet(|doing| doing.disk = Some(3e5))),
    ("debugger_stopped_with_a_person", || {
        Trace::quiet().then(|doing| doing.cards = vec![card(0.0, 4.0)]).keys(20, 4)
    }),
    ("debugger_stopped_holding_memory", || {
        Trace::quiet().then(|doing| doing.cards = vec![card(0.0, 30_000.0)]).run(120)
    }),
    ("person_types", || Trace::quiet().keys(1, 60)),
    ("person_reads_logs_and_scrolls", || Trace::quiet().keys(25, 3)),
    ("editor_without_terminal_saves", || Trace::quiet().keys(12, 6)),
    ("notebook_between_cells", || cycles(3, |trace| trace.computes(40.0).run(2).then(held).run(28))),
    ("kernel_alive_holding_memory", || Trace::quiet().then(held).run(180)),
    ("inference_with_rare_calls", || cycles(4, |trace| trace.computes(35.0).run(1).then(held).run(40))),
    ("inference_called_once_an_hour_between_readings", || {
        Trace::quiet().then(held).run(60).then(|doing| doing.net = Some(5e3)).run(60)
    }),
    ("divided_card_at_work", || {
        quiet(|doing| {
            doing.cards[0] = super::Card { util_percent: None, divided: true, ..card(0.0, 12.0) };
            doing.trouble = Some(Trouble::Mig);
        })
    }),
    ("one_of_two_cards_divided", || {
        quiet(|doing| {
            doing.cards = vec![card(0.0, 4.0), super::Card { divided: true, ..card(0.0, 12.0) }];
        })
    }),
    ("driver_not_loaded", || {
        quiet(|doing| {
            doing.cards.clear();
            doing.trouble = Some(Trouble::Driver);
        })
    }),
    ("driver_answers_every_other_time", || {
        cycles(60, |trace| {
            trace
                .then(|doing| doing.every = 15)
                .run(1)
                .then(|doing| doing.trouble = Some(Trouble::Driver))
                .run(1)
                .then(|doing| doing.trouble = None)
        })
    }),
    ("lost_card", || {
        quiet(|doing| {
            doing.cards.clear();
            doing.trouble = Some(Trouble::CardLost);
        })
    }),
    ("card_vanished_from_the_list", || {
        Trace::quiet()
            .then(|doing| doing.cards = vec![card(0.0, 4.0); 8])
            .run(20)
            .then(|doing| doing.cards.truncate(7))
            .run(90)
    }),
    ("no_nvidia_smi", || {
        quiet(|doing| {
            doing.cards.clear();
            doing.trouble = Some(Trouble::NoGpuTool);
        })
    }),
    ("nobody_says_why_there_are_no_cards", || quiet(|doing| doing.cards.clear())),
    ("use_of_a_card_not_told", || quiet(|doing| doing.cards[0].util_percent = None)),
    ("memory_of_a_card_not_told", || quiet(|doing| doing.cards[0].memory_used_mib = None)),
    ("one_of_four_amd_cards_not_told", || {
        quiet(|doing| {
            doing.cards = vec![card(0.0, 283.0); 4];
            doing.cards[3].util_percent = None;
        })
    }),
    ("load_not_told", || quiet(|doing| doing.load = None)),
    ("cores_not_told", || quiet(|doing| doing.cores = None)),
    ("network_not_told", || quiet(|doing| doing.net = None)),
    ("disk_not_told", || quiet(|doing| doing.disk = None)),
    ("logins_not_told", || quiet(|doing| doing.input = Input::Unknown)),
    ("reboot_in_the_window", || {
        Trace::quiet().run(25).counters_reset().then(|doing| doing.boot = "b").run(29)
    }),
    ("reboots_again_and_again", || {
        cycles(3, |trace| {
            trace
                .run(14)
                .counters_reset()
                .then(|doing| doing.boot = "b")
                .run(14)
                .counters_reset()
                .then(|doing| doing.boot = "a")
        })
    }),
    ("gaps_in_the_readings", || cycles(6, |trace| trace.run(8).unseen(2))),
    ("laptop_slept_for_the_rest_of_the_window", || Trace::quiet().run(10).unseen(25).run(3)),
    ("laptop_slept_after_a_quiet_evening", || Trace::quiet().run(20).unseen(60).run(5).unseen(60).run(20)),
    ("clock_jumps_ahead", || Trace::quiet().run(8).clock(25).run(10)),
    ("clock_set_back", || Trace::quiet().run(20).clock(-40).run(20)),
    ("clock_set_back_and_forth", || Trace::quiet().run(15).clock(-60).run(5).clock(60).run(5)),
    ("one_reading_a_minute", || quiet(|doing| doing.every = 60)),
    ("readings_only_at_the_begin_of_each_minute", || {
        cycles(60, |mut trace| {
            trace.doing.every = 5;
            for _ in 0..3 {
                trace.read();
                trace.pass(5);
            }
            trace.pass(45);
            trace
        })
    }),
    ("first_fifteen_minutes", || Trace::quiet().run(15).counts_from_now().run(30)),
    ("kept_by_a_click", || Trace::quiet().run(28).counts_from_now().run(25)),
    ("copy_by_the_desk_just_ended", || {
        Trace::quiet()
            .then(|doing| doing.net = Some(8e6))
            .run(20)
            .then(|doing| doing.net = Some(2e3))
            .counts_from_now()
            .run(28)
    }),
    ("marker_file", || quiet(|doing| doing.marker = true)),
    ("marker_touched_again_and_again", || {
        cycles(3, |trace| {
            trace.then(|doing| doing.marker = true).run(30).then(|doing| doing.marker = false).run(20)
        })
    }),
    ("container_without_any_figure_of_its_processors", || container(|doing| doing.own_cores_busy = None)),
];

fn held(doing: &mut Doing) {
    doing.cards = vec![card(0.0, 17_000.0)];
}

fn quiet(change: impl FnOnce(&mut Doing)) -> Trace {
    Trace::quiet().then(change).run(90)
}

/// A container on a host of others: its own processors and disks are counted, the load is not known.
fn container(change: impl FnOnce(&mut Doing)) -> Trace {
    Trace::quiet()
        .then(|doing| {
            doing.load = None;
            doing.own_cores_busy = Some(0.02);
        })
        .then(change)
        .run(90)
}

fn cycles(times: usize, cycle: impl Fn(Trace) -> Trace) -> Trace {
    (0..times).fold(Trace::quiet(), |trace, _| cycle(trace))
}
