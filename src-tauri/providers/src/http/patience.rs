//! What one reading of many calls may lose to failing tries: each call is patient by itself, and sixty patient calls
//! are not.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::call::Call;
use crate::source::SourceError;

/// The most that the tries of one reading that fail, and the waits after them, may take together at one provider.
/// Where several fail at the same time, that time counts once.
const MOST: Duration = Duration::from_secs(60);

/// The patience of one reading, by whom it is had with: a list may be read in several places, of which each has only
/// its own trouble.
#[derive(Debug, Default)]
pub(super) struct Patience(Mutex<BTreeMap<String, Lost>>);

#[derive(Debug, Default)]
struct Lost {
    time: Duration,
    /// Until when it was lost already, by the clock of the kit.
    until: Duration,
    /// Why there is none left.
    over: Option<SourceError>,
}

/// Whose limits a call is under: one provider may have many hosts, and a call without a pace has only its host.
fn asked(call: &Call) -> String {
    let paced = call.paces.first().map(|pace| pace.provider);
    paced.or(call.url.host_str()).unwrap_or_default().to_owned()
}

impl Patience {
    /// Why nothing more is asked of a call's provider in this reading; `None` while there is patience.
    pub fn is_over(&self, call: &Call) -> Option<SourceError> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(&asked(call))?.over.clone()
    }

    /// Takes the time from the beginning of a failed try to the end of the wait after it. Where that is more than is
    /// left, the patience is over with this error, and there is no other try.
    pub fn allows(&self, call: &Call, begun: Duration, end: Duration, error: &SourceError) -> bool {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let lost = all.entry(asked(call)).or_default();
        let more = end.saturating_sub(begun.max(lost.until));
        if lost.time.saturating_add(more) > MOST {
            lost.over.get_or_insert_with(|| error.clone());
            return false;
        }
        lost.time += more;
        lost.until = lost.until.max(end);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::pace::Pace;
    use super::*;
    use crate::source::SourceErrorCode;

    fn call(address: &str) -> Call {
        Call::get("prices", address.parse().unwrap())
    }

    fn busy(words: &str) -> SourceError {
        SourceError::new(SourceErrorCode::RateLimited, "prices", words)
    }

    #[test]
    fn what_is_lost_at_the_same_time_counts_once() {
        let (patience, s) = (Patience::default(), Duration::from_secs);
        let call = call("https://a.example/x");
        let allows = |begun, end, words| patience.allows(&call, s(begun), s(end), &busy(words));
        assert!(allows(0, 20, "a"));
        assert!(allows(1, 21, "b"), "beside the first");
        assert!(allows(100, 139, "c"), "that makes 60");
        assert_eq!(patience.is_over(&call), None);
        assert!(allows(120, 130, "d"), "counted already");
        assert!(!allows(200, 201, "e"));
        assert!(!allows(300, 301, "f"));
        assert_eq!(patience.is_over(&call), Some(busy("e")), "the first that was too much");
    }

    #[test]
    fn one_provider_s_trouble_is_not_another_s() {
        let (patience, s) = (Patience::default(), Duration::from_secs);
        let (bucket, github) = (call("https://bucket.example/x"), call("https://github.example/x"));
        assert!(!patience.allows(&bucket, s(0), s(61), &busy("bucket")));
        assert_eq!(patience.is_over(&bucket), Some(busy("bucket")));
        assert_eq!(patience.is_over(&github), None);
        let paced = |address| call(address).pace(Pace::per_minute("regional", 60));
        assert!(!patience.allows(&paced("https://eu.example/"), s(0), s(61), &busy("eu")));
        assert_eq!(
            patience.is_over(&paced("https://us.example/")),
            Some(busy("eu")),
            "one service, many hosts"
        );
    }
}
