//! From a row of a sheet to an offer, or what is wrong with it.

use chrono::NaiveDate;
use csv::StringRecord;
use gpudesk_core::feed::ReasonCode;
use gpudesk_core::money::Currency;
use gpudesk_core::offer::{
    Disk, Form, Isolation, Net, Offer, OfferGpu, Place, Price, PriceKind, Source, Supply, SupplyState,
};
use gpudesk_core::place::{canonical_provider, country, locate, seller};
use gpudesk_core::quarantine::Row;
use gpudesk_core::terms::{USUAL_MONTH_HOURS, list_price};
use rust_decimal::Decimal;

use super::cell;
use crate::card;
use crate::catalogue::CatalogueError;
use crate::catalogue::csv_table::{Column, CsvTable};
use crate::http::redact;
use crate::resold::slug;

/// Where the columns stand. Only the first four must be there.
pub(super) struct Columns {
    seller: Column,
    card: Column,
    price: Column,
    currency: Column,
    count: Column,
    share: Column,
    vram: Column,
    per: Column,
    of: Column,
    name: Column,
    form: Column,
    kind: Column,
    term: Column,
    vcpu: Column,
    ram: Column,
    disk: Column,
    region: Column,
    country: Column,
    seller_country: Column,
    link: Column,
    valid_until: Column,
}

type Bad = (ReasonCode, String);

impl Columns {
    pub(super) fn find(table: &CsvTable<'_>) -> Result<Self, CatalogueError> {
        Ok(Self {
            seller: table.required("seller")?,
            card: table.required("card")?,
            price: table.required("price")?,
            currency: table.required("currency")?,
            count: table.column(&["count"]),
            share: table.column(&["share"]),
            vram: table.column(&["vram_gib", "vram"]),
            per: table.column(&["per"]),
            of: table.column(&["price_of"]),
            name: table.column(&["name"]),
            form: table.column(&["form"]),
            kind: table.column(&["kind"]),
            term: table.column(&["term"]),
            vcpu: table.column(&["vcpu"]),
            ram: table.column(&["ram_gib", "ram"]),
            disk: table.column(&["disk_gb", "disk"]),
            region: table.column(&["place", "region"]),
            country: table.column(&["country"]),
            seller_country: table.column(&["seller_country"]),
            link: table.column(&["link"]),
            valid_until: table.column(&["valid_until"]),
        })
    }

    /// A row, which is an offer or is kept aside with the reason.
    pub(super) fn row(&self, fields: &StringRecord, origin: String, today: NaiveDate) -> Row {
        match self.offer(fields, today) {
            Ok(offer) => Row::Offers { origin, offers: vec![offer] },
            Err((code, detail)) => Row::bad(origin, code, detail),
        }
    }

    fn offer(&self, fields: &StringRecord, today: NaiveDate) -> Result<Offer, Bad> {
        let text = |column: Column| redact::words(column.of(fields));
        let needed = |column: Column, name: &str| {
            Some(text(column)).filter(|text| !text.is_empty()).ok_or_else(|| unreadable(format!("no {name}")))
        };
        if let Some(until) = self.valid_until(fields)?.filter(|until| *until < today) {
            return Err((ReasonCode::Expired, format!("the price held until {until}")));
        }
        let seller_name = needed(self.seller, "seller")?;
        let raw = needed(self.card, "card")?;
        let own = slug(&seller_name.to_lowercase());
        let provider = canonical_provider(&own).to_owned();
        if provider.is_empty() {
            return Err(unreadable(format!("seller `{seller_name}` has no letter or digit")));
        }
        let (count, share) = self.cards(fields)?;
        let region = text(self.region);
        let place = self.place(fields, &provider, &region)?;
        let (price, form) = (self.price(fields, &provider, count)?, self.form(fields, share)?);
        let name = Some(text(self.name)).filter(|name| !name.is_empty());
        let machine = name.clone().unwrap_or_else(|| raw.clone());
        let mut gpu = card::whole(&provider, raw, &machine, count, optional(fields, self.vram, "vram_gib")?);
        if let Some(share) = share {
            gpu = OfferGpu { fraction: Some(share), ..gpu };
        }
        let term = price.term.as_deref().map(|term| format!("-{}", slug(term))).unwrap_or_default();
        let shares = share.map(|share| format!("-{share}")).unwrap_or_default();
        let at = if region.is_empty() { String::new() } else { format!("@{}", slug(&region.to_lowercase())) };
        Ok(Offer {
            id: format!(
                "{provider}:{}-x{count}{shares}{at}-{}{term}",
                slug(&machine.to_lowercase()),
                price.kind
            ),
            cloud: provider.clone(),
            provider,
            source: Source::Catalogue,
            name: machine,
            form,
            isolation: isolation(form),
            gpu,
            fabric: None,
            vcpu: optional(fields, self.vcpu, "vcpu")?,
            ram_gib: optional(fields, self.ram, "ram_gib")?,
            disk: Disk { included_gb: optional(fields, self.disk, "disk_gb")?, max_gb: None },
            net: Net::default(),
            driver: None,
            cuda: None,
            reliability: None,
            verified: None,
            place,
            price,
            supply: Supply { state: SupplyState::Unknown, count: None },
            flags: Vec::new(),
        })
    }

