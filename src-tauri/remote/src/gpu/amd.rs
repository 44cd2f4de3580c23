//! `amd-smi` and the older `rocm-smi`. Names and order of columns change with their versions, so everything is found
//! by name.

use gpudesk_core::rental::ProbedGpu;
use serde_json::Value;

use super::nvidia::whole;
use super::{GpuNow, GpuProgram, name, number};

/// Bytes in a MiB.
const MIB: f64 = 1_048_576.0;

/// What is asked once.
pub(crate) const STATIC: &str = r#"  run amd-static amd-smi static --json --asic --vram --bus --driver
  if [ "$code" -ne 0 ]; then run amd-static amd-smi static --json --asic --vram --bus; fi
"#;
/// The same of `rocm-smi`.
pub(crate) const ROCM_STATIC: &str =
    "  run rocm rocm-smi --showproductname --showmeminfo vram --showdriverversion --json\n";
/// What is asked for a sample.
pub(crate) const SAMPLE: &str = "  run amd amd-smi monitor -vu --csv\n";
/// The same of `rocm-smi`.
pub(crate) const ROCM_SAMPLE: &str =
    "  run rocm rocm-smi --showuse --showmeminfo vram --json\n  run rocm-pids rocm-smi --showpids\n";

/// JSON that may have warnings before it.
fn json(text: &str) -> Option<Value> {
    let starts = text.match_indices(['{', '[']).map(|(at, _)| at);
    starts.filter_map(|at| text.get(at..)).find_map(|rest| {
        serde_json::Deserializer::from_str(rest)
            .into_iter::<Value>()
            .next()?
            .ok()
            .filter(|v| v.is_object() || v.as_array().is_some_and(|a| a.iter().any(Value::is_object)))
    })
}

/// A field by name, whatever its case.
fn field<'a>(value: &'a Value, wanted: &str) -> Option<&'a Value> {
    value.as_object()?.iter().find(|(key, _)| key.eq_ignore_ascii_case(wanted)).map(|(_, value)| value)
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => name(text),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// A size: `{"value":196592,"unit":"MB"}`, which is MiB here, or a bare number of them.
fn size_mib(value: &Value) -> Option<f64> {
    let unit = field(value, "unit").and_then(Value::as_str).unwrap_or("MB");
    let amount = number(&text(field(value, "value").unwrap_or(value))?)?;
    match unit {
        "GB" | "GiB" => Some(amount * 1024.0),
        "B" => Some(amount / MIB),
        "MB" | "MiB" => Some(amount),
        _ => None,
    }
}

/// The cards of `amd-smi static`, and the driver's version.
pub(crate) fn probed(output: &str) -> Option<(Vec<ProbedGpu>, Option<String>)> {
    let whole_answer = json(output)?;
    // ROCm 6 answers with the list itself, ROCm 7 with the list under a name.
    let list = field(&whole_answer, "gpu_data").unwrap_or(&whole_answer).as_array()?;
    let gpu = |card: &Value| ProbedGpu {
        name: field(card, "asic").and_then(|asic| text(field(asic, "market_name")?)).unwrap_or_default(),
        memory_mib: field(card, "vram").and_then(|vram| size_mib(field(vram, "size")?)).map(whole),
    };
    let version = |card: &Value| {
        let driver = field(card, "driver")?;
        text(field(driver, "driver_version").or_else(|| field(driver, "version"))?)
    };
    Some((list.iter().map(gpu).collect(), list.iter().find_map(version)))
}

/// The addresses on the bus of the cards of `amd-smi static`, in its order.
pub(crate) fn addresses(output: &str) -> Option<Vec<Option<String>>> {
    let whole_answer = json(output)?;
    let list = field(&whole_answer, "gpu_data").unwrap_or(&whole_answer).as_array()?;
    Some(list.iter().map(|card| text(field(field(card, "bus")?, "bdf")?)).collect())
}

