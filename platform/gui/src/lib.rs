//! The desktop program: play, watch and analyse games.
//!
//! Three layers, each of which knows only the ones before it:
//!
//! - [`app`] is the state and behaviour, without a window. An [`App`] holds tabs, and each tab a
//!   [`Document`], such as a game ([`GameSession`]) or an event ([`EventSession`]). A session runs
//!   on a thread of its own, never waits for a frame, and publishes immutable [`Snapshot`]s.
//!   [`App::apply`] is the only way in which a [`Command`] changes anything.
//! - `widgets` and `screens` are functions of a snapshot and a view. They change nothing: they
//!   return commands.
//! - [`Window`] draws a frame, collects the commands of widgets and keys, and applies them.
//!
//! What the user can do is a [`UserAction`]: one entry of a table, with its id, menu, label, key
//! and command. Every text is in one catalogue. Engines come from an [`EngineProvider`]. A new kind
//! of document is a variant of [`Document`] and a file of `screens`.
//!
//! ```
//! use std::sync::Arc;
//! use tengen_gui::app::*;
//! use tengen_lineup::EngineProvider;
//! use tengen_link::TableEngines;
//! use tengen_players::{EngineInstance, GameVariant, ListedEngine, RandomLegal, RealTime};
//! use tengen_rules::BySeat;
//!
//! /// Has one engine, which plays at random.
//! struct Dice;
//!
//! impl EngineProvider for Dice {}
//!
//! impl TableEngines for Dice {
//!     fn list(&self) -> Vec<ListedEngine> {
//!         vec![ListedEngine { id: "dice".into(), name: "Dice".into() }]
//!     }
//!
//!     fn start(&self, _: &str, _: &GameVariant) -> Result<EngineInstance, String> {
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
//! let persons = BySeat { first: "Anna".into(), second: "Bob".into() };
//! let context = GameContext { provider, time, persons };
//! let game = GameSession::start(setup, None, None, context).unwrap();
//! game.wait_until(|snapshot| snapshot.phase == Phase::Finished);
//! assert!(game.snapshot().result.is_some());
//! ```
//!
//! [`App`]: app::App
//! [`App::apply`]: app::App::apply
//! [`Document`]: app::Document
//! [`GameSession`]: app::GameSession
//! [`EventSession`]: app::EventSession
//! [`Snapshot`]: app::Snapshot
//! [`Command`]: app::Command
//! [`UserAction`]: app::UserAction
//! [`EngineProvider`]: tengen_lineup::EngineProvider
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
