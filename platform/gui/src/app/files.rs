//! Games in files and on the clipboard: what they are is found out by looking at them, and whatever
//! is wrong with them is said in words. Files are read and written on threads, for a folder may be
//! slow; what comes of it arrives before some later frame.

mod collection;
mod folder;
mod problem;
mod reading;
mod saver;
mod shown;
mod writing;
mod written;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use tengen_record::formats::{Format, FormatLoss};

use super::{Diagram, House};
use saver::Saver;

pub use collection::Collection;
pub(super) use folder::folder_of;
pub use folder::{Entry, Folder};
pub use problem::FileProblem;
pub use reading::{Reading, open, paste};
pub use writing::{format_of, lost, put, replace, save, save_bytes, text};
pub use written::{GameLine, Written};

/// What may be asked about files and the clipboard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileCommand {
    /// Open the dialog in which a file is named.
    Ask(Purpose),
    /// What stands in its field now.
    Name(String),
    /// Do it with the file that is named.
    Do,
    /// Copy the game in the format that is named, in place of saving it.
    Copy,
    /// Save the game in its own file, or name one.
    Save,
    /// Save it so, and leave its table.
    SaveAndClose,
    /// Leave the dialog.
    Cancel,
    /// Open a file, as one that is dropped on the window.
    Open(PathBuf),
    /// Open a game of the collection in front, counted from 0.
    Choose(usize),
    /// Copy the position shown, as points.
    CopyPosition,
    /// Copy the game shown, as SGF.
    CopyGame,
    /// Have the clipboard read.
    AskPaste,
    /// The clipboard holds this: open it.
    Paste(String),
    /// Set up a game that begins with the position shown.
    PlayHere,
}

/// What a file is named for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// To open it.
    Open,
    /// To save the game in front.
    Save,
    /// To save a picture of the board in front.
    Picture,
    /// To take it as an engine.
    Engine,
    /// To play an event from the positions in it.
    Openings,
    /// To have it under the stones.
    Ground,
}

/// The dialog in which a file is named.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileDialog {
    /// What for.
    pub purpose: Purpose,
    /// What stands in the field.
    pub name: String,
    /// The folder of what stands in the field, as it was read last.
    pub folder: Arc<Folder>,
    /// The folder that is being read, or was.
    pub(super) place: PathBuf,
    /// What went wrong with the file that was named last.
    pub problem: Option<String>,
    /// The format that the name tells.
    pub format: Option<Format>,
    /// What of the game is not told in that format.
    pub lost: BTreeSet<FormatLoss>,
    /// A file that is there already, and is to be replaced if it is named again.
    pub replaced: Option<PathBuf>,
    /// No other dialog of the house ever has this number.
    pub(super) number: u64,
    /// The table whose work is saved.
    pub(super) table: Option<u64>,
    /// Whether that table is left once all of its work is saved.
    pub(super) leaves: bool,
    /// Whether what was named is being done.
    pub(super) is_busy: bool,
}

impl FileDialog {
    pub(super) fn new(purpose: Purpose, number: u64, table: Option<u64>) -> FileDialog {
        FileDialog {
            purpose,
            name: String::new(),
            folder: Arc::default(),
            // No folder is called so: the first one is read.
            place: PathBuf::from("\0"),
            problem: None,
            format: None,
            lost: BTreeSet::new(),
            replaced: None,
            number,
            table,
            leaves: false,
            is_busy: false,
        }
    }
}

/// Whether a file that is dropped is one of games or an event, by its name.
pub fn is_ours(path: &Path) -> bool {
    let toml = path.extension().is_some_and(|extension| extension == "toml");
    toml || format_of(path).is_ok() || tengen_tournament::Event::exists(path)
}

/// Something to be done with the house when a thread is done.
type Arrival = Box<dyn FnOnce(&mut House) + Send>;

/// The files of a house.
#[derive(Default)]
pub(super) struct Files {
    pub(super) dialog: Option<FileDialog>,
    /// What the clipboard is to hold.
    pub(super) copied: Option<String>,
    /// Whether the clipboard is to be read.
    pub(super) wants_paste: bool,
    /// How many dialogs there were.
    pub(super) asked: u64,
    /// A picture that is to be painted, and where it goes.
    pub(super) picture: Option<(PathBuf, Diagram)>,
    saver: Saver,
    /// The folder that was last used.
    pub(super) folder: PathBuf,
    inbox: Arc<Mutex<Vec<Arrival>>>,
}

impl Files {
    /// Waits until everything is saved that was to be.
    pub(super) fn finish(&mut self) {
        self.saver = Saver::default();
    }
}

impl House {
    /// The dialog in which a file is named, when it is open.
    pub fn file_dialog(&self) -> Option<&FileDialog> {
        self.files.dialog.as_ref()
    }

    /// What the clipboard is to hold, asked once.
    pub fn take_copied(&mut self) -> Option<String> {
        self.files.copied.take()
    }

    /// Whether the clipboard is to be read, asked once.
    pub fn take_wants_paste(&mut self) -> bool {
        std::mem::take(&mut self.files.wants_paste)
    }

    /// A board of which a picture is to be saved, and where; asked once.
    pub fn take_picture(&mut self) -> Option<(PathBuf, Diagram)> {
        self.files.picture.take()
    }

    /// Does what may take long on a thread, and what comes of it with the house, before a frame.
    pub(super) fn on_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
        arrive: impl FnOnce(&mut House, T) + Send + 'static,
    ) {
        thread::Builder::new()
            .name("files".to_owned())
            .spawn(self.errand(work, arrive))
            .expect("the system has a thread left");
    }

    /// Writes a file on the thread for that, after those before it.
    pub(super) fn on_saver<T: Send + 'static>(
        &mut self,
        work: impl FnOnce() -> T + Send + 'static,
        arrive: impl FnOnce(&mut House, T) + Send + 'static,
    ) {
        let errand = self.errand(work, arrive);
        self.files.saver.send(Box::new(errand));
    }

    /// What a thread does, and leaves for the house.
    fn errand<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
        arrive: impl FnOnce(&mut House, T) + Send + 'static,
    ) -> impl FnOnce() + Send + 'static {
        let (inbox, wake) = (Arc::clone(&self.files.inbox), Arc::clone(&self.services.wake));
        move || {
            let done = work();
            let arrival: Arrival = Box::new(|house| arrive(house, done));
            inbox.lock().unwrap_or_else(PoisonError::into_inner).push(arrival);
            wake();
        }
    }

    /// Does with the house what threads are done with.
    pub(super) fn receive(&mut self) {
        let inbox = &self.files.inbox;
        let arrived = std::mem::take(&mut *inbox.lock().unwrap_or_else(PoisonError::into_inner));
        for arrival in arrived {
            arrival(self);
        }
    }
}
