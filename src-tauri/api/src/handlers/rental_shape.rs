//! A rental in the contract's shape.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Duration, Utc};
use gpudesk_core::money::{Currency, Rates};
use gpudesk_core::place;
use gpudesk_core::policy::Verdict;
use gpudesk_core::rental::{Interval, Lease, MachineState, Notice, Rental, SshAddress, State, Verification};
use gpudesk_engine::{ActivityNow, Desk, DeskError};

use super::rows::{self, provider_title, rounded, text, time};
use super::{evidence, policies, stop};
use crate::guard::ActivityDto;
use crate::offer::PlaceDto;
use crate::policy::PolicyVerdict;
use crate::rental::{
    CostSoFar, DifferenceDto, GpuProcess, GpuUsage, IntervalDto, LeaseDto, RateDto, Remark, RentalDto,
    SshDto, UsageNow, VerifiedDto,
};

/// Everything that decides how rentals are shown.
pub(super) struct Shapes<'a> {
    pub desk: &'a Desk,
    pub rates: Rates,
    pub now: DateTime<Utc>,
    /// Shortest and longest boot of each provider, s; told of machines that are on their way only.
    boots: BTreeMap<String, (f64, f64)>,
    /// Whether machines work, by rental id.
    activities: BTreeMap<String, ActivityNow>,
}

impl<'a> Shapes<'a> {
    /// With the rates at hand, at this moment.
    pub async fn now(desk: &'a Desk) -> Result<Self, DeskError> {
        Ok(Self {
            desk,
            rates: desk.rates().await?,
            now: desk.now(),
            boots: BTreeMap::new(),
            activities: BTreeMap::new(),
        })
    }

    /// One rental, by itself.
    pub async fn one(desk: &'a Desk, rental: &Rental) -> Result<RentalDto, DeskError> {
        let shapes = Self::now(desk).await?.with_activity(std::slice::from_ref(rental)).await?;
        Ok(shapes.rental(rental))
    }

    /// The same, knowing whether these machines work.
    pub async fn with_activity(mut self, rentals: &[Rental]) -> Result<Self, DeskError> {
        for rental in rentals.iter().filter(|rental| !rental.is_over()) {
            if let Some(activity) = self.desk.activity_now(rental).await? {
                self.activities.insert(rental.record.id.clone(), activity);
            }
        }
        Ok(self)
    }

    /// The same, knowing how long machines usually take where one of these is on its way.
    pub async fn with_boots(mut self, rentals: &[Rental]) -> Result<Self, DeskError> {
        let on_the_way = |rental: &&Rental| {
            matches!(
                rental.state,
                State::Requested | State::Provisioning | State::Booting | State::Verifying | State::Starting
            )
        };
        let waiting: BTreeSet<&str> =
            rentals.iter().filter(on_the_way).map(|rental| rental.record.provider.as_str()).collect();
        if waiting.is_empty() {
            return Ok(self);
        }
        let past = self.desk.rentals(true).await?;
        let usual = |provider: &str| Some((provider.to_owned(), evidence::usual_boot(&past, provider)?));
        self.boots = waiting.into_iter().filter_map(usual).collect();
        Ok(self)
    }

    /// A rental with its costs at this moment.
    pub fn rental(&self, rental: &Rental) -> RentalDto {
        let record = &rental.record;
        let rules = gpudesk_engine::rental_terms(&record.provider);
        let disk_gb = record.spec.as_ref().and_then(|spec| spec.disk_gb);
        let currency = rental.currency().unwrap_or(Currency::USD).to_string();
        let costs = rental.costs(self.now);
        RentalDto {
            id: record.id.clone(),
            name: record.name.clone(),
            provider: record.provider.clone(),
            provider_title: provider_title(&record.provider),
            account: record.account_name(),
            remote_id: rental.remote_id.clone(),
            state: rental.state.to_string(),
            state_since: time(rental.state_since),
            reason: rental.reason.clone().or_else(|| rental.detail.clone()),
            provider_word: rental.word.clone(),
            token: record.token.clone(),
            offer: record
                .offer
                .as_ref()
                .map(|offer| rows::offer(offer, record.created_at, false, &self.rates)),
            title: title(rental),
            place: rental.place.as_ref().map(|place| PlaceDto {
                region: place.region.clone(),
                country: place.country.clone(),
                zones: place.country.as_deref().map(zones).unwrap_or_default(),
                seller: place.seller.clone(),
            }),
            policy: policy(rental),
            owner: record.owner.clone(),
            project: record.project.clone(),
            ssh: rental.ssh.as_ref().map(|ssh| self.ssh(rental, ssh)),
            requested_at: time(record.created_at),
            ready_at: rental.ready_at.map(time),
            ended_at: rental.ended_at.map(time),
            ends_at: rental.ends_at.map(time),
            rate: RateDto {
                per_hour: if rental.is_over() { Some("0".to_owned()) } else { rental.burning().map(rounded) },
                currency: currency.clone(),
            },
            cost_so_far: CostSoFar {
                amount: amount(costs.total),
                currency,
                parts: costs.parts.iter().map(|(kind, cost)| (kind.to_string(), amount(*cost))).collect(),
                unknown: costs.unknown.iter().map(ToString::to_string).collect(),
            },
            verified: rental.verification.as_ref().map(verified),
            lease: lease(&rental.lease),
            rings: stop::rings(self.desk, &record.provider, rules.as_ref(), Some(rental)),
            activity: self.activities.get(&record.id).map(activity),
            actions: actions(rental, rules.as_ref().is_some_and(|rules| rules.stop.exists)),
            stop: stop::truth(record.offer.as_ref(), disk_gb, rules.as_ref()),
            notices: self.notices(rental),
            usage: usage(self.desk, &record.id),
            usual_boot_s: self.boots.get(&record.provider).copied(),
            over: rental.is_over(),
        }
    }

