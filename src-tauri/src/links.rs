//! `gpudesk://` links, from the command line, a browser or a second start.

use gpudesk_api::desk::Event;
use tauri::AppHandle;
use tauri_plugin_deep_link::DeepLinkExt;

use crate::{bridge, window};

/// The link the app was started with, if any.
pub fn at_start(app: &AppHandle) -> Option<String> {
    let links = app.deep_link().get_current().ok().flatten()?;
    links.first().map(ToString::to_string)
}

/// Passes every later link on to the web view and brings the window to the front.
pub fn listen(app: &AppHandle) {
    let handle = app.clone();
    app.deep_link().on_open_url(move |event| {
        for link in event.urls() {
            bridge::send(&handle, &Event::OpenLink { link: link.to_string() });
        }
        window::bring_to_front(&handle);
    });
}
