//! Instances: create, look, stop, start, delete.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde_json::{Map, Value, json};

use super::super::account::Account;
use super::super::clock::SECOND;
use super::super::kind::named;
use super::super::machine::{Machine, Phase};
use super::super::refusal::Refusal;
use super::super::world::World;
use super::super::{Answer, Market, Refused, Shared};
use super::catalogue::{KINDS, metadata, region};
use super::proto::{
    CreateInstanceRequest, DeleteInstanceRequest, GetInstanceRequest, IPAddressStatus, Instance,
    InstanceSpec, InstanceStatus, ListInstancesRequest, ListInstancesResponse, NetworkInterfaceStatus,
    Operation, OperationConflict, PreemptibleSpec, PublicIPAddressStatus, ResourcesSpec, RpcStatus,
    ServiceError, StartInstanceRequest, StopInstanceRequest, Timestamp,
};
use super::rpc::{answer, message, refuse};
use super::{PROJECTS, SERVICE, let_in};

/// The most rows of a page.
const MOST_ROWS: i64 = 100;

/// Nano-dollars of a GiB of network disk for an hour.
const DISK_RATE: i64 = 100_000;

fn invalid(words: &str) -> Refused {
    refuse(3, words, &ServiceError::default()).into()
}

fn operation(number: u32, resource: &str) -> Response {
    answer(&Operation {
        id: format!("computeoperation-e00{number}"),
        resource_id: resource.to_owned(),
        status: None,
        ..Operation::default()
    })
}

/// Whether a label's key and value are allowed.
fn label_fits(key: &str, value: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_');
    key.starts_with(|c: char| c.is_ascii_lowercase())
        && key.len() <= 63
        && value.len() <= 63
        && key.chars().chain(value.chars()).all(plain)
}

/// Makes an instance; the same idempotency key makes no second one.
pub async fn create(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let factor = market.factor();
    let (mut world, caller, now) = let_in(&market, &headers, true)?;
    let order: CreateInstanceRequest = message(&body)?;
    let (about, spec) = (order.metadata.unwrap_or_default(), order.spec.unwrap_or_default());
    let idempotency = headers.get("x-idempotency-key").and_then(|key| key.to_str().ok()).unwrap_or_default();
    let again = world.machines.iter().find(|m| {
        m.service == SERVICE
            && m.account == caller.account
            && !idempotency.is_empty()
            && m.facts["idempotency"] == idempotency
    });
    if let Some(again) = again {
        return Ok(operation(again.number, &again.id));
    }
    let Some(place) = region(&about.parent_id) else { return Err(invalid("metadata.parent_id")) };
    let size = spec.resources.clone().unwrap_or_default();
    let name = format!("{}/{}", size.platform, size.preset.unwrap_or_default());
    let Some(kind) = named(&KINDS, &name) else { return Err(invalid("spec.resources")) };
    let gib = checked(&spec).map_err(invalid)?;
    if !about.labels.iter().all(|(key, value)| label_fits(key, value)) {
        return Err(invalid("metadata.labels"));
    }
    if caller.account == Account::Poor {
        return Err(super::refuse(Refusal::NoFunds, "", now).into());
    }
    if !kind.has(SERVICE, place, &world) {
        return Err(super::refuse(Refusal::NoCapacity, "", now).into());
    }
    let number = world.number();
    let id = format!("computeinstance-e00{number:012}");
    let labels: Map<String, Value> = about.labels.iter().map(|(k, v)| (k.clone(), json!(v))).collect();
    let request = json!({ "name": about.name, "labels": labels, "image": image(&spec) });
    let mut machine =
        kind.machine((SERVICE, caller.account), (id.clone(), number), (now, factor), (place, request));
    machine.keys = keys(&spec.cloud_init_user_data);
    machine.facts["idempotency"] = idempotency.into();
    machine.facts["preemptible"] = spec.preemptible.is_some().into();
    machine.facts["public"] =
        spec.network_interfaces.first().is_some_and(|one| one.public_ip_address.is_some()).into();
    machine.facts["recovery"] = spec.recovery_policy.into();
    if spec.preemptible.is_some() {
        machine.rates.compute /= 2;
    }
    machine.rates.disk = gib * DISK_RATE;
    machine.rates.disk_stopped = machine.rates.disk;
    machine.disk_gb = (gib as f64, gib as f64);
    world.launch(machine, now);
    Ok(operation(number, &id))
}

