//! A worker: it takes jobs from a server, plays them, and sends what it played.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::stream::DirectGetErrorKind;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use tengen_lineup::EngineRoster;
use tengen_packages::EngineSpec;
use tengen_players::Time;
use tengen_tournament::{
    Affinity, ChangedOption, EngineEntry, EventConfig, GameJob, JobTable, JobTables, Roster, Stop,
};
use tokio::runtime::{Handle, Runtime};

use crate::bus::{Bus, BusError, NatsOptions, WORKER_AGE, consumer, job_of, result_subject};
use crate::coordinator::{ACK_WAIT, AGAIN, publish_first, runtime};
use crate::files;
use crate::message::{EngineParcel, EventDetails, EventNotice, JobResult, WorkerState, system};
use crate::rights::is_token;
use crate::server::ServerLink;

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
/// How long an event may have no job for this worker, until others are looked at.
const IDLE: Duration = Duration::from_secs(5);

/// What a worker is, and where its server is.
#[derive(Clone, Debug)]
pub struct WorkerOptions {
    pub nats: NatsOptions,
    /// Its name, which no other worker of the server has.
    pub name: String,
    /// How many games it plays at once.
    pub tables: usize,
    pub cpus: Affinity,
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
    Connected { name: String },
    /// No event was begun at the server yet.
    Waiting,
    /// It plays this event now.
    Joined { event: String },
    /// It does not play that event.
    Refused { event: String, reason: String },
    /// It plays that event no more.
    Left { event: String },
    /// So many jobs are played by now.
    Played { jobs: u64 },
}

