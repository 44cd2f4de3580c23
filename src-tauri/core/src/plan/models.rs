//! Well-known open models: how large they are and how they are built. The facts stand in `data/models.csv`, each with
//! the page it is from.

use std::sync::OnceLock;

use crate::embedded::rows;
use crate::query::nearest;
use crate::words::words;

const MODELS: &str = include_str!("../../data/models.csv");

words! {
    /// What a model does with its input.
    Kind {
        /// Reads a text and goes on with it.
        Decoder = "decoder",
        /// Reads a text once: embeddings.
        Encoder = "encoder",
        /// Hears and writes.
        Speech = "speech",
        /// Draws.
        Diffusion = "diffusion",
    }
}

/// How a model is built. What is not known of it is `None`.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// Its name; empty for one given by hand.
    pub name: String,
    /// What it does.
    pub kind: Kind,
    /// Parameters.
    pub params: f64,
    /// Parameters that work on one token: fewer than all in a mixture of experts.
    pub active: f64,
    /// Layers.
    pub layers: Option<u32>,
    /// Layers that see the whole context, where the others see a window; `None` = all of them.
    pub full_layers: Option<u32>,
    /// Tokens that the other layers see.
    pub window: Option<u32>,
    /// Heads whose keys and values are kept.
    pub kv_heads: Option<u32>,
    /// Width of a head.
    pub head_dim: Option<u32>,
    /// Values kept for a token in a layer where keys and values are compressed together (latent attention).
    pub latent: Option<u32>,
    /// Width of the model.
    pub hidden: Option<u32>,
    /// Words it knows.
    pub vocab: Option<u32>,
    /// Longest sequence it is made for, tokens.
    pub context: Option<u32>,
    /// The page of these facts.
    pub source: String,
}

impl Shape {
    /// A decoder of which only the number of parameters is known.
    #[must_use]
    pub fn of_params(params: f64) -> Self {
        Self {
            name: String::new(),
            kind: Kind::Decoder,
            params,
            active: params,
            layers: None,
            full_layers: None,
            window: None,
            kv_heads: None,
            head_dim: None,
            latent: None,
            hidden: None,
            vocab: None,
            context: None,
            source: String::new(),
        }
    }

    /// Width of the model: as said, or else of one whose parameters are 12 · layers · width², as the parameters of the
    /// original transformer's blocks are (arXiv:2001.08361, table 1). `None` where the layers are not known either.
    #[must_use]
    pub fn width(&self) -> Option<f64> {
        self.hidden.map(f64::from).or_else(|| Some((self.params / (12.0 * f64::from(self.layers?))).sqrt()))
    }

    /// Values of keys and values kept for one sequence of so many tokens; `None` where the build is not known. Exact:
    /// 2 · layers · heads · width of a head · tokens, less in layers that see a window only; latent attention keeps
    /// its own number.
    #[must_use]
    pub fn kept_values(&self, context: u32) -> Option<f64> {
        if matches!(self.kind, Kind::Encoder | Kind::Diffusion) {
            return Some(0.0);
        }
        let context = match self.kind {
            // It hears half a minute at a time, whatever the file's length.
            Kind::Speech => self.context?,
            _ => context,
        };
        let layers = f64::from(self.layers?);
        if let Some(latent) = self.latent {
            return Some(layers * f64::from(latent) * f64::from(context));
        }
        let each = 2.0 * f64::from(self.kv_heads?) * f64::from(self.head_dim?);
        let full = f64::from(self.full_layers.or(self.layers)?);
        let seen = f64::from(context.min(self.window.unwrap_or(context)));
        Some(each * (full * f64::from(context) + (layers - full) * seen))
    }
}

/// Every known model, in the order of the table.
#[must_use]
pub fn models() -> &'static [Shape] {
    static TABLE: OnceLock<Vec<Shape>> = OnceLock::new();
    TABLE.get_or_init(|| table().iter().map(|(shape, _)| shape.clone()).collect())
}

/// A name that is none of a known model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` is no model that is known here{}", .nearest.as_ref().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default())]
pub struct UnknownModel {
    /// What was typed.
    pub name: String,
    /// The known name nearest to it.
    pub nearest: Option<String>,
}

/// A model by its name as people and hubs write it: `Llama 3.1 70B`, `meta-llama/Llama-3.1-70B-Instruct`,
/// `llama-3.1-70b`. Words that say how it was tuned do not matter.
///
/// # Errors
/// [`UnknownModel`] with the nearest known name.
pub fn model(typed: &str) -> Result<&'static Shape, UnknownModel> {
    find(typed).ok_or_else(|| {
        let names = || models().iter().map(|shape| shape.name.clone());
        let near = nearest(&plain(typed), names().map(|name| plain(&name)));
        let named = near.and_then(|near| names().find(|name| plain(name) == near));
        UnknownModel { name: typed.trim().to_owned(), nearest: named }
    })
}