/// The cards of `rocm-smi`, and the driver's version.
pub(crate) fn rocm_probed(output: &str) -> Option<(Vec<ProbedGpu>, Option<String>)> {
    let answer = json(output)?;
    let gpus = cards(&answer).into_iter().map(|(_, card)| ProbedGpu {
        name: field(card, "Card Series")
            .or_else(|| field(card, "Card series"))
            .and_then(text)
            .unwrap_or_default(),
        memory_mib: bytes_mib(card, "VRAM Total Memory (B)").map(whole),
    });
    let driver = field(&answer, "system").and_then(|system| text(field(system, "Driver version")?));
    Some((gpus.collect(), driver))
}

fn cards(answer: &Value) -> Vec<(u32, &Value)> {
    let Some(object) = answer.as_object() else { return Vec::new() };
    let mut cards: Vec<(u32, &Value)> = object
        .iter()
        .filter_map(|(key, card)| Some((key.strip_prefix("card")?.parse().ok()?, card)))
        .collect();
    cards.sort_by_key(|(index, _)| *index);
    cards
}

fn bytes_mib(card: &Value, key: &str) -> Option<f64> {
    Some(number(&text(field(card, key)?)?)? / MIB)
}

/// The cards of `amd-smi monitor -vu --csv`; `names` by number.
pub(crate) fn monitored(output: &str, names: &[String]) -> Vec<GpuNow> {
    let mut lines =
        output.lines().map(str::trim).skip_while(|line| !line.split(',').any(|c| c.trim() == "gpu"));
    let Some(head) = lines.next() else { return Vec::new() };
    let head: Vec<&str> = head.split(',').map(str::trim).collect();
    let at = |wanted: &str| head.iter().position(|column| *column == wanted);
    let row = |line: &str| {
        let row: Vec<&str> = line.split(',').map(str::trim).collect();
        let cell = |wanted: &str| row.get(at(wanted)?).and_then(|text| number(text));
        let index: u32 = row.get(at("gpu")?)?.parse().ok()?;
        Some(GpuNow {
            index,
            name: names.get(usize::try_from(index).ok()?).cloned().unwrap_or_default(),
            util_percent: cell("gfx"),
            memory_used_mib: cell("vram_used"),
            memory_total_mib: cell("vram_total"),
            power_w: None,
            temperature_c: None,
            divided: false,
        })
    };
    lines.filter_map(row).collect()
}

/// The cards of `rocm-smi --showuse --showmeminfo vram --json`: everything in strings, memory in bytes.
pub(crate) fn rocm_monitored(output: &str) -> Vec<GpuNow> {
    let Some(answer) = json(output) else { return Vec::new() };
    let gpu = |(index, card): (u32, &Value)| GpuNow {
        index,
        name: String::new(),
        util_percent: field(card, "GPU use (%)").and_then(text).and_then(|said| number(&said)),
        memory_used_mib: bytes_mib(card, "VRAM Total Used Memory (B)"),
        memory_total_mib: bytes_mib(card, "VRAM Total Memory (B)"),
        power_w: None,
        temperature_c: None,
        divided: false,
    };
    cards(&answer).into_iter().map(gpu).collect()
}

/// The programs of `rocm-smi --showpids`: a table with cells of `UNKNOWN`, or "No KFD PIDs currently running".
pub(crate) fn rocm_programs(output: &str) -> Vec<GpuProgram> {
    let program = |line: &str| {
        let cells: Vec<&str> = line.split_ascii_whitespace().collect();
        // Number, name, then cards, memory in bytes, transfer memory and share; a name may hold spaces.
        let [pid, middle @ .., _, memory, _, _] = cells.as_slice() else { return None };
        Some(GpuProgram {
            pid: pid.parse().ok()?,
            name: name(&middle.join(" ")).filter(|name| name != "UNKNOWN").unwrap_or_default(),
            memory_mib: number(memory).map(|bytes| bytes / MIB),
        })
    };
    output.lines().filter_map(program).collect()
}
