//! Machines with AMD cards: the forms in which `amd-smi` and `rocm-smi` answer, and what the machine makes of them.

use super::super::BoxLease;
use super::idle::{container, idle, runs};
use super::machine::Machine;

/// Two quiet cards in the columns of ROCm 6.3; an MI300X with nothing on it has 283 MiB in use.
const QUIET: &str = "gpu,gfx,gfx_clock,vram_used,vram_total\n0,0,132,283,196300\n1,0,132,283,196300\n";
/// A quiet card of `rocm-smi`.
const QUIET_ROCM: &str = r#"{"card0": {"GPU use (%)": "0", "GFX Activity": "5", "VRAM Total Memory (B)": "68702699520", "VRAM Total Used Memory (B)": "10485760"}}"#;
const NO_PROGRAMS: &str = "\n==== ROCm System Management Interface ====\nNo KFD PIDs currently running\n";

/// Takes the tool of NVIDIA away and puts `amd-smi` there; what it prints, and how it ends, stands in two files.
fn amd(machine: &Machine, text: &str, exit: i32) {
    std::fs::remove_file(machine.path("bin/nvidia-smi")).unwrap();
    machine.write("amd", text);
    machine.program(
        "bin/amd-smi",
        &format!("[ \"$*\" = 'monitor -vu --csv' ] || exit 2\ncat \"$GPUDESK_ROOT/amd\"; exit {exit}"),
    );
}

/// The same with `rocm-smi`, whose list of programs is another question.
fn rocm(machine: &Machine, text: &str, exit: i32, programs: &str) {
    std::fs::remove_file(machine.path("bin/nvidia-smi")).unwrap();
    programs_of(machine, text, exit, programs);
}

fn programs_of(machine: &Machine, text: &str, exit: i32, programs: &str) {
    machine.write("rocm", text);
    machine.write("programs", programs);
    machine.program(
        "bin/rocm-smi",
        &format!(
            "case $* in\n'--showuse --showmeminfo vram --json') cat \"$GPUDESK_ROOT/rocm\"; exit {exit} ;;\n\
             --showpids) cat \"$GPUDESK_ROOT/programs\" ;;\n*) exit 2 ;;\nesac"
        ),
    );
}

fn list(row: &str) -> String {
    format!(
        "==== KFD Processes ====\nKFD process information:\n\
         PID \tPROCESS NAME\tGPU(s)\tVRAM USED\tSDMA USED\tCU OCCUPANCY\t\n{row}\n====\n"
    )
}

fn stopped(what: &str, machine: &Machine) {
    let log = machine.log();
    assert!(!machine.calls_at().is_empty() && log.contains("activity=idle why=quiet"), "{what}: {log}");
}

fn kept(what: &str, machine: &Machine, activity: &str, why: &str) {
    assert_eq!(machine.read("calls"), "", "{what}");
    let state = machine.read("run/gpudesk/state");
    let expected = format!("activity={activity}\nwhy={why}\nidle_s=0\n");
    assert!(state.contains(&expected), "{what}: {expected}{state}");
}

#[test]
fn cards_that_do_nothing_are_idle_in_every_form() {
    let newer =
        "gpu,gfx_clk,gfx,vram_used,vram_free,vram_total,vram_percent\n0,132,0,283,196309,196592,0.0\n";
    let at_the_limits = "gpu,gfx,gfx_clock,vram_used,vram_total\n0,4,132,300,196300\n";
    // Its library for tables ends a line as the standard for such files says.
    let carriage = QUIET.replace('\n', "\r\n");
    let warned = format!("\nWARNING: User is missing the following required groups: render\n{QUIET}\n");
    for text in [QUIET, newer, at_the_limits, &carriage, &warned] {
        stopped(text, &runs(|machine| amd(machine, text, 0)));
    }
    let warned =
        format!("WARNING: AMD GPU device(s) is/are in a low-power state. Check power\n\n{QUIET_ROCM}");
    let in_lines = QUIET_ROCM.replace(", ", ",\n    ").replace('{', "{\n    ").replace('}', "\n}");
    let at_the_limit = QUIET_ROCM.replace("10485760", "314572800");
    for text in [QUIET_ROCM, &warned, &in_lines, &at_the_limit] {
        stopped(text, &runs(|machine| rocm(machine, text, 0, NO_PROGRAMS)));
    }
}

