//! What each command does: ask the api, print the answer.

use gpudesk_api::desk::{ApiError, FeedReport, RefreshReport, RefreshRequest};
use gpudesk_api::handlers;
use gpudesk_api::market::{
    CompareRequest, ImportRequest, MarketPageRequest, MarketView, OfferDetailsRequest, OfferListRequest,
};
use gpudesk_api::offer::OfferDto;
use gpudesk_engine::Desk;
use serde::Serialize;

use crate::args::{Args, Command, ImportFormat, OffersArgs, QueryArgs, ShownArgs};
use crate::output::{print_json, print_text};
use crate::rental_args::RentalArg;
use crate::{accounts, budget, buy, connect, guard, hosts, plan, policies, rentals, spend, table, unmanaged};

/// Rows of a table for people, unless told.
const TABLE_ROWS: u32 = 50;

/// Runs one command and gives its exit code.
///
/// # Errors
/// Whatever the api says; the caller prints it.
pub async fn run(args: &Args) -> Result<u8, ApiError> {
    // The market runs as long as it is held: until the command is done.
    let (desk, _market) = if args.practice {
        let (desk, market) = gpudesk_api::practise(args.home.clone()).await?;
        (desk, Some(market))
    } else {
        (gpudesk_api::open(args.home.clone()).await?, None)
    };
    match &args.command {
        Command::Refresh { providers } => refresh(&desk, providers, args.json).await,
        Command::Import { format: ImportFormat::Skypilot { paths } } => {
            let paths = paths.iter().map(|p| p.to_string_lossy().into_owned()).collect();
            let report = handlers::catalogue_import(&desk, ImportRequest { paths }).await?;
            finish_report(&report, args.json)
        }
        Command::Import { format: ImportFormat::Prices { files } } => {
            let paths = files.iter().map(|p| p.to_string_lossy().into_owned()).collect();
            let report = handlers::prices_import(&desk, ImportRequest { paths }).await?;
            finish_report(&report, args.json)
        }
        Command::Offers(offers) => list(&desk, offers, args.json).await,
        Command::Gpus { query } => gpus(&desk, query, args.json).await,
        Command::Compare { ids, shown } => compare(&desk, ids, shown, args.json).await,
        Command::Price { id } => price(&desk, id, args.json).await,
        Command::Accounts { action } => accounts::run(&desk, action.as_ref(), args.json).await,
        Command::Policies { action } => policies::run(&desk, action.as_ref(), args.json).await,
        Command::Rent(rent) => rentals::rent(&desk, rent, args.json).await,
        Command::Rentals { all } => rentals::list(&desk, *all, args.json).await,
        Command::Show(RentalArg { rental }) => rentals::show(&desk, rental, args.json).await,
        Command::Events(RentalArg { rental }) => rentals::events(&desk, rental, args.json).await,
        Command::Stop(RentalArg { rental }) => rentals::stop(&desk, rental, args.json).await,
        Command::Start(RentalArg { rental }) => rentals::start(&desk, rental, args.json).await,
        Command::Extend(extend) => rentals::extend(&desk, extend, args.json).await,
        Command::Lease(lease) => rentals::lease(&desk, lease, args.json).await,
        Command::Keep(RentalArg { rental }) => rentals::keep(&desk, rental, args.json).await,
        Command::Guard(guard) => guard::run(&desk, guard, args.json).await,
        Command::Plan(plan) => plan::run(&desk, plan, args.json).await,
        Command::Spend(spend) => spend::run(&desk, spend, args.json).await,
        Command::Budget { action } => budget::run(&desk, action.as_ref(), args.json).await,
        Command::Hosts { action } => hosts::run(&desk, action.as_ref(), args.json).await,
        Command::Buy(buy) => buy::run(&desk, buy, args.json).await,
        Command::End(end) => rentals::end(&desk, end, args.json).await,
        Command::Reconcile | Command::Unmanaged { action: None } => {
            rentals::reconcile(&desk, args.json).await
        }
        Command::Unmanaged { action: Some(action) } => unmanaged::act(&desk, action, args.json).await,
        Command::Ssh { rental, command } => connect::ssh(&desk, rental, command).await,
        Command::AcceptKey { rental, fingerprint } => {
            connect::accept_key(&desk, rental, fingerprint, args.json).await
        }
        Command::SshConfig { action } => connect::ssh_config(&desk, action, args.json).await,
        Command::Forward { rental, port, local } => {
            connect::forward(&desk, rental, *port, *local, args.json).await
        }
    }
}

async fn refresh(desk: &Desk, providers: &[String], json: bool) -> Result<u8, ApiError> {
    let report = handlers::sources_refresh(desk, RefreshRequest { sources: providers.to_vec() }).await?;
    finish_report(&report, json)
}

