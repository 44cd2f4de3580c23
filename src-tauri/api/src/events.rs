//! Engine events in the shape the window knows.

use crate::desk::Event;

/// The event as it crosses the boundary.
#[must_use]
pub fn event(event: gpudesk_engine::Event) -> Event {
    match event {
        gpudesk_engine::Event::BoardChanged { board } => Event::BoardChanged { board },
        gpudesk_engine::Event::SourceChanged { source } => Event::SourceChanged { source },
        gpudesk_engine::Event::WatchHit { id, line, offer, title, usd } => {
            Event::WatchHit { id, line, offer, title, usd: usd.round_dp(4).normalize().to_string() }
        }
        gpudesk_engine::Event::SettingsChanged => Event::SettingsChanged,
        gpudesk_engine::Event::PoliciesChanged => Event::PoliciesChanged,
        gpudesk_engine::Event::BudgetsChanged => Event::BudgetsChanged,
        gpudesk_engine::Event::OwnHostsChanged => Event::HostsChanged,
        gpudesk_engine::Event::NoticesChanged => Event::NoticesChanged,
        gpudesk_engine::Event::RentalsChanged { rental } => Event::RentalsChanged { rental },
        gpudesk_engine::Event::AccountsChanged => Event::AccountsChanged,
        gpudesk_engine::Event::ForwardsChanged => Event::ForwardsChanged,
        gpudesk_engine::Event::PracticeChanged { on } => Event::PracticeChanged { on },
        gpudesk_engine::Event::Told { rental, name, what, text, system } => {
            Event::Told { rental, name, what, text, system }
        }
    }
}
