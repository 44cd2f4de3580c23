//! Where a rental stands.

use crate::words::words;

words! {
    /// The state of a rental, in the order of its life.
    State {
        /// Being filled in; nothing was asked of a provider.
        Draft = "draft",
        /// Written down and asked for; whether the provider made a machine is not known yet.
        Requested = "requested",
        /// The provider has it and looks for a place.
        Provisioning = "provisioning",
        /// A machine is being started.
        Booting = "booting",
        /// SSH answers; cards and place are being compared with the offer.
        Verifying = "verifying",
        /// Compared and usable.
        Ready = "ready",
        /// A stop was asked and is not confirmed.
        Stopping = "stopping",
        /// Stopped, as the provider confirms; its disk may still cost.
        Stopped = "stopped",
        /// A start was asked and is not confirmed.
        Starting = "starting",
        /// An end was asked and is not confirmed.
        Ending = "ending",
        /// Gone, as the provider confirms.
        Ended = "ended",
        /// It never came up, or broke; see the reason. It may still exist and cost.
        Failed = "failed",
        /// Gone at the provider without our asking.
        Lost = "lost",
        /// Taken back by the provider (spot, bid). Its disk may still cost.
        Preempted = "preempted",
    }
}

impl State {
    /// Whether nothing of it is left at the provider, so that nothing more is watched or billed.
    #[must_use]
    pub fn is_over(self) -> bool {
        matches!(self, Self::Ended | Self::Lost)
    }

    /// Whether a shell can be had in it.
    #[must_use]
    pub fn has_shell(self) -> bool {
        matches!(self, Self::Verifying | Self::Ready)
    }
}
