//! Notices by mail and webhook: each once, tried again, and no secret where it does not belong.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use axum::Router;
use axum::body::Bytes;
use axum::http::StatusCode;
use axum::routing::post;
use chrono::TimeDelta;
use gpudesk_core::rental::{Lease, OnExpiry, State};
use gpudesk_engine::{
    Desk, MailServer, NoticeConfig, Order, Outcome, Secret, Security, Vault, VaultError, WebhookForm,
};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpListener;

use crate::stage::Stage;

/// Keeps secrets in memory.
#[derive(Default)]
pub struct Memory(Mutex<BTreeMap<String, Secret>>);

#[async_trait]
impl Vault for Memory {
    fn name(&self) -> &'static str {
        "memory"
    }

    async fn get(&self, name: &str) -> Result<Option<Secret>, VaultError> {
        Ok(self.0.lock().unwrap().get(name).cloned())
    }

    async fn set(&self, name: &str, secret: &Secret) -> Result<(), VaultError> {
        self.0.lock().unwrap().insert(name.to_owned(), secret.clone());
        Ok(())
    }

    async fn forget(&self, name: &str) -> Result<(), VaultError> {
        self.0.lock().unwrap().remove(name);
        Ok(())
    }
}

/// A mail server that takes what it is given: the lines of each mail.
async fn mail_server() -> (u16, Arc<Mutex<Vec<Vec<String>>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let mails: Arc<Mutex<Vec<Vec<String>>>> = Arc::default();
    let taken = Arc::clone(&mails);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (read, mut write) = stream.into_split();
            let mut lines = BufReader::new(read).lines();
            let (mut mail, mut inside) = (Vec::new(), false);
            write.write_all(b"220 here\r\n").await.unwrap();
            while let Ok(Some(line)) = lines.next_line().await {
                if inside && line == "." {
                    inside = false;
                    taken.lock().unwrap().push(std::mem::take(&mut mail));
                    write.write_all(b"250 taken\r\n").await.unwrap();
                } else if inside {
                    mail.push(line);
                } else if line == "DATA" {
                    inside = true;
                    write.write_all(b"354 go on\r\n").await.unwrap();
                } else if line == "QUIT" {
                    break;
                } else {
                    mail.push(line);
                    write.write_all(b"250 yes\r\n").await.unwrap();
                }
            }
        }
    });
    (port, mails)
}

/// A webhook that answers 500 so many times first; what it was sent.
async fn webhook(fails: usize) -> (String, Arc<Mutex<Vec<Value>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/services/T0/B0/{SECRET}", listener.local_addr().unwrap());
    let sent: Arc<Mutex<Vec<Value>>> = Arc::default();
    let (taken, left) = (Arc::clone(&sent), Arc::new(Mutex::new(fails)));
    let app = Router::new().route(
        "/services/T0/B0/{secret}",
        post(move |body: Bytes| {
            let (taken, left) = (Arc::clone(&taken), Arc::clone(&left));
            async move {
                let mut left = left.lock().unwrap();
                if *left > 0 {
                    *left -= 1;
                    return (StatusCode::INTERNAL_SERVER_ERROR, "no");
                }
                taken.lock().unwrap().push(serde_json::from_slice(&body).unwrap());
                (StatusCode::OK, "ok")
            }
        }),
    );
    tokio::spawn(async move { axum::serve(listener, app).await });
    (address, sent)
}

const SECRET: &str = "a-token-of-the-webhook";

fn to(port: u16) -> MailServer {
    MailServer {
        server: "127.0.0.1".to_owned(),
        port,
        security: Security::None,
        user: String::new(),
        from: "GPU Desk <desk@example.org>".to_owned(),
        to: vec!["ann@example.org".to_owned(), "bob@example.org".to_owned()],
    }
}

async fn expired(stage: &Stage, desk: &Desk) {
    let until = stage.time.truth() + TimeDelta::hours(1);
    let lease = Lease { until: Some(until), max_spend: None, idle_minutes: None, on_expiry: OnExpiry::End };
    let order = Order { lease, ..stage.order(stage.offer().await, "train-a") };
    let Outcome::Requested(rental) = desk.launch(order).await.unwrap() else { panic!("no order") };
    stage.tend_until(desk, &rental.record.id, |rental| rental.state == State::Ready).await;
    stage.time.pass((until - stage.time.truth()).to_std().unwrap());
    desk.guard_round().await.unwrap();
    stage.tend_until(desk, &rental.record.id, |rental| rental.state == State::Ended).await;
}

