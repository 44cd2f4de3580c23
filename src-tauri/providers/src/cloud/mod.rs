//! The one interface every cloud has that can be rented from here: launch, look, stop, start, end.
//!
//! An adapter translates and nothing else: it keeps no state, decides nothing and never repeats a call that makes or
//! ends something. What is done about an unclear answer is the engine's business, which is why every error says
//! whether the provider may have acted ([`CloudError::effect`]).

mod account;
mod bill;
mod error;
pub(crate) mod first_boot;
mod parts;
mod retag;
pub(crate) mod ssh_key;

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use gpudesk_core::money::Currency;
use gpudesk_core::offer::Offer;
use gpudesk_core::rental::{Machine, RentalTerms, Spec};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

pub(crate) use account::{Account, CHANGE_LIMITS, MARK, READ_LIMITS, epoch, iso, mark, variable};
pub(crate) use bill::{Bill, CHANGED, without_figures};
pub use bill::{Leftover, Usage};
pub use error::{CloudError, CloudErrorCode, Effect};
pub use parts::KeyParts;
pub(crate) use retag::{plain_tags, renewed};

use crate::http::{Http, Secret, redact};
use crate::openstack;

/// What it takes to speak for one account.
#[derive(Clone)]
pub struct Access {
    /// The HTTP kit of this account: its proxy, CA and pace.
    pub http: Http,
    /// The key, as the person gave it: one text, or a JSON object of several parts.
    pub key: Secret,
    /// A base address instead of the documented one, by service name as in `GPUDESK_<SERVICE>_URL` in lower case.
    pub addresses: std::collections::BTreeMap<String, String>,
}

/// Who an account is and what its key may do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AccountFacts {
    /// Name or mail address, where told.
    pub who: Option<String>,
    /// Money left, where told.
    pub balance: Option<Decimal>,
    /// Currency of the balance.
    pub currency: Currency,
    /// Most that may be spent per hour, where the account has such a limit.
    pub spend_limit_per_hour: Option<Decimal>,
    /// What is spent per hour now by the provider's own figure.
    pub burning_per_hour: Option<Decimal>,
    /// What the key may do; `None` = not told without trying.
    pub may_read: Option<bool>,
    /// Whether it may launch and end machines.
    pub may_write: Option<bool>,
    /// Rights of [`gpudesk_core::rental::KeyTerms::scopes`] that the key was seen to lack, by name.
    #[serde(default)]
    pub missing: Vec<String>,
    /// What else should be known: `autobilling tops the account up`.
    pub remarks: Vec<String>,
}

impl AccountFacts {
    /// The facts of an account that tells nothing. An adapter writes `AccountFacts { …, ..AccountFacts::unknown(…) }`.
    #[must_use]
    pub fn unknown(currency: Currency) -> Self {
        Self {
            who: None,
            balance: None,
            currency,
            spend_limit_per_hour: None,
            burning_per_hour: None,
            may_read: None,
            may_write: None,
            missing: Vec::new(),
            remarks: Vec::new(),
        }
    }
}

/// An offer as it stands now.
#[derive(Debug, Clone, PartialEq)]
pub enum Quote {
    /// It can be had; the offer is the newest reading, price included, under the id it was asked by.
    Stands(Box<Offer>),
    /// It is gone or sold out.
    Gone {
        /// The provider's words, or ours where its list simply lacks it.
        words: String,
    },
}

/// A machine to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct Launch {
    /// The offer as quoted just now.
    pub offer: Offer,
    /// How.
    pub spec: Spec,
    /// The mark; also the idempotency key where there is one.
    pub token: String,
    /// The name for people.
    pub name: String,
    /// Deadline and owner as they travel with the machine, where it has room for them: key to value.
    pub tags: Vec<(String, String)>,
    /// Script or cloud-init text for the first boot; empty = none.
    pub user_data: String,
    /// For a bid: the price per hour offered.
    pub bid_per_hour: Option<Decimal>,
    /// When the provider's own timer is to end it, where it has one that can be set; to the second.
    pub end_at: Option<DateTime<Utc>>,
}

/// What a launch gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launched {
    /// The provider's id of the machine.
    pub remote_id: String,
}

