//! What answers at a machine's notebook port.

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// The port notebooks usually have.
pub const PORT: u16 = 8888;

const PAGE: &str = "<!doctype html><html lang=\"en\"><head><title>Practice notebook</title></head>\
    <body><h1>Practice notebook</h1><p>The port forward works.</p></body></html>\n";

/// Reads a request to the end of its head and answers with a page.
pub async fn answer(mut stream: impl AsyncRead + AsyncWrite + Unpin) {
    let mut head = Vec::new();
    let mut piece = [0; 1_024];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") && head.len() < 65_536 {
        match stream.read(&mut piece).await {
            Ok(0) | Err(_) => return,
            Ok(read) => head.extend_from_slice(&piece[..read]),
        }
    }
    let answer = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{PAGE}",
        PAGE.len()
    );
    let _ = stream.write_all(answer.as_bytes()).await;
    let _ = stream.shutdown().await;
}
