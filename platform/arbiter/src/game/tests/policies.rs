use tengen_rules::Seat::{self, First, Second};
use tengen_rules::{Answer, Move, Rule};

use super::table::{TestGame, config, drawn, stone, timed, won};
use crate::{
    Action, Adjudication, DrawWindow, Game, GameConfig, Handled, IllegalPolicy, Input, LatePolicy,
    Policies, ResignBy, ResignWindow, SearchScore, Termination,
};

#[test]
fn retries_are_told_and_counted_in_a_row() {
    let mut table = TestGame::under(
        Rule::Freestyle,
        Policies { illegal: IllegalPolicy::Retries(2), ..Policies::default() },
    );
    table.play("h8");
    for _ in 0..2 {
        for _ in 0..2 {
            assert_eq!(table.act(stone("h8")), Handled::Illegal);
            assert_eq!(table.game.asked().unwrap().0, Second);
        }
        let (seat, limits) = table.ask();
        assert!(limits.retry);
        let free = table.game.position().ply() + 1;
        let point = tengen_rules::Point::new(0, free as u8);
        let answer = Action::Answer(Answer::Move(Move::Stone(point)));
        assert_eq!(table.say(seat, answer), Handled::Accepted);
        assert!(!table.ask().1.retry);
        let point = tengen_rules::Point::new(1, free as u8);
        table.say(First, Action::Answer(Answer::Move(Move::Stone(point))));
    }
    for _ in 0..2 {
        table.act(stone("h8"));
    }
    assert_eq!(table.game.result(), None);
    table.act(stone("h8"));
    assert_eq!(table.end(), won(First, Termination::IllegalAnswer));
}

#[test]
fn a_word_out_of_turn_uses_a_retry_and_leaves_the_question_open() {
    let mut config = timed("1+0", 0);
    config.policies.illegal = IllegalPolicy::Retries(1);
    let mut table = TestGame::new(config);
    table.ask();
    let deadline = table.game.next_timeout();
    assert_eq!(table.say(Second, stone("h8")), Handled::Illegal);
    assert_eq!((table.game.result(), table.game.next_timeout()), (None, deadline));
    assert_eq!(table.game.poll_order(), None);
    assert_eq!(table.say(First, stone("h8")), Handled::Accepted);
    assert_eq!(table.act(stone("h8")), Handled::Illegal);
    assert!(!table.game.history().last().unwrap().legal);
    assert_eq!(table.end(), won(First, Termination::IllegalAnswer));
}

#[test]
fn an_illegal_answer_is_replaced_by_one_that_is_given_or_by_the_arbiters() {
    let mut config = timed("1+0", 0);
    config.policies.illegal = IllegalPolicy::Substitute;
    let mut table = TestGame::new(config.clone());
    table.play("h8");
    for (given, played) in [(Some("a1"), "a1"), (Some("h8"), "g7"), (None, "g8")] {
        assert_eq!(table.act_after(7, stone("h8")), Handled::Illegal);
        assert!(table.game.needs_substitute());
        if let Some(Action::Answer(answer)) = given.map(stone) {
            let given = Input::Substitute(answer);
            assert_eq!(table.game.handle(table.now, Second, given), Handled::Accepted);
        }
        let (seat, limits) = table.ask();
        assert_eq!((seat, limits.retry), (First, false), "the game went on");
        let [refused, substitute] = table.game.history().last_chunk().unwrap();
        assert_eq!((refused.spent, refused.legal, refused.substituted), (7, false, false));
        assert_eq!((substitute.spent, substitute.legal, substitute.substituted), (0, true, true));
        assert_eq!((substitute.seat, &substitute.action), (Second, &stone(played)));
        let free = table.game.position().ply() as u8;
        let point = tengen_rules::Point::new(free, 0);
        table.say(First, Action::Answer(Answer::Move(Move::Stone(point))));
    }
    assert_eq!(table.game.strikes[Second], 0);
    let history = table.game.history();
    let again = Game::replay(config.clone(), history).unwrap();
    assert_eq!(again.history(), history);
    // With another player on the seat it is the same game.
    let again = Game::replay_leniently(&config, history).unwrap();
    assert_eq!((again.history(), again.asked()), (history, table.game.asked()));
}

#[test]
fn nothing_is_played_for_a_person_or_for_a_legal_answer() {
    let mut config = config(Rule::Freestyle);
    config.policies.illegal = IllegalPolicy::Substitute;
    config.policies.persons.first = true;
    let mut table = TestGame::new(config);
    let Action::Answer(answer) = stone("a1") else { unreachable!() };
    let given = Input::Substitute(answer);
    table.ask();
    assert_eq!(table.game.handle(table.now, First, given.clone()), Handled::Ignored);
    assert_eq!(table.say(First, stone("q1")), Handled::Illegal);
    assert!(!table.game.needs_substitute());
    assert!(table.ask().1.retry, "a person is asked again");
    assert_eq!(table.say(First, stone("h8")), Handled::Accepted);
    assert_eq!(table.game.handle(table.now, Second, given), Handled::Ignored);
}

