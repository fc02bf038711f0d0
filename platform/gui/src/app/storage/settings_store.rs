//! The file of settings.

use std::path::PathBuf;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};

use super::journal::{self, Durability};
use super::worker_thread::WorkerThread;
use crate::app::model::{JournalError, Language, Settings};

/// The settings file and its contents. A thread writes every change to a new file that replaces the
/// old one.
pub struct SettingsStore {
    settings: Settings,
    problem: Option<JournalError>,
    writer: SettingsWriter,
}

struct SettingsWriter {
    /// None if the file must not be overwritten.
    worker: Option<WorkerThread<String>>,
    failed: Arc<Mutex<Option<JournalError>>>,
}

/// The size limit of a settings file.
const MOST_BYTES: u64 = 1 << 20;

impl SettingsStore {
    /// Reads the file. Without a file, the settings are the defaults in the language of the locale.
    pub fn open(path: PathBuf, locale: &str) -> SettingsStore {
        let first = || Settings { language: Language::of_locale(locale), ..Settings::default() };
        let parse =
            |text: String| toml::from_str(&text).map_err(|error| error.message().to_owned());
        let (settings, problem) = match journal::read(&path, MOST_BYTES) {
            Ok(text) => match text.map(parse) {
                None => (first(), None),
                Some(Ok(settings)) => (settings, None),
                Some(Err(reason)) => (first(), Some(journal::move_aside(&path, reason))),
            },
            Err(JournalError::Damaged { reason, .. }) => {
                (first(), Some(journal::move_aside(&path, reason)))
            }
            Err(problem) => (first(), Some(problem)),
        };
        let writer = match problem {
            Some(JournalError::Unreadable { .. }) => SettingsWriter::disabled(),
            _ => SettingsWriter::start(path),
        };
        SettingsStore { settings, problem, writer }
    }

    /// The settings as last read or written.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What failed since the last call.
    pub(in crate::app) fn take_problem(&mut self) -> Option<JournalError> {
        let failed = self.writer.failed.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.problem.take().or(failed)
    }

    /// Writes these settings, if they changed.
    pub(in crate::app) fn keep(&mut self, settings: &Settings) {
        if *settings != self.settings {
            self.settings = settings.clone();
            self.writer.write(settings);
        }
    }
}

impl SettingsWriter {
    /// A writer that does nothing.
    fn disabled() -> SettingsWriter {
        SettingsWriter { worker: None, failed: Arc::default() }
    }

    fn start(path: PathBuf) -> SettingsWriter {
        let failed = Arc::new(Mutex::new(None));
        let shared = Arc::clone(&failed);
        let work = move |changes: &Receiver<String>| {
            while let Ok(first) = changes.recv() {
                // Only the last of several versions counts.
                let text = changes.try_iter().last().unwrap_or(first);
                if let Err(problem) = journal::write(&path, &text, Durability::Machine) {
                    *shared.lock().unwrap_or_else(PoisonError::into_inner) = Some(problem);
                }
            }
        };
        SettingsWriter { worker: Some(WorkerThread::start("settings", work)), failed }
    }

    fn write(&self, settings: &Settings) {
        let text = toml::to_string_pretty(settings).expect("settings are plain tables");
        if let Some(worker) = &self.worker {
            worker.send(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::app::model::{BoardStyle, WindowGeometry};

    fn changed() -> Settings {
        let mut settings = Settings {
            dark: false,
            style: BoardStyle::Slate,
            picture: Some("/tmp/a picture.png".into()),
            language: Language::Chinese,
            window: WindowGeometry { width: 900, ..WindowGeometry::default() },
            ..Settings::default()
        };
        settings.keys.insert("game.new".into(), "Ctrl+M".into());
        settings
    }

    #[test]
    fn without_a_file_the_locale_says_the_language() {
        let folder = tempfile::tempdir().unwrap();
        let settings_store =
            SettingsStore::open(folder.path().join("settings.toml"), "zh_CN.UTF-8");
        assert_eq!(settings_store.settings().language, Language::Chinese);
    }

    #[test]
    fn a_damaged_file_is_put_aside_and_never_lost() {
        for damage in [&b"dark = 7"[..], b"[[[", b"style = 'marble'", b"\xff\xfe"] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("settings.toml");
            fs::write(&path, damage).unwrap();
            let mut settings_store = SettingsStore::open(path.clone(), "C");
            let Some(JournalError::Damaged { path: aside, reason }) = settings_store.take_problem()
            else {
                panic!("{damage:?}")
            };
            assert!(!reason.is_empty());
            assert_eq!(fs::read(aside).unwrap(), damage);
            settings_store.keep(&changed());
            drop(settings_store);
            assert_eq!(SettingsStore::open(path, "C").settings(), &changed());
        }
    }

    #[test]
    fn what_cannot_be_written_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.toml");
        let mut settings_store = SettingsStore::open(path.clone(), "C");
        // No file can be created where a folder is.
        fs::create_dir(&path).unwrap();
        settings_store.keep(&changed());
        settings_store.writer.worker = None;
        let problem = settings_store.take_problem();
        let Some(JournalError::Unwritable { path: named, .. }) = problem else {
            panic!("{problem:?}");
        };
        assert_eq!(named, path);
    }

    #[test]
    fn what_cannot_be_read_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.toml");
        fs::create_dir(&path).unwrap();
        let mut settings_store = SettingsStore::open(path.clone(), "C");
        let problem = settings_store.take_problem();
        let Some(JournalError::Unreadable { path: named, .. }) = problem else {
            panic!("{problem:?}");
        };
        assert_eq!(named, path);
        settings_store.keep(&changed());
        drop(settings_store);
        assert!(path.is_dir());
    }

    #[test]
    fn a_file_of_another_version_is_read_as_far_as_it_goes() {
        let known: Settings = toml::from_str("dark = false\nfuture = 3").unwrap();
        assert_eq!(known, Settings { dark: false, ..Settings::default() });
    }
}