    fn ssh(&self, rental: &Rental, ssh: &SshAddress) -> SshDto {
        let alias = self.desk.ssh_alias_at(&rental.record, ssh);
        SshDto {
            host: ssh.host.clone(),
            port: ssh.port,
            user: ssh.user.clone(),
            alias,
            fingerprint: rental.fingerprint.clone(),
            proxy: ssh.proxy,
        }
    }

    /// What a person should know of it now.
    fn notices(&self, rental: &Rental) -> Vec<Remark> {
        let mut notices: Vec<Remark> = rental.notices.iter().map(|said| notice(said, rental)).collect();
        if let Some(verification) = rental.verification.as_ref().filter(|v| !v.ok) {
            notices.push(match verification.differs.first() {
                Some(d) => {
                    let words = format!("{} is {} instead of {}", d.what, d.found, d.offered);
                    Remark::new("mismatch", "bad", format!("It is not what was offered: {words}."))
                        .with("what", &d.what)
                        .with("found", &d.found)
                        .with("offered", &d.offered)
                }
                None => Remark::new("mismatch", "bad", "It is not what was offered."),
            });
        }
        notices.extend(rental.new_breaches().map(|reason| {
            let said = policies::reason(reason, Verdict::Blocked);
            Remark { code: format!("policy-{}", said.code), weight: "bad".to_owned(), ..said }
        }));
        if rental.unclear {
            let text = "The provider's answer was lost: it is being looked for by its mark.";
            notices.push(Remark::new("unclear", "warn", text));
        }
        if !rental.is_over() {
            let word = rental.word.as_deref().unwrap_or_default();
            match rental.seen {
                _ if rental.missed_at.is_some() && rental.remote_id.is_some() => {
                    let text =
                        "A full list of the account lacks it; a second one decides whether it is gone.";
                    notices.push(Remark::new("missed", "warn", text));
                }
                Some(MachineState::Unknown) => {
                    let text = format!(
                        "The provider does not tell where it stands (`{word}`): what was known holds."
                    );
                    notices.push(Remark::new("untold", "warn", text).with("word", word));
                }
                Some(MachineState::Offline) => {
                    let text =
                        format!("Its host does not answer (`{word}`): whether it comes back is not known.");
                    notices.push(Remark::new("offline", "bad", text).with("word", word));
                }
                _ => {}
            }
        }
        let timed = |code: &str, weight: &str, words: &str, at: DateTime<Utc>| {
            Remark::new(code, weight, format!("{words} {}.", time(at))).with("at", time(at))
        };
        if let Some(end) = rental.ends_at.filter(|_| !rental.is_over()) {
            notices.push(timed("ends", "warn", "The provider's contract ends it at", end));
        }
        if let Some(until) = rental.lease.until.filter(|_| !rental.is_over()) {
            if until <= self.now {
                notices.push(timed("lease-over", "warn", "Its lease ran out at", until));
            } else if until - self.now <= Duration::minutes(30) {
                notices.push(timed("lease-ends", "note", "Its lease ends at", until));
            }
        }
        notices
    }

    /// A stretch of one meter.
    pub fn interval(&self, interval: &Interval) -> IntervalDto {
        IntervalDto {
            kind: interval.kind.to_string(),
            from: time(interval.from),
            to: interval.to.map(time),
            per_hour: interval.per_hour.map(rounded),
            amount: interval.amount(self.now).map(amount),
        }
    }
}

/// An amount of money to a hundredth of a cent: an hour of a small card costs a few cents.
pub(super) fn amount(amount: rust_decimal::Decimal) -> String {
    text(amount.round_dp(4))
}

fn zones(country: &str) -> Vec<String> {
    place::zones(country).iter().map(|zone| zone.0.to_owned()).collect()
}