/// The same without an error.
#[must_use]
pub fn find(typed: &str) -> Option<&'static Shape> {
    let wanted = plain(typed);
    if wanted.is_empty() {
        return None;
    }
    let index = table().iter().position(|(_, keys)| keys.contains(&wanted))?;
    models().get(index)
}

/// Words of a name that tell how a model was tuned or packed, not what it is.
const TUNING: [&str; 21] = [
    "instruct", "it", "chat", "base", "hf", "meta", "turbo", "fp8", "bf16", "fp16", "awq", "gptq", "int4",
    "fast", "free", "v0", "pt", "preview", "fp4", "nvfp4", "thinking",
];

/// A name without the hub's folder, what people spell differently, and what only tells the tuning.
fn plain(name: &str) -> String {
    let name = name.rsplit('/').next().unwrap_or(name).to_lowercase();
    let name = name.split(':').next().unwrap_or(&name);
    // Elsewhere a turbo is the same model, faster served.
    let is_whisper = name.contains("whisper");
    let words = name.split(|c: char| !c.is_alphanumeric() && c != '.').filter(|word| {
        let is_tuning = TUNING.contains(word) && !(is_whisper && *word == "turbo");
        let dated = word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
        let version = word.starts_with("v0.");
        !dated && !version && !is_tuning
    });
    words.collect::<String>()
}

type Named = (Shape, Vec<String>);

fn table() -> &'static [Named] {
    static TABLE: OnceLock<Vec<Named>> = OnceLock::new();
    TABLE.get_or_init(|| rows::<15>(MODELS).into_iter().filter_map(read).collect())
}

fn read(row: [&'static str; 15]) -> Option<Named> {
    let [
        name,
        others,
        kind,
        params,
        active,
        layers,
        full,
        window,
        kv_heads,
        head_dim,
        latent,
        hidden,
        vocab,
        context,
        source,
    ] = row;
    let shape = Shape {
        name: name.to_owned(),
        kind: kind.parse().ok()?,
        params: params.parse().ok()?,
        active: active.parse().ok()?,
        layers: layers.parse().ok(),
        full_layers: full.parse().ok(),
        window: window.parse().ok(),
        kv_heads: kv_heads.parse().ok(),
        head_dim: head_dim.parse().ok(),
        latent: latent.parse().ok(),
        hidden: hidden.parse().ok(),
        vocab: vocab.parse().ok(),
        context: context.parse().ok(),
        source: source.to_owned(),
    };
    let names = std::iter::once(name).chain(others.split('|')).filter(|name| !name.is_empty());
    Some((shape, names.map(plain).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_reads_and_is_found_by_its_names() {
        let lines = MODELS.lines().skip(1).filter(|line| !line.is_empty()).count();
        assert_eq!(models().len(), lines);
        for (shape, keys) in table() {
            assert!(shape.active <= shape.params && shape.params > 0.0, "{}", shape.name);
            assert!(!shape.source.is_empty(), "{}", shape.name);
            assert_eq!(find(&shape.name).map(|found| &found.name), Some(&shape.name));
            for key in keys {
                let same = table().iter().filter(|(_, others)| others.contains(key)).count();
                assert_eq!(same, 1, "{key} names several models");
            }
        }
    }

    #[test]
    fn a_model_is_found_as_people_and_hubs_write_it() {
        for (typed, name) in [
            ("llama-3.1-70b", "Llama 3.1 70B"),
            ("Llama 3.1 70B Instruct", "Llama 3.1 70B"),
            ("meta-llama/Meta-Llama-3.1-70B-Instruct", "Llama 3.1 70B"),
            ("meta-llama/llama-3.3-70b-instruct:free", "Llama 3.3 70B"),
            ("Qwen/Qwen2.5-7B-Instruct", "Qwen2.5 7B"),
            ("qwen 2.5 7b", "Qwen2.5 7B"),
            ("Qwen3-30B-A3B-Instruct-2507", "Qwen3 30B A3B"),
            ("mistralai/Mixtral-8x7B-Instruct-v0.1", "Mixtral 8x7B"),
            ("deepseek-ai/DeepSeek-R1", "DeepSeek V3"),
            ("google/gemma-3-27b-it", "Gemma 3 27B"),
            ("BAAI/bge-m3", "bge-m3"),
            ("openai/gpt-oss-120b", "gpt-oss 120B"),
        ] {
            assert_eq!(find(typed).map(|shape| shape.name.as_str()), Some(name), "{typed}");
        }
    }

    #[test]
    fn a_name_that_is_none_is_answered_with_the_nearest() {
        let unknown = model("lama 3.1 70b").unwrap_err();
        assert_eq!(unknown.nearest.as_deref(), Some("Llama 3.1 70B"));
        assert!(unknown.to_string().contains("did you mean `Llama 3.1 70B`?"), "{unknown}");
        assert_eq!(model("nothing like it at all").unwrap_err().nearest, None);
    }
}
