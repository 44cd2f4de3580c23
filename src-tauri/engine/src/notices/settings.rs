//! Where notices go, and which. Passwords and the webhook's address are kept like keys.

use std::collections::BTreeMap;

use gpudesk_providers::http::Secret;
use serde::{Deserialize, Serialize};

use super::KINDS;
use crate::accounts::VaultError;
use crate::desk::Desk;
use crate::{DeskError, Event};

/// Where the settings stand in the store.
const SETTING: &str = "notices";
/// Names of the secrets in the keyring.
const MAIL_PASSWORD: &str = "notices mail";
const WEBHOOK: &str = "notices webhook";

/// Which ways a kind of notice goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ways {
    /// By the system.
    pub system: bool,
    /// By mail, where a server is set.
    pub mail: bool,
    /// By webhook, where one is set.
    pub webhook: bool,
}

/// How the line to a mail server is kept from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Security {
    /// TLS from the first byte.
    Tls,
    /// TLS after a greeting; a server that does not offer it is not used.
    StartTls,
    /// None: this machine only.
    None,
}

/// How mail is sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MailServer {
    /// SMTP server.
    pub server: String,
    /// Its port.
    pub port: u16,
    /// How the line is kept from others.
    pub security: Security,
    /// User; empty = no login.
    pub user: String,
    /// From whom.
    pub from: String,
    /// To whom.
    pub to: Vec<String>,
}

/// What a webhook is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WebhookForm {
    /// `{"text": …}`, as Slack, Mattermost and many others take it.
    #[default]
    Slack,
    /// `{"chat_id": …, "text": …}`, as Telegram's `sendMessage` takes it.
    Telegram,
    /// Every part by its name.
    Json,
}

/// Where notices go, and which.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NoticeConfig {
    /// Ways by kind; a kind that is not in it goes by the system only.
    pub kinds: BTreeMap<String, Ways>,
    /// Mail; `None` = none is sent.
    pub mail: Option<MailServer>,
    /// Whether a webhook is set.
    pub webhook: bool,
    /// What it is sent.
    pub webhook_form: WebhookForm,
    /// The chat, for Telegram.
    pub webhook_chat: String,
}

impl Default for NoticeConfig {
    fn default() -> Self {
        let all = Ways { system: true, mail: true, webhook: true };
        Self {
            kinds: KINDS.iter().map(|kind| ((*kind).to_owned(), all)).collect(),
            mail: None,
            webhook: false,
            webhook_form: WebhookForm::default(),
            webhook_chat: String::new(),
        }
    }
}

impl NoticeConfig {
    /// The ways of a kind.
    #[must_use]
    pub fn ways(&self, kind: &str) -> Ways {
        let usual = Ways { system: true, mail: false, webhook: false };
        self.kinds.get(kind).copied().unwrap_or(usual)
    }
}

/// Why a notice did not go, or its settings were not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoticeError {
    /// Settings that cannot work.
    #[error("{0}")]
    Settings(String),
    /// The keyring.
    #[error("the keyring: {0}")]
    Vault(#[from] VaultError),
    /// The mail server.
    #[error("mail: {0}")]
    Mail(String),
    /// The webhook.
    #[error("webhook: {0}")]
    Webhook(String),
}

impl NoticeError {
    /// The fixed word that windows and scripts act on.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Settings(_) => "settings-invalid",
            Self::Vault(_) => "keyring",
            Self::Mail(_) | Self::Webhook(_) => "network",
        }
    }

    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Vault(error) => error.hint(),
            _ => None,
        }
    }
}

impl Desk {
    /// Where notices go, and which.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn notice_config(&self) -> Result<NoticeConfig, DeskError> {
        let read = |text: String| {
            serde_json::from_str(&text).unwrap_or_else(|error| {
                tracing::warn!("the settings of notices are not understood, the usual ones hold: {error}");
                NoticeConfig::default()
            })
        };
        let config: NoticeConfig = self.store().setting(SETTING).await?.map(read).unwrap_or_default();
        *self.last_notice_config() = Some(config.clone());
        Ok(config)
    }

    fn last_notice_config(&self) -> std::sync::MutexGuard<'_, Option<NoticeConfig>> {
        self.inner().notice_config.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Whether what is told under a word goes by the system, by the settings as they were last read.
    pub(crate) fn goes_by_system(&self, what: &str) -> bool {
        let kind = super::kind_of(what);
        self.last_notice_config().as_ref().is_none_or(|config| config.ways(kind).system)
    }

    /// Changes that. A secret: `None` = the one that is kept stays, empty = none is kept any more.
    ///
    /// # Errors
    /// [`NoticeError`] for settings that cannot work and a keyring that does not; nothing has changed then.
    pub async fn set_notice_config(
        &self,
        mut config: NoticeConfig,
        password: Option<Secret>,
        webhook: Option<Secret>,
    ) -> Result<(), DeskError> {
        check(&config)?;
        let vault = &self.config().vault;
        if let Some(address) = &webhook {
            if address.expose().is_empty() {
                vault.forget(WEBHOOK).await.map_err(NoticeError::from)?;
            } else {
                super::webhook::address(address)?;
                vault.set(WEBHOOK, address).await.map_err(NoticeError::from)?;
            }
        }
        config.webhook = match &webhook {
            Some(address) => !address.expose().is_empty(),
            None => self.notice_config().await?.webhook,
        };
        if let Some(password) = &password {
            if password.expose().is_empty() {
                vault.forget(MAIL_PASSWORD).await.map_err(NoticeError::from)?;
            } else {
                vault.set(MAIL_PASSWORD, password).await.map_err(NoticeError::from)?;
            }
        }
        let text = serde_json::to_string(&config).map_err(|error| DeskError::Settings(error.to_string()))?;
        self.store().set_setting(SETTING, &text).await?;
        self.tell(Event::NoticesChanged);
        Ok(())
    }

    /// The password of the mail server.
    ///
    /// # Errors
    /// When the keyring does not answer.
    pub async fn mail_password(&self) -> Result<Option<Secret>, NoticeError> {
        Ok(self.config().vault.get(MAIL_PASSWORD).await?)
    }

    pub(super) async fn webhook_address(&self) -> Result<Option<Secret>, NoticeError> {
        Ok(self.config().vault.get(WEBHOOK).await?)
    }
}

fn check(config: &NoticeConfig) -> Result<(), NoticeError> {
    let bad = |text: &str| Err(NoticeError::Settings(text.to_owned()));
    if let Some(kind) = config.kinds.keys().find(|kind| !KINDS.contains(&kind.as_str())) {
        return Err(NoticeError::Settings(format!("`{kind}` is no kind of notice")));
    }
    if config.webhook_form == WebhookForm::Telegram && config.webhook_chat.trim().is_empty() {
        return bad("Telegram needs the number or name of a chat");
    }
    let Some(mail) = &config.mail else { return Ok(()) };
    let loopback = matches!(mail.server.as_str(), "localhost" | "127.0.0.1" | "::1");
    if mail.security == Security::None && !loopback {
        return bad("a mail server without TLS is taken on this machine only");
    }
    if mail.to.is_empty() {
        return bad("there is nobody to send mail to");
    }
    super::mail::addresses(mail).map(drop)
}
