//! Opening the desk from outside: where its folder is, and what the environment changes.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use gpudesk_engine::{Desk, DeskConfig, Opener, OutsideKeys, PracticeMarket, Secret, keys_of_environment};

use crate::desk::ApiError;

/// The variable that moves all state.
pub const HOME: &str = "GPUDESK_HOME";

/// Opens the desk in `home`, else where `GPUDESK_HOME` says, else in the platform's data folder. Base addresses come
/// from `GPUDESK_<PROVIDER>_URL`, keys from `GPUDESK_<PROVIDER>_KEY`, `GPUDESK_<PROVIDER>_<ALIAS>_KEY` and the file of
/// `GPUDESK_KEYS_FILE`; AWS also from its own variables.
///
/// # Errors
/// `database` when the database cannot be opened (newer, damaged, locked, no space), `settings-invalid` when there
/// is no data folder at all.
pub async fn open(home: Option<PathBuf>) -> Result<Desk, ApiError> {
    open_with(home, None).await
}

/// The same for a desk that can start other programs of the desktop.
///
/// # Errors
/// As [`open`].
pub(crate) async fn open_with(
    home: Option<PathBuf>,
    opener: Option<Arc<dyn Opener>>,
) -> Result<Desk, ApiError> {
    let mut config = DeskConfig::new(home_folder(home)?);
    config.addresses.extend(addresses(variables()));
    config.keys = keys(variables());
    config.opener = opener;
    Desk::open(config).await.map_err(ApiError::from)
}

fn home_folder(home: Option<PathBuf>) -> Result<PathBuf, ApiError> {
    match home.or_else(|| std::env::var_os(HOME).filter(|h| !h.is_empty()).map(PathBuf::from)) {
        Some(home) => Ok(home),
        None => dirs::data_dir().map(|base| base.join("gpudesk")).ok_or_else(ApiError::no_home),
    }
}

/// Opens the desk at the practice market of `home`, for one command: the market runs as long as it is held, and finds
/// its machines again the next time. One that runs already, of the window, is used.
///
/// # Errors
/// `practice` when the market cannot be started, or as [`open`].
pub async fn practise(home: Option<PathBuf>) -> Result<(Desk, PracticeMarket), ApiError> {
    let home = home_folder(home)?.join("practice");
    let market = PracticeMarket::start(&home.join("market")).await?;
    let desk = open_practice(home, market.variables(), None).await?;
    Ok((desk, market))
}

/// Opens the desk at the practice market: a home of its own, and only the addresses and keys of the market's program.
///
/// # Errors
/// As [`open`].
pub(crate) async fn open_practice(
    home: PathBuf,
    variables: &[(String, String)],
    opener: Option<Arc<dyn Opener>>,
) -> Result<Desk, ApiError> {
    let mut config = DeskConfig::new(home);
    config.practice = true;
    config.opener = opener;
    config.addresses.extend(addresses(variables.iter().cloned()));
    config.keys = keys(variables.iter().cloned());
    Desk::open(config).await.map_err(ApiError::from)
}

/// The services whose base address the environment sets: `GPUDESK_RUNPOD_GRAPHQL_URL` → `runpod_graphql`.
fn addresses(vars: impl Iterator<Item = (String, String)>) -> Vec<(String, String)> {
    vars.filter_map(|(name, value)| {
        let service = name.strip_prefix("GPUDESK_")?.strip_suffix("_URL")?.to_ascii_lowercase();
        (!service.is_empty() && !value.trim().is_empty()).then(|| (service, value.trim().to_owned()))
    })
    .collect()
}

/// The environment, as far as it is text.
fn variables() -> impl Iterator<Item = (String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
}

/// The keys the environment brings: `GPUDESK_VAST_TEAM_KEY` → `vast_team`, and what the providers' own tools read.
fn keys(vars: impl Iterator<Item = (String, String)>) -> OutsideKeys {
    let mut keys = OutsideKeys::default();
    let vars: BTreeMap<String, String> = vars.filter(|(_, value)| !value.trim().is_empty()).collect();
    for (provider, key) in keys_of_environment(&|name| vars.get(name).cloned()) {
        keys.environment.insert(provider.to_owned(), key);
    }
    // What is meant for the desk alone holds before that.
    for (name, value) in vars {
        let Some(rest) = name.strip_prefix("GPUDESK_") else { continue };
        if rest == "KEYS_FILE" {
            keys.file = Some(PathBuf::from(value));
        } else if let Some(account) = rest.strip_suffix("_KEY").filter(|account| !account.is_empty()) {
            keys.environment.insert(account.to_ascii_lowercase(), Secret::new(value.trim()));
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_addresses_are_read_from_the_environment_by_service() {
        let vars = [
            ("GPUDESK_VAST_URL", "http://127.0.0.1:8080"),
            ("GPUDESK_RUNPOD_GRAPHQL_URL", " http://127.0.0.1:1 "),
            ("GPUDESK_HOME", "/x"),
            ("GPUDESK_ECB_URL", ""),
            ("GPUDESK__URL", "http://127.0.0.1:2"),
            ("PATH", "/bin"),
        ];
        let found = addresses(vars.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())));
        let expected = [("vast", "http://127.0.0.1:8080"), ("runpod_graphql", "http://127.0.0.1:1")];
        assert_eq!(found, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
    }

    #[test]
    fn keys_are_read_from_the_environment_by_account() {
        let vars = [
            ("GPUDESK_VAST_KEY", " a\n"),
            ("GPUDESK_VAST_TEAM_KEY", "b"),
            ("GPUDESK_RUNPOD_KEY", ""),
            ("GPUDESK__KEY", "c"),
            ("GPUDESK_KEYS_FILE", "/keys.json"),
            ("VAST_KEY", "d"),
            ("AWS_PROFILE", "work"),
        ];
        let found = keys(vars.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())));
        let shown: Vec<_> =
            found.environment.iter().map(|(name, key)| (name.as_str(), key.expose())).collect();
        let profile = r#"{"profile":"work","region":null}"#;
        assert_eq!(shown, [("aws", profile), ("vast", "a"), ("vast_team", "b")]);
        assert_eq!(found.file, Some(PathBuf::from("/keys.json")));
    }
}
