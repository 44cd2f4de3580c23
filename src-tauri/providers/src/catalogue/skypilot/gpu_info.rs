//! The `GpuInfo` column: a hint in eight forms, of which only the size of memory is of use.
//!
//! Seen: a Python dict with single quotes; the same with `null`, which is neither Python nor JSON; JSON; the keys all
//! in lower case; only the memory; the total inside the list item; a bare model name; nothing.

/// Figures below this are GB under the name of MiB (RunPod and Shadeform write `80` for 80 GB). No card rented today
/// has less than one GiB.
const LEAST_MIB: f64 = 1000.0;

/// `SizeInMiB` in GiB, whatever the form around it; `None` where there is none or it is no size.
pub(super) fn memory_gib(gpu_info: &str) -> Option<f64> {
    let at = ["SizeInMiB", "sizeinmib"].iter().find_map(|key| gpu_info.find(key).map(|at| at + key.len()))?;
    let rest = gpu_info[at..].trim_start_matches(['\'', '"', ':', ' ']);
    let end = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(rest.len());
    let size: f64 = rest[..end].parse().ok().filter(|size| *size > 0.0)?;
    Some(if size < LEAST_MIB { size } else { size / 1024.0 })
}

#[cfg(test)]
mod tests {
    use super::memory_gib;

    /// One real cell of each form.
    #[test]
    fn each_of_the_eight_forms_is_understood() {
        let dict = "{'Gpus': [{'Name': 'T4', 'Manufacturer': 'NVIDIA', 'Count': 4, 'MemoryInfo': \
                    {'SizeInMiB': 16384}}], 'TotalGpuMemoryInMiB': 65536}";
        assert_eq!(memory_gib(dict), Some(16.0), "aws: Python dict");
        let null = "{'Gpus': [{'Name': 'L40', 'Manufacturer': null, 'Count': 1, 'MemoryInfo': \
                    {'SizeInMiB': 49152}}], 'TotalGpuMemoryInMiB': 49152}";
        assert_eq!(memory_gib(null), Some(48.0), "hyperstack: null");
        let json = "{\"Gpus\":[{\"Name\":\"A100-80GB\",\"Count\":8,\"MemoryInfo\":{\"SizeInMiB\":655360}}],\
                    \"TotalGpuMemoryInMiB\":5242880}";
        assert_eq!(memory_gib(json), Some(640.0), "primeintellect: JSON, the total of the machine");
        let lower = "{'gpus': [{'name': 'h100', 'manufacturer': 'nvidia', 'count': 1.0, 'memoryinfo': \
                     {'sizeinmib': 81559}}], 'totalgpumemoryinmib': 81559}";
        assert_eq!(memory_gib(lower), Some(81559.0 / 1024.0), "do: lower case");
        assert_eq!(memory_gib("Radeon MI25"), None, "azure: a bare name");
        assert_eq!(memory_gib("tpu-v5p-12288"), None, "gcp: a bare name");
        assert_eq!(
            memory_gib("{'Gpus': [{'MemoryInfo': {'SizeInMiB': 40960}}]}"),
            Some(40.0),
            "gcp: only memory"
        );
        let inside = "{'Gpus': [{'Name': 'B200', 'Manufacturer': 'NVIDIA', 'Count': 1.0, 'MemoryInfo': \
                      {'SizeInMiB': 183296}, 'TotalGpuMemoryInMiB': 183296}]}";
        assert_eq!(memory_gib(inside), Some(179.0), "lium: total inside the item");
        assert_eq!(memory_gib(""), None, "aws Inferentia: nothing");
    }

    #[test]
    fn gigabytes_under_the_name_of_mebibytes_are_recognised() {
        let runpod = "{'Gpus': [{'Name': 'A100 PCIe', 'Manufacturer': 'Nvidia', 'Count': 1, 'MemoryInfo': \
                      {'SizeInMiB': 80}}], 'TotalGpuMemoryInMiB': 80}";
        assert_eq!(memory_gib(runpod), Some(80.0));
    }

    #[test]
    fn a_broken_cell_is_no_hint() {
        for broken in
            ["{'SizeInMiB': }", "{'SizeInMiB': nan}", "{'SizeInMiB': 0}", "SizeInMiB", "{'SizeInMiB': -5}"]
        {
            assert_eq!(memory_gib(broken), None, "{broken}");
        }
    }
}
