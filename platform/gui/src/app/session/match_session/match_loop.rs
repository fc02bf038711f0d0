//! Plays a match: the games of an event, by the event's own queue, shown and never saved.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tengen_arbiter::{Game, GameResult};
use tengen_players::{Fault, GameSetup, Player, Reply, Request, Time, Timing};
use tengen_rules::{BySeat, Color, Seat};
use tengen_tournament::{
    EngineEntry, EventConfig, GameEnd, Roster, ScheduledGame, Stop, Tally, Watcher, play_unsaved,
};

use super::handle::{MatchHandle, MatchRequest, MatchRun};
use crate::app::model::move_list::MoveList;
use crate::app::model::{MatchInfo, MatchStanding, Phase, SeatInfo, Snapshot};
use crate::app::session::EngineOutput;
use crate::app::session::show::show;

/// One match, as often as it is played. It watches its games, publishes them to the handle, and
/// makes them wait.
pub(super) struct MatchLoop {
    event: EventConfig,
    names: Vec<String>,
    /// How long a finished game is shown.
    interval: Duration,
    /// How often it was started.
    round: u64,
}

/// Watches a match.
struct MatchWatcher<'a> {
    session: &'a MatchLoop,
    handle: &'a MatchHandle,
    progress: Mutex<MatchProgress>,
}

#[derive(Default)]
struct MatchProgress {
    /// The number of the last game that was begun.
    number: u64,
    move_list: MoveList,
    /// The finished games.
    tally: Tally,
}

impl MatchLoop {
    pub(super) fn new(event: EventConfig, interval: Duration) -> MatchLoop {
        let names = names(&event);
        MatchLoop { event, names, interval, round: 1 }
    }

    /// The match before its first game.
    pub(super) fn first_snapshot(&self) -> Snapshot {
        let first = self.event.schedule().get(1).expect("a valid event has a game");
        self.snapshot(&first, &Tally::default())
    }

    /// Plays until it is told to quit. Every repetition has another seed.
    pub(super) fn run(mut self, handle: &MatchHandle) {
        loop {
            let phase = self.play_match(handle);
            handle.publish(|snapshot| {
                snapshot.phase = phase;
                snapshot.asked = None;
            });
            handle.wait_for_request();
            if handle.take_request() == Some(MatchRequest::Quit) {
                return;
            }
            self.round += 1;
            self.event.seed = self.event.seed.wrapping_add(1);
            handle.publish(|snapshot| *snapshot = self.first_snapshot());
        }
    }

    /// Plays game after game. One that is stopped is not played again.
    fn play_match(&self, handle: &MatchHandle) -> Phase {
        let games = self.event.schedule().len();
        let watcher = MatchWatcher { session: self, handle, progress: Mutex::default() };
        loop {
            let next = watcher.progress().number + 1;
            if next > games {
                return Phase::Finished;
            }
            let run = handle.run();
            let roster = ObservedRoster { run: &run, outputs: &handle.outputs };
            let numbers = next..games + 1;
            play_unsaved(&self.event, numbers, &roster, &run.stop, &*handle.time, &watcher);
            if let Some(MatchRequest::Stop | MatchRequest::Quit) = handle.take_request() {
                return Phase::Stopped;
            }
        }
    }

    /// A game before its first question.
    fn snapshot(&self, scheduled: &ScheduledGame, tally: &Tally) -> Snapshot {
        let (event, round, standings) = (&self.event, self.round, self.standings(tally));
        let (game, games) = (scheduled.number, event.schedule().len());
        Snapshot {
            phase: Phase::Starting,
            rule: event.rule,
            opening: event.opening,
            number: (round - 1) * games + game,
            seats: BySeat::from_fn(|seat| self.seated(scheduled.seats[seat], seat)),
            series: Some(MatchInfo { round, game, games, standings }),
            ..Snapshot::blank(event.size)
        }
    }

    fn standings(&self, tally: &Tally) -> Vec<MatchStanding> {
        let standing = |(engine, name): (usize, &String)| {
            // No pairs are counted.
            let (_, score) = tally.pairs_and_singles(engine);
            MatchStanding { name: name.clone(), score }
        };
        self.names.iter().enumerate().map(standing).collect()
    }

