//! The position editor in a tab.

use tengen_rules::{Color, Size};

use super::App;
use crate::app::controller::Document;
use crate::app::model::{
    EditorCommand, EditorProblem, PositionEditor, Text, Translator, translator,
};

impl App {
    /// Runs a command of the position editor.
    pub(super) fn apply_to_editor(&mut self, command: EditorCommand) {
        if command == EditorCommand::Open {
            self.open_editor();
            return;
        }
        if let Some(tab) = self.tabs.get_mut(self.active)
            && let Document::Editor(editor) = &mut tab.document
        {
            editor.apply(command);
        }
    }

    /// Opens the position shown in the editor, or an empty board.
    fn open_editor(&mut self) {
        let begun = self.setup_here().unwrap_or_else(|| self.last_form.clone().with_book(vec![]));
        let size = Size::new(begun.width, begun.height).unwrap_or(Size::STANDARD);
        self.open_tab(Document::Editor(PositionEditor::new(begun.rule, size, &begun.book)));
    }
}

impl Translator {
    /// Why a position is not reachable.
    pub fn editor_problem(self, problem: EditorProblem) -> String {
        match problem {
            EditorProblem::Turn(color, black, white) => {
                let text = match color {
                    Color::Black => Text::EditorTurnBlack,
                    Color::White => Text::EditorTurnWhite,
                };
                self.fill(text, &[&black.to_string(), &white.to_string()])
            }
            EditorProblem::Over(point) => self.fill(Text::EditorOver, &[&translator::point(point)]),
            EditorProblem::Forbidden(point, foul) => {
                self.fill(Text::EditorForbidden, &[&translator::point(point), self.foul(foul)])
            }
            EditorProblem::Unsure(point, Some(foul)) => {
                self.fill(Text::EditorUnsure, &[&translator::point(point), self.foul(foul)])
            }
            EditorProblem::Unsure(point, None) => {
                self.fill(Text::EditorUnsureRow, &[&translator::point(point)])
            }
            EditorProblem::Full => self.text(Text::EditorFull).to_owned(),
        }
    }
}
