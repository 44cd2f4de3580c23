//! Files that are not as they should be.

use std::fs;

use gpudesk_core::feed::ReasonCode;
use gpudesk_providers::catalogue::{CatalogueError, ToRead, import};

use crate::support::{model, now, only, read, try_read};

const HEADER: &str =
    "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice";
const ROW: &str = "gpu_8x_h100_sxm5,H100,8.0,208.0,1800.0,31.92,europe-central-1,\"{'Gpus': [{'MemoryInfo': {'SizeInMiB': 81920}}]}\",";

fn refused(text: impl AsRef<[u8]>) -> CatalogueError {
    try_read("lambda", text).unwrap_err()
}

/// The code with which a row of this price and cards is set aside.
fn set_aside(price: &str, cards: &str) -> ReasonCode {
    let fetched = read("lambda", format!("{HEADER}\nm,H100,{cards},1,1,{price},us-east-1,,\n"));
    assert_eq!(fetched.offers, [], "{price} for {cards}");
    fetched.quarantined[0].reason.code
}

#[test]
fn bom_line_ends_and_the_last_newline_do_not_matter() {
    let expected = read("lambda", format!("{HEADER}\n{ROW}\n")).offers;
    assert_eq!(model(&expected[0]), "H100 SXM");
    for text in [
        format!("\u{feff}{HEADER}\n{ROW}\n"),
        format!("{HEADER}\r\n{ROW}\r\n"),
        format!("\u{feff}{HEADER}\r\n{ROW}"),
        format!("\n{HEADER}\n\n{ROW}\n\n"),
    ] {
        assert_eq!(read("lambda", &text).offers, expected, "{text:?}");
    }
}

#[test]
fn columns_may_come_in_any_order_with_more_or_fewer_of_them() {
    let other = "Arch,SpotPrice,Price,LocalDiskSize,acceleratorname,AcceleratorCount,InstanceType\n\
                 x86_64,1.5,3.0,900,T4,1,g4dn.xlarge\n";
    let fetched = read("aws", other);
    let told: Vec<_> =
        fetched.offers.iter().map(|o| (o.name.as_str(), model(o), o.price.per_hour.to_string())).collect();
    assert_eq!(told, [("g4dn.xlarge", "T4", "3".to_owned()), ("g4dn.xlarge", "T4", "1.5".to_owned())]);
    assert_eq!((fetched.offers[0].vcpu, fetched.offers[0].place.region.as_deref()), (None, None));
}

#[test]
fn a_file_cut_in_its_last_line_keeps_the_others() {
    let whole = format!("{HEADER}\n{ROW}\n{ROW}\n");
    for cut in [20, 60, 110] {
        let text = &whole[..whole.len() - cut];
        let fetched = read("lambda", text);
        assert_eq!((fetched.offers.len(), fetched.quarantined.len()), (1, 1), "{text}");
        assert_eq!(fetched.quarantined[0].reason.code, ReasonCode::Unreadable);
        assert_eq!(fetched.quarantined[0].origin, "lambda.csv line 3");
    }
}

#[test]
fn an_open_quotation_mark_costs_one_line() {
    let text =
        format!("{HEADER}\n{ROW}\nx,\"H100,8,1,1,9,us-east-1,,\n{ROW}\nm,T4,1,1,1,0.5,us-east-1,T4,\n");
    let fetched = read("lambda", text);
    let reasons: Vec<_> =
        fetched.quarantined.iter().map(|row| (row.reason.code, row.origin.as_str())).collect();
    assert_eq!(fetched.rows_read, 4);
    assert_eq!(fetched.offers.len(), 2);
    assert_eq!(
        reasons,
        [(ReasonCode::Unreadable, "lambda.csv line 3"), (ReasonCode::Duplicate, "lambda.csv line 4"),]
    );
}

#[test]
fn odd_prices_and_numbers_are_set_aside() {
    for price in ["NaN", "-3", "0", "0.0", "inf", "1e999", "three"] {
        assert_eq!(set_aside(price, "1"), ReasonCode::PriceImpossible, "{price}");
    }
    assert_eq!(set_aside("", "1"), ReasonCode::PriceMissing);
    // An H100 by the month, and in cents.
    assert_eq!(set_aside("1752", "1"), ReasonCode::PriceAbsurd);
    assert_eq!(set_aside("240", "1"), ReasonCode::PriceAbsurd);
    for cards in ["0", "0.0", "-1", "NaN", "1.5", "", "many", "1e12"] {
        assert_eq!(set_aside("3", cards), ReasonCode::CountImpossible, "{cards}");
    }
}

