//! File permissions on Unix.

use std::collections::BTreeSet;
use std::fs::{self, DirBuilder, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::Path;

/// The devices and numbers of the files that this process has open to write in them, where the
/// system shows that; see proc_pid_fdinfo(5).
pub(crate) fn written_files() -> BTreeSet<(u64, u64)> {
    let entries = fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    let written = entries.filter(|entry| {
        let info = Path::new("/proc/self/fdinfo").join(entry.file_name());
        let info = fs::read_to_string(info).unwrap_or_default();
        let flags =
            info.lines().find_map(|line| line.strip_prefix("flags:")?.trim().chars().last());
        // The last octal digit: 1 is to write, 2 both.
        flags.and_then(|digit| digit.to_digit(8)).is_some_and(|digit| matches!(digit & 3, 1 | 2))
    });
    let files = written.filter_map(|entry| fs::metadata(entry.path()).ok());
    files.map(|file| (file.dev(), file.ino())).collect()
}

/// Whether the file's rights let it be started.
pub(crate) fn is_executable(metadata: &Metadata) -> bool {
    metadata.permissions().mode() & 0o111 != 0
}

/// Makes a folder, and those above it, that only this user may enter.
pub(crate) fn make_private(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Whether only this user can write there.
pub(crate) fn is_private(metadata: &Metadata) -> bool {
    metadata.uid() == rustix::process::geteuid().as_raw() && metadata.mode() & 0o022 == 0
}

/// Takes away the right to write to a file or in a folder, which may be started or entered if so
/// told.
pub(crate) fn make_read_only(path: &Path, is_executable: bool) -> io::Result<()> {
    let mode = if is_executable { 0o555 } else { 0o444 };
    fs::set_permissions(path, Permissions::from_mode(mode))
}

/// Lets a folder be written in, so that it can be removed.
pub(crate) fn make_writable(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, Permissions::from_mode(0o700))
}

/// Gives a copy the rights of a file, except to be written.
pub(crate) fn keep_rights(original: &Metadata, copy: &Path) -> io::Result<()> {
    fs::set_permissions(copy, Permissions::from_mode(original.mode() & 0o555))
}

/// Makes a symbolic link.
pub(crate) fn link(target: &Path, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, at)
}

/// Whether no program can be run from a folder, for so it was mounted. macOS tells that by another
/// number, which is not looked at.
#[cfg(target_vendor = "apple")]
pub(crate) fn forbids_programs(_: &Path) -> bool {
    false
}

/// Whether no program can be run from a folder, for so it was mounted.
#[cfg(not(target_vendor = "apple"))]
pub(crate) fn forbids_programs(folder: &Path) -> bool {
    let forbids = rustix::fs::StatVfsMountFlags::NOEXEC;
    rustix::fs::statvfs(folder).is_ok_and(|mount| mount.f_flag.contains(forbids))
}
