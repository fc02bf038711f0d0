//! The files of a project, as they are in this program.

use crate::ProjectLanguage;

/// A file of a project. In its path and its text `@NAME@` and the like stand for names.
pub(crate) struct File {
    /// Relative to the project's folder, with `/`.
    pub path: &'static str,
    pub content: &'static [u8],
    pub is_program: bool,
}

const SDK: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/sdk_files.rs"));
const HEADER: &[u8] = include_bytes!("../../../engine-sdk/include/tengen.h");
const BRAIN: &[u8] = include_bytes!("../../../engine-sdk/python/tengen_brain/__init__.py");

/// A file that lies in the folder `files`.
macro_rules! file {
    ($from:literal as $path:literal) => {
        File {
            path: $path,
            content: include_bytes!(concat!("../files/", $from)).as_slice(),
            is_program: false,
        }
    };
}

/// The files of a project in this language.
pub(crate) fn of(language: ProjectLanguage) -> Vec<File> {
    let mut files = match language {
        ProjectLanguage::Rust => vec![
            file!("rust/Cargo.toml" as "Cargo.toml"),
            file!("rust/src/lib.rs" as "src/lib.rs"),
            file!("rust/clippy.toml" as "clippy.toml"),
            file!("rust/README.md" as "README.md"),
            file!("rust/gitignore" as ".gitignore"),
        ],
        ProjectLanguage::C => vec![
            file!("c/board.h" as "board.h"),
            file!("c/choose.c" as "choose.c"),
            file!("c/engine.c" as "engine.c"),
            file!("c/test.c" as "test.c"),
            file!("c/Makefile" as "Makefile"),
            file!("c/README.md" as "README.md"),
            file!("c/gitignore" as ".gitignore"),
        ],
        ProjectLanguage::Cpp => vec![
            file!("c/board.h" as "board.h"),
            file!("cpp/choose.cpp" as "choose.cpp"),
            file!("c/engine.c" as "engine.cpp"),
            file!("c/test.c" as "test.cpp"),
            file!("cpp/Makefile" as "Makefile"),
            file!("c/README.md" as "README.md"),
            file!("c/gitignore" as ".gitignore"),
        ],
        ProjectLanguage::Zig => vec![
            file!("zig/build.zig" as "build.zig"),
            file!("zig/src/board.zig" as "src/board.zig"),
            file!("zig/src/choose.zig" as "src/choose.zig"),
            file!("zig/src/engine.zig" as "src/engine.zig"),
            file!("zig/README.md" as "README.md"),
            file!("zig/gitignore" as ".gitignore"),
        ],
        ProjectLanguage::AssemblyScript => vec![
            file!("assemblyscript/package.json" as "package.json"),
            file!("assemblyscript/assembly/tsconfig.json" as "assembly/tsconfig.json"),
            file!("assemblyscript/assembly/board.ts" as "assembly/board.ts"),
            file!("assemblyscript/assembly/choose.ts" as "assembly/choose.ts"),
            file!("assemblyscript/assembly/engine.ts" as "assembly/engine.ts"),
            file!("assemblyscript/test.mjs" as "test.mjs"),
            file!("assemblyscript/README.md" as "README.md"),
            file!("assemblyscript/gitignore" as ".gitignore"),
        ],
        ProjectLanguage::Python => vec![
            File { is_program: true, ..file!("python/pbrain-engine" as "pbrain-@NAME@") },
            file!("python/choose.py" as "choose.py"),
            file!("python/test_choose.py" as "test_choose.py"),
            file!("python/README.md" as "README.md"),
            file!("python/gitignore" as ".gitignore"),
            File { path: "tengen_brain/__init__.py", content: BRAIN, is_program: false },
        ],
    };
    match language {
        ProjectLanguage::C | ProjectLanguage::Cpp => {
            files.push(File { path: "tengen.h", content: HEADER, is_program: false });
        }
        ProjectLanguage::Rust => {
            files.extend(SDK.iter().map(|(path, content)| File {
                path,
                content,
                is_program: false,
            }));
        }
        _ => {}
    }
    files
}
