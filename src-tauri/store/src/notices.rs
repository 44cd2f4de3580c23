//! What was told to people, each thing once, and what is still to be sent.

use chrono::{DateTime, Utc};
use sqlx::FromRow;

use crate::time::to_ms;
use crate::{Store, StoreError};

/// Something to tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewNotice<'a> {
    /// Whom it is about: a rental's id or a budget's name.
    pub subject: &'a str,
    /// What makes it one thing within its subject.
    pub key: &'a str,
    /// Its kind.
    pub kind: &'a str,
    /// Shown name of the subject.
    pub name: &'a str,
    /// One line.
    pub text: &'a str,
    /// When.
    pub at: DateTime<Utc>,
    /// Whether it goes by mail.
    pub mail: bool,
    /// Whether it goes by webhook.
    pub webhook: bool,
}

/// Something that is still to be sent.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct NoticeRow {
    /// Its number.
    pub id: i64,
    /// Its kind.
    pub kind: String,
    /// Shown name of the subject.
    pub name: String,
    /// One line.
    pub text: String,
    /// When, in milliseconds.
    pub at: i64,
    /// Whether it is still to go by mail.
    pub mail: bool,
    /// Whether it is still to go by webhook.
    pub webhook: bool,
    /// How often it was tried.
    pub tries: i64,
}

/// What came of sending a notice by one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sent {
    /// It went, or was not to go by it.
    Done,
    /// It did not go and is tried again.
    Again,
    /// It will not go.
    GivenUp,
}

impl Sent {
    /// As it is stored.
    fn state(self) -> i64 {
        match self {
            Self::Done => 2,
            Self::Again => 1,
            Self::GivenUp => 3,
        }
    }
}

impl Store {
    /// Writes down something to tell; `false` where it was told already.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn add_notice(&self, notice: NewNotice<'_>) -> Result<bool, StoreError> {
        let done = sqlx::query(
            "INSERT OR IGNORE INTO notices (subject, key, kind, name, text, at, mail, webhook)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )
        .bind(notice.subject)
        .bind(notice.key)
        .bind(notice.kind)
        .bind(notice.name)
        .bind(notice.text)
        .bind(to_ms(notice.at))
        .bind(i64::from(notice.mail))
        .bind(i64::from(notice.webhook))
        .execute(self.writer())
        .await
        .map_err(self.during("write down a notice"))?;
        Ok(done.rows_affected() > 0)
    }

    /// What is to be sent now, oldest first. Whoever reads it has it for himself until `until`: another program that
    /// looks meanwhile finds nothing.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn notices_to_send(
        &self,
        now: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> Result<Vec<NoticeRow>, StoreError> {
        const DOING: &str = "read the notices to send";
        let mut transaction = self.begin_write(DOING).await?;
        let rows: Vec<NoticeRow> = sqlx::query_as(
            "SELECT id, kind, name, text, at, mail = 1 AS mail, webhook = 1 AS webhook, tries FROM notices
             WHERE (mail = 1 OR webhook = 1) AND next_at <= ?1 ORDER BY id LIMIT 100",
        )
        .bind(to_ms(now))
        .fetch_all(&mut *transaction)
        .await
        .map_err(self.during(DOING))?;
        for row in &rows {
            sqlx::query("UPDATE notices SET next_at = ?2, tries = tries + 1 WHERE id = ?1")
                .bind(row.id)
                .bind(to_ms(until))
                .execute(&mut *transaction)
                .await
                .map_err(self.during(DOING))?;
        }
        transaction.commit().await.map_err(self.during(DOING))?;
        Ok(rows)
    }

    /// Writes down what came of sending a notice.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn notice_sent(
        &self,
        id: i64,
        mail: Sent,
        webhook: Sent,
        next_at: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "UPDATE notices SET mail = iif(mail = 1, ?2, mail), webhook = iif(webhook = 1, ?3, webhook), next_at = ?4
             WHERE id = ?1",
        )
        .bind(id)
        .bind(mail.state())
        .bind(webhook.state())
        .bind(to_ms(next_at))
        .execute(self.writer())
        .await
        .map_err(self.during("write down that a notice was sent"))?;
        Ok(())
    }
}
