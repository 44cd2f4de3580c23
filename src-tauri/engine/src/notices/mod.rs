//! Telling people: what kinds of notices there are, by which ways each goes, and that each is told once.
//!
//! A notice is written down before it is told, under a key of its own: what is written down already is not told again,
//! by whichever program. What goes by mail or webhook is sent from there until it went, was tried for a day, or the
//! way was switched off.

mod mail;
mod settings;
mod webhook;

use chrono::{DateTime, TimeDelta, Utc};
use gpudesk_store::{NewNotice, NoticeRow, Sent};

pub use settings::{MailServer, NoticeConfig, NoticeError, Security, Ways, WebhookForm};

use crate::DeskError;
use crate::desk::Desk;

/// Kinds of notices, in the order in which they are shown.
pub const KINDS: [&str; 8] =
    ["ready", "lease", "idle", "trouble", "preempted", "budget", "unmanaged", "price"];
/// How long whoever sends a notice has for it, until somebody else may try.
const TURN: TimeDelta = TimeDelta::minutes(3);
/// A notice that did not go for so long is of no use any more.
const LAST: TimeDelta = TimeDelta::hours(24);

/// The kind of what is told under a fixed word.
#[must_use]
pub fn kind_of(what: &str) -> &'static str {
    match what {
        "ready" | "stopped" | "ended" => "ready",
        "preempted" => "preempted",
        "price-rise" => "price",
        "unmanaged" => "unmanaged",
        _ if what.starts_with("budget") => "budget",
        _ if what.starts_with("lease") => "lease",
        _ if what.starts_with("idle") => "idle",
        _ => "trouble",
    }
}

/// One notice, ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    pub kind: String,
    pub name: String,
    pub text: String,
    pub at: DateTime<Utc>,
}

impl Message {
    /// `train-a: its lease ends soon`.
    pub fn line(&self) -> String {
        format!("{}: {}", self.name, self.text)
    }
}

impl Desk {
    /// Writes down something to tell; `false` where it was told already.
    pub(crate) async fn notice(
        &self,
        kind: &str,
        subject: &str,
        key: &str,
        name: &str,
        text: &str,
    ) -> Result<bool, DeskError> {
        let config = self.notice_config().await?;
        let ways = config.ways(kind);
        let notice = NewNotice {
            subject,
            key,
            kind,
            name,
            text,
            at: self.now(),
            mail: ways.mail && config.mail.is_some(),
            webhook: ways.webhook && config.webhook,
        };
        Ok(self.store().add_notice(notice).await?)
    }

    /// Sends what is to be sent by mail and webhook. What does not go is tried again, a little later each time.
    pub async fn send_notices(&self) {
        let now = self.now();
        let rows = match self.store().notices_to_send(now, now + TURN).await {
            Ok(rows) if rows.is_empty() => return,
            Ok(rows) => rows,
            Err(error) => {
                tracing::error!("the notices to send could not be read: {error}");
                return;
            }
        };
        let config = match self.notice_config().await {
            Ok(config) => config,
            Err(error) => {
                tracing::error!("the settings of notices could not be read: {error}");
                return;
            }
        };
        for row in rows {
            let (mail, webhook) = self.send(&config, &row).await;
            let pause = TimeDelta::seconds(30 << row.tries.clamp(0, 7));
            if let Err(error) = self.store().notice_sent(row.id, mail, webhook, self.now() + pause).await {
                tracing::error!("that a notice was sent could not be written down: {error}");
            }
        }
    }

    async fn send(&self, config: &NoticeConfig, row: &NoticeRow) -> (Sent, Sent) {
        let at = DateTime::from_timestamp_millis(row.at).unwrap_or_else(|| self.now());
        let message = Message { kind: row.kind.clone(), name: row.name.clone(), text: row.text.clone(), at };
        let too_old = self.now() - at > LAST;
        let again = if too_old { Sent::GivenUp } else { Sent::Again };
        let mut problem = None;
        let mail = match (&config.mail, row.mail) {
            (_, false) => Sent::Done,
            (None, true) => Sent::GivenUp,
            (Some(server), true) => match self.send_mail(server, &message).await {
                Ok(()) => Sent::Done,
                Err(error) => {
                    problem = Some(error.to_string());
                    again
                }
            },
        };
        let webhook = match (config.webhook, row.webhook) {
            (_, false) => Sent::Done,
            (false, true) => Sent::GivenUp,
            (true, true) => match self.send_webhook(config, &message).await {
                Ok(()) => Sent::Done,
                Err(error) => {
                    problem = Some(error.to_string());
                    again
                }
            },
        };
        if let Some(problem) = &problem {
            tracing::warn!("a notice did not go: {problem}");
        }
        self.set_notice_problem(problem);
        (mail, webhook)
    }

    /// Sends a notice by every way that is set, to try them; what went wrong is kept for [`Self::notice_problem`].
    ///
    /// # Errors
    /// When the settings cannot be read.
    pub async fn try_notices(&self) -> Result<(), DeskError> {
        let config = self.notice_config().await?;
        let message = Message {
            kind: "ready".to_owned(),
            name: "GPU Desk".to_owned(),
            text: "this is how notices reach you".to_owned(),
            at: self.now(),
        };
        let mut problem = None;
        if let Some(server) = &config.mail
            && let Err(error) = self.send_mail(server, &message).await
        {
            problem = Some(error.to_string());
        }
        if config.webhook
            && let Err(error) = self.send_webhook(&config, &message).await
        {
            problem = Some(error.to_string());
        }
        self.set_notice_problem(problem);
        self.tell(crate::Event::NoticesChanged);
        Ok(())
    }

    /// What the last notice by mail or webhook came to; `None` = it went, or none was sent in this run.
    #[must_use]
    pub fn notice_problem(&self) -> Option<String> {
        self.inner().notice_problem.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }

    fn set_notice_problem(&self, problem: Option<String>) {
        *self.inner().notice_problem.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = problem;
    }
}
