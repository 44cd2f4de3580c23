//! Accounts and their keys. A key comes in once, with [`account_add`], and never goes out.

use gpudesk_engine::{AccountInfo, AccountState, Desk, Keep, NewAccount, Secret};

use super::cloud_shape;
use super::rows::{provider_title, text, time};
use crate::account::{Account, AccountAddRequest, AccountProvider, AccountRequest, Accounts, KeyringState};
use crate::desk::ApiError;

/// Accounts and what can be added.
///
/// # Errors
/// `database` or `keys-file` when they cannot be read.
pub async fn accounts_list(desk: &Desk, _request: ()) -> Result<Accounts, ApiError> {
    let accounts = desk.accounts().await?.iter().map(account).collect();
    let keyring = desk.keyring().await;
    let sources = super::sources_list(desk, ()).await?;
    let providers = gpudesk_engine::rentable_providers().into_iter().filter_map(|provider| {
        let terms = gpudesk_engine::rental_terms(provider)?;
        let source = sources.iter().find(|source| source.name == provider);
        Some(AccountProvider {
            provider: provider.to_owned(),
            title: provider_title(provider),
            needs: terms.key.rights.to_owned(),
            key_page: terms.key.page.to_owned(),
            fields: cloud_shape::fields(&terms),
            scopes: cloud_shape::scopes(&terms),
            can: cloud_shape::can(&terms, None),
            offers_need_key: terms.key.offers_need_it,
            rates: cloud_shape::rates(&terms),
            health: cloud_shape::health(source),
        })
    });
    Ok(Accounts {
        accounts,
        providers: providers.collect(),
        keyring: KeyringState {
            works: keyring.problem.is_none(),
            name: keyring.name.to_owned(),
            instead: keyring.problem.is_some().then(|| desk.config().keys_file().display().to_string()),
            problem: keyring.problem,
        },
    })
}

/// Asks the provider who a key is and keeps it; what the provider offers to that account is fetched behind it.
///
/// # Errors
/// `request-invalid`, `bad-key`, `forbidden`, `network` …: nothing has changed then. `keyring` where the key is good
/// and cannot be kept.
pub async fn account_add(desk: &Desk, request: AccountAddRequest) -> Result<Accounts, ApiError> {
    let provider = add(desk, request).await?;
    let fetching = desk.clone();
    tokio::spawn(async move {
        if let Err(error) = fetching.refresh(&[provider]).await {
            tracing::warn!("offers after a new account: {error}");
        }
    });
    accounts_list(desk, ()).await
}

/// The same for a process that ends with its answer: the offers are there when it returns.
///
/// # Errors
/// As [`account_add`].
pub async fn account_add_and_fetch(desk: &Desk, request: AccountAddRequest) -> Result<Account, ApiError> {
    let name = gpudesk_engine::AccountName::new(&request.provider, &request.alias)
        .map_err(gpudesk_engine::DeskError::from)?
        .to_string();
    let provider = add(desk, request).await?;
    if let Err(error) = desk.refresh(&[provider]).await {
        tracing::warn!("offers after a new account: {error}");
    }
    one(desk, &name).await
}

async fn add(desk: &Desk, request: AccountAddRequest) -> Result<String, ApiError> {
    let new = NewAccount {
        keep: Keep::parse(&request.keep).map_err(gpudesk_engine::DeskError::from)?,
        key: Secret::new(request.key),
        provider: request.provider,
        alias: request.alias,
        address: request.address,
        proxy: request.proxy,
        ca_file: request.ca_file,
        unchecked: request.unchecked,
    };
    Ok(desk.account_add(new).await?.provider().to_owned())
}

/// One account.
///
/// # Errors
/// `not-found` where there is none of that name.
pub async fn one(desk: &Desk, name: &str) -> Result<Account, ApiError> {
    let found = desk.accounts().await?.iter().map(account).find(|account| account.name == name);
    found.ok_or_else(|| {
        ApiError::new("not-found", format!("account `{name}`"), "there is none of that name")
            .with_hint("`gpudesk accounts` lists them.")
    })
}

/// Asks again who an account is; what is wrong with it stands beside it in the answer.
///
/// # Errors
/// `not-found` where there is none of that name.
pub async fn account_check(desk: &Desk, request: AccountRequest) -> Result<Accounts, ApiError> {
    desk.account_check(&request.name).await?;
    accounts_list(desk, ()).await
}

/// Forgets an account and its key.
///
/// # Errors
/// `refused` while machines of it are not over, or where its key comes from the environment.
pub async fn account_remove(desk: &Desk, request: AccountRequest) -> Result<Accounts, ApiError> {
    desk.account_remove(&request.name).await?;
    accounts_list(desk, ()).await
}

/// An account in the contract's shape.
pub(super) fn account(info: &AccountInfo) -> Account {
    let provider = info.name.provider();
    let terms = gpudesk_engine::rental_terms(provider);
    let facts = info.facts.as_ref();
    let rights = match facts.map(|facts| (facts.may_read, facts.may_write)) {
        Some((_, Some(true))) => "read-write",
        Some((_, Some(false))) => "read-only",
        _ => "unknown",
    };
    Account {
        name: info.name.to_string(),
        provider: provider.to_owned(),
        title: provider_title(provider),
        alias: info.name.alias().to_owned(),
        key_in: info.key_in.to_owned(),
        state: match info.state {
            AccountState::Ok => "ok",
            AccountState::Failed => "failed",
            AccountState::Never => "never",
        }
        .to_owned(),
        who: facts.and_then(|facts| facts.who.clone()),
        balance: facts.and_then(|facts| facts.balance).map(text),
        currency: facts.map(|facts| facts.currency.to_string()),
        spend_limit_per_hour: facts.and_then(|facts| facts.spend_limit_per_hour).map(text),
        rights: rights.to_owned(),
        needs: terms.as_ref().map(|terms| terms.key.rights.to_owned()).unwrap_or_default(),
        key_page: terms.as_ref().map(|terms| terms.key.page.to_owned()).unwrap_or_default(),
        can: terms.as_ref().map(|terms| cloud_shape::can(terms, Some(info))).unwrap_or_default(),
        missing: terms.as_ref().map(|terms| cloud_shape::missing(terms, facts)).unwrap_or_default(),
        rate_limited: info.error.as_ref().is_some_and(|error| error.code == cloud_shape::RATE_LIMITED),
        remarks: facts.map(|facts| facts.remarks.clone()).unwrap_or_default(),
        checked_at: info.checked_at.map(time),
        error: info.error.as_ref().map(ApiError::of_failure),
        address: info.address.clone(),
        proxy: info.proxy.clone(),
        ca_file: info.ca_file.clone(),
    }
}
