//! Accounts for people.

use gpudesk_api::account::{Account, Accounts};

use super::{L, R, money, plain, with_notes};

/// The list of accounts, what is wrong with each, and whether keys can be kept.
pub fn list(list: &Accounts) -> String {
    let mut notes = Vec::new();
    if let Some(problem) = &list.keyring.problem {
        notes.push(format!("Keyring ({}): {problem}.", list.keyring.name));
        if let Some(file) = &list.keyring.instead {
            notes.push(format!("Keys can be kept in {file} instead: `--keep file`."));
        }
    }
    if list.accounts.is_empty() {
        let providers: Vec<&str> = list.providers.iter().map(|p| p.provider.as_str()).collect();
        notes.insert(
            0,
            format!("No account yet. `gpudesk accounts add PROVIDER` adds one: {}.", providers.join(", ")),
        );
        return notes.join("\n");
    }
    let mut table = plain(&[
        ("account", L),
        ("state", L),
        ("who", L),
        ("balance", R),
        ("rights", L),
        ("key in", L),
        ("checked", L),
    ]);
    for account in &list.accounts {
        table.add_row(row(account));
        if let Some(error) = &account.error {
            notes.push(format!("{}: {}: {}", account.name, error.what, error.detail));
            notes.extend(error.hint.iter().map(|hint| format!("  {hint}")));
        }
        notes.extend(account.remarks.iter().map(|remark| format!("{}: {remark}", account.name)));
    }
    with_notes(&table, &notes)
}

/// One account, just added.
pub fn one(account: &Account) -> String {
    list(&Accounts {
        accounts: vec![account.clone()],
        providers: Vec::new(),
        keyring: gpudesk_api::account::KeyringState {
            works: true,
            name: String::new(),
            problem: None,
            instead: None,
        },
    })
}

fn row(account: &Account) -> Vec<String> {
    let dash = || super::DASH.to_owned();
    let balance = account.balance.as_ref().map(|balance| {
        format!("{} {}", money(balance), account.currency.as_deref().unwrap_or_default()).trim().to_owned()
    });
    vec![
        account.name.clone(),
        account.state.clone(),
        account.who.clone().unwrap_or_else(dash),
        balance.unwrap_or_else(dash),
        account.rights.clone(),
        account.key_in.clone(),
        account.checked_at.clone().unwrap_or_else(dash),
    ]
}
