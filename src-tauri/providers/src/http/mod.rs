//! The HTTP kit under every source: time-outs, retries, each provider's pace, size limits, proxy and CA, errors that
//! say what happened, and log lines without secrets. No source builds a client of its own.

mod answer;
mod base;
mod body;
mod call;
mod change;
mod client;
mod each;
mod failure;
mod lenient;
mod literal;
mod pace;
mod patience;
pub mod redact;
mod retry;
mod rpc;

pub use answer::Answer;
pub use base::Base;
pub use call::{Call, KeyIn, Limits};
pub use change::Change;
pub use client::{Http, HttpConfig};
pub use each::Each;
pub use failure::{Failure, Refusal, Verdict};
pub use lenient::{Block, List};
pub use literal::Literal;
pub use pace::{Pace, Pacing, RealPacing};
pub use redact::Secret;
pub use retry::Retry;
