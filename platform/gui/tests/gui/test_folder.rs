//! An app, and a folder for the files that are saved and opened there.

use std::path::PathBuf;

use tempfile::TempDir;
use tengen_gui::app::{Command, FileCommand};

use crate::test_app::TestApp;

pub struct TestFolder {
    pub folder: TempDir,
    pub test: TestApp,
}

impl TestFolder {
    pub fn new() -> TestFolder {
        TestFolder { folder: tempfile::tempdir().unwrap(), test: TestApp::new() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn file(&mut self, command: FileCommand) {
        self.test.app.apply(Command::File(command));
    }
}