    fn seated(&self, engine: usize, seat: Seat) -> SeatInfo {
        let control = self.event.engines[engine].tc.unwrap_or(self.event.tc);
        SeatInfo {
            accent: engine,
            name: self.names[engine].clone(),
            is_person: false,
            color: if seat == Seat::First { Color::Black } else { Color::White },
            control,
            left: control.main,
        }
    }
}

impl MatchWatcher<'_> {
    /// No invariant spans a panic.
    fn progress(&self) -> MutexGuard<'_, MatchProgress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin_game(&self, scheduled: &ScheduledGame) {
        let mut progress = self.progress();
        progress.number = scheduled.number;
        progress.move_list = MoveList::default();
        let first = self.session.snapshot(scheduled, &progress.tally);
        for seat in Seat::ALL {
            self.handle.outputs[scheduled.seats[seat]].begin_game(first.number);
        }
        self.handle.begin_game(first);
    }
}

impl Watcher for MatchWatcher<'_> {
    fn look(&self, _: usize, scheduled: &ScheduledGame, game: &Game) {
        if self.progress().number != scheduled.number {
            return self.begin_game(scheduled);
        }
        let handle = self.handle;
        handle.publish(|snapshot| show(snapshot, game, &mut self.progress().move_list));
        handle.wait_while_paused();
        handle.publish(|snapshot| {
            snapshot.phase = Phase::Playing;
            if let Some(asked) = &mut snapshot.asked {
                asked.since = Some(handle.time.now());
            }
        });
    }

    fn over(&self, _: usize, scheduled: &ScheduledGame, game: &Game, end: &GameEnd) {
        let mut progress = self.progress();
        if let Some(result) = game.result() {
            progress.tally.add_game(scheduled.seats, result);
        }
        let standings = self.session.standings(&progress.tally);
        let mut is_last = true;
        self.handle.publish(|snapshot| {
            show(snapshot, game, &mut progress.move_list);
            snapshot.phase = Phase::Between;
            snapshot.detail.clone_from(&end.detail);
            if let Some(series) = &mut snapshot.series {
                series.standings = standings;
                is_last = series.game == series.games;
            }
        });
        if !is_last {
            self.handle.wait_between_games(self.session.interval);
        }
    }
}

/// The players of a run, whose output is recorded.
struct ObservedRoster<'a> {
    run: &'a MatchRun,
    outputs: &'a [Arc<EngineOutput>],
}

impl Roster for ObservedRoster<'_> {
    fn player(&self, engine: usize) -> Box<dyn Player> {
        let (player, stop) = (self.run.roster.player(engine), Arc::clone(&self.run.stop));
        Box::new(ObservedPlayer { player, output: Arc::clone(&self.outputs[engine]), stop })
    }

    fn interrupt(&self) {
        self.run.roster.interrupt();
    }
}

/// A player whose output is recorded.
struct ObservedPlayer {
    player: Box<dyn Player>,
    output: Arc<EngineOutput>,
    stop: Arc<Stop>,
}

impl Player for ObservedPlayer {
    fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault> {
        let readied = self.player.new_game(game);
        if let Err(fault) = &readied {
            self.output.write(0, &fault.detail, true);
        }
        readied
    }

    fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
        let reply = self.output.ask(&mut *self.player, request, 1, time);
        if let Err(fault) = reply.outcome.as_ref().map_err(|fault| &fault.detail)
            && !self.stop.is_requested()
        {
            self.output.write(request.moves.len(), fault, true);
        }
        reply
    }

    fn timing(&self) -> Timing {
        self.player.timing()
    }

    fn failed_unasked(&mut self) -> Option<Fault> {
        let fault = self.player.failed_unasked()?;
        self.output.write(0, &fault.detail, true);
        Some(fault)
    }

    fn take_said(&mut self) -> Vec<String> {
        self.player.take_said()
    }

    fn end_game(&mut self, result: GameResult) {
        self.player.end_game(result);
    }
}

/// The names of the engines: as they name themselves, where these differ.
fn names(event: &EventConfig) -> Vec<String> {
    let own = |name: &str| event.engines.iter().filter(|engine| engine.name == name).count() == 1;
    let engines = event.engines.iter().zip(event.labels());
    let name = |(engine, label): (&EngineEntry, String)| match &engine.name {
        name if !name.is_empty() && own(name) => name.clone(),
        _ => label,
    };
    engines.map(name).collect()
}
