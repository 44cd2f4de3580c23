//! The query line: read, and changed by hand elsewhere.

use gpudesk_core::policy::Policy;
use gpudesk_core::query::{self, Edit as CoreEdit, ParseError, Query, Vocabulary};
use gpudesk_engine::{Desk, Snapshot};
use rust_decimal::Decimal;

use crate::desk::ApiError;
use crate::line::{Chip, Edit, EditRequest, LineError, LineRequest, ParsedLine};

/// The names a line may use: clouds on the board and those we know, and these policies.
pub(super) fn vocabulary(snapshot: &Snapshot, policies: &[Policy]) -> Vocabulary {
    let policies = policies.iter().map(|policy| policy.name.clone()).collect();
    Vocabulary { policies, ..snapshot.board.vocabulary() }
}

/// Reads a line that must parse.
pub(super) fn read(line: &str, snapshot: &Snapshot, policies: &[Policy]) -> Result<Query, ApiError> {
    query::parse_with(line, &vocabulary(snapshot, policies))
        .map_err(|error| ApiError::line(line_error(error)))
}

fn line_error(error: ParseError) -> LineError {
    LineError {
        word: error.word,
        at: u32::try_from(error.at).unwrap_or(u32::MAX),
        nearest: error.nearest,
        message: error.message,
    }
}

fn parsed(query: &Query) -> ParsedLine {
    let chips = query
        .chips()
        .into_iter()
        .map(|chip| Chip {
            text: chip.text,
            key: chip.key.to_owned(),
            op: chip.op.to_owned(),
            value: chip.value,
            negated: chip.negated,
        })
        .collect();
    ParsedLine { canonical: query.to_string(), chips, error: None }
}

/// Reads a query line. A line that does not parse is an answer, not an error: people are still typing.
///
/// # Errors
/// `database` when the board could not be loaded.
pub async fn query_parse(desk: &Desk, request: LineRequest) -> Result<ParsedLine, ApiError> {
    let vocabulary = vocabulary(&*desk.snapshot().await?, &desk.policies().await?);
    Ok(match query::parse_with(&request.line, &vocabulary) {
        Ok(query) => parsed(&query),
        Err(error) => {
            ParsedLine { canonical: request.line, chips: Vec::new(), error: Some(line_error(error)) }
        }
    })
}

/// Changes a query line.
///
/// # Errors
/// `query-invalid` when the line does not parse, `request-invalid` when the change makes no sense.
pub async fn query_edit(desk: &Desk, request: EditRequest) -> Result<ParsedLine, ApiError> {
    let edit = match request.edit {
        Edit::Toggle { key, value } => CoreEdit::Toggle { key, value },
        Edit::AtLeast { key, value } => CoreEdit::AtLeast {
            key,
            value: value
                .map(|value| {
                    Decimal::try_from(value).map_err(|error| {
                        ApiError::new("request-invalid", format!("number {value}"), error.to_string())
                    })
                })
                .transpose()?,
        },
        Edit::Remove { index } => CoreEdit::Remove(index as usize),
        Edit::Clear { key } => CoreEdit::Clear { key },
    };
    let query = read(&request.line, &*desk.snapshot().await?, &desk.policies().await?)?
        .edit(&edit)
        .map_err(|error| ApiError::new("request-invalid", "the query line", error.to_string()))?;
    Ok(parsed(&query))
}
