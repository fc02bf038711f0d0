//! Engines as players: packages, child processes, native and WASM hosts.
//!
//! An engine is found by [`discover`] or [`resolve`], asked what it is by [`probe`], and played by
//! [`player`]. It runs in a child process. That is the program itself, started with the hidden
//! subcommand [`HOST_COMMAND`], which runs [`host_main`]:
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
//! Whatever an engine does, it loses at most its own game: misbehaviour of a player is a
//! [`Fault`](tengen_players::Fault), and the same player can play the next game.

mod check;
#[cfg(windows)]
mod console;
mod debug_start;
mod digest;
mod engine_log;
mod error;
mod exports;
mod failure;
mod host;
mod log_tap;
mod platform;
mod player;
mod probe;
mod process;
mod protocol;
mod sandbox;
mod settings;
mod shared_instance;
mod symbols;
mod translate;
mod watchdog;

pub use check::{CheckEvent, CheckScope, CheckStep, CheckVerdict, check, check_aloud};
#[cfg(windows)]
pub use console::{is_own_console, on_console_close};
pub use debug_start::DebugStart;
pub use error::HostError;
pub use exports::{Export, ExportSet};
pub use host::host_main;
pub use log_tap::LogTap;

pub use platform::HOST_COMMAND;
pub use player::{OpeningFallback, linked_player, player};
pub use probe::{
    GameVariant, MachineWalls, ObservedSupport, Probe, engine_hash, probe, probe_all, probe_for,
    side_by_side,
};
pub use process::{BuildError, build};
pub use protocol::{Dialects, MoveNow};
pub use sandbox::{SANDBOX_LAYERS, SandboxGap};
pub use settings::{HostSettings, TEXT_MARGIN, WasmIsolation};
pub use tengen_packages as package;
pub use tengen_packages::{
    EngineDescription, EngineKind, EngineNeeds, EngineOption, EngineSpec, Listing, OptionKind,
    Refusal, RestartPolicy, RuleSupport, discover, resolve,
};
pub use watchdog::Interrupt;
