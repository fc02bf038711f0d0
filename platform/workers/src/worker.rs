//! A worker: it takes jobs from a server, plays them, and sends what it played.

mod ready;
mod tables;

use std::collections::BTreeMap;
use std::io;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant, SystemTime};

use async_nats::jetstream::stream::DirectGetErrorKind;
use tengen_players::Time;
use tengen_tournament::{Affinity, ConfigError, JobTables, Roster, Stop, TableCpus};
use tokio::runtime::{Handle, Runtime};
use tokio::sync::Notify;

use self::ready::ReadyEvent;
use self::tables::EventTable;
use crate::bus::{Bus, BusError, NatsOptions, WORKER_AGE};
use crate::coordinator::{AGAIN, runtime};
use crate::message::{EventNotice, WorkerEvent, WorkerState, machine};
use crate::rights::is_token;
use crate::server::ServerLink;
use crate::turns::TurnKeeper;

/// How often the server hears that a job is still being played.
const PROGRESS: Duration = Duration::from_secs(7);
/// How long one request for a job waits for one.
const WAIT: Duration = Duration::from_secs(2);
/// How often a job may be begun: one that ends every worker would go on for ever.
const MOST_BEGUN: i64 = 5;
/// How long a worker that is to end waits for the server to take its last results.
const LAST_WORDS: Duration = Duration::from_secs(10);
/// How often what goes on is looked at.
const LOOK: Duration = Duration::from_millis(20);
/// After so many looks without news all events are read again.
const READ_AGAIN: u32 = 60;
/// How long engines wait at a table for the next job, until they are ended.
const IDLE: Duration = Duration::from_secs(5);
/// After what time a worker looks again whether it can play an event that it could not play: its
/// disk may have been full.
const RETRY: Duration = Duration::from_secs(60);
/// After what time without a word of an event no game of it is begun: it may be run no more. Six
/// times as long as it takes to be told of again.
const SILENT: Duration = Duration::from_secs(30);
/// How long an event that had no job leaves a table to the others.
const DRY: Duration = Duration::from_millis(200);

/// What a worker is, and where its server is.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    pub nats: NatsOptions,
    /// Its name, which no other worker of the server has.
    pub name: String,
    /// How many games it plays at once.
    pub tables: usize,
    pub cpus: Affinity,
    /// How fast this machine is: nodes a second of the built-in engine.
    pub speed: u64,
    /// Where it keeps the engines that it was sent; the user's cache where none is named.
    pub cache: Option<PathBuf>,
    /// This program with its version.
    pub program: String,
    /// Whether no engine plays that the sandbox does not hold.
    pub require_sandbox: bool,
}

/// What is to be told of a worker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WorkerNews {
    /// It is known by this name.
    Connected {
        name: String,
    },
    /// No event was begun at the server yet.
    Waiting,
    /// It plays this event now.
    Joined {
        event: String,
    },
    /// It does not play that event, or not some of its engines.
    Refused {
        event: String,
        reason: String,
    },
    /// It plays that event no more.
    Left {
        event: String,
    },
    /// Nothing is heard of the machine that runs that event, and no game of it is begun; or it is
    /// heard of again.
    Silent {
        event: String,
        is_silent: bool,
    },
    /// The server is reached no more, or again. Games are played to their ends meanwhile.
    Away,
    Back,
    /// The server takes nothing at the moment, for this reason.
    Trouble {
        problem: String,
    },
    /// So many jobs are played by now.
    Played {
        jobs: u64,
    },
}

