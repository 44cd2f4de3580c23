//! For tests: the reference data that may stand next to the checkout.

use std::path::{Path, PathBuf};

/// A file or folder of the reference data; `None` (with a word on the screen) where it is not there. `GPUDESK_SHARED`
/// names another place.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let base = std::env::var_os("GPUDESK_SHARED").map(PathBuf::from).or_else(|| {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .ancestors()
            .map(|dir| dir.join("../shared"))
            .find(|dir| dir.is_dir())
    });
    let found = base.map(|base| base.join(path)).filter(|path| path.exists());
    if found.is_none() {
        println!("skipped, needs ../shared/{path}");
    }
    found
}
