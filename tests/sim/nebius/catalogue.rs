//! Projects, subnets, platforms, prices, what is free, disks.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use prost::Message;

use super::super::kind::{Kind, named};
use super::super::machine::Phase;
use super::super::{Answer, Shared};
use super::proto::{
    AggregationUnit, ComputeInstanceDetails, ComputeInstanceDetailsPreset, Container, ContainerStatus,
    CostBreakdown, CreateInstanceRequest, Disk, DiskStatus, EstimateBatchRequest, EstimateBatchResponse,
    GeneralResourceCost, ListDisksRequest, ListDisksResponse, ListPlatformsRequest, ListPlatformsResponse,
    ListProjectsRequest, ListProjectsResponse, ListResourceAdviceRequest, ListResourceAdviceResponse,
    ListSubnetsRequest, ListSubnetsResponse, Platform, PlatformSpec, PlatformStatus, Preset, PresetResources,
    ResourceAdvice, ResourceAdviceSpec, ResourceAdviceStatus, ResourceAdviceStatusAvailability,
    ResourceMetadata, ServiceError, Subnet, TotalCost,
};
use super::rpc::{answer, message, refuse};
use super::{PROJECTS, SERVICE, TENANT, let_in};

/// Presets of platforms, named `platform/preset`.
pub const KINDS: [Kind; 5] = [
    kind(
        "gpu-h200-sxm/1gpu-16vcpu-200gb",
        ("NVIDIA H200", 143_771, 141),
        (1, 35_000),
        (16, 200),
        &[("eu-north1", 2), ("us-central1", 1)],
    ),
    kind(
        "gpu-h200-sxm/8gpu-128vcpu-1600gb",
        ("NVIDIA H200", 143_771, 141),
        (8, 280_000),
        (128, 1600),
        &[("eu-north1", 1)],
    ),
    kind(
        "gpu-l40s-a/1gpu-8vcpu-32gb",
        ("NVIDIA L40S", 46_068, 48),
        (1, 15_500),
        (8, 32),
        &[("eu-north1", 3), ("eu-west1", 1)],
    ),
    // A platform without a price is answered with a success of 0.
    kind(
        "gpu-gb300/4gpu-140vcpu-900gb",
        ("NVIDIA GB300", 284_208, 288),
        (4, 0),
        (140, 900),
        &[("eu-north1", 1)],
    ),
    kind(
        "cpu-d3/4vcpu-16gb",
        ("", 0, 0),
        (0, 1_000),
        (4, 16),
        &[("eu-north1", 9), ("us-central1", 9), ("eu-west1", 9)],
    ),
];

const fn kind(
    name: &'static str,
    (driver, mib, gib): (&'static str, u32, u32),
    (cards, price): (u32, i64),
    (vcpus, memory): (u32, u32),
    places: &'static [(&'static str, usize)],
) -> Kind {
    Kind { name, gpu: "", driver, mib, gib, cards, price, vcpus, memory, disk: 0, places }
}

/// The region of a project.
pub fn region(project: &str) -> Option<&'static str> {
    PROJECTS.iter().find(|(id, _)| *id == project).map(|(_, region)| *region)
}

/// A metadata of an id, a parent and a name.
pub fn metadata(id: &str, parent: &str, name: &str) -> ResourceMetadata {
    ResourceMetadata {
        id: id.to_owned(),
        parent_id: parent.to_owned(),
        name: name.to_owned(),
        ..ResourceMetadata::default()
    }
}

/// The projects of the tenant.
pub async fn projects(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    drop(let_in(&market, &headers, false)?);
    let asked: ListProjectsRequest = message(&body)?;
    let known = asked.parent_id == TENANT;
    let items = PROJECTS
        .iter()
        .filter(|_| known)
        .map(|(id, region)| Container {
            metadata: Some(metadata(id, TENANT, &format!("default-project-{region}"))),
            status: Some(ContainerStatus { region: (*region).to_owned(), ..ContainerStatus::default() }),
        })
        .collect();
    Ok(answer(&ListProjectsResponse { items, next_page_token: String::new() }))
}

/// The subnets of a project.
pub async fn subnets(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    drop(let_in(&market, &headers, false)?);
    let asked: ListSubnetsRequest = message(&body)?;
    let named = |id: &str, name: &str| Subnet { metadata: Some(metadata(id, &asked.parent_id, name)) };
    let items = vec![named("vpcsubnet-other", "training"), named("vpcsubnet-usual", "default-subnet-abc")];
    Ok(answer(&ListSubnetsResponse { items, next_page_token: String::new() }))
}

