//! Renting at Nebius: launch with a disk that ends with its machine, look, stop, start, end.

use async_trait::async_trait;
use futures::future::join_all;
use gpudesk_core::money::Currency;
use gpudesk_core::offer::{Offer, PriceKind, SupplyState};
use gpudesk_core::rental::RentalTerms;
use prost::Message;

use super::api::{self, Home, Wanted, explained, homes, rows};
use super::instance::{self, LABEL, USER};
use super::map;
use super::session::{Service, Session};
use super::terms::{MOST_USER_DATA, rental_terms};
use super::wire::{Empty, Id, Metadata, Named, Operation};
use super::wire_instance::{
    AttachedDisk, DiskSpec, ImageFamily, Instance, InstanceSpec, Interface, ManagedDisk, NETWORK_SSD,
    PREEMPTION_STOP, Preemptible, READ_WRITE, RECOVERY_FAIL, RESERVATION_FORBID, ReservationPolicy,
    Resources,
};
use crate::cloud::{
    Access, AccountFacts, Cloud, CloudError, CloudErrorCode, Effect, Launch, Launched, Leftover, Listing,
    Look, Quote, asked_for, first_boot,
};
use crate::http::redact;

const INSTANCES: &str = "nebius.compute.v1.InstanceService/List";

struct NebiusCloud {
    session: Session,
    terms: RentalTerms,
}

/// Opens Nebius for one account (`GPUDESK_NEBIUS_URL`, `GPUDESK_NEBIUS_AUTH_URL`). The key is a JSON object, see the
/// terms.
///
/// # Errors
/// Where the key or the address cannot be what it should be.
pub fn open(access: Access) -> Result<Box<dyn Cloud>, CloudError> {
    Ok(Box::new(NebiusCloud { session: Session::new(access)?, terms: rental_terms() }))
}

/// A text as the value of a label, or the end of its key: `[a-z0-9_-]`.
fn label(text: &str) -> String {
    let plain = text.chars().map(|c| match c.to_ascii_lowercase() {
        c if c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_') => c,
        _ => '-',
    });
    plain.take(63).collect()
}

/// The end of a tag's name behind our prefix.
fn bare(tag: &str) -> &str {
    tag.strip_prefix(LABEL).unwrap_or(tag).trim_start_matches([':', '-', '_'])
}

