//! From an instance to a machine.

use chrono::{DateTime, Utc};
use gpudesk_core::rental::{Machine, MachineState, Notice, SshAddress};

use super::map::place;
use super::types::Type;
use super::xml::Node;
use crate::cloud::mark;
use crate::http::redact;

/// The tag that bears our mark.
pub(super) const TAG: &str = "gpudesk";

/// The tag that names the user of the image: nothing else about a machine does.
pub(super) const USER_TAG: &str = "gpudesk:user";

/// The user of Ubuntu's images, and of most with drivers.
pub(super) const USER: &str = "ubuntu";

/// An instance as its account tells of it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Instance {
    pub machine: Machine,
    /// `g6.xlarge`.
    pub kind: Option<String>,
    /// The number of its state, by its name where there is none: 48 is gone for good, 32 on its way there.
    pub code: Option<u64>,
    /// The request of a spot machine.
    pub spot_request: Option<String>,
}

/// Reads one row; what is wrong with it otherwise.
pub(super) fn read(row: &Node, region: &str) -> Result<Instance, String> {
    let text = |path: &str| row.text(path).map(redact::words);
    let time = |path: &str| {
        let time = row.text(path).and_then(|text| DateTime::parse_from_rfc3339(text).ok());
        time.map(|time| time.to_utc())
    };
    let remote_id = text("instanceId").filter(|id| is_id(id)).ok_or("an instance without an id")?;
    let tag = |name: &str| {
        let tags = row.items("tagSet").find(|tag| tag.text("key") == Some(name));
        tags.and_then(|tag| tag.text("value")).map(redact::words)
    };
    let reason = text("stateReason/code").unwrap_or_default();
    let code = code(row.whole("instanceState/code"), row.text("instanceState/name"));
    let (state, asked) = state(code, &reason);
    let name = text("instanceState/name").unwrap_or_default();
    let word = if reason.is_empty() { name } else { format!("{name}/{reason}") };
    let user = tag(USER_TAG).unwrap_or_else(|| USER.to_owned());
    // Only the practice market sends a port: its machines cannot have port 22.
    let port = row.whole("practiceSshPort").and_then(|port| u16::try_from(port).ok()).unwrap_or(22);
    let address = text("ipAddress").and_then(|ip| SshAddress::new(&ip, port, &user, false));
    let running = state == MachineState::Running;
    // The time of the launch is that of the last start; the first disk was attached when the machine was made.
    let started: Option<DateTime<Utc>> = time("launchTime");
    let attached = row.items("blockDeviceMapping").filter_map(|disk| {
        let time = DateTime::parse_from_rfc3339(disk.text("ebs/attachTime")?).ok()?;
        Some(time.to_utc())
    });
    let notices = no_way_in(row, running, address.is_none());
    Ok(Instance {
        machine: Machine {
            remote_id,
            token: tag(TAG).and_then(|value| mark(&value)),
            name: tag("Name"),
            state,
            word,
            asked,
            spot: row.text("instanceLifecycle") == Some("spot"),
            detail: text("stateReason/message"),
            ssh: address.into_iter().filter(|_| running).collect(),
            gpu_name: None,
            gpu_count: None,
            place: place(&text("placement/availabilityZone").unwrap_or_else(|| region.to_owned())),
            per_hour: None,
            currency: None,
            disk_gb: None,
            created_at: attached.min().or(started),
            running_since: started.filter(|_| running),
            ends_at: None,
            timer: None,
            notices,
        },
        kind: text("instanceType"),
        code,
        spot_request: text("spotInstanceRequestId"),
    })
}

/// The cards of a machine, by its type.
pub(super) fn equip(instance: &mut Instance, kind: &Type) {
    let cards = kind.cards.as_ref();
    instance.machine.gpu_name = cards.map(|cards| cards.name.clone());
    instance.machine.gpu_count = Some(cards.map_or(0, |cards| cards.count));
}

