//! Names of accounts: `vast`, or `vast/team` for one of several.

use std::fmt;

use gpudesk_core::rental::account_name;

use super::AccountError;

/// The most characters of an alias.
const MAX_ALIAS: usize = 32;

/// An account by provider and alias.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AccountName {
    provider: String,
    alias: String,
}

impl AccountName {
    /// A name whose provider can be rented from here and whose alias is letters, digits and hyphens (in lower case).
    ///
    /// # Errors
    /// [`AccountError::UnknownProvider`], [`AccountError::BadAlias`].
    pub fn new(provider: &str, alias: &str) -> Result<Self, AccountError> {
        let provider = provider.trim().to_ascii_lowercase();
        let alias = alias.trim().to_ascii_lowercase();
        if gpudesk_providers::cloud::cloud(&provider).is_none() {
            return Err(AccountError::UnknownProvider(provider));
        }
        let fits = alias.len() <= MAX_ALIAS
            && !alias.starts_with('-')
            && alias.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        if !fits {
            return Err(AccountError::BadAlias(alias));
        }
        Ok(Self { provider, alias })
    }

    /// Reads `vast` or `vast/team`.
    ///
    /// # Errors
    /// As [`AccountName::new`].
    pub fn parse(text: &str) -> Result<Self, AccountError> {
        let (provider, alias) = text.split_once('/').unwrap_or((text, ""));
        Self::new(provider, alias)
    }

    /// `vast`.
    #[must_use]
    pub fn provider(&self) -> &str {
        &self.provider
    }

    /// `team`; empty for the only account of its provider.
    #[must_use]
    pub fn alias(&self) -> &str {
        &self.alias
    }

    /// The middle of its variable `GPUDESK_<…>_KEY` in lower case: `vast_team`.
    #[must_use]
    pub fn variable(&self) -> String {
        if self.alias.is_empty() {
            self.provider.clone()
        } else {
            format!("{}_{}", self.provider, self.alias.replace('-', "_"))
        }
    }
}

impl fmt::Display for AccountName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&account_name(&self.provider, &self.alias))
    }
}
