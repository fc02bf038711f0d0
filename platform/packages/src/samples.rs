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

/// The processors of programs of Windows.
pub(super) const PE_X86: u16 = 0x014c;
pub(super) const PE_X64: u16 = 0x8664;
pub(super) const PE_ARM64: u16 = 0xaa64;

/// A program of Windows with nothing in it but the names of the DLLs that it needs, of each one
/// function.
pub(super) fn pe(machine: u16, dlls: &[&str]) -> Vec<u8> {
    const AT: u32 = 0x1000;
    let is_wide = machine != PE_X86;
    let thunk = if is_wide { 8 } else { 4 };
    // The table, one entry for each and an empty one; then for each its thunks and names.
    let mut table: Vec<u8> = Vec::new();
    let mut names: Vec<u8> = Vec::new();
    let start = AT + 20 * (dlls.len() as u32 + 1);
    for dll in dlls {
        let thunks = start + names.len() as u32;
        let function = thunks + 2 * thunk;
        let name = function + 4;
        names.extend(function.to_le_bytes());
        names.resize((function + 2 - start) as usize, 0);
        names.extend(b"f\0");
        names.extend(dll.bytes().chain([0]));
        let entry = [thunks, 0, 0, name, thunks];
        table.extend(entry.iter().flat_map(|field| field.to_le_bytes()));
    }
    table.resize(table.len() + 20, 0);
    table.extend(names);

    let optional: u16 = if is_wide { 240 } else { 224 };
    let mut file = b"MZ".to_vec();
    file.resize(60, 0);
    file.extend(64_u32.to_le_bytes());
    file.extend(b"PE\0\0");
    file.extend([machine, 1].map(u16::to_le_bytes).concat());
    file.extend([0; 12]);
    file.extend([optional, 0x0022].map(u16::to_le_bytes).concat());
    let begin = file.len();
    file.extend(if is_wide { 0x020b_u16 } else { 0x010b }.to_le_bytes());
    // The number of directories is the last field before them; the second is that of imports.
    let directories = begin + usize::from(optional) - 16 * 8;
    file.resize(directories - 4, 0);
    file.extend([16, 0, 0, AT, table.len() as u32].map(u32::to_le_bytes).concat());
    file.resize(begin + usize::from(optional), 0);
    file.extend(b".idata\0\0");
    let size = table.len() as u32;
    file.extend([size, AT, size, file.len() as u32 + 32].map(u32::to_le_bytes).concat());
    file.extend([0; 16]);
    file.extend(table);
    file
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
