//! Samples: one session a machine prints a reading every few seconds for as long as it lives.

use gpudesk_core::activity::Trouble;

use super::script::{HEAD, Line, Section, Sections, bare};
use super::{Sample, amd, nvidia, vitals};
use crate::say::last_words;

/// The script that prints a reading every `seconds`, for ever. It ends with its connection.
#[must_use]
pub fn sample_script(seconds: u32) -> String {
    let (nvidia, names, amd, rocm) = (nvidia::SAMPLE, amd::STATIC, amd::SAMPLE, amd::ROCM_SAMPLE);
    let (functions, vitals) = (bare(vitals::FUNCTIONS), vitals::SAMPLE);
    format!(
        "{HEAD}{functions}vitals_once\nif have nvidia-smi; then kind=nvidia; elif have amd-smi; then kind=amd\n{names}elif have rocm-smi; then kind=rocm; else kind=none; fi\n\
         while :; do\n  case $kind in\n  nvidia)\n{nvidia}  ;;\n  amd)\n{amd}  ;;\n  rocm)\n{rocm}  ;;\n  *) say none ;;\n  esac\n{vitals}  \
         say end || exit\n  sleep {seconds}\ndone\n"
    )
}

/// Reads that output, line by line.
#[derive(Debug, Default)]
pub struct SampleReader {
    sections: Sections,
    names: Vec<String>,
    sample: Sample,
    uuids: Vec<String>,
}

impl SampleReader {
    /// Takes one line; gives a reading when one is whole.
    pub fn push(&mut self, line: &str) -> Option<Sample> {
        match self.sections.push(line)? {
            Line::Section(section) => {
                self.take(&section);
                None
            }
            Line::Word(word) if word == "end" => {
                if self.sample.gpus.iter().any(|gpu| gpu.divided) && self.sample.problem.is_none() {
                    self.trouble(Trouble::Mig, "a card is divided (MIG) and tells no utilisation".to_owned());
                }
                self.uuids.clear();
                Some(std::mem::take(&mut self.sample))
            }
            Line::Word(word) => {
                if word == "none" {
                    let words = "there is neither nvidia-smi nor amd-smi nor rocm-smi".to_owned();
                    self.trouble(Trouble::NoGpuTool, words);
                }
                None
            }
        }
    }

    fn take(&mut self, section: &Section) {
        match section.name.as_str() {
            "nvidia" => {
                (self.sample.trouble, self.sample.problem) = nvidia::problem(section).unzip();
                (self.sample.gpus, self.uuids) = nvidia::cards(&section.text).into_iter().unzip();
            }
            "nvidia-apps" => self.sample.programs = nvidia::programs(section),
            "nvidia-xml" => {
                for (uuid, used) in nvidia::divided(&section.text) {
                    let at = self.uuids.iter().position(|known| *known == uuid);
                    if let Some(gpu) = at.and_then(|at| self.sample.gpus.get_mut(at)) {
                        gpu.memory_used_mib = gpu.memory_used_mib.or(Some(used));
                    }
                }
            }
            "amd-static" => {
                if let Some((gpus, _)) = amd::probed(&section.text) {
                    self.names = gpus.into_iter().map(|gpu| gpu.name).collect();
                }
            }
            "amd" => self.cards(section, amd::monitored(&section.text, &self.names)),
            "rocm" => self.cards(section, amd::rocm_monitored(&section.text)),
            "rocm-pids" => self.sample.programs = amd::rocm_programs(&section.text),
            "vitals" => self.sample.vitals = vitals::read(&section.text),
            _ => {}
        }
    }

    fn trouble(&mut self, trouble: Trouble, words: String) {
        (self.sample.trouble, self.sample.problem) = (Some(trouble), Some(words));
    }

    fn cards(&mut self, section: &Section, gpus: Vec<super::GpuNow>) {
        if gpus.is_empty() {
            let trouble = match section.code {
                124 | 137 => Trouble::Driver,
                127 => Trouble::NoGpuTool,
                _ => Trouble::NotTold,
            };
            let words = last_words(&section.text);
            self.trouble(trouble, format!("the AMD tool ended with {}: {words}", section.code));
        }
        self.sample.gpus = gpus;
    }
}

#[cfg(test)]
mod tests;
