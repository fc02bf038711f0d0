//! What is sent out, what comes back, and what becomes of it. It knows no network: a [`JobBus`]
//! carries.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use tengen_record::RecordWorker;
use tengen_tournament::{
    GameBatch, GameJob, GameQueue, GameSink, LookAfter, NextJob, OpenJob, PlayedJob, Workforce,
};

/// How often a worker may send what cannot have been played before its results are not used.
const MOST_FAULTS: u32 = 3;
/// So many reports that a job cannot be played end the event, if they are of the only user that
/// there is, or the only worker; of two, one each is enough.
const MOST_NOTHINGS: usize = 3;
/// So many jobs whose games its machine spoiled set a worker aside, if they are most of its jobs.
const MOST_SPOILED: u64 = 5;
/// Why a worker is set aside that comes again and again.
const FAILING: &str = "it ended in the middle of its first games again and again";
/// The most memory for results of jobs that the queue has not come to, in bytes.
const MOST_EARLY: usize = 256 << 20;
/// The most jobs that are taken from the queue while their workers are busy, so that others play.
const MOST_HELD: usize = 1024;

/// Carries jobs to workers and what they played back.
pub trait JobBus {
    /// Jobs of one class can be played by the same workers.
    fn class(&self, job: &GameJob) -> usize;

    /// How many jobs of a class may be on their way or be played at once.
    fn room(&mut self, class: usize) -> usize;

    /// Sends a job. It is given to a worker, and to another one where that is lost.
    fn send(&mut self, job: &GameJob);

    /// The next result that has come. A job may have several: the first one that is right counts.
    fn receive(&mut self) -> Option<JobReport>;

    /// The result with that sequence number is needed no more: it is saved, or of no use.
    fn forget(&mut self, sequence: u64);

    /// Sends a job once more, in place of the result with that number.
    fn send_again(&mut self, job: &GameJob, sequence: u64);

    /// Whether workers play that are of no such user, or not this one where there are no users.
    fn has_others(&mut self, user: &str) -> bool;

    /// Has no job begun for the moment, or goes on.
    fn pause(&mut self, is_paused: bool);

    /// Takes no more results from that worker.
    fn set_aside(&mut self, worker: &str, reason: &str);

    /// A result of that worker counts.
    fn note_played(&mut self, worker: &str);

    /// The workers that ended in their first games again and again, each once.
    fn take_failing(&mut self) -> BTreeSet<String>;

    /// Whether it is time to send all jobs again that are out. Those that are still there, or are
    /// played, are not sent twice; one that a worker has acknowledged without a result is gone.
    fn is_time_to_remind(&mut self) -> bool;

    /// Why nothing can be carried any more, where that is so.
    fn failure(&mut self) -> Option<String>;

    /// Calls back all jobs: those that wait are gone, and those that are played are given up.
    fn call_back(&mut self);
}

/// A result as it comes.
#[derive(Clone, Debug)]
pub struct JobReport {
    /// The number of the job's first game.
    pub job: u64,
    /// Results are numbered as they come; a later one has a higher number.
    pub sequence: u64,
    /// Its name is empty where that is not known.
    pub worker: RecordWorker,
    pub played: Returned,
    /// How much of the memory it takes, more or less, in bytes.
    pub size: usize,
}

/// What a result holds.
#[derive(Clone, Debug)]
pub enum Returned {
    Games(PlayedJob),
    /// It cannot be read, for this reason.
    Unreadable(String),
    /// It was begun by one worker after another and never came to its end.
    Nothing(String),
    /// The worker was stopped first.
    GivenUp,
}

/// What is to be told of a dispatch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DispatchNews {
    /// So many games of a worker count.
    Counted { worker: String, games: u64 },
    /// What a worker sent does not count.
    Refused { job: u64, worker: String, reason: String },
    /// Its results are not used any more.
    SetAside { worker: String, reason: String },
    /// A job cannot be played anywhere: the event stops.
    Unplayable { job: u64, reason: String },
}

/// Has the games of an event played by workers that a bus reaches.
pub struct Dispatcher<'n, B> {
    pub bus: B,
    /// Hears what is to be told.
    tell: &'n mut dyn FnMut(DispatchNews),
    workers: BTreeMap<String, WorkerCount>,
    /// The users whose workers could not play a job.
    nothings: BTreeMap<u64, Vec<String>>,
    /// Results of jobs that are not taken yet: an earlier run of the event sent them out.
    early: BTreeMap<u64, JobReport>,
    early_bytes: usize,
    /// Why the event cannot go on.
    failure: Option<String>,
}

/// The user whose worker is called so; where it has none, the worker alone.
pub(crate) fn user_of(worker: &str) -> &str {
    worker.split_once('.').map_or(worker, |(user, _)| user)
}

