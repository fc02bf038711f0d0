use tengen_rules::{Answer, Color, OpeningSettings, Procedure, Seat};

use super::table::{SECOND, TestGame, points, stone, timed};
use crate::{Action, Game, GameConfig, Handled, Input, Order, Termination};

fn config(procedure: Procedure) -> GameConfig {
    let mut config = timed("60+1", 0);
    config.opening = OpeningSettings::new(procedure);
    config
}

#[test]
fn a_move_taken_back_gives_its_time_back() {
    let mut table = TestGame::new(config(Procedure::Swap));
    table.act_after(SECOND, Action::Answer(Answer::Place(points("h8 a1 j9"))));
    table.act_after(2 * SECOND, Action::Answer(Answer::Choose(Color::Black)));
    table.act_after(3 * SECOND, stone("c3"));
    let again = Game::replay(config(Procedure::Swap), &table.game.history()[..2]).unwrap();
    assert_eq!(again.position().ply(), 3);
    assert_eq!(again.clock(Seat::Second).left(), Some(59 * SECOND));
    assert_eq!(again.clock(Seat::First).left(), Some(60 * SECOND));
}

#[test]
fn a_question_set_aside_keeps_what_it_took_and_takes_nothing_more() {
    let mut table = TestGame::new(config(Procedure::None));
    table.ask();
    table.now += 10 * SECOND;
    table.game.suspend(table.now);
    table.now += 990 * SECOND;
    let order = table.game.poll_order();
    let Some(Order::Ask { seat, limits, .. }) = order else { panic!("{order:?}") };
    assert_eq!(limits.own, Some(50 * SECOND));
    table.game.handle(table.now, seat, Input::Asked);
    table.now += 5 * SECOND;
    table.say(seat, stone("h8"));
    assert_eq!(table.game.clock(Seat::First).left(), Some(46 * SECOND));
    assert_eq!(table.game.history()[0].spent, 15 * SECOND);
}

#[test]
fn an_engine_in_a_person_s_place_is_judged_as_one() {
    let mut table = TestGame::new(config(Procedure::None));
    table.game.set_person(Seat::First, true);
    for _ in 0..3 {
        assert_eq!(table.act(stone("a22")), Handled::Illegal);
    }
    table.game.set_person(Seat::First, false);
    assert_eq!(table.act(stone("a22")), Handled::Illegal);
    assert_eq!(table.game.result().unwrap().termination, Termination::IllegalAnswer);
}
