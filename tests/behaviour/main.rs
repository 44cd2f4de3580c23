//! One suite for every cloud that can be rented: functions over the interfaces `OfferSource` and `Cloud`, run against
//! each entry of the practice market, chosen by what the cloud's terms say it can.
//!
//! A cloud is in it by its line in `sim::seller::sellers`. `GPUDESK_CLOUD=verda` runs it for one cloud alone.
#![cfg(test)]

mod keys;
mod launches;
mod lists;
mod lives;
mod offers;
mod refusals;
mod stage;
mod tags;
mod timers;
