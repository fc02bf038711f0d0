//! Every question of every opening procedure on a clock that moves by another span each time: the
//! asked seat pays for it, whatever colour it holds, and the other clock stands still.

use alloc::vec::Vec;

use tengen_rules::Seat::{self, First, Second};
use tengen_rules::{Answer, BySeat, Color, Move, OpeningSettings, Point, Procedure, Rule};

use super::table::{SECOND, TestGame, points, timed};
use crate::{Action, GameConfig, Handled, Nanos};

/// Larger than the sum of all spans of a walk.
const INCREMENT: Nanos = 1_000_000;

/// Walks through an opening: the seat that is asked, and its answer. Each goes two moves into the
/// game.
const WALKS: [(Procedure, &str); 21] = [
    (Procedure::None, "1 move h8; 2 move h9"),
    (Procedure::Book, "1 move a1; 2 move a2"),
    (Procedure::Pro, "1 move h8; 2 move a1; 1 move h5; 2 move c1"),
    (Procedure::LongPro, "1 move h8; 2 move a1; 1 move h4; 2 move c1"),
    (Procedure::Swap, "1 place h8 a1 h9; 2 choose white; 2 move c1; 1 move c3"),
    (Procedure::Swap, "1 place h8 a1 h9; 2 choose black; 1 move c1; 2 move c3"),
    (Procedure::Swap2, "1 place h8 i9 g6; 2 choose white; 2 move a1; 1 move a3"),
    (Procedure::Swap2, "1 place h8 i9 g6; 2 choose black; 1 move a1; 2 move a3"),
    (Procedure::Swap2, "1 place h8 i9 g6; 2 place k4 e11; 1 choose white; 1 move a1; 2 move a3"),
    (Procedure::Swap2, "1 place h8 i9 g6; 2 place k4 e11; 1 choose black; 2 move a1; 1 move a3"),
    (Procedure::Rif, "1 place h8 h9 i9; 2 keep; 2 move a1; 1 offer g7 k12; 2 pick k12; 2 move c1"),
    (Procedure::Rif, "1 place h8 h9 i9; 2 swap; 1 move a1; 2 offer g7 k12; 1 pick g7; 1 move c1"),
    (
        Procedure::Contest,
        "1 place h8 h9 i9; 1 declare 1; 2 keep; 2 move a1; 1 offer g7; 2 pick g7; 2 move c1; \
         1 move c3",
    ),
    (
        Procedure::Contest,
        "1 place h8 h9 i9; 1 declare 3; 2 swap; 1 move a1; 2 offer g7 k12 e2; 1 pick e2; \
         1 move c1; 2 move c3",
    ),
    (
        Procedure::Yamaguchi,
        "1 place h8 h9 i9; 1 declare 2; 2 swap; 1 move a1; 2 offer g7 k12; 1 pick g7; 1 move c1",
    ),
    (
        Procedure::Soosorv8,
        "1 place h8 h9 i9; 2 keep; 2 move a1; 2 declare 2; 1 swap; 2 offer g7 k12; 1 pick g7; \
         1 move c1; 2 move c3",
    ),
    (
        Procedure::Soosorv8,
        "1 place h8 h9 i9; 2 swap; 1 move a1; 1 declare 1; 2 keep; 2 offer g7; 1 pick g7; \
         1 move c1; 2 move c3",
    ),
    (
        Procedure::Soosorv8,
        "1 place h8 h9 i9; 2 swap; 1 move a1; 1 declare 1; 2 swap; 1 offer g7; 2 pick g7; \
         2 move c1; 1 move c3",
    ),
    (
        Procedure::Taraguchi10,
        "1 move h8; 2 swap; 1 move h9; 2 swap; 1 move i10; 2 swap; 1 move k8; 2 swap; 1 move d4; \
         2 swap; 1 move c1; 2 move c3",
    ),
    (
        Procedure::Taraguchi10,
        "1 move h8; 2 keep; 2 move h9; 1 keep; 1 move i10; 2 keep; 2 move k8; 1 keep; \
         1 offer a1 a3 a5 a7 a9 c2 c4 c6 c8 m1; 2 pick c4; 2 move m3; 1 move m5",
    ),
    (
        Procedure::Taraguchi10,
        "1 move h8; 2 keep; 2 move h9; 1 swap; 2 move i10; 1 keep; 1 move k8; 2 keep; 2 move l12; \
         1 keep; 1 move m3; 2 move m5",
    ),
];

fn game(procedure: Procedure) -> TestGame {
    let opening = OpeningSettings::new(procedure);
    TestGame::new(GameConfig { rule: Rule::Renju, opening, ..timed("1+0.001", 0) })
}

fn read(answer: &str) -> Answer {
    let (word, rest) = answer.split_once(' ').unwrap_or((answer, ""));
    let point = || rest.parse::<Point>().unwrap();
    match word {
        "place" => Answer::Place(points(rest)),
        "offer" => Answer::Offer(points(rest)),
        "declare" => Answer::Declare(rest.parse().unwrap()),
        "swap" => Answer::Swap(true),
        "keep" => Answer::Swap(false),
        "choose" if rest == "black" => Answer::Choose(Color::Black),
        "choose" => Answer::Choose(Color::White),
        "pick" => Answer::Pick(point()),
        _ => Answer::Move(Move::Stone(point())),
    }
}

#[test]
fn the_asked_seat_pays_for_each_question_and_the_other_clock_stands() {
    for (procedure, walk) in WALKS {
        let mut table = game(procedure);
        let mut left = BySeat { first: SECOND, second: SECOND };
        for (number, step) in walk.split("; ").enumerate() {
            let (seat, answer) = step.split_once(' ').unwrap();
            let seat = if seat == "1" { First } else { Second };
            assert_eq!(table.game.asked().map(|asked| asked.0), Some(seat), "{procedure}: {step}");
            // No sum of some of these spans is the sum of others.
            let spent = 1 << number;
            // The time between an answer and the next question is charged to neither seat.
            table.now += 7_777;
            let handled = table.act_after(spent, Action::Answer(read(answer)));
            assert_eq!(
                handled,
                Handled::Accepted,
                "{procedure}: {step}: {:?}",
                table.game.refusal()
            );
            left[seat] = left[seat] - spent + INCREMENT;
            for seat in Seat::ALL {
                let clock = table.game.clock(seat).left();
                assert_eq!(clock, Some(left[seat]), "{procedure}: {step}: {seat}");
            }
            assert_eq!(table.game.history()[number].spent, spent);
        }
    }
}

#[test]
fn every_procedure_is_walked() {
    for procedure in Procedure::ALL {
        assert!(WALKS.iter().any(|(walked, _)| *walked == procedure), "{procedure}");
    }
}

#[test]
fn a_silent_seat_loses_at_any_question_of_any_opening() {
    for (procedure, walk) in WALKS {
        let steps: Vec<&str> = walk.split("; ").collect();
        for silent in 0..steps.len() {
            let mut table = game(procedure);
            for step in &steps[..silent] {
                table.act(Action::Answer(read(step.split_once(' ').unwrap().1)));
            }
            let (seat, _) = table.ask();
            let deadline = table.game.next_timeout().unwrap();
            table.game.handle_timeout(deadline);
            let winner = table.end().unwrap().winner;
            assert_eq!(winner, Some(!seat), "{procedure}: {}", steps[silent]);
            let answers = table.game.history().iter().filter(|entry| entry.seat != seat).count();
            let left = SECOND + answers as Nanos * INCREMENT;
            assert_eq!(table.game.clock(!seat).left(), Some(left));
        }
    }
}
