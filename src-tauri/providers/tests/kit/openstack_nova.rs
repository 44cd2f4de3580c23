//! OpenStack's adapter at a real Keystone, Nova, Neutron and Glance whose machines are Nova's own fakes: no guest, so
//! nobody logs in. `make test-openstack` starts one where it can. It has two H100 and four L4.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use gpudesk_core::offer::{Offer, PriceKind};
use gpudesk_core::rental::{Image, ImageKind, Machine, MachineState};
use gpudesk_providers::cloud::{Access, Cloud, Launch, Look, Quote, cloud};
use gpudesk_providers::http::{Http, HttpConfig, Secret};
use gpudesk_providers::source::SourceConfig;
use gpudesk_providers::{Fetch, OfferSource, registry};
use serde_json::json;

use crate::rent_support;

const PRICES: &str = "item,name,price,currency\nflavor,gpu-l4-1,0.6,EUR\nflavor,gpu-h100-2,5.2,EUR\n";

struct Real {
    http: Http,
    key: Secret,
    addresses: BTreeMap<String, String>,
    _sheet: tempfile::TempDir,
}

impl Real {
    /// The cloud `team-a` of the file that `OS_CLIENT_CONFIG_FILE` names.
    fn open() -> Self {
        let sheet = tempfile::tempdir().unwrap();
        let file = sheet.path().join("prices.csv");
        std::fs::write(&file, PRICES).unwrap();
        let addresses = [("openstack_prices".to_owned(), file.to_str().unwrap().to_owned())].into();
        let http = Http::new(HttpConfig::new(Arc::new(now))).unwrap();
        Self { http, key: Secret::new(json!({ "cloud": "team-a" }).to_string()), addresses, _sheet: sheet }
    }

    fn cloud(&self) -> Box<dyn Cloud> {
        let access =
            Access { http: self.http.clone(), key: self.key.clone(), addresses: self.addresses.clone() };
        (cloud("openstack").unwrap().open)(access).unwrap()
    }

    fn source(&self) -> Box<dyn OfferSource> {
        let mut config = SourceConfig::default();
        for (service, address) in &self.addresses {
            config.set_address(service, address);
        }
        registry(&config).into_iter().find(|source| source.name() == "openstack").unwrap()
    }

    async fn offers(&self) -> Vec<Offer> {
        let (versions, rates) = (BTreeMap::new(), gpudesk_core::money::Rates::default());
        let cx =
            Fetch { http: &self.http, now: &now, versions: &versions, rates: &rates, key: Some(&self.key) };
        let mut offers = Vec::new();
        self.source()
            .fetch(&cx, &mut |outcome| match outcome.result.unwrap() {
                gpudesk_providers::FeedAnswer::Fetched { fetched, .. } => offers = fetched.offers,
                gpudesk_providers::FeedAnswer::Unchanged { .. } => panic!("this source has no versions"),
            })
            .await;
        offers
    }
}

/// A real service looks at its own clock.
fn now() -> chrono::DateTime<chrono::Utc> {
    std::time::SystemTime::now().into()
}

fn order(offer: Offer, mark: &str) -> Launch {
    let mut order = rent_support::launch(offer, "");
    order.spec.image = Image { id: "ubuntu-gpu".to_owned(), title: String::new(), kind: ImageKind::Cuda };
    order.spec.ssh_public_key =
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICN+lJwsONkwrdsSnQsu1ydUkIuIg5oOC+Eslvmtt60T somebody"
            .to_owned();
    order.token = mark.to_owned();
    order
}

/// Looks until the machine is as wanted: a server of somebody else's takes its own time.
async fn until(cloud: &dyn Cloud, id: &str, wanted: impl Fn(Option<&Machine>) -> bool) -> Option<Machine> {
    let mut last = None;
    for _ in 0..120 {
        last = match cloud.look(id).await.unwrap() {
            Look::There(machine) => Some(*machine),
            Look::Absent => None,
        };
        if wanted(last.as_ref()) {
            return last;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    panic!("in vain, last seen: {last:?}");
}

fn is(state: MachineState) -> impl Fn(Option<&Machine>) -> bool {
    move |machine| machine.is_some_and(|machine| machine.state == state)
}

#[tokio::test]
#[ignore = "needs an OpenStack: make test-openstack"]
async fn a_machine_lives_at_a_real_nova() {
    let real = Real::open();
    let cloud = real.cloud();
    let facts = cloud.check().await.unwrap();
    assert_eq!((facts.may_read, facts.may_write), (Some(true), None), "{facts:?}");
    let offers = real.offers().await;
    let of = |name: &str| offers.iter().find(|offer| offer.name == name).unwrap().clone();
    let (l4, h100) = (of("gpu-l4-1"), of("gpu-h100-2"));
    assert_eq!((l4.gpu.model.as_deref(), l4.gpu.count), (Some("L4"), 1));
    assert_eq!(h100.gpu.count, 2);
    assert_eq!(l4.price.kind, PriceKind::OnDemand);
    let Quote::Stands(quoted) = cloud.quote(&l4, None).await.unwrap() else { panic!("gone") };
    assert_eq!(*quoted, l4);

    let mark = "gpudesk-01real";
    let id = cloud.launch(&order(l4.clone(), mark)).await.unwrap().remote_id;
    assert_eq!(cloud.launch(&order(l4, mark)).await.unwrap().remote_id, id, "no second machine");
    let up = until(&*cloud, &id, |machine| machine.is_some_and(|m| !m.ssh.is_empty())).await.unwrap();
    assert_eq!((up.state, up.token.as_deref()), (MachineState::Running, Some(mark)));
    assert!(up.ssh[0].host.starts_with("203.0.113."), "{:?}", up.ssh);
    let listing = cloud.list().await.unwrap();
    assert!(
        listing.complete && listing.machines.iter().any(|machine| machine.remote_id == id),
        "{listing:?}"
    );

    cloud.stop(&id).await.unwrap();
    until(&*cloud, &id, |machine| machine.is_some_and(|m| m.word == "SHELVED_OFFLOADED")).await;
    cloud.stop(&id).await.unwrap();
    cloud.start(&id).await.unwrap();
    until(&*cloud, &id, is(MachineState::Running)).await;

    // Both H100 are taken; a second machine is made, and has no host.
    let first = cloud.launch(&order(h100.clone(), "gpudesk-01first")).await.unwrap().remote_id;
    until(&*cloud, &first, is(MachineState::Running)).await;
    let second = cloud.launch(&order(h100, "gpudesk-01second")).await.unwrap().remote_id;
    let broken = until(&*cloud, &second, is(MachineState::Failed)).await.unwrap();
    assert!(broken.detail.unwrap().contains("No valid host"));

    for machine in [&id, &first, &second] {
        cloud.end(machine).await.unwrap();
        until(&*cloud, machine, |machine| machine.is_none_or(|m| m.state == MachineState::Ended)).await;
        cloud.end(machine).await.unwrap();
    }
    assert_eq!(cloud.leftovers().await.unwrap(), [], "no address stays");
}
