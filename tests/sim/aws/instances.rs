//! Machines: what is told of them, stop, start, terminate.

use axum::response::Response;
use serde_json::{Value, json};

use super::super::clock::{SECOND, iso};
use super::super::machine::{Machine, Phase, Service};
use super::super::refusal::{self, Refusal};
use super::super::world::World;
use super::super::{Answer, Refused};
use super::Place;
use super::catalogue::Type;
use super::said::{Fields, Said, answer, page};

/// For so long a terminated machine is still told of.
const REMEMBERED: i64 = 3_600 * SECOND;

/// Rows of one page here; the service may always give fewer than asked for.
const PAGE: usize = 40;

/// Number, name and reason of a state.
fn state(machine: &Machine) -> (u32, &'static str, Option<(&'static str, &'static str)>) {
    let spot = ("Server.SpotInstanceTermination", "Spot instance termination");
    let failed = ("Server.InternalError", "Server.InternalError: Internal error on launch");
    let user = ("Client.UserInitiatedShutdown", "User initiated shutdown");
    match machine.phase {
        Phase::Made | Phase::Loading => (0, "pending", None),
        Phase::Running | Phase::Offline => (16, "running", None),
        Phase::Stopping => (64, "stopping", Some(user)),
        Phase::Stopped | Phase::Waiting => (80, "stopped", Some(user)),
        Phase::Ending => (32, "shutting-down", Some(user)),
        Phase::Gone => (48, "terminated", Some(user)),
        Phase::Paused => (48, "terminated", Some(spot)),
        Phase::Failed => (48, "terminated", Some(failed)),
    }
}

/// Whether the account sees a machine in this region. One that was made a moment ago is not known everywhere yet.
fn is_seen(at: &Place<'_>, machine: &Machine) -> bool {
    let forgotten = machine.ended.is_some_and(|ended| at.now - ended > REMEMBERED);
    machine.service == Service::Aws
        && machine.account == at.account
        && machine.facts["region"] == at.region
        && machine.phase != Phase::Made
        && !forgotten
}

fn shown(at: &Place<'_>, machine: &Machine) -> Value {
    let (mut code, mut name, reason) = state(machine);
    if let Some(word) = machine.word.as_deref() {
        (code, name) = (96, word);
    }
    let mut row = json!({
        "instanceId": machine.id, "imageId": machine.request["ImageId"], "instanceType": machine.facts["type"],
        "instanceState": { "code": code, "name": name }, "keyName": machine.request["KeyName"],
        "launchTime": iso(machine.started.unwrap_or(machine.created)), "placement": { "availabilityZone": machine.facts["zone"] },
        "privateIpAddress": "172.31.0.5", "tagSet": machine.facts["tags"], "clientToken": machine.request["ClientToken"],
        "blockDeviceMapping": [{ "deviceName": "/dev/sda1", "ebs": { "volumeId": volume(machine), "attachTime": iso(machine.created) } }],
    });
    if machine.facts["spot"] == true {
        row["instanceLifecycle"] = "spot".into();
        row["spotInstanceRequestId"] = format!("sir-{:08x}", machine.number).into();
    }
    if let Some((code, message)) = reason {
        row["stateReason"] = json!({ "code": code, "message": message });
    }
    if machine.is_up() {
        let (host, port) = at.market.address_of(machine);
        row["ipAddress"] = host.into();
        // Not a field of EC2's: its machines answer at port 22, which a practice market cannot have.
        row["practiceSshPort"] = machine.port.map(|_| port).into();
    }
    row
}

/// Machines of a region.
pub fn describe(at: &Place<'_>, world: &World, fields: &Fields) -> Answer {
    let ids = fields.list("InstanceId");
    if let Some(unknown) =
        ids.iter().find(|id| !world.machines.iter().any(|m| m.id == **id && is_seen(at, m)))
    {
        return Err(missing(unknown));
    }
    let tagged = |machine: &Machine| {
        let wanted = fields.filter("tag:gpudesk");
        let tags = machine.facts["tags"].as_array().into_iter().flatten();
        let mut marks = tags.filter(|tag| tag["key"] == "gpudesk").filter_map(|tag| tag["value"].as_str());
        wanted.is_empty() || marks.any(|mark| wanted.contains(&mark))
    };
    let rows: Vec<Value> = world
        .machines
        .iter()
        .filter(|machine| is_seen(at, machine) && (ids.is_empty() || ids.contains(&machine.id.as_str())))
        .filter(|machine| fields.lets("instance-state-name", state(machine).1) && tagged(machine))
        .map(|machine| json!({ "reservationId": format!("r-{:08x}", machine.number), "instancesSet": [shown(at, machine)] }))
        .collect();
    Ok(page("DescribeInstances", "reservationSet", rows, fields, PAGE))
}

fn missing(id: &str) -> Refused {
    let words = format!("The instance ID '{id}' does not exist");
    Said::new(400, "InvalidInstanceID.NotFound", &words).refused()
}

