use tengen_rules::Seat::{self, First, Second};

use super::table::{SECOND, TestGame, stone, timed, won};
use crate::{GameConfig, Handled, Input, LatePolicy, Nanos, Policies, Termination};

fn counted(time: &str, margin: Nanos) -> GameConfig {
    let config = timed(time, margin);
    GameConfig { policies: Policies { count_startup: true, ..config.policies }, ..config }
}

fn get_ready(table: &mut TestGame, seat: Seat, span: Nanos) -> Handled {
    table.now += span;
    table.game.handle(table.now, seat, Input::Ready(span))
}

#[test]
fn getting_ready_is_charged_to_the_game_clock_and_to_no_answer() {
    let mut table = TestGame::new(counted("10+1,move=3", 0));
    assert_eq!(get_ready(&mut table, First, 4 * SECOND), Handled::Accepted);
    assert_eq!(get_ready(&mut table, Second, SECOND), Handled::Accepted);
    let (_, limits) = table.ask();
    assert_eq!((limits.own, limits.opponent), (Some(6 * SECOND), Some(9 * SECOND)));
    assert_eq!(limits.hard, Some(3 * SECOND), "the cap on an answer is whole");
    table.now += 2 * SECOND;
    table.game.handle(table.now, First, Input::Act(stone("h8")));
    let entry = &table.game.history()[0];
    assert_eq!((entry.spent, entry.clock), (2 * SECOND, Some(5 * SECOND)));
    assert_eq!((table.game.ready(First), table.game.ready(Second)), (4 * SECOND, SECOND));
    assert_eq!(get_ready(&mut table, First, SECOND), Handled::Ignored, "it has moved");
    assert_eq!(get_ready(&mut table, Second, SECOND), Handled::Ignored, "it is ready");
}

#[test]
fn it_is_charged_only_where_that_counts_and_a_clock_runs() {
    for config in [timed("10+0", 0), counted("move=1", 0), counted("nodes=5", 0)] {
        let mut table = TestGame::new(config);
        assert_eq!(get_ready(&mut table, First, 20 * SECOND), Handled::Ignored);
        assert_eq!((table.game.ready(First), table.game.result()), (0, None));
    }
}

#[test]
fn a_player_that_takes_all_its_time_to_get_ready_has_lost() {
    for seat in Seat::ALL {
        let mut table = TestGame::new(counted("1+0", 70));
        assert_eq!(get_ready(&mut table, seat, SECOND + 70), Handled::Accepted);
        assert_eq!(table.game.clock(seat).deadline(), Some(0), "the margin is used up");
        let mut table = TestGame::new(counted("1+0", 70));
        assert_eq!(get_ready(&mut table, seat, SECOND + 71), Handled::Late);
        assert_eq!(table.end(), won(!seat, Termination::Timeout));
    }
}

#[test]
fn where_the_arbiter_answers_for_the_late_no_player_loses_so() {
    let mut config = counted("1+0", 0);
    config.policies.late = LatePolicy::Substitute;
    let mut table = TestGame::new(config);
    assert_eq!(get_ready(&mut table, First, 2 * SECOND), Handled::Accepted);
    assert_eq!(table.act_after(1, stone("h8")), Handled::Late);
    assert!(table.game.history()[0].substituted);
}
