//! Offers as they come, repeated to any number.

use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;

use gpudesk_core::offer::{Offer, SupplyState};
use gpudesk_providers::catalogue::{shipped, skypilot};

/// When the benchmark takes place.
pub fn now() -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + chrono::TimeDelta::days(20_787)
}

/// Real offers to repeat.
pub struct Seeds {
    pub offers: Vec<Offer>,
    pub origin: &'static str,
}

/// The folder of SkyPilot catalogues, where there is one, else the price lists that are shipped.
pub fn seeds() -> Seeds {
    let catalogue = catalogue_folder();
    let imported: Vec<Offer> = skypilot::import(catalogue.as_slice(), now())
        .map(skypilot::ToRead::read)
        .filter_map(|imported| imported.result.ok())
        .flat_map(|fetched| fetched.offers)
        .collect();
    if imported.is_empty() {
        let offers = shipped().into_iter().flat_map(|fetched| fetched.offers).collect();
        return Seeds { offers, origin: "the shipped price lists" };
    }
    Seeds { offers: imported, origin: "the public SkyPilot catalogue" }
}

fn catalogue_folder() -> Option<PathBuf> {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    let shared = std::env::var_os("GPUDESK_SHARED").map_or_else(|| checkout.join("../shared"), PathBuf::from);
    Some(shared.join("data/skypilot-catalog")).filter(|folder| folder.is_dir())
}

impl Seeds {
    /// So many offers: each round has its own names and slightly other prices.
    pub fn repeated(&self, rows: usize) -> Vec<Offer> {
        let repeat = |row: usize| {
            let (seed, round) = (row % self.offers.len(), row / self.offers.len());
            let mut offer = self.offers[seed].clone();
            if round > 0 {
                offer.id = format!("{}~{round}", offer.id);
                offer.name = format!("{}-{round}", offer.name);
                let percent = 90 + noise(row) % 21;
                offer.price.per_hour *= Decimal::new(percent as i64, 2);
            }
            offer
        };
        (0..rows).map(repeat).collect()
    }

    /// So many offers that share as little as real ones can: hosts of a marketplace, each with its own size of memory,
    /// place, seller, speed and stock.
    pub fn strangers(&self, rows: usize) -> Vec<Offer> {
        const COUNTRIES: [&str; 12] =
            ["US", "DE", "FI", "NO", "RU", "GB", "FR", "CZ", "BG", "CA", "JP", "IN"];
        let mut offers = self.repeated(rows);
        for (row, offer) in offers.iter_mut().enumerate() {
            let random = noise(row);
            offer.place.country = Some(COUNTRIES[random % 12].to_owned());
            offer.place.seller = Some(COUNTRIES[random / 12 % 12].to_owned());
            offer.place.region = Some(format!("place {}", random % 5000));
            offer.supply.state = SupplyState::ALL[random / 144 % 3];
            offer.ram_gib = Some((16 + random % 2000) as f64);
            offer.price.storage_gb_month = Some(Decimal::new((random % 300) as i64, 3));
        }
        offers
    }
}

/// A number that looks random and is the same in every run.
fn noise(row: usize) -> usize {
    let mixed = (row as u64 ^ 0x9E37_79B9_7F4A_7C15).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    ((mixed ^ (mixed >> 31)) >> 17) as usize
}
