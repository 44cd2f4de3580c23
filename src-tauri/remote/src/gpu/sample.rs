//! Samples: one session a machine prints a reading every few seconds for as long as it lives.

use super::script::{HEAD, Line, Section, Sections};
use super::{Sample, amd, nvidia};
use crate::say::last_words;

/// The script that prints a reading every `seconds`, for ever. It ends with its connection.
#[must_use]
pub fn sample_script(seconds: u32) -> String {
    let (nvidia, names, amd, rocm) = (nvidia::SAMPLE, amd::STATIC, amd::SAMPLE, amd::ROCM_SAMPLE);
    format!(
        "{HEAD}if have nvidia-smi; then kind=nvidia; elif have amd-smi; then kind=amd\n{names}elif have rocm-smi; then kind=rocm; else kind=none; fi\n\
         while :; do\n  case $kind in\n  nvidia)\n{nvidia}  ;;\n  amd)\n{amd}  ;;\n  rocm)\n{rocm}  ;;\n  *) say none ;;\n  esac\n  \
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
    divided: bool,
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
                if self.divided && self.sample.problem.is_none() {
                    self.sample.problem = Some("a card is divided (MIG) and tells no utilisation".to_owned());
                }
                (self.divided, self.uuids) = (false, Vec::new());
                Some(std::mem::take(&mut self.sample))
            }
            Line::Word(word) => {
                if word == "none" {
                    self.sample.problem =
                        Some("there is neither nvidia-smi nor amd-smi nor rocm-smi".to_owned());
                }
                None
            }
        }
    }

    fn take(&mut self, section: &Section) {
        match section.name.as_str() {
            "nvidia" => {
                self.sample.problem = nvidia::problem(section);
                self.sample.gpus.clear();
                for (gpu, uuid, divided) in nvidia::cards(&section.text) {
                    self.sample.gpus.push(gpu);
                    self.uuids.push(uuid);
                    self.divided |= divided;
                }
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
            _ => {}
        }
    }

    fn cards(&mut self, section: &Section, gpus: Vec<super::GpuNow>) {
        if gpus.is_empty() {
            let words = last_words(&section.text);
            self.sample.problem = Some(format!("the AMD tool ended with {}: {words}", section.code));
        }
        self.sample.gpus = gpus;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(sections: &[(&str, &str, i32)]) -> Sample {
        let mut reader = SampleReader::default();
        for (name, text, code) in sections {
            for line in format!("@@gpudesk begin {name}\n{text}\n@@gpudesk exit {code}").lines() {
                assert_eq!(reader.push(line), None);
            }
        }
        reader.push("@@gpudesk end").unwrap()
    }

    #[test]
    fn what_is_no_number_is_unknown_and_never_zero() {
        let words = [
            "[N/A]",
            "N/A",
            "[Not Supported]",
            "[Unknown Error]",
            "Unknown",
            "[Insufficient Permissions]",
            "Insufficient Permissions",
            "[GPU is lost]",
            "[Not Found]",
            "[Not Available]",
            "ERR!",
        ];
        for word in words {
            let line = format!(
                "0, GPU-a, NVIDIA L4, {word}, {word}, {word}, {word}, {word}, [N/A]\n1, GPU-b, NVIDIA L4, 23034, 4, 0, 16.31, 41, [N/A]"
            );
            let sample = read(&[("nvidia", &line, 0)]);
            let (sick, well) = (&sample.gpus[0], &sample.gpus[1]);
            assert_eq!(
                (sick.util_percent, sick.memory_used_mib, sick.power_w, sick.temperature_c),
                (None, None, None, None),
                "{word}"
            );
            assert_eq!(
                (well.util_percent, well.memory_used_mib, well.power_w),
                (Some(0.0), Some(4.0), Some(16.31))
            );
            assert_eq!(sample.mean_util(), None, "one card that does not tell makes the mean unknown");
        }
    }

    #[test]
    fn programs_with_commas_and_without_memory_are_read() {
        let apps = "GPU-a, 4242, python train.py --lr 1,2, 1024\nGPU-a, 7, [Not Found], [N/A]\n";
        let sample = read(&[
            ("nvidia", "0, GPU-a, NVIDIA L4, 23034, 4, 55, 70, 50, [N/A]", 0),
            ("nvidia-apps", apps, 0),
        ]);
        assert_eq!(sample.programs.len(), 2);
        assert_eq!(
            (sample.programs[0].name.as_str(), sample.programs[0].memory_mib),
            ("python train.py --lr 1,2", Some(1024.0))
        );
        assert_eq!((sample.programs[1].name.as_str(), sample.programs[1].memory_mib), ("", None));
        assert_eq!(sample.mean_util(), Some(55.0));
    }

    #[test]
    fn a_divided_card_has_memory_and_no_utilisation() {
        let line =
            "0, GPU-a, NVIDIA A100-SXM4-40GB, 40960, [Insufficient Permissions], [N/A], 60, 35, Enabled";
        let xml = "<nvidia_smi_log><gpu id=\"1\"><mig_devices><mig_device><fb_memory_usage><total>19968 MiB</total><used>12 MiB</used></fb_memory_usage></mig_device><mig_device><fb_memory_usage><used>30 MiB</used></fb_memory_usage></mig_device></mig_devices><uuid>GPU-a</uuid></gpu></nvidia_smi_log>";
        let sample = read(&[("nvidia", line, 0), ("nvidia-xml", xml, 0)]);
        assert_eq!((sample.gpus[0].memory_used_mib, sample.gpus[0].util_percent), (Some(42.0), None));
        assert!(sample.problem.unwrap().contains("MIG"));
    }

    #[test]
    fn an_old_driver_is_asked_again_with_fewer_fields() {
        let refused = "Field \"mig.mode.current\" is not a valid field to query.";
        let sample =
            read(&[("nvidia", refused, 2), ("nvidia", "0, GPU-a, Tesla K80, 11441, 0, 0, 26, 30", 0)]);
        assert_eq!((sample.gpus.len(), sample.problem), (1, None));
        assert!(sample_script(5).contains("-eq 2"));
    }

    #[test]
    fn amd_columns_are_found_by_name() {
        let old = "gpu,gfx,gfx_clock,vram_used,vram_total\n0,17,132,283,196300\n1,N/A,132,N/A,196300";
        let new = "gpu,gfx_clk,gfx,vram_used,vram_free,vram_total,vram_percent\n0,132,17,283,196017,196300,0.1\n1,132,N/A,N/A,1,196300,1";
        for text in [old, new] {
            let sample = read(&[("amd", text, 0)]);
            assert_eq!(
                (sample.gpus[0].util_percent, sample.gpus[0].memory_used_mib),
                (Some(17.0), Some(283.0)),
                "{text}"
            );
            assert_eq!((sample.gpus[1].util_percent, sample.gpus[1].memory_used_mib), (None, None));
            assert_eq!(sample.gpus[1].memory_total_mib, Some(196_300.0));
        }
        let rocm = r#"{"card0":{"GPU use (%)":"3","VRAM Total Memory (B)":"68702699520","VRAM Total Used Memory (B)":"10485760"},"card1":{"GPU use Unsupported":null}}"#;
        let sample = read(&[("rocm", rocm, 0)]);
        assert_eq!((sample.gpus[0].util_percent, sample.gpus[0].memory_used_mib), (Some(3.0), Some(10.0)));
        assert_eq!(sample.gpus[1].util_percent, None);
    }

    #[test]
    fn a_machine_that_dies_leaves_no_half_a_reading() {
        let mut reader = SampleReader::default();
        assert_eq!(reader.push("@@gpudesk begin nvidia"), None);
        assert_eq!(reader.push("0, GPU-a, NVIDIA L4, 23034, 4, 55, 70, 50, [N/A]"), None);
    }

    #[cfg(unix)]
    #[test]
    fn the_scripts_are_shell() {
        for script in [super::super::probe_script(), sample_script(5)] {
            let output = std::process::Command::new("sh").args(["-n", "-c", &script]).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
    }
}
