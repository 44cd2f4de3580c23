//! The parts of a key, cloud by cloud, as they are asked for. `key` reads whichever are there.

use gpudesk_core::rental::KeyField;

const fn field(name: &'static str, title: &'static str, secret: bool, example: &'static str) -> KeyField {
    // A cloud of clouds.yaml stands for all the others, and a password for an application credential.
    KeyField { name, title, secret, required: false, example }
}

const AUTH_URL: KeyField = field("auth_url", "Auth URL", false, "https://keystone.example:5000/v3");
const CREDENTIAL: KeyField = field("application_credential_id", "Application credential ID", false, "");
const CREDENTIAL_SECRET: KeyField =
    field("application_credential_secret", "Application credential secret", true, "");
const USER: KeyField = field("username", "User", false, "instead of an application credential");
const PASSWORD: KeyField = field("password", "Password", true, "");
const DOMAIN: KeyField = field("user_domain_name", "User domain", false, "Default where empty");
const ACCOUNT: KeyField = field("user_domain_name", "Account number", false, "123456");
const PROJECT: KeyField = field("project_name", "Project", false, "");
const PROJECT_ID: KeyField = field("project_id", "Project ID", false, "");
const REGIONS: KeyField = field("region_name", "Regions", false, "empty: all; several with commas between");
const NETWORK: KeyField = field("network", "Network", false, "name or id; empty: the usual one");
const VOLUME_TYPE: KeyField = field("volume_type", "Volume type", false, "empty: the usual one");
const ZONE: KeyField = field("availability_zone", "Availability zone", false, "empty: any");
const SUBSIDIARY: KeyField = field("subsidiary", "OVH subsidiary", false, "FR where empty");
const CLOUD: KeyField = field("cloud", "Cloud of clouds.yaml", false, "instead of everything above");

/// The parts of a key for any cloud. Each list has every part that is secret: what is secret is told by it.
pub(super) const ANY: &[KeyField] = &[
    AUTH_URL,
    CREDENTIAL,
    CREDENTIAL_SECRET,
    USER,
    PASSWORD,
    DOMAIN,
    PROJECT,
    REGIONS,
    NETWORK,
    VOLUME_TYPE,
    ZONE,
    CLOUD,
];

/// Of a service user of Selectel.
pub(super) const OF_SELECTEL: &[KeyField] = &[
    ACCOUNT,
    USER,
    PASSWORD,
    PROJECT,
    REGIONS,
    NETWORK,
    VOLUME_TYPE,
    ZONE,
    CREDENTIAL,
    CREDENTIAL_SECRET,
    CLOUD,
];

/// Of a user of VK Cloud.
pub(super) const OF_VK: &[KeyField] =
    &[USER, PASSWORD, PROJECT_ID, REGIONS, NETWORK, VOLUME_TYPE, ZONE, CREDENTIAL, CREDENTIAL_SECRET, CLOUD];

/// Of immers.cloud.
pub(super) const OF_IMMERS: &[KeyField] =
    &[CREDENTIAL, CREDENTIAL_SECRET, USER, PASSWORD, PROJECT, NETWORK, CLOUD];

/// Of a user of a project at OVHcloud.
pub(super) const OF_OVH: &[KeyField] =
    &[USER, PASSWORD, PROJECT_ID, REGIONS, NETWORK, SUBSIDIARY, CREDENTIAL, CREDENTIAL_SECRET, CLOUD];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_of_parts_has_what_is_secret() {
        for fields in [ANY, OF_SELECTEL, OF_VK, OF_IMMERS, OF_OVH] {
            let mut secret: Vec<&str> =
                fields.iter().filter(|part| part.secret).map(|part| part.name).collect();
            secret.sort_unstable();
            assert_eq!(secret, ["application_credential_secret", "password"]);
        }
    }
}
