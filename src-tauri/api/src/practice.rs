//! Going to the practice market and back.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::desk::ApiError;

/// Whether the practice market is on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Practice {
    /// Whether this desk is at the practice market.
    pub on: bool,
    /// Why it could not be started.
    pub problem: Option<ApiError>,
}

/// Goes to the practice market, or back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct PracticeRequest {
    /// On or off.
    pub on: bool,
}
