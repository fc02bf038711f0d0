//! What is sent out, what comes back, and what becomes of it. It knows no network: a [`JobBus`]
//! carries.

use std::collections::BTreeMap;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use tengen_tournament::{
    GameBatch, GameJob, GameQueue, GameSink, LookAfter, NextJob, OpenJob, PlayedJob, Workforce,
};

/// How often a worker may send what cannot have been played before its results are not used.
const MOST_FAULTS: u32 = 3;

/// Carries jobs to workers and what they played back.
pub trait JobBus {
    /// How many jobs may be on their way or be played at once.
    fn room(&mut self) -> usize;

    /// Sends a job. It is given to a worker, and to another one where that is lost.
    fn send(&mut self, job: &GameJob);

    /// The next result that has come. A job may have several: the first one that is right counts.
    fn receive(&mut self) -> Option<JobReport>;

    /// The result with that sequence number is needed no more: it is saved, or of no use.
    fn forget(&mut self, sequence: u64);

    /// Sends a job once more, in place of the result with that number.
    fn send_again(&mut self, job: &GameJob, sequence: u64);

    /// Has no job begun for the moment, or goes on.
    fn pause(&mut self, is_paused: bool);

    /// Takes no more results from that worker.
    fn set_aside(&mut self, worker: &str, reason: &str);

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
    /// Empty where that is not known.
    pub worker: String,
    pub played: Returned,
}

/// What a result holds.
#[derive(Clone, Debug)]
pub enum Returned {
    Games(PlayedJob),
    /// It cannot be read, for this reason.
    Unreadable(String),
    /// It was begun by one worker after another and never came to its end.
    Nothing(String),
}

/// What is to be told of a dispatch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DispatchNews {
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
    faults: BTreeMap<String, u32>,
    /// Results of jobs that are not taken yet: an earlier run of the event sent them out.
    early: BTreeMap<u64, JobReport>,
    /// Why the event cannot go on.
    failure: Option<String>,
}

/// What is out, and what was handed in and is not saved yet.
struct OpenJobs<'q> {
    out: BTreeMap<u64, OpenJob<'q>>,
    /// The results whose games are not saved, by the number of a game.
    unsaved: BTreeMap<u64, u64>,
    batches: Sender<GameBatch>,
}

impl<'n, B: JobBus> Dispatcher<'n, B> {
    pub fn new(bus: B, tell: &'n mut dyn FnMut(DispatchNews)) -> Dispatcher<'n, B> {
        let (faults, early) = (BTreeMap::new(), BTreeMap::new());
        Dispatcher { bus, tell, faults, early, failure: None }
    }

    /// Why the event cannot go on, where that is so.
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// Takes jobs from the queue while there is room for them. Whether more may come.
    fn send_out<'q>(&mut self, queue: &'q GameQueue<'_>, jobs: &mut OpenJobs<'q>) -> bool {
        while jobs.out.len() < self.bus.room() {
            let open = match queue.next_job() {
                NextJob::Play(open) => open,
                NextJob::Wait => return true,
                NextJob::Over => return false,
            };
            let job = open.job();
            let number = job.first.number;
            jobs.out.insert(number, open);
            match self.early.remove(&number) {
                Some(report) => self.take_in(report, jobs),
                None => self.bus.send(&job),
            }
        }
        true
    }

    /// Judges a result, and hands its games in.
    fn take_in(&mut self, report: JobReport, jobs: &mut OpenJobs<'_>) {
        let JobReport { job, sequence, worker, played } = report;
        let Some(open) = jobs.out.get(&job) else { return self.bus.forget(sequence) };
        if self.faults.get(&worker).is_some_and(|faults| *faults >= MOST_FAULTS) {
            return self.bus.send_again(&open.job(), sequence);
        }
        let played = match played {
            Returned::Games(played) => open.judge(played).map_err(|fault| fault.to_string()),
            Returned::Unreadable(reason) => Err(reason),
            Returned::Nothing(reason) => {
                (self.tell)(DispatchNews::Unplayable { job, reason: reason.clone() });
                self.failure = Some(reason);
                return self.bus.forget(sequence);
            }
        };
        match played {
            Ok(batch) => {
                jobs.out.remove(&job);
                jobs.unsaved.insert(job, sequence);
                // It takes no more where they cannot be saved; then the queue is halted.
                let _taken = jobs.batches.send(batch);
            }
            Err(reason) => {
                let again = open.job();
                self.blame(&worker, job, reason);
                self.bus.send_again(&again, sequence);
            }
        }
    }

    /// The results of these games are saved.
    fn note_saved(&mut self, games: &[u64], unsaved: &mut BTreeMap<u64, u64>) {
        games.iter().filter_map(|game| unsaved.remove(game)).for_each(|it| self.bus.forget(it));
    }

    fn blame(&mut self, worker: &str, job: u64, reason: String) {
        let faults = self.faults.entry(worker.to_owned()).or_default();
        *faults += 1;
        if *faults == MOST_FAULTS {
            self.bus.set_aside(worker, &reason);
            (self.tell)(DispatchNews::SetAside {
                worker: worker.to_owned(),
                reason: reason.clone(),
            });
        }
        (self.tell)(DispatchNews::Refused { job, worker: worker.to_owned(), reason });
    }

    fn receive(&mut self, jobs: &mut OpenJobs<'_>, is_over: bool) {
        while let Some(report) = self.bus.receive() {
            if !jobs.out.contains_key(&report.job) && !is_over {
                // The queue may still come to it.
                if let Some(old) = self.early.insert(report.job, report) {
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
            let mut jobs = OpenJobs { out: BTreeMap::new(), unsaved: BTreeMap::new(), batches };
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
                is_over |= !self.send_out(queue, &mut jobs);
                if is_over {
                    // The games of those are saved already.
                    let of_no_use = std::mem::take(&mut self.early).into_values();
                    of_no_use.for_each(|report| self.bus.forget(report.sequence));
                }
                self.receive(&mut jobs, is_over);
                if is_over && jobs.out.is_empty() {
                    break;
                }
            }
            if !jobs.out.is_empty() {
                self.bus.call_back();
            }
            let OpenJobs { out, mut unsaved, batches } = jobs;
            drop((out, batches));
            while let Some(saved) = look_after() {
                self.note_saved(&saved, &mut unsaved);
            }
        });
    }
}
