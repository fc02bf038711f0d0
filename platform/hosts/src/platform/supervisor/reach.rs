//! What a child's walls let it reach, and which attempt of its they deny.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use super::attempt::{Attempt, Wish};
use crate::denials::{Deed, Denial};

/// Files and folders with what may be done with them, each a real path.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Grants(Vec<(Deed, PathBuf)>);

impl Grants {
    /// Allows a deed with a file, or with what is in a folder. What is not there is passed over.
    pub(crate) fn add(&mut self, deed: Deed, path: &Path) {
        if let Ok(real) = path.canonicalize() {
            self.0.push((deed, real));
        }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (deed, path) in &self.0 {
            bytes.push(match deed {
                Deed::Read => b'r',
                Deed::Write => b'w',
                Deed::Run => b'x',
            });
            bytes.extend_from_slice(path.as_os_str().as_bytes());
            bytes.push(0);
        }
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Grants {
        let read = |entry: &[u8]| {
            let (deed, path) = entry.split_first()?;
            let deed = match deed {
                b'r' => Deed::Read,
                b'w' => Deed::Write,
                b'x' => Deed::Run,
                _ => return None,
            };
            Some((deed, PathBuf::from(OsStr::from_bytes(path))))
        };
        Grants(bytes.split(|byte| *byte == 0).filter_map(read).collect())
    }

    fn cover(&self, deed: Deed, real: &Path) -> bool {
        self.0.iter().any(|(granted, path)| *granted == deed && real.starts_with(path))
    }

    /// What the walls deny of an attempt. One that fails in any case, as where there is no such
    /// file, is none of their doing.
    pub(super) fn denial(&self, attempt: &Attempt) -> Option<Denial> {
        let named = attempt.real_path();
        let real = match named.canonicalize() {
            Ok(real) => real,
            Err(error) if error.kind() == io::ErrorKind::NotFound && attempt.creates => {
                let parent = named.parent()?.canonicalize().ok()?;
                let is_ours = access(&parent, Access::WRITE_OK).is_ok();
                let path = parent.join(named.file_name()?);
                return (is_ours && !self.cover(Deed::Write, &parent))
                    .then_some(Denial { deed: Deed::Write, path });
            }
            Err(_) => return None,
        };
        // Who looks for a program there wants nothing of the folder itself.
        let is_named = |path: OsString| env::split_paths(&path).any(|folder| folder == named);
        if env::var_os("PATH").is_some_and(is_named) {
            return None;
        }
        let is_denied = |deed, right| !self.cover(deed, &real) && access(&real, right).is_ok();
        let deed = match attempt.wish {
            Wish::Run if !real.is_file() => return None,
            Wish::Run if is_denied(Deed::Run, Access::EXEC_OK) => Deed::Run,
            // The system runs it, without another call.
            Wish::Run => {
                let path = tengen_packages::interpreter(&real)?.canonicalize().ok()?;
                let is_covered = self.cover(Deed::Run, &path);
                return (!is_covered).then_some(Denial { deed: Deed::Run, path });
            }
            Wish::Open { reads, .. } if reads && is_denied(Deed::Read, Access::READ_OK) => {
                Deed::Read
            }
            Wish::Open { writes, .. } if writes && is_denied(Deed::Write, Access::WRITE_OK) => {
                Deed::Write
            }
            Wish::Open { .. } => return None,
        };
        Some(Denial { deed, path: real })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_a_grant_covers_is_not_denied_and_what_is_not_there_neither() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("own")).unwrap();
        fs::create_dir(at("desk")).unwrap();
        for file in ["own/weights", "secret"] {
            fs::write(at(file), "words").unwrap();
        }
        std::os::unix::fs::symlink(at("secret"), at("own/link")).unwrap();
        let mut grants = Grants::default();
        grants.add(Deed::Read, &at("own"));
        grants.add(Deed::Read, &at("desk"));
        grants.add(Deed::Write, &at("desk"));
        grants.add(Deed::Read, &at("absent"));
        let grants = Grants::from_bytes(&grants.to_bytes());
        let outcome = |path: &str, reads, writes, creates| {
            let wish = Wish::Open { reads, writes };
            let attempt = Attempt { path: at(path), wish, creates, process: std::process::id() };
            grants.denial(&attempt).map(|denial| denial.deed)
        };
        assert_eq!(outcome("own/weights", true, false, false), None);
        assert_eq!(outcome("own/weights", false, true, true), Some(Deed::Write));
        assert_eq!(outcome("own/link", true, false, false), Some(Deed::Read));
        assert_eq!(outcome("own/../secret", true, false, false), Some(Deed::Read));
        assert_eq!(outcome("absent", true, false, false), None);
        assert_eq!(outcome("own/new", false, true, true), Some(Deed::Write));
        assert_eq!(outcome("desk/new", false, true, true), None);
    }
}
