//! Regions, zones and types of machines.

use axum::response::Response;
use serde_json::{Value, json};

use super::super::Answer;
use super::super::machine::{Cards, Machine, Service};
use super::super::world::World;
use super::Place;
use super::said::{Fields, Said, answer, page};

/// Regions and their zones, by letter.
pub const REGIONS: [(&str, &str); 3] = [("eu-central-1", "abc"), ("us-east-1", "abcd"), ("us-west-2", "abc")];

/// Whether a region takes calls.
pub fn is_on(region: &str) -> bool {
    REGIONS.iter().any(|(name, _)| *name == region)
}

/// The zones of a region.
pub fn zones(region: &str) -> Vec<String> {
    let letters = REGIONS.iter().find(|(name, _)| *name == region).map_or("", |(_, letters)| *letters);
    letters.chars().map(|letter| format!("{region}{letter}")).collect()
}

/// A type of machine.
pub struct Type {
    pub name: &'static str,
    /// The card as EC2 spells it; empty = none.
    gpu: &'static str,
    /// The card as its driver spells it.
    driver: &'static str,
    /// Cards, and MiB of one as EC2 tells it.
    cards: u32,
    mib: u32,
    /// The part of a card, in thousandths; 1000 = a whole one.
    part: u32,
    vcpus: u32,
    ram_gib: u32,
    disk_gb: u32,
    network: &'static str,
    arm: bool,
    /// List price an hour in us-east-1; 0 = by reservation only.
    pub price: f64,
    /// Zones that have it.
    pub zones: &'static [&'static str],
    /// Machines of it that a zone has.
    most: usize,
}

const EAST: &[&str] = &["us-east-1a", "us-east-1b", "us-east-1c"];
const EVERYWHERE: &[&str] =
    &["us-east-1a", "us-east-1b", "us-west-2a", "us-west-2b", "eu-central-1a", "eu-central-1b"];

const PLAIN: Type = Type {
    name: "",
    gpu: "",
    driver: "",
    cards: 1,
    mib: 0,
    part: 1000,
    vcpus: 4,
    ram_gib: 16,
    disk_gb: 0,
    network: "Up to 10 Gigabit",
    arm: false,
    price: 0.0,
    zones: EVERYWHERE,
    most: 4,
};

/// Every type.
pub const TYPES: [Type; 12] = [
    Type {
        name: "g6f.large",
        gpu: "L4",
        driver: "NVIDIA L4-3Q",
        mib: 2_861,
        part: 125,
        vcpus: 2,
        ram_gib: 8,
        price: 0.2024,
        zones: &["us-east-1b"],
        ..PLAIN
    },
    Type {
        name: "g5g.xlarge",
        gpu: "T4g",
        driver: "NVIDIA T4G",
        mib: 16_384,
        ram_gib: 8,
        arm: true,
        price: 0.42,
        zones: EAST,
        ..PLAIN
    },
    Type {
        name: "g4dn.xlarge",
        gpu: "T4",
        driver: "Tesla T4",
        mib: 16_384,
        disk_gb: 125,
        network: "Up to 25 Gigabit",
        price: 0.526,
        ..PLAIN
    },
    Type {
        name: "g6.xlarge",
        gpu: "L4",
        driver: "NVIDIA L4",
        mib: 22_888,
        disk_gb: 250,
        price: 0.8048,
        ..PLAIN
    },
    Type {
        name: "g5.xlarge",
        gpu: "A10G",
        driver: "NVIDIA A10G",
        mib: 22_888,
        disk_gb: 250,
        price: 1.006,
        ..PLAIN
    },
    Type {
        name: "g6e.xlarge",
        gpu: "L40S",
        driver: "NVIDIA L40S",
        mib: 45_776,
        ram_gib: 32,
        disk_gb: 250,
        price: 1.861,
        ..PLAIN
    },
    Type {
        name: "g6.12xlarge",
        gpu: "L4",
        driver: "NVIDIA L4",
        cards: 4,
        mib: 22_888,
        vcpus: 48,
        ram_gib: 192,
        disk_gb: 3_760,
        network: "40 Gigabit",
        price: 4.6016,
        ..PLAIN
    },
    Type {
        name: "g4dn.metal",
        gpu: "T4",
        driver: "Tesla T4",
        cards: 8,
        mib: 16_384,
        vcpus: 96,
        ram_gib: 384,
        disk_gb: 1_800,
        network: "100 Gigabit",
        price: 7.824,
        zones: EAST,
        most: 1,
        ..PLAIN
    },
    Type {
        name: "p4d.24xlarge",
        gpu: "A100",
        driver: "NVIDIA A100-SXM4-40GB",
        cards: 8,
        mib: 40_960,
        vcpus: 96,
        ram_gib: 1_152,
        disk_gb: 8_000,
        network: "4x 100 Gigabit",
        price: 21.957_642,
        zones: EAST,
        most: 1,
        ..PLAIN
    },
    Type {
        name: "p5.48xlarge",
        gpu: "H100",
        driver: "NVIDIA H100 80GB HBM3",
        cards: 8,
        mib: 81_920,
        vcpus: 192,
        ram_gib: 2_048,
        disk_gb: 30_400,
        network: "3200 Gigabit",
        price: 55.04,
        zones: &["us-east-1d", "us-west-2c"],
        most: 1,
        ..PLAIN
    },
    Type {
        name: "p5e.48xlarge",
        gpu: "H200",
        driver: "NVIDIA H200",
        cards: 8,
        mib: 144_384,
        vcpus: 192,
        ram_gib: 2_048,
        disk_gb: 30_400,
        network: "3200 Gigabit",
        price: 0.0,
        zones: &["us-west-2c"],
        most: 1,
        ..PLAIN
    },
    // A machine without cards whose name begins like those that have some.
    Type { name: "g0.plain", cards: 0, price: 0.1, ..PLAIN },
];

