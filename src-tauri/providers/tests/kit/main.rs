//! The HTTP kit, the sources and the clouds on it, against real HTTP on loopback.

#![cfg(test)]

mod aws;
mod aws_moto;
mod aws_stage;
mod azure;
mod bills;
mod changes;
mod cudo;
mod http_answers;
mod http_network;
mod http_retry;
mod hyperstack;
mod life_aws;
mod life_openstack;
mod openstack;
mod openstack_nova;
mod openstack_stage;
mod prime;
mod rates;
mod rent_aws;
mod rent_digitalocean;
mod rent_hyperstack;
mod rent_lambda;
mod rent_openstack;
mod rent_prime;
mod rent_runpod;
mod rent_scaleway;
mod rent_shadeform;
mod rent_support;
mod rent_vast;
mod rent_verda;
mod rent_vultr;
mod retag;
mod runpod;
mod shadeform;
mod support;
mod tensordock;
mod tokens;
mod usage;
mod vast;
mod verda;
mod vultr;
