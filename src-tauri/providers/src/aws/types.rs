//! Types of machines: what DescribeInstanceTypes says of them.

use super::service::{Aws, Fields, Service, filter};
use super::xml::Node;
use crate::cloud::{CloudError, CloudErrorCode};
use crate::http::redact;
use crate::source::SourceErrorCode;

/// Families with accelerators begin so: cards, Trainium, Inferentia, Gaudi. What among them has none is told apart by
/// what it says of itself.
pub(super) const FAMILIES: [&str; 5] = ["g*", "p*", "trn*", "inf*", "dl*"];

/// The most rows of a page of types.
const PAGE: u32 = 100;

/// The most pages that are read.
const MAX_PAGES: usize = 100;

/// A card as a type names it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Cards {
    /// `H100`, `RTX PRO Server 6000`, `Inferentia2`.
    pub name: String,
    /// How many, 1 for a part of one.
    pub count: u32,
    /// The part of one card that is rented: above 0 and below 1.
    pub share: Option<f64>,
    /// Memory of one card, or of the part, in MiB.
    pub mib: Option<f64>,
}

/// A type of machine.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Type {
    /// `p5.48xlarge`.
    pub name: String,
    /// `None` = it has no accelerator of any kind.
    pub cards: Option<Cards>,
    pub vcpu: Option<f64>,
    pub ram_mib: Option<f64>,
    /// Local disk in GB.
    pub disk_gb: Option<f64>,
    /// `Up to 25 Gigabit`, `4x 100 Gigabit`.
    pub network: Option<String>,
    /// Whether machines can be tied together by the fast network.
    pub efa: bool,
    pub bare_metal: bool,
    /// `x86_64`, `arm64`.
    pub architectures: Vec<String>,
    /// `on-demand`, `spot`, `capacity-block`.
    pub usage: Vec<String>,
}

impl Type {
    pub fn has(&self, usage: &str) -> bool {
        self.usage.iter().any(|known| known == usage)
    }

    /// Network speed in Gbit/s, where it is one that is always there.
    pub fn gbit(&self) -> Option<f64> {
        gbit(self.network.as_deref()?)
    }
}

/// Reads one type; what is wrong with it otherwise.
pub(super) fn read(row: &Node) -> Result<Type, String> {
    let text = |path: &str| row.text(path).map(redact::words);
    let words = |path: &str| row.items(path).filter_map(Node::own_text).map(redact::words).collect();
    Ok(Type {
        name: text("instanceType").ok_or("a type without a name")?,
        cards: cards(row)?,
        vcpu: row.positive("vCpuInfo/defaultVCpus"),
        ram_mib: row.positive("memoryInfo/sizeInMiB"),
        disk_gb: row.positive("instanceStorageInfo/totalSizeInGB"),
        network: text("networkInfo/networkPerformance"),
        efa: row.flag("networkInfo/efaSupported") == Some(true),
        bare_metal: row.flag("bareMetal") == Some(true),
        architectures: words("processorInfo/supportedArchitectures"),
        usage: words("supportedUsageClasses"),
    })
}

/// The accelerators, in whichever of three blocks they stand.
fn cards(row: &Node) -> Result<Option<Cards>, String> {
    let sets = ["gpuInfo/gpus", "neuronInfo/neuronDevices", "inferenceAcceleratorInfo/accelerators"];
    let Some(card) = sets.into_iter().find_map(|set| row.items(set).next()) else {
        return match sets.iter().any(|set| row.has(set.split('/').next().unwrap_or_default())) {
            true => Err("the type has cards and does not say which".to_owned()),
            false => Ok(None),
        };
    };
    let whole = |path: &str| card.whole(path).and_then(|count| u32::try_from(count).ok());
    let share = card.positive("gpuPartitionSize").filter(|share| *share < 1.0);
    // Of a part of a card there is a count of 0, and a logical count of 1.
    let count = match (share, whole("logicalGpuCount").filter(|count| *count > 0)) {
        (Some(_), logical) => logical.unwrap_or(1),
        (None, logical) => {
            logical.or_else(|| whole("count")).ok_or("the type has no readable number of cards")?
        }
    };
    Ok(Some(Cards {
        name: card.text("name").map(redact::words).ok_or("the type has a card without a name")?,
        count,
        share,
        mib: card.positive("memoryInfo/sizeInMiB"),
    }))
}

/// `3200 Gigabit`, `4x 100 Gigabit`; what is only reached at times (`Up to 25 Gigabit`) is no speed of the machine.
fn gbit(text: &str) -> Option<f64> {
    let speed = text.strip_suffix("Gigabit")?.trim();
    let (times, one) = match speed.split_once('x') {
        Some((times, one)) => (times.trim().parse::<f64>().ok()?, one),
        None => (1.0, speed),
    };
    Some(times * one.trim().parse::<f64>().ok()?).filter(|gbit| gbit.is_finite() && *gbit > 0.0)
}