/// Why a worker ends.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    #[error(transparent)]
    Bus(#[from] BusError),
    #[error("cannot start what waits for the network: {0}")]
    Runtime(#[from] io::Error),
    #[error(transparent)]
    Cpus(#[from] ConfigError),
    #[error("`{0}` cannot be the name of a worker: one has letters and digits of ASCII, - and _")]
    Name(String),
}

/// Plays until a stop is requested.
///
/// # Errors
/// When the server cannot be reached at first, or wants this worker no more.
pub fn work(
    options: &WorkerOptions,
    time: &dyn Time,
    stop: &Stop,
    tell: &(dyn Fn(WorkerNews) + Sync),
) -> Result<(), WorkerError> {
    if !is_token(&options.name) {
        return Err(WorkerError::Name(options.name.clone()));
    }
    let runtime = runtime()?;
    let link = runtime.block_on(ServerLink::connect(&options.nats, &options.name))?;
    let name = match runtime.block_on(link.own_worker_user())? {
        Some(user) => format!("{user}.{}", options.name),
        None => options.name.clone(),
    };
    tell(WorkerNews::Connected { name: name.clone() });
    let options = &WorkerOptions { name, ..options.clone() };
    let Some(bus) = open(&runtime, &link, stop, tell)? else { return Ok(()) };
    let state = WorkerState {
        run: nuid::next().to_string(),
        program: options.program.clone(),
        tables: options.tables,
        machine: machine(),
        speed: options.speed,
        ..WorkerState::default()
    };
    let shared = Arc::new(WorkerShared {
        state: Mutex::new(state),
        notices: Mutex::default(),
        playing: AtomicUsize::new(0),
        jobs: AtomicU64::new(0),
        sending: AtomicUsize::new(0),
        has_begun: Notify::new(),
    });
    runtime.spawn(tell_state(bus.clone(), options.name.clone(), Arc::clone(&shared)));
    runtime.spawn(follow_events(bus.clone(), Arc::clone(&shared)));
    let handle = runtime.handle().clone();
    let cpus = TableCpus::new(options.tables, options.cpus.clone())?;
    let turns = TurnKeeper::default();
    let worker = WorkerRun { options, bus: &bus, handle, shared: &shared, time, tell, cpus, turns };
    let outcome = worker.run(stop);
    // What was played is not played again for want of a moment.
    let begun = Instant::now();
    let patience = || if bus.is_connected() { LAST_WORDS } else { WAIT };
    while shared.sending.load(Ordering::SeqCst) > 0 && begun.elapsed() < patience() {
        thread::sleep(LOOK);
    }
    let gone = bus.workers.delete(&options.name);
    let _in_time = runtime.block_on(async { tokio::time::timeout(WAIT, gone).await });
    runtime.shutdown_timeout(Duration::from_secs(1));
    outcome
}

/// Opens what is at the server, as soon as an event is begun there; nothing where a stop comes
/// first.
fn open(
    runtime: &Runtime,
    link: &ServerLink,
    stop: &Stop,
    tell: &(dyn Fn(WorkerNews) + Sync),
) -> Result<Option<Bus>, BusError> {
    let mut looked: Option<Instant> = None;
    while !stop.is_requested() && !stop.is_closing() {
        if looked.is_none_or(|looked| looked.elapsed() > AGAIN) {
            match runtime.block_on(Bus::open(link)) {
                Ok(None) => {}
                Ok(bus) => return Ok(bus),
                // It may have been started again.
                Err(BusError::Refused { problem, .. }) if looked.is_some() => {
                    log::debug!("the server does not tell what it has: {problem}");
                }
                Err(error) => return Err(error),
            }
            if looked.is_none() {
                tell(WorkerNews::Waiting);
            }
            looked = Some(Instant::now());
        }
        thread::sleep(LOOK);
    }
    Ok(None)
}

/// What the threads of a worker share.
struct WorkerShared {
    state: Mutex<WorkerState>,
    notices: Mutex<Notices>,
    playing: AtomicUsize,
    jobs: AtomicU64,
    /// Results that the server has not acknowledged yet.
    sending: AtomicUsize,
    /// Notified when the first game is begun: the server is to know it if that ends the worker.
    has_begun: Notify,
}

#[derive(Default)]
struct Notices {
    events: BTreeMap<String, HeardNotice>,
    /// Why workers were set aside, by event and worker.
    aside: BTreeMap<String, String>,
}

/// A notice of an event, and when this worker heard of it.
struct HeardNotice {
    notice: EventNotice,
    /// Its number at the server: each is heard once, however often it is read.
    revision: u64,
    /// None is too long ago.
    heard: Option<Instant>,
}

impl HeardNotice {
    fn is_silent(&self) -> bool {
        self.heard.is_none_or(|heard| heard.elapsed() > SILENT)
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl WorkerShared {
    fn state(&self) -> MutexGuard<'_, WorkerState> {
        locked(&self.state)
    }

    fn notice(&self, event: &str) -> Option<EventNotice> {
        locked(&self.notices).events.get(event).map(|heard| heard.notice.clone())
    }

    /// Whether nothing was heard of an event for so long that it may be run no more.
    fn is_silent(&self, event: &str) -> bool {
        locked(&self.notices).events.get(event).is_none_or(HeardNotice::is_silent)
    }
}

async fn tell_state(bus: Bus, name: String, shared: Arc<WorkerShared>) {
    let mut lag = 0;
    loop {
        let state = WorkerState {
            lag,
            playing: shared.playing.load(Ordering::Relaxed),
            jobs: shared.jobs.load(Ordering::Relaxed),
            ..shared.state().clone()
        };
        let bytes = serde_json::to_vec(&state).expect("every key is a string");
        let begun = Instant::now();
        match bus.workers.put(&name, bytes.into()).await {
            Ok(_) => lag = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX),
            Err(error) => {
                log::debug!("the server does not take what this worker tells: {error}");
            }
        }
        let _either = tokio::time::timeout(WORKER_AGE / 8, shared.has_begun.notified()).await;
    }
}

/// Reads what changes in the bucket of events. It asks: what sends changes on its own could be told
/// to send them to any subject, so that workers have no right to it.
async fn follow_events(bus: Bus, shared: Arc<WorkerShared>) {
    let (mut next, mut asked_in_vain) = (1, 0);
    loop {
        let keys = format!("{}>", bus.events.prefix);
        match bus.events.stream.direct_get_next_for_subject(keys, Some(next)).await {
            Ok(message) => {
                let age = SystemTime::now().duration_since(message.time.into());
                let told = (message.sequence, age.unwrap_or_default());
                next = message.sequence + 1;
                let key = message.subject.strip_prefix(&bus.events.prefix).unwrap_or_default();
                // A key that is removed has a last message which says so.
                let is_put = message.headers.get("KV-Operation").is_none();
                note_event(&shared, key.to_owned(), &message.payload, is_put, told);
                continue;
            }
            Err(error) if error.kind() == DirectGetErrorKind::NotFound => asked_in_vain += 1,
            Err(error) => log::debug!("the server does not tell of events: {error}"),
        }
        // A server that has lost all counts from 1 again.
        if asked_in_vain == READ_AGAIN {
            (next, asked_in_vain) = (1, 0);
        }
        tokio::time::sleep(AGAIN).await;
    }
}

/// Takes in what the bucket has for a key; `revision` is the number of that at the server.
fn note_event(
    shared: &WorkerShared,
    key: String,
    value: &[u8],
    is_put: bool,
    (revision, age): (u64, Duration),
) {
    let mut notices = locked(&shared.notices);
    if let Some(place) = key.strip_prefix("aside.") {
        let reason = String::from_utf8_lossy(value).into_owned();
        match is_put {
            true => notices.aside.insert(place.to_owned(), reason),
            false => notices.aside.remove(place),
        };
    } else if let Ok(notice) = serde_json::from_slice(value)
        && is_put
    {
        let heard = match notices.events.remove(&key) {
            Some(known) if known.revision == revision => known.heard,
            Some(_) => Some(Instant::now()),
            // One that was there before may be of an event that is run no more.
            None => (age < SILENT).then(Instant::now),
        };
        notices.events.insert(key, HeardNotice { notice, revision, heard });
    } else {
        notices.events.remove(&key);
    }
}

struct WorkerRun<'a> {
    options: &'a WorkerOptions,
    bus: &'a Bus,
    handle: Handle,
    shared: &'a Arc<WorkerShared>,
    time: &'a dyn Time,
    tell: &'a (dyn Fn(WorkerNews) + Sync),
    cpus: TableCpus,
    turns: TurnKeeper,
}

impl WorkerRun<'_> {
    fn run(&self, stop: &Stop) -> Result<(), WorkerError> {
        let (mut is_connected, mut trouble) = (true, None);
        let mut refused: BTreeMap<String, (EventNotice, Instant)> = BTreeMap::new();
        thread::scope(|scope| {
            let mut running: BTreeMap<String, ScopedJoinHandle<'_, ()>> = BTreeMap::new();
            while !stop.is_requested() && !stop.is_closing() {
                if let Some(denial) = self.bus.denial() {
                    return Err(denial.into());
                }
                if self.bus.is_connected() != is_connected {
                    is_connected = !is_connected;
                    (self.tell)(if is_connected { WorkerNews::Back } else { WorkerNews::Away });
                }
                let now = self.bus.trouble();
                if let Some(problem) = now.clone().filter(|_| now != trouble) {
                    (self.tell)(WorkerNews::Trouble { problem });
                }
                trouble = now;
                let ended: Vec<_> =
                    running.extract_if(.., |_, played| played.is_finished()).collect();
                if let Some(panic) = ended.into_iter().find_map(|(_, it)| it.join().err()) {
                    resume_unwind(panic);
                }
                let notices: BTreeMap<String, EventNotice> = {
                    let notices = locked(&self.shared.notices);
                    let heard = notices.events.iter().filter(|(_, heard)| !heard.is_silent());
                    heard.map(|(event, heard)| (event.clone(), heard.notice.clone())).collect()
                };
                self.shared.state().events.retain(|event, _| notices.contains_key(event));
                for (event, notice) in notices {
                    let is_refused = refused.get(&event).is_some_and(|(before, when)| {
                        before.is_same(&notice) && when.elapsed() < RETRY
                    });
                    if running.contains_key(&event) || is_refused || stop.is_requested() {
                        continue;
                    }
                    match self.handle.block_on(self.prepare(&event, &notice)) {
                        Ok((ready, about)) => {
                            self.tell_refused(&event, &notice.title, &about.refused);
                            self.shared.state().events.insert(event.clone(), about);
                            match ready.jobs.is_empty() {
                                true => drop(refused.insert(event, (notice, Instant::now()))),
                                false => {
                                    let play = scope.spawn(move || self.play(ready, stop));
                                    running.insert(event, play);
                                }
                            }
                        }
                        Err(reason) => {
                            self.refuse(&event, &notice.title, reason);
                            refused.insert(event, (notice, Instant::now()));
                        }
                    }
                }
                thread::sleep(LOOK);
            }
            Ok(())
        })
    }

    /// Says why it does not play an event, or not some engines, unless it has said so.
    fn tell_refused(&self, event: &str, title: &str, reasons: &[String]) {
        let known = self.shared.state().events.get(event).cloned().unwrap_or_default();
        for reason in reasons.iter().filter(|reason| !known.refused.contains(reason)) {
            let (event, reason) = (title.to_owned(), reason.clone());
            (self.tell)(WorkerNews::Refused { event, reason });
        }
    }

    /// Does not play an event for the moment, and says why.
    fn refuse(&self, event: &str, title: &str, reason: String) {
        let reasons = vec![reason];
        self.tell_refused(event, title, &reasons);
        let about = WorkerEvent { refused: reasons, ..WorkerEvent::default() };
        self.shared.state().events.insert(event.to_owned(), about);
    }

    /// Plays jobs of an event until it is over, has changed, or this worker is to stop.
    fn play(&self, ready: ReadyEvent, stop: &Stop) {
        let given_up = Stop::new();
        let tables = JobTables::new(&ready.config, &ready.roster, &given_up, &(), &self.cpus);
        let table = EventTable {
            worker: self,
            ready: &ready,
            stop,
            given_up: &given_up,
            played: AtomicU64::new(0),
            seated: AtomicUsize::new(self.options.tables),
        };
        thread::scope(|scope| {
            let sit = |number| {
                let (table, tables) = (&table, &tables);
                let name = format!("table {}", number + 1);
                let sit = move || table.sit(tables, number);
                let spawned = thread::Builder::new().name(name).spawn_scoped(scope, sit);
                spawned.expect("the system lets a program start some more threads")
            };
            let threads: Vec<_> = (0..self.options.tables).map(sit).collect();
            let mut was_silent = false;
            while !threads.iter().all(ScopedJoinHandle::is_finished) {
                if stop.is_requested() || !table.is_wanted() || self.bus.denial().is_some() {
                    given_up.request();
                    ready.roster.interrupt();
                }
                let is_silent = self.shared.is_silent(&ready.event);
                if is_silent != was_silent && table.is_wanted() {
                    was_silent = is_silent;
                    let event = ready.notice.title.clone();
                    (self.tell)(WorkerNews::Silent { event, is_silent });
                }
                thread::sleep(LOOK);
            }
        });
        self.shared.state().events.remove(&ready.event);
        if table.played.load(Ordering::Relaxed) > 0 {
            (self.tell)(WorkerNews::Left { event: ready.notice.title });
        }
    }
}
