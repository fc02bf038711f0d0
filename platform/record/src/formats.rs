//! Game texts of other programs, and opening suites.
//!
//! A [`ScoreSheet`] is a game as it is written down on paper. It is read from [`sgf`], [`psq`],
//! [`ccgc`], [`renlib`] and [`Notation`], written to these and to [`pgn`], read from [`rif`] and
//! [`board`], and converted from and to a [`GameRecord`](crate::GameRecord), as far as both can
//! express it:
//!
//! ```
//! use tengen_record::formats::{ScoreSheet, psq, sgf};
//! use tengen_record::replay;
//! let text = "(;FF[4]GM[4]SZ[15]RU[freestyle]PB[Hoshi]PW[Keima]TM[60]RE[W+T]
//!     ;B[hh]SPENT[0.5];W[hg])";
//! let sheet = sgf::read(text).next().unwrap()?;
//! let record = sheet.to_record()?;
//! assert_eq!(replay(&record)?, record.result);
//! assert_eq!(ScoreSheet::from_record(&record)?.outcome, sheet.outcome);
//! assert!(psq::write(&sheet)?.starts_with("Piskvorky 15x15, 11:11, 0\n8,8,500\n8,7,0\nHoshi\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! No reader panics on any text. Memory is bounded by the text's length, and an error says where
//! the text is wrong and what was expected. [`charset`] makes texts of bytes. What is not read of
//! a file is an [`Unread`](crate::Unread) in place of the game that it costs, or behind it.

pub mod board;
pub mod book;
pub mod ccgc;
pub mod charset;
mod format;
mod format_loss;
mod from_record;
mod notation;
pub mod pgn;
pub mod psq;
mod remark;
pub mod renlib;
pub mod rif;
pub mod sample;
mod seconds;
pub mod sgf;
mod sheet;
pub mod suite;
mod to_record;
mod tree;
mod write_error;

pub use format::{Format, ParseFormatError};
pub use format_loss::FormatLoss;
pub use notation::Notation;
pub use sheet::{Property, ScoreSheet, SheetError, SheetOutcome};
pub use to_record::RecordError;
pub use tree::{Node, NodeId, Tree};
pub use write_error::{FormatError, WriteError};
