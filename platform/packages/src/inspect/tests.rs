use std::path::PathBuf;

use super::*;
use crate::samples::{self, ENGINE_WAT};

fn written(bytes: impl AsRef<[u8]>) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let path = dir.path().join("engine");
    fs::write(&path, bytes).expect("a temporary file");
    (dir, path)
}

fn module(wat: &str) -> Result<ExportedFunctions, InspectError> {
    let (_dir, path) = written(wat::parse_str(wat).expect("a well-formed test module"));
    inspect(&path, EngineKind::Wasm)
}

fn message(result: Result<ExportedFunctions, InspectError>) -> String {
    result.expect_err("to be refused").to_string()
}

#[test]
fn an_engine_of_either_kind_tells_its_exports() {
    let exports = module(ENGINE_WAT).expect("a whole engine");
    assert!(exports.has("tengen_buffer") && !exports.has("tengen_undo"));
    let exports = inspect(samples::engine(), EngineKind::Native).expect("a whole engine");
    let names: Vec<&str> = exports.names().collect();
    assert_eq!(
        names,
        [
            "tengen_abi_v1",
            "tengen_choose",
            "tengen_create",
            "tengen_describe",
            "tengen_new_game",
            "tengen_play",
            "tengen_set_position",
        ]
    );
}

#[test]
fn a_library_without_the_abi_is_refused() {
    let refusal = message(inspect(samples::library_without_abi(), EngineKind::Native));
    assert!(refusal.contains("no tengen_abi_v1"), "{refusal}");
    let refusal = message(module("(module (func (export \"add\")))"));
    assert!(refusal.contains("no tengen_abi_v1"), "{refusal}");
}

#[test]
fn a_missing_export_is_named() {
    let refusal = message(inspect(samples::library_without_choose(), EngineKind::Native));
    assert!(refusal.contains("required export tengen_choose is missing"), "{refusal}");
    let refusal = message(module(&ENGINE_WAT.replace("tengen_buffer", "tengen_bufer")));
    assert!(refusal.contains("required export tengen_buffer is missing"), "{refusal}");
}