impl NebiusCloud {
    fn id<'a>(doing: &str, remote_id: &'a str) -> Result<&'a str, CloudError> {
        let plain = (1..=128).contains(&remote_id.len())
            && remote_id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        if plain {
            return Ok(remote_id);
        }
        let words = format!("“{remote_id}” is no id of an instance");
        Err(Session::error(CloudErrorCode::NoSuchMachine, doing, words))
    }

    /// The project to rent in: the first of the region.
    async fn home(&self, doing: &str, region: &str) -> Result<Option<Home>, CloudError> {
        Ok(homes(&self.session, doing).await?.into_iter().find(|home| home.region == region))
    }

    /// The subnet that every project has, or else its first.
    async fn subnet(&self, doing: &str, project: &str) -> Result<String, CloudError> {
        let (rows, _) =
            rows(&self.session, doing, (Service::Vpc, "nebius.vpc.v1.SubnetService/List"), project).await?;
        let all: Vec<Metadata> =
            rows.iter().filter_map(|row| Named::decode(row.as_slice()).ok()?.metadata).collect();
        let usual = all.iter().find(|subnet| subnet.name.starts_with("default-subnet"));
        usual.or(all.first()).map(|subnet| subnet.id.clone()).filter(|id| !id.is_empty()).ok_or_else(|| {
            Session::error(CloudErrorCode::AccountNotReady, doing, "the project has no subnet")
                .hint("make a network with a subnet in the project")
        })
    }

    fn order(launch: &Launch, project: &str, subnet: &str, gb: u32) -> Result<Instance, CloudError> {
        let doing = "launch";
        let Some((platform, preset)) = launch.offer.name.split_once('/') else {
            let words = format!("“{}” is no platform and preset", launch.offer.name);
            return Err(Session::error(CloudErrorCode::OfferGone, doing, words).hint("quote the offer again"));
        };
        let user_data = first_boot::admitting(USER, &launch.spec.ssh_public_key, &launch.user_data);
        if user_data.len() > MOST_USER_DATA as usize {
            let words = format!("the text for the first boot has more than {MOST_USER_DATA} bytes");
            return Err(Session::error(CloudErrorCode::Refused, doing, words).hint("make it shorter"));
        }
        let spot = launch.offer.price.kind == PriceKind::Spot;
        let tags =
            launch.tags.iter().map(|(tag, value)| (label(&format!("{LABEL}-{}", bare(tag))), label(value)));
        Ok(Instance {
            metadata: Some(Metadata {
                parent_id: project.to_owned(),
                name: launch.token.clone(),
                labels: tags.chain([(LABEL.to_owned(), launch.token.clone())]).collect(),
                ..Metadata::default()
            }),
            spec: Some(InstanceSpec {
                resources: Some(Resources { platform: platform.to_owned(), preset: preset.to_owned() }),
                network_interfaces: vec![Interface {
                    subnet_id: subnet.to_owned(),
                    name: "eth0".to_owned(),
                    ip_address: Some(Empty {}),
                    // Without one there is no way in from outside.
                    public_ip_address: Some(Empty {}),
                }],
                boot_disk: Some(AttachedDisk {
                    attach_mode: READ_WRITE,
                    managed_disk: Some(ManagedDisk {
                        name: format!("{}-boot", launch.token),
                        spec: Some(DiskSpec {
                            size_gibibytes: i64::from(gb),
                            kind: NETWORK_SSD,
                            source_image_family: Some(ImageFamily {
                                image_family: launch.spec.image.id.clone(),
                            }),
                        }),
                    }),
                }),
                cloud_init_user_data: user_data,
                recovery_policy: RECOVERY_FAIL,
                preemptible: spot.then_some(Preemptible { on_preemption: PREEMPTION_STOP }),
                follows_spot_price: spot.then_some(Empty {}),
                reservation_policy: Some(ReservationPolicy { policy: RESERVATION_FORBID }),
                stopped: false,
            }),
            status: None,
        })
    }

    /// Orders something of a machine.
    async fn operate(&self, doing: &str, method: &str, remote_id: &str) -> Result<(), CloudError> {
        let ask = Id { id: Self::id(doing, remote_id)?.to_owned() };
        let key = format!("gpudesk-{:032x}", fastrand::u128(..));
        let method = format!("nebius.compute.v1.InstanceService/{method}");
        let done: Operation = self.session.change(doing, (Service::Compute, &method), &ask, &key).await?;
        match done.status.filter(|status| status.code != 0) {
            Some(status) => {
                let error = Session::error(CloudErrorCode::Refused, doing, &status.message);
                Err(explained(error, &status))
            }
            None => Ok(()),
        }
    }

    /// The machines of one project, each with what is wrong with it where it cannot be read.
    async fn machines(
        &self,
        home: &Home,
    ) -> Result<(Vec<Result<gpudesk_core::rental::Machine, String>>, bool), CloudError> {
        let (rows, whole) =
            rows(&self.session, "instances", (Service::Compute, INSTANCES), &home.project).await?;
        Ok((rows.iter().map(|row| instance::machine(&home.region, row)).collect(), whole))
    }
}

#[async_trait]
impl Cloud for NebiusCloud {
    fn terms(&self) -> &RentalTerms {
        &self.terms
    }

    /// A balance and what the account may change are not told by any public call.
    async fn check(&self) -> Result<AccountFacts, CloudError> {
        let homes = homes(&self.session, "account").await?;
        let mut remarks = Vec::new();
        for pair in homes.windows(2) {
            if let [a, b] = pair
                && a.region == b.region
            {
                remarks.push(format!(
                    "{} has several projects; machines are made in {}, unless the key names another",
                    a.region, a.name
                ));
            }
        }
        Ok(AccountFacts {
            who: Some(redact::words(&self.session.part("service_account_id"))),
            may_read: Some(true),
            remarks,
            ..AccountFacts::unknown(Currency::USD)
        })
    }

