//! What coordinator and workers send to each other.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Write};

use bytes::Bytes;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde::{Deserialize, Serialize};
use tengen_record::{GameRecord, RecordWorker};
use tengen_tournament::PlayedJob;

use crate::rights::is_token;

/// The most bytes of a result, unpacked: two games of the longest kind are far from it.
const MOST_RESULT: u64 = 4 << 20;
/// The most characters of what a worker tells of itself, and of its name.
const MOST_TOLD: usize = 300;
const MOST_NAME: usize = 130;
/// The most games that a worker may play at once, and the most reasons that it may tell.
const MOST_TABLES: usize = 4096;
const MOST_REASONS: usize = 50;

/// An event that is played, as the bucket of events names it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct EventNotice {
    /// What people call it: the name of its folder.
    pub title: String,
    /// The program that runs it, with its version: a worker of another one does not play.
    pub program: String,
    /// The object with its [`EventDetails`].
    pub details: String,
    /// Which run of it this is: another run takes the event over.
    pub run: String,
    /// Whether no game is to be begun for the moment.
    pub paused: bool,
    /// Where workers play several events, each gets as many of the jobs as this is of the sum.
    pub priority: u32,
}

impl EventNotice {
    pub fn to_bytes(&self) -> Bytes {
        serde_json::to_vec(self).expect("every key is a string").into()
    }

    /// Whether these bytes are a notice of that run.
    pub fn is_of_run(bytes: &[u8], run: &str) -> bool {
        serde_json::from_slice(bytes).is_ok_and(|notice: EventNotice| notice.run == run)
    }

    /// Whether a worker that is ready for the one is ready for the other, which may be another run.
    pub fn is_same(&self, other: &EventNotice) -> bool {
        (&self.program, &self.details) == (&other.program, &other.details)
    }
}

/// All that a worker needs to play games of an event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct EventDetails {
    /// The system of the coordinator, as [`system`] names it.
    pub system: String,
    /// The configuration, as `event.toml` has it.
    pub config: String,
    /// The event's engines, by their places.
    pub engines: Vec<EngineParcel>,
    /// The engine that answers opening questions for the others, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assistant: Option<EngineParcel>,
}

impl EventDetails {
    pub fn classes(&self) -> JobClasses {
        let engines = self.engines.iter().map(|parcel| parcel.needs.clone()).collect();
        let always = self.assistant.as_ref().map(|parcel| parcel.needs.clone());
        JobClasses::new(engines, &always.unwrap_or_default())
    }
}

/// What a worker must have to play an engine or a job: its system as [`system`] names it, or a
/// program on its PATH.
pub(crate) type Needs = BTreeSet<String>;

/// How a worker gets an engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct EngineParcel {
    /// The object with its files; none where it is linked into the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<String>,
    /// What it needs.
    #[serde(default, skip_serializing_if = "Needs::is_empty")]
    pub needs: Needs,
}

/// Which jobs need the same, so that a worker takes only those that it can play.
#[derive(Clone, Debug)]
pub(crate) struct JobClasses {
    /// What each engine needs, by the engines' places.
    engines: Vec<Needs>,
    classes: Vec<Needs>,
}

impl JobClasses {
    /// Those of an event of these engines. All need what `always` has.
    pub fn new(engines: Vec<Needs>, always: &Needs) -> JobClasses {
        let engines: Vec<Needs> = engines.iter().map(|needs| needs | always).collect();
        let kinds: BTreeSet<&Needs> = engines.iter().collect();
        let both = kinds.iter().flat_map(|one| kinds.iter().map(move |other| *one | *other));
        let classes: BTreeSet<Needs> = both.collect();
        JobClasses { classes: classes.into_iter().collect(), engines }
    }

    /// What the jobs of each class need.
    pub fn needs(&self) -> &[Needs] {
        &self.classes
    }

    /// What each engine needs.
    pub fn engines(&self) -> &[Needs] {
        &self.engines
    }

    /// The class of the games of two engines; 0 if they joined later.
    pub fn of(&self, engines: [usize; 2]) -> usize {
        let [Some(one), Some(other)] = engines.map(|place| self.engines.get(place)) else {
            return 0;
        };
        self.classes.binary_search(&(one | other)).unwrap_or(0)
    }

    /// The classes whose games are all between engines that can play.
    pub fn playable(&self, can_play: impl Fn(usize) -> bool) -> BTreeSet<usize> {
        let mut classes: BTreeSet<usize> = (0..self.classes.len()).collect();
        for one in 0..self.engines.len() {
            for other in one + 1..self.engines.len() {
                if !can_play(one) || !can_play(other) {
                    classes.remove(&self.of([one, other]));
                }
            }
        }
        classes
    }
}

/// What a worker tells of itself, again and again.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct WorkerState {
    /// Which run of the worker this is.
    #[serde(default)]
    pub run: String,
    /// Its program, with the version.
    pub program: String,
    /// How many games it plays at once.
    pub tables: usize,
    /// How many it plays now.
    pub playing: usize,
    /// How many jobs it has played since it began.
    pub jobs: u64,
    /// Its system, processor and CPUs, for people.
    pub machine: String,
    /// How fast it is: nodes a second of the built-in engine.
    pub speed: u64,
    /// How long the server took to take what it told last, in microseconds.
    pub lag: u64,
    /// The events that it knows.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub events: BTreeMap<String, WorkerEvent>,
}