    fn valid_until(&self, fields: &StringRecord) -> Result<Option<NaiveDate>, Bad> {
        match self.valid_until.of(fields) {
            "" => Ok(None),
            text => {
                cell::date(text).map(Some).ok_or_else(|| odd("valid_until", text, "2026-12-31 or 31.12.2026"))
            }
        }
    }

    /// Whole cards, and the share of one where a part is offered.
    fn cards(&self, fields: &StringRecord) -> Result<(u32, Option<f64>), Bad> {
        let share = match self.share.of(fields) {
            "" => None,
            text => match cell::size(text).filter(|share| *share < 1.0) {
                Some(share) => Some(share),
                None => return Err(odd("share", text, "a part of one card, such as 0.5")),
            },
        };
        let count = match self.count.of(fields) {
            "" => 1,
            text => text.parse().ok().filter(|count| *count > 0).ok_or_else(|| {
                (
                    ReasonCode::CountImpossible,
                    format!("count `{}`: a whole number of cards", redact::words(text)),
                )
            })?,
        };
        match share {
            Some(_) if count != 1 => {
                Err((ReasonCode::CountImpossible, format!("a share of one card, and {count} cards")))
            }
            share => Ok((count, share)),
        }
    }

    fn price(&self, fields: &StringRecord, provider: &str, count: u32) -> Result<Price, Bad> {
        let stated = self.price.of(fields);
        if stated.is_empty() {
            return Err((ReasonCode::PriceMissing, "no price".to_owned()));
        }
        let amount = cell::number(stated).filter(|amount| *amount > Decimal::ZERO);
        let amount = amount.ok_or_else(|| {
            (ReasonCode::PriceImpossible, format!("price `{}`: a number above 0", redact::words(stated)))
        })?;
        let currency: Currency = self.currency.of(fields).parse().map_err(|_| {
            odd("currency", self.currency.of(fields), "three letters such as RUB, EUR or USD")
        })?;
        let hourly = match self.per.of(fields) {
            "" | "hour" => Some(amount),
            "month" => amount.checked_div(Decimal::from(USUAL_MONTH_HOURS)),
            other => return Err(odd("per", other, "hour or month")),
        };
        let per_hour = match self.of.of(fields) {
            "" | "machine" => hourly,
            "card" => hourly.and_then(|hourly| hourly.checked_mul(Decimal::from(count))),
            other => return Err(odd("price_of", other, "machine or card")),
        };
        let per_hour = per_hour.ok_or_else(|| unreadable(format!("price `{stated}` is too large")))?;
        let kind = match self.kind.of(fields) {
            "" => PriceKind::OnDemand,
            word => word.parse().map_err(|_| odd("kind", word, "on-demand, spot or reserved"))?,
        };
        let term = Some(redact::words(self.term.of(fields))).filter(|term| !term.is_empty());
        let page = match self.link.of(fields) {
            "" => None,
            link => {
                let page = cell::page(link)
                    .ok_or_else(|| odd("link", link, "a whole address that begins with https://"))?;
                Some(page.to_owned())
            }
        };
        Ok(Price { kind, term, page, ..list_price(provider, per_hour.round_dp(9).normalize(), currency) })
    }

    fn form(&self, fields: &StringRecord, share: Option<f64>) -> Result<Form, Bad> {
        match (self.form.of(fields), share) {
            ("", None) => Ok(Form::Vm),
            ("", Some(_)) => Ok(Form::Fraction),
            (word, _) => match word.parse() {
                Ok(Form::Serverless) | Err(_) => {
                    Err(odd("form", word, "vm, bare-metal, container, cluster or fraction"))
                }
                Ok(form) => Ok(form),
            },
        }
    }

    /// Where the machine stands, and whose law the seller is under: as the sheet says, else as is known of the seller.
    fn place(&self, fields: &StringRecord, provider: &str, region: &str) -> Result<Place, Bad> {
        let code = |column: Column, name: &str| match column.of(fields) {
            "" => Ok(None),
            text => match country(text) {
                Some(found) => Ok(Some(found.iso2)),
                None => Err(odd(name, text, "two letters such as RU or DE")),
            },
        };
        let stands = code(self.country, "country")?.or_else(|| locate(provider, region).country);
        let law = code(self.seller_country, "seller_country")?.or_else(|| seller(provider));
        Ok(Place {
            region: (!region.is_empty()).then(|| region.to_owned()),
            country: stands.map(str::to_owned),
            seller: law.map(str::to_owned),
        })
    }
}

fn unreadable(detail: String) -> Bad {
    (ReasonCode::Unreadable, detail)
}

/// A cell that holds something else than it may.
fn odd(column: &str, text: &str, allowed: &str) -> Bad {
    unreadable(format!("{column} `{}`: {allowed}", redact::words(text)))
}

