//! A price sheet that a team keeps for a cloud that tells no prices: CSV with named columns (`docs/openstack.md`).

use gpudesk_core::gpu::{self, Hints};
use gpudesk_core::money::Currency;
use gpudesk_core::offer::PriceKind;
use rust_decimal::Decimal;
use serde::Deserialize;

use super::prices::{Missing, Priced};

/// The most lines that are read.
const MOST_LINES: usize = 10_000;

/// What a line prices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Item {
    /// A whole flavor, per hour.
    Flavor,
    /// One card, per hour.
    Card,
    /// One virtual processor, per hour.
    Vcpu,
    /// One GiB of memory, per hour.
    Ram,
    /// One GB of disk, per month.
    Disk,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Row {
    item: String,
    name: String,
    region: String,
    kind: String,
    price: String,
    currency: String,
    gpu: String,
    gpus: String,
    as_of: String,
}

#[derive(Debug)]
struct Line {
    item: Item,
    name: String,
    region: String,
    kind: PriceKind,
    price: Decimal,
    currency: Currency,
    cards: Option<(String, u32)>,
}

/// A sheet.
#[derive(Debug, Default)]
pub(super) struct Sheet {
    lines: Vec<Line>,
    /// What is wrong with which line.
    pub problems: Vec<String>,
    /// The newest day of its lines, as they write it.
    pub as_of: Option<String>,
}

/// What is asked of a sheet.
pub(super) struct Wanted<'a> {
    pub flavor: &'a str,
    pub id: &'a str,
    pub region: &'a str,
    pub kind: PriceKind,
    pub card: &'a str,
    pub cards: u32,
    pub vcpus: Option<u64>,
    pub ram_mib: Option<u64>,
}

impl Sheet {
    /// Reads a sheet. A line that cannot be read costs only itself.
    pub fn read(text: &str) -> Self {
        let mut sheet = Self::default();
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .flexible(true)
            .comment(Some(b'#'))
            .from_reader(text.as_bytes());
        for (number, row) in reader.deserialize::<Row>().take(MOST_LINES).enumerate() {
            let number = number + 2;
            match row.map_err(|_| "not a line of this sheet".to_owned()).and_then(|row| line(&row)) {
                Ok((line, day)) => {
                    sheet.as_of = sheet.as_of.take().max(day);
                    sheet.lines.push(line);
                }
                Err(words) => sheet.problems.push(format!("line {number}: {words}")),
            }
        }
        sheet
    }

    /// Whether a line has a price of this kind.
    pub fn has(&self, kind: PriceKind) -> bool {
        self.lines.iter().any(|line| line.kind == kind && line.item != Item::Disk)
    }

    /// The cards of a flavor where a line of it says them.
    pub fn cards(&self, flavor: &str, id: &str) -> Option<(String, u32)> {
        let of = |line: &&Line| line.item == Item::Flavor && line.is_of(&[flavor, id]);
        self.lines.iter().filter(of).find_map(|line| line.cards.clone())
    }

    /// The price of a disk, per GB and month.
    pub fn disk(&self, region: &str, volume_type: Option<&str>) -> Option<(Decimal, Currency)> {
        let names = [volume_type.unwrap_or_default()];
        let found = self.best(Item::Disk, &names, region, PriceKind::OnDemand)?;
        Some((found.price, found.currency))
    }

    /// The line that holds here: that of the region before that of all.
    fn best(&self, item: Item, names: &[&str], region: &str, kind: PriceKind) -> Option<&Line> {
        let fits = |line: &&Line| {
            line.item == item
                && line.kind == kind
                && (line.region.is_empty() || line.region.eq_ignore_ascii_case(region))
                && (matches!(item, Item::Vcpu | Item::Ram) || line.is_of(names))
        };
        self.lines.iter().filter(fits).max_by_key(|line| !line.region.is_empty())
    }