/// The GiB of the disk, or the field that is wrong.
fn checked(spec: &InstanceSpec) -> Result<i64, &'static str> {
    let disk = spec.boot_disk.as_ref().ok_or("spec.boot_disk")?;
    let managed = disk.managed_disk.as_ref().ok_or("spec.boot_disk.managed_disk")?;
    let of_disk = managed.spec.as_ref().ok_or("spec.boot_disk.managed_disk.spec")?;
    let interface = spec.network_interfaces.first().ok_or("spec.network_interfaces")?;
    if disk.attach_mode != 2 || managed.name.is_empty() || of_disk.r#type == 0 {
        return Err("spec.boot_disk");
    }
    if of_disk.source_image_family.as_ref().is_none_or(|family| family.image_family.is_empty()) {
        return Err("spec.boot_disk.managed_disk.spec.source_image_family");
    }
    if interface.subnet_id != "vpcsubnet-usual" || interface.name.is_empty() || interface.ip_address.is_none()
    {
        return Err("spec.network_interfaces");
    }
    if spec.cloud_init_user_data.len() > 32_768 {
        return Err("spec.cloud_init_user_data");
    }
    // A preemptible machine needs a policy and, by now, a kind of price.
    if let Some(preemptible) = &spec.preemptible
        && (preemptible.on_preemption != 1 || spec.recovery_policy != 1 || spec.follows_spot_price.is_none())
    {
        return Err("spec.preemptible");
    }
    of_disk.size_gibibytes.filter(|gib| *gib > 0).ok_or("spec.boot_disk.managed_disk.spec.size")
}

fn image(spec: &InstanceSpec) -> Option<String> {
    let disk = spec.boot_disk.as_ref()?.managed_disk.as_ref()?.spec.as_ref()?;
    Some(disk.source_image_family.as_ref()?.image_family.clone())
}

/// The keys in a cloud-config, each on a line of its own.
fn keys(user_data: &str) -> Vec<String> {
    let lines = user_data.lines().filter_map(|line| line.trim().strip_prefix("- "));
    lines.map(|key| key.trim_matches('"').to_owned()).filter(|key| key.starts_with("ssh-")).collect()
}

fn state(machine: &Machine) -> i32 {
    // A word that nobody knows is a number that nobody knows.
    if machine.word.is_some() {
        return 77;
    }
    match machine.phase {
        Phase::Made => 1,
        Phase::Loading | Phase::Waiting => 3,
        Phase::Running | Phase::Offline => 4,
        Phase::Stopping => 5,
        Phase::Stopped | Phase::Paused => 6,
        Phase::Ending | Phase::Gone => 7,
        Phase::Failed => 8,
    }
}

fn instance(market: &Market, machine: &Machine) -> Instance {
    let place = machine.facts["place"].as_str().unwrap_or_default();
    let project = PROJECTS.iter().find(|(_, region)| *region == place).map_or("", |(id, _)| *id);
    let (host, port) = market.address_of(machine);
    let mut about = metadata(&machine.id, project, machine.name.as_deref().unwrap_or_default());
    about.created_at = Some(Timestamp { seconds: machine.created / SECOND, nanos: 0 });
    for (key, value) in machine.request["labels"].as_object().into_iter().flatten() {
        about.labels.insert(key.clone(), value.as_str().unwrap_or_default().to_owned());
    }
    // Not a label of Nebius's: its machines answer at port 22, which a practice market cannot have.
    if machine.port.is_some() {
        about.labels.insert("practice-ssh-port".to_owned(), port.to_string());
    }
    let (platform, preset) =
        machine.facts["kind"].as_str().and_then(|kind| kind.split_once('/')).unwrap_or_default();
    let public = machine.is_up() && machine.facts["public"] == true;
    Instance {
        metadata: Some(about),
        spec: Some(InstanceSpec {
            resources: Some(ResourcesSpec { platform: platform.to_owned(), preset: Some(preset.to_owned()) }),
            stopped: !machine.wanted && machine.phase != Phase::Paused,
            recovery_policy: 1,
            preemptible: (machine.facts["preemptible"] == true)
                .then(|| PreemptibleSpec { on_preemption: 1, ..PreemptibleSpec::default() }),
            ..InstanceSpec::default()
        }),
        status: Some(InstanceStatus {
            state: state(machine),
            network_interfaces: vec![NetworkInterfaceStatus {
                name: "eth0".to_owned(),
                ip_address: Some(IPAddressStatus {
                    address: "10.0.0.7/32".to_owned(),
                    ..IPAddressStatus::default()
                }),
                public_ip_address: public.then(|| PublicIPAddressStatus {
                    address: format!("{host}/32"),
                    ..PublicIPAddressStatus::default()
                }),
                ..NetworkInterfaceStatus::default()
            }],
            reconciling: matches!(
                machine.phase,
                Phase::Made | Phase::Loading | Phase::Stopping | Phase::Ending
            ),
            ..InstanceStatus::default()
        }),
    }
}

