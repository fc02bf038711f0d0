use alloc::vec::Vec;

use tengen_rules::{Answer, BySeat, Move, OpeningSettings, Point, Procedure, Rule, Seat, Size};

use crate::{
    Action, Game, GameConfig, GameResult, Handled, Input, Limits, Nanos, Order, Policies,
    Termination, TimeControl,
};

/// A game with simulated time; its orders are carried out.
pub struct TestGame {
    pub game: Game,
    pub now: Nanos,
}

pub const SECOND: Nanos = 1_000_000_000;

pub fn config(rule: Rule) -> GameConfig {
    GameConfig {
        rule,
        size: Size::STANDARD,
        opening: OpeningSettings::new(Procedure::None),
        time: BySeat::default(),
        margin: BySeat::default(),
        policies: Policies::default(),
    }
}

/// Freestyle, both seats on one time control with one margin.
pub fn timed(time: &str, margin: Nanos) -> GameConfig {
    let time: TimeControl = time.parse().unwrap();
    let both = |value| BySeat { first: value, second: value };
    GameConfig {
        time: BySeat { first: time, second: time },
        margin: both(margin),
        ..config(Rule::Freestyle)
    }
}

pub fn points(text: &str) -> Vec<Point> {
    text.split_whitespace().map(|point| point.parse().unwrap()).collect()
}

pub fn stone(text: &str) -> Action {
    Action::Answer(Answer::Move(Move::Stone(text.parse().unwrap())))
}

pub const PASS: Action = Action::Answer(Answer::Move(Move::Pass));

pub fn won(winner: Seat, termination: Termination) -> Option<GameResult> {
    Some(GameResult { winner: Some(winner), termination })
}

pub fn drawn(termination: Termination) -> Option<GameResult> {
    Some(GameResult { winner: None, termination })
}

impl TestGame {
    pub fn new(config: GameConfig) -> TestGame {
        TestGame { game: Game::new(config).unwrap(), now: 1_000 }
    }

    /// Without a clock, under these policies.
    pub fn under(rule: Rule, policies: Policies) -> TestGame {
        TestGame::new(GameConfig { policies, ..config(rule) })
    }

    /// Polls the question that must be there, and reports it written.
    pub fn ask(&mut self) -> (Seat, Limits) {
        let Some(Order::Ask { seat, limits, .. }) = self.game.poll_order() else {
            panic!("no question");
        };
        assert_eq!(self.game.poll_order(), None);
        assert_eq!(self.game.handle(self.now, seat, Input::Asked), Handled::Accepted);
        (seat, limits)
    }

    /// Puts the question and answers it after some time.
    pub fn act_after(&mut self, spent: Nanos, action: Action) -> Handled {
        let (seat, _) = self.ask();
        self.now += spent;
        self.game.handle(self.now, seat, Input::Act(action))
    }

    pub fn act(&mut self, action: Action) -> Handled {
        self.act_after(0, action)
    }

    /// Answers with these stones, each at once.
    pub fn play(&mut self, stones: &str) {
        for text in stones.split_whitespace() {
            assert_eq!(self.act(stone(text)), Handled::Accepted, "{text}");
        }
    }

    /// An action of a seat, asked or not.
    pub fn say(&mut self, seat: Seat, action: Action) -> Handled {
        self.game.handle(self.now, seat, Input::Act(action))
    }

    /// The result, after the end has been told once and nothing more.
    pub fn end(&mut self) -> Option<GameResult> {
        let Some(Order::End(result)) = self.game.poll_order() else {
            return None;
        };
        assert_eq!(self.game.poll_order(), None);
        assert_eq!(self.game.asked(), None);
        assert_eq!(self.game.next_timeout(), None);
        assert_eq!(self.game.result(), Some(result));
        Some(result)
    }
}
