//! Taking a spelling apart: the words of a raw GPU name, and what each kind of word says.

/// Longest spelling looked at, in letters and digits; the rest of a longer text is ignored.
const MAX_LETTERS: usize = 96;
/// Most words looked at.
const MAX_WORDS: usize = 24;
/// Most memory sizes kept.
const MAX_SIZES: usize = 4;

/// A lower-case name without separators, built without allocating.
#[derive(Clone, Copy)]
pub(super) struct Key {
    letters: [u8; MAX_LETTERS],
    len: usize,
}

impl Key {
    const EMPTY: Self = Self { letters: [0; MAX_LETTERS], len: 0 };

    /// The key of a name: its ASCII letters and digits in lower case.
    pub(super) fn of(text: &str) -> Self {
        let mut key = Self::EMPTY;
        for byte in text.bytes().filter(u8::is_ascii_alphanumeric) {
            key.push(byte.to_ascii_lowercase());
        }
        key
    }

    fn push(&mut self, byte: u8) -> bool {
        match self.letters.get_mut(self.len) {
            Some(slot) => {
                *slot = byte;
                self.len += 1;
                true
            }
            None => false,
        }
    }

    fn extend(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.push(*byte);
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.letters.get(..self.len).unwrap_or_default()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// What a text says about the form of a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FormWord {
    Sxm,
    Pcie,
    Nvl,
}

impl FormWord {
    /// The form a word names: `sxm5`, `hgx`, `pcie`, `nvl`.
    fn of(word: &[u8]) -> Option<Self> {
        match word {
            b"hgx" | b"dgx" => Some(Self::Sxm),
            b"nvl" => Some(Self::Nvl),
            _ if word.starts_with(b"sxm") => Some(Self::Sxm),
            _ if word.starts_with(b"pcie") => Some(Self::Pcie),
            _ => None,
        }
    }

    /// The form named anywhere in a longer text, such as an instance type.
    pub(super) fn in_text(text: &str) -> Option<Self> {
        text.split(|c: char| !c.is_ascii_alphanumeric()).find_map(|word| {
            // Only words of these few beginnings matter: skip the copy for all others.
            matches!(
                word.as_bytes().first(),
                Some(b's' | b'S' | b'p' | b'P' | b'n' | b'N' | b'h' | b'H' | b'd' | b'D')
            )
            .then(|| Self::of(&word.to_ascii_lowercase().into_bytes()))
            .flatten()
        })
    }
}

/// The words of a raw GPU name.
pub(super) struct Words {
    all: Key,
    ends: [usize; MAX_WORDS],
    count: usize,
}

/// What a word contributes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Part of the name.
    Name,
    /// Maker, product line or filler: carries nothing that tells cards apart.
    Filler,
    /// Tells forms, sizes or counts: not part of the shortest name.
    Detail,
}

impl Words {
    /// Splits at everything that is no ASCII letter or digit; what follows `MIG` speaks of the slice, not the card.
    pub(super) fn of(text: &str) -> Self {
        let mut words = Self { all: Key::EMPTY, ends: [0; MAX_WORDS], count: 0 };
        let mut start = 0;
        for byte in text.bytes().chain(std::iter::once(b' ')) {
            if byte.is_ascii_alphanumeric() {
                if !words.all.push(byte.to_ascii_lowercase()) {
                    break;
                }
            } else if words.all.len > start {
                if words.all.bytes().get(start..) == Some(b"mig".as_slice()) {
                    words.all.len = start;
                    break;
                }
                match words.ends.get_mut(words.count) {
                    Some(end) => *end = words.all.len,
                    None => break,
                }
                words.count += 1;
                start = words.all.len;
            }
        }
        words
    }

    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.count).map(|i| {
            let start = if i == 0 { 0 } else { self.ends.get(i - 1).copied().unwrap_or_default() };
            let end = self.ends.get(i).copied().unwrap_or_default();
            self.all.bytes().get(start..end).unwrap_or_default()
        })
    }

    /// Everything, joined.
    pub(super) fn full(&self) -> &Key {
        &self.all
    }

    /// The generation of a Google TPU, without the size of the slice behind it (`tpu-v5p-12288` → `tpuv5p`).
    pub(super) fn tpu(&self) -> Option<Key> {
        let mut words = self.iter();
        let first = words.next().filter(|first| first.starts_with(b"tpu"))?;
        let mut key = Key::EMPTY;
        key.extend(first);
        if first.len() == 3 {
            key.extend(words.next()?);
        }
        Some(key)
    }

    /// The name without maker and filler words (`NVIDIA GeForce RTX 4090` → `rtx4090`).
    pub(super) fn without_filler(&self) -> Key {
        self.joined(|kind| kind != Kind::Filler)
    }

    /// The shortest name: also without forms, sizes and counts (`A100-80GB-SXM4` → `a100`).
    pub(super) fn shortest(&self) -> Key {
        let key = self.joined(|kind| kind == Kind::Name);
        // Some lists glue the product line to the number: geforcertx4090.
        for line in [b"geforce".as_slice(), b"nvidia", b"tesla", b"quadro"] {
            if let Some(rest) = key.bytes().strip_prefix(line)
                && !rest.is_empty()
            {
                let mut short = Key::EMPTY;
                short.extend(rest);
                return short;
            }
        }
        key
    }

    fn joined(&self, keep: impl Fn(Kind) -> bool) -> Key {
        let mut key = Key::EMPTY;
        let mut words = self.iter().peekable();
        while let Some(word) = words.next() {
            // "80 GB" in two words is one size.
            let pair = digits(word).is_some() && words.peek().is_some_and(|next| is_unit(next));
            let kind = if pair { Kind::Detail } else { kind(word) };
            if keep(kind) {
                key.extend(word);
                if pair && let Some(unit) = words.next() {
                    key.extend(unit);
                }
            } else if pair {
                words.next();
            }
        }
        key
    }

    /// The memory sizes in the name, in GB as written, in order. The first that fits is the card's: totals follow.
    pub(super) fn sizes(&self) -> impl Iterator<Item = f64> {
        let mut sizes = [0_u32; MAX_SIZES];
        let mut count = 0;
        let mut words = self.iter().peekable();
        while let Some(word) = words.next() {
            let glued = [b"gib".as_slice(), b"gb", b"g"]
                .into_iter()
                .find_map(|unit| word.strip_suffix(unit))
                .and_then(digits);
            let size =
                glued.or_else(|| digits(word).filter(|_| words.peek().is_some_and(|next| is_unit(next))));
            if let (Some(size), Some(slot)) = (size, sizes.get_mut(count)) {
                *slot = size;
                count += 1;
            }
        }
        sizes.into_iter().take(count).map(f64::from)
    }

    /// The form the name gives.
    pub(super) fn form(&self) -> Option<FormWord> {
        self.iter().find_map(FormWord::of)
    }

    /// The kind of memory the name gives (`hbm3`).
    pub(super) fn memory(&self) -> Option<&[u8]> {
        self.iter().find(|word| word.starts_with(b"hbm") || word.starts_with(b"gddr"))
    }
}

