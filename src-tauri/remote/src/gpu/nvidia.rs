//! `nvidia-smi`: one line a card, fields parted by a comma, numbers without units.

use gpudesk_core::activity::Trouble;
use gpudesk_core::own::HostCard;
use gpudesk_core::rental::ProbedGpu;

use super::script::Section;
use super::{GpuNow, GpuProgram, name, number};
use crate::say::last_words;

/// What is asked of each card for a probe.
pub(crate) const PROBE: &str = r"  run nvidia nvidia-smi --query-gpu=index,uuid,name,driver_version,memory.total --format=csv,noheader,nounits
  run nvidia-table nvidia-smi
";

/// What is asked of each card for a sample. Old drivers do not know of MIG and refuse the whole question; a divided
/// card tells its memory only in the long form.
pub(crate) const SAMPLE: &str = r#"  fields=index,uuid,name,memory.total,memory.used,utilization.gpu,power.draw,temperature.gpu
  run nvidia nvidia-smi --query-gpu=$fields,mig.mode.current --format=csv,noheader,nounits
  if [ "$code" -eq 2 ]; then run nvidia nvidia-smi --query-gpu=$fields --format=csv,noheader,nounits; fi
  run nvidia-apps nvidia-smi --query-compute-apps=gpu_uuid,pid,process_name,used_memory --format=csv,noheader,nounits
  if nvidia-smi -L </dev/null 2>/dev/null | grep -q 'MIG '; then run nvidia-xml nvidia-smi -q -x; fi
"#;

/// Why `nvidia-smi` did not answer in full, as a word and in words; `None` where it did.
pub(crate) fn problem(section: &Section) -> Option<(Trouble, String)> {
    // Its messages go to standard output, between or instead of the lines of cards.
    let words: Vec<&str> =
        section.text.lines().filter(|line| !line.trim().is_empty() && fields(line).is_none()).collect();
    let words = last_words(&words.join("\n"));
    let lost =
        ["GPU is lost", "Unable to determine the device handle", "fallen off the bus", "[GPU is lost]"];
    if lost.iter().any(|sign| section.text.contains(sign)) || section.code == 15 {
        return Some((Trouble::CardLost, format!("a card is lost (nvidia-smi: {words})")));
    }
    let (trouble, words) = match section.code {
        0 => return None,
        4 => (Trouble::NotTold, "nvidia-smi may not read the cards (no permission)".to_owned()),
        6 => (Trouble::NotTold, "nvidia-smi finds no card".to_owned()),
        8 => (Trouble::NotTold, format!("a card has no power (nvidia-smi: {words})")),
        9 => (Trouble::Driver, "the NVIDIA driver is not loaded".to_owned()),
        12 | 13 => {
            (Trouble::Driver, format!("the NVIDIA driver's library does not fit nvidia-smi ({words})"))
        }
        18 => (
            Trouble::Driver,
            "the NVIDIA driver was updated under the running system: it needs a reboot".to_owned(),
        ),
        124 | 137 => {
            (Trouble::Driver, "the cards do not answer: nvidia-smi did not end within 10 s".to_owned())
        }
        127 => (Trouble::NoGpuTool, "there is no nvidia-smi".to_owned()),
        code => (Trouble::NotTold, format!("nvidia-smi ended with {code}: {words}")),
    };
    Some((trouble, words))
}

/// The fields of a card's line; `None` for a line that is none. A card's line begins with its number.
fn fields(line: &str) -> Option<Vec<&str>> {
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    (fields.len() >= 5 && fields.first()?.parse::<u32>().is_ok()).then_some(fields)
}

/// The cards of a probe, and the driver's version.
pub(crate) fn probed(text: &str) -> (Vec<ProbedGpu>, Option<String>) {
    let rows: Vec<Vec<&str>> = text.lines().filter_map(fields).collect();
    let driver = rows.iter().find_map(|row| name(row.get(3)?));
    let gpus = rows.iter().map(|row| ProbedGpu {
        name: row.get(2).and_then(|text| name(text)).unwrap_or_default(),
        memory_mib: row.get(4).and_then(|text| number(text)).map(whole),
    });
    (gpus.collect(), driver)
}

