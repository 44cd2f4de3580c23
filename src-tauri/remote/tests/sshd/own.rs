//! Servers of one's own, by their name in the person's SSH configuration: read whatever kind of machine they are, and
//! never trusted with a host key that the person did not accept.

use std::path::PathBuf;

use gpudesk_core::own::{Health, HostFacts};
use gpudesk_remote::gpu::{HOST_LIMIT, HostReading, host_script, read_host};
use gpudesk_remote::{Files, Host, Ssh, SshError};

use crate::support::Machine;

/// What a machine's tool prints for each question, and how it ends.
#[derive(Default)]
struct Smi {
    cards: (&'static str, i32),
    table: &'static str,
    links: &'static str,
    list: &'static str,
}

/// A machine whose sessions find these tools first, a person who knows it as `rack4`, and their desk.
struct Person {
    machine: Machine,
    folder: PathBuf,
    ssh: Ssh,
}

impl Person {
    fn new() -> Option<Self> {
        let mut machine = Machine::start()?;
        let tools = machine.path("tools");
        std::fs::create_dir(&tools).unwrap();
        let path = format!("SetEnv PATH={}:/usr/bin:/bin", tools.display());
        machine.up("host", &path);
        let folder = machine.path("person");
        std::fs::create_dir(&folder).unwrap();
        let ssh = Ssh::new(Files::new(&machine.path("home"))).with_person(folder.clone());
        let person = Self { machine, folder, ssh };
        person.configure("");
        person.know("host");
        Some(person)
    }

    fn configure(&self, more: &str) {
        let machine = &self.machine;
        let text = format!(
            "Host rack4\n  HostName 127.0.0.1\n  Port {}\n  User {}\n  IdentityFile {}\n  IdentitiesOnly yes\n  UserKnownHostsFile {}\n{more}\n",
            machine.port,
            machine.user,
            machine.path("key").display(),
            self.folder.join("known_hosts").display(),
        );
        std::fs::write(self.folder.join("config"), text).unwrap();
    }

    /// The person accepted this host key.
    fn know(&self, host_key: &str) {
        let key = std::fs::read_to_string(self.machine.path(&format!("{host_key}.pub"))).unwrap();
        let line = format!("[127.0.0.1]:{} {key}", self.machine.port);
        std::fs::write(self.folder.join("known_hosts"), line).unwrap();
    }

    fn tool(&self, name: &str, script: &str) {
        self.machine.script(&format!("tools/{name}"), script);
    }

    fn smi(&self, smi: &Smi) {
        for (name, text) in
            [("cards", smi.cards.0), ("table", smi.table), ("links", smi.links), ("list", smi.list)]
        {
            std::fs::write(self.machine.path(&format!("said-{name}")), text).unwrap();
        }
        let said = self.machine.path("said-");
        let said = said.display();
        let code = smi.cards.1;
        let script = format!(
            "case \"$1\" in --query-gpu=*) cat {said}cards; exit {code} ;; topo) cat {said}links ;; -L) cat {said}list ;; \
             *) cat {said}table; exit {code} ;; esac"
        );
        self.tool("nvidia-smi", &script);
    }

    async fn read(&self) -> HostReading {
        let host = Host::of_alias("rack4").unwrap();
        let printed = self.ssh.script(&host, &host_script(), HOST_LIMIT).await.unwrap();
        read_host(&printed.out)
    }

