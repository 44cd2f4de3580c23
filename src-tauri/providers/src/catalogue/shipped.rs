//! The snapshot of public price lists that ships inside the desk, so that a first start without a network has a
//! market to show. `data/README.md` says what is in it and where it is from; `scripts/make-snapshot` makes it.

use std::collections::BTreeMap;
use std::io::Read;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use csv::StringRecord;
use flate2::read::GzDecoder;
use gpudesk_core::feed::{Fetched, Quarantined, Reason, ReasonCode};
use gpudesk_core::money::Currency;
use gpudesk_core::offer::PriceKind;
use gpudesk_core::place::{self, canonical_provider};
use gpudesk_core::quarantine::{self, Row};
use rust_decimal::Decimal;

use super::csv_table::{Column, CsvTable, Line, amount, read_text};
use super::listing::{Listing, Memory, Tariff};
use super::{CatalogueError, feed_name, seconds};

const ROWS: &[u8] = include_bytes!("../../data/snapshot.csv.gz");
/// Lists kept by hand, of clouds that tell no price without an account.
const BY_HAND: &str = include_str!("../../data/price-lists.csv");
/// GPUs by the second.
const BY_SECOND: &str = include_str!("../../data/per-second.csv");
const SOURCES: &str = include_str!("../../data/snapshot-sources.csv");

/// Google's month, by which it turns commitments into hours (cloud.google.com/compute/vm-instance-pricing).
const MONTH_HOURS: Decimal = Decimal::from_parts(730, 0, 0, false, 0);

/// One feed for each cloud in the snapshot, as old as its price list: `catalogue/azure`, 2026-06-18.
#[must_use]
pub fn shipped() -> Vec<Fetched> {
    // The bytes are part of the program and a test reads them whole: an error here has nobody to be told to.
    let mut lists = read(SOURCES, GzDecoder::new(ROWS)).unwrap_or_default();
    lists.extend(read(SOURCES, BY_HAND.as_bytes()).unwrap_or_default());
    lists.extend(seconds::read(BY_SECOND).and_then(|rows| fetched(SOURCES, rows)).unwrap_or_default());
    lists
}

/// What the shipped lists say of one type of machine, whatever it costs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Machine {
    /// The list's name of the card.
    pub card: String,
    /// Cards, or a share of one; `None` where it is not published.
    pub cards: Option<f64>,
    /// Virtual CPUs.
    pub vcpu: Option<f64>,
    /// RAM in GiB.
    pub ram_gib: Option<f64>,
}

/// The types of machines that the shipped lists have of a cloud.
pub(crate) fn machines(provider: &str) -> BTreeMap<String, Machine> {
    let mut machines = BTreeMap::new();
    let Ok(text) = read_text(GzDecoder::new(ROWS)) else { return machines };
    let Ok(table) = CsvTable::open(&text) else { return machines };
    let Ok(columns) = Columns::find(&table) else { return machines };
    table.each_line(|line| {
        let Ok(fields) = line.fields else { return };
        if columns.provider.of(fields) == provider {
            machines.entry(columns.machine.of(fields).to_owned()).or_insert_with(|| Machine {
                card: columns.card.of(fields).to_owned(),
                cards: columns.cards.of(fields).parse().ok(),
                vcpu: amount(columns.vcpu.of(fields)),
                ram_gib: amount(columns.ram.of(fields)),
            });
        }
    });
    machines
}

/// What versions of shipped lists begin with; those of fetched ones never do.
const VERSION: &str = "shipped:";

/// Names this snapshot, so that a desk that holds an older one takes it. By the checksum at the end of the archive, and
/// that of the lists kept by hand.
#[must_use]
pub fn shipped_version() -> String {
    let checksum = ROWS.len().checked_sub(8).and_then(|at| ROWS.get(at..at + 4)).unwrap_or_default();
    let mut by_hand = flate2::Crc::new();
    by_hand.update(BY_HAND.as_bytes());
    by_hand.update(BY_SECOND.as_bytes());
    let version = checksum.iter().fold(VERSION.to_owned(), |version, byte| format!("{version}{byte:02x}"));
    format!("{version}-{:08x}", by_hand.sum())
}

/// Whether a stored version is that of a list that shipped with some version of the desk.
#[must_use]
pub fn is_shipped_version(version: &str) -> bool {
    version.starts_with(VERSION)
}

fn read(sources: &str, rows: impl Read) -> Result<Vec<Fetched>, CatalogueError> {
    let text = read_text(rows)?;
    let table = CsvTable::open(&text)?;
    let columns = Columns::find(&table)?;
    let mut feeds: BTreeMap<(String, String), Vec<Row>> = BTreeMap::new();
    table.each_line(|line| {
        let Ok(fields) = &line.fields else { return };
        let key = (columns.feed.of(fields).to_owned(), columns.source.of(fields).to_owned());
        feeds.entry(key).or_default().push(columns.row(&line, fields));
    });
    fetched(sources, feeds)
}