/// The platforms of a project with their presets.
pub async fn platforms(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    drop(let_in(&market, &headers, false)?);
    let asked: ListPlatformsRequest = message(&body)?;
    let here = region(&asked.parent_id).unwrap_or_default();
    let mut items: Vec<Platform> = Vec::new();
    for kind in KINDS.iter().filter(|kind| kind.places.iter().any(|(place, _)| *place == here)) {
        let (platform, preset) = kind.name.split_once('/').unwrap_or_default();
        let preset = Preset {
            name: preset.to_owned(),
            resources: Some(PresetResources {
                vcpu_count: i32::try_from(kind.vcpus).unwrap_or(0),
                memory_gibibytes: i32::try_from(kind.memory).unwrap_or(0),
                gpu_count: i32::try_from(kind.cards).unwrap_or(0),
                ..PresetResources::default()
            }),
            allow_gpu_clustering: kind.cards == 8,
        };
        let known = items.iter_mut().find(|p| p.metadata.as_ref().is_some_and(|m| m.name == platform));
        match known.and_then(|known| known.spec.as_mut()) {
            Some(spec) => spec.presets.push(preset),
            None => items.push(Platform {
                metadata: Some(metadata(&format!("computeplatform-{platform}"), &asked.parent_id, platform)),
                spec: Some(PlatformSpec {
                    presets: vec![preset],
                    human_readable_name: platform.to_owned(),
                    gpu_memory_gibibytes: i32::try_from(kind.gib).unwrap_or(0),
                    gpu_memory_gigabytes: i32::try_from(kind.gib).unwrap_or(0),
                    ..PlatformSpec::default()
                }),
                status: Some(PlatformStatus { allowed_for_preemptibles: platform.starts_with("gpu-h") }),
            }),
        }
    }
    Ok(answer(&ListPlatformsResponse { items, next_page_token: String::new() }))
}

/// The price of one machine an hour, as a decimal text.
pub async fn estimate(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let factor = market.factor();
    drop(let_in(&market, &headers, false)?);
    let asked: EstimateBatchRequest = message(&body)?;
    let mut total = 0.0;
    for spec in asked.resource_specs.iter().filter_map(|one| one.spec.as_ref()) {
        let order =
            CreateInstanceRequest::decode(spec.value.as_slice()).unwrap_or_default().spec.unwrap_or_default();
        let size = order.resources.unwrap_or_default();
        let name = format!("{}/{}", size.platform, size.preset.unwrap_or_default());
        let Some(kind) = named(&KINDS, &name) else {
            return Ok(refuse(3, "unresolved sku", &ServiceError::default()));
        };
        let share = if order.preemptible.is_some() { 0.5 } else { 1.0 };
        total += kind.number(factor) * share;
    }
    let cost = |unit: &str, cost: f64| TotalCost {
        aggregation_unit: Some(AggregationUnit { unit: unit.to_owned(), unit_type: 1 }),
        general: Some(GeneralResourceCost {
            total: Some(CostBreakdown { cost: format!("{cost}"), cost_rounded: format!("{cost:.2}") }),
        }),
    };
    let total_costs = vec![cost("month", total * 720.0), cost("hour", total)];
    Ok(answer(&EstimateBatchResponse { total_costs, currency: "usd".to_owned() }))
}

/// What is free: of one region the figures are stale.
pub async fn advice(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let (world, _, _) = let_in(&market, &headers, false)?;
    let asked: ListResourceAdviceRequest = message(&body)?;
    let mut items = Vec::new();
    for kind in KINDS.iter().filter(|kind| kind.cards > 0) {
        let (platform, preset) = kind.name.split_once('/').unwrap_or_default();
        for (place, most) in kind.places {
            let there = kind.has(SERVICE, place, &world);
            let told = ResourceAdviceStatusAvailability {
                data_state: if *place == "eu-west1" { 2 } else { 1 },
                available: if there { u32::try_from(*most).unwrap_or(0) } else { 0 },
                limit: 8,
                availability_level: if there { 2 } else { 4 },
                effective_at: None,
            };
            items.push(ResourceAdvice {
                metadata: Some(metadata("", &asked.parent_id, "")),
                spec: Some(ResourceAdviceSpec {
                    region: (*place).to_owned(),
                    fabric: "fabric-3".to_owned(),
                    compute_instance: Some(ComputeInstanceDetails {
                        platform: platform.to_owned(),
                        preset: Some(ComputeInstanceDetailsPreset {
                            name: preset.to_owned(),
                            resources: None,
                        }),
                        gpu_memory_gigabytes: i32::try_from(kind.gib).unwrap_or(0),
                    }),
                }),
                status: Some(ResourceAdviceStatus {
                    reserved: None,
                    on_demand: Some(told.clone()),
                    preemptible: Some(told),
                }),
            });
        }
    }
    Ok(answer(&ListResourceAdviceResponse { items, next_page_token: String::new() }))
}

/// The disks of a project: each machine's own, as long as it is there.
pub async fn disks(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let (world, caller, _) = let_in(&market, &headers, false)?;
    let asked: ListDisksRequest = message(&body)?;
    let here = region(&asked.parent_id).unwrap_or_default();
    let items = world
        .of(SERVICE, caller.account)
        .filter(|machine| machine.facts["place"] == here && machine.phase != Phase::Gone)
        .map(|machine| Disk {
            metadata: Some(metadata(&format!("computedisk-{}", machine.number), &asked.parent_id, "boot")),
            spec: None,
            status: Some(DiskStatus {
                state: 2,
                read_write_attachment: machine.id.clone(),
                size_bytes: 107_374_182_400,
                ..DiskStatus::default()
            }),
        })
        .collect();
    Ok(answer(&ListDisksResponse { items, next_page_token: String::new() }))
}
