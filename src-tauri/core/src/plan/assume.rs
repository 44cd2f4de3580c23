//! What a plan leans on: every assumption has a name, a range, a unit and a source, and can be replaced.

use super::span::Span;
use crate::words::words;

words! {
    /// Something that is assumed.
    Name {
        /// Share of the dense TFLOPS that training does.
        TrainingUtilisation = "training_utilisation",
        /// Share of the dense TFLOPS that reading a prompt, or embedding, does.
        PrefillUtilisation = "prefill_utilisation",
        /// Share of the memory bandwidth that writing tokens does.
        DecodeUtilisation = "decode_utilisation",
        /// What is left of the speed where cards of one box talk over PCIe.
        PcieEfficiency = "pcie_efficiency",
        /// Operations for each parameter and token, all weights trained.
        FullFlops = "full_training_flops",
        /// The same with adapters.
        LoraFlops = "lora_flops",
        /// How much slower training on 4-bit weights is.
        QloraSlowdown = "qlora_slowdown",
        /// Bytes of the optimizer for a trained parameter.
        OptimizerBytes = "optimizer_bytes",
        /// Bytes of the gradient for a trained parameter.
        GradientBytes = "gradient_bytes",
        /// Rank of the adapters.
        LoraRank = "lora_rank",
        /// Bits of a 4-bit weight with everything that belongs to it.
        Int4Bits = "int4_bits",
        /// Bytes of one kept key or value.
        KvBytes = "kv_cache_bytes",
        /// Bytes kept for each token, layer and unit of width until the backward pass.
        KeptActivationBytes = "kept_activation_bytes",
        /// Bytes for each token and unit of width of the layer at work.
        LayerActivationBytes = "layer_activation_bytes",
        /// Bytes for each token and word of the vocabulary in training.
        LogitBytes = "logit_bytes",
        /// Tokens worked on at once when a prompt is read.
        PrefillTokens = "prefill_tokens",
        /// What the driver and its kernels take of each card.
        GpuOverhead = "gpu_overhead_gib",
        /// What is lost between blocks, of everything else.
        Fragmentation = "fragmentation_share",
        /// Tokens written, of all tokens of a batch.
        OutputShare = "output_share",
        /// Bytes of text for a token.
        BytesPerToken = "bytes_per_token",
        /// Tokens a second that a person reads.
        ReadingSpeed = "reading_speed",
        /// Interruptions of a spot machine in an hour.
        Interruptions = "interruptions_per_hour",
        /// Minutes from an interruption until the work goes on.
        RestartMinutes = "restart_minutes",
    }
}

/// How many there are.
const NAMES: usize = Name::ALL.len();

/// What is known of an assumption before anybody changes it.
#[derive(Debug, Clone, Copy)]
pub struct Basis {
    /// Its range.
    pub span: Span,
    /// Unit of it.
    pub unit: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Who says so.
    pub source: &'static str,
    /// What it can be at all.
    limits: Span,
}

