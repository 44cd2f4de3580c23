//! A probe: which cards, which driver, and how far the machine's clock is off.

use std::time::Duration;

use chrono::{DateTime, Utc};
use gpudesk_core::rental::Probe;

use super::script::{HEAD, Line, Section, Sections};
use super::{amd, nvidia};
use crate::say::last_words;

/// How long a probe may take: the connection, and two questions of 10 seconds each.
pub const PROBE_LIMIT: Duration = Duration::from_secs(50);

/// The script of a probe.
#[must_use]
pub fn probe_script() -> String {
    let (nvidia, amd, rocm) = (nvidia::PROBE, amd::STATIC, amd::ROCM_STATIC);
    // NVIDIA first: an AMD processor's own graphics would answer as an AMD card.
    format!(
        "{HEAD}if have nvidia-smi; then\n{nvidia}elif have amd-smi; then\n{amd}elif have rocm-smi; then\n{rocm}else\n  say none\nfi\n\
         say \"clock $(date +%s.%N)\"\n"
    )
}

/// Reads what the script printed. `now` is the desk's time when its last line arrived.
#[must_use]
pub fn read_probe(output: &str, now: DateTime<Utc>) -> Probe {
    let mut probe = Probe { gpus: None, gpu_problem: None, driver: None, cuda: None, clock_off_s: None };
    let mut sections = Sections::default();
    for line in output.lines() {
        match sections.push(line) {
            Some(Line::Section(section)) => take(&mut probe, &section),
            Some(Line::Word(word)) if word == "none" => {
                probe.gpu_problem = Some("there is neither nvidia-smi nor amd-smi nor rocm-smi".to_owned());
            }
            Some(Line::Word(word)) => probe.clock_off_s = clock_off(&word, now).or(probe.clock_off_s),
            None => {}
        }
    }
    if probe.gpus.is_none() && probe.gpu_problem.is_none() {
        probe.gpu_problem =
            Some(format!("the machine was asked for its cards and answered: {}", last_words(output)));
    }
    probe
}

fn take(probe: &mut Probe, section: &Section) {
    let found = match section.name.as_str() {
        "nvidia" => {
            probe.gpu_problem = nvidia::problem(section).map(|(_, words)| words);
            let (gpus, driver) = nvidia::probed(&section.text);
            // Exit code 6 is the definite word that there is no card.
            (!gpus.is_empty() || matches!(section.code, 0 | 6)).then_some((gpus, driver))
        }
        "nvidia-table" => {
            probe.cuda = nvidia::cuda(&section.text);
            return;
        }
        "amd-static" => amd::probed(&section.text),
        "rocm" => amd::rocm_probed(&section.text),
        _ => return,
    };
    match found {
        Some((gpus, driver)) => {
            if section.name != "nvidia" {
                probe.gpu_problem = None;
            }
            probe.gpus = Some(gpus);
            probe.driver = driver;
        }
        None if section.name != "nvidia" => {
            probe.gpu_problem =
                Some(format!("the AMD tool ended with {}: {}", section.code, last_words(&section.text)));
        }
        None => {}
    }
}

