//! From a line of words to a [`Query`].

use rust_decimal::Decimal;

use super::cards::Cards;
use super::column::{Column, Number, Set};
use super::lex::{self, Item, Op, Token, Value};
use super::value::{self, Bounds, Version};
use super::words::{self, Bare, Vocabulary};
use super::{Query, Term};
use crate::gpu;

/// Why a line does not parse.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ParseError {
    /// The word.
    pub word: String,
    /// Its first character, counted in characters of the line from 0.
    pub at: usize,
    /// The nearest known word.
    pub nearest: Option<String>,
    /// The whole sentence.
    pub message: String,
}

impl ParseError {
    fn new(word: &str, at: usize, nearest: Option<String>, what: &str) -> Self {
        let hint = nearest.as_ref().map(|near| format!(", did you mean `{near}`?")).unwrap_or_default();
        let message = format!("`{word}` at character {}: {what}{hint}", at + 1);
        Self { word: word.to_owned(), at, nearest, message }
    }
}

/// Most words of one card's name (`rtx pro 6000 blackwell max q`).
const LONGEST_NAME: usize = 6;

struct Parser<'a> {
    tokens: &'a [Token],
    next: usize,
    vocabulary: &'a Vocabulary,
    query: Query,
}

/// Reads a line, with the words of the GPU table and the known clouds.
///
/// # Errors
/// [`ParseError`] names the first word that is not understood.
pub fn parse(line: &str) -> Result<Query, ParseError> {
    parse_with(line, &Vocabulary::default())
}

/// Reads a line, with names that only the rows at hand know.
///
/// # Errors
/// As [`parse`].
pub fn parse_with(line: &str, vocabulary: &Vocabulary) -> Result<Query, ParseError> {
    let tokens = lex::tokens(line)
        .map_err(|open| ParseError::new(&open.text, open.at, None, "the quote before it is never closed"))?;
    let mut parser = Parser { tokens: &tokens, next: 0, vocabulary, query: Query::default() };
    while let Some(token) = tokens.get(parser.next) {
        match &token.item {
            Item::Word { text, quoted } => parser.word(token, text, *quoted)?,
            Item::Filter { column, op, values } => parser.filter(token, column, *op, values)?,
        }
    }
    Ok(parser.query)
}

impl Parser<'_> {
    fn word(&mut self, token: &Token, text: &str, quoted: bool) -> Result<(), ParseError> {
        let at = token.span.start + usize::from(token.negated);
        if let (false, Some(meaning)) = (quoted, words::bare(text)) {
            self.next += 1;
            self.query.add(match meaning {
                Bare::Value(column, value) => {
                    Term::Set { column, values: vec![value.to_owned()], negated: token.negated }
                }
                Bare::Fact(fact) => Term::Fact { fact, negated: token.negated },
            });
            return Ok(());
        }
        if let (false, Some(count)) = (quoted, times(text)) {
            self.next += 1;
            refuse_negated(token, text, at)?;
            self.query.add(count_of(count));
            return Ok(());
        }
        if let Some((cards, words)) = self.name() {
            self.next += words;
            self.query.add(Term::Gpu { cards, negated: token.negated });
            return Ok(());
        }
        if let (false, false, Some((count, cards))) = (quoted, token.negated, counted_card(text)) {
            self.next += 1;
            self.query.add(Term::Gpu { cards, negated: false });
            self.query.add(count_of(count));
            return Ok(());
        }
        Err(ParseError::new(text, at, self.nearest(text), "no card, kind or other word of a query"))
    }

    /// The longest run of words from here on that is one card's name: `rtx pro 6000`.
    fn name(&self) -> Option<(Cards, usize)> {
        let run: Vec<&str> = self.run().take(LONGEST_NAME).collect();
        (1..=run.len()).rev().find_map(|words| Some((Cards::word(&run[..words].join(" "))?, words)))
    }

    /// Words that may belong to the name that begins here. A quoted one stands alone.
    fn run(&self) -> impl Iterator<Item = &str> {
        self.tokens[self.next..]
            .iter()
            .enumerate()
            .map_while(|(index, token)| match &token.item {
                Item::Word { text, quoted } if index == 0 => Some((text.as_str(), *quoted)),
                Item::Word { text, quoted: false }
                    if !token.negated && words::bare(text).is_none() && times(text).is_none() =>
                {
                    Some((text.as_str(), false))
                }
                _ => None,
            })
            .scan(false, |ended, (text, quoted)| {
                let go_on = !*ended;
                *ended = quoted;
                go_on.then_some(text)
            })
    }

    fn nearest(&self, text: &str) -> Option<String> {
        if let Some(near) = words::nearest_bare(text) {
            return Some(near);
        }
        // `rtx pro 600`: the words together are nearer to a name than the first alone.
        let run: Vec<&str> = self.run().take(LONGEST_NAME).collect();
        (1..=run.len())
            .rev()
            .find_map(|words| gpu::nearest(&run[..words].join(" ")))
            .map(ToOwned::to_owned)
            .or_else(|| words::nearest_column(text))
    }

    fn filter(&mut self, token: &Token, name: &str, op: Op, values: &[Value]) -> Result<(), ParseError> {
        self.next += 1;
        let at = token.span.start + usize::from(token.negated);
        let Some(column) = Column::find(name) else {
            return Err(ParseError::new(name, at, words::nearest_column(name), "no column of that name"));
        };
        if op == Op::Nonsense {
            return Err(ParseError::new(name, at, None, "the sign after it is none of : = < > <= >="));
        }
        if values.is_empty() {
            return Err(ParseError::new(name, at, None, "a value is missing after it"));
        }
        let is_comparison = !matches!(op, Op::Colon | Op::Equal);
        match column {
            Column::Number(column) => {
                refuse_negated(token, name, at)?;
                let term = self.number(column, op, one(name, values)?)?;
                self.query.add(term);
            }
            Column::Version(column) => {
                refuse_negated(token, name, at)?;
                let value = one(name, values)?;
                let read = |text: &str| Version::parse(text).filter(|_| is_version(text));
                let bounds = bounds(op, value, "not a version such as 12.8", read)?;
                if let Bounds::Between(low, high) = &bounds
                    && low.key() > high.key()
                {
                    return Err(backwards(value));
                }
                self.query.add(Term::Version { column, bounds });
            }
            _ if is_comparison => {
                return Err(ParseError::new(name, at, None, "it holds words, not numbers: use `:`"));
            }
            Column::Gpu => {
                for value in values {
                    let cards =
                        if op == Op::Equal { Cards::exactly(&value.text) } else { Cards::word(&value.text) };
                    let cards = cards.ok_or_else(|| {
                        let near = gpu::nearest(&value.text).map(ToOwned::to_owned);
                        ParseError::new(&value.text, value.at, near, "no card of that name")
                    })?;
                    self.query.add(Term::Gpu { cards, negated: token.negated });
                }
            }
            Column::Raw => {
                for value in values {
                    self.query.add(Term::Raw { text: value.text.to_lowercase(), negated: token.negated });
                }
            }
            Column::Set(column) => {
                let values =
                    values.iter().map(|value| self.value(column, value)).collect::<Result<_, _>>()?;
                self.query.add(Term::Set { column, values, negated: token.negated });
            }
        }
        Ok(())
    }

    fn value(&self, column: Set, value: &Value) -> Result<String, ParseError> {
        words::canonical(column, &value.text, value.quoted, self.vocabulary).map_err(|not| {
            let name = Column::Set(column).name();
            ParseError::new(&value.text, value.at, not.nearest, &format!("no value of `{name}`"))
        })
    }

    fn number(&mut self, column: Number, op: Op, typed: &Value) -> Result<Term, ParseError> {
        let mut value = typed.clone();
        // The unit may stand apart: `vram >= 80 gb`.
        if let Some(Token { item: Item::Word { text, quoted: false }, negated: false, .. }) =
            self.tokens.get(self.next)
            && value.text.ends_with(|c: char| c.is_ascii_digit())
            && value::is_unit(column, text)
        {
            value.text.push_str(text);
            self.next += 1;
        }
        let mut currency = None;
        let read = |text: &str| {
            let (amount, named) = value::number(column, text)?;
            currency = named.or(currency);
            Some(amount)
        };
        let bounds = bounds(op, &value, "not a number this column understands", read)?;
        match &bounds {
            Bounds::Between(low, high) if low > high => Err(backwards(&value)),
            _ => Ok(Term::Number { column, bounds, currency }),
        }
    }
}

