//! What the services answer, as it stands on the wire (<https://docs.openstack.org/api-ref/>).

use serde::Deserialize;

use crate::http::{List, Literal};

/// The answer to a sign-in.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct TokenBox<'a> {
    #[serde(borrow)]
    pub token: Token<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Token<'a> {
    #[serde(borrow)]
    pub expires_at: Literal<'a>,
    #[serde(borrow)]
    pub user: Named<'a>,
    #[serde(borrow)]
    pub project: Named<'a>,
    #[serde(borrow)]
    pub roles: Option<List<Named<'a>>>,
    #[serde(borrow)]
    pub catalog: Option<List<CatalogEntry<'a>>>,
}

/// Anything with an id and a name.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Named<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub name: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CatalogEntry<'a> {
    #[serde(borrow, rename = "type")]
    pub kind: Literal<'a>,
    #[serde(borrow)]
    pub endpoints: Option<List<CatalogEndpoint<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CatalogEndpoint<'a> {
    #[serde(borrow)]
    pub interface: Literal<'a>,
    #[serde(borrow)]
    pub region: Literal<'a>,
    #[serde(borrow)]
    pub region_id: Literal<'a>,
    #[serde(borrow)]
    pub url: Literal<'a>,
}

/// An endpoint of the catalogue.
#[derive(Debug, PartialEq)]
pub(super) struct Endpoint {
    pub service: String,
    pub interface: String,
    pub region: String,
    pub url: String,
}

impl Endpoint {
    /// Those with all that is needed. A region whose name no path of ours could carry is left out.
    pub fn all(catalog: &[CatalogEntry<'_>]) -> Vec<Self> {
        let text = |literal: Literal<'_>| literal.text().map(std::borrow::Cow::into_owned);
        let one = |entry: &CatalogEntry<'_>, endpoint: &CatalogEndpoint<'_>| {
            Some(Self {
                service: text(entry.kind)?,
                interface: text(endpoint.interface)?,
                region: text(endpoint.region_id)
                    .or_else(|| text(endpoint.region))
                    .filter(|name| is_region(name))?,
                url: text(endpoint.url)?,
            })
        };
        let endpoints =
            catalog.iter().flat_map(|entry| entry.endpoints.iter().flatten().map(move |one| (entry, one)));
        endpoints.filter_map(|(entry, endpoint)| one(entry, endpoint)).collect()
    }
}

/// Whether a text can be the name of a region.
pub(super) fn is_region(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
        && !name.contains("..")
}

/// The versions of a service.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Versions<'a> {
    #[serde(borrow)]
    pub versions: Option<List<ApiVersion<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ApiVersion<'a> {
    /// The newest of it; empty for the oldest interface.
    #[serde(borrow)]
    pub version: Literal<'a>,
}

/// A flavor, alone or inside a server.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Flavor<'a> {
    /// A UUID, a number or any text.
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub name: Literal<'a>,
    /// The name, inside a server.
    #[serde(borrow)]
    pub original_name: Literal<'a>,
    #[serde(borrow)]
    pub vcpus: Literal<'a>,
    /// MiB.
    #[serde(borrow)]
    pub ram: Literal<'a>,
    /// GiB of the root disk; 0 = from a volume only.
    #[serde(borrow)]
    pub disk: Literal<'a>,
    /// GiB.
    #[serde(borrow, rename = "OS-FLV-EXT-DATA:ephemeral")]
    pub ephemeral: Literal<'a>,
    #[serde(borrow, rename = "OS-FLV-DISABLED:disabled")]
    pub disabled: Literal<'a>,
    /// Absent before 2.61, and where a policy hides it.
    #[serde(borrow)]
    pub extra_specs: Literal<'a>,
}

/// A server.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Server<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub name: Literal<'a>,
    #[serde(borrow)]
    pub status: Literal<'a>,
    #[serde(borrow, rename = "OS-EXT-STS:task_state")]
    pub task_state: Literal<'a>,
    #[serde(borrow, rename = "OS-EXT-AZ:availability_zone")]
    pub zone: Literal<'a>,
    #[serde(borrow)]
    pub created: Literal<'a>,
    /// Without its zone, which is UTC.
    #[serde(borrow, rename = "OS-SRV-USG:launched_at")]
    pub launched_at: Literal<'a>,
    /// Network → its addresses; empty while it is built.
    #[serde(borrow)]
    pub addresses: Literal<'a>,
    #[serde(borrow)]
    pub metadata: Literal<'a>,
    #[serde(borrow)]
    pub tags: Literal<'a>,
    /// Only the id before 2.47.
    #[serde(borrow)]
    pub flavor: Literal<'a>,
    #[serde(borrow)]
    pub fault: Literal<'a>,
    #[serde(borrow)]
    pub locked: Literal<'a>,
    /// Only the practice market sends it: its machines cannot have port 22.
    #[serde(borrow)]
    pub practice_ssh_port: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Address<'a> {
    #[serde(borrow)]
    pub addr: Literal<'a>,
    #[serde(borrow)]
    pub version: Literal<'a>,
    #[serde(borrow, rename = "OS-EXT-IPS:type")]
    pub kind: Literal<'a>,
}

