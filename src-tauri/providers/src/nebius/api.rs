//! The calls, and what their errors mean.

use futures::{StreamExt, stream};
use gpudesk_core::money::Currency;
use prost::Message;
use rust_decimal::Decimal;

use super::session::{Service, Session};
use super::wire::{Any, List, ListRequest, Metadata, Project, RpcStatus, ServiceError};
use super::wire_instance::{Instance, InstanceSpec, PREEMPTION_STOP, Preemptible, Resources};
use super::wire_offers::{
    Advice, EstimateRequest, EstimateResponse, HOUR, ListPlatformsRequest, Platform, Priced, Units,
};
use crate::cloud::{CloudError, CloudErrorCode};
use crate::http::{Failure, Pace, redact};
use crate::source::SourceErrorCode;

/// No limit is published; this is a courtesy.
pub(super) const PACE: Pace = Pace::per_minute("nebius", 600);

/// Rows of a page.
const PAGE: i64 = 500;

/// The most pages that are read: a list that never ends is broken.
const MOST_PAGES: usize = 50;

/// Prices that are asked for at a time.
const AT_ONCE: usize = 8;

/// A project and the region it is in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Home {
    pub project: String,
    pub name: String,
    pub region: String,
}

/// Every row of a list of `parent`, and whether the list came to its end.
pub(super) async fn rows(
    session: &Session,
    doing: &str,
    method: (Service, &str),
    parent: &str,
) -> Result<(Vec<Vec<u8>>, bool), CloudError> {
    let mut ask = ListRequest { parent_id: parent.to_owned(), page_size: PAGE, page_token: String::new() };
    let mut all = Vec::new();
    for _ in 0..MOST_PAGES {
        let page: List = session.ask(doing, method, &ask).await?;
        all.extend(page.items);
        if page.next_page_token.is_empty() {
            return Ok((all, true));
        }
        if page.next_page_token == ask.page_token {
            break;
        }
        ask.page_token = page.next_page_token;
    }
    Ok((all, false))
}

/// The projects of the account, each with its region, in an order of their own.
pub(super) async fn homes(session: &Session, doing: &str) -> Result<Vec<Home>, CloudError> {
    let (tenant, only) = (session.part("tenant_id"), session.part("project_id"));
    let (rows, whole) =
        rows(session, doing, (Service::Iam, "nebius.iam.v1.ProjectService/List"), &tenant).await?;
    let mut homes: Vec<Home> = Vec::new();
    for row in &rows {
        let Ok(project) = Project::decode(row.as_slice()) else { continue };
        let (metadata, status) = (project.metadata.unwrap_or_default(), project.status.unwrap_or_default());
        if !metadata.id.is_empty() && (only.is_empty() || only == metadata.id) {
            homes.push(Home {
                project: metadata.id,
                name: redact::words(&metadata.name),
                region: redact::words(&status.region),
            });
        }
    }
    homes.sort_by(|a, b| (&a.region, &a.project).cmp(&(&b.region, &b.project)));
    if homes.is_empty() || !whole {
        let words = match (only.is_empty(), whole) {
            (_, false) => "the list of projects does not end".to_owned(),
            (true, _) => "the tenant shows no project to this service account".to_owned(),
            (false, _) => format!("there is no project {only} in the tenant"),
        };
        return Err(Session::error(CloudErrorCode::AccountNotReady, doing, words)
            .hint("make a project, or let the service account's group see it"));
    }
    session.homes.lock().await.clone_from(&homes);
    Ok(homes)
}

/// The region of a project; empty where it cannot be told.
pub(super) async fn region(session: &Session, doing: &str, project: &str) -> String {
    let of =
        |homes: &[Home]| homes.iter().find(|home| home.project == project).map(|home| home.region.clone());
    let known = of(&session.homes.lock().await);
    match known {
        Some(region) => region,
        None => homes(session, doing).await.ok().and_then(|homes| of(&homes)).unwrap_or_default(),
    }
}

/// The platforms of a project.
pub(super) async fn platforms(
    session: &Session,
    doing: &str,
    project: &str,
) -> Result<Vec<Vec<u8>>, CloudError> {
    let mut ask =
        ListPlatformsRequest { parent_id: project.to_owned(), page_size: PAGE, page_token: String::new() };
    let mut all = Vec::new();
    for _ in 0..MOST_PAGES {
        let page: List =
            session.ask(doing, (Service::Compute, "nebius.compute.v1.PlatformService/List"), &ask).await?;
        all.extend(page.items);
        if page.next_page_token.is_empty() {
            break;
        }
        ask.page_token = page.next_page_token;
    }
    Ok(all)
}

/// What is free, as far as the account may see it; nothing where it may not.
pub(super) async fn advice(session: &Session, doing: &str) -> Vec<Advice> {
    let method = (Service::Capacity, "nebius.capacity.v1.ResourceAdviceService/List");
    match rows(session, doing, method, &session.part("tenant_id")).await {
        Ok((rows, _)) => rows.iter().filter_map(|row| Advice::decode(row.as_slice()).ok()).collect(),
        Err(error) => {
            tracing::info!(code = error.code.word(), "what is free at Nebius is not told");
            Vec::new()
        }
    }
}

/// What a price is asked for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Wanted {
    pub project: String,
    pub platform: String,
    pub preset: String,
    pub preemptible: bool,
}

/// A price per hour and its currency; `None` where there is none.
pub(super) type Cost = Option<(Decimal, Currency)>;

