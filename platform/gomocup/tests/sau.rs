//! The SAU platform's protocol, each side alone and both together.

use proptest::prelude::*;
use tengen_gomocup::sau::{SauBrain, SauDialogue};
use tengen_gomocup::{
    AskResult, BrainFault, Instruction, LineBuffer, LineEnd, LogKind, NewGameResult, OFF_BOARD,
    Response,
};
use tengen_rules::{Answer, Ask, Move, Point, Position, Rule, Size, Zone};

const MOVE: Ask = Ask::Move { zone: Zone::Anywhere };

fn moves(text: &str) -> Vec<Move> {
    let mv = |word: &str| match word {
        "pass" => Move::Pass,
        point => Move::Stone(point.parse().unwrap()),
    };
    text.split_whitespace().map(mv).collect()
}

fn stone(text: &str) -> Answer {
    Answer::Move(Move::Stone(text.parse().unwrap()))
}

fn lines(engine: &mut SauDialogue) -> Vec<String> {
    let text = String::from_utf8(engine.output().to_vec()).unwrap();
    engine.written(text.len());
    text.lines().map(str::to_owned).collect()
}

fn in_game() -> SauDialogue {
    let mut engine = SauDialogue::new(LineEnd::Lf);
    assert_eq!(engine.new_game(Size::STANDARD), NewGameResult::Sent);
    engine
}

#[test]
fn ordinary_games_need_ordinary_words() {
    let mut engine = in_game();
    engine.ask_name();
    engine.ask(&[], MOVE);
    assert_eq!(lines(&mut engine), ["name?", "new black"]);
    let Response::About(about) = engine.receive(b"name Hoshi") else { panic!() };
    assert_eq!(about.name.as_deref(), Some("Hoshi"));
    assert_eq!(engine.receive(b"move HH"), Response::Answer(stone("h8")));
    engine.ask(&moves("h8 i9"), MOVE);
    assert_eq!(lines(&mut engine), ["move IG"]);
    assert_eq!(engine.receive(b"move AA"), Response::Answer(stone("a15")));
    assert_eq!(engine.new_game(Size::STANDARD), NewGameResult::Sent);
    engine.ask(&moves("h8"), MOVE);
    assert_eq!(lines(&mut engine), ["end", "new white", "move HH"]);
    engine.receive(b"move AA");
    engine.end_game();
    engine.quit();
    assert_eq!(lines(&mut engine), ["end", "quit"]);
    assert_eq!(engine.new_game(Size::STANDARD), NewGameResult::StartAgain);
}

#[test]
fn set_stones_are_one_move_of_several() {
    let mut engine = in_game();
    engine.ask(&moves("h8 h9 j10"), MOVE);
    assert_eq!(lines(&mut engine), ["new white", "move HHHGJF"]);
    assert_eq!(engine.receive(b"move GG"), Response::Answer(stone("g9")));
    engine.ask(&moves("h8 h9 j10 g9 a1"), MOVE);
    assert_eq!(lines(&mut engine), ["move AO"]);
}

#[test]
fn as_black_the_answer_to_new_is_passed_over() {
    let mut engine = in_game();
    engine.ask(&moves("h8 h9 j10 a1"), MOVE);
    // Nothing is sent while it thinks.
    assert_eq!(lines(&mut engine), ["new black"]);
    let heard = engine.receive(b"move HH");
    assert!(matches!(heard, Response::Log { kind: LogKind::Other, .. }), "{heard:?}");
    assert_eq!(lines(&mut engine), ["move HHHGJFAO"]);
    assert_eq!(engine.receive(b"move GG"), Response::Answer(stone("g9")));
}

#[test]
fn a_refused_move_is_an_error_and_the_position_told_again() {
    let mut engine = in_game();
    engine.ask(&moves("h8"), MOVE);
    assert_eq!(engine.receive(b"move PP"), Response::Answer(Answer::Move(Move::Stone(OFF_BOARD))));
    lines(&mut engine);
    engine.refuse();
    engine.ask(&moves("h8"), MOVE);
    assert_eq!(lines(&mut engine), ["error", "end", "new white", "move HH"]);
}

#[test]
fn two_stones_as_in_connect6_are_the_arbiters_to_refuse() {
    let mut engine = in_game();
    engine.ask(&moves("h8"), MOVE);
    let two = ["a15", "b15"].map(|point| point.parse().unwrap()).to_vec();
    assert_eq!(engine.receive(b"move AABA"), Response::Answer(Answer::Place(two)));
    engine.ask(&moves("h8"), MOVE);
    assert_eq!(engine.receive(b"move AA@@"), Response::Answer(stone("a15")));
}

#[test]
fn only_moves_can_be_asked_and_passes_not_told() {
    let mut engine = in_game();
    assert_eq!(engine.ask(&moves("h8 h9 j10"), Ask::Swap), AskResult::Unsupported);
    assert_eq!(engine.ask(&moves("h8 pass"), MOVE), AskResult::Unsupported);
    assert_eq!(engine.ask(&[], Ask::Move { zone: Zone::Within(0) }), AskResult::Unsupported);
    assert!(SauDialogue::can_play_on(Size::new(26, 26).unwrap()));
    assert!(!SauDialogue::can_play_on(Size::new(15, 27).unwrap()));
}

