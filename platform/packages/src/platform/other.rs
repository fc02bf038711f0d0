//! File permissions on other systems.

use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::io;
use std::path::Path;

/// A file's name decides here whether it can be started.
pub(crate) fn is_executable(_: &Metadata) -> bool {
    true
}

/// Makes a folder, and those above it.
pub(crate) fn make_private(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

/// A user's own folders are private here by inheritance.
pub(crate) fn is_private(_: &Metadata) -> bool {
    true
}

/// Rights are inherited here, and a file that is read-only could not be removed.
pub(crate) fn make_read_only(_: &Path, _: bool) -> io::Result<()> {
    Ok(())
}

/// Folders are writable here.
pub(crate) fn make_writable(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Rights are inherited here.
pub(crate) fn keep_rights(_: &Metadata, _: &Path) -> io::Result<()> {
    Ok(())
}

/// Making links takes rights here that many users lack.
pub(crate) fn link(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "a folder with links cannot be copied here"))
}

/// Programs can be run from everywhere here.
pub(crate) fn forbids_programs(_: &Path) -> bool {
    false
}

/// Nothing shows here which files are open.
pub(crate) fn written_files() -> BTreeSet<(u64, u64)> {
    BTreeSet::new()
}
