//! From an instance as the API describes it to a machine
//! (<https://docs.vast.ai/api-reference/instances/show-instances>).

use std::collections::BTreeMap;

use gpudesk_core::money::Currency;
use gpudesk_core::offer::Place;
use gpudesk_core::place::{locate, seller};
use gpudesk_core::rental::{Machine, MachineState, Notice, SshAddress};
use rust_decimal::Decimal;
use serde::Deserialize;

use super::wire::SearchPrice;
use crate::cloud::{epoch, mark};
use crate::http::{List, Literal, redact};

/// An instance on the wire. Fields we do not use are not named; what may be secret among them is never read.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Instance<'a> {
    #[serde(borrow)]
    id: Literal<'a>,
    #[serde(borrow)]
    label: Literal<'a>,
    /// What the container does; null until there is one.
    #[serde(borrow)]
    actual_status: Literal<'a>,
    #[serde(borrow)]
    cur_state: Literal<'a>,
    #[serde(borrow)]
    next_state: Literal<'a>,
    /// What was asked for last.
    #[serde(borrow)]
    intended_status: Literal<'a>,
    #[serde(borrow)]
    status_msg: Literal<'a>,
    #[serde(borrow)]
    is_bid: Literal<'a>,
    /// A line break was seen behind it.
    #[serde(borrow)]
    public_ipaddr: Literal<'a>,
    /// `{"22/tcp": [{"HostIp": …, "HostPort": "20000"}]}`; null until running.
    #[serde(borrow)]
    ports: Literal<'a>,
    #[serde(borrow)]
    ssh_host: Literal<'a>,
    #[serde(borrow)]
    ssh_port: Literal<'a>,
    /// `ssh ssh_direct ssh_proxy`, `jupyter …`.
    #[serde(borrow)]
    image_runtype: Literal<'a>,
    #[serde(borrow)]
    gpu_name: Literal<'a>,
    #[serde(borrow)]
    num_gpus: Literal<'a>,
    #[serde(borrow)]
    geolocation: Literal<'a>,
    #[serde(borrow)]
    dph_base: Literal<'a>,
    /// The same split as in a search.
    #[serde(borrow)]
    instance: Literal<'a>,
    #[serde(borrow)]
    disk_space: Literal<'a>,
    /// Epoch seconds.
    #[serde(borrow)]
    start_date: Literal<'a>,
    #[serde(borrow)]
    end_date: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
struct Mapping<'a> {
    #[serde(borrow, rename = "HostPort", default)]
    host_port: Literal<'a>,
}

/// The user of every container.
const USER: &str = "root";

/// Reads one instance; what is wrong with it otherwise.
pub(super) fn machine(json: &str) -> Result<Machine, String> {
    let instance: Instance<'_> =
        serde_json::from_str(json).map_err(|error| format!("not an instance: {error}"))?;
    let Some(remote_id) = instance.id.whole().filter(|id| *id > 0) else {
        return Err("an instance without a readable id".to_owned());
    };
    let spot = instance.is_bid.flag().unwrap_or(false);
    let words = Words::of(&instance);
    let (state, asked) = words.state(spot);
    let mut notices = Vec::new();
    if words.actual == Some("frozen") {
        notices.push(Notice::StillBilled { word: "frozen".to_owned() });
    }
    let waiting = state == MachineState::Booting && words.actual.is_some_and(|word| word == "stopped");
    let said = instance.status_msg.text().map(|text| redact::words(&text)).filter(|text| !text.is_empty());
    let detail = match (waiting, said) {
        (true, None) => Some("waiting for a GPU".to_owned()),
        (true, Some(said)) => Some(format!("waiting for a GPU: {said}")),
        (false, said) => said,
    };
    let geolocation = instance.geolocation.text().map(|place| redact::words(&place));
    let label = instance.label.text().map(|label| redact::words(&label));
    Ok(Machine {
        remote_id: remote_id.to_string(),
        token: label.as_deref().and_then(mark),
        name: label,
        state,
        word: words.joined(),
        asked,
        spot,
        detail,
        ssh: if state == MachineState::Running { ways(&instance) } else { Vec::new() },
        gpu_name: instance.gpu_name.text().map(|name| redact::words(&name)),
        gpu_count: instance.num_gpus.whole().and_then(|count| u32::try_from(count).ok()),
        place: Place {
            country: geolocation
                .as_deref()
                .and_then(|text| locate(super::map::PROVIDER, text).country)
                .map(str::to_owned),
            region: geolocation
                .map(|text| text.trim_start_matches([',', ' ']).to_owned())
                .filter(|region| !region.is_empty()),
            seller: seller(super::map::PROVIDER).map(str::to_owned),
        },
        per_hour: per_hour(&instance),
        currency: Some(Currency::USD),
        disk_gb: instance.disk_space.decimal().filter(|gb| *gb > Decimal::ZERO).map(|gb| gb.normalize()),
        created_at: epoch(instance.start_date),
        running_since: None,
        ends_at: epoch(instance.end_date),
        timer: None,
        notices,
    })
}

