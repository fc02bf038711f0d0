//! The SAU platform's protocol: the platform's side alone, and with an engine.

use proptest::prelude::*;
use tengen_arbiter::Limits;
use tengen_gomocup::sau::{SauCommand, SauDialogue};
use tengen_gomocup::{
    AskResult, BrainFault, Coords, DialogueQuestion, GameTerms, LineBuffer, LineEnd, LogKind,
    NewGameResult, OFF_BOARD, Response, TextDialogue,
};
use tengen_rules::{Answer, Ask, Color, Move, Point, Position, Rule, Size, Zone};

mod common;

use common::{MOVE, lines, moves, stone};

fn terms(size: Size) -> GameTerms {
    GameTerms::new(Rule::Freestyle, size)
}

fn ask(engine: &mut SauDialogue, moves: &[Move], ask: Ask) -> AskResult {
    engine.ask(&DialogueQuestion { moves, ask, limits: Limits::default() })
}

fn in_game() -> SauDialogue {
    let mut engine = SauDialogue::new(LineEnd::Lf);
    assert_eq!(engine.new_game(&terms(Size::STANDARD)), NewGameResult::Sent);
    engine
}

#[test]
fn ordinary_games_need_ordinary_words() {
    let mut engine = in_game();
    engine.ask_about();
    ask(&mut engine, &[], MOVE);
    assert_eq!(lines(&mut engine), ["name?", "new black"]);
    let Response::About(about) = engine.receive(b"name Hoshi") else { panic!() };
    assert_eq!(about.name.as_deref(), Some("Hoshi"));
    assert_eq!(engine.receive(b"move HH"), Response::Answer(stone("h8")));
    ask(&mut engine, &moves("h8 i9"), MOVE);
    assert_eq!(lines(&mut engine), ["move IG"]);
    assert_eq!(engine.receive(b"move AA"), Response::Answer(stone("a15")));
    assert_eq!(engine.new_game(&terms(Size::STANDARD)), NewGameResult::Sent);
    ask(&mut engine, &moves("h8"), MOVE);
    assert_eq!(lines(&mut engine), ["end", "new white", "move HH"]);
    engine.receive(b"move AA");
    engine.end();
    assert_eq!(lines(&mut engine), ["quit"]);
    assert_eq!(engine.new_game(&terms(Size::STANDARD)), NewGameResult::StartAgain);
}

#[test]
fn set_stones_are_one_move_of_several() {
    let mut engine = in_game();
    ask(&mut engine, &moves("h8 h9 j10"), MOVE);
    assert_eq!(lines(&mut engine), ["new white", "move HHHGJF"]);
    assert_eq!(engine.receive(b"move GG"), Response::Answer(stone("g9")));
    ask(&mut engine, &moves("h8 h9 j10 g9 a1"), MOVE);
    assert_eq!(lines(&mut engine), ["move AO"]);
}

#[test]
fn as_black_the_answer_to_new_is_passed_over() {
    let mut engine = in_game();
    ask(&mut engine, &moves("h8 h9 j10 a1"), MOVE);
    // Nothing is sent while it thinks.
    assert_eq!(lines(&mut engine), ["new black"]);
    let heard = engine.receive(b"move HH");
    assert!(matches!(heard, Response::Log { kind: LogKind::Other, .. }), "{heard:?}");
    assert_eq!(lines(&mut engine), ["move HHHGJFAO"]);
    assert_eq!(engine.receive(b"move GG"), Response::Answer(stone("g9")));
}

#[test]
fn after_a_move_off_the_board_the_position_is_told_again() {
    let mut engine = in_game();
    ask(&mut engine, &moves("h8"), MOVE);
    assert_eq!(engine.receive(b"move PP"), Response::Answer(Answer::Move(Move::Stone(OFF_BOARD))));
    lines(&mut engine);
    ask(&mut engine, &moves("h8"), MOVE);
    assert_eq!(lines(&mut engine), ["end", "new white", "move HH"]);
}

