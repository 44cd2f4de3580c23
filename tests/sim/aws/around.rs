//! What stands around a machine: who asks, images, networks, keys, groups, quotas.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::super::account::is_public_key;
use super::super::machine::Service;
use super::super::world::{Door, StoredKey, World};
use super::super::{Answer, document};
use super::Place;
use super::catalogue::zones;
use super::said::{Fields, Said, answer, json_error, page};

/// Who the key is.
pub fn identity(at: &Place<'_>) -> Response {
    let arn = format!("arn:aws:iam::{:012}:user/{}", at.account.number(), at.account.mail());
    let result =
        json!({ "Arn": arn, "UserId": "AIDAPRACTICE", "Account": format!("{:012}", at.account.number()) });
    answer("GetCallerIdentity", json!({ "GetCallerIdentityResult": result }))
}

fn json_answer(body: &Value) -> Response {
    ([(header::CONTENT_TYPE, "application/x-amz-json-1.1")], body.to_string()).into_response()
}

/// Images: name of the kind, id for each processor, GB of the disk.
const IMAGES: [(&str, &str, &str, u32); 3] = [
    ("base-oss-nvidia-driver-ubuntu-22.04", "x86_64", "ami-0aaaaaaaaaaaaaa01", 75),
    ("base-oss-nvidia-driver-ubuntu-22.04", "arm64", "ami-0aaaaaaaaaaaaaa02", 75),
    ("oss-nvidia-driver-gpu-pytorch-2.7-ubuntu-22.04", "x86_64", "ami-0aaaaaaaaaaaaaa03", 75),
];

/// Whether an image is for a processor.
pub fn image_runs_on(id: &str, architecture: &str) -> Option<bool> {
    IMAGES.iter().find(|(_, _, known, _)| *known == id).map(|(_, of, _, _)| *of == architecture)
}

/// The newest image of a kind.
pub fn parameter(_at: &Place<'_>, body: &[u8]) -> Answer {
    let asked = document(body);
    let name = asked["Name"].as_str().unwrap_or_default();
    let found = IMAGES
        .iter()
        .find(|(kind, of, _, _)| name == format!("/aws/service/deeplearning/ami/{of}/{kind}/latest/ami-id"));
    match found {
        Some((_, _, id, _)) => {
            Ok(json_answer(&json!({ "Parameter": { "Name": name, "Type": "String", "Value": id } })))
        }
        None => Err(json_error("ParameterNotFound", "")),
    }
}

/// Virtual CPUs that the account may have.
pub fn quota(body: &[u8]) -> Answer {
    let asked = document(body);
    match asked["QuotaCode"].as_str() {
        Some("L-DB2E81BA") => {
            Ok(json_answer(&json!({ "Quota": { "QuotaCode": "L-DB2E81BA", "Value": 96.0 } })))
        }
        Some("L-417A185B") => {
            Ok(json_answer(&json!({ "Quota": { "QuotaCode": "L-417A185B", "Value": 192.0 } })))
        }
        _ => Err(json_error(
            "NoSuchResourceException",
            "The request failed because the specified quota does not exist.",
        )),
    }
}

/// Images by id.
pub fn images(fields: &Fields) -> Answer {
    let mut rows = Vec::new();
    for id in fields.list("ImageId") {
        let Some((kind, of, id, gb)) = IMAGES.iter().find(|(_, _, known, _)| *known == id) else {
            let words = format!("The image id '[{id}]' does not exist");
            return Err(Said::new(400, "InvalidAMIID.NotFound", &words).refused());
        };
        rows.push(json!({
            "imageId": id, "name": format!("Deep Learning {kind}"), "architecture": of, "imageState": "available",
            "platformDetails": "Linux/UNIX", "rootDeviceName": "/dev/sda1", "rootDeviceType": "ebs",
            "blockDeviceMapping": [{ "deviceName": "/dev/sda1", "ebs": { "volumeSize": gb, "volumeType": "gp3", "deleteOnTermination": true } }],
        }));
    }
    Ok(answer("DescribeImages", json!({ "imagesSet": rows })))
}

/// The id of a zone's subnet, which is in the region's only network.
pub fn subnet(zone: &str) -> String {
    format!("subnet-{zone}")
}

fn network(region: &str) -> String {
    format!("vpc-{region}")
}

/// One subnet a zone.
pub fn subnets(at: &Place<'_>, fields: &Fields) -> Response {
    let default = fields.lets("default-for-az", "true") && fields.lets("map-public-ip-on-launch", "true");
    let rows: Vec<Value> = zones(at.region)
        .iter()
        .filter(|_| default)
        .map(|zone| {
            json!({
                "subnetId": subnet(zone), "vpcId": network(at.region), "availabilityZone": zone, "state": "available",
                "defaultForAz": true, "mapPublicIpOnLaunch": true,
            })
        })
        .collect();
    page("DescribeSubnets", "subnetSet", rows, fields, 100)
}

/// The key of a name in a region.
pub fn key<'w>(at: &Place<'_>, world: &'w World, name: &str) -> Option<&'w StoredKey> {
    let known = format!("{}/{name}", at.region);
    world
        .keys
        .iter()
        .find(|key| key.account == at.account && key.service == Service::Aws && key.name == known)
}