#[cfg(all(target_os = "linux", target_endian = "little"))]
#[test]
fn another_architecture_is_named() {
    let (machine, name) = match std::env::consts::ARCH {
        "aarch64" => (62u16, "x86_64"),
        _ => (183u16, "aarch64"),
    };
    let mut header = [0u8; 64];
    header[..16].copy_from_slice(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0");
    header[16..18].copy_from_slice(&3u16.to_le_bytes()); // ET_DYN
    header[18..20].copy_from_slice(&machine.to_le_bytes());
    header[20..24].copy_from_slice(&1u32.to_le_bytes());
    header[52..54].copy_from_slice(&64u16.to_le_bytes());
    let (_dir, path) = written(header);
    let refusal = message(inspect(&path, EngineKind::Native));
    assert!(refusal.contains(&format!("is for {name}, this is ")), "{refusal}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_library_of_another_system_is_named() {
    let mut header = vec![0u8; 1024];
    header[..2].copy_from_slice(b"MZ");
    header[0x3c..0x40].copy_from_slice(&0x80u32.to_le_bytes());
    header[0x80..0x86].copy_from_slice(b"PE\0\0\x64\x86");
    header[0x98..0x9a].copy_from_slice(&0x20bu16.to_le_bytes());
    let (_dir, path) = written(header);
    let refusal = message(inspect(&path, EngineKind::Native));
    assert!(refusal.contains("a Windows library (PE)"), "{refusal}");
}

#[test]
fn files_that_are_no_library_are_refused() {
    for bytes in [&b""[..], b"x", b"#!/bin/sh\necho hello\n", b"\0asm\x01\0\0\0"] {
        let (_dir, path) = written(bytes);
        assert!(matches!(
            inspect(&path, EngineKind::Native),
            Err(InspectError::OtherFormat { .. })
        ));
    }
    let (dir, _path) = written("");
    assert!(matches!(inspect(dir.path(), EngineKind::Native), Err(InspectError::NotAFile)));
    let absent = dir.path().join("absent");
    assert!(matches!(inspect(&absent, EngineKind::Wasm), Err(InspectError::Unreadable(_))));
}

#[test]
fn a_damaged_file_is_refused_wherever_it_ends() {
    let library = fs::read(samples::engine()).expect("the sample library");
    for length in (0..library.len()).step_by(library.len() / 50) {
        let (_dir, path) = written(&library[..length]);
        // What is cut may be debug data alone; it must not panic, and never lose an export.
        if let Ok(exports) = inspect(&path, EngineKind::Native) {
            assert!(exports.has("tengen_choose"));
        }
    }
    let module = wat::parse_str(ENGINE_WAT).expect("a well-formed test module");
    for length in 0..module.len() {
        let (_dir, path) = written(&module[..length]);
        inspect(&path, EngineKind::Wasm).expect_err("a module cut short");
    }
}

#[test]
fn a_corrupt_module_is_refused_with_its_place() {
    let whole = wat::parse_str(ENGINE_WAT).expect("a well-formed test module");
    let mut broken = whole.clone();
    // Behind the header and the size of the first section: how many types there are.
    broken[10] = 0xff;
    for bytes in [broken, whole[..whole.len() - 2].to_vec()] {
        let (_dir, path) = written(bytes);
        let refusal = message(inspect(&path, EngineKind::Wasm));
        assert!(refusal.starts_with("damaged: ") && refusal.contains(" at byte "), "{refusal}");
    }
}

#[test]
fn a_module_with_a_foreign_import_is_refused() {
    let with = |import: &str| ENGINE_WAT.replace("(module", &format!("(module {import}"));
    let refusal = message(module(&with("(import \"env\" \"fork\" (func))")));
    assert!(refusal.starts_with("imports env.fork, which engines do not get"), "{refusal}");
    let refusal = message(module(&with("(import \"tengen\" \"m\" (memory 1))")));
    assert!(refusal.starts_with("imports tengen.m, "), "{refusal}");
    module(&with("(import \"tengen\" \"later\" (func))")).expect("an import the host may stub");
    module(&with("(import \"wasi_snapshot_preview1\" \"fd_write\" (func))")).expect("libc");
}

#[test]
fn a_module_whose_export_has_another_type_is_refused() {
    let wrong = ENGINE_WAT.replace("(param i32 i32 i32) (result i32)", "(param i64) (result i32)");
    let refusal = message(module(&wrong));
    assert!(refusal.contains("is (i64) -> (i32)"), "{refusal}");
    assert!(refusal.contains("tengen.h has (i32, i32, i32) -> (i32)"), "{refusal}");
    let refusal = message(module(&ENGINE_WAT.replace("\"memory\"", "\"mem\"")));
    assert!(refusal.contains("no 32-bit memory"), "{refusal}");
}

#[test]
fn what_a_module_does_not_get_is_told_with_what_to_do() {
    let refusal = |rest: &str| message(module(&format!("(module {rest})")));
    let shared = refusal(r#"(memory (export "memory") 1 2 shared)"#);
    assert!(shared.contains("one thread") && shared.contains("without threads"), "{shared}");
    let imported = refusal(r#"(import "env" "memory" (memory 1 2 shared))"#);
    assert!(imported.contains("without threads"), "{imported}");
    let abort = refusal(r#"(import "env" "abort" (func (param i32 i32 i32 i32)))"#);
    assert!(abort.contains("imports env.abort") && abort.contains("--use abort="), "{abort}");
    let undefined = refusal(r#"(import "env" "sqrt" (func))"#);
    assert!(undefined.contains("never defined"), "{undefined}");
}

/// Std's sentence, in the module's data, tells a module that asks for the time; the SDK's, which
/// explains a panic, must not be taken for it.
#[test]
fn only_a_module_with_the_clock_of_std_asks_for_the_time() {
    let with_text = |text: &str| {
        let data = format!("(data (i32.const 0) \"{text}\"))");
        let at = ENGINE_WAT.trim_end().strip_suffix(')').expect("the end of the module");
        module(&format!("{at}{data}")).expect("a whole engine").asks_for_time()
    };
    assert!(with_text("time not implemented on this platform"));
    assert!(!with_text("time not implemented on; WebAssembly has no clock: ask Thinking::left"));
    assert!(!with_text(""));
}
