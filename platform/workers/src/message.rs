//! What coordinator and workers send to each other.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use serde::{Deserialize, Serialize};
use tengen_record::GameRecord;
use tengen_tournament::PlayedJob;

/// The most bytes of a result, unpacked: two games of the longest kind are far from it.
const MOST_RESULT: u64 = 64 << 20;

/// An event that is played, as the bucket of events names it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct EventNotice {
    /// The program that runs it, with its version: a worker of another one does not play.
    pub program: String,
    /// The object with its [`EventDetails`].
    pub details: String,
    /// Whether no game is to be begun for the moment.
    pub paused: bool,
}

/// All that a worker needs to play games of an event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct EventDetails {
    /// The configuration, as `event.toml` has it.
    pub config: String,
    /// The event's engines, by their places.
    pub engines: Vec<EngineParcel>,
    /// The engine that answers opening questions for the others, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assistant: Option<EngineParcel>,
}

/// How a worker gets an engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct EngineParcel {
    /// The object with its files; none where it is linked into the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<String>,
}

/// What a worker tells of itself, again and again.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct WorkerState {
    /// Its program, with the version.
    pub program: String,
    /// Its operating system and processor: `linux-x86_64`.
    pub system: String,
    /// How many games it plays at once.
    pub tables: usize,
    /// How many it plays now.
    pub playing: usize,
    /// How many jobs it has played since it began.
    pub jobs: u64,
    /// The event that it plays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// The events that it does not play, each with the reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub refused: BTreeMap<String, String>,
}

/// What a worker sends of a job: a line of JSON for this, then one for each record; all of it
/// packed by zlib.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct ResultHead {
    worker: String,
    /// Why it could not be played, if that is so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
    /// How many of the records count.
    games: usize,
}

/// The result of a job.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct JobResult {
    pub worker: String,
    pub played: Result<PlayedJob, String>,
}

impl JobResult {
    pub fn to_bytes(&self) -> Vec<u8> {
        const WRITES: &str = "a vector takes every byte";
        let nothing = PlayedJob::default();
        let (played, fault) = match &self.played {
            Ok(played) => (played, None),
            Err(fault) => (&nothing, Some(fault.clone())),
        };
        let head = ResultHead { worker: self.worker.clone(), fault, games: played.games.len() };
        let mut lines = serde_json::to_vec(&head).expect("every key is a string");
        for record in played.games.iter().chain(&played.discarded) {
            lines.push(b'\n');
            record.write_json(&mut lines);
        }
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(&lines).expect(WRITES);
        packed.finish().expect(WRITES)
    }

    /// Reads what a worker has sent.
    ///
    /// # Errors
    /// Says what of it is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<JobResult, String> {
        let mut text = String::new();
        let read = ZlibDecoder::new(bytes).take(MOST_RESULT).read_to_string(&mut text);
        read.map_err(|error: io::Error| format!("it cannot be unpacked: {error}"))?;
        let mut lines = text.lines();
        let head = lines.next().unwrap_or_default();
        let head: ResultHead =
            serde_json::from_str(head).map_err(|error| format!("its first line: {error}"))?;
        let ResultHead { worker, fault, games } = head;
        if let Some(fault) = fault {
            return Ok(JobResult { worker, played: Err(fault) });
        }
        let records = lines.map(GameRecord::from_json_line).collect::<Result<Vec<_>, _>>();
        let mut records = records.map_err(|error| error.to_string())?;
        if games > records.len() {
            return Err(format!("it has {} records, and says {games}", records.len()));
        }
        let discarded = records.split_off(games);
        Ok(JobResult { worker, played: Ok(PlayedJob { games: records, discarded }) })
    }
}

/// The operating system and the processor that this program is made for: `linux-x86_64`.
pub(crate) fn system() -> String {
    format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH)
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
