//! How a desk is opened.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use gpudesk_providers::cloud::Cloud;
use gpudesk_providers::{OfferSource, SourceConfig};
use serde::Deserialize;

use crate::accounts::{OutsideKeys, SystemVault, Vault};
use crate::clock::{Clock, SystemClock};
use crate::opener::Opener;
use crate::reach::Reach;

/// Everything the engine is given from outside.
#[derive(Clone)]
pub struct DeskConfig {
    /// The folder of all state.
    pub home: PathBuf,
    /// Base addresses of services that are not the documented ones, by the middle of `GPUDESK_<SERVICE>_URL` in
    /// lower case: `vast`, `runpod_graphql`, `catalogue`, `ecb`, `cbr`.
    pub addresses: BTreeMap<String, String>,
    /// Every source of offers at these addresses: those that ship, unless a benchmark brings its own.
    pub registry: fn(&SourceConfig) -> Vec<Box<dyn OfferSource>>,
    /// Clouds that are there already, by account: a simulation's. They come before those of keys.
    pub clouds: BTreeMap<String, Arc<dyn Cloud>>,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Whether this desk is at the practice market, where nothing costs money.
    pub practice: bool,
    /// Keys from the environment or a file: they hold before any other.
    pub keys: OutsideKeys,
    /// Where keys are kept: the system's keyring, unless a test brings its own.
    pub vault: Arc<dyn Vault>,
    /// How machines are reached; `None` = by the system's OpenSSH.
    pub reach: Option<Arc<dyn Reach>>,
    /// What starts terminals and editors; `None` = nothing can be started from here.
    pub opener: Option<Arc<dyn Opener>>,
    /// The person's own SSH folder, `~/.ssh`; `None` where the system names no home.
    pub ssh_folder: Option<PathBuf>,
}

impl DeskConfig {
    /// A desk in this folder with the documented addresses and the system's clock.
    #[must_use]
    pub fn new(home: PathBuf) -> Self {
        Self {
            home,
            addresses: BTreeMap::new(),
            registry: gpudesk_providers::registry,
            clouds: BTreeMap::new(),
            clock: Arc::new(SystemClock),
            practice: false,
            keys: OutsideKeys::default(),
            vault: Arc::new(SystemVault::default()),
            reach: None,
            opener: None,
            ssh_folder: std::env::home_dir().map(|home| home.join(".ssh")),
        }
    }

    /// The database file.
    #[must_use]
    pub fn database(&self) -> PathBuf {
        self.home.join("gpudesk.sqlite3")
    }

    /// The folder of the team's own price sheets.
    #[must_use]
    pub fn price_sheets(&self) -> PathBuf {
        self.home.join("price-sheets")
    }

    /// The file of keys: the one named, or the usual one.
    #[must_use]
    pub fn keys_file(&self) -> PathBuf {
        self.keys.file.clone().unwrap_or_else(|| self.home.join("keys.json"))
    }

    /// Where the services are: the team's price sheets (`flavor-prices/selectel.csv` is `selectel_prices`), and over them
    /// what was set. A sheet that was put there just now is found.
    pub(crate) fn services(&self) -> BTreeMap<String, String> {
        let folder = std::fs::read_dir(self.home.join("flavor-prices"));
        let sheets = folder.into_iter().flatten().flatten().filter_map(|entry| {
            let path = entry.path();
            let name = path.file_name()?.to_str()?.strip_suffix(".csv")?.to_ascii_lowercase();
            Some((format!("{name}_prices"), std::path::absolute(&path).ok()?.to_str()?.to_owned()))
        });
        let mut services: BTreeMap<String, String> = sheets.collect();
        services.extend(self.addresses.clone());
        services
    }

    /// The addresses in force: the person's settings, and the environment over them.
    pub(crate) fn sources(&self, net: &NetSettings) -> SourceConfig {
        let mut sources = SourceConfig::default();
        sources.set_price_sheets(self.price_sheets());
        if !net.catalogue_url.trim().is_empty() {
            sources.set_address("catalogue", net.catalogue_url.trim());
        }
        for (service, address) in &self.services() {
            sources.set_address(service, address);
        }
        sources
    }
}

/// The part of the user's settings that the engine itself obeys. The rest of the document is the window's business.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct NetSettings {
    /// HTTP proxy; empty = the system's.
    pub proxy: String,
    /// PEM file of an extra certificate authority; empty = none.
    pub ca_file: String,
    /// Base address of the public catalogues; empty = their own. The environment wins.
    pub catalogue_url: String,
    /// Whether the sources are fetched by themselves.
    pub auto_refresh: bool,
}

impl Default for NetSettings {
    fn default() -> Self {
        Self {
            proxy: String::new(),
            ca_file: String::new(),
            catalogue_url: String::new(),
            auto_refresh: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_sheet_in_the_home_is_a_service_and_what_was_set_comes_first() {
        let home = tempfile::tempdir().unwrap();
        let mut config = DeskConfig::new(home.path().to_owned());
        assert_eq!(config.services(), BTreeMap::new());
        let folder = home.path().join("flavor-prices");
        std::fs::create_dir(&folder).unwrap();
        for name in ["selectel.csv", "vk.csv", "notes.txt"] {
            std::fs::write(folder.join(name), "").unwrap();
        }
        config.addresses.insert("vk_prices".to_owned(), "https://intranet.example/vk.csv".to_owned());
        let sheet = folder.join("selectel.csv").to_str().unwrap().to_owned();
        let told = config.sources(&NetSettings::default());
        assert_eq!(told.address("selectel_prices"), Some(sheet.as_str()));
        assert_eq!(told.address("vk_prices"), Some("https://intranet.example/vk.csv"));
        assert_eq!(config.services().len(), 2);
    }
}
