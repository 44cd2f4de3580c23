//! What a person chose, the rates at hand, and what to send to somebody who helps.

use std::collections::BTreeSet;

use gpudesk_core::guard::MOST_PARTING_S;
use gpudesk_core::money::{Currency, Rates};
use gpudesk_core::rental::OnExpiry;
use gpudesk_engine::Desk;

use crate::desk::{ApiError, Diagnostics, RatesInfo, Settings};
use crate::guard::LeaseDefaults;
use crate::offer::FxDto;

/// What a person chose. A document of a later version is read as far as it is understood.
///
/// # Errors
/// `database` when it cannot be read.
pub async fn settings_get(desk: &Desk, (): ()) -> Result<Settings, ApiError> {
    let Some(text) = desk.settings().await? else { return Ok(Settings::default()) };
    Ok(serde_json::from_str(&text).unwrap_or_else(|error| {
        tracing::warn!("the stored settings are not understood, defaults are used: {error}");
        Settings::default()
    }))
}

/// Replaces the settings; fields that only a later version knows are kept.
///
/// # Errors
/// `settings-invalid` for a proxy, certificate or currency that cannot work, `database` when it cannot be stored.
pub async fn settings_set(desk: &Desk, settings: Settings) -> Result<Settings, ApiError> {
    currency(&settings.currency)?;
    lease(&settings.lease)?;
    let wrong = |error: serde_json::Error| ApiError::wrong_shape("settings_set", &error);
    let serde_json::Value::Object(chosen) = serde_json::to_value(&settings).map_err(wrong)? else {
        return Err(ApiError::new("internal", "the settings", "they are not an object"));
    };
    let mut document = match desk.settings().await? {
        Some(text) => serde_json::from_str(&text).unwrap_or_default(),
        None => serde_json::Map::new(),
    };
    document.extend(chosen);
    desk.set_settings(&serde_json::Value::Object(document).to_string()).await?;
    Ok(settings)
}

/// The usual limits, if they can be.
fn lease(lease: &LeaseDefaults) -> Result<(), ApiError> {
    let wrong = |detail: String, hint: String| {
        Err(ApiError::new("settings-invalid", "the lease", detail).with_hint(hint))
    };
    let LeaseDefaults { hours, idle_minutes, on_expiry, part_s } = lease;
    if !gpudesk_engine::LeaseDefaults::are_hours(*hours) {
        let most = gpudesk_engine::LeaseDefaults::MOST_HOURS;
        let hint = format!("Name hours above 0 and at most {most} (a year), such as 8.");
        return wrong(format!("{hours} hours cannot be"), hint);
    }
    if *idle_minutes == Some(0) {
        return wrong("0 idle minutes cannot be".to_owned(), "Leave them out: it may idle then.".to_owned());
    }
    if let Some(word) = on_expiry.as_ref().filter(|word| word.parse::<OnExpiry>().is_err()) {
        let hint = "One of: notify, stop, end.".to_owned();
        return wrong(format!("`{word}` is nothing that can happen"), hint);
    }
    if *part_s > MOST_PARTING_S {
        let hint = format!("The machine costs meanwhile: at most {MOST_PARTING_S} seconds.");
        return wrong(format!("{part_s} seconds are too long"), hint);
    }
    Ok(())
}

pub(super) fn currency(code: &str) -> Result<Currency, ApiError> {
    code.parse().map_err(|error: gpudesk_core::money::NotACurrency| {
        ApiError::new("settings-invalid", format!("currency `{code}`"), error.to_string())
    })
}

/// A currency that amounts can be shown in. Before the first rates are fetched any is taken: amounts then stay in
/// their own.
pub(super) fn shown_currency(code: &str, rates: &Rates) -> Result<Currency, ApiError> {
    let currency = currency(code)?;
    let none_known = rates.ecb.is_none() && rates.cbr.is_none();
    if none_known || rates.quote(Currency::USD, currency).is_some() {
        return Ok(currency);
    }
    Err(ApiError::new("settings-invalid", format!("currency `{code}`"), "no bank at hand has a rate for it")
        .with_hint("Choose another one; the window's settings list those that have a rate."))
}

/// The exchange rates at hand.
///
/// # Errors
/// `database` when they cannot be read.
pub async fn rates_get(desk: &Desk, (): ()) -> Result<RatesInfo, ApiError> {
    let rates = desk.rates().await?;
    let sheets: Vec<_> = [&rates.ecb, &rates.cbr].into_iter().flatten().collect();
    let mut currencies: BTreeSet<Currency> =
        sheets.iter().flat_map(|sheet| sheet.per_unit.keys().copied().chain([sheet.base])).collect();
    currencies.insert(Currency::USD);
    Ok(RatesInfo {
        sheets: sheets
            .iter()
            .map(|sheet| FxDto { source: sheet.source.name().to_owned(), date: sheet.date.to_string() })
            .collect(),
        currencies: currencies.into_iter().map(|currency| currency.to_string()).collect(),
    })
}

/// What to send to somebody who helps. Values of variables are left out: an address may carry a password.
///
/// # Errors
/// `database` when the board could not be loaded.
pub async fn diagnostics_get(desk: &Desk, (): ()) -> Result<Diagnostics, ApiError> {
    let snapshot = desk.snapshot().await?;
    let database = desk.config().database();
    let bytes = tokio::fs::metadata(&database).await.map(|file| file.len()).unwrap_or(0);
    let mut overrides: Vec<String> = std::env::vars_os()
        .filter_map(|(name, _)| name.into_string().ok())
        .filter(|name| {
            name.starts_with("GPUDESK_")
                || ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"]
                    .contains(&name.to_uppercase().as_str())
        })
        .collect();
    overrides.sort();
    Ok(Diagnostics {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        platform: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        home: desk.config().home.display().to_string(),
        database: database.display().to_string(),
        database_bytes: bytes as f64,
        schema: u32::try_from(desk.schema_version()).unwrap_or(0),
        offers: snapshot.board.len(),
        board_bytes: snapshot.board.heap_bytes() as f64,
        ssh: desk.ssh_client().await,
        overrides,
    })
}
