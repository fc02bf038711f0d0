//! An event that workers of other machines play.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use tengen_lineup::{EngineRoster, lock};
use tengen_players::Time;
use tengen_tournament::{
    Event, EventError, EventFollower, EventProgress, FollowedWorker, RunOutcome, Stop, Watcher,
};
use tengen_workers::{Coordinator, DispatchNews, EventFiles, NatsOptions, WorkerState};

use crate::args;
use crate::outcome::event_error;

/// How long an event may have no worker, until that is said.
const ALONE: Duration = Duration::from_secs(3);
const MINUTE: Duration = Duration::from_secs(60);
const LOOK: Duration = Duration::from_millis(200);

/// What the coordinator knows of the workers of an event.
#[derive(Default)]
struct WorkerGames {
    /// The games that count of each, and when they came: those of the last minute.
    workers: BTreeMap<String, (u64, VecDeque<(Instant, u64)>)>,
}

impl WorkerGames {
    fn add(&mut self, worker: String, games: u64) {
        let (all, lately) = self.workers.entry(worker).or_default();
        *all += games;
        lately.push_back((Instant::now(), games));
    }

    /// How many games of a worker count, and how many of the last minute.
    fn of(&mut self, worker: &str) -> (u64, u64) {
        let Some((all, lately)) = self.workers.get_mut(worker) else { return (0, 0) };
        while lately.pop_front_if(|(when, _)| when.elapsed() > MINUTE).is_some() {}
        (*all, lately.iter().map(|(_, games)| games).sum())
    }
}