    async fn quote(&self, offer: &Offer, _disk_gb: Option<u32>) -> Result<Quote, CloudError> {
        let doing = "quote";
        let gone = |words: String| Ok(Quote::Gone { words });
        let region = offer.place.region.as_deref().unwrap_or_default();
        let Some((platform, preset)) = offer.name.split_once('/') else {
            return gone(format!("“{}” is no platform and preset", offer.name));
        };
        let Some(home) = self.home(doing, region).await? else {
            return gone(format!("the tenant has no project in {region}"));
        };
        let platforms = api::platforms(&self.session, doing, &home.project).await?;
        let mut known = platforms.iter().filter_map(|row| api::platform(row).ok());
        let Some(found) = known.find(|p| p.metadata.as_ref().is_some_and(|m| m.name == platform)) else {
            return gone(format!("Nebius lists no platform {platform} in {region} now"));
        };
        let wanted = Wanted {
            project: home.project.clone(),
            platform: platform.to_owned(),
            preset: preset.to_owned(),
            preemptible: offer.price.kind == PriceKind::Spot,
        };
        let cost = api::price(&self.session, doing, &wanted).await?;
        let advice = api::advice(&self.session, doing).await;
        let rows = map::rows(&home, &found, &[(wanted, cost)].into(), &advice);
        let now = rows.into_iter().filter_map(|row| match row {
            gpudesk_core::quarantine::Row::Offers { offers, .. } => Some(offers),
            _ => None,
        });
        match now.flatten().find(|now| now.id == offer.id) {
            Some(now) if now.supply.state == SupplyState::OutOfStock => {
                gone(format!("{} has none of {} left for this account", region, offer.name))
            }
            Some(now) => Ok(Quote::Stands(Box::new(now))),
            None => gone(format!("Nebius has no price of {} in {region} now", offer.name)),
        }
    }

    async fn launch(&self, launch: &Launch) -> Result<Launched, CloudError> {
        let doing = "launch";
        let gb = launch.spec.disk_gb.or(self.terms.disk.map(|disk| disk.usual)).unwrap_or(50);
        let region = launch.offer.place.region.as_deref().unwrap_or_default();
        // What is wrong with the order is told before anything is asked.
        Self::order(launch, "", "", gb)?;
        let Some(home) = self.home(doing, region).await? else {
            let words = format!("the tenant has no project in {region}");
            return Err(Session::error(CloudErrorCode::OfferGone, doing, words).hint("quote the offer again"));
        };
        let subnet = self.subnet(doing, &home.project).await?;
        let order = Self::order(launch, &home.project, &subnet, gb)?;
        let method = (Service::Compute, "nebius.compute.v1.InstanceService/Create");
        let done: Operation = match self.session.change(doing, method, &order, &launch.token).await {
            Err(error) => return Err(error.of_order()),
            Ok(done) => done,
        };
        let remote_id = redact::words(&done.resource_id);
        let failed = done.status.filter(|status| status.code != 0);
        match failed {
            None if Self::id(doing, &remote_id).is_ok() => Ok(Launched { remote_id }),
            None => Err(Session::error(
                CloudErrorCode::Http(crate::source::SourceErrorCode::BadAnswer),
                doing,
                "the answer names no new instance",
            )
            .hint("look at the provider's own page before asking again")
            .with_effect(Effect::Unclear)),
            Some(status) => {
                let error =
                    explained(Session::error(CloudErrorCode::Refused, doing, &status.message), &status);
                // A machine may be there all the same.
                let there = !remote_id.is_empty() && !matches!(self.look(&remote_id).await, Ok(Look::Absent));
                Err(if there { error.with_effect(Effect::Made { remote_id }) } else { error })
            }
        }
    }

