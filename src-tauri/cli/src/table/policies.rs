//! Residency policies for people.

use gpudesk_api::policy::{Policies, PolicyVerdict};

use super::{DASH, L, plain, with_notes};

fn words(words: &[String]) -> String {
    if words.is_empty() { DASH.to_owned() } else { words.join(" ") }
}

/// Every policy, and the projects under them.
pub fn list(list: &Policies) -> String {
    let columns = [
        ("policy", L),
        ("place", L),
        ("seller", L),
        ("holds", L),
        ("isolation", L),
        ("does", L),
        ("title", L),
    ];
    let mut table = plain(&columns);
    for policy in &list.policies {
        table.add_row([
            policy.name.clone(),
            words(&policy.place),
            words(&policy.seller),
            words(&policy.certificates),
            words(&policy.isolation),
            policy.on_breach.clone(),
            policy.title.clone(),
        ]);
    }
    let mut notes: Vec<String> = list
        .projects
        .iter()
        .map(|one| match one.project.as_str() {
            "" => format!("Launches that name no project are under {}.", one.policy),
            project => format!("Project {project} is under {}.", one.policy),
        })
        .collect();
    let countries: Vec<&str> = list.adequacy.iter().map(|one| one.country.as_str()).collect();
    notes.push(format!(
        "adequacy: {} (decisions of the European Commission as of {}; in the US for companies with dpf only).",
        countries.join(" "),
        list.adequacy_read
    ));
    with_notes(&table, &notes)
}

/// What policies say of an offer.
pub fn verdicts(verdicts: &[PolicyVerdict]) -> String {
    let lines = verdicts.iter().flat_map(lines);
    lines.collect::<Vec<_>>().join("\n")
}

/// What one policy says, and why.
pub fn lines(verdict: &PolicyVerdict) -> Vec<String> {
    let mut lines = vec![format!("{}  policy {} ({})", verdict.verdict, verdict.policy, verdict.title)];
    lines.extend(verdict.reasons.iter().map(|reason| format!("  {}", reason.text)));
    lines.extend(verdict.overridden.iter().map(|reason| format!("  overridden: {reason}")));
    lines
}