    async fn greet(&self) -> Result<String, SshError> {
        self.ssh.greet(&Host::of_alias("rack4").unwrap()).await
    }
}

fn all_linked(facts: &HostFacts) -> Option<bool> {
    let cards: Vec<u32> = facts.cards.iter().map(|card| card.index).collect();
    facts.all_linked(&cards)
}

#[tokio::test]
async fn a_machine_with_one_card() {
    let Some(person) = Person::new() else { return };
    // The head as drivers from 610 on write it.
    person.smi(&Smi {
        cards: ("0, GPU-b6ad2a47-0f42-ee4b-a2b4-d0ae3a2a1f1c, NVIDIA GeForce RTX 4090, 610.57.04, 24564, [N/A]\n", 0),
        table: "| NVIDIA-SMI 610.57.04              KMD Version: 610.57.04     CUDA UMD Version: 13.3     |\n",
        links: "\tGPU0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\nGPU0\t X \t0-31\t0\t\tN/A\n",
        list: "GPU 0: NVIDIA GeForce RTX 4090 (UUID: GPU-b6ad2a47-0f42-ee4b-a2b4-d0ae3a2a1f1c)\n",
    });
    let reading = person.read().await;
    assert_eq!((reading.health, reading.detail.as_str()), (Health::Ok, ""));
    let facts = reading.facts;
    assert_eq!(facts.cards.len(), 1);
    let card = &facts.cards[0];
    assert_eq!(
        (card.index, card.name.as_str(), card.memory_mib),
        (0, "NVIDIA GeForce RTX 4090", Some(24_564))
    );
    assert_eq!((card.divided, card.memory_gib()), (false, Some(24.0)));
    assert_eq!((facts.driver.as_deref(), facts.cuda.as_deref()), (Some("610.57.04"), Some("13.3")));
    assert_eq!(all_linked(&facts), None, "one card has nothing to be linked to");
    // This computer's own, as the machine is it.
    let cores = std::thread::available_parallelism().unwrap().get();
    assert!(facts.cores.is_some_and(|found| found as usize >= cores), "{:?}", facts.cores);
    assert!(facts.ram_gib.is_some_and(|gib| gib > 0.5), "{:?}", facts.ram_gib);
}

/// The matrix as printed in HazyResearch/ThunderKittens issue 167.
const SWITCHED: &str = "        GPU0    GPU1    GPU2    GPU3    GPU4    GPU5    GPU6    GPU7    CPU Affinity    NUMA Affinity   GPU NUMA ID
GPU0     X      NV18    NV18    NV18    NV18    NV18    NV18    NV18    0-47,96-143     0               N/A
GPU1    NV18     X      NV18    NV18    NV18    NV18    NV18    NV18    0-47,96-143     0               N/A
GPU2    NV18    NV18     X      NV18    NV18    NV18    NV18    NV18    0-47,96-143     0               N/A
GPU3    NV18    NV18    NV18     X      NV18    NV18    NV18    NV18    0-47,96-143     0               N/A
GPU4    NV18    NV18    NV18    NV18     X      NV18    NV18    NV18    48-95,144-191   1               N/A
GPU5    NV18    NV18    NV18    NV18    NV18     X      NV18    NV18    48-95,144-191   1               N/A
GPU6    NV18    NV18    NV18    NV18    NV18    NV18     X      NV18    48-95,144-191   1               N/A
GPU7    NV18    NV18    NV18    NV18    NV18    NV18    NV18     X      48-95,144-191   1               N/A

Legend:

