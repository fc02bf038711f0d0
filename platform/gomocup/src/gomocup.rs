//! The Gomocup protocol: <https://plastovicka.github.io/protocl2en.htm>.

use alloc::boxed::Box;

use crate::dialogue::{DialogueKind, DialogueWords};

mod brain;
mod command;
mod dialogue;
mod info;
mod reply;
pub mod rule_mask;

pub use brain::{Allowance, Brain, Instruction, SearchTask, UnsupportedAnswer};
pub use command::{ManagerCommand, ParseCommandError, StoneField};
pub use dialogue::GomocupDialogue;
pub use info::{Info, UNLIMITED};
pub use reply::BrainReply;

/// The row of the list of protocols.
pub(crate) const KIND: DialogueKind = DialogueKind {
    name: "gomocup",
    open: |dialect, is_strict| Box::new(GomocupDialogue::with_dialect(dialect).strict(is_strict)),
    untold_boards: None,
    is_move: |line| {
        matches!(BrainReply::parse(line), BrainReply::Point(_) | BrainReply::Remarked(..))
    },
    words: DialogueWords {
        first_move: "BEGIN",
        next_move: "TURN",
        position: "BOARD",
        position_again: "BOARD again",
        end: "END",
    },
};
