//! What lies on the tables and is in no file of the person's: studies, positions set up by hand,
//! games that were pasted. It is kept in a folder as it changes, by a thread of its own, each as a
//! whole new file put in the old one's place, and is there again after a crash.

mod text;
mod writer;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use tengen_record::formats::ScoreSheet;
use tengen_record::read_text;

use super::{Draft, Written};
use writer::{Job, Writer};

/// The folder of what is in no file, and the thread that writes into it.
pub(super) struct Autosave {
    dir: PathBuf,
    writer: Writer,
    /// Held as long as this window lives: what another one has open is not opened here too.
    claim: Option<File>,
}

/// What is kept of a table.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Work {
    /// A game that is looked into.
    Study {
        /// The game and its variations.
        sheet: Arc<ScoreSheet>,
        /// The file that an older state of it is in.
        path: Option<PathBuf>,
        /// Whether something was changed that no file holds.
        changed: bool,
        /// The way to the position shown: which of what may follow, at each move.
        trail: Vec<usize>,
    },
    /// Games that are looked at.
    Games(Vec<Written>),
    /// A position that is set up by hand.
    Position(Draft),
}

/// What went wrong with keeping. The program goes on.
#[derive(Debug)]
pub enum AutosaveProblem {
    /// What was kept makes no sense. It was put aside, where that could be done.
    Damaged {
        /// Where it lies now.
        aside: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// It cannot be written.
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// It is larger than what is kept of a table.
    TooLarge,
}

/// The most bytes that are kept of a table.
const MOST_BYTES: u64 = 16 << 20;
/// What its files end in.
const EXTENSION: &str = "toml";

impl Autosave {
    /// What is kept in this folder, which need not be there yet. `wake` is called when something
    /// went wrong.
    pub(super) fn new(dir: PathBuf, wake: super::Wake) -> Autosave {
        Autosave { writer: Writer::start(dir.clone(), wake), dir, claim: None }
    }

    /// A name that nothing kept has, later than those before it.
    pub(super) fn name() -> String {
        static NAMED: AtomicU64 = AtomicU64::new(0);
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let number = NAMED.fetch_add(1, Ordering::Relaxed);
        format!("{:014}-{}-{number:04}", since.as_millis(), std::process::id())
    }

    /// Has this kept under a name, in place of what was.
    pub(super) fn keep(&self, name: &str, work: Work) {
        self.writer.send(Job { name: name.to_owned(), work: Some(Box::new(work)) });
    }

    /// Has what is kept under a name forgotten.
    pub(super) fn forget(&self, name: &str) {
        self.writer.send(Job { name: name.to_owned(), work: None });
    }

    /// What went wrong since this was asked last.
    pub(super) fn take_problem(&self) -> Option<AutosaveProblem> {
        self.writer.take_problem()
    }

    /// The names of what is kept, oldest first; none while another window has the folder.
    pub(super) fn claim(&mut self) -> Vec<PathBuf> {
        if !self.dir.is_dir() && fs::create_dir_all(&self.dir).is_err() {
            return Vec::new();
        }
        let lock = File::options().create(true).append(true).open(self.dir.join("lock"));
        self.claim = lock.ok().filter(|lock| lock.try_lock().is_ok());
        let entries = self.claim.as_ref().and_then(|_| fs::read_dir(&self.dir).ok());
        let paths = entries.into_iter().flatten().flatten().map(|entry| entry.path());
        let is_kept = |path: &PathBuf| path.extension().is_some_and(|end| end == EXTENSION);
        let mut paths: Vec<PathBuf> = paths.filter(is_kept).collect();
        paths.sort();
        paths
    }
}

/// Reads what was kept, and its name. What makes no sense is put aside, and never lost.
///
/// # Errors
/// When it cannot be read.
pub(super) fn read(path: &Path) -> Result<(String, Work), AutosaveProblem> {
    let work = read_text(path, MOST_BYTES)
        .map_err(|error| error.to_string())
        .and_then(|text| text::parse(&text));
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    work.map(|work| (name, work)).map_err(|reason| {
        let aside = path.with_extension("damaged");
        let moved = fs::rename(path, &aside).is_ok();
        AutosaveProblem::Damaged { aside: if moved { aside } else { path.to_owned() }, reason }
    })
}
