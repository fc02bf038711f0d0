//! Files that appear whole or not at all.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::{CONFIG, DATABASE, EventError, UNFINISHED};

/// What SQLite appends to a database's name for the files it keeps beside it.
const DATABASE_FILES: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// Refuses a folder that has anything in it but what an event that was never finished left there.
pub(super) fn refuse_used(dir: &Path) -> Result<(), EventError> {
    if dir.join(CONFIG).exists() {
        return Err(EventError::Exists { dir: dir.to_owned() });
    }
    for entry in fs::read_dir(dir).map_err(EventError::file(dir, "read"))? {
        let name = entry.map_err(EventError::file(dir, "read"))?.file_name();
        if !is_left_over(&name) {
            return Err(EventError::NotEmpty { dir: dir.to_owned() });
        }
    }
    Ok(())
}

/// Writes a file under another name, and gives it its own when it is on the disk.
pub(super) fn write(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), EventError> {
    let mut name = OsString::from(path);
    name.push(UNFINISHED);
    let unfinished = Path::new(&name);
    let written = || {
        let mut file = BufWriter::new(File::create(unfinished)?);
        fill(&mut file)?;
        file.flush()?;
        file.get_ref().sync_all()
    };
    if let Err(error) = written() {
        // It may not even be there; the error that matters is the first one.
        let _ignored = fs::remove_file(unfinished);
        return Err(EventError::file(path, "written")(error));
    }
    rename(unfinished, path)
}

/// Renames a file that is on the disk, and waits until its new name is.
pub(super) fn rename(from: &Path, to: &Path) -> Result<(), EventError> {
    fs::rename(from, to).map_err(EventError::file(to, "written"))?;
    let folder = match to.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    // A folder can be opened and waited for on Unix alone; elsewhere renaming is all there is.
    if cfg!(unix) {
        File::open(folder)
            .and_then(|folder| folder.sync_all())
            .map_err(EventError::file(folder, "written"))?;
    }
    Ok(())
}

/// Removes what an event that was never finished left.
pub(super) fn remove_left_over(dir: &Path) -> Result<(), EventError> {
    for entry in fs::read_dir(dir).map_err(EventError::file(dir, "read"))?.flatten() {
        if is_left_over(&entry.file_name()) {
            let path = entry.path();
            fs::remove_file(&path).map_err(EventError::file(&path, "replaced"))?;
        }
    }
    Ok(())
}

/// Whether a file is one of ours under its first name, or the database's own beside one.
fn is_left_over(name: &OsStr) -> bool {
    let of_ours = |file| name.to_str()?.strip_prefix::<&str>(file)?.strip_prefix(UNFINISHED);
    let database = of_ours(DATABASE);
    of_ours(CONFIG) == Some("") || database.is_some_and(|end| DATABASE_FILES.contains(&end))
}
