use tengen_arbiter::Action;
use tengen_rules::Point;

use super::House;
use crate::app::{Clicked, Command, Gathered, PlayCommand, Question, Refusal, Snapshot};

impl House {
    /// What is done towards the answer of the person who is asked.
    pub(super) fn apply_to_question(&mut self, snapshot: &Snapshot, command: Command) {
        let Some(asked) = snapshot.asks_person() else { return };
        let gathered = &mut self.tables[self.front].view.gathered;
        if gathered.question != asked.number {
            *gathered = Gathered { question: asked.number, ..Gathered::default() };
        }
        match command {
            Command::Act(action) => self.say(asked.number, action),
            Command::Answer(answer) => self.say(asked.number, Action::Answer(answer)),
            Command::Click(point) => self.click(snapshot, point),
            Command::Confirm => self.confirm(snapshot),
            Command::Offering(offering) => {
                gathered.offering = offering;
                gathered.points.clear();
            }
            _ => {}
        }
    }

    fn say(&self, question: u64, action: Action) {
        self.send(PlayCommand::Say { question, action });
    }

    fn refuse(&self, refusal: &Refusal) {
        self.send(PlayCommand::Refuse(Some(self.words().refusal(refusal))));
    }

    fn click(&mut self, snapshot: &Snapshot, point: Point) {
        let view = &mut self.tables[self.front].view;
        if !view.is_live(snapshot) {
            return;
        }
        let Some(question) = Question::of(snapshot, &view.gathered) else { return };
        let number = view.gathered.question;
        match question.click(&view.gathered.points, point) {
            Clicked::Answer(answer) => self.say(number, Action::Answer(answer)),
            Clicked::Gathered(points) => {
                view.gathered.points = points;
                if snapshot.refusal.is_some() {
                    self.send(PlayCommand::Refuse(None));
                }
            }
            Clicked::Refused(refusal) => self.refuse(&refusal),
        }
    }

    /// The points gathered are the answer when they are enough; otherwise the cursor clicks.
    fn confirm(&mut self, snapshot: &Snapshot) {
        let view = &self.tables[self.front].view;
        let Some(question) = Question::of(snapshot, &view.gathered) else { return };
        match question.gathered(&view.gathered.points) {
            Some(Ok(answer)) => self.say(view.gathered.question, Action::Answer(answer)),
            Some(Err(refusal)) => self.refuse(&refusal),
            None => {
                if let Some(cursor) = view.cursor {
                    self.click(snapshot, cursor);
                }
            }
        }
    }
}
