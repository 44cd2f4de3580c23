//! Strings kept once and spoken of by number.

use std::collections::HashMap;

use foldhash::fast::RandomState;

/// Number of a string in its column.
pub(super) type Symbol = u32;

/// Stands for "not said" in every column.
pub(super) const NONE: Symbol = 0;

/// Strings being collected. The empty string is [`NONE`].
#[derive(Debug)]
pub(super) struct Interner {
    numbers: HashMap<Box<str>, Symbol, RandomState>,
}

impl Default for Interner {
    fn default() -> Self {
        Self { numbers: HashMap::from_iter([(Box::from(""), NONE)]) }
    }
}

impl Interner {
    pub(super) fn intern(&mut self, text: &str) -> Symbol {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = Symbol::try_from(self.numbers.len()).unwrap_or(Symbol::MAX);
        self.numbers.insert(Box::from(text), number);
        number
    }

    pub(super) fn intern_some(&mut self, text: Option<&str>) -> Symbol {
        text.map_or(NONE, |text| self.intern(text))
    }

    pub(super) fn finish(self) -> Symbols {
        let mut pairs: Vec<(Box<str>, Symbol)> = self.numbers.into_iter().collect();
        pairs.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let mut rank = vec![0; pairs.len()];
        for (place, (_, number)) in pairs.iter().enumerate() {
            rank[*number as usize] = place as u32;
        }
        pairs.sort_unstable_by_key(|(_, number)| *number);
        Symbols { strings: pairs.into_iter().map(|(text, _)| text).collect(), rank }
    }
}

/// The strings of one column, by number.
#[derive(Debug, Default)]
pub(super) struct Symbols {
    strings: Vec<Box<str>>,
    rank: Vec<u32>,
}

impl Symbols {
    pub(super) fn get(&self, symbol: Symbol) -> &str {
        self.strings.get(symbol as usize).map_or("", AsRef::as_ref)
    }

    pub(super) fn some(&self, symbol: Symbol) -> Option<&str> {
        (symbol != NONE).then(|| self.get(symbol))
    }

    pub(super) fn owned(&self, symbol: Symbol) -> Option<String> {
        self.some(symbol).map(ToOwned::to_owned)
    }

    /// Place of a string among its column in alphabetical order.
    pub(super) fn rank(&self, symbol: Symbol) -> u32 {
        self.rank.get(symbol as usize).copied().unwrap_or(u32::MAX)
    }

    pub(super) fn len(&self) -> usize {
        self.strings.len()
    }

    /// One answer for each string in order of their numbers; the first stands for [`NONE`].
    pub(super) fn table<T>(&self, none: T, answer: impl FnMut(&str) -> T) -> Vec<T> {
        let said = self.strings.iter().skip(1).map(AsRef::as_ref).map(answer);
        std::iter::once(none).chain(said).collect()
    }

    pub(super) fn heap_bytes(&self) -> usize {
        let text: usize = self.strings.iter().map(|text| text.len()).sum();
        text + self.strings.capacity() * size_of::<Box<str>>() + self.rank.capacity() * size_of::<u32>()
    }
}
