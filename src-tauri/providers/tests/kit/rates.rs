//! The two banks' documents, byte for byte as odd as they come.

use gpudesk_core::money::{Currency, RateSheet, RateSource};
use gpudesk_providers::http::Base;
use gpudesk_providers::rates::{fetch_cbr, fetch_ecb};
use gpudesk_providers::{SourceError, SourceErrorCode};
use rust_decimal::Decimal;

use crate::support::{RawServer, Say, base, kit, now};

const WINDOWS: &str = "content-type: application/xml; charset=windows-1251";

fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn currency(code: &str) -> Currency {
    code.parse().unwrap()
}

/// One `Valute`: id, code, nominal, value, and the rate of one unit if the document has it.
fn valute(id: &str, code: &str, nominal: &str, value: &str, one: Option<&str>) -> String {
    let one = one.map_or(String::new(), |rate| format!("<VunitRate>{rate}</VunitRate>"));
    format!(
        "<Valute ID=\"{id}\"><NumCode>036</NumCode><CharCode>{code}</CharCode><Nominal>{nominal}</Nominal>\
         <Name>Рубль</Name><Value>{value}</Value>{one}</Valute>"
    )
}

fn usual() -> Vec<String> {
    vec![
        valute("R01235", "USD", "1", "81,2345", Some("81,2345")),
        valute("R01239", "EUR", "1", "88,2288", None),
        valute("R01375", "CNY", "1", "11,2110", None),
        valute("R01820", "JPY", "100", "52,1000", Some("0,521")),
        valute("R01717", "UZS", "10000", "67,8042", Some("6,78042E-03")),
        valute("R01020A", "AZN", "1", "47,7850", None),
        valute("R01035", "GBP", "1", "105,1847", None),
        valute("R01775", "CHF", "1", "93,9904", None),
        valute("R01335", "KZT", "100", "15,6021", None),
        valute("R01565", "PLN", "1", "20,4850", None),
    ]
}

fn cbr_document(date: &str, encoding: &str, rows: &[String]) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"{encoding}\"?>\r\n<ValCurs Date=\"{date}\" name=\"Foreign Currency \
         Market\">{}</ValCurs>",
        rows.concat()
    )
}

fn windows(text: &str) -> Vec<u8> {
    encoding_rs::WINDOWS_1251.encode(text).0.into_owned()
}

async fn cbr(say: Say, previous: Option<&RateSheet>) -> Result<RateSheet, SourceError> {
    let server = RawServer::start(vec![say]).await;
    let sheet = fetch_cbr(&kit().0, &base(&server.url), now(), previous).await;
    let asked = server.requests().remove(0);
    assert!(asked.starts_with("GET /scripts/XML_daily.asp HTTP/1.1"), "{asked}");
    assert!(asked.contains("user-agent: Mozilla/5.0 (compatible; GPU-Desk/"), "{asked}");
    sheet
}

async fn cbr_text(text: &str, previous: Option<&RateSheet>) -> Result<RateSheet, SourceError> {
    cbr(Say::http("200 OK", &[WINDOWS], windows(text)), previous).await
}

#[tokio::test]
async fn roubles_are_per_unit_whatever_the_nominal() {
    let sheet = cbr_text(&cbr_document("28.11.2026", "windows-1251", &usual()), None).await.unwrap();
    assert_eq!((sheet.source, sheet.base, sheet.fetched_at), (RateSource::Cbr, Currency::RUB, now()));
    assert_eq!(sheet.date.to_string(), "2026-11-28");
    assert_eq!(sheet.per_unit.len(), 10);
    assert_eq!(sheet.per_unit[&Currency::USD], decimal("81.2345"));
    assert_eq!(sheet.per_unit[&currency("JPY")], decimal("0.521"));
    assert_eq!(sheet.per_unit[&currency("UZS")], decimal("0.00678042"));
    // The golden numbers: 1,000 yen are 521 roubles.
    assert_eq!(sheet.rate(currency("JPY"), Currency::RUB).unwrap() * decimal("1000"), decimal("521"));
}

#[tokio::test]
async fn the_character_set_is_the_one_declared() {
    let utf8 = cbr_document("28.11.2026", "UTF-8", &usual());
    for say in [
        Say::http("200 OK", &["content-type: application/xml; charset=utf-8"], &utf8),
        Say::http("200 OK", &[], &utf8),
        Say::http("200 OK", &[], windows(&cbr_document("28.11.2026", "windows-1251", &usual()))),
    ] {
        assert_eq!(cbr(say, None).await.unwrap().per_unit.len(), 10);
    }
}

