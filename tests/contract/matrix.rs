//! README's table of clouds and what each can is made from the adapters' terms, and kept fresh.

use std::fmt::Write;
use std::path::Path;

use gpudesk_core::place::provider_title;
use gpudesk_core::rental::{Idempotency, OwnTimer, PlaceTold, RentalTerms, SshAdmin, TagRoom, UserDataKind};
use gpudesk_providers::cloud::clouds;

const BEGIN: &str = "<!-- made from the adapters' terms by `make matrix` -->\n";
const END: &str = "<!-- end of what is made -->\n";

#[test]
fn the_table_of_clouds_in_the_readme_is_fresh() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = std::fs::read_to_string(&file).unwrap();
    let (before, rest) = readme.split_once(BEGIN).expect("README has the table's place");
    let (_, after) = rest.split_once(END).expect("README has the table's end");
    let fresh = format!("{before}{BEGIN}{}{END}{after}", table());
    if std::env::var_os("UPDATE_MATRIX").is_some() {
        std::fs::write(&file, fresh).unwrap();
    } else {
        assert_eq!(readme, fresh, "run `make matrix`");
    }
}

fn table() -> String {
    let mut text = String::from(
        "| cloud | rents | prices | place told | stop: cards free, disk | one click, one machine | tags | first \
         script | own timer | balance | billed figures | login | key |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let mut rows: Vec<(String, RentalTerms)> = clouds()
        .iter()
        .map(|kind| (provider_title(kind.provider).unwrap_or(kind.provider).to_owned(), (kind.terms)()))
        .collect();
    rows.sort_by_key(|(title, _)| title.to_lowercase());
    for (title, terms) in rows {
        let _ = writeln!(text, "| {title} | {} |", cells(&terms).join(" | "));
    }
    text
}

fn cells(terms: &RentalTerms) -> [String; 12] {
    let words = |all: &[String]| all.join(", ");
    let yes = |yes: bool| if yes { "yes" } else { "–" }.to_owned();
    let forms: Vec<String> = terms.forms.iter().map(ToString::to_string).collect();
    let prices: Vec<String> = terms.prices.iter().map(ToString::to_string).collect();
    [
        words(&forms),
        words(&prices),
        match terms.place {
            PlaceTold::Region => "region",
            PlaceTold::Country => "country at best",
            PlaceTold::Some => "by some",
            PlaceTold::Never => "–",
        }
        .to_owned(),
        stop(terms),
        match terms.idempotency {
            Idempotency::Key => "by key",
            Idempotency::OfferOnce => "offer taken once",
            Idempotency::None => "found by its mark",
        }
        .to_owned(),
        match terms.tags {
            TagRoom::Tags if terms.retags => "yes, renewed",
            TagRoom::Tags => "yes",
            TagRoom::Inside => "inside",
            TagRoom::None => "–",
        }
        .to_owned(),
        match terms.user_data.kind {
            UserDataKind::CloudInit => "cloud-init",
            UserDataKind::Script => "script",
            UserDataKind::None => "–",
        }
        .to_owned(),
        match terms.own_timer {
            OwnTimer::ReadsBack => "reads back",
            OwnTimer::Blind => "cannot be read back",
            OwnTimer::None => "–",
        }
        .to_owned(),
        yes(terms.tells_balance),
        yes(terms.tells_usage),
        match terms.ssh.admin {
            SshAdmin::Root => terms.ssh.user.to_owned(),
            SshAdmin::Sudo => format!("{} + sudo", terms.ssh.user),
        },
        key(terms),
    ]
}

fn stop(terms: &RentalTerms) -> String {
    if !terms.stop.exists {
        return "no stop".to_owned();
    }
    let cards = if terms.stop.ends_compute { "yes" } else { "still billed" };
    let disk = match terms.stop.disk_billed {
        Some(true) => "billed",
        Some(false) => "free",
        None => "not said",
    };
    format!("{cards}, {disk}")
}

fn key(terms: &RentalTerms) -> String {
    let parts = match terms.key.fields.len() {
        0 => "one text".to_owned(),
        parts => format!("{parts} parts"),
    };
    let rights = match (terms.key.read_only, terms.key.scopes.len()) {
        (_, 1..) => ", rights to choose",
        (true, 0) => ", may be read-only",
        (false, 0) => "",
    };
    format!("{parts}{rights}")
}
