use std::collections::VecDeque;

use tengen_arbiter::Action;

use crate::{Fault, GameSetup, Player, Reply, Request, Time};

/// Plays actions from a list, whatever it is asked, and resigns when the list is used up. A draw
/// offer goes out together with the answer that follows it. A new game begins the list anew.
#[derive(Clone, Debug)]
pub struct Scripted {
    script: Vec<Action>,
    left: VecDeque<Action>,
}

impl Scripted {
    /// A player of these actions, in this order.
    pub fn new(script: impl IntoIterator<Item = Action>) -> Scripted {
        let script: Vec<Action> = script.into_iter().collect();
        Scripted { left: script.iter().cloned().collect(), script }
    }
}

impl Player for Scripted {
    fn new_game(&mut self, _game: &GameSetup) -> Result<(), Fault> {
        self.left = self.script.iter().cloned().collect();
        Ok(())
    }

    fn ask(&mut self, _request: &Request<'_>, time: &dyn Time) -> Reply {
        let asked_at = time.now();
        let offers_draw = self.left.front() == Some(&Action::OfferDraw);
        if offers_draw {
            self.left.pop_front();
        }
        let action = self.left.pop_front().unwrap_or(Action::Resign);
        let outcome = Ok(Some(action));
        Reply {
            asked_at,
            answered_at: time.now(),
            offers_draw,
            outcome,
            info: None,
            pv: Vec::new(),
        }
    }
}