/// The cards of a server, without their slices. A line whose fields do not tell is no card: a lost one prints words.
pub(crate) fn host_cards(text: &str) -> Vec<HostCard> {
    let card = |row: Vec<&str>| {
        Some(HostCard {
            index: row.first()?.parse().ok()?,
            id: row.get(1).and_then(|text| name(text))?,
            name: row.get(2).and_then(|text| name(text))?,
            memory_mib: row.get(4).and_then(|text| number(text)).map(whole),
            divided: row.get(5) == Some(&"Enabled"),
            slices: Vec::new(),
        })
    };
    text.lines().filter_map(fields).filter_map(card).collect()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be a number from 0 on"
)]
pub(crate) fn whole(number: f64) -> u64 {
    number.round() as u64
}

/// The CUDA version in the head of `nvidia-smi`'s table.
pub(crate) fn cuda(table: &str) -> Option<String> {
    // Drivers from 610 on name the part of them that programs use.
    let (_, rest) = table.split_once("CUDA Version").or_else(|| table.split_once("CUDA UMD Version"))?;
    let word = rest.trim_start_matches([':', ' ']).split([' ', '|', '\n']).next()?;
    let version = word.starts_with(|c: char| c.is_ascii_digit())
        && word.chars().all(|c| c.is_ascii_digit() || c == '.');
    version.then(|| word.to_owned())
}

/// The cards of a sample, each with its UUID.
pub(crate) fn cards(text: &str) -> Vec<(GpuNow, String)> {
    let card = |row: Vec<&str>| {
        let at = |field: usize| row.get(field).copied().unwrap_or_default();
        let gpu = GpuNow {
            index: at(0).parse().ok()?,
            name: name(at(2)).unwrap_or_default(),
            memory_total_mib: number(at(3)),
            memory_used_mib: number(at(4)),
            util_percent: number(at(5)),
            power_w: number(at(6)),
            temperature_c: number(at(7)),
            divided: at(8) == "Enabled",
        };
        Some((gpu, at(1).to_owned()))
    };
    text.lines().filter_map(fields).filter_map(card).collect()
}

/// The programs on the cards.
pub(crate) fn programs(section: &Section) -> Vec<GpuProgram> {
    if section.code != 0 {
        return Vec::new();
    }
    let program = |line: &str| {
        // A program's name may hold commas: everything between the second and the last.
        let (_, rest) = line.split_once(',')?;
        let (pid, rest) = rest.split_once(',')?;
        let (program, memory) = rest.rsplit_once(',')?;
        Some(GpuProgram {
            pid: pid.trim().parse().ok()?,
            name: name(program).unwrap_or_default(),
            memory_mib: number(memory),
        })
    };
    section.text.lines().filter_map(program).collect()
}

/// Memory in use by the parts of each divided card, MiB, by UUID, from `nvidia-smi -q -x`.
pub(crate) fn divided(xml: &str) -> Vec<(String, f64)> {
    let card = |block: &str| {
        let uuid = between(block, "<uuid>", "</uuid>")?.trim().to_owned();
        let mut used = None;
        for part in block.split("<mig_device>").skip(1) {
            let memory = between(part, "<fb_memory_usage>", "</fb_memory_usage>")?;
            *used.get_or_insert(0.0) += number(between(memory, "<used>", "</used>")?)?;
        }
        Some((uuid, used?))
    };
    xml.split("<gpu ").skip(1).filter_map(card).collect()
}

fn between<'a>(text: &'a str, begin: &str, end: &str) -> Option<&'a str> {
    Some(text.split_once(begin)?.1.split_once(end)?.0)
}
