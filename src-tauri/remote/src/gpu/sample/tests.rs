//! Every form in which the tools of cards have been seen to answer.

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
    let sample =
        read(&[("nvidia", "0, GPU-a, NVIDIA L4, 23034, 4, 55, 70, 50, [N/A]", 0), ("nvidia-apps", apps, 0)]);
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
    let line = "0, GPU-a, NVIDIA A100-SXM4-40GB, 40960, [Insufficient Permissions], [N/A], 60, 35, Enabled";
    let xml = "<nvidia_smi_log><gpu id=\"1\"><mig_devices><mig_device><fb_memory_usage><total>19968 MiB</total><used>12 MiB</used></fb_memory_usage></mig_device><mig_device><fb_memory_usage><used>30 MiB</used></fb_memory_usage></mig_device></mig_devices><uuid>GPU-a</uuid></gpu></nvidia_smi_log>";
    let sample = read(&[("nvidia", line, 0), ("nvidia-xml", xml, 0)]);
    assert_eq!((sample.gpus[0].memory_used_mib, sample.gpus[0].util_percent), (Some(42.0), None));
    assert!(sample.problem.unwrap().contains("MIG"));
}

#[test]
fn an_old_driver_is_asked_again_with_fewer_fields() {
    let refused = "Field \"mig.mode.current\" is not a valid field to query.";
    let sample = read(&[("nvidia", refused, 2), ("nvidia", "0, GPU-a, Tesla K80, 11441, 0, 0, 26, 30", 0)]);
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

#[test]
fn every_exit_code_of_nvidia_smi_is_a_reason_and_no_rest() {
    let cases = [
        (2, "Invalid combination of input arguments.", Trouble::NotTold, "ended with 2"),
        (3, "The requested operation is not available on target device", Trouble::NotTold, "ended with 3"),
        (4, "Insufficient Permissions", Trouble::NotTold, "permission"),
        (6, "No devices were found", Trouble::NotTold, "finds no card"),
        (8, "External power cables are not properly attached", Trouble::NotTold, "no power"),
        (
            9,
            "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.",
            Trouble::Driver,
            "not loaded",
        ),
        (10, "The NVIDIA kernel detected an interrupt issue with a GPU", Trouble::NotTold, "ended with 10"),
        (12, "NVIDIA-SMI couldn't find libnvidia-ml.so library in your system.", Trouble::Driver, "library"),
        (13, "Failed to initialize NVML: Function Not Found", Trouble::Driver, "library"),
        (14, "infoROM is corrupted", Trouble::NotTold, "ended with 14"),
        (15, "GPU is inaccessible", Trouble::CardLost, "lost"),
        (18, "Failed to initialize NVML: Driver/library version mismatch", Trouble::Driver, "reboot"),
        (255, "Unknown Error", Trouble::NotTold, "ended with 255"),
        (127, "sh: nvidia-smi: not found", Trouble::NoGpuTool, "no nvidia-smi"),
        (124, "", Trouble::Driver, "within 10 s"),
    ];
    for (code, text, trouble, words) in cases {
        let sample = read(&[("nvidia", text, code)]);
        assert_eq!((sample.gpus.len(), sample.trouble), (0, Some(trouble)), "{code}");
        assert!(sample.problem.as_deref().is_some_and(|problem| problem.contains(words)), "{sample:?}");
        let reading = sample.reading("2026-11-30T09:00:00Z".parse().unwrap());
        assert_eq!((reading.trouble, reading.mean_util()), (Some(trouble), None));
    }
}

#[test]
fn a_lost_card_is_told_from_an_idle_one_even_where_it_takes_the_lines_of_all() {
    for text in [
        "Unable to determine the device handle for GPU 0000:BA:00.0: Unknown Error",
        "Unable to determine the device handle for GPU0000:BA:00.0: GPU is lost.  Reboot the system to recover this GPU",
        "0, GPU-a, NVIDIA A100-SXM4-80GB, 81920, 4, 0, 60, 35, Disabled\nGPU is lost. Reboot the system to recover this GPU",
    ] {
        for code in [0, 15] {
            assert_eq!(read(&[("nvidia", text, code)]).trouble, Some(Trouble::CardLost), "{text} {code}");
        }
    }
}

#[test]
fn a_card_without_mig_or_with_it_switched_off_is_no_problem() {
    for word in ["[N/A]", "Disabled", "[Not Supported]"] {
        let line = format!("0, GPU-a, NVIDIA H100 80GB HBM3, 81559, 4, 0, 69.51, 31, {word}");
        let sample = read(&[("nvidia", &line, 0), ("nvidia-apps", "", 0)]);
        assert_eq!(
            (sample.gpus[0].divided, sample.trouble, sample.programs.len()),
            (false, None, 0),
            "{word}"
        );
        assert_eq!(sample.gpus[0].util_percent, Some(0.0));
    }
    let sample = read(&[("nvidia", "0, GPU-a, NVIDIA A100, 40960, 1, [N/A], 60, 35, Enabled", 0)]);
    assert_eq!((sample.gpus[0].divided, sample.trouble), (true, Some(Trouble::Mig)));
}

#[test]
fn amd_tools_answer_in_every_form_that_was_seen() {
    let oldest = "gpu,gfx,gfx_clock,vram_used,vram_total\n0,5,132,283,196300";
    let sample = read(&[("amd", oldest, 0)]);
    assert_eq!(
        (sample.gpus[0].util_percent, sample.gpus[0].memory_total_mib),
        (Some(5.0), Some(196_300.0)),
        "ROCm 6.3: the share of gfx stands before its clock"
    );
    let warned = "WARNING: AMD GPU device(s) is/are in a low-power state. Check power control/runtime_status\n\n\
                  {\"card0\":{\"GPU use (%)\":\"0\",\"GFX Activity\":\"5\",\"VRAM Total Memory (B)\":\"68702699520\",\
                  \"VRAM Total Used Memory (B)\":\"10485760\"}}";
    let nobody = "\n============================ ROCm System Management Interface ============================\n\
                  No KFD PIDs currently running\n";
    let sample = read(&[("rocm", warned, 0), ("rocm-pids", nobody, 0)]);
    assert_eq!((sample.gpus[0].util_percent, sample.gpus[0].memory_used_mib), (Some(0.0), Some(10.0)));
    assert_eq!((sample.programs.len(), sample.trouble), (0, None));
    let running = "KFD process information:\nPID    PROCESS NAME  GPU(s)  VRAM USED   SDMA USED  CU OCCUPANCY\n\
                   1234   python3 -m x  1       1073741824  0          12\n77     UNKNOWN       UNKNOWN UNKNOWN     UNKNOWN    UNKNOWN\n";
    let sample = read(&[("rocm", warned, 0), ("rocm-pids", running, 0)]);
    let programs: Vec<_> = sample.programs.iter().map(|p| (p.pid, p.name.as_str(), p.memory_mib)).collect();
    assert_eq!(programs, [(1234, "python3 -m x", Some(1024.0)), (77, "", None)]);
    for (code, trouble) in [(127, Trouble::NoGpuTool), (124, Trouble::Driver), (1, Trouble::NotTold)] {
        assert_eq!(read(&[("amd", "ERROR", code)]).trouble, Some(trouble));
    }
}

#[test]
fn a_sample_without_any_tool_says_so() {
    let mut reader = SampleReader::default();
    assert_eq!(reader.push("@@gpudesk none"), None);
    let sample = reader.push("@@gpudesk end").unwrap();
    assert_eq!(sample.trouble, Some(Trouble::NoGpuTool));
}

/// One sample of a machine that is a folder.
#[cfg(target_os = "linux")]
fn sample_of(root: &std::path::Path, shell: &str) -> Sample {
    let script = sample_script(5).replace("  sleep 5\n", "  exit\n");
    let output = std::process::Command::new(shell)
        .arg("-c")
        .arg(script)
        .env("GPUDESK_ROOT", root)
        .env("HOME", root.join("home"))
        .output()
        .unwrap();
    let mut reader = SampleReader::default();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().find_map(|line| reader.push(line)).unwrap_or_else(|| panic!("{text}"))
}

#[cfg(target_os = "linux")]
#[test]
fn a_machine_tells_what_it_does_beside_its_cards() {
    use gpudesk_core::activity::Input;

    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let write = |name: &str, text: &str| {
        std::fs::create_dir_all(path(name).parent().unwrap()).unwrap();
        std::fs::write(path(name), text).unwrap();
    };
    write("proc/1/comm", "systemd\n");
    write("proc/loadavg", "3.07 2.60 2.41 3/103 3137\n");
    write("proc/sys/kernel/random/boot_id", "6f1c0c5e-8a3b-4c53-9a0b-0b8a2d5e7c11\n");
    write(
        "proc/net/dev",
        "Inter-|   Receive\n face |bytes\n    lo: 7 0 0 0 0 0 0 0 7 0\n  eth0: 5000000000 1 0 0 0 0 0 0 10 1 0\nibp1s0: 1 0 0 0 0 0 0 0 2 0\n",
    );
    let disk = |name: &str| format!(" 254 0 {name} 10 0 1000 1 10 0 24 1 0 1 1\n");
    write("proc/diskstats", &["loop0", "vda", "vda1", "dm-0", "zram0"].map(disk).concat());
    for block in ["loop0", "vda", "dm-0", "zram0"] {
        std::fs::create_dir_all(path("sys/block").join(block)).unwrap();
    }
    std::fs::create_dir_all(path("dev/pts")).unwrap();
    for shell in ["sh", "bash"] {
        let vitals = sample_of(folder.path(), shell).vitals;
        assert_eq!((vitals.load_1m, vitals.cpu_s), (Some(3.07), None), "{shell}");
        assert_eq!(vitals.net_bytes, Some(5_000_000_013), "without loopback");
        assert_eq!(vitals.disk_bytes, Some(1024 * 512), "whole disks, each once");
        assert_eq!(vitals.boot_id.as_deref(), Some("6f1c0c5e-8a3b-4c53-9a0b-0b8a2d5e7c11"));
        assert!(vitals.cores.is_some_and(|cores| cores > 0));
        assert_eq!(
            (vitals.input, vitals.busy_marker),
            (Input::NoSession, false),
            "our own session has no terminal"
        );
    }
    // Somebody has a terminal open, another one is forgotten; the marker was touched just now.
    write("dev/pts/0", "");
    write("dev/pts/3", "");
    let aged =
        std::process::Command::new("touch").args(["-a", "-d", "@1000000000"]).arg(path("dev/pts/0")).status();
    assert!(aged.unwrap().success());
    write("tmp/gpudesk-busy", "");
    let vitals = sample_of(folder.path(), "sh").vitals;
    assert!(matches!(vitals.input, Input::Ago(seconds) if seconds < 60), "{:?}", vitals.input);
    assert!(vitals.busy_marker);
    std::fs::remove_file(path("dev/pts/3")).unwrap();
    let forgotten = sample_of(folder.path(), "sh").vitals;
    assert!(matches!(forgotten.input, Input::Ago(seconds) if seconds > 100_000_000), "{:?}", forgotten.input);

    // In a container the host's figures are not this machine's.
    write(".dockerenv", "");
    let blind = sample_of(folder.path(), "sh").vitals;
    assert_eq!((blind.load_1m, blind.cpu_s, blind.disk_bytes), (None, None, None));
    write("sys/fs/cgroup/cpu.stat", "usage_usec 2500000\nuser_usec 1\n");
    write("sys/fs/cgroup/io.stat", "259:0 rbytes=100 wbytes=20 rios=1\n8:0 rbytes=3 wbytes=0 rios=1\n");
    write("sys/fs/cgroup/cpu.max", "350000 100000\n");
    let own = sample_of(folder.path(), "sh").vitals;
    assert_eq!((own.cpu_s, own.disk_bytes, own.cores), (Some(2.5), Some(123), Some(4)));
    std::fs::remove_dir_all(path("sys/fs")).unwrap();
    write("sys/fs/cgroup/cpuacct/cpuacct.usage", "9000000000\n");
    write("sys/fs/cgroup/blkio/blkio.throttle.io_service_bytes", "8:0 Read 5\n8:0 Write 6\nTotal 11\n");
    let older = sample_of(folder.path(), "sh").vitals;
    assert_eq!((older.cpu_s, older.disk_bytes), (Some(9.0), Some(11)));
}
