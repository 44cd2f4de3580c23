//! A CSV file read by the names of its columns, in any order, with a damaged line costing only itself.

use std::io::Read;

use csv::StringRecord;
use gpudesk_core::feed::ReasonCode;
use gpudesk_core::quarantine::Row;

use super::CatalogueError;

/// Far above the largest catalogue (AWS, 4.6 MB); below what would hurt.
const MOST_BYTES: u64 = 256 << 20;

/// A CSV text with its header taken apart.
pub(crate) struct CsvTable<'a> {
    header: StringRecord,
    body: &'a str,
    delimiter: u8,
}

/// One line under the header.
pub(crate) struct Line<'r> {
    /// Counted from 1, the header is line 1 (or later, below empty lines).
    pub number: u64,
    /// Its fields, or what is wrong with it.
    pub fields: Result<&'r StringRecord, String>,
}

/// Where a column stands; a column the file does not have reads as empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Column(Option<usize>);

impl Column {
    /// The field, trimmed; empty where the file has no such column.
    pub fn of(self, fields: &StringRecord) -> &str {
        self.0.and_then(|at| fields.get(at)).unwrap_or_default().trim()
    }

    pub fn exists(self) -> bool {
        self.0.is_some()
    }
}

/// Everything up to the limit. Bytes that are no UTF-8 become U+FFFD: a place name is not worth a file.
pub(crate) fn read_text(mut input: impl Read) -> Result<String, CatalogueError> {
    let mut bytes = Vec::new();
    input.by_ref().take(MOST_BYTES).read_to_end(&mut bytes)?;
    if input.read(&mut [0; 1])? > 0 {
        return Err(CatalogueError::TooLarge { limit_mib: MOST_BYTES >> 20 });
    }
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}

impl<'a> CsvTable<'a> {
    /// Takes the header off a text whose fields are parted by commas.
    pub fn open(text: &'a str) -> Result<Self, CatalogueError> {
        Self::open_by(text, b',')
    }

    /// The same for fields that are parted otherwise.
    pub fn open_by(text: &'a str, delimiter: u8) -> Result<Self, CatalogueError> {
        let text = text.trim_start_matches('\u{feff}');
        match text.trim_start().as_bytes() {
            [] => return Err(CatalogueError::Empty),
            [b'<', ..] => return Err(CatalogueError::NotCsv { found: "an HTML or XML page" }),
            [b'{' | b'[', ..] => return Err(CatalogueError::NotCsv { found: "JSON" }),
            [b'P', b'K', 3, 4, ..] => return Err(CatalogueError::NotCsv { found: "a zip archive" }),
            start if start.contains(&0) => return Err(CatalogueError::NotCsv { found: "binary data" }),
            _ => {}
        }
        let mut reader = reader(text, delimiter);
        let mut header = StringRecord::new();
        if !reader.read_record(&mut header).unwrap_or(false) {
            return Err(CatalogueError::Empty);
        }
        Ok(Self { header, body: text, delimiter })
    }

    /// Finds a column by any of its names, whatever their case.
    pub fn column(&self, names: &[&str]) -> Column {
        Column(
            self.header
                .iter()
                .position(|field| names.iter().any(|name| field.trim().eq_ignore_ascii_case(name))),
        )
    }

    /// Finds a column that must be there.
    pub fn required(&self, name: &'static str) -> Result<Column, CatalogueError> {
        match self.column(&[name]) {
            column if column.exists() => Ok(column),
            _ => Err(self.missing(name)),
        }
    }

    /// The error for a column that must be there and is not.
    pub fn missing(&self, column: &'static str) -> CatalogueError {
        let header: String = self
            .header
            .iter()
            .collect::<Vec<_>>()
            .join(",")
            .chars()
            .filter(|c| !c.is_control())
            .take(120)
            .collect();
        CatalogueError::MissingColumn { column, header }
    }

    /// Hands out every line under the header. A line with too few or too many fields comes as broken; a quote that
    /// is never closed spoils its own line, not the rest of the file.
    pub fn each_line(&self, mut take: impl FnMut(Line<'_>)) {
        let expected = self.header.len();
        let mut record = StringRecord::new();
        let mut at = Place { byte: 0, line: 1 };
        let mut is_header = true;
        'restart: loop {
            let (rest, offset) = (&self.body[at.byte..], at.byte);
            let mut reader = reader(rest, self.delimiter);
            while reader.read_record(&mut record).unwrap_or(false) {
                let start = record.position().map_or(0, csv::Position::byte);
                at.advance(self.body, offset + usize::try_from(start).unwrap_or(usize::MAX));
                if std::mem::take(&mut is_header) {
                    continue;
                }
                if record.as_slice().contains('\n') {
                    let why = "a quotation mark is opened and not closed".to_owned();
                    take(Line { number: at.line, fields: Err(why) });
                    let Some(end) = self.body[at.byte..].find('\n') else { return };
                    at.advance(self.body, at.byte + end + 1);
                    continue 'restart;
                }
                let fields = match record.len() {
                    _ if is_at_end(&reader, rest) && ends_in_quotes(&self.body[at.byte..]) => {
                        Err("the line ends inside quotation marks".to_owned())
                    }
                    found if found == expected => Ok(&record),
                    found => Err(format!("{found} fields instead of {expected}")),
                };
                take(Line { number: at.line, fields });
            }
            return;
        }
    }
}

/// The start of a line in the text.
struct Place {
    byte: usize,
    line: u64,
}

