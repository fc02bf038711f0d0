//! The file dialog, and the work on files. Files are read and written on threads, because a folder
//! may be slow; the results arrive before some later frame.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use tengen_record::formats::{Format, FormatLoss};

use super::App;
use crate::app::model::Diagram;
use crate::app::storage::worker_thread::WorkerThread;
use crate::app::storage::{FilePurpose, FolderListing};

/// A command about files and the clipboard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileCommand {
    OpenDialog(FilePurpose),
    /// Set the typed path.
    SetName(String),
    /// Do it with the named file.
    Accept,
    /// Copy the game in the chosen format instead of saving it.
    Copy,
    /// Save the active tab in its own file, or ask for a name.
    Save,
    /// Save it, then close its tab.
    SaveAndClose,
    /// Close the dialog.
    Cancel,
    /// Open a file, such as one dropped on the window.
    Open(PathBuf),
    /// Open a game of the active list, counted from 0.
    OpenListed(usize),
    /// Copy the position shown, as points.
    CopyPosition,
    /// Copy the game shown, as SGF.
    CopyGame,
    /// Ask for the contents of the clipboard.
    RequestPaste,
    /// Open the contents of the clipboard.
    Paste(String),
    /// Set up a new game from the position shown.
    PlayHere,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileDialog {
    /// What it is for.
    pub purpose: FilePurpose,
    /// The typed path.
    pub name: String,
    /// The listing of the folder of the typed path, when last read.
    pub folder: Arc<FolderListing>,
    /// The folder that is being read, or was last.
    pub(super) place: PathBuf,
    /// What failed with the last named file.
    pub problem: Option<String>,
    /// The format by the file name.
    pub format: Option<Format>,
    /// What this format would lose of the game.
    pub lost: BTreeSet<FormatLoss>,
    /// An existing file that is replaced if it is confirmed.
    pub replaced: Option<PathBuf>,
    /// Unique among all file dialogs of the app.
    pub(super) number: u64,
    /// The tab that is saved.
    pub(super) tab: Option<u64>,
    /// Whether to close that tab once everything is saved.
    pub(super) leaves: bool,
    /// Whether the work is being done.
    pub(super) is_busy: bool,
}

impl FileDialog {
    pub(super) fn new(purpose: FilePurpose, number: u64, tab: Option<u64>) -> FileDialog {
        FileDialog {
            purpose,
            name: String::new(),
            folder: Arc::default(),
            // No folder has this name: the first one is always read.
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

/// A task of the thread that saves.
type SaveTask = Box<dyn FnOnce() + Send>;

/// A change to the app when a thread is done.
type Completion = Box<dyn FnOnce(&mut App) + Send>;

/// The file state of the app.
#[derive(Default)]
pub(super) struct FileState {
    pub(super) dialog: Option<FileDialog>,
    /// Text for the clipboard.
    pub(super) copied: Option<String>,
    /// Whether to read the clipboard.
    pub(super) paste_requested: bool,
    /// How many dialogs were opened.
    pub(super) asked: u64,
    /// A picture to paint, and its path.
    pub(super) picture: Option<(PathBuf, Diagram)>,
    /// Writes files one after another, so that of two states of a file the later one stays.
    saver: Option<WorkerThread<SaveTask>>,
    /// The last folder used.
    pub(super) folder: PathBuf,
    completions: Arc<Mutex<Vec<Completion>>>,
}

impl FileState {
    /// Waits until everything is saved.
    pub(super) fn finish(&mut self) {
        self.saver = None;
    }
}

impl App {
    /// The file dialog, when it is open.
    pub fn file_dialog(&self) -> Option<&FileDialog> {
        self.files.dialog.as_ref()
    }

    /// The text for the clipboard; taken once.
    pub fn take_copied(&mut self) -> Option<String> {
        self.files.copied.take()
    }

    /// Whether to read the clipboard; taken once.
    pub fn take_paste_request(&mut self) -> bool {
        std::mem::take(&mut self.files.paste_requested)
    }

    /// The board to save as a picture, and its path; taken once.
    pub fn take_picture(&mut self) -> Option<(PathBuf, Diagram)> {
        self.files.picture.take()
    }

    /// Runs slow work on a thread, and then `arrive` on the app, before a frame.
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

    /// Writes a file on the save thread, after those before it.
    pub(super) fn spawn_save<T: Send + 'static>(
        &mut self,
        work: impl FnOnce() -> T + Send + 'static,
        arrive: impl FnOnce(&mut App, T) + Send + 'static,
    ) {
        let background_task = self.background_task(work, arrive);
        let run = |tasks: &Receiver<SaveTask>| tasks.iter().for_each(|task| task());
        let saver = self.files.saver.get_or_insert_with(|| WorkerThread::start("saving", run));
        saver.send(Box::new(background_task));
    }

    /// The work of a thread, with its completion for the app.
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

    /// Runs the completions of threads.
    pub(super) fn run_completions(&mut self) {
        let completions = &self.files.completions;
        let arrived =
            std::mem::take(&mut *completions.lock().unwrap_or_else(PoisonError::into_inner));
        for arrival in arrived {
            arrival(self);
        }
    }
}
