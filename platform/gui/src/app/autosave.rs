//! What lies on the tables and is in no file of the person's: studies, positions set up by hand,
//! games that were pasted. It is kept in a folder as it changes, by a thread of its own, each as a
//! whole new file put in the old one's place, and is there again after a crash.

mod file_format;
mod folders;
mod queue;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use tengen_record::formats::ScoreSheet;
use tengen_record::read_text;

use super::{GameData, PositionEditor};
use queue::{AutosaveJob, AutosaveThread};

/// The folders of what is in no file, one a window, and the thread that writes into them.
pub(super) struct Autosave {
    writer: AutosaveThread,
    root: PathBuf,
    /// The name of this window's folder in it.
    own: String,
    /// Held as long as this window lives: what it took over is not opened elsewhere too.
    claims: Vec<File>,
}

/// What is kept of a table.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum AutosaveContent {
    /// A game that is looked into.
    Analysis {
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
    Games(Vec<GameData>),
    /// A position that is set up by hand.
    Editor(PositionEditor),
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
    /// What a window left behind cannot be opened now.
    Unclaimed {
        /// Where it lies.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// It is larger than what is kept of a table.
    TooLarge,
}

/// The most bytes that are kept of a table.
const MOST_BYTES: u64 = 16 << 20;
/// What the file of an older state begins with.
const OLD: &str = "# An older state: the last one was too large.\n";
/// What its files end in.
const EXTENSION: &str = "toml";

impl Autosave {
    /// What is kept in folders of this one, which need not be there yet. `wake` is called when
    /// something is wanted or went wrong.
    pub(super) fn new(root: PathBuf, wake: super::Wake) -> Autosave {
        let own = unique();
        let writer = AutosaveThread::start(root.clone(), own.clone(), wake);
        Autosave { writer, root, own, claims: Vec::new() }
    }

    /// A name that nothing kept has, later than those before it.
    pub(super) fn name(&self) -> String {
        format!("{}/{}", self.own, unique())
    }

    /// Notes that what is kept under a name has changed: it is wanted soon.
    pub(super) fn changed(&self, name: &str) {
        self.writer.send(AutosaveJob::Changed(name.to_owned()));
    }

    /// The names of what is to be kept now.
    pub(super) fn take_wanted(&self) -> BTreeSet<String> {
        self.writer.take_wanted()
    }

    /// Has this kept under a name, in place of what was.
    pub(super) fn keep(&self, name: &str, work: AutosaveContent) {
        self.writer.send(AutosaveJob::Save(name.to_owned(), Some(Box::new(work))));
    }

    /// Has what is kept under a name forgotten.
    pub(super) fn forget(&self, name: &str) {
        self.writer.send(AutosaveJob::Save(name.to_owned(), None));
    }

    /// What went wrong since this was asked last.
    pub(super) fn take_problem(&self) -> Option<AutosaveProblem> {
        self.writer.take_problem()
    }

    /// Whether what lies on the table of that name could not be kept as it is.
    pub(super) fn is_failing(&self, name: &str) -> bool {
        self.writer.is_failing(name)
    }

    /// The files of what other windows left behind, oldest first, and what is wrong with that.
    pub(super) fn claim(&mut self) -> (Vec<PathBuf>, Option<AutosaveProblem>) {
        let (claims, found, problem) = folders::claim(&self.root);
        self.claims.extend(claims);
        (found, problem)
    }

    /// Moves away what is kept under a name, and makes no sense.
    pub(super) fn put_aside(&self, name: &str, reason: String) -> AutosaveProblem {
        put_aside(&self.root.join(name).with_extension(EXTENSION), reason)
    }
}

/// A name that nothing else has, later than those before it.
fn unique() -> String {
    static NAMED: AtomicU64 = AtomicU64::new(0);
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let number = NAMED.fetch_add(1, Ordering::Relaxed);
    format!("{:014}-{}-{number:04}", since.as_millis(), std::process::id())
}

/// What was kept of a table.
pub(super) struct AutosavedTab {
    /// The name that it is kept under.
    pub name: String,
    /// What it is.
    pub work: AutosaveContent,
    /// Whether it was too large in the end, and this is an older state of it.
    pub is_old: bool,
}

/// Reads what was kept. What makes no sense is put aside, and never lost.
///
/// # Errors
/// When it cannot be read.
pub(super) fn read(path: &Path) -> Result<AutosavedTab, AutosaveProblem> {
    let longest = MOST_BYTES + OLD.len() as u64;
    let work = match read_text(path, longest) {
        Ok(text) => file_format::parse(&text).map(|work| (work, text.starts_with(OLD))),
        // Bytes that are no text are damage; what cannot be opened now may be good.
        Err(error)
            if matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::FileTooLarge) =>
        {
            Err(error.to_string())
        }
        Err(error) => return Err(AutosaveProblem::Unclaimed { path: path.to_owned(), error }),
    };
    let part = |part: Option<&OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let folder = part(path.parent().and_then(Path::file_name));
    let name = format!("{folder}/{}", part(path.file_stem()));
    match work {
        Ok((work, is_old)) => Ok(AutosavedTab { name, work, is_old }),
        Err(reason) => Err(put_aside(path, reason)),
    }
}

fn put_aside(path: &Path, reason: String) -> AutosaveProblem {
    let aside = path.with_extension("damaged");
    let moved = fs::rename(path, &aside).is_ok();
    AutosaveProblem::Damaged { aside: if moved { aside } else { path.to_owned() }, reason }
}
