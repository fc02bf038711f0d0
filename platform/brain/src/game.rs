use tengen_gomocup::{Allowance, SearchTask};
use tengen_rules::{Ask, Rule, Seat, Size};

/// What a mind is told before a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    /// What wins.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// The seat the mind has at a swap2 table: the first lays the first three stones. None where
    /// nothing is settled by swap2.
    pub swap2: Option<Seat>,
    /// What INFO had told by then.
    pub allowance: Allowance,
}

impl Game {
    /// The game of a question, of which `before` is known if it goes on.
    pub(crate) fn of(task: &SearchTask, before: Option<&Game>) -> Game {
        let swap2 = match task.ask {
            Ask::Place { .. } | Ask::Choose => Some(Seat::First),
            Ask::ChooseOrPlace { .. } => Some(Seat::Second),
            _ => before.and_then(|before| before.swap2),
        };
        // What a game's time is cannot change while it runs; each question has its own limits.
        let allowance = match before {
            Some(before) => before.allowance.clone(),
            None => Allowance { left_ms: None, ..task.allowance.clone() },
        };
        Game { rule: task.rule, size: task.size, swap2, allowance }
    }

    /// A game of which no more is known than START tells.
    pub(crate) fn unasked(rule: Rule, size: Size, allowance: &Allowance) -> Game {
        let allowance = Allowance { left_ms: None, ..allowance.clone() };
        Game { rule, size, swap2: None, allowance }
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
        let asked = Game::of(&task(Ask::ChooseOrPlace { count: 2 }, &three, 1), None);
        assert_eq!(asked.swap2, Some(Seat::Second));
        let later = task(Ask::Move { zone: Zone::Anywhere }, &["h8", "h9"], 2);
        assert_eq!(Game::of(&later, Some(&asked)), asked);
        let other_rule = SearchTask { rule: Rule::Caro, ..later };
        assert_ne!(Game::of(&other_rule, Some(&asked)), asked);
        assert_eq!(Game::of(&other_rule, None).swap2, None);
    }

    #[test]
    fn the_time_left_is_no_part_of_a_game() {
        let game = Game::of(&task(Ask::Choose, &[], 7), None);
        assert_eq!((game.allowance.turn_ms, game.allowance.left_ms), (Some(7), None));
        let known = Allowance { left_ms: Some(9), ..Allowance::default() };
        assert_eq!(Game::unasked(Rule::Caro, game.size, &known).allowance, Allowance::default());
    }
}
