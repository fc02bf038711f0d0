//! The coordinator's end of the line: what it sends to a server, and gets from there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{AckPolicy, DeliverPolicy, pull};
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{kv, stream};
use futures_util::StreamExt;
use tengen_lineup::EngineBundle;
use tengen_tournament::GameJob;
use tokio::runtime::Runtime;
use tokio::sync::mpsc;

use crate::bus::{Bus, BusError, NatsOptions, aside_key, consumer, job_subject, result_of};
use crate::dispatch::{DispatchNews, Dispatcher, JobBus, JobReport, Returned, user_of};
use crate::files;
use crate::message::{
    EngineParcel, EventDetails, EventNotice, JobClasses, JobResult, ResultKind, WorkerState, system,
};
use crate::presence::{self, WorkerPresence};

/// How long a worker that plays a job may be silent until that is given to another one.
pub(crate) const ACK_WAIT: Duration = Duration::from_secs(30);
/// How long to wait after something that the server did not do, before it is asked again.
pub(crate) const AGAIN: Duration = Duration::from_millis(500);
/// The fewest jobs that are out, so that a worker that comes finds some at once.
const LEAST_ROOM: usize = 16;
/// The most results that wait to be judged; others wait at the server.
const MOST_REPORTS: usize = 64;
/// How often jobs that are out are sent again, if they are not at the server.
const REMIND: Duration = Duration::from_secs(30);
/// How often workers hear that an event is still run.
const HEARTBEAT: Duration = Duration::from_secs(5);
/// How often results that are saved are removed at the server.
const SWEEP: Duration = Duration::from_secs(2);
/// The file of an event with its name at servers.
const NAME_FILE: &str = "workers.id";

/// Why an event cannot be played by workers.
#[derive(Debug, thiserror::Error)]
pub enum CoordinatorError {
    #[error(transparent)]
    Bus(#[from] BusError),
    #[error("{}: {source}", path.display())]
    Name { path: PathBuf, source: io::Error },
    #[error("cannot start what waits for the network: {0}")]
    Runtime(io::Error),
}

/// What of an event goes to workers.
pub struct EventFiles {
    /// What workers call the event.
    pub title: String,
    /// The configuration, as `event.toml` has it.
    pub config: String,
    /// The engines, by their places.
    pub engines: Vec<EngineBundle>,
    /// The engine that answers opening questions for the others, where there is one.
    pub assistant: Option<EngineBundle>,
    /// Where workers play several events, each gets as many of the jobs as this is of the sum.
    pub priority: u32,
}

/// An event at a server, ready to be played by workers.
pub struct Coordinator {
    runtime: Runtime,
    bus: Bus,
    event: String,
    notice: EventNotice,
    classes: JobClasses,
    presence: Arc<Mutex<WorkerPresence>>,
}

impl Coordinator {
    /// Connects to a server and sends what workers need for an event, whose folder keeps the
    /// event's name there. `program` is this program with its version.
    ///
    /// # Errors
    /// When the server cannot be reached or does not do it.
    pub fn begin(
        options: &NatsOptions,
        folder: &Path,
        program: &str,
        event: EventFiles,
    ) -> Result<Coordinator, CoordinatorError> {
        let runtime = runtime().map_err(CoordinatorError::Runtime)?;
        let name = event_name(folder)?;
        let (bus, notice, classes) = runtime.block_on(async {
            let bus = Bus::connect(options, "tengen coordinator").await?;
            let (details, classes) = upload(&bus, &event).await?;
            let notice = EventNotice {
                title: event.title.clone(),
                program: program.to_owned(),
                details,
                run: nuid::next().to_string(),
                paused: false,
                priority: event.priority,
            };
            // Jobs of an earlier run are sent again if they are still to be played.
            bus.jobs
                .purge()
                .filter(format!("jobs.{name}.>"))
                .await
                .map_err(|error| bus.refused("clearing old jobs", error))?;
            // Engines may have joined since: then there are other classes.
            remove_consumers(&bus, &name).await;
            for class in 0..classes.needs().len() {
                let config = pull::Config {
                    durable_name: Some(consumer(&name, class)),
                    filter_subject: format!("jobs.{name}.{class}.>"),
                    ack_policy: AckPolicy::Explicit,
                    ack_wait: ACK_WAIT,
                    max_ack_pending: -1,
                    ..pull::Config::default()
                };
                let made = bus.jobs.create_consumer(config).await;
                made.map_err(|error| bus.refused("the consumer of jobs", error))?;
            }
            Ok::<_, BusError>((bus, notice, classes))
        })?;
        let presence = Arc::new(Mutex::new(WorkerPresence::default()));
        runtime.spawn(presence::follow(bus.clone(), Arc::clone(&presence)));
        Ok(Coordinator { runtime, bus, event: name, notice, classes, presence })
    }

