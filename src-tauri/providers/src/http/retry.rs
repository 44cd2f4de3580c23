//! When a read is tried again, and after how long.

use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::Value;

/// How often and how patiently a read is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retry {
    /// Tries in all, the first one included.
    pub tries: u32,
    /// The wait before the second try; it doubles each time.
    pub first_wait: Duration,
    /// The longest wait of our own choosing.
    pub longest_wait: Duration,
    /// The longest wait a provider may ask for (`Retry-After`); beyond it the call ends and says from when on it may
    /// be made again.
    pub longest_asked: Duration,
}

impl Default for Retry {
    fn default() -> Self {
        Self {
            tries: 4,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(20),
            longest_asked: Duration::from_secs(30),
        }
    }
}

impl Retry {
    /// The wait before try number `next` (2 is the first repeat). `jitter` from 0 to 1 takes up to half of it away, so
    /// that many desks do not come back in step.
    #[must_use]
    pub fn wait(&self, next: u32, jitter: f64) -> Duration {
        let doubled = self.first_wait.saturating_mul(1_u32 << next.saturating_sub(2).min(16));
        doubled.min(self.longest_wait).mul_f64(1.0 - 0.5 * jitter.clamp(0.0, 1.0))
    }
}

/// The wait a `Retry-After` header asks for: whole seconds, or a date (`Mon, 30 Nov 2026 09:00:30 GMT`). `None` for
/// anything else, which then counts as if the header were not there.
#[must_use]
pub fn retry_after(header: &str, now: DateTime<Utc>) -> Option<Duration> {
    let header = header.trim();
    if let Ok(seconds) = header.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let at = DateTime::parse_from_rfc2822(header).ok()?;
    Some((at.to_utc() - now).to_std().unwrap_or(Duration::ZERO))
}

/// The wait that an error body asks for as services of gRPC do behind HTTP: a `google.rpc.RetryInfo` among its details,
/// bare or inside an `error` (<https://github.com/googleapis/googleapis/blob/master/google/rpc/error_details.proto>).
#[must_use]
pub fn retry_delay(body: &[u8]) -> Option<Duration> {
    let told: Value = serde_json::from_slice(body).ok()?;
    let details = [&told["details"], &told["error"]["details"]];
    let mut details = details.into_iter().filter_map(Value::as_array).flatten();
    let delay = details.find_map(|detail| detail["retryDelay"].as_str())?;
    Duration::try_from_secs_f64(delay.strip_suffix('s')?.parse().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_a_limit_and_jitter_only_shortens() {
        let retry = Retry::default();
        let waits: Vec<u128> = (2..10).map(|next| retry.wait(next, 0.0).as_millis()).collect();
        assert_eq!(waits, [500, 1000, 2000, 4000, 8000, 16000, 20000, 20000]);
        assert_eq!(retry.wait(3, 1.0).as_millis(), 500);
        assert_eq!(retry.wait(3, 0.5).as_millis(), 750);
        assert_eq!(retry.wait(u32::MAX, 0.0).as_secs(), 20);
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now: DateTime<Utc> = "2026-11-30T09:00:00Z".parse().unwrap();
        assert_eq!(retry_after(" 7 ", now), Some(Duration::from_secs(7)));
        assert_eq!(retry_after("Mon, 30 Nov 2026 09:00:30 GMT", now), Some(Duration::from_secs(30)));
        assert_eq!(retry_after("Mon, 30 Nov 2026 08:00:00 GMT", now), Some(Duration::ZERO), "already past");
        assert_eq!(retry_after("soon", now), None);
        assert_eq!(retry_after("-3", now), None);
    }

    #[test]
    fn a_delay_stands_among_the_details() {
        let info = r#"{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"30s"}"#;
        let quota = r#"{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[]}"#;
        for body in [
            format!(r#"{{"code":8,"message":"x","details":[{quota},{info}]}}"#),
            format!(r#"{{"error":{{"code":429,"details":[{info}]}}}}"#),
        ] {
            assert_eq!(retry_delay(body.as_bytes()), Some(Duration::from_secs(30)), "{body}");
        }
        let of = |delay: &str| retry_delay(format!(r#"{{"details":[{{"retryDelay":{delay}}}]}}"#).as_bytes());
        assert_eq!(of(r#""1.5s""#), Some(Duration::from_millis(1500)));
        for odd in [r#""soon""#, "30", r#""-1s""#, r#""1e99s""#, r#""NaNs""#, "null"] {
            assert_eq!(of(odd), None, "{odd}");
        }
        for odd in ["", "<html>", "[]", "7", r#"{"details":{}}"#, r#"{"details":["30s"]}"#] {
            assert_eq!(retry_delay(odd.as_bytes()), None, "{odd}");
        }
    }
}
