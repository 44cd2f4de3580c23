//! Accounts for people.

use gpudesk_api::account::{Account, AccountProvider, Accounts};
use gpudesk_api::cloud::CloudHealth;

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
    let mut table = plain(&[
        ("account", L),
        ("state", L),
        ("who", L),
        ("balance", R),
        ("rights", L),
        ("works", L),
        ("offers", R),
        ("rows", R),
        ("aside", R),
        ("read", L),
        ("key in", L),
        ("checked", L),
    ]);
    for account in &list.accounts {
        let cloud = list.providers.iter().find(|cloud| cloud.provider == account.provider);
        table.add_row(row(account, cloud));
        for right in &account.missing {
            let need = if right.needed { "cannot be rented without it" } else { "the rest works" };
            notes.push(format!(
                "{}: the key lacks `{}` ({}; {need}). It is granted at {}",
                account.name,
                right.name,
                right.allows.join(", "),
                right.page
            ));
        }
        if account.rate_limited || cloud.is_some_and(|cloud| cloud.health.rate_limited) {
            notes.push(format!("{}: it was asked too often and is asked less for a while", account.name));
        }
        if let Some(error) = &account.error {
            notes.push(format!("{}: {}: {}", account.name, error.what, error.detail));
            notes.extend(error.hint.iter().map(|hint| format!("  {hint}")));
        }
        notes.extend(account.remarks.iter().map(|remark| format!("{}: {remark}", account.name)));
    }
    let others = without(list);
    if list.accounts.is_empty() {
        notes.insert(0, others);
        return notes.join("\n\n");
    }
    if !others.is_empty() {
        notes.push(format!("\n{others}"));
    }
    with_notes(&table, &notes)
}

/// The clouds that could be rented and have no account yet.
fn without(list: &Accounts) -> String {
    let has = |provider: &str| list.accounts.iter().any(|account| account.provider == provider);
    let mut table =
        plain(&[("without an account", L), ("offers", L), ("would work", L), ("key is made at", L)]);
    let mut any = false;
    for cloud in list.providers.iter().filter(|cloud| !has(&cloud.provider)) {
        let offers = if cloud.health.state == "needs-account" { "need a key" } else { &cloud.health.state };
        table.add_row([&cloud.provider, offers, &cloud.can.join(" "), &cloud.key_page]);
        any = true;
    }
    if any {
        with_notes(&table, &["`gpudesk accounts add NAME` adds one.".to_owned()])
    } else {
        String::new()
    }
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

fn row(account: &Account, cloud: Option<&AccountProvider>) -> Vec<String> {
    let dash = || super::DASH.to_owned();
    // Before the first answer nothing was counted, which is not zero.
    let counted = cloud.map(|cloud| &cloud.health).filter(|health| health.refreshed_at.is_some());
    let count = |of: fn(&CloudHealth) -> u32| counted.map_or_else(dash, |health| of(health).to_string());
    let balance = account.balance.as_ref().map(|balance| {
        format!("{} {}", money(balance), account.currency.as_deref().unwrap_or_default()).trim().to_owned()
    });
    vec![
        account.name.clone(),
        account.state.clone(),
        account.who.clone().unwrap_or_else(dash),
        balance.unwrap_or_else(dash),
        account.rights.clone(),
        account.can.join(" "),
        count(|health| health.offers),
        count(|health| health.rows_read),
        count(|health| health.quarantined),
        cloud.and_then(|cloud| cloud.health.refreshed_at.clone()).unwrap_or_else(dash),
        account.key_in.clone(),
        account.checked_at.clone().unwrap_or_else(dash),
    ]
}