#[test]
fn thoughts_are_passed_over_and_broken_moves_are_not() {
    let mut engine = in_game();
    engine.ask(&moves("h8"), MOVE);
    for line in [&b""[..], b"  ", b"thinking...", b"Quit!", b"\xb2\xbb"] {
        let heard = engine.receive(line);
        assert!(matches!(heard, Response::Log { kind: LogKind::Other, .. }), "{heard:?}");
    }
    let fault = BrainFault::Junk("move H8".to_owned());
    assert_eq!(engine.receive(b"move H8"), Response::Fault(fault));
    let mut engine = in_game();
    let fault = BrainFault::Unasked("move HH".to_owned());
    assert_eq!(engine.receive(b"move HH"), Response::Fault(fault));
}

#[test]
fn a_late_answer_is_not_taken_for_the_next_one() {
    let mut engine = in_game();
    engine.ask(&moves("h8"), MOVE);
    lines(&mut engine);
    engine.give_up();
    assert_eq!(engine.ask(&moves("h8 a1 b1"), MOVE), AskResult::Held);
    assert_eq!(lines(&mut engine), [""; 0]);
    assert_eq!(engine.receive(b"move IG"), Response::Late);
    assert_eq!(lines(&mut engine), ["end", "new white", "move HHAOBO"]);
    assert_eq!(engine.receive(b"move AA"), Response::Answer(stone("a15")));
    engine.ask(&moves("h8 a1 b1 a15 c1"), MOVE);
    engine.give_up();
    assert_eq!(engine.new_game(Size::STANDARD), NewGameResult::StartAgain);
    engine.started_again();
    assert_eq!(engine.new_game(Size::STANDARD), NewGameResult::Sent);
}

/// An engine with its platform.
struct SauPair {
    platform: SauDialogue,
    brain: SauBrain,
    lines: LineBuffer,
}

impl SauPair {
    fn new(rule: Rule, size: Size) -> SauPair {
        SauPair {
            platform: SauDialogue::new(LineEnd::CrLf),
            brain: SauBrain::new("Dice".to_owned(), rule, size),
            lines: LineBuffer::new(5000),
        }
    }

    /// Asks; the brain answers each question of its own, the last by this point.
    fn ask(&mut self, position: &Position, point: Point) -> Answer {
        assert_eq!(self.platform.ask(position.moves(), MOVE), AskResult::Sent);
        loop {
            self.lines.push(self.platform.output());
            self.platform.written(self.platform.output().len());
            while let Some(line) = self.lines.pop() {
                self.brain.receive(line);
            }
            match self.brain.poll().expect("it has something to do") {
                Instruction::NewGame { .. } => self.brain.ready(),
                Instruction::Think(task) => {
                    assert_eq!((task.rule, task.size), (position.rule(), position.size()));
                    let shown: Vec<Move> = task.moves.into_iter().map(Move::Stone).collect();
                    let is_shown = shown == position.moves();
                    assert!(is_shown || shown.is_empty(), "{shown:?}");
                    self.brain.answer(if is_shown { point } else { position.size().center() });
                }
                other => panic!("{other:?}"),
            }
            self.lines.push(self.brain.output());
            self.brain.written(self.brain.output().len());
            while let Some(line) = self.lines.pop() {
                match self.platform.receive(line) {
                    Response::Log { .. } => {}
                    Response::Answer(answer) => return answer,
                    other => panic!("{other:?}"),
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn positions_in_any_order(
        rule in prop::sample::select(Rule::ALL.to_vec()),
        sides in (5..=26_u8, 5..=26_u8),
        steps in prop::collection::vec((0..7_u8, any::<prop::sample::Index>()), 1..40),
    ) {
        let size = Size::new(sides.0, sides.1).unwrap();
        let mut pair = SauPair::new(rule, size);
        pair.platform.new_game(size);
        let mut position = Position::new(rule, size);
        let points: Vec<Point> = size.points().collect();
        for (step, index) in steps {
            let free = |position: &Position| {
                let is_free = |point: &&Point| position.check(**point).is_ok();
                points.iter().cycle().skip(index.index(points.len())).find(is_free).copied()
            };
            match step {
                0 | 1 => {
                    let point = free(&position).unwrap();
                    position.play(point).unwrap();
                }
                2 => drop(position.undo()),
                3 => {
                    pair.platform.new_game(size);
                    position = Position::new(rule, size);
                }
                4 => pair.platform.refuse(),
                _ => {}
            }
            if position.ply() + 2 > size.area() {
                break;
            }
            let point = free(&position).unwrap();
            prop_assert_eq!(pair.ask(&position, point), Answer::Move(Move::Stone(point)));
            if step != 5 {
                position.play(point).unwrap();
            }
        }
    }
}

#[test]
fn the_brain_ends_when_told_and_drops_what_nobody_waits_for() {
    let mut brain = SauBrain::new("Hoshi".to_owned(), Rule::Renju, Size::STANDARD);
    for line in ["junk", "error", "move HH", "new white", "name?", "move HH"] {
        brain.receive(line.as_bytes());
    }
    assert!(matches!(brain.poll(), Some(Instruction::NewGame { .. })));
    brain.ready();
    assert!(matches!(brain.poll(), Some(Instruction::Think(_))));
    brain.receive(b"end");
    brain.receive(b"new black");
    assert_eq!(brain.poll(), Some(Instruction::Stop));
    assert_eq!(brain.poll(), None);
    brain.answer("i9".parse().unwrap());
    assert_eq!(brain.output(), b"name Hoshi\n", "the game is over");
    assert!(matches!(brain.poll(), Some(Instruction::NewGame { .. })));
    brain.ready();
    let Some(Instruction::Think(task)) = brain.poll() else { panic!() };
    assert_eq!(task.moves, []);
    brain.receive(b"quit");
    assert_eq!(brain.poll(), Some(Instruction::End));
    assert_eq!(brain.poll(), None);
}