#[tokio::test]
async fn each_notice_goes_once_by_each_way_and_is_tried_until_it_goes() {
    let stage = Stage::with_vault("runpod", Arc::new(Memory::default())).await;
    let desk = stage.desk().await;
    let (port, mails) = mail_server().await;
    let (address, sent) = webhook(2).await;
    let config = NoticeConfig { mail: Some(to(port)), ..NoticeConfig::default() };
    desk.set_notice_config(config, None, Some(Secret::new(address))).await.unwrap();
    expired(&stage, &desk).await;
    let other = stage.desk().await;
    for _ in 0..12 {
        tokio::join!(desk.send_notices(), other.send_notices());
        stage.time.pass(Duration::from_secs(240));
    }
    let wanted = ["ready", "lease", "ready"];
    let subjects: Vec<String> = mails
        .lock()
        .unwrap()
        .iter()
        .map(|mail| mail.iter().find_map(|line| line.strip_prefix("Subject: ")).unwrap().to_owned())
        .collect();
    assert_eq!(subjects.len(), wanted.len(), "{subjects:?}");
    assert!(subjects.iter().all(|subject| subject.starts_with("GPU Desk: train-a: ")), "{subjects:?}");
    let receivers = mails.lock().unwrap()[0].iter().filter(|line| line.starts_with("RCPT TO:")).count();
    assert_eq!(receivers, 2);
    let mut texts: Vec<String> =
        sent.lock().unwrap().iter().map(|body| body["text"].as_str().unwrap().to_owned()).collect();
    texts.sort();
    assert_eq!(texts.len(), wanted.len(), "{texts:?}");
    assert!(texts[1].starts_with("train-a: is being ended: its lease ran out at"), "{texts:?}");
    assert_eq!(desk.notice_problem(), None);
}

#[tokio::test]
async fn a_kind_that_is_switched_off_goes_by_nothing() {
    let stage = Stage::with_vault("runpod", Arc::new(Memory::default())).await;
    let desk = stage.desk().await;
    let (address, sent) = webhook(0).await;
    let mut config = NoticeConfig { webhook_form: WebhookForm::Json, ..NoticeConfig::default() };
    for ways in config.kinds.iter_mut().filter(|(kind, _)| *kind != "lease").map(|(_, ways)| ways) {
        ways.webhook = false;
    }
    desk.set_notice_config(config, None, Some(Secret::new(address))).await.unwrap();
    expired(&stage, &desk).await;
    desk.send_notices().await;
    let sent = sent.lock().unwrap();
    assert_eq!(sent.len(), 1, "{sent:?}");
    assert_eq!((&sent[0]["kind"], &sent[0]["name"]), (&"lease".into(), &"train-a".into()));
}

#[tokio::test]
async fn what_does_not_go_says_so_without_its_secret() {
    let stage = Stage::with_vault("runpod", Arc::new(Memory::default())).await;
    let desk = stage.desk().await;
    let (address, _) = webhook(usize::MAX).await;
    let config = NoticeConfig { mail: Some(to(9)), ..NoticeConfig::default() };
    desk.set_notice_config(config, None, Some(Secret::new(address))).await.unwrap();
    desk.try_notices().await.unwrap();
    let problem = desk.notice_problem().unwrap();
    assert!(problem.starts_with("webhook: ") && !problem.contains(SECRET), "{problem}");
    let text = serde_json::to_string(&desk.notice_config().await.unwrap()).unwrap();
    assert!(!text.contains(SECRET), "the address is a key");
}

#[tokio::test]
async fn settings_that_cannot_work_are_refused() {
    let stage = Stage::with_vault("runpod", Arc::new(Memory::default())).await;
    let desk = stage.desk().await;
    let plain = MailServer { server: "mail.example.org".to_owned(), ..to(25) };
    let nobody = MailServer { to: Vec::new(), ..to(25) };
    let odd = MailServer { from: "nobody at all".to_owned(), ..to(25) };
    for mail in [plain, nobody, odd] {
        let config = NoticeConfig { mail: Some(mail.clone()), ..NoticeConfig::default() };
        let error = desk.set_notice_config(config, None, None).await.unwrap_err();
        assert_eq!(error.code(), "settings-invalid", "{mail:?}");
    }
    for address in ["http://hooks.example.org/x", "ftp://x", "not an address"] {
        let config = NoticeConfig::default();
        let error = desk.set_notice_config(config, None, Some(Secret::new(address))).await.unwrap_err();
        assert_eq!(error.code(), "settings-invalid", "{address}");
        assert!(!error.to_string().contains("hooks.example.org"), "{error}");
    }
    assert!(!desk.notice_config().await.unwrap().webhook);
}
