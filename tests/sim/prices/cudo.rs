//! CUDO Compute's lists of machine types, cards and data centres, in protobuf's JSON: what is zero is left out.

use axum::Router;
use axum::extract::State;
use axum::routing::get;
use serde_json::{Value, json};

use super::moved;
use crate::sim::Shared;

/// Data centre, type, card, its id, price of a card, free on one host, free in all.
const TYPES: [(&str, &str, &str, &str, f64, u32, u32); 5] = [
    ("se-smedjebacken-1", "epyc-milan-rtx-a6000", "RTX A6000", "nvidia-rtx-a6000", 0.45, 4, 31),
    ("no-luster-1", "epyc-rome-rtx-a4000", "RTX A4000", "nvidia-rtx-a4000", 0.25, 2, 9),
    ("gb-london-1", "epyc-genoa-h100", "H100 SXM", "nvidia-h100-sxm", 2.35, 8, 16),
    ("us-santaclara-1", "epyc-genoa-l40s", "L40S (compute mode)", "nvidia-l40s-compute-mode", 0.87, 0, 0),
    ("ca-montreal-3", "epyc-milan-a800", "A800 PCIe", "nvidia-a800-pcie", 1.02, 1, 1),
];

pub fn routes() -> Router<Shared> {
    Router::new()
        .route("/v1/vms/machine-types", get(types))
        .route("/v1/vms/gpu-models", get(models))
        .route("/v1/vms/data-centers", get(centers))
}

async fn types(State(market): State<Shared>) -> axum::Json<Value> {
    let amount = |price: f64| json!({"value": moved(&market, price).to_string()});
    let mut all: Vec<Value> = TYPES
        .iter()
        .map(|(center, name, card, id, price, on_host, everywhere)| {
            let mut row = json!({"dataCenterId": center, "machineType": name, "cpuModel": "AMD EPYC", "gpuModel": card,
                "gpuModelId": id, "gpuPriceHr": amount(*price), "vcpuPriceHr": amount(0.0021),
                "memoryGibPriceHr": amount(0.0028), "minStorageGibPriceHr": amount(0.00013),
                "ipv4PriceHr": amount(0.004), "minVcpu": 2, "minMemoryGib": 4, "minVcpuPerGpu": 1, "maxVcpuPerGpu": 12,
                "minVcpuPerMemoryGib": 0.25, "maxVcpuPerMemoryGib": 1, "maxVcpuFree": 96, "renewableEnergy": true,
                "prices": [
                    {"commitmentTerm": "COMMITMENT_TERM_NONE", "gpuPriceHr": amount(*price),
                     "vcpuPriceHr": amount(0.0021), "memoryGibPriceHr": amount(0.0028)},
                    {"commitmentTerm": "COMMITMENT_TERM_12_MONTHS", "gpuPriceHr": amount(price * 0.7),
                     "vcpuPriceHr": amount(0.0015), "memoryGibPriceHr": amount(0.002)}]});
            if *on_host > 0 {
                row["maxGpuFree"] = json!(on_host);
                row["totalGpuFree"] = json!(everywhere);
            }
            row
        })
        .collect();
    all.push(json!({"dataCenterId": "no-luster-1", "machineType": "epyc-rome", "vcpuPriceHr": amount(0.002),
        "memoryGibPriceHr": amount(0.0028), "minVcpu": 1, "minMemoryGib": 1}));
    axum::Json(json!({"machineTypes": all}))
}

async fn models() -> axum::Json<Value> {
    let model = |id: &str, name: &str, gib: u32| json!({"id": id, "vendorName": "NVIDIA", "modelName": name, "memoryGib": gib});
    axum::Json(json!({"gpuModels": [
        model("nvidia-rtx-a6000", "RTX A6000", 48), model("nvidia-rtx-a4000", "RTX A4000", 16),
        model("nvidia-h100-sxm", "H100 SXM", 80), model("nvidia-l40s-compute-mode", "L40S (compute mode)", 48),
        model("nvidia-a800-pcie", "A800 PCIe", 80)]}))
}

async fn centers() -> axum::Json<Value> {
    let center = |id: &str, supplier: &str, addresses: u32| json!({"id": id, "supplierName": supplier, "ipv4Free": addresses, "renewableEnergy": true});
    axum::Json(json!({"dataCenters": [
        center("se-smedjebacken-1", "CUDO", 40), center("no-luster-1", "CUDO", 12), center("gb-london-1", "CUDO", 5),
        center("us-santaclara-1", "CUDO", 9), {"id": "ca-montreal-3", "supplierName": "CUDO"}]}))
}
