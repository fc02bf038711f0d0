//! Games in files and on the clipboard: what they are is found out by looking at them, and whatever
//! is wrong with them is said in words. Files are read and written on threads, for a folder may be
//! slow; what comes of it arrives before some later frame.

mod collection;
mod folder_listing;
mod game_data;
mod problem;
mod reading;
mod save_queue;
mod to_snapshot;
mod writing;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use tengen_record::formats::{Format, FormatLoss};

use super::{App, Diagram};
use save_queue::SaveQueue;

pub use collection::GameCollection;
pub(super) use folder_listing::folder_of;
pub use folder_listing::{FolderEntry, FolderListing};
pub use game_data::{GameData, GameSummary};
pub use problem::FileProblem;
pub use reading::{FileContents, open, paste};
pub use writing::{format_of, lost, save, save_bytes, text, write_file, write_synced};

/// What may be asked about files and the clipboard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileCommand {
    /// Open the dialog in which a file is named.
    OpenDialog(FilePurpose),
    /// What stands in its field now.
    SetName(String),
    /// Do it with the file that is named.
    Accept,
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
    OpenListed(usize),
    /// Copy the position shown, as points.
    CopyPosition,
    /// Copy the game shown, as SGF.
    CopyGame,
    /// Have the clipboard read.
    RequestPaste,
    /// The clipboard holds this: open it.
    Paste(String),
    /// Set up a game that begins with the position shown.
    PlayHere,
}

/// What a file is named for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FilePurpose {
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
    BoardPicture,
}

/// The dialog in which a file is named.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileDialog {
    /// What for.
    pub purpose: FilePurpose,
    /// What stands in the field.
    pub name: String,
    /// The folder of what stands in the field, as it was read last.
    pub folder: Arc<FolderListing>,
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
    pub(super) tab: Option<u64>,
    /// Whether that table is left once all of its work is saved.
    pub(super) leaves: bool,
    /// Whether what was named is being done.
    pub(super) is_busy: bool,
}

impl FileDialog {
    pub(super) fn new(purpose: FilePurpose, number: u64, tab: Option<u64>) -> FileDialog {
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
            tab,
            leaves: false,
            is_busy: false,
        }
    }
}

/// Whether a file that is dropped is one of games or an event, by its name.
pub fn is_game_or_event(path: &Path) -> bool {
    let toml = path.extension().is_some_and(|extension| extension == "toml");
    toml || format_of(path).is_ok() || tengen_tournament::Event::exists(path)
}

/// Something to be done with the house when a thread is done.
type Completion = Box<dyn FnOnce(&mut App) + Send>;

/// The files of a house.
#[derive(Default)]
pub(super) struct FileState {
    pub(super) dialog: Option<FileDialog>,
    /// What the clipboard is to hold.
    pub(super) copied: Option<String>,
    /// Whether the clipboard is to be read.
    pub(super) paste_requested: bool,
    /// How many dialogs there were.
    pub(super) asked: u64,
    /// A picture that is to be painted, and where it goes.
    pub(super) picture: Option<(PathBuf, Diagram)>,
    saver: SaveQueue,
    /// The folder that was last used.
    pub(super) folder: PathBuf,
    completions: Arc<Mutex<Vec<Completion>>>,
}

impl FileState {
    /// Waits until everything is saved that was to be.
    pub(super) fn finish(&mut self) {
        self.saver = SaveQueue::default();
    }
}

impl App {
    /// The dialog in which a file is named, when it is open.
    pub fn file_dialog(&self) -> Option<&FileDialog> {
        self.files.dialog.as_ref()
    }

    /// What the clipboard is to hold, asked once.
    pub fn take_copied(&mut self) -> Option<String> {
        self.files.copied.take()
    }

    /// Whether the clipboard is to be read, asked once.
    pub fn take_paste_request(&mut self) -> bool {
        std::mem::take(&mut self.files.paste_requested)
    }

    /// A board of which a picture is to be saved, and where; asked once.
    pub fn take_picture(&mut self) -> Option<(PathBuf, Diagram)> {
        self.files.picture.take()
    }

    /// Does what may take long on a thread, and what comes of it with the house, before a frame.
    pub(super) fn spawn<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
        arrive: impl FnOnce(&mut App, T) + Send + 'static,
    ) {
        thread::Builder::new()
            .name("files".to_owned())
            .spawn(self.background_task(work, arrive))
            .expect("the system has a thread left");
    }

    /// Writes a file on the thread for that, after those before it.
    pub(super) fn spawn_save<T: Send + 'static>(
        &mut self,
        work: impl FnOnce() -> T + Send + 'static,
        arrive: impl FnOnce(&mut App, T) + Send + 'static,
    ) {
        let background_task = self.background_task(work, arrive);
        self.files.saver.send(Box::new(background_task));
    }

    /// What a thread does, and leaves for the house.
    fn background_task<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
        arrive: impl FnOnce(&mut App, T) + Send + 'static,
    ) -> impl FnOnce() + Send + 'static {
        let (completions, wake) =
            (Arc::clone(&self.files.completions), Arc::clone(&self.services.wake));
        move || {
            let done = work();
            let arrival: Completion = Box::new(|app| arrive(app, done));
            completions.lock().unwrap_or_else(PoisonError::into_inner).push(arrival);
            wake();
        }
    }

    /// Does with the house what threads are done with.
    pub(super) fn run_completions(&mut self) {
        let completions = &self.files.completions;
        let arrived =
            std::mem::take(&mut *completions.lock().unwrap_or_else(PoisonError::into_inner));
        for arrival in arrived {
            arrival(self);
        }
    }
}
