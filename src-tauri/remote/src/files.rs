//! Our own SSH files, all in one folder of the desk's home, and how they are written: whole, through a temporary file
//! beside them, under a lock that the window, the terminal and the guard share.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::SshError;

/// Longest path of a control socket that every system takes: 104 bytes with the closing zero on macOS, less the 17
/// bytes ssh adds while it makes one and the 40 of `%C`.
const SOCKET_FOLDER_LIMIT: usize = 104 - 1 - 17 - 40 - 1;

/// The folder `ssh` in the desk's home and what is in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Files {
    folder: PathBuf,
}

/// Held while our files are read and rewritten.
pub(crate) struct Lock {
    _file: File,
}

impl Files {
    /// The SSH files of the desk that lives in `home`.
    #[must_use]
    pub fn new(home: &Path) -> Self {
        Self { folder: home.join("ssh") }
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// One `Host` block for each rental that can be reached.
    #[must_use]
    pub fn config(&self) -> PathBuf {
        self.folder.join("config")
    }

    /// What servers of the person's own are reached by: their configuration and the system's, and nothing of ours.
    #[must_use]
    pub fn person_config(&self) -> PathBuf {
        self.folder.join("person")
    }

    /// Writes that file. ssh itself would look for `~/.ssh/config` at the home of the user's entry in the system, which
    /// need not be the one in the environment.
    ///
    /// # Errors
    /// [`SshError::Here`].
    pub fn put_person(&self, folder: &Path) -> Result<(), SshError> {
        let _lock = self.lock()?;
        let path = self.person_config();
        let before = Self::read(&path)?;
        // `%` has no meaning for Include.
        let theirs = crate::config::quoted(&folder.join("config"))?.replace("%%", "%");
        let after = format!(
            "# Written by GPU Desk; changes made here are lost.\nInclude {theirs}\nInclude /etc/ssh/ssh_config\n"
        );
        Self::write(&path, &before, &after)
    }

    /// Host keys, one line a rental.
    #[must_use]
    pub fn known_hosts(&self) -> PathBuf {
        self.folder.join("known_hosts")
    }

    /// A file that stays empty: it stands where the system's own list of host keys would have a say.
    #[must_use]
    pub fn nothing(&self) -> PathBuf {
        self.folder.join("nothing")
    }

    /// Keys made by the desk.
    #[must_use]
    pub fn keys(&self) -> PathBuf {
        self.folder.join("keys")
    }

    /// Where shared connections have their sockets; `None` where the path would be too long for one, or the system's
    /// client has none (Windows).
    #[must_use]
    pub fn sockets(&self) -> Option<PathBuf> {
        let folder = self.folder.join("s");
        (cfg!(unix) && folder.as_os_str().len() <= SOCKET_FOLDER_LIMIT).then_some(folder)
    }

    /// Makes the folders, open to their owner only, and the empty file.
    ///
    /// # Errors
    /// [`SshError::Here`], naming the path.
    pub fn prepare(&self) -> Result<(), SshError> {
        for folder in [Some(self.folder.clone()), Some(self.keys()), self.sockets()].into_iter().flatten() {
            private_folder(&folder).map_err(|error| SshError::file(&folder, &error))?;
        }
        let nothing = self.nothing();
        match fs::metadata(&nothing) {
            Ok(found) if found.len() == 0 => Ok(()),
            _ => {
                write_atomically(&nothing, b"", Some(0o600)).map_err(|error| SshError::file(&nothing, &error))
            }
        }
    }

    pub(crate) fn lock(&self) -> Result<Lock, SshError> {
        self.prepare()?;
        let path = self.folder.join("lock");
        let open = || {
            let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path)?;
            file.lock()?;
            Ok(Lock { _file: file })
        };
        open().map_err(|error| SshError::file(&path, &error))
    }

    /// The text of one of our files; empty where it does not exist yet. A file that cannot be read is an error: it is
    /// never taken for an empty one.
    pub(crate) fn read(path: &Path) -> Result<String, SshError> {
        match fs::read_to_string(path) {
            Ok(text) => Ok(text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
            Err(error) => Err(SshError::file(path, &error)),
        }
    }

    /// Writes one of our files where its text differs.
    pub(crate) fn write(path: &Path, before: &str, after: &str) -> Result<(), SshError> {
        if before == after && path.exists() {
            return Ok(());
        }
        write_atomically(path, after.as_bytes(), Some(0o600)).map_err(|error| SshError::file(path, &error))
    }
}

/// Makes a folder that only its owner may enter.
pub(crate) fn private_folder(folder: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    set_mode(folder, 0o700)
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn set_mode(_path: &Path, _mode: u32) -> std::io::Result<()> {
    Ok(())
}

/// Replaces a file whole: a temporary file beside it, flushed to the disk, then renamed over it. `mode` is given to
/// it; `None` keeps the mode of the file it replaces.
pub(crate) fn write_atomically(path: &Path, bytes: &[u8], mode: Option<u32>) -> std::io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let temporary = path.with_file_name(name);
    let write = || {
        let mut file = File::create(&temporary)?;
        match (mode, fs::metadata(path)) {
            (Some(mode), _) => set_mode(&temporary, mode)?,
            (None, Ok(old)) => fs::set_permissions(&temporary, old.permissions())?,
            (None, Err(_)) => set_mode(&temporary, 0o600)?,
        }
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    write().inspect_err(|_| {
        let _ = fs::remove_file(&temporary);
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_keeps_its_mode() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("x");
        fs::write(&path, "old").unwrap();
        #[cfg(unix)]
        set_mode(&path, 0o640).unwrap();
        write_atomically(&path, b"new", None).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        }
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1, "no temporary file is left");
    }

    #[test]
    fn a_home_too_deep_for_sockets_has_none() {
        assert_eq!(Files::new(Path::new(&format!("/{}", "d".repeat(60)))).sockets(), None);
    }

    #[test]
    fn a_file_that_cannot_be_read_is_no_empty_file() {
        let home = tempfile::tempdir().unwrap();
        assert_eq!(Files::read(&home.path().join("none")).unwrap(), "");
        assert!(matches!(Files::read(home.path()), Err(SshError::Here(_))));
    }
}
