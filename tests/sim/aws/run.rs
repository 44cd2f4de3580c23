//! Making a machine.

use serde_json::{Value, json};

use super::super::account::Account;
use super::super::machine::{Machine, Rates, Service};
use super::super::refusal::{self, Refusal};
use super::super::world::{World, nano};
use super::super::{Answer, Refused};
use super::Place;
use super::around::{image_runs_on, key, subnet};
use super::catalogue::{Type, zones};
use super::prices::{on_demand, spot_price};
use super::said::{Fields, Said, answer};

/// USD per GB and month of a disk, and hours in a month.
const DISK: f64 = 0.08;
const MONTH: f64 = 730.0;

fn invalid(code: &str, words: &str) -> Refused {
    Said::new(400, code, words).refused()
}

/// Makes a machine, or tells of the one that the token made before.
pub fn run(at: &Place<'_>, world: &mut World, fields: &Fields) -> Answer {
    let refuse = |why| Refused::from(refusal::of(Service::Aws, why, "/RunInstances", at.now));
    let kind = Type::find(fields.needed("InstanceType")?, at.region)
        .ok_or_else(|| invalid("InvalidParameterValue", "Invalid value for InstanceType."))?;
    for count in ["MinCount", "MaxCount"] {
        if fields.needed(count)? != "1" {
            return Err(invalid("InvalidParameterValue", "This market makes one machine at a time"));
        }
    }
    let sent = fields.needed("NetworkInterface.1.SubnetId")?;
    let zone = zones(at.region).into_iter().find(|zone| subnet(zone) == sent);
    let zone = zone.ok_or_else(|| invalid("InvalidSubnetID.NotFound", "The subnet ID does not exist"))?;
    let request = fields.all();
    if let Some(token) = fields.text("ClientToken") {
        if token.len() > 64 {
            return Err(invalid("InvalidParameterValue", "ClientToken is longer than 64 characters"));
        }
        let known = world.machines.iter().find(|machine| {
            machine.service == Service::Aws
                && machine.account == at.account
                && machine.request["ClientToken"] == token
        });
        if let Some(machine) = known {
            if machine.request != request {
                let words =
                    "The request uses the same client token as a previous, but non-identical request.";
                return Err(invalid("IdempotentParameterMismatch", words));
            }
            return Ok(made(&machine.id));
        }
    }
    let architecture = if kind.driver_cards().name == "NVIDIA T4G" { "arm64" } else { "x86_64" };
    match image_runs_on(fields.needed("ImageId")?, architecture) {
        None => return Err(invalid("InvalidAMIID.NotFound", "The image id does not exist")),
        Some(false) => {
            let words = "The architecture of the specified instance type does not match that of the AMI.";
            return Err(invalid("InvalidParameterValue", words));
        }
        Some(true) => {}
    }
    let group = fields.needed("NetworkInterface.1.SecurityGroupId.1")?;
    let Some(door) = world.doors.iter().find(|door| door.account == at.account && door.id == group) else {
        return Err(invalid("InvalidGroup.NotFound", "The security group does not exist"));
    };
    if door.place != format!("vpc-{}", at.region) {
        return Err(invalid("InvalidParameter", "Security group and subnet belong to different networks."));
    }
    let key = key(at, world, fields.needed("KeyName")?).map(|key| key.key.clone());
    let key = key.ok_or_else(|| invalid("InvalidKeyPair.NotFound", "The key pair does not exist"))?;
    let disk_gb: f64 =
        fields.text("BlockDeviceMapping.1.Ebs.VolumeSize").and_then(|gb| gb.parse().ok()).unwrap_or(75.0);
    if disk_gb < 75.0 {
        let words = "Volume is smaller than snapshot, expect size >= 75GB";
        return Err(invalid("InvalidBlockDeviceMapping", words));
    }
    if !kind.zones.contains(&zone.as_str()) {
        let words = "Your requested instance type is not supported in your requested Availability Zone.";
        return Err(invalid("Unsupported", words));
    }
    if at.account == Account::Poor {
        return Err(refuse(Refusal::NoFunds));
    }
    if !kind.is_for_everybody() || !kind.has(&zone, world) {
        return Err(refuse(Refusal::NoCapacity));
    }
    let spot = fields.text("InstanceMarketOptions.MarketType") == Some("spot");
    let factor = at.market.factor();
    let price = if spot { spot_price(kind, &zone, factor) } else { on_demand(kind, at.region, factor) };
    let disk = nano(disk_gb * DISK / MONTH);
    let number = world.number();
    let machine = Machine {
        id: format!("i-0{number:016x}"),
        bid: spot.then(|| nano(price)),
        rates: Rates { compute: nano(price), disk, disk_stopped: disk },
        cards: kind.driver_cards(),
        keys: vec![key],
        disk_gb: (disk_gb, 0.0),
        facts: json!({ "type": kind.name, "zone": zone, "region": at.region, "tags": tags(fields), "spot": spot }),
        request,
        ..Machine::made(Service::Aws, at.account, number, at.now)
    };
    let id = world.launch(machine, at.now);
    Ok(made(&id))
}

fn made(id: &str) -> axum::response::Response {
    let row = json!({ "instanceId": id, "instanceState": { "code": 0, "name": "pending" } });
    answer("RunInstances", json!({ "reservationId": "r-practice", "instancesSet": [row] }))
}

/// The tags that go on the machine itself.
fn tags(fields: &Fields) -> Value {
    let specs = (1..).map_while(|n| Some((n, fields.text(&format!("TagSpecification.{n}.ResourceType"))?)));
    let mut all = Vec::new();
    for (n, _) in specs.filter(|(_, of)| *of == "instance") {
        let keys = fields_of(fields, n);
        all.extend(keys.into_iter().map(|(key, value)| json!({ "key": key, "value": value })));
    }
    Value::Array(all)
}

fn fields_of(fields: &Fields, spec: usize) -> Vec<(String, String)> {
    (1..)
        .map_while(|n| {
            let at = format!("TagSpecification.{spec}.Tag.{n}");
            let key = fields.text(&format!("{at}.Key"))?.to_owned();
            Some((key, fields.text(&format!("{at}.Value")).unwrap_or_default().to_owned()))
        })
        .collect()
}