impl Name {
    /// Its range and where that is from.
    #[must_use]
    pub fn basis(self) -> Basis {
        let basis = |low, high, unit, about, source, limits: (f64, f64)| Basis {
            span: Span::new(low, high),
            unit,
            about,
            source,
            limits: Span::new(limits.0, limits.1),
        };
        const SHARE: (f64, f64) = (0.01, 1.0);
        match self {
            Self::TrainingUtilisation => basis(
                0.30,
                0.46,
                "share",
                "share of the dense TFLOPS that training does (model FLOPs utilisation)",
                "30.2 % Megatron-Turing and 46.2 % PaLM (arXiv:2204.02311, table 3); 38 to 43 % Llama 3 \
                 (arXiv:2407.21783, table 4)",
                SHARE,
            ),
            Self::PrefillUtilisation => basis(
                0.30,
                0.76,
                "share",
                "share of the dense TFLOPS when prompts are read or texts are embedded",
                "76 % in large batches (arXiv:2211.05102); the lower end is a caution without a source",
                SHARE,
            ),
            Self::DecodeUtilisation => basis(
                0.50,
                0.72,
                "share",
                "share of the memory bandwidth when tokens are written",
                "gpt-fast's README, Llama 2 of 7B and 70B in 16 bits, one request at a time: 1,397 and 1,482 of an \
                 A100's 2,039 GB/s, which is 69 and 73 %; the lower end is a caution without a source",
                SHARE,
            ),
            Self::PcieEfficiency => basis(
                0.40,
                0.77,
                "factor",
                "speed of several cards over PCIe, of what they do over NVLink",
                "101 s with and 131 s without NVLink: GPT-2 on two TITAN RTX (huggingface.co/docs/transformers, Custom \
                 hardware for training); the lower end is a caution without a source",
                SHARE,
            ),
            Self::FullFlops => basis(
                6.0,
                6.0,
                "flops",
                "operations for each parameter and token: 2 forward, 4 backward",
                "EleutherAI, Transformer Math 101; arXiv:2001.08361",
                (1.0, 20.0),
            ),
            Self::LoraFlops => basis(
                4.0,
                6.0,
                "flops",
                "operations for each parameter and token with adapters: frozen weights need no gradients",
                "4 of the 6 operations of Transformer Math 101; 6 where nothing is saved",
                (1.0, 20.0),
            ),
            Self::QloraSlowdown => basis(
                1.39,
                1.50,
                "factor",
                "time on 4-bit weights, of what it takes on 16-bit ones",
                "39 % more (Raschka, Practical tips for finetuning LLMs using LoRA, 2023); the upper end is a caution \
                 without a source",
                (1.0, 10.0),
            ),
            Self::OptimizerBytes => basis(
                12.0,
                12.0,
                "bytes",
                "AdamW for a trained parameter: a copy, momentum and variance of 4 bytes each",
                "EleutherAI, Transformer Math 101; ZeRO (arXiv:1910.02054), K = 12",
                (0.0, 32.0),
            ),
            Self::GradientBytes => basis(
                2.0,
                4.0,
                "bytes",
                "the gradient of a trained parameter, in 16 or 32 bits",
                "EleutherAI, Transformer Math 101",
                (0.0, 8.0),
            ),
            Self::LoraRank => basis(
                16.0,
                64.0,
                "count",
                "rank of the adapters of every linear layer",
                "64 in QLoRA (arXiv:2305.14314); 16 is common",
                (1.0, 1024.0),
            ),
            Self::Int4Bits => basis(
                4.0,
                4.6,
                "bits",
                "a 4-bit weight with its scales, and what stays in 16 bits shared out",
                "4 bits alone; 4.127 with QLoRA's doubly quantised scales (arXiv:2305.14314); 4.5 in AWQ files of Llama \
                 3.1 70B (recalled)",
                (2.0, 8.0),
            ),
            Self::KvBytes => basis(
                2.0,
                2.0,
                "bytes",
                "one kept key or value: 16 bits unless the cache is quantised as well",
                "vLLM, kv_cache_dtype: auto is the model's own type",
                (0.25, 4.0),
            ),
            Self::KeptActivationBytes => basis(
                2.0,
                2.0,
                "bytes",
                "kept for each token, layer and unit of width: 2 where layers are calculated again, 34 where only \
                 attention is",
                "arXiv:2205.05198, table 2",
                (0.0, 200.0),
            ),
            Self::LayerActivationBytes => basis(
                34.0,
                34.0,
                "bytes",
                "for each token and unit of width of the one layer at work",
                "arXiv:2205.05198, table 2; EleutherAI cookbook calc_transformer_mem.py",
                (0.0, 400.0),
            ),
            Self::LogitBytes => basis(
                0.0,
                8.0,
                "bytes",
                "for each token and word of the vocabulary: nothing in pieces, twice 4 bytes at once",
                "scores and their probabilities in 32 bits (vram.asmirnov.xyz)",
                (0.0, 32.0),
            ),
            Self::PrefillTokens => basis(
                2048.0,
                8192.0,
                "tokens",
                "tokens worked on at once when prompts are read",
                "vLLM, max_num_batched_tokens: 2,048 for quick answers, 8,192 and more for many (docs.vultr.com, \
                 Concurrency tuning)",
                (1.0, 1e6),
            ),
            Self::GpuOverhead => basis(
                0.3,
                2.0,
                "gib",
                "driver context and kernels on each card",
                "300 MiB to 2 GiB (vram.asmirnov.xyz); 1,343 MB (huggingface.co/docs/transformers, Model training \
                 anatomy)",
                (0.0, 20.0),
            ),
            Self::Fragmentation => basis(
                0.0,
                0.1,
                "share",
                "lost between blocks, of everything else",
                "vLLM leaves 10 % of a card alone: gpu_memory_utilization is 0.9 unless told (Red Hat, vLLM server \
                 arguments)",
                (0.0, 1.0),
            ),
            Self::OutputShare => basis(
                1.0 / 11.0,
                1.0 / 11.0,
                "share",
                "tokens written, of all tokens: each request reads ten times what it writes",
                "the benchmark that prices of tokens are compared by (docs.nvidia.com/nim, 5,000 in and 500 out)",
                (0.0, 1.0),
            ),
            Self::BytesPerToken => basis(
                3.0,
                5.0,
                "bytes",
                "bytes of text for a token",
                "about 4 letters of English (help.openai.com, What are tokens); Cyrillic letters are 2 bytes, fewer make \
                 a token",
                (0.5, 20.0),
            ),
            Self::ReadingSpeed => basis(
                5.3,
                5.3,
                "tokens_per_s",
                "what each person must get at least: 238 words a minute at 4 tokens for 3 words",
                "Brysbaert 2019, How many words do we read per minute? (doi.org/10.1016/j.jml.2019.104047)",
                (0.1, 1000.0),
            ),
            Self::Interruptions => basis(
                0.000_3,
                0.1,
                "per_hour",
                "how often a spot machine is taken back",
                "20 % a month, where AWS's Spot Instance Advisor ends, to 10 % an hour, the mildest trace of Bamboo \
                 (NSDI 2023); both recalled",
                (0.0, 10.0),
            ),
            Self::RestartMinutes => basis(
                5.0,
                20.0,
                "minutes",
                "from an interruption until the work goes on elsewhere",
                "assumed, without a source",
                (0.0, 10_000.0),
            ),
        }
    }
}