/// What came from a worker.
#[derive(Default)]
struct WorkerCount {
    jobs: u64,
    /// How many of them its machine spoiled.
    spoiled: u64,
    /// How often it sent what cannot have been played.
    faults: u32,
    is_aside: bool,
}

/// What is out, and what was handed in and is not saved yet.
struct OpenJobs<'q> {
    out: BTreeMap<u64, OpenJob<'q>>,
    /// How many of each class are out.
    classes: BTreeMap<usize, usize>,
    /// Those that were taken while there was no room for their class.
    held: VecDeque<OpenJob<'q>>,
    /// The results whose games are not saved, by the number of a game.
    unsaved: BTreeMap<u64, u64>,
    batches: Sender<GameBatch>,
}

impl<'n, B: JobBus> Dispatcher<'n, B> {
    pub fn new(bus: B, tell: &'n mut dyn FnMut(DispatchNews)) -> Dispatcher<'n, B> {
        let (workers, early) = (BTreeMap::new(), BTreeMap::new());
        Dispatcher {
            bus,
            tell,
            workers,
            nothings: BTreeMap::new(),
            early,
            early_bytes: 0,
            failure: None,
        }
    }

    /// Why the event cannot go on, where that is so.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Takes jobs from the queue while there is room for them. Whether more may come.
    fn send_out<'q>(&mut self, queue: &'q GameQueue<'_>, jobs: &mut OpenJobs<'q>) -> bool {
        let mut full = BTreeSet::new();
        if queue.is_closed() {
            jobs.held.clear();
        }
        for _ in 0..jobs.held.len() {
            let Some(open) = jobs.held.pop_front() else { break };
            self.send(open, jobs, &mut full);
        }
        while jobs.held.len() < MOST_HELD {
            match queue.next_job() {
                NextJob::Play(open) => self.send(open, jobs, &mut full),
                NextJob::Wait => return true,
                NextJob::Over => return !jobs.held.is_empty(),
            }
            // Where all jobs are alike, no other one can be sent either.
            if !full.is_empty() && jobs.classes.len() <= 1 {
                return true;
            }
        }
        true
    }

    /// Sends a job if there is room for its class; else it is held.
    fn send<'q>(&mut self, open: OpenJob<'q>, jobs: &mut OpenJobs<'q>, full: &mut BTreeSet<usize>) {
        let job = open.job();
        let class = self.bus.class(&job);
        let out = jobs.classes.entry(class).or_default();
        if full.contains(&class) || *out >= self.bus.room(class) {
            full.insert(class);
            return jobs.held.push_back(open);
        }
        *out += 1;
        let number = job.first.number;
        jobs.out.insert(number, open);
        match self.early.remove(&number) {
            Some(report) => {
                self.early_bytes -= report.size;
                self.take_in(report, jobs);
            }
            None => self.bus.send(&job),
        }
    }

    /// Judges a result, and hands its games in.
    fn take_in(&mut self, report: JobReport, jobs: &mut OpenJobs<'_>) {
        let JobReport { job, sequence, worker, played, .. } = report;
        let Some(open) = jobs.out.get(&job) else { return self.bus.forget(sequence) };
        let sent = open.job();
        if self.workers.get(&worker.name).is_some_and(|count| count.is_aside) {
            return self.bus.send_again(&sent, sequence);
        }
        let played = match played {
            Returned::Games(played) => {
                open.judge(played, &worker).map_err(|fault| fault.to_string())
            }
            Returned::Unreadable(reason) => Err(reason),
            Returned::GivenUp => return self.bus.send_again(&sent, sequence),
            Returned::Nothing(reason) => {
                let user = user_of(&worker.name);
                let told = self.nothings.entry(job).or_default();
                told.push(user.to_owned());
                if told.iter().all(|one| one == user) {
                    // It may be the fault of its machines. Who says so alone does not end an event
                    // that others play.
                    if told.len() >= MOST_NOTHINGS && self.bus.has_others(user) {
                        self.set_aside(&worker.name, reason);
                        return self.bus.send_again(&sent, sequence);
                    }
                    if told.len() < MOST_NOTHINGS {
                        return self.bus.send_again(&sent, sequence);
                    }
                }
                (self.tell)(DispatchNews::Unplayable { job, reason: reason.clone() });
                self.failure = Some(reason);
                return self.bus.forget(sequence);
            }
        };
        match played {
            Ok(batches) => {
                jobs.out.remove(&job);
                let class = self.bus.class(&sent);
                jobs.classes.entry(class).and_modify(|out| *out -= 1);
                // The last game of a job is saved last.
                let last = sent.twin.map_or(job, |twin| twin.number);
                jobs.unsaved.insert(last, sequence);
                self.count(&worker.name, &batches);
                for batch in batches {
                    // It takes no more where they cannot be saved; then the queue is halted.
                    let _taken = jobs.batches.send(batch);
                }
            }
            Err(reason) => {
                self.blame(&worker.name, job, reason);
                self.bus.send_again(&sent, sequence);
            }
        }
    }

    /// Counts what a worker played, and sets it aside if its machine spoils too much.
    fn count(&mut self, worker: &str, batches: &[GameBatch]) {
        let games = batches.iter().map(|batch| batch.numbers().count() as u64).sum();
        (self.tell)(DispatchNews::Counted { worker: worker.to_owned(), games });
        self.bus.note_played(worker);
        let count = self.workers.entry(worker.to_owned()).or_default();
        count.jobs += 1;
        count.spoiled += u64::from(batches.iter().any(GameBatch::is_spoiled));
        let WorkerCount { jobs, spoiled, .. } = *count;
        if spoiled >= MOST_SPOILED && 2 * spoiled > jobs {
            let reason = format!("its machine spoiled games in {spoiled} of its {jobs} jobs");
            self.set_aside(worker, reason);
        }
    }

    fn set_aside(&mut self, worker: &str, reason: String) {
        let count = self.workers.entry(worker.to_owned()).or_default();
        if !std::mem::replace(&mut count.is_aside, true) {
            self.bus.set_aside(worker, &reason);
            (self.tell)(DispatchNews::SetAside { worker: worker.to_owned(), reason });
        }
    }

    /// The results of these games are saved.
    fn note_saved(&mut self, games: &[u64], unsaved: &mut BTreeMap<u64, u64>) {
        games.iter().filter_map(|game| unsaved.remove(game)).for_each(|it| self.bus.forget(it));
    }

    fn blame(&mut self, worker: &str, job: u64, reason: String) {
        let count = self.workers.entry(worker.to_owned()).or_default();
        count.faults += 1;
        let is_too_much = count.faults >= MOST_FAULTS && !worker.is_empty();
        let news = DispatchNews::Refused { job, worker: worker.to_owned(), reason: reason.clone() };
        (self.tell)(news);
        if is_too_much {
            self.set_aside(worker, reason);
        }
    }

    fn receive(&mut self, jobs: &mut OpenJobs<'_>, is_over: bool) {
        while let Some(report) = self.bus.receive() {
            if !jobs.out.contains_key(&report.job) && !is_over {
                // The queue may still come to it; then it is sent, where it was not kept.
                let size = report.size + self.early_bytes;
                if size > MOST_EARLY || matches!(report.played, Returned::GivenUp) {
                    self.bus.forget(report.sequence);
                    continue;
                }
                self.early_bytes = size;
                if let Some(old) = self.early.insert(report.job, report) {
                    self.early_bytes -= old.size;
                    self.bus.forget(old.sequence);
                }
                continue;
            }
            self.take_in(report, jobs);
        }
    }
}

