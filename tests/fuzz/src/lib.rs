//! What must hold for every parser and any bytes: one target for each file, which states an
//! equality and panics if it does not hold. `cargo xtask fuzz` makes up the bytes.
//!
//! ```
//! let point = tengen_fuzz::TARGETS.iter().find(|target| target.name == "point").unwrap();
//! (point.check)(b"h8");
//! (point.check)(b"no point at all");
//! ```
#![forbid(unsafe_code)]

mod abi;
#[path = "../../../engine-sdk/rules/tests/oracle/alike.rs"]
mod alike;
mod archive;
mod board;
mod bytes;
mod ccgc;
mod description;
mod errors;
mod event;
mod forbidden_line;
mod frames;
mod gomocup;
mod library;
mod lines;
mod manifest;
mod opening;
#[path = "../../../engine-sdk/rules/tests/oracle/mod.rs"]
mod oracle;
mod packed;
mod pick;
mod point;
mod position;
mod program;
mod psq;
mod record_line;
mod renlib;
mod replay_line;
mod rif;
mod sgf;
mod size;
mod suite;
mod table_message;
mod time_control;
#[allow(dead_code, reason = "a part of it is tried here")]
#[path = "../../../platform/hosts/src/protocol/wire.rs"]
mod wire;
mod word;

/// A property of any bytes.
#[derive(Clone, Copy, Debug)]
pub struct FuzzTarget {
    /// Its name, which is its file's and its seeds'.
    pub name: &'static str,
    /// Panics where the property does not hold.
    pub check: fn(&[u8]),
}

macro_rules! targets {
    ($($name:ident)*) => {
        /// All of them, by name.
        pub const TARGETS: &[FuzzTarget] =
            &[$(FuzzTarget { name: stringify!($name), check: $name::check }),*];
    };
}

targets! {
    abi archive board ccgc description event forbidden_line frames gomocup library lines manifest
    opening packed pick point position program psq record_line renlib replay_line rif sgf size suite
    table_message time_control word
}
