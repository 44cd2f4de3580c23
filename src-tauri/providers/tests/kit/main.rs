//! The HTTP kit and the sources on it, against real HTTP on loopback.

#![cfg(test)]

mod http_answers;
mod http_network;
mod http_retry;
mod rates;
mod runpod;
mod support;
mod vast;
