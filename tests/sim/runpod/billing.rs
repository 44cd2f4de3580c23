//! Bills: what each pod cost, bucket by bucket.

use std::collections::HashMap;

use axum::Json;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::IntoResponse;
use chrono::DateTime;
use serde_json::{Value, json};

use super::super::clock::{Nanos, SECOND, iso};
use super::super::machine::{Machine, Meter, Service};
use super::super::world::dollars;
use super::super::{Answer, Refused, Shared, enter};
use super::{V2, bad};

type Asked = HashMap<String, String>;

/// The asked time: from, to, the length of a bucket and its word.
fn window(asked: &Asked, now: Nanos) -> Result<(Nanos, Nanos, Nanos, String), Refused> {
    let word = asked.get("bucketSize").cloned().unwrap_or_else(|| "day".to_owned());
    let hours = match word.as_str() {
        "hour" => 1,
        "day" => 24,
        "week" => 24 * 7,
        "month" => 24 * 30,
        "year" => 24 * 365,
        _ => return Err(bad("bucketSize must be one of hour, day, week, month, year")),
    };
    let bucket = hours * 3_600 * SECOND;
    let time = |name: &str| {
        let text = asked.get(name)?;
        Some(DateTime::parse_from_rfc3339(text).ok().and_then(|date| date.timestamp_nanos_opt()))
    };
    let bound = |name: &str, usual: Nanos| match time(name) {
        None => Ok(usual),
        Some(Some(at)) => Ok(at),
        Some(None) => Err(bad(&format!("{name} must be an ISO 8601 time"))),
    };
    let last = asked.get("lastN").and_then(|n| n.parse::<i64>().ok()).unwrap_or(30);
    let from = bound("startTime", now - last * bucket)?;
    let to = bound("endTime", now)?;
    Ok((from - from.rem_euclid(bucket), to, bucket, word))
}

/// What pods cost.
pub async fn pods(State(market): State<Shared>, Query(asked): Query<Asked>, headers: HeaderMap) -> Answer {
    let (world, caller, now) = enter(&market, &headers, V2, false)?;
    let (from, to, bucket, word) = window(&asked, now)?;
    let theirs = |m: &&Machine| {
        m.service == Service::Runpod
            && m.account == caller.account
            && asked.get("podId").is_none_or(|wanted| *wanted == m.id)
    };
    let mut records = Vec::new();
    let mut totals = (0, 0);
    let mut pods = 0;
    for machine in world.machines.iter().filter(theirs) {
        let before = records.len();
        // From the bucket of its making on: there is nothing before it.
        let mut start = from.max(machine.created - machine.created.rem_euclid(bucket));
        while start < to {
            let end = start + bucket;
            let (gpu, disk) = (
                machine.within(Meter::Compute, start, end.min(now)),
                machine.within(Meter::Disk, start, end.min(now)),
            );
            if gpu + disk > 0 {
                totals = (totals.0 + gpu, totals.1 + disk);
                let mut record = amounts(gpu, disk);
                record["podId"] = machine.id.as_str().into();
                record["startTime"] = iso(start).into();
                record["endTime"] = iso(end).into();
                records.push(record);
            }
            start = end;
        }
        pods += usize::from(records.len() > before);
    }
    let query = json!({
        "startTime": iso(from), "endTime": iso(to), "bucketSize": word, "podId": asked.get("podId"),
    });
    Ok(Json(json!({
        "metadata": {
            "query": query, "recordCount": records.len(), "uniquePodCount": pods,
            "totals": amounts(totals.0, totals.1),
        },
        "records": records,
    }))
    .into_response())
}

fn amounts(gpu: i64, disk: i64) -> Value {
    json!({
        "totalAmount": dollars(gpu + disk), "gpuAmount": dollars(gpu), "cpuAmount": 0.0, "diskAmount": dollars(disk),
    })
}

/// All kinds together; here there are only pods, in one record.
pub async fn all(State(market): State<Shared>, Query(asked): Query<Asked>, headers: HeaderMap) -> Answer {
    let (world, caller, now) = enter(&market, &headers, V2, false)?;
    let (from, to, _, word) = window(&asked, now)?;
    let theirs =
        || world.machines.iter().filter(|m| m.service == Service::Runpod && m.account == caller.account);
    let gpu: i64 = theirs().map(|machine| machine.within(Meter::Compute, from, to.min(now))).sum();
    let disk: i64 = theirs().map(|machine| machine.within(Meter::Disk, from, to.min(now))).sum();
    let mut totals = json!({ "totalAmount": dollars(gpu + disk), "podGpuAmount": dollars(gpu), "podDiskAmount": dollars(disk) });
    for absent in [
        "podCpuAmount",
        "serverlessGpuAmount",
        "serverlessCpuAmount",
        "serverlessDiskAmount",
        "serverlessFeeAmount",
        "storageStandardAmount",
        "storageHighPerformanceAmount",
        "endpointAmount",
        "clusterGpuAmount",
        "clusterDiskAmount",
        "clusterNetworkingAmount",
    ] {
        totals[absent] = json!(0.0);
    }
    let mut record = totals.clone();
    record["startTime"] = iso(from).into();
    record["endTime"] = iso(to).into();
    let query = json!({ "startTime": iso(from), "endTime": iso(to), "bucketSize": word });
    let metadata = json!({ "query": query, "recordCount": 1, "totals": totals });
    Ok(Json(json!({ "records": [record], "metadata": metadata })).into_response())
}
