//! Names in an archive: which are safe to unpack.

use std::collections::HashMap;

use tengen_files::{NameProblem, check_name};

use super::{ArchiveError, EntryProblem};

/// The longest path of an entry, in bytes.
const PATH_LIMIT: usize = 400;
/// The longest name in it, in bytes; file systems take 255.
const NAME_LIMIT: usize = 200;
/// How deep folders may be nested.
const DEPTH_LIMIT: usize = 12;

/// A path below the folder that an archive is unpacked into, with `/` between its names, which
/// means the same on every system: nothing of it is a separator, a drive, a device or the folder
/// above anywhere. Archives made on Windows may have `\` between all of them. One separator at the
/// end, which marks a folder, is dropped.
///
/// # Errors
/// [`EntryProblem`] says what is wrong with it.
pub(super) fn checked(name: &str) -> Result<String, EntryProblem> {
    if name.contains('/') && name.contains('\\') {
        return Err(EntryProblem::Mixed);
    }
    let path = name.replace('\\', "/");
    let path = path.strip_suffix('/').unwrap_or(&path);
    if path.is_empty() {
        return Err(NameProblem::Empty.into());
    }
    if path.starts_with('/') {
        return Err(EntryProblem::Absolute);
    }
    if path.len() > PATH_LIMIT {
        return Err(NameProblem::TooLong.into());
    }
    if path.split('/').count() > DEPTH_LIMIT {
        return Err(EntryProblem::TooDeep);
    }
    path.split('/').try_for_each(part).map(|()| path.to_owned())
}

fn part(name: &str) -> Result<(), EntryProblem> {
    if name.is_empty() {
        return Err(NameProblem::Leaves.into());
    }
    check_name(name)?;
    if name.len() > NAME_LIMIT {
        return Err(NameProblem::TooLong.into());
    }
    if name.starts_with(' ') { Err(EntryProblem::Begin) } else { Ok(()) }
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

    /// A folder may come more than once.
    fn take_one(&mut self, path: &str, is_folder: bool) -> Result<(), ArchiveError> {
        match self.taken.insert(path.to_lowercase(), (path.to_owned(), is_folder)) {
            None => Ok(()),
            Some((spelt, true)) if is_folder && spelt == path => Ok(()),
            Some((spelt, _)) => Err(ArchiveError::Clash { one: spelt, other: path.to_owned() }),
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
            assert_eq!(checked(path).as_deref(), Ok(path));
            assert_eq!(checked(&path.replace('/', "\\")).as_deref(), Ok(path));
        }
        assert_eq!(checked("a/b/").as_deref(), Ok("a/b"));
        assert_eq!(checked(r"a\b\").as_deref(), Ok("a/b"));
        let long = "x".repeat(201);
        let longer = ["x"; 201].join("/");
        let cases = [
            ("", NameProblem::Empty.into()),
            ("/", NameProblem::Empty.into()),
            ("/etc/passwd", EntryProblem::Absolute),
            ("//server/a", EntryProblem::Absolute),
            ("..", NameProblem::Leaves.into()),
            ("a/../../b", NameProblem::Leaves.into()),
            ("a/./b", NameProblem::Leaves.into()),
            ("a//b", NameProblem::Leaves.into()),
            (r"..\a", NameProblem::Leaves.into()),
            (r"a\..\..\b", NameProblem::Leaves.into()),
            (r"a\\b", NameProblem::Leaves.into()),
            (r"\a", EntryProblem::Absolute),
            (r"\\server\a", EntryProblem::Absolute),
            (r"\\?\C:\a", EntryProblem::Absolute),
            (r"a/..\b", EntryProblem::Mixed),
            (r"a\b/", EntryProblem::Mixed),
            ("C:/a", NameProblem::Character.into()),
            (r"C:\a", NameProblem::Character.into()),
            ("C:a", NameProblem::Character.into()),
            ("a:stream", NameProblem::Character.into()),
            ("a\0b", NameProblem::Character.into()),
            ("a\u{1b}[2J", NameProblem::Character.into()),
            ("what?", NameProblem::Character.into()),
            ("a.", NameProblem::End.into()),
            ("a /b", NameProblem::End.into()),
            (" a", EntryProblem::Begin),
            ("... ", NameProblem::End.into()),
            ("NUL", NameProblem::Device.into()),
            ("a/con.txt", NameProblem::Device.into()),
            (r"a\con.txt", NameProblem::Device.into()),
            ("Com1.tar.gz", NameProblem::Device.into()),
            ("lpt²", NameProblem::Device.into()),
            ("aux .h", NameProblem::Device.into()),
            (long.as_str(), NameProblem::TooLong.into()),
            (longer.as_str(), NameProblem::TooLong.into()),
            ("a/a/a/a/a/a/a/a/a/a/a/a/a", EntryProblem::TooDeep),
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
        assert!(!take(&[("a/b", false), ("a/b", false)]), "two separators, one file");
        assert!(take(&[("a", true), ("a", true)]));
        assert!(!take(&[("a/b", false), ("A/c", false)]), "of folders too");
        assert!(!take(&[("a", false), ("a/b", false)]), "a file is no folder");
        assert!(!take(&[("a/b", false), ("a", false)]));
        assert!(!take(&[("É", false), ("é", false)]));
    }
}
