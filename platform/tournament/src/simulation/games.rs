use std::sync::Arc;

use tengen_arbiter::{Action, Entry, GameConfig, GameResult, Termination};
use tengen_record::{GameRecord, replay, unpack};
use tengen_rules::{BySeat, Procedure, Seat};
use tengen_testkit::{Dice, Happening};

use super::desk::{Desk, Players};
use super::referee::Referee;
use super::world::World;
use super::{Reached, simulate};
use crate::event::{Hall, header};
use crate::store::StoredGame;
use crate::{EventConfig, Stop};

/// Games of one world: the pairs of two engines.
const GAMES: u64 = 2;

#[test]
fn games_are_what_the_players_saw_and_did() {
    let reached = Reached::default();
    simulate("games_are_what_the_players_saw_and_did", 0..45_000, |seed| {
        let mut dice = Dice::new(seed);
        let mut world = World::draw(&mut dice, 2, 1);
        world.config.games = GAMES as u32;
        let (stop, desk) = (Arc::new(Stop::new()), Desk::default());
        let players = Players::new(&world.tempers, &stop);
        players.sit_at(&desk);
        let all = std::iter::once(1..GAMES + 1).collect();
        let hall = Hall::new(&world.config, all, &players, &stop);
        let mut table = hall.table(&*desk.time);
        for number in 1..=GAMES {
            let game = table.play().expect("nothing stops it");
            assert_eq!(game.number, number);
            check(&world.config, &game, &desk.journal.take());
            reached.note(game.result.termination);
            reached.note(world.config.opening);
        }
        assert!(table.play().is_none());
    });
    let aborted = Termination::Aborted.name();
    let terminations = Termination::ALL.map(Termination::name);
    reached
        .assert_all(&terminations.into_iter().filter(|name| *name != aborted).collect::<Vec<_>>());
    reached.assert_all(&Procedure::ALL.map(Procedure::name));
}

/// Compares a game as it is to be stored with what the players saw and did.
pub(super) fn check(config: &EventConfig, stored: &StoredGame, happenings: &[Happening]) {
    let scheduled = config.schedule().get(stored.number).expect("a game of the schedule");
    assert_eq!(stored.seats, scheduled.seats);
    let actions = unpack(&stored.packed).unwrap();
    let noted: Vec<Entry> = actions.iter().map(|action| action.entry.clone()).collect();
    let game = config.game(&scheduled);
    let (result, history) = Referee::judge(&game, config.stall(), &noted, happenings);
    for (place, (entry, expected)) in noted.iter().zip(&history).enumerate() {
        assert_eq!(entry, expected, "action {place} of game {}", stored.number);
    }
    assert_eq!(noted.len(), history.len(), "actions of game {}", stored.number);
    assert_eq!(stored.result, result, "game {}", stored.number);
    clocks_never_rise(&game, &noted, result);
    let told = actions.iter().filter_map(|action| action.info).count();
    assert!(told <= happenings.len());

    let record = GameRecord {
        header: header(config, &scheduled),
        actions,
        result,
        detail: stored.detail.clone(),
        conditions: stored.conditions,
    };
    assert_eq!(replay(&record), Ok(result), "replayed");
    if stored.number == 1 {
        let line = record.to_json_line();
        assert!(GameRecord::from_json_line(&line).as_ref() == Ok(&record), "{line}");
    }
}

/// Said once more, for it is what players trust: a clock rises by no more than its increment, and
/// only with an answer; and nothing comes after the end.
fn clocks_never_rise(game: &GameConfig, history: &[Entry], result: GameResult) {
    let mut left = BySeat::from_fn(|seat: Seat| game.time[seat].main);
    for (place, entry) in history.iter().enumerate() {
        let answered = entry.legal && matches!(entry.action, Action::Answer(_));
        let increment = if answered { game.time[entry.seat].increment } else { 0 };
        let before = left[entry.seat];
        assert_eq!(before.is_some(), entry.clock.is_some());
        assert!(entry.clock <= before.map(|before| before + increment), "action {place}");
        left[entry.seat] = entry.clock;
        let ends = matches!(entry.action, Action::Resign | Action::Claim | Action::AcceptDraw);
        if ends && entry.legal {
            assert_eq!(place + 1, history.len(), "an action after the end");
        }
    }
    assert_ne!(result.termination, Termination::Aborted);
}
