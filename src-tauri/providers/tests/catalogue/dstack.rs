//! dstack's archives.

use std::io::{Cursor, Write};

use gpudesk_core::feed::{Fetched, ReasonCode};
use gpudesk_core::offer::{Form, PriceKind};
use gpudesk_providers::catalogue::{CatalogueError, dstack};
use zip::write::SimpleFileOptions;

use crate::support::{model, now, only};

pub const HEADER: &str = "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,gpu_vendor,flags,cpu_arch,provider_data";

pub fn zipped(name: &str, text: &str) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    writer.start_file(name, SimpleFileOptions::default()).unwrap();
    writer.write_all(text.as_bytes()).unwrap();
    writer.finish().unwrap().into_inner()
}

fn read(cloud: &str, rows: &[&str]) -> Fetched {
    let archive = zipped(&format!("{cloud}.csv"), &format!("{HEADER}\n{}\n", rows.join("\n")));
    dstack::read_zip(cloud, &archive, now(), "dstack catalogue 20261130-1234").unwrap()
}

#[test]
fn each_row_is_a_price() {
    let fetched = read(
        "aws",
        &[
            "p5.48xlarge,us-east-1,55.04,192,2048,8,H100,80,False,30400,nvidia,,x86,{}",
            "p5.48xlarge,us-east-1,24.77,192,2048,8,H100,80,True,30400,nvidia,,x86,\"{\"\"a\"\":1}\"",
            "m7i.large,us-east-1,0.1,2,8,0,,,False,,,,x86,",
        ],
    );
    assert_eq!((fetched.rows_read, fetched.rows_used, fetched.rows_not_gpu), (3, 2, 1));
    assert_eq!(fetched.feed.0, "catalogue/aws");
    let [on_demand, spot] = fetched.offers.as_slice() else { panic!("{fetched:#?}") };
    assert_eq!(on_demand.id, "aws:p5.48xlarge-x8-us-east-1-80g-on-demand");
    assert_eq!((on_demand.price.kind, spot.price.kind), (PriceKind::OnDemand, PriceKind::Spot));
    assert_eq!((model(spot), spot.price.per_hour.to_string()), ("H100 SXM", "24.77".to_owned()));
    assert_eq!(on_demand.disk.included_gb, Some(30400.0));
    assert_eq!(on_demand.place.country.as_deref(), Some("US"));
}

#[test]
fn a_calendar_window_is_not_on_demand_and_a_cluster_is_no_pod() {
    let gcp = read(
        "gcp",
        &[
            "a3-ultragpu-8g,europe-west1,60.1,224,2952,8,H200,141,False,,nvidia,gcp-dws-calendar-mode,x86,",
            "v5p-8,us-east5,16.8,208,448,1,v5p-8,95,False,,google,,x86,",
        ],
    );
    assert_eq!(gcp.offers[0].price.kind, PriceKind::Reserved);
    let tpu = &gcp.offers[1];
    assert_eq!((model(tpu), tpu.gpu.count, tpu.gpu.vram_gib), ("TPU v5p", 4, Some(95.0)));
    let runpod = read(
        "runpod",
        &[
            "NVIDIA H200,EU-NL-1,57.44,256,2200,16,H200,141,False,,nvidia,runpod-cluster,x86,",
            "NVIDIA H200,EU-NL-1,3.59,24,276,1,H200,141,False,,nvidia,,x86,",
        ],
    );
    let told: Vec<_> =
        runpod.offers.iter().map(|offer| (offer.form, offer.place.country.as_deref())).collect();
    assert_eq!(told, [(Form::Cluster, Some("NL")), (Form::Container, Some("NL"))]);
}

#[test]
fn their_name_of_a_cloud_becomes_ours() {
    let fetched = read("lambdalabs", &["gpu_1x_a10,us-west-1,0.75,30,200,1,A10,24,False,,nvidia,,x86,"]);
    assert_eq!((fetched.feed.0.as_str(), only(&fetched).provider.as_str()), ("catalogue/lambda", "lambda"));
}

#[test]
fn bad_rows_are_set_aside() {
    let fetched = read(
        "aws",
        &[
            "p5e.48xlarge,us-east-1,0,192,2048,8,H200,141,False,,nvidia,,x86,",
            "g6.xlarge,us-east-1,nan,4,16,1,L4,24,False,,nvidia,,x86,",
            "g6.xlarge,us-east-1",
            "g6.xlarge,us-east-1,0.8,4,16,,L4,24,False,,nvidia,,x86,",
            "g6.xlarge,us-east-1,0.8,4,16,1,L4,24,False,,nvidia,,x86,",
        ],
    );
    let reasons: Vec<_> = fetched.quarantined.iter().map(|row| row.reason.code).collect();
    assert_eq!(fetched.offers.len(), 1);
    assert_eq!(
        reasons,
        [
            ReasonCode::PriceImpossible,
            ReasonCode::PriceImpossible,
            ReasonCode::Unreadable,
            ReasonCode::CountImpossible,
        ]
    );
}

#[test]
fn a_price_that_may_be_spot_is_not_one_on_demand() {
    let fetched = read(
        "aws",
        &[
            "g6.xlarge,us-east-1,0.3,4,16,1,L4,24,1,,nvidia,,x86,",
            "g6.xlarge,us-east-1,0.3,4,16,1,L4,24,maybe,,nvidia,gcp-dws-calendar-mode,x86,",
            "m7i.large,us-east-1,0.1,2,8,two,,,False,,,,x86,",
            "g6.xlarge,us-east-1,0.8,4,16,1,L4,24,FALSE,,nvidia,,x86,",
        ],
    );
    assert_eq!(fetched.offers.len(), 1);
    assert_eq!(fetched.offers[0].price.kind, PriceKind::OnDemand);
    let reasons: Vec<_> = fetched.quarantined.iter().map(|row| row.reason.code).collect();
    assert_eq!(reasons, [ReasonCode::Unreadable, ReasonCode::Unreadable, ReasonCode::CountImpossible]);
    let without = HEADER.replace("spot", "interruptible");
    let rows = format!("{without}\ng6.xlarge,us-east-1,0.3,4,16,1,L4,24,True,,nvidia,,x86,\n");
    let refused = dstack::read_zip("aws", &zipped("aws.csv", &rows), now(), "x").unwrap_err();
    assert!(matches!(refused, CatalogueError::MissingColumn { column: "spot", .. }), "{refused}");
}

#[test]
fn a_damaged_archive_is_an_error() {
    let whole =
        zipped("aws.csv", &format!("{HEADER}\ng6.xlarge,us-east-1,0.8,4,16,1,L4,24,False,,nvidia,,x86,\n"));
    let refused = |bytes: &[u8]| dstack::read_zip("aws", bytes, now(), "x").unwrap_err();
    assert!(matches!(refused(&whole[..whole.len() / 2]), CatalogueError::Archive(_)));
    assert!(matches!(refused(b"<html>"), CatalogueError::Archive(_)));
    let other = zipped("gcp.csv", "x");
    assert!(matches!(refused(&other), CatalogueError::Archive(_)), "another cloud's list");
    assert!(matches!(refused(&zipped("aws.csv", HEADER)), CatalogueError::NoRows));
    // A byte of the compressed rows changed: the checksum tells.
    let mut changed = whole;
    changed[60] ^= 0xff;
    assert!(dstack::read_zip("aws", &changed, now(), "x").is_err());
}
