//! Reading a server of the team's own: everything an offer of it needs, and what keeps it out of the market, in one
//! call.

use std::collections::BTreeSet;
use std::time::Duration;

use gpudesk_core::activity::Trouble;
use gpudesk_core::own::{Health, HostCard, HostFacts, HostSlice};

use super::script::{HEAD, Line, Section, Sections};
use super::{amd, name, number, nvidia};
use crate::say::last_words;

/// How long it may take: the connection, and five questions of 10 seconds each.
pub const HOST_LIMIT: Duration = Duration::from_secs(80);

/// Old drivers do not know of MIG and refuse the whole question.
const NVIDIA: &str = r#"  fields=index,uuid,name,driver_version,memory.total
  run nvidia nvidia-smi --query-gpu=$fields,mig.mode.current --format=csv,noheader,nounits
  if [ "$code" -eq 2 ]; then run nvidia nvidia-smi --query-gpu=$fields --format=csv,noheader,nounits; fi
  if [ "$code" -ne 124 ]; then
    run nvidia-table nvidia-smi
    run nvidia-links nvidia-smi topo -m
    run nvidia-list nvidia-smi -L
  fi
"#;
const AMD_LINKS: &str = "  run amd-links amd-smi topology --link-type\n";
const ROCM_LINKS: &str = "  run amd-links rocm-smi --showtopotype\n";

/// What a reading gave.
#[derive(Debug, Clone, PartialEq)]
pub struct HostReading {
    /// What was read. Of a server that is not well it may be a part.
    pub facts: HostFacts,
    /// How it is.
    pub health: Health,
    /// What is wrong, in words; empty where nothing is.
    pub detail: String,
}

/// The script of a reading.
#[must_use]
pub fn host_script() -> String {
    let (amd, rocm) = (amd::STATIC, amd::ROCM_STATIC);
    // NVIDIA first: an AMD processor's own graphics would answer as an AMD card.
    format!(
        "{HEAD}say \"cores $(getconf _NPROCESSORS_ONLN 2>/dev/null)\"\n\
         say \"memory $(sed -n 's/^MemTotal: *\\([0-9]*\\) kB$/\\1/p' /proc/meminfo 2>/dev/null)\"\n\
         if have nvidia-smi; then\n{NVIDIA}elif have amd-smi; then\n{amd}{AMD_LINKS}elif have rocm-smi; then\n{rocm}{ROCM_LINKS}else\n  say none\nfi\n\
         say end\n"
    )
}

/// Reads what the script printed.
#[must_use]
pub fn read_host(output: &str) -> HostReading {
    let mut found = Found::default();
    let mut sections = Sections::default();
    for line in output.lines() {
        match sections.push(line) {
            Some(Line::Section(section)) => found.take(&section),
            Some(Line::Word(word)) => found.word(&word),
            None => {}
        }
    }
    found.settle(output)
}

#[derive(Default)]
struct Found {
    facts: HostFacts,
    /// Whether a tool told of cards at all, and none is a definite word.
    told: bool,
    trouble: Option<(Health, String)>,
    ended: bool,
}

impl Found {
    fn word(&mut self, word: &str) {
        match word.split_once(' ') {
            Some(("cores", count)) => self.facts.cores = count.trim().parse().ok().filter(|cores| *cores > 0),
            Some(("memory", kib)) => {
                self.facts.ram_gib = number(kib).map(|kib| (kib / 1_048_576.0 * 10.0).round() / 10.0);
            }
            _ if word == "none" => {
                let words = "there is neither nvidia-smi nor amd-smi nor rocm-smi: install the driver";
                self.trouble = Some((Health::NoDriver, words.to_owned()));
            }
            _ if word == "end" => self.ended = true,
            _ => {}
        }
    }

    fn take(&mut self, section: &Section) {
        match section.name.as_str() {
            "nvidia" => {
                self.trouble = nvidia::problem(section).map(|(kind, words)| (health(section, kind), words));
                self.told |= section.code == 0 || section.code == 6;
                self.facts.cards = nvidia::host_cards(&section.text);
                self.facts.driver = nvidia::probed(&section.text).1;
            }
            "nvidia-table" => self.facts.cuda = nvidia::cuda(&section.text),
            "nvidia-links" if section.code == 0 => self.facts.links = links(&section.text, strands),
            "nvidia-list" if section.code == 0 => add_slices(&mut self.facts.cards, &section.text),
            "amd-static" | "rocm" => self.take_amd(section),
            "amd-links" if section.code == 0 => self.facts.links = amd_links(&section.text, &self.facts),
            _ => {}
        }
    }

    fn take_amd(&mut self, section: &Section) {
        let probed = match section.name.as_str() {
            "rocm" => amd::rocm_probed(&section.text).map(|(gpus, driver)| (gpus, driver, Vec::new())),
            _ => amd::probed(&section.text)
                .map(|(gpus, driver)| (gpus, driver, amd::addresses(&section.text).unwrap_or_default())),
        };
        let Some((gpus, driver, addresses)) = probed else {
            let words = last_words(&section.text);
            let lower = section.text.to_ascii_lowercase();
            let no_driver = ["driver not", "not initialized", "not loaded", "amdgpu not found"];
            let health = if no_driver.iter().any(|sign| lower.contains(sign)) {
                Health::NoDriver
            } else {
                Health::NotTold
            };
            self.trouble = Some((health, format!("the AMD tool ended with {}: {words}", section.code)));
            return;
        };
        self.trouble = None;
        self.told = true;
        self.facts.driver = driver;
        self.facts.cards = (0..)
            .zip(gpus)
            .map(|(index, gpu): (u32, _)| HostCard {
                index,
                id: usize::try_from(index)
                    .ok()
                    .and_then(|at| addresses.get(at).cloned().flatten())
                    .unwrap_or_else(|| format!("card {index}")),
                name: gpu.name,
                memory_mib: gpu.memory_mib,
                divided: false,
                slices: Vec::new(),
            })
            .collect();
    }

