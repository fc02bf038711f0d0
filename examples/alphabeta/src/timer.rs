use std::time::Duration;

use tengen_sdk::Thinking;

/// Decides how much of the time left a question may have.
pub(crate) struct Timer<'a> {
    thinking: &'a Thinking<'a>,
    /// What was left as the question came; none when it is untimed.
    start: Option<Duration>,
    /// Beyond this no new iteration begins; none when only the stop counts.
    soft: Option<Duration>,
    /// What must be left when the answer is given.
    reserve: Duration,
}

impl<'a> Timer<'a> {
    /// The timer of the running question.
    pub(crate) fn new(thinking: &'a Thinking<'a>) -> Timer<'a> {
        let start = thinking.left();
        let left = start.unwrap_or(Duration::MAX);
        let limits = thinking.limits();
        // A deadline missed by a hair loses, and the way back to the arbiter takes its time.
        let reserve = (left / 20 + Duration::from_millis(4)).min(left / 2);
        // Where nodes or plies are counted, the clock must not decide what is played.
        let counted = limits.nodes.is_some() || limits.depth.is_some() || limits.infinite;
        let soft = if counted { None } else { limits.soft.or_else(|| share(thinking)) };
        let reserve = match soft {
            // An iteration may run on after the soft limit, but not eat up the whole game's clock.
            Some(soft) => reserve.max(left.saturating_sub(soft * 3)),
            None => reserve,
        };
        Timer { thinking, start, soft, reserve }
    }

    /// Whether the answer is due.
    pub(crate) fn is_up(&self) -> bool {
        self.thinking.left().is_some_and(|left| left <= self.reserve)
    }

    /// What must be left at the end of one of several equal parts of the thinking, the first of
    /// `parts`; none when it is untimed.
    pub(crate) fn after_part(&self, parts: u32) -> Option<Duration> {
        let left = self.thinking.left()?;
        Some(left - left.saturating_sub(self.reserve) / parts)
    }

    /// Whether no more is left than that.
    pub(crate) fn is_down_to(&self, left: Option<Duration>) -> bool {
        left.is_some_and(|left| self.thinking.left().is_some_and(|now| now <= left))
    }

    /// Whether another iteration is worth beginning.
    pub(crate) fn goes_on(&self) -> bool {
        match (self.start, self.thinking.left(), self.soft) {
            (Some(start), Some(left), Some(soft)) => start.saturating_sub(left) < soft * 6 / 10,
            _ => !self.is_up(),
        }
    }
}

/// A fair share of the game's clock; none when there is only a limit for each move.
fn share(thinking: &Thinking<'_>) -> Option<Duration> {
    let own = thinking.limits().own?;
    let share = own / 24 + thinking.game().increment * 3 / 4;
    Some(share.min(own / 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_sdk::{GameInfo, Limits, Rule, Size};

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn an_untimed_question_is_never_up() {
        let thinking = Thinking::free();
        let timer = Timer::new(&thinking);
        assert!(!timer.is_up() && timer.goes_on());
    }

    #[test]
    fn one_move_gets_nearly_all_of_its_own_time() {
        for (left, up) in [(100, false), (10, false), (5, true)] {
            let start = std::sync::atomic::AtomicBool::new(true);
            let clock = || {
                let first = start.swap(false, std::sync::atomic::Ordering::Relaxed);
                Some(if first { ms(100) } else { ms(left) })
            };
            let thinking = Thinking::until(&clock);
            assert_eq!(Timer::new(&thinking).is_up(), up, "{left} ms left");
        }
    }

    #[test]
    fn parts_share_what_may_be_spent() {
        let clock = || Some(ms(100));
        let thinking = Thinking::until(&clock);
        let timer = Timer::new(&thinking);
        assert_eq!(timer.after_part(1), Some(timer.reserve));
        assert_eq!(timer.after_part(2), Some(ms(100) - (ms(100) - timer.reserve) / 2));
        assert!(timer.is_down_to(Some(ms(100))) && !timer.is_down_to(Some(ms(99))));
    }

    #[test]
    fn a_game_clock_is_shared_out_and_a_node_limit_ignores_it() {
        let game = GameInfo { increment: ms(1000), ..GameInfo::new(Rule::Renju, Size::STANDARD) };
        let clock = || Some(ms(60_000));
        let limits = Limits { own: Some(ms(60_000)), ..Limits::default() };
        let thinking = Thinking::until(&clock).in_game(&game).with_limits(limits);
        let timer = Timer::new(&thinking);
        assert_eq!(timer.soft, Some(ms(3250)));
        assert_eq!(timer.reserve, ms(60_000 - 3 * 3250));
        let counted = thinking.with_limits(Limits { nodes: Some(1), ..limits });
        assert_eq!(Timer::new(&counted).soft, None);
    }
}
