//! Write a five-in-a-row engine for Tengen.
//!
//! An engine is a type with one method; a macro exports it as a shared library or as WebAssembly:
//!
//! ```
//! use tengen_sdk::{Choice, Engine, Position, Thinking, export_engine};
//!
//! #[derive(Default)]
//! struct Lazy;
//!
//! impl Engine for Lazy {
//!     fn choose(&mut self, position: &Position, _: &Thinking<'_>) -> Choice {
//!         let empty = |point| position.check(point).is_ok() && position.foul_at(point).is_none();
//!         position.size().points().find(|&point| empty(point)).expect("an empty point").into()
//!     }
//! }
//!
//! export_engine!(Lazy);
//!
//! // No host is needed to try it.
//! let position = Position::new(tengen_sdk::Rule::Renju, tengen_sdk::Size::STANDARD);
//! assert_eq!(Lazy.choose(&position, &Thinking::free()).mv.to_string(), "a1");
//! ```
//!
//! It plays every rule and every opening procedure: the questions of openings have defaults, which
//! an engine overrides where it knows better. A search asks [`Thinking::is_up`] about every
//! thousand nodes, and answers when it is true. That reserves time for the answer's way to the
//! arbiter, and for the later moves of the game. Before each iteration it asks
//! [`Thinking::goes_on`]:
//!
//! ```
//! use std::time::Duration;
//! use tengen_sdk::Thinking;
//!
//! let left = || Some(Duration::ZERO);
//! assert!(Thinking::until(&left).is_up());
//! assert!(!Thinking::free().is_up());
//! ```
//!
//! [`Thinking::until_deadline`] is the arbiter's own clock; an engine that answers only then is
//! late.
//!
//! The crate type is `cdylib`. For WebAssembly the same source is built for the target
//! `wasm32-unknown-unknown`; a panic is a trap there, and its message is logged first.

#![warn(missing_docs)]

// The derive's output uses this name, in this crate too.
extern crate self as tengen_sdk;

pub mod analysis;
mod ask;
mod choice;
mod decide;
mod description;
mod engine;
pub mod eval;
mod exports;
mod game;
mod host;
mod judge;
mod limits;
mod macros;
pub mod opening;
mod options;
mod package;
mod parts;
pub mod random;
pub mod search;
mod session;
mod thinking;
mod wire;

pub use ask::{Outcome, Placement, Swap2, Taraguchi};
pub use choice::{Choice, Score, SearchInfo};
pub use description::{Description, OptionError, OptionSpec};
pub use engine::Engine;
pub use exports::exports;
pub use game::GameInfo;
pub use limits::Limits;
pub use options::Options;
pub use package::{FetchError, Package};
pub use parts::{Parts, SearchEngine};
pub use thinking::Thinking;

pub use tengen_abi::{Exports, end};
pub use tengen_derive::Options;
pub use tengen_rules::{
    Alike, Board, Color, Foul, Move, Point, Position, Procedure, Rule, Size, Zone,
};
pub use {tengen_abi as abi, tengen_rules as rules};

/// What the macros expand to.
#[doc(hidden)]
pub mod __private {
    pub use crate::description::Cargo;
    pub use crate::exports::{Packaged, buffer, packaged};
    pub use crate::options::read_int;
    pub use tengen_abi as abi;
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
