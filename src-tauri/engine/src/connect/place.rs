//! Where a rental is, for SSH, and what is to be kept up when that changes.

use std::path::PathBuf;

use gpudesk_core::rental::Rental;
use gpudesk_remote::Host;
use tokio::sync::broadcast::error::RecvError;

use super::error::ConnectError;
use super::{Place, host};
use crate::reach::Target;
use crate::{Desk, DeskError, Event};

impl Desk {
    /// How a rental is reached by SSH; `None` while it has no address.
    #[must_use]
    pub fn target(&self, rental: &Rental) -> Option<Target> {
        let address = rental.ssh.clone()?;
        let identity =
            rental.record.spec.as_ref().and_then(|spec| spec.ssh_identity.as_ref()).map(PathBuf::from);
        let alias = self.ssh_alias_at(&rental.record, &address);
        Some(Target { rental: rental.record.id.clone(), alias, address, identity })
    }

    /// The machine of a rental, by the rental's id or name.
    ///
    /// # Errors
    /// When there is no such rental, or it has no address.
    pub(crate) async fn place(&self, rental: &str) -> Result<Place, DeskError> {
        let rental = self.rental_named(rental).await?;
        let name = rental.record.name.clone();
        match self.target(&rental) {
            Some(target) => Ok(Place { name, host: host(&target) }),
            None => {
                let state = rental.state.word().to_owned();
                Err(ConnectError::NoAddress { name, state, over: rental.is_over() }.into())
            }
        }
    }

    /// The client and its arguments that run `command` on a rental (nothing = a shell), in the terminal it is
    /// started in. The rental's block is written before.
    ///
    /// # Errors
    /// When there is no such rental, it has no address, or our file cannot be written.
    pub async fn ssh_command(
        &self,
        rental: &str,
        command: &[String],
    ) -> Result<(PathBuf, Vec<std::ffi::OsString>), DeskError> {
        let place = self.place(rental).await?;
        let ssh = &self.ways().ssh;
        ssh.put(&place.host).await.map_err(|error| ConnectError::ssh(&place.name, error))?;
        let mut arguments =
            vec!["-F".into(), ssh.config_of(&place.host).into(), "--".into(), place.host.alias.into()];
        arguments.extend(command.iter().map(Into::into));
        Ok((ssh.program().to_owned(), arguments))
    }

    /// Whether a machine shows the host key on record: asked after a client failed that spoke to a person and not to us.
    ///
    /// # Errors
    /// When it shows another one, or cannot be asked.
    pub async fn host_key_check(&self, rental: &str) -> Result<(), DeskError> {
        let place = self.place(rental).await?;
        let checked = self.ways().ssh.check_key(&place.host).await;
        Ok(checked.map_err(|error| ConnectError::ssh(&place.name, error))?)
    }

    /// Pins the host key that a machine shows now, by a person's word: they read this fingerprint and accept it.
    ///
    /// # Errors
    /// When the machine shows yet another key, or cannot be asked.
    pub async fn host_key_accept(&self, rental: &str, fingerprint: &str) -> Result<(), DeskError> {
        let place = self.place(rental).await?;
        let accepted = self.ways().ssh.accept_key(&place.host, fingerprint).await;
        accepted.map_err(|error| ConnectError::ssh(&place.name, error))?;
        self.note_host_key(&place.host.rental, fingerprint).await
    }

    /// Keeps SSH files and watching in step with the rentals, from now on.
    pub(crate) fn follow_rentals(&self) {
        let desk = self.clone();
        tokio::spawn(async move {
            let mut events = desk.events();
            let mut last = None;
            loop {
                match desk.rentals_alive().await {
                    Ok(rentals) => {
                        desk.watch_usage_of(desk.places(rentals.iter().filter(|rental| {
                            // A proxy gives a shell to a person and nothing else.
                            rental.state.has_shell() && rental.ssh.as_ref().is_some_and(|ssh| !ssh.proxy)
                        })));
                        // Machines that are still coming up are greeted by their block too.
                        let hosts: Vec<Host> =
                            desk.places(rentals.iter()).into_iter().map(|place| place.host).collect();
                        if last.as_ref() != Some(&hosts) {
                            match desk.write_hosts(hosts.clone()).await {
                                Ok(()) => last = Some(hosts),
                                Err(error) => tracing::warn!("{}: {}", error.what(), error.detail()),
                            }
                        }
                    }
                    Err(error) => tracing::warn!("{}: {}", error.what(), error.detail()),
                }
                loop {
                    match events.recv().await {
                        // Readings of cards are told without an id; they change no address.
                        Ok(Event::RentalsChanged { rental }) if !rental.is_empty() => break,
                        Err(RecvError::Lagged(_)) => break,
                        Err(RecvError::Closed) => return,
                        Ok(_) => {}
                    }
                }
            }
        });
    }

    /// Those of these rentals that have an address.
    fn places<'a>(&self, rentals: impl Iterator<Item = &'a Rental>) -> Vec<Place> {
        let place = |rental: &Rental| {
            Some(Place { name: rental.record.name.clone(), host: host(&self.target(rental)?) })
        };
        rentals.filter_map(place).collect()
    }
}
