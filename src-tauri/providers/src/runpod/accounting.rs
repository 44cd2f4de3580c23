//! The money side of an account: balance, bills, what stays and costs.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, SecondsFormat, Utc};
use gpudesk_core::money::Currency;
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use super::api::data;
use super::rent::{PACE, RunPodCloud, refused};
use crate::cloud::{Account, AccountFacts, CloudError, Leftover, Usage, iso};
use crate::http::{Literal, Pace, redact};

/// The service is being throttled in steps before it ends.
const GRAPHQL: Pace = Pace::per_minute("runpod balance", 20);

/// GB up to which a network volume has its first price, and the prices per GB and month
/// (<https://docs.runpod.io/pods/pricing>).
const FIRST_GB: u64 = 1000;
const FIRST_PRICE: Decimal = Decimal::from_parts(7, 0, 0, false, 2);
const NEXT_PRICE: Decimal = Decimal::from_parts(5, 0, 0, false, 2);

#[derive(Debug, Default, Deserialize)]
struct Me<'a> {
    #[serde(borrow, default)]
    myself: Option<Myself<'a>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Myself<'a> {
    #[serde(borrow)]
    client_balance: Literal<'a>,
    /// Stopped disks included.
    #[serde(borrow)]
    current_spend_per_hr: Literal<'a>,
    #[serde(borrow)]
    spend_limit: Literal<'a>,
}

/// What the key may do, and what the account has. REST v2 has no balance, so that part comes from GraphQL as long as
/// that answers.
pub(super) async fn check(cloud: &RunPodCloud) -> Result<AccountFacts, CloudError> {
    cloud.rest.get("account", "/v2/pods", PACE).await.map_err(refused)?;
    let mut facts = AccountFacts { may_read: Some(true), ..AccountFacts::unknown(Currency::USD) };
    match money(&cloud.graphql, &mut facts).await {
        Ok(()) => {}
        Err(error) => facts.remarks.push(format!("the balance could not be read: {}", error.detail)),
    }
    Ok(facts)
}

