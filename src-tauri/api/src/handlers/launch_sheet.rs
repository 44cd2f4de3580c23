//! The launch sheet: everything to be chosen and known before the money is spent.

use chrono::Duration;
use gpudesk_core::job::{self, Job};
use gpudesk_core::offer::{Isolation, Offer, PriceKind, Source};
use gpudesk_core::rental::RentalTerms;
use gpudesk_engine::{AccountInfo, Desk};
use rust_decimal::Decimal;

use super::rows::{self, cents, text};
use super::{accounts, evidence, market, policies, stop};
use crate::desk::ApiError;
use crate::launch::{CostRange, DiskChoice, ImageChoice, LaunchSheet, LaunchSheetRequest};
use crate::rental::Remark;

/// What there is to choose before an offer is rented.
///
/// # Errors
/// `not-found` when the offer is not on the board, `request-invalid` for hours that are none, `unsupported` where its
/// provider cannot be rented from here.
pub async fn launch_sheet(desk: &Desk, request: LaunchSheetRequest) -> Result<LaunchSheet, ApiError> {
    let (offer, shown) = market::offer_to_rent(desk, &request.offer).await?;
    let rules = gpudesk_engine::offer_terms(&offer).ok_or_else(|| not_rentable(&offer))?;
    let snapshot = desk.snapshot().await?;
    let disk_gb = disk(&offer, request.disk_gb, &rules)?;
    let hours = Decimal::try_from(request.hours).unwrap_or_default();
    let job = Job::new(hours, disk_gb.map(Decimal::from).unwrap_or_default(), Decimal::ZERO)
        .map_err(|error| ApiError::new("request-invalid", "the lease", error.to_string()))?;
    let cost = job::cost(&offer, &job, snapshot.board.rates());
    let currency = offer.price.currency.to_string();
    let infos: Vec<AccountInfo> =
        desk.accounts().await?.into_iter().filter(|info| info.name.provider() == offer.provider).collect();
    let past = desk.rentals(true).await?;
    let project = request.project.as_deref().map(str::trim).filter(|project| !project.is_empty());
    let policy = desk.policy_of(project).await?;
    let names_of = |of: fn(&gpudesk_core::rental::Rental) -> Option<&String>| {
        let mut names: Vec<String> = Vec::new();
        for name in past.iter().rev().filter_map(of) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    };
    let rings = stop::rings(desk, &offer.provider, Some(&rules), None);
    Ok(LaunchSheet {
        booking: rules.booking,
        accounts: infos.iter().map(accounts::account).collect(),
        name: free_name(&offer, &past),
        ssh_keys: super::ssh_keys::choices(desk).await,
        images: rules
            .images
            .iter()
            .map(|image| ImageChoice {
                id: image.id.clone(),
                title: image.title.clone(),
                kind: image.kind.to_string(),
            })
            .collect(),
        any_image: rules.any_image,
        disk: rules.disk.map(|range| DiskChoice {
            least: range.least,
            usual: range.usual,
            most: most_disk(&offer),
        }),
        owners: names_of(|rental| rental.record.owner.as_ref()),
        projects: names_of(|rental| rental.record.project.as_ref()),
        cost: match &cost {
            Some(cost) => CostRange {
                low: cents(cost.own.low),
                high: cents(cost.own.high),
                currency,
                unknown: cost
                    .unknown()
                    .into_iter()
                    .filter(|part| *part != "egress")
                    .map(str::to_owned)
                    .collect(),
            },
            None => {
                let compute = offer.price.per_hour * hours;
                CostRange {
                    low: cents(compute),
                    high: cents(compute),
                    currency,
                    unknown: vec!["storage".to_owned()],
                }
            }
        },
        on_expiry: rules.expiry(desk.lease_defaults().await?.on_expiry).to_string(),
        stop: stop::truth(Some(&offer), disk_gb, Some(&rules)),
        survives_closed_laptop: rings.iter().any(|ring| ring.ring != "desk" && ring.on),
        rings,
        // The provider's timer and the watchdog are the two that would; neither is armed by this version.
        remarks: remarks(desk, &offer, disk_gb, request.hours, &rules, &infos),
        policy: policies::verdicts(policy.as_slice(), &offer).pop(),
        evidence: evidence::evidence(&past, &offer.provider),
        offer: shown,
    })
}

