use tengen_rules::Seat::{First, Second};
use tengen_rules::{Answer, Ask, Color, OpeningSettings, Procedure, Rule};

use super::table::{PASS, SECOND, TestGame, config, points, timed, won};
use crate::{Action, GameConfig, Handled, LatePolicy, Termination};

fn with(procedure: Procedure, config: GameConfig) -> GameConfig {
    GameConfig { opening: OpeningSettings::new(procedure), ..config }
}

fn answer(answer: Answer) -> Action {
    Action::Answer(answer)
}

#[test]
fn a_contest_opening_runs_through_the_arbiter() {
    let mut table = TestGame::new(with(Procedure::Contest, config(Rule::Renju)));
    table.act(answer(Answer::Place(points("h8 h9 i9"))));
    table.act(answer(Answer::Declare(2)));
    assert_eq!(table.game.declared(), Some(2));
    table.act(answer(Answer::Swap(false)));
    table.play("a1");
    table.act(answer(Answer::Offer(points("g7 k12"))));
    assert_eq!((table.game.offered(), table.game.position().ply()), (&points("g7 k12")[..], 4));
    table.act(answer(Answer::Pick(points("k12")[0])));
    assert_eq!(table.game.position().ply(), 5);
    assert!(table.game.offered().is_empty());
    assert_eq!(table.game.asked().map(|(seat, ask)| (seat, ask.name())), Some((Second, "move")));
}

#[test]
fn an_illegal_decision_forfeits_with_its_reason() {
    let mut policies = config(Rule::Renju);
    policies.policies.passing = true;
    for bad in [
        answer(Answer::Place(points("h8 h9 a1"))),
        answer(Answer::Place(points("h8 h9"))),
        answer(Answer::Swap(true)),
        PASS,
    ] {
        let mut table = TestGame::new(with(Procedure::Contest, policies.clone()));
        assert_eq!(table.act(bad), Handled::Illegal);
        assert_eq!(table.end(), won(Second, Termination::IllegalAnswer));
        assert!(table.game.refusal().is_some());
    }
}

#[test]
fn a_late_decision_loses() {
    let mut table = TestGame::new(with(Procedure::Swap2, timed("1+0", 0)));
    table.act(answer(Answer::Place(points("h8 i9 g6"))));
    assert_eq!(table.act_after(SECOND + 1, answer(Answer::Choose(Color::White))), Handled::Late);
    assert_eq!(table.end(), won(First, Termination::Timeout));
}

#[test]
fn every_opening_question_has_a_substitute() {
    for procedure in Procedure::ALL {
        let mut config = with(procedure, timed("move=1", 0));
        config.rule = Rule::Renju;
        config.policies.late = LatePolicy::Substitute;
        let mut table = TestGame::new(config);
        for _ in 0..12 {
            table.ask();
            table.now = table.game.next_timeout().unwrap();
            table.game.handle_timeout(table.now);
            assert_eq!(table.game.result(), None, "{procedure}");
        }
        assert!(table.game.history().iter().all(|entry| entry.substituted && entry.legal));
        assert!(matches!(table.game.asked(), Some((_, Ask::Move { .. }))));
    }
}
