//! The machines of an account, in every region.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};
use futures::{StreamExt, stream};
use gpudesk_core::rental::{Machine, MachineState};

use super::instance::{self, Instance, TAG, is_id};
use super::key::region_of;
use super::prices::{self, Rate};
use super::regions::Regions;
use super::service::{Aws, Fields, Service, fields, filter};
use super::types::{self, Type, pages};
use crate::cloud::{CloudError, CloudErrorCode, Listing};
use crate::http::redact;

/// Regions that are asked at the same time.
pub(super) const AT_ONCE: usize = 6;

/// The most names in one question for types.
const NAMES: usize = 100;

/// For so long a price is taken as it was, also where there was none to be had.
const PRICE_HOLDS: TimeDelta = TimeDelta::minutes(30);

/// What a rate belongs to: type, zone, whether it is a spot machine.
type Rated = (String, String, bool);

/// When a rate was asked for, and what it was.
type Asked = (DateTime<Utc>, Option<Rate>);

/// What was learnt of an account while it was looked at. Nothing here is needed: it saves calls.
#[derive(Default)]
pub(super) struct Seen {
    regions: Regions,
    /// The region of a machine.
    at: Mutex<BTreeMap<String, String>>,
    kinds: Mutex<BTreeMap<String, Type>>,
    rates: Mutex<BTreeMap<Rated, Asked>>,
}

