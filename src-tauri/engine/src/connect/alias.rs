//! Which name a rental has in `ssh NAME`. It stays the same for as long as the rental can be reached.

use gpudesk_remote::alias_of;

use super::{Connect, lock};

impl Connect {
    /// The alias of a rental: the one it has in our file, unless the person has taken that meanwhile, else a new one
    /// made of its name.
    pub(super) fn alias(&self, rental: &str, name: &str) -> String {
        let mut aliases = lock(&self.aliases);
        if let Some(alias) = aliases.get(rental) {
            return alias.clone();
        }
        let theirs = self.user.hosts();
        // A file of ours that cannot be read is told of when it is to be written.
        let written = self.ssh.files().aliases().unwrap_or_default();
        let taken = |alias: &str| {
            theirs.iter().any(|host| host == alias)
                || written.iter().any(|(of, written)| of != rental && written == alias)
                || aliases.iter().any(|(of, used)| of != rental && used == alias)
        };
        let kept =
            written.iter().find(|(of, alias)| of == rental && !taken(alias)).map(|(_, alias)| alias.clone());
        let alias = kept.unwrap_or_else(|| alias_of(name, rental, taken));
        aliases.insert(rental.to_owned(), alias.clone());
        alias
    }
}
