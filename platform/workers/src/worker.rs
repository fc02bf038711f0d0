//! A worker: it takes jobs from a server, plays them, and sends what it played.

use std::collections::BTreeMap;
use std::io;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::stream::DirectGetErrorKind;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use tengen_hosts::HostSettings;
use tengen_lineup::EngineRoster;
use tengen_packages::EngineSpec;
use tengen_players::Time;
use tengen_record::{RecordWorker, TimeScale};
use tengen_tournament::{
    Affinity, ChangedOption, ConfigError, EngineEntry, EventConfig, GameJob, JobTable, JobTables,
    Roster, Stop, TableCpus,
};
use tokio::runtime::{Handle, Runtime};

use crate::bus::{Bus, BusError, NatsOptions, WORKER_AGE, consumer, job_of, result_subject};
use crate::coordinator::{ACK_WAIT, AGAIN, publish_first, runtime};
use crate::files;
use crate::message::{
    EngineParcel, EventDetails, EventNotice, JobResult, WorkerEvent, WorkerState, machine, system,
};
use crate::rights::is_token;
use crate::server::ServerLink;
use crate::turns::{TableTurn, TurnKeeper};

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
    /// The server is reached no more, or again. Games are played to their ends meanwhile.
    Away,
    Back,
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
    let name = match runtime.block_on(link.worker_user()) {
        Some(user) => format!("{user}.{}", options.name),
        None => options.name.clone(),
    };
    tell(WorkerNews::Connected { name: name.clone() });
    let options = &WorkerOptions { name, ..options.clone() };
    let Some(bus) = open(&runtime, &link, stop, tell)? else { return Ok(()) };
    let state = WorkerState {
        program: options.program.clone(),
        system: system(),
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
    while shared.sending.load(Ordering::SeqCst) > 0 && begun.elapsed() < LAST_WORDS {
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
}

#[derive(Default)]
struct Notices {
    events: BTreeMap<String, EventNotice>,
    /// Why workers were set aside, by event and worker.
    aside: BTreeMap<String, String>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl WorkerShared {
    fn state(&self) -> MutexGuard<'_, WorkerState> {
        locked(&self.state)
    }

    fn notice(&self, event: &str) -> Option<EventNotice> {
        locked(&self.notices).events.get(event).cloned()
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
        tokio::time::sleep(WORKER_AGE / 8).await;
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
                next = message.sequence + 1;
                let key = message.subject.strip_prefix(&bus.events.prefix).unwrap_or_default();
                // A key that is removed has a last message which says so.
                let is_put = message.headers.get("KV-Operation").is_none();
                note_event(&shared, key.to_owned(), &message.payload, is_put);
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

fn note_event(shared: &WorkerShared, key: String, value: &[u8], is_put: bool) {
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
        notices.events.insert(key, notice);
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

/// An event whose engines are here.
struct ReadyEvent {
    event: String,
    /// The run and the description that this is of.
    notice: EventNotice,
    config: EventConfig,
    roster: EngineRoster,
    /// The jobs of each class that can be played here.
    jobs: Vec<Consumer<pull::Config>>,
    worker: RecordWorker,
}

impl WorkerRun<'_> {
    fn run(&self, stop: &Stop) -> Result<(), WorkerError> {
        let mut is_connected = true;
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
                let ended: Vec<_> =
                    running.extract_if(.., |_, played| played.is_finished()).collect();
                if let Some(panic) = ended.into_iter().find_map(|(_, it)| it.join().err()) {
                    resume_unwind(panic);
                }
                let notices = locked(&self.shared.notices).events.clone();
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

    /// Why the coordinator of an event wants no more games of this worker.
    fn aside(&self, event: &str) -> Option<String> {
        locked(&self.shared.notices).aside.get(&format!("{event}.{}", self.options.name)).cloned()
    }

    /// Gets the engines of an event that can play here.
    async fn prepare(
        &self,
        event: &str,
        notice: &EventNotice,
    ) -> Result<(ReadyEvent, WorkerEvent), String> {
        let WorkerOptions { name, program, tables, cpus, cache, speed, .. } = self.options;
        if notice.program != *program {
            return Err(format!(
                "the event is run by {}, and this is {program}; both must be the same",
                notice.program
            ));
        }
        if let Some(reason) = self.aside(event) {
            return Err(set_aside(&reason));
        }
        let fetch = async |name: &str| {
            let fetched = files::get(&self.bus.files, name).await;
            fetched.map_err(|problem| format!("file {name} of the server: {problem}"))
        };
        let details: EventDetails = serde_json::from_slice(&fetch(&notice.details).await?)
            .map_err(|error| format!("the description of the event: {error}"))?;
        let nowhere = PathBuf::from("event.toml");
        let mut config =
            EventConfig::from_toml(&details.config, &nowhere).map_err(|error| error.to_string())?;
        config.validate().map_err(|error| error.to_string())?;
        if config.engines.len() != details.engines.len() {
            return Err("the description of the event names other engines than it has".to_owned());
        }
        enough_memory(&config, *tables)?;
        let (classes, labels) = (details.classes(), config.labels());
        let mut lacks: BTreeMap<usize, String> = BTreeMap::new();
        for (place, needs) in classes.engines().iter().enumerate() {
            if let Some(need) = needs.iter().find(|need| !tengen_packages::has(need)) {
                let reason = format!("{}: it needs {need}, which is not here", labels[place]);
                lacks.insert(place, reason);
            }
        }
        let cache = cache.clone().unwrap_or_else(tengen_packages::user_cache);
        let take_in = async |entry: &mut EngineEntry, parcel: &EngineParcel| {
            if let Some(name) = &parcel.files {
                let bundle = fetch(name).await?;
                let taken = EngineSpec::take_in(&bundle, &cache);
                entry.files = taken.map_err(|error| format!("{}: {error}", entry.id))?;
                entry.path = None;
            }
            Ok::<_, String>(())
        };
        let entries = config.engines.iter_mut().zip(&details.engines).enumerate();
        for (place, (entry, parcel)) in entries {
            if !lacks.contains_key(&place) {
                take_in(entry, parcel).await?;
            }
        }
        if let (Some(entry), Some(parcel)) = (&mut config.opening_engine, &details.assistant) {
            take_in(entry, parcel).await?;
        }
        config.changed = ChangedOption::Keep;
        config.concurrency = *tables;
        config.cpus = cpus.clone();
        config.require_sandbox |= self.options.require_sandbox;
        let scale = match config.scale_time {
            Some(reference) => TimeScale::new(reference as f64 / (*speed).max(1) as f64),
            None => TimeScale::ONE,
        };
        config.time_scale = scale;
        let mut here = config.clone();
        if details.system != system() {
            // Another system has other layers. What matters there is that there is a sandbox.
            here.engines.iter_mut().for_each(|entry| entry.layers.clear());
        }
        let sent = EngineRoster::sent(&here, &cache, |place| !lacks.contains_key(&place));
        let (roster, unfit) = sent.map_err(|error| format!("{error:#}"))?;
        lacks.extend(unfit.into_iter().map(|(place, error)| (place, format!("{error:#}"))));
        let playable = classes.playable(|place| !lacks.contains_key(&place));
        let mut jobs = Vec::with_capacity(playable.len());
        for class in &playable {
            let consumer = self.bus.jobs.get_consumer(&consumer(event, *class)).await;
            jobs.push(consumer.map_err(|error| format!("the jobs of the event: {error}"))?);
        }
        let (event, notice) = (event.to_owned(), notice.clone());
        let worker = RecordWorker { name: name.clone(), machine: machine(), scale };
        let about = WorkerEvent { classes: playable, refused: lacks.into_values().collect() };
        Ok((ReadyEvent { event, notice, config, roster, jobs, worker }, about))
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
            while !threads.iter().all(ScopedJoinHandle::is_finished) {
                if stop.is_requested() || !table.is_wanted() || self.bus.denial().is_some() {
                    given_up.request();
                    ready.roster.interrupt();
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

/// Why a worker does not play an event any more.
fn set_aside(reason: &str) -> String {
    format!("its coordinator has set this worker aside: {reason}")
}

/// Whether two engines at each table can have what the event gives them.
fn enough_memory(config: &EventConfig, tables: usize) -> Result<(), String> {
    let (Some(limit), Some(memory)) = (config.memory, HostSettings::machine_memory()) else {
        return Ok(());
    };
    let needed = 2 * tables as u64 * (u64::from(limit.0) << 20);
    match needed <= memory {
        true => Ok(()),
        false => Err(format!(
            "two engines at each of {tables} tables may take {} MiB of memory, and this machine has \
             {}; begin fewer games at once with --concurrency",
            needed >> 20,
            memory >> 20
        )),
    }
}

/// What the tables of an event share.
struct EventTable<'a> {
    worker: &'a WorkerRun<'a>,
    ready: &'a ReadyEvent,
    stop: &'a Stop,
    /// Requested when games are to be given up.
    given_up: &'a Stop,
    played: AtomicU64,
    /// The tables that may still play. Engines die with the thread that started them, and may play
    /// at other tables: so no thread ends before all have played.
    seated: AtomicUsize,
}

/// A table that may still play.
struct TakenSeat<'a>(&'a EventTable<'a>);

impl Drop for TakenSeat<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.given_up.request();
        }
        self.0.seated.fetch_sub(1, Ordering::SeqCst);
    }
}

impl EventTable<'_> {
    fn sit(&self, tables: &JobTables<'_>, number: usize) {
        let seat = TakenSeat(self);
        let (mut table, mut latest) = (None, Instant::now());
        let mut next = number;
        while self.goes_on() {
            let turn = self.worker.turns.wait(number, &self.ready.event, || self.goes_on());
            let Some(turn) = turn.filter(|_| !self.is_paused()) else {
                thread::sleep(LOOK);
                continue;
            };
            match self.worker.handle.block_on(self.next(&turn, &mut next)) {
                Some(message) => {
                    turn.charge(self.ready.notice.priority);
                    let time = self.worker.time;
                    let table = table.get_or_insert_with(|| tables.table(number, time));
                    self.play(table, message);
                    latest = Instant::now();
                }
                None => {
                    let is_wanted = turn.is_wanted();
                    drop(turn);
                    if latest.elapsed() > IDLE {
                        table = None;
                    }
                    if is_wanted {
                        thread::sleep(DRY);
                    }
                }
            }
        }
        drop((table, seat));
        while self.seated.load(Ordering::SeqCst) > 0 {
            thread::sleep(LOOK);
        }
    }

    /// The event as the server has it now, if it is still what is ready here. Another run of it may
    /// have begun meanwhile.
    fn notice(&self) -> Option<EventNotice> {
        let notice = self.worker.shared.notice(&self.ready.event);
        notice.filter(|notice| notice.is_same(&self.ready.notice))
    }

    fn is_wanted(&self) -> bool {
        self.notice().is_some() && self.worker.aside(&self.ready.event).is_none()
    }

    fn is_paused(&self) -> bool {
        self.notice().is_some_and(|notice| notice.paused)
    }

    fn goes_on(&self) -> bool {
        self.is_wanted() && !self.stop.is_closing() && !self.given_up.is_requested()
    }

    /// The next job, of any class in turn; none if there is none for a while. Where another event
    /// wants the table, there is no wait.
    async fn next(&self, turn: &TableTurn<'_>, next: &mut usize) -> Option<Message> {
        let consumers = &self.ready.jobs;
        for _ in 0..consumers.len() {
            *next = (*next + 1) % consumers.len();
            let fetch = consumers[*next].fetch().max_messages(1);
            match fetch.messages().await {
                Ok(mut messages) => match messages.next().await {
                    Some(Ok(message)) => return Some(message),
                    _ => continue,
                },
                Err(error) => {
                    log::debug!("no jobs are given: {error}");
                    tokio::time::sleep(AGAIN).await;
                }
            }
        }
        if turn.is_wanted() {
            return None;
        }
        let wait = if consumers.len() == 1 { WAIT } else { DRY };
        let wait = consumers[*next].batch().max_messages(1).expires(wait);
        wait.messages().await.ok()?.next().await?.ok()
    }

    fn play(&self, table: &mut JobTable<'_>, message: Message) {
        let WorkerRun { bus, handle, shared, tell, .. } = self.worker;
        let begun = message.info().map_or(1, |info| info.delivered);
        let number = job_of(&message.subject).unwrap_or_default();
        let job: Result<GameJob, _> = serde_json::from_slice(&message.payload);
        if self.played.fetch_add(1, Ordering::Relaxed) == 0 {
            tell(WorkerNews::Joined { event: self.ready.notice.title.clone() });
        }
        let message = Arc::new(message);
        let progress = handle.spawn({
            let message = Arc::clone(&message);
            async move {
                loop {
                    tokio::time::sleep(PROGRESS).await;
                    let _heard = message.ack_with(AckKind::Progress).await;
                }
            }
        });
        shared.playing.fetch_add(1, Ordering::Relaxed);
        let played = match job {
            Ok(job) if !table.has_engines(&job) => Some(Err(
                "the event has engines that its workers were not sent; resume it".to_owned(),
            )),
            Ok(job) if begun <= MOST_BEGUN => table.play(&job).map(Ok),
            Ok(_) => {
                Some(Err(format!("it was begun {MOST_BEGUN} times, and no worker came to its end")))
            }
            Err(error) => Some(Err(format!("it cannot be read: {error}"))),
        };
        shared.playing.fetch_sub(1, Ordering::Relaxed);
        progress.abort();
        let Some(played) = played else {
            // Another worker may have it at once.
            handle.block_on(async {
                let _heard = message.ack_with(AckKind::Nak(None)).await;
            });
            return;
        };
        let jobs = shared.jobs.fetch_add(1, Ordering::Relaxed) + 1;
        tell(WorkerNews::Played { jobs });
        let result = JobResult { worker: self.ready.worker.clone(), played };
        let (bus, subject) = ((*bus).clone(), result_subject(&self.ready.event, number));
        // The next job does not wait for the server's disk.
        shared.sending.fetch_add(1, Ordering::SeqCst);
        let shared = Arc::clone(shared);
        let event = self.ready.event.clone();
        handle.spawn(async move {
            // What comes after the event is over would stay at the server.
            publish_first(&bus, &subject, result.to_bytes(), Some(&event)).await;
            let _again_where_it_fails = tokio::time::timeout(ACK_WAIT, message.double_ack()).await;
            shared.sending.fetch_sub(1, Ordering::SeqCst);
        });
    }
}