#[tokio::test]
async fn a_date_of_tomorrow_or_of_saturday_is_normal() {
    for (date, day) in
        [("01.12.2026", "2026-12-01"), ("28.11.2026", "2026-11-28"), ("12.12.2026", "2026-12-12")]
    {
        let sheet = cbr_text(&cbr_document(date, "windows-1251", &usual()), None).await.unwrap();
        assert_eq!(sheet.date.to_string(), day);
    }
}

#[tokio::test]
async fn a_nominal_that_changes_between_two_days_changes_nothing() {
    let before = cbr_text(&cbr_document("28.11.2026", "windows-1251", &usual()), None).await.unwrap();
    let mut rows = usual();
    rows[2] = valute("R01375", "CNY", "10", "112,1100", None);
    let after = cbr_text(&cbr_document("29.11.2026", "windows-1251", &rows), Some(&before)).await.unwrap();
    assert_eq!(after.per_unit[&Currency::CNY], before.per_unit[&Currency::CNY]);
}

#[tokio::test]
async fn documents_that_are_not_believed_say_why() {
    let good = cbr_text(&cbr_document("28.11.2026", "windows-1251", &usual()), None).await.unwrap();
    let with = |at: usize, row: String| {
        let mut rows = usual();
        rows[at] = row;
        cbr_document("29.11.2026", "windows-1251", &rows)
    };
    let few = cbr_document("29.11.2026", "windows-1251", &usual()[..9]);
    let cut = cbr_document("29.11.2026", "windows-1251", &usual()).replace("</ValCurs>", "");
    for (text, words) in [
        (cbr_document("29.11.2026", "windows-1251", &[]), "no rates"),
        (few, "only 9 rates"),
        (with(0, valute("R1", "XDR", "1", "110,1", None)), "no rate of the US dollar"),
        (with(3, valute("R2", "JPY", "100", "0,0000", None)), "the rate of JPY is 0"),
        (with(3, valute("R2", "JPY", "100", "-1,5", None)), "the rate of JPY is -1.5"),
        (with(3, valute("R2", "JPY", "0", "52,1", None)), "the rate of JPY is 0"),
        (with(3, valute("R2", "JPY", "100", "много", None)), "`много` is not a number"),
        (
            with(3, valute("R2", "JPY", "100", "52,1000", Some("5,21"))),
            "52.1000 for 100 units, but 5.21 for one",
        ),
        (with(0, valute("R1", "USD", "1", "8,1", None)), "USD went from 81.2345 to 8.1, more than 30 %"),
        (with(1, valute("R1", "EUR", "1", "120,1", None)), "EUR went from 88.2288 to 120.1, more than 30 %"),
        (cbr_document("27.11.2026", "windows-1251", &usual()), "older than the rates of 2026-11-28"),
        (cbr_document("29.11.2062", "windows-1251", &usual()), "far ahead"),
        (cbr_document("11/28/2026", "windows-1251", &usual()), "`11/28/2026` is not a date"),
        (cut, "breaks off"),
        ("<ValCurs Date=\"29.11.2026\"><Valute></ValCurs>".to_owned(), "broken XML"),
        ("<Error>bad date</Error>".to_owned(), "no `ValCurs`"),
        ("<html><title>403</title></html>".to_owned(), "HTML page"),
    ] {
        let error = cbr_text(&text, Some(&good)).await.unwrap_err();
        assert_eq!(error.code, SourceErrorCode::BadAnswer, "{words}");
        assert!(error.detail.contains(words), "{} for {words}", error.detail);
    }
    // 30 % is still a market.
    assert!(cbr_text(&with(1, valute("R1", "EUR", "1", "114,6", None)), Some(&good)).await.is_ok());
    let error = cbr(Say::http("403 Forbidden", &[], ""), None).await.unwrap_err();
    assert_eq!(error.code, SourceErrorCode::ProviderRefused);
}

const PER_EURO: [(&str, &str); 10] = [
    ("USD", "1.0861"),
    ("JPY", "163.20"),
    ("CZK", "25.104"),
    ("DKK", "7.4573"),
    ("GBP", "0.8388"),
    ("PLN", "4.3070"),
    ("SEK", "11.5470"),
    ("CHF", "0.9387"),
    ("NOK", "11.6570"),
    ("CNY", "7.8691"),
];

fn ecb_day(day: &str, rates: &[(&str, &str)], prefix: &str) -> String {
    let cubes: String =
        rates.iter().map(|(code, rate)| format!("<{prefix}Cube currency='{code}' rate='{rate}'/>")).collect();
    format!("<{prefix}Cube time='{day}'>{cubes}</{prefix}Cube>")
}

