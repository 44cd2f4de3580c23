//! `gpudesk ssh`, `forward`, `accept-key` and `ssh-config`.

use gpudesk_api::connect::{
    ForwardDto, ForwardOpenRequest, HostKeyAcceptRequest, SshInclude, SshIncludeRequest,
};
use gpudesk_api::desk::ApiError;
use gpudesk_api::handlers;
use gpudesk_engine::{Desk, Event};
use tokio::sync::broadcast::error::RecvError;

use crate::output::{print_json, print_text, tell};

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
    // The client's own word for having failed, and a command's like any other: a changed host key is told apart.
    if status.code() == Some(255)
        && let Err(error) = desk.host_key_check(rental).await.map_err(ApiError::from)
        && error.code == "host-key-changed"
    {
        return Err(error);
    }
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
    let mut now = handlers::forward_open(desk, request).await?;
    // One document for a script: how it opened. What becomes of it later is told beside it.
    let mut document = json;
    loop {
        if now.state != "opening" {
            if document && matches!(now.state.as_str(), "open" | "failed") {
                print_json(&now)?;
                document = false;
            } else if json {
                tell(&line(&now));
            } else {
                print_text(&line(&now))?;
            }
        }
        if now.state == "failed" {
            return Ok(4);
        }
        let before = now;
        now = loop {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {
                    desk.forward_close(before.id);
                    return Ok(0);
                }
                event = events.recv() => match event {
                    Ok(Event::ForwardsChanged) | Err(RecvError::Lagged(_)) => {}
                    Ok(_) => continue,
                    Err(RecvError::Closed) => return Ok(0),
                }
            }
            match handlers::forwards_list(desk, ()).await?.into_iter().find(|forward| forward.id == before.id)
            {
                None => return Ok(0),
                Some(forward) if forward != before => break forward,
                Some(_) => {}
            }
        };
    }
}

/// Pins the host key that a rental shows now, by a person's explicit word.
pub async fn accept_key(desk: &Desk, rental: &str, fingerprint: &str, json: bool) -> Result<u8, ApiError> {
    let request = HostKeyAcceptRequest { rental: rental.to_owned(), fingerprint: fingerprint.to_owned() };
    let rental = handlers::host_key_accept(desk, request).await?;
    if json {
        print_json(&rental)?;
    } else {
        print_text(&format!("{} is from now on asked for the host key {fingerprint}.", rental.name))?;
    }
    Ok(0)
}

/// Shows, adds or removes the line in the person's SSH configuration that makes `ssh gpudesk-NAME` work.
pub async fn ssh_config(desk: &Desk, action: &str, json: bool) -> Result<u8, ApiError> {
    let include = handlers::ssh_include(desk, SshIncludeRequest { action: action.to_owned() }).await?;
    if json {
        print_json(&include)?;
        return Ok(0);
    }
    let SshInclude { file, line, there, problem } = include;
    let mut text = match there {
        true => format!("`{file}` has the line, so `ssh gpudesk-NAME` works everywhere:\n  {line}"),
        false => format!(
            "`{file}` does not have the line with which `ssh gpudesk-NAME` works everywhere:\n  {line}"
        ),
    };
    if let Some(problem) = problem {
        text.push_str(&format!("\n{problem}"));
    } else if !there {
        text.push_str("\n`gpudesk ssh-config add` puts it at the top of that file.");
    }
    print_text(&text)?;
    Ok(0)
}

fn line(forward: &ForwardDto) -> String {
    let ForwardDto { url, state, problem, remote_port, .. } = forward;
    match (state.as_str(), problem) {
        ("open", None) => format!("{url} is port {remote_port} of the machine (Ctrl-C closes it)"),
        (_, Some(problem)) => format!("{url} {state}: {problem}"),
        (_, None) => format!("{url} {state}"),
    }
}
