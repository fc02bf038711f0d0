//! An event that workers of other machines play.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use tengen_lineup::EngineRoster;
use tengen_players::Time;
use tengen_tournament::{Event, EventError, EventProgress, RunOutcome, Stop, Watcher};
use tengen_workers::{Coordinator, DispatchNews, EventFiles, NatsOptions, WorkerState};

use crate::{args, report};

/// How long an event may have no worker, until that is said.
const ALONE: Duration = Duration::from_secs(3);
const LOOK: Duration = Duration::from_millis(200);

/// Plays what is left of an event by the workers that a server reaches.
pub(super) fn run(
    event: &mut Event,
    roster: &EngineRoster,
    server: &NatsOptions,
    (time, stop): (&dyn Time, &Stop),
    observe: &mut dyn FnMut(&EventProgress<'_>),
    watcher: &dyn Watcher,
) -> anyhow::Result<Result<RunOutcome, EventError>> {
    let (engines, assistant) = roster.bundles()?;
    let files = EventFiles { config: event.config().to_toml(), engines, assistant };
    let coordinator = Coordinator::begin(server, event.dir(), &args::program(), files)?;
    let mut tell = |news| match news {
        DispatchNews::Refused { job, worker, reason } => report::tell(format_args!(
            "tengen: game {job} by worker {worker} does not count: {reason}; it is played again"
        )),
        DispatchNews::SetAside { worker, reason } => report::tell(format_args!(
            "tengen: worker {worker} plays no more games of this event: {reason}"
        )),
        DispatchNews::Unplayable { job, reason } => {
            report::tell(format_args!("tengen: game {job} cannot be played: {reason}"))
        }
    };
    let mut dispatcher = coordinator.dispatcher(&mut tell)?;
    let (over, is_over) = channel::<()>();
    let run = std::thread::scope(|scope| {
        let coordinator = &coordinator;
        scope.spawn(move || tell_workers(coordinator, stop, &is_over));
        let workforce = Some(&mut dispatcher as &mut dyn tengen_tournament::Workforce);
        let run = event.run_by(workforce, roster, time, stop, observe, watcher);
        drop(over);
        run
    });
    let denial = coordinator.denial().map(|denial| denial.to_string());
    let failure = dispatcher.failure().map(str::to_owned).or(denial);
    drop(dispatcher);
    coordinator.end(matches!(run, Ok(RunOutcome::Finished)));
    match failure {
        Some(reason) => Err(anyhow::anyhow!("{reason}; the games that are played are saved")),
        None => Ok(run),
    }
}

/// Says which workers come and go, and that there is none, until the run is over. Stops it where
/// the server denies what it needs.
fn tell_workers(coordinator: &Coordinator, stop: &Stop, is_over: &Receiver<()>) {
    let mut known: BTreeMap<String, WorkerState> = BTreeMap::new();
    let (mut alone, mut told) = (Instant::now(), false);
    while is_over.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
        if coordinator.denial().is_some() {
            stop.request();
        }
        let workers = coordinator.workers();
        for (name, state) in &workers {
            let refused = state.refused.get(coordinator.event());
            if !known.contains_key(name) {
                let WorkerState { system, tables, .. } = state;
                report::tell(format_args!(
                    "tengen: worker {name} is there ({system}, {tables} games at once)"
                ));
            }
            let before = known.get(name).and_then(|known| known.refused.get(coordinator.event()));
            if let Some(reason) = refused.filter(|_| before.is_none()) {
                report::tell(format_args!(
                    "tengen: worker {name} does not play this event: {reason}"
                ));
            }
        }
        for name in known.keys().filter(|name| !workers.contains_key(*name)) {
            report::tell(format_args!("tengen: worker {name} is gone"));
        }
        let plays = |state: &WorkerState| !state.refused.contains_key(coordinator.event());
        if workers.values().any(plays) {
            (alone, told) = (Instant::now(), false);
        } else if alone.elapsed() > ALONE && !told {
            told = true;
            report::tell(format_args!(
                "tengen: no worker plays this event; start one with `tengen worker --nats URL`"
            ));
        }
        known = workers;
    }
}
