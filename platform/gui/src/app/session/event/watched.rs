//! A match whose games are watched as they are played, one after another, and saved nowhere.

use std::sync::Arc;
use std::time::Duration;

use tengen_arbiter::{ClockFace, Game, GameResult};
use tengen_players::{Fault, GameSetup, Player, Reply, Request, Time, Timing};
use tengen_rules::{BySeat, Seat};
use tengen_tournament::{
    EngineEntry, EventConfig, GameEnd, Roster, ScheduledGame, Stop, Watcher, play_unsaved,
};

use super::EventPhase;
use super::session::{EventHandle, EventState};
use crate::app::model::move_list::MoveList;
use crate::app::model::{MatchInfo, MatchStanding, Phase, SeatInfo, Snapshot};
use crate::app::session::EngineOutput;
use crate::app::session::show::show;

/// Creates the roster of a match. An interrupted roster is not used again: every player of it must
/// return at once from then on, and the next game gets players of a new one.
pub type RosterFactory = Box<dyn Fn() -> SharedRoster + Send + Sync>;

type SharedRoster = Arc<dyn Roster + Send + Sync>;

/// A match to be watched.
pub(super) struct WatchedMatch {
    pub roster_factory: RosterFactory,
    /// How long a finished game is shown.
    pub interval: Duration,
    pub outputs: Vec<Arc<EngineOutput>>,
}

/// The game shown of a watched match.
pub(super) struct WatchedGame {
    pub snapshot: Arc<Snapshot>,
    /// How often the match was started.
    pub round: u64,
    /// The number of the last game that was begun.
    pub begun: u64,
    /// The players of the running game.
    pub roster: Option<SharedRoster>,
    /// Whether the game is over, and the next one is not begun.
    pub is_over: bool,
    /// Whether the next game is to begin now.
    pub is_skipped: bool,
    /// Whether the next question is still to be put: it waits for the end of a pause.
    waits: bool,
    move_list: MoveList,
}

impl WatchedGame {
    /// The match before its first game.
    pub fn first(state: &EventState, round: u64) -> WatchedGame {
        let first = state.shown.config.schedule().get(1).expect("a valid event has a game");
        WatchedGame::new(snapshot(state, round, &first), round, 0)
    }

    fn new(first: Snapshot, round: u64, begun: u64) -> WatchedGame {
        WatchedGame {
            snapshot: Arc::new(first),
            round,
            begun,
            roster: None,
            is_over: false,
            is_skipped: false,
            waits: false,
            move_list: MoveList::default(),
        }
    }

    fn edit(&mut self) -> &mut Snapshot {
        Arc::make_mut(&mut self.snapshot)
    }

    fn follow(&mut self, game: &Game) {
        show(Arc::make_mut(&mut self.snapshot), game, &mut self.move_list);
    }

    /// Updates the phase of the game in an event of this phase.
    pub fn update_phase(&mut self, event_phase: EventPhase, is_paused: bool) {
        let is_asked = self.snapshot.asked.is_some_and(|asked| asked.since.is_some());
        self.edit().phase = match event_phase {
            EventPhase::Finished => Phase::Finished,
            EventPhase::Stopped => Phase::Stopped,
            EventPhase::Stopping => Phase::Stopping,
            _ if self.is_over && is_paused => Phase::Paused,
            _ if self.is_over => Phase::Between,
            _ if self.is_skipped => Phase::Stopping,
            _ if is_paused && self.waits => Phase::Paused,
            _ if is_paused => Phase::Pausing,
            // Until the question is put.
            _ if self.waits => return,
            _ if is_asked => Phase::Playing,
            _ => Phase::Starting,
        };
    }
}

/// The names of the engines: as they name themselves, where these differ.
pub(super) fn names(event: &EventConfig) -> Vec<String> {
    let own = |name: &str| event.engines.iter().filter(|engine| engine.name == name).count() == 1;
    let engines = event.engines.iter().zip(event.labels());
    let name = |(engine, label): (&EngineEntry, String)| match &engine.name {
        name if !name.is_empty() && own(name) => name.clone(),
        _ => label,
    };
    engines.map(name).collect()
}