impl Place {
    /// Moves on to the line that begins at `byte` or after the line ends there: the parser gives a record's start as
    /// the end of the one before, which may be inside a CRLF or before empty lines.
    fn advance(&mut self, text: &str, byte: usize) {
        let bytes = text.as_bytes();
        let mut to = byte.clamp(self.byte, bytes.len());
        to += bytes[to..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let passed = bytes[self.byte..to].iter().filter(|byte| **byte == b'\n').count();
        self.line += u64::try_from(passed).unwrap_or(u64::MAX);
        self.byte = to;
    }
}

/// Refuses a file without rows, or with none that could be read: then it is the file that is wrong.
pub(crate) fn refuse_unreadable(rows: &[Row]) -> Result<(), CatalogueError> {
    let mut complaints = rows.iter().map(|row| match row {
        Row::Bad(bad) if bad.reason.code == ReasonCode::Unreadable => Some(&bad.reason.detail),
        _ => None,
    });
    let Some(first) = complaints.next() else { return Err(CatalogueError::NoRows) };
    match first {
        Some(first) if complaints.all(|complaint| complaint.is_some()) => {
            Err(CatalogueError::NothingReadable { rows: rows.len(), first: first.clone() })
        }
        _ => Ok(()),
    }
}

/// A size; zero is what some lists write for "not said".
pub(crate) fn amount(text: &str) -> Option<f64> {
    text.parse().ok().filter(|amount: &f64| amount.is_finite() && *amount > 0.0)
}

fn reader(text: &str, delimiter: u8) -> csv::Reader<&[u8]> {
    csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(text.as_bytes())
}

fn is_at_end(reader: &csv::Reader<&[u8]>, text: &str) -> bool {
    usize::try_from(reader.position().byte()).is_ok_and(|read| read >= text.len())
}

/// Whether the last line was cut off in the middle of a quoted field.
fn ends_in_quotes(line: &str) -> bool {
    line.bytes().filter(|byte| *byte == b'"').count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<(u64, Result<Vec<String>, String>)> {
        let mut all = Vec::new();
        CsvTable::open(text).unwrap().each_line(|line| {
            all.push((line.number, line.fields.map(|record| record.iter().map(str::to_owned).collect())));
        });
        all
    }

    fn row(number: u64, fields: [&str; 2]) -> (u64, Result<Vec<String>, String>) {
        (number, Ok(fields.map(str::to_owned).to_vec()))
    }

    #[test]
    fn line_ends_bom_and_quotes_do_not_matter() {
        for text in ["a,b\n1,\"x,y\"\n2,z\n", "a,b\r\n1,\"x,y\"\r\n2,z\r\n", "\u{feff}a,b\n1,\"x,y\"\n2,z"] {
            assert_eq!(lines(text), [row(2, ["1", "x,y"]), row(3, ["2", "z"])], "{text:?}");
        }
        assert_eq!(lines("a,b\n\n1,\"say \"\"so\"\"\"\n"), [row(3, ["1", "say \"so\""])]);
    }

    #[test]
    fn a_line_with_the_wrong_number_of_fields_is_broken_alone() {
        let all = lines("a,b\n1,2\n3\n4,5,6\n7,8\n");
        assert_eq!(all[0], row(2, ["1", "2"]));
        assert_eq!(all[1], (3, Err("1 fields instead of 2".to_owned())));
        assert_eq!(all[2], (4, Err("3 fields instead of 2".to_owned())));
        assert_eq!(all[3], row(5, ["7", "8"]));
    }

    #[test]
    fn an_open_quote_spoils_only_its_own_line() {
        for end in ["\n", "\r\n"] {
            let text = ["a,b", "1,\"open", "2,x", "3,\"y\"", "4,z", ""].join(end);
            let all = lines(&text);
            assert_eq!(all.iter().map(|line| line.0).collect::<Vec<_>>(), [2, 3, 4, 5], "{text:?}");
            assert!(all[0].1.as_ref().is_err_and(|why| why.contains("quotation mark")), "{all:?}");
            assert_eq!(all[1..], [row(3, ["2", "x"]), row(4, ["3", "y"]), row(5, ["4", "z"])]);
        }
    }

    #[test]
    fn a_file_cut_inside_a_quote_loses_its_last_line() {
        let all = lines("a,b\n1,2\n3,\"cut her");
        assert_eq!(all[0], row(2, ["1", "2"]));
        assert_eq!(all.len(), 2);
        assert_eq!(all[1], (3, Err("the line ends inside quotation marks".to_owned())));
    }

    #[test]
    fn what_is_no_csv_says_what_it_is() {
        let refused = |text: &str| CsvTable::open(text).err().unwrap().to_string();
        assert_eq!(refused(""), "is empty");
        assert_eq!(refused("\u{feff} \n"), "is empty");
        assert!(refused("<!DOCTYPE html><html>").contains("an HTML or XML page"));
        assert!(refused("{\"error\":1}").contains("JSON"));
        assert!(refused("PK\u{3}\u{4}x").contains("zip"));
    }

    #[test]
    fn columns_are_found_by_name_whatever_the_case_or_order() {
        let table = CsvTable::open("Price , instancetype\n1,x\n").unwrap();
        let fields = StringRecord::from(vec![" 1 ", "x"]);
        assert_eq!(table.column(&["Price"]).of(&fields), "1");
        assert_eq!(table.required("InstanceType").unwrap().of(&fields), "x");
        assert_eq!(table.column(&["Region"]).of(&fields), "");
        let missing = table.required("Region").unwrap_err().to_string();
        assert_eq!(missing, "has no column `Region`; the header is `Price , instancetype`");
    }

    #[test]
    fn bytes_that_are_no_utf8_cost_a_character_and_no_file() {
        let text = read_text(&b"a,b\n1,Z\xfcrich\n"[..]).unwrap();
        assert_eq!(lines(&text), [row(2, ["1", "Z\u{fffd}rich"])]);
    }
}
