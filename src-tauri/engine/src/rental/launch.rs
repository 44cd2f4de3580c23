//! Asking a provider for a machine, at most one for each order.

use std::cmp::Ordering;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use gpudesk_core::board::Board;
use gpudesk_core::offer::{Offer, PriceKind};
use gpudesk_core::rental::{
    Event as Happened, EventKind, Machine, OnExpiry, PUT_OFF, Record, Rental, Who, disk_rates,
};
use gpudesk_providers::cloud::{Cloud, CloudError, CloudErrorCode, Effect, Launch, Quote};
use rust_decimal::Decimal;

use super::life::{Life, standing, words};
use super::repeat::{ATTEMPTS, PATIENCE_S};
use super::{Order, Outcome, RentalError};
use crate::budget::Planned;
use crate::desk::Desk;
use crate::policies::permit;
use crate::{DeskError, Event};

/// An order that was written down and never sent (the desk was ended) is not sent after so many seconds: nobody
/// waits for it any more.
const STALE_ORDER_S: i64 = 120;
/// Alternatives to an offer that is gone.
const NEAREST: usize = 5;

impl Desk {
    /// Rents an offer: asks the project's policy, asks for the price anew, looks at the balance, writes the order down, and asks for the machine.
    ///
    /// # Errors
    /// When the policy forbids it, there is no such account, the name is no name or taken, the account cannot pay for an
    /// hour, or the provider refuses. Nothing was made then, or what was made is being ended.
    pub async fn launch(&self, order: Order) -> Result<Outcome, DeskError> {
        let policy = self.policy_of(order.project.as_deref()).await?;
        permit(policy.as_ref(), &order.offer, &order)?;
        let cloud = self.cloud(&order.account).await?;
        let (allowed, currency) =
            (order.max_price.unwrap_or(order.offer.price.per_hour), order.offer.price.currency);
        let offer = match cloud.quote(&order.offer, order.spec.disk_gb).await? {
            Quote::Stands(offer) => *offer,
            Quote::Gone { words } => {
                return Ok(Outcome::Gone { words, nearest: self.nearest(&order.offer).await });
            }
        };
        if offer.price.per_hour > allowed || offer.price.currency != currency {
            return Ok(Outcome::PriceRose {
                allowed,
                now: offer.price.per_hour,
                currency: offer.price.currency,
            });
        }
        if let Some((until, ends_at)) = order.lease.until.zip(cloud.ends_at(&offer))
            && until > ends_at
        {
            return Err(RentalError::LeaseTooLong { until, ends_at }.into());
        }
        // The provider's newest word may name another place.
        let permitted = permit(policy.as_ref(), &offer, &order)?;
        // A bid is what is paid at most; any other price is the provider's.
        let per_hour = if offer.price.kind == PriceKind::Bid { allowed } else { offer.price.per_hour };
        let (disk, disk_stopped) = disk_rates(&offer, order.spec.disk_gb, cloud.terms());
        let an_hour = per_hour + disk.unwrap_or_default();
        self.permit_spending(Planned {
            project: order.project.as_deref(),
            owner: order.owner.as_deref(),
            per_hour: an_hour,
            currency,
            // A lease that only tells ends nothing.
            until: order.lease.until.filter(|_| order.lease.on_expiry != OnExpiry::Notify),
        })
        .await?;
        can_pay(&*cloud, an_hour).await?;
        let (provider, alias) = order.account.split_once('/').unwrap_or((order.account.as_str(), ""));
        let id = self.new_id();
        let record = Record {
            token: Record::token_of(&id),
            name: self.free_name(&order.name, &offer).await?,
            provider: provider.to_owned(),
            account: alias.to_owned(),
            offer: Some(offer),
            spec: Some(order.spec.clone()),
            owner: order.owner.clone(),
            project: order.project.clone(),
            lease: order.lease.clone(),
            created_at: self.now(),
            id: id.clone(),
        };
        let requested =
            EventKind::Requested { per_hour, disk_per_hour: disk, disk_stopped_per_hour: disk_stopped };
        let at = record.created_at;
        let events: Vec<Happened> =
            std::iter::once(requested).chain(permitted).map(|kind| Happened { at, kind }).collect();
        let rental = Rental::of(record.clone(), &events, Some(cloud.terms()));
        self.store().add_rental(&record, &events, standing(&rental)).await?;
        self.tell(Event::RentalsChanged { rental: id.clone() });
        let refusal = self.tend_rental(&id, None).await?;
        if let Some(error) = refusal {
            return match error.code {
                CloudErrorCode::OfferGone | CloudErrorCode::NoCapacity => {
                    Ok(Outcome::Gone { words: words(&error), nearest: self.nearest(&order.offer).await })
                }
                _ => Err(error.into()),
            };
        }
        Ok(Outcome::Requested(Box::new(self.rental(&id).await?)))
    }

