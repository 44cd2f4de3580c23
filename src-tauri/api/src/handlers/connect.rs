//! Terminals, port forwards, copies, other programs, and the SSH configuration.

use std::path::PathBuf;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gpudesk_engine::{CopyInfo, Desk, Direction, ForwardInfo, Preset, SshIncludeState};

use crate::connect::{
    CopyDto, CopyRequestById, CopyStartRequest, ForwardDto, ForwardOpenRequest, ForwardRequest,
    HostKeyAcceptRequest, OpenInRequest, Opened, SshInclude, SshIncludeRequest, Terminal, TerminalBytes,
    TerminalOpenRequest, TerminalReadRequest, TerminalRequest, TerminalResizeRequest, TerminalWriteRequest,
};
use crate::desk::ApiError;
use crate::handlers;
use crate::rental::{RentalDto, RentalRequest};

fn invalid(what: &str, detail: String) -> ApiError {
    ApiError::new("request-invalid", what, detail)
}

/// Opens a terminal in a rental.
///
/// # Errors
/// `not-found`, `no-address`, `ssh-here`.
pub async fn terminal_open(desk: &Desk, request: TerminalOpenRequest) -> Result<Terminal, ApiError> {
    let opened = desk.terminal_open(&request.rental, request.cols, request.rows).await?;
    Ok(Terminal { id: opened.id, rental: opened.rental, title: opened.title })
}

/// Types into a terminal.
///
/// # Errors
/// `not-found`, `request-invalid` for bytes that are no Base64, `ssh-here` when it is over.
pub async fn terminal_write(desk: &Desk, request: TerminalWriteRequest) -> Result<(), ApiError> {
    let bytes = STANDARD
        .decode(&request.data)
        .map_err(|error| invalid("what was typed", format!("it is no Base64: {error}")))?;
    Ok(desk.terminal_write(request.id, bytes).await?)
}

/// Tells a terminal its size.
///
/// # Errors
/// `not-found`.
pub async fn terminal_resize(desk: &Desk, request: TerminalResizeRequest) -> Result<(), ApiError> {
    Ok(desk.terminal_resize(request.id, request.cols, request.rows)?)
}

/// What a terminal printed; waits for something to print.
///
/// # Errors
/// `not-found`.
pub async fn terminal_read(desk: &Desk, request: TerminalReadRequest) -> Result<TerminalBytes, ApiError> {
    let printed = desk.terminal_read(request.id, request.offset).await?;
    Ok(TerminalBytes {
        data: STANDARD.encode(&printed.bytes),
        offset: printed.offset,
        exit: printed.exit,
        problem: printed.problem.map(|problem| gpudesk_engine::DeskError::from(problem).into()),
    })
}

/// Closes a terminal.
///
/// # Errors
/// None: one that is closed already is closed.
pub async fn terminal_close(desk: &Desk, request: TerminalRequest) -> Result<(), ApiError> {
    desk.terminal_close(request.id);
    Ok(())
}

/// Opens a rental in another program.
///
/// # Errors
/// `not-found`, `no-address`, `request-invalid` for a program that is not known, `ssh-include-missing`.
pub async fn open_in(desk: &Desk, request: OpenInRequest) -> Result<Opened, ApiError> {
    let opened = desk.open_in(&request.rental, &request.program).await?;
    Ok(Opened { program: opened.program, command: opened.command })
}

/// Port forwards.
///
/// # Errors
/// None.
pub async fn forwards_list(desk: &Desk, (): ()) -> Result<Vec<ForwardDto>, ApiError> {
    Ok(forwards(desk, None))
}

/// The port forwards of one rental, or of all.
pub fn forwards(desk: &Desk, rental: Option<&str>) -> Vec<ForwardDto> {
    let of = |forward: &ForwardInfo| rental.is_none_or(|rental| forward.rental == rental);
    desk.forwards().into_iter().filter(of).map(forward).collect()
}

/// Opens a port forward and keeps it open.
///
/// # Errors
/// `not-found`, `no-address`, `request-invalid`.
pub async fn forward_open(desk: &Desk, request: ForwardOpenRequest) -> Result<ForwardDto, ApiError> {
    let preset = Preset::of_word(&request.preset)
        .ok_or_else(|| invalid("the port forward", format!("`{}` is no preset", request.preset)))?;
    let opened = desk.forward_open(&request.rental, request.remote_port, request.local_port, preset).await?;
    Ok(forward(opened))
}

/// Closes one.
///
/// # Errors
/// None: one that is closed already is closed.
pub async fn forward_close(desk: &Desk, request: ForwardRequest) -> Result<Vec<ForwardDto>, ApiError> {
    desk.forward_close(request.id);
    Ok(forwards(desk, None))
}

fn forward(info: ForwardInfo) -> ForwardDto {
    ForwardDto {
        id: info.id,
        rental: info.rental,
        remote_port: info.remote_port,
        local_port: info.local_port,
        preset: info.preset.word().to_owned(),
        state: info.state.word().to_owned(),
        url: info.url,
        problem: info.problem,
    }
}

/// Copies files in or out.
///
/// # Errors
/// `not-found`, `no-address`, `request-invalid`.
pub async fn copy_start(desk: &Desk, request: CopyStartRequest) -> Result<CopyDto, ApiError> {
    let direction = Direction::of_word(&request.direction)
        .ok_or_else(|| invalid("the copy", format!("`{}` is neither `to` nor `from`", request.direction)))?;
    let local = request.local.iter().map(PathBuf::from).collect();
    Ok(copy(desk.copy_start(&request.rental, direction, local, request.remote).await?))
}

/// Stops a copy.
///
/// # Errors
/// `not-found`.
pub async fn copy_cancel(desk: &Desk, request: CopyRequestById) -> Result<CopyDto, ApiError> {
    Ok(copy(desk.copy_cancel(request.id)?))
}

/// The copies of one rental.
pub fn copies(desk: &Desk, rental: &str) -> Vec<CopyDto> {
    desk.copies().into_iter().filter(|copy| copy.rental == rental).map(copy).collect()
}

fn copy(info: CopyInfo) -> CopyDto {
    CopyDto {
        id: info.id,
        rental: info.rental,
        direction: info.direction.word().to_owned(),
        title: info.title,
        state: info.state.word().to_owned(),
        percent: info.percent,
        line: info.line,
        problem: info.problem,
    }
}

/// The line in the user's own SSH configuration.
///
/// # Errors
/// `ssh-here` when the file cannot be changed, `request-invalid` for an action that is not known.
pub async fn ssh_include(desk: &Desk, request: SshIncludeRequest) -> Result<SshInclude, ApiError> {
    let SshIncludeState { file, line, there, problem } = match request.action.as_str() {
        "show" => desk.ssh_include().await?,
        "add" => desk.ssh_include_add().await?,
        "remove" => desk.ssh_include_remove().await?,
        other => {
            return Err(invalid(
                "the SSH configuration",
                format!("`{other}` is no action: show, add, remove"),
            ));
        }
    };
    Ok(SshInclude { file: file.display().to_string(), line, there, problem })
}

/// Accepts a changed host key by a person's word.
///
/// # Errors
/// `not-found`, `no-address`, `host-key-changed` when the machine shows yet another key, and as any connection.
pub async fn host_key_accept(desk: &Desk, request: HostKeyAcceptRequest) -> Result<RentalDto, ApiError> {
    desk.host_key_accept(&request.rental, &request.fingerprint).await?;
    let details = handlers::rental_get(desk, RentalRequest { rental: request.rental }).await?;
    Ok(details.rental)
}
