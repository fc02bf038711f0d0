//! What ends a game and what comes after. Each ending by the rules has a case in
//! `tests/data/replay_cases.jsonl`.

use alloc::string::ToString;

use tengen_rules::Seat::{First, Second};
use tengen_rules::{OpeningSettings, Point, Procedure, Rule, Size};

use super::table::{TestGame, config, drawn, points, stone, timed, won};
use crate::{Action, Failure, Handled, Input, Termination};

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
            Input::Act(Action::Claim),
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
