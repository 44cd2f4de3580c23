//! What each command does: read the request, ask the engine or the board, shape the answer. No rule of the domain
//! lives here.

mod accounts;
mod budgets;
mod buy;
mod buy_file;
mod buy_given;
mod buy_market;
mod buy_typed;
mod by_hand;
mod cloud_shape;
mod compare;
mod connect;
mod copy;
mod end_checklist;
mod evidence;
mod groups;
mod guard;
mod launch;
mod launch_sheet;
mod ledger_file;
mod life;
mod market;
mod own;
mod plan;
mod plan_assumed;
mod plan_read;
mod plan_slice;
mod plan_typed;
mod plan_words;
mod policies;
mod query;
mod remark;
mod rental_shape;
mod rows;
mod settings;
mod sources;
mod spend;

mod ssh_keys;
mod stop;
mod story;
mod unmanaged;
mod watches;

pub use accounts::{
    account_add, account_add_and_fetch, account_check, account_remove, accounts_list, one as account,
};
pub use budgets::{budget_effect, budget_remove, budget_set, budgets_list};
pub use buy::{buy_choices, buy_compare, buy_csv, buy_report};
pub use by_hand::offer_page_open;
pub use compare::offers_compare;
pub use connect::{
    copies, copy_cancel, copy_start, forward_close, forward_open, forwards, forwards_list, host_key_accept,
    open_in, ssh_include, terminal_close, terminal_open, terminal_read, terminal_resize, terminal_write,
};
pub use copy::offers_copy;
pub use end_checklist::rental_end_checklist;
pub use groups::market_groups;
pub use guard::{
    guard_once, hours_from_now, notices_get, notices_set, notices_try, rental_keep, rental_lease_set,
};
pub use launch::{launch, offer_end};
pub use launch_sheet::launch_sheet;
pub use life::{rental_end, rental_extend, rental_get, rental_start, rental_stop, rentals_list};
pub use market::{market_page, offer_details, offers_list, offers_table};
pub use own::{host_add, host_add_one, host_remove, hosts_check, hosts_list};
pub use plan::{plan_models, plan_options, plan_why_not};
pub use policies::{policies_list, policy_remove, policy_set, project_policy_set};
pub use query::{query_edit, query_parse};
pub use settings::{diagnostics_get, rates_get, settings_get, settings_set};
pub use sources::{catalogue_import, prices_import, quarantine_list, sources_list, sources_refresh};
pub use spend::{spend_csv, spend_page, spend_report};
pub use unmanaged::{reconcile, unmanaged_act};
pub use watches::{watch_add, watch_remove, watches_list};