fn digits(word: &[u8]) -> Option<u32> {
    if word.is_empty() || word.len() > 6 || !word.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(word.iter().fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0')))
}

fn is_unit(word: &[u8]) -> bool {
    matches!(word, b"gb" | b"gib" | b"g")
}

fn kind(word: &[u8]) -> Kind {
    match word {
        b"nvidia" | b"amd" | b"intel" | b"google" | b"geforce" | b"tesla" | b"instinct" | b"corporation"
        | b"gpu" | b"tensor" | b"core" | b"generation" | b"edition" | b"accelerator" => Kind::Filler,
        b"radeon" | b"oam" | b"baremetal" | b"nvlink" | b"mod" | b"modified" | b"high" | b"freq"
        | b"mode" | b"compute" | b"graphics" => Kind::Detail,
        _ if FormWord::of(word).is_some() => Kind::Detail,
        _ if word.starts_with(b"hbm") || word.starts_with(b"gddr") => Kind::Detail,
        _ => {
            let count = word.strip_suffix(b"x").or_else(|| word.strip_prefix(b"x")).and_then(digits);
            let size = [b"gib".as_slice(), b"gb", b"g"]
                .into_iter()
                .find_map(|unit| word.strip_suffix(unit))
                .and_then(digits);
            if count.is_some() || size.is_some() { Kind::Detail } else { Kind::Name }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(key: Key) -> String {
        String::from_utf8(key.bytes().to_vec()).unwrap()
    }

    #[test]
    fn a_name_is_stripped_in_two_steps() {
        let words = Words::of("NVIDIA A100-SXM4-80GB");
        assert_eq!(text(*words.full()), "nvidiaa100sxm480gb");
        assert_eq!(text(words.without_filler()), "a100sxm480gb");
        assert_eq!(text(words.shortest()), "a100");
        assert_eq!(words.form(), Some(FormWord::Sxm));
        assert_eq!(words.sizes().collect::<Vec<_>>(), [80.0]);
    }

    #[test]
    fn sizes_are_read_in_one_word_or_two_and_in_order() {
        assert_eq!(Words::of("A100-80GB-640GB").sizes().collect::<Vec<_>>(), [80.0, 640.0]);
        assert_eq!(Words::of("H100 (80 GB SXM5)").sizes().collect::<Vec<_>>(), [80.0]);
        assert_eq!(Words::of("RTX 4090").sizes().count(), 0);
        assert_eq!(text(Words::of("RTX 4090 (48 GB mod)").shortest()), "rtx4090");
        assert_eq!(text(Words::of("1x L40S 48GB").shortest()), "l40s");
        assert_eq!(text(Words::of("geforcertx4090-pcie-24gb").shortest()), "rtx4090");
    }

    #[test]
    fn what_follows_mig_is_not_the_card() {
        assert_eq!(text(Words::of("PRO 6000 MIG 24GB").shortest()), "pro6000");
        assert_eq!(Words::of("PRO 6000 MIG 24GB").sizes().count(), 0);
    }

    #[test]
    fn a_form_is_found_inside_a_machine_name() {
        assert_eq!(FormWord::in_text("gpu_8x_h100_sxm5gdr"), Some(FormWord::Sxm));
        assert_eq!(FormWord::in_text("n3-H100x8-PCIe"), Some(FormWord::Pcie));
        assert_eq!(FormWord::in_text("1x-H100_NVL-32-65536"), Some(FormWord::Nvl));
        assert_eq!(FormWord::in_text("hyperstack_H100x8-NVLINK"), None, "a bridge is no form");
    }
}
