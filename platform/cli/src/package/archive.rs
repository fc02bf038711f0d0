//! Writes a zip archive: the same files give the same bytes.

use std::io::{Cursor, Write};

use anyhow::Context;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// The rights of a file, and of a program.
pub(super) const FILE: u32 = 0o644;
pub(super) const PROGRAM: u32 = 0o755;

/// A zip that depends on nothing but what is put into it: the same files make the same bytes.
pub(super) struct PackageWriter {
    zip: ZipWriter<Cursor<Vec<u8>>>,
    unpacked: usize,
}

impl PackageWriter {
    pub(super) fn new() -> PackageWriter {
        PackageWriter { zip: ZipWriter::new(Cursor::new(Vec::new())), unpacked: 0 }
    }

    /// Puts a file in; `name` has its folders before it, with slashes.
    pub(super) fn put(&mut self, name: &str, bytes: &[u8], rights: u32) -> anyhow::Result<()> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .large_file(u32::try_from(bytes.len()).is_err())
            .unix_permissions(rights);
        self.unpacked += bytes.len();
        let put = self.zip.start_file(name, options).map_err(anyhow::Error::from);
        put.and_then(|()| Ok(self.zip.write_all(bytes)?)).with_context(|| format!("packing {name}"))
    }

    /// How many bytes its files have together.
    pub(super) fn unpacked(&self) -> usize {
        self.unpacked
    }

    pub(super) fn finish(self) -> anyhow::Result<Vec<u8>> {
        Ok(self.zip.finish().context("packing")?.into_inner())
    }
}
