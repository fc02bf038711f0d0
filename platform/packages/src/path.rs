//! Parts of paths.

use std::path::{self, Path, PathBuf};

/// The last name of a path.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The folder that a file lies in; `.` for a bare name. None of the root.
pub(crate) fn folder_of(file: &Path) -> Option<&Path> {
    match file.parent()? {
        folder if folder.as_os_str().is_empty() => Some(Path::new(".")),
        folder => Some(folder),
    }
}

/// The path from the root on, with its links as they are.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