  X    = Self
  SYS  = Connection traversing PCIe as well as the SMP interconnect between NUMA nodes (e.g., QPI/UPI)
  NV#  = Connection traversing a bonded set of # NVLinks
";

const EIGHT: &str =
    "0, GPU-00000000-0000-0000-0000-000000000000, NVIDIA H100 80GB HBM3, 570.124.06, 81559, Disabled
1, GPU-00000000-0000-0000-0000-000000000001, NVIDIA H100 80GB HBM3, 570.124.06, 81559, Disabled
2, GPU-00000000-0000-0000-0000-000000000002, NVIDIA H100 80GB HBM3, 570.124.06, 81559, Disabled
3, GPU-00000000-0000-0000-0000-000000000003, NVIDIA H100 80GB HBM3, 570.124.06, 81559, Disabled
4, GPU-00000000-0000-0000-0000-000000000004, NVIDIA H100 80GB HBM3, 570.124.06, 81559, Disabled
5, GPU-00000000-0000-0000-0000-000000000005, NVIDIA H100 80GB HBM3, 570.124.06, 81559, Disabled
6, GPU-00000000-0000-0000-0000-000000000006, NVIDIA H100 80GB HBM3, 570.124.06, 81559, Disabled
7, GPU-00000000-0000-0000-0000-000000000007, NVIDIA H100 80GB HBM3, 570.124.06, 81559, Disabled
";

#[tokio::test]
async fn a_machine_with_eight_cards_on_a_switch() {
    let Some(person) = Person::new() else { return };
    person.smi(&Smi {
        cards: (EIGHT, 0),
        table: "| NVIDIA-SMI 570.124.06   Driver Version: 570.124.06   CUDA Version: 12.8     |\n",
        links: SWITCHED,
        list: "",
    });
    let reading = person.read().await;
    assert_eq!(reading.health, Health::Ok, "{}", reading.detail);
    let facts = reading.facts;
    assert_eq!((facts.cards.len(), facts.cuda.as_deref()), (8, Some("12.8")));
    let links = facts.links.as_ref().unwrap();
    assert_eq!(links.len(), 28, "each pair once");
    assert!(links.iter().all(|(_, _, strands)| *strands == 18));
    assert_eq!((all_linked(&facts), facts.links_in_words()), (Some(true), Some("NVLink")));
}

/// The matrix of two RTX 5090 as printed in noonghunna/club-3090 issue 1229.
#[tokio::test]
async fn a_machine_whose_cards_have_nothing_but_pcie() {
    let Some(person) = Person::new() else { return };
    person.smi(&Smi {
        cards: (
            "0, GPU-a, NVIDIA GeForce RTX 5090, 580.95.05, 32607, [N/A]\n1, GPU-b, NVIDIA GeForce RTX 5090, 580.95.05, 32607, [N/A]\n",
            0,
        ),
        table: "",
        links: "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\nGPU0\t X \tPHB\t0-63\t0\t\tN/A\nGPU1\tPHB\t X \t0-63\t0\t\tN/A\n\nLegend:\n\n  X    = Self\n  NV#  = Connection traversing a bonded set of # NVLinks\n",
        list: "",
    });
    let reading = person.read().await;
    assert_eq!(reading.health, Health::Ok, "{}", reading.detail);
    assert_eq!(reading.facts.links_in_words(), Some("PCIe"));
    assert_eq!(reading.facts.cuda, None, "a table that does not say it");
}

/// The list as printed in DataDog/datadog-agent pull request 33120.
#[tokio::test]
async fn a_machine_with_a_divided_card() {
    let Some(person) = Person::new() else { return };
    person.smi(&Smi {
        cards: (
            "0, GPU-7fdaf0a5-179b-f636-d15d-daf243e3ff16, NVIDIA A100-SXM4-80GB, 535.216.01, 81920, Enabled\n",
            0,
        ),
        table: "| NVIDIA-SMI 535.216.01             Driver Version: 535.216.01   CUDA Version: 12.2     |\n",
        links: "",
        list: "GPU 0: NVIDIA A100-SXM4-80GB (UUID: GPU-7fdaf0a5-179b-f636-d15d-daf243e3ff16)
  MIG 1g.10gb     Device  0: (UUID: MIG-feb88891-0321-5fef-9c87-d4af3b54259e)
  MIG 1g.10gb     Device  1: (UUID: MIG-a25704ba-3a06-5299-a795-fd7cf4d13973)
  MIG 1g.10gb     Device  2: (UUID: MIG-50f1c4c9-1508-5e8d-bb06-d08145b22e01)
  MIG 1g.10gb     Device  3: (UUID: MIG-36c795f2-5cf7-55d6-af30-e535e79b7bb6)
  MIG 1g.10gb     Device  4: (UUID: MIG-3f45d38c-8cee-503e-b806-a1f1bdceedeb)
  MIG 1g.10gb     Device  5: (UUID: MIG-96655de9-9525-58f9-a62b-0e4c1cc1c265)
  MIG 1g.10gb     Device  6: (UUID: MIG-1aae4990-b962-574e-8375-119d6d9b9687)
",
    });
    let reading = person.read().await;
    assert_eq!(reading.health, Health::Ok, "{}", reading.detail);
    let card = &reading.facts.cards[0];
    assert!(card.divided);
    assert_eq!(card.slices.len(), 7);
    assert_eq!(card.slices[6].id, "MIG-1aae4990-b962-574e-8375-119d6d9b9687");
    assert_eq!(card.slices[0].profile, "1g.10gb");
    assert_eq!(reading.facts.links, None, "a tool that prints no matrix");
}

/// `amd-smi static` in the form of ROCm 7 as dstack's tests have it; the matrix in `amd-smi topology`'s form as in
/// ROCm/rocm-systems issue 5763.
#[tokio::test]
async fn a_machine_with_cards_of_amd() {
    let Some(person) = Person::new() else { return };
    person.tool(
        "amd-smi",
        r#"case "$1" in static) cat <<'END'
{"gpu_data":[
 {"gpu":0,"asic":{"market_name":"AMD Instinct MI300X"},"bus":{"bdf":"0000:c1:00.0"},"vram":{"size":{"value":196592,"unit":"MB"}},"driver":{"name":"amdgpu","version":"6.12.12"}},
 {"gpu":1,"asic":{"market_name":"AMD Instinct MI300X"},"bus":{"bdf":"0000:c6:00.0"},"vram":{"size":{"value":196592,"unit":"MB"}},"driver":{"name":"amdgpu","version":"6.12.12"}}]}
END
;; topology) cat <<'END'

LINK TYPE TABLE:
             0000:c1:00.0 0000:c6:00.0
0000:c1:00.0 SELF         XGMI
0000:c6:00.0 XGMI         SELF
END
;; esac"#,
    );
    let reading = person.read().await;
    assert_eq!(reading.health, Health::Ok, "{}", reading.detail);
    let facts = reading.facts;
    let cards: Vec<_> =
        facts.cards.iter().map(|c| (c.id.as_str(), c.name.as_str(), c.memory_gib())).collect();
    let name = "AMD Instinct MI300X";
    assert_eq!(cards, [("0000:c1:00.0", name, Some(192.0)), ("0000:c6:00.0", name, Some(192.0))]);
    assert_eq!((facts.driver.as_deref(), facts.cuda.as_deref()), (Some("6.12.12"), None));
    assert_eq!(facts.links_in_words(), Some("Infinity Fabric"));
}

