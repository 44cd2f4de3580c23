//! Where a desk with a home of its own keeps what only the window needs.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// The folder named by `GPUDESK_HOME`; `None` = the platform's own folders.
pub fn chosen() -> Option<PathBuf> {
    std::env::var_os(gpudesk_api::HOME).filter(|home| !home.is_empty()).map(PathBuf::from).and_then(|home| {
        // Relative to where the app was started, which may not be where it looks later.
        std::path::absolute(home).ok()
    })
}

/// The name under which the desk of this home is found on the session bus.
pub fn bus_name(home: &Path) -> String {
    let mut hasher = DefaultHasher::new();
    home.hash(&mut hasher);
    format!("dev.gpudesk.app.home{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_homes_are_two_desks() {
        assert_eq!(bus_name(Path::new("/a")), bus_name(Path::new("/a")));
        assert_ne!(bus_name(Path::new("/a")), bus_name(Path::new("/b")));
    }
}
