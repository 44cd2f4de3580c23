//! What the tests share.

use std::path::PathBuf;

use chrono::{DateTime, Utc};
use gpudesk_core::feed::Fetched;
use gpudesk_core::offer::Offer;
use gpudesk_providers::catalogue::{CatalogueError, skypilot};

pub const AWS: &str = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,AvailabilityZone\n";
pub const GCP: &str = "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Region,AvailabilityZone,Price,SpotPrice\n";
pub const AZURE: &str = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,Generation\n";
pub const PRIME: &str = "InstanceType,UpstreamCloudId,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Region,AvailabilityZone,Price,SpotPrice\r\n";
pub const VERDA: &str = "InstanceType,UpstreamCloudId,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Region,Price,SpotPrice\r\n";
pub const VAST: &str =
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region\r\n";
pub const PLAIN: &str =
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice\n";
pub const RUNPOD: &str = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Region,SpotPrice,Price,AvailabilityZone,GpuInfo\n";

/// The clock of all tests.
pub fn now() -> DateTime<Utc> {
    "2026-11-30T09:00:00Z".parse().unwrap()
}

/// Lines under their header.
pub fn lines(header: &str, lines: &[&str]) -> String {
    format!("{header}{}\n", lines.join("\n"))
}

/// Reads lines as the file of a cloud.
pub fn try_read(stem: &str, text: impl AsRef<[u8]>) -> Result<Fetched, CatalogueError> {
    let fetched = skypilot::read_csv(stem, text.as_ref(), now(), "test")?;
    let quarantined = fetched.quarantined.len() as u64;
    assert_eq!(fetched.rows_read, fetched.rows_used + fetched.rows_not_gpu + quarantined);
    Ok(fetched)
}

pub fn read(stem: &str, text: impl AsRef<[u8]>) -> Fetched {
    try_read(stem, text).unwrap()
}

/// The only offer of a feed.
pub fn only(fetched: &Fetched) -> &Offer {
    assert_eq!(fetched.offers.len(), 1, "{fetched:#?}");
    &fetched.offers[0]
}

pub fn model(offer: &Offer) -> &str {
    offer.gpu.model.as_deref().unwrap_or("unknown")
}

/// The folder of shared test data, or `None` with a word about it.
pub fn shared(path: &str) -> Option<PathBuf> {
    let beside = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("GPUDESK_SHARED").map_or_else(beside, PathBuf::from).join(path);
    if folder.exists() {
        return Some(folder);
    }
    println!("skipped, needs ../shared/{path}");
    None
}
