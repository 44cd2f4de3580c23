//! Residency policies: the list, changes, and what they say, in the shapes of the edge.

use gpudesk_core::board::Kept;
use gpudesk_core::offer::{Isolation, Offer};
use gpudesk_core::place;
use gpudesk_core::policy::{
    ADEQUACY_LIST, ADEQUACY_READ, Area, Certificate, Judgement, OnBreach, Policy, Reason, Subject, Verdict,
    adequacy,
};
use gpudesk_engine::Desk;
use serde_json::Value;

use super::rows::provider_title;
use crate::desk::ApiError;
use crate::policy::{
    AdequacyDto, HiddenRows, Policies, PolicyDto, PolicyKept, PolicyRequest, PolicySetRequest, PolicyVerdict,
    ProjectPolicyDto, ProjectPolicyRequest,
};
use crate::rental::Remark;

/// Every policy, the projects under them, and what policies are made of.
///
/// # Errors
/// `database`.
pub async fn policies_list(desk: &Desk, (): ()) -> Result<Policies, ApiError> {
    let filled = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let mut known_projects: Vec<String> = Vec::new();
    for rental in desk.rentals(true).await?.into_iter().rev() {
        if let Some(project) = rental.record.project.filter(|project| !known_projects.contains(project)) {
            known_projects.push(project);
        }
    }
    let projects = desk.project_policies().await?;
    let projects =
        projects.into_iter().map(|one| ProjectPolicyDto { project: one.project, policy: one.policy });
    Ok(Policies {
        policies: desk.policies().await?.iter().map(policy).collect(),
        projects: projects.collect(),
        known_projects,
        certificates: Certificate::ALL.iter().map(ToString::to_string).collect(),
        isolations: Isolation::ALL
            .iter()
            .filter(|isolation| **isolation != Isolation::Unknown)
            .map(ToString::to_string)
            .collect(),
        zones: place::zone_words().iter().map(|zone| (*zone).to_owned()).collect(),
        adequacy: adequacy()
            .iter()
            .map(|one| AdequacyDto {
                country: one.country.to_owned(),
                decision: one.decision.to_owned(),
                decided: one.decided.to_owned(),
                scope: filled(one.scope),
                needs: one.needs.map(|certificate| certificate.to_string()),
                until: filled(one.until),
                source: one.source.to_owned(),
            })
            .collect(),
        adequacy_list: ADEQUACY_LIST.to_owned(),
        adequacy_read: ADEQUACY_READ.to_owned(),
    })
}

/// Keeps a policy of the team's own.
///
/// # Errors
/// `request-invalid` names the word that is none, or what is wrong with the whole.
pub async fn policy_set(desk: &Desk, request: PolicySetRequest) -> Result<Policies, ApiError> {
    let invalid =
        |detail: String| ApiError::new("request-invalid", format!("policy `{}`", request.name), detail);
    let areas = |words: &[String]| -> Result<Vec<Area>, ApiError> {
        words.iter().map(|word| word.parse().map_err(|error| invalid(format!("{error}")))).collect()
    };
    let known = |words: Vec<String>| format!("One of: {}.", words.join(", "));
    let certificates = request.certificates.iter().map(|word| {
        word.trim().parse().map_err(|_| {
            invalid(format!("`{word}` is no certificate that is known here"))
                .with_hint(known(Certificate::ALL.iter().map(ToString::to_string).collect()))
        })
    });
    let isolation = request.isolation.iter().map(|word| {
        word.trim().parse().map_err(|_| {
            invalid(format!("`{word}` is no isolation"))
                .with_hint(known(Isolation::ALL.iter().map(ToString::to_string).collect()))
        })
    });
    let on_breach: OnBreach = request.on_breach.parse().map_err(|_| {
        invalid(format!("`{}` is nothing a policy does", request.on_breach))
            .with_hint(known(OnBreach::ALL.iter().map(ToString::to_string).collect()))
    })?;
    let policy = Policy {
        name: request.name.trim().to_owned(),
        title: request.title.clone(),
        place: areas(&request.place)?,
        seller: areas(&request.seller)?,
        certificates: certificates.collect::<Result<_, _>>()?,
        isolation: isolation.collect::<Result<_, _>>()?,
        on_breach,
    };
    desk.set_policy(policy).await?;
    policies_list(desk, ()).await
}

