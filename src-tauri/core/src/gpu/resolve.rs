//! From a provider's spelling to a card of the table.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::data::{self, Machine};
use super::table::{self, Card, Family, Model, ModelId};
use super::words::{FormWord, Key, Words};

/// What else the row says about the card.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Hints<'a> {
    /// Memory of one card in GiB as reported (not the total of the machine).
    pub vram_gib: Option<f64>,
    /// Our name of the provider or upstream cloud whose spelling it is.
    pub provider: Option<&'a str>,
    /// Instance type or any other text that may name the form (`p4d.24xlarge`, `gpu_8x_h100_sxm5`).
    pub machine: Option<&'a str>,
    /// Cards in the machine.
    pub count: Option<u32>,
}

/// What a spelling turned out to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Resolution {
    /// One model of the table.
    Known(&'static Model),
    /// A family, and which of its members are still possible: the variant is not said.
    Family(&'static Family, Candidates),
    /// An accelerator that is no GPU, or no accelerator at all: the row does not belong in the table.
    NotGpu,
    /// Not in the table; the provider's own name is shown.
    Unknown,
}

impl Resolution {
    /// The card, where one was found.
    #[must_use]
    pub fn card(self) -> Option<Card> {
        match self {
            Self::Known(model) => Some(Card::Model(model)),
            Self::Family(family, _) => Some(Card::Family(family)),
            Self::NotGpu | Self::Unknown => None,
        }
    }
}

/// Finds the card behind a provider's spelling. Never guesses a variant: what the hints do not settle stays a family.
///
/// The spelling itself weighs most: a size or form in it beats the reported memory, which beats what is known of the
/// machine type, which beats what is known of the cloud as a whole.
#[must_use]
pub fn resolve(raw: &str, hints: &Hints<'_>) -> Resolution {
    let words = Words::of(raw);
    let Some(meaning) = find(&words, hints.provider) else { return Resolution::Unknown };
    if meaning.models.is_empty() {
        return Resolution::NotGpu;
    }
    let mut left = Candidates::of(&meaning.models);
    if let Some(model) = by_vram(meaning, &left, &words, hints) {
        return Resolution::Known(model);
    }
    if left.several() {
        narrow(&mut left, &words, hints);
    }
    left.resolution(hints.count)
}

/// What one spelling means before anything else is asked.
pub(super) struct Meaning {
    /// The models it can be; empty for something that is no GPU.
    pub models: Vec<ModelId>,
    /// Models it is only if the memory size says so.
    pub by_vram: Vec<ModelId>,
}

#[derive(Default)]
struct Entry {
    everywhere: Option<Meaning>,
    at: Vec<(&'static str, Meaning)>,
}

struct Index {
    spellings: HashMap<&'static [u8], Entry>,
    machines: HashMap<&'static str, Vec<Machine>>,
}

fn index() -> &'static Index {
    static INDEX: OnceLock<Index> = OnceLock::new();
    INDEX.get_or_init(|| {
        let models = table::table();
        let mut spellings: HashMap<&'static [u8], Entry> = HashMap::new();
        let mut entry = |text: &str, provider: Option<&'static str>, meaning: Meaning, replace: bool| {
            let entry = spellings.entry(Key::of(text).bytes().to_vec().leak()).or_default();
            match provider {
                Some(provider) => entry.at.push((provider, meaning)),
                None if replace || entry.everywhere.is_none() => entry.everywhere = Some(meaning),
                None => {}
            }
        };
        for alias in data::aliases(models) {
            let meaning = Meaning { models: alias.models, by_vram: alias.by_vram };
            entry(alias.text, alias.provider, meaning, true);
        }
        // Every name of the table is a spelling of itself, unless a line above says that it is ambiguous.
        for family in table::families() {
            entry(family.name, None, Meaning { models: family.members.clone(), by_vram: Vec::new() }, false);
        }
        for model in models {
            entry(model.name, None, Meaning { models: vec![model.id], by_vram: Vec::new() }, false);
        }
        let mut machines: HashMap<&'static str, Vec<Machine>> = HashMap::new();
        for machine in data::machines(models) {
            machines.entry(machine.cloud).or_default().push(machine);
        }
        Index { spellings, machines }
    })
}

/// What exactly this key means, at this provider if it has a meaning of its own there.
pub(super) fn exact(key: &Key, provider: Option<&str>) -> Option<&'static Meaning> {
    let entry = index().spellings.get(key.bytes())?;
    let here = provider.and_then(|provider| entry.at.iter().find(|(name, _)| *name == provider));
    here.map(|(_, meaning)| meaning).or(entry.everywhere.as_ref())
}

/// All keys with a meaning that holds everywhere.
pub(super) fn keys() -> impl Iterator<Item = (&'static [u8], &'static Meaning)> {
    index().spellings.iter().filter_map(|(key, entry)| Some((*key, entry.everywhere.as_ref()?)))
}