#[test]
fn what_amd_smi_tells_of_work_or_not_at_all_keeps_it() {
    let eight = |busy: &str| {
        let card = |n: u32| format!("{n},{},132,283,196300\n", if n == 6 { busy } else { "0" });
        (0..8).map(card).fold("gpu,gfx,gfx_clock,vram_used,vram_total\n".to_owned(), |text, row| text + &row)
    };
    let held = QUIET.replace("283", "17000");
    let (of_eight, unknown_of_eight) = (eight("5"), eight("N/A"));
    let cases: [(&str, i32, &str, &str); 14] = [
        (&of_eight, 0, "working", "gpu"),
        (&unknown_of_eight, 0, "unknown", "not-told"),
        (&held, 0, "parked", "memory"),
        ("gpu,gfx,vram_used\n0,0,301\n", 0, "parked", "memory"),
        ("gpu,gfx,vram_used\n0,0,N/A\n", 0, "unknown", "not-told"),
        ("gpu,gfx,vram_used\n0,,283\n", 0, "unknown", "not-told"),
        ("gpu,vram_used,vram_total\n0,283,196300\n", 0, "unknown", "not-told"),
        ("gpu,gfx,gfx_clock\n0,0,132\n", 0, "unknown", "not-told"),
        ("[{\"gpu\":0,\"gfx\":{\"value\":0,\"unit\":\"%\"}}]\n", 0, "unknown", "not-told"),
        ("", 0, "unknown", "not-told"),
        (QUIET, 1, "unknown", "not-told"),
        ("ERROR: Driver not loaded (amdgpu not found in modules)\n", 255, "unknown", "driver"),
        ("", 124, "unknown", "driver"),
        ("sh: amd-smi: not found\n", 127, "unknown", "no-gpu-tool"),
    ];
    for (text, exit, activity, why) in cases {
        kept(&format!("{exit} {text}"), &runs(|machine| amd(machine, text, exit)), activity, why);
    }
}

#[test]
fn what_rocm_smi_tells_of_work_or_not_at_all_keeps_it() {
    let busy = QUIET_ROCM.replace("\"0\"", "\"97\"");
    let held = QUIET_ROCM.replace("10485760", "314572801");
    let untold = r#"{"card0":{"GPU use (%)":"0","VRAM Total Used Memory (B)":"10485760"},"card1":{"GPU use Unsupported":null,"VRAM Total Used Memory (B)":"10485760"}}"#;
    let cases: [(&str, i32, &str, &str); 9] = [
        (&busy, 0, "working", "gpu"),
        (&held, 0, "parked", "memory"),
        (untold, 0, "unknown", "not-told"),
        (r#"{"card0":{"GPU use (%)":"N/A","VRAM Total Used Memory (B)":"1"}}"#, 0, "unknown", "not-told"),
        (r#"{"card0":{"GPU use (%)":"0"}}"#, 0, "unknown", "not-told"),
        ("WARNING:root:No JSON data to report\n", 0, "unknown", "not-told"),
        // It ends well without its driver.
        ("ERROR:root:Driver not initialized (amdgpu not found in modules)\n", 0, "unknown", "driver"),
        (QUIET_ROCM, 1, "unknown", "not-told"),
        ("", 137, "unknown", "driver"),
    ];
    for (text, exit, activity, why) in cases {
        let machine = runs(|machine| rocm(machine, text, exit, NO_PROGRAMS));
        kept(&format!("{exit} {text}"), &machine, activity, why);
    }
}

#[test]
fn a_card_that_vanished_is_lost() {
    let machine = runs(|machine| {
        amd(machine, QUIET, 0);
        machine.at(2, "head -n 2 amd >less; cp less amd");
    });
    kept("one of two", &machine, "unknown", "card-lost");
}

#[test]
fn a_program_that_is_told_holds_a_card_however_little() {
    let little = list("1234\tpython3 -m x\t1     \t20971520 \t0        \t0           \t");
    let unknown = list("77  \tUNKNOWN     \tUNKNOWN\tUNKNOWN  \tUNKNOWN  \tUNKNOWN     \t");
    let nothing = list("812 \trdcd        \t0     \t0        \t0        \tUNKNOWN     \t");
    for programs in [&little, &unknown] {
        kept(programs, &runs(|machine| rocm(machine, QUIET_ROCM, 0, programs)), "parked", "memory");
        let beside = runs(|machine| {
            amd(machine, QUIET, 0);
            programs_of(machine, QUIET_ROCM, 0, programs);
        });
        kept(programs, &beside, "parked", "memory");
    }
    stopped(&nothing, &runs(|machine| rocm(machine, QUIET_ROCM, 0, &nothing)));
    // One that cannot list them tells nothing of them; the cards themselves do.
    stopped("no list", &runs(|machine| rocm(machine, QUIET_ROCM, 0, "unrecognized arguments: --showpids\n")));
    let guest = runs(|machine| {
        container(machine);
        rocm(machine, QUIET_ROCM, 0, &little);
    });
    stopped("programs of another guest of its host", &guest);
}

#[test]
fn held_memory_is_idle_only_where_the_lease_says_so() {
    let machine = Machine::new(0);
    amd(&machine, &QUIET.replace("283", "17000"), 0);
    machine.arm(&BoxLease { stops_parked: true, ..idle() });
    machine.run(8);
    assert!(!machine.calls_at().is_empty(), "{}", machine.log());
}

#[test]
fn a_processor_s_own_graphics_do_not_speak_for_nvidia_s_cards() {
    let machine = runs(|machine| {
        machine.program("bin/amd-smi", "printf 'gpu,gfx,vram_used\\n0,97,4000\\n'");
        programs_of(machine, QUIET_ROCM, 0, &list("1 \tXorg \t1 \t20971520 \t0 \t0 \t"));
    });
    stopped("an NVIDIA card and a processor with graphics", &machine);
}
