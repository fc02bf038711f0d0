//! The services that a WASM engine imports.

use tengen_abi::{names, status};
use wasmtime::{Caller, ExternType, FuncType, Linker, Module, Val, ValType};

use super::memory::GuestMemory;
use super::{GuestState, wasi};
use crate::host::guest::LoadError;

/// The longest name of a file of the package.
const MAX_NAME: usize = 4096;

/// Binds every import of the module, or names the first that it may not have.
pub(super) fn bind(linker: &mut Linker<GuestState>, module: &Module) -> Result<(), LoadError> {
    for import in module.imports() {
        let (from, name) = (import.module(), import.name());
        let function = match import.ty() {
            ExternType::Func(function) => function,
            _ => return refuse(from, name, "it is no function"),
        };
        let bound = match from {
            names::IMPORT_MODULE => bind_service(linker, name, &function),
            wasi::MODULE => wasi::bind(linker, name, &function),
            _ => return refuse(from, name, "engines may import from `tengen` only"),
        };
        if let Err(error) = bound {
            return refuse(from, name, &error.to_string());
        }
    }
    Ok(())
}

fn refuse(module: &str, name: &str, why: &str) -> Result<(), LoadError> {
    Err(LoadError::Refused(format!("it imports {module}.{name}: {why}")))
}

/// Later hosts have more services. An engine that asks for them is told that this host lacks them.
fn bind_service(
    linker: &mut Linker<GuestState>,
    name: &str,
    function: &FuncType,
) -> wasmtime::Result<()> {
    match name {
        "left_us" => linker.func_wrap(names::IMPORT_MODULE, name, left_us),
        "send" => linker.func_wrap(names::IMPORT_MODULE, name, send),
        "fetch" => linker.func_wrap(names::IMPORT_MODULE, name, fetch),
        _ => return stub(linker, names::IMPORT_MODULE, name, function, status::UNSUPPORTED),
    }?;
    Ok(())
}

/// A function that does nothing and gives `number` as every result.
pub(super) fn stub(
    linker: &mut Linker<GuestState>,
    module: &str,
    name: &str,
    function: &FuncType,
    number: i32,
) -> wasmtime::Result<()> {
    let value = |kind: ValType| match kind {
        ValType::I64 => Val::I64(number.into()),
        ValType::F32 => Val::F32((number as f32).to_bits()),
        ValType::F64 => Val::F64(f64::from(number).to_bits()),
        _ => Val::I32(number),
    };
    let values: Vec<Val> = function.results().map(value).collect();
    linker.func_new(module, name, function.clone(), move |_, _, results| {
        results.copy_from_slice(&values);
        Ok(())
    })?;
    Ok(())
}

fn left_us(caller: Caller<'_, GuestState>, _host: u32) -> i64 {
    caller.data().services.left_us()
}

fn send(mut caller: Caller<'_, GuestState>, _host: u32, kind: u32, data: u32, len: u32) -> i32 {
    let Some(guest) = GuestMemory::of(&mut caller) else { return status::STATE };
    match guest.bytes(data, len) {
        Some(message) => guest.services().send(kind, message),
        None => status::ARGUMENT,
    }
}

fn fetch(
    mut caller: Caller<'_, GuestState>,
    _host: u32,
    name: u32,
    offset: u64,
    to: u32,
    len: u32,
) -> i64 {
    let Some(mut guest) = GuestMemory::of(&mut caller) else { return status::STATE.into() };
    let services = guest.state.services.clone();
    let Some(name) = guest.text(name, MAX_NAME).map(str::to_owned) else {
        return status::ARGUMENT.into();
    };
    match guest.bytes_mut(to, len) {
        Some(to) => services.fetch(&name, offset, to),
        None => status::ARGUMENT.into(),
    }
}
