use tengen_arbiter::{Action, legal_answer};
use tengen_random::Random;
use tengen_rules::{Answer, Ask, Color, Move, Position, Rule, Size, Zone};

use crate::{Fault, GameSetup, Player, Reply, Request, Time};

/// Plays at random and within the rules, opening decisions included; a forbidden point only when
/// nothing else is left. The seed of the game alone decides what it plays. It answers at once,
/// never resigns, offers or claims.
#[derive(Clone, Debug)]
pub struct RandomLegal {
    rule: Rule,
    size: Size,
    random: Random,
}

impl RandomLegal {
    /// A player that takes its seed from each game.
    pub fn new() -> RandomLegal {
        RandomLegal { rule: Rule::Freestyle, size: Size::STANDARD, random: Random::default() }
    }

    fn answer(&mut self, request: &Request<'_>) -> Answer {
        let Some(position) = self.position(request.moves) else {
            return Answer::Move(Move::Pass);
        };
        let mut points: Vec<_> = self.size.points().collect();
        self.random.shuffle(&mut points);
        let ask = match request.ask {
            Ask::Choose => return self.color(),
            Ask::ChooseOrPlace { .. } if self.random.coin() => return self.color(),
            Ask::ChooseOrPlace { count } => {
                Ask::Place { count, zone: Zone::Anywhere, canonical: false }
            }
            Ask::Swap => return Answer::Swap(self.random.coin()),
            Ask::Declare { min, max } => {
                let numbers = usize::from(max.saturating_sub(min)) + 1;
                return Answer::Declare(min + self.random.below(numbers) as u8);
            }
            Ask::MoveOrOffer { count, .. } if self.random.coin() => Ask::Offer { count },
            ask => ask,
        };
        // A question that has no legal answer is met with a pass, which is legal where passing is.
        legal_answer(&position, ask, request.offered, &points).unwrap_or(Answer::Move(Move::Pass))
    }

    fn color(&mut self) -> Answer {
        Answer::Choose(if self.random.coin() { Color::Black } else { Color::White })
    }

    fn position(&self, moves: &[Move]) -> Option<Position> {
        let mut position = Position::new(self.rule, self.size);
        for mv in moves {
            match mv {
                Move::Stone(point) => drop(position.play(*point).ok()?),
                Move::Pass => drop(position.pass()),
            }
        }
        Some(position)
    }
}

impl Default for RandomLegal {
    fn default() -> RandomLegal {
        RandomLegal::new()
    }
}

impl Player for RandomLegal {
    fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault> {
        *self = RandomLegal { rule: game.rule, size: game.size, random: Random::new(game.seed) };
        Ok(())
    }

    fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
        let asked_at = time.now();
        let outcome = Ok(Some(Action::Answer(self.answer(request))));
        Reply::new(asked_at, time.now(), outcome)
    }
}
