//! The window: what a person sees of the desk. Everything it knows and does is asked of the api crate; what belongs
//! here is only what needs a desktop: the window itself, tray, notifications, links, one instance at a time.

// A release build for Windows opens no console beside its window.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod bridge;
mod home;
mod links;
mod notices;
mod opener;
mod texts;
mod tray;
mod window;

use std::io::IsTerminal;
use std::process::ExitCode;

use tauri_plugin_window_state::StateFlags;

fn main() -> ExitCode {
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_env_filter(
            tracing_subscriber::EnvFilter::try_from_env("GPUDESK_LOG")
                .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn")),
        )
        .init();
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("gpudesk-app: the window could not be opened: {error}");
            eprintln!("  `gpudesk offers` shows the same market in a terminal.");
            ExitCode::FAILURE
        }
    }
}

fn run() -> tauri::Result<()> {
    // First of all plugins: a second start must end before it touches anything.
    let mut one_instance =
        tauri_plugin_single_instance::Builder::new().callback(|app, _arguments, _folder| {
            window::bring_to_front(app);
        });
    if let Some(home) = home::chosen() {
        // A desk with a home of its own is a desk of its own.
        one_instance = one_instance.dbus_id(home::bus_name(&home));
    }
    // A window that was left hidden must not start hidden.
    let mut remembered_place =
        tauri_plugin_window_state::Builder::new().with_state_flags(StateFlags::all() - StateFlags::VISIBLE);
    if let Some(home) = home::chosen() {
        remembered_place = remembered_place.with_filename(home.join("window.json").to_string_lossy());
    }
    tauri::Builder::default()
        .plugin(one_instance.build())
        .plugin(remembered_place.build())
        .plugin(tauri_plugin_deep_link::init())
        .plugin(tauri_plugin_notification::init())
        .plugin(tauri_plugin_shell::init())
        .invoke_handler(tauri::generate_handler![bridge::call])
        .setup(|app| {
            // The database is read while the web view starts; whichever is later is not waited for twice.
            bridge::open(app.handle());
            window::open(app)?;
            links::listen(app.handle());
            notices::listen(app.handle());
            tray::show(app.handle());
            Ok(())
        })
        .run(tauri::generate_context!())
}