    /// Connects as one who runs an event, to see whether that can be done.
    ///
    /// # Errors
    /// When the server cannot be reached or does not do it.
    pub fn check(options: &NatsOptions) -> Result<(), CoordinatorError> {
        let runtime = runtime().map_err(CoordinatorError::Runtime)?;
        runtime.block_on(Bus::connect(options, "tengen coordinator"))?;
        Ok(())
    }

    /// What the server has denied, if it has: the event does not go on then.
    pub fn denial(&self) -> Option<BusError> {
        self.bus.denial()
    }

    /// The event's name at the server.
    pub fn event(&self) -> &str {
        &self.event
    }

    /// The workers that are there, by name, and for how long nothing was heard of each.
    pub fn workers(&self) -> BTreeMap<String, (WorkerState, Duration)> {
        let presence = locked(&self.presence);
        let told = presence.present();
        told.map(|(name, state, silent)| (name.clone(), (state.clone(), silent))).collect()
    }

    /// Why the server takes no messages at the moment, as when its disk is full.
    pub fn trouble(&self) -> Option<String> {
        self.bus.trouble()
    }

    /// The names that several workers have at the same time, each told once.
    pub fn take_clashes(&self) -> BTreeSet<String> {
        locked(&self.presence).take_clashes()
    }

    /// Whether the server is reached at the moment.
    pub fn is_connected(&self) -> bool {
        self.bus.is_connected()
    }

    /// What has the event's games played. It tells what happens on the way.
    ///
    /// # Errors
    /// When the server does not do it.
    pub fn dispatcher<'n>(
        &self,
        tell: &'n mut dyn FnMut(DispatchNews),
    ) -> Result<Dispatcher<'n, NatsBus>, BusError> {
        let (sender, reports) = mpsc::channel(MOST_REPORTS);
        let first = (self.bus.clone(), self.event.clone());
        let revision = self.runtime.block_on(async {
            let put = self.bus.events.put(&self.event, self.notice.to_bytes()).await;
            put.map_err(|problem| self.bus.refused("announcing the event", problem))
        })?;
        self.runtime.spawn(follow_results(first.0, first.1, sender));
        let (is_taken, is_lost) = (Arc::new(AtomicBool::new(false)), Arc::default());
        let own = (self.bus.clone(), self.event.clone(), self.notice.run.clone());
        self.runtime.spawn(watch_for_others(own, Arc::clone(&is_taken)));
        let (orders, taken) = mpsc::unbounded_channel();
        let carrier = Carrier {
            bus: self.bus.clone(),
            event: self.event.clone(),
            notice: self.notice.clone(),
            revision,
            is_called_back: false,
            is_lost: Arc::clone(&is_lost),
            classes: self.classes.clone(),
        };
        self.runtime.spawn(carrier.carry(taken));
        let bus = NatsBus {
            orders,
            reports,
            event: self.event.clone(),
            classes: self.classes.clone(),
            presence: Arc::clone(&self.presence),
            bus: self.bus.clone(),
            is_taken,
            is_lost,
            reminded: Instant::now(),
            needed: BTreeSet::new(),
            received: 0,
        };
        Ok(Dispatcher::new(bus, tell))
    }

    /// Takes the event from the server, whether it is finished or goes on later. What is there of
    /// an event that is finished is removed. Nothing is done where the server is not reached:
    /// workers do not go on with an event that they do not hear of.
    pub fn end(self, is_finished: bool) {
        let Coordinator { runtime, bus, event, notice, .. } = self;
        if !bus.is_connected() {
            return runtime.shutdown_timeout(Duration::from_secs(1));
        }
        let clear = async {
            if !is_own(&bus, &event, &notice.run).await {
                return;
            }
            let _gone = bus.events.purge(&event).await;
            let _gone = bus.jobs.purge().filter(format!("jobs.{event}.>")).await;
            clear_aside(&bus, &event).await;
            if is_finished {
                remove_consumers(&bus, &event).await;
                let _gone = bus.results.purge().filter(format!("results.{event}.>")).await;
            }
        };
        let _in_time =
            runtime.block_on(async { tokio::time::timeout(Duration::from_secs(10), clear).await });
        runtime.shutdown_timeout(Duration::from_secs(1));
    }
}

