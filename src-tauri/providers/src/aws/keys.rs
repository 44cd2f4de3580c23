//! SSH keys: each region has a list of named ones, and a launch names exactly one.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::service::{Aws, Service, WRITE, fields, filter, tags};
use crate::cloud::ssh_key::{self, material};
use crate::cloud::{CloudError, CloudErrorCode, Effect};

/// The name under which a region knows a public key; it is brought there where it does not.
pub(super) async fn name_of(aws: &Aws, region: &str, public_key: &str) -> Result<String, CloudError> {
    let doing = "SSH key";
    let wanted = ssh_key::wanted(aws.what(doing), public_key)?;
    for name in ssh_key::names(wanted) {
        match known_key(aws, region, &name).await? {
            Some(known) if known.as_deref().and_then(material).is_none_or(|known| known == wanted) => {
                return Ok(name);
            }
            // The name is another key's.
            Some(_) => continue,
            None => {}
        }
        let text = STANDARD.encode(public_key.trim());
        let mut asked = fields(&[("KeyName", &name), ("PublicKeyMaterial", &text)]);
        asked.extend(tags("key-pair", 1, &[("gpudesk", "key")]));
        match aws.change(doing, region, ("ImportKeyPair", &asked), WRITE).await {
            Ok(_) => return Ok(name),
            // Another desk was faster; the name follows from the key.
            Err(error) if error.detail.contains("InvalidKeyPair.Duplicate") => return Ok(name),
            // Whatever became of the key: no machine was made.
            Err(error) => return Err(error.with_effect(Effect::Nothing)),
        }
    }
    Err(aws.error(CloudErrorCode::SshKeyRefused, doing, "other keys have all names that this one could have"))
}

/// A key pair by its name: the public key where that is told; `None` where there is no pair of the name.
async fn known_key(aws: &Aws, region: &str, name: &str) -> Result<Option<Option<String>>, CloudError> {
    // A filter finds nothing where a name that is asked for is an error.
    let mut asked = filter(1, "key-name", &[name]);
    asked.extend(fields(&[("IncludePublicKey", "true")]));
    let found = aws.ask("SSH key", (Service::Ec2, region), "DescribeKeyPairs", &asked).await?;
    let mut rows = found.items("keySet").filter(|row| row.text("keyName") == Some(name));
    Ok(rows.next().map(|row| row.text("publicKey").map(str::to_owned)))
}