fn offering() -> TestGame {
    TestGame::under(Rule::Freestyle, Policies { draw_offers: true, ..Policies::default() })
}

#[test]
fn a_draw_is_offered_and_accepted() {
    let mut table = offering();
    let (seat, limits) = table.ask();
    assert!(!limits.draw_offered);
    assert_eq!(table.say(seat, Action::OfferDraw), Handled::Accepted);
    assert_eq!(table.say(seat, stone("h8")), Handled::Accepted);
    let (seat, limits) = table.ask();
    assert!(limits.draw_offered);
    assert_eq!(table.say(seat, Action::AcceptDraw), Handled::Accepted);
    assert_eq!(table.end(), drawn(Termination::Agreement));
}

#[test]
fn a_move_declines_a_draw() {
    let mut table = offering();
    table.act(Action::OfferDraw);
    table.play("h8 h9");
    assert!(!table.ask().1.draw_offered);
    table.say(First, stone("a1"));
    assert!(!table.ask().1.draw_offered);
    assert_eq!(table.say(Second, Action::AcceptDraw), Handled::Illegal);
}

#[test]
fn a_seat_is_not_told_of_its_own_offer_and_may_not_accept_it() {
    let mut table = offering();
    table.act(Action::OfferDraw);
    assert!(!table.ask().1.draw_offered);
    assert_eq!(table.say(First, Action::AcceptDraw), Handled::Illegal);
    assert_eq!(table.end(), won(Second, Termination::IllegalAnswer));
}

#[test]
fn one_offer_a_turn() {
    let mut table = offering();
    assert_eq!(table.act(Action::OfferDraw), Handled::Accepted);
    assert_eq!(table.act(Action::OfferDraw), Handled::Illegal);
    assert_eq!(table.end(), won(Second, Termination::IllegalAnswer));
}

#[test]
fn an_offer_where_none_is_allowed_costs_nothing() {
    let mut table = TestGame::new(config(Rule::Freestyle));
    let (seat, _) = table.ask();
    assert_eq!(table.say(seat, Action::OfferDraw), Handled::Declined);
    assert_eq!(table.say(seat, stone("h8")), Handled::Accepted);
    assert!(!table.ask().1.draw_offered);
}

fn scored(table: &mut TestGame, eval: Option<i32>, win_in: Option<i32>, point: &str) {
    let (seat, _) = table.ask();
    let score = SearchScore { eval, win_in };
    table.game.handle(table.now, seat, Input::Scored(score));
    table.say(seat, stone(point));
}

fn adjudicated() -> GameConfig {
    let mut config = config(Rule::Freestyle);
    config.policies.adjudication = Some(Adjudication {
        draw: Some(DrawWindow { stones: 6, moves: 2, score: 10 }),
        resign: Some(ResignWindow { moves: 2, score: 500, by: ResignBy::Both }),
        proof: None,
    });
    config
}

#[test]
fn even_scores_draw_once_the_board_is_full_enough() {
    let mut table = TestGame::new(adjudicated());
    for (eval, point) in [(0, "a1"), (5, "b2"), (-10, "c1"), (10, "d2"), (3, "e3")] {
        scored(&mut table, Some(eval), None, point);
        assert_eq!(table.game.result(), None);
    }
    scored(&mut table, Some(0), None, "f5");
    assert_eq!(table.end(), drawn(Termination::Adjudication));
}

#[test]
fn one_score_that_is_not_even_begins_the_draw_window_anew() {
    let mut table = TestGame::new(adjudicated());
    let scores = [0, 0, 0, 11, 0, 0, 0, 0];
    let stones = ["a1", "a3", "c1", "c3", "e1", "e3", "g1", "g3"];
    for (eval, stone) in scores.into_iter().zip(stones) {
        assert_eq!(table.game.result(), None);
        scored(&mut table, Some(eval), None, stone);
    }
    assert_eq!(table.end(), drawn(Termination::Adjudication));
}

#[test]
fn scores_that_agree_on_a_winner_end_the_game() {
    let mut table = TestGame::new(adjudicated());
    scored(&mut table, Some(600), None, "a1");
    scored(&mut table, Some(-500), None, "b2");
    scored(&mut table, None, Some(7), "c1");
    assert_eq!(table.game.result(), None);
    scored(&mut table, Some(3), Some(-6), "d2");
    assert_eq!(table.end(), won(First, Termination::Adjudication));
}

#[test]
fn disagreement_or_a_move_without_a_score_begins_anew() {
    let mut table = TestGame::new(adjudicated());
    let scores = [Some(600), Some(600), Some(600), Some(-600), None, Some(-600), Some(600), None];
    let stones = ["a1", "a3", "c1", "c3", "e1", "e3", "g1", "g3"];
    for (eval, stone) in scores.into_iter().zip(stones) {
        scored(&mut table, eval, None, stone);
    }
    assert_eq!(table.game.result(), None);
    for (eval, stone) in [(600, "i1"), (-600, "i3"), (600, "k1")] {
        scored(&mut table, Some(eval), None, stone);
        assert_eq!(table.game.result(), None);
    }
    scored(&mut table, Some(-600), None, "k3");
    assert_eq!(table.end(), won(First, Termination::Adjudication));
}

