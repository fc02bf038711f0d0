//! The links that a path goes through.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

/// The most links on the way to a file.
const MOST_LINKS: usize = 40;

/// The ways of the system's own paths, in a process that others are copies of: these need not
/// follow them once more.
static REMEMBERED: OnceLock<BTreeMap<PathBuf, Option<Trail>>> = OnceLock::new();

/// The links and the real path that a path leads through.
#[derive(Clone, Default, Debug)]
pub(super) struct Trail {
    /// Each with what it says.
    pub links: Vec<(PathBuf, PathBuf)>,
    /// The real path.
    pub end: PathBuf,
}

impl Trail {
    /// The way of a path; none where there is nothing.
    pub(super) fn of(path: &Path) -> Option<Trail> {
        match REMEMBERED.get().and_then(|known| known.get(path)) {
            Some(known) => known.clone(),
            None => follow(path).ok(),
        }
    }

    /// Remembers the ways of these paths, once.
    pub(super) fn remember(paths: impl Iterator<Item = PathBuf>) {
        REMEMBERED.get_or_init(|| paths.map(|path| (path.clone(), follow(&path).ok())).collect());
    }
}

fn follow(path: &Path) -> io::Result<Trail> {
    let mut trail = Trail { links: Vec::new(), end: PathBuf::from("/") };
    let mut rest: Vec<PathBuf> = parts(path);
    while let Some(part) = rest.pop() {
        if part == Path::new("..") {
            trail.end.pop();
            continue;
        }
        let next = trail.end.join(part);
        if !fs::symlink_metadata(&next)?.is_symlink() {
            trail.end = next;
            continue;
        }
        let target = fs::read_link(&next)?;
        if trail.links.len() == MOST_LINKS {
            return Err(io::Error::other("too many links"));
        }
        if target.is_absolute() {
            trail.end = PathBuf::from("/");
        }
        rest.extend(parts(&target));
        trail.links.push((next, target));
    }
    Ok(trail)
}

/// The parts of a path from the last to the first.
fn parts(path: &Path) -> Vec<PathBuf> {
    let parts = path.components().filter_map(|part| match part {
        Component::Normal(_) | Component::ParentDir => Some(PathBuf::from(part.as_os_str())),
        _ => None,
    });
    parts.rev().collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_path_is_followed_through_its_links() {
        let folder = tempfile::tempdir().unwrap();
        let real = dunce::canonicalize(folder.path()).unwrap();
        fs::create_dir_all(real.join("a/b")).unwrap();
        fs::write(real.join("a/b/file"), "").unwrap();
        symlink("a/../a", real.join("near")).unwrap();
        symlink(real.join("near/b"), real.join("far")).unwrap();
        let trail = follow(&real.join("far/file")).unwrap();
        assert_eq!(trail.end, real.join("a/b/file"));
        let links: Vec<_> = trail.links.iter().map(|(link, _)| link.clone()).collect();
        assert_eq!(links, [real.join("far"), real.join("near")]);
        symlink("round", real.join("round")).unwrap();
        assert!(follow(&real.join("round")).is_err() && follow(&real.join("none")).is_err());
    }
}