fn one<'a>(name: &str, values: &'a [Value]) -> Result<&'a Value, ParseError> {
    match values {
        [value] => Ok(value),
        [_, second, ..] => {
            let what = format!("`{name}` takes one number, or a range such as 4..8");
            Err(ParseError::new(&second.text, second.at, None, &what))
        }
        [] => Err(ParseError::new(name, 0, None, "a value is missing after it")),
    }
}

fn bounds<T>(
    op: Op,
    value: &Value,
    what: &str,
    mut read: impl FnMut(&str) -> Option<T>,
) -> Result<Bounds<T>, ParseError> {
    let mut one =
        |text: &str| read(text.trim()).ok_or_else(|| ParseError::new(&value.text, value.at, None, what));
    let text = value.text.as_str();
    Ok(match op {
        Op::Less => Bounds::Below(one(text)?),
        Op::AtMost => Bounds::AtMost(one(text)?),
        Op::More => Bounds::Above(one(text)?),
        Op::AtLeast => Bounds::AtLeast(one(text)?),
        Op::Colon | Op::Equal | Op::Nonsense => match text.split_once("..") {
            Some((low, "")) => Bounds::AtLeast(one(low)?),
            Some(("", high)) => Bounds::AtMost(one(high)?),
            Some((low, high)) => Bounds::Between(one(low)?, one(high)?),
            None => Bounds::Exactly(one(text)?),
        },
    })
}

fn backwards(value: &Value) -> ParseError {
    ParseError::new(&value.text, value.at, None, "the range ends before it begins")
}

fn is_version(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit() || c == '.')
}

fn refuse_negated(token: &Token, word: &str, at: usize) -> Result<(), ParseError> {
    if token.negated {
        return Err(ParseError::new(
            word,
            at,
            None,
            "a number is not excluded with `-`: turn the comparison round",
        ));
    }
    Ok(())
}

fn count_of(count: u32) -> Term {
    Term::Number { column: Number::Count, bounds: Bounds::Exactly(Decimal::from(count)), currency: None }
}

/// The signs people put between a number and a card: Latin and Cyrillic x, the multiplication sign.
const TIMES: [char; 5] = ['x', 'X', 'х', 'Х', '×'];

/// `x8` or `8x`.
fn times(word: &str) -> Option<u32> {
    let digits = word.strip_prefix(TIMES).or_else(|| word.strip_suffix(TIMES))?;
    digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
}

/// `8xh100` or `h100x8`.
fn counted_card(word: &str) -> Option<(u32, Cards)> {
    let front =
        word.split_once(TIMES).and_then(|(count, card)| Some((count.parse().ok()?, Cards::word(card)?)));
    front.or_else(|| {
        let (card, count) = word.rsplit_once(TIMES)?;
        Some((count.parse().ok()?, Cards::word(card)?))
    })
}
