//! A piece of work, as far as its person knows it.

use super::models::{Kind, Shape};
use super::span::Span;
use crate::words::words;

words! {
    /// What is to be done.
    Task {
        /// Weights from nothing.
        Training = "training",
        /// Weights that exist, on other data.
        Finetune = "finetune",
        /// A pile of requests, whenever.
        Batch = "batch",
        /// Requests as they come.
        Realtime = "realtime",
        /// A person tries things.
        Notebook = "notebook",
    }
}

words! {
    /// How weights are trained.
    Method {
        /// All of them.
        Full = "full",
        /// Small ones beside them.
        Lora = "lora",
        /// The same beside 4-bit ones.
        Qlora = "qlora",
    }
}

words! {
    /// How exactly weights are kept.
    Precision {
        /// 16 bits.
        Bf16 = "bf16",
        /// 8 bits.
        Fp8 = "fp8",
        /// 4 bits.
        Int4 = "int4",
    }
}

impl Task {
    /// Whether weights change.
    #[must_use]
    pub fn trains(self) -> bool {
        matches!(self, Self::Training | Self::Finetune)
    }
}

/// What must be in memory.
#[derive(Debug, Clone, PartialEq)]
pub enum Need {
    /// A model.
    Model(Shape),
    /// So much, GiB, whatever it is.
    Gib(f64),
}

/// How much there is to do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Amount {
    /// So many hours of each machine.
    Hours(f64),
    /// So many tokens.
    Tokens(f64),
    /// As many tokens as so many GB of text have: a bound, since not all data need be text that is read once.
    Data(f64),
}

/// A piece of work.
#[derive(Debug, Clone, PartialEq)]
pub struct Workload {
    /// What is done.
    pub task: Task,
    /// What must be in memory.
    pub need: Need,
    /// How weights are kept.
    pub precision: Precision,
    /// How they are trained; `None` where they are not.
    pub method: Option<Method>,
    /// Tokens of one sequence.
    pub context: u32,
    /// Sequences at a time; in training those of one card.
    pub concurrency: u32,
    /// How much there is to do.
    pub amount: Amount,
    /// Tokens of the requests in the hours of [`Amount::Hours`], where they are known: what tokens by the million cost.
    pub tokens: Option<f64>,
    /// Hours until it must be done.
    pub deadline_h: Option<f64>,
    /// Whether it may be interrupted.
    pub interruptible: bool,
    /// Hours between checkpoints; above 0.
    pub checkpoint_h: f64,
    /// Disk held meanwhile, GB.
    pub disk_gb: f64,
    /// Traffic out, GB.
    pub egress_gb: f64,
}

/// Why a workload is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoWorkload {
    /// 4-bit weights are not trained.
    #[error("4-bit weights cannot be trained: use qlora, which trains small ones beside them")]
    Int4Training,
    /// QLoRA is what it is.
    #[error("qlora keeps weights in 4 bits: leave the precision out, or use lora")]
    QloraPrecision,
    /// Small weights beside nothing.
    #[error("training from scratch trains every weight: use full, or finetune")]
    ScratchMethod,
    /// A method for what trains nothing.
    #[error("only training and fine-tuning have a method")]
    NoMethod,
    /// A figure that must be above 0.
    #[error("it must be more than 0")]
    Zero,
}

impl Workload {
    /// The method and precision that go together, from what was said of them.
    ///
    /// # Errors
    /// [`NoWorkload`] where they do not.
    pub fn agree(
        task: Task,
        method: Option<Method>,
        precision: Option<Precision>,
    ) -> Result<(Option<Method>, Precision), NoWorkload> {
        if !task.trains() {
            return match method {
                Some(_) => Err(NoWorkload::NoMethod),
                None => Ok((None, precision.unwrap_or(Precision::Bf16))),
            };
        }
        let usual = if task == Task::Training { Method::Full } else { Method::Lora };
        let method = method.unwrap_or(usual);
        match (method, precision) {
            (Method::Lora | Method::Qlora, _) if task == Task::Training => Err(NoWorkload::ScratchMethod),
            (Method::Qlora, None | Some(Precision::Int4)) => Ok((Some(method), Precision::Int4)),
            (Method::Qlora, Some(_)) => Err(NoWorkload::QloraPrecision),
            (_, Some(Precision::Int4)) => Err(NoWorkload::Int4Training),
            (_, precision) => Ok((Some(method), precision.unwrap_or(Precision::Bf16))),
        }
    }

    /// The model, where it is one.
    #[must_use]
    pub fn shape(&self) -> Option<&Shape> {
        match &self.need {
            Need::Model(shape) => Some(shape),
            Need::Gib(_) => None,
        }
    }

    /// Whether its tokens can be spread over machines that do not know of each other.
    #[must_use]
    pub fn spreads(&self) -> bool {
        self.task == Task::Batch
    }

    /// Tokens to work through, by so many bytes of text for one; `None` where that is not known.
    #[must_use]
    pub fn token_span(&self, bytes_per_token: Span) -> Option<Span> {
        match self.amount {
            Amount::Hours(_) => self.tokens.map(Span::exact),
            Amount::Tokens(tokens) => Some(Span::exact(tokens)),
            Amount::Data(gb) => Some(Span::exact(gb * 1e9) / bytes_per_token),
        }
    }

    /// Whether it writes tokens one by one.
    #[must_use]
    pub fn writes(&self) -> bool {
        !self.task.trains() && self.shape().is_some_and(|shape| shape.kind == Kind::Decoder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn method_and_precision_go_together_or_say_why_not() {
        use Method::{Full, Lora, Qlora};
        use Precision::{Bf16, Fp8, Int4};
        let agree = Workload::agree;
        assert_eq!(agree(Task::Finetune, Some(Qlora), None), Ok((Some(Qlora), Int4)));
        assert_eq!(agree(Task::Finetune, None, None), Ok((Some(Lora), Bf16)));
        assert_eq!(agree(Task::Training, None, Some(Fp8)), Ok((Some(Full), Fp8)));
        assert_eq!(agree(Task::Realtime, None, Some(Int4)), Ok((None, Int4)));
        assert_eq!(agree(Task::Finetune, Some(Qlora), Some(Bf16)), Err(NoWorkload::QloraPrecision));
        assert_eq!(agree(Task::Finetune, Some(Full), Some(Int4)), Err(NoWorkload::Int4Training));
        assert_eq!(agree(Task::Training, Some(Lora), None), Err(NoWorkload::ScratchMethod));
        assert_eq!(agree(Task::Batch, Some(Lora), None), Err(NoWorkload::NoMethod));
    }
}
