//! Proxies, certificates, and what is written down about calls.

use std::cell::RefCell;
use std::io::Write as _;
use std::sync::Arc;

use gpudesk_providers::SourceErrorCode;
use gpudesk_providers::http::{Call, Http, HttpConfig};
use reqwest::header::{AUTHORIZATION, HeaderValue};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use url::Url;

use crate::support::{RawServer, Say, config, kit, read_request};

/// A name that exists nowhere: only a proxy can answer for it.
const NOWHERE: &str = "http://prices.invalid/list?page=2";

#[tokio::test]
async fn a_proxy_is_asked_for_everything() {
    let proxy = RawServer::start(vec![Say::http("200 OK", &[], "from the proxy")]).await;
    let (mut config, _) = config();
    config.proxy = Some(proxy.url.to_string());
    let http = Http::new(config).unwrap();
    let answer = http.read(&Call::get("prices", Url::parse(NOWHERE).unwrap())).await.unwrap();
    assert_eq!(answer.body, b"from the proxy");
    assert!(proxy.requests()[0].starts_with("GET http://prices.invalid/list?page=2 HTTP/1.1"));
}

#[tokio::test]
async fn a_proxy_that_wants_a_password_is_told_apart_from_the_provider() {
    let proxy = RawServer::start(vec![Say::http("407 Proxy Authentication Required", &[], "")]).await;
    let (mut config, _) = config();
    config.proxy = Some(proxy.url.to_string());
    let error = Http::new(config)
        .unwrap()
        .read(&Call::get("prices", Url::parse(NOWHERE).unwrap()))
        .await
        .unwrap_err();
    assert_eq!(error.code, SourceErrorCode::Network);
    assert!(error.hint.unwrap().contains("proxy"));
}

#[test]
fn settings_that_cannot_be_used_are_named_without_their_password() {
    let broken = |change: fn(&mut HttpConfig)| {
        let (mut config, _) = config();
        change(&mut config);
        match Http::new(config) {
            Ok(_) => panic!("accepted"),
            Err(error) => {
                assert_eq!(error.code, SourceErrorCode::Config);
                error.detail
            }
        }
    };
    let proxy = broken(|config| config.proxy = Some("http://me:pa55@:nonsense".to_owned()));
    assert!(!proxy.contains("pa55"), "{proxy}");
    let missing = broken(|config| config.ca_file = Some("/nonexistent/ca.pem".into()));
    assert!(missing.contains("cannot read /nonexistent/ca.pem"), "{missing}");
    let empty = broken(|config| config.ca_file = Some("/dev/null".into()));
    assert!(empty.contains("no certificate"), "{empty}");
}

/// The system's proxy variables are read when the kit is set up, so they are set for a second run of this very test.
#[tokio::test]
async fn the_proxy_of_the_environment_is_used() {
    if std::env::var_os("GPUDESK_TEST_BEHIND_PROXY").is_some() {
        let (http, _) = kit();
        let answer = http.read(&Call::get("prices", Url::parse(NOWHERE).unwrap())).await.unwrap();
        assert_eq!(answer.body, b"from the environment");
        return;
    }
    let proxy = RawServer::start(vec![Say::http("200 OK", &[], "from the environment")]).await;
    let status = tokio::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "http_network::the_proxy_of_the_environment_is_used"])
        .env("GPUDESK_TEST_BEHIND_PROXY", "1")
        .env("http_proxy", proxy.url.as_str())
        .env_remove("NO_PROXY")
        .env_remove("no_proxy")
        .output()
        .await
        .unwrap();
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stdout));
    assert_eq!(proxy.requests().len(), 1);
}

/// An HTTPS server with a certificate that no system trusts; gives its address and the certificate as PEM.
async fn tls_server(answer: String) -> (Url, String) {
    let issued = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(issued.signing_key.serialize_der()).unwrap();
    let server = ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(vec![issued.cert.der().clone()], key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(server));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://localhost:{}/", listener.local_addr().unwrap().port());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            if let Ok(mut stream) = acceptor.accept(stream).await {
                read_request(&mut stream).await;
                let _ = stream.write_all(answer.as_bytes()).await;
                let _ = stream.shutdown().await;
            }
        }
    });
    (Url::parse(&url).unwrap(), issued.cert.pem())
}

