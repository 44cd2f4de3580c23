//! Requests and answers about residency policies.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::rental::Remark;

/// A residency policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct PolicyDto {
    /// The word it is asked for by: `gdpr`.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// Whether it comes with the desk and cannot be changed.
    pub built_in: bool,
    /// Where the machine may stand: `EEA`, `EU`, `UK`, two letters of a country, `adequacy`; empty = anywhere.
    pub place: Vec<String>,
    /// Where the companies that sell and run it may be, likewise.
    pub seller: Vec<String>,
    /// What the cloud whose iron it is must hold, all of it.
    pub certificates: Vec<String>,
    /// How far other tenants must be away, any of these; empty = not asked.
    pub isolation: Vec<String>,
    /// `block` or `warn`.
    pub on_breach: String,
}

/// Which policy holds for a project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ProjectPolicyDto {
    /// The project; empty = launches that name none.
    pub project: String,
    /// Name of the policy.
    pub policy: String,
}

/// An adequacy decision of the European Commission.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct AdequacyDto {
    /// ISO 3166-1 alpha-2.
    pub country: String,
    /// Number of the decision.
    pub decision: String,
    /// The day it was adopted.
    pub decided: String,
    /// Whom it covers, where not everybody.
    pub scope: Option<String>,
    /// What a company there must hold to be covered.
    pub needs: Option<String>,
    /// The day it ends.
    pub until: Option<String>,
    /// Where the fact is from.
    pub source: String,
}

/// All policies, and what they are made of.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Policies {
    /// Those that come with the desk first.
    pub policies: Vec<PolicyDto>,
    /// Projects that are under one.
    pub projects: Vec<ProjectPolicyDto>,
    /// Projects of rentals so far, to choose from.
    pub known_projects: Vec<String>,
    /// Certificates that can be asked for.
    pub certificates: Vec<String>,
    /// Isolations that can be asked for.
    pub isolations: Vec<String>,
    /// Zones for completion; any country is one too.
    pub zones: Vec<String>,
    /// Countries with an adequacy decision.
    pub adequacy: Vec<AdequacyDto>,
    /// Where the decisions are listed.
    pub adequacy_list: String,
    /// The month that table was last looked through.
    pub adequacy_read: String,
}

/// A policy of the team's own, new or changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct PolicySetRequest {
    /// Its name: small letters, digits, `-`.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// As in [`PolicyDto`].
    pub place: Vec<String>,
    /// As in [`PolicyDto`].
    pub seller: Vec<String>,
    /// As in [`PolicyDto`].
    pub certificates: Vec<String>,
    /// As in [`PolicyDto`].
    pub isolation: Vec<String>,
    /// `block` or `warn`.
    pub on_breach: String,
}

/// One policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct PolicyRequest {
    /// Its name.
    pub name: String,
}

/// Puts a project under a policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ProjectPolicyRequest {
    /// The project; empty = launches that name none.
    pub project: String,
    /// Name of the policy; null = none.
    pub policy: Option<String>,
}

/// What a policy says of an offer or a machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct PolicyVerdict {
    /// Name of the policy.
    pub policy: String,
    /// What people call it.
    pub title: String,
    /// `allowed`, `warned`, `blocked`.
    pub verdict: String,
    /// Why; empty where everything is proved.
    pub reasons: Vec<Remark>,
    /// The reason a person overrode it with.
    pub overridden: Option<String>,
}

/// What a policy would keep and hide of the rows that match everything else.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct PolicyKept {
    /// Name of the policy.
    pub policy: String,
    /// What people call it.
    pub title: String,
    /// Rows that break nothing of it.
    pub rows: u32,
    /// Rows that break it, by the first reason.
    pub hidden: Vec<HiddenRows>,
}

/// Rows hidden for one reason.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct HiddenRows {
    /// Fixed word of the reason, as of a [`PolicyVerdict`]'s.
    pub code: String,
    /// How many.
    pub rows: u32,
}
