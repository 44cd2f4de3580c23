//! `gpudesk rent`, `rentals`, `show`, `events`, `stop`, `start`, `extend`, `end`, `reconcile`.
//!
//! Whatever is asked for is written down before it is asked: a command that ends early leaves a state from which the
//! next one, or the window, goes on.

use std::io::{IsTerminal, Write};
use std::time::Duration;

use gpudesk_api::desk::ApiError;
use gpudesk_api::guard::LeaseSetRequest;
use gpudesk_api::handlers;
use gpudesk_api::launch::{LaunchOutcome, LaunchRequest, LaunchSheetRequest, OfferEnd, OfferEndRequest};
use gpudesk_api::rental::{ExtendRequest, RentalDto, RentalRequest, RentalsRequest};
use gpudesk_engine::{Desk, Event};
use tokio::sync::broadcast::error::RecvError;

use crate::output::{print_json, print_text};
use crate::rental_args::{EndArgs, ExtendArgs, LeaseArgs, RentArgs};
use crate::table::rentals as table;

/// The longest a provider is waited for before what is known is shown.
const FRESH: Duration = Duration::from_secs(15);
/// The longest a stop, start or end is waited for; it goes on at the provider all the same.
const CONFIRM: Duration = Duration::from_secs(180);

/// How long news of this process are waited for before it is looked anew: another one may act on the same rental.
const ANEW: Duration = Duration::from_secs(2);

/// Rents an offer.
pub async fn rent(desk: &Desk, args: &RentArgs, json: bool) -> Result<u8, ApiError> {
    let usual = handlers::settings_get(desk, ()).await?.lease;
    let hours = args.hours.unwrap_or(usual.hours);
    let can_ask = !args.yes && std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    if can_ask {
        let request = LaunchSheetRequest {
            offer: args.offer.clone(),
            disk_gb: args.disk,
            hours,
            project: args.project.clone(),
        };
        let sheet = handlers::launch_sheet(desk, request).await?;
        eprintln!("{}", table::sheet(&sheet, hours));
        let end = OfferEndRequest { offer: args.offer.clone(), account: args.account.clone() };
        // Where this cannot be told, the launch itself says what is wrong.
        if let Ok(OfferEnd { ends_at: Some(at) }) = handlers::offer_end(desk, end).await {
            eprintln!("The offer ends at {at}: a lease beyond that is refused.");
        }
        if !asked("Rent it?")? {
            return Err(declined("it was not rented"));
        }
    }
    let mut request = LaunchRequest {
        offer: args.offer.clone(),
        account: args.account.clone(),
        name: args.name.clone(),
        ssh_key: args.ssh_key.as_ref().map(|file| format!("file:{}", file.display())).unwrap_or_default(),
        image: args.image.clone(),
        disk_gb: args.disk,
        hours: Some(hours),
        max_spend: args.max_spend.clone(),
        idle_minutes: args.idle.or(usual.idle_minutes),
        on_expiry: args.on_expiry.clone().unwrap_or_default(),
        owner: args.owner.clone(),
        project: args.project.clone(),
        max_price: args.max_price.clone(),
        override_policy: args.override_policy.clone(),
    };
    // A price may rise while its rise is being asked about.
    let rental = loop {
        match handlers::launch(desk, request.clone()).await? {
            LaunchOutcome::Requested { rental } => break *rental,
            LaunchOutcome::PriceRose { allowed, now, currency } => {
                let text = format!("the price is {now} {currency} an hour, {allowed} was allowed");
                let yes = match (args.yes, &args.max_price, can_ask) {
                    // The limit was named: it is the answer.
                    (true, None, _) => true,
                    (false, _, true) => asked(&format!("Now {text}. Rent it all the same?"))?,
                    _ => false,
                };
                if !yes {
                    return Err(declined(&text));
                }
                request.max_price = Some(now);
            }
            LaunchOutcome::Gone { words, nearest } => {
                if json {
                    print_json(&LaunchOutcome::Gone { words: words.clone(), nearest })?;
                } else if !nearest.is_empty() {
                    eprintln!("{}", table::nearest(&nearest));
                }
                return Err(ApiError {
                    code: "not-found".to_owned(),
                    what: format!("offer `{}`", args.offer),
                    detail: format!("it is gone: {words}"),
                    hint: Some("`gpudesk refresh` asks for offers anew.".to_owned()),
                    line: None,
                });
            }
        }
    };
    let rental = if args.wait { follow(desk, rental, 0, None, is_up).await? } else { rental };
    show_one(&rental, json)?;
    Ok(match rental.state.as_str() {
        "failed" | "lost" | "preempted" | "ended" => 4,
        _ => 0,
    })
}