pub(super) fn not_rentable(offer: &Offer) -> ApiError {
    let title = rows::provider_title(&offer.provider);
    let hint = match rows::rent_page(offer) {
        Some(page) => format!("Rent `{}` there by hand: {page}", offer.name),
        None => format!(
            "Rent `{}` there by hand. Offers of these can be rented from here: {}.",
            offer.name,
            gpudesk_engine::rentable_providers().join(", ")
        ),
    };
    ApiError::new(
        "unsupported",
        format!("offer `{}`", offer.id),
        format!("{title} cannot be rented from here"),
    )
    .with_hint(hint)
}

/// The disk that will be asked for; `None` where the offer brings its own.
///
/// # Errors
/// `request-invalid` where it is less than the least or more than the offer has.
pub(super) fn disk(offer: &Offer, asked: Option<u32>, rules: &RentalTerms) -> Result<Option<u32>, ApiError> {
    let Some(range) = rules.disk else {
        return match asked {
            None => Ok(None),
            Some(_) => Err(ApiError::new(
                "request-invalid",
                "the disk",
                format!("{} does not let it be chosen", rows::provider_title(&offer.provider)),
            )
            .with_hint("Leave it out: the offer brings its own disk.")),
        };
    };
    let most = most_disk(offer);
    let usual = most.map_or(range.usual, |most| range.usual.min(most));
    let gb = asked.unwrap_or(usual);
    let fits = gb >= range.least && most.is_none_or(|most| gb <= most);
    if !fits && asked.is_some() {
        let limits = match most {
            Some(most) => format!("It must be at least {} GB and at most {most} GB.", range.least),
            None => format!("It must be at least {} GB.", range.least),
        };
        return Err(ApiError::new("request-invalid", "the disk", format!("{gb} GB cannot be had here"))
            .with_hint(limits));
    }
    Ok(Some(gb))
}

/// The most disk an offer has, in whole GB.
fn most_disk(offer: &Offer) -> Option<u32> {
    offer.disk.max_gb.filter(|gb| *gb >= 1.0 && *gb < f64::from(u32::MAX)).map(|gb| gb as u32)
}

/// A name nobody else has: the card and a number, fit for a host name.
pub(super) fn free_name(offer: &Offer, taken: &[gpudesk_core::rental::Rental]) -> String {
    let card = offer.gpu.model.as_deref().unwrap_or(&offer.gpu.raw_name);
    let stem: String = card
        .split_whitespace()
        .filter(|word| !matches!(*word, "RTX" | "Tesla" | "NVIDIA" | "GeForce"))
        .take(1)
        .flat_map(str::chars)
        .filter(char::is_ascii_alphanumeric)
        .take(20)
        .collect::<String>()
        .to_ascii_lowercase();
    let stem = if stem.is_empty() { "gpu".to_owned() } else { stem };
    let free = |name: &String| !taken.iter().any(|rental| !rental.is_over() && rental.record.name == *name);
    (1..).map(|number: u32| format!("{stem}-{number}")).find(free).unwrap_or(stem)
}

