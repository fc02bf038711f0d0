//! Files in a folder of the program's own. The folder may come from elsewhere: an event that was
//! sent, or the folder of a server. No file in it may be a link: otherwise writing to it would
//! change a file elsewhere.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

/// Refuses what may lead elsewhere under the name of a file of the program's own. A plain file is
/// none of that, and neither is nothing.
///
/// # Errors
/// When a link, a folder, a pipe or a device has the name. The text says what to do.
pub fn check_own(path: &Path) -> io::Result<()> {
    let kind = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        there => there?.file_type(),
    };
    let what = match kind {
        kind if kind.is_file() => return Ok(()),
        kind if kind.is_symlink() => "not a plain file but a link, which is not followed",
        kind if kind.is_dir() => "not a plain file but a folder",
        _ => "not a plain file but a pipe or a device",
    };
    Err(refusal(what))
}

/// Refuses also a file that has another name: what is written into it is written there, too.
///
/// # Errors
/// As [`check_own`], or when there is another name.
pub fn check_alone(path: &Path) -> io::Result<()> {
    check_own(path)?;
    match fs::symlink_metadata(path) {
        Ok(there) if names(&there) > 1 => {
            Err(refusal("a file that has another name too (a hard link)"))
        }
        _ => Ok(()),
    }
}

/// Opens a file of the program's own, with options for writing. What leads elsewhere is not opened.
///
/// # Errors
/// As [`check_alone`], or when the system does not open it.
pub fn open_own(path: &Path, options: &OpenOptions) -> io::Result<File> {
    check_alone(path)?;
    let mut options = options.clone();
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        // Should it have become a link or a pipe since.
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
        options.custom_flags(flags.bits().cast_signed());
    }
    #[cfg(windows)]
    {
        // A link itself, which is no file.
        const OPEN_REPARSE_POINT: u32 = 0x0020_0000;
        std::os::windows::fs::OpenOptionsExt::custom_flags(&mut options, OPEN_REPARSE_POINT);
    }
    let file = options.open(path)?;
    let there = file.metadata()?;
    if there.is_file() && names(&there) <= 1 { Ok(file) } else { Err(refusal("not a plain file")) }
}

/// Makes a folder in one of the program's own, if it is not there.
///
/// # Errors
/// When something else has the name, as a link to a folder, or it cannot be made.
pub fn make_own_folder(path: &Path) -> io::Result<()> {
    match fs::create_dir(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        done => return done,
    }
    let kind = fs::symlink_metadata(path)?.file_type();
    match kind {
        kind if kind.is_dir() => Ok(()),
        kind if kind.is_symlink() => Err(refusal("not a folder but a link, which is not followed")),
        _ => Err(refusal("not a folder")),
    }
}

fn refusal(what: &str) -> io::Error {
    let told = format!("{what}; remove it, or put a copy of what it stands for in its place");
    io::Error::new(io::ErrorKind::InvalidInput, told)
}

/// How many names a file has.
#[cfg(unix)]
fn names(there: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(there)
}
#[cfg(not(unix))]
fn names(_: &fs::Metadata) -> u64 {
    1
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::io::Write;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn nothing_is_written_through_what_leads_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("precious"), "old").unwrap();
        fs::create_dir(at("away")).unwrap();
        symlink("precious", at("link")).unwrap();
        symlink(at("not-yet"), at("dangling")).unwrap();
        symlink("away", at("linked-folder")).unwrap();
        fs::hard_link(at("precious"), at("hard")).unwrap();
        let fifo = rustix::fs::FileType::Fifo;
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        rustix::fs::mknodat(rustix::fs::CWD, at("pipe"), fifo, mode, 0).unwrap();
        let [mut truncates, mut appends] = [File::options(), File::options()];
        truncates.write(true).create(true).truncate(true);
        appends.append(true).create(true);
        for name in ["link", "dangling", "linked-folder", "hard", "pipe", "away", "precious"] {
            for options in [&truncates, &appends] {
                let error = open_own(&at(name), options).unwrap_err().to_string();
                assert!(error.contains("in its place"), "{name}: {error}");
            }
        }
        assert_eq!(fs::read(at("precious")).unwrap(), b"old");
        assert!(!at("not-yet").exists());
        fs::remove_file(at("hard")).unwrap();
        open_own(&at("precious"), &appends).unwrap().write_all(b"er").unwrap();
        open_own(&at("new"), &truncates).unwrap().write_all(b"new").unwrap();
        assert_eq!(fs::read(at("precious")).unwrap(), b"older");
        for name in ["linked-folder", "precious", "dangling"] {
            assert!(make_own_folder(&at(name)).is_err(), "{name}");
        }
        make_own_folder(&at("away")).unwrap();
        make_own_folder(&at("near")).unwrap();
        assert!(at("near").is_dir());
    }
}
