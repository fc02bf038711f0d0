use std::io::{Cursor, Write};

use anyhow::Context;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// A zip that depends on nothing but what is put into it: the same files make the same bytes.
pub(super) struct Archive(ZipWriter<Cursor<Vec<u8>>>);

/// What a file of the archive holds.
pub(super) enum Entry<'a> {
    /// It is to be started.
    Program(&'a [u8]),
    File(&'a [u8]),
}

impl Archive {
    pub(super) fn new() -> Archive {
        Archive(ZipWriter::new(Cursor::new(Vec::new())))
    }

    /// Puts a file in; `name` has its folders before it, with slashes.
    pub(super) fn put(&mut self, name: &str, entry: Entry<'_>) -> anyhow::Result<()> {
        let (bytes, rights) = match entry {
            Entry::Program(bytes) => (bytes, 0o755),
            Entry::File(bytes) => (bytes, 0o644),
        };
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .large_file(u32::try_from(bytes.len()).is_err())
            .unix_permissions(rights);
        let put = self.0.start_file(name, options).map_err(anyhow::Error::from);
        put.and_then(|()| Ok(self.0.write_all(bytes)?)).with_context(|| format!("packing {name}"))
    }

    pub(super) fn finish(self) -> anyhow::Result<Vec<u8>> {
        Ok(self.0.finish().context("packing")?.into_inner())
    }
}
