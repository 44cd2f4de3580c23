//! `gpudesk buy`: rent or buy.

use clap::Args;
use gpudesk_api::buy::{BuyGiven, BuyReportRequest, BuyRequest};
use gpudesk_api::desk::ApiError;
use gpudesk_api::handlers;
use gpudesk_engine::Desk;

use crate::output::{print_json, print_text};
use crate::table::buy as table;

/// `gpudesk buy`. Any figure may say what it may be instead: `30000:27000..33000`.
#[derive(Debug, Args)]
pub struct BuyArgs {
    /// Model of the GPU table: its power, its price where a public source states one, and its rents on the board are
    /// taken from there.
    #[arg(long, value_name = "MODEL")]
    pub gpu: Option<String>,
    /// Price of one card.
    #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
    pub price: Option<String>,
    /// Cards.
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    pub count: u32,
    /// What running one card costs a month, beside what is said apart.
    #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
    pub running: Option<String>,
    /// Rent of one card for an hour; the median on the board unless told.
    #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
    pub rent: Option<String>,
    /// An offer whose price is that rent.
    #[arg(long, value_name = "OFFER", conflicts_with = "rent")]
    pub offer: Option<String>,
    /// What is left of the price and when: `30%@18m`, or several points `60%@12m,30%@24m`. Unless told, 30 % after 18
    /// months.
    #[arg(long, value_name = "CURVE", allow_hyphen_values = true)]
    pub resale: Option<String>,
    /// Cost of capital a year, such as `8%`; none unless told.
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true)]
    pub capital: Option<String>,
    /// For how long it is kept: `18m`, `3y`. The age of the resale unless told.
    #[arg(long, value_name = "MONTHS", allow_hyphen_values = true)]
    pub term: Option<String>,
    /// Share of all hours that is used, for the months until it has paid.
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true)]
    pub utilisation: Option<String>,
    /// Power of one card, W; the model's unless told.
    #[arg(long, value_name = "W", allow_hyphen_values = true)]
    pub watts: Option<String>,
    /// Average share of it that is drawn.
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true)]
    pub draw: Option<String>,
    /// Power of the site for each unit that reaches the cards.
    #[arg(long, value_name = "FACTOR", allow_hyphen_values = true)]
    pub pue: Option<String>,
    /// Price of a kWh.
    #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
    pub kwh: Option<String>,
    /// Where the power is bought, for its public price: `US-TX`, `FI`, `EU`.
    #[arg(long, value_name = "PLACE")]
    pub country: Option<String>,
    /// Place or hosting a month, for all cards.
    #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
    pub place: Option<String>,
    /// People a month, for all cards.
    #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
    pub people: Option<String>,
    /// Rent of one card for an hour where all hours of a term are paid; the median on the board unless told.
    #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
    pub reserved: Option<String>,
    /// Spot rent of one card for an hour; the median on the board unless told.
    #[arg(long, value_name = "AMOUNT", allow_hyphen_values = true)]
    pub spot: Option<String>,
    /// Currency of everything.
    #[arg(long, value_name = "CURRENCY", default_value = "USD")]
    pub currency: String,
    /// The comparison as CSV.
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// Also write a page to print into the desk's folder.
    #[arg(long)]
    pub page: bool,
}

/// Compares owning with renting.
pub async fn run(desk: &Desk, args: &BuyArgs, json: bool) -> Result<u8, ApiError> {
    let request = request(args);
    let answer = handlers::buy_compare(desk, request.clone()).await?;
    if !answer.missing.is_empty() {
        let options: Vec<String> = answer.missing.iter().map(|name| format!("--{name}")).collect();
        return Err(ApiError {
            code: "request-invalid".to_owned(),
            what: options.join(", "),
            detail: "not given, and nothing at hand says it".to_owned(),
            hint: Some("`gpudesk buy --help` says what each means.".to_owned()),
            line: None,
        });
    }
    if args.page {
        let report = BuyReportRequest {
            buy: request,
            form: "html".to_owned(),
            language: "en".to_owned(),
            open: false,
        };
        let report = handlers::buy_report(desk, report).await?;
        crate::output::tell(&format!("A page to print is in {}.", report.path));
    }
    if json {
        print_json(&answer)?;
    } else if args.csv {
        print_text(handlers::buy_csv(&answer)?.trim_end())?;
    } else {
        print_text(&table::comparison(&answer))?;
    }
    Ok(0)
}

fn request(args: &BuyArgs) -> BuyRequest {
    let figures = [
        ("price", &args.price),
        ("running", &args.running),
        ("rent", &args.rent),
        ("resale", &args.resale),
        ("capital", &args.capital),
        ("term", &args.term),
        ("utilisation", &args.utilisation),
        ("watts", &args.watts),
        ("draw", &args.draw),
        ("pue", &args.pue),
        ("kwh", &args.kwh),
        ("place", &args.place),
        ("people", &args.people),
        ("reserved", &args.reserved),
        ("spot", &args.spot),
    ];
    let given = figures
        .into_iter()
        .filter_map(|(name, value)| Some(BuyGiven { name: name.to_owned(), value: value.clone()? }))
        .collect();
    BuyRequest {
        gpu: args.gpu.clone(),
        count: args.count,
        country: args.country.clone(),
        offer: args.offer.clone(),
        currency: args.currency.clone(),
        given,
    }
}
