use tengen_rules::Size;

use super::House;
use crate::app::{Document, Draft, DraftCommand};

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