/// A size that may be left out.
fn optional(fields: &StringRecord, column: Column, name: &str) -> Result<Option<f64>, Bad> {
    match column.of(fields) {
        "" => Ok(None),
        text => cell::size(text).map(Some).ok_or_else(|| odd(name, text, "a number above 0")),
    }
}

fn isolation(form: Form) -> Isolation {
    match form {
        Form::BareMetal | Form::Own => Isolation::DedicatedHost,
        Form::Vm => Isolation::Vm,
        Form::Container => Isolation::SharedHost,
        Form::Cluster | Form::Fraction | Form::Serverless => Isolation::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(row: &[(&str, &str)]) -> Result<Offer, Bad> {
        let base = [("seller", "Нордик ДЦ"), ("card", "A100 80GB"), ("price", "150"), ("currency", "RUB")];
        let given = |name: &str| row.iter().find(|(column, _)| *column == name).map(|(_, text)| *text);
        let mut columns: Vec<(&str, &str)> =
            base.iter().map(|(name, usual)| (*name, given(name).unwrap_or(usual))).collect();
        columns.extend(row.iter().filter(|(name, _)| base.iter().all(|(known, _)| known != name)));
        let header = columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(";");
        let line = columns.iter().map(|(_, text)| *text).collect::<Vec<_>>();
        let table = CsvTable::open_by(&header, b';').unwrap();
        Columns::find(&table).unwrap().offer(&StringRecord::from(line), "2026-11-30".parse().unwrap())
    }

    fn detail(row: &[(&str, &str)]) -> String {
        read(row).unwrap_err().1
    }

    #[test]
    fn the_least_a_row_says_is_enough() {
        let offer = read(&[]).unwrap();
        assert_eq!(offer.id, "нордик-дц:a100-80gb-x1-on-demand");
        assert_eq!(
            (offer.price.per_hour.to_string(), offer.price.currency),
            ("150".to_owned(), Currency::RUB)
        );
        assert_eq!((offer.form, offer.gpu.vram_gib), (Form::Vm, Some(80.0)));
        assert_eq!((offer.place.country, offer.place.seller, offer.price.page), (None, None, None));
    }

    #[test]
    fn a_month_is_730_hours_and_a_card_is_not_the_machine() {
        let month = read(&[("price", "730 000"), ("per", "month"), ("count", "8")]).unwrap();
        assert_eq!(month.price.per_hour.to_string(), "1000");
        let card =
            read(&[("price", "2,5"), ("currency", "EUR"), ("price_of", "card"), ("count", "8")]).unwrap();
        assert_eq!((card.price.per_hour.to_string(), card.price.currency), ("20".to_owned(), Currency::EUR));
    }

    #[test]
    fn everything_else_is_taken_as_it_is_said() {
        let offer = read(&[
            ("name", "gpu-1"),
            ("form", "bare-metal"),
            ("kind", "reserved"),
            ("term", "12 months"),
            ("vcpu", "64"),
            ("ram_gib", "512"),
            ("disk_gb", "1 920"),
            ("place", "Moscow 2"),
            ("country", "ru"),
            ("seller_country", "RU"),
            ("link", "https://nordic.example/gpu"),
        ])
        .unwrap();
        assert_eq!(offer.id, "нордик-дц:gpu-1-x1@moscow-2-reserved-12-months");
        assert_eq!((offer.form, offer.isolation), (Form::BareMetal, Isolation::DedicatedHost));
        assert_eq!(
            (offer.vcpu, offer.ram_gib, offer.disk.included_gb),
            (Some(64.0), Some(512.0), Some(1920.0))
        );
        assert_eq!((offer.place.country.as_deref(), offer.place.seller.as_deref()), (Some("RU"), Some("RU")));
        assert_eq!(offer.price.page.as_deref(), Some("https://nordic.example/gpu"));
        let half = read(&[("share", "0,5"), ("vram_gib", "40")]).unwrap();
        assert_eq!(
            (half.form, half.gpu.fraction, half.gpu.vram_gib),
            (Form::Fraction, Some(0.5), Some(40.0))
        );
        let known = read(&[("seller", "Cloud.ru"), ("place", "ru.AZ-1")]).unwrap();
        assert_eq!((known.provider.as_str(), known.place.country.as_deref()), ("cloudru", Some("RU")));
    }

    #[test]
    fn what_is_wrong_is_said_with_what_is_right() {
        assert_eq!(detail(&[("seller", "")]), "no seller");
        assert_eq!(detail(&[("price", "free")]), "price `free`: a number above 0");
        assert_eq!(detail(&[("country", "Russia")]), "country `Russia`: two letters such as RU or DE");
        assert_eq!(
            detail(&[("link", "http://x.example/gpu")]),
            "link `http://x.example/gpu`: a whole address that begins with https://"
        );
        assert_eq!(
            detail(&[("form", "serverless")]),
            "form `serverless`: vm, bare-metal, container, cluster or fraction"
        );
        assert_eq!(detail(&[("share", "2")]), "share `2`: a part of one card, such as 0.5");
        assert_eq!(detail(&[("share", "0.5"), ("count", "2")]), "a share of one card, and 2 cards");
    }
}
