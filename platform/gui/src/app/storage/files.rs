//! Games in files and on the clipboard. The contents decide the format; errors are shown as
//! messages.

mod collection;
mod folder_listing;
mod problem;
mod reading;
mod writing;

use std::path::Path;

use crate::app::model::UserFile;

pub use collection::GameCollection;
pub(in crate::app) use folder_listing::folder_of;
pub use folder_listing::{FolderEntry, FolderListing};
pub use problem::FileProblem;
pub use reading::{FileContents, open, paste};
pub use writing::{format_of, holds_work, lost, save, save_bytes, text, write_file};

/// What a file dialog is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FilePurpose {
    /// Open a file.
    Open,
    /// Save the active game.
    Save,
    /// Save a picture of the active board.
    Picture,
    /// Add an engine.
    Engine,
    /// Choose opening positions for an event.
    Openings,
    /// Choose a picture or music for the window.
    Use(UserFile),
    /// Choose a picture to be shown to a table.
    ChatPicture,
}

/// Whether a dropped file is of games or an event, by its name.
pub fn is_game_or_event(path: &Path) -> bool {
    let toml = path.extension().is_some_and(|extension| extension == "toml");
    toml || format_of(path).is_ok() || tengen_tournament::Event::exists(path)
}
