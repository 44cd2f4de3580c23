//! What was asked for: written once, before the provider is called.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::Lease;
use crate::offer::Offer;
use crate::words::words;

words! {
    /// What is on the machine at first.
    ImageKind {
        /// A CUDA base image, or the cloud's own plain image.
        Cuda = "cuda",
        /// PyTorch on CUDA.
        PyTorch = "pytorch",
        /// An inference server: vLLM or TensorRT-LLM.
        Inference = "inference",
        /// Named by the person.
        Custom = "custom",
    }
}

/// An image to start from, in the provider's own name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// The provider's id or reference: `runpod/pytorch:1.0.2-cu1281-torch280-ubuntu2404`.
    pub id: String,
    /// What people call it.
    pub title: String,
    /// What kind.
    pub kind: ImageKind,
}

/// How the machine is to be made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spec {
    /// The image.
    pub image: Image,
    /// Disk in GB where it can be chosen; `None` = what the offer includes.
    pub disk_gb: Option<u32>,
    /// The public key that is let in: one line in OpenSSH's form, no line break at its end.
    pub ssh_public_key: String,
    /// The file of its private half for `IdentityFile`; `None` = an agent holds it.
    pub ssh_identity: Option<String>,
}

/// A rental as it was asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Our id: a ULID, so that ids sort by time.
    pub id: String,
    /// What the provider's machine is marked with: `gpudesk-` and the id in lower case. Unique for ever.
    pub token: String,
    /// The name people use; unique among rentals that are not over.
    pub name: String,
    /// Whose account: `vast`.
    pub provider: String,
    /// Which account of that provider; empty = the only one.
    pub account: String,
    /// The offer as it stood when it was taken; `None` for a machine that was adopted.
    pub offer: Option<Offer>,
    /// How it was to be made; `None` for a machine that was adopted.
    pub spec: Option<Spec>,
    /// Who rented it.
    pub owner: Option<String>,
    /// For what.
    pub project: Option<String>,
    /// Its limits at the beginning; later ones are events.
    pub lease: Lease,
    /// When it was written down.
    pub created_at: DateTime<Utc>,
}

impl Record {
    /// The mark of a rental.
    #[must_use]
    pub fn token_of(id: &str) -> String {
        format!("gpudesk-{}", id.to_ascii_lowercase())
    }

    /// `vast`, or `vast/team` for one of several accounts.
    #[must_use]
    pub fn account_name(&self) -> String {
        account_name(&self.provider, &self.account)
    }
}

/// The name of an account in commands: the provider, with the alias behind a slash where there is one.
#[must_use]
pub fn account_name(provider: &str, alias: &str) -> String {
    if alias.is_empty() { provider.to_owned() } else { format!("{provider}/{alias}") }
}
