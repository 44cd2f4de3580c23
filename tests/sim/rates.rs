//! The daily exchange rates of the European Central Bank and the Bank of Russia, with made-up figures.

use axum::Router;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::Shared;

/// Units of each currency per euro.
const PER_EURO: [(&str, &str); 12] = [
    ("USD", "1.0861"),
    ("JPY", "163.20"),
    ("CZK", "25.104"),
    ("DKK", "7.4573"),
    ("GBP", "0.8388"),
    ("HUF", "407.60"),
    ("PLN", "4.3070"),
    ("SEK", "11.5470"),
    ("CHF", "0.9387"),
    ("NOK", "11.6570"),
    ("CNY", "7.8691"),
    ("INR", "91.640"),
];

/// Roubles per so many units, as the Bank of Russia writes them: decimal comma.
const ROUBLES: [(&str, &str, &str, &str, &str, &str); 11] = [
    ("R01235", "840", "USD", "1", "Доллар США", "81,2345"),
    ("R01239", "978", "EUR", "1", "Евро", "88,2288"),
    ("R01375", "156", "CNY", "1", "Китайский юань", "11,2110"),
    ("R01820", "392", "JPY", "100", "Японских иен", "52,1000"),
    ("R01035", "826", "GBP", "1", "Фунт стерлингов", "105,1847"),
    ("R01775", "756", "CHF", "1", "Швейцарский франк", "93,9904"),
    ("R01335", "398", "KZT", "100", "Казахстанских тенге", "15,6021"),
    ("R01090B", "933", "BYN", "1", "Белорусский рубль", "27,4415"),
    ("R01717", "860", "UZS", "10000", "Узбекских сумов", "67,8042"),
    ("R01020A", "944", "AZN", "1", "Азербайджанский манат", "47,7850"),
    ("R01565", "985", "PLN", "1", "Польский злотый", "20,4850"),
];

/// The routes.
pub fn routes() -> Router<Shared> {
    Router::new()
        .route("/stats/eurofxref/eurofxref-daily.xml", get(ecb))
        .route("/scripts/XML_daily.asp", get(cbr))
}

async fn ecb() -> Response {
    let cubes: String =
        PER_EURO.iter().map(|(code, rate)| format!("<Cube currency='{code}' rate='{rate}'/>")).collect();
    let document = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gesmes:Envelope \
         xmlns:gesmes=\"http://www.gesmes.org/xml/2002-08-01\" \
         xmlns=\"http://www.ecb.int/vocabulary/2002-08-01/eurofxref\"><gesmes:subject>Reference rates</gesmes:subject>\
         <Cube><Cube time='2026-11-27'>{cubes}</Cube></Cube></gesmes:Envelope>"
    );
    ([(header::CONTENT_TYPE, "text/xml")], document).into_response()
}

async fn cbr() -> Response {
    let values: String = ROUBLES
        .iter()
        .map(|(id, number, code, nominal, name, value)| {
            format!(
                "<Valute ID=\"{id}\"><NumCode>{number}</NumCode><CharCode>{code}</CharCode>\
                 <Nominal>{nominal}</Nominal><Name>{name}</Name><Value>{value}</Value></Valute>"
            )
        })
        .collect();
    let document = format!(
        "<?xml version=\"1.0\" encoding=\"windows-1251\"?><ValCurs Date=\"28.11.2026\" \
         name=\"Foreign Currency Market\">{values}</ValCurs>"
    );
    let (bytes, _, _) = encoding_rs::WINDOWS_1251.encode(&document);
    ([(header::CONTENT_TYPE, "application/xml; charset=windows-1251")], bytes.into_owned()).into_response()
}