/// Keys of a region.
pub fn keys(at: &Place<'_>, world: &World, fields: &Fields) -> Response {
    let begin = format!("{}/", at.region);
    let theirs = world.keys.iter().filter(|key| key.account == at.account && key.service == Service::Aws);
    let named = theirs.filter_map(|key| Some((key, key.name.strip_prefix(&begin)?)));
    let rows: Vec<Value> = named
        .filter(|(_, name)| fields.lets("key-name", name))
        .map(|(key, name)| {
            let public = fields.text("IncludePublicKey").map(|_| key.key.clone());
            json!({ "keyPairId": key.id, "keyName": name, "publicKey": public })
        })
        .collect();
    answer("DescribeKeyPairs", json!({ "keySet": rows }))
}

/// Another key.
pub fn import(at: &Place<'_>, world: &mut World, fields: &Fields) -> Answer {
    let (name, text) = (fields.needed("KeyName")?, fields.needed("PublicKeyMaterial")?);
    let decoded = decoded(text).filter(|key| {
        is_public_key(key) && ["ssh-ed25519 ", "ssh-rsa "].iter().any(|kind| key.starts_with(kind))
    });
    let Some(public) = decoded else {
        return Err(
            Said::new(400, "InvalidKey.Format", "Key is not in valid OpenSSH public key format").refused()
        );
    };
    if key(at, world, name).is_some() {
        let words = format!("The keypair already exists: {name}");
        return Err(Said::new(400, "InvalidKeyPair.Duplicate", &words).refused());
    }
    let id = format!("key-{:017x}", world.number());
    world.keys.push(StoredKey {
        id: id.clone(),
        account: at.account,
        service: Service::Aws,
        name: format!("{}/{name}", at.region),
        key: public,
        created: at.now,
    });
    Ok(answer("ImportKeyPair", json!({ "keyName": name, "keyPairId": id })))
}

/// Text that was encoded in base64.
pub fn decoded(text: &str) -> Option<String> {
    use base64::Engine as _;
    String::from_utf8(base64::engine::general_purpose::STANDARD.decode(text).ok()?).ok()
}

/// Groups of a region.
pub fn groups(at: &Place<'_>, world: &World, fields: &Fields) -> Response {
    let here =
        world.doors.iter().filter(|door| door.account == at.account && door.place == network(at.region));
    let wanted =
        here.filter(|door| fields.lets("group-name", &door.name) && fields.lets("vpc-id", &door.place));
    let rows: Vec<Value> = wanted
        .map(|door| {
            let ranges: Vec<Value> = door.open_to.iter().map(|range| json!({ "cidrIp": range })).collect();
            let open = if ranges.is_empty() {
                json!([])
            } else {
                json!([{ "ipProtocol": "tcp", "fromPort": 22, "toPort": 22, "ipRanges": ranges }])
            };
            json!({ "groupId": door.id, "groupName": door.name, "vpcId": door.place, "ipPermissions": open })
        })
        .collect();
    page("DescribeSecurityGroups", "securityGroupInfo", rows, fields, 100)
}

/// A new group, closed to everybody.
pub fn make_group(at: &Place<'_>, world: &mut World, fields: &Fields) -> Answer {
    let (name, place) = (fields.needed("GroupName")?, fields.needed("VpcId")?);
    fields.needed("GroupDescription")?;
    let known = |door: &Door| door.account == at.account && door.name == name && door.place == place;
    if world.doors.iter().any(known) {
        let words = format!("The security group '{name}' already exists for VPC '{place}'");
        return Err(Said::new(400, "InvalidGroup.Duplicate", &words).refused());
    }
    let id = format!("sg-{:017x}", world.number());
    world.doors.push(Door {
        id: id.clone(),
        account: at.account,
        name: name.to_owned(),
        place: place.to_owned(),
        open_to: Vec::new(),
    });
    Ok(answer("CreateSecurityGroup", json!({ "return": true, "groupId": id })))
}

/// Lets an address in by SSH.
pub fn authorize(at: &Place<'_>, world: &mut World, fields: &Fields) -> Answer {
    let id = fields.needed("GroupId")?;
    let range = fields.needed("IpPermissions.1.IpRanges.1.CidrIp")?.to_owned();
    let Some(door) = world.doors.iter_mut().find(|door| door.account == at.account && door.id == id) else {
        let words = format!("The security group '{id}' does not exist");
        return Err(Said::new(400, "InvalidGroup.NotFound", &words).refused());
    };
    let ssh =
        ["FromPort", "ToPort"].iter().all(|end| fields.text(&format!("IpPermissions.1.{end}")) == Some("22"));
    if !ssh || fields.text("IpPermissions.1.IpProtocol") != Some("tcp") || !range.ends_with("/32") {
        let words = "This market opens port 22 to one address at a time";
        return Err(Said::new(400, "InvalidParameterValue", words).refused());
    }
    if door.open_to.contains(&range) {
        let words = format!(
            "the specified rule \"peer: {range}, TCP, from port: 22, to port: 22, ALLOW\" already exists"
        );
        return Err(Said::new(400, "InvalidPermission.Duplicate", &words).refused());
    }
    door.open_to.push(range);
    Ok(answer("AuthorizeSecurityGroupIngress", json!({ "return": true })))
}