/// The four words that only together say where an instance stands.
struct Words<'a> {
    actual: Option<&'a str>,
    current: Option<&'a str>,
    next: Option<&'a str>,
    intended: Option<&'a str>,
}

impl<'a> Words<'a> {
    fn of(instance: &Instance<'a>) -> Words<'a> {
        Words {
            actual: bare(instance.actual_status),
            current: bare(instance.cur_state),
            next: bare(instance.next_state),
            intended: bare(instance.intended_status),
        }
    }

    fn joined(&self) -> String {
        let words = [self.actual, self.current, self.next, self.intended].map(|word| word.unwrap_or("-"));
        redact::words(&words.join("/"))
    }

    /// The state, and whether somebody asked for it where that can be told. A bid that stands still with everything
    /// `stopped` was stopped by us or outbid: only who asked for a stop knows which.
    fn state(&self, bid: bool) -> (MachineState, Option<bool>) {
        use MachineState::{
            Booting, Failed, Offline, Preempted, Provisioning, Running, Stopped, Stopping, Unknown,
        };
        let stop_wanted = self.intended == Some("stopped");
        let run_wanted = self.intended == Some("running");
        let by_asking = (stop_wanted && !bid).then_some(true);
        match self.actual {
            None if stop_wanted && self.current == Some("stopped") => (Stopped, by_asking),
            // So it is before there is a container; and it was seen of one that runs.
            None => (Unknown, None),
            Some("created") => (Provisioning, None),
            Some("loading" | "rebooting" | "running" | "frozen") if stop_wanted => (Stopping, by_asking),
            Some("loading" | "rebooting") => (Booting, None),
            Some("running" | "frozen") => (Running, None),
            Some("stopped" | "exited") if bid && run_wanted => (Preempted, Some(false)),
            Some("stopped") if run_wanted => (Booting, None),
            Some("exited") if run_wanted => (Failed, Some(false)),
            Some("stopped" | "exited") => (Stopped, by_asking),
            Some("offline" | "unknown") => (Offline, None),
            Some(_) => (Unknown, None),
        }
    }
}

/// A string value without its quotes. State words have no escapes; anything that has is no word we know.
fn bare(literal: Literal<'_>) -> Option<&str> {
    let word = literal.raw()?.trim_matches('"').trim();
    (!word.is_empty()).then_some(word)
}

/// Straight to the host where port 22 is published, and the vendor's proxy. With Jupyter in the box the proxy's SSH
/// port is the next one.
fn ways(instance: &Instance<'_>) -> Vec<SshAddress> {
    let mut ways = Vec::new();
    // A port that is exposed and not published is null.
    let ports: BTreeMap<String, Literal<'_>> = instance.ports.object();
    let mappings: List<Mapping<'_>> = ports.get("22/tcp").map(|own| own.object()).unwrap_or_default();
    let published = mappings.iter().find_map(|mapping| port(mapping.host_port));
    if let (Some(host), Some(port)) = (instance.public_ipaddr.text(), published) {
        ways.extend(SshAddress::new(&host, port, USER, false));
    }
    let jupyter = instance.image_runtype.text().is_some_and(|kind| kind.contains("jupyter"));
    let proxied = port(instance.ssh_port).and_then(|port| port.checked_add(u16::from(jupyter)));
    if let (Some(host), Some(port)) = (instance.ssh_host.text(), proxied) {
        ways.extend(SshAddress::new(&host, port, USER, true));
    }
    ways
}

fn port(literal: Literal<'_>) -> Option<u16> {
    literal.whole().and_then(|port| u16::try_from(port).ok())
}

fn per_hour(instance: &Instance<'_>) -> Option<Decimal> {
    let split = instance.instance.object::<SearchPrice<'_>>().gpu_cost_per_hour;
    [instance.dph_base, split]
        .into_iter()
        .find_map(|price| price.money(Currency::USD).filter(|price| *price > Decimal::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(actual: Option<&str>, current: &str, intended: &str, bid: bool) -> (MachineState, Option<bool>) {
        let words = Words { actual, current: Some(current), next: Some(intended), intended: Some(intended) };
        words.state(bid)
    }

    #[test]
    fn only_all_words_together_say_where_it_stands() {
        use MachineState::*;
        for (actual, current, intended, bid, expected) in [
            (None, "running", "running", false, (Unknown, None)),
            (Some("created"), "running", "running", false, (Provisioning, None)),
            (Some("loading"), "running", "running", false, (Booting, None)),
            (Some("rebooting"), "running", "running", false, (Booting, None)),
            (Some("running"), "running", "running", false, (Running, None)),
            (Some("frozen"), "running", "running", false, (Running, None)),
            (Some("running"), "running", "stopped", false, (Stopping, Some(true))),
            (Some("stopped"), "stopped", "running", false, (Booting, None)),
            (Some("stopped"), "stopped", "stopped", false, (Stopped, Some(true))),
            (Some("exited"), "stopped", "stopped", false, (Stopped, Some(true))),
            (Some("exited"), "running", "running", false, (Failed, Some(false))),
            (Some("stopped"), "stopped", "running", true, (Preempted, Some(false))),
            (Some("exited"), "stopped", "stopped", true, (Stopped, None)),
            (None, "stopped", "stopped", true, (Stopped, None)),
            (Some("offline"), "running", "running", false, (Offline, None)),
            (Some("unknown"), "running", "running", false, (Offline, None)),
            (Some("defragmenting"), "running", "running", false, (Unknown, None)),
        ] {
            assert_eq!(
                state(actual, current, intended, bid),
                expected,
                "{actual:?} {current} {intended} {bid}"
            );
        }
    }

    #[test]
    fn the_way_in_is_direct_first_and_the_proxy_second() {
        let json = r#"{"id": 7, "actual_status": "running", "cur_state": "running", "next_state": "running",
            "intended_status": "running", "public_ipaddr": "203.0.113.9\n", "ssh_host": "ssh5.vast.ai", "ssh_port": 10600,
            "ports": {"22/tcp": [{"HostIp": "0.0.0.0", "HostPort": "20000"}]}, "image_runtype": "ssh ssh_direc ssh_proxy"}"#;
        let ways = machine(json).unwrap().ssh;
        let shown: Vec<_> = ways.iter().map(|way| (way.host.as_str(), way.port, way.proxy)).collect();
        assert_eq!(shown, [("203.0.113.9", 20000, false), ("ssh5.vast.ai", 10600, true)]);
        let jupyter =
            machine(&json.replace("ssh ssh_direc ssh_proxy", "jupyter_direc ssh_direc")).unwrap().ssh;
        assert_eq!(jupyter[1].port, 10601);
        let early = machine(&json.replace("\"running\", \"cur", "\"loading\", \"cur")).unwrap();
        assert_eq!((early.state, early.ssh.len()), (MachineState::Booting, 0));
        let no_ports = machine(&json.replace("\"22/tcp\"", "\"8080/tcp\"")).unwrap().ssh;
        assert_eq!(no_ports.len(), 1, "only the proxy");
        let hostile = machine(&json.replace("203.0.113.9\\n", "-oProxyCommand=x")).unwrap().ssh;
        assert_eq!(hostile.len(), 1, "no such host");
    }

    #[test]
    fn an_instance_without_an_id_is_none() {
        assert!(machine(r#"{"label": "gpudesk-1"}"#).unwrap_err().contains("id"));
        assert!(machine("7").is_err());
    }
}
