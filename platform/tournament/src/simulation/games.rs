//! Simulated games, compared with a second, naive arbiter.

use std::sync::Arc;

use tengen_arbiter::{
    Action, Cause, ForfeitCause, GameConfig, GameResult, HistoryEntry, Nanos, Termination,
    TimeControl,
};
use tengen_record::{GameRecord, replay, unpack};
use tengen_rules::{BySeat, Procedure, Seat};
use tengen_testkit::{Dice, PlayerEvent};

use super::referee::Referee;
use super::roster::{SimulatedRoster, SimulatedWorker};
use super::scenario::Scenario;
use super::{Coverage, simulate};
use crate::event::{GameQueue, header};
use crate::store::{GameBatch, StoredGame};
use crate::{EventConfig, Schedule, SpoiledOption, Stop};

/// The games of one scenario: the pairs of two engines.
const GAMES: u64 = 2;

#[test]
fn games_are_what_the_players_saw_and_did() {
    let coverage = Coverage::default();
    simulate("games_are_what_the_players_saw_and_did", 0..50_000, |seed| {
        let mut dice = Dice::new(seed);
        let mut scenario = Scenario::draw(&mut dice, 2, 1);
        scenario.config.games = GAMES as u32;
        let (stop, context) = (Arc::new(Stop::new()), SimulatedWorker::default());
        let players = SimulatedRoster::new(&scenario.player_configs, &stop);
        players.use_context(&context);
        let all = std::iter::once(1..GAMES + 1).collect();
        let schedule = scenario.config.schedule();
        let queue = GameQueue::new(&scenario.config, schedule.clone(), all, &players, &stop);
        let mut worker = queue.worker(&*context.time);
        let mut number = 0;
        while let Some(batch) = worker.play() {
            check_all(&scenario.config, &schedule, &batch, context.log.take());
            for game in &batch.games {
                number += 1;
                assert_eq!(game.number, number);
                coverage.note(game.result.termination);
                coverage.note(scenario.config.opening);
                if game.conditions.is_spoiled() {
                    coverage.note(scenario.config.spoiled);
                }
                coverage.note(format!("played again {} times", game.conditions.replays));
            }
        }
        assert_eq!(number, GAMES);
    });
    // These come from outside of a game.
    let outer = [Termination::Aborted, Termination::Ruling];
    let terminations = Termination::ALL.into_iter().filter(|one| !outer.contains(one));
    coverage.assert_all(&terminations.map(Termination::name).collect::<Vec<_>>());
    coverage.assert_all(&Procedure::ALL.map(Procedure::name));
    coverage.assert_all(&[
        "keep",
        "replay",
        "replay-pair",
        "played again 1 times",
        "played again 3 times",
    ]);
}

/// Looks at everything that a table has handed in, and at how the games of a pair were played again
/// and again.
pub(super) fn check_all(
    config: &EventConfig,
    schedule: &Schedule,
    batch: &GameBatch,
    events: Vec<PlayerEvent>,
) {
    let mut events = events.into_iter().peekable();
    let begins = |event: &PlayerEvent| matches!(event, PlayerEvent::Readied(Seat::First, ..));
    let mut replays = 0;
    let played = batch.discarded.iter().chain(&batch.games);
    for (place, game) in played.enumerate() {
        let mut of_it: Vec<_> = events.next().into_iter().collect();
        while let Some(next) = events.next_if(|next| !begins(next)) {
            of_it.push(next);
        }
        check(config, schedule, game, &of_it);
        assert!((replays..=replays + 1).contains(&game.conditions.replays), "game by game");
        replays = game.conditions.replays;
        let next = batch.discarded.get(place + 1);
        let is_discarded = place < batch.discarded.len();
        if is_discarded && next.is_none_or(|next| next.conditions.replays > replays) {
            assert!(game.conditions.is_spoiled(), "played again for nothing");
        }
    }
    assert!(events.next().is_none(), "a game that was not handed in");
    let is_spoiled = batch.games.iter().any(|game| game.conditions.is_spoiled());
    let is_void = batch.games.iter().all(|game| game.conditions.is_void);
    match config.spoiled {
        SpoiledOption::Keep => assert_eq!((replays, batch.games.len()), (0, 1)),
        SpoiledOption::Replay => {
            assert_eq!(batch.games.len(), 1, "no game waits for another");
            assert!(!is_spoiled || replays == SpoiledOption::REPLAYS);
        }
        SpoiledOption::ReplayPair => assert!(!is_spoiled || replays == SpoiledOption::REPLAYS),
    }
    assert_eq!(is_void, is_spoiled && config.spoiled != SpoiledOption::Keep);
    assert!(batch.games.iter().all(|game| game.conditions.replays == replays));
}