/// Every type with an accelerator in a region, each as read or what is wrong with it.
pub(super) async fn all(aws: &Aws, region: &str) -> Result<Vec<Result<Type, String>>, CloudError> {
    let fields = filter(1, "instance-type", &FAMILIES);
    Ok(pages(aws, "types", region, ("DescribeInstanceTypes", "instanceTypeSet", PAGE), fields)
        .await?
        .iter()
        .map(read)
        .collect())
}

/// The types of these names in a region; an unknown one is not among them.
pub(super) async fn named(aws: &Aws, region: &str, names: &[&str]) -> Result<Vec<Type>, CloudError> {
    let fields = filter(1, "instance-type", names);
    let rows =
        pages(aws, "types", region, ("DescribeInstanceTypes", "instanceTypeSet", PAGE), fields).await?;
    Ok(rows
        .iter()
        .filter_map(|row| read(row).ok())
        .filter(|found| names.contains(&found.name.as_str()))
        .collect())
}

/// The zones of a region that have a type, in the order of their names.
pub(super) async fn zones(aws: &Aws, region: &str, name: &str) -> Result<Vec<String>, CloudError> {
    let mut fields = filter(1, "instance-type", &[name]);
    fields.push(("LocationType".to_owned(), "availability-zone".to_owned()));
    let what = ("DescribeInstanceTypeOfferings", "instanceTypeOfferingSet", PAGE);
    let rows = pages(aws, "zones", region, what, fields).await?;
    let here = rows.iter().filter(|row| row.text("instanceType") == Some(name));
    let mut zones: Vec<String> = here.filter_map(|row| row.text("location")).map(redact::words).collect();
    zones.sort();
    zones.dedup();
    Ok(zones)
}

/// The rows of every page of a list: the action, the element with the rows, how many rows a page may have at most. An
/// empty page with a token is legal.
pub(super) async fn pages(
    aws: &Aws,
    doing: &str,
    region: &str,
    (action, set, most): (&str, &str, u32),
    mut fields: Fields,
) -> Result<Vec<Node>, CloudError> {
    let bad = |words: String| aws.error(CloudErrorCode::Http(SourceErrorCode::BadAnswer), doing, words);
    fields.push(("MaxResults".to_owned(), most.to_string()));
    let mut rows = Vec::new();
    let mut last: Option<String> = None;
    for _ in 0..MAX_PAGES {
        let mut asked = fields.clone();
        asked.extend(last.iter().map(|token| ("NextToken".to_owned(), token.clone())));
        let page = aws.ask(doing, (Service::Ec2, region), action, &asked).await?;
        if page.name() != format!("{action}Response") || !page.has(set) {
            return Err(bad(format!("XML without `{set}`")));
        }
        rows.extend(page.items(set).cloned());
        match page.text("nextToken") {
            None => return Ok(rows),
            Some(token) if last.as_deref() == Some(token) => {
                return Err(bad("a page that leads to itself".to_owned()));
            }
            Some(token) => last = Some(token.to_owned()),
        }
    }
    Err(bad(format!("more than {MAX_PAGES} pages")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(inner: &str) -> Result<Type, String> {
        read(&Node::read(&format!("<item><instanceType>g6f.large</instanceType>{inner}</item>")).unwrap())
    }

    #[test]
    fn a_part_of_a_card_has_a_count_of_none() {
        let part = "<gpuInfo><gpus><item><name>L4</name><manufacturer>NVIDIA</manufacturer><count>0</count><logicalGpuCount>1</logicalGpuCount>\
            <gpuPartitionSize>0.125</gpuPartitionSize><memoryInfo><sizeInMiB>2861</sizeInMiB></memoryInfo></item></gpus></gpuInfo>";
        let cards = typed(part).unwrap().cards.unwrap();
        assert_eq!((cards.count, cards.share, cards.mib), (1, Some(0.125), Some(2861.0)));
    }

    #[test]
    fn whole_cards_are_counted_in_whichever_block_they_stand() {
        let gpus = "<gpuInfo><gpus><item><name>H100</name><count>8</count></item></gpus></gpuInfo>";
        assert_eq!(
            typed(gpus).unwrap().cards.map(|c| (c.name, c.count, c.share)),
            Some(("H100".to_owned(), 8, None))
        );
        let neuron = "<neuronInfo><neuronDevices><item><count>16</count><name>Trainium</name></item></neuronDevices></neuronInfo>";
        assert_eq!(typed(neuron).unwrap().cards.map(|c| c.count), Some(16));
        assert_eq!(typed("<vCpuInfo/>").unwrap().cards, None);
        assert!(typed("<gpuInfo/>").is_err(), "cards of which nothing is said are no machine without cards");
        assert!(
            typed("<gpuInfo><gpus><item><name>H100</name><count>many</count></item></gpus></gpuInfo>")
                .is_err()
        );
    }

    #[test]
    fn a_speed_reached_at_times_is_none() {
        assert_eq!((gbit("3200 Gigabit"), gbit("4x 100 Gigabit")), (Some(3200.0), Some(400.0)));
        assert_eq!((gbit("Up to 25 Gigabit"), gbit("Moderate"), gbit("x Gigabit")), (None, None, None));
    }
}
