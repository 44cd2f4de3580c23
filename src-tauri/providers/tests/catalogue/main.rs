//! The public price lists: real lines of them, whole files where they are at hand, odd input, and the network.

#![cfg(test)]

mod cards;
mod dstack;
mod files;
mod odd;
mod online;
mod places;
mod prices;
mod support;
mod whole;