/// The machines of an account.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Listing {
    /// Each of them.
    pub machines: Vec<Machine>,
    /// Whether the provider's list was read to its end and every row of it understood. Only a complete list proves
    /// that something is not there.
    pub complete: bool,
    /// Rows that could not be read, with what is wrong with each.
    pub unreadable: Vec<String>,
}

impl Listing {
    /// Takes a row of the provider's list. One that cannot be read, or that stands there a second time (pages that
    /// moved under the reader repeat one row and lose another), leaves the list incomplete.
    pub fn take(&mut self, row: Result<Machine, String>) {
        let wrong = match row {
            Ok(machine) if self.machines.iter().all(|known| known.remote_id != machine.remote_id) => {
                self.machines.push(machine);
                return;
            }
            Ok(machine) => format!("{} stands there twice", machine.remote_id),
            Err(words) => words,
        };
        self.complete = false;
        self.unreadable.push(redact::words(&wrong));
    }
}

/// One machine, looked at.
#[derive(Debug, Clone, PartialEq)]
pub enum Look {
    /// It is there.
    There(Box<Machine>),
    /// The provider says that there is none of that id.
    Absent,
}

impl Look {
    /// Whether the machine is gone or on its way out.
    #[must_use]
    pub fn is_ending(&self) -> bool {
        match self {
            Self::There(machine) => machine.state.is_ending(),
            Self::Absent => true,
        }
    }
}

/// Whether a provider that was asked for one machine told of that one; the words of what is wrong where it did not.
pub(crate) fn asked_for(remote_id: &str, machine: &Machine) -> Result<(), String> {
    match machine.remote_id == remote_id {
        true => Ok(()),
        false => Err(format!("asked for {remote_id}, told of {}", machine.remote_id)),
    }
}

/// A cloud seen through one account.
#[async_trait]
pub trait Cloud: Send + Sync {
    /// What renting here means.
    fn terms(&self) -> &RentalTerms;

    /// Asks who the key is. Costs nothing and changes nothing.
    async fn check(&self) -> Result<AccountFacts, CloudError>;

    /// The offer as it stands now.
    async fn quote(&self, offer: &Offer, disk_gb: Option<u32>) -> Result<Quote, CloudError>;

    /// When the host takes the machine of an offer back, as the last quote told; `None` where no end is told.
    fn ends_at(&self, _offer: &Offer) -> Option<DateTime<Utc>> {
        None
    }

    /// Makes a machine. Called once for each intent; never repeats itself.
    async fn launch(&self, launch: &Launch) -> Result<Launched, CloudError>;

    /// Lets the launch's public key into a machine where that can only be done after its making. Safe to repeat.
    async fn admit(&self, _remote_id: &str, _spec: &Spec) -> Result<(), CloudError> {
        Ok(())
    }

    /// Every machine of the account, all pages.
    async fn list(&self) -> Result<Listing, CloudError>;

    /// One machine.
    async fn look(&self, remote_id: &str) -> Result<Look, CloudError>;

    /// Asks for a stop; the provider may need a while.
    async fn stop(&self, remote_id: &str) -> Result<(), CloudError>;

    /// Asks for a start.
    async fn start(&self, remote_id: &str) -> Result<(), CloudError>;

    /// Asks for the end, irreversible. A machine that is already gone or on its way out is not an error.
    async fn end(&self, remote_id: &str) -> Result<(), CloudError>;

    /// Sets the provider's own timer of a machine to this second, or takes it away. Safe to repeat. That a timer was
    /// accepted does not say that it is kept: only [`Machine::timer`] of a later look does.
    async fn set_timer(&self, remote_id: &str, end_at: Option<DateTime<Utc>>) -> Result<(), CloudError> {
        let (_, _) = (remote_id, end_at);
        Err(CloudError::new(
            CloudErrorCode::Unsupported,
            "timer",
            "this cloud has no timer of its own that could be set",
        ))
    }

    /// Sets these tags of a machine anew, under the names that its launch gave them; every other tag stays as it is. Safe
    /// to repeat. Only where [`RentalTerms::retags`].
    async fn retag(&self, remote_id: &str, tags: &[(String, String)]) -> Result<(), CloudError> {
        let (_, _) = (remote_id, tags);
        let words = "what travels with a machine of this cloud cannot be changed";
        Err(CloudError::new(CloudErrorCode::Unsupported, "tags", words))
    }

