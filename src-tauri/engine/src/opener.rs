//! Starting other programs of the person's desktop: terminals and editors.

use async_trait::async_trait;

/// Starts a program by name with an argument vector, never through a shell, and does not wait for its end.
#[async_trait]
pub trait Opener: Send + Sync {
    /// Starts it.
    ///
    /// # Errors
    /// In words, when there is no such program or it cannot be started.
    async fn start(&self, program: &str, arguments: &[String]) -> Result<(), String>;
}
