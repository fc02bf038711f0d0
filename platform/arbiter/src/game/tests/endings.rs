use alloc::string::ToString;
use core::fmt::Write;

use tengen_rules::Seat::{First, Second};
use tengen_rules::{OpeningSettings, Point, Procedure, Rule, Size};

use super::table::{PASS, TestGame, config, drawn, points, stone, timed, won};
use crate::{Action, Failure, Handled, Input, Termination};

#[test]
fn five_in_a_row_wins_for_the_seat_that_holds_the_colour() {
    let mut table = TestGame::new(config(Rule::Standard));
    table.play("a1 h8 b1 h9 c1 h10 d1 h11 f1 h12");
    assert_eq!(table.end(), won(Second, Termination::Five));
}

#[test]
fn a_full_board_is_a_draw() {
    let mut config = config(Rule::Standard);
    config.size = Size::new(5, 5).unwrap();
    let mut table = TestGame::new(config);
    // Two columns at a time in a chequered pattern, the second pair of them turned over.
    let mut order = alloc::string::String::new();
    for (left, right) in [("a", "b"), ("d", "c")] {
        for row in 1..=5 {
            let (first, second) = if row % 2 == 1 { (left, right) } else { (right, left) };
            write!(order, "{first}{row} {second}{row} ").unwrap();
        }
    }
    order += "e1 e2 e3 e4 e5";
    table.play(&order);
    assert_eq!(table.end(), drawn(Termination::BoardFull));
}

#[test]
fn forbidden_stones_lose_by_their_kind() {
    let games = [
        ("g8 a1 i8 c1 h7 e1 h9 g1 h8", Termination::DoubleThree),
        ("e8 a1 f8 c1 g8 e1 h5 g1 h6 i1 h7 k1 h8", Termination::DoubleFour),
        ("e8 a1 f8 c1 g8 e1 i8 g1 j8 i1 h8", Termination::Overline),
    ];
    for (moves, termination) in games {
        let mut table = TestGame::new(config(Rule::Renju));
        table.play(moves);
        assert_eq!(table.end(), won(Second, termination));
        assert_eq!(table.game.position().ply(), points(moves).len());
    }
}

#[test]
fn two_passes_draw_where_passing_is_allowed() {
    let mut config = config(Rule::Renju);
    config.policies.passing = true;
    let mut table = TestGame::new(config);
    table.play("h8");
    table.act(PASS);
    table.play("h9");
    table.act(PASS);
    table.act(PASS);
    assert_eq!(table.end(), drawn(Termination::Passes));
}

#[test]
fn an_illegal_answer_forfeits() {
    let cases = [
        (stone("h8"), "h8 is occupied"),
        (stone("p1"), "p1 is not on the board"),
        (PASS, "passing is not allowed"),
        (Action::Answer(tengen_rules::Answer::Swap(true)), "a move was asked"),
        (Action::AcceptDraw, "no draw is on offer"),
    ];
    for (action, reason) in cases {
        let mut table = TestGame::new(config(Rule::Freestyle));
        table.play("h8");
        assert_eq!(table.act(action.clone()), Handled::Illegal);
        assert_eq!(table.end(), won(First, Termination::IllegalAnswer), "{action:?}");
        assert!(table.game.refusal().unwrap().contains(reason), "{:?}", table.game.refusal());
        assert!(!table.game.history()[1].legal);
    }
}

#[test]
fn a_seat_that_was_not_asked_may_resign_and_no_more() {
    let mut table = TestGame::new(config(Rule::Freestyle));
    table.ask();
    assert_eq!(table.say(Second, stone("h8")), Handled::Illegal);
    assert_eq!(table.end(), won(First, Termination::IllegalAnswer));
    assert!(table.game.refusal().unwrap().contains("second seat"));

    let mut table = TestGame::new(config(Rule::Freestyle));
    table.ask();
    assert_eq!(table.say(Second, Action::Resign), Handled::Accepted);
    assert_eq!(table.end(), won(First, Termination::Resignation));

    let mut table = TestGame::new(config(Rule::Freestyle));
    assert_eq!(table.act(Action::Resign), Handled::Accepted);
    assert_eq!(table.end(), won(Second, Termination::Resignation));
}

#[test]
fn a_failure_loses_by_its_kind_for_either_seat() {
    let failures = [
        (Failure::Crash, Termination::Crash),
        (Failure::Stall, Termination::Stall),
        (Failure::ProtocolError, Termination::ProtocolError),
        (Failure::ResourceLimit, Termination::ResourceLimit),
        (Failure::Unasked, Termination::Unasked),
    ];
    for (failure, termination) in failures {
        for (seat, winner) in [(First, Second), (Second, First)] {
            let mut table = TestGame::new(config(Rule::Freestyle));
            table.game.handle(0, seat, Input::Failed(failure));
            assert_eq!(table.end(), won(winner, termination));
        }
    }
}

#[test]
fn a_crash_after_the_deadline_is_a_timeout() {
    let mut table = TestGame::new(timed("1+0", 0));
    table.ask();
    let late = table.game.next_timeout().unwrap();
    table.game.handle(late, First, Input::Failed(Failure::Crash));
    assert_eq!(table.end(), won(Second, Termination::Timeout));
}

#[test]
fn an_aborted_game_has_no_winner() {
    let mut table = TestGame::new(timed("1+0", 0));
    table.play("h8");
    table.ask();
    table.game.abort(table.now + 5);
    assert_eq!(table.end(), drawn(Termination::Aborted));
}

#[test]
fn nothing_after_the_end_changes_it() {
    let mut table = TestGame::new(config(Rule::Freestyle));
    table.play("h8");
    table.act(Action::Resign);
    let result = table.end();
    assert_eq!(result, won(First, Termination::Resignation));
    let history = table.game.history().to_vec();
    for seat in [First, Second] {
        for input in [
            Input::Asked,
            Input::Act(stone("a1")),
            Input::Act(Action::Resign),
            Input::Failed(Failure::Crash),
        ] {
            assert_eq!(table.game.handle(9_999, seat, input), Handled::Ignored);
        }
    }
    table.game.handle_timeout(u64::MAX);
    table.game.abort(u64::MAX);
    assert_eq!(table.game.result(), result);
    assert_eq!(table.game.history(), history);
    assert_eq!(table.game.poll_order(), None);
}

#[test]
fn a_book_begins_in_the_middle() {
    let mut config = config(Rule::Freestyle);
    let book = points("h8 h9 i9");
    config.opening = OpeningSettings { book, ..OpeningSettings::new(Procedure::Book) };
    let mut table = TestGame::new(config.clone());
    assert_eq!(table.ask().0, Second);
    assert_eq!(table.game.position().ply(), 3);

    config.policies.move_limit = Some(3);
    assert_eq!(TestGame::new(config).end(), drawn(Termination::Adjudication));
}

#[test]
fn a_board_may_be_of_any_shape() {
    let mut config = config(Rule::Freestyle);
    config.size = Size::new(32, 5).unwrap();
    let mut table = TestGame::new(config);
    table.play(&Point::new(31, 4).to_string());
    assert_eq!(table.act(stone("a6")), Handled::Illegal);
    assert_eq!(table.end(), won(First, Termination::IllegalAnswer));
}
