use tengen_rules::Seat::{First, Second};

use super::table::{SECOND, TestGame, stone, timed, won};
use crate::{Action, Correction, Game, Handled, Input, Nanos, Order, Termination};

#[test]
fn an_answer_at_the_deadline_is_in_time_and_one_ns_later_is_late() {
    for (control, margin) in [("1+0", 0), ("1+0", 70), ("move=1", 0), ("9+0,move=1", 70)] {
        let mut table = TestGame::new(timed(control, margin));
        assert_eq!(table.act_after(SECOND + margin, stone("h8")), Handled::Accepted);
        assert_eq!(table.game.result(), None, "{control}");

        let mut table = TestGame::new(timed(control, margin));
        assert_eq!(table.act_after(SECOND + margin + 1, stone("h8")), Handled::Late);
        assert_eq!(table.end(), won(Second, Termination::Timeout), "{control}");
        let entry = &table.game.history()[0];
        assert_eq!((&entry.action, entry.legal), (&stone("h8"), false));
    }
}

#[test]
fn silence_loses_at_the_first_moment_that_is_too_late() {
    let mut table = TestGame::new(timed("1+0", 70));
    assert_eq!(table.game.next_timeout(), None);
    let (seat, _) = table.ask();
    let deadline = table.game.next_timeout().unwrap();
    assert_eq!(deadline, table.now + SECOND + 70 + 1);
    table.game.handle_timeout(deadline - 1);
    assert_eq!(table.game.asked().unwrap().0, seat);
    table.game.handle_timeout(deadline);
    assert_eq!(table.end(), won(Second, Termination::Timeout));
    assert_eq!(table.game.clock(First).left(), Some(0));
    assert!(table.game.history().is_empty());
}

#[test]
fn patience_ends_with_the_timeout() {
    let mut table = TestGame::new(timed("1+0", 70));
    let Some(Order::Ask { patience, limits, .. }) = table.game.poll_order() else { panic!() };
    assert_eq!((limits.hard, patience), (Some(SECOND), Some(SECOND + 71)));
    table.game.handle(5, First, Input::Asked);
    assert_eq!(table.game.next_timeout(), patience.map(|patience| 5 + patience));
}

#[test]
fn the_clock_runs_from_asked_to_the_answers_stamp_and_then_grows() {
    let mut table = TestGame::new(timed("10+2", 0));
    table.now += 50 * SECOND;
    table.act_after(3 * SECOND, stone("h8"));
    assert_eq!(table.game.clock(First).left(), Some(9 * SECOND));
    assert_eq!(table.game.clock(Second).left(), Some(10 * SECOND));
    let (seat, limits) = table.ask();
    assert_eq!((seat, limits.own), (Second, Some(10 * SECOND)));
    assert_eq!((limits.opponent, limits.hard), (Some(9 * SECOND), Some(10 * SECOND)));
    let entry = &table.game.history()[0];
    assert_eq!((entry.spent, entry.clock), (3 * SECOND, Some(9 * SECOND)));
}

#[test]
fn overruns_of_a_whole_game_share_one_margin() {
    let mut table = TestGame::new(timed("1+0", 100));
    table.act_after(SECOND + 60, stone("h8"));
    table.act_after(0, stone("a1"));
    assert_eq!(table.game.clock(First).left(), Some(0));
    table.act_after(40, stone("h9"));
    table.act_after(0, stone("a2"));
    assert_eq!(table.act_after(1, stone("h10")), Handled::Late);
    assert_eq!(table.end(), won(Second, Termination::Timeout));
}

#[test]
fn a_margin_of_each_move_is_there_again_for_the_next() {
    let mut config = timed("1+0", 100);
    config.policies.margin = crate::MarginPolicy::Move;
    let mut table = TestGame::new(config);
    table.act_after(SECOND + 100, stone("h8"));
    table.act_after(0, stone("a1"));
    for (own, other) in [("h9", "a2"), ("h10", "a3")] {
        assert_eq!(table.game.clock(First).left(), Some(0));
        assert_eq!(table.act_after(100, stone(own)), Handled::Accepted);
        table.act_after(0, stone(other));
    }
    assert_eq!(table.act_after(101, stone("h11")), Handled::Late);
    assert_eq!(table.end(), won(Second, Termination::Timeout));
}

#[test]
fn an_answer_before_asked_took_no_time() {
    let mut table = TestGame::new(timed("1+0", 0));
    table.now += 5 * SECOND;
    assert_eq!(table.say(First, stone("h8")), Handled::Accepted);
    assert_eq!(table.game.clock(First).left(), Some(SECOND));
}

