//! A few real lines, normalised, in full.

use gpudesk_core::offer::Offer;
use serde_json::{Value, json};

use crate::support::{PRIME, VAST, lines, only, read};

fn whole(offer: &Offer) -> Value {
    serde_json::to_value(offer).unwrap()
}

#[test]
fn a_marketplace_offer() {
    let line = "4x-RTX_5090-32-65536,RTX5090,4,32,64.0,\"{'Gpus': [{'Name': 'RTX5090', 'Count': 4, 'MemoryInfo': \
                {'SizeInMiB': 130428}}], 'TotalGpuMemoryInMiB': 130428}\",2.13,0.00,\
                \"Hafnarfjarðarkaupstaður, IS, EU\"";
    let expected = json!({
        "id": "vast:4x-rtx_5090-32-65536-x4-hafnarfjarðarkaupstaður-is-eu-32g-on-demand",
        "provider": "vast",
        "cloud": "vast",
        "source": "catalogue",
        "name": "4x-RTX_5090-32-65536",
        "form": "container",
        "isolation": "shared-host",
        "gpu": { "model": "RTX 5090", "count": 4, "vram_gib": 32.0, "raw_name": "RTX5090" },
        "vcpu": 32.0,
        "ram_gib": 64.0,
        "disk": {},
        "net": {},
        "place": { "region": "Hafnarfjarðarkaupstaður, IS, EU", "country": "IS", "seller": "US" },
        "price": { "kind": "on-demand", "currency": "USD", "per_hour": "2.13" },
        "supply": { "state": "unknown" },
    });
    assert_eq!(whole(only(&read("vast", lines(VAST, &[line])))), expected);
}

#[test]
fn a_resold_offer() {
    let line = "hyperstack__8xA100_80GB__252__1920__NVLINK,n3-A100x8-NVLink,252.0,1920,A100-80GB,8.0,\
                \"{\"\"Gpus\"\":[{\"\"Name\"\":\"\"A100-80GB\"\",\"\"Count\"\":8,\"\"MemoryInfo\"\":\
                {\"\"SizeInMiB\"\":655360}}],\"\"TotalGpuMemoryInMiB\"\":5242880}\",CA,CANADA-1,11.2,\r";
    let expected = json!({
        "id": "prime:hyperstack__8xa100_80gb__252__1920__nvlink-x8-canada-1-80g-on-demand",
        "provider": "prime",
        "cloud": "hyperstack",
        "source": "catalogue",
        "name": "hyperstack__8xA100_80GB__252__1920__NVLINK",
        "form": "vm",
        "isolation": "vm",
        "gpu": {
            "model": "A100 80GB",
            "count": 8,
            "vram_gib": 80.0,
            "link": "NVLink",
            "raw_name": "A100-80GB",
        },
        "vcpu": 252.0,
        "ram_gib": 1920.0,
        "disk": {},
        "net": {},
        "place": { "region": "CANADA-1", "country": "CA", "seller": "US" },
        "price": { "kind": "on-demand", "currency": "USD", "per_hour": "11.2" },
        "supply": { "state": "unknown" },
    });
    assert_eq!(whole(only(&read("primeintellect", lines(PRIME, &[line])))), expected);
}
