//! Where the links beside an engine lead.

use std::path::{Path, PathBuf};

use super::FolderNames;
use crate::discover::FileKind;
use crate::path::{file_name, folder_of};

/// Where systems keep their libraries, which every engine may read.
pub const LIBRARY_FOLDERS: [&str; 10] = [
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/local/lib64",
    "/nix/store",
    "/gnu/store",
];

/// The target of a link beside `file`, if that is neither a file of the engine beside it nor a
/// library of the system: the engine's author chose it, not the user. Files further down may be
/// another engine's, or no engine's: they are its own only in a folder named like it.
pub(super) fn leads_out(path: &Path, file: &Path, names: &FolderNames) -> Option<PathBuf> {
    // Only what can be read is kept from it.
    let target = path.is_symlink().then(|| dunce::canonicalize(path).ok()).flatten()?;
    let is_library = LIBRARY_FOLDERS.iter().any(|folder| target.starts_with(folder));
    let folder = folder_of(path)?;
    let is_own = || {
        let real = dunce::canonicalize(folder).ok()?;
        let mut inside = target.strip_prefix(real).ok()?.components();
        let first = folder.join(inside.next()?);
        let is_beside = inside.next().is_none() || begins_like(&first, file);
        Some(is_beside && !is_of_another(&first, file, folder, names))
    };
    (!is_library && !is_own().unwrap_or(false)).then_some(target)
}

/// Whether a path is named like a file.
fn begins_like(path: &Path, file: &Path) -> bool {
    let name = file_name(path);
    super::begins(file).iter().any(|begin| name.starts_with(begin))
}

/// Whether what lies in the folder is another engine's, or is named like that.
fn is_of_another(path: &Path, file: &Path, folder: &Path, names: &FolderNames) -> bool {
    if path == file || begins_like(path, file) {
        return false;
    }
    let is_engine = |path: &Path| matches!(FileKind::of(path), FileKind::Engine(_));
    let others = names.beginning(folder, "").into_iter().filter(|other| other != file);
    is_engine(path)
        || others.filter(|other| is_engine(other)).any(|other| begins_like(path, &other))
}
