//! What a machine does beside its cards: load, traffic, disks, and whether somebody is there.

use gpudesk_core::activity::{Input, MARKER_S};

/// Functions that put it into shell variables; the watchdog on the machine uses the same.
pub(crate) const FUNCTIONS: &str = include_str!("vitals.sh");

/// Prints them as a section of a sample.
pub(crate) const SAMPLE: &str = r#"  vitals
  say 'begin vitals'
  printf '%s\n' "boot $v_boot" "cores $v_cores" "load $v_load" "cpu_us $v_cpu_us" "net $v_net" "disk $v_disk" \
    "input $v_input" "marker $v_marker"
  say 'exit 0'
"#;

/// A machine apart from its cards. `None` is not known, and counters begin at some start of the machine.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Vitals {
    /// Load of the last minute; `None` inside a container, where it would be the host's.
    pub load_1m: Option<f64>,
    /// Time that the container's processors worked, seconds; `None` elsewhere.
    pub cpu_s: Option<f64>,
    /// Processor cores that it may use.
    pub cores: Option<u32>,
    /// Bytes received and sent, without the loopback interface.
    pub net_bytes: Option<u64>,
    /// Bytes read from and written to its disks. In a container those of its control group alone.
    pub disk_bytes: Option<u64>,
    /// Which boot of it this is.
    pub boot_id: Option<String>,
    /// When somebody last pressed a key in a terminal, or saved a file in an editor.
    pub input: Input,
    /// Whether `/tmp/gpudesk-busy` or `~/.gpudesk-busy` was touched within the last half hour.
    pub busy_marker: bool,
}

/// Reads the section.
pub(crate) fn read(text: &str) -> Vitals {
    let mut vitals = Vitals::default();
    for line in text.lines() {
        let Some((key, value)) = line.split_once(' ') else { continue };
        let value = value.trim();
        match key {
            "boot" => vitals.boot_id = boot(value),
            "cores" => vitals.cores = value.parse().ok().filter(|cores| *cores > 0),
            "load" => vitals.load_1m = super::number(value),
            "cpu_us" => vitals.cpu_s = super::number(value).map(|micros| micros / 1e6),
            "net" => vitals.net_bytes = value.parse().ok(),
            "disk" => vitals.disk_bytes = value.parse().ok(),
            "input" => vitals.input = input(value),
            "marker" => {
                // Touched in the future, by a clock that was set back since, is touched.
                let limit = i64::try_from(MARKER_S).unwrap_or(i64::MAX);
                vitals.busy_marker = value.parse().is_ok_and(|age: i64| age < limit);
            }
            _ => {}
        }
    }
    vitals
}

fn input(word: &str) -> Input {
    match word.parse::<i64>() {
        Ok(age) => Input::Ago(u64::try_from(age).unwrap_or(0)),
        Err(_) if word == "none" => Input::NoSession,
        Err(_) => Input::Unknown,
    }
}

fn boot(word: &str) -> Option<String> {
    let sound = (8..=64).contains(&word.len()) && word.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
    sound.then(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_is_read_and_what_is_empty_is_unknown() {
        let boot = "6f1c0c5e-8a3b-4c53-9a0b-0b8a2d5e7c11";
        let text = format!(
            "boot {boot}\ncores 32\nload 1.25\ncpu_us \nnet 123456\ndisk 4096\ninput 42\nmarker 60\n"
        );
        assert_eq!(
            read(&text),
            Vitals {
                load_1m: Some(1.25),
                cpu_s: None,
                cores: Some(32),
                net_bytes: Some(123_456),
                disk_bytes: Some(4096),
                boot_id: Some(boot.to_owned()),
                input: Input::Ago(42),
                busy_marker: true,
            }
        );
        let empty = "boot \ncores \nload \ncpu_us \nnet \ndisk \ninput \nmarker \n";
        assert_eq!(read(empty), Vitals::default());
        assert_eq!(read("cores 0\nload -1\nnet -5\ndisk x\nboot $(id)\n"), Vitals::default());
        assert_eq!(read("input none\n").input, Input::NoSession);
        assert_eq!(read("input -3\n").input, Input::Ago(0), "a key pressed by a clock that was set back");
        assert_eq!(read("cpu_us 2500000\n").cpu_s, Some(2.5));
    }

    #[test]
    fn a_marker_counts_for_half_an_hour() {
        let busy = |age: &str| read(&format!("marker {age}\n")).busy_marker;
        assert!(busy("0") && busy("1799") && busy("-20"));
        assert!(!busy("1800") && !busy("99999") && !busy("") && !busy("soon"));
    }
}