/// How a value came to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// As it comes.
    Default,
    /// A person changed it.
    Edited,
}

/// One assumption as it is now.
#[derive(Debug, Clone, Copy)]
pub struct Assumption {
    /// Which.
    pub name: Name,
    /// Its range.
    pub span: Span,
    /// How it came to be.
    pub origin: Origin,
}

/// Why an assumption cannot be changed so.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum AssumptionError {
    /// There is none of that name.
    #[error("`{name}` is nothing that is assumed{}", .nearest.as_ref().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default())]
    Unknown {
        /// What was given.
        name: String,
        /// The nearest there is.
        nearest: Option<String>,
    },
    /// It cannot be that.
    #[error("`{name}` cannot be {low} to {high}: it lies between {least} and {most}")]
    Limits {
        /// Which.
        name: Name,
        /// What was given.
        low: f64,
        /// What was given.
        high: f64,
        /// The least it can be.
        least: f64,
        /// The most.
        most: f64,
    },
}

/// All assumptions, by name.
#[derive(Debug, Clone)]
pub struct Assumptions {
    values: [(Span, Origin); NAMES],
}

impl Default for Assumptions {
    fn default() -> Self {
        let mut values = [(Span::ZERO, Origin::Default); NAMES];
        for (value, name) in values.iter_mut().zip(Name::ALL) {
            value.0 = name.basis().span;
        }
        Self { values }
    }
}

impl Assumptions {
    /// The range of one.
    #[must_use]
    pub fn get(&self, name: Name) -> Span {
        self.values.get(name as usize).map_or_else(|| name.basis().span, |(span, _)| *span)
    }

    /// One as it is now.
    #[must_use]
    pub fn assumption(&self, name: Name) -> Assumption {
        let origin = self.values.get(name as usize).map_or(Origin::Default, |(_, origin)| *origin);
        Assumption { name, span: self.get(name), origin }
    }

    /// Changes one.
    ///
    /// # Errors
    /// [`AssumptionError::Limits`] where it cannot be that.
    pub fn set(&mut self, name: Name, span: Span, origin: Origin) -> Result<(), AssumptionError> {
        let limits = name.basis().limits;
        // A NaN is none of these.
        let is_good = limits.low <= span.low && span.low <= span.high && span.high <= limits.high;
        if !is_good {
            let (low, high) = (span.low, span.high);
            return Err(AssumptionError::Limits { name, low, high, least: limits.low, most: limits.high });
        }
        if let Some(value) = self.values.get_mut(name as usize) {
            *value = (span, origin);
        }
        Ok(())
    }

    /// Changes one by the name a person typed.
    ///
    /// # Errors
    /// [`AssumptionError`] says what is wrong.
    pub fn edit(&mut self, typed: &str, span: Span) -> Result<(), AssumptionError> {
        let word = typed.trim().replace('-', "_");
        let name: Name = word.parse().map_err(|_| AssumptionError::Unknown {
            name: typed.trim().to_owned(),
            nearest: crate::query::nearest(&word, Name::ALL.iter().map(|name| name.word().to_owned())),
        })?;
        self.set(name, span, Origin::Edited)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_lies_within_its_limits_and_names_its_source() {
        let mut assumptions = Assumptions::default();
        for name in Name::ALL {
            let basis = name.basis();
            assumptions.set(*name, basis.span, Origin::Default).unwrap();
            assert!(!basis.source.is_empty() && !basis.about.is_empty(), "{name}");
        }
    }

    #[test]
    fn an_edit_is_kept_and_a_wrong_one_says_why() {
        let mut assumptions = Assumptions::default();
        assumptions.edit("training-utilisation", Span::exact(0.5)).unwrap();
        let edited = assumptions.assumption(Name::TrainingUtilisation);
        assert_eq!((edited.span, edited.origin), (Span::exact(0.5), Origin::Edited));
        let unknown = assumptions.edit("training_utilization", Span::exact(0.5)).unwrap_err();
        assert!(unknown.to_string().contains("did you mean `training_utilisation`?"), "{unknown}");
        for span in [Span::exact(1.5), Span::new(0.5, 0.4), Span::exact(f64::NAN), Span::exact(0.0)] {
            let error = assumptions.edit("training_utilisation", span).unwrap_err();
            assert!(error.to_string().contains("between 0.01 and 1"), "{error}");
        }
    }
}
