//! The SSH server of one machine: public keys only; shell, commands, file transfer and port forwards.

use std::collections::HashMap;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use russh::keys::PrivateKey;
use russh::server::{
    Auth, ChannelOpenHandle, Config, Handler, Msg, PublicKeyOffer, Session, VerifiedPublicKey, run_stream,
};
use russh::{Channel, ChannelId, MethodKind, MethodSet};
use tokio::net::TcpStream;
use tokio::sync::watch;

use super::super::lock;
use super::run::{self, Terminal};
use super::{Inside, told, web};

/// Serves until told to stop; every connection ends with it.
pub async fn serve(
    listener: TcpListener,
    key: PrivateKey,
    inside: Arc<Inside>,
    mut stopped: watch::Receiver<bool>,
) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    let config = Arc::new(Config {
        keys: vec![key],
        methods: MethodSet::from(&[MethodKind::PublicKey][..]),
        auth_rejection_time: Duration::from_millis(50),
        auth_rejection_time_initial: Some(Duration::ZERO),
        inactivity_timeout: None,
        nodelay: true,
        ..Config::default()
    });
    loop {
        let stream = tokio::select! {
            accepted = listener.accept() => accepted,
            () = told(&mut stopped) => return,
        };
        // A connection that was gone before it was accepted is no reason to close the door.
        let Ok((stream, _)) = stream else { continue };
        tokio::spawn(session(stream, config.clone(), inside.clone(), stopped.clone()));
    }
}

async fn session(
    stream: TcpStream,
    config: Arc<Config>,
    inside: Arc<Inside>,
    mut stopped: watch::Receiver<bool>,
) {
    let guest =
        Guest { inside, channels: HashMap::new(), terminals: HashMap::new(), stopped: stopped.clone() };
    let Ok(running) = run_stream(config, stream, guest).await else { return };
    let handle = running.handle();
    tokio::select! {
        _ = running => {}
        () = told(&mut stopped) => {
            let words = "the machine is being stopped".to_owned();
            let _ = handle.disconnect(russh::Disconnect::ByApplication, words, "en".to_owned()).await;
        }
    }
}

/// One connection.
struct Guest {
    inside: Arc<Inside>,
    channels: HashMap<ChannelId, Channel<Msg>>,
    terminals: HashMap<ChannelId, Terminal>,
    stopped: watch::Receiver<bool>,
}

impl Guest {
    fn admits(&self, user: &str, key: &russh::keys::PublicKey) -> Auth {
        let known = lock(&self.inside.keys).iter().any(|one| one.key_data() == key.key_data());
        if known && user == self.inside.user { Auth::Accept } else { Auth::reject() }
    }

    /// Runs a command, or a shell where there is none, on a channel.
    fn run(
        &mut self,
        id: ChannelId,
        command: Option<Vec<u8>>,
        session: &mut Session,
    ) -> Result<(), russh::Error> {
        let Some(channel) = self.channels.remove(&id) else { return session.channel_failure(id) };
        session.channel_success(id)?;
        let (inside, stopped) = (self.inside.clone(), self.stopped.clone());
        match self.terminals.get(&id).cloned() {
            Some(terminal) => tokio::spawn(run::in_terminal(channel, terminal, command, inside, stopped)),
            None => tokio::spawn(run::plain(channel, run::shell(command.as_deref()), inside, stopped)),
        };
        Ok(())
    }
}

impl Handler for Guest {
    type Error = russh::Error;

    async fn auth_publickey_offered(
        &mut self,
        user: &str,
        offer: PublicKeyOffer<'_>,
    ) -> Result<Auth, Self::Error> {
        Ok(self.admits(user, offer.public_key))
    }

    async fn auth_publickey(&mut self, user: &str, key: VerifiedPublicKey<'_>) -> Result<Auth, Self::Error> {
        Ok(self.admits(user, key.public_key))
    }

    async fn channel_open_session(
        &mut self,
        channel: Channel<Msg>,
        reply: ChannelOpenHandle,
        _session: &mut Session,
    ) -> Result<(), Self::Error> {
        self.channels.insert(channel.id(), channel);
        reply.accept().await;
        Ok(())
    }

    async fn pty_request(
        &mut self,
        channel: ChannelId,
        term: &str,
        columns: u32,
        rows: u32,
        _width: u32,
        _height: u32,
        _modes: &[(russh::Pty, u32)],
        session: &mut Session,
    ) -> Result<(), Self::Error> {
        match Terminal::open(term, columns, rows) {
            Some(terminal) => {
                self.terminals.insert(channel, terminal);
                session.channel_success(channel)
            }
            None => session.channel_failure(channel),
        }
    }

    async fn window_change_request(
        &mut self,
        channel: ChannelId,
        columns: u32,
        rows: u32,
        _width: u32,
        _height: u32,
        session: &mut Session,
    ) -> Result<(), Self::Error> {
        if let Some(terminal) = self.terminals.get(&channel) {
            terminal.resize(columns, rows);
        }
        session.channel_success(channel)
    }

    async fn shell_request(&mut self, channel: ChannelId, session: &mut Session) -> Result<(), Self::Error> {
        self.run(channel, None, session)
    }

    async fn exec_request(
        &mut self,
        channel: ChannelId,
        data: &[u8],
        session: &mut Session,
    ) -> Result<(), Self::Error> {
        self.run(channel, Some(data.to_vec()), session)
    }

    async fn subsystem_request(
        &mut self,
        id: ChannelId,
        name: &str,
        session: &mut Session,
    ) -> Result<(), Self::Error> {
        let server = run::sftp_server().filter(|_| name == "sftp");
        let Some((program, channel)) = server.and_then(|server| Some((server, self.channels.remove(&id)?)))
        else {
            return session.channel_failure(id);
        };
        session.channel_success(id)?;
        let command = tokio::process::Command::new(program);
        tokio::spawn(run::plain(channel, command, self.inside.clone(), self.stopped.clone()));
        Ok(())
    }

    async fn channel_open_direct_tcpip(
        &mut self,
        channel: Channel<Msg>,
        host: &str,
        port: u32,
        _from: &str,
        _from_port: u32,
        reply: ChannelOpenHandle,
        _session: &mut Session,
    ) -> Result<(), Self::Error> {
        // Only what a machine of its own would reach under these names: itself.
        let inside = ["localhost", "127.0.0.1", "::1"].contains(&host);
        let Some(port) = u16::try_from(port).ok().filter(|_| inside) else { return Ok(()) };
        if port == web::PORT {
            reply.accept().await;
            tokio::spawn(web::answer(channel.into_stream()));
            return Ok(());
        }
        let Ok(mut target) = TcpStream::connect(("127.0.0.1", port)).await else { return Ok(()) };
        reply.accept().await;
        tokio::spawn(async move {
            let mut stream = channel.into_stream();
            let _ = tokio::io::copy_bidirectional(&mut stream, &mut target).await;
        });
        Ok(())
    }
}
