//! Residency policies: those that come with the desk and the team's own, which of them holds for a project, and
//! whether a launch may go on under it.

use gpudesk_core::offer::Offer;
use gpudesk_core::policy::{NoPolicy, Policy, Reason, Subject, Verdict};
use gpudesk_core::rental::EventKind;
use gpudesk_store::ProjectPolicy;

use crate::desk::Desk;
use crate::rental::Order;
use crate::{DeskError, Event};

/// The longest reason that is written down, and the longest name of a project, in characters.
const LONGEST_REASON: usize = 500;
const LONGEST_PROJECT: usize = 80;

/// Why a policy did not do what it was asked to, or what it forbids.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PolicyError {
    /// None of that name.
    #[error("there is none of that name")]
    Unknown {
        /// The name.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// It cannot be kept as it is.
    #[error(transparent)]
    Invalid(#[from] NoPolicy),
    /// Not a name of a project.
    #[error("a project's name has at most 80 characters, in one line")]
    Project,
    /// Projects are under it.
    #[error("projects are under it: {}", .projects.join(", "))]
    InUse {
        /// The policy.
        name: String,
        /// They.
        projects: Vec<String>,
    },
    /// It forbids a launch.
    #[error("{}", .reasons.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Blocked {
        /// What people call the policy.
        title: String,
        /// What breaks it.
        reasons: Vec<Reason>,
    },
    /// A reason that is too long to be one.
    #[error("the reason for overriding it has more than 500 characters")]
    Reason,
}

impl PolicyError {
    /// The fixed word that windows and scripts act on.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unknown { .. } => "not-found",
            Self::Invalid(_) | Self::Project | Self::Reason => "request-invalid",
            Self::InUse { .. } => "conflict",
            Self::Blocked { .. } => "policy-blocked",
        }
    }

    /// To what it happened.
    #[must_use]
    pub fn what(&self) -> String {
        match self {
            Self::Unknown { name, .. } | Self::InUse { name, .. } => format!("policy `{name}`"),
            Self::Blocked { title, .. } => format!("policy “{title}”"),
            Self::Invalid(_) | Self::Reason => "the policy".to_owned(),
            Self::Project => "the project".to_owned(),
        }
    }

    /// What to do next.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Unknown { known, .. } => Some(format!("Known policies: {}.", known.join(", "))),
            Self::InUse { .. } => Some("Put them under another policy, or under none, first.".to_owned()),
            Self::Blocked { .. } => Some(
                "Choose an offer that it allows, or override it in writing: --override-policy 'REASON'."
                    .to_owned(),
            ),
            Self::Invalid(_) | Self::Project | Self::Reason => None,
        }
    }
}

impl Desk {
    /// Every policy: those that come with the desk, then the team's own by name.
    ///
    /// # Errors
    /// When the database or a policy cannot be read: then none is trusted.
    pub async fn policies(&self) -> Result<Vec<Policy>, DeskError> {
        let mut policies = Policy::built_in();
        policies.extend(self.store().policies().await?);
        Ok(policies)
    }

    /// One policy, as its name is typed.
    ///
    /// # Errors
    /// [`PolicyError::Unknown`], or the database cannot be read.
    pub async fn policy(&self, typed: &str) -> Result<Policy, DeskError> {
        let name = typed.trim().to_lowercase();
        let name = Policy::built_in_name(&name).map_or(name, str::to_owned);
        let policies = self.policies().await?;
        let known = policies.iter().map(|policy| policy.name.clone()).collect();
        let found = policies.into_iter().find(|policy| policy.name == name);
        Ok(found.ok_or(PolicyError::Unknown { name, known })?)
    }

    /// Keeps a policy of the team's own, over the one of the same name.
    ///
    /// # Errors
    /// [`PolicyError::Invalid`], or the database cannot be written.
    pub async fn set_policy(&self, policy: Policy) -> Result<(), DeskError> {
        let policy = policy.checked().map_err(PolicyError::from)?;
        self.store().set_policy(&policy, self.now()).await?;
        self.tell(Event::PoliciesChanged);
        Ok(())
    }

    /// Forgets a policy of the team's own.
    ///
    /// # Errors
    /// [`PolicyError`] where there is none, it comes with the desk, or projects are under it.
    pub async fn remove_policy(&self, typed: &str) -> Result<(), DeskError> {
        let policy = self.policy(typed).await?;
        if Policy::built_in_name(&policy.name).is_some() {
            return Err(PolicyError::Invalid(NoPolicy::BuiltIn(policy.name)).into());
        }
        if !self.store().remove_policy(&policy.name).await? {
            let under = self.project_policies().await?.into_iter().filter(|one| one.policy == policy.name);
            let projects = under.map(|one| if one.project.is_empty() { "–".to_owned() } else { one.project });
            let projects = projects.collect();
            return Err(PolicyError::InUse { name: policy.name, projects }.into());
        }
        self.tell(Event::PoliciesChanged);
        Ok(())
    }

    /// Every project that is under a policy. The project without a name is that of launches that name none.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn project_policies(&self) -> Result<Vec<ProjectPolicy>, DeskError> {
        Ok(self.store().project_policies().await?)
    }

    /// Puts a project under a policy, or under none.
    ///
    /// # Errors
    /// [`PolicyError`] where there is no such policy or it is no name of a project.
    pub async fn set_project_policy(&self, project: &str, policy: Option<&str>) -> Result<(), DeskError> {
        if project.chars().count() > LONGEST_PROJECT || project.contains(char::is_control) {
            return Err(PolicyError::Project.into());
        }
        let policy = match policy {
            Some(typed) => Some(self.policy(typed).await?.name),
            None => None,
        };
        self.store().set_project_policy(project, policy.as_deref()).await?;
        self.tell(Event::PoliciesChanged);
        Ok(())
    }

    /// The policy that holds for a project; `None` = it is under none.
    ///
    /// # Errors
    /// Where it is under one that cannot be found or read: what it would forbid is not known.
    pub async fn policy_of(&self, project: Option<&str>) -> Result<Option<Policy>, DeskError> {
        match self.store().project_policy(project.unwrap_or_default()).await? {
            Some(name) => Ok(Some(self.policy(&name).await?)),
            None => Ok(None),
        }
    }
}

/// What a policy has to say of a launch, to be written down with the order.
///
/// # Errors
/// [`PolicyError::Blocked`] where it forbids the offer and the order overrides it with no reason.
pub(crate) fn permit(
    policy: Option<&Policy>,
    offer: &Offer,
    order: &Order,
) -> Result<Vec<EventKind>, DeskError> {
    let Some(policy) = policy else { return Ok(Vec::new()) };
    let reason = order.override_policy.as_deref().map(str::trim).filter(|reason| !reason.is_empty());
    if reason.is_some_and(|reason| reason.chars().count() > LONGEST_REASON) {
        return Err(PolicyError::Reason.into());
    }
    let judgement = policy.judge(&Subject::of(offer));
    let is_blocked = judgement.verdict == Verdict::Blocked;
    let overridden = reason
        .filter(|_| is_blocked)
        .map(|reason| EventKind::Override { rule: policy.name.clone(), reason: reason.to_owned() });
    if is_blocked && overridden.is_none() {
        let reasons = judgement.breaches().cloned().collect();
        return Err(PolicyError::Blocked { title: policy.title.clone(), reasons }.into());
    }
    let checked = EventKind::PolicyChecked { policy: Box::new(policy.clone()), judgement };
    Ok(std::iter::once(checked).chain(overridden).collect())
}