/// Machines that are out of the market, by what their tools print (the messages are the driver's own).
#[tokio::test]
async fn what_is_broken_is_told_apart() {
    let Some(person) = Person::new() else { return };
    assert_eq!(person.read().await.health, Health::NoDriver, "no tool at all");
    let lost = "Unable to determine the device handle for GPU1: 0000:34:00.0: Unknown Error\n\
        0, GPU-a, NVIDIA RTX 6000 Ada Generation, 550.54.15, 49140, [N/A]\n";
    for ((text, code), health, word) in [
        (
            (
                "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest \
                 NVIDIA driver is installed and running.\n",
                9,
            ),
            Health::NoDriver,
            "not loaded",
        ),
        (
            (
                "Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 535.161\n",
                18,
            ),
            Health::DriverMismatch,
            "reboot",
        ),
        ((lost, 15), Health::CardLost, "lost"),
        (
            (
                "0, GPU-a, NVIDIA H100 80GB HBM3, 570.124.06, 81559, Disabled\n1, [GPU is lost], [GPU is lost], 570.124.06, [GPU is lost], [GPU is lost]\n",
                0,
            ),
            Health::CardLost,
            "lost",
        ),
        (("No devices were found\n", 6), Health::NoCards, "no card"),
        (("Failed to initialize NVML: Unknown Error\n", 255), Health::NotTold, "Unknown Error"),
    ] {
        person.smi(&Smi { cards: (text, code), ..Smi::default() });
        let reading = person.read().await;
        assert_eq!(reading.health, health, "{text}");
        assert!(reading.detail.contains(word), "{text}: {}", reading.detail);
    }
    person.smi(&Smi { cards: (EIGHT, 0), ..Smi::default() });
    assert_eq!(person.read().await.health, Health::Ok, "and it comes back");
}

