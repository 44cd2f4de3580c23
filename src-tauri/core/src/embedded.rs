//! Reading the data files that are built into the program.

/// The rows of a CSV file as fixed-size arrays of fields, header left out. A row that does not read is left out; the
/// tests of each table see to it that none is.
pub(crate) fn rows<const N: usize>(text: &'static str) -> Vec<[&'static str; N]> {
    csv::Reader::from_reader(text.as_bytes())
        .records()
        .filter_map(|record| {
            let record = record.ok()?;
            // The tables live as long as the program: what is leaked here is never freed anyway.
            let fields: Vec<&'static str> = record.iter().map(|field| &*field.to_owned().leak()).collect();
            fields.try_into().ok()
        })
        .collect()
}
