//! The Tengen engine ABI: the structs of `tengen.h` with the same layout, their bytes, and the
//! names an engine exports.
//!
//! The same bytes serve a native call, WebAssembly memory and a pipe:
//!
//! ```
//! use tengen_abi::{Limits, MoveCode, Reply, Wire};
//!
//! let limits = Limits { hard_us: 5_000_000, ..Limits::default() };
//! let bytes = limits.to_bytes();
//! assert_eq!(bytes.len(), 64);
//! assert_eq!(Limits::from_bytes(&bytes), Ok(limits));
//!
//! let reply = Reply { mv: MoveCode::xy(7, 7), ..Reply::default() };
//! assert_eq!(reply.mv.stone(), Some((7, 7)));
//! ```
//!
//! A shorter struct comes from an older writer, and the missing fields read as zero:
//!
//! ```
//! use tengen_abi::{CodecError, Limits, Wire};
//!
//! let old = [8, 0, 0, 0, 1, 0, 0, 0];
//! assert_eq!(Limits::from_bytes(&old).map(|limits| (limits.flags, limits.nodes)), Ok((1, 0)));
//! assert_eq!(Limits::from_bytes(&old[..6]), Err(CodecError::Truncated { size: 8, have: 6 }));
//! ```
#![warn(missing_docs)]
#![no_std]

mod codec;
mod exports;
mod host;
mod move_code;
pub mod names;
mod structs;
mod values;

pub use codec::{CodecError, Wire, read, write};
pub use exports::{Engine, Exports};
pub use host::Host;
pub use move_code::MoveCode;
pub use structs::{Game, Info, Limits, Question, Reply, Score, Verdict};
pub use values::{
    ask, end, game, have, limit, opening, outcome, question, reply, rule, send, status,
};

/// The minor version this crate describes; the major is in the name of `tengen_abi_v1`.
pub const MINOR: u32 = 1;
