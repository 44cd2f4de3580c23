//! Why a price list could not be read at all. A bad row is no error: it goes to quarantine.

use crate::source::{SourceError, SourceErrorCode};

/// Why a whole file gave nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogueError {
    /// The file or stream could not be read.
    #[error("cannot be read: {0}")]
    Read(#[from] std::io::Error),
    /// Larger than any real catalogue.
    #[error("is larger than {limit_mib} MiB, more than any price list")]
    TooLarge {
        /// The limit in MiB.
        limit_mib: u64,
    },
    /// Nothing in it.
    #[error("is empty")]
    Empty,
    /// Something else under the name of a price list.
    #[error("is {found}, not a CSV price list")]
    NotCsv {
        /// What it looks like: `an HTML page`.
        found: &'static str,
    },
    /// The header lacks a column without which no row means anything.
    #[error("has no column `{column}`; the header is `{header}`")]
    MissingColumn {
        /// The column looked for.
        column: &'static str,
        /// The header as it is, shortened.
        header: String,
    },
    /// A header and nothing under it.
    #[error("has a header and no rows")]
    NoRows,
    /// Not one of its rows could be read: it is damaged, or not what its name says.
    #[error("has {rows} rows, and none could be read: {first}")]
    NothingReadable {
        /// How many rows.
        rows: usize,
        /// What is wrong with the first.
        first: String,
    },
    /// A zip archive that cannot be opened or holds no price list.
    #[error("is not a whole zip archive: {0}")]
    Archive(String),
}

impl CatalogueError {
    /// The same as the failure of a fetch; `what` is what was asked for.
    #[must_use]
    pub fn into_source_error(self, what: &str) -> SourceError {
        let code = match &self {
            Self::TooLarge { .. } => SourceErrorCode::TooLarge,
            _ => SourceErrorCode::BadAnswer,
        };
        SourceError::new(code, what, format!("the answer {self}"))
    }
}
