//! The desktop program: a match of engines, watched live.
//!
//! The match is played on a thread of its own by a [`Session`], which never waits for a frame. The
//! window draws the session's latest immutable [`Snapshot`] and sends [`Command`]s back: a click
//! never changes a board, only the next snapshot does. Everything but the window is in [`app`] and
//! runs without one:
//!
//! ```
//! use std::sync::Arc;
//! use tengen_gui::app::{Phase, Session, SessionConfig};
//! use tengen_players::{Player, RandomLegal, RealTime};
//! use tengen_tournament::{EventConfig, Roster};
//!
//! struct Dice;
//!
//! impl Roster for Dice {
//!     fn player(&self, _engine: usize) -> Box<dyn Player> {
//!         Box::new(RandomLegal::new())
//!     }
//!
//!     fn interrupt(&self) {}
//! }
//!
//! let text = "size = 9\ngames = 2\nengines = ['red', 'blue']";
//! let event = EventConfig::from_toml(text, "dice.toml".as_ref())?;
//! let session = Session::start(
//!     SessionConfig { event, interval: std::time::Duration::ZERO },
//!     Box::new(|| Arc::new(Dice)),
//!     Arc::new(RealTime::new()),
//! )?;
//! session.wait_until(|snapshot| snapshot.phase == Phase::Finished);
//! let snapshot = session.snapshot();
//! assert_eq!(snapshot.standings[0].score.games(), 2);
//! # Ok::<(), tengen_tournament::ConfigError>(())
//! ```
//!
//! [`Session`]: app::Session
//! [`Snapshot`]: app::Snapshot
//! [`Command`]: app::Command
#![forbid(unsafe_code)]

pub mod app;
mod error;
mod view;
mod widgets;
mod window;

pub use error::GuiError;
pub use view::{Intent, Look, Numbers, View};
pub use window::{Window, run};