/// `8× H100 SXM · Verda FI`.
fn title(rental: &Rental) -> String {
    let provider = provider_title(&rental.record.provider);
    let Some(offer) = &rental.record.offer else { return provider };
    let card = offer.gpu.model.as_deref().unwrap_or(&offer.gpu.raw_name);
    let place = offer.place.country.as_deref().map_or(String::new(), |country| format!(" {country}"));
    format!("{}× {card} · {provider}{place}", offer.gpu.count)
}

fn verified(verification: &Verification) -> VerifiedDto {
    VerifiedDto {
        ok: verification.ok,
        differs: verification
            .differs
            .iter()
            .map(|d| DifferenceDto {
                what: d.what.clone(),
                offered: d.offered.clone(),
                found: d.found.clone(),
            })
            .collect(),
        unknown: verification.unknown.clone(),
    }
}

/// What its policy says: of the machine once it was compared, of its offer before.
fn policy(rental: &Rental) -> Option<PolicyVerdict> {
    let found = rental.verification.as_ref().and_then(|verification| verification.policy.as_ref());
    let overridden = rental.overrides.first().map(|(_, reason)| reason);
    Some(policies::verdict(found.or(rental.judgement.as_ref())?, overridden))
}

fn lease(lease: &Lease) -> LeaseDto {
    LeaseDto {
        until: lease.until.map(time),
        max_spend: lease.max_spend.map(text),
        idle_minutes: lease.idle_minutes,
        on_expiry: lease.on_expiry.to_string(),
    }
}

fn notice(notice: &Notice, rental: &Rental) -> Remark {
    match notice {
        Notice::PriceRise { per_hour, from } => {
            let when = from.map_or(String::new(), |from| format!(" from {} on", time(from)));
            let sentence = format!("The host wants {} an hour{when}.", text(*per_hour));
            let mut remark = Remark::new("price-rise", "warn", sentence).with("per_hour", text(*per_hour));
            if let Some(currency) = rental.currency() {
                remark = remark.with("currency", currency);
            }
            match from {
                Some(from) => remark.with("at", time(*from)),
                None => remark,
            }
        }
        Notice::StillBilled { word } => {
            let text = format!("It does not run (`{word}`) and its cards are billed all the same.");
            Remark::new("still-billed", "bad", text).with("word", word)
        }
        Notice::NoGpu => Remark::new("no-gpu", "bad", "It came back without its cards."),
        Notice::Locked => {
            let text = "The provider refuses stop and end until it is unlocked there.";
            Remark::new("locked", "warn", text)
        }
        Notice::Says { words } => {
            Remark::new("provider-says", "note", format!("The provider says: {words}")).with("words", words)
        }
    }
}

/// What may be done now, the most prominent first.
fn actions(rental: &Rental, can_stop: bool) -> Vec<String> {
    if rental.is_over() {
        return Vec::new();
    }
    let mut actions = Vec::new();
    if rental.state.has_shell() && rental.ssh.is_some() {
        actions.push("connect");
    }
    match rental.state {
        State::Ready | State::Verifying | State::Booting if can_stop => actions.push("stop"),
        State::Stopped | State::Preempted if can_stop => actions.push("start"),
        _ => {}
    }
    if rental.state == State::Ending || rental.end_asked() {
        actions.push("retry-end");
    } else {
        actions.extend(["end", "extend"]);
    }
    actions.into_iter().map(str::to_owned).collect()
}

/// Whether it works.
fn activity(activity: &ActivityNow) -> ActivityDto {
    let verdict = &activity.verdict;
    ActivityDto {
        state: verdict.state.to_string(),
        minutes: verdict.idle_minutes.max(verdict.quiet_minutes),
        why: verdict.why.to_string(),
        acts_at: activity.acts_at.map(time),
    }
}

/// The newest reading of its cards.
fn usage(desk: &Desk, rental: &str) -> Option<UsageNow> {
    let usage = desk.usage_now(rental)?;
    Some(UsageNow {
        at: time(usage.at),
        gpus: usage
            .sample
            .gpus
            .iter()
            .map(|gpu| GpuUsage {
                index: gpu.index,
                name: gpu.name.clone(),
                util_percent: gpu.util_percent,
                memory_used_mib: gpu.memory_used_mib,
                memory_total_mib: gpu.memory_total_mib,
                power_w: gpu.power_w,
                temperature_c: gpu.temperature_c,
            })
            .collect(),
        processes: usage
            .sample
            .programs
            .iter()
            .map(|program| GpuProcess {
                pid: program.pid,
                name: program.name.clone(),
                memory_mib: program.memory_mib,
            })
            .collect(),
        problem: usage.sample.problem.clone(),
        last_hour: usage.last_hour,
    })
}
