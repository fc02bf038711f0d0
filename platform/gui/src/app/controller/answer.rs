//! The person's answer, by clicks and buttons.

use tengen_arbiter::Action;
use tengen_rules::Point;

use super::App;
use crate::app::controller::Command;
use crate::app::model::{BoardQuestion, ClickRefusal, ClickResult, PointSelection, Snapshot};
use crate::app::session::GameCommand;

impl App {
    /// Handles a command that belongs to the answer of the person who is asked.
    pub(super) fn apply_to_question(&mut self, snapshot: &Snapshot, command: Command) {
        let Some(asked) = snapshot.asks_person() else { return };
        let selected = &mut self.tabs[self.active].view.selected;
        if selected.question != asked.number {
            *selected = PointSelection { question: asked.number, ..PointSelection::default() };
        }
        match command {
            Command::Act(action) => self.say(asked.number, action),
            Command::Answer(answer) => self.say(asked.number, Action::Answer(answer)),
            Command::Click(point) => self.click(snapshot, point),
            Command::Confirm => self.confirm(snapshot),
            Command::OfferFifthMoves(offering) => {
                selected.offering = offering;
                selected.points.clear();
            }
            _ => {}
        }
    }

    fn say(&self, question: u64, action: Action) {
        self.send(GameCommand::Act { question, action });
    }

    fn refuse(&self, refusal: &ClickRefusal) {
        self.send(GameCommand::ShowRefusal(Some(self.tr().refusal(refusal))));
    }

    fn click(&mut self, snapshot: &Snapshot, point: Point) {
        let view = &mut self.tabs[self.active].view;
        if !view.follows_game(snapshot) {
            return;
        }
        let Some(question) = BoardQuestion::of(snapshot, &view.selected) else { return };
        let number = view.selected.question;
        match question.click(&view.selected.points, point) {
            ClickResult::Answer(answer) => self.say(number, Action::Answer(answer)),
            ClickResult::Selected(points) => {
                view.selected.points = points;
                if snapshot.refusal.is_some() {
                    self.send(GameCommand::ShowRefusal(None));
                }
            }
            ClickResult::Refused(refusal) => self.refuse(&refusal),
        }
    }

    /// Answers with the selected points when there are enough; otherwise clicks at the cursor.
    fn confirm(&mut self, snapshot: &Snapshot) {
        let view = &self.tabs[self.active].view;
        let Some(question) = BoardQuestion::of(snapshot, &view.selected) else { return };
        match question.selected(&view.selected.points) {
            Some(Ok(answer)) => self.say(view.selected.question, Action::Answer(answer)),
            Some(Err(refusal)) => self.refuse(&refusal),
            None => {
                if let Some(cursor) = view.cursor {
                    self.click(snapshot, cursor);
                }
            }
        }
    }
}