/// Prints a report; a feed that failed makes the command fail although the others were kept.
fn finish_report(report: &RefreshReport, json: bool) -> Result<u8, ApiError> {
    if json {
        print_json(report)?;
    } else {
        print_text(&table::report(report))?;
    }
    let failed: Vec<&FeedReport> = report.feeds.iter().filter(|f| f.error.is_some()).collect();
    Ok(failed.iter().filter_map(|f| f.error.as_ref()).map(crate::exit_code).max().unwrap_or(0))
}

async fn list(desk: &Desk, args: &OffersArgs, json: bool) -> Result<u8, ApiError> {
    let view = view(&args.query, &args.sort, args.desc)?;
    let limit = args.limit.or(if json { None } else { Some(TABLE_ROWS) });
    let request = OfferListRequest { view, limit };
    if json {
        print_json(&handlers::offers_list(desk, request).await?)?;
    } else {
        print_text(&table::offers(&handlers::offers_table(desk, request).await?))?;
    }
    Ok(0)
}

/// The JSON of `gpudesk gpus`.
#[derive(Serialize)]
struct GpusJson<'a> {
    as_of: &'a str,
    currency: &'a str,
    fx: &'a Option<gpudesk_api::offer::FxDto>,
    total: u32,
    took_ms: f64,
    gpus: &'a [gpudesk_api::market::GpuGroup],
}

async fn gpus(desk: &Desk, query: &QueryArgs, json: bool) -> Result<u8, ApiError> {
    let view = view(query, "gpu-hour", false)?;
    let request = MarketPageRequest { view, offset: 0, limit: 1000, facets: false };
    let answer = handlers::market_groups(desk, request).await?;
    if json {
        print_json(&GpusJson {
            as_of: &answer.as_of,
            currency: &answer.currency,
            fx: &answer.fx,
            total: answer.total,
            took_ms: answer.took_ms,
            gpus: &answer.groups,
        })?;
    } else {
        print_text(&table::groups(&answer))?;
    }
    Ok(0)
}

/// The JSON of `gpudesk compare`: the offers in the shape of `offers`, then the lines.
#[derive(Serialize)]
struct CompareJson<'a> {
    as_of: &'a str,
    currency: &'a str,
    fx: &'a Option<gpudesk_api::offer::FxDto>,
    offers: Vec<&'a OfferDto>,
    lines: &'a [gpudesk_api::market::CompareLine],
}

async fn compare(desk: &Desk, ids: &[String], shown: &ShownArgs, json: bool) -> Result<u8, ApiError> {
    let job = shown.job.as_deref().map(gpudesk_api::parse_job).transpose()?;
    let request = CompareRequest { ids: ids.to_vec(), job, currency: shown.currency.clone() };
    let answer = handlers::offers_compare(desk, request).await?;
    if let Some(gone) = answer.gone.first() {
        return Err(ApiError::offer_not_found(gone));
    }
    if json {
        print_json(&CompareJson {
            as_of: &answer.as_of,
            currency: &answer.currency,
            fx: &answer.fx,
            offers: answer.columns.iter().map(|c| &c.offer).collect(),
            lines: &answer.lines,
        })?;
    } else {
        print_text(&table::comparison(&answer))?;
    }
    Ok(0)
}

/// The JSON of `gpudesk price`.
#[derive(Serialize)]
struct PriceJson<'a> {
    id: &'a str,
    origin: &'a str,
    currency: &'a str,
    per_hour: &'a str,
    meter: &'a Option<gpudesk_api::offer::MeterDto>,
    rent_page: &'a Option<String>,
    history: &'a [gpudesk_api::market::PricePoint],
}

async fn price(desk: &Desk, id: &str, json: bool) -> Result<u8, ApiError> {
    let request = OfferDetailsRequest { id: id.to_owned(), job: None, currency: "USD".to_owned() };
    let answer = handlers::offer_details(desk, request).await?;
    if json {
        print_json(&PriceJson {
            id,
            origin: &answer.origin,
            currency: &answer.row.offer.price.currency,
            per_hour: &answer.row.offer.price.per_hour,
            meter: &answer.row.offer.price.meter,
            rent_page: &answer.row.offer.rent_page,
            history: &answer.history,
        })?;
    } else {
        print_text(&table::history(&answer))?;
    }
    Ok(0)
}

fn view(query: &QueryArgs, sort: &str, descending: bool) -> Result<MarketView, ApiError> {
    Ok(MarketView {
        line: query.words.join(" "),
        sort: sort.to_owned(),
        descending,
        job: query.shown.job.as_deref().map(gpudesk_api::parse_job).transpose()?,
        currency: query.shown.currency.clone(),
        include_unknown: query.include_unknown,
        include_quarantine: query.include_quarantine,
    })
}
