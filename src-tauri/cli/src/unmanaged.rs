//! `gpudesk unmanaged`: machines in the accounts that are not ours.

use std::io::IsTerminal;

use gpudesk_api::desk::ApiError;
use gpudesk_api::handlers;
use gpudesk_api::unmanaged::UnmanagedRequest;
use gpudesk_engine::Desk;

use crate::output::{print_json, print_text};
use crate::rental_args::{MachineArgs, UnmanagedAction};
use crate::rentals::asked;
use crate::table::rentals as table;

/// Adopts, ignores, shows again or ends one of them, and prints what runs after that.
pub async fn act(desk: &Desk, action: &UnmanagedAction, json: bool) -> Result<u8, ApiError> {
    let (machine, action, name) = match action {
        UnmanagedAction::Adopt { machine, name } => (machine, "adopt", name.as_str()),
        UnmanagedAction::Ignore(machine) => (machine, "ignore", ""),
        UnmanagedAction::Show(machine) => (machine, "show", ""),
        UnmanagedAction::End { machine, yes } => {
            if !yes {
                confirm(machine)?;
            }
            (machine, "end", "")
        }
    };
    let request = UnmanagedRequest {
        account: machine.account.clone(),
        remote_id: machine.machine.clone(),
        action: action.to_owned(),
        name: name.to_owned(),
    };
    let page = handlers::unmanaged_act(desk, request).await?;
    if json {
        print_json(&page)?
    } else {
        print_text(&table::page(&page))?
    }
    Ok(0)
}

/// Nothing that another person may have made is ended without a word.
fn confirm(machine: &MachineArgs) -> Result<(), ApiError> {
    let there = std::io::stdin().is_terminal();
    if there
        && asked(&format!(
            "End machine `{}` of account `{}` for good? It was not rented from here.",
            machine.machine, machine.account
        ))?
    {
        return Ok(());
    }
    Err(ApiError {
        code: "refused".to_owned(),
        what: format!("machine `{}`", machine.machine),
        detail: if there { "it was not ended" } else { "nobody is there to confirm its end" }.to_owned(),
        hint: (!there).then(|| "Say --yes to end it without a question.".to_owned()),
        line: None,
    })
}
