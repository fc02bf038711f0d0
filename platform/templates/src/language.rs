//! The languages that a project can be in, with the commands and file names of their tools.

use std::env::consts::{DLL_EXTENSION, DLL_PREFIX};
use std::fmt::{self, Display, Formatter};

/// What a project is written in.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ProjectLanguage {
    /// A library or a WASM module, with the SDK.
    Rust,
    /// A library or a WASM module, with the C header.
    C,
    /// The same in C++.
    Cpp,
    /// A library or a WASM module.
    Zig,
    /// A WASM module.
    AssemblyScript,
    /// A Gomocup engine.
    Python,
}

/// Keywords, and crates that cargo or the project itself uses.
const RESERVED_IN_RUST: &[&str] = &[
    "abstract",
    "alloc",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "const",
    "continue",
    "core",
    "crate",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "proc_macro",
    "pub",
    "ref",
    "return",
    "sdk",
    "self",
    "static",
    "std",
    "struct",
    "super",
    "tengen-abi",
    "tengen-derive",
    "tengen-random",
    "tengen-rules",
    "tengen-sdk",
    "tengen_abi",
    "tengen_derive",
    "tengen_random",
    "tengen_rules",
    "tengen_sdk",
    "test",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
];

impl ProjectLanguage {
    pub const ALL: [ProjectLanguage; 6] = [
        ProjectLanguage::Rust,
        ProjectLanguage::C,
        ProjectLanguage::Cpp,
        ProjectLanguage::Zig,
        ProjectLanguage::AssemblyScript,
        ProjectLanguage::Python,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            ProjectLanguage::Rust => "rust",
            ProjectLanguage::C => "c",
            ProjectLanguage::Cpp => "cpp",
            ProjectLanguage::Zig => "zig",
            ProjectLanguage::AssemblyScript => "assemblyscript",
            ProjectLanguage::Python => "python",
        }
    }

    /// The command that builds a project, if it must be built.
    pub(crate) const fn build(self) -> Option<&'static str> {
        match self {
            ProjectLanguage::Rust => Some("cargo build --release"),
            ProjectLanguage::C | ProjectLanguage::Cpp => Some("make"),
            ProjectLanguage::Zig => Some("zig build"),
            ProjectLanguage::AssemblyScript => Some("npm install && npm run build"),
            ProjectLanguage::Python => None,
        }
    }

    /// The command that runs its test.
    pub(crate) const fn test(self) -> &'static str {
        match self {
            ProjectLanguage::Rust => "cargo test",
            ProjectLanguage::C | ProjectLanguage::Cpp => "make test",
            ProjectLanguage::Zig => "zig build test",
            ProjectLanguage::AssemblyScript => "npm test",
            ProjectLanguage::Python => "python3 -m unittest",
        }
    }

    /// The engine that is built, relative to the project's folder.
    pub(crate) fn engine(self, name: &str) -> String {
        let library = format!("{DLL_PREFIX}{}.{DLL_EXTENSION}", name.replace('-', "_"));
        match self {
            ProjectLanguage::Rust => format!("target/release/{library}"),
            ProjectLanguage::C | ProjectLanguage::Cpp => format!("{name}.{DLL_EXTENSION}"),
            ProjectLanguage::Zig => format!("zig-out/lib/{library}"),
            ProjectLanguage::AssemblyScript => format!("build/{name}.wasm"),
            ProjectLanguage::Python => format!("pbrain-{name}"),
        }
    }

    /// The file that is to be changed.
    pub(crate) const fn choose(self) -> &'static str {
        match self {
            ProjectLanguage::Rust => "src/lib.rs",
            ProjectLanguage::C => "choose.c",
            ProjectLanguage::Cpp => "choose.cpp",
            ProjectLanguage::Zig => "src/choose.zig",
            ProjectLanguage::AssemblyScript => "assembly/choose.ts",
            ProjectLanguage::Python => "choose.py",
        }
    }

    /// The file that is to be changed, and the one that need not be.
    pub(crate) const fn glue(self) -> [&'static str; 2] {
        let engine = match self {
            ProjectLanguage::Rust => "sdk",
            ProjectLanguage::C => "engine.c",
            ProjectLanguage::Cpp => "engine.cpp",
            ProjectLanguage::Zig => "src/engine.zig",
            ProjectLanguage::AssemblyScript => "assembly/engine.ts",
            ProjectLanguage::Python => "tengen_brain",
        };
        [self.choose(), engine]
    }

    /// Whether a project cannot have this name.
    pub(crate) fn is_reserved(self, name: &str) -> bool {
        match self {
            ProjectLanguage::Rust => RESERVED_IN_RUST.contains(&name),
            ProjectLanguage::C | ProjectLanguage::Cpp => name == "test",
            ProjectLanguage::Zig | ProjectLanguage::AssemblyScript | ProjectLanguage::Python => {
                false
            }
        }
    }
}

impl Display for ProjectLanguage {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ProjectLanguage::Rust => "Rust",
            ProjectLanguage::C => "C",
            ProjectLanguage::Cpp => "C++",
            ProjectLanguage::Zig => "Zig",
            ProjectLanguage::AssemblyScript => "AssemblyScript",
            ProjectLanguage::Python => "Python",
        })
    }
}
