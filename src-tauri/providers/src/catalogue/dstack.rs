//! dstack's public catalogue (gpuhunt): a zip archive a cloud with one CSV inside, a row for each price.

use std::io::{Cursor, Read};

use chrono::{DateTime, Utc};
use csv::StringRecord;
use gpudesk_core::feed::{Fetched, Quarantined, ReasonCode};
use gpudesk_core::money::Currency;
use gpudesk_core::offer::PriceKind;
use gpudesk_core::place::{self, canonical_provider};
use gpudesk_core::quarantine::{self, Row};
use zip::ZipArchive;

use super::csv_table::{self, Column, CsvTable, Line};
use super::listing::{Listing, Memory, Tariff};
use super::{CatalogueError, feed_name, tpu};

/// A window of Google's Dynamic Workload Scheduler: bought ahead for given days, though the price is by the hour.
const CALENDAR_WINDOW: &str = "gcp-dws-calendar-mode";

/// Several pods of RunPod rented as one.
const CLUSTER: &str = "runpod-cluster";

/// Reads the archive of one cloud. `cloud` is dstack's name of it (`lambdalabs`).
///
/// # Errors
/// Where the archive is damaged, holds no `<cloud>.csv`, or the file gives nothing.
pub fn read_zip(
    cloud: &str,
    archive: &[u8],
    as_of: DateTime<Utc>,
    origin: &str,
) -> Result<Fetched, CatalogueError> {
    let broken = |error: zip::result::ZipError| CatalogueError::Archive(error.to_string());
    let mut archive = ZipArchive::new(Cursor::new(archive)).map_err(broken)?;
    let mut file = archive.by_name(&format!("{cloud}.csv")).map_err(broken)?;
    read_csv(cloud, &mut file, as_of, origin)
}

fn read_csv(
    cloud: &str,
    input: impl Read,
    as_of: DateTime<Utc>,
    origin: &str,
) -> Result<Fetched, CatalogueError> {
    let text = csv_table::read_text(input)?;
    let table = CsvTable::open(&text)?;
    let reader = Reader { cloud, provider: canonical_provider(cloud), columns: Columns::find(&table)? };
    let mut rows = Vec::new();
    table.each_line(|line| rows.push(reader.row(&line)));
    csv_table::refuse_unreadable(&rows)?;
    Ok(quarantine::settle(rows).into_fetched(feed_name(cloud), origin, as_of))
}

struct Columns {
    machine: Column,
    location: Column,
    price: Column,
    cpu: Column,
    memory: Column,
    gpu_count: Column,
    gpu_name: Column,
    gpu_memory: Column,
    spot: Column,
    disk: Column,
    flags: Column,
}

impl Columns {
    fn find(table: &CsvTable<'_>) -> Result<Self, CatalogueError> {
        Ok(Self {
            machine: table.required("instance_name")?,
            location: table.column(&["location"]),
            price: table.required("price")?,
            cpu: table.column(&["cpu"]),
            memory: table.column(&["memory"]),
            gpu_count: table.required("gpu_count")?,
            gpu_name: table.required("gpu_name")?,
            gpu_memory: table.column(&["gpu_memory"]),
            // Without it every interruptible price would pass for one on demand.
            spot: table.required("spot")?,
            disk: table.column(&["disk_size"]),
            flags: table.column(&["flags"]),
        })
    }
}

struct Reader<'a> {
    cloud: &'a str,
    provider: &'a str,
    columns: Columns,
}

impl Reader<'_> {
    fn row(&self, line: &Line<'_>) -> Row {
        let origin = || format!("{}.csv line {}", self.cloud, line.number);
        let fields: &StringRecord = match &line.fields {
            Ok(fields) => fields,
            Err(why) => return Row::bad(origin(), ReasonCode::Unreadable, why),
        };
        let columns = &self.columns;
        let (machine, card) = (columns.machine.of(fields), columns.gpu_name.of(fields));
        let count: f64 = match columns.gpu_count.of(fields) {
            "" => 0.0,
            text => match text.parse() {
                Ok(count) => count,
                Err(_) => {
                    let detail = format!("`{}` cards", text.chars().take(20).collect::<String>());
                    return Row::bad(origin(), ReasonCode::CountImpossible, detail);
                }
            },
        };
        if card.is_empty() && count == 0.0 {
            return Row::NotGpu;
        }
        let price = match quarantine::price(columns.price.of(fields)) {
            Ok(price) => price,
            Err(reason) => return Row::Bad(Quarantined { reason, origin: origin(), offer: None }),
        };
        let flags = columns.flags.of(fields);
        let has = |flag: &str| flags.split_ascii_whitespace().any(|word| word == flag);
        let kind = match columns.spot.of(fields).to_ascii_lowercase().as_str() {
            "true" | "false" | "" if has(CALENDAR_WINDOW) => PriceKind::Reserved,
            "true" => PriceKind::Spot,
            "false" | "" => PriceKind::OnDemand,
            // A price that may be spot is nobody's price on demand.
            other => {
                let detail =
                    format!("`{}` is neither spot nor not", other.chars().take(20).collect::<String>());
                return Row::bad(origin(), ReasonCode::Unreadable, detail);
            }
        };
        // TPU slices are named by version and size alone (`v5p-8`), with the memory of the whole slice.
        let slice_name = format!("tpu-{}", card.trim_start_matches("tpu-"));
        let slice = tpu::slice(&slice_name).filter(|_| self.provider == "gcp");
        let region = columns.location.of(fields);
        let listing = Listing {
            provider: self.provider,
            cloud: self.provider,
            machine: if machine.is_empty() { card } else { machine },
            card: if slice.is_some() { &slice_name } else { card },
            cards: slice.map_or(count, |slice| f64::from(slice.chips) * count),
            memory: Memory {
                gib: csv_table::amount(columns.gpu_memory.of(fields)),
                is_total: slice.is_some(),
            },
            vcpu: csv_table::amount(columns.cpu.of(fields)),
            ram_gib: csv_table::amount(columns.memory.of(fields)),
            disk_gb: csv_table::amount(columns.disk.of(fields)),
            region,
            country: place::locate(self.provider, region).country,
            variant: if has(CLUSTER) { "cluster" } else { "" },
            says_nvlink: false,
            is_cluster: has(CLUSTER) || slice.is_some_and(|slice| slice.is_cluster),
            currency: Currency::USD,
            prices: vec![Tariff { kind, per_hour: price, term: None }],
        };
        listing.into_row(origin)
    }
}
