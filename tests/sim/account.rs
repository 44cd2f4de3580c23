//! Who asks: three accounts and the keys they have at every service.

use axum::http::HeaderMap;
use serde::{Deserialize, Serialize};

use super::machine::Phase;
use super::seller::Sent;
use super::world::World;

/// The key that may do everything.
pub const GOOD_KEY: &str = "practice-key";
/// Another key of the same account, that may only look.
pub const READ_ONLY_KEY: &str = "practice-key-read-only";
/// A key of an account with almost no money.
pub const POOR_KEY: &str = "practice-key-poor";
/// A key of a second account in good order.
pub const TEAM_KEY: &str = "practice-key-team";

/// A customer of the market.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Account {
    /// Money enough.
    Main,
    /// Two cents.
    Poor,
    /// Another one in good order.
    Team,
}

impl Account {
    /// What was paid in, in nano-dollars.
    #[must_use]
    pub fn paid_in(self) -> i64 {
        match self {
            Self::Main => 500_000_000_000,
            Self::Poor => 20_000_000,
            Self::Team => 2_000_000_000_000,
        }
    }

    /// Mail address of the owner.
    #[must_use]
    pub fn mail(self) -> &'static str {
        match self {
            Self::Main => "practice@example.com",
            Self::Poor => "poor@example.com",
            Self::Team => "team@example.com",
        }
    }

    /// Number of the user.
    #[must_use]
    pub fn number(self) -> u32 {
        match self {
            Self::Main => 4711,
            Self::Poor => 4712,
            Self::Team => 4713,
        }
    }
}

/// Someone with a valid key.
#[derive(Debug, Clone)]
pub struct Caller {
    /// Whose key it is.
    pub account: Account,
    /// Whether it may change things.
    pub may_write: bool,
    /// The one machine a key found in a box may touch.
    pub only: Option<String>,
}

impl Caller {
    /// Whether the key may touch this machine.
    #[must_use]
    pub fn may_touch(&self, machine: &str) -> bool {
        self.only.as_deref().is_none_or(|only| only == machine)
    }
}

/// The key that a box gets for itself.
#[must_use]
pub fn box_key(machine: &str) -> String {
    format!("practice-box-{machine}")
}

/// Who sent these headers with a bearer key; `None` = no key or an unknown one.
#[must_use]
pub fn caller(headers: &HeaderMap, world: &World) -> Option<Caller> {
    holder(&Sent::Bearer.key(headers)?, world)
}

/// Whose a practice key is; `None` = nobody's.
#[must_use]
pub fn holder(key: &str, world: &World) -> Option<Caller> {
    let (account, may_write) = match key.trim() {
        GOOD_KEY => (Account::Main, true),
        READ_ONLY_KEY => (Account::Main, false),
        POOR_KEY => (Account::Poor, true),
        TEAM_KEY => (Account::Team, true),
        key => {
            let machine = world.machines.iter().find(|m| box_key(&m.id) == key && m.phase != Phase::Gone)?;
            return Some(Caller {
                account: machine.account,
                may_write: true,
                only: Some(machine.id.clone()),
            });
        }
    };
    Some(Caller { account, may_write, only: None })
}

/// Whether a text is one public key, as every service wants it: type, material, comment, and no line break.
#[must_use]
pub fn is_public_key(text: &str) -> bool {
    let mut parts = text.split(' ');
    let kind = parts.next().unwrap_or_default();
    let known = ["ssh-", "ecdsa-", "sk-"].iter().any(|begin| kind.starts_with(begin));
    known && parts.next().is_some_and(|material| material.len() > 40) && !text.contains(['\n', '\r'])
}