/// What a worker can play of an event.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct WorkerEvent {
    /// The classes of jobs that it plays.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub classes: BTreeSet<usize>,
    /// Why it plays none, or none of some engines; each in a line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
}

impl WorkerState {
    /// Reads what a worker tells of itself, whatever that is; none if it is nothing of the kind.
    pub(crate) fn read(bytes: &[u8]) -> Option<WorkerState> {
        let told: WorkerState = serde_json::from_slice(bytes).ok()?;
        let mut events = told.events;
        for event in events.values_mut() {
            event.refused.truncate(MOST_REASONS);
            event.refused.iter_mut().for_each(|reason| *reason = line(reason));
        }
        Some(WorkerState {
            program: line(&told.program),
            machine: line(&told.machine),
            tables: told.tables.min(MOST_TABLES),
            events,
            ..told
        })
    }

    /// Whether it plays any jobs of that event.
    pub fn plays(&self, event: &str) -> bool {
        self.events.get(event).is_some_and(|it| !it.classes.is_empty())
    }
}

/// What a worker sends of a job: a line of JSON for this, then one for each record; all of it
/// packed by zlib.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct ResultHead {
    worker: RecordWorker,
    /// Why it could not be played, if that is so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
    /// Whether it was given up before its end.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    given_up: bool,
    /// How many of the records count.
    games: usize,
}

/// The result of a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct JobResult {
    pub worker: RecordWorker,
    pub played: ResultKind,
}

/// What became of a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ResultKind {
    Played(PlayedJob),
    /// It could not be played, for this reason.
    Fault(String),
    /// The worker was stopped first.
    GivenUp,
}

impl JobResult {
    pub fn to_bytes(&self) -> Vec<u8> {
        const WRITES: &str = "a vector takes every byte";
        let nothing = PlayedJob::default();
        let (played, fault) = match &self.played {
            ResultKind::Played(played) => (played, None),
            ResultKind::Fault(fault) => (&nothing, Some(fault.clone())),
            ResultKind::GivenUp => (&nothing, None),
        };
        let given_up = self.played == ResultKind::GivenUp;
        let games = played.games.len();
        let head = ResultHead { worker: self.worker.clone(), fault, given_up, games };
        let mut lines = serde_json::to_vec(&head).expect("every key is a string");
        for record in played.games.iter().chain(&played.discarded) {
            lines.push(b'\n');
            record.write_json(&mut lines);
        }
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(&lines).expect(WRITES);
        packed.finish().expect(WRITES)
    }

    /// Reads what a worker has sent, which the server lets this user send alone; and about how many
    /// bytes of memory it takes.
    ///
    /// # Errors
    /// Says what of it is wrong, and of which worker it is, if that can be read.
    pub fn from_bytes(
        bytes: &[u8],
        user: Option<&str>,
    ) -> Result<(JobResult, usize), (RecordWorker, String)> {
        let nameless = |problem| {
            let name = user.unwrap_or_default().to_owned();
            (RecordWorker { name, ..RecordWorker::default() }, problem)
        };
        let mut text = String::new();
        let read = ZlibDecoder::new(bytes).take(MOST_RESULT).read_to_string(&mut text);
        read.map_err(|error: io::Error| nameless(format!("it cannot be unpacked: {error}")))?;
        let mut lines = text.lines();
        let head: ResultHead = serde_json::from_str(lines.next().unwrap_or_default())
            .map_err(|error| nameless(format!("its first line: {error}")))?;
        let ResultHead { mut worker, fault, given_up, games } = head;
        if !is_worker(&worker.name, user) {
            return Err(nameless(format!("no worker of its user is called {:?}", worker.name)));
        }
        worker.machine = line(&worker.machine);
        let played = match fault {
            Some(fault) => ResultKind::Fault(line(&fault)),
            None if given_up => ResultKind::GivenUp,
            None => match read_records(lines, games) {
                Ok(played) => ResultKind::Played(played),
                Err(problem) => return Err((worker, line(&problem))),
            },
        };
        Ok((JobResult { worker, played }, bytes.len() + text.len()))
    }
}

/// Whether a worker may be called so: with its user before it, where it has one.
fn is_worker(name: &str, user: Option<&str>) -> bool {
    let own = match (user, name.split_once('.')) {
        (None, None) => name,
        (Some(user), Some((of, own))) if of == user => own,
        _ => return false,
    };
    name.len() <= MOST_NAME && is_token(own)
}

/// What a worker tells of itself, fit for a line of a terminal.
fn line(told: &str) -> String {
    let sign = |sign: char| if sign.is_control() { '\u{fffd}' } else { sign };
    told.chars().take(MOST_TOLD).map(sign).collect()
}

