use tengen_rules::{Ask, Seat};

use crate::{Nanos, SearchScore};

/// The one open question.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    pub seat: Seat,
    pub ask: Ask,
    /// Whether the order to put it was given.
    pub told: bool,
    /// When it was put to the player.
    pub started: Option<Nanos>,
    /// What it took before a draw offer or a refused claim made the arbiter ask again.
    pub used: Nanos,
    /// When the player last said something that is no answer yet.
    pub aside: Option<Nanos>,
    /// Whether the player has said something that was refused without a penalty.
    pub declined: bool,
    /// Whether the player has offered a draw along with this answer.
    pub offered: bool,
    /// Whether the player is told that its last word was refused.
    pub retry: bool,
    pub score: Option<SearchScore>,
}

impl Turn {
    pub fn new(seat: Seat, ask: Ask, retry: bool) -> Turn {
        Turn {
            seat,
            ask,
            told: false,
            started: None,
            used: 0,
            aside: None,
            declined: false,
            offered: false,
            retry,
            score: None,
        }
    }

    /// What the question took until `at`.
    pub fn spent(&self, at: Nanos) -> Nanos {
        let running = self.started.map_or(0, |started| at.saturating_sub(started));
        self.used.saturating_add(running)
    }

    /// Something was said that is no answer: the question is to be put again. The time from `at`
    /// until it has been put is nobody's, unless the answer comes without that.
    pub fn set_aside(&mut self, at: Nanos) {
        self.aside = Some(at);
        self.told = false;
    }

    /// The order to put the question is given.
    pub fn tell(&mut self) {
        if let Some(at) = self.aside.take() {
            self.used = self.spent(at);
            self.started = None;
        }
        self.told = true;
    }
}
