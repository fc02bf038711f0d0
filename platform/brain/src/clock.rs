//! The time that a thinker may use for a question.

use std::time::{Duration, Instant};

use tengen_arbiter::{Limits, Nanos};
use tengen_gomocup::SearchTask;

/// The time for a move where the manager sets no limit: a person who types START and BEGIN waits
/// for a move, but not for ever.
const UNLIMITED_TURN: Nanos = 30_000_000_000;
/// The reserve is at most one part in this many of the available time, so that a short move keeps
/// most of it.
const SMALLEST_SHARE: Nanos = 10;

/// Computes the time that a thinker may use: the manager's limit, less the time since the command
/// was read, less the reserve for sending the answer.
#[derive(Clone, Debug)]
pub(crate) struct ThinkerClock {
    reserve: Nanos,
    /// The time used in this game.
    used: Nanos,
    /// When the running question's line was read.
    asked_at: Option<Instant>,
}

impl ThinkerClock {
    pub(crate) fn new(reserve: Duration) -> ThinkerClock {
        ThinkerClock { reserve: nanos(reserve), used: 0, asked_at: None }
    }

    pub(crate) fn new_game(&mut self) {
        self.used = 0;
    }

    /// Starts a question and returns its limits; its last line was read at `read_at`.
    pub(crate) fn ask(&mut self, task: &SearchTask, read_at: Instant, now: Instant) -> Limits {
        self.asked_at = Some(read_at);
        let limits = task.limits;
        // A manager that never sends the time left still counts the time of the game.
        let counted = if task.allowance.left_ms.is_none() { self.used } else { 0 };
        let own = limits.own.map(|own| own.saturating_sub(counted));
        let is_bounded = limits.nodes.is_some() || limits.depth.is_some();
        let hard = match (limits.hard, own) {
            (Some(hard), Some(own)) => Some(hard.min(own)),
            (None, None) if !is_bounded => Some(UNLIMITED_TURN),
            (hard, own) => hard.or(own),
        };
        let gone = nanos(now.saturating_duration_since(read_at));
        let keep = |span: Nanos| {
            let span = span.saturating_sub(gone);
            span - self.reserve.min(span / SMALLEST_SHARE)
        };
        Limits { own: own.map(keep), hard: hard.map(keep), ..limits }
    }

    /// The question has been answered.
    pub(crate) fn answered(&mut self, now: Instant) {
        if let Some(asked_at) = self.asked_at.take() {
            self.used += nanos(now.saturating_duration_since(asked_at));
        }
    }
}

fn nanos(span: Duration) -> Nanos {
    Nanos::try_from(span.as_nanos()).unwrap_or(Nanos::MAX)
}

#[cfg(test)]
mod tests {
    use tengen_gomocup::Allowance;
    use tengen_rules::{Ask, Rule, Size, Zone};

    use super::*;

    const MILLI: Nanos = 1_000_000;

    fn task(allowance: Allowance) -> SearchTask {
        SearchTask {
            rule: Rule::Freestyle,
            size: Size::STANDARD,
            moves: Vec::new(),
            barred: Vec::new(),
            ask: Ask::Move { zone: Zone::Anywhere },
            limits: allowance.limits(),
            allowance,
        }
    }

    fn clock() -> ThinkerClock {
        ThinkerClock::new(Duration::from_millis(50))
    }

    #[test]
    fn the_reserve_is_small_beside_what_there_is() {
        let now = Instant::now();
        let hard = |turn_ms| {
            let task = task(Allowance { turn_ms: Some(turn_ms), ..Allowance::default() });
            clock().ask(&task, now, now).hard.unwrap()
        };
        assert_eq!(hard(5000), 4950 * MILLI);
        assert_eq!(hard(100), 90 * MILLI);
        assert_eq!(hard(0), MILLI / 10 * 9, "as fast as possible");
    }

    #[test]
    fn what_passed_before_the_question_is_gone() {
        let (read_at, left_ms) = (Instant::now(), Some(1000));
        let task = task(Allowance { left_ms, ..Allowance::default() });
        let late = read_at + Duration::from_millis(200);
        let limits = clock().ask(&task, read_at, late);
        assert_eq!((limits.own, limits.hard), (Some(750 * MILLI), Some(750 * MILLI)));
        let too_late = read_at + Duration::from_secs(9);
        assert_eq!(clock().ask(&task, read_at, too_late).hard, Some(0));
    }

    #[test]
    fn a_game_is_counted_where_the_manager_does_not_tell_what_is_left() {
        let (mut clock, start) = (clock(), Instant::now());
        let silent = task(Allowance { match_ms: Some(10_000), ..Allowance::default() });
        assert_eq!(clock.ask(&silent, start, start).own, Some(9950 * MILLI));
        clock.answered(start + Duration::from_secs(4));
        clock.answered(start + Duration::from_secs(9));
        let second = clock.ask(&silent, start, start);
        assert_eq!((second.own, second.hard), (Some(5950 * MILLI), Some(5950 * MILLI)));
        let told = Allowance { left_ms: Some(8000), ..silent.allowance.clone() };
        assert_eq!(clock.ask(&task(told), start, start).own, Some(7950 * MILLI));
        clock.new_game();
        assert_eq!(clock.ask(&silent, start, start).own, Some(9950 * MILLI));
    }

    #[test]
    fn nothing_is_thought_about_for_ever() {
        let now = Instant::now();
        let mut clock = clock();
        assert_eq!(clock.ask(&task(Allowance::default()), now, now).hard, Some(29_950 * MILLI));
        let nodes = Allowance { nodes: Some(10), ..Allowance::default() };
        assert_eq!(clock.ask(&task(nodes), now, now).hard, None);
    }
}