#[test]
fn two_stones_as_in_connect6_are_the_arbiters_to_refuse() {
    let mut engine = in_game();
    ask(&mut engine, &moves("h8"), MOVE);
    let two = ["a15", "b15"].map(|point| point.parse().unwrap()).to_vec();
    assert_eq!(engine.receive(b"move AABA"), Response::Answer(Answer::Place(two)));
    ask(&mut engine, &moves("h8"), MOVE);
    assert_eq!(engine.receive(b"move AA@@"), Response::Answer(stone("a15")));
}

#[test]
fn only_moves_can_be_asked_and_passes_not_told() {
    let mut engine = in_game();
    assert_eq!(ask(&mut engine, &moves("h8 h9 j10"), Ask::Swap), AskResult::Unsupported);
    assert_eq!(ask(&mut engine, &moves("h8 pass"), MOVE), AskResult::Unsupported);
    assert_eq!(ask(&mut engine, &[], Ask::Move { zone: Zone::Within(0) }), AskResult::Unsupported);
}

#[test]
fn thoughts_are_passed_over_and_broken_moves_are_not() {
    let mut engine = in_game();
    ask(&mut engine, &moves("h8"), MOVE);
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

/// An engine with its platform. It answers as the platform's page says.
struct SauPair {
    platform: SauDialogue,
    lines: LineBuffer,
    size: Size,
    /// The colour that it plays, and the stones that it was told and has laid.
    own: Color,
    stones: Vec<Point>,
}

impl SauPair {
    fn new(size: Size) -> SauPair {
        let (platform, lines) = (SauDialogue::new(LineEnd::CrLf), LineBuffer::new(5000));
        SauPair { platform, lines, size, own: Color::White, stones: Vec::new() }
    }

    /// Asks; the engine answers with this point where it knows the position, and else with another.
    fn ask(&mut self, position: &Position, point: Point) -> Answer {
        assert_eq!(ask(&mut self.platform, position.moves(), MOVE), AskResult::Sent);
        loop {
            self.lines.push(self.platform.output());
            self.platform.written(self.platform.output().len());
            while let Some(line) = self.lines.pop() {
                let line = std::str::from_utf8(line).unwrap();
                match line.split_once(' ').unwrap_or((line, "")) {
                    ("new", color) => {
                        self.own = if color == "black" { Color::Black } else { Color::White };
                        self.stones.clear();
                    }
                    ("move", letters) => {
                        if letters.len() > 2 {
                            self.stones.clear();
                        }
                        let number = |letter: u8| i32::from(letter - b'A');
                        for xy in letters.as_bytes().chunks(2) {
                            let coords = Coords { x: number(xy[0]), y: number(xy[1]) };
                            self.stones.push(coords.on(self.size).unwrap());
                        }
                    }
                    (word, _) => assert_eq!(word, "end"),
                }
            }
            assert_eq!(Color::of_ply(self.stones.len()), self.own, "it is its turn");
            let told: Vec<Move> = self.stones.iter().copied().map(Move::Stone).collect();
            let is_told = told == position.moves();
            assert!(is_told || told.is_empty(), "{told:?}");
            let answer = if is_told { point } else { self.size.center() };
            self.stones.push(answer);
            let line = SauCommand::Move(vec![Coords::of(answer, self.size)]).to_string();
            match self.platform.receive(line.as_bytes()) {
                Response::Log { .. } => {}
                Response::Answer(answer) => return answer,
                other => panic!("{other:?}"),
            }
        }
    }
}

proptest! {
    #[test]
    fn positions_in_any_order(
        sides in (5..=26_u8, 5..=26_u8),
        steps in prop::collection::vec((0..6_u8, any::<prop::sample::Index>()), 1..40),
    ) {
        let size = Size::new(sides.0, sides.1).unwrap();
        let mut pair = SauPair::new(size);
        pair.platform.new_game(&terms(size));
        let mut position = Position::new(Rule::Freestyle, size);
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
                    pair.platform.new_game(&terms(size));
                    position = Position::new(Rule::Freestyle, size);
                }
                _ => {}
            }
            if position.ply() + 2 > size.area() {
                break;
            }
            let point = free(&position).unwrap();
            prop_assert_eq!(pair.ask(&position, point), Answer::Move(Move::Stone(point)));
            if step != 4 {
                position.play(point).unwrap();
            }
        }
    }
}
