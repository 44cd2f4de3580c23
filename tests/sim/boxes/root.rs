//! The system of a practice machine, as far as the desk's scripts look at one: this computer's own figures, and none of
//! the ways by which a machine shuts itself down.

use std::os::unix::fs::symlink;
use std::path::Path;

/// Figures that are this computer's.
const SHOWN: [&str; 7] = [
    "proc/uptime",
    "proc/loadavg",
    "proc/diskstats",
    "proc/net/dev",
    "proc/1/stat",
    "proc/sys/kernel/random/boot_id",
    "sys/block",
];

/// Ends what goes on running in the background of a machine that does not run any more: the desk's watchdog.
pub fn halt(home: &Path) {
    for folder in [".root/run/gpudesk", ".root/var/lib/gpudesk", ".gpudesk"] {
        let Ok(text) = std::fs::read_to_string(home.join(folder).join("pid")) else { continue };
        let Ok(pid) = text.trim().parse::<u32>() else { continue };
        // Only a process of this very machine: the number may be somebody else's by now.
        let words = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        if words.contains(&*home.to_string_lossy()) {
            let _ = std::process::Command::new("kill").arg(pid.to_string()).status();
        }
    }
}

/// Makes it, unless it is there.
pub fn install(root: &Path) -> std::io::Result<()> {
    // No terminals: those of this computer are not the machine's, and nobody there wants to hear its warnings.
    for name in ["run", "tmp", "dev/pts"] {
        std::fs::create_dir_all(root.join(name))?;
    }
    for name in SHOWN {
        let link = root.join(name);
        if let Some(folder) = link.parent() {
            std::fs::create_dir_all(folder)?;
        }
        if link.symlink_metadata().is_err() {
            symlink(Path::new("/").join(name), link)?;
        }
    }
    // A whole machine rather than a container among others.
    std::fs::write(root.join("proc/1/comm"), "systemd\n")
}
