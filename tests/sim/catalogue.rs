//! The two public catalogues: dstack's archives with a version file, SkyPilot's CSV files with an ETag.

use std::io::{Cursor, Write};

use axum::Router;
use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use zip::write::SimpleFileOptions;

use super::Shared;

const VERSION: &str = "20261130-0900";
const ETAG: &str = "\"practice-1\"";

const DSTACK_HEADER: &str = "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,gpu_vendor,flags,cpu_arch,provider_data\n";

/// Types of AWS: name, hourly price, vCPUs, GB of memory, cards, card, GB of one card.
const AWS_TYPES: [(&str, f64, u32, u32, u32, &str, u32); 4] = [
    ("p5.48xlarge", 55.04, 192, 2048, 8, "H100", 80),
    ("p4de.24xlarge", 27.45, 96, 1152, 8, "A100", 80),
    ("g6.xlarge", 0.805, 4, 16, 1, "L4", 24),
    ("g5.xlarge", 1.006, 4, 16, 1, "A10G", 24),
];

const AWS_REGIONS: [&str; 15] = [
    "us-east-1",
    "us-east-2",
    "us-west-2",
    "ca-central-1",
    "sa-east-1",
    "eu-central-1",
    "eu-north-1",
    "eu-south-2",
    "eu-west-1",
    "eu-west-2",
    "eu-west-3",
    "ap-northeast-1",
    "ap-south-1",
    "ap-southeast-1",
    "ap-southeast-2",
];

const VERDA: &str = "8H100.80S.176V,FIN-01,15.92,176,1480,8,H100,80,False,,nvidia,,x86,\n\
    1H200.141S.44V,FIN-02,2.99,44,182,1,H200,141,False,,nvidia,,x86,\n";

const NEBIUS: &str = "gpu-h100-sxm 8gpu-128vcpu-1600gb,eu-north1,23.6,128,1600,8,H100,80,False,,nvidia,,x86,\n\
    gpu-l40s-a 1gpu-8vcpu-32gb,eu-north1,1.55,8,32,1,L40S,48,False,,nvidia,,x86,\n";

/// Every type in every region, on demand and spot: as many rows as a desk expects of a large cloud, so that it does
/// not take the list for a torn one.
fn aws() -> String {
    let mut rows = String::new();
    for (r, region) in AWS_REGIONS.iter().enumerate() {
        for (name, price, vcpu, memory, cards, card, vram) in AWS_TYPES {
            let price = price * (1.0 + 0.02 * r as f64);
            for (spot, price) in [("False", price), ("True", 0.45 * price)] {
                rows += &format!(
                    "{name},{region},{price:.4},{vcpu},{memory},{cards},{card},{vram},{spot},,nvidia,,x86,\n"
                );
            }
        }
    }
    rows
}

/// A cloud in dstack's form.
fn dstack(provider: &str) -> Option<String> {
    match provider {
        "aws" => Some(aws()),
        "verda" => Some(VERDA.to_owned()),
        "nebius" => Some(NEBIUS.to_owned()),
        _ => None,
    }
}

const SKYPILOT_HEADER: &str =
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice\r\n";

/// Clouds in SkyPilot's form.
const SKYPILOT: [(&str, &str); 2] = [
    (
        "lambda",
        "gpu_8x_h100_sxm5,H100-SXM,8.0,208.0,1800.0,23.92,europe-central-1,\"{'Gpus': [{'Name': 'H100-SXM', 'Manufacturer': 'NVIDIA', 'Count': 8.0, 'MemoryInfo': {'SizeInMiB': 81920}}], 'TotalGpuMemoryInMiB': 81920}\",\r\n\
         gpu_1x_a10,A10,1.0,30.0,200.0,0.75,us-east-1,\"{'Gpus': [{'Name': 'A10', 'Manufacturer': 'NVIDIA', 'Count': 1.0, 'MemoryInfo': {'SizeInMiB': 24576}}], 'TotalGpuMemoryInMiB': 24576}\",\r\n",
    ),
    (
        "hyperstack",
        "n3-H100x8,H100,8.0,252.0,1440.0,15.2,NORWAY-1,\"{'Gpus': [{'Name': 'H100', 'Manufacturer': 'NVIDIA', 'Count': 8.0, 'MemoryInfo': {'SizeInMiB': 81920}}], 'TotalGpuMemoryInMiB': 655360}\",\r\n",
    ),
];

/// The routes.
pub fn routes() -> Router<Shared> {
    Router::new()
        .route("/v3/{provider}/version", get(version))
        .route("/v3/{provider}/{version}/catalog.zip", get(archive))
        .route("/skypilot-org/skypilot-catalog/master/catalogs/{schema}/{cloud}/vms.csv", get(csv_github))
        .route("/catalogs/{schema}/{cloud}/vms.csv", get(csv_mirror))
}

async fn version(Path(provider): Path<String>) -> Response {
    match dstack(&provider) {
        Some(_) => VERSION.into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn archive(Path((provider, version)): Path<(String, String)>) -> Response {
    let Some(rows) = dstack(&provider).filter(|_| version == VERSION || version == "latest") else {
        return StatusCode::NOT_FOUND.into_response();
    };
    match zipped(&format!("{provider}.csv"), &format!("{DSTACK_HEADER}{rows}")) {
        Ok(bytes) => ([(header::CONTENT_TYPE, "application/zip")], bytes).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}

async fn csv_github(Path((_schema, cloud)): Path<(String, String)>, headers: HeaderMap) -> Response {
    csv(&cloud, &headers)
}

async fn csv_mirror(Path((_schema, cloud)): Path<(String, String)>, headers: HeaderMap) -> Response {
    csv(&cloud, &headers)
}

fn csv(cloud: &str, headers: &HeaderMap) -> Response {
    let Some((_, rows)) = SKYPILOT.iter().find(|(name, _)| *name == cloud) else {
        return (StatusCode::NOT_FOUND, "404: Not Found").into_response();
    };
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known == ETAG) {
        return (StatusCode::NOT_MODIFIED, [(header::ETAG, ETAG)]).into_response();
    }
    let head = [(header::CONTENT_TYPE, "text/plain; charset=utf-8"), (header::ETAG, ETAG)];
    (head, format!("{SKYPILOT_HEADER}{rows}")).into_response()
}

fn zipped(name: &str, text: &str) -> std::io::Result<Vec<u8>> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    writer.start_file(name, SimpleFileOptions::default())?;
    writer.write_all(text.as_bytes())?;
    Ok(writer.finish()?.into_inner())
}
