//! The command list: the one place that says which requests exist, what they take and give, and which answers go
//! stale when something happens. The window, the test host and the TypeScript bindings are all made from it.

use ts_rs::TS;

use crate::account::{AccountAddRequest, AccountRequest, Accounts};
use crate::buy::{BuyAnswer, BuyChoices, BuyReportRequest, BuyRequest};
use crate::connect::{
    CopyDto, CopyRequestById, CopyStartRequest, ForwardDto, ForwardOpenRequest, ForwardRequest,
    HostKeyAcceptRequest, OpenInRequest, Opened, SshInclude, SshIncludeRequest, Terminal, TerminalBytes,
    TerminalOpenRequest, TerminalReadRequest, TerminalRequest, TerminalResizeRequest, TerminalWriteRequest,
};
use crate::desk::{
    ApiError, Diagnostics, QuarantinePage, QuarantineRequest, RatesInfo, RefreshReport, RefreshRequest,
    Settings, SourceStatus, Watch, WatchAddRequest, WatchRemoveRequest,
};
use crate::guard::{GuardReport, LeaseSetRequest, NoticeSettings, NoticesSetRequest};
use crate::handlers;
use crate::launch::{
    LaunchOutcome, LaunchRequest, LaunchSheet, LaunchSheetRequest, OfferEnd, OfferEndRequest, OfferPage,
    OfferPageRequest,
};
use crate::line::{EditRequest, LineRequest, ParsedLine};
use crate::market::{
    CompareRequest, Comparison, CopyRequest, CopyText, GroupsPage, MarketPage, MarketPageRequest,
    OfferDetails, OfferDetailsRequest,
};
use crate::own::{OwnHostAddRequest, OwnHostRequest, OwnHosts};
use crate::plan::{Plan, PlanModelDto, PlanRequest, PlanWhyNot, PlanWhyNotRequest};
use crate::policy::{Policies, PolicyRequest, PolicySetRequest, ProjectPolicyRequest};
use crate::practice::{Practice, PracticeRequest};
use crate::rental::{
    EndChecklist, ExtendRequest, RentalDetails, RentalDto, RentalRequest, RentalsPage, RentalsRequest,
};
use crate::spend::{
    BudgetDto, BudgetEffect, BudgetEffectRequest, BudgetRequest, BudgetSetRequest, SpendPage, SpendReport,
    SpendReportRequest, SpendRequest,
};
use crate::unmanaged::{ReconcileReport, UnmanagedRequest};

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
            seat: &crate::Seat,
            command: &str,
            request: serde_json::Value,
        ) -> Result<serde_json::Value, ApiError> {
            match command {
                $(stringify!($name) => {
                    let request: $request = serde_json::from_value(request).map_err(|e| ApiError::wrong_shape(command, &e))?;
                    let answer: $response = commands!(@answer $name, seat, request);
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
    // Two commands are about the seat itself, all others about the desk somebody sits at.
    (@answer practice_get, $seat:ident, $request:ident) => {{
        let () = $request;
        $seat.practice()
    }};
    (@answer practice_set, $seat:ident, $request:ident) => { $seat.set_practice(&$request).await? };
    (@answer $name:ident, $seat:ident, $request:ident) => { handlers::$name(&$seat.desk(), $request).await? };
    (@count) => { 0 };
    (@count $head:literal $($tail:literal)*) => { 1 + commands!(@count $($tail)*) };
}

commands! {
    /// A window of the offers table, with facets.
    market_page(MarketPageRequest) -> MarketPage, reads ["board", "rates", "policies"];
    /// The market by card.
    market_groups(MarketPageRequest) -> GroupsPage, reads ["board", "rates", "policies"];
    /// Reads a query line.
    query_parse(LineRequest) -> ParsedLine, reads [];
    /// Changes a query line as a facet or chip asks.
    query_edit(EditRequest) -> ParsedLine, reads [];
    /// One offer in full.
    offer_details(OfferDetailsRequest) -> OfferDetails, reads ["board", "rates", "policies"];
    /// Opens the page where an offer is rented by hand.
    offer_page_open(OfferPageRequest) -> OfferPage, reads [];
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
    watches_list(()) -> Vec<Watch>, reads ["watches", "board", "policies"];
    /// A new standing question.
    watch_add(WatchAddRequest) -> Vec<Watch>, reads [];
    /// Ends one.
    watch_remove(WatchRemoveRequest) -> Vec<Watch>, reads [];
    /// What to send to somebody who helps.
    diagnostics_get(()) -> Diagnostics, reads [];
    /// Accounts and what can be added.
    accounts_list(()) -> Accounts, reads ["accounts"];
    /// Keeps a key and asks the provider who it is.
    account_add(AccountAddRequest) -> Accounts, reads [];
    /// Asks again who an account is.
    account_check(AccountRequest) -> Accounts, reads [];
    /// Forgets an account and its key. Refused while machines of it are known.
    account_remove(AccountRequest) -> Accounts, reads [];
    /// What there is to choose before an offer is rented.
    launch_sheet(LaunchSheetRequest) -> LaunchSheet, reads ["board", "accounts", "policies"];
    /// When an offer ends, asked of its provider now.
    offer_end(OfferEndRequest) -> OfferEnd, reads ["accounts"];
    /// Rents an offer.
    launch(LaunchRequest) -> LaunchOutcome, reads [];
    /// What runs, ours and not ours.
    rentals_list(RentalsRequest) -> RentalsPage, reads ["rentals", "accounts", "rates"];
    /// One rental with its story.
    rental_get(RentalRequest) -> RentalDetails, reads ["rentals"];
    /// Asks for a stop.
    rental_stop(RentalRequest) -> RentalDto, reads [];
    /// Asks for a start.
    rental_start(RentalRequest) -> RentalDto, reads [];
    /// What to settle before an end.
    rental_end_checklist(RentalRequest) -> EndChecklist, reads [];
    /// Ends a rental, irreversibly.
    rental_end(RentalRequest) -> RentalDto, reads [];
    /// More time.
    rental_extend(ExtendRequest) -> RentalDto, reads [];
    /// Adopts, ignores, shows again or ends a machine that is not ours.
    unmanaged_act(UnmanagedRequest) -> RentalsPage, reads [];
    /// Compares the accounts with the records now.
    reconcile(()) -> ReconcileReport, reads [];
    /// Opens a terminal in a rental.
    terminal_open(TerminalOpenRequest) -> Terminal, reads [];
    /// Types into a terminal.
    terminal_write(TerminalWriteRequest) -> (), reads [];
    /// Tells a terminal its size.
    terminal_resize(TerminalResizeRequest) -> (), reads [];
    /// What a terminal printed; waits for something to print.
    terminal_read(TerminalReadRequest) -> TerminalBytes, reads [];
    /// Closes a terminal.
    terminal_close(TerminalRequest) -> (), reads [];
    /// Opens a rental in another program.
    open_in(OpenInRequest) -> Opened, reads [];
    /// Port forwards.
    forwards_list(()) -> Vec<ForwardDto>, reads ["forwards"];
    /// Opens a port forward and keeps it open.
    forward_open(ForwardOpenRequest) -> ForwardDto, reads [];
    /// Closes one.
    forward_close(ForwardRequest) -> Vec<ForwardDto>, reads [];
    /// Copies files in or out.
    copy_start(CopyStartRequest) -> CopyDto, reads [];
    /// Stops a copy.
    copy_cancel(CopyRequestById) -> CopyDto, reads [];
    /// The line in the user's own SSH configuration.
    ssh_include(SshIncludeRequest) -> SshInclude, reads [];
    /// Accepts a changed host key by a person's word.
    host_key_accept(HostKeyAcceptRequest) -> RentalDto, reads [];
    /// Servers of the team's own, and how they fare.
    hosts_list(()) -> OwnHosts, reads ["hosts", "rentals"];
    /// Takes in a server, or describes one anew, and reads it.
    host_add(OwnHostAddRequest) -> OwnHosts, reads [];
    /// Looks at a server, or at all of them; the answer has those.
    hosts_check(OwnHostRequest) -> OwnHosts, reads [];
    /// Forgets a server that nobody has booked.
    host_remove(OwnHostRequest) -> OwnHosts, reads [];
    /// Residency policies, the projects under them, and what they are made of.
    policies_list(()) -> Policies, reads ["policies", "rentals"];
    /// Keeps a policy of the team's own.
    policy_set(PolicySetRequest) -> Policies, reads [];
    /// Forgets one.
    policy_remove(PolicyRequest) -> Policies, reads [];
    /// Puts a project under a policy, or under none.
    project_policy_set(ProjectPolicyRequest) -> Policies, reads [];
    /// New limits of a rental.
    rental_lease_set(LeaseSetRequest) -> RentalDto, reads [];
    /// A person says that it is needed: its idle time begins anew.
    rental_keep(RentalRequest) -> RentalDto, reads [];
    /// One round of the guard, now.
    guard_once(()) -> GuardReport, reads [];
    /// What was spent, what is wasted, what it will come to.
    spend_page(SpendRequest) -> SpendPage, reads ["rentals", "accounts", "rates", "board"];
    /// Writes a report to a file.
    spend_report(SpendReportRequest) -> SpendReport, reads [];
    /// Budgets and how they stand.
    budgets_list(()) -> Vec<BudgetDto>, reads ["budgets", "rentals", "rates"];
    /// Keeps a budget.
    budget_set(BudgetSetRequest) -> Vec<BudgetDto>, reads [];
    /// Forgets one.
    budget_remove(BudgetRequest) -> Vec<BudgetDto>, reads [];
    /// What a launch would do to the budgets it counts for.
    budget_effect(BudgetEffectRequest) -> Vec<BudgetEffect>, reads ["budgets", "rentals", "rates", "board"];
    /// Owning cards against renting them.
    buy_compare(BuyRequest) -> BuyAnswer, reads ["board", "rates"];
    /// Models and prices of power to choose from.
    buy_choices(()) -> BuyChoices, reads [];
    /// Writes a report on it to a file.
    buy_report(BuyReportRequest) -> SpendReport, reads [];
    /// Where notices go, and which.
    notices_get(()) -> NoticeSettings, reads ["notices"];
    /// Changes that.
    notices_set(NoticesSetRequest) -> NoticeSettings, reads [];
    /// Sends a notice by mail and webhook, to try them.
    notices_try(()) -> NoticeSettings, reads [];
    /// What a piece of work needs, and where it is best done.
    plan_options(PlanRequest) -> Plan, reads ["board", "rates", "policies", "rentals"];
    /// The models a plan knows by name.
    plan_models(()) -> Vec<PlanModelDto>, reads [];
    /// Why an offer is not the best option of a plan, or none.
    plan_why_not(PlanWhyNotRequest) -> PlanWhyNot, reads ["board", "rates", "policies", "rentals"];
    /// Whether this is the practice market.
    practice_get(()) -> Practice, reads ["practice"];
    /// Goes to the practice market or back.
    practice_set(PracticeRequest) -> Practice, reads [];
}
