use tengen_gomocup::{Allowance, SearchTask};
use tengen_rules::{Ask, Rule, Seat, Size};

/// What a thinker is told before a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThinkerGame {
    pub rule: Rule,
    pub size: Size,
    /// The thinker's seat in a swap2 opening: the first seat places the first three stones. None
    /// without swap2.
    pub swap2: Option<Seat>,
    /// The time and the other limits that INFO commands have set.
    pub allowance: Allowance,
}

impl ThinkerGame {
    /// The game that a question belongs to; `before` is the game so far, if there is one.
    pub(crate) fn of(task: &SearchTask, before: Option<&ThinkerGame>) -> ThinkerGame {
        let swap2 = match task.ask {
            Ask::Place { .. } | Ask::Choose => Some(Seat::First),
            Ask::ChooseOrPlace { .. } => Some(Seat::Second),
            _ => before.and_then(|before| before.swap2),
        };
        // The time of a game does not change during the game; each question has its own limits.
        let allowance = match before {
            Some(before) => before.allowance.clone(),
            None => Allowance { left_ms: None, ..task.allowance.clone() },
        };
        ThinkerGame { rule: task.rule, size: task.size, swap2, allowance }
    }

    /// A game of which only START is known.
    pub(crate) fn unasked(rule: Rule, size: Size, allowance: &Allowance) -> ThinkerGame {
        let allowance = Allowance { left_ms: None, ..allowance.clone() };
        ThinkerGame { rule, size, swap2: None, allowance }
    }
}

#[cfg(test)]
mod tests {
    use tengen_arbiter::Limits;
    use tengen_rules::Zone;

    use super::*;

    fn task(ask: Ask, moves: &[&str], turn_ms: u64) -> SearchTask {
        SearchTask {
            rule: Rule::Renju,
            size: Size::STANDARD,
            moves: moves.iter().map(|point| point.parse().unwrap()).collect(),
            barred: Vec::new(),
            ask,
            limits: Limits::default(),
            allowance: Allowance {
                turn_ms: Some(turn_ms),
                left_ms: Some(5),
                ..Allowance::default()
            },
        }
    }

    #[test]
    fn a_game_that_goes_on_stays_the_same() {
        let three = ["h8", "h9", "h10"];
        let asked = ThinkerGame::of(&task(Ask::ChooseOrPlace { count: 2 }, &three, 1), None);
        assert_eq!(asked.swap2, Some(Seat::Second));
        let later = task(Ask::Move { zone: Zone::Anywhere }, &["h8", "h9"], 2);
        assert_eq!(ThinkerGame::of(&later, Some(&asked)), asked);
        let other_rule = SearchTask { rule: Rule::Caro, ..later };
        assert_ne!(ThinkerGame::of(&other_rule, Some(&asked)), asked);
        assert_eq!(ThinkerGame::of(&other_rule, None).swap2, None);
    }

    #[test]
    fn the_time_left_is_no_part_of_a_game() {
        let game = ThinkerGame::of(&task(Ask::Choose, &[], 7), None);
        assert_eq!((game.allowance.turn_ms, game.allowance.left_ms), (Some(7), None));
        let known = Allowance { left_ms: Some(9), ..Allowance::default() };
        assert_eq!(
            ThinkerGame::unasked(Rule::Caro, game.size, &known).allowance,
            Allowance::default()
        );
    }
}
