//! Accounts: what is known of them and how they are reached. Never their keys.

use chrono::{DateTime, Utc};
use sqlx::FromRow;

use crate::time::{from_ms, to_ms};
use crate::{Store, StoreError};

/// An account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountRow {
    /// `vast` or `vast/team`.
    pub name: String,
    /// Where its key is kept: `keyring`, `file`, `session`, `environment`.
    pub key_in: String,
    /// The name of its entry in the keyring.
    pub key_ref: String,
    /// Base address other than the documented one; empty = none.
    pub address: String,
    /// Proxy of its own; empty = the desk's.
    pub proxy: String,
    /// CA file of its own; empty = the desk's.
    pub ca_file: String,
    /// When key, address, proxy or CA file were last changed.
    pub changed_at: DateTime<Utc>,
    /// When its provider was last asked who it is.
    pub checked_at: Option<DateTime<Utc>>,
    /// What the provider last told of it, JSON.
    pub facts: Option<String>,
    /// Why the last check failed, JSON; `None` after one that did not.
    pub error: Option<String>,
}

#[derive(FromRow)]
struct StoredAccount {
    name: String,
    key_in: String,
    key_ref: String,
    address: String,
    proxy: String,
    ca_file: String,
    changed_at: i64,
    checked_at: Option<i64>,
    facts: Option<String>,
    error: Option<String>,
}

impl TryFrom<StoredAccount> for AccountRow {
    type Error = StoreError;

    fn try_from(row: StoredAccount) -> Result<Self, StoreError> {
        let time = |ms, column| from_ms(ms, "accounts", &row.name, column);
        Ok(Self {
            changed_at: time(row.changed_at, "changed_at")?,
            checked_at: row.checked_at.map(|ms| time(ms, "checked_at")).transpose()?,
            name: row.name,
            key_in: row.key_in,
            key_ref: row.key_ref,
            address: row.address,
            proxy: row.proxy,
            ca_file: row.ca_file,
            facts: row.facts,
            error: row.error,
        })
    }
}

const COLUMNS: &str =
    "name, key_in, key_ref, address, proxy, ca_file, changed_at, checked_at, facts, error FROM accounts";

impl Store {
    /// Every account, by name.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn accounts(&self) -> Result<Vec<AccountRow>, StoreError> {
        let rows: Vec<StoredAccount> =
            sqlx::query_as(sqlx::AssertSqlSafe(format!("SELECT {COLUMNS} ORDER BY name")))
                .fetch_all(self.readers())
                .await
                .map_err(self.during("read the accounts"))?;
        rows.into_iter().map(AccountRow::try_from).collect()
    }

    /// One account.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn account(&self, name: &str) -> Result<Option<AccountRow>, StoreError> {
        let row: Option<StoredAccount> =
            sqlx::query_as(sqlx::AssertSqlSafe(format!("SELECT {COLUMNS} WHERE name = ?1")))
                .bind(name)
                .fetch_optional(self.readers())
                .await
                .map_err(self.during("read an account"))?;
        row.map(AccountRow::try_from).transpose()
    }

    /// Stores an account, over the one of the same name.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn set_account(&self, account: &AccountRow) -> Result<(), StoreError> {
        sqlx::query(
            "INSERT OR REPLACE INTO accounts
               (name, key_in, key_ref, address, proxy, ca_file, changed_at, checked_at, facts, error)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )
        .bind(&account.name)
        .bind(&account.key_in)
        .bind(&account.key_ref)
        .bind(&account.address)
        .bind(&account.proxy)
        .bind(&account.ca_file)
        .bind(to_ms(account.changed_at))
        .bind(account.checked_at.map(to_ms))
        .bind(&account.facts)
        .bind(&account.error)
        .execute(self.writer())
        .await
        .map_err(self.during("store an account"))?;
        Ok(())
    }

    /// Writes down what a check found; an account that was removed meanwhile stays removed. Facts of an earlier check
    /// stay where this one has none.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn record_check(
        &self,
        name: &str,
        at: DateTime<Utc>,
        facts: Option<&str>,
        error: Option<&str>,
    ) -> Result<(), StoreError> {
        sqlx::query(
            "UPDATE accounts SET checked_at = ?2, facts = coalesce(?3, facts), error = ?4 WHERE name = ?1",
        )
        .bind(name)
        .bind(to_ms(at))
        .bind(facts)
        .bind(error)
        .execute(self.writer())
        .await
        .map_err(self.during("store what a check of an account found"))?;
        Ok(())
    }

    /// Forgets an account.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn remove_account(&self, name: &str) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM accounts WHERE name = ?1")
            .bind(name)
            .execute(self.writer())
            .await
            .map_err(self.during("remove an account"))?;
        Ok(())
    }
}
