//! An app, and a folder for the files that are saved and opened there.

use std::ops::{Deref, DerefMut};
use std::path::PathBuf;

use crate::test_app::TestApp;
use tempfile::TempDir;

pub struct TestFolder {
    pub folder: TempDir,
    test: TestApp,
}

impl TestFolder {
    pub fn new() -> TestFolder {
        TestFolder { folder: tempfile::tempdir().unwrap(), test: TestApp::new() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Names a file of the folder in the dialog that is open.
    pub fn accept_file(&mut self, name: &str) {
        let path = self.path(name);
        self.accept(&path);
    }
}

impl Deref for TestFolder {
    type Target = TestApp;

    fn deref(&self) -> &TestApp {
        &self.test
    }
}

impl DerefMut for TestFolder {
    fn deref_mut(&mut self) -> &mut TestApp {
        &mut self.test
    }
}
