//! GPUs by the second: classes of cards of which a worker gets one, billed from its start to its full stop. Their list
//! ships with the desk; a class that names several cards does not say which one comes.

use std::collections::BTreeMap;

use gpudesk_core::feed::ReasonCode;
use gpudesk_core::meter::Meter;
use gpudesk_core::money::Currency;
use gpudesk_core::offer::{
    Disk, Form, Isolation, Net, Offer, OfferGpu, Place, Price, Source, Supply, SupplyState,
};
use gpudesk_core::place::seller;
use gpudesk_core::quarantine::{Row, price};
use gpudesk_core::terms::list_price;

use super::CatalogueError;
use super::csv_table::{CsvTable, amount};
use crate::card;
use crate::resold::slug;

/// The rows of the list by provider and source.
pub(super) type Lists = BTreeMap<(String, String), Vec<Row>>;

/// Reads the list.
pub(super) fn read(text: &str) -> Result<Lists, CatalogueError> {
    let table = CsvTable::open(text)?;
    let [provider, source, class, vram, second, currency] = [
        table.required("provider")?,
        table.required("source")?,
        table.required("class")?,
        table.required("vram_gib")?,
        table.required("per_second")?,
        table.required("currency")?,
    ];
    let mut lists = Lists::new();
    table.each_line(|line| {
        let Ok(fields) = line.fields else { return };
        let origin = format!("{}, row {}", source.of(fields), line.number);
        let row = match (price(second.of(fields)), currency.of(fields).parse::<Currency>()) {
            (Ok(price), Ok(currency)) => {
                let listed = (class.of(fields), amount(vram.of(fields)));
                row(provider.of(fields), listed, Meter::Second { price }, currency, origin)
            }
            (Err(reason), _) => Row::bad(origin, reason.code, reason.detail),
            (_, Err(_)) => Row::bad(origin, ReasonCode::Unreadable, "no currency"),
        };
        let key = (provider.of(fields).to_owned(), source.of(fields).to_owned());
        lists.entry(key).or_default().push(row);
    });
    Ok(lists)
}

fn row(
    provider: &str,
    (class, vram_gib): (&str, Option<f64>),
    meter: Meter,
    currency: Currency,
    origin: String,
) -> Row {
    let Some(per_hour) = meter.per_hour() else {
        return Row::bad(origin, ReasonCode::PriceAbsurd, "a second costs more than any currency asks");
    };
    // `PRO` is the provider's word for its faster class, and no part of the card's name.
    let named = class.trim_end_matches("PRO").trim();
    let gpu = if class.contains(',') {
        OfferGpu { model: None, count: 1, fraction: None, vram_gib, link: None, raw_name: class.to_owned() }
    } else {
        OfferGpu { raw_name: class.to_owned(), ..card::whole(provider, named.to_owned(), class, 1, vram_gib) }
    };
    let offer = Offer {
        id: format!("{provider}:{}", slug(&class.to_lowercase())),
        provider: provider.to_owned(),
        cloud: provider.to_owned(),
        source: Source::Catalogue,
        name: class.to_owned(),
        form: Form::Serverless,
        isolation: Isolation::SharedHost,
        gpu,
        fabric: None,
        vcpu: None,
        ram_gib: None,
        disk: Disk::default(),
        net: Net::default(),
        driver: None,
        cuda: None,
        reliability: None,
        verified: None,
        place: Place { region: None, country: None, seller: seller(provider).map(str::to_owned) },
        price: Price { meter: Some(meter), increment_s: Some(1), ..list_price(provider, per_hour, currency) },
        supply: Supply { state: SupplyState::Unknown, count: None },
        flags: Vec::new(),
    };
    Row::Offers { origin, offers: vec![offer] }
}
