//! What a server needs of the network: a port, a group that lets SSH in, and a public address. Groups and ports cost
//! nothing; an address does, so it bears the mark of its machine and goes with it.

use reqwest::Method;
use serde_json::{Value, json};

use super::pages;
use super::session::{Service, Session};
use super::wire::{Gateway, Made, Network, SecurityGroup, Thing};
use crate::cloud::{CloudError, CloudErrorCode, Effect};
use crate::http::{Literal, redact};

const DOING: &str = "network";

/// The group that lets SSH in. Names are not unique there: the first of this name is used, by its id.
const GROUP: &str = "gpudesk-ssh";

/// Where a machine's port goes, and how it is reached from outside.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Way {
    pub network: String,
    /// The network to take an address from; `None` where the port's own is public.
    pub floating: Option<String>,
}

/// A port with what belongs to it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Port {
    pub id: String,
    pub floating: Option<String>,
}

fn text(literal: Literal<'_>) -> Option<String> {
    literal.text().map(|text| redact::words(&text))
}

/// The rows of one list of Neutron.
async fn rows(
    session: &Session,
    region: &str,
    name: &str,
    query: &[(&str, &str)],
) -> Result<Vec<String>, CloudError> {
    let path = format!("/v2.0/{}", name.replace('_', "-"));
    let at = (region, Service::Network);
    let all = pages::all(session, DOING, at, (&path, name), query).await?;
    Ok(all.rows)
}

fn things(rows: &[String]) -> impl Iterator<Item = Thing<'_>> {
    rows.iter().filter_map(|json| serde_json::from_str(json).ok())
}

/// Finds the network: the one the key names, else the public one of the cloud, else one behind a router.
pub(super) async fn way(session: &Session, region: &str) -> Result<Way, CloudError> {
    let all = rows(session, region, "networks", &[]).await?;
    let networks: Vec<Network<'_>> = all.iter().filter_map(|json| serde_json::from_str(json).ok()).collect();
    let called = |wanted: &str| {
        let is = |literal: Literal<'_>| literal.text().is_some_and(|text| text == wanted);
        networks.iter().find(|network| is(network.name) || is(network.id))
    };
    let id = |network: &Network<'_>| text(network.id);
    let wanted = session.login.network.as_deref();
    let named = match wanted {
        Some(wanted) => Some(called(wanted).ok_or_else(|| {
            let words = format!("{region} has no network “{wanted}”");
            session.error(CloudErrorCode::Refused, DOING, words).hint("correct the key's `network`")
        })?),
        None => session.profile.public_network.and_then(called),
    };
    let is_public = |network: &Network<'_>| {
        network.external.flag() == Some(true)
            || network.name.text().is_some_and(|name| Some(name.as_ref()) == session.profile.public_network)
    };
    if let Some(network) = named.filter(|network| is_public(network)).and_then(id) {
        return Ok(Way { network, floating: None });
    }
    let only = named.and_then(id);
    let mut behind = behind_routers(session, region).await?;
    behind.retain(|(network, _)| only.as_deref().is_none_or(|only| only == network));
    // Always the same one, and one that is listed.
    behind.sort();
    let listed =
        |wanted: &str| networks.iter().any(|network| network.id.text().is_some_and(|id| id == wanted));
    match (behind.into_iter().find(|(network, _)| listed(network)), only) {
        (Some((network, external)), _) => Ok(Way { network, floating: Some(external) }),
        // Whoever names a network without a router says that its own addresses are enough.
        (None, Some(network)) => Ok(Way { network, floating: None }),
        (None, None) => Err(session
            .error(
                CloudErrorCode::AccountNotReady,
                DOING,
                format!("{region} has no network behind a router to the internet"),
            )
            .hint(
                "make a network with a subnet and a router on the cloud's own page, or name one in the key",
            )),
    }
}

