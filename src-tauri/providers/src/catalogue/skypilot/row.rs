//! One row of a SkyPilot catalogue, and the prices in it.

use csv::StringRecord;
use gpudesk_core::feed::{Reason, ReasonCode};
use gpudesk_core::offer::PriceKind;
use gpudesk_core::quarantine;
use rust_decimal::Decimal;

use crate::catalogue::CatalogueError;
use crate::catalogue::csv_table::{Column, CsvTable, amount};
use crate::catalogue::listing::Tariff;

/// Where the columns stand in one file. The order differs from file to file, and not every file has every column.
pub(super) struct Columns {
    machine: Column,
    card: Column,
    count: Column,
    vcpu: Column,
    ram_gib: Column,
    gpu_info: Column,
    price: Column,
    spot: Column,
    region: Column,
    zone: Column,
    storage_gib: Column,
}

/// The cells of a row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cells<'r> {
    pub machine: &'r str,
    pub card: &'r str,
    pub count: &'r str,
    pub vcpu: Option<f64>,
    pub ram_gib: Option<f64>,
    pub gpu_info: &'r str,
    pub price: &'r str,
    pub spot: &'r str,
    pub region: &'r str,
    pub zone: &'r str,
    pub storage_gib: Option<f64>,
}

impl Columns {
    /// Finds the columns; without type, accelerator, count and a price no row would mean anything.
    pub fn find(table: &CsvTable<'_>) -> Result<Self, CatalogueError> {
        let columns = Self {
            machine: table.required("InstanceType")?,
            card: table.required("AcceleratorName")?,
            count: table.required("AcceleratorCount")?,
            vcpu: table.column(&["vCPUs"]),
            ram_gib: table.column(&["MemoryGiB"]),
            gpu_info: table.column(&["GpuInfo"]),
            price: table.column(&["Price"]),
            spot: table.column(&["SpotPrice"]),
            region: table.column(&["Region"]),
            zone: table.column(&["AvailabilityZone"]),
            storage_gib: table.column(&["StorageGiB"]),
        };
        match columns.price.exists() || columns.spot.exists() {
            true => Ok(columns),
            false => Err(table.missing("Price")),
        }
    }

    /// The cells of a row, by name.
    pub fn cells<'r>(&self, fields: &'r StringRecord) -> Cells<'r> {
        Cells {
            machine: self.machine.of(fields),
            card: self.card.of(fields),
            count: self.count.of(fields),
            vcpu: amount(self.vcpu.of(fields)),
            ram_gib: amount(self.ram_gib.of(fields)),
            gpu_info: self.gpu_info.of(fields),
            price: self.price.of(fields),
            spot: self.spot.of(fields),
            region: self.region.of(fields),
            zone: self.zone.of(fields),
            storage_gib: amount(self.storage_gib.of(fields)),
        }
    }
}

/// How a cloud's two price columns are to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// On demand in one, spot in the other.
    Plain,
    /// The type itself is the interruptible one, whichever column holds its price.
    SpotOnly,
    /// An auction: where both columns are equal, they hold the floor to bid above.
    Auction,
}

/// The prices of a row. A spot price of zero means none; a price on demand of zero means "not sold this way", and
/// the row stands if it has a spot price.
pub(super) fn tariffs(cells: &Cells<'_>, reading: Reading) -> Result<Vec<Tariff>, Reason> {
    let on_demand = given(cells.price)?;
    let spot = given(cells.spot)?;
    let tariff = |kind, per_hour| Tariff { kind, per_hour, term: None };
    let (on_demand, spot) = match (on_demand, spot) {
        (Given::Price(floor), Given::Price(same)) if reading == Reading::Auction && floor == same => {
            return Ok(vec![tariff(PriceKind::Bid, floor)]);
        }
        both => both,
    };
    let first_kind = if reading == Reading::SpotOnly { PriceKind::Spot } else { PriceKind::OnDemand };
    let mut tariffs = Vec::with_capacity(2);
    if let Given::Price(price) = on_demand {
        tariffs.push(tariff(first_kind, price));
    }
    if let Given::Price(price) = spot {
        tariffs.push(tariff(PriceKind::Spot, price));
    }
    match (tariffs.is_empty(), on_demand) {
        (false, _) => Ok(tariffs),
        (true, Given::Zero) => {
            Err(Reason { code: ReasonCode::PriceImpossible, detail: "price is 0".to_owned() })
        }
        (true, _) => Err(Reason {
            code: ReasonCode::PriceMissing,
            detail: "neither a price on demand nor a spot price".to_owned(),
        }),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Given {
    Nothing,
    Zero,
    Price(Decimal),
}

fn given(text: &str) -> Result<Given, Reason> {
    match quarantine::price(text) {
        Ok(price) => Ok(Given::Price(price)),
        Err(reason) if reason.code == ReasonCode::PriceMissing => Ok(Given::Nothing),
        Err(_) if text.parse::<Decimal>().is_ok_and(|price| price.is_zero()) => Ok(Given::Zero),
        Err(reason) => Err(reason),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(price: &str, spot: &str, reading: Reading) -> Result<Vec<(PriceKind, String)>, ReasonCode> {
        let cells = Cells {
            machine: "m",
            card: "H100",
            count: "1",
            vcpu: None,
            ram_gib: None,
            gpu_info: "",
            price,
            spot,
            region: "",
            zone: "",
            storage_gib: None,
        };
        match tariffs(&cells, reading) {
            Ok(all) => Ok(all.iter().map(|tariff| (tariff.kind, tariff.per_hour.to_string())).collect()),
            Err(reason) => Err(reason.code),
        }
    }

    #[test]
    fn two_columns_are_two_prices() {
        use PriceKind::{OnDemand, Spot};
        let pair = [(OnDemand, "3.12".to_owned()), (Spot, "1.5".to_owned())];
        assert_eq!(read("3.12", "1.5", Reading::Plain).unwrap(), pair);
        assert_eq!(read("3.12", "", Reading::Plain).unwrap(), pair[..1]);
        assert_eq!(read("", "1.5", Reading::Plain).unwrap(), pair[1..]);
        assert_eq!(read("2.98", "0.00", Reading::Plain).unwrap(), [(OnDemand, "2.98".to_owned())], "Vast");
        assert_eq!(read("0.0", "1.5", Reading::Plain).unwrap(), pair[1..], "sold as spot only");
    }

    #[test]
    fn a_floor_is_a_bid_and_a_spot_type_is_spot() {
        assert_eq!(read("8.0", "8.0", Reading::Auction).unwrap(), [(PriceKind::Bid, "8".to_owned())]);
        assert_eq!(read("0.53", "", Reading::SpotOnly).unwrap(), [(PriceKind::Spot, "0.53".to_owned())]);
        assert_eq!(read("", "0.53", Reading::SpotOnly).unwrap(), [(PriceKind::Spot, "0.53".to_owned())]);
    }

    #[test]
    fn what_is_no_price_has_a_reason() {
        assert_eq!(read("", "", Reading::Plain), Err(ReasonCode::PriceMissing));
        assert_eq!(read("0.0", "", Reading::Plain), Err(ReasonCode::PriceImpossible));
        for odd in ["NaN", "-1", "inf", "1,5", "free"] {
            assert_eq!(read(odd, "", Reading::Plain), Err(ReasonCode::PriceImpossible), "{odd}");
            assert_eq!(read("1.5", odd, Reading::Plain), Err(ReasonCode::PriceImpossible), "{odd}");
        }
    }
}
