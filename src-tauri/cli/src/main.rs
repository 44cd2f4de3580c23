//! The terminal companion: the same engine as the window, for scripts, servers and people without a display.
//! Tables or one JSON document go to standard output, everything else to standard error.

mod accounts;
mod args;
mod budget;
mod buy;
mod commands;
mod connect;
mod guard;
mod hosts;
mod output;
mod plan;
mod policies;
mod rental_args;
mod rentals;
mod spend;
mod table;
mod unmanaged;

use std::process::ExitCode;

use clap::Parser;
use gpudesk_api::desk::ApiError;

fn main() -> ExitCode {
    let args = match args::Args::try_parse_from(args::readable(std::env::args_os())) {
        Ok(args) => args,
        Err(error) => {
            // Help and version are answers, everything else is a wrong command line.
            let code = if error.use_stderr() { 2 } else { 0 };
            let _ = error.print();
            return ExitCode::from(code);
        }
    };
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_env_filter(
            tracing_subscriber::EnvFilter::try_from_env("GPUDESK_LOG")
                .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("error")),
        )
        .init();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("gpudesk: could not start: {error}");
            return ExitCode::FAILURE;
        }
    };
    match runtime.block_on(commands::run(&args)) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            report(&error, args.json);
            ExitCode::from(exit_code(&error))
        }
    }
}

/// Says what went wrong: for people on standard error, for scripts also as JSON there.
fn report(error: &ApiError, json: bool) {
    if json && let Ok(text) = serde_json::to_string(error) {
        eprintln!("{}", output::escaped(&text));
        return;
    }
    output::tell(&format!("gpudesk: {}: {}", error.what, error.detail));
    if let Some(hint) = &error.hint {
        output::tell(&format!("  {hint}"));
    }
}

/// The contract's exit codes: 2 the command line is wrong, 3 not found, 4 a provider or the network said no,
/// 5 refused by a policy or a lease, 1 a fault of ours.
fn exit_code(error: &ApiError) -> u8 {
    match error.code.as_str() {
        "query-invalid" | "settings-invalid" | "request-invalid" | "keys-file" | "key-invalid" => 2,
        "not-found" | "no-such-machine" | "no-key" => 3,
        "network" | "timeout" | "provider-refused" | "rate-limited" | "bad-answer" | "too-large"
        | "bad-key" | "forbidden" | "no-funds" | "account-not-ready" | "quota" | "no-capacity"
        | "offer-gone" | "bid-too-low" | "ssh-key-refused" | "ssh-silent" | "ssh-denied" | "ssh-command"
        | "host-key-changed" | "host-key-unknown" | "no-address" | "conflict" | "unsupported" => 4,
        "refused" | "policy-blocked" | "budget-blocked" => 5,
        _ => 1,
    }
}
