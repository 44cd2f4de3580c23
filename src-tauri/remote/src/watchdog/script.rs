//! Putting the scripts together.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use flate2::Compression;
use flate2::write::GzEncoder;
use gpudesk_core::rental::{OnExpiry, UserDataKind};

use super::{BoxLease, Method};
use crate::gpu::script::bare;
use crate::gpu::vitals;
use crate::parting;

/// The version of the script; a machine with another one gets ours when it is armed.
pub const VERSION: u32 = 3;

const BASE: &str = include_str!("sh/base.sh");
const CARDS: &str = include_str!("sh/cards.sh");
const IDLE: &str = include_str!("sh/idle.sh");
const STOP: &str = include_str!("sh/stop.sh");
const PART: &str = include_str!("sh/part.sh");
const LOOP: &str = include_str!("sh/loop.sh");
const INSTALL: &str = include_str!("sh/install.sh");
const LOOK: &str = include_str!("sh/look.sh");
const DISARM: &str = include_str!("sh/disarm.sh");
const BOOT: &str = include_str!("sh/boot.sh");

/// What runs on the machine for as long as it lives.
fn program() -> String {
    let parts: String = [BASE, vitals::FUNCTIONS, CARDS, IDLE, STOP, PART, LOOP].map(bare).concat();
    let parting = bare(parting::SCRIPT);
    format!(
        "# gpudesk-watchdog {VERSION}: GPU Desk stops this machine when its lease ends or it idles.\n\
         parting_script() {{\ncat <<'GPUDESK_PARTING'\n{parting}GPUDESK_PARTING\n}}\n{parts}"
    )
}

fn setup(variables: &str) -> String {
    let (base, program, install) = (bare(BASE), program(), bare(INSTALL));
    format!(
        "{variables}{base}gpudesk_program() {{\ncat <<'GPUDESK_PROGRAM'\n{program}GPUDESK_PROGRAM\n}}\n{install}"
    )
}

/// The script as root, where the login may become root; the login's home goes along, for the marker files in it. A
/// machine that is a folder (GPUDESK_ROOT) is nobody's to become root on: `sudo` would forget the folder.
fn as_root(script: &str) -> String {
    format!(
        "as=\nif [ -z \"${{GPUDESK_ROOT:-}}\" ] && [ \"$(id -u)\" -ne 0 ] && command -v sudo >/dev/null 2>&1 &&\n  \
         sudo -n true </dev/null 2>/dev/null; then as='sudo -n'; fi\n\
         home=$HOME\ncase $home in *[!A-Za-z0-9_./@-]*) home= ;; esac\n\
         user=$(id -un)\ncase $user in *[!A-Za-z0-9_.@-]*) user= ;; esac\n\
         {{ printf \"person_home='%s'\\nperson_user='%s'\\n\" \"$home\" \"$user\"; cat <<'GPUDESK_SETUP'\n{script}GPUDESK_SETUP\n}} | $as sh -s\n"
    )
}

/// Arms a machine; `None` where the lease has an address that is none.
pub(super) fn arm(lease: &BoxLease, now: DateTime<Utc>) -> Option<String> {
    Some(as_root(&setup(&lease.variables(Some(now))?)))
}

/// Renews the lease of a watchdog that runs, and installs none.
pub(super) fn renew(lease: &BoxLease, now: DateTime<Utc>) -> Option<String> {
    let variables = lease.variables(Some(now))?;
    Some(as_root(&format!("{variables}{}{}", bare(BASE), bare(INSTALL))))
}

/// Asks what it does.
pub(super) fn look() -> String {
    as_root(&format!("{}{}", bare(BASE), bare(LOOK)))
}

/// Takes it away.
pub(super) fn disarm() -> String {
    as_root(&format!("{}{}", bare(BASE), bare(DISARM)))
}

/// The text for the first boot that arms a machine before anybody can log in. It may run at every start: a lease that
/// a desk left there since stands. `max_bytes` is what the provider takes before any encoding; where the whole does
/// not fit it is packed, and where that does not fit either, a script of a few lines keeps the deadline until the desk
/// arms the machine by SSH. `None` where even that is impossible, or nothing may be given along.
#[must_use]
pub fn user_data(lease: &BoxLease, kind: UserDataKind, max_bytes: Option<u32>) -> Option<String> {
    if kind == UserDataKind::None {
        return None;
    }
    let script = setup(&format!("{}person_home=''\nperson_user=''\n", lease.variables(None)?));
    let fits = |text: &String| max_bytes.is_none_or(|most| text.len() <= most as usize);
    let plain = format!("#!/bin/sh\n{script}");
    if fits(&plain) {
        return Some(plain);
    }
    packed(&script).filter(fits).or_else(|| deadline_only(lease).filter(fits))
}

fn packed(script: &str) -> Option<String> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(script.as_bytes()).ok()?;
    let text = STANDARD.encode(encoder.finish().ok()?);
    Some(format!("#!/bin/sh\nbase64 -d <<'GPUDESK' | gzip -dc | sh -s\n{text}\nGPUDESK\n"))
}

/// The few lines of `boot.sh`, for the two clouds that take little and give their machines a key of their own.
fn deadline_only(lease: &BoxLease) -> Option<String> {
    let deadline = lease.deadline?.timestamp();
    let ends = match lease.action {
        OnExpiry::Notify => return None,
        OnExpiry::Stop => false,
        OnExpiry::End => true,
    };
    let base = |usual: &'static str| lease.base.as_deref().unwrap_or(usual).trim_end_matches('/').to_owned();
    let (key, id, order) = match (lease.method, ends) {
        (Method::PowerOff, _) => return None,
        (Method::Vast, _) => {
            let verb = if ends { "-X DELETE" } else { r#"-X PUT -d '{"state":"stopped"}'"# };
            let order = format!("call {verb} {}/api/v0/instances/$id/", base("https://console.vast.ai"));
            ("CONTAINER_API_KEY", "CONTAINER_ID", order)
        }
        (Method::RunPod, _) => {
            let at = format!("{}/v2/pods/$id", base("https://api.runpod.io"));
            let order = if ends {
                format!("call -X DELETE {at}")
            } else {
                format!(r#"call -X POST -d '{{"action":"stop"}}' {at}/action"#)
            };
            ("RUNPOD_API_KEY", "RUNPOD_POD_ID", order)
        }
    };
    let text = bare(BOOT)
        .replace("DEADLINE", &deadline.to_string())
        .replace("known KEY", &format!("known {key}"))
        .replace("known ID", &format!("known {id}"))
        .replace("ORDER", &order);
    Some(format!("#!/bin/sh\n{text}"))
}
