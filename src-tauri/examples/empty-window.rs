//! A window with an empty page and nothing behind it: what the desk's own window is compared with in `make bench`.

use tauri::{WebviewUrl, WebviewWindowBuilder};

fn main() -> tauri::Result<()> {
    tauri::Builder::default()
        .setup(|app| {
            let page = "about:blank".parse().map(WebviewUrl::External)?;
            WebviewWindowBuilder::new(app, "empty", page).title("Empty").inner_size(1440.0, 860.0).build()?;
            Ok(())
        })
        .run(tauri::generate_context!())
}