/// Forgets a policy of the team's own.
///
/// # Errors
/// `not-found`, `request-invalid` for one that comes with the desk, `conflict` where projects are under it.
pub async fn policy_remove(desk: &Desk, request: PolicyRequest) -> Result<Policies, ApiError> {
    desk.remove_policy(&request.name).await?;
    policies_list(desk, ()).await
}

/// Puts a project under a policy, or under none.
///
/// # Errors
/// `not-found` for a policy that is none, `request-invalid` for a name that is none.
pub async fn project_policy_set(desk: &Desk, request: ProjectPolicyRequest) -> Result<Policies, ApiError> {
    desk.set_project_policy(&request.project, request.policy.as_deref()).await?;
    policies_list(desk, ()).await
}

fn policy(policy: &Policy) -> PolicyDto {
    let words = |areas: &[Area]| areas.iter().map(ToString::to_string).collect();
    PolicyDto {
        name: policy.name.clone(),
        title: policy.title.clone(),
        built_in: Policy::built_in_name(&policy.name).is_some(),
        place: words(&policy.place),
        seller: words(&policy.seller),
        certificates: policy.certificates.iter().map(ToString::to_string).collect(),
        isolation: policy.isolation.iter().map(ToString::to_string).collect(),
        on_breach: policy.on_breach.to_string(),
    }
}

/// What each of some policies says of an offer.
pub(super) fn verdicts(policies: &[Policy], offer: &Offer) -> Vec<PolicyVerdict> {
    policies.iter().map(|policy| verdict(&policy.judge(&Subject::of(offer)), None)).collect()
}

/// A judgement, and the reason it was overridden with.
pub(super) fn verdict(judgement: &Judgement, overridden: Option<&String>) -> PolicyVerdict {
    PolicyVerdict {
        policy: judgement.policy.clone(),
        title: judgement.title.clone(),
        verdict: judgement.verdict.to_string(),
        reasons: judgement.reasons.iter().map(|one| reason(one, judgement.verdict)).collect(),
        overridden: overridden.cloned(),
    }
}

/// A reason with its figures: countries as their letters, companies as they are shown.
pub(super) fn reason(reason: &Reason, verdict: Verdict) -> Remark {
    let weight = match verdict {
        _ if !reason.is_breach() => "note",
        Verdict::Blocked => "block",
        _ => "warn",
    };
    let mut remark = Remark::new(reason.code(), weight, sentence(&reason.to_string()));
    if let Ok(Value::Object(fields)) = serde_json::to_value(reason) {
        for (name, value) in fields.iter().filter(|(name, _)| *name != "code") {
            let words: Vec<&str> = match value {
                Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
                value => value.as_str().into_iter().collect(),
            };
            let text = words.join(", ");
            if !words.is_empty() {
                remark = remark.with(name, if name == "company" { provider_title(&text) } else { text });
            }
        }
    }
    remark
}

/// `it stands in RU` → `It stands in RU.`
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}

/// What each policy would keep and hide.
pub(super) fn kept(kept: &[Kept], policies: &[Policy]) -> Vec<PolicyKept> {
    let title = |name: &str| policies.iter().find(|policy| policy.name == name).map(|p| p.title.clone());
    kept.iter()
        .map(|one| PolicyKept {
            policy: one.policy.clone(),
            title: title(&one.policy).unwrap_or_default(),
            rows: one.rows,
            hidden: one
                .hidden
                .iter()
                .map(|(code, rows)| HiddenRows { code: (*code).to_owned(), rows: *rows })
                .collect(),
        })
        .collect()
}
