//! Matches of engines, without a window.

use std::sync::Arc;

use tengen_arbiter::Termination;
use tengen_gui::app::{Diagram, EventSession, Phase, Translator};
use tengen_rules::{Color, Foul, Seat};

use crate::matches::{FIVE, Gate, SECOND, THREES, event, gated, played, session, wait_for};

#[test]
fn a_match_is_played_to_its_end_and_counted() {
    let session = played(event(""), FIVE);
    let snapshot = session.game().unwrap();
    // The seats were swapped, and Black won both games.
    let series = snapshot.series.clone().unwrap();
    let scores: Vec<_> = series.standings.iter().map(|standing| standing.score).collect();
    assert!(scores.iter().all(|score| (score.wins, score.losses) == (1, 1)), "{scores:?}");
    assert_eq!((series.game, series.games), (2, 2));
    let result = snapshot.result.unwrap();
    assert_eq!((result.winner, result.termination), (Some(Seat::First), Termination::Five));
    assert_eq!(Translator::default().result(&snapshot).unwrap(), "blue (black) won: five in a row");
    assert!(snapshot.asked.is_none());
}

#[test]
fn the_move_stack_tells_who_played_what_in_what_time() {
    let session = played(event(""), FIVE);
    let snapshot = session.game().unwrap();
    assert_eq!(snapshot.rows.len(), 9);
    for (index, row) in snapshot.rows.iter().enumerate() {
        assert_eq!((row.ply, row.color), (index + 1, Color::of_ply(index)));
        assert_eq!(row.seat, Some(Seat::ALL[index % 2]));
        assert_eq!(row.spent, Some(SECOND * 3 / 2));
        assert_eq!(row.info.unwrap().depth, 4);
    }
    assert_eq!(Translator::default().mv(snapshot.rows[8].mv), "L8");
    // A minute, less five answers, and a second for each but the one that ended the game.
    assert!(snapshot.seats.first.clock.unwrap().left < 60 * SECOND);
}

#[test]
fn forbidden_points_are_black_s_and_renju_s_own() {
    let session_of = |rule: &str| session(event(&format!("rule = '{rule}'")), THREES, None);
    let session = session_of("renju");
    wait_for(&session, |snapshot| snapshot.phase == Phase::Finished);
    let snapshot = session.game().unwrap();
    assert_eq!(snapshot.result.unwrap().termination, Termination::Resignation);
    let h8 = ("h8".parse().unwrap(), Foul::DoubleThree);
    let forbidden = |plies| Diagram::new(&snapshot, plies).forbidden;
    // Black's fourth stone makes it so; White may go anywhere. A finished game asks for nothing.
    assert_eq!((forbidden(6), forbidden(7), forbidden(8)), (vec![], vec![], vec![]));
    let gate = Arc::new(Gate::default());
    let session = self::session(event("rule = 'renju'"), THREES, Some(Arc::clone(&gate)));
    gate.let_pass(8);
    wait_for(&session, |snapshot| snapshot.rows.len() == 8 && snapshot.asked.is_some());
    assert_eq!(Diagram::new(&session.game().unwrap(), 8).forbidden, [h8]);
}

#[test]
fn what_an_engine_said_last_is_shown_when_it_lost_on_time() {
    let mut event = event("");
    event.tc = "1".parse().unwrap();
    let session = played(event, FIVE);
    let snapshot = session.game().unwrap();
    assert_eq!(snapshot.result.unwrap().termination, Termination::Timeout);
    let told = "answered no move within 1.000 s; it said last:\nMESSAGE still thinking";
    assert_eq!(snapshot.detail.as_deref(), Some(told));
}

#[test]
fn a_game_given_up_does_not_count_and_the_next_begins() {
    let (session, gate) = gated();
    session.next_game();
    wait_for(&session, |snapshot| snapshot.series.as_ref().unwrap().game == 2);
    gate.open();
    wait_for(&session, |snapshot| snapshot.phase == Phase::Finished);
    let games = session.game().unwrap().series.clone().unwrap().standings[0].score.games();
    assert_eq!(games, 1);
}

#[test]
fn a_match_stops_also_out_of_a_pause_and_begins_anew() {
    let (session, gate) = gated();
    session.pause(true);
    gate.let_pass(1);
    wait_for(&session, |snapshot| snapshot.phase == Phase::Paused);
    session.stop();
    wait_for(&session, |snapshot| snapshot.phase == Phase::Stopped);
    let stopped = session.game().unwrap();
    let standings = &stopped.series.as_ref().unwrap().standings;
    assert_eq!((stopped.result, standings[0].score.games()), (None, 0));
    gate.open();
    session.play_again();
    wait_for(&session, |snapshot| snapshot.phase == Phase::Finished);
    let again = session.game().unwrap();
    let series = again.series.as_ref().unwrap();
    assert_eq!((series.round, series.standings[0].score.games()), (2, 2));
}

#[test]
fn commands_out_of_place_do_nothing() {
    let session = played(event(""), FIVE);
    let commands: [fn(&EventSession); 4] = [
        |session| session.pause(true),
        |session| session.pause(false),
        EventSession::next_game,
        EventSession::stop,
    ];
    for (index, command) in commands.into_iter().enumerate() {
        command(&session);
        assert_eq!(session.game().unwrap().phase, Phase::Finished, "{index}");
    }
}

#[test]
fn a_session_that_is_dropped_in_a_game_ends() {
    let (session, _gate) = gated();
    drop(session);
}