    /// Every project has a list of its own. One that fails costs the proof, not the machines of the others.
    async fn list(&self) -> Result<Listing, CloudError> {
        let homes = homes(&self.session, "instances").await?;
        let mut listing = Listing { complete: true, ..Listing::default() };
        let (mut failed, mut read) = (None, 0);
        for (home, result) in homes.iter().zip(join_all(homes.iter().map(|home| self.machines(home))).await) {
            match result {
                Ok((machines, whole)) => {
                    read += 1;
                    listing.complete &= whole;
                    machines.into_iter().for_each(|machine| listing.take(machine));
                }
                Err(error) => {
                    listing.complete = false;
                    listing.unreadable.push(redact::words(&format!("{}: {}", home.name, error.detail)));
                    failed.get_or_insert(error);
                }
            }
        }
        match failed {
            Some(error) if read == 0 => Err(error),
            _ => Ok(listing),
        }
    }

    async fn look(&self, remote_id: &str) -> Result<Look, CloudError> {
        let doing = "instance";
        let ask = Id { id: Self::id(doing, remote_id)?.to_owned() };
        let method = (Service::Compute, "nebius.compute.v1.InstanceService/Get");
        let found: Instance = match self.session.ask(doing, method, &ask).await {
            Ok(found) => found,
            Err(error) if error.code == CloudErrorCode::NoSuchMachine => return Ok(Look::Absent),
            Err(error) => return Err(error),
        };
        let bad = |words: String| {
            Session::error(CloudErrorCode::Http(crate::source::SourceErrorCode::BadAnswer), doing, words)
        };
        let project = found.metadata.as_ref().map(|metadata| metadata.parent_id.clone()).unwrap_or_default();
        let region = api::region(&self.session, doing, &project).await;
        let machine = instance::machine(&region, &found.encode_to_vec()).map_err(bad)?;
        asked_for(remote_id, &machine).map_err(bad)?;
        Ok(Look::There(Box::new(machine)))
    }

    async fn stop(&self, remote_id: &str) -> Result<(), CloudError> {
        self.operate("stop", "Stop", remote_id).await
    }

    async fn start(&self, remote_id: &str) -> Result<(), CloudError> {
        self.operate("start", "Start", remote_id).await
    }

    /// The managed disk goes with the machine.
    async fn end(&self, remote_id: &str) -> Result<(), CloudError> {
        match self.operate("end", "Delete", remote_id).await {
            Err(error)
                if error.code == CloudErrorCode::NoSuchMachine && Self::id("end", remote_id).is_ok() =>
            {
                Ok(())
            }
            // Two operations on one machine are refused; where it is on its way out, that is what was wanted.
            Err(error) if error.code == CloudErrorCode::Conflict => match self.look(remote_id).await {
                Ok(Look::Absent) => Ok(()),
                Ok(Look::There(machine)) if machine.state == gpudesk_core::rental::MachineState::Ending => {
                    Ok(())
                }
                _ => Err(error),
            },
            done => done,
        }
    }

    /// Disks that are at no machine.
    async fn leftovers(&self) -> Result<Vec<Leftover>, CloudError> {
        let doing = "disks";
        let mut left = Vec::new();
        for home in homes(&self.session, doing).await? {
            let method = (Service::Compute, "nebius.compute.v1.DiskService/List");
            let (rows, _) = rows(&self.session, doing, method, &home.project).await?;
            for row in rows {
                let disk = super::wire_instance::Disk::decode(row.as_slice()).unwrap_or_default();
                let (metadata, status) = (disk.metadata.unwrap_or_default(), disk.status.unwrap_or_default());
                let held =
                    !status.read_write_attachment.is_empty() || !status.read_only_attachments.is_empty();
                if metadata.id.is_empty() || held {
                    continue;
                }
                let bytes = u64::try_from(status.size_bytes).ok().filter(|bytes| *bytes > 0);
                let gb = bytes.map(|bytes| {
                    rust_decimal::Decimal::new(i64::try_from(bytes / 1_000_000).unwrap_or(0), 3)
                });
                left.push(Leftover {
                    what: "disk".to_owned(),
                    remote_id: redact::words(&metadata.id),
                    name: Some(redact::words(&metadata.name)).filter(|name| !name.is_empty()),
                    size_gb: gb.map(|gb| gb.normalize()),
                    per_month: None,
                    currency: Currency::USD,
                });
            }
        }
        Ok(left)
    }
}
