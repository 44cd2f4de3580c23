//! Notices by webhook.

use gpudesk_providers::http::{Call, Change, Secret};
use serde_json::{Value, json};
use url::Url;

use super::{Message, NoticeConfig, NoticeError, WebhookForm};
use crate::desk::Desk;

/// The address, read. It may carry a token: no error repeats it.
pub(super) fn address(secret: &Secret) -> Result<Url, NoticeError> {
    let bad = |words: &str| NoticeError::Settings(format!("the webhook's address {words}"));
    let url: Url = secret.expose().trim().parse().map_err(|_| bad("is no address"))?;
    let loopback = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
    match url.scheme() {
        "https" => Ok(url),
        "http" if loopback => Ok(url),
        "http" => Err(bad("is plain http, which is taken on this machine only")),
        _ => Err(bad("is none of https")),
    }
}

fn body(config: &NoticeConfig, message: &Message) -> Value {
    match config.webhook_form {
        WebhookForm::Slack => json!({ "text": message.line() }),
        WebhookForm::Telegram => json!({ "chat_id": config.webhook_chat.trim(), "text": message.line() }),
        WebhookForm::Json => json!({
            "kind": message.kind,
            "name": message.name,
            "text": message.text,
            "at": message.at.to_rfc3339_opts(chrono::SecondsFormat::Secs, true),
        }),
    }
}

impl Desk {
    pub(super) async fn send_webhook(
        &self,
        config: &NoticeConfig,
        message: &Message,
    ) -> Result<(), NoticeError> {
        let secret = self.webhook_address().await?;
        let secret =
            secret.ok_or_else(|| NoticeError::Webhook("its address is not in the keyring".to_owned()))?;
        let url = address(&secret)?;
        let host = url.host_str().unwrap_or_default().to_owned();
        let http = self.http().await.map_err(|error| NoticeError::Webhook(error.to_string()))?;
        let change = Change::of(Call::ask(format!("webhook at `{host}`"), url, &body(config, message)));
        match http.change(&change).await {
            Ok(_) => Ok(()),
            Err(failure) => Err(NoticeError::Webhook(failure.error.detail)),
        }
    }
}
