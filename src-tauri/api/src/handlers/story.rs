//! Events of a rental, as people read them.

use gpudesk_core::policy::{Judgement, Verdict};
use gpudesk_core::rental::{Event, EventKind, HookEnd, Lease, MachineState, Notice, Parting};
use serde_json::Value;

use super::rows::{text, time};
use crate::rental::EventDto;

/// One event: a line in English, and its figures for other languages.
pub(super) fn event(event: &Event) -> EventDto {
    let (weight, line) = line(&event.kind);
    let mut figures = match serde_json::to_value(&event.kind) {
        Ok(Value::Object(figures)) => figures,
        _ => serde_json::Map::new(),
    };
    let word = figures.remove("event");
    EventDto {
        at: time(event.at),
        event: word.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned(),
        text: line,
        weight: weight.to_owned(),
        figures: Value::Object(figures),
    }
}

fn line(kind: &EventKind) -> (&'static str, String) {
    match kind {
        EventKind::Requested { per_hour, .. } => {
            ("note", format!("Written down at {} an hour.", text(*per_hour)))
        }
        EventKind::LaunchSent { attempt: 1 } => ("note", "Asked the provider for it.".to_owned()),
        EventKind::LaunchSent { attempt } => ("note", format!("Asked the provider for it, try {attempt}.")),
        EventKind::LaunchUnclear { words } => {
            ("warn", format!("No clear answer, so its mark is looked for before anything else: {words}"))
        }
        EventKind::LaunchRefused { words, .. } => ("bad", format!("The provider made nothing: {words}")),
        EventKind::Placed { remote_id, found: false, .. } => {
            ("good", format!("The provider has it as {remote_id}."))
        }
        EventKind::Placed { remote_id, found: true, .. } => {
            ("good", format!("Found by its mark at the provider as {remote_id}."))
        }
        EventKind::Adopted { remote_id, .. } => ("note", format!("Taken over: {remote_id} at the provider.")),
        EventKind::Seen { state, word, detail, .. } => seen(*state, word, detail.as_deref()),
        EventKind::Address { ssh } => {
            let proxy = if ssh.proxy { ", the provider's proxy" } else { "" };
            ("note", format!("SSH at {}:{} as {}{proxy}.", ssh.host, ssh.port, ssh.user))
        }
        EventKind::Answered => ("good", "SSH answers.".to_owned()),
        EventKind::HostKey { fingerprint, replaced: false } => {
            ("note", format!("Its host key is {fingerprint}."))
        }
        EventKind::HostKey { fingerprint, replaced: true } => {
            ("warn", format!("Its new host key {fingerprint} was accepted by a person."))
        }
        EventKind::Verified { verification } if verification.ok => {
            ("good", "It is what was offered.".to_owned())
        }
        EventKind::Verified { verification } => {
            let differs: Vec<String> = verification
                .differs
                .iter()
                .map(|d| format!("{} {} instead of {}", d.what, d.found, d.offered))
                .collect();
            ("bad", format!("It is not what was offered: {}.", differs.join("; ")))
        }
        EventKind::StopAsked { by, why } => ("note", asked("Stop", &by.to_string(), why)),
        EventKind::StartAsked { by } => ("note", asked("Start", &by.to_string(), "")),
        EventKind::EndAsked { by, why } => ("note", asked("End", &by.to_string(), why)),
        EventKind::Refused { what, words } => {
            ("bad", format!("The provider did not {what} it; it is asked again: {words}"))
        }
        EventKind::Rate { per_hour, .. } => {
            ("warn", format!("Billed at {} an hour from now on.", text(*per_hour)))
        }
        EventKind::Missed => (
            "warn",
            "A full list of the account lacks it; a second one decides whether it is gone.".to_owned(),
        ),
        EventKind::Failed { reason } => ("bad", format!("It failed: {reason}")),
        EventKind::Gone { proof, .. } => ("note", format!("Gone at the provider: {proof}.")),
        EventKind::LookedAgain { minutes, there: false } => {
            ("good", format!("Looked again {minutes} minutes after the end: it is gone."))
        }
        EventKind::LookedAgain { minutes, there: true } => {
            ("bad", format!("Looked again {minutes} minutes after the end: it is still there."))
        }
        EventKind::Billed { bill } => {
            ("note", format!("The provider billed {} {}.", text(bill.total), bill.currency))
        }
        EventKind::Noticed { notice } => noticed(notice),
        EventKind::LeaseSet { lease, by } => ("note", lease_set(lease, &by.to_string())),
        EventKind::PolicyChecked { judgement, .. } => policy(judgement),
        EventKind::Override { rule, reason } => {
            ("warn", format!("A person allowed what the policy `{rule}` forbids: {reason}"))
        }
        EventKind::Kept { by } => ("note", format!("Kept by {by}: its idle time begins anew.")),
        EventKind::PartingBegun { why, until, .. } => {
            ("warn", format!("Its programs are asked to end, until {} at the latest: {why}", time(*until)))
        }
        EventKind::PartingOver { parting: Some(parting), .. } => parted(parting),
        EventKind::PartingOver { words, .. } => ("warn", asked_in_vain(words.as_deref().unwrap_or_default())),
        EventKind::Retagged { until } => {
            let until = until.map_or("no end".to_owned(), time);
            ("note", format!("Its own tags name the new end of its lease: {until}."))
        }
        EventKind::RetagFailed { words, .. } => (
            "warn",
            format!("Its own tags still name the old end of its lease; they are tried again: {words}"),
        ),
        EventKind::Told { what } => ("note", format!("Its owner was told: {what}.")),
        EventKind::Accepted { what } => ("note", format!("The provider took the {what}.")),
    }
}

