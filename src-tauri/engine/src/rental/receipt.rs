//! What is gone, who says so, and what it cost.

use std::fmt::Write as _;

use gpudesk_core::rental::{EventKind, Rental};
use serde_json::{Value, json};

use super::life::Life;
use crate::DeskError;
use crate::desk::Desk;

/// A receipt in two forms.
#[derive(Debug, Clone, PartialEq)]
pub struct Receipt {
    /// For people.
    pub markdown: String,
    /// For programs.
    pub json: Value,
}

impl Desk {
    /// The receipt of a rental; `None` while something of it may be left.
    ///
    /// # Errors
    /// As [`Self::rental`].
    pub async fn receipt(&self, id_or_name: &str) -> Result<Option<Receipt>, DeskError> {
        let rental = Life::read(self, id_or_name).await?.rental;
        if !rental.is_over() {
            return Ok(None);
        }
        let events = self.rental_events(&rental.record.id).await?;
        let proofs: Vec<(String, String)> = events
            .iter()
            .filter_map(|event| {
                let at = event.at.to_rfc3339_opts(chrono::SecondsFormat::Secs, true);
                match &event.kind {
                    EventKind::Gone { proof, .. } => Some((at, format!("gone: {proof}"))),
                    EventKind::LookedAgain { minutes, there: false } => {
                        Some((at, format!("looked again {minutes} minutes after the end: gone")))
                    }
                    EventKind::LookedAgain { minutes, there: true } => {
                        Some((at, format!("looked again {minutes} minutes after the end: still there")))
                    }
                    _ => None,
                }
            })
            .collect();
        Ok(Some(write(&rental, &proofs, self.now())))
    }
}

fn write(rental: &Rental, proofs: &[(String, String)], now: chrono::DateTime<chrono::Utc>) -> Receipt {
    let costs = rental.costs(now);
    let currency = rental.currency().map(|c| c.to_string()).unwrap_or_default();
    let unknown: Vec<&str> = costs.unknown.iter().map(|meter| meter.word()).collect();
    let parts: serde_json::Map<String, Value> = costs
        .parts
        .iter()
        .map(|(meter, amount)| (meter.word().to_owned(), json!(amount.round_dp(4).normalize().to_string())))
        .collect();
    let time = |at: chrono::DateTime<chrono::Utc>| at.to_rfc3339_opts(chrono::SecondsFormat::Secs, true);
    let mut text = String::new();
    // Writing to a text cannot fail.
    let _ = writeln!(text, "# Receipt: {}\n", rental.record.name);
    let _ = writeln!(text, "- State: {}", rental.state);
    let _ = writeln!(text, "- Provider: {}", rental.record.account_name());
    if let Some(id) = &rental.remote_id {
        let _ = writeln!(text, "- Machine: {}", inline(id));
    }
    let _ = writeln!(text, "- Asked for: {}", time(rental.record.created_at));
    if let Some(at) = rental.ended_at {
        let _ = writeln!(text, "- Gone: {}", time(at));
    }
    if let Some(reason) = &rental.reason {
        let _ = writeln!(text, "- Reason: {}", inline(reason));
    }
    if let Some(judgement) = &rental.judgement {
        let _ = writeln!(text, "- Policy: {}, {}", inline(&judgement.title), judgement.verdict);
        for (_, reason) in &rental.overrides {
            let _ = writeln!(text, "- Overridden: {}", inline(reason));
        }
        for reason in rental.new_breaches() {
            let _ = writeln!(text, "- Broken by the machine itself: {}", inline(&reason.to_string()));
        }
    }
    let _ = writeln!(text, "\n## Cost, from the recorded intervals\n");
    for (meter, amount) in &costs.parts {
        let _ = writeln!(text, "- {meter}: {} {currency}", amount.round_dp(4).normalize());
    }
    let least = if unknown.is_empty() { "" } else { "at least " };
    let _ = writeln!(text, "- **Total: {least}{} {currency}**", costs.total.round_dp(4).normalize());
    for meter in &unknown {
        let _ = writeln!(text, "- {meter}: not known in full");
    }
    let _ = writeln!(text, "- Traffic and taxes: not known here");
    // A bill in another currency is told, and not compared.
    let apart =
        rental.billed.as_ref().filter(|(_, bill)| rental.currency().is_none_or(|own| own == bill.currency));
    let apart = apart.map(|(_, bill)| bill.total - costs.total);
    if let Some((at, bill)) = &rental.billed {
        let compared = apart.map(|apart| {
            let than = if apart.is_sign_negative() { "less" } else { "more" };
            format!(", {} {than} than recorded here", apart.abs().round_dp(4).normalize())
        });
        let _ = writeln!(
            text,
            "- The provider billed {} {} as it said at {}{}",
            bill.total.round_dp(4).normalize(),
            bill.currency,
            time(*at),
            compared.unwrap_or_default(),
        );
    }
    let _ = writeln!(text, "\n## Proof\n");
    for (at, what) in proofs {
        let _ = writeln!(text, "- {at}: {}", inline(what));
    }
    if proofs.is_empty() {
        let _ = writeln!(text, "- Nothing was made.");
    }
    let json = json!({
        "id": rental.record.id, "name": rental.record.name, "account": rental.record.account_name(),
        "remote_id": rental.remote_id, "state": rental.state, "reason": rental.reason,
        "requested_at": time(rental.record.created_at), "ended_at": rental.ended_at.map(time),
        "cost": {"amount": costs.total.round_dp(4).normalize().to_string(), "currency": currency, "parts": parts,
            "unknown": unknown},
        "billed": rental.billed.as_ref().map(|(at, bill)| json!({
            "at": time(*at), "amount": bill.total.normalize().to_string(), "currency": bill.currency,
            "difference": apart.map(|apart| apart.round_dp(4).normalize().to_string()),
        })),
        "policy": rental.judgement.as_ref().map(|judgement| json!({
            "name": judgement.policy, "title": judgement.title, "verdict": judgement.verdict,
            "reasons": judgement.reasons.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "overridden": rental.overrides.first().map(|(_, reason)| reason),
            "broken_by_the_machine": rental.new_breaches().map(ToString::to_string).collect::<Vec<_>>(),
        })),
        "proof": proofs.iter().map(|(at, what)| json!({"at": at, "what": what})).collect::<Vec<_>>(),
        "not_known": ["traffic", "taxes"],
    });
    Receipt { markdown: text, json }
}

/// A provider's words cannot become Markdown.
fn inline(words: &str) -> String {
    let plain: String = words.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("`{}`", plain.replace('`', "'"))
}
