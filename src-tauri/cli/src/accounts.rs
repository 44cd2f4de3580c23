//! `gpudesk accounts`: keys are asked for without echo or read from standard input, never from the command line.

use std::io::{IsTerminal, Read};

use gpudesk_api::account::{Account, AccountAddRequest, AccountRequest, Accounts};
use gpudesk_api::desk::ApiError;
use gpudesk_api::handlers;
use gpudesk_core::rental::KeyField;
use gpudesk_engine::Desk;

use crate::args::{AccountAddArgs, AccountsAction};
use crate::output::{print_json, print_text};
use crate::table::accounts as table;

/// The most that is read as a key.
const MAX_KEY_BYTES: u64 = 64 * 1024;

/// Lists, adds, checks or removes.
pub async fn run(desk: &Desk, action: Option<&AccountsAction>, json: bool) -> Result<u8, ApiError> {
    match action {
        None => {
            let list = handlers::accounts_list(desk, ()).await?;
            show(&list, json)?;
            Ok(0)
        }
        Some(AccountsAction::Add(args)) => add(desk, args, json).await,
        Some(AccountsAction::Check { name }) => check(desk, name.as_deref(), json).await,
        Some(AccountsAction::Remove { name }) => {
            let list = handlers::account_remove(desk, AccountRequest { name: name.clone() }).await?;
            show(&list, json)?;
            Ok(0)
        }
    }
}

fn show(list: &Accounts, json: bool) -> Result<(), ApiError> {
    if json { print_json(list) } else { print_text(&table::list(list)) }
}

async fn add(desk: &Desk, args: &AccountAddArgs, json: bool) -> Result<u8, ApiError> {
    let (provider, alias) = args.name.split_once('/').unwrap_or((&args.name, ""));
    let terms = gpudesk_engine::rental_terms(&provider.to_ascii_lowercase());
    if terms.is_none() {
        // Before a key is asked for that nobody could use.
        gpudesk_engine::AccountName::new(provider, alias).map_err(gpudesk_engine::DeskError::from)?;
    }
    let fields = terms.map(|terms| terms.key.fields).unwrap_or_default();
    let request = AccountAddRequest {
        provider: provider.to_owned(),
        alias: alias.to_owned(),
        key: read_key(&args.name, fields)?,
        keep: args.keep.clone(),
        address: args.address.clone(),
        proxy: args.proxy.clone(),
        ca_file: args.ca_file.clone(),
        unchecked: args.unchecked,
    };
    let account = handlers::account_add_and_fetch(desk, request).await?;
    if json {
        print_json(&account)?;
    } else {
        print_text(&table::one(&account))?;
    }
    Ok(0)
}

/// The key: typed without echo (a key of several parts is asked for part by part), or all of standard input where that
/// is no terminal.
fn read_key(name: &str, fields: &[KeyField]) -> Result<String, ApiError> {
    let failed = |error: std::io::Error| ApiError::input(&error);
    if std::io::stdin().is_terminal() {
        if fields.is_empty() {
            return rpassword::prompt_password(format!("Key for {name}: ")).map_err(failed);
        }
        let mut parts = serde_json::Map::new();
        for field in fields {
            let optional = if field.required { "" } else { " (may be empty)" };
            let typed = rpassword::prompt_password(format!("{} for {name}{optional}: ", field.title));
            let typed = typed.map_err(failed)?.trim().to_owned();
            if !typed.is_empty() {
                parts.insert(field.name.to_owned(), typed.into());
            }
        }
        return Ok(serde_json::Value::Object(parts).to_string());
    }
    let mut key = String::new();
    std::io::stdin().lock().take(MAX_KEY_BYTES).read_to_string(&mut key).map_err(failed)?;
    Ok(key)
}

/// Asks each account; what one of them says against its key makes the command fail although the others were asked.
async fn check(desk: &Desk, name: Option<&str>, json: bool) -> Result<u8, ApiError> {
    let names: Vec<String> = match name {
        Some(name) => vec![name.to_ascii_lowercase()],
        None => handlers::accounts_list(desk, ()).await?.accounts.into_iter().map(|a| a.name).collect(),
    };
    let mut list = None;
    for name in &names {
        list = Some(handlers::account_check(desk, AccountRequest { name: name.clone() }).await?);
    }
    let mut list = match list {
        Some(list) => list,
        None => handlers::accounts_list(desk, ()).await?,
    };
    list.accounts.retain(|account| names.contains(&account.name));
    show(&list, json)?;
    Ok(list.accounts.iter().filter_map(failure).map(crate::exit_code).max().unwrap_or(0))
}

fn failure(account: &Account) -> Option<&ApiError> {
    account.error.as_ref()
}
