//! The command list: the one place that says which requests exist, what they take and give, and which answers go
//! stale when something happens. The window, the test host and the TypeScript bindings are all made from it.

use gpudesk_engine::Desk;
use ts_rs::TS;

use crate::desk::{
    ApiError, Diagnostics, QuarantinePage, QuarantineRequest, RatesInfo, RefreshReport, RefreshRequest,
    Settings, SourceStatus, Watch, WatchAddRequest, WatchRemoveRequest,
};
use crate::handlers;
use crate::market::{
    CompareRequest, Comparison, CopyRequest, CopyText, EditRequest, GroupsPage, LineRequest, MarketPage,
    MarketPageRequest, OfferDetails, OfferDetailsRequest, ParsedLine,
};

/// Declares the commands. For each: its name, request, response, and the cache tags its answer depends on.
macro_rules! commands {
    ($($(#[$doc:meta])* $name:ident($request:ty) -> $response:ty, reads [$($tag:literal),*];)+) => {
        /// Every command's name.
        pub const COMMANDS: &[&str] = &[$(stringify!($name)),+];

        /// Answers one command. The request and the answer are JSON in the shapes of the bindings.
        ///
        /// # Errors
        /// `not-found` for a command that does not exist, `internal` for a request of the wrong shape, and
        /// whatever the command itself says.
        pub async fn dispatch(
            desk: &Desk,
            command: &str,
            request: serde_json::Value,
        ) -> Result<serde_json::Value, ApiError> {
            match command {
                $(stringify!($name) => {
                    let request: $request = serde_json::from_value(request).map_err(|e| ApiError::wrong_shape(command, &e))?;
                    let answer: $response = handlers::$name(desk, request).await?;
                    serde_json::to_value(answer).map_err(|e| ApiError::wrong_shape(command, &e))
                })+
                other => Err(ApiError::unknown_command(other)),
            }
        }

        /// The command map as TypeScript.
        #[must_use]
        pub fn typescript(config: &ts_rs::Config) -> String {
            let mut out = String::from("/** Every command: what it takes and what it gives. */\nexport interface Commands {\n");
            $(out.push_str(&format!(
                "  {}: {{ request: {}; response: {} }};\n",
                stringify!($name), <$request as TS>::name(config), <$response as TS>::name(config)
            ));)+
            out.push_str("}\n\n/** Which events make the answer of a command stale. */\nexport const reads = {\n");
            $(out.push_str(&format!("  {}: {:?},\n", stringify!($name), [$($tag),*] as [&str; commands!(@count $($tag)*)]));)+
            out.push_str("} as const;\n");
            out
        }
    };
    (@count) => { 0 };
    (@count $head:literal $($tail:literal)*) => { 1 + commands!(@count $($tail)*) };
}

commands! {
    /// A window of the offers table, with facets.
    market_page(MarketPageRequest) -> MarketPage, reads ["board", "rates"];
    /// The market by card.
    market_groups(MarketPageRequest) -> GroupsPage, reads ["board", "rates"];
    /// Reads a query line.
    query_parse(LineRequest) -> ParsedLine, reads [];
    /// Changes a query line as a facet or chip asks.
    query_edit(EditRequest) -> ParsedLine, reads [];
    /// One offer in full.
    offer_details(OfferDetailsRequest) -> OfferDetails, reads ["board", "rates"];
    /// Offers side by side.
    offers_compare(CompareRequest) -> Comparison, reads ["board", "rates"];
    /// Rows as text for the clipboard.
    offers_copy(CopyRequest) -> CopyText, reads [];
    /// Sources and their health.
    sources_list(()) -> Vec<SourceStatus>, reads ["sources", "board"];
    /// Fetches sources now; returns when all have answered.
    sources_refresh(RefreshRequest) -> RefreshReport, reads [];
    /// Rows kept out of the table.
    quarantine_list(QuarantineRequest) -> QuarantinePage, reads ["board"];
    /// What a person chose.
    settings_get(()) -> Settings, reads ["settings"];
    /// Replaces the settings.
    settings_set(Settings) -> Settings, reads [];
    /// Exchange rates at hand.
    rates_get(()) -> RatesInfo, reads ["rates"];
    /// Standing questions.
    watches_list(()) -> Vec<Watch>, reads ["watches", "board"];
    /// A new standing question.
    watch_add(WatchAddRequest) -> Vec<Watch>, reads [];
    /// Ends one.
    watch_remove(WatchRemoveRequest) -> Vec<Watch>, reads [];
    /// What to send to somebody who helps.
    diagnostics_get(()) -> Diagnostics, reads [];
}
