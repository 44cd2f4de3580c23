//! The configuration file we write for OpenSSH: one `Host` block for each rental that can be reached.

use std::path::{Path, PathBuf};

use gpudesk_core::rental::SshAddress;

use crate::alias::is_alias;
use crate::files::Files;
use crate::{SshError, host_keys};

/// What stands before each block and names whose it is.
const MARK: &str = "# rental ";
const HEAD: &str = "# Written by GPU Desk; changes made here are lost.\n";

/// A rental as SSH knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host {
    /// The rental's id.
    pub rental: String,
    /// The name in `ssh NAME`.
    pub alias: String,
    /// Where it is.
    pub address: SshAddress,
    /// The file of the private key, or of the public half of a key that an agent holds; `None` = whatever the
    /// person's own keys and agent offer.
    pub identity: Option<PathBuf>,
}

impl Host {
    /// A server that the person's own SSH configuration knows by this name; `None` where that is no name.
    #[must_use]
    pub fn of_alias(alias: &str) -> Option<Self> {
        let address = SshAddress::of_alias(alias, 22, "")?;
        Some(Self { rental: String::new(), alias: alias.to_owned(), address, identity: None })
    }

    /// Whether the person's own SSH configuration knows the way: it has no block of ours.
    #[must_use]
    pub fn by_alias(&self) -> bool {
        self.address.by_alias
    }
}

impl Files {
    /// Writes or replaces the block of one rental.
    ///
    /// # Errors
    /// [`SshError::Here`] when the file cannot be read or written, or a part of the block cannot be put into words
    /// that OpenSSH reads as one.
    pub fn put_host(&self, host: &Host) -> Result<(), SshError> {
        self.change(|blocks| {
            blocks.retain(|block| block.rental != host.rental && block.alias() != Some(host.alias.as_str()));
            blocks.push(Block { rental: host.rental.clone(), text: self.block(host)? });
            Ok(())
        })
    }

    /// Makes the file hold exactly these rentals: blocks of vanished ones go.
    ///
    /// # Errors
    /// As [`Files::put_host`].
    pub fn set_hosts(&self, hosts: &[Host]) -> Result<(), SshError> {
        self.change(|blocks| {
            blocks.clear();
            for host in hosts.iter().filter(|host| !host.by_alias()) {
                blocks.push(Block { rental: host.rental.clone(), text: self.block(host)? });
            }
            Ok(())
        })
    }

    /// Takes one rental's block out.
    ///
    /// # Errors
    /// As [`Files::put_host`].
    pub fn remove_host(&self, rental: &str) -> Result<(), SshError> {
        self.change(|blocks| {
            blocks.retain(|block| block.rental != rental);
            Ok(())
        })
    }

    /// Which rental has which alias in the file now.
    ///
    /// # Errors
    /// [`SshError::Here`] when the file is there and cannot be read.
    pub fn aliases(&self) -> Result<Vec<(String, String)>, SshError> {
        let text = Self::read(&self.config())?;
        Ok(blocks(&text)
            .iter()
            .filter_map(|block| Some((block.rental.clone(), block.alias()?.to_owned())))
            .collect())
    }

    fn change(&self, change: impl FnOnce(&mut Vec<Block>) -> Result<(), SshError>) -> Result<(), SshError> {
        let _lock = self.lock()?;
        let path = self.config();
        let before = Self::read(&path)?;
        let mut blocks = blocks(&before);
        change(&mut blocks)?;
        // By id, so that whoever writes last leaves the same bytes.
        blocks.sort_by(|a, b| a.rental.cmp(&b.rental));
        let mut after = HEAD.to_owned();
        for block in &blocks {
            after.push('\n');
            after.push_str(&block.text);
        }
        Self::write(&path, &before, &after)
    }

    fn block(&self, host: &Host) -> Result<String, SshError> {
        let Host { rental, alias, address, identity } = host;
        if !is_alias(alias) || rental.is_empty() || !rental.chars().all(|c| c.is_ascii_alphanumeric()) {
            return Err(SshError::Here(format!("`{alias}` cannot be the name of a machine for SSH")));
        }
        // Checked again, although whoever made it did: one line break here would be a directive.
        let SshAddress { host: name, port, user, .. } =
            SshAddress::new(&address.host, address.port, &address.user, address.proxy)
                .ok_or_else(|| SshError::Here(format!("`{}` is not an address for SSH", address.host)))?;
        // Once a key is pinned nothing new is accepted, not even one of another type.
        let strict = if host_keys::known(self, rental)?.is_empty() { "accept-new" } else { "yes" };
        let mut lines = vec![("HostName", name), ("Port", port.to_string()), ("User", user)];
        if let Some(identity) = identity {
            lines.push(("IdentityFile", quoted(identity)?));
            lines.push(("IdentitiesOnly", "yes".to_owned()));
        }
        lines.extend([
            ("HostKeyAlias", host_keys::host_key_alias(rental)),
            ("UserKnownHostsFile", quoted(&self.known_hosts())?),
            ("GlobalKnownHostsFile", quoted(&self.nothing())?),
        ]);
        let mut fixed = vec![
            ("HashKnownHosts", "no"),
            ("StrictHostKeyChecking", strict),
            ("PasswordAuthentication", "no"),
            ("KbdInteractiveAuthentication", "no"),
            ("ForwardAgent", "no"),
            ("ServerAliveInterval", "15"),
            ("ServerAliveCountMax", "4"),
            ("ConnectTimeout", "15"),
        ];
        // A proxy hangs on shared connections.
        if let Some(sockets) = self.sockets().filter(|_| !address.proxy) {
            lines.push(("ControlPath", quoted(&sockets.join("%C"))?.replace("%%C", "%C")));
            fixed.extend([("ControlMaster", "auto"), ("ControlPersist", "60s")]);
        }
        lines.extend(fixed.into_iter().map(|(key, value)| (key, value.to_owned())));
        let mut text = format!("{MARK}{rental}\nHost {alias}\n");
        for (key, value) in lines {
            text.push_str(&format!("    {key} {value}\n"));
        }
        Ok(text)
    }
}

