//! A folder as the file dialog lists it.

use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};

use super::{FilePurpose, format_of, is_game_or_event};
use crate::app::model::{Translator, UserFile};

/// A folder in the file dialog: subfolders first, then the files that fit its purpose.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FolderListing {
    pub path: PathBuf,
    /// Its entries, by name.
    pub entries: Vec<FolderEntry>,
    /// How many entries are not shown.
    pub left_out: usize,
    /// Why it cannot be read.
    pub problem: Option<String>,
}

/// Something in a folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FolderEntry {
    pub name: String,
    /// Whether it is a folder to open; that of an event is a file to choose.
    pub is_folder: bool,
}

impl FolderListing {
    /// The most entries that are shown.
    const MOST: usize = 10_000;

    /// Reads a folder; errors are translated. May be slow.
    pub(in crate::app) fn read(path: &Path, purpose: FilePurpose, tr: Translator) -> FolderListing {
        let place = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let found = match fs::read_dir(place) {
            Ok(found) => found,
            Err(error) => {
                let problem = Some(tr.system(&error));
                return FolderListing {
                    path: path.to_owned(),
                    problem,
                    ..FolderListing::default()
                };
            }
        };
        let entry = |file: fs::DirEntry| {
            let name = file.file_name().to_string_lossy().into_owned();
            let path = file.path();
            let is_folder =
                path.is_dir() && !(purpose == FilePurpose::Open && is_game_or_event(&path));
            let wanted = !name.starts_with('.') && (is_folder || purpose.wants(&path));
            wanted.then_some(FolderEntry { name, is_folder })
        };
        let mut entries: Vec<FolderEntry> = found.flatten().filter_map(entry).collect();
        entries.sort_by_cached_key(|entry| {
            (Reverse(entry.is_folder), entry.name.to_lowercase(), entry.name.clone())
        });
        let left_out = entries.len().saturating_sub(FolderListing::MOST);
        entries.truncate(FolderListing::MOST);
        FolderListing { path: path.to_owned(), entries, left_out, problem: None }
    }
}

impl FilePurpose {
    /// Whether a file may fit, by its name.
    fn wants(self, path: &Path) -> bool {
        let ends = |wanted: &[&str]| {
            let extension = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
            extension.is_some_and(|ending| wanted.contains(&ending.as_str()))
        };
        match self {
            FilePurpose::Open => is_game_or_event(path),
            FilePurpose::Save => format_of(path).is_ok(),
            FilePurpose::Picture => ends(&["png"]),
            FilePurpose::Use(of) => ends(of.endings()),
            FilePurpose::ChatPicture => ends(UserFile::Background.endings()),
            // Programs and opening files can have any name.
            FilePurpose::Engine | FilePurpose::Openings => true,
        }
    }
}

/// The folder of the typed path.
pub(in crate::app) fn folder_of(name: &Path) -> PathBuf {
    let ends_open = name.to_string_lossy().ends_with(std::path::is_separator);
    match name.parent() {
        Some(parent) if !ends_open => parent.to_owned(),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::model::Language;

    const ENGLISH: Translator = Translator { language: Language::English };

    #[test]
    fn a_folder_shows_what_its_dialog_is_for() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["b.sgf", "A.psq", "notes.doc", "board.PNG", ".hidden.sgf", "libfast.so"] {
            fs::write(dir.path().join(name), "").unwrap();
        }
        for folder in ["games", "cup"] {
            fs::create_dir(dir.path().join(folder)).unwrap();
        }
        fs::write(dir.path().join("cup/event.toml"), "").unwrap();
        let shown = |purpose| {
            let folder = FolderListing::read(dir.path(), purpose, ENGLISH);
            let name = |entry: FolderEntry| {
                let slash = if entry.is_folder { "/" } else { "" };
                format!("{}{slash}", entry.name)
            };
            folder.entries.into_iter().map(name).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(shown(FilePurpose::Open), "games/ A.psq b.sgf cup");
        assert_eq!(shown(FilePurpose::Save), "cup/ games/ A.psq b.sgf");
        assert_eq!(shown(FilePurpose::Use(UserFile::BoardPicture)), "cup/ games/ board.PNG");
        let engine = shown(FilePurpose::Engine);
        assert!(engine.contains("libfast.so") && !engine.contains("hidden"), "{engine}");
    }

    #[test]
    fn why_a_folder_cannot_be_read_is_said_in_the_language_of_the_window() {
        let dir = tempfile::tempdir().unwrap();
        let gone = dir.path().join("gone");
        let read = |tr| FolderListing::read(&gone, FilePurpose::Open, tr).problem.unwrap();
        assert_eq!(read(ENGLISH), "file or folder not found");
        assert_eq!(read(Translator { language: Language::Chinese }), "找不到文件或文件夹");
    }

    #[test]
    fn of_a_large_folder_the_folders_and_the_first_names_are_shown() {
        let dir = tempfile::tempdir().unwrap();
        for number in 0..FolderListing::MOST + 7 {
            fs::write(dir.path().join(format!("{number:05}.pos")), "").unwrap();
        }
        fs::create_dir(dir.path().join("zone")).unwrap();
        let folder = FolderListing::read(dir.path(), FilePurpose::Open, ENGLISH);
        assert_eq!((folder.entries.len(), folder.left_out), (FolderListing::MOST, 8));
        let names = folder.entries.iter().map(|entry| entry.name.as_str());
        assert_eq!(names.take(2).collect::<Vec<_>>(), ["zone", "00000.pos"]);
    }

    #[test]
    fn what_is_typed_lies_in_a_folder() {
        let of = |name: &str| folder_of(Path::new(name)).display().to_string();
        assert_eq!([of("/a/b.sgf"), of("/a/"), of("/a"), of("/")], ["/a", "/a/", "/", "/"]);
        assert_eq!([of("game.sgf"), of("")], ["", ""]);
    }
}