/// Sets the limits of a rental anew; what is not named stays.
pub async fn lease(desk: &Desk, args: &LeaseArgs, json: bool) -> Result<u8, ApiError> {
    let request = RentalRequest { rental: args.rental.clone() };
    let now = handlers::rental_get(desk, request).await?.rental.lease;
    let until = match args.hours {
        None => now.until,
        Some(0.0) => None,
        Some(hours) => Some(handlers::hours_from_now(desk, hours)?),
    };
    let max_spend = match args.max_spend.as_deref().map(str::trim) {
        None => now.max_spend,
        Some("0") => None,
        Some(most) => Some(most.to_owned()),
    };
    let request = LeaseSetRequest {
        rental: args.rental.clone(),
        until,
        max_spend,
        idle_minutes: args.idle.or(now.idle_minutes).filter(|minutes| *minutes > 0),
        on_expiry: args.on_expiry.clone().unwrap_or(now.on_expiry),
    };
    show_one(&handlers::rental_lease_set(desk, request).await?, json)?;
    Ok(0)
}

/// Says that a rental is needed.
pub async fn keep(desk: &Desk, rental: &str, json: bool) -> Result<u8, ApiError> {
    let request = RentalRequest { rental: rental.to_owned() };
    show_one(&handlers::rental_keep(desk, request).await?, json)?;
    Ok(0)
}

fn declined(text: &str) -> ApiError {
    ApiError {
        code: "refused".to_owned(),
        what: "the rental".to_owned(),
        detail: text.to_owned(),
        hint: Some("Allow it with --max-price PRICE, or with --yes.".to_owned()),
        line: None,
    }
}

/// Asks on standard error; anything but yes is no.
pub fn asked(question: &str) -> Result<bool, ApiError> {
    eprint!("{question} [y/N] ");
    std::io::stderr().flush().map_err(|error| ApiError::output(&error))?;
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).map_err(|error| ApiError::input(&error))?;
    Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes" | "д" | "да"))
}

/// Whether it came up, or will not by itself.
fn is_up(rental: &RentalDto) -> bool {
    !matches!(rental.state.as_str(), "requested" | "provisioning" | "booting" | "verifying" | "starting")
}

/// How much of its story there is, so that only what comes is told.
async fn told_so_far(desk: &Desk, rental: &str) -> Result<usize, ApiError> {
    Ok(handlers::rental_get(desk, RentalRequest { rental: rental.to_owned() }).await?.events.len())
}

/// Watches a rental until it is `done`, its news on standard error.
async fn follow(
    desk: &Desk,
    mut rental: RentalDto,
    mut told: usize,
    limit: Option<Duration>,
    done: impl Fn(&RentalDto) -> bool,
) -> Result<RentalDto, ApiError> {
    let mut events = desk.events();
    desk.watch_rentals();
    let watching = RentalRequest { rental: rental.id.clone() };
    let following = async {
        loop {
            let details =
                handlers::rental_get(desk, RentalRequest { rental: watching.rental.clone() }).await?;
            for event in details.events.iter().skip(told) {
                eprintln!("{}  {}", event.at, event.text);
            }
            told = details.events.len();
            if done(&details.rental) {
                return Ok(details.rental);
            }
            loop {
                match tokio::time::timeout(ANEW, events.recv()).await {
                    Err(_) | Ok(Ok(Event::RentalsChanged { .. }) | Err(RecvError::Lagged(_))) => break,
                    Ok(Ok(_)) => {}
                    Ok(Err(RecvError::Closed)) => {
                        return Err(ApiError {
                            code: "internal".to_owned(),
                            what: "the engine".to_owned(),
                            detail: "it ended while a rental was watched".to_owned(),
                            hint: None,
                            line: None,
                        });
                    }
                }
            }
        }
    };
    match limit {
        None => following.await,
        Some(limit) => match tokio::time::timeout(limit, following).await {
            Ok(done) => done,
            Err(_) => {
                rental = handlers::rental_get(desk, watching).await?.rental;
                eprintln!(
                    "Not confirmed after {} s; the provider goes on, and so does any later `gpudesk` command.",
                    limit.as_secs()
                );
                Ok(rental)
            }
        },
    }
}

fn show_one(rental: &RentalDto, json: bool) -> Result<(), ApiError> {
    if json { print_json(rental) } else { print_text(&table::one(rental)) }
}

/// One step in the life of each rental, so that what is shown is what holds now. A provider that is slow or silent
/// keeps nobody from what is known.
async fn freshen(desk: &Desk) {
    match tokio::time::timeout(FRESH, desk.tend()).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!("{error}"),
        Err(_) => {
            eprintln!("gpudesk: a provider did not answer in time; what follows is what was known before")
        }
    }
}

