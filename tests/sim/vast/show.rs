//! An instance as Vast shows it.

use serde_json::{Map, Value, json};

use super::super::Market;
use super::super::clock::{Nanos, SECOND, seconds};
use super::super::machine::{Machine, Phase};
use super::super::world::dollars;

/// The instance's row.
pub fn instance(market: &Market, machine: &Machine, now: Nanos) -> Value {
    let mut row = machine.facts.as_object().cloned().unwrap_or_else(Map::new);
    // An instance has no ask of its own, and spells the total of its memory in another way.
    for key in ["ask_contract_id", "rentable", "rented", "gpu_total_ram", "verified"] {
        row.remove(key);
    }
    let (actual, current, intended) = states(machine);
    let actual = machine.word.clone().map_or(actual, Value::from);
    let request = &machine.request;
    let lasts = machine.facts["duration"].as_f64().unwrap_or_default();
    let end = seconds(machine.created) + lasts;
    let running = f64::from(u8::from(machine.is_up()));
    let (host, port) = market.address_of(machine);
    let runtype = request["runtype"].as_str().unwrap_or("ssh_direct");
    let fields = json!({
        "id": machine.id.parse::<u64>().unwrap_or_default(),
        "actual_status": actual, "cur_state": current, "next_state": current, "intended_status": intended,
        "status_msg": machine.says, "label": machine.name,
        "template_id": null, "template_hash_id": request["template_hash_id"], "template_name": null,
        "image_uuid": request["image"], "image_args": [], "image_runtype": runtype,
        "extra_env": environment(&request["env"]), "onstart": request["onstart"], "jupyter_token": "practice",
        "ssh_host": host, "ssh_idx": "1", "ssh_port": port, "machine_dir_ssh_port": port,
        "public_ipaddr": host, "local_ipaddrs": "172.17.0.2 \n",
    });
    let figures = json!({
        "start_date": seconds(machine.created), "end_date": end,
        "duration": (end - seconds(now)).max(0.0),
        "uptime_mins": machine.started.filter(|_| machine.is_up()).map(|at| (now - at) / (60 * SECOND)),
        "gpu_totalram": u64::from(machine.cards.memory_mib) * u64::from(machine.cards.count),
        "gpu_util": 37.0 * running, "gpu_temp": 41.0, "cpu_util": 4.0 * running,
        "mem_limit": 62.9, "mem_usage": 1.2, "vmem_usage": null,
        "disk_usage": if machine.is_up() { json!(1.7) } else { Value::Null }, "disk_util": 0.02,
        "disk_space": machine.disk_gb.0, "disk_name": "nvme",
        "is_bid": machine.bid.is_some(), "country_code": null, "credit_balance": null,
        "dph_base": dollars(machine.rates.compute),
        "dph_total": dollars(machine.rates.compute + machine.rates.disk),
        "storage_total_cost": dollars(machine.rates.disk),
        "host_run_time": 2_592_000.0, "client_run_time": 1.1,
        "os_version": "22.04", "mobo_name": "H12SSL", "logo": "", "webpage": null,
        "time_remaining": "", "time_remaining_isbid": "",
    });
    for part in [fields, figures] {
        row.extend(part.as_object().cloned().unwrap_or_default());
    }
    if machine.is_up() && runtype != "args" {
        row.insert(
            "ports".to_owned(),
            json!({ "22/tcp": [{ "HostIp": "0.0.0.0", "HostPort": port.to_string() }] }),
        );
    } else {
        row.insert("ports".to_owned(), Value::Null);
    }
    Value::Object(row)
}

/// `actual_status`, `cur_state` and `intended_status`.
fn states(machine: &Machine) -> (Value, &'static str, &'static str) {
    let intended = if machine.wanted { "running" } else { "stopped" };
    match machine.phase {
        Phase::Made => (Value::Null, "running", intended),
        Phase::Loading => (json!("loading"), "running", intended),
        Phase::Running => (json!("running"), "running", intended),
        Phase::Stopping => (json!("running"), "running", "stopped"),
        Phase::Stopped | Phase::Ending | Phase::Gone => (json!("stopped"), "stopped", "stopped"),
        Phase::Waiting => (json!("stopped"), "stopped", "running"),
        Phase::Paused => (json!("stopped"), "stopped", "stopped"),
        Phase::Failed => (json!("exited"), "running", intended),
        Phase::Offline => (json!("offline"), "running", intended),
    }
}

/// The environment as pairs.
fn environment(env: &Value) -> Value {
    let pairs = env.as_object().into_iter().flatten().map(|(name, value)| json!([name, value]));
    pairs.collect()
}