struct Block {
    rental: String,
    text: String,
}

impl Block {
    fn alias(&self) -> Option<&str> {
        self.text.lines().find_map(|line| line.strip_prefix("Host "))
    }
}

fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for line in text.lines() {
        if let Some(rental) = line.strip_prefix(MARK) {
            blocks.push(Block { rental: rental.to_owned(), text: format!("{line}\n") });
        } else if let Some(block) = blocks.last_mut()
            && !line.trim().is_empty()
        {
            block.text.push_str(line);
            block.text.push('\n');
        }
    }
    blocks
}

/// A path as a value of the configuration: quoted, with forward slashes on Windows too, and `%` doubled, which OpenSSH
/// would expand.
pub(crate) fn quoted(path: &Path) -> Result<String, SshError> {
    let bad = || {
        let path = path.display();
        SshError::Here(format!(
            "OpenSSH cannot be told the path `{path}`: use one without quotes, `${{`, \\ and line breaks"
        ))
    };
    let text = path.to_str().ok_or_else(bad)?;
    let text = if cfg!(windows) { text.replace('\\', "/") } else { text.to_owned() };
    if text.contains(['"', '\\']) || text.contains(char::is_control) || text.contains("${") {
        return Err(bad());
    }
    Ok(format!("\"{}\"", text.replace('%', "%%")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(rental: &str, alias: &str, port: u16) -> Host {
        let address = SshAddress::new("203.0.113.7", port, "root", false).unwrap();
        Host { rental: rental.into(), alias: alias.into(), address, identity: Some("/k/id_ed25519".into()) }
    }

    #[test]
    fn the_file_is_the_same_whoever_writes_in_which_order() {
        let home = tempfile::tempdir().unwrap();
        let files = Files::new(home.path());
        let (a, b) = (host("01A", "gpudesk-a", 1), host("01B", "gpudesk-b", 2));
        files.set_hosts(&[a.clone(), b.clone()]).unwrap();
        let whole = std::fs::read_to_string(files.config()).unwrap();
        files.put_host(&a).unwrap();
        files.put_host(&b).unwrap();
        files.put_host(&a).unwrap();
        assert_eq!(std::fs::read_to_string(files.config()).unwrap(), whole);
        files.put_host(&host("01C", "gpudesk-c", 3)).unwrap();
        files.remove_host("01C").unwrap();
        assert_eq!(std::fs::read_to_string(files.config()).unwrap(), whole);
        assert_eq!(
            files.aliases().unwrap(),
            [("01A".into(), "gpudesk-a".into()), ("01B".into(), "gpudesk-b".into())]
        );
        files.set_hosts(&[]).unwrap();
        assert_eq!(std::fs::read_to_string(files.config()).unwrap(), HEAD);
    }

    #[test]
    fn nothing_that_could_add_a_directive_is_written() {
        let home = tempfile::tempdir().unwrap();
        let files = Files::new(home.path());
        for alias in ["a b", "a\nHost *", "-oProxyCommand=x", "*", ""] {
            assert!(matches!(files.put_host(&host("01A", alias, 1)), Err(SshError::Here(_))), "{alias:?}");
        }
        let mut bad = host("01A", "gpudesk-a", 1);
        bad.address.host = "h\n    ProxyCommand x".into();
        assert!(matches!(files.put_host(&bad), Err(SshError::Here(_))));
        let mut bad = host("01A", "gpudesk-a", 1);
        bad.identity = Some("/k/\"\nProxyCommand x".into());
        assert!(matches!(files.put_host(&bad), Err(SshError::Here(_))));
        assert!(!files.config().exists());
    }

    #[test]
    fn odd_paths_are_quoted() {
        assert_eq!(quoted(Path::new("/a b/100%/ключ")).unwrap(), "\"/a b/100%%/ключ\"");
        assert!(quoted(Path::new("/a/${HOME}")).is_err());
    }

    #[test]
    fn openssh_reads_what_we_write() {
        let home = tempfile::tempdir().unwrap();
        let deep = home.path().join("a b");
        let files = Files::new(&deep);
        files.put_host(&host("01A", "gpudesk-a", 40022)).unwrap();
        let Ok(output) = std::process::Command::new("ssh")
            .arg("-F")
            .arg(files.config())
            .args(["-G", "--", "gpudesk-a"])
            .output()
        else {
            println!("skipped, needs an OpenSSH client");
            return;
        };
        let said = String::from_utf8(output.stdout).unwrap();
        let known = format!("userknownhostsfile {}", files.known_hosts().display());
        for line in [
            "hostname 203.0.113.7",
            "port 40022",
            "user root",
            "identityfile /k/id_ed25519",
            "hostkeyalias 01a",
            "stricthostkeychecking accept-new",
            "forwardagent no",
            &known,
        ] {
            assert!(said.lines().any(|said| said == line), "{line} is not in:\n{said}");
        }
    }
}
