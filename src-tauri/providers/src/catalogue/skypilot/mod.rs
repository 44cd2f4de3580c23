//! Catalogues in SkyPilot's CSV form: one file a cloud, one row a machine type at a place, dollars an hour for the
//! whole machine. Columns are found by name; unknown ones are ignored. Written for the schema versions 5 to 9.

mod files;
mod google;
mod gpu_info;
mod place;
mod row;

use std::io::Read;

use chrono::{DateTime, Utc};
use gpudesk_core::feed::{Fetched, Quarantined, ReasonCode};
use gpudesk_core::money::Currency;
use gpudesk_core::offer::PriceKind;
use gpudesk_core::place::canonical_provider;
use gpudesk_core::quarantine::{self, Row};

use super::csv_table::{self, CsvTable, Line};
use super::listing::{Listing, Memory, Tariff};
use super::{CatalogueError, clouds, feed_name, split_version, tpu};
use google::Hosts;
use row::{Cells, Columns, Reading};

pub use files::{Imported, ToRead, import};

/// Clouds whose `SizeInMiB` is the total of the machine, not one card's.
const TOTAL_MEMORY: [&str; 3] = ["prime", "vast", "verda"];

/// Clouds that are sold by auction.
const AUCTIONS: [&str; 1] = ["mithril"];

/// Reads one file. `file_stem` is the name of the file without its ending and names the cloud (`aws`, `runpod-v5`);
/// `as_of` is when the list was true, `origin` what people are told of where it is from.
///
/// # Errors
/// Where the whole file is no catalogue or gives nothing. A row that gives nothing is set aside with its reason.
pub fn read_csv(
    file_stem: &str,
    input: impl Read,
    as_of: DateTime<Utc>,
    origin: &str,
) -> Result<Fetched, CatalogueError> {
    let text = csv_table::read_text(input)?;
    let table = CsvTable::open(&text)?;
    let columns = Columns::find(&table)?;
    let mut reader = Reader::new(file_stem, &columns);
    if reader.provider == "gcp" {
        table.each_line(|line| {
            if let Ok(fields) = line.fields {
                reader.learn_host(&columns.cells(fields));
            }
        });
    }
    let mut rows = Vec::new();
    table.each_line(|line| rows.push(reader.row(&line)));
    csv_table::refuse_unreadable(&rows)?;
    let mut settled = quarantine::settle(rows);
    settled.notes.extend(reader.notes());
    Ok(settled.into_fetched(feed_name(file_stem), origin, as_of))
}

/// Reads the rows of one file.
struct Reader<'c> {
    file_stem: &'c str,
    provider: &'c str,
    columns: &'c Columns,
    hosts: Hosts,
    spot_without_discount: u64,
    without_local_ssd: u64,
}

impl<'c> Reader<'c> {
    fn new(file_stem: &'c str, columns: &'c Columns) -> Self {
        Self {
            file_stem,
            provider: canonical_provider(split_version(file_stem).0),
            columns,
            hosts: Hosts::default(),
            spot_without_discount: 0,
            without_local_ssd: 0,
        }
    }

    fn learn_host(&mut self, cells: &Cells<'_>) {
        if cells.card.is_empty() {
            self.hosts.add(cells);
        }
    }

    fn row(&mut self, line: &Line<'_>) -> Row {
        let fields = match &line.fields {
            Ok(fields) => *fields,
            Err(why) => return Row::bad(self.origin(line.number), ReasonCode::Unreadable, why),
        };
        let cells = self.columns.cells(fields);
        if cells.card.is_empty() {
            return Row::NotGpu;
        }
        let Ok(listed) = cells.count.parse::<f64>() else {
            let detail = format!("`{}` cards", cells.count.chars().take(20).collect::<String>());
            return Row::bad(self.origin(line.number), ReasonCode::CountImpossible, detail);
        };
        let cloud = place::upstream(self.provider, cells.machine);
        let located = place::locate(self.provider, cloud, cells.region, cells.zone);
        let slice = tpu::slice(cells.card);
        let listing = Listing {
            provider: self.provider,
            cloud,
            machine: if cells.machine.is_empty() { cells.card } else { cells.machine },
            card: cells.card,
            cards: match slice {
                Some(slice) => f64::from(slice.chips) * listed,
                None => clouds::known_cards(cloud, cells.machine).unwrap_or(listed),
            },
            memory: Memory {
                gib: gpu_info::memory_gib(cells.gpu_info),
                is_total: TOTAL_MEMORY.contains(&self.provider),
            },
            vcpu: cells.vcpu,
            ram_gib: cells.ram_gib,
            disk_gb: cells.storage_gib.map(gib_to_gb),
            region: &located.text,
            country: located.country,
            variant: "",
            says_nvlink: [cells.machine, cells.card].iter().any(|text| mentions_nvlink(text)),
            is_cluster: slice.is_some_and(|slice| slice.is_cluster),
            currency: currency(self.provider, cells.region),
            prices: Vec::new(),
        };
        self.priced(&cells, listing, line.number)
    }

