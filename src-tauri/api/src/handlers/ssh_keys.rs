//! SSH keys of the launch sheet.

use gpudesk_engine::{Desk, KeySource, NEW_KEY};

use crate::launch::SshKey;

/// What can be chosen, the best first; a key of the desk's own comes last, for whoever has none.
pub(super) async fn choices(desk: &Desk) -> Vec<SshKey> {
    let found = desk.ssh_keys().await;
    let has_own = found.iter().any(|key| key.source == KeySource::Own);
    let mut keys: Vec<SshKey> = found
        .into_iter()
        .map(|key| SshKey {
            id: key.id,
            source: if key.source == KeySource::Agent { "agent" } else { "file" }.to_owned(),
            title: key.title,
            kind: key.kind,
            fingerprint: key.fingerprint,
            problem: key.problem,
        })
        .collect();
    if !has_own {
        keys.push(SshKey {
            id: NEW_KEY.to_owned(),
            source: "new".to_owned(),
            title: "A new key of this desk".to_owned(),
            kind: String::new(),
            fingerprint: String::new(),
            problem: None,
        });
    }
    keys
}