#[tokio::test]
async fn host_keys_are_the_persons_own_matter() {
    let Some(mut person) = Person::new() else { return };
    let known = person.greet().await.unwrap();
    assert!(known.starts_with("SHA256:"), "{known}");
    let host = Host::of_alias("rack4").unwrap();
    let (name, port, user) = person.ssh.resolve(&host).await.unwrap();
    assert_eq!((name.as_str(), port, user), ("127.0.0.1", person.machine.port, person.machine.user.clone()));

    std::fs::remove_file(person.folder.join("known_hosts")).unwrap();
    let unknown = person.greet().await.unwrap_err();
    assert!(matches!(unknown, SshError::HostKeyUnknown(_)), "{unknown:?}");
    assert!(!person.folder.join("known_hosts").exists(), "nothing is accepted on the quiet");

    person.know("host");
    person.machine.new_host_key("host2");
    person.machine.up("host2", "");
    let changed = person.greet().await.unwrap_err();
    assert!(
        matches!(&changed, SshError::HostKeyChanged { found, .. } if found.starts_with("SHA256:")),
        "{changed:?}"
    );
    let accepted = person.ssh.accept_key(&host, "SHA256:x").await.unwrap_err();
    assert!(matches!(&accepted, SshError::Here(how) if how.contains("ssh-keygen -R")), "{accepted:?}");

    person.machine.down();
    assert!(matches!(person.greet().await.unwrap_err(), SshError::Silent(_)));
}

#[tokio::test]
async fn what_a_person_wants_of_their_own_sessions_is_in_nobodys_way() {
    let Some(person) = Person::new() else { return };
    let taken = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port();
    person.configure(&format!(
        "  RemoteCommand sleep 1000\n  RequestTTY yes\n  LocalForward {port} 127.0.0.1:1\n  ExitOnForwardFailure yes\n  ControlMaster auto\n  ControlPath {}/%C",
        person.folder.display()
    ));
    person.smi(&Smi { cards: (EIGHT, 0), ..Smi::default() });
    assert_eq!(person.read().await.health, Health::Ok);
}

#[tokio::test]
async fn a_server_behind_a_jump_host_is_reached_as_the_person_reaches_it() {
    let Some(person) = Person::new() else { return };
    let (machine, known) = (&person.machine, person.folder.join("known_hosts"));
    let text = format!(
        "Host *\n  IdentityFile {}\n  IdentitiesOnly yes\n  UserKnownHostsFile {}\nHost gate\n  HostName 127.0.0.1\n  Port {port}\n  User {user}\n\
         Host rack4\n  HostName 127.0.0.1\n  Port {port}\n  User {user}\n  ProxyJump gate\n",
        machine.path("key").display(),
        known.display(),
        port = machine.port,
        user = machine.user,
    );
    std::fs::write(person.folder.join("config"), text).unwrap();
    person.smi(&Smi { cards: (EIGHT, 0), ..Smi::default() });
    assert_eq!(person.read().await.health, Health::Ok);
    assert!(person.greet().await.unwrap().starts_with("SHA256:"));
}

#[tokio::test]
async fn a_name_is_never_an_option() {
    for name in ["-oProxyCommand=touch CANARY", "a b", "$(touch CANARY)", "", "rack4\nHost x"] {
        assert_eq!(Host::of_alias(name), None, "{name:?}");
    }
}