    /// When the host takes the machine of an offer back, as its provider tells now; `None` where no end is told, or the
    /// offer is gone. No lease may go beyond it.
    ///
    /// # Errors
    /// When there is no such account, or the provider does not answer.
    pub async fn offer_end(&self, account: &str, offer: &Offer) -> Result<Option<DateTime<Utc>>, DeskError> {
        let cloud = self.cloud(account).await?;
        Ok(match cloud.quote(offer, None).await? {
            Quote::Stands(offer) => cloud.ends_at(&offer),
            Quote::Gone { .. } => None,
        })
    }

    /// A new id: its time is the desk's, so that ids sort as rentals were made.
    pub(super) fn new_id(&self) -> String {
        let ms = u64::try_from(self.now().timestamp_millis()).unwrap_or_default();
        ulid::Ulid::from_parts(ms, fastrand::u128(..)).to_string()
    }

    /// The name asked for, or a free one made of the card.
    pub(super) async fn free_name(&self, asked: &str, offer: &Offer) -> Result<String, DeskError> {
        let asked = asked.trim();
        if !asked.is_empty() {
            return if is_name(asked) {
                Ok(asked.to_owned())
            } else {
                Err(RentalError::Name(asked.to_owned()).into())
            };
        }
        let card = offer.gpu.model.as_deref().unwrap_or(&offer.gpu.raw_name);
        let card: String = card.to_lowercase().chars().filter(char::is_ascii_alphanumeric).take(20).collect();
        let card = if card.is_empty() { "gpu".to_owned() } else { card };
        let taken = self.store().rentals(gpudesk_store::Which::Live).await?;
        let free =
            (1..).map(|n| format!("{card}-{n}")).find(|name| taken.iter().all(|r| r.record.name != *name));
        Ok(free.unwrap_or(card))
    }

    /// Offers like one that is gone: same cards, then as many, then the same country, then the price.
    async fn nearest(&self, gone: &Offer) -> Vec<Offer> {
        match self.snapshot().await {
            Ok(snapshot) => nearest_on(&snapshot.board, gone),
            Err(error) => {
                tracing::warn!("no alternatives: {error}");
                Vec::new()
            }
        }
    }
}

fn nearest_on(board: &Board, gone: &Offer) -> Vec<Offer> {
    let distance = |offer: &Offer| {
        let away = u8::from(offer.gpu.model != gone.gpu.model) * 8
            + u8::from(offer.gpu.count != gone.gpu.count) * 4
            + u8::from(offer.provider != gone.provider) * 2
            + u8::from(offer.place.country != gone.place.country);
        let apart = (offer.price.per_hour - gone.price.per_hour).abs();
        (away, apart)
    };
    let fits = |offer: &Offer| {
        offer.id != gone.id
            && offer.gpu.count >= gone.gpu.count
            && offer.price.currency == gone.price.currency
            && offer.price.kind == gone.price.kind
            && (offer.gpu.model == gone.gpu.model || offer.gpu.vram_gib >= gone.gpu.vram_gib)
            && crate::can_rent(offer)
            && offer.supply.state != gpudesk_core::offer::SupplyState::OutOfStock
    };
    let rows = (0..board.len()).filter(|row| !board.is_quarantined(*row));
    let mut like: Vec<Offer> = rows.filter_map(|row| board.offer(row)).filter(fits).collect();
    like.sort_by(|a, b| distance(a).partial_cmp(&distance(b)).unwrap_or(Ordering::Equal));
    like.truncate(NEAREST);
    like
}