/// A running machine without a public address cannot be reached from outside.
fn no_way_in(row: &Node, running: bool, no_address: bool) -> Vec<Notice> {
    let private = row.text("privateIpAddress").filter(|_| running && no_address).map(redact::words);
    let says =
        |ip| Notice::Says { words: format!("it has no public address; inside its network it is {ip}") };
    private.map(says).into_iter().collect()
}

/// `i-0123456789abcdef0`.
pub(super) fn is_id(id: &str) -> bool {
    id.strip_prefix("i-").is_some_and(|hex| {
        (8..=32).contains(&hex.len()) && hex.chars().all(|c| c.is_ascii_hexdigit() && !c.is_ascii_uppercase())
    })
}

/// Reasons for which a machine never came up.
const FAILURES: [&str; 5] = [
    "Server.InsufficientInstanceCapacity",
    "Client.VolumeLimitExceeded",
    "Server.InternalError",
    "Client.InvalidSnapshot.NotFound",
    "Client.InternalError",
];

/// The number of a state. The upper byte is for the service's own use.
fn code(code: Option<u64>, name: Option<&str>) -> Option<u64> {
    code.map(|code| code & 0xff).or(match name {
        Some("pending") => Some(0),
        Some("running") => Some(16),
        Some("shutting-down") => Some(32),
        Some("terminated") => Some(48),
        Some("stopping") => Some(64),
        Some("stopped") => Some(80),
        _ => None,
    })
}