    fn priced(&mut self, cells: &Cells<'_>, listing: Listing<'_>, line: u64) -> Row {
        let origin = || self.origin(line);
        let prices = match row::tariffs(cells, self.reading(cells.machine)) {
            Ok(prices) => prices,
            // What is no GPU needs no price to be told so.
            Err(reason) => {
                return match listing.into_row(origin) {
                    Row::NotGpu => Row::NotGpu,
                    _ => Row::Bad(Quarantined { reason, origin: origin(), offer: None }),
                };
            }
        };
        if cells.machine.is_empty() && self.provider == "gcp" && tpu::slice(cells.card).is_none() {
            return self.with_host(cells, &listing, &prices, line);
        }
        let no_discount = same_twice(&prices);
        let row = Listing { prices, ..listing }.into_row(origin);
        self.spot_without_discount += u64::from(no_discount && matches!(row, Row::Offers { .. }));
        row
    }

    /// A Google accelerator as the machines of its zone that hold it.
    fn with_host(&mut self, cells: &Cells<'_>, listing: &Listing<'_>, prices: &[Tariff], line: u64) -> Row {
        // A number of cards that is not whole and small matches no machine.
        let count = cells.count.trim_end_matches(".0").parse().unwrap_or(0);
        let mut offers = Vec::new();
        for host in self.hosts.matching(cells.zone, cells.card, count) {
            let machine = Listing {
                machine: &host.machine,
                vcpu: host.vcpu,
                ram_gib: host.ram_gib,
                prices: host.with_cards(prices),
                ..listing.clone()
            };
            match machine.into_row(|| self.origin(line)) {
                Row::Offers { offers: more, .. } => {
                    self.without_local_ssd += u64::from(has_local_ssd(&host.machine));
                    offers.extend(more);
                }
                other => return other,
            }
        }
        if offers.is_empty() {
            let detail = format!(
                "{} × {} costs this without a machine, and the list has no machine for it in {}",
                cells.count, cells.card, cells.zone
            );
            return Row::bad(self.origin(line), ReasonCode::IncompletePrice, detail);
        }
        Row::Offers { origin: self.origin(line), offers }
    }

    fn reading(&self, machine: &str) -> Reading {
        if AUCTIONS.contains(&self.provider) {
            Reading::Auction
        } else if self.provider == "prime" && machine.ends_with("__SPOT") {
            Reading::SpotOnly
        } else {
            Reading::Plain
        }
    }

    fn origin(&self, line: u64) -> String {
        format!("{}.csv line {line}", self.file_stem)
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.spot_without_discount > 0 {
            notes.push(format!(
                "rows whose spot price is no lower than the price on demand, kept as listed: {}",
                self.spot_without_discount
            ));
        }
        if self.without_local_ssd > 0 {
            notes.push(format!(
                "machines with built-in local SSD, which Google bills apart and the list leaves out: {}",
                self.without_local_ssd
            ));
        }
        notes
    }
}

fn gib_to_gb(gib: f64) -> f64 {
    (gib * 1.073_741_824).round()
}

fn mentions_nvlink(text: &str) -> bool {
    text.as_bytes().windows(6).any(|word| word.eq_ignore_ascii_case(b"nvlink"))
}

/// What is sold in China is priced in yuan; the lists write the figure as it is.
fn currency(provider: &str, region: &str) -> Currency {
    if clouds::is_amazon_china(provider, region) { Currency::CNY } else { Currency::USD }
}

fn same_twice(prices: &[Tariff]) -> bool {
    matches!(prices, [on_demand, spot]
        if on_demand.kind == PriceKind::OnDemand && spot.per_hour >= on_demand.per_hour)
}

/// Source: cloud.google.com/compute/docs/accelerator-optimized-machines.
fn has_local_ssd(machine: &str) -> bool {
    machine.starts_with("a2-ultragpu-") || machine.starts_with("a3-")
}