    /// What stays and costs without a machine.
    async fn leftovers(&self) -> Result<Vec<Leftover>, CloudError> {
        Ok(Vec::new())
    }

    /// What the provider billed in this time, machine by machine; `None` where it does not tell. Bills come late and are
    /// changed afterwards, and what is billed by the month may reach beyond the time asked for ([`Usage::from`] and
    /// [`Usage::to`] say what is covered). A machine may have several rows, in several currencies; rows of what is
    /// known here as no machine are left out.
    async fn usage(
        &self,
        _from: DateTime<Utc>,
        _to: DateTime<Utc>,
    ) -> Result<Option<Vec<Usage>>, CloudError> {
        Ok(None)
    }
}

/// A cloud that can be rented from here: one line of the registry.
pub struct CloudKind {
    /// `vast`.
    pub provider: &'static str,
    /// Opens it for one account.
    ///
    /// # Errors
    /// Where the key or an address cannot be what it should be.
    pub open: fn(Access) -> Result<Box<dyn Cloud>, CloudError>,
    /// What renting here means, without an account.
    pub terms: fn() -> RentalTerms,
}

/// Every cloud that can be rented from here, one line each.
#[must_use]
pub fn clouds() -> &'static [CloudKind] {
    const CLOUDS: &[CloudKind] = &[
        CloudKind { provider: "vast", open: crate::vast::open, terms: crate::vast::rental_terms },
        CloudKind { provider: "runpod", open: crate::runpod::open, terms: crate::runpod::rental_terms },
        CloudKind { provider: "lambda", open: crate::lambda::open, terms: crate::lambda::rental_terms },
        CloudKind { provider: "aws", open: crate::aws::open, terms: crate::aws::rental_terms },
        CloudKind {
            provider: "digitalocean",
            open: crate::digitalocean::open,
            terms: crate::digitalocean::rental_terms,
        },
        CloudKind {
            provider: "shadeform",
            open: crate::shadeform::open,
            terms: crate::shadeform::rental_terms,
        },
        CloudKind { provider: "prime", open: crate::prime::open, terms: crate::prime::rental_terms },
        CloudKind { provider: "verda", open: crate::verda::open, terms: crate::verda::rental_terms },
        CloudKind {
            provider: "hyperstack",
            open: crate::hyperstack::open,
            terms: crate::hyperstack::rental_terms,
        },
        CloudKind { provider: "vultr", open: crate::vultr::open, terms: crate::vultr::rental_terms },
        CloudKind { provider: "nebius", open: crate::nebius::open, terms: crate::nebius::rental_terms },
        CloudKind { provider: "scaleway", open: crate::scaleway::open, terms: crate::scaleway::rental_terms },
        CloudKind {
            provider: "selectel",
            open: |access| openstack::open(&openstack::SELECTEL, access),
            terms: || openstack::rental_terms(&openstack::SELECTEL),
        },
        CloudKind {
            provider: "vk",
            open: |access| openstack::open(&openstack::VK, access),
            terms: || openstack::rental_terms(&openstack::VK),
        },
        CloudKind {
            provider: "immers",
            open: |access| openstack::open(&openstack::IMMERS, access),
            terms: || openstack::rental_terms(&openstack::IMMERS),
        },
        CloudKind {
            provider: "ovh",
            open: |access| openstack::open(&openstack::OVH, access),
            terms: || openstack::rental_terms(&openstack::OVH),
        },
        CloudKind {
            provider: "openstack",
            open: |access| openstack::open(&openstack::OPENSTACK, access),
            terms: || openstack::rental_terms(&openstack::OPENSTACK),
        },
    ];
    CLOUDS
}

/// The keys that an environment brings as the providers' own tools read it. `variable` gives the value of one.
#[must_use]
pub fn keys_of_environment(variable: &dyn Fn(&str) -> Option<String>) -> Vec<(&'static str, Secret)> {
    let aws = crate::aws::key_of_environment(variable).map(|key| ("aws", key));
    aws.into_iter().chain(openstack::key_of_environment(variable)).collect()
}

/// The cloud of a provider.
#[must_use]
pub fn cloud(provider: &str) -> Option<&'static CloudKind> {
    clouds().iter().find(|kind| kind.provider == provider)
}
