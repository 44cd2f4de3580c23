//! From where on something counts as work. Every figure is chosen so that what a machine does by itself, or what
//! watching it costs, stays below, and the least real work stands above.

/// Use of a card from which on it works, in percent of the last moment. Card and driver alone show 0; the desk's own
/// questions have been seen to cause 1 or 2.
pub const GPU_PERCENT: f64 = 5.0;

/// Memory of a card from which on somebody holds it, MiB. An AMD MI300X with nothing on it reports 283 MiB; a CUDA
/// context with a model in it holds more.
pub const MEMORY_HELD_MIB: f64 = 300.0;

/// Share of the cores whose load is work.
pub const CPU_SHARE: f64 = 0.1;

/// The load that is work on a machine of any size: one program that computes half of the time. Without it, a tokeniser
/// with a single thread would be rest on a machine of 96 cores, where a tenth is 9.6. Agents of a cloud and the desk's
/// own questions make 0.05 to 0.3.
pub const LOAD_MOST: f64 = 0.5;

/// Traffic from which on a machine loads or serves something, bytes a second over a minute, both ways together. Scans
/// of its public address, agents of its cloud and the desk's own session stay below 10 kB/s; a download of a data set
/// that is throttled to a tenth of a megabyte is three times as much.
pub const NETWORK_FLOOR: f64 = 32.0 * 1024.0;

/// Traffic of its disks from which on a machine works, bytes a second over a minute. Logs and journals of an idle
/// system write some ten kB/s; unpacking or copying files moves megabytes.
pub const DISK_FLOOR: f64 = 256.0 * 1024.0;

/// Age of the last key press that still belongs to the minute of a reading, in seconds.
pub const HUMAN_S: u64 = 60;

/// How long a touched marker file says "busy", in seconds.
pub const MARKER_S: u64 = 30 * 60;

/// The least readings of a minute: the rule is made for one every 30 seconds.
pub const SAMPLES_LEAST: u32 = 2;

/// The least time between the first and the last reading of a minute, in seconds: readings of its first moments say
/// nothing about the rest.
pub const SPAN_LEAST_S: i64 = 20;

/// Minutes after which the newest one says nothing about now.
pub const STALE_MINUTES: i64 = 3;
