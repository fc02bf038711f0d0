//! Engines as players: packages, child processes, native and WASM hosts.