/// Plays the games that are not begun, and publishes how that ends. A game that is stopped is not
/// played again.
pub(super) fn play(shared: &EventHandle, watched: &WatchedMatch) {
    let config = Arc::clone(&shared.state.lock().shown.config);
    let games = config.schedule().len();
    let watcher = GameWatcher { shared, watched };
    let phase = loop {
        let roster = (watched.roster_factory)();
        let stop = Arc::new(Stop::new());
        let mut next = None;
        shared.publish(|state| {
            if state.shown.phase != EventPhase::Stopping {
                state.stop = Arc::clone(&stop);
                state.watched().roster = Some(Arc::clone(&roster));
                next = Some(state.watched().begun + 1);
            }
        });
        match next {
            None => break EventPhase::Stopped,
            Some(next) if next > games => break EventPhase::Finished,
            Some(next) => {
                let roster = ObservedRoster { roster, outputs: &watched.outputs, stop: &stop };
                play_unsaved(&config, next..games + 1, &roster, &stop, &*shared.time, &watcher);
            }
        }
    };
    shared.pause.set(false);
    shared.publish(|state| {
        state.shown.phase = phase;
        state.watched().edit().asked = None;
    });
}

/// A game before its first question.
fn snapshot(state: &EventState, round: u64, scheduled: &ScheduledGame) -> Snapshot {
    let config = &state.shown.config;
    let (game, games) = (scheduled.number, config.schedule().len());
    let seated = |seat: Seat| {
        let engine = scheduled.seats[seat];
        let control = config.engines[engine].tc.unwrap_or(config.tc);
        SeatInfo {
            accent: engine,
            name: state.shown.labels[engine].clone(),
            control,
            clock: ClockFace::of(&control),
            ..SeatInfo::blank(seat)
        }
    };
    Snapshot {
        phase: Phase::Starting,
        rule: config.rule,
        opening: config.opening,
        number: (round - 1) * games + game,
        seats: BySeat::from_fn(seated),
        series: Some(MatchInfo { round, game, games, standings: standings(state) }),
        ..Snapshot::blank(config.size)
    }
}

fn standings(state: &EventState) -> Vec<MatchStanding> {
    let standing = |(engine, name): (usize, &String)| {
        // No pairs are counted.
        let (_, score) = state.tally.pairs_and_singles(engine);
        MatchStanding { name: name.clone(), score }
    };
    state.shown.labels.iter().enumerate().map(standing).collect()
}

/// Shows the running game, and makes it wait.
struct GameWatcher<'a> {
    shared: &'a EventHandle,
    watched: &'a WatchedMatch,
}

impl Watcher for GameWatcher<'_> {
    fn look(&self, _: usize, scheduled: &ScheduledGame, game: &Game) {
        let shared = self.shared;
        let mut is_new = false;
        shared.publish(|state| {
            is_new = state.watched().begun != scheduled.number;
            if is_new {
                let round = state.watched().round;
                let first = snapshot(state, round, scheduled);
                for seat in Seat::ALL {
                    self.watched.outputs[scheduled.seats[seat]].begin_game(first.number);
                }
                let roster = state.watched().roster.take();
                let shown = WatchedGame::new(first, round, scheduled.number);
                state.watched = Some(WatchedGame { roster, ..shown });
            } else {
                state.watched().waits = true;
                state.watched().follow(game);
            }
        });
        if is_new {
            return;
        }
        let stop = Arc::clone(&shared.state.lock().stop);
        shared.pause.wait_while_paused(&stop);
        shared.publish(|state| {
            let shown = state.watched();
            shown.waits = false;
            if let Some(asked) = &mut shown.edit().asked {
                asked.since = Some(shared.time.now());
            }
        });
    }

    fn over(&self, _: usize, scheduled: &ScheduledGame, game: &Game, end: &GameEnd) {
        let shared = self.shared;
        shared.publish(|state| {
            if let Some(result) = game.result() {
                state.tally.add_game(scheduled.seats, result);
            }
            let standings = standings(state);
            let shown = state.watched();
            shown.is_over = true;
            shown.follow(game);
            let snapshot = shown.edit();
            snapshot.detail.clone_from(&end.detail);
            if let Some(series) = &mut snapshot.series {
                series.standings = standings;
            }
        });
        if scheduled.number < shared.state.lock().shown.total {
            let goes_on = || {
                let mut state = shared.state.lock();
                state.watched().is_skipped || state.stop.is_requested()
            };
            shared.pause.rest(self.watched.interval, goes_on);
        }
    }
}

/// The players of a run, whose output is recorded.
struct ObservedRoster<'a> {
    roster: SharedRoster,
    outputs: &'a [Arc<EngineOutput>],
    stop: &'a Arc<Stop>,
}

impl Roster for ObservedRoster<'_> {
    fn player(&self, engine: usize) -> Box<dyn Player> {
        let (player, stop) = (self.roster.player(engine), Arc::clone(self.stop));
        Box::new(ObservedPlayer { player, output: Arc::clone(&self.outputs[engine]), stop })
    }

    fn interrupt(&self) {
        self.roster.interrupt();
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
