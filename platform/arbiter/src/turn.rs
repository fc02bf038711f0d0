use tengen_rules::{Ask, Seat};

use crate::{Correction, Nanos, SearchScore};

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
    used: Nanos,
    /// What the host measured of its time so far.
    pub correction: Correction,
    /// When the player last said something other than an answer.
    pub aside: Option<Nanos>,
    /// Whether the player has said something that was refused without a penalty.
    pub declined: bool,
    /// Whether the player has offered a draw along with this answer.
    pub offered: bool,
    /// Whether the player is told that its last word was refused.
    pub retry: bool,
    /// Whether it may be answered for the player, whose own answer was illegal.
    pub is_replaceable: bool,
    pub score: Option<SearchScore>,
}

/// What a seat is charged for an action.
#[derive(Clone, Copy, Default)]
pub(crate) struct Charge {
    pub spent: Nanos,
    /// The part of that which the host measured besides the moments of the question.
    pub correction: Correction,
}

impl Turn {
    pub fn new(seat: Seat, ask: Ask, retry: bool) -> Turn {
        Turn {
            seat,
            ask,
            told: false,
            started: None,
            used: 0,
            correction: Correction::default(),
            aside: None,
            declined: false,
            offered: false,
            retry,
            is_replaceable: false,
            score: None,
        }
    }

    /// What the question took until `at`.
    fn span(&self, at: Nanos) -> Nanos {
        let running = self.started.map_or(0, |started| at.saturating_sub(started));
        self.used.saturating_add(running)
    }

    /// What is charged for the question at `at`.
    pub fn charge(&self, at: Nanos) -> Charge {
        let correction = self.correction;
        Charge { spent: correction.charge(self.span(at)), correction }
    }

    /// What was charged for it before it was last put.
    pub fn used(&self) -> Nanos {
        self.correction.charge(self.used)
    }

    /// The first moment at which more is charged than `most`, once the question was put.
    pub fn beyond(&self, most: Nanos) -> Option<Nanos> {
        let Correction { given_back, unasked } = self.correction;
        let rest = match most.checked_sub(unasked) {
            Some(own) => own.saturating_add(given_back).saturating_sub(self.used).saturating_add(1),
            None => 0,
        };
        Some(self.started?.saturating_add(rest))
    }

    /// Something was said that is no answer: the question is to be put again. The time from `at`
    /// until it has been put is charged to neither seat, unless the answer comes without that.
    pub fn set_aside(&mut self, at: Nanos) {
        self.aside = Some(at);
        self.told = false;
    }

    /// The order to put the question is given.
    pub fn tell(&mut self) {
        if let Some(at) = self.aside.take() {
            self.used = self.span(at);
            self.started = None;
        }
        self.told = true;
    }
}