fn find(words: &Words, provider: Option<&str>) -> Option<&'static Meaning> {
    if let Some(key) = words.tpu() {
        return exact(&key, provider);
    }
    exact(words.full(), provider)
        .or_else(|| exact(&words.without_filler(), provider))
        .or_else(|| exact(&words.shortest(), provider))
}

/// A rarer model that a size names, where the usual ones cannot have it (the 4090 rebuilt with 48 GB).
fn by_vram(
    meaning: &Meaning,
    usual: &Candidates,
    words: &Words,
    hints: &Hints<'_>,
) -> Option<&'static Model> {
    if meaning.by_vram.is_empty() {
        return None;
    }
    for size in words.sizes().chain(hints.vram_gib) {
        if usual.models().any(|model| model.can_have(size)) {
            return None;
        }
        let mut fits =
            meaning.by_vram.iter().filter_map(|id| table::by_id(*id)).filter(|m| m.is_nominal(size));
        if let (Some(only), None) = (fits.next(), fits.next()) {
            return Some(only);
        }
    }
    None
}

fn narrow(left: &mut Candidates, words: &Words, hints: &Hints<'_>) {
    for size in words.sizes() {
        if left.keep(|model| model.is_nominal(size)) {
            break;
        }
    }
    if let Some(form) = words.form() {
        left.keep_form(form);
    }
    if let Some(memory) = words.memory() {
        left.keep(|model| model.memory_type.as_bytes().eq_ignore_ascii_case(memory));
    }
    if let Some(reported) = hints.vram_gib {
        left.keep(|model| model.is_nominal(reported));
    }
    if !left.several() {
        return;
    }
    if let Some(form) = hints.machine.and_then(FormWord::in_text) {
        left.keep_form(form);
    }
    if left.several()
        && let Some(machines) = hints.provider.and_then(|provider| index().machines.get(provider))
    {
        let name = hints.machine.unwrap_or_default();
        for machine in machines.iter().filter(|machine| matches(machine.pattern.as_bytes(), name.as_bytes()))
        {
            left.keep(|model| machine.models.contains(&model.id));
        }
    }
}

/// Whether a lower-case pattern with `*` matches a whole text in any case.
fn matches(pattern: &[u8], text: &[u8]) -> bool {
    match pattern.split_first() {
        None => text.is_empty(),
        Some((b'*', rest)) => {
            (0..=text.len()).any(|skip| text.get(skip..).is_some_and(|tail| matches(rest, tail)))
        }
        Some((letter, rest)) => text
            .split_first()
            .is_some_and(|(first, tail)| first.to_ascii_lowercase() == *letter && matches(rest, tail)),
    }
}

/// The models still possible, in table order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidates {
    ids: [ModelId; Self::MOST],
    len: usize,
}

impl Candidates {
    /// No spelling means more models than this.
    const MOST: usize = 8;

    fn of(models: &[ModelId]) -> Self {
        let mut ids = [ModelId(0); Self::MOST];
        let len = models.len().min(Self::MOST);
        for (slot, id) in ids.iter_mut().zip(models) {
            *slot = *id;
        }
        Self { ids, len }
    }

    /// Their ids.
    #[must_use]
    pub fn ids(&self) -> &[ModelId] {
        self.ids.get(..self.len).unwrap_or_default()
    }

    fn models(&self) -> impl Iterator<Item = &'static Model> {
        self.ids().iter().filter_map(|id| table::by_id(*id))
    }

    fn several(&self) -> bool {
        self.len > 1
    }

    /// Keeps the models that pass, unless none does; tells whether any did.
    fn keep(&mut self, pass: impl Fn(&Model) -> bool) -> bool {
        let mut kept = [ModelId(0); Self::MOST];
        let mut len = 0;
        for model in self.models().filter(|model| pass(model)) {
            if let Some(slot) = kept.get_mut(len) {
                *slot = model.id;
                len += 1;
            }
        }
        if len > 0 {
            (self.ids, self.len) = (kept, len);
        }
        len > 0
    }

    fn keep_form(&mut self, form: FormWord) {
        match form {
            FormWord::Sxm => self.keep(|model| model.form_factor == "SXM"),
            // The NVL cards sit in PCIe slots too, but lists that know them call them NVL.
            FormWord::Pcie => {
                self.keep(|model| model.form_factor == "PCIe")
                    || self.keep(|model| model.form_factor == "NVL")
            }
            FormWord::Nvl => self.keep(|model| model.form_factor == "NVL"),
        };
    }

    fn resolution(self, count: Option<u32>) -> Resolution {
        if let [only] = self.ids() {
            return table::by_id(*only).map_or(Resolution::Unknown, Resolution::Known);
        }
        let holds = |family: &&Family| self.ids().iter().all(|id| family.members.contains(id));
        let Some(family) = table::families().iter().filter(holds).min_by_key(|family| family.members.len())
        else {
            return Resolution::Unknown;
        };
        match family.eight_is.filter(|_| count.is_some_and(|count| count >= 8)).and_then(table::by_id) {
            Some(model) => Resolution::Known(model),
            None => Resolution::Family(family, self),
        }
    }
}