/// Networks with a router to the internet, and the network behind each router.
async fn behind_routers(session: &Session, region: &str) -> Result<Vec<(String, String)>, CloudError> {
    let routers = rows(session, region, "routers", &[]).await?;
    let mut found = Vec::new();
    for router in things(&routers) {
        let gateway: Gateway<'_> = router.external_gateway_info.object();
        let (Some(id), Some(external)) = (text(router.id), text(gateway.network_id)) else { continue };
        let ports = rows(session, region, "ports", &[("device_id", &id)]).await?;
        for port in things(&ports) {
            let inside = port.device_owner.text().is_some_and(|owner| owner.contains("router_interface"));
            if let (true, Some(network)) = (inside, text(port.network_id)) {
                found.push((network, external.clone()));
            }
        }
    }
    Ok(found)
}

/// The id of the group that lets SSH in, made where there is none.
pub(super) async fn group(session: &Session, region: &str) -> Result<String, CloudError> {
    let known = rows(session, region, "security_groups", &[("name", GROUP)]).await?;
    let mut groups = known.iter().filter_map(|json| serde_json::from_str::<SecurityGroup<'_>>(json).ok());
    let found = groups.find_map(|group| {
        let ours = group.name.text().is_some_and(|name| name == GROUP);
        Some((text(group.id).filter(|_| ours)?, lets_in(&group)))
    });
    let id = match found {
        Some((id, true)) => return Ok(id),
        Some((id, false)) => id,
        None => {
            let body =
                json!({ "security_group": { "name": GROUP, "description": "SSH to machines of GPU Desk" } });
            let made = make(session, region, "/v2.0/security-groups", &body).await?;
            let made: Made<'_> = serde_json::from_str(&made).unwrap_or_default();
            text(made.security_group.id).ok_or_else(|| nameless(session, "group"))?
        }
    };
    // From where a desk connects tomorrow nobody knows today.
    let rule = json!({ "security_group_rule": {
        "security_group_id": id, "direction": "ingress", "ethertype": "IPv4", "protocol": "tcp",
        "port_range_min": 22, "port_range_max": 22, "remote_ip_prefix": "0.0.0.0/0",
    } });
    match make(session, region, "/v2.0/security-group-rules", &rule).await {
        // There already.
        Err(error) if error.code == CloudErrorCode::Conflict => Ok(id),
        done => done.map(|_| id),
    }
}

fn lets_in(group: &SecurityGroup<'_>) -> bool {
    group.security_group_rules.iter().flatten().any(|rule| {
        let is = |literal: Literal<'_>, word: &str| literal.text().is_some_and(|text| text == word);
        let covers = rule.port_range_min.whole().is_some_and(|least| least <= 22)
            && rule.port_range_max.whole().is_some_and(|most| most >= 22);
        is(rule.direction, "ingress") && is(rule.protocol, "tcp") && covers
    })
}

/// A port under this mark: the one that is there and free, or a new one. A second server on the same port never runs.
pub(super) async fn port(
    session: &Session,
    region: &str,
    (way, group, mark): (&Way, &str, &str),
) -> Result<Port, CloudError> {
    let known = rows(session, region, "ports", &[("name", mark)]).await?;
    let free = things(&known).find_map(|port| {
        let ours = port.name.text().is_some_and(|name| name == mark) && port.device_id.text().is_none();
        text(port.id).filter(|_| ours)
    });
    let id = match free {
        Some(id) => id,
        None => {
            let port = json!({ "name": mark, "network_id": way.network, "security_groups": [group] });
            let made = make(session, region, "/v2.0/ports", &json!({ "port": port })).await?;
            let made: Made<'_> = serde_json::from_str(&made).unwrap_or_default();
            text(made.port.id).ok_or_else(|| nameless(session, "port"))?
        }
    };
    let port = Port { id, floating: None };
    let Some(external) = &way.floating else { return Ok(port) };
    match floating(session, region, &port.id, (external, mark)).await {
        Ok(floating) => Ok(Port { floating: Some(floating), ..port }),
        Err(error) => {
            undo(session, region, &port).await;
            Err(error)
        }
    }
}

async fn floating(
    session: &Session,
    region: &str,
    port: &str,
    (external, mark): (&str, &str),
) -> Result<String, CloudError> {
    let known = rows(session, region, "floatingips", &[("port_id", port)]).await?;
    let there = things(&known).find_map(|address| {
        let points = address.port_id.text().is_some_and(|id| id == port);
        text(address.id).filter(|_| points)
    });
    if let Some(id) = there {
        return Ok(id);
    }
    let address = json!({ "floating_network_id": external, "port_id": port, "description": mark });
    let made = make(session, region, "/v2.0/floatingips", &json!({ "floatingip": address })).await?;
    let made: Made<'_> = serde_json::from_str(&made).unwrap_or_default();
    text(made.floatingip.id).ok_or_else(|| nameless(session, "address"))
}

fn nameless(session: &Session, what: &str) -> CloudError {
    let error = session.unreadable(DOING, format!("the answer names no new {what}"));
    CloudError { effect: Effect::Nothing, ..error }
}

/// Makes something that is no machine: whatever becomes of it, none was made.
async fn make(session: &Session, region: &str, path: &str, body: &Value) -> Result<String, CloudError> {
    let made = session.change(DOING, (region, Service::Network), (Method::POST, path), Some(body)).await;
    made.map(|answer| answer.json_text())
        .map_err(|error| CloudError { effect: Effect::Nothing, ..error }.of_order())
}

async fn delete(session: &Session, region: &str, list: &str, id: &str) -> Result<(), CloudError> {
    let plain = id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    if !plain {
        return Err(session.error(CloudErrorCode::Refused, DOING, "an id that is none"));
    }
    let path = format!("/v2.0/{list}/{id}");
    match session.change(DOING, (region, Service::Network), (Method::DELETE, &path), None).await {
        Err(error) if error.code == CloudErrorCode::NoSuchMachine => Ok(()),
        done => done.map(|_| ()),
    }
}

/// Takes back what was made for a server that was not made. What cannot be taken back is told as a leftover.
pub(super) async fn undo(session: &Session, region: &str, port: &Port) {
    let mut failed = None;
    if let Some(floating) = &port.floating {
        failed = delete(session, region, "floatingips", floating).await.err();
    }
    failed = delete(session, region, "ports", &port.id).await.err().or(failed);
    if let Some(error) = failed {
        tracing::warn!("what was made for a machine stays: {error}");
    }
}

/// Takes away address and port of a machine that was ended, by its mark.
pub(super) async fn remove(session: &Session, region: &str, mark: &str) -> Result<(), CloudError> {
    let addresses = rows(session, region, "floatingips", &[("description", mark)]).await?;
    let is = |literal: Literal<'_>| literal.text().is_some_and(|text| text == mark);
    for id in things(&addresses).filter(|one| is(one.description)).filter_map(|one| text(one.id)) {
        delete(session, region, "floatingips", &id).await?;
    }
    let ports = rows(session, region, "ports", &[("name", mark)]).await?;
    for id in things(&ports).filter(|one| is(one.name)).filter_map(|one| text(one.id)) {
        delete(session, region, "ports", &id).await?;
    }
    Ok(())
}

/// Addresses that lead to no machine: id, and the address itself.
pub(super) async fn idle_addresses(
    session: &Session,
    region: &str,
) -> Result<Vec<(String, Option<String>)>, CloudError> {
    let addresses = rows(session, region, "floatingips", &[]).await?;
    let ports = rows(session, region, "ports", &[]).await?;
    let empty = |wanted: &str| {
        things(&ports)
            .any(|port| port.id.text().is_some_and(|id| id == wanted) && port.device_id.text().is_none())
    };
    let idle = things(&addresses).filter(|one| one.port_id.text().is_none_or(|port| empty(&port)));
    Ok(idle.filter_map(|one| Some((text(one.id)?, text(one.floating_ip_address)))).collect())
}
