use tengen_arbiter::{MarginPolicy, Nanos, TimeControl};

/// A clock: the times of the answers, and what they have left. What is left is the game's time and
/// then whole periods of byo-yomi, as a list from which the used ones are struck.
#[derive(Clone, Debug)]
pub(super) struct RefereeClock {
    control: TimeControl,
    margin: i128,
    is_shared: bool,
    pub left: Option<i128>,
    periods: Vec<i128>,
    answers: u64,
    overrun: i128,
}

impl RefereeClock {
    pub fn new(control: TimeControl, margin: Nanos, policy: MarginPolicy) -> RefereeClock {
        let left = control.main.map(i128::from);
        let is_shared = policy == MarginPolicy::Game;
        let byo_yomi = control.byo_yomi.filter(|_| left.is_some());
        let periods = byo_yomi
            .map(|byo_yomi| vec![i128::from(byo_yomi.span); byo_yomi.periods as usize])
            .unwrap_or_default();
        RefereeClock {
            control,
            margin: margin.into(),
            is_shared,
            left,
            periods,
            answers: 0,
            overrun: 0,
        }
    }

    /// The game's time and every period.
    pub fn all(&self) -> Option<i128> {
        self.left.map(|left| left + self.periods.iter().sum::<i128>())
    }

    /// What an answer that has taken so long may still take before one more period is struck: up to
    /// the first of the moments at which one is over.
    pub fn own(&self, used: i128) -> Option<i128> {
        let mut over = self.left?;
        for period in &self.periods {
            over += period;
            // The first period comes along with the game's time.
            if used <= over {
                break;
            }
        }
        Some((over - used).max(0))
    }

    /// What an answer may take, the margin not counted.
    pub fn hard(&self) -> Option<i128> {
        let cap = self.control.per_move.map(i128::from);
        self.all().into_iter().chain(cap).min()
    }

    /// What an answer may take with all of the margin that is left on the game's clock.
    pub fn longest_of_game(&self) -> Option<i128> {
        self.all().map(|all| all + (self.margin - self.overrun).max(0))
    }

    /// The longest that an answer may take: all overruns of the game's time share one margin,
    /// unless each has its own, and the cap on one answer has its own each time.
    pub fn longest(&self) -> Option<i128> {
        let of_move = self.control.per_move.map(|cap| i128::from(cap) + self.margin);
        self.longest_of_game().into_iter().chain(of_move).min()
    }

    pub fn is_late(&self, spent: i128) -> bool {
        self.longest().is_some_and(|longest| spent > longest)
    }

    pub fn charge(&mut self, spent: i128) {
        let (Some(left), Some(all)) = (self.left, self.all()) else { return };
        self.overrun += if self.is_shared { (spent - all).max(0) } else { 0 };
        self.left = Some((left - spent).max(0));
        let mut beyond = spent - left;
        while let Some(period) = self.periods.last().copied().filter(|period| beyond > *period) {
            beyond -= period;
            self.periods.pop();
        }
    }

    /// An answer is given: it earns the increment, and the last one of a session the game's time.
    pub fn add_increment(&mut self) {
        self.answers += 1;
        let ends = |moves: u32| self.answers.is_multiple_of(moves.into());
        let again = self.control.main.filter(|_| self.control.session.is_some_and(ends));
        let earned = i128::from(self.control.increment) + i128::from(again.unwrap_or(0));
        self.left = self.left.map(|left| left + earned);
    }
}
