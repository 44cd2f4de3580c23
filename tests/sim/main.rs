//! The practice market as a program: prints the variables that send a desk to it, then serves until it is ended.

use std::net::SocketAddr;
use std::process::ExitCode;

use gpudesk_tests::sim::Sim;

#[tokio::main]
async fn main() -> ExitCode {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:0".to_owned());
    let Ok(address) = address.parse::<SocketAddr>() else {
        eprintln!("usage: gpudesk-practice [127.0.0.1:PORT]");
        return ExitCode::from(2);
    };
    let sim = match Sim::start_at(address).await {
        Ok(sim) => sim,
        Err(error) => {
            eprintln!("gpudesk-practice: {address}: {error}");
            return ExitCode::FAILURE;
        }
    };
    #[expect(clippy::print_stdout, reason = "a program whose output is read by the one who starts it")]
    for (name, value) in sim.environment() {
        println!("{name}={value}");
    }
    std::future::pending().await
}
