//! Inspects a shared library.

use std::io::{BufReader, Read, Seek};

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
    let data = ReadCache::new(BufReader::new(file));
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
