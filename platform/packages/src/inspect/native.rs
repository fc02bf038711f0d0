//! Inspects a shared library.

use std::io::{self, BufReader, Read, Seek, SeekFrom};

use object::read::{FileKind, Object, ObjectKind, ReadCache};
use object::{Architecture, BinaryFormat};

use super::{ExportedFunctions, InspectError};

#[cfg(target_os = "windows")]
pub(crate) const HERE: (BinaryFormat, &str) = (BinaryFormat::Pe, "a Windows library (PE)");
#[cfg(target_vendor = "apple")]
pub(crate) const HERE: (BinaryFormat, &str) = (BinaryFormat::MachO, "a macOS library (Mach-O)");
#[cfg(not(any(target_os = "windows", target_vendor = "apple")))]
pub(crate) const HERE: (BinaryFormat, &str) = (BinaryFormat::Elf, "a shared library (ELF)");

/// The ABI functions that a shared library exports. Of the file only the headers and the symbol
/// table are read.
pub(super) fn exports(mut file: impl Read + Seek) -> Result<ExportedFunctions, InspectError> {
    let other = |found| InspectError::OtherFormat { expected: HERE.1, found };
    let mut magic = Vec::new();
    file.by_ref().take(4).read_to_end(&mut magic)?;
    match &magic[..] {
        [] => return Err(other("empty")),
        b"\0asm" => return Err(other("a WebAssembly module: name it .wasm")),
        _ => file.rewind()?,
    }
    let data = ReadCache::new(NearReader::new(file));
    let found = match FileKind::parse(&data) {
        Ok(FileKind::Elf32 | FileKind::Elf64) => (BinaryFormat::Elf, "an ELF file"),
        Ok(FileKind::Pe32 | FileKind::Pe64) => (BinaryFormat::Pe, "a Windows library (PE)"),
        Ok(FileKind::MachO32 | FileKind::MachO64) => (BinaryFormat::MachO, "a Mach-O file"),
        Ok(FileKind::MachOFat32 | FileKind::MachOFat64) => {
            return Err(other("for several processors at once: split it with lipo -thin"));
        }
        _ => return Err(other("no library of any system")),
    };
    if found.0 != HERE.0 {
        return Err(other(found.1));
    }
    let damaged = |error: object::Error| InspectError::Damaged(error.to_string());
    let library = object::File::parse(&data).map_err(damaged)?;
    let architecture = name(library.architecture());
    if architecture != std::env::consts::ARCH {
        return Err(InspectError::OtherArchitecture { found: architecture });
    }
    match library.kind() {
        ObjectKind::Dynamic => {}
        ObjectKind::Relocatable => return Err(other("an object file: link it with -shared")),
        ObjectKind::Executable => return Err(other("a program")),
        _ => return Err(other("something else")),
    }
    let mut exports = ExportedFunctions::default();
    for export in library.exports().map_err(damaged)? {
        exports.add(&String::from_utf8_lossy(export.name()));
    }
    Ok(exports)
}

/// No file is that long, and the distance between two places below it fits a number.
const FAR: u64 = 1 << 62;

/// Reads a file in places. The next read is mostly near the last one and already in the buffer; a
/// seek would throw the buffer away.
pub(crate) struct NearReader<R> {
    inner: BufReader<R>,
    at: u64,
}

impl<R: Read + Seek> NearReader<R> {
    /// Of a file at its beginning.
    pub fn new(file: R) -> NearReader<R> {
        NearReader { inner: BufReader::new(file), at: 0 }
    }
}

impl<R: Read> Read for NearReader<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl<R: Seek> Seek for NearReader<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match to {
            SeekFrom::Start(to) if to < FAR && self.at < FAR => {
                self.inner.seek_relative(to as i64 - self.at as i64)?;
                self.at = to;
            }
            to => self.at = self.inner.seek(to)?,
        }
        Ok(self.at)
    }
}

/// The processor in the words of [`std::env::consts::ARCH`].
pub(crate) fn name(architecture: Architecture) -> String {
    match architecture {
        Architecture::I386 => "x86".to_owned(),
        Architecture::PowerPc => "powerpc".to_owned(),
        Architecture::PowerPc64 => "powerpc64".to_owned(),
        Architecture::Unknown => "an unknown processor".to_owned(),
        known => format!("{known:?}").to_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// Notes how often a file is really read.
    struct Counted(Cursor<Vec<u8>>, usize);

    impl Read for Counted {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            self.1 += 1;
            self.0.read(bytes)
        }
    }

    impl Seek for Counted {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.0.seek(to)
        }
    }

    #[test]
    fn what_lies_near_is_read_once_and_all_is_as_in_the_file() {
        let bytes: Vec<u8> = (0..100_000_u32).map(|at| (at % 251) as u8).collect();
        let mut reader = NearReader::new(Counted(Cursor::new(bytes.clone()), 0));
        assert_eq!(reader.seek(SeekFrom::End(0)).unwrap(), 100_000);
        let mut random = 7_u64;
        let read = |reader: &mut NearReader<Counted>, at: u64| {
            let mut piece = [0; 16];
            assert_eq!(reader.seek(SeekFrom::Start(at)).unwrap(), at);
            reader.read_exact(&mut piece).unwrap();
            assert_eq!(piece, bytes[at as usize..][..16], "{at}");
        };
        read(&mut reader, 70_000);
        let before = reader.inner.get_ref().1;
        for near in [70_500, 70_016, 77_000, 70_000] {
            read(&mut reader, near);
        }
        assert_eq!(reader.inner.get_ref().1, before, "nothing is read again");
        for _ in 0..1000 {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1);
            read(&mut reader, (random >> 33) % 99_984);
        }
        assert!(reader.seek(SeekFrom::Current(-1_000_000)).is_err());
    }
}
