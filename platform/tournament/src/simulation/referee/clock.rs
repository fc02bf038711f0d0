use tengen_arbiter::{MarginPolicy, Nanos, TimeControl};

/// A clock: what is left of the game, and how far it was overrun within the margin.
#[derive(Clone, Copy, Debug)]
pub(super) struct RefereeClock {
    control: TimeControl,
    margin: i128,
    is_shared: bool,
    pub left: Option<i128>,
    overrun: i128,
}

impl RefereeClock {
    pub fn new(control: TimeControl, margin: Nanos, policy: MarginPolicy) -> RefereeClock {
        let left = control.main.map(i128::from);
        let is_shared = policy == MarginPolicy::Game;
        RefereeClock { control, margin: margin.into(), is_shared, left, overrun: 0 }
    }

    /// What an answer may take, the margin not counted.
    pub fn hard(&self) -> Option<i128> {
        let cap = self.control.per_move.map(i128::from);
        self.left.into_iter().chain(cap).min()
    }

    /// The longest that an answer may take: all overruns of the game's time share one margin,
    /// unless each has its own, and the cap on one answer has its own each time.
    pub fn longest(&self) -> Option<i128> {
        let of_game = self.left.map(|left| left + (self.margin - self.overrun).max(0));
        let of_move = self.control.per_move.map(|cap| i128::from(cap) + self.margin);
        of_game.into_iter().chain(of_move).min()
    }

    pub fn is_late(&self, spent: i128) -> bool {
        self.longest().is_some_and(|longest| spent > longest)
    }

    pub fn charge(&mut self, spent: i128) {
        if let Some(left) = &mut self.left {
            self.overrun += if self.is_shared { (spent - *left).max(0) } else { 0 };
            *left = (*left - spent).max(0);
        }
    }

    pub fn add_increment(&mut self) {
        self.left = self.left.map(|left| left + i128::from(self.control.increment));
    }
}