#[test]
fn two_hundred_gigabytes_on_an_h100_are_impossible() {
    let row = "m,H100,1,1,1,3,us-east-1,\"{'Gpus': [{'MemoryInfo': {'SizeInMiB': 204800}}]}\",";
    let fetched = read("lambda", format!("{HEADER}\n{row}\n{ROW}\n"));
    assert_eq!(fetched.offers.len(), 1);
    let row = &fetched.quarantined[0];
    assert_eq!(row.reason.code, ReasonCode::VramContradictsModel);
    assert!(row.reason.detail.starts_with("200 GiB of VRAM"), "{}", row.reason.detail);
    assert!(row.offer.is_some(), "shown as far as it could be read");
}

#[test]
fn a_card_nobody_knows_is_kept_under_its_own_name() {
    let fetched = read("lambda", format!("{HEADER}\nm,Zeta 9000,2,1,1,3,atlantis-1,,\n"));
    let offer = only(&fetched);
    assert_eq!((offer.gpu.model.as_deref(), offer.gpu.raw_name.as_str()), (None, "Zeta 9000"));
    assert_eq!((offer.gpu.vram_gib, offer.place.country.as_deref()), (None, None));
    let flags: Vec<_> = offer.flags.iter().map(ToString::to_string).collect();
    assert_eq!(flags, ["country-unknown", "model-unknown"]);
    assert!(fetched.notes.iter().any(|note| note.contains("Zeta 9000")), "{:?}", fetched.notes);
}

#[test]
fn what_is_no_catalogue_is_an_error_and_not_an_empty_one() {
    assert!(matches!(refused(""), CatalogueError::Empty));
    assert!(matches!(refused("\n\n"), CatalogueError::Empty));
    assert!(matches!(refused(HEADER), CatalogueError::NoRows));
    assert!(matches!(refused(format!("{HEADER}\r\n")), CatalogueError::NoRows));
    assert!(matches!(
        refused("<!DOCTYPE html>\n<html><body>502</body></html>"),
        CatalogueError::NotCsv { .. }
    ));
    assert!(matches!(
        refused("404: Not Found"),
        CatalogueError::MissingColumn { column: "InstanceType", .. }
    ));
    assert!(matches!(refused("{\"message\":\"x\"}"), CatalogueError::NotCsv { found: "JSON" }));
    assert!(matches!(refused([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x4b]), CatalogueError::NotCsv { .. }));
    let no_price = "InstanceType,AcceleratorName,AcceleratorCount\nm,H100,1\n";
    assert!(matches!(refused(no_price), CatalogueError::MissingColumn { column: "Price", .. }));
    assert!(matches!(
        refused(format!("{HEADER}\nx\ny,z\n")),
        CatalogueError::NothingReadable { rows: 2, .. }
    ));
}

#[test]
fn the_trouble_of_one_file_is_only_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &[u8]| fs::write(folder.path().join(name), text).unwrap();
    write("lambda.csv", format!("{HEADER}\n{ROW}\n").as_bytes());
    write("broken.csv", b"<html></html>");
    write("latin.csv", &[HEADER.as_bytes(), b"\nm,T4,1,1,1,0.5,Z\xfcrich,T4,\n"].concat());
    write("notes.txt", b"no list");
    let missing = folder.path().join("missing.csv");
    let told: Vec<_> = import(&[folder.path().to_owned(), missing], now())
        .map(|read| {
            let imported = read.read();
            let name = imported.path.file_name().unwrap().to_string_lossy().into_owned();
            (name, imported.result.map(|fetched| fetched.rows_used).map_err(|error| error.to_string()))
        })
        .collect();
    assert_eq!(told.len(), 4);
    assert_eq!(
        told[0],
        ("broken.csv".to_owned(), Err("is an HTML or XML page, not a CSV price list".to_owned()))
    );
    assert_eq!(told[1], ("lambda.csv".to_owned(), Ok(1)));
    assert_eq!(told[2], ("latin.csv".to_owned(), Ok(1)));
    assert!(told[3].1.as_ref().is_err_and(|error| error.starts_with("cannot be read")), "{told:?}");
}

#[test]
fn a_folder_without_lists_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let told: Vec<_> = import(&[folder.path().to_owned()], now()).map(ToRead::read).collect();
    assert_eq!(told.len(), 1);
    let error = told[0].result.as_ref().unwrap_err().to_string();
    assert_eq!(error, "cannot be read: no .csv file in this folder");
}
