//! Where fouls must be claimed (2013 rules): what may be claimed until when, and which clock runs
//! meanwhile. What a claim does to a game alone has its cases in `tests/data/replay_cases.jsonl`.

use tengen_rules::Rule;
use tengen_rules::Seat::{First, Second};

use super::table::{PASS, SECOND, TestGame, stone, timed, won};
use crate::{
    Action, Adjudication, FoulPolicy, GameConfig, Handled, IllegalPolicy, Policies, Termination,
};

const DOUBLE_THREE: &str = "g8 a1 i8 c1 h7 e1 h9 g1 h8";
const OVERLINE: &str = "e8 a1 f8 c1 g8 e1 i8 g1 j8 i1 h8";

/// Renju where fouls must be claimed.
fn claims(time: &str) -> GameConfig {
    let mut config = GameConfig { rule: Rule::Renju, ..timed(time, 0) };
    config.policies.foul = FoulPolicy::Claim;
    config
}

fn claiming() -> TestGame {
    TestGame::new(claims("inf"))
}

#[test]
fn an_older_double_three_is_past_claiming_though_a_newer_overline_is_not() {
    let mut table = claiming();
    table.play(DOUBLE_THREE);
    table.play("a15");
    // The row of five holes is filled from its ends, so that no five comes before the six.
    table.play("b3 a13 c3 a11 d3 c15 f3 c13 g3 c11 e3");
    table.play("e15");
    table.play("o1");
    assert_eq!(table.act(Action::Claim), Handled::Accepted);
    assert_eq!(table.end(), won(Second, Termination::Overline), "not by the double-three");
}

#[test]
fn a_claim_runs_on_the_claimants_clock_right_or_wrong() {
    let config = claims("60+5");
    let mut right = TestGame::new(config.clone());
    right.play(DOUBLE_THREE);
    let before = right.game.clock(Second).left().unwrap();
    let other = right.game.clock(First).left();
    right.act_after(7 * SECOND, Action::Claim);
    assert_eq!(right.end(), won(Second, Termination::DoubleThree));
    assert_eq!(right.game.clock(Second).left(), Some(before - 7 * SECOND), "without increment");
    assert_eq!(right.game.clock(First).left(), other);

    let mut wrong = TestGame::new(config);
    wrong.play("h8");
    assert_eq!(wrong.act_after(7 * SECOND, Action::Claim), Handled::Declined);
    // The claim was refused; what it took counts with the move that is still owed.
    assert_eq!(wrong.act_after(2 * SECOND, stone("h9")), Handled::Accepted);
    assert_eq!(wrong.game.clock(Second).left(), Some((60 - 7 - 2 + 5) * SECOND));
    assert_eq!(wrong.game.clock(First).left(), Some(65 * SECOND));
}

#[test]
fn a_claim_after_the_deadline_is_late() {
    let mut table = TestGame::new(claims("1+0"));
    table.play(DOUBLE_THREE);
    assert_eq!(table.act_after(SECOND + 1, Action::Claim), Handled::Late);
    assert_eq!(table.end(), won(First, Termination::Timeout));
}

#[test]
fn a_person_is_asked_again_whatever_the_event_says_and_the_engine_is_not() {
    let mut config = timed("10+0", 0);
    config.policies.persons.second = true;
    assert_eq!(config.policies.illegal, IllegalPolicy::Forfeit);
    let mut table = TestGame::new(config);
    table.play("h8");
    for _ in 0..50 {
        assert_eq!(table.act_after(SECOND / 50, stone("h8")), Handled::Illegal);
        assert!(table.game.refusal().unwrap().contains("occupied"));
    }
    let (seat, limits) = table.ask();
    assert_eq!((seat, limits.retry, limits.own), (Second, true, Some(9 * SECOND)));
    assert_eq!(table.say(Second, stone("h9")), Handled::Accepted);
    assert_eq!(table.act(stone("h9")), Handled::Illegal);
    assert_eq!(table.end(), won(Second, Termination::IllegalAnswer));
}

#[test]
fn a_seat_that_is_late_may_still_resign_and_has_resigned() {
    let mut table = TestGame::new(timed("1+0", 0));
    assert_eq!(table.act_after(5 * SECOND, Action::Resign), Handled::Accepted);
    assert_eq!(table.end(), won(Second, Termination::Resignation));
}

#[test]
fn a_seat_may_resign_while_the_other_thinks_and_pays_nothing_for_it() {
    let mut table = TestGame::new(timed("10+0", 0));
    table.ask();
    table.now += 3 * SECOND;
    assert_eq!(table.say(Second, Action::Resign), Handled::Accepted);
    assert_eq!(table.end(), won(First, Termination::Resignation));
    assert_eq!(table.game.clock(Second).left(), Some(10 * SECOND));
    assert_eq!(table.game.clock(First).left(), Some(7 * SECOND));
}

#[test]
fn a_foul_is_claimed_too_late() {
    let mut table = claiming();
    table.play(DOUBLE_THREE);
    table.play("a15 o15");
    assert_eq!(table.act(Action::Claim), Handled::Declined);
    assert_eq!(table.game.result(), None);
    assert!(table.game.refusal().is_some());
    let (seat, limits) = table.ask();
    assert_eq!((seat, limits.retry), (Second, true));
    assert_eq!(table.say(Second, stone("a13")), Handled::Accepted);
}

#[test]
fn a_pass_is_whites_own_move_and_too_late_to_claim_after() {
    let mut table = TestGame::under(
        Rule::Renju,
        Policies { foul: FoulPolicy::Claim, passing: true, ..Policies::default() },
    );
    table.play(DOUBLE_THREE);
    table.act(PASS);
    table.play("o15");
    assert_eq!(table.act(Action::Claim), Handled::Declined);
}

#[test]
fn only_white_claims_and_a_second_wrong_claim_in_a_turn_is_illegal() {
    let mut table = claiming();
    table.play(OVERLINE);
    table.play("a15");
    assert_eq!(table.act(Action::Claim), Handled::Declined);
    assert_eq!(table.act(Action::Claim), Handled::Illegal);
    assert_eq!(table.end(), won(Second, Termination::IllegalAnswer));
}

/// An overline that White may still claim comes before every five of Black's.
#[test]
fn black_proves_nothing_while_a_foul_may_be_claimed() {
    let proof = Some(1000);
    let policies = Policies {
        adjudication: Some(Adjudication { proof, ..Adjudication::default() }),
        ..Policies::default()
    };
    let claim = Policies { foul: FoulPolicy::Claim, ..policies };
    let mut table = TestGame::under(Rule::Renju, claim);
    table.play("a1 a3 b1 c5 c1 e4 f1 g6 e1 i4 d1 k6 h8 m5 i8 o4 j8 a9");
    assert_eq!(table.game.result(), None);
    let mut table = TestGame::under(Rule::Renju, policies);
    table.play("h8 m5 i8 o4 j8 a9");
    assert_eq!(table.end(), won(First, Termination::Proof), "without a foul it is one");
}