    /// The price of a flavor: its own line, or the sum of processors, memory and cards.
    pub fn price(&self, wanted: &Wanted<'_>) -> Result<Priced, Missing> {
        let Wanted { region, kind, .. } = *wanted;
        if let Some(line) = self.best(Item::Flavor, &[wanted.flavor, wanted.id], region, kind) {
            return Ok(Priced { per_hour: line.price, currency: line.currency });
        }
        let card = self.card(wanted);
        let vcpu = self.best(Item::Vcpu, &[], region, kind);
        let ram = self.best(Item::Ram, &[], region, kind);
        let (Some(card), Some(vcpu), Some(ram)) = (card, vcpu, ram) else {
            let missing: Vec<&str> =
                [("card", card.is_none()), ("vcpu", vcpu.is_none()), ("ram", ram.is_none())]
                    .into_iter()
                    .filter_map(|(name, missing)| missing.then_some(name))
                    .collect();
            // A sheet of flavors has no parts at all.
            return Err(if card.is_none() || missing.len() == 3 {
                Missing::All
            } else {
                Missing::Parts(missing.join(" and "))
            });
        };
        let (Some(vcpus), Some(mib)) = (wanted.vcpus, wanted.ram_mib) else {
            return Err(Missing::Parts("the flavor's processors and memory".to_owned()));
        };
        if vcpu.currency != card.currency || ram.currency != card.currency {
            return Err(Missing::Parts("one currency for all parts".to_owned()));
        }
        let sum = || {
            let memory = ram.price.checked_mul(Decimal::from(mib))?.checked_div(Decimal::from(1024))?;
            let cards = card.price.checked_mul(Decimal::from(wanted.cards))?;
            vcpu.price.checked_mul(Decimal::from(vcpus))?.checked_add(memory)?.checked_add(cards)
        };
        let per_hour = sum().ok_or_else(|| Missing::Parts("a price that can be reckoned with".to_owned()))?;
        Ok(Priced { per_hour: gpudesk_core::money::kept(per_hour), currency: card.currency })
    }

    /// The line of a card: by its spelling, or as another spelling of the same card.
    fn card(&self, wanted: &Wanted<'_>) -> Option<&Line> {
        let model = |name: &str| gpu::resolve(name, &Hints::default()).card().map(|card| card.name());
        self.best(Item::Card, &[wanted.card], wanted.region, wanted.kind).or_else(|| {
            let same = model(wanted.card)?;
            let spelled = self.lines.iter().filter(|line| line.item == Item::Card);
            let name = spelled.map(|line| line.name.as_str()).find(|name| model(name) == Some(same))?;
            self.best(Item::Card, &[name], wanted.region, wanted.kind)
        })
    }
}

impl Line {
    fn is_of(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.name.eq_ignore_ascii_case(name))
    }
}