fn remarks(
    desk: &Desk,
    offer: &Offer,
    disk_gb: Option<u32>,
    hours: f64,
    rules: &RentalTerms,
    infos: &[AccountInfo],
) -> Vec<Remark> {
    let mut remarks = Vec::new();
    let title = rows::provider_title(&offer.provider);
    let of_provider =
        |code: &str, weight: &str, text: String| Remark::new(code, weight, text).with("provider", &title);
    if desk.config().practice {
        remarks.push(Remark::new("practice", "note", "This is the practice market: nothing costs money."));
    }
    if rules.booking {
        let text =
            "A booking: nothing is made or stopped on the server, and its end leaves everything as it is.";
        remarks.push(Remark::new("booking", "note", text));
    } else if infos.is_empty() {
        let text = format!("There is no account at {title} yet.");
        remarks.push(of_provider("no-account", "block", text));
    } else if offer.source == Source::Catalogue {
        let text = format!(
            "Only a price list names this offer; {title} itself offers none like it now. Refresh its offers, or choose a live one."
        );
        remarks.push(of_provider("not-live", "block", text));
    }
    if rules.booking {
        // There is nothing to stop.
    } else if !rules.stop.exists {
        let text = format!("{title} has no stop: a machine can only be ended, and its disk goes with it.");
        remarks.push(of_provider("no-stop", "note", text));
    } else if !rules.stop.ends_compute {
        remarks.push(of_provider("stop-saves-nothing", "warn", format!("A stop at {title} saves nothing.")));
    } else if rules.stop.start_may_wait {
        let text = "After a stop somebody else may take the cards: a start may then wait without end.";
        remarks.push(Remark::new("start-may-wait", "note", text));
    }
    if matches!(offer.price.kind, PriceKind::Spot | PriceKind::Bid) {
        let text = format!("{title} may take this machine back at any time.");
        remarks.push(of_provider("may-be-taken", "warn", text));
    }
    if offer.isolation == Isolation::SharedHost {
        remarks.push(Remark::new(
            "shared-host",
            "warn",
            "The host is somebody else's and other tenants run under the same kernel: unfit for personal data.",
        ));
    }
    if offer.name.contains("gh200")
        || offer.gpu.model.as_deref().is_some_and(|model| model.starts_with("GH200"))
    {
        let text = "Its processor is ARM (aarch64): x86 images and wheels do not run.";
        remarks.push(Remark::new("arm64", "warn", text));
    }
    if hours > 72.0 {
        let days = (hours / 24.0).round();
        let text = format!("The lease is {days} days long.");
        remarks.push(Remark::new("long-lease", "note", text).with("days", days));
    }
    remarks.extend(infos.iter().flat_map(|info| money(desk, info, offer, disk_gb, rules)));
    remarks
}

/// What an account's own figures say about the first hour.
fn money(
    desk: &Desk,
    info: &AccountInfo,
    offer: &Offer,
    disk_gb: Option<u32>,
    rules: &RentalTerms,
) -> Vec<Remark> {
    let Some(facts) = &info.facts else { return Vec::new() };
    let of_account =
        |code: &str, weight: &str, text: String| Remark::new(code, weight, text).with("account", &info.name);
    let mut remarks: Vec<Remark> = facts
        .remarks
        .iter()
        .map(|words| {
            of_account("account-says", "note", format!("{}: {words}", info.name)).with("words", words)
        })
        .collect();
    if facts.may_write == Some(false) {
        let text = format!("The key of {} may only read. It needs: {}.", info.name, rules.key.rights);
        remarks.push(of_account("read-only-key", "block", text).with("rights", rules.key.rights));
    }
    let disk = gpudesk_core::rental::disk_rates(offer, disk_gb, rules).0.unwrap_or_default();
    let hour = offer.price.per_hour + disk;
    if facts.currency != offer.price.currency {
        return remarks;
    }
    if let Some(balance) = facts.balance
        && balance < hour
    {
        let (balance, hour) = (text(balance.round_dp(2)), text(hour.round_dp(2)));
        let when = info.checked_at.filter(|at| desk.now() - *at > Duration::minutes(10)).map(rows::time);
        let as_of = when.as_ref().map_or(String::new(), |at| format!(" (as of {at})"));
        let words = format!(
            "{} has {balance} {} left{as_of}: the first hour costs {hour}.",
            info.name, facts.currency
        );
        let remark = of_account("balance-low", "warn", words)
            .with("balance", balance)
            .with("hour", hour)
            .with("currency", facts.currency);
        remarks.push(match when {
            Some(at) => remark.with("at", at),
            None => remark,
        });
    }
    if let Some(limit) = facts.spend_limit_per_hour
        && facts.burning_per_hour.unwrap_or_default() + hour > limit
    {
        let words = format!(
            "{} may spend {} {} an hour; this machine goes beyond it.",
            info.name,
            text(limit),
            facts.currency
        );
        let remark = of_account("over-spend-limit", "warn", words);
        remarks.push(remark.with("limit", text(limit)).with("currency", facts.currency));
    }
    remarks
}
