//! AWS's adapter at moto, an imitation of EC2 that others wrote: what is sent and read has the form of the real one.
//! moto makes its machines at once, takes any key and forgets client tokens, so that nothing else is proved here.

use std::io::BufRead;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use gpudesk_core::offer::Offer;
use gpudesk_core::rental::{Machine, MachineState};
use gpudesk_providers::aws;
use gpudesk_providers::cloud::{Access, Cloud, Launch, Look, Quote};
use gpudesk_providers::http::{Http, Limits, Secret};

use crate::rent_support::{self, offer};
use crate::support::config;

/// A server of its own, ended with the test.
struct Moto {
    child: Child,
    address: String,
}

impl Drop for Moto {
    fn drop(&mut self) {
        // That it has ended already is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// `None` where moto is not installed.
fn moto() -> Option<Moto> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let program = root.join("target/moto/bin/moto_server");
    if !program.exists() {
        eprintln!("skipped: moto is not installed; `make test` installs it under target/moto where it can");
        return None;
    }
    let mut child = Command::new(program)
        .args(["-H", "127.0.0.1", "-p", "0"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let said = std::io::BufReader::new(child.stderr.take().unwrap());
    let mut lines = said.lines().map_while(Result::ok);
    let address = lines.find_map(|line| {
        let at = line.find("http://127.0.0.1:")?;
        Some(line[at..].split_whitespace().next()?.to_owned())
    });
    // Whatever it says later must not fill the pipe.
    std::thread::spawn(move || lines.for_each(drop));
    Some(Moto { child, address: address.unwrap() })
}

fn cloud(moto: &Moto) -> Box<dyn Cloud> {
    let (mut config, _) = config();
    config.limits = Limits::default();
    let http = Http::new(config).unwrap();
    let key =
        r#"{"access_key_id":"practice","secret_access_key":"practice","regions":["us-east-1","eu-west-1"]}"#;
    let addresses = [("aws".to_owned(), moto.address.clone())].into();
    aws::open(Access { http, key: Secret::new(key), addresses }).unwrap()
}

/// An image that moto knows: Ubuntu 16.04.
const IMAGE: &str = "ami-785db401";

/// An order with a key that is one: moto reads it.
fn launch(offer: Offer, image: &str) -> Launch {
    let mut order = rent_support::launch(offer, image);
    order.spec.ssh_public_key =
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICN+lJwsONkwrdsSnQsu1ydUkIuIg5oOC+Eslvmtt60T anna@desk"
            .to_owned();
    order
}

async fn seen(cloud: &dyn Cloud, id: &str) -> Machine {
    match cloud.look(id).await.unwrap() {
        Look::There(machine) => *machine,
        Look::Absent => panic!("{id} is gone"),
    }
}

#[tokio::test]
async fn a_machine_lives_at_moto() {
    let Some(moto) = moto() else { return };
    let cloud = cloud(&moto);
    let facts = cloud.check().await.unwrap();
    assert!(facts.who.unwrap().starts_with("arn:aws:"), "STS answers");
    assert_eq!((facts.may_read, facts.may_write), (Some(true), Some(true)));

    let offered =
        offer("aws:g5.xlarge@eu-west-1-on-demand", "g5.xlarge", "A10G", 1, "on-demand", "eu-west-1");
    // moto has no price list: the price at hand holds.
    let Quote::Stands(now) = cloud.quote(&offered, None).await.unwrap() else { panic!("moto has g5.xlarge") };
    assert_eq!(now.price, offered.price);

    let mut order = launch(offered, IMAGE);
    let id = cloud.launch(&order).await.unwrap().remote_id;
    assert_eq!(
        cloud.launch(&order).await.unwrap().remote_id,
        id,
        "found by its mark: moto forgets client tokens"
    );
    let machine = seen(&*cloud, &id).await;
    assert_eq!(machine.token.as_deref(), Some(order.token.as_str()));
    assert_eq!((machine.name.as_deref(), machine.state), (Some("anna-1"), MachineState::Running));
    assert_eq!((machine.gpu_name.as_deref(), machine.gpu_count), (Some("A10G"), Some(1)));
    assert_eq!(machine.place.country.as_deref(), Some("IE"));
    assert_eq!(machine.ssh.len(), 1, "it has a public address");

    "gpudesk-01jdx4".clone_into(&mut order.token);
    order.offer = offer("aws:g6.xlarge@us-east-1a-spot", "g6.xlarge", "L4", 1, "spot", "us-east-1a");
    let Quote::Stands(now) = cloud.quote(&order.offer, None).await.unwrap() else {
        panic!("moto has g6.xlarge")
    };
    assert_eq!(now.price.per_hour.to_string(), "0.00001", "every spot price at moto");
    let spot = cloud.launch(&order).await.unwrap().remote_id;
    let machine = seen(&*cloud, &spot).await;
    assert_eq!((machine.spot, machine.place.region.as_deref()), (true, Some("us-east-1a")));

    let listing = cloud.list().await.unwrap();
    assert!(listing.complete, "{:?}", listing.unreadable);
    let mut ids: Vec<&str> = listing.machines.iter().map(|machine| machine.remote_id.as_str()).collect();
    ids.sort_unstable();
    let mut both = [id.as_str(), spot.as_str()];
    both.sort_unstable();
    assert_eq!(ids, both, "of both regions");

    cloud.stop(&id).await.unwrap();
    let machine = seen(&*cloud, &id).await;
    assert_eq!((machine.state, machine.ssh.len()), (MachineState::Stopped, 0));
    cloud.start(&id).await.unwrap();
    assert_eq!(seen(&*cloud, &id).await.state, MachineState::Running);
    for id in [&id, &spot] {
        cloud.end(id).await.unwrap();
        assert_eq!(seen(&*cloud, id).await.state, MachineState::Ended);
        cloud.end(id).await.unwrap();
    }
    assert_eq!(cloud.look("i-0123456789abcdef0").await.unwrap(), Look::Absent);
    assert_eq!(cloud.leftovers().await.unwrap(), [], "the disks went with their machines");
}

#[tokio::test]
async fn keys_and_groups_are_made_once_at_moto() {
    let Some(moto) = moto() else { return };
    let cloud = cloud(&moto);
    let offered =
        || offer("aws:g5.xlarge@us-east-1-on-demand", "g5.xlarge", "A10G", 1, "on-demand", "us-east-1");
    for token in ["gpudesk-1", "gpudesk-2"] {
        let mut order = launch(offered(), IMAGE);
        token.clone_into(&mut order.token);
        cloud.launch(&order).await.unwrap();
    }
    let mut order = launch(offered(), "ami-00000000");
    assert!(cloud.launch(&order).await.unwrap_err().detail.contains("ami-00000000"));
    order = launch(offered(), "base-oss-nvidia-driver-ubuntu-22.04");
    let error = cloud.launch(&order).await.unwrap_err();
    assert!(
        error.detail.contains("/aws/service/deeplearning/ami/x86_64/"),
        "moto has no such images: {error}"
    );
    order = launch(offered(), IMAGE);
    order.spec.ssh_public_key = "ssh-ed25519 !!!!!!!!!!!!!!!!!!!!".to_owned();
    "gpudesk-3".clone_into(&mut order.token);
    assert_eq!(cloud.launch(&order).await.unwrap_err().code.word(), "ssh-key-refused");
}
