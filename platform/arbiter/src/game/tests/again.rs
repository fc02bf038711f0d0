use tengen_rules::{Answer, BySeat, Move, OpeningSettings, Procedure, Rule, Seat, Size};

use crate::{Action, Game, GameConfig, Handled, Input, Nanos, Order, Policies, Termination};

const SECOND: Nanos = 1_000_000_000;

fn config() -> GameConfig {
    let time = "60+1".parse().unwrap();
    GameConfig {
        rule: Rule::Freestyle,
        size: Size::STANDARD,
        opening: OpeningSettings::new(Procedure::Swap),
        time: BySeat { first: time, second: time },
        margin: BySeat::default(),
        policies: Policies { draw_offers: true, ..Policies::default() },
    }
}

fn act(game: &mut Game, at: Nanos, spent: Nanos, action: Action) -> Handled {
    let Some(Order::Ask { seat, .. }) = game.poll_order() else { panic!("a question is open") };
    game.handle(at, seat, Input::Asked);
    game.handle(at + spent, seat, Input::Act(action))
}

fn mv(text: &str) -> Action {
    Action::Answer(Answer::Move(Move::Stone(text.parse().unwrap())))
}

/// A game of a swap, a draw offer and some moves.
fn game() -> Game {
    let mut game = Game::new(config()).unwrap();
    let stones = ["h8", "a1", "j9"].map(|text| text.parse().unwrap());
    act(&mut game, 0, SECOND, Action::Answer(Answer::Place(stones.to_vec())));
    act(
        &mut game,
        5 * SECOND,
        2 * SECOND,
        Action::Answer(Answer::Choose(tengen_rules::Color::Black)),
    );
    act(&mut game, 9 * SECOND, 3 * SECOND, Action::OfferDraw);
    act(&mut game, 20 * SECOND, SECOND, mv("c3"));
    act(&mut game, 30 * SECOND, SECOND, mv("h9"));
    game
}

#[test]
fn a_game_stands_again_where_it_stood_after_any_of_its_actions() {
    let whole = game();
    for kept in 0..=whole.history().len() {
        let history = &whole.history()[..kept];
        let again = Game::replay(config(), history).unwrap();
        assert_eq!(again.history(), history);
        for entry in history.iter().rev().take(1) {
            assert_eq!(again.clock(entry.seat).left(), entry.clock);
        }
    }
    let again = Game::replay(config(), whole.history()).unwrap();
    assert_eq!(again.position(), whole.position());
    assert_eq!(again.asked(), whole.asked());
    assert_eq!(again.colors(), whole.colors());
}

#[test]
fn a_move_taken_back_gives_its_time_back() {
    let whole = game();
    let again = Game::replay(config(), &whole.history()[..2]).unwrap();
    assert_eq!(again.position().ply(), 3);
    assert_eq!(again.clock(Seat::Second).left(), Some(59 * SECOND));
    assert_eq!(again.clock(Seat::First).left(), Some(60 * SECOND));
}

#[test]
fn a_question_set_aside_keeps_what_it_took_and_takes_nothing_more() {
    let mut game =
        Game::new(GameConfig { opening: OpeningSettings::new(Procedure::None), ..config() })
            .unwrap();
    let Some(Order::Ask { seat, .. }) = game.poll_order() else { panic!("a question is open") };
    game.handle(0, seat, Input::Asked);
    game.suspend(10 * SECOND);
    assert_eq!(
        game.poll_order().map(|order| matches!(order, Order::Ask { limits, .. }
        if limits.own == Some(50 * SECOND))),
        Some(true)
    );
    game.handle(1000 * SECOND, seat, Input::Asked);
    game.handle(1005 * SECOND, seat, Input::Act(mv("h8")));
    assert_eq!(game.clock(Seat::First).left(), Some(46 * SECOND));
    assert_eq!(game.history()[0].spent, 15 * SECOND);
}

#[test]
fn an_engine_in_a_person_s_place_is_judged_as_one() {
    let mut game =
        Game::new(GameConfig { opening: OpeningSettings::new(Procedure::None), ..config() })
            .unwrap();
    game.set_person(Seat::First, true);
    for _ in 0..3 {
        assert_eq!(act(&mut game, 0, 0, mv("a22")), Handled::Illegal);
    }
    game.set_person(Seat::First, false);
    assert_eq!(act(&mut game, 0, 0, mv("a22")), Handled::Illegal);
    assert_eq!(game.result().unwrap().termination, Termination::IllegalAnswer);
}
