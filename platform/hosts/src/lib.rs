//! Engines as players: packages, child processes, native and WASM hosts.
//!
//! An engine is found by [`discover`] or [`resolve`], asked what it is by [`probe`], and seated by
//! [`player`]. It runs in a child process, which is the program itself started with the hidden
//! subcommand [`HOST_COMMAND`], whose body is [`host_main`]:
//!
//! ```no_run
//! use std::path::Path;
//! use tengen_hosts::{HostSettings, player, probe, resolve};
//!
//! let settings = HostSettings::this_program()?;
//! let spec = resolve("builtin:alphabeta", Path::new("engines"))?;
//! println!("{:?}", probe(&spec, &settings)?.description.name);
//! let hoshi = player(&spec, &settings);
//! # drop(hoshi);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Whatever an engine does, it costs that engine a game and nothing else: a player's misbehaviour
//! is a [`Fault`](tengen_players::Fault), and the player is good for the next game.

mod brain;
mod builtin;
mod cache;
mod check;
mod child;
mod denials;
mod engine_log;
mod error;
mod exports;
mod failure;
mod guest;
mod guest_session;
mod host_services;
mod log_tap;
mod move_now;
mod native;
mod placement;
mod platform;
mod player;
mod probe;
mod process;
mod sandbox;
mod scratch;
mod settings;
mod translate;
mod wasm;
mod watchdog;
mod wire;

pub use brain::{Dialects, ObservedSupport};
pub use check::{CheckScope, CheckStep, check, check_aloud};
pub use child::{HOST_COMMAND, host_main};
pub use error::HostError;
pub use exports::{Export, ExportSet};
pub use log_tap::LogTap;
pub use move_now::MoveNow;
pub use player::{OpeningFallback, player};
pub use probe::{GameVariant, Probe, probe, probe_for};
pub use sandbox::SandboxGap;
pub use settings::{HostSettings, WasmIsolation};
pub use tengen_packages as package;
pub use tengen_packages::{
    EngineDescription, EngineKind, EngineOption, EngineSpec, Listing, OptionKind, Refusal,
    RuleSupport, discover, resolve,
};
pub use watchdog::Interrupt;
