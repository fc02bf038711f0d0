//! What is read from files and written to them.

pub mod archive;
pub(super) mod autosave;
pub(super) mod files;
pub(super) mod journal;
mod settings_store;
pub(super) mod worker_thread;

pub use archive::GameArchive;
pub use files::{
    FileContents, FileProblem, FilePurpose, FolderEntry, FolderListing, GameCollection,
    is_game_or_event,
};
pub use settings_store::SettingsStore;