async fn money(graphql: &Account, facts: &mut AccountFacts) -> Result<(), CloudError> {
    let query = json!({ "query": "query Balance { myself { clientBalance currentSpendPerHr spendLimit } }" });
    let answer = graphql.ask("balance", "/graphql", &query, GRAPHQL).await.map_err(refused)?;
    let text = answer.json_text();
    let (me, complaints): (Me<'_>, Vec<String>) = data(&answer, &text)?;
    let Some(myself) = me.myself else {
        return Err(answer
            .bad(if complaints.is_empty() {
                "no account in the answer".to_owned()
            } else {
                complaints.join("; ")
            })
            .into());
    };
    facts.balance = myself.client_balance.money(Currency::USD);
    facts.burning_per_hour = myself.current_spend_per_hr.money(Currency::USD);
    facts.spend_limit_per_hour =
        myself.spend_limit.money(Currency::USD).filter(|limit| *limit > Decimal::ZERO);
    Ok(())
}

#[derive(Debug, Deserialize)]
struct Volumes<'a> {
    #[serde(borrow, default, rename = "networkVolumes")]
    volumes: Option<Vec<Volume<'a>>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Volume<'a> {
    #[serde(borrow, default)]
    id: Literal<'a>,
    #[serde(borrow, default)]
    name: Literal<'a>,
    #[serde(borrow, default)]
    size: Literal<'a>,
    /// `STANDARD` or `HIGH_PERFORMANCE`, which costs more than the pages say.
    #[serde(borrow, default, rename = "type")]
    kind: Literal<'a>,
}

/// Network volumes: they outlive every pod and are billed without one.
pub(super) async fn volumes(rest: &Account) -> Result<Vec<Leftover>, CloudError> {
    let answer = rest.get("network volumes", "/v2/network-volumes", PACE).await.map_err(refused)?;
    let text = answer.json_text();
    let told: Volumes<'_> = answer.parse(&text)?;
    let volumes = told.volumes.ok_or_else(|| answer.bad("JSON without the list of `networkVolumes`"))?;
    volumes
        .iter()
        .map(|volume| {
            let id = volume.id.text().ok_or_else(|| answer.bad("a network volume without an id"))?;
            let standard = volume.kind.text().is_some_and(|kind| kind == "STANDARD");
            Ok(Leftover {
                what: "network volume".to_owned(),
                remote_id: redact::words(&id),
                name: volume.name.text().map(|name| redact::words(&name)),
                size_gb: volume.size.decimal(),
                per_month: volume.size.whole().filter(|_| standard).map(a_month),
                currency: Currency::USD,
            })
        })
        .collect()
}

fn a_month(gb: u64) -> Decimal {
    Decimal::from(gb.min(FIRST_GB)) * FIRST_PRICE + Decimal::from(gb.saturating_sub(FIRST_GB)) * NEXT_PRICE
}

#[derive(Debug, Deserialize)]
struct Bill<'a> {
    #[serde(borrow, default)]
    records: Option<Vec<&'a RawValue>>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Billed<'a> {
    #[serde(borrow, default)]
    pod_id: Literal<'a>,
    #[serde(borrow, default)]
    start_time: Literal<'a>,
    #[serde(borrow, default)]
    end_time: Literal<'a>,
    #[serde(borrow, default)]
    total_amount: Literal<'a>,
    #[serde(borrow, default)]
    gpu_amount: Literal<'a>,
    #[serde(borrow, default)]
    cpu_amount: Literal<'a>,
    #[serde(borrow, default)]
    disk_amount: Literal<'a>,
}

/// What was billed for each pod: its hours added up. Bills lag behind by minutes to an hour.
pub(super) async fn usage(
    rest: &Account,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
) -> Result<Vec<Usage>, CloudError> {
    let time = |time: DateTime<Utc>| time.to_rfc3339_opts(SecondsFormat::Secs, true);
    let path = format!("/v2/billing/pods?startTime={}&endTime={}&bucketSize=hour", time(from), time(to));
    let answer = rest.get("bills", &path, PACE).await.map_err(refused)?;
    let text = answer.json_text();
    let bill: Bill<'_> = answer.parse(&text)?;
    let records = bill.records.ok_or_else(|| answer.bad("JSON without the list of `records`"))?;
    let mut pods: BTreeMap<String, Usage> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for record in records {
        let billed: Billed<'_> = answer.parse(record.get())?;
        let (Some(id), Some(total)) = (billed.pod_id.text(), billed.total_amount.money(Currency::USD)) else {
            return Err(answer.bad("a record without pod or amount").into());
        };
        // A pod has one record for each hour. Of which hour one is must be told, since hours cost the same.
        if billed.start_time.text().is_some() && !seen.insert(record.get()) {
            continue;
        }
        let start = iso(billed.start_time).unwrap_or(from);
        let end = iso(billed.end_time).unwrap_or(to);
        let compute = [billed.gpu_amount, billed.cpu_amount].into_iter().filter(|part| part.raw().is_some());
        let compute = compute.map(|part| part.money(Currency::USD)).reduce(|a, b| Some(a? + b?)).flatten();
        let hour = Usage {
            remote_id: redact::words(&id),
            token: None,
            from: start,
            to: end,
            compute,
            storage: billed.disk_amount.money(Currency::USD),
            traffic: None,
            total,
            currency: Currency::USD,
        };
        match pods.get_mut(&hour.remote_id) {
            Some(pod) => add(pod, &hour),
            None => {
                pods.insert(hour.remote_id.clone(), hour);
            }
        }
    }
    Ok(pods.into_values().collect())
}

fn add(pod: &mut Usage, hour: &Usage) {
    // A part that one hour does not tell is not known for the whole.
    let sum = |a: Option<Decimal>, b: Option<Decimal>| Some(a? + b?);
    pod.from = pod.from.min(hour.from);
    pod.to = pod.to.max(hour.to);
    pod.compute = sum(pod.compute, hour.compute);
    pod.storage = sum(pod.storage, hour.storage);
    pod.total += hour.total;
}
