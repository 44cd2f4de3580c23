//! `gpudesk ssh` and `gpudesk forward`.

use gpudesk_api::connect::{ForwardDto, ForwardOpenRequest};
use gpudesk_api::desk::ApiError;
use gpudesk_api::handlers;
use gpudesk_engine::{Desk, Event};
use tokio::sync::broadcast::error::RecvError;

use crate::commands::{print_json, print_text};

/// Runs the system's ssh in this terminal; its exit code is ours.
pub async fn ssh(desk: &Desk, rental: &str, command: &[String]) -> Result<u8, ApiError> {
    let (program, arguments) = desk.ssh_command(rental, command).await?;
    let mut ssh = tokio::process::Command::new(&program);
    ssh.args(arguments);
    let status = match ssh.status().await {
        Ok(status) => status,
        Err(error) => {
            return Err(ApiError {
                code: "ssh-here".to_owned(),
                what: format!("`{}`", program.display()),
                detail: error.to_string(),
                hint: Some("Install the OpenSSH client.".to_owned()),
                line: None,
            });
        }
    };
    // A signal has no code; shells say 128 and its number, of which the platform-independent part is this.
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(128))
}

/// Opens a forward and keeps it open until Ctrl-C, or until it fails for good.
pub async fn forward(
    desk: &Desk,
    rental: &str,
    port: u16,
    local: Option<u16>,
    json: bool,
) -> Result<u8, ApiError> {
    let mut events = desk.events();
    let preset = match port {
        8888 => "jupyter",
        6006 => "tensorboard",
        8000 => "vllm",
        _ => "",
    };
    let request = ForwardOpenRequest {
        rental: rental.to_owned(),
        remote_port: port,
        local_port: local,
        preset: preset.to_owned(),
    };
    let mut shown = handlers::forward_open(desk, request).await?;
    loop {
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {
                desk.forward_close(shown.id);
                return Ok(0);
            }
            event = events.recv() => match event {
                Ok(Event::ForwardsChanged) | Err(RecvError::Lagged(_)) => {}
                Ok(_) => continue,
                Err(RecvError::Closed) => return Ok(0),
            }
        }
        let forwards = handlers::forwards_list(desk, ()).await?;
        let Some(now) = forwards.into_iter().find(|forward| forward.id == shown.id) else { return Ok(0) };
        if now == shown {
            continue;
        }
        shown = now;
        if json {
            print_json(&shown)?;
        } else {
            print_text(&line(&shown))?;
        }
        if shown.state == "failed" {
            return Ok(4);
        }
    }
}

fn line(forward: &ForwardDto) -> String {
    let ForwardDto { url, state, problem, remote_port, .. } = forward;
    match (state.as_str(), problem) {
        ("open", None) => format!("{url} is port {remote_port} of the machine (Ctrl-C closes it)"),
        (_, Some(problem)) => format!("{url} {state}: {problem}"),
        (_, None) => format!("{url} {state}"),
    }
}