impl<B: JobBus> Workforce for Dispatcher<'_, B> {
    fn play(&mut self, queue: &GameQueue<'_>, sink: GameSink<'_>, look_after: LookAfter<'_>) {
        let (batches, handed_in) = channel();
        thread::scope(|scope| {
            // It may wait for the disk, which this thread must not.
            scope.spawn(move || while handed_in.recv().is_ok_and(|batch| sink.put(batch)) {});
            let mut jobs = OpenJobs {
                out: BTreeMap::new(),
                classes: BTreeMap::new(),
                held: VecDeque::new(),
                unsaved: BTreeMap::new(),
                batches,
            };
            let (mut is_over, mut is_paused, mut is_saving) = (false, false, true);
            while is_saving && !queue.is_halted() && self.failure.is_none() {
                match look_after() {
                    Some(saved) => self.note_saved(&saved, &mut jobs.unsaved),
                    None => is_saving = false,
                }
                if queue.is_paused() != is_paused {
                    is_paused = queue.is_paused();
                    self.bus.pause(is_paused);
                }
                if let Some(reason) = self.bus.failure() {
                    self.failure = Some(reason);
                    break;
                }
                for worker in self.bus.take_failing() {
                    self.set_aside(&worker, FAILING.to_owned());
                }
                is_over |= !self.send_out(queue, &mut jobs);
                if is_over {
                    // The games of those are saved already.
                    let of_no_use = std::mem::take(&mut self.early).into_values();
                    self.early_bytes = 0;
                    of_no_use.for_each(|report| self.bus.forget(report.sequence));
                }
                self.receive(&mut jobs, is_over);
                if is_over && jobs.out.is_empty() {
                    break;
                }
                // A result that is on its way makes one of them be played once more, for nothing.
                if self.bus.is_time_to_remind() {
                    jobs.out.values().for_each(|open| self.bus.send(&open.job()));
                }
            }
            if !jobs.out.is_empty() {
                self.bus.call_back();
            }
            let OpenJobs { out, held, mut unsaved, batches, .. } = jobs;
            drop((out, held, batches));
            while let Some(saved) = look_after() {
                self.note_saved(&saved, &mut unsaved);
            }
        });
    }
}
