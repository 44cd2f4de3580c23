//! What happened to a rental. Events are only ever added; their shapes may gain fields, never lose them.

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::{Billed, Lease, Limit, MachineState, Notice, Parting, SshAddress, Verification};
use crate::policy::{Judgement, Policy};
use crate::words::words;

words! {
    /// Who caused something.
    Who {
        /// A person at this desk.
        Person = "person",
        /// The desk itself, by a rule.
        Desk = "desk",
        /// The provider.
        Provider = "provider",
        /// The machine itself.
        Box = "box",
    }
}

/// The code of [`EventKind::LaunchRefused`] where the provider was asked too often: the order itself was not judged.
pub const PUT_OFF: &str = "rate-limited";

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// When the desk learned it.
    pub at: DateTime<Utc>,
    /// What.
    #[serde(flatten)]
    pub kind: EventKind,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum EventKind {
    /// Written down, with the price at which it is taken; nothing was asked of the provider yet.
    Requested {
        /// Compute per hour of the whole offer, in its currency.
        per_hour: Decimal,
        /// The upper end of what the disk costs per hour while running; `None` = not known.
        disk_per_hour: Option<Decimal>,
        /// The same while stopped.
        disk_stopped_per_hour: Option<Decimal>,
    },
    /// The launch call goes out now, for the n-th time.
    LaunchSent {
        /// From 1 on.
        attempt: u32,
    },
    /// The launch call gave no clear answer: there may be a machine.
    LaunchUnclear {
        /// What was heard.
        words: String,
    },
    /// The provider surely made nothing in answer to the last launch call.
    LaunchRefused {
        /// Fixed word of the reason.
        code: String,
        /// What was heard.
        words: String,
        /// Before when the provider wants no other call, where it says so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        retry_at: Option<DateTime<Utc>>,
    },
    /// The provider has a machine for us.
    Placed {
        /// Its id there.
        remote_id: String,
        /// Whether it was found by its mark instead of being told.
        found: bool,
        /// Since when the provider has it, where it tells.
        since: Option<DateTime<Utc>>,
    },
    /// A machine made elsewhere was taken over.
    Adopted {
        /// Its id there.
        remote_id: String,
        /// Compute per hour, where told.
        per_hour: Option<Decimal>,
    },
    /// The provider's word changed.
    Seen {
        /// In our words.
        state: MachineState,
        /// In the provider's.
        word: String,
        /// What it waits for, in the provider's words.
        detail: Option<String>,
        /// Since when it holds, where the provider tells, or where it took the call that led to it; else the desk
        /// learned it at `at`.
        since: Option<DateTime<Utc>>,
    },
    /// The machine can be reached here.
    Address {
        /// Where.
        ssh: SshAddress,
    },
    /// SSH answered for the first time since the last start.
    Answered,
    /// The host key of the machine.
    HostKey {
        /// `SHA256:…`.
        fingerprint: String,
        /// Whether an earlier one was replaced by a person's word.
        replaced: bool,
    },
    /// Compared with the offer.
    Verified {
        /// What came of it.
        verification: Verification,
    },
    /// A stop was asked of the provider.
    StopAsked {
        /// By whom.
        by: Who,
        /// Why.
        why: String,
    },
    /// A start was asked of the provider.
    StartAsked {
        /// By whom.
        by: Who,
    },
    /// An end was asked of the provider.
    EndAsked {
        /// By whom.
        by: Who,
        /// Why.
        why: String,
    },
    /// The provider took a call: what it was asked for is on its way or done.
    Accepted {
        /// `stop`, `start`, `end`.
        what: String,
    },
    /// The provider did not do what it was asked to; it is asked again.
    Refused {
        /// `stop`, `start`, `end`.
        what: String,
        /// Its words.
        words: String,
    },
    /// Billed at another rate from now on.
    Rate {
        /// Compute per hour.
        per_hour: Decimal,
        /// Since when, where told.
        since: Option<DateTime<Utc>>,
    },
    /// A full listing lacked it, or its mark. That proves nothing yet; the second one, a while later, does.
    Missed,
    /// It broke or never came up.
    Failed {
        /// Why.
        reason: String,
    },
    /// Gone at the provider: confirmed by two full listings or by the provider's word.
    Gone {
        /// Since when, where told.
        since: Option<DateTime<Utc>>,
        /// Who says so, in words: `two full listings`.
        proof: String,
    },
    /// A look after the end, to be sure.
    LookedAgain {
        /// Minutes after the end.
        minutes: u32,
        /// Whether it was still there.
        there: bool,
    },
    /// The provider told what it billed for the machine.
    Billed {
        /// Its figures.
        bill: Billed,
    },
    /// Something a person should know.
    Noticed {
        /// What.
        notice: Notice,
    },
    /// New limits.
    LeaseSet {
        /// The limits from now on.
        lease: Lease,
        /// By whom.
        by: Who,
    },
    /// What travels with the machine names the end of its lease anew.
    Retagged {
        /// Until when; `None` = no limit of time.
        until: Option<DateTime<Utc>>,
    },
    /// It could not be changed; it is tried again.
    RetagFailed {
        /// What it was to name.
        until: Option<DateTime<Utc>>,
        /// Why not.
        words: String,
    },
    /// A person says that it is needed: its idle time begins anew.
    Kept {
        /// By whom.
        by: Who,
    },
    /// A rule is about to stop or end it: its programs are given until then to end their work.
    PartingBegun {
        /// Which limit is reached.
        limit: Limit,
        /// Why it is stopped.
        why: String,
        /// It goes on then at the latest.
        until: DateTime<Utc>,
    },
    /// That time is over.
    PartingOver {
        /// What came of it; `None` = the machine could not be asked.
        parting: Option<Parting>,
        /// Why it could not.
        words: Option<String>,
    },
    /// A residency policy was looked at before anything was asked of the provider.
    PolicyChecked {
        /// The policy as it stood then: the machine is compared with it later.
        policy: Box<Policy>,
        /// What it said of the offer.
        judgement: Judgement,
    },
    /// A person allowed what a rule forbids.
    Override {
        /// Which rule: the name of a residency policy.
        rule: String,
        /// Why.
        reason: String,
    },
    /// What was told to the owner.
    Told {
        /// Fixed word.
        what: String,
    },
}