/// The instances of a project, a page at a time.
pub async fn list(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let (world, caller, _) = let_in(&market, &headers, false)?;
    let asked: ListInstancesRequest = message(&body)?;
    let here = region(&asked.parent_id).unwrap_or_default();
    let each = usize::try_from(asked.page_size.clamp(1, MOST_ROWS)).unwrap_or(1);
    let from: usize = if asked.page_token.is_empty() { 0 } else { asked.page_token.parse().unwrap_or(0) };
    let all: Vec<Instance> = world
        .of(SERVICE, caller.account)
        .filter(|machine| machine.facts["place"] == here)
        .map(|machine| instance(&market, machine))
        .collect();
    let next = if from + each < all.len() { (from + each).to_string() } else { String::new() };
    let items = all.into_iter().skip(from).take(each).collect();
    Ok(answer(&ListInstancesResponse { items, next_page_token: next }))
}

fn found<'a>(world: &'a mut World, account: Account, id: &str) -> Result<&'a mut Machine, Refused> {
    let gone = || Refused::from(refuse(5, "instance is not found", &ServiceError::default()));
    world.find(SERVICE, account, id).ok_or_else(gone)
}

/// One instance.
pub async fn get(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let (mut world, caller, _) = let_in(&market, &headers, false)?;
    let asked: GetInstanceRequest = message(&body)?;
    let machine = found(&mut world, caller.account, &asked.id)?;
    Ok(answer(&instance(&market, machine)))
}

/// Two operations on one machine are refused.
fn conflict(id: &str) -> Refused {
    let operation_conflict =
        Some(OperationConflict { resource_id: id.to_owned(), ..OperationConflict::default() });
    let details = ServiceError { operation_conflict, ..ServiceError::default() };
    refuse(10, "another operation is in progress", &details).into()
}

async fn operate(
    market: &Market,
    headers: &HeaderMap,
    id: &str,
    allowed: impl Fn(Phase) -> bool,
    act: impl Fn(&mut World, &str, i64),
) -> Answer {
    let (mut world, caller, now) = let_in(market, headers, true)?;
    let machine = found(&mut world, caller.account, id)?;
    let number = machine.number;
    if matches!(machine.phase, Phase::Stopping | Phase::Ending) || !allowed(machine.phase) {
        return Err(conflict(id));
    }
    act(&mut world, id, now);
    Ok(operation(number, id))
}

/// A stop, which frees the cards.
pub async fn stop(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let asked: StopInstanceRequest = message(&body)?;
    operate(&market, &headers, &asked.id, |phase| phase == Phase::Running, World::stop).await
}

/// A start, which may find no card: that is told by the operation.
pub async fn start(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let asked: StartInstanceRequest = message(&body)?;
    let full = {
        let (mut world, caller, _) = let_in(&market, &headers, true)?;
        let machine = found(&mut world, caller.account, &asked.id)?;
        let (kind, place) = (
            named(&KINDS, machine.facts["kind"].as_str().unwrap_or_default()),
            machine.facts["place"].as_str().unwrap_or_default().to_owned(),
        );
        !kind.is_some_and(|kind| kind.has(SERVICE, &place, &world))
    };
    if full {
        let status = RpcStatus { code: 8, message: "Not enough resources".to_owned(), details: Vec::new() };
        let failed =
            Operation { resource_id: asked.id.clone(), status: Some(status), ..Operation::default() };
        return Ok(answer(&failed));
    }
    let stands = |phase| matches!(phase, Phase::Stopped | Phase::Paused);
    operate(&market, &headers, &asked.id, stands, World::start).await
}

/// The end, of the disk too.
pub async fn delete(State(market): State<Shared>, headers: HeaderMap, body: Bytes) -> Answer {
    let asked: DeleteInstanceRequest = message(&body)?;
    operate(&market, &headers, &asked.id, |_| true, World::end).await
}