/// Seconds by which a clock that says `clock 1764489600.25` is before ours. Without fractions (`%N` is not known
/// everywhere) it is half a second behind on average.
fn clock_off(word: &str, now: DateTime<Utc>) -> Option<f64> {
    let time = word.strip_prefix("clock ")?;
    let (seconds, fraction) = time.split_once('.').unwrap_or((time, ""));
    let whole: i64 = seconds.parse().ok()?;
    let fraction: f64 = format!("0.{fraction}").parse().unwrap_or(0.5);
    let off = whole.checked_sub(now.timestamp())?;
    #[expect(clippy::cast_precision_loss, reason = "seconds between two clocks")]
    let off = off as f64;
    Some(off + fraction - f64::from(now.timestamp_subsec_millis()) / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(output: &str) -> Probe {
        read_probe(output, "2026-11-30T09:00:00Z".parse().unwrap())
    }

    fn section(name: &str, text: &str, code: i32) -> String {
        format!("@@gpudesk begin {name}\n{text}\n@@gpudesk exit {code}\n")
    }

    #[test]
    fn an_nvidia_machine_tells_cards_driver_cuda_and_clock() {
        let rows = "0, GPU-2ac434d3-1, NVIDIA H100 80GB HBM3, 570.124.06, 81559\n1, GPU-2ac434d3-2, NVIDIA H100 80GB HBM3, 570.124.06, [N/A]\n";
        let table = "| NVIDIA-SMI 570.124.06   Driver Version: 570.124.06   CUDA Version: 12.8     |";
        let probe = read(&format!(
            "Welcome!\n{}{}@@gpudesk clock 1796029203.250000000\n",
            section("nvidia", rows, 0),
            section("nvidia-table", table, 0)
        ));
        let gpus = probe.gpus.unwrap();
        assert_eq!(gpus.iter().map(|g| g.memory_mib).collect::<Vec<_>>(), [Some(81559), None]);
        assert_eq!(gpus[1].name, "NVIDIA H100 80GB HBM3");
        assert_eq!((probe.driver.as_deref(), probe.cuda.as_deref()), (Some("570.124.06"), Some("12.8")));
        assert_eq!(probe.clock_off_s, Some(3.25));
        assert_eq!(probe.gpu_problem, None);
    }

    #[test]
    fn a_machine_without_cards_is_told_from_one_that_does_not_answer() {
        let none = read(&section("nvidia", "No devices were found", 6));
        assert_eq!(none.gpus, Some(vec![]));
        assert!(none.gpu_problem.unwrap().contains("no card"));
        let driver = read(&section(
            "nvidia",
            "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.",
            9,
        ));
        assert_eq!(driver.gpus, None);
        assert!(driver.gpu_problem.unwrap().contains("driver is not loaded"));
        let hangs = read(&section("nvidia", "", 124));
        assert_eq!((hangs.gpus, hangs.gpu_problem.is_some()), (None, true));
        assert!(read("@@gpudesk none\n").gpu_problem.unwrap().contains("neither"));
        assert!(
            read("This account is currently not available.\n").gpu_problem.unwrap().contains("not available")
        );
    }

    #[test]
    fn a_lost_card_leaves_the_others_and_says_so() {
        let text = "Unable to determine the device handle for GPU 0000:BA:00.0: Unknown Error\n0, GPU-1, NVIDIA A100-SXM4-80GB, 550.54, 81920";
        let probe = read(&section("nvidia", text, 15));
        assert_eq!(probe.gpus.unwrap().len(), 1);
        assert!(probe.gpu_problem.unwrap().contains("lost"));
    }

    #[test]
    fn amd_machines_of_every_version_are_read() {
        let six = r#"[{"gpu":0,"asic":{"market_name":"AMD Instinct MI300X"},"vram":{"size":{"value":196592,"unit":"MB"}},"driver":{"driver_version":"6.10.5"}}]"#;
        let seven = r#"WARNING: something
{"gpu_data":[{"gpu":0,"ASIC":{"MARKET_NAME":"AMD Instinct MI300X"},"VRAM":{"SIZE":{"VALUE":196592,"UNIT":"MB"}},"DRIVER":{"VERSION":"6.12.12"}}]}"#;
        for (text, driver) in [(six, "6.10.5"), (seven, "6.12.12")] {
            let probe = read(&section("amd-static", text, 0));
            let gpus = probe.gpus.unwrap();
            assert_eq!((gpus[0].name.as_str(), gpus[0].memory_mib), ("AMD Instinct MI300X", Some(196_592)));
            assert_eq!(probe.driver.as_deref(), Some(driver));
        }
        // A version that refuses --driver is asked again.
        let again = format!(
            "{}{}",
            section("amd-static", "unrecognized arguments: --driver", 2),
            section("amd-static", six, 0)
        );
        let probe = read(&again);
        assert_eq!((probe.gpus.map(|g| g.len()), probe.gpu_problem), (Some(1), None));
        let rocm = r#"{"card0":{"Card Series":"AMD Instinct MI250X","VRAM Total Memory (B)":"68702699520"},"system":{"Driver version":"6.3.6"}}"#;
        let probe = read(&section("rocm", rocm, 0));
        assert_eq!(probe.gpus.unwrap()[0].memory_mib, Some(65520));
        assert_eq!(probe.driver.as_deref(), Some("6.3.6"));
    }

    #[test]
    fn a_clock_without_fractions_is_read() {
        let off = |word: &str| clock_off(word, "2026-11-30T09:00:00Z".parse().unwrap());
        assert_eq!(off("clock 1796029200.%N"), Some(0.5));
        assert_eq!(off("clock soon"), None);
    }
}
