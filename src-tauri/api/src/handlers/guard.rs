//! The guard: limits of rentals, a round of it, and where notices go.

use chrono::{DateTime, Duration, Utc};
use gpudesk_core::rental::{Lease, OnExpiry};
use gpudesk_engine::{Desk, MailServer, NOTICE_KINDS, NoticeConfig, Secret, Security, Ways, WebhookForm};
use rust_decimal::Decimal;

use super::launch::lease_hours;
use super::rental_shape::Shapes;
use super::rows::time;
use crate::desk::ApiError;
use crate::guard::{
    GuardAct, GuardReport, LeaseSetRequest, MailSettings, NoticeKind, NoticeSettings, NoticesSetRequest,
};
use crate::rental::{RentalDto, RentalRequest};

/// New limits of a rental.
///
/// # Errors
/// `not-found`; `request-invalid` for limits that are none; `conflict` where it is over.
pub async fn rental_lease_set(desk: &Desk, request: LeaseSetRequest) -> Result<RentalDto, ApiError> {
    let wrong =
        |detail: String, hint: &str| ApiError::new("request-invalid", "the lease", detail).with_hint(hint);
    let until = |text: &String| {
        DateTime::parse_from_rfc3339(text.trim())
            .map(|at| at.with_timezone(&Utc))
            .map_err(|_| wrong(format!("`{text}` is no time"), "Write it as 2026-11-30T18:00:00Z."))
    };
    let most = |text: &String| {
        text.trim().parse::<Decimal>().ok().filter(|most| *most > Decimal::ZERO).ok_or_else(|| {
            wrong(format!("`{text}` is no amount above 0"), "Write it with a point, such as 20.50.")
        })
    };
    let lease = Lease {
        until: request.until.as_ref().map(until).transpose()?,
        max_spend: request.max_spend.as_ref().filter(|text| !text.trim().is_empty()).map(most).transpose()?,
        idle_minutes: request.idle_minutes.filter(|minutes| *minutes > 0),
        on_expiry: request
            .on_expiry
            .parse::<OnExpiry>()
            .map_err(|error| wrong(error.to_string(), "One of: notify, stop, end."))?,
    };
    let rental = desk.set_lease(&request.rental, lease).await?;
    Ok(Shapes::one(desk, &rental).await?)
}

/// So many hours from now, RFC 3339.
///
/// # Errors
/// `request-invalid` for hours that cannot be.
pub fn hours_from_now(desk: &Desk, hours: f64) -> Result<String, ApiError> {
    let hours = lease_hours(hours)?;
    #[expect(clippy::cast_possible_truncation, reason = "at most a year in milliseconds")]
    let length = Duration::milliseconds((hours * 3_600_000.0) as i64);
    Ok(time(desk.now() + length))
}

/// A person says that it is needed: its idle time begins anew.
///
/// # Errors
/// `not-found`; `conflict` where it is over.
pub async fn rental_keep(desk: &Desk, request: RentalRequest) -> Result<RentalDto, ApiError> {
    let rental = desk.keep_rental(&request.rental).await?;
    Ok(Shapes::one(desk, &rental).await?)
}

/// One round of the guard, now.
///
/// # Errors
/// `database`.
pub async fn guard_once(desk: &Desk, (): ()) -> Result<GuardReport, ApiError> {
    // What the providers say first: a machine that is gone needs no guard.
    let compared = desk.reconcile().await?;
    desk.tend().await?;
    let round = desk.guard_round_and_rings(true).await?;
    desk.send_notices().await;
    Ok(GuardReport {
        at: time(desk.now()),
        rentals: round.rentals.try_into().unwrap_or(u32::MAX),
        acts: round
            .acts
            .into_iter()
            .map(|act| GuardAct {
                rental: act.rental,
                name: act.name,
                what: act.what.to_owned(),
                why: act.why,
            })
            .collect(),
        unmanaged: compared
            .unmanaged
            .iter()
            .filter(|one| !one.ignored)
            .count()
            .try_into()
            .unwrap_or(u32::MAX),
        blind: compared.blind.into_iter().map(|blind| blind.account).collect(),
    })
}

/// Where notices go, and which.
///
/// # Errors
/// `database`.
pub async fn notices_get(desk: &Desk, (): ()) -> Result<NoticeSettings, ApiError> {
    let config = desk.notice_config().await?;
    // A keyring that does not answer keeps the page from nothing but this.
    let has_password = match &config.mail {
        Some(mail) if !mail.user.is_empty() => desk.mail_password().await.is_ok_and(|kept| kept.is_some()),
        _ => false,
    };
    let kinds = NOTICE_KINDS.iter().map(|kind| {
        let Ways { system, mail, webhook } = config.ways(kind);
        NoticeKind { kind: (*kind).to_owned(), system, mail, webhook }
    });
    Ok(NoticeSettings {
        kinds: kinds.collect(),
        mail: config.mail.map(|mail| MailSettings {
            server: mail.server,
            port: mail.port,
            security: match mail.security {
                Security::Tls => "tls",
                Security::StartTls => "starttls",
                Security::None => "none",
            }
            .to_owned(),
            user: mail.user,
            has_password,
            from: mail.from,
            to: mail.to,
        }),
        webhook: config.webhook,
        webhook_form: match config.webhook_form {
            WebhookForm::Slack => "slack",
            WebhookForm::Telegram => "telegram",
            WebhookForm::Json => "json",
        }
        .to_owned(),
        webhook_chat: config.webhook_chat,
        problem: desk.notice_problem(),
    })
}

/// Changes that.
///
/// # Errors
/// `settings-invalid` for what cannot work, `keyring` where a secret cannot be kept: nothing has changed then.
pub async fn notices_set(desk: &Desk, request: NoticesSetRequest) -> Result<NoticeSettings, ApiError> {
    let wrong = |what: &str, word: &str, known: &str| {
        ApiError::new("settings-invalid", what, format!("`{word}` is not known"))
            .with_hint(format!("One of: {known}."))
    };
    let mail = match request.mail {
        None => None,
        Some(mail) => Some(MailServer {
            security: match mail.security.as_str() {
                "tls" => Security::Tls,
                "starttls" => Security::StartTls,
                "none" => Security::None,
                other => return Err(wrong("the mail server", other, "tls, starttls, none")),
            },
            server: mail.server.trim().to_owned(),
            port: mail.port,
            user: mail.user.trim().to_owned(),
            from: mail.from.trim().to_owned(),
            to: mail.to.iter().map(|to| to.trim().to_owned()).filter(|to| !to.is_empty()).collect(),
        }),
    };
    let config = NoticeConfig {
        kinds: request
            .kinds
            .iter()
            .map(|kind| {
                let ways = Ways { system: kind.system, mail: kind.mail, webhook: kind.webhook };
                (kind.kind.clone(), ways)
            })
            .collect(),
        mail,
        webhook: false,
        webhook_form: match request.webhook_form.as_str() {
            "slack" | "" => WebhookForm::Slack,
            "telegram" => WebhookForm::Telegram,
            "json" => WebhookForm::Json,
            other => return Err(wrong("the webhook", other, "slack, telegram, json")),
        },
        webhook_chat: request.webhook_chat,
    };
    desk.set_notice_config(config, request.password.map(Secret::new), request.webhook.map(Secret::new))
        .await?;
    notices_get(desk, ()).await
}

/// Sends a notice by mail and webhook, to try them.
///
/// # Errors
/// `database`. What went wrong with them is part of the answer.
pub async fn notices_try(desk: &Desk, (): ()) -> Result<NoticeSettings, ApiError> {
    desk.try_notices().await?;
    notices_get(desk, ()).await
}