/// The state, and whether somebody asked for it.
fn state(code: Option<u64>, reason: &str) -> (MachineState, Option<bool>) {
    let taken_back = matches!(reason, "Server.SpotInstanceTermination" | "Server.SpotInstanceShutdown");
    let state = match code {
        Some(0) => MachineState::Provisioning,
        Some(16) => MachineState::Running,
        Some(48 | 80) if taken_back => MachineState::Preempted,
        Some(48) if FAILURES.contains(&reason) => MachineState::Failed,
        Some(32) => MachineState::Ending,
        Some(48) => MachineState::Ended,
        Some(64) => MachineState::Stopping,
        Some(80) => MachineState::Stopped,
        _ => MachineState::Unknown,
    };
    let asked = match reason {
        "Client.UserInitiatedShutdown" | "Client.InstanceInitiatedShutdown" => Some(true),
        _ if taken_back => Some(false),
        _ => None,
    };
    (state, asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUNNING: &str = "<item><instanceId>i-0abc1234def567890</instanceId><instanceState><code>16</code><name>running</name></instanceState>\
        <instanceType>g6.xlarge</instanceType><launchTime>2026-11-30T09:30:00.000Z</launchTime><placement><availabilityZone>eu-central-1b</availabilityZone></placement>\
        <ipAddress>198.51.100.7</ipAddress><privateIpAddress>10.0.0.5</privateIpAddress><instanceLifecycle>spot</instanceLifecycle><spotInstanceRequestId>sir-1</spotInstanceRequestId>\
        <blockDeviceMapping><item><deviceName>/dev/sda1</deviceName><ebs><attachTime>2026-11-30T09:00:00.000Z</attachTime></ebs></item></blockDeviceMapping>\
        <tagSet><item><key>Name</key><value>anna&#x1b;-1</value></item><item><key>gpudesk</key><value>gpudesk-01jdx3</value></item>\
        <item><key>gpudesk:user</key><value>ec2-user</value></item></tagSet></item>";

    fn instance(xml: &str) -> Instance {
        read(&Node::read(xml).unwrap(), "eu-central-1").unwrap()
    }

    #[test]
    fn a_running_instance_is_read_whole() {
        let Instance { machine, kind, spot_request, .. } = instance(RUNNING);
        assert_eq!(
            (machine.token.as_deref(), machine.name.as_deref()),
            (Some("gpudesk-01jdx3"), Some("anna -1"))
        );
        assert_eq!(machine.ssh, [SshAddress::new("198.51.100.7", 22, "ec2-user", false).unwrap()]);
        assert_eq!(
            (machine.state, machine.spot, machine.word.as_str()),
            (MachineState::Running, true, "running")
        );
        assert_eq!(
            (machine.place.region.as_deref(), machine.place.country.as_deref()),
            (Some("eu-central-1b"), Some("DE"))
        );
        assert_eq!(machine.created_at, Some("2026-11-30T09:00:00Z".parse().unwrap()), "made once");
        assert_eq!(
            machine.running_since,
            Some("2026-11-30T09:30:00Z".parse().unwrap()),
            "started again later"
        );
        assert_eq!((kind.as_deref(), spot_request.as_deref()), (Some("g6.xlarge"), Some("sir-1")));
        assert!(machine.notices.is_empty());
    }

    #[test]
    fn every_state_is_one_of_ours() {
        let seen = |code: &str, name: &str, reason: &str| {
            let xml = format!(
                "<item><instanceId>i-0abc1234</instanceId><instanceState>{code}<name>{name}</name></instanceState>\
                 <stateReason><code>{reason}</code><message>m</message></stateReason></item>"
            );
            let machine = instance(&xml).machine;
            (machine.state, machine.asked)
        };
        use MachineState as S;
        for (code, name, reason, state, asked) in [
            ("<code>0</code>", "pending", "", S::Provisioning, None),
            ("<code>272</code>", "running", "", S::Running, None),
            ("<code>32</code>", "shutting-down", "Client.UserInitiatedShutdown", S::Ending, Some(true)),
            ("<code>48</code>", "terminated", "Client.UserInitiatedShutdown", S::Ended, Some(true)),
            ("<code>48</code>", "terminated", "Server.SpotInstanceTermination", S::Preempted, Some(false)),
            ("<code>80</code>", "stopped", "Server.SpotInstanceShutdown", S::Preempted, Some(false)),
            ("<code>48</code>", "terminated", "Server.InsufficientInstanceCapacity", S::Failed, None),
            ("<code>48</code>", "terminated", "Client.VolumeLimitExceeded", S::Failed, None),
            ("<code>48</code>", "terminated", "Server.InternalError", S::Failed, None),
            ("<code>48</code>", "terminated", "Client.InvalidSnapshot.NotFound", S::Failed, None),
            ("<code>64</code>", "stopping", "", S::Stopping, None),
            ("<code>80</code>", "stopped", "Client.UserInitiatedShutdown", S::Stopped, Some(true)),
            ("", "stopped", "", S::Stopped, None),
            ("<code>96</code>", "hibernating", "", S::Unknown, None),
            ("", "", "", S::Unknown, None),
        ] {
            assert_eq!(seen(code, name, reason), (state, asked), "{code}{name}/{reason}");
        }
    }

    #[test]
    fn what_is_missing_stays_unknown() {
        let bare = instance("<item><instanceId>i-0abc1234</instanceId></item>").machine;
        assert_eq!((bare.token, bare.name, bare.created_at, bare.ssh.len()), (None, None, None, 0));
        assert_eq!(
            (bare.state, bare.word.as_str(), bare.place.region.as_deref()),
            (MachineState::Unknown, "", Some("eu-central-1"))
        );
        for xml in [
            "<item/>",
            "<item><instanceId>../x</instanceId></item>",
            "<item><instanceId>i-XYZ</instanceId></item>",
        ] {
            assert!(read(&Node::read(xml).unwrap(), "eu-central-1").is_err(), "{xml}");
        }
    }

    #[test]
    fn an_address_appears_when_it_runs_and_one_that_is_none_never() {
        let stopped = RUNNING.replace("<code>16</code><name>running", "<code>80</code><name>stopped");
        assert_eq!(instance(&stopped).machine.ssh.len(), 0);
        let odd = RUNNING.replace("198.51.100.7", "-oProxyCommand=x");
        let machine = instance(&odd).machine;
        assert_eq!((machine.ssh.len(), machine.notices.len()), (0, 1));
        let foreign = RUNNING.replace("gpudesk-01jdx3", "gpudesk-X Y");
        assert_eq!(instance(&foreign).machine.token, None);
    }
}
