//! Where the links beside an engine lead.

use std::path::{Path, PathBuf};

use super::FolderNames;
use crate::discover::FileKind;

/// Where systems keep their libraries, which every engine may read.
const LIBRARIES: [&str; 10] = [
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

/// What a link beside `file` leads to, if that is neither in the same folder nor a library of the
/// system: whoever brought the engine chose it, and not whoever runs it. Within the folder, what is
/// another engine's is not its own by a link either.
pub(super) fn leads_out(path: &Path, file: &Path, names: &FolderNames) -> Option<PathBuf> {
    // Only what can be read is kept from it.
    let target = path.is_symlink().then(|| path.canonicalize().ok()).flatten()?;
    let is_library = LIBRARIES.iter().any(|folder| target.starts_with(folder));
    let folder = path.parent()?;
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let inside = folder.canonicalize().ok().and_then(|real| {
        let inside = target.strip_prefix(real).ok()?;
        inside.components().next().map(|first| folder.join(first))
    });
    let is_own = inside.is_some_and(|inside| !is_of_another(&inside, file, folder, names));
    (!is_library && !is_own).then_some(target)
}

/// Whether what lies in the folder is another engine's, or is named like that.
fn is_of_another(path: &Path, file: &Path, folder: &Path, names: &FolderNames) -> bool {
    let own = super::begins(file);
    let begins_like = |begins: &[String]| {
        let name = super::name(path);
        begins.iter().any(|begin| name.starts_with(begin))
    };
    let is_engine = |path: &Path| matches!(FileKind::of(path), FileKind::Engine(_));
    if path == file || begins_like(&own) {
        return false;
    }
    let others = names.beginning(folder, "").into_iter().filter(|other| other != file);
    is_engine(path)
        || others.filter(|other| is_engine(other)).any(|o| begins_like(&super::begins(&o)))
}
