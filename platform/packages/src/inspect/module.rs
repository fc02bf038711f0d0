//! Inspects a WebAssembly module.

use wasmparser::types::{EntityType, Types, TypesRef};
use wasmparser::{BinaryReaderError, Parser, ValType, ValidPayload, Validator};

use super::signature::{self, Signature};
use super::{ExportedFunctions, InspectError};

/// What the standard library of Rust says where a module asks it for the time: it is in a module
/// that may.
const NO_CLOCK: &[u8] = b"time not implemented on this platform";
const MAGIC: &[u8] = b"\0asm";
/// The component model's version field; a plain module has 1.
const COMPONENT: &[u8] = b"\x0d\0\x01\0";

/// The ABI functions of a WebAssembly module, after validating all of it but the code of functions,
/// which is most of it, and which the compiler validates when it is loaded.
pub(super) fn exports(bytes: &[u8]) -> Result<ExportedFunctions, InspectError> {
    let other = |found| InspectError::OtherFormat { expected: "a WebAssembly module", found };
    if !bytes.starts_with(MAGIC) {
        return Err(other(if bytes.is_empty() { "empty" } else { "something else" }));
    }
    if bytes[MAGIC.len()..].starts_with(COMPONENT) {
        return Err(other("a WebAssembly component: link it as a plain module"));
    }
    let types = types(bytes).map_err(|error| {
        InspectError::Damaged(format!("{} at byte {}", error.message(), error.offset()))
    })?;
    let types = types.ok_or_else(|| InspectError::Damaged("it has no end".to_owned()))?;
    let types = types.as_ref();
    if (0..types.memory_count()).any(|index| types.memory_at(index).shared) {
        return Err(InspectError::SharedMemory);
    }
    check_imports(types)?;
    let mut exports = ExportedFunctions {
        asks_for_time: memchr::memmem::find(bytes, NO_CLOCK).is_some(),
        ..ExportedFunctions::default()
    };
    let mut has_memory = false;
    for (name, entity) in types.core_exports().into_iter().flatten() {
        has_memory |= is_memory(name, entity);
        check_type(types, name, entity)?;
        exports.add(name);
    }
    if exports.has("tengen_abi_v1") && !has_memory {
        return Err(InspectError::NoMemory);
    }
    Ok(exports)
}

/// What a module declares.
fn types(bytes: &[u8]) -> Result<Option<Types>, BinaryReaderError> {
    let mut validator = Validator::new();
    for payload in Parser::new(0).parse_all(bytes) {
        if let ValidPayload::End(types) = validator.payload(&payload?)? {
            return Ok(Some(types));
        }
    }
    Ok(None)
}

fn check_imports(types: TypesRef<'_>) -> Result<(), InspectError> {
    for (module, name, entity) in types.core_imports().into_iter().flatten() {
        let known = matches!(module, "tengen" | "wasi_snapshot_preview1");
        if !known || !matches!(entity, EntityType::Func(_)) {
            return Err(InspectError::ForeignImport { module: module.into(), name: name.into() });
        }
    }
    Ok(())
}

fn is_memory(name: &str, entity: EntityType) -> bool {
    matches!(entity, EntityType::Memory(memory) if name == "memory" && !memory.memory64)
}

fn check_type(types: TypesRef<'_>, name: &str, entity: EntityType) -> Result<(), InspectError> {
    let Some(expected) = signature::of(name) else { return Ok(()) };
    let wrong = |found: String| InspectError::OtherType { name: name.to_owned(), found, expected };
    let EntityType::Func(id) = entity else {
        return Err(wrong("no function".to_owned()));
    };
    let function = types[id].unwrap_func();
    let (params, results) = (function.params(), function.results());
    let all_i32 = params.iter().chain(results).all(|value| *value == ValType::I32);
    let found = Signature { arguments: params.len(), returns: results.len() == 1 };
    if all_i32 && results.len() <= 1 && found == expected {
        return Ok(());
    }
    let words =
        |values: &[ValType]| values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    Err(wrong(format!("({}) -> ({})", words(params), words(results))))
}