fn policy(judgement: &Judgement) -> (&'static str, String) {
    let reasons: Vec<String> = judgement.reasons.iter().map(ToString::to_string).collect();
    let (weight, says) = match judgement.verdict {
        Verdict::Allowed => ("good", "allows it"),
        Verdict::Warned => ("warn", "warns"),
        Verdict::Blocked => ("warn", "forbids it"),
    };
    let because = if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join("; ")) };
    (weight, format!("The policy “{}” {says}{because}.", judgement.title))
}

fn asked(what: &str, by: &str, why: &str) -> String {
    if why.is_empty() {
        format!("{what} asked for by {by}.")
    } else {
        format!("{what} asked for by {by}: {why}")
    }
}

fn seen(state: MachineState, word: &str, detail: Option<&str>) -> (&'static str, String) {
    let weight = match state {
        MachineState::Failed | MachineState::Preempted | MachineState::Offline => "bad",
        MachineState::Unknown => "warn",
        MachineState::Running => "good",
        _ => "note",
    };
    let detail = detail.map_or(String::new(), |detail| format!(": {detail}"));
    (weight, format!("The provider says {state} (`{word}`){detail}."))
}

fn noticed(notice: &Notice) -> (&'static str, String) {
    match notice {
        Notice::PriceRise { per_hour, from } => {
            let when = from.map_or(String::new(), |from| format!(" from {} on", time(from)));
            ("warn", format!("The host wants {} an hour{when}.", text(*per_hour)))
        }
        Notice::StillBilled { word } => {
            ("bad", format!("It does not run (`{word}`) and its cards are billed all the same."))
        }
        Notice::NoGpu => ("bad", "It came back without its cards.".to_owned()),
        Notice::Locked => {
            ("warn", "The provider refuses stop and end until it is unlocked there.".to_owned())
        }
        Notice::Says { words } => ("note", format!("The provider says: {words}")),
    }
}

fn parted(parting: &Parting) -> (&'static str, String) {
    let Parting { asked, ended, hook } = parting;
    let hook = match hook {
        None => "",
        Some(HookEnd::Done) => "; before-stop is done",
        Some(HookEnd::Failed) => "; before-stop failed",
        Some(HookEnd::Killed) => "; before-stop took too long and was ended",
    };
    let whole = asked == ended && !matches!(parting.hook, Some(HookEnd::Failed | HookEnd::Killed));
    let weight = if whole { "note" } else { "warn" };
    (weight, format!("{ended} of {asked} programs on its cards ended{hook}."))
}

fn asked_in_vain(words: &str) -> String {
    format!("Its programs could not be asked to end, and it goes on without: {words}")
}

fn lease_set(lease: &Lease, by: &str) -> String {
    let until = lease.until.map_or("no end".to_owned(), |until| format!("until {}", time(until)));
    let most = lease.max_spend.map_or(String::new(), |most| format!(", at most {}", text(most)));
    format!("Lease set by {by}: {until}{most}, then {}.", lease.on_expiry)
}
