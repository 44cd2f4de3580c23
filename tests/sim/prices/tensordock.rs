//! The list of hosts of TensorDock's older interface.

use axum::Router;
use axum::extract::State;
use axum::routing::get;
use serde_json::{Value, json};

use super::moved;
use crate::sim::Shared;

pub fn routes() -> Router<Shared> {
    Router::new().route("/api/v0/client/deploy/hostnodes", get(hosts))
}

async fn hosts(State(market): State<Shared>) -> axum::Json<Value> {
    let host = |city: &str, region: &str, country: &str, ports: &[u32], cards: &Value| {
        json!({"location": {"city": city, "country": country, "region": region, "id": "loc"},
            "networking": {"ports": ports, "receive": 0, "send": 0},
            "specs": {"cpu": {"amount": 60, "price": moved(&market, 0.003), "type": "AMD EPYC"},
                      "ram": {"amount": 228, "price": moved(&market, 0.002)},
                      "storage": {"amount": 2900, "price": 0.00005}, "gpu": cards},
            "status": {"listed": true, "online": true, "report": "", "uptime": 0.997}})
    };
    let card = |amount: u32, price: f64, vram: u32| json!({"amount": amount, "price": moved(&market, price), "vram": vram});
    axum::Json(json!({"success": true, "hostnodes": {
        "c3f0a1de-0001": host("Chubbuck", "Idaho", "United States", &[20029, 20030],
            &json!({"geforcertx4090-pcie-24gb": card(4, 0.37, 24), "rtxa6000-pcie-48gb": card(1, 0.45, 48)})),
        "c3f0a1de-0002": host("Amsterdam", "North Holland", "Netherlands", &[],
            &json!({"h100-sxm5-80gb": card(8, 2.25, 80)})),
        "c3f0a1de-0003": host("Somewhere", "", "Atlantis", &[31000],
            &json!({"v100-sxm2-16gb": card(0, 0.22, 16)}))}}))
}