/// The records of a job, of which so many count.
fn read_records<'a>(
    lines: impl Iterator<Item = &'a str>,
    games: usize,
) -> Result<PlayedJob, String> {
    let records = lines.map(GameRecord::from_json_line).collect::<Result<Vec<_>, _>>();
    let mut records = records.map_err(|error| error.to_string())?;
    if games > records.len() {
        return Err(format!("it has {} records, and says {games}", records.len()));
    }
    let discarded = records.split_off(games);
    Ok(PlayedJob { games: records, discarded })
}

/// The operating system and the processor that this program is made for: `linux-x86_64`.
pub(crate) fn system() -> String {
    tengen_packages::system()
}

/// This machine for people: its system, its processor and how many CPUs there are to play on.
pub(crate) fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map(|(_, model)| model.to_owned());
    let model = model.or_else(|| std::env::var("PROCESSOR_IDENTIFIER").ok());
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    let processor = model.map(|model| format!(", {}", model.trim())).unwrap_or_default();
    format!("{}{processor}, {cpus} CPUs", system())
}

/// A name for a worker of this machine that no other one has: the machine's name, if that is known,
/// and the number of the process.
pub fn worker_name() -> String {
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let host = host.or_else(|| std::env::var("COMPUTERNAME").ok()).unwrap_or_default();
    let is_fit = |sign: &char| sign.is_ascii_alphanumeric() || *sign == '-';
    let host: String = host.trim().chars().filter(is_fit).take(40).collect();
    let host = if host.is_empty() { "worker" } else { &host };
    format!("{host}-{}", std::process::id())
}

#[cfg(test)]
mod tests {
    use tengen_record::TimeScale;

    use super::*;

    fn needs(words: &[&str]) -> Needs {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn jobs_that_need_the_same_are_of_one_class() {
        let engines = [&["linux-x86_64"][..], &[], &["java"], &["linux-x86_64"]].map(needs);
        let classes = JobClasses::new(engines.to_vec(), &Needs::new());
        let class = |one, other| classes.needs()[classes.of([one, other])].clone();
        assert_eq!(class(0, 1), needs(&["linux-x86_64"]));
        assert_eq!(class(0, 3), class(1, 3));
        assert_eq!(class(1, 2), needs(&["java"]));
        assert_eq!(class(2, 3), needs(&["java", "linux-x86_64"]));
        assert_eq!(classes.playable(|engine| engine != 2).len(), classes.needs().len() - 2);
        let with_assistant = JobClasses::new(engines.to_vec(), &needs(&["linux-x86_64"]));
        assert_eq!(with_assistant.needs().len(), 2);
    }

    #[test]
    fn a_worker_cannot_speak_for_another_user_s() {
        let sent = |name: &str, user| {
            let worker = RecordWorker { name: name.to_owned(), ..RecordWorker::default() };
            let result = JobResult { worker, played: ResultKind::GivenUp };
            JobResult::from_bytes(&result.to_bytes(), user).map_err(|(worker, _)| worker.name)
        };
        assert!(sent("pc1.lab", Some("pc1")).is_ok() && sent("lab", None).is_ok());
        for name in [
            "pc2.lab",
            "lab",
            "",
            "pc1.",
            "pc1.a.b",
            "pc1.a\nb",
            &format!("pc1.{}", "x".repeat(200)),
        ] {
            assert_eq!(sent(name, Some("pc1")), Err("pc1".to_owned()), "{name}");
        }
        assert_eq!(sent("a\u{1b}[2J", None), Err(String::new()));
    }

    #[test]
    fn what_a_worker_tells_of_itself_is_bounded() {
        let about =
            WorkerEvent { refused: vec!["a\nb".repeat(1000); 100], ..WorkerEvent::default() };
        let told = WorkerState {
            tables: usize::MAX,
            machine: "x\u{1b}".to_owned(),
            events: [("cup".to_owned(), about)].into(),
            ..WorkerState::default()
        };
        let read = WorkerState::read(&serde_json::to_vec(&told).unwrap()).unwrap();
        assert_eq!((read.tables, &*read.machine), (MOST_TABLES, "x\u{fffd}"));
        let refused = &read.events["cup"].refused;
        assert_eq!((refused.len(), refused[0].len()), (MOST_REASONS, 500));
        assert_eq!(WorkerState::read(b"[]"), None);
    }

    #[test]
    fn a_result_reads_back() {
        let (name, machine) = ("lab-3".to_owned(), "a machine".to_owned());
        let worker = RecordWorker { name, machine, scale: TimeScale::new(1.5) };
        let fault = ResultKind::Fault("it failed".to_owned());
        for played in [ResultKind::Played(PlayedJob::default()), fault, ResultKind::GivenUp] {
            let result = JobResult { worker: worker.clone(), played };
            let read = JobResult::from_bytes(&result.to_bytes(), None).unwrap();
            assert_eq!(read.0, result);
        }
        assert!(JobResult::from_bytes(b"no zlib", None).is_err());
        let head = ResultHead { worker: worker.clone(), fault: None, given_up: false, games: 1 };
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(&serde_json::to_vec(&head).unwrap()).unwrap();
        let (named, problem) = JobResult::from_bytes(&packed.finish().unwrap(), None).unwrap_err();
        assert_eq!((named, &*problem), (worker, "it has 0 records, and says 1"));
    }
}
