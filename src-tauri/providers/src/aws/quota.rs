//! How many virtual CPUs an account may have in machines with cards. New accounts may have none, which looks like a
//! lack of machines to whoever does not know.

use serde::Deserialize;
use serde_json::json;

use super::service::{Aws, Service};

/// On demand, in vCPUs: the G and VT families, the P family (Service Quotas of EC2).
const QUOTAS: [(&str, &str); 2] = [("L-DB2E81BA", "G and VT"), ("L-417A185B", "P")];

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Told {
    quota: Option<Quota>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Quota {
    value: Option<f64>,
}

/// A remark about the quotas of a region, where they are told.
pub(super) async fn remark(aws: &Aws, region: &str) -> Option<String> {
    let mut parts = Vec::new();
    for (code, family) in QUOTAS {
        let body = json!({ "ServiceCode": "ec2", "QuotaCode": code });
        let answer = aws.ask_json("quota", (Service::Quotas, region), "GetServiceQuota", &body).await;
        // Not told is not none: the key need not have the right to ask.
        let Ok(answer) = answer else { continue };
        let text = answer.json_text();
        let told: Option<Told> = answer.parse(&text).ok();
        if let Some(value) = told.and_then(|told| told.quota).and_then(|quota| quota.value) {
            parts.push(format!("{value} vCPUs of {family} machines"));
        }
    }
    let all = parts.join(" and ");
    (!all.is_empty()).then(|| format!("in {region} the account may have {all} on demand"))
}