fn line(row: &Row) -> Result<(Line, Option<String>), String> {
    let item = match row.item.as_str() {
        "flavor" => Item::Flavor,
        "card" => Item::Card,
        "vcpu" => Item::Vcpu,
        "ram" => Item::Ram,
        "disk" => Item::Disk,
        _ => return Err("`item` is none of flavor, card, vcpu, ram, disk".to_owned()),
    };
    if row.name.is_empty() && matches!(item, Item::Flavor | Item::Card) {
        return Err("`name` is empty".to_owned());
    }
    let kind = match row.kind.as_str() {
        "" | "on-demand" => PriceKind::OnDemand,
        "spot" => PriceKind::Spot,
        _ => return Err("`kind` is neither on-demand nor spot".to_owned()),
    };
    let price = gpudesk_core::quarantine::price(&row.price).map_err(|reason| reason.detail)?;
    let currency = row.currency.parse().map_err(|_| "`currency` is not three letters".to_owned())?;
    let cards = match (row.gpu.as_str(), row.gpus.as_str()) {
        ("", "") => None,
        ("", _) => return Err("`gpus` without `gpu`".to_owned()),
        (gpu, count) => {
            let count = count.parse().ok().filter(|count| (1..=256).contains(count));
            Some((gpu.to_owned(), count.ok_or("`gpus` is no number of cards")?))
        }
    };
    let line =
        Line { item, name: row.name.clone(), region: row.region.clone(), kind, price, currency, cards };
    Ok((line, Some(row.as_of.clone()).filter(|day| day.parse::<chrono::NaiveDate>().is_ok())))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
# prices with VAT
item,name,region,kind,price,currency,gpu,gpus,as_of
flavor,GL10.4-32768-0-2GPU,,,120.50,RUB,A30,2,2026-11-01
flavor,3021,ru-9,,99,RUB,,,2026-11-20
flavor,3021,,,90,RUB,,,
flavor,3021,,spot,30,rub,,,
vcpu,,,,1.10,RUB,,,
ram,,,,0.40,RUB,,,
card,NVIDIA T4,,,25,RUB,,,
disk,,,,11.5,RUB,,,
disk,fast,ru-9,,19,RUB,,,
";

    fn wanted<'a>(flavor: &'a str, region: &'a str, card: &'a str) -> Wanted<'a> {
        let (vcpus, ram_mib) = (Some(4), Some(32_768));
        Wanted { flavor, id: "3021", region, kind: PriceKind::OnDemand, card, cards: 2, vcpus, ram_mib }
    }

    fn per_hour(result: Result<Priced, Missing>) -> String {
        result
            .map(|priced| format!("{} {}", priced.per_hour, priced.currency))
            .unwrap_or_else(|m| format!("{m:?}"))
    }

    #[test]
    fn a_line_of_the_flavor_comes_before_the_sum_and_a_region_before_all() {
        let sheet = Sheet::read(TEXT);
        assert_eq!(sheet.problems, Vec::<String>::new());
        assert_eq!(sheet.as_of.as_deref(), Some("2026-11-20"));
        assert_eq!(
            per_hour(sheet.price(&Wanted { id: "", ..wanted("gl10.4-32768-0-2gpu", "ru-7", "x") })),
            "120.5 RUB"
        );
        assert_eq!(per_hour(sheet.price(&wanted("by its id", "ru-9", "x"))), "99 RUB");
        assert_eq!(per_hour(sheet.price(&wanted("by its id", "ru-7", "x"))), "90 RUB");
        let spot = Wanted { kind: PriceKind::Spot, ..wanted("by its id", "ru-9", "x") };
        assert_eq!(per_hour(sheet.price(&spot)), "30 RUB");
        assert_eq!(sheet.cards("GL10.4-32768-0-2GPU", ""), Some(("A30".to_owned(), 2)));
        assert_eq!(sheet.cards("other", ""), None);
    }

    #[test]
    fn parts_are_added_up_and_what_is_missing_is_named() {
        let sheet = Sheet::read(TEXT);
        let parts = Wanted { id: "", ..wanted("GL3.4-32768-0-2GPU", "ru-7", "Tesla T4") };
        // 4 processors, 32 GiB, 2 cards of another spelling: 4.4 + 12.8 + 50.
        assert_eq!(per_hour(sheet.price(&parts)), "67.2 RUB");
        let unknown = Wanted { id: "", ..wanted("GL9.4-32768-0-2GPU", "ru-7", "GL9") };
        assert_eq!(sheet.price(&unknown), Err(Missing::All));
        let without = Sheet::read("item,name,price,currency\ncard,T4,25,RUB\nvcpu,,1,RUB\n");
        assert_eq!(without.price(&parts), Err(Missing::Parts("ram".to_owned())));
        let mixed = Sheet::read("item,name,price,currency\ncard,T4,25,RUB\nvcpu,,1,RUB\nram,,1,EUR\n");
        assert_eq!(mixed.price(&parts), Err(Missing::Parts("one currency for all parts".to_owned())));
    }

    #[test]
    fn a_disk_has_a_price_by_its_kind() {
        let sheet = Sheet::read(TEXT);
        let of = |region, kind| sheet.disk(region, kind).map(|(price, _)| price.to_string());
        assert_eq!(of("ru-9", None).as_deref(), Some("11.5"));
        assert_eq!(of("ru-9", Some("fast")).as_deref(), Some("19"));
        assert_eq!(of("ru-7", Some("fast")), None);
    }

    #[test]
    fn a_bad_line_costs_only_itself_and_says_which() {
        let sheet = Sheet::read(
            "item,name,price,currency,kind,gpu,gpus\nflavor,a,0,RUB,,,\nflavor,b,12 RUB,RUB,,,\nflavor,c,1,R,,,\nthing,d,1,RUB,,,\nflavor,e,1,RUB,monthly,,\nflavor,f,1,RUB,,T4,no\nflavor,,1,RUB,,,\nflavor,g,5,RUB,,,\n",
        );
        assert_eq!(sheet.lines.len(), 1);
        let starts: Vec<&str> = sheet.problems.iter().map(|words| &words[..7]).collect();
        assert_eq!(starts, ["line 2:", "line 3:", "line 4:", "line 5:", "line 6:", "line 7:", "line 8:"]);
        assert!(Sheet::read("").lines.is_empty());
    }
}