    fn settle(self, output: &str) -> HostReading {
        let (health, detail) = match self.trouble {
            Some(trouble) => trouble,
            None if self.told && self.facts.cards.is_empty() => {
                (Health::NoCards, "its driver finds no card".to_owned())
            }
            None if self.told && self.ended => (Health::Ok, String::new()),
            None => {
                (Health::NotTold, format!("it was asked for its cards and answered: {}", last_words(output)))
            }
        };
        HostReading { facts: self.facts, health, detail }
    }
}

fn health(section: &Section, trouble: Trouble) -> Health {
    match trouble {
        Trouble::CardLost => Health::CardLost,
        Trouble::NoGpuTool => Health::NoDriver,
        Trouble::Driver if section.code == 18 || section.text.contains("version mismatch") => {
            Health::DriverMismatch
        }
        Trouble::Driver if matches!(section.code, 124 | 137) => Health::NotTold,
        Trouble::Driver => Health::NoDriver,
        _ if section.code == 6 => Health::NoCards,
        _ => Health::NotTold,
    }
}

/// Strands of NVLink between two cards, in a cell of the matrix of links (`NV18`); `None` = no direct link.
fn strands(cell: &str) -> Option<u32> {
    cell.strip_prefix("NV").and_then(|count| count.parse().ok())
}

/// The pairs of cards with a direct link in a matrix as `topo -m` prints it: a head that names the cards, a line for
/// each. `None` where there is no such matrix.
fn links(text: &str, strands: impl Fn(&str) -> Option<u32>) -> Option<BTreeSet<(u32, u32, u32)>> {
    // The head is underlined on a terminal, and in some versions everywhere.
    let plain = text.replace("\u{1b}[4m", "").replace("\u{1b}[0m", "");
    let number = |word: &str| word.strip_prefix("GPU").and_then(|number| number.parse::<u32>().ok());
    let mut lines = plain.lines().map(|line| line.split_ascii_whitespace().collect::<Vec<_>>());
    let head: Vec<u32> = lines.find_map(|words| {
        let cards: Vec<u32> = words.iter().map_while(|word| number(word)).collect();
        (!cards.is_empty()).then_some(cards)
    })?;
    let mut found = BTreeSet::new();
    for words in lines {
        let Some((row, cells)) = words.split_first().and_then(|(first, rest)| Some((number(first)?, rest)))
        else {
            continue;
        };
        for (column, cell) in head.iter().zip(cells) {
            if let Some(count) = strands(cell)
                && row < *column
            {
                found.insert((row, *column, count));
            }
        }
    }
    Some(found)
}

/// The same of AMD's tools. `rocm-smi` names the cards by number, `amd-smi` by their addresses on the bus.
fn amd_links(text: &str, facts: &HostFacts) -> Option<BTreeSet<(u32, u32, u32)>> {
    let mut numbered = text.to_owned();
    for card in &facts.cards {
        numbered = numbered.replace(&card.id, &format!("GPU{}", card.index));
    }
    links(&numbered, |cell| cell.eq_ignore_ascii_case("XGMI").then_some(1))
}

/// The slices of divided cards, from `nvidia-smi -L`: a line for each card, the lines of its slices under it.
fn add_slices(cards: &mut [HostCard], list: &str) {
    let uuid = |line: &str| line.rsplit_once("(UUID: ")?.1.split(')').next().map(|id| id.trim().to_owned());
    let mut at: Option<usize> = None;
    for line in list.lines() {
        let words = line.trim();
        if words.starts_with("GPU ") {
            let id = uuid(words);
            at = cards.iter().position(|card| Some(&card.id) == id.as_ref());
        } else if let Some(rest) = words.strip_prefix("MIG ")
            && let Some(card) = at.and_then(|at| cards.get_mut(at))
            && let Some(profile) = rest.split_ascii_whitespace().next().and_then(name)
            && let Some(id) = uuid(words)
        {
            card.slices.push(HostSlice { id, profile });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str) -> Option<Vec<(u32, u32, u32)>> {
        links(text, strands).map(|links| links.into_iter().collect())
    }

    #[test]
    fn a_matrix_of_links_is_read_with_and_without_network_cards() {
        let bridged = "\t\u{1b}[4mGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\u{1b}[0m\n\
            GPU0\t X \tNV4\tPXB\t0-63\t0\t\tN/A\nGPU1\tNV4\t X \tPXB\t0-63\t0\t\tN/A\nNIC0\tPXB\tPXB\t X \n";
        assert_eq!(pairs(bridged), Some(vec![(0, 1, 4)]));
        let apart = "        GPU0    GPU1    CPU Affinity\nGPU0     X      PHB     0-63\nGPU1    PHB      X      0-63\n";
        assert_eq!(pairs(apart), Some(vec![]));
        assert_eq!(pairs("Failed to run topology matrix"), None);
    }

    #[test]
    fn a_machine_that_says_nothing_of_cards_is_not_well() {
        for output in ["", "This account is currently not available.\n", "@@gpudesk cores 8\n@@gpudesk end\n"]
        {
            assert_eq!(read_host(output).health, Health::NotTold, "{output:?}");
        }
    }
}
