//! The protocol of the SAU Game Platform, on which Chinese university contests are played.
//!
//! A line is a word and its parameters, separated by spaces. The platform writes, the engine
//! answers:
//!
//! | platform | engine | |
//! |---|---|---|
//! | `name?` | `name X` | the engine's name; its bytes may be GBK |
//! | `new black` | `move XY` | a new game, in which the engine plays first |
//! | `new white` | | a new game, in which it waits for the first stone |
//! | `move XY` | `move XY` | the opponent's stone |
//! | `error` | | the engine's last move was not allowed |
//! | `end` | | the game is over |
//! | `quit` | | the process is to end |
//!
//! `XY` are two capital letters, the column from the left and the row from the top, `A` the first:
//! `HH` is the centre of 15×15. The engine is told neither the size of the board nor the rule nor
//! any time: the event fixes them. Empty lines and other output of the engine in between are
//! ignored.
//!
//! **Set stones.** The protocol has no word for a position, and a stone of the engine's own colour
//! cannot be told to it one at a time. But it has a form for several stones in one parameter: in
//! connect6, played over the same lines, `move XXYY` are the two stones of a turn. An opening that
//! the arbiter has set is sent in that form: **a `move` of two stones or more is the position so
//! far, in playing order from the empty board, in place of all that was told before**. It follows
//! `new` with the colour the engine plays from then on. An engine that is to play Black answers
//! `new black` with a first move, as it must; that answer is passed over and the position sent when
//! it has come. An engine that does not know the form can play from an empty board, and as White
//! from one stone, without it. Answers of several stones, as in connect6, are illegal here; the
//! `@@` with which connect6 fills up a first move of one stone is passed over.

use alloc::boxed::Box;
use core::ops::RangeInclusive;

use crate::LineEnd;
use crate::dialogue::{DialogueKind, DialogueWords};

mod dialogue;
mod line;

pub use dialogue::SauDialogue;
pub use line::{SauCommand, SauReply};

/// The side lengths for which there are letters.
const SIDES: RangeInclusive<u8> = 5..=26;

/// The row of the list of protocols.
pub(crate) const KIND: DialogueKind = DialogueKind {
    name: "sau",
    open: |_, _| Box::new(SauDialogue::new(LineEnd::Lf)),
    untold_boards: Some(SIDES),
    is_move: |_| false,
    words: DialogueWords {
        first_move: "new black",
        next_move: "move",
        position: "new white, an opening set",
        position_again: "new white again",
        end: "quit",
    },
};