/// The rows of each feed and source as what was fetched of it.
fn fetched(
    sources: &str,
    feeds: BTreeMap<(String, String), Vec<Row>>,
) -> Result<Vec<Fetched>, CatalogueError> {
    let sources = Source::all(sources)?;
    Ok(feeds
        .into_iter()
        .filter_map(|((feed, source), rows)| {
            let source = sources.get(&source)?;
            let mut settled = quarantine::settle(rows);
            settled
                .notes
                .insert(0, format!("ships with the desk, from {} ({})", source.address, source.licence));
            Some(settled.into_fetched(
                feed_name(&feed),
                format!("{}, {}", source.title, source.date),
                source.as_of(),
            ))
        })
        .collect())
}

/// Where rows are from.
struct Source {
    title: String,
    date: NaiveDate,
    licence: String,
    address: String,
}

impl Source {
    fn all(text: &str) -> Result<BTreeMap<String, Self>, CatalogueError> {
        let table = CsvTable::open(text)?;
        let [key, title, date, licence, address] = [
            table.required("source")?,
            table.required("title")?,
            table.required("date")?,
            table.required("licence")?,
            table.required("address")?,
        ];
        let mut sources = BTreeMap::new();
        table.each_line(|line| {
            let Ok(fields) = line.fields else { return };
            if let Ok(date) = date.of(fields).parse() {
                let text = |column: Column| column.of(fields).to_owned();
                let source =
                    Self { title: text(title), date, licence: text(licence), address: text(address) };
                sources.insert(text(key), source);
            }
        });
        Ok(sources)
    }

    fn as_of(&self) -> DateTime<Utc> {
        self.date.and_time(NaiveTime::MIN).and_utc()
    }
}

struct Columns {
    feed: Column,
    source: Column,
    provider: Column,
    machine: Column,
    card: Column,
    cards: Column,
    vram: Column,
    vcpu: Column,
    ram: Column,
    disk: Column,
    region: Column,
    variant: Column,
    nvlink: Column,
    currency: Column,
    prices: [(Column, PriceKind, Option<&'static str>); 4],
}

impl Columns {
    fn find(table: &CsvTable<'_>) -> Result<Self, CatalogueError> {
        Ok(Self {
            feed: table.required("feed")?,
            source: table.required("source")?,
            provider: table.required("provider")?,
            machine: table.required("machine")?,
            card: table.required("card")?,
            cards: table.required("cards")?,
            vram: table.required("vram_gib")?,
            vcpu: table.required("vcpu")?,
            ram: table.required("ram_gib")?,
            disk: table.required("disk_gb")?,
            region: table.required("region")?,
            variant: table.required("variant")?,
            nvlink: table.required("nvlink")?,
            currency: table.required("currency")?,
            prices: [
                (table.required("on_demand")?, PriceKind::OnDemand, None),
                (table.required("spot")?, PriceKind::Spot, None),
                (table.required("month_1y")?, PriceKind::Reserved, Some("12 months")),
                (table.required("month_3y")?, PriceKind::Reserved, Some("36 months")),
            ],
        })
    }

    fn row(&self, line: &Line<'_>, fields: &StringRecord) -> Row {
        let origin = || format!("{}, row {}", self.source.of(fields), line.number);
        let refused = |code, detail: String| {
            Row::Bad(Quarantined { reason: Reason { code, detail }, origin: origin(), offer: None })
        };
        let card = self.card.of(fields);
        if card.is_empty() {
            return Row::NotGpu;
        }
        let Ok(cards) = self.cards.of(fields).parse() else {
            let detail = format!("how many {card} {} has is not published", self.machine.of(fields));
            return refused(ReasonCode::CountImpossible, detail);
        };
        let Ok(currency) = self.currency.of(fields).parse::<Currency>() else {
            return refused(ReasonCode::Unreadable, format!("currency `{}`", self.currency.of(fields)));
        };
        let provider = canonical_provider(self.provider.of(fields));
        let region = self.region.of(fields);
        let listing = Listing {
            provider,
            cloud: provider,
            machine: self.machine.of(fields),
            card,
            cards,
            memory: Memory { gib: amount(self.vram.of(fields)), is_total: false },
            vcpu: amount(self.vcpu.of(fields)),
            ram_gib: amount(self.ram.of(fields)),
            disk_gb: amount(self.disk.of(fields)),
            region,
            country: place::locate(provider, region).country,
            variant: self.variant.of(fields),
            says_nvlink: self.nvlink.of(fields) == "yes",
            is_cluster: false,
            currency,
            prices: self.tariffs(fields),
        };
        listing.into_row(origin)
    }

    fn tariffs(&self, fields: &StringRecord) -> Vec<Tariff> {
        let tariff = |(column, kind, term): &(Column, PriceKind, Option<&'static str>)| {
            let price = quarantine::price(column.of(fields)).ok()?;
            let per_hour = if term.is_some() { price.checked_div(MONTH_HOURS)? } else { price };
            Some(Tariff { kind: *kind, per_hour, term: *term })
        };
        self.prices.iter().filter_map(tariff).collect()
    }
}

#[cfg(test)]
mod tests;
