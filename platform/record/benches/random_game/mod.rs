//! Random games under the rules of renju, as lines of `tengen rules replay`.

use std::fmt::Write;

use tengen_arbiter::{Action, Game, GameConfig, Input, Policies, legal_answer};
use tengen_random::Random;
use tengen_rules::{
    Answer, Ask, BySeat, Color, Move, OpeningSettings, Point, Position, Rule, Seat, Size,
};

pub struct RandomGame<'a> {
    /// The opening procedure's name.
    pub opening: &'a str,
    /// How many stones it has, the opening's included.
    pub plies: usize,
    pub seed: u64,
}

impl RandomGame<'_> {
    /// The game as a line, without a line end. No stone in it ends the game.
    pub fn line(&self) -> String {
        let mut answers = RandomAnswers(Random::new(self.seed));
        let mut line =
            format!(r#"{{"rule":"renju","opening":"{}","size":15,"actions":["#, self.opening);
        let mut game = Game::new(GameConfig {
            rule: Rule::Renju,
            size: Size::STANDARD,
            opening: OpeningSettings::new(self.opening.parse().expect("an opening procedure")),
            time: BySeat::default(),
            margin: BySeat::default(),
            policies: Policies::default(),
        })
        .expect("an opening on 15 by 15");
        while let Some((seat, ask)) = game.asked() {
            if game.position().ply() >= self.plies {
                break;
            }
            let answer = answers.answer(&game, ask);
            write_action(&mut line, seat, &answer);
            game.handle(0, seat, Input::Act(Action::Answer(answer)));
        }
        assert_eq!(game.result(), None, "seed {}", self.seed);
        line.truncate(line.trim_end_matches(',').len());
        line + "]}"
    }
}

struct RandomAnswers(Random);

impl RandomAnswers {
    fn answer(&mut self, game: &Game, ask: Ask) -> Answer {
        let position = game.position();
        let color = [Color::Black, Color::White][self.0.below(2)];
        match ask {
            Ask::Move { zone: tengen_rules::Zone::Anywhere } => {
                Answer::Move(Move::Stone(self.quiet_point(position)))
            }
            Ask::Choose => Answer::Choose(color),
            Ask::ChooseOrPlace { .. } if self.0.below(2) == 0 => Answer::Choose(color),
            Ask::Swap => Answer::Swap(color == Color::Black),
            Ask::Declare { min, max } => {
                Answer::Declare(min + self.0.below(usize::from(max - min) + 1) as u8)
            }
            ask => {
                let mut points: Vec<Point> = position.size().points().collect();
                self.0.shuffle(&mut points);
                let answer = legal_answer(position, ask, game.offered(), &points);
                answer.expect("an opening question has an answer")
            }
        }
    }

    /// An empty point that ends nothing, near the centre so that games look like games.
    fn quiet_point(&mut self, position: &Position) -> Point {
        let color = position.to_move();
        loop {
            let mut side = || (2 + self.0.below(6) + self.0.below(6)) as u8;
            let point = Point::new(side(), side());
            if position.check(point).is_ok()
                && position.foul_at(point).is_none()
                && !position.board().wins(position.rule(), point, color)
            {
                return point;
            }
        }
    }
}

fn write_action(line: &mut String, seat: Seat, answer: &Answer) {
    let list = |points: &[Point]| {
        let texts: Vec<String> = points.iter().map(|point| format!("\"{point}\"")).collect();
        format!("[{}]", texts.join(","))
    };
    let said = match answer {
        Answer::Place(points) => format!("\"place\":{}", list(points)),
        Answer::Declare(number) => format!("\"declare\":{number}"),
        Answer::Swap(swap) => format!("\"swap\":{swap}"),
        Answer::Choose(color) => format!("\"choose\":\"{color}\""),
        Answer::Offer(points) => format!("\"offer\":{}", list(points)),
        Answer::Pick(point) => format!("\"pick\":\"{point}\""),
        Answer::Move(Move::Stone(point)) => format!("\"move\":\"{point}\""),
        Answer::Move(Move::Pass) => "\"pass\":true".to_string(),
    };
    write!(line, "{{\"seat\":\"{seat}\",{said}}},").expect("a string takes all");
}
