//! One sheet: its character set, what parts its fields, and its lines.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use chrono::{DateTime, Utc};
use encoding_rs::WINDOWS_1251;
use gpudesk_core::feed::{Fetched, ReasonCode};
use gpudesk_core::quarantine::{Row, settle};

use super::feed_of;
use super::row::Columns;
use crate::catalogue::CatalogueError;
use crate::catalogue::csv_table::{CsvTable, refuse_unreadable};

/// No team writes more by hand.
const MOST_BYTES: u64 = 16 << 20;

/// Reads a sheet. It is as old as its file, but never newer than `now`.
///
/// # Errors
/// When the file cannot be read, is no sheet, or has not a single row that can be read. A bad row alone is kept aside
/// with its line and the reason.
pub fn read(path: &Path, now: DateTime<Utc>) -> Result<Fetched, CatalogueError> {
    let mut file = File::open(path)?;
    let written = file.metadata()?.modified().map_or(now, DateTime::<Utc>::from).min(now);
    let mut bytes = Vec::new();
    file.by_ref().take(MOST_BYTES).read_to_end(&mut bytes)?;
    if file.read(&mut [0; 1])? > 0 {
        return Err(CatalogueError::TooLarge { limit_mib: MOST_BYTES >> 20 });
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let rows = rows(&text(&bytes), &name, now)?;
    Ok(settle(rows).into_fetched(feed_of(path), format!("price sheet {name}"), written))
}

/// UTF-8, or what spreadsheets of a Russian Windows write.
fn text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => WINDOWS_1251.decode(bytes).0.into_owned(),
    }
}

fn rows(text: &str, name: &str, now: DateTime<Utc>) -> Result<Vec<Row>, CatalogueError> {
    let table = CsvTable::open_by(text, delimiter(text))?;
    let columns = Columns::find(&table)?;
    let mut rows = Vec::new();
    table.each_line(|line| {
        let origin = format!("{name} line {}", line.number);
        rows.push(match line.fields {
            Ok(fields) if fields.iter().all(|field| field.trim().is_empty()) => return,
            Ok(fields) => columns.row(fields, origin, now.date_naive()),
            Err(why) => Row::bad(origin, ReasonCode::Unreadable, why),
        });
    });
    refuse_unreadable(&rows)?;
    Ok(rows)
}

/// Spreadsheets part fields by commas, by semicolons where the comma is a decimal mark, or by tabs: whichever the
/// header has most of.
fn delimiter(text: &str) -> u8 {
    let header = text.trim_start_matches('\u{feff}').lines().next().unwrap_or_default();
    let count = |byte: u8| header.bytes().filter(|b| *b == byte).count();
    let most = [b',', b';', b'\t'].into_iter().max_by_key(|byte| (count(*byte), *byte == b','));
    most.unwrap_or(b',')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> DateTime<Utc> {
        "2026-11-30T09:00:00Z".parse().unwrap()
    }

    fn read_text(text: &str) -> gpudesk_core::quarantine::Settled {
        settle(rows(text, "team.csv", now()).unwrap())
    }

    #[test]
    fn a_sheet_of_a_russian_spreadsheet_reads_like_any_other() {
        let (bytes, _, _) = WINDOWS_1251
            .encode("seller;card;count;price;currency;note\r\nГрани;A100 80GB;1;1 234,50;RUB;с НДС\r\n");
        let settled = read_text(&text(&bytes));
        assert_eq!(settled.offers[0].provider, "грани");
        assert_eq!(settled.offers[0].price.per_hour.to_string(), "1234.5");
    }

    #[test]
    fn a_bad_row_names_its_line_and_costs_no_other() {
        let settled = read_text(
            "seller,card,count,price,currency,per,valid_until\n\
             Good One,H100 SXM,8,20,USD,hour,2026-12-31\n\
             Good One,H100 SXM,8,,USD,hour,\n\
             Good One,H100 SXM,none,20,USD,hour,\n\
             Good One,H100 SXM,8,20,dollars,hour,\n\
             Good One,H100 SXM,8,20,USD,week,\n\
             Good One,L40S,1,0.9,USD,hour,2026-11-29\n\
             short,row\n\
             ,,,,,,\n\
             Good One,L40S,2,1.8,USD,hour,30.11.2026\n",
        );
        let bad: Vec<_> =
            settled.quarantined.iter().map(|row| (row.origin.as_str(), row.reason.code)).collect();
        use ReasonCode::{CountImpossible, Expired, PriceMissing, Unreadable};
        assert_eq!(
            bad,
            [
                ("team.csv line 3", PriceMissing),
                ("team.csv line 4", CountImpossible),
                ("team.csv line 5", Unreadable),
                ("team.csv line 6", Unreadable),
                ("team.csv line 7", Expired),
                ("team.csv line 8", Unreadable),
            ]
        );
        assert_eq!(
            settled.quarantined[2].reason.detail,
            "currency `dollars`: three letters such as RUB, EUR or USD"
        );
        assert_eq!(settled.quarantined[4].reason.detail, "the price held until 2026-11-29");
        assert_eq!(settled.offers.len(), 2, "today is the last day of the second");
        assert_eq!(settled.rows_read, settled.rows_used + settled.quarantined.len() as u64);
    }

    #[test]
    fn a_file_without_the_columns_or_rows_is_refused_whole() {
        let refused = |text: &str| rows(text, "x.csv", now()).unwrap_err().to_string();
        assert!(refused("seller,card\nA,B\n").contains("no column `price`"));
        assert_eq!(refused("seller,card,price,currency\n"), "has a header and no rows");
        assert!(refused("seller,card,price,currency\nA,L4,1,x\n").contains("none could be read"));
        assert!(refused("<html>").contains("HTML"));
    }

    #[test]
    fn fields_are_parted_by_what_the_header_has_most_of() {
        assert_eq!(delimiter("seller;card;price\n1,5"), b';');
        assert_eq!(delimiter("seller\tcard\tprice"), b'\t');
        assert_eq!(delimiter("seller,card"), b',');
        assert_eq!(delimiter("seller"), b',');
    }
}