/// Says what happens to the workers of an event.
pub(crate) type WorkerTeller<'a> = &'a (dyn Fn(fmt::Arguments<'_>) + Sync);

/// Makes sure that workers can play: that the server is there, and that the engines can be sent.
pub(super) fn check(server: &NatsOptions, roster: &EngineRoster) -> anyhow::Result<()> {
    roster.bundles()?;
    Ok(Coordinator::check(server)?)
}

/// Plays what is left of an event by the workers that a server reaches.
pub(crate) fn run(
    event: &mut Event,
    roster: &EngineRoster,
    (server, priority, title): (&NatsOptions, u32, String),
    (time, stop): (&dyn Time, &Stop),
    observe: &mut dyn FnMut(&EventProgress<'_>),
    (watcher, follower): (&dyn Watcher, &EventFollower),
    say: WorkerTeller<'_>,
) -> anyhow::Result<Result<RunOutcome, EventError>> {
    // Else the server would take it from the process that runs it.
    event.check_not_running().map_err(event_error)?;
    let (engines, assistant) = roster.bundles()?;
    let config = event.config().to_toml();
    let files = EventFiles { title, config, engines, assistant, priority };
    let coordinator = Coordinator::begin(server, event.dir(), &args::program(), files)?;
    let games = Mutex::<WorkerGames>::default();
    let mut tell = |news| match news {
        DispatchNews::Counted { worker, games: played } => lock(&games).add(worker, played),
        DispatchNews::Refused { job, worker, reason } => say(format_args!(
            "tengen: game {job} by worker {worker} does not count: {reason}; it is played again"
        )),
        DispatchNews::SetAside { worker, reason } => {
            say(format_args!("tengen: worker {worker} plays no more games of this event: {reason}"))
        }
        DispatchNews::Unplayable { job, reason } => {
            say(format_args!("tengen: game {job} cannot be played: {reason}"))
        }
    };
    let mut dispatcher = coordinator.dispatcher(&mut tell)?;
    let (over, is_over) = channel::<()>();
    let run = std::thread::scope(|scope| {
        let (coordinator, games) = (&coordinator, &games);
        let known = (games, follower);
        scope.spawn(move || tell_workers(coordinator, known, stop, &is_over, say));
        let workforce = Some(&mut dispatcher as &mut dyn tengen_tournament::Workforce);
        let run = event.run_by(workforce, roster, time, stop, observe, watcher);
        drop(over);
        run
    });
    let denial = coordinator.denial();
    let failure = dispatcher.failure().map(str::to_owned);
    drop(dispatcher);
    coordinator.end(matches!(run, Ok(RunOutcome::Finished)));
    match (failure, denial) {
        (Some(reason), _) => Err(anyhow::anyhow!("{reason}; the games that are played are saved")),
        (None, Some(denial)) => Err(denial.into()),
        (None, None) => Ok(run),
    }
}

/// Shows the workers, and says which come and go, and that there is none, until the run is over.
/// Stops it where the server denies what it needs.
fn tell_workers(
    coordinator: &Coordinator,
    (games, follower): (&Mutex<WorkerGames>, &EventFollower),
    stop: &Stop,
    is_over: &Receiver<()>,
    say: WorkerTeller<'_>,
) {
    let event = coordinator.event();
    let mut known: BTreeMap<String, WorkerState> = BTreeMap::new();
    let (mut alone, mut told) = (Instant::now(), false);
    let (mut is_connected, mut trouble) = (true, None);
    while is_over.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
        if coordinator.denial().is_some() {
            stop.request();
        }
        if coordinator.is_connected() != is_connected {
            is_connected = !is_connected;
            say(format_args!(
                "tengen: {}",
                match is_connected {
                    true => "the server is back",
                    false => "the server does not answer; the event goes on when it is back",
                }
            ));
        }
        let now = coordinator.trouble();
        if let Some(problem) = now.as_ref().filter(|_| now != trouble) {
            say(format_args!(
                "tengen: the server does not take what is sent: {problem}; it is sent again and \
                 again"
            ));
        }
        trouble = now;
        let workers = coordinator.workers();
        let show = |(name, (state, silent)): (&String, &(WorkerState, Duration))| {
            let (games, last_minute) = lock(games).of(name);
            FollowedWorker {
                name: name.clone(),
                machine: state.machine.clone(),
                tables: state.tables,
                games,
                last_minute,
                lag_ms: state.lag as f64 / 1e3,
                silent: silent.as_secs_f64(),
                note: refused(state, event).join("; "),
            }
        };
        follower.set_workers(workers.iter().map(show).collect());
        let workers: BTreeMap<String, WorkerState> =
            workers.into_iter().map(|(name, (state, _))| (name, state)).collect();
        for (name, state) in &workers {
            if !known.contains_key(name) {
                let WorkerState { machine, tables, .. } = state;
                let games = if *tables == 1 { "game" } else { "games" };
                say(format_args!(
                    "tengen: worker {name} is there ({machine}; {tables} {games} at once)"
                ));
            }
            let before = known.get(name).map(|known| refused(known, event)).unwrap_or_default();
            for reason in refused(state, event).iter().filter(|one| !before.contains(one)) {
                say(format_args!("tengen: worker {name} does not play everything: {reason}"));
            }
        }
        for name in known.keys().filter(|name| !workers.contains_key(*name)) {
            say(format_args!("tengen: worker {name} is gone; others play its games"));
        }
        for name in coordinator.take_clashes() {
            say(format_args!(
                "tengen: several workers are called {name}; give each its own --name, for their \
                 results are taken for those of one"
            ));
        }
        // A worker that is new to it gets its engines first.
        let may_play =
            |state: &WorkerState| state.plays(event) || !state.events.contains_key(event);
        if workers.values().any(may_play) {
            (alone, told) = (Instant::now(), false);
        } else if alone.elapsed() > ALONE && !told && is_connected {
            told = true;
            let which = if workers.is_empty() {
                "there is no worker"
            } else {
                "no worker that is there plays this event"
            };
            say(format_args!("tengen: {which}; start one with `tengen worker --nats URL`"));
        }
        known = workers;
    }
}

/// Why a worker plays no games of an event, or none of some engines.
fn refused<'a>(state: &'a WorkerState, event: &str) -> &'a [String] {
    state.events.get(event).map(|it| &it.refused[..]).unwrap_or_default()
}
