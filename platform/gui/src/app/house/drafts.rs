use tengen_rules::{Color, Size};

use super::House;
use crate::app::{Document, Draft, DraftCommand, DraftProblem, Text, Words, words};

impl House {
    /// Does what was asked of a position that is set up.
    pub(super) fn apply_to_draft(&mut self, command: DraftCommand) {
        if command == DraftCommand::Open {
            self.open_draft();
            return;
        }
        if let Some(table) = self.tables.get_mut(self.front)
            && let Document::Draft(draft) = &mut table.document
        {
            draft.apply(command);
        }
    }

    /// Puts the position shown on a table of its own, to be changed; else an empty board.
    fn open_draft(&mut self) {
        let begun = self.setup_here().unwrap_or_else(|| self.last_form.clone().with_book(vec![]));
        let size = Size::new(begun.width, begun.height).unwrap_or(Size::STANDARD);
        self.put(Document::Draft(Draft::new(begun.rule, size, &begun.book)));
    }
}

impl Words {
    /// Why no game can stand so.
    pub fn draft_problem(self, problem: DraftProblem) -> String {
        match problem {
            DraftProblem::Turn(color, black, white) => {
                let text = match color {
                    Color::Black => Text::DraftTurnBlack,
                    Color::White => Text::DraftTurnWhite,
                };
                self.fill(text, &[&black.to_string(), &white.to_string()])
            }
            DraftProblem::Over(point) => self.fill(Text::DraftOver, &[&words::point(point)]),
            DraftProblem::Forbidden(point, foul) => {
                self.fill(Text::DraftForbidden, &[&words::point(point), self.foul(foul)])
            }
            DraftProblem::Unsure(point, Some(foul)) => {
                self.fill(Text::DraftUnsure, &[&words::point(point), self.foul(foul)])
            }
            DraftProblem::Unsure(point, None) => {
                self.fill(Text::DraftUnsureRow, &[&words::point(point)])
            }
            DraftProblem::Full => self.text(Text::DraftFull).to_owned(),
        }
    }
}
