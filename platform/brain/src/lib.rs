//! Any engine as a Gomocup brain: the threads and the clock around
//! [`tengen_gomocup::Brain`], which is the protocol without either.
//!
//! A [`Mind`] thinks on a thread of its own, so that END, YXSTOP and the end of the input are
//! heard meanwhile. A [`Desk`] passes on what the manager says, what the mind answers, and what it
//! says while it thinks:
//!
//! ```
//! use tengen_brain::{Desk, Farewell, Game, Mind, NoReins, Thought, Voice};
//! use tengen_gomocup::{About, SearchTask};
//! use tengen_rules::{Answer, Move};
//!
//! struct First;
//!
//! impl Mind for First {
//!     fn new_game(&mut self, _game: &Game) -> Result<(), String> {
//!         Ok(())
//!     }
//!
//!     fn think(&mut self, task: &SearchTask, voice: &Voice) -> Result<Thought, String> {
//!         voice.debug("the first free point");
//!         let free = task.size.points().find(|point| !task.moves.contains(point));
//!         Ok(Answer::Move(Move::Stone(free.ok_or("the board is full")?)).into())
//!     }
//! }
//!
//! let manager = &b"INFO timeout_turn 1000\nSTART 15\nTURN 0,14\nEND\n"[..];
//! let mut written = Vec::new();
//! let farewell = Desk::new(About::default()).serve(|| First, &NoReins, manager, &mut written);
//! assert_eq!(farewell, Farewell::Ended);
//! # let _ = String::from_utf8(written);
//! ```
#![forbid(unsafe_code)]

mod clock;
mod desk;
mod event;
mod game;
mod mind;
mod reader;
mod thinker;

pub use desk::{Desk, Door, Farewell};
pub use game::Game;
pub use mind::{Mind, NoReins, Reins, Thought, Voice};