fn locked<T>(of: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Seen {
    /// Every region to look at.
    pub async fn regions(&self, aws: &Aws) -> Result<Vec<String>, CloudError> {
        self.regions.all(aws).await
    }

    /// Remembers where a machine is.
    pub fn put(&self, id: &str, region: &str) {
        locked(&self.at).insert(id.to_owned(), region.to_owned());
    }

    /// Every machine with cards, and every one with our mark. Others of the account are no business of ours. A region
    /// that could not be read to its end makes the listing incomplete.
    pub async fn list(&self, aws: &Aws) -> Result<Listing, CloudError> {
        let regions = self.regions.all(aws).await?;
        let asked: Vec<_> = regions.iter().map(|region| self.rows(aws, region, fields(&[]))).collect();
        let told: Vec<Result<Told, CloudError>> = stream::iter(asked).buffered(AT_ONCE).collect().await;
        let mut listing = Listing { complete: true, ..Listing::default() };
        let (mut failed, mut seen) = (None, BTreeSet::new());
        for (region, told) in regions.iter().zip(told) {
            match told {
                Ok(told) => {
                    listing.complete &= told.unreadable.is_empty();
                    listing.unreadable.extend(told.unreadable);
                    for instance in told.instances {
                        // Pages that moved under the reader repeat one row, and lose another.
                        if seen.insert(instance.machine.remote_id.clone()) {
                            listing.machines.push(instance.machine);
                        } else {
                            listing.complete = false;
                        }
                    }
                }
                Err(error) => {
                    listing.complete = false;
                    listing.unreadable.push(redact::words(&format!("{region}: {}", error.detail)));
                    failed = Some(error);
                }
            }
        }
        match failed {
            Some(error) if listing.unreadable.len() == regions.len() && listing.machines.is_empty() => {
                Err(error)
            }
            _ => Ok(listing),
        }
    }

    /// One machine, wherever it is; `None` where every region says that it has none of that id.
    pub async fn look(&self, aws: &Aws, id: &str) -> Result<Option<(Instance, String)>, CloudError> {
        if !is_id(id) {
            return Ok(None);
        }
        let known = locked(&self.at).get(id).cloned();
        if let Some(region) = known
            && let Some(found) = self.look_in(aws, &region, id).await?
        {
            return Ok(Some((found, region)));
        }
        let regions = self.regions.all(aws).await?;
        let asked: Vec<_> = regions.iter().map(|region| self.look_in(aws, region, id)).collect();
        let told: Vec<_> = stream::iter(asked).buffered(AT_ONCE).collect().await;
        let mut failed = None;
        for (region, told) in regions.iter().zip(told) {
            match told {
                Ok(Some(found)) => return Ok(Some((found, region.clone()))),
                Ok(None) => {}
                Err(error) => failed = Some(error),
            }
        }
        failed.map_or(Ok(None), Err)
    }

    /// The region of a machine.
    pub async fn region(&self, aws: &Aws, id: &str) -> Result<Option<String>, CloudError> {
        let known = locked(&self.at).get(id).cloned();
        match known {
            Some(region) => Ok(Some(region)),
            None => Ok(self.look(aws, id).await?.map(|(_, region)| region)),
        }
    }

    async fn look_in(&self, aws: &Aws, region: &str, id: &str) -> Result<Option<Instance>, CloudError> {
        let one = fields(&[("InstanceId.1", id)]);
        let answer = match aws.ask("instance", (Service::Ec2, region), "DescribeInstances", &one).await {
            Ok(answer) => answer,
            Err(error) if error.code == CloudErrorCode::NoSuchMachine => return Ok(None),
            Err(error) => return Err(error),
        };
        if !answer.has("reservationSet") {
            return Err(aws.unreadable("instance", "XML without `reservationSet`"));
        }
        let rows = answer.items("reservationSet").flat_map(|reservation| reservation.items("instancesSet"));
        let mut found = Vec::new();
        for row in rows {
            let instance = instance::read(row, region).map_err(|words| aws.unreadable("instance", words))?;
            if instance.machine.remote_id != id {
                let words = format!("asked for {id}, told of {}", instance.machine.remote_id);
                return Err(aws.unreadable("instance", words));
            }
            found.push(instance);
        }
        if found.is_empty() {
            return Ok(None);
        }
        self.put(id, region);
        self.complete(aws, region, &mut found).await;
        Ok(found.into_iter().next())
    }

    /// A machine with a mark that is not on its way out.
    pub async fn marked(&self, aws: &Aws, region: &str, token: &str) -> Result<Option<String>, CloudError> {
        let mut asked = filter(1, &format!("tag:{TAG}"), &[token]);
        asked.extend(filter(2, "instance-state-name", &["pending", "running", "stopping", "stopped"]));
        let told = self.rows(aws, region, asked).await?;
        let alive = |machine: &&Machine| {
            machine.token.as_deref() == Some(token)
                && !matches!(machine.state, MachineState::Ended | MachineState::Ending)
        };
        let machines = told.instances.iter().map(|instance| &instance.machine);
        Ok(machines
            .filter(alive)
            .min_by_key(|machine| machine.created_at)
            .map(|machine| machine.remote_id.clone()))
    }

    async fn rows(&self, aws: &Aws, region: &str, asked: Fields) -> Result<Told, CloudError> {
        let what = ("DescribeInstances", "reservationSet", 1000);
        let rows = pages(aws, "instances", region, what, asked).await?;
        let mut told = Told::default();
        for row in rows.iter().flat_map(|reservation| reservation.items("instancesSet")) {
            match instance::read(row, region) {
                Ok(instance) => told.instances.push(instance),
                Err(words) => told.unreadable.push(redact::words(&words)),
            }
        }
        for instance in &told.instances {
            self.put(&instance.machine.remote_id, region);
        }
        self.complete(aws, region, &mut told.instances).await;
        let ours =
            |instance: &Instance| instance.machine.token.is_some() || instance.machine.gpu_count != Some(0);
        told.instances.retain(ours);
        Ok(told)
    }

    /// Adds what the list of machines does not tell: the cards of a type, and what a machine costs. That it cannot be
    /// had leaves it unknown.
    async fn complete(&self, aws: &Aws, region: &str, instances: &mut [Instance]) {
        self.learn(aws, region, instances).await;
        for instance in instances.iter_mut() {
            let Some(name) = instance.kind.clone() else { continue };
            let kind = locked(&self.kinds).get(&name).cloned();
            let Some(kind) = kind else { continue };
            instance::equip(instance, &kind);
            let machine = &mut instance.machine;
            // What ours cost on demand was agreed to; a spot price moves.
            let wanted = kind.cards.is_some() && (machine.spot || machine.token.is_none());
            let gone =
                matches!(machine.state, MachineState::Ended | MachineState::Preempted | MachineState::Failed);
            let Some(zone) = machine.place.region.clone().filter(|_| wanted && !gone) else { continue };
            let rate = self.rate(aws, (name, zone, machine.spot)).await;
            machine.per_hour = rate.map(|rate| rate.per_hour);
            machine.currency = rate.map(|rate| rate.currency);
        }
    }

    /// Asks for the types that are not known yet. Types do not change.
    async fn learn(&self, aws: &Aws, region: &str, instances: &[Instance]) {
        let unknown: BTreeSet<&str> = {
            let kinds = locked(&self.kinds);
            let names = instances.iter().filter_map(|instance| instance.kind.as_deref());
            names.filter(|name| !kinds.contains_key(*name)).collect()
        };
        let unknown: Vec<&str> = unknown.into_iter().collect();
        for names in unknown.chunks(NAMES) {
            match types::named(aws, region, names).await {
                Ok(found) => {
                    locked(&self.kinds).extend(found.into_iter().map(|kind| (kind.name.clone(), kind)))
                }
                Err(error) => tracing::warn!("the types of machines in {region} are not known: {error}"),
            }
        }
    }

    async fn rate(&self, aws: &Aws, rated: Rated) -> Option<Rate> {
        let now = aws.http.now();
        let known = locked(&self.rates).get(&rated).copied();
        if let Some((_, rate)) = known.filter(|(at, _)| now - *at < PRICE_HOLDS) {
            return rate;
        }
        let (name, zone, spot) = &rated;
        let region = region_of(zone)?;
        let found = if *spot {
            let told = prices::spot(aws, region, Some((name, zone))).await;
            told.map(|mut told| told.remove(&(name.clone(), zone.clone())))
        } else {
            prices::one(aws, name, region).await
        };
        let rate = found.unwrap_or_else(|error| {
            tracing::debug!("no price of {name} in {zone}: {error}");
            None
        });
        let rate = rate.filter(|rate| rate.per_hour > rust_decimal::Decimal::ZERO);
        locked(&self.rates).insert(rated, (now, rate));
        rate
    }
}

/// What a region told.
#[derive(Default)]
struct Told {
    instances: Vec<Instance>,
    unreadable: Vec<String>,
}
