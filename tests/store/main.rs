//! The store under fire: the program is killed, its disk fails, its files are damaged. Every game
//! that it reported is there, once, and it goes on to the same end.
#![cfg(target_os = "linux")]

#[path = "../common/mod.rs"]
mod common;
mod damaged;
mod disk;
mod failing;
mod killed;
mod small_event;