impl Type {
    /// The type of a name in a region.
    pub fn find(name: &str, region: &str) -> Option<&'static Self> {
        TYPES.iter().find(|kind| kind.name == name && !kind.zones_in(region).is_empty())
    }

    /// Its zones in a region.
    pub fn zones_in(&self, region: &str) -> Vec<&'static str> {
        self.zones.iter().copied().filter(|zone| zone.starts_with(region)).collect()
    }

    /// Whether it can be had without a reservation.
    pub fn is_for_everybody(&self) -> bool {
        self.price > 0.0
    }

    /// The cards as the machine itself reports them.
    pub fn driver_cards(&self) -> Cards {
        // The driver tells more than EC2 does: 23,034 MiB of an L4, 3,072 of an eighth of it.
        let nominal =
            [(2_861, 3_072), (22_888, 23_034), (45_776, 46_068), (144_384, 143_771), (81_920, 81_559)];
        let memory_mib =
            nominal.iter().find(|(told, _)| *told == self.mib).map_or(self.mib, |(_, real)| *real);
        Cards { name: self.driver.to_owned(), count: self.cards, memory_mib, watts: 300 }
    }

    /// Whether a zone has one now.
    pub fn has(&self, zone: &str, world: &World) -> bool {
        let region = zone.trim_end_matches(|c: char| c.is_ascii_lowercase());
        let sold_out = |name: String| world.sold_out.contains(&name);
        if sold_out(self.name.to_owned())
            || sold_out(format!("{}/{region}", self.name))
            || sold_out(format!("{}/{zone}", self.name))
        {
            return false;
        }
        let taken = |m: &&Machine| {
            m.service == Service::Aws
                && m.holds_cards()
                && m.facts["type"] == self.name
                && m.facts["zone"] == zone
        };
        world.machines.iter().filter(taken).count() < self.most
    }

    fn shown(&self) -> Value {
        let whole = self.part == 1000;
        let gpu = json!([{
            "name": self.gpu, "manufacturer": "NVIDIA", "count": if whole { self.cards } else { 0 },
            "logicalGpuCount": self.cards, "gpuPartitionSize": f64::from(self.part) / 1000.0,
            "memoryInfo": { "sizeInMiB": self.mib },
        }]);
        let usage =
            if self.is_for_everybody() { json!(["on-demand", "spot"]) } else { json!(["capacity-block"]) };
        let mut shown = json!({
            "instanceType": self.name, "currentGeneration": true, "supportedUsageClasses": usage,
            "bareMetal": self.name.ends_with(".metal"), "hypervisor": "nitro",
            "processorInfo": { "supportedArchitectures": [if self.arm { "arm64" } else { "x86_64" }] },
            "vCpuInfo": { "defaultVCpus": self.vcpus }, "memoryInfo": { "sizeInMiB": self.ram_gib * 1024 },
            "networkInfo": { "networkPerformance": self.network, "efaSupported": !self.network.starts_with("Up to") },
        });
        if self.cards > 0 {
            shown["gpuInfo"] = json!({ "gpus": gpu, "totalGpuMemoryInMiB": self.mib * self.cards });
        }
        if self.disk_gb > 0 {
            shown["instanceStorageInfo"] = json!({ "totalSizeInGB": self.disk_gb });
        }
        shown
    }
}

/// Every region that is switched on.
pub fn regions() -> Response {
    let rows: Vec<Value> = REGIONS
        .iter()
        .map(|(name, _)| {
            json!({ "regionName": name, "regionEndpoint": format!("ec2.{name}.amazonaws.com"), "optInStatus": "opt-in-not-required" })
        })
        .collect();
    answer("DescribeRegions", json!({ "regionInfo": rows }))
}

/// Types of a region.
pub fn types(at: &Place<'_>, fields: &Fields) -> Answer {
    let here = TYPES.iter().filter(|kind| !kind.zones_in(at.region).is_empty());
    let named = fields.list("InstanceType");
    if let Some(unknown) = named.iter().find(|name| Type::find(name, at.region).is_none()) {
        let words = format!("The following supplied instance types do not exist: [{unknown}]");
        return Err(Said::new(400, "InvalidInstanceType", &words).refused());
    }
    let rows: Vec<Value> = here
        .filter(|kind| {
            fields.lets("instance-type", kind.name) && (named.is_empty() || named.contains(&kind.name))
        })
        .map(Type::shown)
        .collect();
    Ok(page("DescribeInstanceTypes", "instanceTypeSet", rows, fields, 5))
}

/// Which zones have which types.
pub fn offerings(at: &Place<'_>, fields: &Fields) -> Response {
    let rows: Vec<Value> = TYPES
        .iter()
        .filter(|kind| fields.lets("instance-type", kind.name))
        .flat_map(|kind| {
            kind.zones_in(at.region).into_iter().map(|zone| {
                json!({ "instanceType": kind.name, "locationType": "availability-zone", "location": zone })
            })
        })
        .collect();
    page("DescribeInstanceTypeOfferings", "instanceTypeOfferingSet", rows, fields, 100)
}
