//! Looks into a library or module without loading it.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Cursor, Read};
use std::path::Path;

use super::{EngineKind, open_file};

mod module;
mod native;
mod signature;

pub(super) use native::{HERE, NearReader, name as architecture_name};
pub use signature::Signature;

/// Larger files are refused unread, in MiB: no engine comes near it.
const SIZE_LIMIT_MIB: u64 = 512;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ExportedFunctions {
    names: BTreeSet<String>,
    asks_for_time: bool,
}

impl ExportedFunctions {
    pub fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// The exported names that begin with `tengen_`, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// Whether it is a module in which the standard library may be asked for the time, which panics
    /// in WebAssembly.
    pub fn asks_for_time(&self) -> bool {
        self.asks_for_time
    }

    fn add(&mut self, name: &str) {
        if name.starts_with("tengen_") {
            self.names.insert(name.to_owned());
        }
    }

    /// Refuses a file without the ABI, or without one of its required exports.
    fn check(self, kind: EngineKind) -> Result<ExportedFunctions, InspectError> {
        if !self.has("tengen_abi_v1") {
            return Err(InspectError::NoAbi);
        }
        match signature::required(kind).find(|name| !self.has(name)) {
            Some(name) => Err(InspectError::MissingExport(name)),
            None => Ok(self),
        }
    }
}

/// Why a file is no engine for this machine.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InspectError {
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// A folder, a device or a pipe.
    #[error("not a plain file")]
    NotAFile,
    #[error("{mib} MiB large; at most {SIZE_LIMIT_MIB} MiB are read")]
    TooLarge { mib: u64 },
    /// Not what its name says.
    #[error("not {expected}; it is {found}")]
    OtherFormat {
        /// What the kind asks for.
        expected: &'static str,
        /// What is there.
        found: &'static str,
    },
    #[error("is for {found}, this is {here}; build it for {here}", here = std::env::consts::ARCH)]
    OtherArchitecture { found: String },
    #[error("damaged: {0}; build or copy it again")]
    Damaged(String),
    /// Some library, but no engine.
    #[error("exports no tengen_abi_v1, so it is not a Tengen engine (see tengen.h)")]
    NoAbi,
    #[error("the required export {0} is missing (see tengen.h)")]
    MissingExport(&'static str),
    /// An export of a WebAssembly module has another type than the header gives.
    #[error("the export {name} is {found}; tengen.h has {expected}")]
    OtherType {
        name: String,
        /// What it is.
        found: String,
        /// What it must be.
        expected: Signature,
    },
    /// A WebAssembly module wants something of its host that engines do not get.
    #[error(
        "imports {module}.{name}, which engines do not get; only the functions of module `tengen` \
         and of wasi_snapshot_preview1 are there{}",
        hint(module, name)
    )]
    ForeignImport { module: String, name: String },
    /// A WebAssembly module that is built for several threads.
    #[error(
        "shares its memory between threads, but a module has one thread: build it without threads, \
         or as a native library"
    )]
    SharedMemory,
    /// A WebAssembly module without a memory to lay data in.
    #[error("exports no 32-bit memory named `memory`; the linker exports it by default")]
    NoMemory,
    /// A text engine exports nothing.
    #[error("a text engine is a program; it exports nothing to inspect")]
    TextEngine,
    #[error("a builtin engine has no file to inspect")]
    Builtin,
}

/// What to do about imports that languages make by themselves.
fn hint(module: &str, name: &str) -> &'static str {
    match (module, name) {
        ("env", "abort") => ". AssemblyScript: build with --use abort=FILE/FUNCTION",
        ("env", "memory") => ". The linker must not import the memory: leave out --import-memory",
        ("env", _) => ". It was declared and never defined: link what defines it",
        ("wasi", _) => ". Threads of WASI are not there: build it without threads",
        _ => "",
    }
}

/// Reads a library or module without running any of it: format, architecture, and the exports (and
/// for WebAssembly the imports) against `tengen.h`.
///
/// # Errors
/// [`InspectError`] says why the file cannot be loaded as an engine of this kind.
pub fn inspect(path: &Path, kind: EngineKind) -> Result<ExportedFunctions, InspectError> {
    match kind {
        EngineKind::Native | EngineKind::Wasm => {}
        EngineKind::Builtin => return Err(InspectError::Builtin),
        EngineKind::Gomocup | EngineKind::Sau => return Err(InspectError::TextEngine),
    }
    // What is no file is reported as that, not as an unreadable file.
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(InspectError::NotAFile);
    }
    let mib = metadata.len() >> 20;
    if mib > SIZE_LIMIT_MIB {
        return Err(InspectError::TooLarge { mib });
    }
    let exports = match kind {
        EngineKind::Wasm => {
            let mut bytes = Vec::new();
            open_file(path)?.read_to_end(&mut bytes)?;
            module::exports(&bytes)?
        }
        _ => native::exports(open_file(path)?)?,
    };
    exports.check(kind)
}

/// Reads a library or module that is in memory, as [`inspect`] does one on the disk.
///
/// # Errors
/// [`InspectError`] says why the bytes cannot be loaded as an engine of this kind.
pub fn inspect_bytes(bytes: &[u8], kind: EngineKind) -> Result<ExportedFunctions, InspectError> {
    let exports = match kind {
        EngineKind::Builtin => return Err(InspectError::Builtin),
        EngineKind::Gomocup | EngineKind::Sau => return Err(InspectError::TextEngine),
        EngineKind::Wasm => module::exports(bytes)?,
        EngineKind::Native => native::exports(Cursor::new(bytes))?,
    };
    exports.check(kind)
}

#[cfg(test)]
mod tests;