/// Compares a game as it is to be stored with what the players saw and did.
pub(super) fn check(
    config: &EventConfig,
    schedule: &Schedule,
    stored: &StoredGame,
    events: &[PlayerEvent],
) {
    let scheduled = schedule.get(stored.number).expect("a game of the schedule");
    assert_eq!(stored.seats, scheduled.seats);
    let actions = unpack(&stored.packed).unwrap();
    let noted: Vec<HistoryEntry> = actions.iter().map(HistoryEntry::judged).collect();
    let game = config.game(&scheduled);
    let (result, history) = Referee::judge(&game, config.stall(), &noted, events);
    for (place, (entry, expected)) in noted.iter().zip(&history).enumerate() {
        assert_eq!(entry, expected, "action {place} of game {}", stored.number);
    }
    assert_eq!(noted.len(), history.len(), "actions of game {}", stored.number);
    assert_eq!(stored.result, result, "game {}", stored.number);
    clocks_never_rise(&game, &noted, result);
    assert_eq!(stored.conditions.forfeit, forfeit(&game, result, events), "game {}", stored.number);
    lags_fit(&actions, events);
    let reported = actions.iter().filter_map(|action| action.info).count();
    assert!(reported <= events.len());

    let record = GameRecord {
        header: header(config, &scheduled),
        actions,
        result,
        detail: stored.detail.clone(),
        conditions: stored.conditions,
        worker: None,
        ruling: None,
    };
    assert_eq!(replay(&record), Ok(result), "replayed");
    if stored.number == 1 {
        let line = record.to_json_line();
        assert!(GameRecord::from_json_line(&line).as_ref() == Ok(&record), "{line}");
    }
}

/// What is to blame for a game lost by time, said once more in whole numbers: it is the last
/// question that lost it.
fn forfeit(game: &GameConfig, result: GameResult, events: &[PlayerEvent]) -> Option<ForfeitCause> {
    let by_time = [Termination::Timeout, Termination::Stall].contains(&result.termination);
    let asked = events.iter().rev().find_map(|event| match event {
        PlayerEvent::Asked(exchange) => Some(Some(exchange)),
        PlayerEvent::Readied(_, Err(_), _) => Some(None),
        _ => None,
    });
    let exchange = asked.flatten().filter(|_| by_time)?;
    let (cpu_stats, patience) = (exchange.timing.cpu_stats?, exchange.patience?);
    let time = game.time[exchange.seat];
    // A full clock; where there is none, what it was waited for.
    let periods = time.byo_yomi.map_or(0, |byo| byo.span * Nanos::from(byo.periods));
    let main = time.main.map(|main| main + periods);
    let allowed = main.into_iter().chain(time.per_move).min().unwrap_or(patience - 1);
    let slept = cpu_stats.suspended;
    // A twentieth is rounded down.
    let is_long = slept >= 100_000_000 && slept >= allowed / 20;
    let cause = if is_long { Cause::Suspend } else { Cause::Engine };
    Some(ForfeitCause { cause, cpu_stats })
}

/// A lag is known of no more answers than had a reading, and is no longer than the longest answer.
fn lags_fit(actions: &[HistoryEntry], events: &[PlayerEvent]) {
    let exchanges = events.iter().filter_map(|event| match event {
        PlayerEvent::Asked(exchange) => Some(exchange),
        _ => None,
    });
    let read = exchanges.clone().filter(|exchange| exchange.timing.own.is_some()).count();
    let longest = exchanges.map(|exchange| exchange.reply.answered_at - exchange.reply.asked_at);
    let longest = longest.max().unwrap_or(0);
    let lags: Vec<_> = actions.iter().filter_map(|action| action.lag).collect();
    assert!(lags.len() <= read && lags.iter().all(|lag| *lag <= longest));
}

/// Said once more, for it is what players trust: a clock rises by no more than its increment, or by
/// the game's time with the last answer of a session, and only with an answer; and nothing comes
/// after the end.
fn clocks_never_rise(game: &GameConfig, history: &[HistoryEntry], result: GameResult) {
    let mut left = BySeat::from_fn(|seat: Seat| game.time[seat].main);
    let mut answers = BySeat::from_fn(|_| 0u32);
    for (place, entry) in history.iter().enumerate() {
        let answered = entry.legal && matches!(entry.action, Action::Answer(_));
        let TimeControl { main, increment, session, .. } = game.time[entry.seat];
        answers[entry.seat] += u32::from(answered);
        let is_last = session.is_some_and(|moves| answers[entry.seat].is_multiple_of(moves));
        let session = if is_last { main.unwrap_or(0) } else { 0 };
        let increment = if answered { increment + session } else { 0 };
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
