//! What a cloud can, what a key of it may do, and how its offers fare, in the contract's shape.

use gpudesk_core::offer::PriceKind;
use gpudesk_core::rental::{KeyScope as Scope, KeyUse, RentalTerms};
use gpudesk_engine::{AccountFacts, AccountInfo};

use crate::cloud::{CallRate, CloudHealth, KeyField, KeyScope};
use crate::desk::SourceStatus;

/// The code of an answer that says that it was asked too often.
pub(super) const RATE_LIMITED: &str = "rate-limited";

/// Codes of a check that failed because the key is worth nothing.
const WORTHLESS: [&str; 3] = ["bad-key", "forbidden", "no-key"];

pub(super) fn fields(terms: &RentalTerms) -> Vec<KeyField> {
    let shape = |field: &gpudesk_core::rental::KeyField| KeyField {
        name: field.name.to_owned(),
        title: field.title.to_owned(),
        secret: field.secret,
        required: field.required,
        example: field.example.to_owned(),
    };
    terms.key.fields.iter().map(shape).collect()
}

fn scope(terms: &RentalTerms, scope: &Scope) -> KeyScope {
    KeyScope {
        name: scope.name.to_owned(),
        allows: scope.allows.iter().map(ToString::to_string).collect(),
        needed: scope.needed,
        page: terms.key.page_of(scope).to_owned(),
    }
}

pub(super) fn scopes(terms: &RentalTerms) -> Vec<KeyScope> {
    terms.key.scopes.iter().map(|one| scope(terms, one)).collect()
}

/// The rights that the key was seen to lack.
pub(super) fn missing(terms: &RentalTerms, facts: Option<&AccountFacts>) -> Vec<KeyScope> {
    let lacks = |one: &&Scope| facts.is_some_and(|facts| facts.missing.iter().any(|name| name == one.name));
    terms.key.scopes.iter().filter(lacks).map(|one| scope(terms, one)).collect()
}

pub(super) fn rates(terms: &RentalTerms) -> Vec<CallRate> {
    let shape = |rate: &gpudesk_core::rental::CallRate| CallRate {
        what: rate.what.to_owned(),
        calls: rate.calls,
        per_s: rate.per.as_secs_f64(),
        page: rate.page.to_owned(),
    };
    terms.rates.iter().map(shape).collect()
}

/// What works: with every right, or with the key of an account.
pub(super) fn can(terms: &RentalTerms, of: Option<&AccountInfo>) -> Vec<String> {
    if of.and_then(|info| info.error.as_ref()).is_some_and(|error| WORTHLESS.contains(&error.code.as_str())) {
        return Vec::new();
    }
    let facts = of.and_then(|info| info.facts.as_ref());
    let lacks = |needed: KeyUse| {
        let named =
            |one: &&Scope| facts.is_some_and(|facts| facts.missing.iter().any(|name| name == one.name));
        terms.key.scopes.iter().filter(named).any(|one| one.allows.contains(&needed))
    };
    let rent = facts.is_none_or(|facts| facts.may_write != Some(false)) && !lacks(KeyUse::Rent);
    [
        ("offers", !lacks(KeyUse::Offers)),
        ("watch", facts.is_none_or(|facts| facts.may_read != Some(false)) && !lacks(KeyUse::Watch)),
        ("rent", rent),
        ("stop", rent && terms.stop.exists),
        ("spot", rent && terms.rents(PriceKind::Spot)),
        ("bid", rent && terms.rents(PriceKind::Bid)),
        ("balance", terms.tells_balance && !lacks(KeyUse::Balance)),
        ("usage", terms.tells_usage && !lacks(KeyUse::Usage)),
    ]
    .into_iter()
    .filter(|(_, works)| *works)
    .map(|(word, _)| word.to_owned())
    .collect()
}