#[test]
fn an_illegal_answer_costs_its_time_and_earns_no_increment() {
    let mut config = timed("10+2", 0);
    config.policies.illegal = crate::IllegalPolicy::Retries(1);
    let mut table = TestGame::new(config);
    assert_eq!(table.act_after(SECOND, stone("z9")), Handled::Illegal);
    assert_eq!(table.game.clock(First).left(), Some(9 * SECOND));
    let (_, limits) = table.ask();
    assert_eq!((limits.own, limits.retry), (Some(9 * SECOND), true));
}

#[test]
fn an_offer_or_a_refused_claim_does_not_begin_the_time_anew() {
    let mut config = timed("10+0,move=4", 0);
    config.policies.draw_offers = true;
    let mut table = TestGame::new(config);
    for action in [Action::OfferDraw, Action::Claim] {
        table.act_after(SECOND, action);
        table.now += 100 * SECOND;
    }
    let (_, limits) = table.ask();
    assert_eq!((limits.own, limits.hard), (Some(8 * SECOND), Some(2 * SECOND)));
    assert_eq!(table.game.next_timeout(), Some(table.now + 2 * SECOND + 1));
    table.now += 2 * SECOND;
    assert_eq!(table.say(First, stone("h8")), Handled::Accepted);
    assert_eq!(table.game.clock(First).left(), Some(6 * SECOND));
    let spent: Nanos = table.game.history().iter().map(|entry| entry.spent).sum();
    assert_eq!(spent, 4 * SECOND);
}

#[test]
fn a_wait_is_given_back_and_what_was_computed_unasked_is_charged() {
    let mut config = timed("10+2", 0);
    config.policies.draw_offers = true;
    let mut table = TestGame::new(config.clone());
    let (seat, _) = table.ask();
    let given_back = Correction { given_back: 7 * SECOND, ..Correction::default() };
    table.game.handle(table.now, seat, Input::Corrected(given_back));
    assert_eq!(table.game.next_timeout(), Some(table.now + 17 * SECOND + 1));
    table.now += 17 * SECOND;
    table.game.handle_timeout(table.now);
    assert_eq!(table.say(First, stone("h8")), Handled::Accepted, "at its deadline");
    assert_eq!(table.game.clock(First).left(), Some(2 * SECOND));

    let (seat, _) = table.ask();
    let unasked = Correction { unasked: SECOND, ..Correction::default() };
    assert_eq!(table.game.handle(table.now, First, Input::Corrected(unasked)), Handled::Ignored);
    table.game.handle(table.now, seat, Input::Corrected(unasked));
    assert_eq!(table.game.next_timeout(), Some(table.now + 9 * SECOND + 1));
    // An offer before the answer: what is measured of both parts adds up.
    table.now += 3 * SECOND;
    assert_eq!(table.say(Second, Action::OfferDraw), Handled::Accepted);
    let (seat, limits) = table.ask();
    assert_eq!(limits.own, Some(6 * SECOND));
    table.game.handle(table.now, seat, Input::Corrected(given_back));
    assert_eq!(table.game.next_timeout(), Some(table.now + 13 * SECOND + 1));
    table.now += 8 * SECOND;
    assert_eq!(table.say(Second, stone("a1")), Handled::Accepted);
    let entry = table.game.history().last().unwrap();
    let both = Correction { given_back: 7 * SECOND, unasked: SECOND };
    assert_eq!((entry.spent, entry.correction), (5 * SECOND, both));
    assert_eq!(entry.clock, Some(7 * SECOND));
    let again = Game::replay(config, table.game.history()).unwrap();
    assert_eq!(again.history(), table.game.history());
}

#[test]
fn more_unasked_than_there_is_time_is_late_at_once() {
    let mut table = TestGame::new(timed("1+0", 70));
    let (seat, _) = table.ask();
    let unasked = SECOND + 71;
    table.game.handle(table.now, seat, Input::Corrected(Correction { given_back: 5, unasked }));
    assert_eq!(table.game.next_timeout(), Some(table.now));
    assert_eq!(table.say(First, stone("h8")), Handled::Late);
    assert_eq!(table.end(), won(Second, Termination::Timeout));
}

#[test]
fn nodes_and_depth_are_passed_on() {
    let mut table = TestGame::new(timed("nodes=1000,depth=6", 0));
    let (_, limits) = table.ask();
    assert_eq!((limits.nodes, limits.depth), (Some(1000), Some(6)));
    assert_eq!((limits.own, limits.hard, table.game.next_timeout()), (None, None, None));
}

#[test]
fn time_that_goes_back_counts_as_none() {
    let mut table = TestGame::new(timed("1+0", 0));
    table.ask();
    table.now -= 500;
    assert_eq!(table.say(First, stone("h8")), Handled::Accepted);
    assert_eq!(table.game.clock(First).left(), Some(SECOND));
}