/// A name that may stand in a file name, an SSH alias and a provider's label.
fn is_name(name: &str) -> bool {
    name.len() <= 40
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))
}

/// Whether the account has the money for an hour, where it tells. An account that cannot be asked is the launch's
/// own business.
async fn can_pay(cloud: &dyn Cloud, per_hour: Decimal) -> Result<(), DeskError> {
    if !cloud.terms().tells_balance {
        return Ok(());
    }
    let facts = match cloud.check().await {
        Ok(facts) => facts,
        Err(error) if matches!(error.code, CloudErrorCode::BadKey | CloudErrorCode::Forbidden) => {
            return Err(error.into());
        }
        Err(error) => {
            tracing::warn!("the balance could not be read: {error}");
            return Ok(());
        }
    };
    match facts.balance {
        Some(balance) if balance < per_hour => Err(CloudError::new(
            CloudErrorCode::NoFunds,
            "launch",
            format!("the account has {balance} {} and an hour costs {per_hour}", facts.currency),
        )
        .hint("Top the account up at its provider.")
        .into()),
        _ => Ok(()),
    }
}

impl Life<'_> {
    /// Sends the launch call, once. Gives the refusal where the provider surely made nothing, or made it in error.
    pub(super) async fn launch(&mut self, cloud: &dyn Cloud) -> Result<Option<CloudError>, DeskError> {
        let (Some(offer), Some(spec)) = (self.rental.record.offer.clone(), self.rental.record.spec.clone())
        else {
            return Ok(None);
        };
        let age = (self.desk.now() - self.rental.record.created_at).num_seconds();
        if self.rental.attempts == 0 && !(-STALE_ORDER_S..=STALE_ORDER_S).contains(&age) {
            let reason = "the desk ended before it was asked for; nothing was made".to_owned();
            self.add(vec![EventKind::Failed { reason }]).await?;
            return Ok(None);
        }
        if self.is_put_off(cloud) {
            return Ok(None);
        }
        if self.rental.attempts > 0
            && !(self.made_nothing(cloud).await? && self.still_stands(cloud, &offer).await?)
        {
            return Ok(None);
        }
        self.wait_for_turn(cloud).await;
        let attempt = self.rental.attempts + 1;
        let bid = (offer.price.kind == PriceKind::Bid).then_some(self.rental.per_hour).flatten();
        let lease = &self.rental.lease;
        let launch = Launch {
            offer,
            spec,
            token: self.rental.record.token.clone(),
            name: self.rental.record.name.clone(),
            tags: super::tags::of_launch(&self.rental),
            user_data: self.desk.first_boot(&self.rental),
            bid_per_hour: bid,
            // A timer of the provider can do nothing but end: no other wish may reach it.
            end_at: lease.until.filter(|_| lease.on_expiry == OnExpiry::End),
        };
        // Written before it is sent: whoever finds this without an answer looks before doing anything.
        self.add(vec![EventKind::LaunchSent { attempt }]).await?;
        self.desk.book().change(self.id(), |memory| {
            memory.unclear_since = None;
            memory.sent_here = true;
        });
        match cloud.launch(&launch).await {
            Ok(launched) => {
                self.placed(&launched.remote_id, false, None).await?;
                Ok(None)
            }
            Err(error) => self.refused(cloud, error).await,
        }
    }

    /// A machine with our mark is there.
    pub(super) async fn found(&mut self, machine: &Machine) -> Result<(), DeskError> {
        // Only a time that can be: a provider's clock may be wrong, and so may ours.
        let possible = self.rental.record.created_at..=self.desk.now();
        let since = machine.created_at.filter(|at| possible.contains(at));
        self.placed(&machine.remote_id, true, since).await?;
        if self.rental.end_asked() {
            self.tell("came-late", "appeared after all; it is being ended".to_owned()).await?;
        }
        Ok(())
    }

    /// The machine is there. Another program may have found it by its mark already.
    async fn placed(
        &mut self,
        remote_id: &str,
        found: bool,
        since: Option<DateTime<Utc>>,
    ) -> Result<(), DeskError> {
        loop {
            if self.rental.remote_id.is_some() {
                return Ok(());
            }
            let placed = EventKind::Placed { remote_id: remote_id.to_owned(), found, since };
            let mut kinds = vec![placed];
            if found && self.rental.state == gpudesk_core::rental::State::Failed {
                let why = "it appeared after its launch had been given up".to_owned();
                kinds.push(EventKind::EndAsked { by: Who::Desk, why });
            }
            match self.add(kinds).await {
                Err(DeskError::Store(gpudesk_store::StoreError::Moved(_))) => {
                    *self = Life::read(self.desk, self.id()).await?;
                }
                done => {
                    let ticks = self.desk.config().clock.ticks();
                    self.desk.book().change(self.id(), |memory| {
                        memory.born = ticks;
                        memory.placed_here = true;
                    });
                    return done;
                }
            }
        }
    }

    async fn refused(
        &mut self,
        cloud: &dyn Cloud,
        error: CloudError,
    ) -> Result<Option<CloudError>, DeskError> {
        match &error.effect {
            Effect::Unclear => {
                self.add_fact(&[EventKind::LaunchUnclear { words: words(&error) }]).await?;
                match error.code {
                    CloudErrorCode::NoCapacity | CloudErrorCode::OfferGone => {
                        self.none_was_left(cloud, error).await
                    }
                    _ => Ok(None),
                }
            }
            Effect::Made { remote_id } => {
                self.placed(remote_id, false, None).await?;
                let why = "the provider refused the launch and made a machine all the same".to_owned();
                let failed = EventKind::Failed { reason: words(&error) };
                self.add_fact(&[failed, EventKind::EndAsked { by: Who::Desk, why: why.clone() }]).await?;
                self.tell("made-in-error", format!("{why}; it is being ended")).await?;
                // At once: the program may end with the error, and nobody may be there to tend it.
                self.call(cloud).await?;
                Ok(Some(error))
            }
            Effect::Nothing => {
                let code = error.code.word().to_owned();
                let refused = EventKind::LaunchRefused {
                    code: code.clone(),
                    words: words(&error),
                    retry_at: error.retry_at,
                };
                let judged = self.judged().saturating_sub(u32::from(code == PUT_OFF));
                // Whoever is told to come back when nobody waits any more is told so at once.
                let patient = self.desk.now() + TimeDelta::seconds(PATIENCE_S);
                let too_late = error.retry_at.is_some_and(|at| at > patient);
                let passing = matches!(error.code, CloudErrorCode::Http(_)) && judged < ATTEMPTS && !too_late;
                if passing {
                    // Too many requests, a moment's trouble: the same order goes out again, a little later.
                    // Lists lag: one that is read sooner would not show what came of it.
                    self.pause(error.retry_at, cloud.terms().list_lag);
                    self.add_fact(&[refused]).await?;
                    return Ok(None);
                }
                self.add_fact(&[refused, EventKind::Failed { reason: words(&error) }]).await?;
                Ok(Some(error))
            }
        }
    }

    /// Keeps the provider's distance between two launches of one account.
    async fn wait_for_turn(&self, cloud: &dyn Cloud) {
        let clock = &self.desk.config().clock;
        let wait = self.desk.book().launch_turn(
            &self.rental.record.account_name(),
            clock.ticks(),
            cloud.terms().between_launches,
        );
        if wait > Duration::ZERO {
            clock.sleep(wait).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_name;

    #[test]
    fn a_name_is_safe_wherever_it_stands() {
        for good in ["a", "train-a", "h100_1", "0.1", &"x".repeat(40)] {
            assert!(is_name(good), "{good}");
        }
        for bad in ["", "-o", ".ssh", "a b", "a;b", "$(id)", "имя", "a/b", "a\nb", &"x".repeat(41)] {
            assert!(!is_name(bad), "{bad}");
        }
    }
}