/// One thread for all that waits for the network.
pub(crate) fn runtime() -> io::Result<Runtime> {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.worker_threads(1).thread_name("nats").enable_all().build()
}

/// The name of an event at servers, which its folder keeps.
fn event_name(folder: &Path) -> Result<String, CoordinatorError> {
    let path = folder.join(NAME_FILE);
    let failed = |source| CoordinatorError::Name { path: path.clone(), source };
    match fs::read_to_string(&path) {
        Ok(name) if is_name(name.trim()) => return Ok(name.trim().to_owned()),
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(failed(error)),
    }
    let name = nuid::next().to_string();
    tengen_files::write(&path, name.as_bytes(), true).map_err(failed)?;
    Ok(name)
}

fn is_name(name: &str) -> bool {
    (8..=64).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Whether that run is the one that the server has, or none is.
async fn is_own(bus: &Bus, event: &str, run: &str) -> bool {
    match bus.events.get(event).await {
        Ok(Some(bytes)) => EventNotice::is_of_run(&bytes, run),
        _ => true,
    }
}

/// Lets every worker play again that was set aside.
async fn clear_aside(bus: &Bus, event: &str) {
    let Ok(mut keys) = bus.events.keys().await else { return };
    while let Some(Ok(key)) = keys.next().await {
        if key.starts_with(&aside_key(event, "")) {
            let _gone = bus.events.purge(key).await;
        }
    }
}

async fn remove_consumers(bus: &Bus, event: &str) {
    let mut class = 0;
    while bus.jobs.delete_consumer(&consumer(event, class)).await.is_ok() {
        class += 1;
    }
}

/// Sends what workers need, and gives the name of its description.
async fn upload(bus: &Bus, event: &EventFiles) -> Result<(String, JobClasses), BusError> {
    let refused = |problem: String| bus.refused("sending the engines", problem);
    let mut engines = Vec::with_capacity(event.engines.len());
    for files in &event.engines {
        engines.push(parcel(bus, files).await.map_err(refused)?);
    }
    let assistant = match &event.assistant {
        Some(files) => Some(parcel(bus, files).await.map_err(refused)?),
        None => None,
    };
    let (system, config) = (system(), event.config.clone());
    let details = EventDetails { system, config, engines, assistant };
    let classes = details.classes();
    let details = serde_json::to_vec(&details).expect("every key is a string");
    Ok((files::put(&bus.files, &details).await.map_err(refused)?, classes))
}

async fn parcel(bus: &Bus, engine: &EngineBundle) -> Result<EngineParcel, String> {
    let files = match &engine.files {
        Some(files) => Some(files::put(&bus.files, files).await?),
        None => None,
    };
    Ok(EngineParcel { files, needs: engine.needs.clone() })
}

fn locked(presence: &Mutex<WorkerPresence>) -> MutexGuard<'_, WorkerPresence> {
    presence.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Looks whether another run takes the event over.
async fn watch_for_others((bus, event, run): (Bus, String, String), is_taken: Arc<AtomicBool>) {
    loop {
        if let Ok(mut watch) = bus.events.watch_with_history(&event).await {
            while let Some(Ok(kv::Entry { value, operation, .. })) = watch.next().await {
                if operation == kv::Operation::Put && !EventNotice::is_of_run(&value, &run) {
                    return is_taken.store(true, Ordering::SeqCst);
                }
            }
        }
        tokio::time::sleep(AGAIN).await;
    }
}

/// Passes on each result of an event from the first that the server has.
async fn follow_results(bus: Bus, event: String, reports: mpsc::Sender<JobReport>) {
    let mut next = 0;
    loop {
        let deliver_policy = match next {
            0 => DeliverPolicy::All,
            start_sequence => DeliverPolicy::ByStartSequence { start_sequence },
        };
        let filter_subject = format!("results.{event}.>");
        let config = pull::OrderedConfig { filter_subject, deliver_policy, ..Default::default() };
        if let Ok(consumer) = bus.results.create_consumer(config).await
            && let Ok(mut messages) = consumer.messages().await
        {
            // The consumer is gone with a server that was started again, and would be missed only
            // after a while.
            let connected = bus.connected_again();
            tokio::pin!(connected);
            loop {
                let message = tokio::select! {
                    message = messages.next() => message,
                    () = &mut connected => None,
                };
                let Some(Ok(message)) = message else { break };
                let Ok(info) = message.info() else { continue };
                let sequence = info.stream_sequence;
                next = sequence + 1;
                let Some((job, user)) = result_of(&message.subject) else { continue };
                let read = JobResult::from_bytes(&message.payload, user);
                let (worker, played, size) = match read {
                    Ok((JobResult { worker, played }, size)) => {
                        let played = match played {
                            ResultKind::Played(played) => Returned::Games(played),
                            ResultKind::Fault(reason) => Returned::Nothing(reason),
                            ResultKind::GivenUp => Returned::GivenUp,
                        };
                        (worker, played, size)
                    }
                    Err((worker, problem)) => (worker, Returned::Unreadable(problem), 0),
                };
                let report = JobReport { job, sequence, worker, played, size };
                if reports.send(report).await.is_err() {
                    return;
                }
            }
        }
        tokio::time::sleep(AGAIN).await;
    }
}

/// What is to be done at the server, in this order.
enum BusOrder {
    Send(GameJob),
    SendAgain(GameJob, u64),
    /// Results before this one are needed no more.
    Forget(u64),
    Pause(bool),
    SetAside(String, String),
    /// Answered when it is done.
    CallBack(Sender<()>),
}

/// A [`JobBus`] by a server.
pub struct NatsBus {
    bus: Bus,
    orders: mpsc::UnboundedSender<BusOrder>,
    reports: mpsc::Receiver<JobReport>,
    event: String,
    classes: JobClasses,
    presence: Arc<Mutex<WorkerPresence>>,
    is_taken: Arc<AtomicBool>,
    is_lost: Arc<AtomicBool>,
    reminded: Instant,
    /// The results that were received and are still needed, and the last one received.
    needed: BTreeSet<u64>,
    received: u64,
}

impl NatsBus {
    fn order(&self, order: BusOrder) {
        // It takes orders as long as the coordinator is there.
        let _taken = self.orders.send(order);
    }

    /// A result is needed no more. Those at the server are removed in one go, from the first on.
    fn let_go(&mut self, sequence: u64) {
        let is_first = self.needed.first() == Some(&sequence);
        self.needed.remove(&sequence);
        if is_first {
            let next = self.needed.first().copied().unwrap_or(self.received + 1);
            self.order(BusOrder::Forget(next));
        }
    }
}

impl JobBus for NatsBus {
    fn class(&self, job: &GameJob) -> usize {
        self.classes.of([job.first.seats.first, job.first.seats.second])
    }

    fn room(&mut self, class: usize) -> usize {
        let presence = locked(&self.presence);
        let plays = |state: &&WorkerState| {
            state.events.get(&self.event).is_some_and(|it| it.classes.contains(&class))
        };
        let states = presence.present().map(|(_, state, _)| state);
        let tables: usize = states.filter(plays).map(|state| state.tables).sum();
        LEAST_ROOM.max(2 * tables)
    }

    fn is_time_to_remind(&mut self) -> bool {
        let is_time = self.reminded.elapsed() > REMIND;
        if is_time {
            self.reminded = Instant::now();
        }
        is_time
    }

    fn has_others(&mut self, user: &str) -> bool {
        let presence = locked(&self.presence);
        let mut states = presence.present();
        states.any(|(name, state, _)| user_of(name) != user && state.plays(&self.event))
    }

    fn note_played(&mut self, worker: &str) {
        locked(&self.presence).note_played(worker);
    }

    fn take_failing(&mut self) -> BTreeSet<String> {
        locked(&self.presence).take_failing()
    }

    fn failure(&mut self) -> Option<String> {
        if self.is_taken.load(Ordering::SeqCst) {
            return Some("another process runs this event at the server now".to_owned());
        }
        let is_lost = self.is_lost.load(Ordering::SeqCst);
        is_lost
            .then(|| "the server has lost the event; resume it, and all is sent again".to_owned())
    }

    fn send(&mut self, job: &GameJob) {
        self.order(BusOrder::Send(*job));
    }

    fn receive(&mut self) -> Option<JobReport> {
        let report = self.reports.try_recv().ok()?;
        self.received = report.sequence;
        self.needed.insert(report.sequence);
        Some(report)
    }

    fn forget(&mut self, sequence: u64) {
        self.let_go(sequence);
    }

    fn send_again(&mut self, job: &GameJob, sequence: u64) {
        self.let_go(sequence);
        self.order(BusOrder::SendAgain(*job, sequence));
    }

    fn pause(&mut self, is_paused: bool) {
        self.order(BusOrder::Pause(is_paused));
    }

    fn set_aside(&mut self, worker: &str, reason: &str) {
        self.order(BusOrder::SetAside(worker.to_owned(), reason.to_owned()));
    }

    fn call_back(&mut self) {
        if !self.bus.is_connected() {
            return;
        }
        let (done, wait) = channel();
        self.order(BusOrder::CallBack(done));
        let _in_time = wait.recv_timeout(Duration::from_secs(5));
    }
}

/// Does what is ordered at the server, again and again where it does not answer.
struct Carrier {
    bus: Bus,
    event: String,
    notice: EventNotice,
    /// The number of the notice at the server.
    revision: u64,
    is_called_back: bool,
    /// Set when the server has the event no more.
    is_lost: Arc<AtomicBool>,
    classes: JobClasses,
}

impl Carrier {
    async fn carry(mut self, mut orders: mpsc::UnboundedReceiver<BusOrder>) {
        let mut forgotten = None;
        let mut sweep = tokio::time::interval(SWEEP);
        let mut heartbeat = tokio::time::interval(HEARTBEAT);
        loop {
            let order = tokio::select! {
                order = orders.recv() => order,
                _ = sweep.tick() => {
                    self.sweep(&mut forgotten).await;
                    continue;
                }
                _ = heartbeat.tick() => {
                    // The next one comes soon.
                    let _done = self.put_notice().await;
                    continue;
                }
            };
            match order {
                None => return self.sweep(&mut forgotten).await,
                Some(BusOrder::Send(job)) => {
                    let subject = self.subject(&job);
                    tokio::spawn(send(self.bus.clone(), subject, job));
                }
                Some(BusOrder::SendAgain(job, sequence)) => {
                    let (bus, subject) = (self.bus.clone(), self.subject(&job));
                    tokio::spawn(async move {
                        while is_there(&bus.results, sequence).await {
                            let _gone = bus.results.delete_message(sequence).await;
                        }
                        send(bus, subject, job).await;
                    });
                }
                Some(BusOrder::Forget(sequence)) => {
                    forgotten = Some(sequence);
                }
                Some(BusOrder::Pause(paused)) => {
                    self.notice.paused = paused;
                    while !self.put_notice().await {
                        tokio::time::sleep(AGAIN).await;
                    }
                }
                Some(BusOrder::SetAside(worker, reason)) => {
                    let key = aside_key(&self.event, &worker);
                    let _told = self.bus.events.put(key, reason.into_bytes().into()).await;
                }
                Some(BusOrder::CallBack(done)) => {
                    self.is_called_back = true;
                    // Those of another run are its own.
                    if is_own(&self.bus, &self.event, &self.notice.run).await {
                        let _gone = self.bus.events.purge(&self.event).await;
                        let jobs = format!("jobs.{}.>", self.event);
                        let _gone = self.bus.jobs.purge().filter(jobs).await;
                    }
                    let _heard = done.send(());
                }
            }
        }
    }

    fn subject(&self, job: &GameJob) -> String {
        let class = self.classes.of([job.first.seats.first, job.first.seats.second]);
        job_subject(&self.event, class, job.first.number)
    }

    /// Tells workers of the event as it is now, unless another run has it or the server has lost
    /// it. Whether that came to an end.
    async fn put_notice(&mut self) -> bool {
        if self.is_called_back {
            return true;
        }
        let events = &self.bus.events;
        match events.update(&self.event, self.notice.to_bytes(), self.revision).await {
            Ok(revision) => {
                self.revision = revision;
                return true;
            }
            Err(error) => log::debug!("the server does not take the notice: {error}"),
        }
        match events.entry(&self.event).await {
            // An answer was lost.
            Ok(Some(entry)) if EventNotice::is_of_run(&entry.value, &self.notice.run) => {
                self.revision = entry.revision;
                false
            }
            Ok(Some(kv::Entry { operation: kv::Operation::Put, .. })) => true,
            // What is not there was removed by another process, or with all that the server kept.
            Ok(_) => {
                self.is_lost.store(true, Ordering::SeqCst);
                true
            }
            Err(_) => {
                let is_lost = self.bus.has_lost_streams().await;
                self.is_lost.fetch_or(is_lost, Ordering::SeqCst);
                is_lost
            }
        }
    }

    /// Removes the results before this one, which are needed no more.
    async fn sweep(&self, forgotten: &mut Option<u64>) {
        let Some(before) = *forgotten else { return };
        let results = format!("results.{}.>", self.event);
        if self.bus.results.purge().filter(results).sequence(before).await.is_ok() {
            *forgotten = None;
        }
    }
}

async fn is_there(stream: &stream::Stream, sequence: u64) -> bool {
    stream.get_raw_message(sequence).await.is_ok()
}

/// Sends a job, unless it is there already.
async fn send(bus: Bus, subject: String, job: GameJob) {
    let payload = serde_json::to_vec(&job).expect("every key is a string");
    publish_first(&bus, &subject, payload, None).await;
}

/// Publishes what is the only message of its subject, until the server has it or another one, or,
/// where it is for an event, has that no more.
pub(crate) async fn publish_first(bus: &Bus, subject: &str, payload: Vec<u8>, event: Option<&str>) {
    let payload = bytes::Bytes::from(payload);
    loop {
        if let Some(event) = event
            && !bus.has_event(event).await
        {
            return;
        }
        let message = PublishMessage::build().payload(payload.clone());
        let message = message.expected_last_subject_sequence(0);
        let published = match bus.context.send_publish(subject.to_owned(), message).await {
            Ok(acknowledged) => acknowledged.await.map(drop),
            Err(error) => Err(error),
        };
        match published.map_err(|error| (error.kind(), error.to_string())) {
            Ok(()) | Err((PublishErrorKind::WrongLastSequence, _)) => {
                return bus.note_trouble(None);
            }
            Err((kind, problem)) => {
                // Where it does not answer, that is told anyway.
                if kind == PublishErrorKind::Other {
                    bus.note_trouble(Some(problem));
                }
                tokio::time::sleep(AGAIN).await;
            }
        }
    }
}
