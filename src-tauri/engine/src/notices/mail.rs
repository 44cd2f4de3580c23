//! Notices by mail.

use std::time::Duration;

use lettre::message::{Mailbox, header::ContentType};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::{AsyncSmtpTransport, AsyncTransport, Message as Mail, Tokio1Executor};

use super::{MailServer, Message, NoticeError, Security};
use crate::desk::Desk;

/// How long a server may take for one mail.
const LIMIT: Duration = Duration::from_secs(30);

/// Sender and receivers, read.
pub(super) fn addresses(server: &MailServer) -> Result<(Mailbox, Vec<Mailbox>), NoticeError> {
    let read = |text: &str| {
        text.trim()
            .parse::<Mailbox>()
            .map_err(|error| NoticeError::Settings(format!("`{}` is no mail address: {error}", text.trim())))
    };
    let to = server.to.iter().map(|to| read(to)).collect::<Result<_, _>>()?;
    Ok((read(&server.from)?, to))
}

impl Desk {
    pub(super) async fn send_mail(&self, server: &MailServer, message: &Message) -> Result<(), NoticeError> {
        let (from, to) = addresses(server)?;
        let failed = |error: String| NoticeError::Mail(gpudesk_providers::http::redact::words(&error));
        let text = format!("{}\n\n{}\n", message.line(), message.at.format("%Y-%m-%d %H:%M UTC"));
        // What a provider said may stand in the line: a subject is one line, and not endless.
        let subject: String = message.line().chars().filter(|c| !c.is_control()).take(160).collect();
        let mail = to.into_iter().fold(Mail::builder().from(from), lettre::message::MessageBuilder::to);
        let mail = mail
            .subject(format!("GPU Desk: {subject}"))
            .header(ContentType::TEXT_PLAIN)
            .body(text)
            .map_err(|error| failed(error.to_string()))?;
        let parameters =
            || TlsParameters::new(server.server.clone()).map_err(|error| failed(error.to_string()));
        let tls = match server.security {
            Security::Tls => Tls::Wrapper(parameters()?),
            Security::StartTls => Tls::Required(parameters()?),
            Security::None => Tls::None,
        };
        let mut transport = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&server.server)
            .port(server.port)
            .tls(tls)
            .timeout(Some(LIMIT));
        if !server.user.is_empty() {
            let password = self.mail_password().await?;
            let password = password.map(|secret| secret.expose().to_owned()).unwrap_or_default();
            transport = transport.credentials(Credentials::new(server.user.clone(), password));
        }
        let sent = tokio::time::timeout(LIMIT * 2, transport.build().send(mail)).await;
        match sent {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => {
                let mut words = error.to_string();
                let mut source = std::error::Error::source(&error);
                while let Some(deeper) = source {
                    words = format!("{words}: {deeper}");
                    source = deeper.source();
                }
                Err(failed(words))
            }
            Err(_) => Err(failed("the server did not take it in time".to_owned())),
        }
    }
}
