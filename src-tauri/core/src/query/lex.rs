//! Takes a query line apart into words, operators and values, each with its place.

use std::ops::Range;

/// A comparison as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    Colon,
    Equal,
    Less,
    AtMost,
    More,
    AtLeast,
    /// A row of signs that is none of these.
    Nonsense,
}

/// A value behind an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Value {
    pub text: String,
    pub quoted: bool,
    pub at: usize,
}

/// A piece of the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item {
    /// A word alone.
    Word { text: String, quoted: bool },
    /// `column op value,value`.
    Filter { column: String, op: Op, values: Vec<Value> },
}

/// A piece with what stands before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub item: Item,
    pub negated: bool,
    /// Characters of the line that it covers.
    pub span: Range<usize>,
}

/// A quote that is never closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OpenQuote {
    pub at: usize,
    pub text: String,
}

struct Cursor {
    chars: Vec<char>,
    at: usize,
}

/// Splits a line. White space and commas part words; an operator binds the word before it to the values after it,
/// with or without spaces around.
pub(super) fn tokens(line: &str) -> Result<Vec<Token>, OpenQuote> {
    let mut cursor = Cursor { chars: line.chars().collect(), at: 0 };
    let mut tokens = Vec::new();
    loop {
        cursor.skip(|c| c.is_whitespace() || c == ',');
        let start = cursor.at;
        let Some(first) = cursor.peek() else { return Ok(tokens) };
        let negated = matches!(first, '-' | '!') && cursor.look(1).is_some_and(|next| !next.is_whitespace());
        if negated {
            cursor.at += 1;
        }
        let (text, quoted) = match cursor.peek() {
            Some('"') => (cursor.quoted()?, true),
            _ => (cursor.take(|c| !c.is_whitespace() && !is_operator(c) && !matches!(c, ',' | '"')), false),
        };
        let end = cursor.at;
        cursor.skip(char::is_whitespace);
        let item = match cursor.operator() {
            Some(op) => Item::Filter { column: text, op, values: cursor.values()? },
            None => {
                cursor.at = end;
                Item::Word { text, quoted }
            }
        };
        tokens.push(Token { item, negated, span: start..cursor.at });
    }
}

pub(super) fn is_operator(c: char) -> bool {
    matches!(c, '<' | '>' | '=' | '≤' | '≥' | ':')
}

impl Cursor {
    fn peek(&self) -> Option<char> {
        self.look(0)
    }

    fn look(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn skip(&mut self, wanted: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
    }

    fn take(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let start = self.at;
        self.skip(wanted);
        self.chars[start..self.at].iter().collect()
    }

    /// A quoted text; two quotes stand for one inside it.
    fn quoted(&mut self) -> Result<String, OpenQuote> {
        let start = self.at;
        let mut text = String::new();
        self.at += 1;
        loop {
            match (self.peek(), self.look(1)) {
                (Some('"'), Some('"')) => {
                    text.push('"');
                    self.at += 2;
                }
                (Some('"'), _) => {
                    self.at += 1;
                    return Ok(text);
                }
                (Some(c), _) => {
                    text.push(c);
                    self.at += 1;
                }
                (None, _) => return Err(OpenQuote { at: start, text }),
            }
        }
    }

    fn operator(&mut self) -> Option<Op> {
        let typed = self.take(is_operator);
        Some(match typed.trim_start_matches(':') {
            "" if typed.is_empty() => return None,
            "" => Op::Colon,
            "<" => Op::Less,
            ">" => Op::More,
            "<=" | "=<" | "≤" => Op::AtMost,
            ">=" | "=>" | "≥" => Op::AtLeast,
            "=" | "==" => Op::Equal,
            _ => Op::Nonsense,
        })
    }

    fn values(&mut self) -> Result<Vec<Value>, OpenQuote> {
        let mut values = Vec::new();
        loop {
            let before = self.at;
            self.skip(char::is_whitespace);
            let at = self.at;
            let (text, quoted) = match self.peek() {
                Some('"') => (self.quoted()?, true),
                _ => (self.take(|c| !c.is_whitespace() && c != ','), false),
            };
            if text.is_empty() && !quoted {
                self.at = before;
                return Ok(values);
            }
            values.push(Value { text, quoted, at });
            if self.peek() != Some(',') {
                return Ok(values);
            }
            self.at += 1;
        }
    }
}
