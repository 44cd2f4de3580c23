//! The address of a Jupyter server on a machine, its token included.

use std::time::Duration;

use gpudesk_remote::{Host, Ssh};
use serde_json::Value;

const LIMIT: Duration = Duration::from_secs(30);
/// Both commands print one JSON object a line.
const SCRIPT: &str = "PATH=\"$PATH:/usr/local/bin:/opt/conda/bin:$HOME/.local/bin\"\n\
    jupyter server list --json 2>/dev/null </dev/null || jupyter notebook list --json 2>/dev/null </dev/null\nexit 0\n";

/// What stands behind `http://127.0.0.1:PORT`: base path and token of the server on `port`. `None` where the machine
/// does not tell; the page then asks for the token itself.
pub(super) async fn path(ssh: &Ssh, host: &Host, port: u16) -> Option<String> {
    let printed = ssh.script(host, SCRIPT, LIMIT).await.ok()?;
    read(&printed.out, port)
}

fn read(text: &str, port: u16) -> Option<String> {
    let servers = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let server =
        servers.into_iter().find(|server| server.get("port").and_then(Value::as_u64) == Some(port.into()))?;
    let plain = |key: &str, also: &str| {
        let text = server.get(key)?.as_str()?;
        text.chars().all(|c| c.is_ascii_alphanumeric() || also.contains(c)).then(|| text.to_owned())
    };
    let base =
        plain("base_url", "/-_.~@").filter(|base| base.starts_with('/')).unwrap_or_else(|| "/".to_owned());
    match plain("token", "-_.~").filter(|token| !token.is_empty()) {
        Some(token) => Some(format!("{base}?token={token}")),
        None => Some(base),
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn the_server_of_that_port_is_read_and_nothing_else_gets_into_the_address() {
        let text = "some noise\n{\"port\": 8889, \"token\": \"no\"}\n{\"base_url\": \"/lab/\", \"port\": 8888, \"token\": \"abc123\"}\n";
        assert_eq!(read(text, 8888).as_deref(), Some("/lab/?token=abc123"));
        assert_eq!(read(text, 1), None);
        let hostile = r#"{"base_url": "@evil.example/", "port": 8888, "token": "a\" onclick=x"}"#;
        assert_eq!(read(hostile, 8888).as_deref(), Some("/"));
    }
}