/// Why a worker ends.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    #[error(transparent)]
    Bus(#[from] BusError),
    #[error("cannot start what waits for the network: {0}")]
    Runtime(#[from] io::Error),
    #[error("`{0}` cannot be the name of a worker: one has letters and digits of ASCII, - and _")]
    Name(String),
    #[error("the coordinator has set this worker aside: {0}")]
    SetAside(String),
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
    let worker = WorkerRun { options, bus: &bus, handle, shared: &shared, time, tell };
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
    /// Why each of these workers was set aside.
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
    loop {
        let state = WorkerState {
            playing: shared.playing.load(Ordering::Relaxed),
            jobs: shared.jobs.load(Ordering::Relaxed),
            ..shared.state().clone()
        };
        let bytes = serde_json::to_vec(&state).expect("every key is a string");
        if let Err(error) = bus.workers.put(&name, bytes.into()).await {
            log::debug!("the server does not take what this worker tells: {error}");
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
    if let Some(worker) = key.strip_prefix("aside.") {
        let reason = String::from_utf8_lossy(value).into_owned();
        notices.aside.insert(worker.to_owned(), reason);
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
}

/// An event whose engines are here.
struct ReadyEvent {
    config: EventConfig,
    roster: EngineRoster,
    jobs: Consumer<pull::Config>,
}

impl WorkerRun<'_> {
    fn run(&self, stop: &Stop) -> Result<(), WorkerError> {
        let mut ready: BTreeMap<String, (String, ReadyEvent)> = BTreeMap::new();
        while !stop.is_requested() && !stop.is_closing() {
            if let Some(reason) = self.aside() {
                return Err(WorkerError::SetAside(reason));
            }
            if let Some(denial) = self.bus.denial() {
                return Err(denial.into());
            }
            let events = locked(&self.shared.notices).events.clone();
            ready.retain(|event, (details, _)| {
                events.get(event).is_some_and(|notice| notice.details == *details)
            });
            self.shared.state().refused.retain(|event, _| events.contains_key(event));
            let mut has_played = false;
            for (event, notice) in events {
                if notice.paused || self.shared.state().refused.contains_key(&event) {
                    continue;
                }
                if !ready.contains_key(&event) {
                    match self.handle.block_on(self.prepare(&event, &notice)) {
                        Ok(prepared) => {
                            ready.insert(event.clone(), (notice.details.clone(), prepared));
                        }
                        Err(reason) => {
                            self.refuse(&event, reason);
                            continue;
                        }
                    }
                }
                has_played |= self.play(&event, &ready[&event].1, stop);
            }
            if !has_played {
                thread::sleep(LOOK);
            }
        }
        Ok(())
    }

    /// Does not play an event, and says why.
    fn refuse(&self, event: &str, reason: String) {
        let told = WorkerNews::Refused { event: event.to_owned(), reason: reason.clone() };
        (self.tell)(told);
        self.shared.state().refused.insert(event.to_owned(), reason);
    }

    fn aside(&self) -> Option<String> {
        locked(&self.shared.notices).aside.get(&self.options.name).cloned()
    }

    /// Gets the engines of an event, and makes sure that they can play here.
    async fn prepare(&self, event: &str, notice: &EventNotice) -> Result<ReadyEvent, String> {
        let WorkerOptions { program, tables, cpus, cache, .. } = self.options;
        if notice.program != *program {
            return Err(format!(
                "the event is run by {}, and this is {program}; both must be the same",
                notice.program
            ));
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
        for (entry, parcel) in config.engines.iter_mut().zip(&details.engines) {
            take_in(entry, parcel).await?;
        }
        if let (Some(entry), Some(parcel)) = (&mut config.opening_engine, &details.assistant) {
            take_in(entry, parcel).await?;
        }
        config.changed = ChangedOption::Keep;
        config.concurrency = *tables;
        config.cpus = cpus.clone();
        config.require_sandbox |= self.options.require_sandbox;
        let roster = EngineRoster::sent(&config, &cache);
        let roster = roster.map_err(|error| format!("{error:#}"))?;
        let jobs = self.bus.jobs.get_consumer(&consumer(event)).await;
        let jobs = jobs.map_err(|error| format!("the jobs of the event: {error}"))?;
        Ok(ReadyEvent { config, roster, jobs })
    }

    /// Plays jobs of an event while there are any. Whether there was one.
    fn play(&self, event: &str, ready: &ReadyEvent, stop: &Stop) -> bool {
        let given_up = Stop::new();
        let roster = ready.roster.renewed();
        let tables = match JobTables::new(&ready.config, &roster, &given_up, &()) {
            Ok(tables) => tables,
            Err(error) => {
                self.refuse(event, error.to_string());
                return false;
            }
        };
        let table = EventTable {
            worker: self,
            event,
            ready,
            stop,
            given_up: &given_up,
            latest: Mutex::new(Instant::now()),
            played: AtomicU64::new(0),
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
                let is_gone = self.shared.notice(event).is_none() || self.bus.denial().is_some();
                if stop.is_requested() || is_gone {
                    given_up.request();
                    roster.interrupt();
                }
                thread::sleep(LOOK);
            }
        });
        let has_played = table.played.load(Ordering::Relaxed) > 0;
        if has_played {
            self.shared.state().event = None;
            (self.tell)(WorkerNews::Left { event: event.to_owned() });
        }
        has_played
    }
}

/// What the tables of an event share.
struct EventTable<'a> {
    worker: &'a WorkerRun<'a>,
    event: &'a str,
    ready: &'a ReadyEvent,
    stop: &'a Stop,
    /// Requested when games are to be given up.
    given_up: &'a Stop,
    /// When a job was there last.
    latest: Mutex<Instant>,
    played: AtomicU64,
}

impl EventTable<'_> {
    fn sit(&self, tables: &JobTables<'_>, number: usize) {
        let mut table = tables.table(number, self.worker.time);
        while self.goes_on() {
            match self.worker.handle.block_on(self.next()) {
                Some(message) => self.play(&mut table, message),
                None => continue,
            }
        }
    }

    fn goes_on(&self) -> bool {
        let is_wanted = self.worker.shared.notice(self.event).is_some_and(|it| !it.paused);
        is_wanted
            && !self.stop.is_closing()
            && !self.given_up.is_requested()
            && self.worker.aside().is_none()
            && (locked(&self.latest).elapsed() < IDLE
                || self.worker.shared.playing.load(Ordering::Relaxed) > 0)
    }

    async fn next(&self) -> Option<Message> {
        let fetch = self.ready.jobs.fetch().max_messages(1).expires(WAIT);
        match fetch.messages().await {
            Ok(mut messages) => messages.next().await?.ok(),
            Err(error) => {
                log::debug!("no jobs are given: {error}");
                tokio::time::sleep(AGAIN).await;
                None
            }
        }
    }

    fn play(&self, table: &mut JobTable<'_>, message: Message) {
        let WorkerRun { options, bus, handle, shared, tell, .. } = self.worker;
        let begun = message.info().map_or(1, |info| info.delivered);
        let number = job_of(&message.subject).unwrap_or_default();
        let job: Result<GameJob, _> = serde_json::from_slice(&message.payload);
        if self.played.fetch_add(1, Ordering::Relaxed) == 0 {
            shared.state().event = Some(self.event.to_owned());
            tell(WorkerNews::Joined { event: self.event.to_owned() });
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
        *locked(&self.latest) = Instant::now();
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
        let result = JobResult { worker: options.name.clone(), played };
        let (bus, subject) = ((*bus).clone(), result_subject(self.event, number));
        // The next job does not wait for the server's disk.
        shared.sending.fetch_add(1, Ordering::SeqCst);
        let shared = Arc::clone(shared);
        handle.spawn(async move {
            publish_first(&bus, &subject, result.to_bytes()).await;
            let _again_where_it_fails = tokio::time::timeout(ACK_WAIT, message.double_ack()).await;
            shared.sending.fetch_sub(1, Ordering::SeqCst);
        });
    }
}