fn ecb_document(days: &str, prefix: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<gesmes:Envelope \
         xmlns:gesmes=\"http://www.gesmes.org/xml/2002-08-01\" \
         xmlns=\"http://www.ecb.int/vocabulary/2002-08-01/eurofxref\"><gesmes:Sender><gesmes:name>European Central \
         Bank</gesmes:name></gesmes:Sender><{prefix}Cube>{days}</{prefix}Cube></gesmes:Envelope>"
    )
}

async fn ecb(text: &str, previous: Option<&RateSheet>) -> Result<RateSheet, SourceError> {
    let server = RawServer::start(vec![Say::http("200 OK", &["content-type: text/xml"], text)]).await;
    let sheet = fetch_ecb(&kit().0, &base(&server.url), now(), previous).await;
    assert!(server.requests()[0].starts_with("GET /stats/eurofxref/eurofxref-daily.xml HTTP/1.1"));
    sheet
}

#[tokio::test]
async fn euros_are_turned_round_to_the_value_of_one_unit() {
    for prefix in ["", "eurofx:"] {
        let text = ecb_document(&ecb_day("2026-11-27", &PER_EURO, prefix), prefix);
        let sheet = ecb(&text, None).await.unwrap();
        assert_eq!((sheet.source, sheet.base), (RateSource::Ecb, Currency::EUR));
        assert_eq!(sheet.date.to_string(), "2026-11-27");
        assert_eq!(sheet.per_unit.len(), 10);
        // The golden numbers: 100 EUR are 108.61 USD, 100 USD are 92.07 EUR.
        let usd = sheet.rate(Currency::EUR, Currency::USD).unwrap() * Decimal::ONE_HUNDRED;
        assert_eq!(usd.round_dp(10), decimal("108.61"));
        let eur = sheet.rate(Currency::USD, Currency::EUR).unwrap() * Decimal::ONE_HUNDRED;
        assert_eq!(eur.round_dp(2), decimal("92.07"));
        assert_eq!(sheet.rate(Currency::RUB, Currency::EUR), None, "the ECB has no rouble");
    }
}

#[tokio::test]
async fn of_many_days_the_newest_is_taken() {
    let older: Vec<(&str, &str)> = PER_EURO.iter().map(|(code, _)| (*code, "2")).collect();
    let days = ecb_day("2026-11-27", &PER_EURO, "") + &ecb_day("2026-11-26", &older, "");
    let sheet = ecb(&ecb_document(&days, ""), None).await.unwrap();
    assert_eq!(sheet.date.to_string(), "2026-11-27");
    assert_eq!(sheet.rate(Currency::EUR, Currency::USD).unwrap().round_dp(10), decimal("1.0861"));
}

#[tokio::test]
async fn a_currency_may_leave_the_list_but_the_list_must_hold() {
    let first = ecb(&ecb_document(&ecb_day("2026-11-26", &PER_EURO, ""), ""), None).await.unwrap();
    let mut eleven = PER_EURO.to_vec();
    eleven.push(("INR", "91.64"));
    let whole = ecb_day("2026-11-27", &eleven, "");
    let dropped = ecb_day("2026-11-27", &eleven[..10], "");
    assert!(ecb(&ecb_document(&dropped, ""), Some(&first)).await.is_ok());
    let jump = whole.replace("1.0861", "1.5");
    let nan = whole.replace("163.20", "N/A");
    for (text, words) in [
        (ecb_document(&ecb_day("2026-11-27", &PER_EURO[..9], ""), ""), "only 9 rates"),
        (ecb_document(&jump, ""), "USD went from 1.0861 to 1.5, more than 30 %"),
        (ecb_document(&nan, ""), "`N/A` is not a number"),
        (ecb_document(&whole.replace("163.20", "0"), ""), "the rate of JPY is 0"),
        (ecb_document("", ""), "no `Cube` with a `time`"),
        (ecb_document(&whole, "").replace("</gesmes:Envelope>", ""), "breaks off"),
        ("<html><body>maintenance".to_owned(), "HTML page"),
    ] {
        let error = ecb(&text, Some(&first)).await.unwrap_err();
        assert_eq!(error.code, SourceErrorCode::BadAnswer, "{words}");
        assert!(error.detail.contains(words), "{} for {words}", error.detail);
    }
}

#[tokio::test]
async fn plain_http_elsewhere_is_refused() {
    let base = Base::new("https://www.cbr.ru", Some("http://192.0.2.1"));
    let error = fetch_cbr(&kit().0, &base, now(), None).await.unwrap_err();
    assert_eq!(error.code, SourceErrorCode::Config);
}
