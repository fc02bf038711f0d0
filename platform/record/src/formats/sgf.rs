//! SGF, the Smart Game Format, as it is used for five in a row (FF\[4\], GM\[4\]).
//!
//! It reads the properties that a [`ScoreSheet`] has, set-up stones, variations and comments;
//! every other property is kept and written again. Beside those of FF\[4\] there are three of
//! our own: `SPENT` has the seconds that a move took, `END` the termination by its name in reports,
//! and where a seat was handed over, `BY` has who played a move: `BY[Anna]`, `BY[name:hash]`.
//! A comment that is nothing but `1234ms`, as c-gomoku-cli writes them, is that time too.
//!
//! ```
//! use tengen_record::formats::sgf;
//! let text = "(;FF[4]GM[4]SZ[15]RU[renju]PB[Hoshi]PW[Keima]RE[B+R]
//!     ;B[hh]C[天元](;W[hg];B[ig])(;W[ig]))";
//! let sheet = sgf::read(text).next().unwrap()?;
//! assert_eq!(sheet.players.black, "Hoshi");
//! assert_eq!(sheet.moves().count(), 3);
//! let again = sgf::write(&sheet);
//! assert_eq!(sgf::read(&again).next().unwrap()?, sheet);
//! # Ok::<(), tengen_record::Unread>(())
//! ```

mod node;
mod read;
mod root;
mod scan;
pub(super) mod value;
pub(super) mod words;
mod write;

pub use read::{SgfGames, read};
pub(super) use value::escape;
pub use write::write;

use super::ScoreSheet;