/// Why a server is broken.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Fault<'a> {
    #[serde(borrow)]
    pub message: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Actions<'a> {
    #[serde(borrow, rename = "instanceActions")]
    pub actions: Option<List<Action<'a>>>,
}

/// What was done with a server, the newest first.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Action<'a> {
    #[serde(borrow)]
    pub action: Literal<'a>,
    /// `Error` where it failed.
    #[serde(borrow)]
    pub message: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct LimitsBox<'a> {
    #[serde(borrow)]
    pub limits: LimitsOf<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct LimitsOf<'a> {
    #[serde(borrow)]
    pub absolute: Absolute<'a>,
}

/// −1 = no limit.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Absolute<'a> {
    #[serde(borrow, rename = "maxTotalInstances")]
    pub most_servers: Literal<'a>,
    #[serde(borrow, rename = "totalInstancesUsed")]
    pub servers: Literal<'a>,
    #[serde(borrow, rename = "maxTotalCores")]
    pub most_cores: Literal<'a>,
    #[serde(borrow, rename = "totalCoresUsed")]
    pub cores: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct KeypairBox<'a> {
    #[serde(borrow)]
    pub keypair: Keypair<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Keypair<'a> {
    #[serde(borrow)]
    pub name: Literal<'a>,
    #[serde(borrow)]
    pub public_key: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Image<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub name: Literal<'a>,
    #[serde(borrow)]
    pub status: Literal<'a>,
    /// GiB.
    #[serde(borrow)]
    pub min_disk: Literal<'a>,
    #[serde(borrow)]
    pub created_at: Literal<'a>,
    #[serde(borrow)]
    pub os_distro: Literal<'a>,
    /// Who logs in, where its maker says.
    #[serde(borrow)]
    pub os_admin_user: Literal<'a>,
    #[serde(borrow)]
    pub os_hidden: Literal<'a>,
    #[serde(borrow)]
    pub architecture: Literal<'a>,
    /// `snapshot` for what was made of a server.
    #[serde(borrow)]
    pub image_type: Literal<'a>,
    /// Bytes.
    #[serde(borrow)]
    pub size: Literal<'a>,
}

/// A network.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Network<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub name: Literal<'a>,
    /// Whether it is one of the cloud's towards the internet.
    #[serde(borrow, rename = "router:external")]
    pub external: Literal<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct SecurityGroup<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub name: Literal<'a>,
    #[serde(borrow)]
    pub security_group_rules: Option<List<Rule<'a>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Rule<'a> {
    #[serde(borrow)]
    pub direction: Literal<'a>,
    #[serde(borrow)]
    pub protocol: Literal<'a>,
    #[serde(borrow)]
    pub port_range_min: Literal<'a>,
    #[serde(borrow)]
    pub port_range_max: Literal<'a>,
}

/// The way of a router to the internet.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Gateway<'a> {
    #[serde(borrow)]
    pub network_id: Literal<'a>,
}

/// A port, a router, an address or a volume: what is read of each.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Thing<'a> {
    #[serde(borrow)]
    pub id: Literal<'a>,
    #[serde(borrow)]
    pub name: Literal<'a>,
    #[serde(borrow)]
    pub description: Literal<'a>,
    /// Of a port: what it belongs to; empty = nothing.
    #[serde(borrow)]
    pub device_id: Literal<'a>,
    #[serde(borrow)]
    pub device_owner: Literal<'a>,
    #[serde(borrow)]
    pub network_id: Literal<'a>,
    /// Of an address: null = it points nowhere.
    #[serde(borrow)]
    pub port_id: Literal<'a>,
    #[serde(borrow)]
    pub floating_ip_address: Literal<'a>,
    /// Of a router.
    #[serde(borrow)]
    pub external_gateway_info: Literal<'a>,
    /// Of a volume: GiB.
    #[serde(borrow)]
    pub size: Literal<'a>,
    /// Of a volume: `fast.ru-7a`.
    #[serde(borrow)]
    pub volume_type: Literal<'a>,
    /// Of a volume.
    #[serde(borrow)]
    pub attachments: Literal<'a>,
}

/// One thing that was made.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Made<'a> {
    #[serde(borrow)]
    pub server: Named<'a>,
    #[serde(borrow)]
    pub port: Named<'a>,
    #[serde(borrow)]
    pub floatingip: Named<'a>,
    #[serde(borrow)]
    pub security_group: Named<'a>,
}
