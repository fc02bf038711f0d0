//! The files of games that people name: files, folders with all that is in them, and patterns.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use glob::{MatchOptions, glob_with};
use tengen_record::formats::Format;
use tengen_tournament::Event;

use crate::WrongUse;
use crate::output_target::is_stream;

/// A file of games, or the folder of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SourceFile {
    pub path: PathBuf,
    /// Its name, with the folders below the one that was named.
    pub below: PathBuf,
    /// Whether it was named, alone or by a pattern, and not found in a folder.
    pub is_named: bool,
}

impl SourceFile {
    /// How much of a file is looked at to find its format.
    const HEAD: u64 = 64 << 10;

    /// What its games are read as; none if it is no file of games. Texts are looked into.
    pub fn format(&self) -> Option<Format> {
        if self.path.is_dir() {
            return Some(Format::JsonLines);
        }
        let extension = self.path.extension()?.to_str()?;
        let format = Format::of_extension(extension).filter(|format| format.is_read());
        match extension.eq_ignore_ascii_case("txt") {
            false => format,
            true => {
                let mut head = Vec::new();
                let file = tengen_record::open_file(&self.path).ok()?;
                io::Read::read_to_end(&mut io::Read::take(file, SourceFile::HEAD), &mut head)
                    .ok()?;
                Format::guess(&head)
            }
        }
    }

    /// What is wrong with it, without its path, which messages of one file begin with.
    pub fn problem(&self, error: &anyhow::Error) -> String {
        let text = format!("{error:#}");
        let rest = text.strip_prefix(&self.path.display().to_string()).unwrap_or(&text);
        rest.trim_start_matches([':', ',', ' ']).to_owned()
    }
}

/// Whether these sources are one file or stream, and no more.
pub(crate) fn is_one(sources: &[PathBuf]) -> bool {
    matches!(sources, [one] if is_stream(one) || (!one.is_dir() && pattern(one).is_none()))
}

/// The files that sources name, those of a folder by name. A folder of an event is one of them,
/// files whose name begins with a dot are not.
///
/// # Errors
/// When a source names nothing, or a folder cannot be read.
pub(crate) fn game_files(sources: &[PathBuf]) -> anyhow::Result<Vec<SourceFile>> {
    let mut files = Vec::new();
    for source in sources {
        let before = files.len();
        let cannot = |path: &Path, error: io::Error| {
            WrongUse(anyhow!("{}: cannot be read: {error}", path.display()))
        };
        if let Some(pattern) = pattern(source) {
            for path in matches(pattern).map_err(|error| cannot(source, error))? {
                add(&path, true, &mut files).map_err(|error| cannot(&path, error))?;
            }
            if files.len() == before {
                let message = anyhow!("{}: no file matches it", source.display());
                return Err(WrongUse(message).into());
            }
            continue;
        }
        if !is_stream(source) && !source.exists() {
            let message =
                anyhow!("{}: cannot be read: there is no such event or file", source.display());
            return Err(WrongUse(message).into());
        }
        add(source, true, &mut files).map_err(|error| cannot(source, error))?;
    }
    Ok(files)
}

/// Adds a file, or what a folder has in it.
fn add(path: &Path, is_named: bool, files: &mut Vec<SourceFile>) -> io::Result<()> {
    if !path.is_dir() || Event::exists(path) {
        let below = path.file_name().map(PathBuf::from).unwrap_or_default();
        files.push(SourceFile { path: path.to_owned(), below, is_named });
        return Ok(());
    }
    let mut folders = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<fs::DirEntry> = fs::read_dir(&folder)?.collect::<io::Result<_>>()?;
        entries.sort_by_key(fs::DirEntry::file_name);
        let mut inside = Vec::new();
        for entry in entries {
            let found = entry.path();
            if entry.file_name().as_encoded_bytes().starts_with(b".") {
                continue;
            }
            // A link to a folder may lead back to where it is.
            if entry.file_type()?.is_dir() && !Event::exists(&found) {
                inside.push(found);
            } else if found.is_file() || entry.file_type()?.is_dir() {
                let below = found.strip_prefix(path).unwrap_or(&found).to_owned();
                files.push(SourceFile { path: found, below, is_named: false });
            }
        }
        folders.extend(inside.into_iter().rev());
    }
    Ok(())
}

/// A path that names no file, but those whose names are alike. A shell has resolved most of them.
fn pattern(path: &Path) -> Option<&str> {
    path.to_str().filter(|text| text.contains(['*', '?']) && !path.exists())
}

/// The files and folders that a pattern names: `*` is any letters, `?` any letter, and `**` any
/// folders.
fn matches(pattern: &str) -> io::Result<Vec<PathBuf>> {
    let options = MatchOptions { require_literal_leading_dot: true, ..MatchOptions::new() };
    let found = glob_with(pattern, options).map_err(io::Error::other)?;
    found.map(|path| path.map_err(io::Error::from)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_patterns_name_files_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("b/c")).unwrap();
        for name in ["z.psq", "a.psq", ".hidden.psq", "b/x.sgf", "b/c/y.psq", "notes.md"] {
            fs::write(root.join(name), "").unwrap();
        }
        let names = |source: &str| -> Vec<String> {
            let files = game_files(&[root.join(source)]).unwrap();
            files.iter().map(|file| file.below.to_string_lossy().replace('\\', "/")).collect()
        };
        assert_eq!(names(""), ["a.psq", "notes.md", "z.psq", "b/x.sgf", "b/c/y.psq"]);
        assert_eq!(names("*.psq"), ["a.psq", "z.psq"]);
        assert_eq!(names("**/*.psq"), ["a.psq", "y.psq", "z.psq"]);
        assert_eq!(names("?/*"), ["y.psq", "x.sgf"]);
        assert!(game_files(&[root.join("*.lib")]).is_err());
        assert!(game_files(&[root.join("gone")]).is_err());
        assert!(!is_one(&[root.to_owned()]) && is_one(&[root.join("a.psq")]));
    }
}