/// How the offers of a cloud's own source fare.
pub(super) fn health(source: Option<&SourceStatus>) -> CloudHealth {
    let feeds = source.map(|source| source.feeds.as_slice()).unwrap_or_default();
    let sum = |of: fn(&crate::desk::FeedStatus) -> u32| feeds.iter().map(of).fold(0, u32::saturating_add);
    let failed = feeds.iter().find_map(|feed| feed.error.clone());
    // The worst of its feeds.
    let worst = |word: &str| feeds.iter().any(|feed| feed.state == word);
    let state = if source.is_some_and(|source| source.needs_account) {
        "needs-account"
    } else if worst("failed") {
        "failed"
    } else if feeds.iter().all(|feed| feed.state == "never") {
        "never"
    } else if worst("stale") {
        "stale"
    } else {
        "ok"
    };
    let newest = feeds
        .iter()
        .filter(|feed| feed.age_s.is_some())
        .min_by(|a, b| a.age_s.unwrap_or(f64::INFINITY).total_cmp(&b.age_s.unwrap_or(f64::INFINITY)));
    CloudHealth {
        state: state.to_owned(),
        refreshed_at: newest.and_then(|feed| feed.as_of.clone()),
        age_s: newest.and_then(|feed| feed.age_s),
        offers: sum(|feed| feed.offers),
        rows_read: sum(|feed| feed.rows_read),
        rows_not_gpu: sum(|feed| feed.rows_not_gpu),
        quarantined: sum(|feed| feed.quarantined),
        rate_limited: failed.as_ref().is_some_and(|error| error.code == RATE_LIMITED),
        error: failed,
    }
}

#[cfg(test)]
mod tests {
    use gpudesk_core::money::Currency;
    use gpudesk_engine::{AccountName, AccountState};

    use super::*;

    const SCOPES: &[Scope] = &[
        Scope { name: "machines", allows: &[KeyUse::Watch, KeyUse::Rent], needed: true, page: "" },
        Scope { name: "bills", allows: &[KeyUse::Usage], needed: false, page: "https://b.example" },
    ];

    fn terms() -> RentalTerms {
        let mut terms = RentalTerms { tells_usage: true, tells_balance: true, ..RentalTerms::plain() };
        terms.stop.exists = true;
        terms.key.scopes = SCOPES;
        terms.key.page = "https://keys.example";
        terms
    }

    fn info(facts: AccountFacts) -> AccountInfo {
        AccountInfo {
            name: AccountName::new("vast", "").unwrap(),
            key_in: "keyring",
            state: AccountState::Ok,
            facts: Some(facts),
            checked_at: None,
            error: None,
            address: String::new(),
            proxy: String::new(),
            ca_file: String::new(),
        }
    }

    #[test]
    fn what_works_follows_from_the_terms_and_what_the_key_lacks() {
        let terms = terms();
        assert_eq!(can(&terms, None), ["offers", "watch", "rent", "stop", "balance", "usage"]);
        let mut facts = AccountFacts::unknown(Currency::USD);
        assert_eq!(
            can(&terms, Some(&info(facts.clone()))),
            can(&terms, None),
            "unknown rights are no missing ones"
        );
        facts.may_write = Some(false);
        facts.missing = vec!["bills".to_owned()];
        assert_eq!(can(&terms, Some(&info(facts.clone()))), ["offers", "watch", "balance"]);
        let lacking = missing(&terms, Some(&facts));
        assert_eq!(lacking.len(), 1);
        assert_eq!((lacking[0].page.as_str(), lacking[0].needed), ("https://b.example", false));
        assert_eq!(scopes(&terms)[0].page, "https://keys.example");
    }

    #[test]
    fn a_cloud_without_an_account_says_that_it_needs_one() {
        let source = SourceStatus {
            name: "lambda".to_owned(),
            title: "Lambda".to_owned(),
            feeds: Vec::new(),
            busy: false,
            needs_account: true,
        };
        assert_eq!(health(Some(&source)).state, "needs-account");
        assert_eq!(health(Some(&SourceStatus { needs_account: false, ..source })).state, "never");
        assert_eq!(health(None).state, "never");
    }
}
