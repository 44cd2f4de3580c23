//! What a key of a provider is made of and what it may do, as data.

use crate::words::words;

/// One part of a key that has several. The parts travel together as one JSON object under these names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyField {
    /// Its name in the object: `access_key_id`.
    pub name: &'static str,
    /// As the provider's own page calls it: `Access key ID`.
    pub title: &'static str,
    /// Whether nobody may see it: it is hidden while it is typed.
    pub secret: bool,
    /// Whether the key is useless without it.
    pub required: bool,
    /// What one looks like, or what an empty one means; may be empty. Never a real one.
    pub example: &'static str,
}

words! {
    /// What a right of a key is good for.
    KeyUse {
        /// Reading offers and prices.
        Offers = "offers",
        /// Seeing machines.
        Watch = "watch",
        /// Making, stopping, starting and ending machines.
        Rent = "rent",
        /// Registering SSH keys.
        SshKeys = "ssh-keys",
        /// Reading the balance.
        Balance = "balance",
        /// Reading what was billed.
        Usage = "usage",
        /// Finding what stays and costs without a machine.
        Leftovers = "leftovers",
    }
}

/// A right that a key may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyScope {
    /// In the provider's own spelling: `instance_write`, `droplet:create`.
    pub name: &'static str,
    /// What the desk does with it.
    pub allows: &'static [KeyUse],
    /// Whether renting is impossible without it; without any other, only what it allows is missing.
    pub needed: bool,
    /// The page that grants it; empty = the page where keys are made.
    pub page: &'static str,
}

/// The key of a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyTerms {
    /// Its parts; empty = one text.
    pub fields: &'static [KeyField],
    /// The rights it can have, each alone; empty = a key may do all that its owner may.
    pub scopes: &'static [KeyScope],
    /// Whether a key that can only look can be made.
    pub read_only: bool,
    /// Whether offers are told only with a key.
    pub offers_need_it: bool,
    /// The least rights a key of ours needs, in the provider's own words.
    pub rights: &'static str,
    /// Where such a key is made.
    pub page: &'static str,
}

impl KeyTerms {
    /// One text without rights of its own, for offers and everything else.
    #[must_use]
    pub const fn plain() -> Self {
        Self { fields: &[], scopes: &[], read_only: false, offers_need_it: true, rights: "", page: "" }
    }

    /// The page that grants a right.
    #[must_use]
    pub fn page_of(&self, scope: &KeyScope) -> &'static str {
        if scope.page.is_empty() { self.page } else { scope.page }
    }
}
