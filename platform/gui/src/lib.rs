//! The desktop program: play, watch and look back.
//!
//! Three layers, each of which knows only the one before it:
//!
//! - [`app`] is all that is shown and all that happens, without a window. A [`App`] holds tables;
//!   on a table lies a [`Document`]: a game that is played ([`GameSession`]) or a match that is
//!   watched ([`MatchSession`]). Each plays on a thread of its own, never waits for a frame, and
//!   shows itself as an immutable [`Snapshot`]. [`App::apply`] is the reducer: the one way in which
//!   a [`Command`] changes anything.
//! - `widgets` and `screens` are functions of a snapshot and a view. They change nothing: they say
//!   which command was asked for.
//! - [`Window`] draws a frame, gathers the commands of widgets and keys, and applies them.
//!
//! What a person may do is a [`UserAction`], with an id, a menu and a label; keys belong to deeds,
//! and every text stands in one catalogue. Engines come from a [`EngineProvider`]. A new kind of
//! document is a variant of [`Document`], a new room a file of `screens`.
//!
//! ```
//! use std::sync::Arc;
//! use tengen_gui::app::*;
//! use tengen_players::{RandomLegal, RealTime};
//! use tengen_rules::BySeat;
//!
//! /// Has one engine, which throws dice.
//! struct Dice;
//!
//! impl EngineProvider for Dice {
//!     fn list(&self) -> EngineList {
//!         let engines = vec![ListedEngine { id: "dice".into(), name: "Dice".into() }];
//!         EngineList { engines, ..EngineList::default() }
//!     }
//!
//!     fn start_engine(&self, _id: &str, _terms: &GameVariant) -> Result<EngineInstance, String> {
//!         Ok(EngineInstance {
//!             name: "Dice".into(),
//!             version: None,
//!             hash: None,
//!             layers: Vec::new(),
//!             opening_by_arbiter: false,
//!             player: Box::new(RandomLegal::new()),
//!             interrupt: Arc::new(|| {}),
//!         })
//!     }
//! }
//!
//! let dice = || PlayerSpec::Engine("dice".into());
//! let seats = BySeat { first: dice(), second: dice() };
//! let setup = GameForm { seats, width: 9, height: 9, ..GameForm::default() };
//! let (provider, time) = (Arc::new(Dice), Arc::new(RealTime::new()));
//! let room = GameContext { provider, time, person: "Somebody".into() };
//! let play = GameSession::start(setup, None, None, room).unwrap();
//! play.wait_until(|snapshot| snapshot.phase == Phase::Finished);
//! assert!(play.snapshot().result.is_some());
//! ```
//!
//! [`App`]: app::House
//! [`App::apply`]: app::House::apply
//! [`Document`]: app::Document
//! [`GameSession`]: app::Play
//! [`MatchSession`]: app::Session
//! [`Snapshot`]: app::Snapshot
//! [`Command`]: app::Command
//! [`UserAction`]: app::Deed
//! [`EngineProvider`]: app::Shelf
#![forbid(unsafe_code)]

pub mod app;
mod dropped_files;
mod error;
mod fonts;
mod keys;
mod picture;
mod raster;
mod screens;
mod speaker;
mod theme;
mod widgets;
mod window;

pub use error::GuiError;
pub use keys::Keymap;
pub use picture::paint_window;
pub use raster::Raster;
pub use window::{Window, run};
