//! Embeds the window's configuration, icons and permissions.

fn main() {
    // The desk's one command is named, so that the capability file must grant it like everything else.
    let attributes =
        tauri_build::Attributes::new().app_manifest(tauri_build::AppManifest::new().commands(&["call"]));
    if let Err(error) = tauri_build::try_build(attributes) {
        // Cargo shows a build script's output only when it fails.
        eprintln!("{error:#}");
        std::process::exit(1);
    }
}
