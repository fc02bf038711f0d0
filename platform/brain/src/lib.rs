//! Runs any engine as a brain of the
//! [Gomocup protocol](https://plastovicka.github.io/protocl2en.htm): the threads and the clock
//! around [`tengen_gomocup::Brain`], which is the protocol alone.
//!
//! A [`Thinker`] runs on its own thread, so that END, YXSTOP and the end of the input are read
//! while it thinks. A [`BrainServer`] passes the manager's commands to the thinker, and the
//! thinker's output and answers to the manager:
//!
//! ```
//! use tengen_brain::{BrainServer, NoStop, ServeEnd};
//! use tengen_brain::{ThinkResult, Thinker, ThinkerGame, ThinkerOutput};
//! use tengen_gomocup::{About, SearchTask};
//! use tengen_rules::{Answer, Move};
//!
//! struct First;
//!
//! impl Thinker for First {
//!     fn new_game(&mut self, _game: &ThinkerGame) -> Result<(), String> {
//!         Ok(())
//!     }
//!
//!     fn think(&mut self, task: &SearchTask, output: &ThinkerOutput) -> Result<ThinkResult,
//!     String> {
//!         output.debug("the first free point");
//!         let free = task.size.points().find(|point| !task.moves.contains(point));
//!         Ok(Answer::Move(Move::Stone(free.ok_or("the board is full")?)).into())
//!     }
//! }
//!
//! let manager = &b"INFO timeout_turn 1000\nSTART 15\nTURN 0,14\nEND\n"[..];
//! let mut written = Vec::new();
//! let end = BrainServer::new(About::default()).serve(|| First, &NoStop, manager, &mut written);
//! assert_eq!(end, ServeEnd::Ended);
//! # let _ = String::from_utf8(written);
//! ```
#![forbid(unsafe_code)]

mod clock;
mod event;
mod game;
mod reader;
mod server;
mod thinker;
mod thinker_thread;

pub use game::ThinkerGame;
pub use server::{BrainServer, ServeEnd, ServerHandle};
pub use thinker::{NoStop, StopHandle, ThinkResult, Thinker, ThinkerOutput};
