//! Archives that no honest program writes, byte by byte.

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// An entry, stored uncompressed; its headers say what they are told to.
pub(crate) struct RawEntry {
    pub(crate) name: &'static [u8],
    pub(crate) bytes: &'static [u8],
    pub(crate) mode: u32,
    pub(crate) method: u16,
    pub(crate) flags: u16,
    /// The size that the headers tell.
    pub(crate) size: u32,
}

impl RawEntry {
    pub(crate) fn file(name: &'static str, bytes: &'static str) -> RawEntry {
        let size = u32::try_from(bytes.len()).expect("a short text");
        let (name, bytes) = (name.as_bytes(), bytes.as_bytes());
        RawEntry { name, bytes, mode: 0o100_644, method: 0, flags: 1 << 11, size }
    }

    /// The fields that both headers have, from the flags on.
    fn fields(&self) -> Vec<u8> {
        let crc = crc32(self.bytes);
        let packed = u32::try_from(self.bytes.len()).expect("a short text");
        let mut fields = [self.flags, self.method, 0, 0x21].map(u16::to_le_bytes).concat();
        fields.extend([crc, packed, self.size].map(u32::to_le_bytes).concat());
        let length = u16::try_from(self.name.len()).expect("a short name");
        fields.extend([length, 0].map(u16::to_le_bytes).concat());
        fields
    }

    fn local(&self) -> Vec<u8> {
        [b"PK\x03\x04\x14\0", &self.fields()[..], self.name, self.bytes].concat()
    }

    fn central(&self, start: u32) -> Vec<u8> {
        let made_on_unix = b"PK\x01\x02\x14\x03\x14\0";
        let attributes = [self.mode << 16, start].map(u32::to_le_bytes).concat();
        [made_on_unix, &self.fields()[..], &[0; 6], &attributes, self.name].concat()
    }
}

pub(crate) fn archive(entries: &[RawEntry]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut directory = Vec::new();
    for entry in entries {
        directory.extend(entry.central(length(&bytes)));
        bytes.extend(entry.local());
    }
    finish(bytes, &directory, entries.len())
}

/// An archive in which all entries are the first one, under other names of one letter.
pub(crate) fn quine(entry: &RawEntry, names: &[&'static [u8]]) -> Vec<u8> {
    let directory: Vec<_> =
        names.iter().flat_map(|&name| RawEntry { name, ..*entry }.central(0)).collect();
    finish(entry.local(), &directory, names.len())
}

/// An archive with a directory that claims `count` entries.
pub(crate) fn finish(mut bytes: Vec<u8>, directory: &[u8], count: usize) -> Vec<u8> {
    let start = length(&bytes);
    bytes.extend(directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    let count = u16::try_from(count).unwrap_or(u16::MAX);
    bytes.extend([count, count].map(u16::to_le_bytes).concat());
    bytes.extend([length(directory), start].map(u32::to_le_bytes).concat());
    bytes.extend([0, 0]);
    bytes
}

fn length(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len()).expect("a small archive")
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 }
        })
    })
}

/// An honest archive of these files, packed.
pub(crate) fn packed<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(name, SimpleFileOptions::default()).expect("a file");
        writer.write_all(bytes).expect("memory");
    }
    writer.finish().expect("memory").into_inner()
}
