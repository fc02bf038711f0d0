//! What the sandbox of a child allows, and which of its file calls it denies.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use libc::c_long;
use rustix::fs::{Access, access};

use super::file_call::{FileCall, RequestedAccess};
use super::{AccessMode, Denial};
use crate::sandbox::trail::Trail;

/// Files and folders with what may be done with them, each a real path, and the calls that ask and
/// may go on, which other layers judge by these.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Grants {
    paths: Vec<(AccessMode, PathBuf)>,
    calls: Vec<c_long>,
}

impl Grants {
    /// Allows uses of a file, or of what is in a folder. A path that does not exist is skipped.
    pub(crate) fn add(&mut self, modes: &[AccessMode], path: &Path) {
        if let Some(Trail { end, .. }) = Trail::of(path) {
            self.paths.extend(modes.iter().map(|mode| (*mode, end.clone())));
        }
    }

    /// Lets a call that asks go on.
    pub(crate) fn allow_call(&mut self, call: c_long) {
        self.calls.push(call);
    }

    /// Whether a call that asks may go on.
    pub(super) fn allows_call(&self, call: c_long) -> bool {
        self.calls.contains(&call)
    }

    /// The calls that ask and may go on.
    pub(super) fn calls(&self) -> &[c_long] {
        &self.calls
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (mode, path) in &self.paths {
            bytes.push(match mode {
                AccessMode::Read => b'r',
                AccessMode::Write => b'w',
                AccessMode::Run => b'x',
            });
            bytes.extend_from_slice(path.as_os_str().as_bytes());
            bytes.push(0);
        }
        for call in &self.calls {
            bytes.extend_from_slice(format!("c{call}\0").as_bytes());
        }
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Grants {
        let mut grants = Grants::default();
        let read = |entry: &[u8]| {
            let (mode, path) = entry.split_first()?;
            if *mode == b'c' {
                let call = std::str::from_utf8(path).ok()?.parse().ok()?;
                grants.calls.push(call);
                return None;
            }
            let mode = match mode {
                b'r' => AccessMode::Read,
                b'w' => AccessMode::Write,
                b'x' => AccessMode::Run,
                _ => return None,
            };
            Some((mode, PathBuf::from(OsStr::from_bytes(path))))
        };
        let paths = bytes.split(|byte| *byte == 0).filter_map(read).collect();
        grants.paths = paths;
        grants
    }

    fn cover(&self, mode: AccessMode, real: &Path) -> bool {
        let nearest = |mode| {
            let covers =
                self.paths.iter().filter(|(it, path)| *it == mode && real.starts_with(path));
            covers.map(|(_, path)| path.components().count()).max()
        };
        match mode {
            // What may be read alone within its own `/tmp` is not to be written.
            AccessMode::Write => {
                nearest(mode).is_some_and(|depth| Some(depth) >= nearest(AccessMode::Read))
            }
            AccessMode::Read | AccessMode::Run => nearest(mode).is_some(),
        }
    }

    /// What the sandbox denies of a file call. A call that fails in any case, as where there is no
    /// such file, is not denied by it.
    pub(super) fn denial(&self, file_call: &FileCall) -> Option<Denial> {
        let named = file_call.real_path();
        let real = match dunce::canonicalize(&named) {
            Ok(real) => real,
            Err(error) if error.kind() == io::ErrorKind::NotFound && file_call.creates => {
                let parent = dunce::canonicalize(named.parent()?).ok()?;
                let is_ours = access(&parent, Access::WRITE_OK).is_ok();
                let path = parent.join(named.file_name()?);
                return (is_ours && !self.cover(AccessMode::Write, &parent))
                    .then_some(Denial::File { mode: AccessMode::Write, path });
            }
            Err(_) => return None,
        };
        // A search for a program there wants nothing of the folder itself.
        let is_named = |path: OsString| env::split_paths(&path).any(|folder| folder == named);
        if env::var_os("PATH").is_some_and(is_named) {
            return None;
        }
        let is_denied = |mode, right| !self.cover(mode, &real) && access(&real, right).is_ok();
        // Such a folder is its own, whatever it holds outside.
        let is_own = real.is_dir() && self.cover(AccessMode::Write, &real);
        let mode = match file_call.requested {
            RequestedAccess::Open { .. } if is_own => return None,
            RequestedAccess::Run if !real.is_file() => return None,
            RequestedAccess::Run if is_denied(AccessMode::Run, Access::EXEC_OK) => AccessMode::Run,
            // The system runs it, without another call.
            RequestedAccess::Run => {
                let path = dunce::canonicalize(tengen_packages::interpreter(&real)?).ok()?;
                let is_covered = self.cover(AccessMode::Run, &path);
                return (!is_covered).then_some(Denial::File { mode: AccessMode::Run, path });
            }
            RequestedAccess::Open { reads, .. }
                if reads && is_denied(AccessMode::Read, Access::READ_OK) =>
            {
                AccessMode::Read
            }
            RequestedAccess::Open { writes, .. }
                if writes && is_denied(AccessMode::Write, Access::WRITE_OK) =>
            {
                AccessMode::Write
            }
            RequestedAccess::Open { .. } => return None,
        };
        Some(Denial::File { mode, path: real })
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
        fs::create_dir(at("scratch")).unwrap();
        for file in ["own/weights", "secret"] {
            fs::write(at(file), "words").unwrap();
        }
        std::os::unix::fs::symlink(at("secret"), at("own/link")).unwrap();
        let mut grants = Grants::default();
        grants.add(&[AccessMode::Read], &at("own"));
        grants.add(&[AccessMode::Read, AccessMode::Write], &at("scratch"));
        grants.add(&[AccessMode::Read], &at("absent"));
        fs::create_dir(at("scratch/package")).unwrap();
        grants.add(&[AccessMode::Read], &at("scratch/package"));
        grants.allow_call(libc::SYS_openat);
        let grants = Grants::from_bytes(&grants.to_bytes());
        assert!(grants.allows_call(libc::SYS_openat) && !grants.allows_call(libc::SYS_execve));
        let outcome = |path: &str, reads, writes, creates| {
            let requested = RequestedAccess::Open { reads, writes };
            let file_call =
                FileCall { path: at(path), requested, creates, process: std::process::id() };
            match grants.denial(&file_call) {
                Some(Denial::File { mode, .. }) => Some(mode),
                _ => None,
            }
        };
        assert_eq!(outcome("own/weights", true, false, false), None);
        assert_eq!(outcome("own/weights", false, true, true), Some(AccessMode::Write));
        assert_eq!(outcome("own/link", true, false, false), Some(AccessMode::Read));
        assert_eq!(outcome("own/../secret", true, false, false), Some(AccessMode::Read));
        assert_eq!(outcome("absent", true, false, false), None);
        assert_eq!(outcome("own/new", false, true, true), Some(AccessMode::Write));
        assert_eq!(outcome("scratch/new", false, true, true), None);
        assert_eq!(outcome("scratch/package/new", false, true, true), Some(AccessMode::Write));
    }
}
