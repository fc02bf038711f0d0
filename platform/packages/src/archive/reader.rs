//! Reads zip archives within bounds.

use std::cell::Cell;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::rc::Rc;

use zip::read::{ArchiveOffset, Config};
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use super::limits::{MOST_BYTES, MOST_ENTRIES, MOST_FILE_BYTES, MOST_HEADER_BYTES};
use super::name::{EntryPaths, checked};
use super::{ArchiveEntry, ArchiveError};

/// The kind of a file in its mode on Unix.
const KIND: u32 = 0o170_000;
const FOLDER: u32 = 0o040_000;
const PLAIN: u32 = 0o100_000;
const LINK: u32 = 0o120_000;

/// An archive with every entry checked: what its headers promise is safe to unpack, and nothing
/// more than that comes out of it.
///
/// ```
/// let error = tengen_packages::Archive::read(b"PK, or so it says").err().unwrap();
/// assert!(error.to_string().starts_with("no whole zip archive"));
/// ```
pub struct Archive<'a> {
    zip: ZipArchive<BoundedBytes<'a>>,
    entries: Vec<ArchiveEntry>,
}

impl<'a> Archive<'a> {
    /// Reads the directory of a zip archive.
    ///
    /// # Errors
    /// [`ArchiveError`] says what in it is damaged, dangerous or too much.
    pub fn read(bytes: &'a [u8]) -> Result<Archive<'a>, ArchiveError> {
        if bytes.len() as u64 > MOST_BYTES {
            return Err(ArchiveError::TooLarge);
        }
        let left = Rc::new(Cell::new(MOST_HEADER_BYTES));
        let metered = BoundedBytes { bytes: Cursor::new(bytes), left: Rc::clone(&left) };
        // What stands before an archive would be read otherwise by other programs.
        let config = Config { archive_offset: ArchiveOffset::Known(0) };
        let refuse = |error: ZipError| match left.get() {
            0 => ArchiveError::TooMany,
            _ => ArchiveError::Damaged(error.to_string()),
        };
        let mut zip = ZipArchive::with_config(config, metered).map_err(refuse)?;
        if zip.len() > MOST_ENTRIES {
            return Err(ArchiveError::TooMany);
        }
        if zip.has_duplicate_names() {
            return Err(ArchiveError::Damaged("a name is there twice".to_owned()));
        }
        let entries = entries(&zip)?;
        if zip.has_overlapping_entries().map_err(refuse)? {
            return Err(ArchiveError::Overlap);
        }
        left.set(u64::MAX);
        Ok(Archive { zip, entries })
    }

    /// What it holds, in its own order.
    pub fn entries(&self) -> &[ArchiveEntry] {
        &self.entries
    }

    /// Unpacks the entry at this place into `sink`: exactly [`ArchiveEntry::size`] bytes.
    ///
    /// # Errors
    /// When it is damaged or of another size than its header says, or `sink` fails.
    ///
    /// # Panics
    /// If there is no such place.
    pub fn pour(&mut self, place: usize, sink: &mut dyn Write) -> Result<(), ArchiveError> {
        let ArchiveEntry { path, size, .. } = &self.entries[place];
        let damaged = |error: String| ArchiveError::Damaged(format!("`{path}`: {error}"));
        let mut file = self.zip.by_index(place).map_err(|error| damaged(error.to_string()))?;
        let mut left = *size;
        let mut buffer = vec![0; 1 << 16];
        loop {
            let count = file.read(&mut buffer).map_err(|error| damaged(error.to_string()))?;
            if count == 0 {
                break;
            }
            left = left.checked_sub(count as u64).ok_or_else(|| ArchiveError::Lie(path.clone()))?;
            sink.write_all(&buffer[..count]).map_err(ArchiveError::Unwritten)?;
        }
        if left == 0 { Ok(()) } else { Err(ArchiveError::Lie(path.clone())) }
    }
}

fn entries(zip: &ZipArchive<BoundedBytes<'_>>) -> Result<Vec<ArchiveEntry>, ArchiveError> {
    let mut paths = EntryPaths::default();
    let mut entries = Vec::new();
    let mut total = 0_u64;
    for place in 0..zip.len() {
        let entry = entry(zip, place)?;
        paths.take(&entry.path, entry.is_folder)?;
        if entry.size > MOST_FILE_BYTES {
            return Err(ArchiveError::FileTooLarge(entry.path));
        }
        total += entry.size;
        if total > MOST_BYTES {
            return Err(ArchiveError::TooLarge);
        }
        entries.push(entry);
    }
    match entries.iter().all(|entry| entry.is_folder) {
        true => Err(ArchiveError::Empty),
        false => Ok(entries),
    }
}

fn entry(zip: &ZipArchive<BoundedBytes<'_>>, place: usize) -> Result<ArchiveEntry, ArchiveError> {
    let damaged = |error: ZipError| ArchiveError::Damaged(error.to_string());
    let header = zip.by_index_data(place).map_err(damaged)?;
    let name = header.name().map_err(damaged)?.into_owned();
    let path = match checked(&name) {
        Ok(path) => path,
        Err(problem) => return Err(ArchiveError::Name { name, problem }),
    };
    let is_folder = name.ends_with(['/', '\\']);
    let mode = header.unix_mode().unwrap_or(0);
    match mode & KIND {
        LINK => return Err(ArchiveError::Link(name)),
        FOLDER if is_folder => {}
        // Systems without modes write none.
        0 => {}
        PLAIN if !is_folder => {}
        _ => return Err(ArchiveError::Special(name)),
    }
    if header.encrypted() {
        return Err(ArchiveError::Encrypted(name));
    }
    let method = header.compression();
    if !matches!(method, CompressionMethod::Stored | CompressionMethod::Deflated) {
        return Err(ArchiveError::Method { name, method: method.to_string() });
    }
    let size = if is_folder { 0 } else { header.size() };
    Ok(ArchiveEntry { path, size, is_folder, is_executable: !is_folder && mode & 0o111 != 0 })
}

/// The bytes of an archive; at most a given number of them are read.
struct BoundedBytes<'a> {
    bytes: Cursor<&'a [u8]>,
    left: Rc<Cell<u64>>,
}

impl Read for BoundedBytes<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left.get() == 0 && !buffer.is_empty() {
            return Err(io::Error::other("too much to read"));
        }
        let most = usize::try_from(self.left.get()).unwrap_or(usize::MAX).min(buffer.len());
        let count = self.bytes.read(&mut buffer[..most])?;
        self.left.set(self.left.get() - count as u64);
        Ok(count)
    }
}

impl Seek for BoundedBytes<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}