/// What runs.
pub async fn list(desk: &Desk, all: bool, json: bool) -> Result<u8, ApiError> {
    freshen(desk).await;
    let page = handlers::rentals_list(desk, RentalsRequest { all }).await?;
    if json {
        print_json(&page)?
    } else {
        print_text(&table::page(&page))?
    }
    Ok(0)
}

/// One of them.
pub async fn show(desk: &Desk, rental: &str, json: bool) -> Result<u8, ApiError> {
    freshen(desk).await;
    let request = || RentalRequest { rental: rental.to_owned() };
    desk.see_watchdog(&handlers::rental_get(desk, request()).await?.rental.id).await;
    let details = handlers::rental_get(desk, request()).await?;
    if json {
        print_json(&details.rental)?;
    } else {
        print_text(&table::details(&details))?;
    }
    Ok(0)
}

/// Its story.
pub async fn events(desk: &Desk, rental: &str, json: bool) -> Result<u8, ApiError> {
    let details = handlers::rental_get(desk, RentalRequest { rental: rental.to_owned() }).await?;
    if json {
        print_json(&details.events)?
    } else {
        print_text(&table::events(&details.events))?
    }
    Ok(0)
}

/// Stops it and waits for the provider's word.
pub async fn stop(desk: &Desk, rental: &str, json: bool) -> Result<u8, ApiError> {
    let told = told_so_far(desk, rental).await?;
    let rental = handlers::rental_stop(desk, RentalRequest { rental: rental.to_owned() }).await?;
    let rental = follow(desk, rental, told, Some(CONFIRM), |rental| rental.state != "stopping").await?;
    show_one(&rental, json)?;
    Ok(if rental.state == "stopped" { 0 } else { 4 })
}

/// Starts it and waits for the provider's word.
pub async fn start(desk: &Desk, rental: &str, json: bool) -> Result<u8, ApiError> {
    let told = told_so_far(desk, rental).await?;
    let rental = handlers::rental_start(desk, RentalRequest { rental: rental.to_owned() }).await?;
    let rental = follow(desk, rental, told, Some(CONFIRM), is_up).await?;
    show_one(&rental, json)?;
    Ok(if rental.state == "ready" { 0 } else { 4 })
}

/// Gives it more time.
pub async fn extend(desk: &Desk, args: &ExtendArgs, json: bool) -> Result<u8, ApiError> {
    let request = ExtendRequest { rental: args.rental.clone(), hours: args.hours };
    show_one(&handlers::rental_extend(desk, request).await?, json)?;
    Ok(0)
}

/// Ends it: the checklist, the question, the end, the receipt.
pub async fn end(desk: &Desk, args: &EndArgs, json: bool) -> Result<u8, ApiError> {
    let request = || RentalRequest { rental: args.rental.clone() };
    let list = handlers::rental_end_checklist(desk, request()).await?;
    eprintln!("{}", table::checklist(&list));
    if !args.yes && !list.rental.over {
        if !std::io::stdin().is_terminal() {
            return Err(ApiError {
                code: "refused".to_owned(),
                what: format!("rental `{}`", list.rental.name),
                detail: "nobody is there to confirm its end".to_owned(),
                hint: Some("Say --yes to end it without a question.".to_owned()),
                line: None,
            });
        }
        if !asked(&format!("End `{}` for good?", list.rental.name))? {
            return Err(ApiError {
                code: "refused".to_owned(),
                what: format!("rental `{}`", list.rental.name),
                detail: "it was not ended".to_owned(),
                hint: None,
                line: None,
            });
        }
    }
    let id = list.rental.id.clone();
    let told = told_so_far(desk, &id).await?;
    let rental = handlers::rental_end(desk, RentalRequest { rental: id.clone() }).await?;
    let rental = follow(desk, rental, told, Some(CONFIRM), |rental| rental.over).await?;
    if json {
        print_json(&rental)?;
    } else {
        let details = handlers::rental_get(desk, RentalRequest { rental: id }).await?;
        print_text(&details.receipt.unwrap_or_else(|| table::one(&rental)))?;
    }
    Ok(if rental.over { 0 } else { 4 })
}

/// Compares accounts and records.
pub async fn reconcile(desk: &Desk, json: bool) -> Result<u8, ApiError> {
    let report = handlers::reconcile(desk, ()).await?;
    if json {
        print_json(&report)?
    } else {
        print_text(&table::reconciled(&report))?
    }
    Ok(report.blind.iter().map(|account| crate::exit_code(&account.error)).max().unwrap_or(0))
}
