//! Libraries and modules to test discovery with.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use tengen_testkit::compile_c;

/// A module with the required exports, none of which does anything.
pub(super) const ENGINE_WAT: &str = r#"(module
    (memory (export "memory") 1)
    (func (export "tengen_abi_v1") (result i32) i32.const 0)
    (func (export "tengen_describe") (result i32) i32.const 0)
    (func (export "tengen_create") (param i32) (result i32) i32.const 0)
    (func (export "tengen_new_game") (param i32 i32) (result i32) i32.const 0)
    (func (export "tengen_set_position") (param i32 i32 i32) (result i32) i32.const 0)
    (func (export "tengen_choose") (param i32 i32 i32) (result i32) i32.const 0)
    (func (export "tengen_buffer") (param i32) (result i32) i32.const 0))"#;

const REQUIRED: [&str; 6] = [
    "tengen_abi_v1",
    "tengen_describe",
    "tengen_create",
    "tengen_new_game",
    "tengen_set_position",
    "tengen_choose",
];

pub(super) fn module() -> Vec<u8> {
    wat::parse_str(ENGINE_WAT).expect("a well-formed test module")
}

/// A native library with the required exports and `tengen_play`.
pub(super) fn engine() -> &'static Path {
    static BUILT: LazyLock<Library> =
        LazyLock::new(|| Library::build(REQUIRED.into_iter().chain(["tengen_play"])));
    &BUILT.path
}

/// A native library of something else.
pub(super) fn library_without_abi() -> &'static Path {
    static BUILT: LazyLock<Library> =
        LazyLock::new(|| Library::build(["play", "stop"].into_iter()));
    &BUILT.path
}

/// A native library with every required export but `tengen_choose`.
pub(super) fn library_without_choose() -> &'static Path {
    static BUILT: LazyLock<Library> = LazyLock::new(|| {
        Library::build(REQUIRED.into_iter().filter(|name| *name != "tengen_choose"))
    });
    &BUILT.path
}

struct Library {
    path: PathBuf,
    _folder: tempfile::TempDir,
}

impl Library {
    fn build(exports: impl Iterator<Item = &'static str>) -> Library {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let source = folder.path().join("sample.c");
        let path = folder.path().join(format!("sample{}", std::env::consts::DLL_SUFFIX));
        let api = if cfg!(windows) { "__declspec(dllexport) " } else { "" };
        let code: String = exports.map(|name| format!("{api}void {name}(void) {{}}\n")).collect();
        std::fs::write(&source, code).expect("a temporary file");
        let words = ["-shared", "-fPIC", "-s", "-o"].map(OsStr::new);
        compile_c(words.into_iter().chain([path.as_os_str(), source.as_os_str()]));
        Library { path, _folder: folder }
    }
}
