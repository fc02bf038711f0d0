//! Programs of Windows, run by Wine: what Wine expects in its user's home.

use std::ffi::OsStr;
use std::path::Path;
#[cfg(unix)]
use std::{fs, io};

#[cfg(unix)]
use crate::platform;

/// Its environment variables: it finds its own libraries where the system has them, instead of
/// first copying hundreds of MiB of them into the home, and prints none of its warnings.
pub(crate) const VARIABLES: [(&str, &str); 2] = [("WINEBOOTSTRAPMODE", "1"), ("WINEDEBUG", "-all")];
/// Where it has its drives and settings in the home of its user.
#[cfg(unix)]
const PREFIX: &str = ".wine";

pub(crate) fn is_wine(program: &Path) -> bool {
    cfg!(unix)
        && program.file_name().is_some_and(|name| {
            ["wine", "wine64", "wine-stable"].iter().any(|wine| name == OsStr::new(wine))
        })
}

/// Lays down a home in which Wine has nothing left to set up.
#[cfg(unix)]
pub(super) fn lay_prefix(home: &Path) -> io::Result<()> {
    let prefix = home.join(PREFIX);
    let drives = prefix.join("dosdevices");
    fs::create_dir_all(&drives)?;
    fs::create_dir_all(prefix.join("drive_c/windows/system32"))?;
    fs::write(prefix.join(".update-timestamp"), "disable\n")?;
    platform::link(Path::new("../drive_c"), &drives.join("c:"))?;
    platform::link(Path::new("/"), &drives.join("z:"))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn wine_is_known_by_its_name() {
        for (program, is_it) in [
            ("wine", true),
            ("/usr/bin/wine64", true),
            ("/opt/wine/bin/wine", true),
            ("./pbrain-wine", false),
            ("wineserver", false),
        ] {
            assert_eq!(is_wine(Path::new(program)), is_it, "{program}");
        }
    }

    #[test]
    fn a_home_has_its_drives() {
        let home = tempfile::tempdir().unwrap();
        lay_prefix(home.path()).unwrap();
        assert!(home.path().join(".wine/dosdevices/c:/windows/system32").is_dir());
        assert!(home.path().join(".wine/dosdevices/z:/usr").is_dir());
    }
}
