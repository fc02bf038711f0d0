//! The languages that a project can be in, and what their tools call things.

use std::env::consts::{DLL_EXTENSION, DLL_PREFIX};
use std::fmt::{self, Display, Formatter};

/// What a project is written in.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Language {
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
    /// A Gomocup program.
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

impl Language {
    /// All languages.
    pub const ALL: [Language; 6] = [
        Language::Rust,
        Language::C,
        Language::Cpp,
        Language::Zig,
        Language::AssemblyScript,
        Language::Python,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Language::Rust => "rust",
            Language::C => "c",
            Language::Cpp => "cpp",
            Language::Zig => "zig",
            Language::AssemblyScript => "assemblyscript",
            Language::Python => "python",
        }
    }

    /// The command that builds a project, if it must be built.
    pub(crate) const fn build(self) -> Option<&'static str> {
        match self {
            Language::Rust => Some("cargo build --release"),
            Language::C | Language::Cpp => Some("make"),
            Language::Zig => Some("zig build"),
            Language::AssemblyScript => Some("npm install && npm run build"),
            Language::Python => None,
        }
    }

    /// The command that runs its test.
    pub(crate) const fn test(self) -> &'static str {
        match self {
            Language::Rust => "cargo test",
            Language::C | Language::Cpp => "make test",
            Language::Zig => "zig build test",
            Language::AssemblyScript => "npm test",
            Language::Python => "python3 -m unittest",
        }
    }

    /// The engine that is built, relative to the project's folder.
    pub(crate) fn engine(self, name: &str) -> String {
        let library = format!("{DLL_PREFIX}{}.{DLL_EXTENSION}", name.replace('-', "_"));
        match self {
            Language::Rust => format!("target/release/{library}"),
            Language::C | Language::Cpp => format!("{name}.{DLL_EXTENSION}"),
            Language::Zig => format!("zig-out/lib/{library}"),
            Language::AssemblyScript => format!("build/{name}.wasm"),
            Language::Python => format!("pbrain-{name}"),
        }
    }

    /// The file that is to be changed.
    pub(crate) const fn choose(self) -> &'static str {
        match self {
            Language::Rust => "src/lib.rs",
            Language::C => "choose.c",
            Language::Cpp => "choose.cpp",
            Language::Zig => "src/choose.zig",
            Language::AssemblyScript => "assembly/choose.ts",
            Language::Python => "choose.py",
        }
    }

    /// The file that is to be changed, and the one that need not be.
    pub(crate) const fn glue(self) -> [&'static str; 2] {
        let engine = match self {
            Language::Rust => "sdk",
            Language::C => "engine.c",
            Language::Cpp => "engine.cpp",
            Language::Zig => "src/engine.zig",
            Language::AssemblyScript => "assembly/engine.ts",
            Language::Python => "tengen_brain",
        };
        [self.choose(), engine]
    }

    /// Whether a project cannot have this name.
    pub(crate) fn is_reserved(self, name: &str) -> bool {
        match self {
            Language::Rust => RESERVED_IN_RUST.contains(&name),
            Language::C | Language::Cpp => name == "test",
            Language::Zig | Language::AssemblyScript | Language::Python => false,
        }
    }
}

impl Display for Language {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Language::Rust => "Rust",
            Language::C => "C",
            Language::Cpp => "C++",
            Language::Zig => "Zig",
            Language::AssemblyScript => "AssemblyScript",
            Language::Python => "Python",
        })
    }
}
