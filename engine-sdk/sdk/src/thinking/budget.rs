//! How much of a question's time to use.

use std::time::Duration;

use crate::{GameInfo, Limits};

/// The least that is kept back: a busy machine may take so much from a thread that just ran.
const FLOOR: Duration = Duration::from_millis(5);
/// Of a longer question one part in so many is kept back, up to [`MOST`].
const SHARE: u32 = 40;
const MOST: Duration = Duration::from_millis(50);
/// How many times the longest delay of late is kept back: the next may be longer, and those of the
/// way and of the engine may come together.
const SAFETY: u32 = 2;
/// How many times its fair share an answer may take beyond that, to finish what it has begun, with
/// a full clock. The less there is on it the less, so that a clock lasts for any game.
const STRETCH: f64 = 2.0;
/// How many answers a game's clock is shared among.
const ANSWERS: u32 = 24;

/// What of a question's time is spent. All is told as the time left on the arbiter's clock, from
/// `start` downwards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TimeBudget {
    /// What was left as the question came.
    start: Duration,
    /// The further periods of byo-yomi in it, kept for what no engine can foresee.
    spare: Duration,
    /// The way to the host and back, at its longest of late.
    lag: Duration,
    /// What the rest of the game is to have; zero where no clock goes on running.
    kept: Duration,
    /// How long to think before no new iteration is worth beginning; none: until the end.
    soft: Option<Duration>,
}

impl TimeBudget {
    pub(super) fn new(start: Duration, limits: &Limits, game: &GameInfo) -> TimeBudget {
        // Where nodes or plies are counted, the clock must not decide what is played.
        let is_counted = limits.nodes.is_some() || limits.depth.is_some() || limits.infinite;
        let share = || limits.own.map(|own| fair_share(own, game));
        let soft = if is_counted { None } else { limits.soft.or_else(share) };
        let kept = soft.map_or(Duration::ZERO, |soft| {
            let full = limits.own.zip(game.main).map_or(1.0, |(own, main)| fullness(own, main));
            let most = soft.saturating_add(soft.mul_f64(STRETCH * full));
            let most = limits.own.map_or(most, |own| {
                // What an answer leaves of a period is gone.
                let period = own.min(game.period.unwrap_or_default());
                // Where an answer takes more than its increment, half of what is left is left
                // again: so a clock runs down to a cushion, not to nothing.
                most.max(period).min(period + (own - period) / 2)
            });
            start.saturating_sub(most)
        });
        let spare = game.period.and(limits.own).map_or(Duration::ZERO, |own| {
            // A limit on nodes or depth says how long to think, however many periods that takes.
            // What went by before the search is taken from this period, not from the further ones.
            let further = limits.hard.unwrap_or(start).saturating_sub(own).min(start);
            if is_counted { Duration::ZERO } else { further }
        });
        TimeBudget { start, spare, lag: limits.lag, kept, soft }
    }

    /// What must be left when the engine is told to answer, after such a delay of late.
    pub(super) fn due(&self, delay: Duration) -> Duration {
        let whole = self.start - self.spare;
        let share = (whole / SHARE).clamp(FLOOR, MOST);
        let learned = self.lag.max(delay).saturating_mul(SAFETY);
        // Whatever the delays, half of the time is the engine's.
        (self.spare + share.max(learned).min(whole / 2)).max(self.kept)
    }

    /// Whether another iteration is worth beginning with so much left.
    pub(super) fn goes_on(&self, left: Duration) -> bool {
        // An iteration takes longer than the one before it.
        self.soft.is_none_or(|soft| self.start.saturating_sub(left) < soft * 6 / 10)
    }

    /// The budget of the first of several equal parts of what is left.
    pub(super) fn part(&self, left: Duration, due: Duration, parts: u32) -> TimeBudget {
        let kept = left.saturating_sub(left.saturating_sub(due) / parts.max(1));
        TimeBudget { kept, soft: None, ..*self }
    }
}

/// An even share of a game's clock and most of what comes again: the increment, and the period.
fn fair_share(own: Duration, game: &GameInfo) -> Duration {
    let period = own.min(game.period.unwrap_or_default());
    let main = own - period;
    let answers = game.session.map_or(ANSWERS, |moves| moves.clamp(1, ANSWERS));
    let share = (main / answers).saturating_add(game.increment / 4 * 3).min(main / 2);
    share.saturating_add(period / 10 * 9)
}

/// How full a game's clock is, from 0 to 1.
fn fullness(own: Duration, main: Duration) -> f64 {
    if own < main { own.as_secs_f64() / main.as_secs_f64() } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use tengen_rules::{Rule, Size};

    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn game(increment: Duration) -> GameInfo {
        GameInfo { increment, ..GameInfo::new(Rule::Renju, Size::STANDARD) }
    }

    fn budget(start: u64, limits: Limits) -> TimeBudget {
        TimeBudget::new(ms(start), &limits, &game(ms(1000)))
    }

    #[test]
    fn one_move_gets_nearly_all_of_its_own_time() {
        let due = |start| budget(start, Limits::default()).due(Duration::ZERO);
        assert_eq!([due(4), due(50), due(1000), due(60_000)], [ms(2), ms(5), ms(25), ms(50)]);
    }

    #[test]
    fn delays_are_kept_back_twice_but_never_more_than_half() {
        let limits = Limits { lag: ms(7), ..Limits::default() };
        assert_eq!(budget(100, limits).due(Duration::ZERO), ms(14));
        assert_eq!(budget(100, limits).due(ms(9)), ms(18));
        assert_eq!(budget(100, limits).due(ms(400)), ms(50));
    }

    #[test]
    fn a_game_clock_is_shared_out_and_a_node_limit_ignores_it() {
        let limits = Limits { own: Some(ms(60_000)), ..Limits::default() };
        let shared = budget(60_000, limits);
        assert_eq!(shared.soft, Some(ms(3250)));
        assert_eq!(shared.due(Duration::ZERO), ms(60_000 - 3 * 3250));
        assert!(shared.goes_on(ms(60_000 - 1949)) && !shared.goes_on(ms(60_000 - 1950)));
        let advised = budget(60_000, Limits { soft: Some(ms(1000)), ..limits });
        assert_eq!(advised.due(Duration::ZERO), ms(57_000));
        let counted = budget(60_000, Limits { nodes: Some(1), ..limits });
        assert_eq!(counted.due(Duration::ZERO), ms(50));
        assert!(counted.goes_on(ms(1)));
    }

    #[test]
    fn an_answer_is_stretched_the_less_the_less_there_is_on_the_clock() {
        let game = GameInfo { main: Some(ms(24_000)), ..game(Duration::ZERO) };
        let spent = |own| {
            let limits = Limits { own: Some(ms(own)), ..Limits::default() };
            ms(own) - TimeBudget::new(ms(own), &limits, &game).due(Duration::ZERO)
        };
        assert_eq!([spent(24_000), spent(12_000)], [ms(3000), ms(1000)]);
    }

    #[test]
    fn a_clock_that_runs_down_keeps_half() {
        let limits = Limits { own: Some(ms(200)), ..Limits::default() };
        assert_eq!(budget(200, limits).due(Duration::ZERO), ms(100));
    }

    #[test]
    fn parts_share_what_may_be_spent() {
        let whole = budget(105, Limits::default());
        let due = whole.due(Duration::ZERO);
        assert_eq!(whole.part(ms(105), due, 4).due(Duration::ZERO), ms(80));
        assert_eq!(whole.part(ms(105), due, 1).due(Duration::ZERO), due);
        assert_eq!(whole.part(ms(3), due, 4).due(Duration::ZERO), due);
    }
}
