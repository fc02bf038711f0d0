//! Writes a zip archive.

use std::io::{self, Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// The rights of a file, and of a program.
const FILE: u32 = 0o644;
const PROGRAM: u32 = 0o755;

/// A zip that depends on nothing but what is put into it: the same files make the same bytes.
pub struct ArchiveWriter {
    zip: ZipWriter<Cursor<Vec<u8>>>,
    unpacked: usize,
}

impl Default for ArchiveWriter {
    fn default() -> ArchiveWriter {
        ArchiveWriter { zip: ZipWriter::new(Cursor::new(Vec::new())), unpacked: 0 }
    }
}

impl ArchiveWriter {
    /// Puts a file in; `name` has its folders before it, with slashes. A program can be started
    /// where systems tell programs from other files.
    ///
    /// # Errors
    /// Where the name is not one for an archive.
    pub fn put(&mut self, name: &str, bytes: &[u8], is_program: bool) -> io::Result<()> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .large_file(u32::try_from(bytes.len()).is_err())
            .unix_permissions(if is_program { PROGRAM } else { FILE });
        self.unpacked += bytes.len();
        self.zip.start_file(name, options)?;
        self.zip.write_all(bytes)
    }

    /// Puts a folder in, which may stay empty.
    ///
    /// # Errors
    /// As [`put`](ArchiveWriter::put).
    pub fn put_folder(&mut self, name: &str) -> io::Result<()> {
        let options = SimpleFileOptions::default().last_modified_time(DateTime::default());
        Ok(self.zip.add_directory(name, options)?)
    }

    /// How many bytes its files have together.
    pub fn unpacked(&self) -> usize {
        self.unpacked
    }

    /// The archive.
    ///
    /// # Errors
    /// Where it has too much for its format.
    pub fn finish(self) -> io::Result<Vec<u8>> {
        Ok(self.zip.finish()?.into_inner())
    }
}
