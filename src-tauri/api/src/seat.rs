//! The seat: which desk a person sits at, the real one or the one at the practice market. The real desk goes on
//! watching its machines while somebody practises; the two share no file, no key and no address.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use gpudesk_engine::{Desk, Event, Opener, PracticeMarket};
use serde_json::Value;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use crate::desk::ApiError;
use crate::practice::{Practice, PracticeRequest};
use crate::{commands, open};

/// Events kept for a listener that is slow; one that is slower misses some and reads everything anew.
const EVENTS: usize = 512;

/// A person's place at a desk. Clones are the same seat.
#[derive(Clone)]
pub struct Seat(Arc<Inner>);

struct Inner {
    real: Desk,
    practising: RwLock<Option<Desk>>,
    /// The desk at the practice market, once it was opened, and the market it needs.
    opened: tokio::sync::Mutex<Option<(Desk, PracticeMarket)>>,
    events: broadcast::Sender<Event>,
}

impl Seat {
    /// Sits down at the real desk; see [`open::open`].
    ///
    /// # Errors
    /// As [`open::open`].
    pub async fn open(home: Option<PathBuf>) -> Result<Self, ApiError> {
        Self::open_with(home, None).await
    }

    /// The same with something that can start other programs of the desktop.
    ///
    /// # Errors
    /// As [`open::open`].
    pub async fn open_with(home: Option<PathBuf>, opener: Option<Arc<dyn Opener>>) -> Result<Self, ApiError> {
        let real = open::open_with(home, opener).await?;
        let seat = Self(Arc::new(Inner {
            real: real.clone(),
            practising: RwLock::new(None),
            opened: tokio::sync::Mutex::new(None),
            events: broadcast::Sender::new(EVENTS),
        }));
        seat.listen(&real);
        Ok(seat)
    }

    /// The desk somebody sits at now.
    #[must_use]
    pub fn desk(&self) -> Desk {
        let practising = self.0.practising.read().unwrap_or_else(PoisonError::into_inner);
        practising.as_ref().unwrap_or(&self.0.real).clone()
    }

    /// Whether that is the practice market.
    #[must_use]
    pub fn is_practice(&self) -> bool {
        self.0.practising.read().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Starts what a desk does by itself.
    pub fn start(&self) {
        self.0.real.start();
    }

    /// Listens to what happens at the desk somebody sits at, and to what a person must be told of the real one.
    #[must_use]
    pub fn events(&self) -> broadcast::Receiver<Event> {
        self.0.events.subscribe()
    }

    /// Answers one command; see [`commands::dispatch`].
    ///
    /// # Errors
    /// As [`commands::dispatch`].
    pub async fn dispatch(&self, command: &str, request: Value) -> Result<Value, ApiError> {
        commands::dispatch(self, command, request).await
    }

    /// Where somebody sits.
    #[must_use]
    pub fn practice(&self) -> Practice {
        Practice { on: self.is_practice(), problem: None }
    }

    /// Goes to the practice market, which is started if it does not run yet, or back. The market goes on running
    /// until the program ends, so that machines there are found again.
    ///
    /// # Errors
    /// `practice` when the market cannot be started, or what [`open::open`] says.
    pub async fn set_practice(&self, request: &PracticeRequest) -> Result<Practice, ApiError> {
        let desk = if request.on { Some(self.practice_desk().await?) } else { None };
        *self.0.practising.write().unwrap_or_else(PoisonError::into_inner) = desk;
        self.tell(Event::PracticeChanged { on: request.on });
        Ok(self.practice())
    }

    async fn practice_desk(&self) -> Result<Desk, ApiError> {
        let mut opened = self.0.opened.lock().await;
        if let Some((desk, _)) = opened.as_ref() {
            return Ok(desk.clone());
        }
        let home = self.0.real.config().home.join("practice");
        let market = PracticeMarket::start(&home.join("market")).await?;
        let desk = open::open_practice(home, market.variables(), self.0.real.config().opener.clone()).await?;
        desk.start();
        self.listen(&desk);
        *opened = Some((desk.clone(), market));
        Ok(desk)
    }

    /// Passes on the events of one desk, as long as it exists.
    fn listen(&self, desk: &Desk) {
        let mut events = desk.events();
        let seat = self.clone();
        let practice = desk.config().practice;
        tokio::spawn(async move {
            loop {
                match events.recv().await {
                    Ok(event) => {
                        let here = practice == seat.is_practice();
                        // A machine that costs money is told of wherever somebody sits.
                        if here || (!practice && matches!(event, Event::Told { .. })) {
                            seat.tell(event);
                        }
                    }
                    Err(RecvError::Lagged(missed)) => tracing::warn!("{missed} events were missed"),
                    Err(RecvError::Closed) => return,
                }
            }
        });
    }

    fn tell(&self, event: Event) {
        // Nobody listening is not an error.
        let _ = self.0.events.send(event);
    }
}
