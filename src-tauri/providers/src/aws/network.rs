//! Where a machine stands: a network whose machines can be reached, and a door for SSH.

use std::net::Ipv4Addr;

use super::service::{Aws, READ, WRITE, fields, filter, tags};
use super::types::pages;
use crate::cloud::{CloudError, CloudErrorCode, Effect};
use crate::http::{Call, redact};
use crate::source::SourceErrorCode;

/// The group of doors; made once in a network and found again by its name.
const GROUP: &str = "gpudesk-ssh";

/// The vendor's own service that tells a caller at what address it is seen.
const CHECK_IP: &str = "https://checkip.amazonaws.com/";

/// A subnet that gives its machines public addresses.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Subnet {
    pub id: String,
    pub vpc: String,
    pub zone: String,
}

/// The subnets of a region that a machine can be reached in, by zone: those of the default network, or else any that
/// gives public addresses.
pub(super) async fn subnets(aws: &Aws, region: &str) -> Result<Vec<Subnet>, CloudError> {
    for wanted in ["default-for-az", "map-public-ip-on-launch"] {
        let rows = pages(
            aws,
            "subnets",
            region,
            ("DescribeSubnets", "subnetSet", 100),
            filter(1, wanted, &["true"]),
        )
        .await?;
        let mut found: Vec<Subnet> = rows
            .iter()
            .filter(|row| row.text("state").is_none_or(|state| state == "available"))
            .filter_map(|row| {
                let text = |path| row.text(path).map(redact::words);
                Some(Subnet { id: text("subnetId")?, vpc: text("vpcId")?, zone: text("availabilityZone")? })
            })
            .collect();
        if !found.is_empty() {
            found.sort_by(|a, b| (&a.zone, &a.id).cmp(&(&b.zone, &b.id)));
            found.dedup_by(|a, b| a.zone == b.zone);
            return Ok(found);
        }
    }
    Err(aws
        .error(
            CloudErrorCode::AccountNotReady,
            "launch",
            format!("the account has no network in {region} whose machines can be reached from outside"),
        )
        .hint(format!("make a default VPC there: aws ec2 create-default-vpc --region {region}")))
}

/// The group that lets this computer in by SSH, and nobody else.
pub(super) async fn group(aws: &Aws, region: &str, vpc: &str) -> Result<String, CloudError> {
    let doing = "security group";
    let found = find_group(aws, region, vpc).await?;
    let (id, doors) = match found {
        Some(found) => found,
        None => (make_group(aws, region, vpc).await?, Vec::new()),
    };
    let here = format!("{}/32", own_address(aws).await?);
    if doors.contains(&here) {
        return Ok(id);
    }
    let mut door = fields(&[("GroupId", &id), ("IpPermissions.1.IpProtocol", "tcp")]);
    door.extend(fields(&[("IpPermissions.1.FromPort", "22"), ("IpPermissions.1.ToPort", "22")]));
    door.extend(fields(&[("IpPermissions.1.IpRanges.1.CidrIp", &here)]));
    door.extend(fields(&[("IpPermissions.1.IpRanges.1.Description", "GPU Desk")]));
    match aws.change(doing, region, ("AuthorizeSecurityGroupIngress", &door), WRITE).await {
        Ok(_) => Ok(id),
        // Another desk was faster.
        Err(error) if error.detail.contains("InvalidPermission.Duplicate") => Ok(id),
        Err(error) => Err(harmless(error)),
    }
}

/// The group of a network, and the addresses it lets in by SSH.
async fn find_group(aws: &Aws, region: &str, vpc: &str) -> Result<Option<(String, Vec<String>)>, CloudError> {
    let mut asked = filter(1, "group-name", &[GROUP]);
    asked.extend(filter(2, "vpc-id", &[vpc]));
    let what = ("DescribeSecurityGroups", "securityGroupInfo", 100);
    let rows = pages(aws, "security group", region, what, asked).await?;
    let Some((row, id)) = rows.iter().find_map(|row| Some((row, row.text("groupId")?))) else {
        return Ok(None);
    };
    let ssh = row.items("ipPermissions").filter(|door| door.text("ipProtocol") == Some("tcp"));
    let ssh = ssh.filter(|door| door.whole("fromPort") == Some(22) && door.whole("toPort") == Some(22));
    let doors = ssh.flat_map(|door| door.items("ipRanges").filter_map(|range| range.text("cidrIp")));
    Ok(Some((redact::words(id), doors.map(str::to_owned).collect())))
}

async fn make_group(aws: &Aws, region: &str, vpc: &str) -> Result<String, CloudError> {
    let doing = "security group";
    let mut asked = fields(&[
        ("GroupName", GROUP),
        ("GroupDescription", "SSH from the computers that rent with GPU Desk"),
        ("VpcId", vpc),
    ]);
    asked.extend(tags("security-group", 1, &[("gpudesk", "ssh")]));
    match aws.change(doing, region, ("CreateSecurityGroup", &asked), WRITE).await {
        Ok(made) => match made.text("groupId") {
            Some(id) => Ok(redact::words(id)),
            None => Err(harmless(aws.unreadable(doing, "the answer names no new group"))),
        },
        Err(error) if error.detail.contains("InvalidGroup.Duplicate") => {
            match find_group(aws, region, vpc).await? {
                Some((id, _)) => Ok(id),
                None => Err(harmless(error)),
            }
        }
        Err(error) => Err(harmless(error)),
    }
}

/// Whatever became of a group or a key: no machine was made.
fn harmless(error: CloudError) -> CloudError {
    error.with_effect(Effect::Nothing)
}

/// The address this computer is seen at. A service on this computer sees loopback.
async fn own_address(aws: &Aws) -> Result<Ipv4Addr, CloudError> {
    if aws.is_here() {
        return Ok(Ipv4Addr::LOCALHOST);
    }
    let doing = "own address";
    let no = |detail: String| {
        aws.error(CloudErrorCode::Http(SourceErrorCode::BadAnswer), doing, detail)
            .hint("SSH is opened to this computer only; let it reach checkip.amazonaws.com, or try again")
    };
    let url = CHECK_IP.parse().map_err(|_| no("no address to ask".to_owned()))?;
    let call = Call::get(aws.what(doing), url).expecting("an address").pace(READ);
    let answer = aws.http.read(&call).await?;
    let text = answer.text();
    text.trim().parse().map_err(|_| no(format!("“{}” is no IPv4 address", redact::words(&text))))
}
