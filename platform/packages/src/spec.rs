use std::fmt;
use std::path::PathBuf;

use super::id;

/// The engines linked into this program, named `builtin:NAME` on the command line.
pub const BUILTINS: [&str; 1] = ["alphabeta"];

/// How an engine is run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A shared library of this operating system and architecture.
    Native,
    /// A WebAssembly module.
    Wasm,
    /// Linked into this program.
    Builtin,
}

impl Kind {
    /// `native`, `wasm` or `builtin`.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Native => "native",
            Kind::Wasm => "wasm",
            Kind::Builtin => "builtin",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One engine as it lies on the disk: all that is needed to start it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineSpec {
    /// The name on the command line, unique within a folder of engines.
    pub id: String,
    /// The name a manifest gives for display; the engine's own description is used without it.
    pub name: Option<String>,
    /// How the engine is run.
    pub kind: Kind,
    /// The library or module; empty for a builtin engine.
    pub path: PathBuf,
    /// The engine's own folder, whose files it may read; None for a bare file.
    pub folder: Option<PathBuf>,
    /// Options to set after start, in the manifest's order.
    pub options: Vec<(String, String)>,
    /// The ceiling on memory in MiB, where the manifest sets one.
    pub memory_mib: Option<u32>,
    /// The ceiling on threads, where the manifest sets one.
    pub threads: Option<u32>,
}

impl EngineSpec {
    /// A bare library or module, with the id that its file name gives.
    pub fn bare(path: PathBuf, kind: Kind) -> EngineSpec {
        let id = id::of_file(&path, kind);
        EngineSpec {
            id,
            name: None,
            kind,
            path,
            folder: None,
            options: Vec::new(),
            memory_mib: None,
            threads: None,
        }
    }

    /// The engine `name` of this program, with the id `builtin:NAME`; None when [`BUILTINS`] does
    /// not hold it.
    pub fn builtin(name: &str) -> Option<EngineSpec> {
        BUILTINS.contains(&name).then(|| EngineSpec {
            id: format!("builtin:{name}"),
            ..EngineSpec::bare(PathBuf::new(), Kind::Builtin)
        })
    }
}
