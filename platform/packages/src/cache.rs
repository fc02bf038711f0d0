//! The user's cache folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::platform;

/// The user's folder for what this program can make again; in the folder of temporary files where
/// the user has no home. It need not be there.
pub fn user_cache() -> PathBuf {
    let folder = |name| std::env::var_os(name).map(PathBuf::from).filter(|dir| dir.is_absolute());
    let user = folder("XDG_CACHE_HOME").or_else(|| folder("HOME").map(|home| home.join(".cache")));
    let user = user.or_else(|| folder("LOCALAPPDATA"));
    user.unwrap_or_else(std::env::temp_dir).join("tengen")
}

/// Where archives of engines are unpacked.
pub(super) fn cache_dir() -> PathBuf {
    user_cache().join("packages")
}

/// Makes a folder, and those above it, that only this user may enter.
///
/// # Errors
/// When it cannot be made, or is there and others may write in it: its files are run.
pub fn make_private(folder: &Path) -> io::Result<()> {
    platform::make_private(folder)?;
    if platform::is_private(&fs::symlink_metadata(folder)?) {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::PermissionDenied, "others may write there"))
}
