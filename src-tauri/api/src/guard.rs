//! Requests and answers about the guard: limits, whether a machine works, what was done to it, and who is told.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Whether a machine works.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ActivityDto {
    /// `working`, `idle`, `parked` (memory of a card is held and nothing computes), `unknown`.
    pub state: String,
    /// For how many minutes it has been idle or parked; 0 for the others.
    pub minutes: u32,
    /// Fixed word of why: what keeps it working, or why it cannot be judged.
    pub why: String,
    /// When the lease acts on it if nothing changes, RFC 3339; null = it will not.
    pub acts_at: Option<String>,
}

/// What a lease is unless somebody says otherwise.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct LeaseDefaults {
    /// Hours.
    pub hours: f64,
    /// Minutes without work after which a machine is idle; null = it may idle.
    pub idle_minutes: Option<u32>,
    /// `notify`, `stop`, `end`; null = a stop where that ends the bill of the cards, else `notify`.
    pub on_expiry: Option<String>,
    /// Seconds that a machine's programs have to end their work before a rule stops it; 0 = none.
    pub part_s: u32,
}

impl Default for LeaseDefaults {
    fn default() -> Self {
        let usual = gpudesk_engine::LeaseDefaults::default();
        Self {
            hours: usual.hours,
            idle_minutes: usual.idle_minutes,
            on_expiry: usual.on_expiry.map(|then| then.to_string()),
            part_s: usual.part_s,
        }
    }
}

/// New limits of a rental.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct LeaseSetRequest {
    /// Rental.
    pub rental: String,
    /// Until when, RFC 3339; null = no limit of time.
    pub until: Option<String>,
    /// The most it may cost, decimal, in the currency of its offer; null = no limit.
    pub max_spend: Option<String>,
    /// Minutes without work; null = it may idle.
    pub idle_minutes: Option<u32>,
    /// `notify`, `stop`, `end`.
    pub on_expiry: String,
}

/// Something that one round of the guard did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct GuardAct {
    /// Rental id; empty for a budget.
    pub rental: String,
    /// Name of the rental or budget.
    pub name: String,
    /// `warned`, `told`, `stopped`, `ended`, `shortened`, `budget`.
    pub what: String,
    /// Why, in English.
    pub why: String,
}

/// One round of the guard.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct GuardReport {
    /// When, RFC 3339.
    pub at: String,
    /// Rentals that were looked at.
    pub rentals: u32,
    /// What was done.
    pub acts: Vec<GuardAct>,
    /// Machines that are not ours.
    pub unmanaged: u32,
    /// Accounts that could not be looked into.
    pub blind: Vec<String>,
}

/// Where notices go, and which.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct NoticeSettings {
    /// Kinds there are, in order: `ready`, `lease`, `idle`, `trouble`, `preempted`, `budget`, `unmanaged`, `price`.
    pub kinds: Vec<NoticeKind>,
    /// Mail; null = none is sent.
    pub mail: Option<MailSettings>,
    /// Whether a webhook is set. Its address is kept like a key and not shown.
    pub webhook: bool,
    /// Form of what the webhook gets: `slack`, `telegram`, `json`.
    pub webhook_form: String,
    /// The chat for `telegram`.
    pub webhook_chat: String,
    /// What the last notice by mail or webhook came to; null = it went, or none was sent yet.
    pub problem: Option<String>,
}

/// Which ways a kind of notice goes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct NoticeKind {
    /// The kind.
    pub kind: String,
    /// By the system.
    pub system: bool,
    /// By mail.
    pub mail: bool,
    /// By webhook.
    pub webhook: bool,
}

/// How mail is sent. The password is kept like a key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct MailSettings {
    /// SMTP server.
    pub server: String,
    /// Its port.
    pub port: u16,
    /// `tls` (from the first byte), `starttls`, `none` (loopback only).
    pub security: String,
    /// User; empty = no login.
    pub user: String,
    /// Whether a password is kept.
    pub has_password: bool,
    /// From whom.
    pub from: String,
    /// To whom.
    pub to: Vec<String>,
}

/// New settings of notices.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct NoticesSetRequest {
    /// Kinds and ways.
    pub kinds: Vec<NoticeKind>,
    /// Mail; null = none. `has_password` is ignored.
    pub mail: Option<MailSettings>,
    /// A new password; null = the one that is kept, "" = none.
    pub password: Option<String>,
    /// A new address of the webhook; null = the one that is kept, "" = none.
    pub webhook: Option<String>,
    /// Form of what the webhook gets.
    pub webhook_form: String,
    /// The chat for `telegram`.
    pub webhook_chat: String,
}
