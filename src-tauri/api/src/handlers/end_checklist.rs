//! What to settle before a machine is ended.

use std::time::Duration;

use gpudesk_core::rental::{Rental, RentalTerms};
use gpudesk_engine::{Desk, Leftover};

use super::rental_shape::Shapes;
use super::rows::{provider_title, text};
use crate::desk::ApiError;
use crate::rental::{EndChecklist, LeftoverDto, Remark, RentalRequest};

/// The longest the provider is waited for: the end itself must not hang on it.
const PATIENCE: Duration = Duration::from_secs(10);

/// What runs on a machine, what goes with it, what stays and costs.
///
/// # Errors
/// `not-found`. A machine or provider that cannot be asked is part of the answer.
pub async fn rental_end_checklist(desk: &Desk, request: RentalRequest) -> Result<EndChecklist, ApiError> {
    let rental = desk.rental(&request.rental).await?;
    let shapes = Shapes::now(desk).await?;
    let rules = gpudesk_engine::rental_terms(&rental.record.provider);
    let (working, leftovers) = tokio::join!(
        async {
            if !rental.state.has_shell() || rental.ssh.is_none() {
                return None;
            }
            Some(desk.at_work(&rental.record.id).await)
        },
        leftovers(desk, &rental)
    );
    let mut running = Vec::new();
    let mut asked = None;
    match working {
        Some(Ok(work)) => {
            for program in &work.programs {
                let text = format!("On the cards: {program}.");
                running.push(Remark::new("gpu-process", "warn", text).with("program", program));
            }
            for login in &work.logins {
                let text = format!("Logged in: {login}.");
                running.push(Remark::new("logged-in", "warn", text).with("login", login));
            }
        }
        Some(Err(error)) => asked = Some(ApiError::from(error)),
        None => {}
    }
    let mut fate = fate(&rental, rules.as_ref());
    let leftovers = match leftovers {
        Ok(found) => found,
        Err(error) => {
            let text = format!("Whether volumes or addresses stay and cost is not known: {}.", error.detail);
            fate.push(Remark::new("leftovers-unknown", "warn", text).with("words", error.detail));
            Vec::new()
        }
    };
    Ok(EndChecklist { rental: shapes.rental(&rental), running, fate, leftovers, asked })
}

/// What goes and what stays.
fn fate(rental: &Rental, rules: Option<&RentalTerms>) -> Vec<Remark> {
    let title = provider_title(&rental.record.provider);
    if rules.is_some_and(|rules| rules.booking) {
        let text = "Only the booking ends: the server, its disk and what runs there stay as they are.";
        return vec![Remark::new("booking-ends", "note", text)];
    }
    let mut fate = vec![Remark::new(
        "disk-goes",
        "warn",
        "The machine and its disk are deleted. Nothing brings them back: copy what you need first.",
    )];
    if rules.is_some_and(|rules| rules.stop.exists && rules.stop.keeps_disk == Some(true)) {
        let text = format!("A stop instead would keep the disk at {title}, at its price while stopped.");
        fate.push(Remark::new("stop-keeps-disk", "note", text).with("provider", &title));
    }
    if rental.remote_id.is_none() {
        let text =
            "The provider has named no machine yet; it is looked for by its mark and ended when found.";
        fate.push(Remark::new("not-placed", "note", text));
    }
    fate
}

/// What of the account stays and costs without a machine.
async fn leftovers(desk: &Desk, rental: &Rental) -> Result<Vec<LeftoverDto>, ApiError> {
    let asking = async {
        let cloud = desk.cloud(&rental.record.account_name()).await?;
        Ok::<_, gpudesk_engine::DeskError>(cloud.leftovers().await?)
    };
    let found = match tokio::time::timeout(PATIENCE, asking).await {
        Ok(found) => found?,
        Err(_) => return Err(ApiError::new("timeout", rental.record.account_name(), "no answer in time")),
    };
    Ok(found.into_iter().map(leftover).collect())
}

pub(super) fn leftover(found: Leftover) -> LeftoverDto {
    LeftoverDto {
        what: found.what,
        remote_id: found.remote_id,
        name: found.name,
        size_gb: found.size_gb.map(text),
        per_month: found.per_month.map(text),
        currency: found.currency.to_string(),
    }
}
