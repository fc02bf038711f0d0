//! Names in an archive: which are safe to unpack.

use std::collections::HashMap;

use super::{ArchiveError, NameProblem};

/// The longest path of an entry, in bytes.
const PATH_LIMIT: usize = 400;
/// The longest name in it, in bytes; file systems take 255.
const NAME_LIMIT: usize = 200;
/// How deep folders may be nested.
const DEPTH_LIMIT: usize = 12;

/// Names that are devices on Windows, with any extension.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// A path below the folder that an archive is unpacked into, with `/` between its names, which
/// means the same on every system: nothing of it is a separator, a drive, a device or the folder
/// above anywhere. One `/` at the end, which marks a folder, is dropped.
///
/// # Errors
/// [`NameProblem`] says what is wrong with it.
pub(super) fn checked(name: &str) -> Result<&str, NameProblem> {
    let path = name.strip_suffix('/').unwrap_or(name);
    if path.is_empty() {
        return Err(NameProblem::Empty);
    }
    if path.starts_with('/') {
        return Err(NameProblem::Absolute);
    }
    if path.len() > PATH_LIMIT {
        return Err(NameProblem::TooLong);
    }
    if path.contains('\\') {
        return Err(NameProblem::Backslash);
    }
    let is_odd = |c: char| c.is_control() || matches!(c, ':' | '*' | '?' | '"' | '<' | '>' | '|');
    if path.contains(is_odd) {
        return Err(NameProblem::Character);
    }
    if path.split('/').count() > DEPTH_LIMIT {
        return Err(NameProblem::TooDeep);
    }
    path.split('/').try_for_each(part).map(|()| path)
}

fn part(name: &str) -> Result<(), NameProblem> {
    if matches!(name, "" | "." | "..") {
        return Err(NameProblem::Leaves);
    }
    if name.len() > NAME_LIMIT {
        return Err(NameProblem::TooLong);
    }
    // Windows drops them, and so takes one name for another.
    if name.ends_with(['.', ' ']) || name.starts_with(' ') {
        return Err(NameProblem::Edge);
    }
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let numbered = stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt"));
    let is_port = numbered.is_some_and(|rest| {
        let mut digits = rest.chars();
        matches!((digits.next(), digits.next()), (Some('0'..='9' | '¹' | '²' | '³'), None))
    });
    if is_port || DEVICES.contains(&stem.as_str()) {
        return Err(NameProblem::Device);
    }
    Ok(())
}

/// The paths of an archive. No two may be equal on a file system that ignores case.
#[derive(Default)]
pub(super) struct EntryPaths {
    /// By the path in small letters: how it is spelt, and whether it is a folder.
    taken: HashMap<String, (String, bool)>,
}

impl EntryPaths {
    /// Takes a checked path with the folders above it.
    pub(super) fn take(&mut self, path: &str, is_folder: bool) -> Result<(), ArchiveError> {
        for (end, _) in path.match_indices('/') {
            self.take_one(&path[..end], true)?;
        }
        self.take_one(path, is_folder)
    }

    fn take_one(&mut self, path: &str, is_folder: bool) -> Result<(), ArchiveError> {
        let taken = self.taken.entry(path.to_lowercase());
        let (spelt, is_taken_by_folder) =
            taken.or_insert_with(|| (path.to_owned(), is_folder)).clone();
        let is_new = spelt == path && is_taken_by_folder == is_folder;
        match is_new {
            true => Ok(()),
            false => Err(ArchiveError::Clash { one: spelt, other: path.to_owned() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_mean_the_same_everywhere() {
        for path in ["a", "a/b.c", "pbrain-天元_15.exe", "a b/c-d", ".hidden", "com/lpt", "con-a"]
        {
            assert_eq!(checked(path), Ok(path));
        }
        assert_eq!(checked("a/b/"), Ok("a/b"));
        let long = "x".repeat(201);
        let longer = ["x"; 201].join("/");
        let cases = [
            ("", NameProblem::Empty),
            ("/", NameProblem::Empty),
            ("/etc/passwd", NameProblem::Absolute),
            ("//server/a", NameProblem::Absolute),
            ("..", NameProblem::Leaves),
            ("a/../../b", NameProblem::Leaves),
            ("a/./b", NameProblem::Leaves),
            ("a//b", NameProblem::Leaves),
            ("..\\a", NameProblem::Backslash),
            ("\\\\server\\a", NameProblem::Backslash),
            ("C:/a", NameProblem::Character),
            ("a:stream", NameProblem::Character),
            ("a\0b", NameProblem::Character),
            ("a\u{1b}[2J", NameProblem::Character),
            ("what?", NameProblem::Character),
            ("a.", NameProblem::Edge),
            ("a /b", NameProblem::Edge),
            (" a", NameProblem::Edge),
            ("... ", NameProblem::Edge),
            ("NUL", NameProblem::Device),
            ("a/con.txt", NameProblem::Device),
            ("Com1.tar.gz", NameProblem::Device),
            ("lpt²", NameProblem::Device),
            ("aux .h", NameProblem::Device),
            (long.as_str(), NameProblem::TooLong),
            (longer.as_str(), NameProblem::TooLong),
            ("a/a/a/a/a/a/a/a/a/a/a/a/a", NameProblem::TooDeep),
        ];
        for (path, problem) in cases {
            assert_eq!(checked(path), Err(problem), "{path:?}");
        }
    }

    #[test]
    fn no_two_paths_are_one_without_case() {
        let take = |paths: &[(&str, bool)]| {
            let mut taken = EntryPaths::default();
            paths.iter().try_for_each(|&(path, is_folder)| taken.take(path, is_folder)).is_ok()
        };
        assert!(take(&[("a/b", false), ("a/c", false), ("a", true), ("b", false)]));
        assert!(!take(&[("a", false), ("A", false)]));
        assert!(!take(&[("a/b", false), ("A/c", false)]), "of folders too");
        assert!(!take(&[("a", false), ("a/b", false)]), "a file is no folder");
        assert!(!take(&[("a/b", false), ("a", false)]));
        assert!(!take(&[("É", false), ("é", false)]));
    }
}
