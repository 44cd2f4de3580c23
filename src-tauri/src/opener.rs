//! Starting terminals and editors of the desktop. Only this process may; the web view has no permission for it.

use async_trait::async_trait;
use gpudesk_engine::Opener;
use tauri::AppHandle;
use tauri_plugin_shell::ShellExt;

/// Starts programs through the shell plugin, which despite its name uses none: a program and its arguments.
pub struct AppOpener(pub AppHandle);

#[async_trait]
impl Opener for AppOpener {
    async fn start(&self, program: &str, arguments: &[String]) -> Result<(), String> {
        let (mut output, _child) =
            self.0.shell().command(program).args(arguments).spawn().map_err(|error| error.to_string())?;
        // What it prints is nobody's; unread it would stop the program.
        tauri::async_runtime::spawn(async move { while output.recv().await.is_some() {} });
        Ok(())
    }
}