fn trusting(pem: &str) -> Http {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(pem.as_bytes()).unwrap();
    let (mut config, _) = config();
    config.ca_file = Some(file.path().to_owned());
    Http::new(config).unwrap()
}

#[tokio::test]
async fn a_certificate_is_trusted_only_with_its_ca() {
    let (url, pem) = tls_server("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nsafe".to_owned()).await;
    let (http, time) = kit();
    let error = http.read(&Call::get("prices", url.clone())).await.unwrap_err();
    assert_eq!(error.code, SourceErrorCode::Network);
    assert!(error.hint.as_ref().unwrap().contains("CA file"), "{error:?}");
    assert!(time.waits().is_empty(), "asking again does not make it trusted");
    assert_eq!(trusting(&pem).read(&Call::get("prices", url)).await.unwrap().body, b"safe");
}

#[tokio::test]
async fn a_redirect_out_of_tls_is_not_followed() {
    let plain = RawServer::start(vec![Say::http("200 OK", &[], "spied on")]).await;
    let redirect = format!("HTTP/1.1 302 Found\r\nlocation: {}\r\ncontent-length: 0\r\n\r\n", plain.url);
    let (url, pem) = tls_server(redirect).await;
    let error = trusting(&pem).read(&Call::get("prices", url)).await.unwrap_err();
    assert_eq!(error.code, SourceErrorCode::BadAnswer);
    assert!(error.detail.contains("plain http"), "{}", error.detail);
    assert!(plain.requests().is_empty());
}

#[tokio::test]
async fn nobody_there_is_a_network_error_with_a_hint() {
    let port = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    let (http, time) = kit();
    let url = Url::parse(&format!("http://127.0.0.1:{port}/?token=verysecret")).unwrap();
    let error = http.read(&Call::get("prices", url)).await.unwrap_err();
    assert_eq!(error.code, SourceErrorCode::Network);
    assert!(error.hint.is_some());
    assert!(!error.detail.contains("verysecret"), "{}", error.detail);
    assert_eq!(time.waits().len(), 3);
}

thread_local! {
    /// What this thread has logged.
    static LINES: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

struct Lines;

impl std::io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        LINES.with_borrow_mut(|lines| lines.extend_from_slice(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn log_lines_tell_the_call_and_no_secret() {
    // One of this thread alone would miss what another thread's test, which nobody listens to, logged first: whether
    // anybody wants a line is kept for the whole process.
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_ansi(false)
        .with_writer(|| Lines)
        .finish();
    tracing::subscriber::set_global_default(subscriber).unwrap();
    let server = RawServer::start(vec![
        Say::http("500 Internal Server Error", &["set-cookie: s3cret-cookie"], "s3cret-error"),
        Say::http("200 OK", &[], "s3cret-body"),
    ])
    .await;
    let (http, _) = kit();
    let mut key = HeaderValue::from_static("Bearer s3cret-key");
    key.set_sensitive(true);
    let call = Call::ask(
        "prices",
        server.at("/list?token=s3cret-token"),
        &serde_json::json!({"q": "s3cret-question"}),
    )
    .header(AUTHORIZATION, key);
    http.read(&call).await.unwrap();
    let log = String::from_utf8(LINES.take()).unwrap();
    let ours: Vec<&str> = log.lines().filter(|line| line.contains("gpudesk_providers")).collect();
    assert!(ours[0].contains("method=\"POST\" host=\"127.0.0.1\" path=\"/list\" status=500"), "{log}");
    assert!(ours.iter().any(|line| line.contains("status=200") && line.contains("bytes=11")), "{log}");
    assert!(ours.iter().all(|line| !line.contains("s3cret-token")), "{log}");
    assert!(!ours.join("\n").contains("s3cret"), "{log}");
}
