//! Engines as players: packages, child processes, native and WASM hosts.

pub mod package;

pub use package::{EngineSpec, Kind, Listing, Refusal, discover, resolve};
