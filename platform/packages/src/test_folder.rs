//! A folder with files for discovery to find.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{Listing, Refusal, discover, samples};

pub(crate) struct TestFolder(tempfile::TempDir);

impl TestFolder {
    pub(crate) fn new() -> TestFolder {
        TestFolder(tempfile::tempdir().expect("a temporary folder"))
    }

    pub(crate) fn root(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.root().join(file)
    }

    pub(crate) fn put(&self, file: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(file);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a temporary folder");
        fs::write(&path, bytes).expect("a temporary file");
        path
    }

    pub(crate) fn with(self, file: &str, bytes: impl AsRef<[u8]>) -> TestFolder {
        self.put(file, bytes);
        self
    }

    #[cfg(unix)]
    pub(crate) fn with_mode(self, file: &str, text: &str, mode: u32) -> TestFolder {
        use std::os::unix::fs::PermissionsExt;
        let path = self.put(file, text);
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("rights");
        self
    }

    /// With a script that can be started.
    #[cfg(unix)]
    pub(crate) fn with_program(self, file: &str) -> TestFolder {
        self.with_mode(file, "#!/bin/sh\n", 0o755)
    }

    pub(crate) fn with_native(self, file: &str) -> TestFolder {
        let library = fs::read(samples::engine()).expect("the sample library");
        self.with(&format!("{file}{}", std::env::consts::DLL_SUFFIX), library)
    }

    pub(crate) fn with_wasm(self, file: &str) -> TestFolder {
        self.with(file, samples::module())
    }

    pub(crate) fn listing(&self) -> Listing {
        discover(self.root()).expect("a readable folder")
    }

    pub(crate) fn ids(&self) -> Vec<String> {
        self.listing().engines.into_iter().map(|engine| engine.id).collect()
    }

    /// Everything refused, as `file: reason`.
    pub(crate) fn refused(&self) -> Vec<String> {
        self.listing().refused.iter().map(|refusal| self.told(refusal)).collect()
    }

    pub(crate) fn refusal(&self) -> String {
        let [refusal] = &self.refused()[..] else { panic!("one refusal: {:?}", self.refused()) };
        refusal.clone()
    }

    pub(crate) fn told(&self, refusal: &Refusal) -> String {
        let path = refusal.path.strip_prefix(self.root()).expect("within the folder");
        format!("{}: {}", path.display(), refusal.reason)
    }
}