/// A player that reports a loss itself has lost, if that is enough for the event, whatever the
/// other reports.
#[test]
fn the_losers_own_scores_may_be_enough() {
    let mut config = adjudicated();
    let rules = config.policies.adjudication.as_mut().unwrap();
    rules.resign = Some(ResignWindow { moves: 3, score: 500, by: ResignBy::Loser });
    rules.draw = None;
    let mut table = TestGame::new(config);
    let scores = [
        (Some(0), "a1"),
        (Some(-600), "a3"),
        (None, "c1"),
        (Some(-500), "c3"),
        (Some(900), "e1"),
        (Some(-499), "e3"),
        (Some(-600), "g1"),
        (Some(-700), "g3"),
        (None, "i1"),
        (Some(-700), "i3"),
        (Some(900), "k1"),
    ];
    for (eval, point) in scores {
        scored(&mut table, eval, None, point);
        assert_eq!(table.game.result(), None);
    }
    scored(&mut table, None, Some(-4), "k3");
    assert_eq!(table.end(), won(First, Termination::Adjudication));
}

fn proving(nodes: u32) -> GameConfig {
    let mut config = config(Rule::Freestyle);
    let proof = Some(nodes);
    config.policies.adjudication = Some(Adjudication { proof, ..Adjudication::default() });
    config
}

#[test]
fn a_win_by_fours_is_given_to_the_side_to_move() {
    let mut table = TestGame::new(proving(100));
    table.play("h8 a1 i8 a3 j8");
    assert_eq!(table.game.result(), None, "Black is not to move");
    table.play("a5");
    assert_eq!(table.end(), won(First, Termination::Proof));
    assert_eq!(table.game.proof().len(), 3, "{:?}", table.game.proof());
    // An event that does not look for wins by fours finds none.
    let mut table = TestGame::new(config(Rule::Freestyle));
    table.play("h8 a1 i8 a3 j8 a5");
    assert_eq!((table.game.result(), table.game.proof()), (None, &[][..]));
}

#[test]
fn a_win_that_comes_after_the_move_limit_is_none() {
    for (limit, is_won) in [(8, false), (9, true)] {
        let mut config = proving(100);
        config.policies.move_limit = Some(limit);
        let mut table = TestGame::new(config);
        table.play("h8 a1 i8 a3 j8 a5");
        assert_eq!(table.game.result().is_some(), is_won, "{limit}");
    }
}

fn substituting(time: &str) -> TestGame {
    let mut config = timed(time, 0);
    config.policies.late = LatePolicy::Substitute;
    TestGame::new(config)
}

#[test]
fn the_arbiter_plays_for_a_seat_that_is_late() {
    let mut table = substituting("move=1");
    assert_eq!(table.act_after(1_000_000_001, stone("a1")), Handled::Late);
    let entry = &table.game.history()[0];
    assert_eq!((&entry.action, entry.legal, entry.substituted), (&stone("h8"), true, true));
    let (seat, _) = table.ask();
    assert_eq!(seat, Second);
    table.game.handle_timeout(table.game.next_timeout().unwrap());
    assert_eq!(table.game.history()[1].seat, Second);
    assert_eq!((table.game.result(), table.game.position().ply()), (None, 2));
}

#[test]
fn a_spent_clock_stands_at_zero_and_still_grows_by_the_increment() {
    let mut table = substituting("2+1");
    table.act_after(7_000_000_000, stone("a1"));
    assert_eq!(table.game.clock(First).left(), Some(1_000_000_000));
}

#[test]
fn a_seat_that_crashed_is_not_played_for() {
    let mut table = substituting("1+0");
    table.ask();
    let late = table.game.next_timeout().unwrap();
    table.game.handle(late, First, Input::Failed(crate::Failure::Crash));
    assert_eq!(table.end(), won(Second, Termination::Crash));
}

#[test]
fn two_absent_seats_are_played_to_an_end() {
    for rule in Rule::ALL {
        let mut config = timed("move=1", 0);
        config.rule = rule;
        config.policies.late = LatePolicy::Substitute;
        let mut table = TestGame::new(config);
        while table.game.result().is_none() {
            table.ask();
            table.now = table.game.next_timeout().unwrap();
            table.game.handle_timeout(table.now);
        }
        let termination = table.end().unwrap().termination;
        assert!(matches!(termination, Termination::Five | Termination::BoardFull), "{termination}");
    }
}

#[test]
fn both_seats_may_have_their_own_time() {
    let mut config = timed("1+0", 0);
    config.time.second = "5+0".parse().unwrap();
    let table = TestGame::new(config);
    let left = |seat: Seat| table.game.clock(seat).left().unwrap();
    assert_eq!(left(Second), 5 * left(First));
}
