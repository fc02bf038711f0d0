//! A room, and a folder for the files that are saved and opened there.

use std::path::PathBuf;

use tempfile::TempDir;
use tengen_gui::app::{Command, FileCommand};

use crate::room::Room;

pub struct Desk {
    pub folder: TempDir,
    pub room: Room,
}

impl Desk {
    pub fn new() -> Desk {
        Desk { folder: tempfile::tempdir().unwrap(), room: Room::new() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn file(&mut self, command: FileCommand) {
        self.room.house.apply(Command::File(command));
    }
}