/// The prices of these, each asked for alone: one that cannot be priced fails a whole batch.
pub(super) async fn prices(
    session: &Session,
    doing: &str,
    wanted: Vec<Wanted>,
) -> Result<Vec<(Wanted, Cost)>, CloudError> {
    let mut asked = stream::iter(wanted.into_iter().map(|one| async move {
        let cost = price(session, doing, &one).await;
        (one, cost)
    }))
    .buffer_unordered(AT_ONCE);
    let mut all = Vec::new();
    while let Some((one, cost)) = asked.next().await {
        all.push((one, cost?));
    }
    Ok(all)
}

/// A new platform may be refused as unknown to the calculator, which is no price.
pub(super) async fn price(session: &Session, doing: &str, wanted: &Wanted) -> Result<Cost, CloudError> {
    let instance = Instance {
        metadata: Some(Metadata { parent_id: wanted.project.clone(), ..Metadata::default() }),
        spec: Some(InstanceSpec {
            resources: Some(Resources { platform: wanted.platform.clone(), preset: wanted.preset.clone() }),
            preemptible: wanted.preemptible.then_some(Preemptible { on_preemption: PREEMPTION_STOP }),
            follows_spot_price: wanted.preemptible.then_some(super::wire::Empty {}),
            ..InstanceSpec::default()
        }),
        status: None,
    };
    let spec = Any {
        type_url: "type.googleapis.com/nebius.compute.v1.CreateInstanceRequest".to_owned(),
        value: instance.encode_to_vec(),
    };
    let ask = EstimateRequest {
        resource_specs: vec![Priced { spec: Some(spec) }],
        units: Some(Units { values: vec![HOUR] }),
    };
    let method = (Service::Prices, "nebius.billing.v1.CalculatorService/EstimateBatch");
    let answer: EstimateResponse = match session.ask(doing, method, &ask).await {
        Ok(answer) => answer,
        Err(error) if matches!(error.code, CloudErrorCode::Refused | CloudErrorCode::NoSuchMachine) => {
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    let hourly =
        answer.total_costs.iter().find(|cost| cost.unit.as_ref().is_some_and(|unit| unit.unit == "hour"));
    let text = hourly.and_then(|cost| cost.general.as_ref()?.total.as_ref()).map(|total| total.cost.as_str());
    let currency = match answer.currency.as_str() {
        "" => Some(Currency::USD),
        word => word.to_ascii_uppercase().parse().ok(),
    };
    // A platform without a price is answered with a success of 0.
    let cost = text.and_then(|text| text.parse::<Decimal>().ok()).filter(|cost| *cost > Decimal::ZERO);
    Ok(cost.map(|cost| cost.normalize()).zip(currency))
}

/// What a platform is called and what it has.
pub(super) fn platform(row: &[u8]) -> Result<Platform, String> {
    Platform::decode(row).map_err(|error| redact::words(&format!("not a platform: {error}")))
}

/// The details of a refusal.
fn details(status: &RpcStatus) -> ServiceError {
    let ours = status.details.iter().find(|any| any.type_url.ends_with("nebius.common.v1.ServiceError"));
    ours.and_then(|any| ServiceError::decode(any.value.as_slice()).ok()).unwrap_or_default()
}

/// The error of a failed call: its details decide, then the words.
pub(super) fn refused(failure: Failure) -> CloudError {
    let status = RpcStatus::decode(failure.body.as_slice()).unwrap_or_default();
    explained(CloudError::from(failure), &status)
}

/// The same error with what the details say.
pub(super) fn explained(mut error: CloudError, status: &RpcStatus) -> CloudError {
    use CloudErrorCode::{AccountNotReady, BadKey, Conflict, Forbidden, Http, NoCapacity, NoFunds, Quota};
    let told = details(status);
    let words = format!("{} {}", error.detail, status.message).to_ascii_lowercase();
    let says = |any: &[&str]| any.iter().any(|part| words.contains(part));
    let limited = error.code == Http(SourceErrorCode::RateLimited);
    error.code = match () {
        () if told.not_enough_resources.is_some() => NoCapacity,
        () if told.quota_failure.is_some() => Quota,
        () if told.too_many_requests.is_some() => Http(SourceErrorCode::RateLimited),
        () if told.permission_denied.is_some() => Forbidden,
        () if told.resource_not_found.is_some() => CloudErrorCode::NoSuchMachine,
        () if told.operation_conflict.is_some()
            || told.operation_aborted.is_some()
            || told.resource_conflict.is_some()
            || told.bad_resource_state.is_some() =>
        {
            Conflict
        }
        () if says(&["billing", "payment", "balance"]) => NoFunds,
        () if says(&["suspended"]) => AccountNotReady,
        () if limited && says(&["quota"]) => Quota,
        () if limited && says(&["not enough", "capacity", "no resources"]) => NoCapacity,
        // FAILED_PRECONDITION without details.
        () if error.detail.contains("gRPC 9:") => Conflict,
        () => error.code,
    };
    for violation in
        [&told.quota_failure, &told.not_enough_resources].into_iter().flatten().flat_map(|v| &v.violations)
    {
        error.detail =
            redact::words(&format!("{} ({}: {})", error.detail, violation.what, violation.message));
    }
    let hint = match error.code {
        BadKey => "check the service account, the id of its authorized key and the private key",
        Forbidden => "put the service account into a group with the role editor in its projects",
        NoCapacity => "choose another region or preset, or a preemptible machine, or try again later",
        Quota => "ask Nebius for a higher quota, or end a machine",
        NoFunds => "put the payment in order on the billing page of Nebius",
        AccountNotReady => "ask the support of Nebius why the tenant is suspended",
        Conflict => "wait until the operation in progress is done",
        _ => return error,
    };
    error.hint = Some(hint.to_owned());
    error
}
