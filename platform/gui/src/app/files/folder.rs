use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Purpose, format_of, is_ours};
use crate::app::Words;

/// A folder as the dialog of files shows it: folders first, then the files that its purpose wants.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Folder {
    /// Where it is.
    pub path: PathBuf,
    /// What lies in it, by name.
    pub entries: Vec<Entry>,
    /// How many more lie in it and are not shown.
    pub left_out: usize,
    /// Why it cannot be read.
    pub problem: Option<String>,
}

/// Something in a folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Whether it is a folder to go into; that of an event is a thing to open.
    pub is_folder: bool,
}

impl Folder {
    /// The most entries that are shown.
    const MOST: usize = 10_000;

    /// Reads a folder, and says in these words why it cannot. May be slow.
    pub(in crate::app) fn read(path: &Path, purpose: Purpose, words: Words) -> Folder {
        let place = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let found = match fs::read_dir(place) {
            Ok(found) => found,
            Err(error) => {
                let problem = Some(words.system(&error));
                return Folder { path: path.to_owned(), problem, ..Folder::default() };
            }
        };
        let entry = |file: fs::DirEntry| {
            let name = file.file_name().to_string_lossy().into_owned();
            let path = file.path();
            let is_folder = path.is_dir() && !(purpose == Purpose::Open && is_ours(&path));
            let wanted = !name.starts_with('.') && (is_folder || purpose.wants(&path));
            wanted.then_some(Entry { name, is_folder })
        };
        let mut entries: Vec<Entry> = found.flatten().filter_map(entry).collect();
        entries.sort_by_cached_key(|entry| {
            (Reverse(entry.is_folder), entry.name.to_lowercase(), entry.name.clone())
        });
        let left_out = entries.len().saturating_sub(Folder::MOST);
        entries.truncate(Folder::MOST);
        Folder { path: path.to_owned(), entries, left_out, problem: None }
    }
}

impl Purpose {
    /// Whether a file may be what is asked for, by its name.
    fn wants(self, path: &Path) -> bool {
        let ends = |wanted: &[&str]| {
            let extension = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
            extension.is_some_and(|ending| wanted.contains(&ending.as_str()))
        };
        match self {
            Purpose::Open => is_ours(path),
            Purpose::Save => format_of(path).is_ok(),
            Purpose::Picture => ends(&["png"]),
            Purpose::Ground => ends(&["png", "jpg", "jpeg"]),
            // Programs and suites are called anything.
            Purpose::Engine | Purpose::Openings => true,
        }
    }
}

/// The folder that a name which is being typed lies in.
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
    use crate::app::Language;

    const ENGLISH: Words = Words { language: Language::English };

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
            let folder = Folder::read(dir.path(), purpose, ENGLISH);
            let name = |entry: Entry| {
                let slash = if entry.is_folder { "/" } else { "" };
                format!("{}{slash}", entry.name)
            };
            folder.entries.into_iter().map(name).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(shown(Purpose::Open), "games/ A.psq b.sgf cup");
        assert_eq!(shown(Purpose::Save), "cup/ games/ A.psq b.sgf");
        assert_eq!(shown(Purpose::Ground), "cup/ games/ board.PNG");
        let engine = shown(Purpose::Engine);
        assert!(engine.contains("libfast.so") && !engine.contains("hidden"), "{engine}");
    }

    #[test]
    fn why_a_folder_cannot_be_read_is_said_in_the_language_of_the_window() {
        let dir = tempfile::tempdir().unwrap();
        let gone = dir.path().join("gone");
        let read = |words| Folder::read(&gone, Purpose::Open, words).problem.unwrap();
        assert_eq!(read(ENGLISH), "it is not there, or its folder is gone");
        assert_eq!(read(Words { language: Language::Chinese }), "不存在，或其文件夹已消失");
    }

    #[test]
    fn of_a_large_folder_the_folders_and_the_first_names_are_shown() {
        let dir = tempfile::tempdir().unwrap();
        for number in 0..Folder::MOST + 7 {
            fs::write(dir.path().join(format!("{number:05}.pos")), "").unwrap();
        }
        fs::create_dir(dir.path().join("zone")).unwrap();
        let folder = Folder::read(dir.path(), Purpose::Open, ENGLISH);
        assert_eq!((folder.entries.len(), folder.left_out), (Folder::MOST, 8));
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