fn volume(machine: &Machine) -> String {
    format!("vol-0{:016x}", machine.number)
}

/// Disks that stayed without their machine: those that were not to go with it.
pub fn volumes(at: &Place<'_>, world: &World) -> Response {
    let left = |machine: &&Machine| {
        machine.service == Service::Aws
            && machine.account == at.account
            && machine.facts["region"] == at.region
            && machine.phase == Phase::Gone
            && machine.request["BlockDeviceMapping.1.Ebs.DeleteOnTermination"] != "true"
    };
    let rows: Vec<Value> = world
        .machines
        .iter()
        .filter(left)
        .map(|machine| {
            json!({
                "volumeId": volume(machine), "size": machine.disk_gb.0, "status": "available", "volumeType": "gp3",
                "tagSet": machine.facts["tags"],
            })
        })
        .collect();
    answer("DescribeVolumes", json!({ "volumeSet": rows }))
}

/// Elastic addresses: none are ever made here.
pub fn addresses() -> Response {
    answer("DescribeAddresses", json!({ "addressesSet": [] }))
}

/// The machine a call names. The calls that change something know it from the order on.
fn named<'w>(at: &Place<'_>, world: &'w World, fields: &Fields) -> Result<&'w Machine, Refused> {
    let id = fields.needed("InstanceId.1")?;
    let found = world.machines.iter().find(|machine| {
        machine.id == id && machine.account == at.account && machine.facts["region"] == at.region
    });
    found.filter(|machine| machine.service == Service::Aws).ok_or_else(|| missing(id))
}

/// Tags set anew: one of the same key is overwritten, every other one stays.
pub fn tag(at: &Place<'_>, world: &mut World, fields: &Fields) -> Answer {
    let id = fields.needed("ResourceId.1")?.to_owned();
    let theirs = |machine: &&mut Machine| {
        machine.id == id
            && machine.service == Service::Aws
            && machine.account == at.account
            && machine.facts["region"] == at.region
            && machine.phase != Phase::Gone
    };
    let machine = world.machines.iter_mut().find(theirs).ok_or_else(|| missing(&id))?;
    let mut tags = machine.facts["tags"].as_array().cloned().unwrap_or_default();
    let new = (1..).map_while(|n| {
        let key = fields.text(&format!("Tag.{n}.Key"))?;
        Some((key, fields.text(&format!("Tag.{n}.Value")).unwrap_or_default()))
    });
    for (key, value) in new {
        tags.retain(|tag| tag["key"] != key);
        tags.push(json!({ "key": key, "value": value }));
    }
    machine.facts["tags"] = tags.into();
    Ok(answer("CreateTags", json!({ "return": true })))
}

fn change(action: &str, id: &str) -> Response {
    answer(action, json!({ "instancesSet": [{ "instanceId": id }] }))
}

/// Stops; a spot machine that was asked for once cannot be.
pub fn stop(at: &Place<'_>, world: &mut World, fields: &Fields) -> Answer {
    let machine = named(at, world, fields)?;
    let (id, spot) = (machine.id.clone(), machine.facts["spot"] == true);
    if spot {
        let words = format!(
            "You can't stop the Spot Instance '{id}' because it is associated with a one-time Spot Instance request."
        );
        return Err(Said::new(400, "UnsupportedOperation", &words).refused());
    }
    if !matches!(machine.phase, Phase::Running | Phase::Stopping | Phase::Stopped | Phase::Offline) {
        return Err(wrong_state(machine, "stopped"));
    }
    world.stop(&id, at.now);
    Ok(change("StopInstances", &id))
}

fn wrong_state(machine: &Machine, into: &str) -> Refused {
    let words = format!("The instance '{}' is not in a state from which it can be {into}.", machine.id);
    Said::new(400, "IncorrectInstanceState", &words).refused()
}

/// Starts, where the zone has one left.
pub fn start(at: &Place<'_>, world: &mut World, fields: &Fields) -> Answer {
    let machine = named(at, world, fields)?;
    let id = machine.id.clone();
    match machine.phase {
        Phase::Running => return Ok(change("StartInstances", &id)),
        Phase::Stopped | Phase::Waiting => {}
        _ => return Err(wrong_state(machine, "started")),
    }
    let zone = machine.facts["zone"].as_str().unwrap_or_default();
    let kind = Type::find(machine.facts["type"].as_str().unwrap_or_default(), at.region);
    if world.sold_out.contains(&id) || !kind.is_some_and(|kind| kind.has(zone, world)) {
        return Err(refusal::of(Service::Aws, Refusal::NoCapacity, "/StartInstances", at.now).into());
    }
    world.start(&id, at.now);
    Ok(change("StartInstances", &id))
}

/// Ends; as often as it is asked.
pub fn terminate(at: &Place<'_>, world: &mut World, fields: &Fields) -> Answer {
    let id = named(at, world, fields)?.id.clone();
    world.end(&id, at.now);
    Ok(change("TerminateInstances", &id))
}
