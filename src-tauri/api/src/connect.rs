//! Requests and answers about the ways into a rental: terminals, other programs, forwards, copies, host keys.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::desk::ApiError;

/// A terminal to open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct TerminalOpenRequest {
    /// Id or name of the rental.
    pub rental: String,
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
}

/// A terminal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Terminal {
    /// Number.
    pub id: u32,
    /// Rental.
    pub rental: String,
    /// Shown title.
    pub title: String,
}

/// Bytes typed into a terminal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct TerminalWriteRequest {
    /// Number.
    pub id: u32,
    /// Base64.
    pub data: String,
}

/// A new size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct TerminalResizeRequest {
    /// Number.
    pub id: u32,
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
}

/// What the terminal printed from `offset` on. The answer waits up to half a minute for something to print.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct TerminalReadRequest {
    /// Number.
    pub id: u32,
    /// Bytes read so far.
    #[ts(type = "number")]
    pub offset: u64,
}

/// Bytes of a terminal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct TerminalBytes {
    /// Base64.
    pub data: String,
    /// Offset behind them.
    #[ts(type = "number")]
    pub offset: u64,
    /// The exit code, once the program is over and everything was read.
    pub exit: Option<i32>,
    /// Why it ended, where that is known: host key changed, refused, unreachable.
    pub problem: Option<ApiError>,
}

/// A terminal by number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct TerminalRequest {
    /// Number.
    pub id: u32,
}

/// Opens a rental in another program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct OpenInRequest {
    /// Id or name.
    pub rental: String,
    /// `terminal`, `vscode`, `cursor`.
    pub program: String,
}

/// What was opened, or the command to type where nothing could be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Opened {
    /// What was started; null = nothing was found.
    pub program: Option<String>,
    /// The command that does the same.
    pub command: String,
}

/// A forward to open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ForwardOpenRequest {
    /// Id or name.
    pub rental: String,
    /// Port on the machine.
    pub remote_port: u16,
    /// Port here; null = a free one.
    pub local_port: Option<u16>,
    /// `jupyter`, `tensorboard`, `vllm`, or empty.
    pub preset: String,
}

/// A forward.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ForwardDto {
    /// Number.
    pub id: u32,
    /// Rental id.
    pub rental: String,
    /// Port on the machine.
    pub remote_port: u16,
    /// Port here.
    pub local_port: u16,
    /// `jupyter`, `tensorboard`, `vllm`, or empty.
    pub preset: String,
    /// `open`, `opening`, `retrying`, `failed`.
    pub state: String,
    /// What to open in a browser.
    pub url: String,
    /// Why it is not open.
    pub problem: Option<String>,
}

/// A forward by number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ForwardRequest {
    /// Number.
    pub id: u32,
}

/// A copy to start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct CopyStartRequest {
    /// Id or name.
    pub rental: String,
    /// `to` or `from` the machine.
    pub direction: String,
    /// Files and folders here (one folder for `from`).
    pub local: Vec<String>,
    /// Folder (or, for `from`, path) there.
    pub remote: String,
}

/// A copy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct CopyDto {
    /// Number.
    pub id: u32,
    /// Rental id.
    pub rental: String,
    /// `to` or `from`.
    pub direction: String,
    /// What.
    pub title: String,
    /// `running`, `done`, `failed`, `cancelled`.
    pub state: String,
    /// Percent; null = not known.
    pub percent: Option<f64>,
    /// Newest line of the program.
    pub line: String,
    /// Why it failed.
    pub problem: Option<String>,
}

/// A copy by number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct CopyRequestById {
    /// Number.
    pub id: u32,
}

/// The line in the user's own SSH configuration.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct SshInclude {
    /// The file.
    pub file: String,
    /// The line that is or would be added at its top.
    pub line: String,
    /// Whether it is there and comes early enough to work.
    pub there: bool,
    /// Why it cannot be added by us.
    pub problem: Option<String>,
}

/// Adds or removes that line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct SshIncludeRequest {
    /// `show`, `add`, `remove`.
    pub action: String,
}

/// Accepts the changed host key of a rental, by a person's explicit word.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct HostKeyAcceptRequest {
    /// Id or name.
    pub rental: String,
    /// The new fingerprint as it was shown.
    pub fingerprint: String,
}
